import errno
import threading
from collections.abc import Callable

import pytest
from textual.drivers._writer_thread import MAX_QUEUED_WRITES, WriterThread

from ui.app import SkoposApp
from ui.hangup import Lasting


class Gone:
    """The output of a terminal that fails as one that was closed does, or in another way."""

    def __init__(self, number: int) -> None:
        self.number = number

    def write(self, text: str) -> None:
        raise OSError(self.number, "gone")

    def flush(self) -> None:
        raise OSError(self.number, "gone")


class App:
    """Counts how often it is asked to leave."""

    def __init__(self) -> None:
        self.left = 0

    def call_later(self, action: Callable[[], None]) -> None:
        action()

    def action_leave(self) -> None:
        self.left += 1


class Terminal:
    """What a driver keeps."""

    def __init__(self, file: object) -> None:
        self._app = App()
        self._file = file


class LastingTerminal(Lasting, Terminal):
    """As the screen's driver is made."""


def _fill(writer: WriterThread) -> None:
    for _ in range(3 * MAX_QUEUED_WRITES):
        writer.write("x")


def test_writing_goes_on_when_the_terminal_has_gone() -> None:
    terminal = LastingTerminal(Gone(errno.EIO))
    writer = WriterThread(terminal._file)
    writer.start()
    work = threading.Thread(target=_fill, args=(writer,), daemon=True)
    work.start()
    work.join(10)
    assert not work.is_alive()
    writer.stop()
    assert terminal._app.left == 1


def test_another_error_is_raised() -> None:
    with pytest.raises(OSError, match="gone"):
        LastingTerminal(Gone(errno.ENOSPC))._file.write("x")


def test_the_screen_is_driven_so() -> None:
    assert issubclass(SkoposApp.get_driver_class(SkoposApp.__new__(SkoposApp)), Lasting)
