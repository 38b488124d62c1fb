"""README, tutorial and the pages on how things are done do what they say: run as they stand, in order.

In a console block a line behind `$ ` is a command; `# exit 2` at its end is its exit code where that is
not 0. The lines below it are what it prints: `...` stands for anything, figures and digests may differ,
and where nothing is shown nothing is compared. A block with title=FILE is that file. One shell runs a page.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```(\w+)(?: title=(\S+))?\n(.*?)^```$", re.M | re.S)
PROSE = sorted(
    page
    for where in ("*.md", "[!.b]*/**/*.md", "bots/**/*.md")
    for page in ROOT.glob(where)
    if "node_modules" not in page.parts
)
LINK = re.compile(r"\]\((?!https?:)([^)#]*)#?([^)]*)\)")
CODE = re.compile(r"^```.*?^```$|`[^`]*`(?!\])", re.M | re.S)
"""Where brackets are no links. A link whose text is code is one."""
MARK = "\x1e"


@dataclass(frozen=True, slots=True)
class File:
    name: str
    text: str

    @property
    def script(self) -> str:
        return f"mkdir -p $(dirname {self.name})\ncat > {self.name} <<'END OF FILE'\n{self.text}END OF FILE\n"


@dataclass(frozen=True, slots=True)
class Command:
    line: str
    shown: str

    @property
    def code(self) -> int:
        said = re.search(r"# exit (\d+)$", self.line)
        return int(said[1]) if said else 0

    @property
    def script(self) -> str:
        return f"{self.line}\nprintf '{MARK}%d\\n{MARK}' $?\n"


@dataclass(frozen=True, slots=True)
class Ran:
    command: Command
    printed: str
    """On both streams, as on a terminal."""
    code: int

    @property
    def complaint(self) -> str:
        """What is not as the page says; empty where all is."""
        wrong = []
        if self.code != self.command.code:
            wrong.append(f"exit code {self.code}, the page says {self.command.code}")
        if self.command.shown and not alike(self.command.shown, self.printed):
            wrong.append(f"the page shows\n{self.command.shown}")
        return "\n".join([f"$ {self.command.line}", *wrong, f"it printed\n{self.printed}"]) if wrong else ""


def alike(shown: str, printed: str) -> bool:
    """Whether they differ in nothing but figures, digests and spaces; `...` may stand for nothing too."""
    pattern = ".*".join(re.escape(part.strip()) for part in _plain(shown).split("..."))
    return re.fullmatch(pattern, _plain(printed)) is not None


def _plain(text: str) -> str:
    return " ".join(re.sub("─+", "─", re.sub(r"\b[0-9a-f]{8,}\b|\d+", "#", text)).split())


def steps(text: str) -> Iterator[File | Command]:
    """The files and commands of a page, in order."""
    for language, title, body in BLOCK.findall(text):
        if title:
            yield File(title, body)
        elif language == "console":
            for part in re.split(r"^\$ ", body, flags=re.M)[1:]:
                line, _, shown = part.partition("\n")
                yield Command(line, shown)


def run(text: str, folder: Path) -> list[Ran]:
    """Every command of a page, run by one shell in `folder`."""
    todo = list(steps(text))
    env = {k: v for k, v in os.environ.items() if k not in ("PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE")}
    env |= {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "KINGMAKER_HOME": str(folder / "home"),
    }
    shell = subprocess.run(
        ["bash", "-c", "exec 2>&1\n" + "".join(step.script for step in todo)],
        cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, timeout=200,
    )  # fmt: skip
    *parts, _ = shell.stdout.split(MARK)
    commands = [step for step in todo if isinstance(step, Command)]
    return [
        Ran(command, printed, int(code))
        for command, printed, code in zip(commands, parts[::2], parts[1::2], strict=True)
    ]


@pytest.mark.parametrize(
    ("page", "promised"),
    [
        ("README.md", {"arena play": "highest", "arena run": "highest"}),
        pytest.param(
            "docs/tutorial.md",
            {
                "arena bot check": "all checks passed",
                "arena leaderboard": "mybot",
                "arena replay": "favour phase",
            },
            marks=pytest.mark.long,
        ),
        pytest.param(
            "docs/bots.md",
            {"arena bot check": "all checks passed", "arena repro": "as in the record", "perl": "ready"},
            marks=pytest.mark.long,
        ),
        pytest.param(
            "docs/comparing.md",
            {"heuristic greedy": "is better", "--json": "12"},
            marks=pytest.mark.long,
        ),
        pytest.param(
            "docs/schedules.md",
            {"arena run": "12 games that count are played, of 12", "--dry-run": "open"},
            marks=pytest.mark.long,
        ),
        pytest.param(
            "docs/records.md",
            {"arena verify game.kgn": "all of it holds", "games.py": "rook"},
            marks=pytest.mark.long,
        ),
        pytest.param(
            "docs/notebooks.md",
            {"study.py": "heuristic", "arena run": "60 games"},
            marks=pytest.mark.long,
        ),
        pytest.param(
            "docs/learning.md",
            {
                "search.py": "7 of 10 games won",
                "train.py": "better than chance",
                "arena leaderboard": "learned",
            },
            marks=pytest.mark.long,
        ),
        pytest.param(
            "docs/looking.md",
            {"site build": "open it", "arena replay": "seat 1", "site report": "written"},
            marks=pytest.mark.long,
        ),
        pytest.param(
            "docs/operating.md",
            {"arena status": "complete", "verify": "all of it holds", "python3": "commitments"},
            marks=pytest.mark.long,
        ),
    ],
)
def test_a_page_does_what_it_says(
    page: str, promised: dict[str, str], short: Path, nothing_left: Callable[[], list[str]]
) -> None:
    ran = run((ROOT / page).read_text("utf-8"), short)
    complaints = "\n".join(filter(None, (each.complaint for each in ran)))
    assert not complaints, complaints
    for verb, word in promised.items():
        assert any(verb in each.command.line and word in each.printed for each in ran), (verb, word)
    assert nothing_left() == []


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("done: 60 games in 2 s\n", "done: 60 games in 31 s\n", True),
        ("mybot@d41829625002\n", "mybot@cb3b214d2c4f\n", True),
        ("first\n...\nlast\n", "first\nmore\nand more\nlast\n", True),
        ("...\nlast.\n...\n", "last.\n", True),
        ("no fault of a bot\n", "one fault of a bot\n", False),
        ("first\nlast\n", "first\nmore\nlast\n", False),
        ("printed\n", "", False),
    ],
)
def test_only_figures_and_digests_may_differ(shown: str, printed: str, same: bool) -> None:
    assert alike(shown, printed) is same


def test_a_page_that_is_wrong_is_found_out(short: Path) -> None:
    page = (
        "```text title=said/word.txt\nright\n```\n"
        "```console\n$ cd said\n$ cat word.txt\nwrong\n$ false\n$ false  # exit 1\n$ cat word.txt\nright\n```\n"
    )
    found = [bool(ran.complaint) for ran in run(page, short)]
    assert found == [False, True, True, False, False]


@pytest.mark.parametrize("page", PROSE, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    missing = []
    for to, anchor in LINK.findall(CODE.sub("", page.read_text("utf-8"))):
        target = page.parent / to if to else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            missing.append(f"{to}#{anchor}")
    assert missing == []


def anchors(page: Path) -> set[str]:
    """What the headings of a page are called in links, as GitHub makes it."""
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.M)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
