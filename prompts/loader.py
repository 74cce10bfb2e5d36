"""The shipped texts: prompts with `$name` variables, and the cultural contexts.

Texts live in files, one file a prompt, and are read as packaged data. Rendering is strict: a variable
that is missing, unknown or not a string fails before any call is made, and a value is inserted as it
is, never scanned again, so that what a model or a person wrote cannot become a variable. This module
must not learn who uses which text, and knows no model, no language and no scenario.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from string import Template

TOPICS: tuple[str, ...] = (
    "Address",
    "Honorifics and speech levels",
    "Gender and number",
    "Politeness and face",
    "Religion and taboo",
    "Indirectness",
    "Idiom",
    "Names and titles",
    "Units and calendars",
)
"""The outline of every cultural context; the parts on what goes wrong in each direction follow it."""

_DIRECTION = "What goes wrong: "
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*(?:/[a-z0-9]+(?:-[a-z0-9]+)*)*")
_CODE = re.compile(r"[a-z]{3}")
_HASH_LENGTH = 12


class PromptError(ValueError):
    """A prompt that does not exist, is malformed, or was given the wrong variables."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt text."""

    name: str
    """Path below `prompts/` without the ending: `briefs/cultural`."""
    text: str
    """As in the file, without white space at the end."""
    hash: str = field(init=False)
    """First 12 hex digits of the SHA-256 of `text` in UTF-8."""
    variables: frozenset[str] = field(init=False)
    """Names that `render` must be given, no more and no fewer."""
    _pieces: tuple[str, ...] = field(init=False, repr=False)
    """What stands between the variables, and their names, by turns."""

    def __post_init__(self) -> None:
        template = Template(self.text)
        if not template.is_valid():
            raise PromptError(
                f"Prompt {self.name!r} has a '$' that starts no variable; write '$$' for the sign."
            )
        object.__setattr__(self, "hash", content_hash(self.text))
        object.__setattr__(self, "_pieces", tuple(_pieces(self.text)))
        object.__setattr__(self, "variables", frozenset(self._pieces[1::2]))

    def render(self, **values: str) -> str:
        """The text with every variable replaced by its value, verbatim and in one pass.

        Raises PromptError that names every missing, unknown or non-string variable.
        """
        if values.keys() != self.variables or not all(isinstance(value, str) for value in values.values()):
            raise PromptError(f"Prompt {self.name!r}: {', '.join(self._wrong(values))}.")
        return "".join(values[piece] if place % 2 else piece for place, piece in enumerate(self._pieces))

    def _wrong(self, values: Mapping[str, object]) -> list[str]:
        return [
            *(f"missing ${name}" for name in sorted(self.variables - values.keys())),
            *(f"unknown ${name}" for name in sorted(values.keys() - self.variables)),
            *(
                f"${name} is not a string"
                for name, value in sorted(values.items())
                if not isinstance(value, str)
            ),
        ]


@dataclass(frozen=True, slots=True)
class Section:
    """One part of a cultural context."""

    heading: str
    text: str
    """Without the heading."""


@dataclass(frozen=True, slots=True)
class Culture:
    """The cultural context of one language, or of one pair of languages."""

    name: str
    """`arb`, or `arb-ben` for a pair (codes in alphabetical order)."""
    text: str
    hash: str = field(init=False)
    """Of `text`, as for prompts."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "hash", content_hash(self.text))

    @property
    def sections(self) -> tuple[Section, ...]:
        """The parts under second-level headings, in order."""
        parts = (part.partition("\n") for part in self.text.split("\n## ")[1:])
        return tuple(Section(heading.strip(), text.strip()) for heading, _, text in parts)

    def towards(self, direction: str) -> str:
        """The text without what goes wrong in other directions than `direction` (`into arb`)."""
        title = self.text.partition("\n")[0]
        kept = (s for s in self.sections if s.heading in (*TOPICS, _DIRECTION + direction))
        return "\n\n".join([title, *(f"## {s.heading}\n{s.text}" for s in kept)])


def _pieces(text: str) -> Iterator[str]:
    """What stands between the variables of a valid template, and their names, by turns."""
    literal, at = "", 0
    for found in Template.pattern.finditer(text):
        literal += text[at : found.start()]
        at = found.end()
        name = found["named"] or found["braced"]
        if name is None:
            literal += "$"  # written `$$`
            continue
        yield literal
        yield name
        literal = ""
    yield literal + text[at:]


def content_hash(text: str) -> str:
    """The first 12 hex digits of the SHA-256 of `text` in UTF-8."""
    return sha256(text.encode()).hexdigest()[:_HASH_LENGTH]


@cache
def load(name: str) -> Prompt:
    """The prompt called `name`, such as `judge/turn`.

    Raises PromptError, with the names there are, for any other name.
    """
    file = _file(f"{name}.txt") if _NAME.fullmatch(name) else None
    if file is None:
        raise PromptError(f"There is no prompt {name!r}. Prompts: {', '.join(names())}.")
    return Prompt(name, _read(file))


def names() -> tuple[str, ...]:
    """The names of all prompts, sorted."""
    return tuple(sorted(_walk(files("prompts"), "")))


@cache
def culture(lang: str) -> Culture | None:
    """The cultural context of an ISO 639-3 code; None where none is written."""
    file = _file(f"cultures/{lang}.md") if _CODE.fullmatch(lang) else None
    return Culture(lang, _read(file)) if file else None


@cache
def pair_culture(a: str, b: str) -> Culture | None:
    """The cultural context of two codes, in either order; None where none is written."""
    name = "-".join(sorted((a, b)))
    known = _CODE.fullmatch(a) and _CODE.fullmatch(b)
    file = _file(f"cultures/pairs/{name}.md") if known else None
    return Culture(name, _read(file)) if file else None


@cache
def cultural_context(source: str, target: str) -> tuple[str, str]:
    """(text, hash) of what is known for translating from `source` into `target`.

    Both languages and the pair, each without the parts on other directions. Whatever is not written
    is left out; with nothing written the text is empty, and hashed all the same.
    """
    found = (
        (culture(source), f"out of {source}"),
        (culture(target), f"into {target}"),
        (pair_culture(source, target), f"{source} to {target}"),
    )
    text = "\n\n".join(document.towards(direction) for document, direction in found if document)
    return text, content_hash(text)


def _file(path: str) -> Traversable | None:
    file = files("prompts").joinpath(path)
    return file if file.is_file() else None


def _read(file: Traversable) -> str:
    # Text mode turns CRLF into LF, so a hash does not depend on how the repository was checked out.
    return file.read_text(encoding="utf-8").rstrip()


def _walk(folder: Traversable, prefix: str) -> Iterator[str]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _walk(entry, f"{prefix}{entry.name}/")
        elif entry.name.endswith(".txt"):
            yield prefix + entry.name.removesuffix(".txt")
