"""One part of a run: the run directory, the house, and what is still to be held."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from sim.core.bus import Bus
from sim.core.errors import Problem, UsageProblem
from sim.core.identity import digest
from sim.core.studio import Setup
from sim.core.version import __version__
from sim.runs.batch import Batch, Progress
from sim.runs.plan import RunPlan
from sim.runs.store import Run, Writer, signed_in_part
from sim.wiring.session import HeldSession
from sim.wiring.studio import House


def signatures(house: House, plan: RunPlan, unseen: dict[str, None] | None = None) -> list[dict[str, Any]]:
    """The signature of each scenario × mode × system of a plan. Raises UsageProblem with all problems.

    What will not be seen or judged in any of them is put into `unseen`, each once.
    """
    found = []
    problems: dict[Problem, None] = {}
    for setup in plan.first_trial():
        try:
            session = house.start(replace(setup, record=False))
        except UsageProblem as failure:
            problems |= dict.fromkeys(failure.problems)
            continue
        if unseen is not None:
            unseen |= dict.fromkeys(session.unseen)
        found.append(
            {
                "scenario": session.scenario.id,
                "interpreter": setup.interpreter,
                "system": session.key.system,
                "signature": dict(session.plan.signature),
            }
        )
    if problems:
        raise UsageProblem(*problems)
    return found


class RunPart:
    """A run being written."""

    def __init__(self, house: House, writer: Writer) -> None:
        self.run = writer.run
        self._house = house
        self._writer = writer
        try:
            self._writer.mend()
        except UsageProblem:
            self._writer.close()
            raise
        self._attempts: Counter[str] = writer.run.attempts()

    @classmethod
    def create(cls, house: House, folder: Path, head: dict[str, Any], *, shared: bool = False) -> "RunPart":
        """A new run. Raises UsageProblem where the folder holds one or cannot be written."""
        return cls(house, Run.create(folder, head, shared=shared))

    @classmethod
    def reopen(cls, house: House, run: Run, *, allow_drift: bool = False) -> "RunPart":
        """A stopped run, to be finished.

        Raises UsageProblem where anything that signs it has changed; with `allow_drift` what follows is
        marked in run.json as a part of its own instead.
        """
        head = run.head
        if head.get("kind") != "run":
            raise UsageProblem(
                Problem("Nothing to resume", f"{run.folder} is a single conversation, not a run.")
            )
        current = signatures(house, _plan(run))
        differences = drift(signed_in_part(head, None), current)
        if differences and not allow_drift:
            raise drifted(differences)
        part = cls(house, run.writing())
        if differences:
            part.writer.begin_part(
                {"version": __version__, "differences": differences, "signatures": current}
            )
        return part

    def batch(
        self,
        concurrency: int,
        on_end: Callable[[dict[str, Any], Progress], None],
        listen: Callable[[Bus], object] = lambda bus: None,
    ) -> Batch:
        """The conversations still to be held; `listen` is given the bus of each before it starts."""
        plan = _plan(self.run)
        done = self.run.done()
        jobs = [setup for setup in plan.setups() if self._house.key(setup).hash not in done]
        before = len(plan) - len(jobs)

        def start(setup: Setup) -> HeldSession:
            session = self._start(setup)
            listen(session.bus)
            return session

        return Batch(jobs, start, total=len(plan), before=before, concurrency=concurrency, on_end=on_end)

    def _start(self, setup: Setup) -> HeldSession:
        attempt = self._attempts[self._house.key(setup).hash]
        return self._house.start(replace(setup, attempt=attempt, stream=False), store=self._writer)

    @property
    def plan(self) -> RunPlan:
        """What the run is to hold. Raises UsageProblem where run.json holds no plan."""
        return _plan(self.run)

    @property
    def writer(self) -> Writer:
        """The run's writer."""
        return self._writer

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._writer.close()


def _plan(run: Run) -> RunPlan:
    """The plan in a run.json. Raises UsageProblem where it is none."""
    try:
        return RunPlan.read(run.head["plan"])
    except (AttributeError, KeyError, TypeError, ValueError) as failure:
        raise UsageProblem(
            Problem("Damaged file", f"run.json holds no plan: {failure}.", where=str(run.folder / "run.json"))
        ) from failure


def drift(recorded: list[dict[str, Any]], current: list[dict[str, Any]]) -> list[dict[str, str]]:
    """Every difference between two lists of signatures: `what`, `was` and `is`."""
    now = {_place(row): row["signature"] for row in current}
    found: dict[str, tuple[str, str]] = {}
    for row in recorded:
        new = now.get(_place(row), {})
        for path, values in _differences(row["signature"], new, "").items():
            where = f"{row['scenario']}: {path}" if path == "scenario" else path
            found.setdefault(where, values)
    return [{"what": what, "was": was, "is": is_} for what, (was, is_) in found.items()]


def _place(row: dict[str, Any]) -> tuple[str, str, str]:
    return row["scenario"], row["system"], row["signature"]["mode"]


def drifted(differences: list[dict[str, str]]) -> UsageProblem:
    """The refusal to go on with a run under another state of things; the way on is said once."""
    way_on = (
        "One run holds one state of prompts, scenarios, judge and version: start a new run, or add "
        "a marked second part by --allow-drift."
    )
    return UsageProblem(
        *(
            Problem(
                "Run has drifted",
                f"{row['what']} was {_shortened(row['was'])} and is {_shortened(row['is'])} now.",
                way_on if row is differences[-1] else "",
            )
            for row in differences
        )
    )


def _shortened(value: str) -> str:
    """Eight places of a digest, as signatures show it; anything else as it is."""
    return value[:8] if len(value) == 64 and set(value) <= set("0123456789abcdef") else value


def _differences(was: Any, is_: Any, path: str) -> dict[str, tuple[str, str]]:
    if isinstance(was, dict) and isinstance(is_, dict):
        found: dict[str, tuple[str, str]] = {}
        for name in sorted({*was, *is_}):
            inner = f"{path}.{name}" if path else name
            found |= _differences(was.get(name), is_.get(name), inner)
        return found
    return {} if digest(was) == digest(is_) else {path: (str(was), str(is_))}
