# expect: no_start/exit 0
"""Ends before it has said hello."""
