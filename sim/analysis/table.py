"""The turn verdicts of many conversations as columns: what every cut and every resampling counts from.

Built once from `conversation` records, then only masked. It holds no score and averages nothing; a
conversation that a user broke off, a provisional verdict and a conversation-level one never enter.
Imports numpy: nothing on the way to a first screen may import this module.
"""

from array import array
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.analysis.scores import rejected, scored
from sim.core.errors import FaultKind
from sim.core.values import Basis, Mode, StrictGate

Record = Mapping[str, Any]
Codes = NDArray[np.integer[Any]]
Mask = NDArray[np.bool_]
Floats = NDArray[np.float64]

NONE = -1
"""Code of a verdict that has no value in a column; `met` of an unjudged one."""
NOT_CLAIMED = -2
NOT_SAID = -3
_OPEN = {str(Basis.NOT_CLAIMED): NOT_CLAIMED, str(Basis.NOT_SAID): NOT_SAID}

_OF_TURNS = (
    "conversation", "unit", "stratum", "mode", "system", "source", "target", "direction", "pair", "position",
    "wrong", "unsure", "refused",
)  # fmt: skip
_OF_VERDICTS = ("layer", "function", "criterion", "procedure", "met")


@dataclass(frozen=True, slots=True)
class Unit:
    """What is resampled: a scenario, all its trials and users together; in single-turn mode one turn."""

    scenario: str
    turn: int | None
    """Only in single-turn mode."""


@dataclass(frozen=True, slots=True)
class Column:
    """One value a verdict."""

    levels: tuple[Any, ...]
    """The different values, in order of first appearance."""
    codes: Codes
    """Index into `levels` for each verdict; `NONE` where it has none."""


@dataclass(frozen=True, slots=True)
class Table:
    """Verdicts of turns, a row each, as columns of equal length."""

    columns: Mapping[str, Column]
    """conversation, unit, stratum (direction of the first turn), mode, system, source, target, direction
    (`kor-ind`), pair (codes in alphabetical order), position (turn index), layer, function, criterion
    (the question itself, the same for every system), procedure."""
    met: NDArray[np.int8]
    """1 met, 0 not met, `NONE` unjudged, `NOT_CLAIMED`, `NOT_SAID`."""
    wrong: Mask
    """The language check calls the turn's translation `wrong`."""
    unsure: Mask
    """The study's language gate rejects it."""
    refused: Mask
    """The turn's recipient refused it, or broke character, in answer to a text in its language."""

    def __len__(self) -> int:
        return len(self.met)

    def where(self, keep: Mask) -> "Table":
        """The rows that `keep` marks; levels stay."""
        if keep.all():
            return self
        columns = {name: Column(c.levels, c.codes[keep]) for name, c in self.columns.items()}
        return Table(columns, self.met[keep], self.wrong[keep], self.unsure[keep], self.refused[keep])

    def only(self, column: str, *levels: Any) -> "Table":
        """The rows whose value in `column` is one of `levels`."""
        held = self.columns[column]
        wanted = [code for code, level in enumerate(held.levels) if level in levels]
        return self.where(np.isin(held.codes, wanted))

    def present(self, column: str) -> tuple[Any, ...]:
        """The levels of `column` that some row has, in order of first appearance."""
        held = self.columns[column]
        codes = np.unique(held.codes)
        return tuple(held.levels[code] for code in codes[codes >= 0])

    def strict(self, gate: StrictGate = "ours") -> "Table":
        """Under a strict language gate: every criterion of a translation it rejects is not met.

        What the judge does not claim, and what the source gave no occasion for, stay out of it.
        """
        out = self.wrong if gate == "ours" else self.unsure
        return replace(self, met=np.where(out & (self.met >= NONE), np.int8(0), self.met))


def table(records: Iterable[Record]) -> Table:
    """The verdict rows of `records`, without conversations that a user's fault or early end broke off."""
    builder = _Builder()
    for number, record in enumerate(records):
        if scored(record):
            builder.take(number, record)
    return builder.table()


def whole_table(records: Iterable[Record]) -> Table:
    """The conversation-level verdict rows of `records`, without those that a user broke off.

    A row's direction is that of its conversation's first turn; it has no position.
    """
    builder = _Builder()
    for number, record in enumerate(records):
        if scored(record) and record["verdicts"] and record["turns"]:
            builder.take(number, {**record, "turns": [_as_turn(record)]})
    return builder.table()


def _as_turn(record: Record) -> Record:
    """The whole conversation in the place of a turn."""
    return {
        "index": None,
        "direction": record["turns"][0]["direction"],
        "language_check": {"translation": None},
        "translation": None,
        "flags": (),
        "fault": None,
        "criteria": record["criteria"],
        "verdicts": record["verdicts"],
    }


def refused(turn: Mapping[str, Any]) -> bool:
    """Whether the recipient of a turn refused it or fell out of its role; kept in single-turn mode alone."""
    fault = turn.get("response_fault")
    return fault is not None and fault["kind"] in (FaultKind.REFUSED, FaultKind.BROKE_CHARACTER)


class _Builder:
    """Numbers the values of each column in order of appearance; what a turn fixes is kept once a turn."""

    def __init__(self) -> None:
        self._numbers: dict[str, defaultdict[Any, int]] = {
            name: defaultdict(count().__next__) for name in (*_OF_TURNS, *_OF_VERDICTS)
        }
        # 32-bit codes: a table of 10,000 conversations has five million of them
        self._codes: dict[str, array[int]] = {name: array("i") for name in self._numbers}
        self._rows = array("i")

    def take(self, number: int, record: Record) -> None:
        mode = str(record["mode"])
        unit = Unit(record["scenario"], record["key"]["turn"] if mode == Mode.SINGLE_TURN else None)
        fixed = {"conversation": number, "unit": unit, "mode": mode, "system": record["system"]["id"]}
        for turn in record["turns"]:
            fixed.setdefault("stratum", "-".join(turn["direction"]))
            rows = self._verdicts(turn, (mode, unit, turn["index"]))
            if rows:
                self._turn(fixed, turn)
                self._rows.append(rows)

    def _turn(self, fixed: Mapping[str, Any], turn: Mapping[str, Any]) -> None:
        source, target = turn["direction"]
        for name, level in fixed.items():
            self._put(name, level)
        self._put("source", source)
        self._put("target", target)
        self._put("direction", f"{source}-{target}")
        self._put("pair", "-".join(sorted((source, target))))
        self._put("position", turn["index"])
        self._codes["wrong"].append(rejected(turn, "ours"))
        self._codes["unsure"].append(rejected(turn, "study"))
        self._codes["refused"].append(refused(turn))

    def _verdicts(self, turn: Mapping[str, Any], place: tuple[Any, ...]) -> int:
        # the inner loop of every report: what it looks up for each verdict is held in names of its own
        criteria = {criterion["id"]: criterion for criterion in turn["criteria"]}
        layers, functions, questions, procedures = (
            self._numbers[name] for name in ("layer", "function", "criterion", "procedure")
        )
        codes, mets, rows = self._codes, self._codes["met"], 0
        for verdict in turn["verdicts"]:
            if verdict.get("provisional"):
                continue
            rows += 1
            name, met = verdict["criterion"], verdict["met"]
            criterion = criteria.get(name, {})
            function, procedure = criterion.get("function"), criterion.get("procedure")
            codes["layer"].append(layers[verdict["layer"]])
            codes["function"].append(NONE if function is None else functions[function])
            codes["criterion"].append(questions[(*place, procedure, name, criterion.get("ask"))])
            codes["procedure"].append(NONE if procedure is None else procedures[procedure])
            mets.append(_OPEN.get(verdict["basis"], NONE) if met is None else int(met))
        return rows

    def _put(self, name: str, level: Any) -> None:
        self._codes[name].append(NONE if level is None else self._numbers[name][level])

    def table(self) -> Table:
        rows = np.array(self._rows)
        codes: dict[str, Codes] = {
            name: np.repeat(np.array(self._codes.pop(name)), rows) for name in _OF_TURNS
        }
        codes |= {name: np.array(self._codes.pop(name)) for name in _OF_VERDICTS}
        met = codes.pop("met").astype(np.int8)
        wrong, unsure, refused = (codes.pop(name).astype(bool) for name in ("wrong", "unsure", "refused"))
        columns = {name: Column(tuple(self._numbers[name]), held) for name, held in codes.items()}
        return Table(columns, met, wrong, unsure, refused)
