"""The safety filter: personal data and offensive language in what was said, by lists anyone can edit.

Rules only, and post-hoc: it removes items from the count, never a record from the disk. A hit is noted
by its rule and place; the text itself is not repeated.
"""

import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Literal

import re2
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from sim.core.errors import Problem, UsageProblem
from sim.core.identity import digest
from sim.core.text import ascii_digits, fold
from sim.runs import toml_file, toml_problems


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Pattern(_Part):
    """One pattern, with the proof that it finds what it is for and nothing else."""

    id: str
    find: str
    check: Literal["luhn", "iban"] | None = None
    """Check digits that what is found must have."""
    must: tuple[str, ...] = Field(min_length=1)
    must_not: tuple[str, ...] = Field(min_length=1)


class _List(_Part):
    """One file of the filter."""

    pattern: tuple[Pattern, ...] = ()
    words: tuple[str, ...] = ()
    must: tuple[str, ...] = ()
    must_not: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Rule:
    name: str
    pattern: Any
    """A compiled RE2 pattern, None for a word."""
    word: str
    check: Callable[[str], bool] | None = None
    """Whether the check digits of what the pattern finds are right."""

    def breaks(self, plain: str, spaced: str) -> bool:
        """Whether a text breaks the rule; `plain` is folded, `spaced` has its words alone."""
        if self.pattern is None:
            return self.word in spaced
        if self.check is None:
            return self.pattern.search(plain) is not None
        return any(map(self.check, (match.group() for match in self.pattern.finditer(plain))))


class SafetyFilter:
    """The rules of all lists."""

    def __init__(self, rules: tuple[_Rule, ...], fingerprint: str) -> None:
        self._rules = rules
        self.fingerprint = fingerprint
        """Stands for the lists: two runs filtered alike have it in common."""

    def hits(self, text: str) -> Iterator[str]:
        """The names of the rules that `text` breaks. RE2 reads UTF-8: an unpaired surrogate becomes `?`."""
        plain = ascii_digits(fold(text.encode("utf-8", "replace").decode()))
        spaced = _spaced(plain)
        yield from (rule.name for rule in self._rules if rule.breaks(plain, spaced))


def load(folder: Path | None = None) -> SafetyFilter:
    """The filter of the lists in `folder`, of those that ship for None.

    Raises UsageProblem for lists that cannot be read, patterns that do not compile, and lists that fail
    their own examples.
    """
    place: Traversable = folder if folder is not None else files("sim.runs") / "filters"
    if not place.is_dir():
        raise UsageProblem(Problem("No filter lists", f"{place} is not a folder."))
    problems: list[Problem] = []
    rules: list[_Rule] = []
    documents = {}
    for file in sorted(place.iterdir(), key=lambda f: f.name):
        if file.name.endswith(".toml"):
            try:
                text = toml_file.text(file)
                document = _List.model_validate(toml_file.parsed(text))
                own = _rules(file.name.removesuffix(".toml"), document)
            except ValidationError as failure:
                problems += toml_problems.found(
                    failure, text, title="Unusable filter list", of="a list", file=str(file), known=_known
                )
                continue
            except (OSError, ValueError, re2.error) as failure:
                problems.append(Problem("Unusable filter list", f"{failure}", where=str(file)))
                continue
            problems += (
                Problem("Unusable filter list", said, where=str(file)) for said in _proved(document, own)
            )
            rules += own
            documents[file.name] = document.model_dump()
    if not rules and not problems:
        problems.append(Problem("No filter lists", f"{place} holds no rule.", "Lists are .toml files."))
    if problems:
        raise UsageProblem(*problems)
    return SafetyFilter(tuple(rules), digest(documents))


def _known(path: tuple[str | int, ...]) -> tuple[str, ...]:
    """The keys of the table at `path`."""
    return tuple((Pattern if path else _List).model_fields)


def _rules(name: str, document: _List) -> tuple[_Rule, ...]:
    patterns = [
        _Rule(f"{name}/{p.id}", re2.compile(p.find), "", _CHECKS[p.check] if p.check else None)
        for p in document.pattern
    ]
    words = [_Rule(f"{name}/{n}", None, _bordered(word)) for n, word in enumerate(document.words)]
    return (*patterns, *words)


def luhn(text: str) -> bool:
    """Whether the digits of a text end in their check digit (ISO/IEC 7812-1, annex B)."""
    digits = [int(c) for c in reversed(text) if c.isdecimal()]
    doubled = (sum(divmod(2 * digit, 10)) for digit in digits[1::2])
    return (sum(digits[::2]) + sum(doubled)) % 10 == 0


def iban(text: str) -> bool:
    """Whether a text has the check digits of an account number (ISO 13616: modulo 97)."""
    plain = "".join(c for c in text if c.isalnum() and c.isascii())
    return bool(plain) and int("".join(str(int(c, 36)) for c in plain[4:] + plain[:4])) % 97 == 1


_CHECKS = {"luhn": luhn, "iban": iban}


def _bordered(word: str) -> str:
    """`word` as it is looked for in spaced text; a star leaves a border open."""
    bare = _spaced(ascii_digits(fold(word.strip("*")))).strip()
    if not bare:
        raise ValueError(f"{word!r} is no word")
    return f"{'' if word.startswith('*') else ' '}{bare}{'' if word.endswith('*') else ' '}"


def _spaced(text: str) -> str:
    """Words of `text` with single spaces around: letters, digits and their marks make words."""
    kept = (c if c.isalnum() or unicodedata.category(c)[0] == "M" else " " for c in text)
    return f" {' '.join(''.join(kept).split())} "


def _proved(document: _List, rules: tuple[_Rule, ...]) -> Iterator[str]:
    """What a list says of itself and does not keep."""
    by_name = {rule.name.rpartition("/")[2]: SafetyFilter((rule,), "") for rule in rules}
    checks = [(by_name[p.id], p.must, p.must_not) for p in document.pattern]
    checks.append((SafetyFilter(rules, ""), document.must, document.must_not))
    for found, must, must_not in checks:
        yield from (f"{text!r} is not found." for text in must if not any(found.hits(text)))
        yield from (f"{text!r} is found." for text in must_not if any(found.hits(text)))
