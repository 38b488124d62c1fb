"""Pages as HTML: the templates, and what every text goes through before it is in one (the one home of Jinja2)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from leaderboards.pages import (
    BoardPage,
    BotPage,
    ChartsPage,
    GamePage,
    GamesPage,
    Page,
    PairingPage,
    ReportPage,
    Site,
)
from leaderboards.site.contest import Short
from protocol.escape import visible

if TYPE_CHECKING:
    from jinja2 import Environment

_TEMPLATES = {
    BoardPage: "board.html", ChartsPage: "charts.html", BotPage: "bot.html", PairingPage: "pairing.html",
    GamesPage: "games.html", GamePage: "game.html", ReportPage: "report.html",
}  # fmt: skip


class Printer:
    """Prints pages; texts of it are escaped twice over: what nobody sees is made visible, and markup is none."""

    def __init__(self, short: Mapping[str, Short] | None = None) -> None:
        """`short`: names that are long, for where there is little room."""
        self._short = short or {}

    @cached_property
    def _environment(self) -> Environment:
        from jinja2 import Environment, PackageLoader, StrictUndefined

        def seen(value: Any) -> Any:
            if type(value) is not str or (value.isascii() and value.isprintable()):  # markup is another type
                return value
            return visible(value)

        made = Environment(
            loader=PackageLoader("leaderboards", "web/templates"), autoescape=True, undefined=StrictUndefined,
            finalize=seen, trim_blocks=False, auto_reload=False,
        )  # fmt: skip
        made.globals["short"] = self._short
        return made

    def page(self, site: Site, page: Page) -> bytes:
        """A page as HTML in UTF-8."""
        return self.render(_TEMPLATES[type(page)], site=site, page=page)

    def render(self, template: str, **values: Any) -> bytes:
        """Any template of the site."""
        return self._environment.get_template(template).render(**values).encode()


def trusted(style: str) -> str:
    """A text of our own that goes into a page as it is."""
    from markupsafe import Markup

    return Markup(style)
