"""Holding one conversation to its end while its journal is written.

The journal is a participant: it loses nothing, and a disk that refuses ends the conversation with a
clear problem instead of a record with holes.
"""

import asyncio
from pathlib import Path

from sim.core.bus import Bus
from sim.core.conversation import Conversation
from sim.runs.journal import Journal
from sim.runs.store import unwritable


async def hold(conversation: Conversation, bus: Bus, journal: Journal | None, folder: Path | None) -> None:
    """Run `conversation` and close `bus`; every event is in the journal on return.

    Raises UsageProblem where the journal cannot be written. A cancellation is let through once the
    journal has the end of the conversation.
    """
    if journal is None or folder is None:
        try:
            await conversation.run()
        finally:
            await bus.close()
        return
    writing = asyncio.create_task(journal.write(bus.subscribe()))
    holding = asyncio.create_task(conversation.run())
    try:
        await asyncio.wait({writing, holding}, return_when=asyncio.FIRST_COMPLETED)
        if writing.done():
            holding.cancel()
        await holding
    except asyncio.CancelledError:
        holding.cancel()
        await asyncio.gather(holding, return_exceptions=True)
        if not _refused(writing):
            raise
    finally:
        await bus.close()
        await asyncio.gather(writing, return_exceptions=True)
        journal.close()
    if isinstance(failure := writing.exception(), OSError):
        raise unwritable(folder, failure)


def _refused(writing: "asyncio.Task[None]") -> bool:
    return writing.done() and not writing.cancelled() and isinstance(writing.exception(), OSError)
