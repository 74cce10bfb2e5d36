"""How a figure is written: shares, intervals, p values, ranks. Undefined is "-", never zero."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sim.analysis.bootstrap import Interval

UNDEFINED = "-"
WITHHELD = "few"
"""In place of a p value that rests on too few scenarios."""


def share(value: float | None) -> str:
    """A share with three decimals."""
    return UNDEFINED if value is None else f"{value:.3f}"


def signed(value: float | None) -> str:
    """A difference of shares, with its sign; a true zero has none."""
    if value is None:
        return UNDEFINED
    shown = f"{value:+.3f}"
    return "0.000" if shown in ("+0.000", "-0.000") else shown


def span(found: "Interval | None") -> str:
    """An interval."""
    return UNDEFINED if found is None else f"[{found.low:.3f}, {found.high:.3f}]"


def signed_span(found: "Interval | None") -> str:
    """An interval of a difference."""
    return UNDEFINED if found is None else f"[{signed(found.low)}, {signed(found.high)}]"


def chance(p: float | None, *, withheld: bool = False) -> str:
    """A p value; the smallest a bootstrap can give is printed as it is. One of too few scenarios is not told."""
    if p is None:
        return UNDEFINED
    return WITHHELD if withheld else f"{p:.4f}"


def bounds(found: tuple[float, float] | None) -> str:
    """Least and most a score can be."""
    return UNDEFINED if found is None else f"{found[0]:.3f}-{found[1]:.3f}"


def money(value: float | None) -> str:
    """US dollars."""
    return "unknown" if value is None else f"{value:.4f}"
