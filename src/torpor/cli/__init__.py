"""The command line: one module per group of commands, over the public SDK and nothing below it.

`torpor run` is meant to be used in loops and scripts, so nothing is imported before it is needed.
"""
