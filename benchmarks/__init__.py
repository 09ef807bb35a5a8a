"""Benchmarks: what Torpor's promises cost on this machine, beside its peers.

    uv run --group bench python -m benchmarks [--only NAME] [--repeat N] [--json FILE] [--markdown FILE]

docs/performance.md says what each figure includes. Nothing here asserts on a time.
"""
