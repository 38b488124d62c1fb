"""Start a bot's program, keep it, and leave nothing of it behind.

`keep` starts one under a keeper of its own (`keeper.py`). A process that keeps bots calls
`become_subreaper` first, and whoever is above it does too: then there is no order of deaths, of bot,
keeper and worker, after which a process or a folder of a bot is left.
"""

from referee.processes.environment import ALLOWED_ENV, clean_environment
from referee.processes.keeper import become_subreaper, die_with_parent
from referee.processes.kept import Command, Exit, Kept, StartError, keep, reap_strays

__all__ = [
    "ALLOWED_ENV", "Command", "Exit", "Kept", "StartError", "become_subreaper", "clean_environment",
    "die_with_parent", "keep", "reap_strays",
]  # fmt: skip
