"""Real terminals for tests: a bare pseudo-terminal everywhere, and tmux where it is installed."""

import fcntl
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import termios
import time
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

PATIENCE = 30.0
"""Seconds a program may take to show what is waited for."""
_SEQUENCE = re.compile(r"\x1b(?:\[[0-9;?<=>]*[A-Za-z]|[78=>]|[\]P].*?(?:\x07|\x1b\\))", re.DOTALL)
_CODES = {"Up": "\x1b[A", "Down": "\x1b[B", "Escape": "\x1b", "Enter": "\r", "Space": " ", "C-c": "\x03"}


class Terminal(Protocol):
    """A terminal with a shell in it."""

    def press(self, *keys: str) -> None:
        """Press keys, by tmux's names."""
        ...

    def seen(self) -> str:
        """The text on the screen, or written since the last key."""
        ...

    def close(self) -> None:
        """End the shell."""
        ...


class Pty:
    """A pseudo-terminal; it shows what was written since the last key."""

    def __init__(self, folder: Path, environment: Mapping[str, str], size: tuple[int, int]) -> None:
        self._child, self._terminal = pty.fork()
        if self._child == 0:
            os.chdir(folder)
            os.execve("/bin/sh", ["sh"], dict(environment))
        rows = struct.pack("HHHH", size[1], size[0], 0, 0)
        fcntl.ioctl(self._terminal, termios.TIOCSWINSZ, rows)
        self._output = b""

    def press(self, *keys: str) -> None:
        """Press keys."""
        self._output = b""
        os.write(self._terminal, "".join(_CODES.get(key, key) for key in keys).encode())

    def seen(self) -> str:
        """The text written since the last key."""
        while select.select([self._terminal], [], [], 0.02)[0]:
            self._output += os.read(self._terminal, 65536)
        return _SEQUENCE.sub("", self._output.decode(errors="replace"))

    def close(self) -> None:
        """End the shell."""
        os.kill(self._child, signal.SIGKILL)
        os.waitpid(self._child, 0)
        os.close(self._terminal)


class Tmux:
    """A tmux server of its own; it shows what is on the screen."""

    def __init__(self, folder: Path, environment: Mapping[str, str], size: tuple[int, int]) -> None:
        self._server = f"skopos-{uuid.uuid4().hex[:12]}"
        self._environment = dict(environment)
        across, down = map(str, size)
        self._run("new-session", "-d", "-x", across, "-y", down, "-c", str(folder), "/bin/sh")

    def _run(self, *command: str) -> str:
        line = ["tmux", "-L", self._server, "-f", "/dev/null", *command]
        done = subprocess.run(line, env=self._environment, check=True, capture_output=True, text=True)
        return done.stdout

    def press(self, *keys: str) -> None:
        """Press keys."""
        self._run("send-keys", *keys)

    def seen(self) -> str:
        """The text on the screen."""
        return self._run("capture-pane", "-p")

    def close(self) -> None:
        """End the server."""
        self._run("kill-server")


KINDS = (Pty, Tmux) if shutil.which("tmux") else (Pty,)
"""The terminals this machine has."""


def wait_for(terminal: Terminal, *texts: str) -> str:
    """The screen once all of `texts` are on it. Raises AssertionError with the screen if they never are."""
    end, seen = time.monotonic() + PATIENCE, ""
    while time.monotonic() < end:
        seen = terminal.seen()
        if all(text in seen for text in texts):
            return seen
        time.sleep(0.05)
    raise AssertionError(f"{texts} not in:\n{seen}")
