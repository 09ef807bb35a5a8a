"""WASI preview1 for a guest: descriptors, clocks, randomness, a virtual file system. Knows no language."""
