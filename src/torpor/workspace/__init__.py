"""The /workspace tree: paths, manifest, diff, quotas, file operations. Knows no Wasm and no storage."""
