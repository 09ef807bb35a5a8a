"""Storage: one small interface and its implementations. Knows records and files, not Wasm."""
