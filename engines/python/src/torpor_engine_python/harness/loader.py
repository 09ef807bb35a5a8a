"""Loads the harness."""
def load(modules): pass
