"""Lines typed by a person, read without blocking the loop and without keeping the process alive.

The thread reads the descriptor itself where there is one: a thread that sleeps inside a buffered
stream holds its lock, and the interpreter cannot shut down around it. Works for a terminal, a pipe
and a file.
"""

import asyncio
import codecs
import os
import threading
from collections.abc import AsyncIterator, Iterator
from typing import TextIO


class LineReader:
    """An async iterator over the lines of `stream`, without their line ends; ends at end of file."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        threading.Thread(target=self._read, name="line reader", daemon=True).start()

    async def __aiter__(self) -> AsyncIterator[str]:
        while (line := await self._lines.get()) is not None:
            yield line

    def _read(self) -> None:
        try:
            for line in self._raw_lines():
                self._loop.call_soon_threadsafe(self._lines.put_nowait, line)
            self._loop.call_soon_threadsafe(self._lines.put_nowait, None)
        except RuntimeError:
            return  # the loop is closed: nobody listens any more

    def _raw_lines(self) -> Iterator[str]:
        try:
            descriptor = self._stream.fileno()
        except OSError:
            yield from (line.rstrip("\r\n") for line in self._stream)
            return
        yield from _decoded_lines(descriptor, self._stream.encoding or "utf-8")


def _decoded_lines(descriptor: int, encoding: str) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    rest = ""
    while chunk := _read_some(descriptor):
        *lines, rest = (rest + decoder.decode(chunk)).split("\n")
        yield from (line.removesuffix("\r") for line in lines)
    rest += decoder.decode(b"", final=True)
    if rest:
        yield rest


def _read_some(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 65536)
    except OSError:
        return b""  # the terminal went away: the same as end of file
