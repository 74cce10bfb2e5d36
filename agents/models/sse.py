"""Server-sent events out of bytes: where one ends, what its data is.

As the standard says (WHATWG HTML, section 9.2): lines end in LF, CR or CRLF, comments are skipped, several
data lines are one document. Linear in what is fed, and bounded. What the data means is not its business.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Iterator

LONGEST = 32 << 20
"""Bytes of one event."""


class TooLong(ValueError):
    """An event without an end."""


class EventSplitter:
    """Fed with bytes as they come; gives the data of each event that ended."""

    def __init__(self) -> None:
        self._rest: list[bytes] = []
        """The line that has no end yet, in pieces."""
        self._held = 0
        self._data: list[bytes] = []
        self._after_cr = False
        self._begun = False

    def feed(self, piece: bytes) -> Iterator[bytes]:
        """The data of the events that end in `piece`. Raises TooLong."""
        if self._after_cr and piece:
            piece, self._after_cr = piece.removeprefix(b"\n"), False
        *lines, rest = piece.splitlines(keepends=True) or [b""]
        if rest.endswith((b"\n", b"\r")):
            lines.append(rest)
            rest = b""
        self._after_cr = piece.endswith(b"\r")
        for line in lines:
            whole = b"".join((*self._rest, line))
            self._rest.clear()
            yield from self._line(whole.rstrip(b"\r\n"))
        self._rest += [rest] if rest else []
        self._held += len(piece)
        if self._held > LONGEST:
            raise TooLong(f"an event of more than {LONGEST >> 20} MB")

    def finish(self) -> Iterator[bytes]:
        """The data of an event that the end of the stream ended: some servers send no blank line last."""
        rest = b"".join(self._rest)
        self._rest.clear()
        if rest:
            yield from self._line(rest)
        yield from self._event()

    def _line(self, line: bytes) -> Iterator[bytes]:
        if not self._begun:
            line, self._begun = line.removeprefix(BOM_UTF8), True
        if not line:
            yield from self._event()
            return
        name, _, value = line.partition(b":")
        if name == b"data":
            self._data.append(value.removeprefix(b" "))

    def _event(self) -> Iterator[bytes]:
        data, self._data, self._held = b"\n".join(self._data), [], 0
        if data.strip():
            yield data
