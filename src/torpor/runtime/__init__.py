"""Runtimes: who serves one language's executions. Today in this process; knows no storage."""
