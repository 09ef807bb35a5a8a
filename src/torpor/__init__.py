"""Torpor: a durable code interpreter."""
