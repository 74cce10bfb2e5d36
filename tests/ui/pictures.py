"""The pictures the snapshot tests compare: `python -m tests.ui.pictures` draws them anew.

Look at each one that changed before it is committed (`rsvg-convert`, or a browser).
"""

import asyncio
import re
from collections.abc import Awaitable, Callable
from pathlib import Path

from textual.pilot import Pilot

from sim.core import events as ev
from sim.core.errors import FaultKind, Layer
from sim.core.studio import Setup
from sim.core.values import Basis, Criterion, MeaningCheck, Mode, Scenario, Verdict
from tests.ui.demo import ASKS, LINES
from tests.ui.fake import LOW, OK, WRONG, FakeSession, FakeStudio, judged, said, scenario, started, verdict
from ui.app import SkoposApp
from ui.home import HomeApp
from ui.settings import Settings
from ui.text import Bidi
from ui.widgets.transcript import Transcript

FOLDER = Path(__file__).with_name("snapshots")
SIZES = ((80, 24), (140, 40))
PAIRS = (("arb", "ben"), ("kor", "arb"))
Picture = Callable[[tuple[int, int]], Awaitable[str]]

_LINES: dict[tuple[str, str], list[tuple[str, str | None]]] = {
    ("arb", "ben"): LINES["arb", "ben"],
    ("kor", "arb"): [
        ("내일 아침 혈액 검사가 있으니 오늘 밤 열 시부터는 아무것도 드시지 마세요.", "غدًا صباحًا فحص دم (CBC)، فلا تأكل شيئًا بعد الساعة 10 ليلًا."),
        ("السعر 150 دولار (USD)؟ مرحبا Dr. Kim", "150달러요? 안녕하세요, 김 선생님."),
        ("네, 혈압약은 물 한 모금하고 같이 드셔도 괜찮습니다.", "نعم، يمكنك تناول دواء الضغط مع رشفة ماء."),
    ],
}  # fmt: skip


def _house(pair: tuple[str, str]) -> Scenario:
    context = "A mother asks the teacher of a language school whether her daughter may start on Sunday."
    return scenario(pair, relation={"A": "mother", "B": "teacher"}, conversation_context=context)


def _criteria(index: int) -> tuple[Criterion, ...]:
    return tuple(
        Criterion(id=f"t{index}.{layer.lower()}.c{n}", layer=layer, ask=ask)
        for n, (layer, ask, _) in enumerate(ASKS)
    )


def _verdicts(index: int) -> list[Verdict]:
    """One of each: met, not met, unjudged, failed system, language gate, not reached."""
    kinds: list[tuple[bool | None, Basis]] = [
        (True, Basis.JUDGED),
        (False, Basis.JUDGED),
        (False, Basis.SYSTEM_FAILURE),
        (False, Basis.LANGUAGE_GATE),
        (False, Basis.NOT_REACHED),
        (None, Basis.UNJUDGED),
    ]
    return [
        verdict(c, met, ASKS[n][2], basis=basis)
        for n, (c, (met, basis)) in enumerate(zip(_criteria(index), kinds, strict=True))
    ]


def _streaming(house: Scenario, pair: tuple[str, str]) -> list[ev.Event]:
    first, second, third = _LINES[pair][:3]
    waiting = ev.Waiting(turn=2, who="interpreter", why="rate limit", until=3.0)
    words = (third[1] or "").split()
    return [
        started(house),
        *said(house, 0, *first, criteria=_criteria(0)),
        *said(house, 1, *second, criteria=_criteria(1), check=LOW),
        *judged(0, [verdict(c, n != 3, ASKS[n][2]) for n, c in enumerate(_criteria(0))]),
        *said(house, 2, third[0], None, criteria=_criteria(2))[:-1],
        *(
            ev.TranslationDelta(turn=2, part=n, text=f"{word} ")
            for n, word in enumerate(words[: len(words) // 2 + 1])
        ),
        waiting,
    ]


def _everything(house: Scenario, pair: tuple[str, str]) -> list[ev.Event]:
    lines = _LINES[pair]
    whole = (Criterion(id="c.l1.names", layer="L1", ask="Does the translation keep names the same?"),)
    faults = [
        ev.FaultRaised(
            turn=2, layer=Layer.SYSTEM, who="interpreter", kind=FaultKind.BLOCKED, what="Blocked."
        ),
        ev.FaultRaised(turn=1, layer=Layer.JUDGE, who="judge", kind=FaultKind.UNPARSEABLE, what="maybe??"),
    ]
    return [
        started(house),
        *said(house, 0, *lines[0], criteria=_criteria(0), check=WRONG, flags=("wrong_language", "echo")),
        *said(house, 1, *lines[1], criteria=_criteria(1), check=LOW),
        *judged(0, _verdicts(0)),
        *said(house, 2, lines[2][0], None, criteria=_criteria(2)),
        *faults,
        *judged(1, [verdict(c, True) for c in _criteria(1)]),
        *judged(2, [verdict(c, False, basis=Basis.SYSTEM_FAILURE) for c in _criteria(2)]),
        ev.FaultRaised(layer=Layer.INFRASTRUCTURE, who="judge", kind=FaultKind.UNAVAILABLE, what="Gone."),
        ev.ChecklistReady(procedure="conversation", criteria=whole),
        *judged(None, [verdict(whole[0], True)]),
    ]


def _surface(house: Scenario, pair: tuple[str, str]) -> list[ev.Event]:
    """Free talk: surface checks that find nothing, one that does, and a doubt about the meaning."""
    first, second = _LINES[pair][:2]
    found = [(0, True), (1, False)]
    doubt = MeaningCheck(result="doubtful", cosine=0.22)
    events: list[ev.Event] = [started(house, Mode.DYNAMIC_FREE)]
    for (index, well), line in zip(found, (first, second), strict=True):
        asked = _criteria(index)[:3]
        spoken = said(house, index, *line)
        events += [event for event in spoken if not isinstance(event, ev.ChecklistReady)]
        events += [ev.MeaningChecked(turn=index, check=doubt)] * (not well)
        events.append(ev.ChecklistReady(turn=index, procedure="live", criteria=asked, provisional=True))
        verdicts = [
            verdict(c, well or n > 0, ASKS[n][2] if n else "", provisional=True) for n, c in enumerate(asked)
        ]
        events += judged(index, verdicts)
    return events


def _chatting(house: Scenario, pair: tuple[str, str]) -> list[ev.Event]:
    first, second = _LINES[pair][:2]
    flags: tuple[ev.Flag, ...] = ("length_ratio",)
    return [
        started(house, Mode.DYNAMIC_FREE),
        *said(house, 0, *first),
        *said(house, 1, *second, check=OK, flags=flags),
        ev.TurnRequested(turn=2, speaker="A", language=pair[0]),
    ]


def normalised(svg: str) -> str:
    """A picture without what differs from one drawing to the next: ids, clock, fonts' addresses."""
    svg = re.sub(r"terminal-\d+", "terminal", svg)
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    return re.sub(r"\b\d:\d\d(?=(&#160;){2})", "0:00", svg)


async def draw(
    session: FakeSession,
    events: list[ev.Event],
    size: tuple[int, int],
    *,
    chat: bool = False,
    keys: tuple[str, ...] = (),
) -> str:
    """The screen once it has drawn `events`, and `keys` were pressed."""
    for event in events:
        if event.lossless:
            session.bus.publish(event)
    settings = Settings()
    settings.remember(Bidi.ON)
    app = SkoposApp(session, chat=chat, settings=settings)
    async with session.bus, app.run_test(size=size) as pilot:
        await _drawn(pilot, events, session)
        await pilot.press(*keys)
        await pilot.pause()
        return normalised(app.export_screenshot(title="skopos"))


async def _drawn(pilot: Pilot[None], events: list[ev.Event], session: FakeSession) -> None:
    app = pilot.app
    assert isinstance(app, SkoposApp)
    await app.painted.wait()
    for event in events:
        if not event.lossless:
            session.bus.publish(event)
    arriving = [e.text for e in events if isinstance(e, ev.TranslationDelta)]
    async with asyncio.timeout(10):
        while arriving and arriving[-1] not in app.state.turns[2].arriving:
            await pilot.pause(0.01)
    await pilot.pause(0.1)


def live(
    pair: tuple[str, str], events: Callable[[Scenario, tuple[str, str]], list[ev.Event]], *keys: str
) -> Picture:
    """A picture of the live screen."""

    async def picture(size: tuple[int, int]) -> str:
        house = _house(pair)
        session = FakeSession([], of=house, labels=("weak interpreter",))
        return await draw(session, events(house, pair), size, keys=keys)

    return picture


def chat(pair: tuple[str, str], *keys: str) -> Picture:
    """A picture of the chat screen, with something written."""

    async def picture(size: tuple[int, int]) -> str:
        house = _house(pair)
        notices = ("The text stays on this machine.", "The record lies in ~/.local/share/skopos.")
        session = FakeSession([], of=house, seats=("A",), labels=("weak interpreter",), notices=notices)
        return await draw(session, _chatting(house, pair), size, chat=True, keys=keys)

    return picture


async def home(size: tuple[int, int]) -> str:
    """A picture of the home screen, with a setting being chosen."""
    scenarios = tuple(
        scenario(
            pair,
            id=f"{pair[0]}-{pair[1]}-school",
            setting="school",
            relation={"A": "mother", "B": "teacher"},
            conversation_context=_house(pair).conversation_context,
            turns=[
                {"index": n, "speaker": "AB"[n % 2], "source": source, "reference": reference or "–"}
                for n, (source, reference) in enumerate(_LINES[pair])
            ],
        )
        for pair in PAIRS
    )
    app = HomeApp(FakeStudio(scenarios), Setup(scenario="kor-arb-school"))
    async with app.run_test(size=size) as pilot:
        async with asyncio.timeout(10):
            while not app.home.is_mounted or app.home.query_one(Transcript).marked is None:
                await pilot.pause(0.01)
        await pilot.press("up", "tab", "tab", "down")
        await pilot.pause()
        return normalised(app.export_screenshot(title="skopos"))


PICTURES: dict[str, Picture] = {
    "home": home,
} | {
    f"{name}-{'-'.join(pair)}": make
    for pair in PAIRS
    for name, make in (
        ("live-streaming", live(pair, _streaming)),
        ("live-everything", live(pair, _everything, "up", "up")),
        ("live-surface", live(pair, _surface)),
        ("chat", chat(pair, *("ا", "ل", "س", "ع", "ر") if pair[0] == "arb" else ("한", "국"))),
    )
}


def path(name: str, size: tuple[int, int]) -> Path:
    """Where a picture lies."""
    return FOLDER / f"{name}-{size[0]}x{size[1]}.svg"


async def main() -> None:
    """Draw them all anew."""
    FOLDER.mkdir(exist_ok=True)
    for name, picture in PICTURES.items():
        for size in SIZES:
            path(name, size).write_text(await picture(size), encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(main())
