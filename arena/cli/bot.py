"""`arena bot`: the bots that are known by name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.cli import output
from arena.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from arena.home import Home
    from arena.ledger import Ledger


@click.group()
def bot() -> None:
    """Bots: taken in, listed, checked.

    \b
    arena bot check ./mybot        before anything else
    arena bot add ./mybot          known as `mybot` from now on
    arena bot list
    """


@contextmanager
def _ledger(home: Home) -> Iterator[Ledger]:
    from arena.ledger import Ledger

    home.folder()
    with closing(Ledger(home.ledger)) as ledger:
        yield ledger


@bot.command()
@click.argument("path", type=click.Path(path_type=Path))
@click.pass_context
def add(ctx: click.Context, path: Path) -> None:
    """Take in the bot at PATH (a folder with a bot.toml, or a script), so that its name means it."""
    from arena.bundles import take_in

    with _ledger(ctx.obj) as ledger:
        before = [known.id for known in ledger.bots()]
        taken = take_in(ctx.obj, ledger, path, listed=True)
    older = [id for id in before if id.name == taken.id.name and id != taken.id]
    news = "was there already" if taken.id in before else "added"
    output.note(f"{news}: {taken.id}" + (f"; its name meant {older[0]} until now" if older else ""))
    output.note(f"next: arena bot check {taken.id.name}")


@bot.command("list")
@click.option("--json", "as_json", is_flag=True)
@click.pass_context
def list_(ctx: click.Context, as_json: bool) -> None:
    """The bots that a name means, added ones and the house's."""
    rows = _rows(ctx.obj)
    if as_json:
        output.document("bots", {"bots": rows})
        return
    table = [[r["name"], r["digest"][:12], r["version"], r["language"], _plays(r), r["from"]] for r in rows]
    output.show(output.columns(["name", "digest", "version", "language", "plays", "from"], table))


@bot.command()
@click.argument("name")
@click.option("--json", "as_json", is_flag=True)
@click.pass_context
def show(ctx: click.Context, name: str, as_json: bool) -> None:
    """What the bot called NAME says of itself, and where it is kept."""
    from arena.bundles import resolve

    with _ledger(ctx.obj) as ledger:
        found = resolve(ctx.obj, ledger, name)
        versions = ledger.bots(found.id.name, listed=False)
    manifest = found.manifest.model_dump()
    facts = {
        "name": found.id.name, "digest": found.id.digest, "folder": str(found.folder), "manifest": manifest,
        "versions": [{"digest": known.id.digest, "added": known.added} for known in versions],
    }  # fmt: skip
    if as_json:
        output.document("bot", facts)
        return
    output.show(f"{found.id}\nkept in   {found.folder}")
    for key, value in manifest.items():
        if value and key != "name":
            output.show(f"{key:9} {' '.join(map(str, value)) if isinstance(value, list) else value}")
    for known in versions:
        output.show(f"{'added':9} {known.added[:19]}  {known.id}")


@bot.command()
@click.argument("reference", metavar="PATH|NAME")
@click.option("--json", "as_json", is_flag=True)
@click.pass_context
def check(ctx: click.Context, reference: str, as_json: bool) -> None:
    """Everything that a bot must do before a tournament: each check, and its fix where it fails.

    It is taken in, built and started, and plays a game of each number of players against `random`. Exit
    code 1 where anything fails.
    """
    from dataclasses import asdict

    from arena.checkup import check_up
    from arena.config import is_path

    if not is_path(reference) and Path(reference).is_dir() and reference not in _names(ctx.obj):
        reference = f"./{reference}"
    steps = []
    for step in check_up(ctx.obj, reference):
        steps.append(step)
        if not as_json:
            output.show(f"{'ok    ' if step.ok else 'FAILED'}  {step.name}: {step.detail}")
            if step.fix:
                output.show(f"        fix: {step.fix}")
    failed = sum(not step.ok for step in steps)
    if as_json:
        output.document("bot-check", {"ok": not failed, "checks": [asdict(step) for step in steps]})
    output.note(f"{output.count(failed, 'check')} failed" if failed else "all checks passed")
    ctx.exit(1 if failed else 0)


@bot.command()
@click.argument("name")
@click.pass_context
def remove(ctx: click.Context, name: str) -> None:
    """Let the name NAME go. Its files and all games that it played stay."""
    from arena.bundles import house_bots

    with _ledger(ctx.obj) as ledger:
        gone = ledger.unlist_bot(name)
        names = {known.id.name for known in ledger.bots()}
    house = house_bots()
    if not gone and name in house:
        raise InputError(f"{name!r} comes with the arena", "it cannot be removed; it need not play", "E218")
    if not gone:
        raise InputError(
            f"no bot {name!r} was added", did_you_mean(name, names) or "see: arena bot list", "E210"
        )
    output.note(
        f"removed: {name} ({output.count(gone, 'version')}); games that it played stay, and its files"
    )
    if name in house:
        output.note(f"the name means the house's {name!r} again")


def _names(home: Home) -> set[str]:
    return {row["name"] for row in _rows(home)}


def _rows(home: Home) -> list[dict[str, Any]]:
    """A row for each bot that a name means; of several versions of a name, the one that it means."""
    from arena.bundles import house_bots, read_manifest
    from protocol.manifest import Manifest

    with _ledger(home) as ledger:
        known = ledger.bots()
    newest = {one.id.name: one for one in reversed(known)}
    rows = [_row(Manifest.model_validate(one.manifest), id.digest, "added " + one.added[:10]) for id, one in
            sorted((one.id, one) for one in newest.values())]  # fmt: skip
    house = {name: read_manifest(path) for name, path in house_bots().items()}
    return rows + [_row(house[name], "", "house") for name in sorted(house) if name not in newest]


def _row(manifest: Any, digest: str, origin: str) -> dict[str, Any]:
    return {
        "name": manifest.name, "digest": digest, "version": manifest.version, "language": manifest.language,
        "games": manifest.games, "from": origin,
    }  # fmt: skip


def _plays(row: dict[str, Any]) -> str:
    return (
        ", ".join(row["games"]).replace("*", "everything")
        if row["games"] == ["*"]
        else ", ".join(row["games"])
    )
