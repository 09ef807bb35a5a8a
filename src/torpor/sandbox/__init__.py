"""Sandboxes: contexts, files, env vars and expiry over a store, and the interpreter that they share.

Runs no Wasm itself and keeps nothing in memory that a commit does not also write.
"""
