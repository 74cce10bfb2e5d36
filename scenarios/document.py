"""A YAML 1.2 file as plain data that knows its lines.

Strict on purpose, since files come from strangers: UTF-8, at most 256 KB, no anchors, aliases or tags,
no duplicate keys, no deep nesting. It knows YAML, not scenarios.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.composer import Composer, ComposerError
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import AliasEvent
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from sim.core import files
from sim.core.errors import Problem, UsageProblem

MAX_BYTES = 256_000
"""YAML is read at about 130 KB a second."""
_MAX_DEPTH = 24
_MAX_DIGITS = 18
_PREFIX = "tag:yaml.org,2002:"
_BOOLEANS = {"true": True, "false": False}
_SURROGATES = range(0xD800, 0xE000)

Step = str | int
Place = tuple[Step, ...]
"""Where in a document: keys and indices from the root."""


@dataclass(frozen=True, slots=True)
class Document:
    """The data of one file, and the line each part of it starts on."""

    path: Path
    data: Any
    lines: dict[Place, int] = field(repr=False)

    def where(self, at: Sequence[Step]) -> str:
        """`file:line` of the nearest part that exists at or above `at`."""
        return f"{self.path}:{self.lines[self.nearest(at)]}"

    def nearest(self, at: Sequence[Step]) -> Place:
        """The longest prefix of `at` that is in the document."""
        end = next(n for n in range(len(at), -1, -1) if tuple(at[:n]) in self.lines)
        return tuple(at[:end])


class _StrictComposer(Composer):
    """Refuses what makes one node stand in two places, and what would exhaust the stack."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        event = self.parser.peek_event()
        if isinstance(event, AliasEvent) or event.anchor is not None:
            raise ComposerError(problem="anchors and aliases are not allowed", problem_mark=event.start_mark)
        if self.depth >= _MAX_DEPTH:
            raise ComposerError(problem="nested too deeply", problem_mark=event.start_mark)
        return super().compose_node(parent, index)


def read(path: Path) -> Document:
    """The document in `path`.

    Raises UsageProblem where it cannot be read or is not strict YAML; duplicate keys, tags and bad
    scalars are all reported at once.
    """
    root = _compose(path, _decoded(path))
    if root is None:
        raise UsageProblem(_problem(path, 1, "The file is empty."))
    reader = _Reader(path)
    data = reader.value(root, ())
    if reader.problems:
        raise UsageProblem(*reader.problems)
    return Document(path, data, reader.lines)


def _decoded(path: Path) -> str:
    try:
        raw = files.read(path, MAX_BYTES)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise UsageProblem(Problem("Unreadable scenario file", f"{path}: {reason}.")) from None
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        said = f"Byte {error.start} (0x{raw[error.start]:02x}) is not valid UTF-8."
        raise UsageProblem(_problem(path, line, said, "Save the file as UTF-8.")) from None


def _compose(path: Path, text: str) -> Node | None:
    yaml = YAML(typ="safe", pure=True)
    yaml.Composer = _StrictComposer
    try:
        node: Node | None = yaml.compose(text)
    except RecursionError:
        raise UsageProblem(_problem(path, 1, "The file is nested too deeply.")) from None
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        said = error.problem or error.context or "unreadable"
        raise UsageProblem(_problem(path, line, f"Not valid YAML: {said}.")) from None
    except (YAMLError, ValueError) as error:
        said = " ".join(str(error).split())
        raise UsageProblem(_problem(path, 1, f"Not valid YAML: {said}.")) from None
    return node


class _Reader:
    """Turns nodes into plain data, noting lines and problems on the way."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lines: dict[Place, int] = {}
        self.problems: list[Problem] = []

    def value(self, node: Node, at: Place) -> Any:
        self.lines.setdefault(at, node.start_mark.line + 1)
        if isinstance(node, MappingNode):
            return dict(self._items(node, at))
        if isinstance(node, SequenceNode):
            return [self.value(item, (*at, n)) for n, item in enumerate(node.value)]
        assert isinstance(node, ScalarNode)
        return self._scalar(node)

    def _items(self, node: MappingNode, at: Place) -> Iterator[tuple[str, Any]]:
        seen: dict[str, int] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            if not isinstance(key_node, ScalarNode):
                self._complain(key_node, "A key must be plain text.")
                continue
            key = str(key_node.value)
            if key in seen:
                self._complain(key_node, f"The key {key!r} is already on line {seen[key]}.")
                continue
            seen[key] = line
            self.lines[*at, key] = line
            yield key, self.value(value_node, (*at, key))

    def _scalar(self, node: ScalarNode) -> Any:
        text = str(node.value)
        kind = str(node.tag).removeprefix(_PREFIX)
        if any(ord(char) in _SURROGATES for char in text):
            self._complain(node, "A surrogate code point is not text.")
        elif kind in ("str", "timestamp", "merge", "value"):
            return text
        elif kind == "null":
            return None
        elif kind == "bool":
            return _BOOLEANS.get(text.casefold(), text)
        elif kind in ("int", "float"):
            return self._number(node, text)
        else:
            self._complain(node, f"The tag {node.tag} is not allowed.")
        return text

    def _number(self, node: ScalarNode, text: str) -> int | float | str:
        """A number in plain decimal notation; every other spelling stays the text it is."""
        try:
            return int(text) if text.lstrip("+-").isdecimal() and len(text) <= _MAX_DIGITS else float(text)
        except ValueError:
            self._complain(node, f"{text[:40]} is not a plain number; put quotes around a text.")
            return text

    def _complain(self, node: Node, what: str) -> None:
        self.problems.append(_problem(self.path, node.start_mark.line + 1, what))


def _problem(path: Path, line: int, what: str, why: str = "") -> Problem:
    return Problem("Unusable scenario file", what, why, where=f"{path}:{line}")
