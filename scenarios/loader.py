"""Scenario files into `Scenario` values, with every problem of a file at once, by file and line.

It refuses what the engine could not hold a conversation with; what makes a scenario a good one is
`checker`. It neither judges nor needs a model.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from scenarios.document import Document, read
from scenarios.structure import Remark, structure
from scenarios.validation import remarks
from sim.core.errors import Problem, UsageProblem
from sim.core.values import Scenario

CORE = "core"
"""The pack that is meant where neither scenarios nor a pack are named."""
ALL = "all"
"""In the place of a pack: every one."""
_SUFFIXES = (".yaml", ".yml")
_PACK = re.compile(r"^pack: *([a-z0-9-]+) *$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Loaded:
    """A scenario and the file it was read from."""

    document: Document
    scenario: Scenario

    def problem(self, remark: Remark, title: str = "Scenario problem") -> Problem:
        """`remark` as a problem that names the scenario, the file and the line."""
        return _problem(self.document, remark, title)


def load(path: str | Path) -> Scenario:
    """The scenario in `path`. Raises UsageProblem with everything that is wrong with the file."""
    return load_file(Path(path)).scenario


def load_file(path: Path) -> Loaded:
    """The scenario in `path`, with its lines. Raises UsageProblem."""
    document = read(path)
    try:
        scenario = Scenario.model_validate(document.data)
    except ValidationError as error:
        found = remarks(error, document.data)
    else:
        found = [*structure(scenario), *_file_name(path, scenario)]
        if not found:
            return Loaded(document, scenario)
    raise UsageProblem(*(_problem(document, remark, "Unusable scenario file") for remark in found))


def load_all(paths: Iterable[Path]) -> tuple[tuple[Loaded, ...], tuple[Problem, ...]]:
    """The scenarios of several files that can be used, and the problems of the others.

    Ids must differ, also after casefold and NFC; the second file of a pair is the problem.
    """
    usable: list[Loaded] = []
    problems: list[Problem] = []
    seen: dict[str, Loaded] = {}
    for path in paths:
        try:
            loaded = load_file(path)
        except UsageProblem as error:
            problems.extend(error.problems)
            continue
        first = seen.setdefault(_comparable(loaded.scenario.id), loaded)
        if first is loaded:
            usable.append(loaded)
        else:
            said = f"The id {loaded.scenario.id!r} is already in {first.document.path}."
            problems.append(loaded.problem(Remark(("id",), said), "Duplicate scenario id"))
    return tuple(usable), tuple(problems)


def shipped(pack: str = ALL) -> tuple[Scenario, ...]:
    """The scenarios of a pack of the package, by id. Raises UsageProblem."""
    loaded, problems = load_all(pack_files(pack))
    if problems:
        raise UsageProblem(*problems)
    return tuple(sorted((item.scenario for item in loaded), key=lambda scenario: scenario.id))


def find(id_or_path: str) -> Scenario:
    """The shipped scenario with this id, or the one in this file.

    Raises UsageProblem; for an unknown name with the nearest ids first.
    """
    return load(find_file(id_or_path))


def find_file(id_or_path: str) -> Path:
    """The file behind a shipped id or a path. Raises UsageProblem where there is none."""
    by_id = {path.stem: path for path in shipped_files()}
    if id_or_path in by_id:
        return by_id[id_or_path]
    if _exists(Path.is_file, id_or_path):
        return Path(id_or_path)
    raise UsageProblem(_unknown(id_or_path, list(by_id)))


def select(names: Sequence[str], pack: str = ALL) -> tuple[Path, ...]:
    """The files that ids, paths, folders and globs (over ids, else over paths) name; all if none are given.

    Ids and globs over them are looked up in `pack` alone; files of one's own are in no pack and named by
    their paths. Raises UsageProblem with every name that names nothing.
    """
    pack_files(pack)
    chosen: list[Path] = []
    problems: list[Problem] = []
    for name in names or ["*"]:
        try:
            chosen.extend(_expand(name, pack))
        except UsageProblem as error:
            problems.extend(error.problems)
    if problems:
        raise UsageProblem(*problems)
    return tuple(dict.fromkeys(chosen))


def packs() -> tuple[str, ...]:
    """The packs that ship, sorted."""
    return tuple(sorted({pack_of(path) for path in shipped_files()} - {""}))


def pack_files(pack: str) -> tuple[Path, ...]:
    """The files of a pack of the package, all of them for `all`. Raises UsageProblem for an unknown pack."""
    if pack == ALL:
        return shipped_files()
    found = tuple(path for path in shipped_files() if pack_of(path) == pack)
    if not found:
        raise UsageProblem(
            Problem("Unknown pack", f"{pack!r} is no pack that ships.", choices=(*packs(), ALL))
        )
    return found


@cache
def pack_of(path: Path) -> str:
    """The pack in a shipped file, empty without one; by its line, for reading 28 documents takes seconds."""
    found = _PACK.search(path.read_text(encoding="utf-8"))
    return found[1] if found else ""


def shipped_files() -> tuple[Path, ...]:
    """The files of the package, by name; a file is named after the id in it."""
    folder = Path(str(files("scenarios"))) / "packs"
    return tuple(sorted(folder.glob("*.yaml"))) if folder.is_dir() else ()


def scenario_hash(scenario: Scenario) -> str:
    """SHA-256 of the canonical document: what is left at its default is left out, keys are sorted.

    The pack and the glosses are left out too: no participant sees them, so they change no number.
    """
    document = scenario.model_dump(
        mode="json",
        by_alias=True,
        exclude_defaults=True,
        exclude={"pack": True, "turns": {"__all__": {"gloss"}}},
    )
    plain = json.dumps(document, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(plain.encode()).hexdigest()


def _file_name(path: Path, scenario: Scenario) -> Iterable[Remark]:
    """A shipped file is found by its name, so the name must be the id."""
    if path.stem != scenario.id and path in shipped_files():
        yield Remark(("id",), f"The id is not the file's name, {path.stem!r}.")


def _expand(name: str, pack: str) -> list[Path]:
    within = pack_files(pack)
    if _exists(Path.is_dir, name):
        found = sorted(path for path in Path(name).iterdir() if path.suffix in _SUFFIXES)
    elif any(mark in name for mark in "*?[") and not _exists(Path.is_file, name):
        found = [path for path in within if fnmatchcase(path.stem, name)]
        found = found or sorted(_glob(name))
    else:
        found = [path for path in [find_file(name)] if path in within or path not in shipped_files()]
    if not found:
        raise UsageProblem(_unknown(name, [path.stem for path in within], pack))
    return found


def _glob(pattern: str) -> Iterable[Path]:
    path = Path(pattern)
    anchor = Path(path.anchor) if path.anchor else Path()
    relative = pattern[len(path.anchor) :]
    return (match for match in anchor.glob(relative) if match.suffix in _SUFFIXES) if relative else ()


def _exists(kind: Callable[[Path], bool], name: str) -> bool:
    """Whether `name` is a path of this kind; no name is too odd to ask."""
    try:
        return kind(Path(name))
    except (OSError, ValueError):
        return False


def _unknown(name: str, ids: list[str], pack: str = ALL) -> Problem:
    near = difflib.get_close_matches(_comparable(name), ids, n=5, cutoff=0.4)
    shipped_one = "a shipped scenario" if pack == ALL else f"a scenario of the pack {pack!r}"
    return Problem(
        title="Unknown scenario",
        what=f"{name!r} is neither the id of {shipped_one} nor a file.",
        why="A scenario is named by its id or by the path of its YAML file.",
        choices=tuple(dict.fromkeys([*near, *ids])),
    )


def _comparable(name: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def _problem(document: Document, remark: Remark, title: str) -> Problem:
    data: Any = document.data
    named = data.get("id") if isinstance(data, dict) else None
    what = f"{named}: {remark.what}" if isinstance(named, str) else remark.what
    return Problem(title, what, remark.why, remark.choices, document.where(remark.at))
