"""The records of a run as `report` and `compare` read them: each under every judge's verdicts.

Read once and kept slim: the checks of criteria, most of a line, are left on the disk, and so are all texts
and reasons where nobody asks for them; what many records share is held once. Nothing here counts a score.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sim.analysis.missing import Place, place_of
from sim.analysis.protocol import REPLICATES
from sim.analysis.worth import Worth
from sim.commands.keeper import Keeper
from sim.commands.views import Singles, View, singles, views
from sim.core.errors import Problem, UsageProblem
from sim.core.identity import digest
from sim.core.memory import uncollected
from sim.core.values import Mode, StrictGate
from sim.runs.sent import Sent, differing, sent
from sim.runs.store import Run, way_on

Row = dict[str, Any]
_TOLD = 3
"""Lines named of those that cannot be read."""


@dataclass(frozen=True, slots=True)
class Held:
    """What a run holds."""

    folder: Path
    head: Row
    judges: dict[str, list[Row]]
    """Judge name → records under its verdicts; the run's own judge first."""
    models: dict[str, str]
    """Judge name → what was asked: the name without what tells two of them apart."""
    identities: dict[str, Row]
    """Judge name → name and digest of each judge that was asked later."""
    missing: Counter[Place]
    """Planned conversations without a record."""
    excluded: frozenset[tuple[str, str]]
    """(scenario, mode) that the safety filter removed, for every system and judge."""
    before: int
    """Records before that."""
    planned: tuple[tuple[str, str], ...]
    """(system, mode) in the order of the plan: whatever finished first, tables stand in this."""
    singles: Mapping[str, Singles]
    """Judge name → its verdicts by single-turn checklists, of the judges that gave any."""
    fallback: str | None = None
    """The judge whose verdicts stand where the run's own gave none; they are marked `fallback`."""
    unread: tuple[Problem, ...] = ()
    """Lines that were passed over."""
    sent: tuple[Sent, ...] = ()
    """What models were sent beside the words."""

    @property
    def conversations(self) -> int:
        """Records that count."""
        return len(next(iter(self.judges.values())))

    @property
    def remarks(self) -> list[str]:
        """What holds for every number of the run: what was left out, and more than one state of things."""
        found = [_unread(self.folder, self.unread)] if self.unread else []
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
        return found + differing(self.sent)


def held(folder: Path, *, words: bool = False, fallback: str | None = None) -> Held:
    """Read a run; texts and reasons only with `words`.

    With `fallback` the verdicts of that judge fill what the run's own left open. Raises UsageProblem for a
    run that cannot be read, or without such a judge.
    """
    unread: dict[str, Problem] = {}
    run = Run(folder, unread)
    head = run.head
    keep = Keeper(words)
    with uncollected():
        lines = [keep.slim(line) for line in run.conversations()]
    planned = tuple(_planned(head))
    lines.sort(key=_in_plan(head, planned))
    excluded = frozenset(run.exclusions())
    kept = [line for line in lines if (line["key"]["scenario"], line["key"]["mode"]) not in excluded]
    missing = _expected(head)
    missing.subtract(place_of(line["conversation"]) for line in lines)
    wanted = Counter({at: n for at, n in missing.items() if (at.scenario, at.mode) not in excluded})
    with uncollected():
        seen = views(run, kept, keep, fallback)
    return Held(
        folder=folder,
        head=head,
        judges={name: view.records for name, view in seen.items()},
        models={name: view.model for name, view in seen.items()},
        identities={
            name: {"name": view.model, "digest": view.digest} for name, view in seen.items() if view.digest
        },
        missing=+wanted,
        excluded=excluded,
        before=len(lines),
        planned=planned,
        singles=_by_judge(singles(run, keep), seen),
        fallback=fallback,
        unread=tuple(unread.values()),
        sent=sent(run),
    )


def _unread(folder: Path, problems: Sequence[Problem]) -> str:
    told = "; ".join(f"{problem.where}: {problem.what} {problem.why}" for problem in problems[:_TOLD])
    more = f"; and {len(problems) - _TOLD:,} more" if len(problems) > _TOLD else ""
    count = "1 line was" if len(problems) == 1 else f"{len(problems):,} lines were"
    return f"{count} left out, not readable: {told}{more}. {way_on(folder)}"


def _by_judge(found: Mapping[str, Singles], seen: Mapping[str, View]) -> dict[str, Singles]:
    """Under the name that each judge has in the report: the run's own goes without its digest."""
    own = {view.model: name for name, view in seen.items() if not view.digest}
    names = {name: name if name in seen else own.get(name.rpartition(" (")[0], name) for name in found}
    return {names[name]: given for name, given in found.items()}


def chosen(run: Held, judge: str | None) -> str:
    """The judge meant by `judge`, by default the run's own. Raises UsageProblem with the judges there are."""
    names = list(run.judges)
    if judge is None or judge in names:
        return judge or names[0]
    raise UsageProblem(Problem("No such judge", f"{judge!r} has not judged this run.", choices=tuple(names)))


def signatures(run: Held, judge: str, *, strict: StrictGate | None) -> dict[tuple[str, str], Row]:
    """(system, mode) → the signature of its numbers in every table: of all scenarios together."""
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
            merged["judge"] = _later(run.identities[judge])
        elif run.fallback:
            merged["judge"] = {"judge": own, "of": merged["judge"], "fallback": run.fallback}
        if run.excluded:
            merged["excluded"] = digest(sorted(run.excluded))
        found[name] = merged | {"strict_language": strict, "replicates": REPLICATES}
    return found


def _later(identity: Row) -> Row:
    """A judge asked later, of `rules` also with the encoder that its digest tells of."""
    if identity["name"] != "rules":
        return identity
    from sim.wiring.meaning import encoder_of_rules

    encoder = encoder_of_rules(identity["digest"])
    return identity | ({"encoder": {"encoder": encoder}} if encoder else {})


def worths(run: Held, judge: str) -> dict[str, Worth]:
    """Mode → what its scores are worth; only where `rules` alone gave them."""
    from sim.wiring.worth import worth

    scenarios: dict[str, dict[str, str]] = {}
    for part in (run.head, *run.head.get("parts", ())):
        for row in part["signatures"]:
            held = scenarios.setdefault(row["signature"]["mode"], {})
            # of a scenario that changed between two parts nothing is known
            same = held.get(row["scenario"], row["signature"]["scenario"]) == row["signature"]["scenario"]
            held[row["scenario"]] = row["signature"]["scenario"] if same else ""
    signed = {mode: row for (_, mode), row in signatures(run, judge, strict=None).items()}
    found = {mode: worth(row, scenarios[mode]) for mode, row in signed.items()}
    return {mode: one for mode, one in found.items() if one is not None}


def _merged(field: str, values: list[Any]) -> Any:
    """One value for a field over scenarios: itself where all agree, else a digest of all, field by field."""
    alike = {repr(value): value for value in values}
    different = {digest(value, 64): value for value in alike.values()}
    if len(different) == 1:
        return values[0]
    if all(isinstance(value, Mapping) for value in values):
        fields = dict.fromkeys(name for value in values for name in value)
        return {name: _merged(name, [value.get(name) for value in values]) for name in fields}
    if field == "procedure":
        return "+".join(sorted(map(str, different.values())))
    return digest(sorted(different), 64)


def _planned(head: Row) -> dict[tuple[str, str], None]:
    return dict.fromkeys((row["system"], str(row["signature"]["mode"])) for row in head["signatures"])


def _in_plan(head: Row, planned: Sequence[tuple[str, str]]) -> Callable[[Row], tuple[int, ...]]:
    """Where a line belongs: system by system and mode by mode, then trial by trial, scenario by scenario.

    Systems and modes stand as the plan first names them; what it does not name comes last.
    """
    systems = _places(system for system, _ in planned)
    modes = _places(mode for _, mode in planned)
    scenarios = _places(row["scenario"] for row in head["signatures"])

    def place(line: Row) -> tuple[int, ...]:
        key = line["key"]
        return (
            systems.get(key["system"], len(systems)),
            modes.get(str(key["mode"]), len(modes)),
            key["trial"],
            scenarios.get(key["scenario"], len(scenarios)),
            key["turn"] or 0,
        )

    return place


def _places(names: Iterable[str]) -> dict[str, int]:
    return {name: place for place, name in enumerate(dict.fromkeys(names))}


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
