"""Calls that must fit a model's context: the oldest lines go first, and the record says so.

The provider's own refusal is the count: tokenizers differ, and only the model knows its own. It must
not cut a text in two; what is left out is left out whole.
"""

from collections.abc import Awaitable, Callable

from sim.core.errors import CallFailed, FaultKind
from sim.core.events import ContextTrimmed
from sim.core.ports import CallScope, Client, Completion, Request


async def complete_fitting(
    client: Client, request: Callable[[int], Awaitable[Request]], lines: int, scope: CallScope
) -> Completion:
    """Ask with all of `lines` earlier lines, then with half as many of the newest, down to none.

    `request` builds the call with so many of the newest earlier lines. Raises CallFailed: with
    CONTEXT_LENGTH only where even no earlier line leaves enough room.
    """
    kept = lines
    while True:
        try:
            return await client.complete(await request(kept), scope)
        except CallFailed as failure:
            if failure.kind is not FaultKind.CONTEXT_LENGTH or kept == 0:
                raise
            kept //= 2
            scope.publish(ContextTrimmed(role=scope.role, kept=kept, dropped=lines - kept))
