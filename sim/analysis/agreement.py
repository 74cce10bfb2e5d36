"""How far judges, annotators or orders agree: raw, Cohen's and Fleiss' kappa, Spearman, Kendall.

Missing labels (None) leave an item out and are never a label. Undefined is None: a kappa where chance
agrees fully (all labels equal), a correlation of a constant. No warning, no NaN.
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Agreement:
    """Of two raters over the items both labelled."""

    items: int
    raw: float | None
    """Share of items with equal labels; None without items."""
    kappa: float | None
    """Cohen's; None where undefined."""


@dataclass(frozen=True, slots=True)
class FleissAgreement:
    """Of any number of raters over the items all of them labelled."""

    items: int
    raters: int
    raw: float | None
    """Share of agreeing pairs of raters, mean over items."""
    kappa: float | None


def agreement(first: Sequence[Hashable | None], second: Sequence[Hashable | None]) -> Agreement:
    """Raw agreement and Cohen's kappa (Educ. Psychol. Meas. 20, 1960, 37-46) of two raters.

    Raises ValueError for sequences of different length.
    """
    pairs = [(a, b) for a, b in zip(first, second, strict=True) if a is not None and b is not None]
    if not pairs:
        return Agreement(0, None, None)
    number = len(pairs)
    raw = sum(a == b for a, b in pairs) / number
    left, right = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    chance = sum(left[label] * right[label] for label in left)
    return Agreement(number, raw, _kappa(raw, chance, number**2))


def fleiss(ratings: Sequence[Sequence[Hashable | None]]) -> FleissAgreement:
    """Fleiss' kappa (Psychol. Bull. 76, 1971, 378-382); a row an item, a place a rater.

    Items that some rater left out are not counted. Raises ValueError for rows of different length.
    """
    raters = len(ratings[0]) if ratings else 0
    if any(len(row) != raters for row in ratings):
        raise ValueError("Every item has a place for every rater.")
    counted = [Counter(row) for row in ratings if None not in row]
    if not counted or raters < 2:
        return FleissAgreement(len(counted), raters, None, None)
    number = len(counted)
    agreeing = sum(n * (n - 1) for labels in counted for n in labels.values())
    raw = agreeing / (number * raters * (raters - 1))
    totals = sum(counted, Counter())
    chance = sum(n * n for n in totals.values())
    return FleissAgreement(number, raters, raw, _kappa(raw, chance, (number * raters) ** 2))


def spearman(first: Sequence[float | None], second: Sequence[float | None]) -> float | None:
    """Spearman's rho (Am. J. Psychol. 15, 1904, 72-101), ties as midranks, over items both scored."""
    from scipy.stats import spearmanr

    held = _paired(first, second)
    return None if held is None else float(spearmanr(*held).statistic)


def kendall(first: Sequence[float | None], second: Sequence[float | None]) -> float | None:
    """Kendall's tau-b (Biometrika 33, 1945, 239-251), over items both scored."""
    from scipy.stats import kendalltau

    held = _paired(first, second)
    return None if held is None else float(kendalltau(*held).statistic)


def _kappa(raw: float, chance: int, whole: int) -> float | None:
    """(raw - expected) / (1 - expected) with expected = chance / whole; None where it is 1."""
    if chance == whole:
        return None
    return (raw - chance / whole) / (1 - chance / whole)


def _paired(first: Sequence[float | None], second: Sequence[float | None]) -> tuple[Floats, Floats] | None:
    """The items both scored; None where one side is constant or there are fewer than two."""
    pairs = [(a, b) for a, b in zip(first, second, strict=True) if a is not None and b is not None]
    left, right = np.array([a for a, _ in pairs]), np.array([b for _, b in pairs])
    if len(set(left)) < 2 or len(set(right)) < 2:
        return None
    return left, right
