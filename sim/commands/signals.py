"""What Ctrl-C and SIGTERM do: the first asks to finish, the second stops at once."""

import asyncio
import contextlib
import signal
from collections.abc import Callable, Iterator

from sim.commands import errors


class Interruption:
    """Which signal came first, if any."""

    def __init__(self) -> None:
        self.signal: signal.Signals | None = None

    @property
    def code(self) -> int | None:
        """The exit code of the signal that came, None where none did."""
        if self.signal is None:
            return None
        return errors.TERMINATED if self.signal is signal.SIGTERM else errors.INTERRUPTED

    def cancelled(self) -> None:
        """What ran was cancelled; if by none of the signals seen here, by a Ctrl-C that came before them."""
        self.signal = self.signal or signal.SIGINT


@contextlib.contextmanager
def interruptible(first: Callable[[], object], second: Callable[[], object]) -> Iterator[Interruption]:
    """Call `first` on the first SIGINT or SIGTERM, `second` on every further one."""
    loop = asyncio.get_running_loop()
    seen = Interruption()

    def handle(number: signal.Signals) -> None:
        if seen.signal is None:
            seen.signal = number
            first()
        else:
            second()

    numbers = (signal.SIGINT, signal.SIGTERM)
    for number in numbers:
        loop.add_signal_handler(number, handle, number)
    try:
        yield seen
    finally:
        for number in numbers:
            loop.remove_signal_handler(number)
