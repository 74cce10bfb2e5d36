"""`skopos replay`: play the journal of a recorded conversation again, on a screen, as lines or JSON."""

import argparse
import asyncio
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.commands import errors, options
from sim.commands.watch import NOTES, SETTINGS, face, held, starting
from sim.core.bus import Bus
from sim.core.control import Control
from sim.core.errors import Problem, UsageProblem
from sim.core.events import ConversationStarted, Event, Paused, Resumed, TurnRequested
from sim.core.ports import Seat
from sim.core.record import fold
from sim.core.studio import Session, Setup
from sim.core.values import Scenario, Speaker
from sim.runs.journal import read_journal
from sim.runs.places import places, run_folder
from sim.runs.store import Run

if TYPE_CHECKING:
    from ui.pace import Pace


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `replay`."""
    parser.add_argument("run", metavar="RUN", help="folder of a run, or id of a record")
    options.add_faces(parser)


def run(args: argparse.Namespace) -> int:
    """Replay every conversation of a run, in the order of their journals; the exit code.

    On a screen one at a time, each at the reader's pace. Raises UsageProblem where there are none, and for
    damaged journals once all others were played.
    """
    folder = run_folder(args.run, places())
    paths = list(Run(folder).journals())
    if not paths:
        raise UsageProblem(Problem("Nothing to replay", "The run has no journals.", where=str(folder)))
    if face(args) == "screen":
        return _browse(paths)
    problems: list[Problem] = []
    for path in paths:
        try:
            asyncio.run(_replay(_events(path), args))
        except UsageProblem as failure:
            problems += failure.problems
    if problems:
        raise UsageProblem(*problems)
    return errors.OK


def _browse(paths: list[Path]) -> int:
    """Show the conversations on the screen, from one to the next as the reader goes on; the exit code.

    Damaged ones are passed over. Raises UsageProblem for them at the end.
    """
    place, step, code = 0, 1, errors.OK
    problems: list[Problem] = []
    while step and paths:
        try:
            code, step = asyncio.run(_on_screen(paths[place], (place, len(paths))))
            place += step
        except UsageProblem as damaged:
            problems += damaged.problems
            del paths[place]
            place = min(max(place + min(step, 0), 0), len(paths) - 1)
    if problems:
        raise UsageProblem(*problems)
    return code


async def _on_screen(path: Path, place: tuple[int, int]) -> tuple[int, int]:
    """The exit code, and by how many conversations the reader goes on."""
    with starting():
        from ui.app import run_app
        from ui.mishaps import noted
        from ui.pace import Pace
        from ui.screens.replay import ReplayScreen
        from ui.settings import Settings

        pace, settings = Pace(), Settings(places().data / SETTINGS)
        recording = _recording(_events(path), pace)
    screens: list[ReplayScreen] = []

    def kind(session: Session, state: Any) -> ReplayScreen:
        screens.append(ReplayScreen(session, state, settings, pace, place))
        return screens[-1]

    with noted(places().logs / NOTES, errors.say):
        code = await held(run_app(recording, kind=kind), lambda _: errors.OK)
    return code, screens[-1].onward if code == errors.OK else 0


def _events(path: Path) -> tuple[Event, ...]:
    """The events of a journal, which begin with the conversation's start. Raises UsageProblem."""
    events = tuple(read_journal(path))
    if not events or not isinstance(events[0], ConversationStarted):
        raise UsageProblem(
            Problem("Nothing to replay", "The journal does not begin with a conversation.", where=str(path))
        )
    return events


class Recording:
    """A recorded conversation in the place of a live one: fills the `Session` port."""

    notices: tuple[str, ...] = ("replayed from its journal",)
    seats: Mapping[Speaker, Seat] = {}

    def __init__(
        self,
        events: tuple[Event, ...],
        scenario: Scenario,
        *,
        labels: tuple[str, ...] = (),
        pace: "Pace | None" = None,
    ) -> None:
        """Without a `pace` it is played as fast as it is read."""
        self._events = events
        self._pace = pace
        self.scenario = scenario
        self.labels = labels
        self.bus = Bus(events[0].conversation)
        self.control = Control(self.bus)

    async def run(self) -> dict[str, Any]:
        """Publish the recorded events; the document of `--json`."""
        from sim.wiring.session import document

        async with self.bus:
            before = 0.0
            for event in self._events:
                if self._pace is not None:
                    await self._pace.wait(event.t - before, turn=isinstance(event, TurnRequested))
                    before = event.t
                if await self.control.gate() is not None:
                    break
                self.bus.republish(event)
                await asyncio.sleep(0)
        signature = self._events[0].model_dump(mode="json")["signature"]
        return document(fold(self.bus.journal), signature)


def _recording(events: tuple[Event, ...], pace: "Pace | None" = None) -> Recording:
    """The recording of these events, with its labels where it is played at a pace."""
    from scenarios import loader
    from sim.wiring.bare import bare_scenario
    from sim.wiring.cast import labels

    start = events[0].model_dump(mode="json")
    try:
        scenario = loader.find(start["scenario"])
    except UsageProblem:
        # a chat had none, and a file may be gone: the journal has all that was said
        scenario = bare_scenario((start["pair"][0], start["pair"][1]))
    if pace is None:
        return Recording(events, scenario)
    acts = (event for event in events if not isinstance(event, Paused | Resumed))  # the reader's count now
    played = tuple(event.model_copy(update={"seq": seq}) for seq, event in enumerate(acts))
    users = start["users"]
    setup = Setup(
        None, interpreter=str(start["system"].get("model")), user_a=users.get("A"), user_b=users.get("B")
    )
    return Recording(played, scenario, labels=labels(setup), pace=pace)


async def _replay(events: tuple[Event, ...], args: argparse.Namespace) -> None:
    from ui import plain

    faces = {"json": plain.json_face, "events": plain.events_face}
    await faces.get(face(args), plain.watch_plain)(_recording(events), sys.stdout)
