"""Code tables of the language detectors: data, and the one rule for languages without a row.

Here a language becomes the set of labels a detector may give it. No text is looked at here, and no
language is known by name: the rows are in `tables.toml`.
"""

import tomllib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from agents.language_id.writing import scripts_of
from sim.core.languages import language

Steps = tuple[tuple[int, float], ...]
"""(letters, least probability) pairs: from so many letters on, so much is enough."""


@dataclass(frozen=True, slots=True)
class Values:
    """The numbers a decision about one language rests on; what each means stands in `tables.toml`."""

    threshold: float
    letters: int
    believed: Steps
    outweighs: float
    part: float
    alien: float
    sure: Steps


@dataclass(frozen=True, slots=True)
class Table:
    """What is known of one detector."""

    version: int
    """Changes with any value of the table."""
    threshold: float
    """Least accepted mass for `ok`."""
    believed: Steps
    """What a rival needs to be believed."""
    outweighs: float
    """So many times the accepted mass it must have."""
    part: float
    """Accepted mass of a word or two at which English around them is mixed in."""
    alien: float
    """What any language needs beside letters that are not the expected one's."""
    letters: Mapping[str, int]
    """ISO 15924 code, or `any` → least number of letters for `low`."""
    sure: Mapping[str, Steps]
    """ISO 15924 code, or `any` → what any other language needs to be believed."""
    accept: Mapping[str, tuple[str, ...]]
    """ISO 639-3 code → accepted codes in the detector's own table."""
    neighbours: Mapping[str, tuple[str, ...]]
    """ISO 639-3 code → codes of neighbours that are believed."""
    written: Mapping[str, str]
    """Label → ISO 15924 code where CLDR's is not meant."""
    alphabets: Mapping[str, str]
    """ISO 639-3 code → the letters it is written with, as a set of the `regex` module."""

    def accepted(self, expected: str, labels: Collection[str]) -> frozenset[str]:
        """Those of the detector's `labels` that count as the ISO 639-3 language `expected`.

        Empty where the detector does not know the language. Raises UsageProblem for an unknown code.
        """
        language(expected)
        return _coded(frozenset(self.accept.get(expected) or _codes(expected)), frozenset(labels))

    def near(self, expected: str, labels: Collection[str]) -> frozenset[str]:
        """Labels of neighbours of `expected` that are believed."""
        return _coded(frozenset(self.neighbours.get(expected, ())), frozenset(labels))

    def plausible(self, scripts: Collection[str], labels: Collection[str]) -> frozenset[str]:
        """Those of `labels` whose language is written in one of `scripts`; all where none is named."""
        if not scripts:
            return frozenset(labels)
        return frozenset(label for label in labels if not self._written(label).isdisjoint(scripts))

    def values(self, scripts: Collection[str]) -> Values:
        """What a decision rests on where `scripts` are expected."""
        known = next((script for script in scripts if script in self.letters), "any")
        return Values(
            threshold=self.threshold,
            letters=self.letters[known],
            believed=self.believed,
            outweighs=self.outweighs,
            part=self.part,
            alien=self.alien,
            sure=self.sure[known],
        )

    def _written(self, label: str) -> frozenset[str]:
        code, _, script = label.partition("_")
        named = script or self.written.get(code)
        if named:
            return frozenset(["Hang"] if named == "Kore" else [named])
        return frozenset(scripts_of(code))


@cache
def _coded(codes: frozenset[str], labels: frozenset[str]) -> frozenset[str]:
    return frozenset(label for label in labels if label.partition("_")[0] in codes)


def _codes(expected: str) -> set[str]:
    """Every code ISO 639 has for the language, its macrolanguage and that one's members."""
    from iso639 import Lang

    own = Lang(expected)
    broad = own.macro() or own
    codes = {own.pt1, own.pt3, broad.pt1, broad.pt3}
    return (codes | {code for member in broad.individuals() for code in (member.pt1, member.pt3)}) - {""}


def load_table(name: str) -> Table:
    """The table of the detector `name`, as `tables.toml` has it."""
    document = tomllib.loads(files("agents.language_id").joinpath("tables.toml").read_text(encoding="utf-8"))
    row = document[name]
    return Table(
        version=row["version"],
        threshold=row["threshold"],
        believed=_steps(row["believed"]),
        outweighs=row["outweighs"],
        part=row["part"],
        alien=row["alien"],
        letters=row["letters"],
        sure={script: _steps(steps) for script, steps in row["sure"].items()},
        accept={code: tuple(codes) for code, codes in row["accept"].items()},
        neighbours={code: tuple(codes) for code, codes in row["neighbours"].items()},
        written=row["written"],
        alphabets=document["alphabets"],
    )


def _steps(pairs: Iterable[Sequence[Any]]) -> Steps:
    return tuple((letters, probability) for letters, probability in pairs)
