"""Many conversations at once: bounded, fair between systems, each redone only if it is missing.

It starts what it is given and stops when told; it knows no model and computes no score.
"""

import asyncio
from collections import Counter, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Protocol

from sim.core.errors import FaultKind, Layer
from sim.core.identity import ConversationKey, digest
from sim.core.studio import Setup
from sim.core.values import EndReason

_System = tuple[str, str | None, str | None, str]


def _system(job: Setup) -> _System:
    return job.interpreter, job.brief, job.history, digest(dict(job.parameters))


class Held(Protocol):
    """A session with its key."""

    @property
    def key(self) -> ConversationKey:
        """What makes this conversation the one it is."""
        ...

    async def run(self) -> dict[str, Any]:
        """Hold it; the document of `--json`."""
        ...


_HOPELESS = (FaultKind.AUTHENTICATION, FaultKind.QUOTA)

Start = Callable[[Setup], Held]
"""Prepares one conversation, recorded in the run."""


@dataclass(slots=True)
class Progress:
    """How far a batch has come; counts of conversations."""

    total: int
    before: int = 0
    """Held in an earlier part of the run."""
    ended: Counter[str] = field(default_factory=Counter)
    """By end reason, in this part."""
    running: int = 0
    """Being held now."""
    stopped: bool = False
    """Whether it was asked to finish early."""
    refused: str | None = None
    """Why the whole batch stopped: a fault that every further conversation would meet."""
    given_up: dict[str, str] = field(default_factory=dict)
    """Why an interpreter is asked no more while others are, by its name."""
    exhausted: str | None = None
    """Why nothing more may be started: a budget or a deadline."""
    judge_failed: str | None = None
    """The first fault of a judge: its criteria are unjudged, the conversations are held."""

    @property
    def held(self) -> int:
        """Conversations with a record."""
        return self.before + sum(n for reason, n in self.ended.items() if EndReason(reason).recorded)

    @property
    def failed(self) -> int:
        """Conversations of this part that ended without a record."""
        return sum(self.ended.values()) + self.before - self.held

    @property
    def missing(self) -> int:
        """Conversations without one."""
        return self.total - self.held


class Batch:
    """One part of a run."""

    def __init__(
        self,
        jobs: Iterable[Setup],
        start: Start,
        *,
        total: int,
        before: int,
        concurrency: int,
        on_end: Callable[[dict[str, Any], Progress], None] = lambda document, progress: None,
    ) -> None:
        """`jobs` are the setups still to be held; `on_end` is told of each conversation that ended."""
        self._queues: dict[_System, deque[Setup]] = {}
        self._interpreters = set[str]()
        for job in jobs:
            self._interpreters.add(job.interpreter)
            self._queues.setdefault(_system(job), deque()).append(job)
        self._running: Counter[_System] = Counter()
        self._start = start
        self._concurrency = concurrency
        self._on_end = on_end
        self.progress = Progress(total, before)

    def finish(self) -> None:
        """Start no further conversation; what runs is held to its end."""
        self.progress.stopped = True

    def expire(self, why: str) -> None:
        """Start no further conversation, because a budget or the time is used up."""
        self.progress.exhausted = self.progress.exhausted or why
        self.finish()

    async def run(self) -> Progress:
        """Hold all jobs, or as many as were started before `finish`.

        Raises what a session raises: a record that cannot be written ends the batch.
        """
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(min(self._concurrency, self.progress.missing)):
                    group.create_task(self._work())
        except ExceptionGroup as failures:
            raise failures.exceptions[0] from failures
        return self.progress

    async def _work(self) -> None:
        while (job := self._next_job()) is not None:
            self._running[_system(job)] += 1
            self.progress.running += 1
            document = await self._start(job).run()
            self._running[_system(job)] -= 1
            self.progress.running -= 1
            record = document["conversation"]
            self.progress.ended[record["end_reason"]] += 1
            self._look_at_faults(job, record)
            self._on_end(document, self.progress)

    def _next_job(self) -> Setup | None:
        """The next conversation of the system that has the fewest running; None when all is started.

        So a slow system, or one held back by its provider, cannot take all the places.
        """
        given_up = self.progress.given_up
        open_ = [system for system, jobs in self._queues.items() if jobs and system[0] not in given_up]
        if self.progress.stopped or not open_:
            return None
        return self._queues[min(open_, key=self._running.__getitem__)].popleft()

    def _look_at_faults(self, job: Setup, record: dict[str, Any]) -> None:
        """A wrong key fails every conversation of its model, an empty purse every call: ask no more."""
        for fault in [record["fault"], *(turn["fault"] for turn in record["turns"])]:
            if not fault:
                continue
            said = f"{fault['who']}: {fault['what']}"
            if fault["kind"] == FaultKind.BUDGET:
                self.expire("the budget is used up")
            elif fault["layer"] == Layer.JUDGE:
                self.progress.judge_failed = self.progress.judge_failed or said
            elif fault["kind"] in _HOPELESS and record["end_reason"] == EndReason.INFRASTRUCTURE:
                self._give_up(job, said, alone=fault["who"] == "interpreter")

    def _give_up(self, job: Setup, said: str, *, alone: bool) -> None:
        """Start nothing more that would meet this fault: an interpreter's own is met by none of the others."""
        if alone:
            self.progress.given_up.setdefault(job.interpreter, said)
        if not alone or self._interpreters <= self.progress.given_up.keys():
            self.progress.refused = said
            self.finish()
