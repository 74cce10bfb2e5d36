"""The records of a run as `report` and `compare` read them: each under every judge's verdicts.

Read once and kept slim: the checks of criteria, most of a line, are left on the disk, and so are all texts
and reasons where nobody asks for them; what many records share is held once. Nothing here counts a score.
"""

import gc
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sim.analysis.missing import Place, place_of
from sim.core.errors import Problem, UsageProblem
from sim.core.identity import digest
from sim.core.values import Mode
from sim.runs.store import Run
from sim.runs.verdicts import overlaid

Row = dict[str, Any]
_Later = Mapping[tuple[str, str], Row]


@dataclass(frozen=True, slots=True)
class Held:
    """What a run holds."""

    folder: Path
    head: Row
    judges: dict[str, list[Row]]
    """Judge name → records under its verdicts; the run's own judge first."""
    models: dict[str, str]
    """Judge name → what was asked: the name without what tells two of them apart."""
    missing: Counter[Place]
    """Planned conversations without a record."""
    excluded: frozenset[tuple[str, str]]
    """(scenario, mode) that the safety filter removed, for every system and judge."""
    before: int
    """Records before that."""
    fallback: str | None = None
    """The judge whose verdicts stand where the run's own gave none; they are marked `fallback`."""

    @property
    def conversations(self) -> int:
        """Records that count."""
        return len(next(iter(self.judges.values())))

    @property
    def remarks(self) -> list[str]:
        """What holds for every number of the run: what was left out, and more than one state of things."""
        found = []
        if self.excluded:
            found.append(
                f"Safety filter: {self.before:,} conversations before, {self.conversations:,} after; "
                f"{len(self.excluded):,} scenarios left out for every system."
            )
        for number, part in enumerate(self.head.get("parts", ()), 1):
            found.append(
                f"After {part['held_before']:,} conversations the run went on with something changed (part "
                f"{number}, --allow-drift): its scores mix both; run.json lists the differences."
            )
        return found


def held(folder: Path, *, words: bool = False, fallback: str | None = None) -> Held:
    """Read a run; texts and reasons only with `words`.

    With `fallback` the verdicts of that judge fill what the run's own left open. Raises UsageProblem for a
    run that cannot be read, or without such a judge.
    """
    run = Run(folder)
    head = run.head
    keep = _Keeper(words)
    with _uncollected():
        lines = [keep.slim(line) for line in run.conversations()]
    excluded = frozenset(run.exclusions())
    kept = [line for line in lines if (line["key"]["scenario"], line["key"]["mode"]) not in excluded]
    missing = _expected(head)
    missing.subtract(place_of(line["conversation"]) for line in lines)
    wanted = Counter({at: n for at, n in missing.items() if (at.scenario, at.mode) not in excluded})
    judges, models = _judges(run, head, kept, keep, fallback)
    return Held(folder, head, judges, models, +wanted, excluded, len(lines), fallback)


def chosen(run: Held, judge: str | None) -> str:
    """The judge meant by `judge`, by default the run's own. Raises UsageProblem with the judges there are."""
    names = list(run.judges)
    if judge is None or judge in names:
        return judge or names[0]
    raise UsageProblem(Problem("No such judge", f"{judge!r} has not judged this run.", choices=tuple(names)))


def signatures(run: Held, judge: str, *, strict: bool, replicates: int | None) -> dict[tuple[str, str], Row]:
    """(system, mode) → the signature of its numbers in one table: of all scenarios together."""
    groups: dict[tuple[str, str], list[Row]] = {}
    parts = [run.head, *run.head.get("parts", ())]
    for row in (row for part in parts for row in part["signatures"]):
        signature = row["signature"]
        groups.setdefault((row["system"], signature["mode"]), []).append(signature)
    own = next(iter(run.judges))
    found = {}
    for name, rows in groups.items():
        merged = {field: _merged(field, [row.get(field) for row in rows]) for field in rows[0]}
        if judge != own:
            merged["judge"] = {"judge": judge}
        elif run.fallback:
            merged["judge"] = {"judge": own, "of": merged["judge"], "fallback": run.fallback}
        if run.excluded:
            merged["excluded"] = digest(sorted(run.excluded))
        found[name] = merged | {"strict_language": strict, "replicates": replicates}
    return found


def _merged(field: str, values: list[Any]) -> Any:
    """One value for a field over scenarios: itself where all agree, else a digest of all."""
    alike = {repr(value): value for value in values}
    different = {digest(value, 64): value for value in alike.values()}
    if len(different) == 1:
        return values[0]
    if field == "procedure":
        return "+".join(sorted(map(str, different.values())))
    return digest(sorted(different), 64)


def _judges(
    run: Run, head: Row, lines: list[Row], keep: "_Keeper", fallback: str | None
) -> tuple[dict[str, list[Row]], dict[str, str]]:
    """Judge name → records under it, and → the model asked."""
    plan = head.get("plan") or {}
    own = lines[0]["conversation"]["judge"] if lines else str(plan.get("judge", "none"))
    own_later: dict[tuple[str, str], Row] = {}
    others: dict[str, _Later] = {}
    models: dict[str, str] = {}
    for file in run.verdict_files():
        later = run.verdicts(file)
        name = next((row["verdict"]["judge"] for row in later.values()), file.stem)
        for row in later.values():
            row["verdict"] = keep.verdict(row["verdict"])
        if name == own:
            own_later |= later
        else:
            others[f"{name} ({file.stem[-8:]})"] = later
            models[f"{name} ({file.stem[-8:]})"] = name
    under_own = _under(lines, own_later, own=True) if own_later else [line["conversation"] for line in lines]
    called = own
    if fallback is not None:
        called = f"{own}, else {fallback}"
        kept = [{"key": record["key"], "conversation": record} for record in under_own]
        under_own = _under(kept, _marked(others[_named(fallback, models)]), own=True)
    under_others = {name: _under(lines, later, own=False) for name, later in others.items()}
    return {called: under_own, **under_others}, {called: own, **models}


def _under(lines: list[Row], later: _Later, *, own: bool) -> list[Row]:
    return [overlaid(line, later, own=own) for line in lines]


def _marked(later: _Later) -> _Later:
    """The same verdicts, said to stand in for another judge's."""
    return {
        place: {"verdict": {**row["verdict"], "fallback": True}}
        for place, row in later.items()
        if row["verdict"]["met"] is not None
    }


def _named(judge: str, models: dict[str, str]) -> str:
    """The judge with this name, or the only one with this model. Raises UsageProblem."""
    found = [name for name, model in models.items() if judge in (name, model)]
    if len(found) != 1:
        what = f"{judge!r} has not judged this run." if not found else f"{judge!r} is more than one judge."
        raise UsageProblem(Problem("No such judge", what, choices=tuple(models)))
    return found[0]


def _expected(head: Row) -> Counter[Place]:
    """How many conversations were planned in each place; none for a watched one."""
    plan = head.get("plan")
    expected: Counter[Place] = Counter()
    if plan is None:
        return expected
    for row in head["signatures"]:
        signature = row["signature"]
        mode = str(signature["mode"])
        turn = _turn(signature, plan) if mode == Mode.SINGLE_TURN else None
        expected[Place(row["system"], mode, row["scenario"], turn)] += plan.get("trials", 1)
    return expected


def _turn(signature: Row, plan: Row) -> int:
    return int(signature["turns"][0] if "turns" in signature else plan.get("turn") or 0)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Make objects that stay to the end of the command, without looking through them for garbage.

    Measured with 10,000 conversations: 4 of 13 seconds of the whole report.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


class _Keeper:
    """Takes of a line what a report reads, and holds once what many records share.

    Records are as on the disk but for what is left out; without `words` a reason, and a translation that
    there was, is an empty text.
    """

    def __init__(self, words: bool) -> None:
        self._words = words
        self._texts: dict[str, str] = {}
        self._rows: dict[tuple[Any, ...], Row] = {}
        self._lists: dict[tuple[Any, ...], list[Any]] = {}
        self._systems: dict[str, Row] = {}

    def slim(self, line: Row) -> Row:
        record = line["conversation"]
        system = record["system"]
        kept = {
            "key": line["key"],
            "scenario": record["scenario"],
            "pair": self._alike(record["pair"]),
            "mode": record["mode"],
            "system": self._systems.setdefault(system["id"], system),
            "judge": record["judge"],
            "end_reason": record["end_reason"],
            "turns": [self._turn(turn) for turn in record["turns"]],
            "criteria": self._same([self._criterion(row) for row in record["criteria"]]),
            "verdicts": self._given(record["verdicts"]),
        }
        return {"key": line["key"], "conversation": kept}

    def _turn(self, turn: Row) -> Row:
        check = turn["language_check"]["translation"]
        kept = {
            "index": turn["index"],
            "direction": self._alike(turn["direction"]),
            "translation": self._said(turn["translation"]),
            "flags": self._alike(turn["flags"]),
            "language_check": {"translation": check} if self._words else self._check(check),
            "criteria": self._same([self._criterion(row) for row in turn["criteria"]]),
            "verdicts": self._given(turn["verdicts"]),
            "fault": turn["fault"],
            "cost": turn.get("cost"),
        }
        if self._words:
            # the response is the next turn's source, and sources are the same for every system
            kept |= {name: self._shared(turn[name]) for name in ("source", "response")}
        return kept

    def _check(self, check: Row | None) -> Row:
        kept = None if check is None else {"result": check["result"]}
        return self._rows.setdefault((kept and kept["result"],), {"translation": kept})

    def _said(self, text: str | None) -> str | None:
        return text if self._words or text is None else ""

    def _shared(self, text: str | None) -> str | None:
        return None if text is None else self._texts.setdefault(text, text)

    def _criterion(self, row: Row) -> Row:
        row.pop("check", None)
        return self._rows.setdefault(tuple(row.values()), row)

    def _given(self, rows: list[Row]) -> list[Row]:
        kept = [self.verdict(row) for row in rows]
        return kept if self._words else self._same(kept)

    def verdict(self, row: Row) -> Row:
        """The same object for verdicts that are alike; those with a reason of their own seldom are."""
        reason = row["reason"] if self._words else ""
        alike = (row["criterion"], row["layer"], row["met"], row["basis"], row.get("provisional"), reason)
        found = None if reason else self._rows.get(alike)
        if found is None:
            found = {name: row[name] for name in ("criterion", "layer", "met", "basis")}
            found["reason"] = reason
            if row.get("provisional"):
                found["provisional"] = True
            if not reason:
                self._rows[alike] = found
        return found

    def _same(self, rows: list[Row]) -> list[Row]:
        """The same list for lists of the same objects, which live as long as it does."""
        return self._lists.setdefault(tuple(map(id, rows)), rows)

    def _alike(self, words: list[str]) -> list[str]:
        """The same list for lists of the same words."""
        return self._lists.setdefault(tuple(words), words)
