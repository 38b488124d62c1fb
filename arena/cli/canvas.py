"""Where a game is shown to a person: its text in colours, where colours are wanted (see `arena.cli.output.colour`)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

from protocol.escape import terminal, visible

if TYPE_CHECKING:
    from referee.game import Game


class Canvas:
    """Writes data to stdout; what is coloured, and how, is the game's to say (`Game.inks`)."""

    def __init__(self, game: Game) -> None:
        inks = game.inks()
        self._pattern = re.compile("|".join(f"({pattern})" for pattern in inks) or "(?!)")
        self._styles = [style(ink) for ink in inks.values()]

    def show(self, text: str) -> None:
        """A text of any number of lines."""
        click.echo(self._painted(terminal(text)))

    def say(self, *lines: str) -> None:
        """Texts of which each is one line, whatever is in it."""
        for line in lines:
            click.echo(self._painted(visible(line)))

    def title(self, line: str) -> None:
        """The line with which something new begins."""
        click.echo("\n" + click.style(visible(line), bold=True))

    def _painted(self, text: str) -> str:
        return self._pattern.sub(
            lambda found: click.style(found[0], **self._styles[(found.lastindex or 1) - 1]), text
        )


def style(ink: str) -> dict[str, Any]:
    """What `click.style` is asked for.

    >>> style("strong green"), style("bright blue"), style("strong")
    ({'bold': True, 'fg': 'green'}, {'fg': 'bright_blue'}, {'bold': True})
    """
    words = ink.split()
    colour = "_".join(word for word in words if word != "strong")
    return ({"bold": True} if "strong" in words else {}) | ({"fg": colour} if colour else {})
