"""The Bengali forms that say whom a verb addresses, and the words beside them, built once from
`bengali_verbs.toml`.

For `bengali_address`. It must not decide anything: what a form means in its sentence is decided there.
Forms of the second person alone are *sure*, those that are third person too are *shared*, the bare stems of
intimate orders are *bare*. Sources: those of `bengali_address`.
"""

import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any

import regex

from agents.detectors.name_table import known_names, places
from agents.detectors.patterns import fold_pattern
from sim.core.text import fold

LABELS = ("apni", "tumi", "tui")
"""From the most respectful to the intimate one."""
_ENDINGS = (
    ("tui", True, r"\p{M}*(?:চ্ছিস|েছিস|ইছস|তেছস|ছস|ছিলি|তিস)"),
    ("tumi", True, r"\p{M}*(?:চ্ছ|চ্ছো|েছো|ইছ|ইছো|তেছ|তাছ|ইবা|ইবায়|ছিলা|ছিলে|াইও|েছ|িয়ো)"),
    ("apni", False, r"\p{M}*(?:চ্ছেন|েছেন|ছেন|বেন|ইলেন|তেছেন)"),
)
"""Endings of verbs no list holds: address, whether of the second person alone, and the end of the word."""
_NEGATIVE = "নি"
_IF = "লে"
"""The ending of "if" and of a past of the second person."""
_ORDER = fold("ুন")
_THE = (fold("টা"), fold("টি"))
"""Endings of "the boy", whom nobody calls so."""


@cache
def _data() -> dict[str, Any]:
    path = files("agents.detectors").joinpath("bengali_verbs.toml")
    return tomllib.loads(path.read_text(encoding="utf-8"))


@cache
def words(kind: str) -> frozenset[str]:
    """The folded words of one list of the data."""
    return frozenset(map(fold, _data()[kind]))


@cache
def pattern(kind: str) -> "regex.Pattern[str]":
    """One expression of the data, for folded text."""
    return regex.compile("|".join(map(fold_pattern, _data()["patterns"][kind])))


class Forms:
    """Word forms → address."""

    def __init__(self) -> None:
        classes = _data()["class"]
        certain, never = _built(classes, ""), words("never")
        self._certain = {form: label for form, label in certain.items() if form not in never}
        shared = _built(classes, "_shared")
        self._shared = {form: label for form, label in shared.items() if form not in self._certain}
        self._endings = tuple(
            (label, sure, regex.compile(rf"[\p{{L}}\p{{M}}]{{2,}}?{fold_pattern(end)}"))
            for label, sure, end in _ENDINGS
        )
        names = known_names("ben").keys() - places("ben")
        self._others = (words("others") | names) - words("words")
        self.pronouns = dict(_pronouns())
        self.bare = _built(classes, "_bare")
        """Bare stem → address."""
        self.past = {fold(f"{stem}{_IF}") for stem in _stems(classes)} | words("past")
        """Pasts of the second person that are "if" too."""
        self.orders = {
            form: label
            for form, label in self._certain.items()
            if form.endswith(_ORDER) or form in words("plain_orders")
        }
        """Orders no other form looks like → address."""
        kin = self._kin()
        self.called = _called(kin)
        """A kin term that calls somebody: before a comma, or at the end."""
        self.closing = _closing(self.bare, kin)
        """A bare stem at the end of its sentence."""

    def sure(self, word: str) -> str | None:
        """The address of a form of the second person alone."""
        return self._certain.get(word) or self._by_ending(word, sure=True)

    def maybe(self, word: str) -> str | None:
        """The address of a form that is also third person."""
        return self._shared.get(word) or self._by_ending(word, sure=False)

    def other(self, word: str) -> bool:
        """Whether a word names a third person."""
        return word in self._others or word.endswith(tuple(words("titles")))

    def _by_ending(self, word: str, *, sure: bool) -> str | None:
        if word in words("no_verb") or word in self._shared or word in self._certain:
            return None
        return next((label for label, s, end in self._endings if s == sure and end.fullmatch(word)), None)

    def _kin(self) -> str:
        """An expression for whom one calls."""
        whom = {word for word in self._others if not word.endswith(_THE)} - words("third") | words("called")
        titled = rf"[\p{{L}}\p{{M}}]+(?:{'|'.join(sorted(words('titles')))})"
        return "|".join([*sorted(whom, key=len, reverse=True), titled])


@cache
def forms() -> Forms:
    """The forms, built at the first call."""
    return Forms()


def _pronouns() -> Iterator[tuple[str, str]]:
    """Pronoun, also with the particles of *just* and *too* → address."""
    for label in LABELS:
        for word in _data()["pronouns"][label]:
            yield from ((fold(f"{word}{particle}"), label) for particle in ("", "ই", "ও"))


def _stems(classes: list[dict[str, Any]]) -> Iterator[str]:
    return (stem for verbs in classes for stems in verbs["stems"] for stem in stems if stem)


def _built(classes: list[dict[str, Any]], kind: str) -> dict[str, str]:
    """Folded forms of one kind → address, with and without the negative ending."""
    found: dict[str, str] = {}
    for verbs in classes:
        for label in LABELS:
            for ending in verbs.get(label + kind, ()):
                for low, high in verbs["stems"]:
                    form = ending.replace("L", low).replace("H", high)
                    found.setdefault(fold(form), label)
                    if kind != "_bare":
                        found.setdefault(fold(f"{form}{_NEGATIVE}"), label)
    return found


def _called(kin: str) -> "regex.Pattern[str]":
    asked = "|".join(sorted(words("asked")))
    return regex.compile(
        rf"(?:\A|(?<=[.!?।] ))(?:(?!(?:{asked}) )[\p{{L}}\p{{M}}]+ )?(?:{kin})(?:জান|রা)? ?,"
        rf"|,? (?:{kin})(?=\s*[.!?।]|\s*\Z)"
        rf"|(?<=(?:না|তো|কিন্তু|রে|প্লিজ|[াো]ন|েন|ুন|[োও]) )(?:{kin})(?=\s*,)"
        rf"|\A(?:এই|ওই) [\p{{L}}\p{{M}}]+ ?,"
    )


def _closing(bare: dict[str, str], kin: str) -> "regex.Pattern[str]":
    stems = "|".join(sorted(bare, key=len, reverse=True))
    after = "|".join(sorted(words("after_orders")))
    return regex.compile(rf"(?<![\p{{L}}\p{{M}}])({stems})(?: (?:{after}|{kin})){{0,2}}(?=\s*[,.!?।]|\s*\Z)")
