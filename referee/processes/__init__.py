"""Start a bot's program, keep it, and leave nothing of it behind.

`keep` starts one under a keeper of its own (`keeper.py`), forked from a warm spawner (`spawner.py`), within the
layers of a sandbox (`confine.py`). A process that keeps bots calls `become_subreaper` first, and whoever is above
it does too: then there is no order of deaths, of bot, keeper, spawner and worker, after which a process or a
folder of a bot is left.
"""

from referee.processes.command import Command, SandboxError, StartError
from referee.processes.environment import ALLOWED_ENV, clean_environment
from referee.processes.kept import Exit, Kept, keep, reap_strays
from referee.processes.sandbox import MODES, NONE, Sandbox
from referee.processes.spawner import spawner
from referee.processes.trees import become_subreaper, die_with_parent

__all__ = [
    "ALLOWED_ENV", "MODES", "NONE", "Command", "Exit", "Kept", "Sandbox", "SandboxError", "StartError",
    "become_subreaper", "clean_environment", "die_with_parent", "keep", "reap_strays", "spawner",
]  # fmt: skip
