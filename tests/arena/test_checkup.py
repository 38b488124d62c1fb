"""`arena bot check` without a bot's process: what is tried, what is told of it and how. Probes: tests/e2e."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator

from arena import checkup
from arena.bundles import Bot
from arena.checkup import CheckUp, Step, Times, check_up, groups_of
from arena.cli import main
from arena.documents import schema
from arena.errors import CannotStart
from arena.home import Home
from arena.preflight import REASONS
from arena.probes import PROBES, Trial, advice
from protocol.manifest import Manifest
from protocol.vocabulary import BotId, FaultKind
from referee.faults import Misstep
from referee.games import GAMES
from referee.match import Ask, Reply
from referee.players.local import LocalPlayer
from tests.arena.made import job_for, played
from tests.referee.driving import bot_ids, planned

VECTORS = Path(__file__).parents[2] / "protocol" / "vectors" / "messages.jsonl"
WRONG = Misstep(FaultKind.PROTOCOL_ERROR, "wrong_type", "turn is no integer")
Fault = Callable[[str], Misstep | None]


class Here(Trial):
    """A bot in this process that does `wrong` in the variants where that is something."""

    wrong: Fault = staticmethod(lambda variant: None)
    wants_events = True

    def player(self) -> Any:
        return self

    def reply(self, ask: Ask) -> Reply:
        if ask.message["type"] == "start":
            self.fault = type(self).wrong(ask.message["variant"])
        if ask.turn and self.fault:
            return Reply(self.fault, 0.0)
        return LocalPlayer(lambda turn: str(turn["legal"][0])).reply(ask)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """Bots are greeted without a look, and tried in this process without probes."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(checkup, "greet", lambda *anything: None)
    monkeypatch.setattr(checkup, "PROBES", {})
    return Home(tmp_path / "home")


def made(games: list[str], build: str = "[]") -> str:
    Path("mybot").mkdir(exist_ok=True)
    text = f'name = "mybot"\nrun = ["./bot"]\ngames = {json.dumps(games)}\n'
    Path("mybot/bot.toml").write_text(text + (f"build = {build}\n" if build != "[]" else ""))
    return "./mybot"


def steps(
    home: Home, monkeypatch: pytest.MonkeyPatch, games: list[str], wrong: Fault, seconds: float = 600.0
) -> dict[str, Step]:
    monkeypatch.setattr(Here, "wrong", staticmethod(wrong))
    monkeypatch.setattr(checkup, "Trial", Here)
    found = list(check_up(home, made(games), Times(), seconds))
    assert len({step.name for step in found}) == len(found)
    return {step.name: step for step in found}


def sound(variant: str) -> None:
    """Nothing wrong."""


def check(home: Home, reference: str, *words: str) -> Result:
    return CliRunner().invoke(main, ["--home", str(home.path), "bot", "check", reference, *words])


def bot(*games: str) -> Bot:
    return Bot(BotId("mybot", "0" * 40), Manifest(name="mybot", run=["x"], games=list(games)), Path())


def test_variants_are_grouped_by_game_and_players() -> None:
    groups = groups_of(bot("*"))
    assert set(groups) == {
        f"{g.name}/{g.variant(id).players}p" for g in GAMES.values() for id in g.variants()
    }
    assert sum(map(len, groups.values())) == sum(len(list(game.variants())) for game in GAMES.values())
    assert list(groups_of(bot("claim/2p/*"))) == ["claim/2p"] and groups_of(bot("chess")) == {}


def test_every_variant_that_a_bot_says_it_plays_is_played(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[str] = []
    found = steps(home, monkeypatch, ["claim/2p/*", "aristoocrazy"], heard.append)
    assert all(step.ok for step in found.values())
    expected = groups_of(bot("claim/2p/*", "aristoocrazy"))
    assert heard == [id for ids in expected.values() for id in ids]
    for name, ids in expected.items():
        assert found[name].detail.startswith(f"{len(ids)} of {len(ids)} variants without a fault, ")


def test_the_same_fault_is_told_once_and_those_after_three_are_not_tried(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = steps(home, monkeypatch, ["claim/2p/*", "claim/3p/*"], lambda variant: WRONG)
    groups = groups_of(bot("claim/2p/*", "claim/3p/*"))
    first = groups["claim/2p"][0]
    failed = [name for name, step in found.items() if not step.ok]
    assert failed == [first, "claim/2p", "claim/3p"]
    assert "turn is no integer" in found[first].detail and REASONS["wrong_type"] in found[first].fix
    assert "arena repro " in found[first].fix and " --seat 0" in found[first].fix
    assert found["claim/2p"].detail.startswith("0 of 3 variants without a fault")
    assert f"; {len(groups['claim/3p']) - 3} more not tried" in found["claim/3p"].detail


def test_one_variant_that_fails_is_named_and_the_others_are_tried(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = groups_of(bot("claim/3p/*"))["claim/3p"][2]
    found = steps(home, monkeypatch, ["claim/3p/*"], lambda variant: WRONG if variant == bad else None)
    count = len(groups_of(bot("claim/3p/*"))["claim/3p"])
    assert [name for name, step in found.items() if not step.ok] == [bad, "claim/3p"]
    assert found["claim/3p"].detail.startswith(f"{count - 1} of {count} variants without a fault")


def test_what_there_was_no_time_for_is_said_as_a_warning(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    step = steps(home, monkeypatch, ["claim/3p/*"], sound, seconds=0.0)["claim/3p"]
    assert step.ok and "1 of 1 variants" in step.detail and "more not tried" in step.detail
    assert "--seconds" in step.fix


def test_games_that_are_not_known_are_warned_of_and_nothing_else_is_a_failure(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = steps(home, monkeypatch, ["claim/3p/GK-UWXTD", "chess/2p"], sound)
    assert found["games"].ok and "unknown here: chess/2p" in found["games"].detail and found["games"].fix
    found = steps(home, monkeypatch, ["chess"], sound)
    assert not found["games"].ok and "no variant here is one of chess" in found["games"].detail


def test_probes_are_made_where_a_game_went_well_and_only_there(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[str] = []

    def probe(trial: Trial, variant: str) -> None:
        """It is asked."""
        tried.append(variant)

    monkeypatch.setattr(checkup, "PROBES", {"probe": probe})
    ids = groups_of(bot("claim/3p/*"))["claim/3p"]
    found = steps(home, monkeypatch, ["claim/3p/*"], lambda variant: WRONG if variant == ids[0] else None)
    assert tried == [ids[1]] and found["probe"] == Step("probe", True, "It is asked.")
    assert "probe" not in steps(home, monkeypatch, ["claim/3p/*"], lambda variant: WRONG)
    assert all((real.__doc__ or "").strip() for real in PROBES.values())


def test_a_bot_that_does_not_start_again_for_a_probe_has_failed_it(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    def probe(trial: Trial, variant: str) -> None:
        raise CannotStart("bot 'mybot' does not start: exit 1", "try it alone", "E301")

    def other(trial: Trial, variant: str) -> None:
        """It is asked."""

    monkeypatch.setattr(checkup, "Trial", Here)
    monkeypatch.setattr(checkup, "PROBES", {"probe": probe, "other": other})
    done = check(home, made(["claim/3p/GK-UWXTD"]), "--json")
    told = {step["name"]: step for step in json.loads(done.stdout)["checks"]}
    assert done.exit_code == 1 and told["other"]["ok"] and not told["probe"]["ok"]
    assert "does not start: exit 1" in told["probe"]["detail"]
    assert "it has started before" in told["probe"]["fix"]


def test_a_bot_that_says_it_is_deterministic_is_tried(
    home: Home, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class Drifts(Here):
        """Plays by how many games it has seen."""

        games = 0

        def reply(self, ask: Ask) -> Reply:
            self.games += ask.message["type"] == "start"
            return LocalPlayer(lambda turn: str(turn["legal"][self.games % len(turn["legal"])])).reply(ask)

    for how, ok in ((Here, True), (Drifts, False)):
        monkeypatch.setattr(checkup, "Trial", how)
        path = Path(made(["claim/2p/GK-UWX"]), "bot.toml")
        path.write_text(path.read_text() + "deterministic = true\n")
        found = {step.name: step for step in check_up(home, "./mybot", Times())}
        assert found["deterministic"].ok is ok
    assert "was played differently after another game, first at action" in found["deterministic"].detail


def test_seconds_that_a_number_of_players_leaves_over_are_for_the_next(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0

    def takes_a_second(variant: str) -> None:
        nonlocal now
        now += 1

    monkeypatch.setattr(checkup, "monotonic", lambda: now)
    found = steps(home, monkeypatch, ["claim/2p/GK-UWX", "claim/3p/*"], takes_a_second, seconds=3.5)
    assert found["claim/2p"].detail.startswith("1 of 1 ") and found["claim/3p"].detail.startswith("3 of 3 ")


def test_the_exit_code_and_the_document_say_the_same(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkup, "Trial", Here)
    for wrong, code in ((sound, 0), (lambda variant: WRONG, 1)):
        monkeypatch.setattr(Here, "wrong", staticmethod(wrong))
        done = check(home, made(["claim/3p/*"]), "--json")
        told = json.loads(done.stdout)
        assert done.exit_code == code and told["ok"] is (code == 0)
        assert list(Draft202012Validator(schema("bot-check")).iter_errors(told)) == []
        assert (told["timing"] is None) is bool(code)
    text = check(home, made(["claim/3p/*"])).stdout
    assert "FAILED  claim/3p" in text and "        fix: " in text


def test_moves_that_are_made_for_a_bot_after_its_fault_are_not_its_own(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = steps(home, monkeypatch, ["claim/3p/*"], lambda variant: WRONG)
    assert "without a fault, 0 moves" in found["claim/3p"].detail and "timing" not in found


@pytest.mark.parametrize(
    ("build", "text", "name", "said"),
    [
        ("[]", 'langauge = "c"', "manifest", "did you mean 'language'?"),
        ("[]", "x = ", "manifest", "not TOML"),
        ('["false"]', "", "files and build", "'false' ended with 1"),
    ],
)
def test_a_bot_that_is_not_taken_in_fails_at_its_stage(
    home: Home, build: str, text: str, name: str, said: str
) -> None:
    manifest = Path(made(["claim"], build)) / "bot.toml"
    manifest.write_text(f"{manifest.read_text()}{text}\n")
    done = check(home, "./mybot")
    *_, failure = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ok"))]
    assert done.exit_code == 1 and failure.startswith(f"FAILED  {name}: ") and said in done.stdout
    assert "1 check failed" in done.stderr


def test_a_link_is_no_part_of_a_bot(home: Home) -> None:
    (Path(made(["claim"])) / "data").symlink_to("/etc")
    done = check(home, "./mybot")
    assert "ok      manifest: mybot" in done.stdout and "FAILED  files and build: " in done.stdout


def test_lines_of_a_build_are_in_the_document_and_told_nowhere_else(home: Home) -> None:
    done = check(home, made(["claim"], '["sh", "-c", "echo no compiler; exit 1"]'), "--json")
    (failed,) = [step for step in json.loads(done.stdout)["checks"] if not step["ok"]]
    assert failed["detail"].endswith("ended with 1\n  | no compiler") and "| no" not in done.stderr


def test_a_path_that_is_not_there_is_a_wrong_command(home: Home) -> None:
    done = check(home, "./nope", "--json")
    assert done.exit_code == 2 and done.stdout == "" and "no file or folder nope" in done.stderr


def test_a_name_that_nobody_has_is_told(home: Home) -> None:
    done = check(home, "gredy")
    assert done.exit_code == 1 and "FAILED  name: no bot 'gredy'" in done.stdout
    assert "did you mean 'greedy'?" in done.stdout


# what is advised


@pytest.mark.parametrize(
    ("answer", "said", "fix"),
    [
        ("K99", "played 'K99'; legal were", "one of `legal`"),
        (WRONG, "turn is no integer", REASONS["wrong_type"]),
        (Misstep(FaultKind.TIMEOUT), "timeout", "answer sooner"),
        (Misstep(FaultKind.CRASH, "exit 1", "one\ntwo\nthree"), "three", "its last lines"),
    ],
)
def test_a_fault_is_told_with_its_evidence_and_a_cure(answer: str | Misstep, said: str, fix: str) -> None:
    job = job_for("claim", bot_ids(2), (planned(),))
    done = played(job, planned(), seat1=lambda message: answer if message["type"] == "turn" else "")
    complaint = advice(done, 1)
    assert complaint and said in complaint[0] and "in its turn 1" in complaint[0] and fix in complaint[1]
    assert advice(done, 0) is None
    short = advice(done, 1, lines=1)
    assert short and "| two" not in short[0] and len(short[0].splitlines()) <= 2


def test_every_reason_of_the_protocol_has_its_cure() -> None:
    reasons = {json.loads(line)["reason"] for line in VECTORS.read_text("utf-8").splitlines()}
    assert len(reasons) > 10 and reasons - {None} | {"flood"} == set(REASONS)


def test_times_are_none_before_a_second_move() -> None:
    assert Times(5.0, [1.0]).report() is None
    report = Times(5.0, [1.0, 2.0, 3.0], cpu_seconds=0.006).report()
    assert report and (report.startup_ms, report.moves, report.median_ms) == (5.0, 3, 2.0)
    assert (report.worst_ms, report.cpu_ms) == (3.0, 2.0)
    told = {"schema": "kingmaker/bot-check/1", **asdict(CheckUp(True, [Step("x", True, "")], report))}
    assert Draft202012Validator(schema("bot-check")).is_valid(told)
