"""Base images, delta records, history: a context's memory as data. Knows no storage and no language."""
