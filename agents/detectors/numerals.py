"""Numbers said in words: from the atoms a language's words stand for to values.

A numeral is a run of atoms: units add, scales multiply (Hurford 1975, *The Linguistic Theory of Numerals*:
the packing strategy), fractions and modifiers bend the unit next to them. This module composes runs of any
language; which words are which atoms is in `lexicon`, where numerals stand in a text in `number`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal

Kind = Literal["unit", "teen", "small", "big", "half", "more", "point", "and"]
"""unit: adds · teen: adds ten to the unit before · small: a scale within a group (ten, hundred) · big: a
scale that closes a group (thousand, 만, lakh) · half: half of what is before · more: added to the next
unit (Bengali সাড়ে) · point: decimals follow · and: a connector."""


@dataclass(frozen=True, slots=True)
class Atom:
    """One meaningful part of a numeral."""

    kind: Kind
    value: Decimal = Decimal(0)


@dataclass(frozen=True, slots=True)
class Said:
    """A number and where it is said."""

    value: Decimal
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Placed:
    """Atoms of one word, with the word's place in the text."""

    atoms: tuple[Atom, ...]
    start: int
    end: int


@dataclass(slots=True)
class _Sum:
    """A numeral while it is read."""

    total: Decimal = Decimal(0)
    group: Decimal = Decimal(0)
    pending: Decimal | None = None
    more: Decimal = Decimal(0)
    scale: Decimal = Decimal(1)
    last: Kind | None = None
    decimals: int = 0
    inner: Decimal | None = None
    """The small scale last used in this group."""
    outer: Decimal | None = None
    """The big scale last used."""

    def takes(self, atom: Atom, inverted: bool) -> bool:
        """Whether the numeral can go on with `atom`."""
        if atom.kind == "unit":
            return self._takes_unit(atom.value, inverted)
        if atom.kind == "small":
            return self.pending is not None or self.inner is None or atom.value < self.inner
        if atom.kind == "big":
            return self.outer is None or atom.value < self.outer or self.last == "half"
        return atom.kind != "more" or self.pending is None

    def _takes_unit(self, value: Decimal, inverted: bool) -> bool:
        if self.decimals:
            return value < 10
        if self.pending is None:
            limit = self.inner or self.outer
            return limit is None or value < limit
        rest = self.pending % 100
        if inverted and value >= 10:
            teen = value == 10 and 0 < rest < 10 and self.last != "and"
            return (
                teen
                or (self.last == "and" and rest < 10 and value >= 20 and value % 10 == 0)
                or (rest == 0 and value < 100)
            )
        joined = not inverted or self.last == "and"
        return joined and value < 10 and self.pending >= 20 and self.pending % 10 == 0

    def add(self, atom: Atom) -> None:
        """Go on with `atom`, which `takes` accepted."""
        getattr(self, f"_{atom.kind}")(atom.value)
        self.last = atom.kind

    def _unit(self, value: Decimal) -> None:
        if self.decimals:
            self.pending = (self.pending or Decimal(0)) + value.scaleb(-self.decimals)
            self.decimals += 1
        else:
            self.pending = (self.pending or Decimal(0)) + value + self.more
            self.more = Decimal(0)

    def _teen(self, value: Decimal) -> None:
        self.pending = (self.pending or Decimal(0)) + value

    def _small(self, value: Decimal) -> None:
        self.group += (self.pending if self.pending is not None else 1) * value
        self.pending, self.inner, self.scale = None, value, value

    def _big(self, value: Decimal) -> None:
        if self.last == "half" and value == self.outer:
            return
        factor = self.group + (self.pending or 0)
        self.total += (factor or Decimal(1)) * value
        self.group, self.pending, self.inner = Decimal(0), None, None
        self.outer = self.scale = value

    def _half(self, value: Decimal) -> None:
        after_and = self.last == "and" and self.pending is None and bool(self.group or self.total)
        if self.last in ("small", "big") or after_and:
            self.group += value * self.scale
        else:
            self.pending = (self.pending or Decimal(0)) + value

    def _more(self, value: Decimal) -> None:
        self.more = value

    def _point(self, value: Decimal) -> None:
        self.decimals = 1

    def _and(self, value: Decimal) -> None:
        pass

    @property
    def value(self) -> Decimal:
        """What has been said so far."""
        return self.total + self.group + (self.pending or Decimal(0))


@dataclass(slots=True)
class _Run:
    sum: _Sum = field(default_factory=_Sum)
    start: int = 0
    end: int = 0
    empty: bool = True


def compose(words: Iterable[Placed | None], *, inverted: bool = False) -> Iterator[Said]:
    """The numbers said by a sequence of words; None stands for a break.

    `inverted`: units may come before tens with a connector (Arabic خمسة وعشرون).
    """
    run = _Run()
    for word in words:
        if word is None or not all(_can(run, word, inverted)):
            yield from _close(run)
            run = _Run()
        if word is not None:
            _extend(run, word)
    yield from _close(run)


def _can(run: _Run, word: Placed, inverted: bool) -> Iterator[bool]:
    """Whether the run takes the word's first atom that is no connector."""
    first = next((a for a in word.atoms if a.kind != "and"), None)
    if run.empty or first is None:
        yield True
        return
    joined = word.atoms[0].kind == "and"
    saved = run.sum.last
    if joined:
        run.sum.last = "and"
    yield run.sum.takes(first, inverted)
    run.sum.last = saved


def _extend(run: _Run, word: Placed) -> None:
    connector = all(a.kind == "and" for a in word.atoms)
    if run.empty and connector:
        return
    if run.empty:
        run.start = word.start
    for atom in word.atoms:
        run.sum.add(atom)
    if not connector:
        run.end = word.end
    run.empty = False


def _close(run: _Run) -> Iterator[Said]:
    if not run.empty:
        yield Said(run.sum.value.normalize() + 0, run.start, run.end)
