"""Work on text that others wrote, kept off the event loop where the text is long.

What people say in a turn is read at once, as a thread costs more than the reading. It must not make
anything faster or safer by itself: the work has to be linear in the text, and a thread cannot be stopped.
"""

import asyncio
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
LONG = 4_000
"""Characters from which on reading them may take more than 10 ms."""


async def beside(length: int, work: Callable[[], T]) -> T:
    """What `work` gives, done in a thread where it reads `length` ≥ `LONG` characters. Raises what it raises."""
    return work() if length < LONG else await asyncio.to_thread(work)
