"""What the figures share: the frame of a chart, its axis of shares, dots, whiskers and labels.

Positions are in SVG user units, a figure 760 wide. Colours are classes: the style sheet has them for light,
dark and paper.
"""

import math
from collections.abc import Iterable, Mapping

from sim.analysis.bootstrap import Interval
from ui.report.markup import Markup, joined, tag, text
from ui.report.numbers import share, span

WIDTH = 760
LEFT = 300
"""Where the plot begins; names stand left of it."""
RIGHT = 610
"""Where it ends; values stand right of it."""
EDGE = 710
"""Where a chart ends that has nothing right of it."""
ROW = 26
HUES = 8
"""Classes `c0` to `c7`."""
_NAME = 43
"""Characters of a name that fit."""


def hue(place: int) -> str:
    """The colour class of the nth thing."""
    return f"c{place % HUES}"


def figure(height: float, title: str, parts: Iterable[Markup]) -> Markup:
    """An SVG image with a title for those who cannot see it."""
    return tag(
        "svg",
        tag("title", text(title)),
        *parts,
        viewBox=f"0 0 {WIDTH} {height:.6g}",
        role="img",
        xmlns="http://www.w3.org/2000/svg",
    )


def x_of(value: float) -> float:
    """Where a share stands."""
    return LEFT + (RIGHT - LEFT) * value


def axis(height: float) -> Markup:
    """Grid lines of shares from 0 to 1, with their numbers below."""
    marks = []
    for fifth in range(6):
        x = x_of(fifth / 5)
        marks.append(tag("line", class_="grid", x1=x, x2=x, y1=4, y2=height - 20))
        marks.append(label(x, height - 5, f"{fifth / 5:.1f}", "middle", "tick"))
    return joined(marks)


def label(x: float, y: float, words: str, anchor: str = "start", kind: str | None = None) -> Markup:
    """A short piece of text."""
    return tag("text", text(words), x=x, y=y, text_anchor=anchor, class_=kind)


def name(y: float, words: str) -> Markup:
    """The name of a row, left of the plot; the whole of a long one on pointing at it.

    A long name loses its middle: systems of one model differ at the end.
    """
    half = _NAME // 2
    short = words if len(words) <= _NAME else f"{words[: half - 1]}…{words[-half:]}"
    return tag("text", text(short), tag("title", text(words)), x=LEFT - 12, y=y + 4, text_anchor="end")


def dot(y: float, value: float, found: Interval | None, kind: str, words: str) -> Markup:
    """A score with its interval, and the words for it on pointing."""
    parts = [tag("title", text(words))]
    if found is not None:
        low, high = x_of(found.low), x_of(found.high)
        parts.append(tag("line", class_="whisker", x1=low, x2=high, y1=y, y2=y))
        parts += [tag("line", class_="whisker", x1=x, x2=x, y1=y - 4, y2=y + 4) for x in (low, high)]
    parts.append(tag("circle", cx=x_of(value), cy=y, r=4))
    return tag("g", *parts, class_=kind)


def value(y: float, score: float | None, found: Interval | None = None) -> Markup:
    """The number at the end of a row, with its interval."""
    words = share(score) if found is None else f"{share(score)} {span(found)}"
    return label(RIGHT + 14, y + 4, words, kind="value")


def steps(most: float, wanted: int = 5) -> list[float]:
    """Round numbers from 0 up to the first that is not under `most`, about `wanted` steps apart."""
    raw = most / wanted
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(power * round_ for round_ in (1, 2, 2.5, 5, 10) if power * round_ >= raw * (1 - 1e-9))
    return [step * n for n in range(math.ceil(most / step * (1 - 1e-9)) + 1)]


def legend(names: Mapping[str, int]) -> Markup:
    """Which colour is which, as a list under the figure; a colour is the place it was given."""
    items = (
        tag("li", tag("span", class_=f"swatch {hue(place)}"), tag("bdi", text(words)))
        for words, place in names.items()
    )
    return tag("ul", *items, class_="legend")
