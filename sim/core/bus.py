"""The event bus of one conversation.

`publish` stamps, journals and hands out; it never waits, so no publisher can hang on a reader. A
participant has a lossless queue. An observer has a bounded one and a task of its own: when it falls
behind it gets one Gap and reloads from the journal, when it raises it is dropped and logged. Neither
can delay or break a turn. The bus must not learn what the events mean.
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime
from types import TracebackType
from typing import Self, TypeVar

from sim.core.events import Event, Gap

_log = logging.getLogger(__name__)
E = TypeVar("E", bound=Event)
Handler = Callable[[Event], Awaitable[None]]

_OBSERVER_GRACE = 2.0
"""Seconds an observer may go on after the last event."""


class Subscription:
    """A participant's lossless queue, read with `async for` until the bus closes."""

    def __init__(self) -> None:
        self._queue: asyncio.Queue[Event | None] = asyncio.Queue()

    def put(self, event: Event | None) -> None:
        """Add an event, or None for the end."""
        self._queue.put_nowait(event)

    async def __aiter__(self) -> AsyncIterator[Event]:
        async for events in self.groups():
            for event in events:
                yield event

    async def groups(self) -> AsyncIterator[tuple[Event, ...]]:
        """All events that wait, each time some do, until the bus closes."""
        ended = False
        while not ended:
            waiting = [await self._queue.get()]
            while not self._queue.empty():
                waiting.append(self._queue.get_nowait())
            ended = waiting[-1] is None
            yield tuple(event for event in waiting if event is not None)


class _Observer:
    def __init__(self, name: str, handler: Handler, capacity: int) -> None:
        self.name = name
        self._handler = handler
        self._queue: asyncio.Queue[Event | None] = asyncio.Queue(capacity)
        self._missed: Event | None = None
        self._closing = False
        self.task = asyncio.create_task(self._run(), name=f"observer {name}")

    def put(self, event: Event) -> None:
        if self._missed is None and not self._queue.full():
            self._queue.put_nowait(event)
        elif event.lossless and self._missed is None:
            self._missed = event

    def close(self) -> None:
        self._closing = True
        if not self._queue.full():
            self._queue.put_nowait(None)

    async def _run(self) -> None:
        try:
            while True:
                if self._queue.empty():
                    await self._report_gap()
                    if self._closing and self._queue.empty():
                        return
                event = await self._queue.get()
                if event is not None:
                    await self._handler(event)
        except Exception:
            _log.exception("observer %s failed and was dropped", self.name)

    async def _report_gap(self) -> None:
        missed, self._missed = self._missed, None
        if missed is not None:
            gap = Gap(first=missed.seq or 0)
            await self._handler(
                gap.model_copy(update={"conversation": missed.conversation, "at": missed.at, "t": missed.t})
            )


class Bus:
    """One conversation's bus; use it with `async with`."""

    def __init__(self, conversation: str) -> None:
        self.conversation = conversation
        """`<key hash>-<attempt>`."""
        self._journal: list[Event] = []
        self._participants: list[Subscription] = []
        self._observers: list[_Observer] = []
        self._started: float | None = None
        self._closed = False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    @property
    def journal(self) -> tuple[Event, ...]:
        """Every lossless event so far."""
        return tuple(self._journal)

    def since(self, seq: int) -> tuple[Event, ...]:
        """The lossless events from `seq` on: what an observer reloads after a Gap."""
        return tuple(self._journal[seq:])

    def publish(self, event: E) -> E:
        """Stamp `event`, journal it, hand it out; returns the stamped event. Never waits.

        Raises RuntimeError after the bus is closed.
        """
        if self._closed:
            raise RuntimeError(f"{event.type} published on a closed bus")
        stamped = self._stamp(event)
        self.republish(stamped)
        return stamped

    def republish(self, event: Event) -> None:
        """Journal and hand out an event that has its stamp already: one of a recorded conversation."""
        if event.lossless:
            self._journal.append(event)
            for participant in self._participants:
                participant.put(event)
        for observer in self._observers:
            observer.put(event)

    def _stamp(self, event: E) -> E:
        now = time.monotonic()
        if self._started is None:
            self._started = now
        return event.model_copy(
            update={
                "conversation": self.conversation,
                "seq": len(self._journal) if event.lossless else None,
                "at": datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
                "t": round(now - self._started, 6),
            }
        )

    def subscribe(self) -> Subscription:
        """A lossless queue of every event from now on (deltas excepted)."""
        subscription = Subscription()
        self._participants.append(subscription)
        return subscription

    def observe(self, name: str, handler: Handler, *, capacity: int = 1024) -> None:
        """Call `handler` with every event from now on, deltas included, in a task of its own."""
        self._observers.append(_Observer(name, handler, capacity))

    async def close(self) -> None:
        """Tell every reader that nothing more comes; observers get a short grace to finish."""
        if self._closed:
            return
        self._closed = True
        for participant in self._participants:
            participant.put(None)
        for observer in self._observers:
            observer.close()
        tasks = [observer.task for observer in self._observers]
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=_OBSERVER_GRACE)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)
