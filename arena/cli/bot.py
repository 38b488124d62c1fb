"""`arena bot`: the bots that are known by name."""

from __future__ import annotations

import logging
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.cli import output
from arena.cli.conform import conform
from arena.cli.ending import terminable
from arena.cli.sandboxing import keeps_bots
from arena.cli.shell import shell
from arena.errors import InputError, did_you_mean
from protocol.escape import label, visible

if TYPE_CHECKING:
    from arena.bundles import BotInfo


@click.group()
@click.pass_context
def bot(ctx: click.Context) -> None:
    """Bots: taken in, listed, checked.

    \b
    arena bot new mybot --lang python    a folder to begin from
    arena bot check ./mybot              before anything else
    arena bot add ./mybot                known as `mybot` from now on
    arena bot list
    """
    ctx.with_resource(terminable())


@bot.command()
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--no-check", is_flag=True, help="Don't start it: only build and keep it.")
@keeps_bots
@click.pass_context
def add(ctx: click.Context, path: Path, no_check: bool) -> None:
    """Take in a bot, so that its name means it.

    PATH is a folder with a bot.toml, a manifest in such a folder, a .zip or .tar.* of such a folder, or a
    script. It is built, started, and plays a game of each size; only then it is kept. Changed files are a new
    version, with ratings of its own.

    \b
    arena bot add ./mybot
    arena bot add mybot.zip
    arena bot add mybot.pl
    """
    from arena.bundles import take_in
    from arena.checkup import strange_games, try_out
    from arena.manifests import house_bots, proposal
    from arena.reading import opened

    if (text := proposal(path)) is not None:
        output.note(f"{path} has no manifest; taken as if beside it were a bot.toml with")
        output.note("\n".join(f"  | {line}" for line in text.splitlines()))
    with opened(ctx.obj) as ledger:
        before = [known.id for known in ledger.bots()]
        trial = (lambda bot: None) if no_check else (lambda bot: try_out(ctx.obj, bot))
        taken = take_in(ctx.obj, ledger, path, listed=True, trial=trial)
    if strange := strange_games(taken):
        output.note(f"warning: games: {visible(strange.detail)} ({strange.fix})")
    older = [str(id) for id in before if id.name == taken.id.name and id != taken.id]
    if not older and taken.id not in before and taken.id.name in house_bots():
        older = [f"the house's {taken.id.name}"]
    news = "was there already" if taken.id in before else "added"
    output.note(f"{news}: {taken.id}" + (f"; its name meant {older[0]} until now" if older else ""))
    output.note(f"next: arena bot check {taken.id.name}")


@bot.command("list")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.pass_context
def list_(ctx: click.Context, as_json: bool) -> None:
    """List what names mean: added bots, the house's."""
    from arena.bundles import known_bots
    from arena.reading import opened

    with opened(ctx.obj) as ledger:
        bots = known_bots(ledger)
    if as_json:
        rows = [{**asdict(one), "manifest": one.manifest.model_dump()} for one in bots]
        output.document("bots", {"bots": rows})
        return
    head = ["name", "digest", "version", "language", "plays", "from"]
    output.show(output.columns(head, [_row(one) for one in bots]))


@bot.command()
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.pass_context
def show(ctx: click.Context, name: str, as_json: bool) -> None:
    """Show what a bot says of itself, and its versions."""
    from arena.bundles import BotDetail, BotVersion, resolve
    from arena.reading import opened

    with opened(ctx.obj) as ledger:
        found = resolve(ctx.obj, ledger, name)
        known = ledger.bots(found.id.name, listed=False)
    versions = [BotVersion(one.id.digest, one.added) for one in known]
    detail = BotDetail(found.id.name, found.id.digest, str(found.folder), found.manifest, versions)
    if as_json:
        output.document("bot", {**asdict(detail), "manifest": found.manifest.model_dump()})
        return
    output.show(f"{found.id}\nkept in   {found.folder}")
    for key, value in found.manifest.model_dump(exclude_none=True).items():
        if value and key != "name":
            output.say(f"{key:9} {_said(value)}")
    for one in versions:
        output.show(f"added     {one.added[:19]}  {one.digest[:12]}")


@bot.command()
@click.argument("reference", metavar="PATH|NAME")
@click.option(
    "--seconds",
    type=click.FloatRange(min=0),
    default=60.0,
    show_default=True,
    help="For games of all variants.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@keeps_bots
@click.pass_context
def check(ctx: click.Context, reference: str, seconds: float, as_json: bool) -> None:
    """Check all that a bot must do, with fixes.

    It is taken in, built and started; plays a game of every variant that it says it plays against house
    players that try any legal action; and is treated as a tournament may treat it. Exit code 1 where
    anything fails.
    """
    from arena.checkup import CheckUp, Times, check_up

    if as_json:  # it has what a failing build prints
        logging.getLogger("arena.building").setLevel(logging.WARNING)
    steps, times = [], Times()
    for step in check_up(ctx.obj, reference, times, seconds):
        steps.append(step)
        if not as_json:
            state = "FAILED" if not step.ok else "warning" if step.fix else "ok"
            output.show(f"{state:<7} {step.name}: {step.detail}")
            if step.fix:
                output.show(f"        fix: {step.fix}")
    failed = sum(not step.ok for step in steps)
    if as_json:
        output.document("bot-check", asdict(CheckUp(not failed, steps, times.report())))
    output.note(f"{output.count(failed, 'check')} failed" if failed else "all checks passed")
    ctx.exit(1 if failed else 0)


@bot.command()
@click.argument("old")
@click.argument("new")
@click.pass_context
def rename(ctx: click.Context, old: str, new: str) -> None:
    """Call an added bot otherwise, with all its versions.

    Tournaments that have begun keep the name under which it played.
    """
    from arena.bundles import rename as renamed
    from arena.reading import opened

    with opened(ctx.obj) as ledger:
        versions = renamed(ledger, old, new)
    output.note(f"{old} is called {new} now ({output.count(versions, 'version')})")


@bot.command()
@click.argument("name", metavar="NAME[@DIGEST]")
@click.option(
    "-o",
    "--output",
    "file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="NAME-DIGEST.tar.gz, where left out.",
)
@click.pass_context
def export(ctx: click.Context, name: str, file: Path | None) -> None:
    """Write a bot's files, as they were handed in, into a .tar.gz."""
    from arena.bundles import resolve
    from arena.reading import opened
    from arena.shipping import export as exported

    with opened(ctx.obj) as ledger:
        found = resolve(ctx.obj, ledger, name)
    target = file or Path(f"{found.id.name}-{found.id.digest[:12]}.tar.gz")
    exported(found, target)
    output.note(f"written: {target}; take it in again with: arena bot add {target}")


@bot.command()
@click.argument("name")
@click.option(
    "--lang",
    "language",
    required=True,
    metavar="LANGUAGE",
    help="As in: --lang rust; arena bot new --help lists them.",
)
@click.option(
    "--into",
    type=click.Path(file_okay=False, path_type=Path),
    default=".",
    help="Where its folder is made; here, where left out.",
)
def new(name: str, language: str, into: Path) -> None:
    """Write a new bot's folder from the kit of a language. It plays at once.

    \b
    arena bot new mybot --lang python
    arena bot new mybot --lang rust

    Languages: bash, c, cpp, csharp, go, java, javascript, lua, perl, python, ruby, rust, typescript.
    """
    from arena.kits import language_of, new_bot, page
    from arena.toolchains import missing

    folder = into / name
    manifest = new_bot(folder, name, language)
    output.note(f"written: {folder}/: {', '.join(sorted(path.name for path in folder.iterdir()))}")
    if absent := missing(language_of(language)):
        output.note(f"missing here: {', '.join(absent)}; it needs: {manifest.needs}")
    output.note(f"how to go on: {page(language)}")
    shown = folder if into != Path() else f"./{folder}"
    output.note(
        f"next: arena bot check {shown}\n      arena play {shown} greedy\n      arena bot add {shown}"
    )


@bot.command()
@click.argument("name")
@click.pass_context
def remove(ctx: click.Context, name: str) -> None:
    """Let a name go; games stay, and files until `arena bot prune`."""
    from arena.manifests import house_bots
    from arena.reading import opened

    with opened(ctx.obj) as ledger:
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
        f"removed: {name} ({output.count(gone, 'version')}); games that it played stay, and its files until "
        "arena bot prune"
    )
    if name in house:
        output.note(f"the name means the house's {name!r} again")


@bot.command()
@click.option("--dry-run", is_flag=True, help="Only say what would go.")
@click.pass_context
def prune(ctx: click.Context, dry_run: bool) -> None:
    """Free the room of versions that nothing needs.

    Those that no name means (removed, or only checked or played by path) and that are in no tournament,
    in any ledger that has used bots of this home. Records of their games stay. Not while a tournament of
    the home is run.
    """
    from arena.bundles import prune as pruned
    from arena.reading import opened

    with opened(ctx.obj) as ledger:
        found = pruned(ctx.obj, ledger, dry_run)
    for version in found.versions:
        output.show(str(version))
    gone = f"{output.count(len(found.versions), 'version')}, {found.bytes / (1 << 20):,.1f} MiB"
    output.note(f"{'would be removed' if dry_run else 'removed'}: {gone}")


for command in (conform, shell):
    bot.add_command(command)


def _said(value: bool | str | list[str] | dict[str, Any]) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    words = [f"{key}={one}" for key, one in value.items()] if isinstance(value, dict) else value
    return words if isinstance(words, str) else " ".join(words)


def _row(bot: BotInfo) -> list[str]:
    from arena.manifests import known_games

    said = bot.manifest
    plays = "everything" if said.games == ["*"] else ", ".join(known_games(said)) or "nothing here"
    origin = f"added {bot.added[:10]}" if bot.added else "house"
    return [bot.name, (bot.digest or "")[:12], *map(label, (said.version, said.language, plays)), origin]
