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
from textual.drivers.headless_driver import HeadlessDriver

from sim.core import events as ev
from sim.core.values import LayerName, Scenario
from tests.bench.machine import write
from tests.ui.fake import FakeSession, criterion, judged, said, scenario, started, verdict
from ui.app import SkoposApp

TURNS = 10_000
OPENINGS = 7
PRESSES = 200
PASSES = 2
SIZE = (120, 40)
PAIR = ("arb", "ben")
LINES = (
    ("هل يمكن أن تبدأ ابنتي يوم الأحد في الساعة 8:30؟", "আমার মেয়ে কি রবিবার সকাল ৮:৩০টায় শুরু করতে পারে?"),
    ("হ্যাঁ, রবিবার থেকেই পারবে, তবে ভর্তির ফি আগে দিতে হবে।", "نعم، يمكنها البدء يوم الأحد، لكن رسوم التسجيل 1500 تاكا (BDT) تُدفع مقدّمًا."),
)  # fmt: skip
LAYERS: tuple[LayerName, ...] = ("L1", "L2", "L2", "L3", "L3")
CRITERIA = tuple(criterion(layer, number) for number, layer in enumerate(LAYERS))


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


async def opened(
    session: FakeSession, shown: str | None = None
) -> tuple[float, SkoposApp, asyncio.Task[None]]:
    """Open a screen over `session`; seconds until its last turn, or the text `shown`, stood on it."""
    running: list[tuple[SkoposApp, asyncio.Task[None]]] = []

    def start() -> None:
        app = SkoposApp(session)
        app.driver_class = Terminal
        running.append((app, asyncio.create_task(app.run_async(size=SIZE))))

    wanted = shown or f"Turn {max(session_turns(session) - 1, 0)} "
    seconds = await painted(lambda data: wanted in data, start)
    return seconds, *running[0]


def session_turns(session: FakeSession) -> int:
    """How many turns were judged."""
    return sum(isinstance(event, ev.TurnJudged) for event in session.bus.journal)


async def openings(session: FakeSession, shown: str | None = None) -> list[float]:
    """Seconds to open it, several times."""
    taken = []
    for _ in range(OPENINGS):
        gc.collect()
        seconds, app, task = await opened(session, shown)
        taken.append(seconds)
        app.exit()
        await task
    return taken


async def stream(session: FakeSession, first: int) -> None:
    """Go on talking from turn `first`: a piece of a translation every 20 ms, turn after turn."""
    index = first
    while True:
        *before, arrived, checked, delivered = said(session.scenario, index, *LINES[index % 2])
        for event in before:
            session.bus.publish(event)
        for part, word in enumerate(LINES[index % 2][1].split()):
            session.bus.publish(ev.TranslationDelta(turn=index, part=part, text=f"{word} "))
            await asyncio.sleep(0.02)
        for event in (arrived, checked, delivered, *judged(index, [])):
            session.bus.publish(event)
        index += 1


async def pressed(app: SkoposApp, key: str, answers: Callable[[SkoposApp], object]) -> float:
    """Seconds from a key to the first frame after the screen's answer to it."""
    before = answers(app)
    return await painted(lambda _: answers(app) != before, lambda: app.post_message(events.Key(key, None)))


async def keys(session: FakeSession) -> list[float]:
    """Seconds from key to paint while a transcript streams: moving the mark, and looking for failures."""
    _, app, task = await opened(session, f"turns {TURNS}")
    streaming = asyncio.create_task(stream(session, TURNS))
    taken = []
    for number in range(PRESSES):
        await asyncio.sleep(0.03)  # so that keys meet the stream at any point of its beat
        taken.append(await pressed(app, ("up", "up", "f", "down")[number % 4], _marked))
    streaming.cancel()
    app.exit()
    await asyncio.gather(task, streaming, return_exceptions=True)
    return taken


def _marked(app: SkoposApp) -> object:
    return app.view.transcript.marked


def resident() -> float:
    """MB this process holds."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


async def scrolled(session: FakeSession) -> list[float]:
    """MB when opened, and after each way through all of it, page by page."""
    _, app, task = await opened(session)
    gc.collect()
    held = [resident()]
    view = app.view.transcript
    for _ in range(PASSES):
        view.action_scroll_home()
        while view.scroll_y < view.max_scroll_y:
            await painted(lambda _: True, view.action_page_down)
        gc.collect()
        held.append(resident())
    app.exit()
    await task
    return held


def _row(name: str, seconds: list[float], limit: str) -> str:
    median, most = statistics.median(seconds) * 1000, max(seconds) * 1000
    return f"| {name} | {median:.0f} | {min(seconds) * 1000:.0f} | {most:.0f} | {limit} |"


async def measure() -> str:
    """All figures as Markdown."""
    short, long = recorded(3), recorded(TURNS)
    opened_short, opened_long = await openings(short), await openings(long)
    counted = await openings(long, f"turns {TURNS}")
    events_held = len(long.bus.journal)
    held = await scrolled(long)
    pressed_keys = await keys(long)
    for session in (short, long):
        await session.bus.close()
    return "\n".join(
        [
            f"{TURNS:,} turns in Arabic and Bengali with {len(CRITERIA)} verdicts each, {SIZE[0]}×{SIZE[1]} cells. "
            "From the making of the app to the frame with the last turn and its checklist, and to the "
            f"one whose header counts all turns ({OPENINGS} times each, imports done before); from a key to the frame that answers it, while a "
            f"translation streams a word every 20 ms ({PRESSES} keys: up, down, next failure).",
            "",
            "| ms | median | least | most | asked |",
            "| --- | --- | --- | --- | --- |",
            _row("opening 3 turns", opened_short, "–"),
            _row(f"opening {TURNS:,} turns", opened_long, "≤ 300"),
            _row("until all of it is counted in the header", counted, "–"),
            _row("key to paint", pressed_keys, "median ≤ 30"),
            "",
            "| resident memory | MB | asked |",
            "| --- | --- | --- |",
            f"| opened, with its journal of {events_held:,} events | {held[0]:.0f} | – |",
            *(
                f"| scrolled through page by page, time {number} | {size:.0f} | flat |"
                for number, size in enumerate(held[1:], 1)
            ),
            "",
            f"Load of the machine over the last minute: {os.getloadavg()[0]:.1f}.",
        ]
    )


def main() -> None:
    """Measure and write docs/bench/screen.md."""
    write("screen", "The live screen", "python -m tests.bench.screen", asyncio.run(measure()))


if __name__ == "__main__":
    main()
