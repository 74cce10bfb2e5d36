"""`skopos replay`: play the journal of a recorded conversation again, as lines, events or JSON."""

import argparse
import asyncio
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sim.commands import errors, options
from sim.core.bus import Bus
from sim.core.control import Control
from sim.core.errors import Problem, UsageProblem
from sim.core.events import ConversationStarted, Event
from sim.core.ports import Seat
from sim.core.record import fold
from sim.core.values import Scenario, Speaker
from sim.runs.journal import read_journal
from sim.runs.places import places, run_folder
from sim.runs.store import Run


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `replay`."""
    parser.add_argument("run", metavar="RUN", help="folder of a run, or id of a record")
    options.add_faces(parser, screen=False)


def run(args: argparse.Namespace) -> int:
    """Replay every conversation of a run, in the order of their journals; the exit code.

    Raises UsageProblem for damaged journals, once all others were played.
    """
    problems: list[Problem] = []
    for path in Run(run_folder(args.run, places())).journals():
        try:
            asyncio.run(_replay(_events(path), args))
        except UsageProblem as failure:
            problems += failure.problems
    if problems:
        raise UsageProblem(*problems)
    return errors.OK


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

    labels: tuple[str, ...] = ()
    notices: tuple[str, ...] = ("replayed from its journal",)
    seats: Mapping[Speaker, Seat] = {}

    def __init__(self, events: tuple[Event, ...], scenario: Scenario) -> None:
        self._events = events
        self.scenario = scenario
        self.bus = Bus(events[0].conversation)
        self.control = Control(self.bus)

    async def run(self) -> dict[str, Any]:
        """Publish the recorded events, as fast as they are read; the document of `--json`."""
        from sim.wiring.session import document

        async with self.bus:
            for event in self._events:
                self.bus.republish(event)
                await asyncio.sleep(0)
        signature = self._events[0].model_dump(mode="json")["signature"]
        return document(fold(self.bus.journal), signature)


async def _replay(events: tuple[Event, ...], args: argparse.Namespace) -> None:
    from scenarios import loader
    from sim.wiring.studio import bare_scenario
    from ui import plain

    start = events[0].model_dump(mode="json")
    try:
        scenario = loader.find(start["scenario"])
    except UsageProblem:
        # a chat had none, and a file may be gone: the journal has all that was said
        scenario = bare_scenario((start["pair"][0], start["pair"][1]))
    face = plain.json_face if args.json else plain.events_face if args.events else plain.watch_plain
    await face(Recording(events, scenario), sys.stdout)
