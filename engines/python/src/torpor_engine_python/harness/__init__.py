"""The guest's side of the harness protocol. It runs inside CPython 3.15 in the Wasm module.

The host only reads these files as text (see `driver`); the guest loads them as hidden modules. They
are still an importable package, so that linters, the type checker and unit tests see them. The rule
of the house: after boot nothing here may look anything up that the user can replace.
"""
