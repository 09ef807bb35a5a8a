"""One execution from request to proposed commit; which contexts are live. Knows no storage."""
