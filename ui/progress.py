"""How far a batch has come, beside its results: a live block on a terminal, lines in a pipe.

It shows what others count, on stderr. It decides nothing, and a reader who is gone stops nothing.
"""

import asyncio
import contextlib
import os
import time
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, Self, TextIO

from sim.core.text import visible
from sim.runs.budget import Account
from sim.runs.meter import Meter

if TYPE_CHECKING:
    from rich.console import RenderableType

_FRAME = 0.25
"""Seconds between two drawings on a terminal."""
_BAR = 16
"""Columns of the bar."""
_SILENCE = 10.0
"""Seconds after which a pipe is told how far things are, though nothing ended."""


@dataclass(frozen=True, slots=True)
class Status:
    """A stage of a run, as it stands."""

    title: str
    """What is done, such as `holding conversations`."""
    total: int
    done: int
    before: int = 0
    """Of these, done in an earlier part."""
    failed: int = 0
    running: int = 0
    notice: str = ""
    """What a person should know now, such as that it is stopping."""

    def left(self, elapsed: float) -> float | None:
        """Seconds still to go at the pace so far; None before anything was done."""
        here = self.done + self.failed - self.before
        open_ = self.total - self.done - self.failed
        return elapsed * open_ / here if here > 0 else None


class Face(Protocol):
    """Where progress is shown."""

    def said(self, line: str, *, bad: bool = False) -> None:
        """Tell that something ended; `bad` for what a person should not miss."""
        ...


def lines(status: Status, meter: Meter, elapsed: float, account: Account | None = None) -> tuple[str, ...]:
    """What there is to say of a stage after so many seconds, most important first; a line each."""
    said = [f"{status.done} of {status.total}", f"{status.failed} failed", f"{status.running} running"]
    found = [", ".join([*said, _spell(elapsed), *_eta(status, elapsed)])]
    if meter.calls:
        cached = f", {meter.cached:,} from the cache" if meter.cached else ""
        found.append(
            f"{meter.calls:,} calls, {meter.rate:.1f}/s{cached}; "
            f"{meter.input_tokens:,} + {meter.output_tokens:,} tokens"
        )
    money = [*_cost(meter), *_budget(account)]
    if money:
        found.append(", ".join(money))
    for wait in meter.waits:
        seconds = "" if wait.seconds is None else f", {max(1, round(wait.seconds))} s"
        found.append(f"waiting for {visible(wait.provider)}: {visible(wait.why)}{seconds}")
    if status.notice:
        found.append(status.notice)
    return tuple(found)


def _eta(status: Status, elapsed: float) -> Iterator[str]:
    left = status.left(elapsed)
    if left:
        yield f"about {_spell(left)} left"


def _cost(meter: Meter) -> Iterator[str]:
    if meter.unpriced:
        calls = "call" if meter.unpriced == 1 else "calls"
        yield f"at least {meter.cost:.4f} USD ({meter.unpriced:,} {calls} unpriced)"
    elif meter.cost:
        yield f"{meter.cost:.4f} USD"


def _budget(account: Account | None) -> Iterator[str]:
    if account is not None:
        left = max(0.0, account.limit.amount - account.spent)
        shown = f"{left:.4f}" if account.unit == "USD" else f"{left:,.0f}"
        yield f"{shown} left of {account.limit}"


def _spell(seconds: float) -> str:
    whole = round(seconds)
    hours, minutes = divmod(whole // 60, 60)
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"


@contextlib.asynccontextmanager
async def shown(
    status: Callable[[], Status], meter: Meter, account: Account | None, err: TextIO
) -> AsyncIterator[Face]:
    """Show a stage until the block ends: `status` and `meter` are read again and again."""

    began = time.monotonic()

    def now() -> tuple[str, ...]:
        return lines(status(), meter, time.monotonic() - began, account)

    if err.isatty() and os.environ.get("TERM") != "dumb":
        block = _Block(status, now, err)
        with block:
            async with _ticking(block.draw, _FRAME):
                yield block
    else:
        pipe = _Pipe(status, now, err)
        async with _ticking(pipe.beat, _SILENCE / 4):
            yield pipe


class _Pipe:
    """Lines; where nothing ended for a while, one that says how far things are."""

    def __init__(self, status: Callable[[], Status], now: Callable[[], tuple[str, ...]], err: TextIO) -> None:
        self._status = status
        self._now = now
        self._err = err
        self._last = time.monotonic()

    def said(self, line: str, *, bad: bool = False) -> None:
        """Write a line."""
        self._last = time.monotonic()
        with contextlib.suppress(OSError, ValueError):
            print(line, file=self._err, flush=True)

    def beat(self) -> None:
        """Break a long silence."""
        if time.monotonic() - self._last >= _SILENCE:
            self.said(f"{self._status().title}: {'; '.join(self._now())}")


class _Block:
    """A few lines at the bottom of a terminal, drawn over; what failed stays above them."""

    def __init__(self, status: Callable[[], Status], now: Callable[[], tuple[str, ...]], err: TextIO) -> None:
        from rich.console import Console
        from rich.live import Live

        self._status = status
        self._now = now
        self._last = ""
        self._console = Console(file=err, highlight=False, markup=False, emoji=False)
        self._live = Live(
            console=self._console,
            auto_refresh=False,
            get_renderable=self._drawn,
            vertical_overflow="ellipsis",
            redirect_stdout=False,
        )

    def __enter__(self) -> Self:
        self._live.start(refresh=True)
        return self

    def __exit__(self, *raised: object) -> None:
        self.draw()
        with contextlib.suppress(OSError, ValueError):
            self._live.stop()

    def said(self, line: str, *, bad: bool = False) -> None:
        """Show a line as the latest, or for good where it is `bad`."""
        if not bad:
            self._last = line
            return
        with contextlib.suppress(OSError, ValueError):
            self._console.print(line, style="red", soft_wrap=True)

    def draw(self) -> None:
        """Draw anew; a terminal that is gone is no reason to stop."""
        with contextlib.suppress(OSError, ValueError):
            self._live.refresh()

    def _drawn(self) -> "RenderableType":
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        def line(text: str, style: str = "") -> Text:
            return Text(text, style=style, no_wrap=True, overflow="ellipsis")

        status = self._status()
        first, *more = self._now()
        head = Table.grid(padding=(0, 1))
        bar = ProgressBar(
            status.total, status.done, width=_BAR, complete_style="cyan", finished_style="green"
        )
        head.add_row(bar, line(first))
        return Group(line(status.title, "bold"), head, *map(line, [*more, *filter(None, [self._last])]))


@contextlib.asynccontextmanager
async def _ticking(beat: Callable[[], object], seconds: float) -> AsyncIterator[None]:
    """Call `beat` every so many seconds while the block lasts."""

    async def tick() -> None:
        while True:
            await asyncio.sleep(seconds)
            beat()

    task = asyncio.create_task(tick())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
