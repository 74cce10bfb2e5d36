"""Code tables of the language detectors: data, and the one rule for languages without a row.

Here a language becomes the set of labels a detector may give it. No text is looked at here, and no
language is known by name: the rows are in `tables.toml`.
"""

import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from importlib.resources import files

from sim.core.languages import language


@dataclass(frozen=True, slots=True)
class Table:
    """What is known of one detector."""

    version: int
    """Changes with any value of the table."""
    threshold: float
    """Least accepted mass for `ok`."""
    floor: float
    """Least probability of another label for `wrong`."""
    letters: Mapping[str, int]
    """Unicode script name, or `any` → least number of letters for `low` and `wrong`."""
    accept: Mapping[str, tuple[str, ...]]
    """ISO 639-3 code → accepted codes in the detector's own table."""
    scripts: Mapping[str, tuple[str, ...]]
    """Unicode script name → labels, or label patterns, of the languages written in it."""

    def accepted(self, expected: str, labels: Collection[str]) -> frozenset[str]:
        """Those of the detector's `labels` that count as the ISO 639-3 language `expected`.

        Empty where the detector does not know the language. Raises UsageProblem for an unknown code.
        """
        language(expected)
        for codes in self._candidates(expected):
            found = frozenset(label for label in labels if label.partition("_")[0] in codes)
            if found:
                return found
        return frozenset()

    def plausible(self, script: str | None, labels: Collection[str]) -> frozenset[str]:
        """Those of `labels` whose language is written in `script`; all where the table does not say."""
        patterns = self.scripts.get(script or "")
        if patterns is None:
            return frozenset(labels)
        return frozenset(label for label in labels if any(fnmatchcase(label, p) for p in patterns))

    def least_letters(self, script: str | None) -> int:
        """Least number of letters for `low` and `wrong` where `script` is expected."""
        return self.letters.get(script or "any", self.letters["any"])

    def _candidates(self, expected: str) -> list[set[str]]:
        """Sets of codes to try in turn: the row, the language's own codes, its macrolanguage's."""
        if expected in self.accept:
            return [set(self.accept[expected])]
        from iso639 import Lang

        own = Lang(expected)
        macro = own.macro()
        codes = {own.pt1, own.pt3, *(member.pt3 for member in own.individuals())}
        return [codes - {""}, {macro.pt1, macro.pt3} - {""} if macro else set()]


def load_table(name: str) -> Table:
    """The table of the detector `name`, as `tables.toml` has it."""
    document = tomllib.loads(files("agents.language_id").joinpath("tables.toml").read_text(encoding="utf-8"))
    row = document[name]
    row["accept"] = {code: tuple(codes) for code, codes in row["accept"].items()}
    row["scripts"] = {script: tuple(labels) for script, labels in row["scripts"].items()}
    return Table(**row)
