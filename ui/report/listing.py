"""How a table is written out before any face draws it: names and figures as text, and how figures are said.

How a table is drawn, and whether at all, is the face's business.
"""

from dataclasses import dataclass, replace

from sim.analysis.bootstrap import Difference, Effect
from sim.analysis.concordance import Concordance
from ui.report.numbers import UNDEFINED, chance, share, signed, signed_span, span

DIFFERENCE = ("difference", "interval", "p", "p Holm", "scenarios")


AGREED = ("Kendall's W", "interval", "χ²", "df", "p", "raters", "levels")


@dataclass(frozen=True, slots=True)
class Line:
    """One row."""

    name: str
    figures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Listed:
    """One table."""

    title: str
    of: str
    """What the names are of."""
    head: tuple[str, ...]
    """What the figures are."""
    lines: tuple[Line, ...]

    def first(self, most: int) -> "Listed":
        """The first lines alone, and so said in the title."""
        if len(self.lines) <= most:
            return self
        title = f"{self.title}, {most} of {len(self.lines)} shown"
        return replace(self, title=title, lines=self.lines[:most])


def effect(found: Effect) -> tuple[str, ...]:
    """Difference, interval, p and scenarios of an effect."""
    return signed(found.value), signed_span(found.interval), p_of(found), str(found.units)


def difference(pair: Difference, name: str) -> Line:
    """The same of a difference."""
    return row_of(pair.effect, pair.p_holm, name)


def row_of(found: Effect, p_holm: float | None, name: str) -> Line:
    """A row of `DIFFERENCE`."""
    figures = (
        signed(found.value), signed_span(found.interval), p_of(found),
        chance(p_holm, withheld=found.withheld), str(found.units),
    )  # fmt: skip
    return Line(name, figures)


def p_of(found: Effect) -> str:
    """A p value as it is told."""
    return chance(found.p, withheld=found.withheld)


def concordance(found: Concordance) -> tuple[str, ...]:
    """A row of `AGREED`."""
    statistic = UNDEFINED if found.statistic is None else f"{found.statistic:.2f}"
    p = chance(found.p, withheld=found.withheld)
    return (
        share(found.w), span(found.interval), statistic, str(found.df), p, str(found.systems), str(found.levels),
    )  # fmt: skip
