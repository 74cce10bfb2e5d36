"""What the live screen takes with 10,000 turns: opening, a key while text streams, memory.

The app runs as on a terminal, but for a driver that keeps what would be written. A key is timed from
the moment it is put in the app's queue until the frame that answers it is written.
"""

import asyncio
import gc
import os
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from textual import events
from textual.app import ReturnType
from textual.drivers.headless_driver import HeadlessDriver

from sim.core import events as ev
from sim.core.values import Scenario
from tests.bench.machine import write
from tests.ui.fake import FakeSession, criterion, judged, said, scenario, started, verdict
from ui.app import SkoposApp
from ui.state import ConversationState

TURNS = 10_000
OPENINGS = 7
PRESSES = 80
SIZE = (120, 40)
PAIR = ("arb", "ben")
LINES = (
    ("هل يمكن أن تبدأ ابنتي يوم الأحد في الساعة 8:30؟", "আমার মেয়ে কি রবিবার সকাল ৮:৩০টায় শুরু করতে পারে?"),
    ("হ্যাঁ, রবিবার থেকেই পারবে, তবে ভর্তির ফি আগে দিতে হবে।", "نعم، يمكنها البدء يوم الأحد، لكن رسوم التسجيل 1500 تاكا (BDT) تُدفع مقدّمًا."),
)  # fmt: skip
CRITERIA = tuple(criterion(layer, n) for n, layer in enumerate(("L1", "L2", "L2", "L3", "L3")))


class Terminal(HeadlessDriver):
    """A terminal that is there, and whose frames are kept no longer than they are waited for."""

    frame: Callable[[str], None] = staticmethod(lambda _: None)

    @property
    def is_headless(self) -> bool:
        """False: frames are to be rendered in full."""
        return False

    def write(self, data: str) -> None:
        """Hand on one frame."""
        type(self).frame(data)


def turn(of: Scenario, index: int) -> list[ev.Event]:
    """All events of one turn; one criterion in five is not met."""
    given = [verdict(c, (index + n) % 5 != 0, "Too plain for an elder.") for n, c in enumerate(CRITERIA)]
    return [*said(of, index, *LINES[index % 2], criteria=CRITERIA), *judged(index, given)]


def recorded(turns: int) -> FakeSession:
    """A session with so many turns behind it."""
    session = FakeSession([], of=scenario(PAIR))
    session.bus.publish(started(session.scenario))
    for index in range(turns):
        for event in turn(session.scenario, index):
            session.bus.publish(event)
    return session


async def painted(wanted: Callable[[str], bool], act: Callable[[], object]) -> float:
    """Seconds from `act` to the first frame that `wanted` accepts."""
    seen = asyncio.Event()
    Terminal.frame = staticmethod(lambda data: seen.set() if wanted(data) else None)
    begun = time.perf_counter()
    act()
    async with asyncio.timeout(30):
        await seen.wait()
    return time.perf_counter() - begun


async def opened(session: FakeSession) -> tuple[float, SkoposApp, "asyncio.Task[ReturnType | None]"]:
    """Open a screen over `session`; seconds until its last turn stood on it."""
    running: list[tuple[SkoposApp, asyncio.Task[None]]] = []

    def start() -> None:
        app = SkoposApp(session)
        app.driver_class = Terminal
        running.append((app, asyncio.create_task(app.run_async(size=SIZE))))

    last = max(session_turns(session) - 1, 0)
    seconds = await painted(lambda data: f"Turn {last} " in data, start)
    return seconds, *running[0]


def session_turns(session: FakeSession) -> int:
    """How many turns were judged."""
    return sum(isinstance(event, ev.TurnJudged) for event in session.bus.journal)


async def openings(session: FakeSession) -> list[float]:
    """Seconds to open it, several times."""
    taken = []
    for _ in range(OPENINGS):
        gc.collect()
        seconds, app, task = await opened(session)
        taken.append(seconds)
        app.exit()
        await task
    return taken


def folding(session: FakeSession) -> float:
    """Seconds to fold the journal alone."""
    state = ConversationState(session.scenario)
    begun = time.perf_counter()
    for event in session.bus.journal:
        state.take(event)
    return time.perf_counter() - begun
