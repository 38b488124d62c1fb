"""Which versions of the wire protocol this code speaks."""

PROTOCOL = 1
"""The version of SPEC.md."""

SUPPORTED = (1,)
"""What the referee accepts in a bot's `hello`."""
