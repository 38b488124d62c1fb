"""`arena serve`: tournaments in the browser, while they run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from arena.cli.completing import tournaments
from arena.cli.output import note, say
from arena.errors import ArenaError, CannotStart

if TYPE_CHECKING:
    from arena.home import Home


@click.command(short_help="Tournaments in the browser, while they run.")
@click.argument("tournament", nargs=-1, shell_complete=tournaments)
@click.option(
    "--bind",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    help="0.0.0.0: for all who reach this machine.",
)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0: any that is free."
)
@click.option("--name", "names", multiple=True, metavar="HOST", help="A host name that leads here, too.")
@click.option("--public", is_flag=True, help="No token: whoever reaches it may look.")
@click.option("--logs", is_flag=True, help="Replays with what bots printed in them.")
@click.pass_obj
def serve(
    home: Home, tournament: tuple[str, ...], bind: str, port: int, names: tuple[str, ...], public: bool,
    logs: bool,
) -> None:  # fmt: skip
    """Leaderboards, replays, and games as they are played, for a browser.

    \b
    arena serve                        all tournaments of the home folder
    arena serve cup                    one; its address is printed
    arena serve --port 0               at any port that is free
    arena serve --bind 0.0.0.0         for other machines, who must know the token
    arena serve --public --name cup.example.org    behind a proxy, for everybody

    Nothing can be changed from there. What is shown is what everybody may know: games of deals that are
    over, and of those under way what all seats have seen, some time ago. Ctrl-C ends it.
    """
    _check_installed()
    from functools import partial
    from secrets import token_urlsafe

    from arena.serving import application, server
    from arena.serving.guard import Guard

    chosen = application.chosen(home, tournament)
    token = "" if public else token_urlsafe(24)
    app, closing = application.application(
        home, chosen, partial(Guard, token=token, names=[*names, bind]), _failed, logs=logs
    )
    sock = server.listening(bind, port)
    for line in server.warnings(sock, public=public):
        note(line)
    page = f"{chosen[0]}/" if len(chosen) == 1 else ""
    say(f"{server.address(sock)}/{page}" + (f"?token={token}" if token else ""))
    note("Ctrl-C ends it; tournaments that run go on")
    server.Server(app, sock, closing).answer()


def _failed(error: ArenaError) -> None:
    note(f"{error}\n  fix: {error.fix}")


def _check_installed() -> None:
    try:
        import starlette
        import uvicorn

        del starlette, uvicorn
    except ModuleNotFoundError as error:
        text = f"arena serve needs {error.name}, which is not installed"
        raise CannotStart(text, "pip install 'kingmaker[web]'", "E320") from None
