"""What a manifest says to be run is a list of words, for no shell (T72)."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from arena.bundles import resolve
from arena.home import Home
from arena.ledger import Ledger
from referee.processes import Command, become_subreaper, clean_environment, keep

WORD = "; touch {mark} && $(touch {mark}) `touch {mark}` | touch {mark}\n touch {mark}"


def test_no_word_of_a_manifest_reaches_a_shell(tmp_path: Path) -> None:
    mark, folder, own = tmp_path / "mark", tmp_path / "bot", tmp_path / "run" / "b"
    folder.mkdir()
    own.mkdir(parents=True)
    word = WORD.format(mark=mark)
    (folder / "says").write_text('#!/bin/sh\nprintf %s "$1"\n')
    (folder / "says").chmod(0o755)
    escaped = word.replace("\n", "\\n")
    (folder / "bot.toml").write_text(
        f'name = "says"\nrun = ["./says", "{escaped}"]\nbuild = ["true", "{escaped}"]\nneeds = ""\n'
    )
    home = Home(tmp_path / "home")
    home.folder()
    become_subreaper()
    with closing(Ledger(home.ledger)) as ledger:
        launch = resolve(home, ledger, str(folder)).launch
    environment = clean_environment(own, launch.env)
    bot = keep(Command(launch.argv, Path(launch.cwd), environment, own, tmp_path / "log"))
    assert bot.stop(10).code == 0
    assert (tmp_path / "log").read_text() == word
    assert not mark.exists()
