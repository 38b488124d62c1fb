"""Pictures for papers, as SVG, PDF and PNG. The one home of matplotlib, which is imported when something is drawn.

A picture is panels, one below the other, or side by side where it is wide; `panels` makes them. Where there is too
little to draw a panel says so in words, and where all do there is no picture. Equal data give equal bytes: no date,
no random id and no setting of the user's gets in. Mathematical markup is off, so names are drawn as they stand.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from itertools import pairwise, zip_longest
from typing import TYPE_CHECKING, Any

from leaderboards.choices import PictureFormat
from protocol.escape import visible

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.cm import ScalarMappable
    from matplotlib.collections import QuadMesh

COLUMN = 8.6
"""Centimetres: the width of a column of most papers that have two."""
SMALL = 7.5
"""Points, of names and numbers; everything else has 8."""
INK, MUTED, LINE, PAPER = "#1b1b1b", "#5f5f5f", "#d4d4d4", "#efefef"
SERIES = ("#0072b2", "#d55e00", "#1b1b1b", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#7a5195")
"""Okabe & Ito 2008 without its yellow, and a violet: whoever sees fewer colours tells them apart."""
_MARGINS = ("#b35806", "#f1a340", "#fee0b6", "#ffffff", "#d8daeb", "#998ec3", "#542788")
"""ColorBrewer's PuOr, from losses to wins."""
_INCH = 2.54
_PIXELS = 2**16
"""As many in a line matplotlib does not draw."""

_STYLE: dict[str, Any] = {
    "font.family": ["sans-serif"],
    # The first comes with matplotlib; where a page lacks it, what replaces it is no wider.
    "font.sans-serif": ["DejaVu Sans", "Verdana", "Arial"],
    "font.size": 8, "axes.titlesize": 8, "axes.labelsize": 8, "xtick.labelsize": SMALL, "ytick.labelsize": SMALL,
    "axes.titleweight": "bold", "axes.titlelocation": "left", "axes.titlepad": 6, "axes.labelcolor": MUTED,
    "text.color": INK, "axes.edgecolor": MUTED, "xtick.color": MUTED, "ytick.color": MUTED,
    "xtick.labelcolor": INK, "ytick.labelcolor": INK, "axes.linewidth": 0.6,
    "axes.spines.top": False, "axes.spines.right": False, "lines.linewidth": 1.3, "lines.solid_capstyle": "round",
    "xtick.major.width": 0.6, "ytick.major.width": 0.6, "xtick.major.size": 2.5, "ytick.major.size": 2.5,
    "xtick.minor.size": 0, "ytick.minor.size": 0, "grid.color": LINE, "grid.linewidth": 0.5, "axes.axisbelow": True,
    "text.parse_math": False, "text.usetex": False,
    "pdf.fonttype": 42, "svg.fonttype": "none", "svg.hashsalt": "kingmaker",  # letters stay letters
}  # fmt: skip


class TooLittle(ValueError):
    """There is nothing to draw yet; the message says of each panel what is missing."""


class TooLarge(ValueError):
    """More pixels than can be drawn."""


@dataclass(frozen=True, slots=True)
class Panel:
    """A drawing with axes of its own, not drawn yet."""

    title: str
    """Empty where it is of everything."""
    height: float
    """Centimetres, with all that is around it."""
    paint: Callable[[Axes], None]
    lacks: str = ""
    """What is missing, in words that stand in its place."""


def render(
    panels: Sequence[Panel], form: PictureFormat, *, width: float = COLUMN, dpi: int = 300, about: str = ""
) -> bytes:
    """The picture, `width` centimetres wide; `about` stands in the file's properties.

    Raises TooLittle, TooLarge; ImportError: matplotlib is not installed.
    """
    if all(panel.lacks for panel in panels):
        lacks = [": ".join(filter(None, (panel.title, panel.lacks))) for panel in panels]
        raise TooLittle("; ".join(lacks) or "no game is rated yet")
    from matplotlib import style
    from matplotlib.figure import Figure

    across = side_by_side(len(panels), width)
    heights = [max(one.height for one in panels[n : n + across]) for n in range(0, len(panels), across)]
    if form == "png" and (side := dpi * max(width, sum(heights)) / _INCH) >= _PIXELS:
        raise TooLarge(
            f"the picture would have a side of {side:,.0f} pixels, and must stay below {_PIXELS:,}"
        )
    out = BytesIO()
    with style.context(["default", _STYLE]), _boxes_for_unknown_letters():
        figure = Figure((width / _INCH, sum(heights) / _INCH), layout="constrained")
        grid = figure.subplots(len(heights), across, squeeze=False, height_ratios=heights)
        for axes, panel in zip_longest(grid.flat, panels):
            _paint(axes, panel)
        for upper, lower in pairwise(grid):
            _said_once(upper, lower)
        figure.savefig(out, format=form, dpi=dpi, metadata=_properties(form, visible(about)))
    return out.getvalue()


def side_by_side(panels: int, width: float) -> int:
    """How many panels stand beside each other in a picture of `width` centimetres."""
    return max(1, min(panels, round(width / COLUMN)))


def _paint(axes: Axes, panel: Panel | None) -> None:
    if panel is None or panel.lacks:
        axes.set_axis_off()
    if panel is None:
        return
    axes.set_title(visible(panel.title))
    if panel.lacks:
        axes.text(0, 0.9, visible(panel.lacks), transform=axes.transAxes, va="top", wrap=True, color=MUTED)
    else:
        panel.paint(axes)


def _said_once(upper: Iterable[Axes], lower: Iterable[Axes]) -> None:
    """What an axis means stands below the last of those that are one below the other."""
    for above, below in zip(upper, lower, strict=True):
        if above.get_xlabel() == below.get_xlabel():
            above.set_xlabel("")


@contextmanager
def _boxes_for_unknown_letters() -> Iterator[None]:
    """Where the font lacks a letter there is a box, and nobody is warned of it."""
    import warnings

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", r"Glyph .* missing from", UserWarning)
        yield


def _properties(form: PictureFormat, about: str) -> dict[str, str | None]:
    """What stands in the file beside the picture: no date, and no version of what drew it."""
    match form:
        case "svg":
            return {"Date": None, "Creator": None, "Title": about}
        case "pdf":
            return {"CreationDate": None, "Creator": None, "Producer": None, "Title": about}
        case "png":
            return {"Software": None, "Title": about}


def rows(axes: Axes, names: Sequence[str]) -> None:
    """A row for each name, the first at the top."""
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0)


def beside(axes: Axes, row: float, text: str) -> None:
    """A word to the right of a row."""
    axes.text(1.03, row, text, transform=axes.get_yaxis_transform(), va="center", fontsize=SMALL)


def name_ends(axes: Axes, ends: Sequence[tuple[str, float, str]], gap: float) -> None:
    """The name of each line at its height and in its colour, the highest first, `gap` of the axes apart or more."""
    low, high = axes.get_ylim()
    places = [(y - low) / (high - low) for _, y, _ in ends]
    moved = spread(places[::-1], gap)[::-1]
    for (name, _, colour), place, at in zip(ends, places, moved, strict=True):
        axes.plot(
            (1, 1.03, 1.05), (place, at, at), transform=axes.transAxes, clip_on=False, lw=0.7, color=colour
        )
        axes.text(1.065, at, name, transform=axes.transAxes, va="center", fontsize=SMALL)


def spread(places: Sequence[float], gap: float) -> list[float]:
    """The places, ascending, moved as little as makes neighbours `gap` apart (least squares, by pooling neighbours).

    They stay between 0 and 1 as far as there is room; where there is none they go beyond 1.

    >>> [round(place, 3) for place in spread([0.0, 0.5, 0.52, 0.9], 0.1)]
    [0.0, 0.46, 0.56, 0.9]
    >>> [round(place, 3) for place in spread([0.98, 0.99, 1.0], 0.1)]
    [0.8, 0.9, 1.0]
    """
    pools: list[list[float]] = []
    for number, place in enumerate(places):
        pools.append([place - number * gap])
        while len(pools) > 1 and _mean(pools[-2]) >= _mean(pools[-1]):
            last = pools.pop()
            pools[-1] += last
    room = 1 - (len(places) - 1) * gap
    levels = [max(0.0, min(room, _mean(pool))) for pool in pools for _ in pool]
    return [level + number * gap for number, level in enumerate(levels)]


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def logarithmic(axes: Axes, said: Callable[[float], str]) -> None:
    """Powers of ten from left to right, in words; 1, 2 and 5 of each where there are few of them."""
    from matplotlib.ticker import LogLocator

    axes.set_xscale("log")
    low, high = axes.get_xlim()
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if high < 20 * low else (1,)))
    axes.xaxis.set_major_formatter(lambda value, _: said(value))
    axes.xaxis.set_minor_formatter("")
    axes.grid(axis="x")


def heat(axes: Axes, shares: Sequence[Sequence[float]], edge: float) -> QuadMesh:
    """Squares coloured by shares from 0 to 1, the first row at the top; nan stays grey. `edge` is in points."""
    import numpy as np
    from matplotlib.colors import LinearSegmentedColormap

    colours = LinearSegmentedColormap.from_list("margins", _MARGINS).with_extremes(bad=PAPER)
    mesh = axes.pcolormesh(
        np.ma.masked_invalid(shares), cmap=colours, vmin=0, vmax=1, linewidth=edge,
        edgecolors="white" if edge else "none",
    )  # fmt: skip
    axes.set_aspect("equal")
    axes.invert_yaxis()
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.tick_params(length=0)
    return mesh


def scale(axes: Axes, mesh: ScalarMappable, says: str) -> None:
    """What the colours of a heat map mean, below it."""
    bar = axes.figure.colorbar(
        mesh,
        ax=axes,
        orientation="horizontal",
        aspect=40,
        shrink=0.8,
        pad=0.02,
        ticks=(0, 0.25, 0.5, 0.75, 1),
    )
    bar.ax.set_xticklabels(["0", "25", "50", "75", "100%"])
    bar.ax.spines["outline"].set_visible(False)
    bar.set_label(says)
