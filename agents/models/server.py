"""A local model as a managed child process.

One server a GGUF, started by its first call, reached over loopback with a random key; calls queue up
here, for it answers one at a time. A native crash takes the child along, not the program; what it said
last goes into the fault of the call it broke off, and the next call starts another child.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from agents.models.redact import Redactor
from agents.models.wire import AttemptFailed
from sim.core.errors import FaultKind

_ALLOWED = ("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "TEMP", "SYSTEMROOT", "LD_LIBRARY_PATH")
_LOG_LINES = 12


@dataclass(frozen=True, slots=True)
class Address:
    """Where the child listens."""

    base: str
    key: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """How a model is loaded."""

    context: int = 4096
    """Tokens."""
    threads: int = 0
    """0 takes the processors this process may use, at most 8."""
    prompt_cache: int = 128 * 2**20
    """Bytes of saved prompt states."""
    deadline: float = 120.0
    """Seconds until it must answer after the start."""
    chat_format: str | None = None
    """None takes the template in the file; base models without one get their text unadorned."""


class LocalServer:
    """The child process of one GGUF file."""

    def __init__(
        self,
        model: Callable[[], Path],
        log: Path,
        settings: ServerSettings,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """`model` gives the path of the GGUF and may take long; `log` is the child's own log file."""
        self._model = model
        self._log = log
        self._settings = settings
        self._environment = os.environ if environment is None else environment
        self._key = secrets.token_urlsafe(24)
        self._redact = Redactor.of(self._environment, self._key)
        self._child: subprocess.Popen[bytes] | None = None
        self._address: Address | None = None
        self._starting = asyncio.Lock()
        self._queue = asyncio.Lock()
        self._closed = False
        self._crashed = False

    @property
    def pid(self) -> int | None:
        """The child's process id, None before it is started."""
        return self._child.pid if self._child else None

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[Address]:
        """Wait for the server's attention; its address. Raises AttemptFailed (CRASHED)."""
        async with self._queue:
            # in the queue: an address got before it may be that of a child that has died since
            yield await self.start()

    async def start(self) -> Address:
        """Start the child if it is not running; its address. Raises AttemptFailed (CRASHED)."""
        async with self._starting:
            if self._closed:
                raise AttemptFailed(FaultKind.CRASHED, "its server was closed")
            self._bury()
            if self._address is None:
                self._address = await self._launch()
            return self._address

    @property
    def fresh(self) -> bool:
        """Whether it is not running: the next call waits for the model to load."""
        dead = self._child is not None and self._child.poll() is not None
        return (self._address is None or dead) and not self._closed

    async def gone(self) -> bool:
        """Whether the child has ended by itself; a dying one gets a moment to be dead."""
        return self._child is not None and not self._closed and await _ended(self._child, 0.2)

    def crash(self) -> AttemptFailed:
        """The dead child as a fault, with its last log lines."""
        code = self._child.poll() if self._child else None
        end = f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"
        why = f"its server ended ({end}); the log is {self._log}"
        return AttemptFailed(FaultKind.CRASHED, why, detail=self._last_lines())

    async def aclose(self) -> None:
        """End the child: within 3 seconds, also in mid-generation. Its log stays only if it had crashed."""
        child, closed = self._child, self._closed
        self._closed, self._address = True, None
        if child is None or closed:
            return
        crashed = self._crashed or child.poll() is not None
        for end in (_hang_up, subprocess.Popen.terminate, subprocess.Popen.kill):
            end(child)
            if await _ended(child, 1.0):
                break
        if child.stdout is not None:
            child.stdout.close()
        if not crashed:
            self._log.unlink(missing_ok=True)

    def _bury(self) -> None:
        """Forget a child that has ended by itself, so that another is started; its log is kept."""
        child = self._child
        if child is None or child.poll() is None:
            return
        for pipe in (child.stdin, child.stdout):
            if pipe is not None:
                pipe.close()
        self._child, self._address, self._crashed = None, None, True

    async def _launch(self) -> Address:
        model = await asyncio.to_thread(self._model)
        self._child = child = await asyncio.to_thread(self._spawn, model)
        try:
            async with asyncio.timeout(self._settings.deadline):
                return await self._first_answer(child)
        except TimeoutError:
            child.kill()
            why = f"its server did not answer within {self._settings.deadline:g} s of its start"
            raise AttemptFailed(FaultKind.CRASHED, why, detail=self._last_lines()) from None
        except asyncio.CancelledError:
            child.kill()
            raise

    async def _first_answer(self, child: subprocess.Popen[bytes]) -> Address:
        assert child.stdout is not None
        line = await _line(child.stdout, child)
        if not line:
            await _ended(child, 2.0)
            raise self.crash()
        address = Address(f"http://127.0.0.1:{json.loads(line)['port']}/v1", self._key)
        await self._healthy(address)
        return address

    def _spawn(self, model: Path) -> subprocess.Popen[bytes]:
        self._log.parent.mkdir(parents=True, exist_ok=True)
        environment = {k: v for k, v in self._environment.items() if k in _ALLOWED}
        environment |= {"SKOPOS_SERVER_KEY": self._key, "PYTHONUNBUFFERED": "1", "PYTHONUTF8": "1"}
        launcher = Path(__file__).with_name("launcher.py")
        command = [sys.executable, "-P", str(launcher), json.dumps(self._loading(model))]
        with self._log.open("ab") as log:
            return subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                env=environment,
                start_new_session=True,
            )

    def _loading(self, model: Path) -> dict[str, Any]:
        # one processor is left to the conversation: threads that wait for each other on a full one crawl
        threads = self._settings.threads or max(1, min(8, _processors() - 1))
        return {
            "model": str(model),
            "model_alias": "local",
            "n_ctx": self._settings.context,
            "n_batch": 256,
            "logits_all": False,
            "n_threads": threads,
            "n_threads_batch": threads,
            "cache": self._settings.prompt_cache > 0,
            "cache_size": self._settings.prompt_cache,
            "chat_format": self._settings.chat_format,
            "verbose": False,
        }

    async def _healthy(self, address: Address) -> None:
        """Wait until the server answers; the caller sets the deadline."""
        import aiohttp

        headers = {"Authorization": f"Bearer {address.key}"}
        async with aiohttp.ClientSession(headers=headers, trust_env=False) as session:
            while True:
                try:
                    async with session.get(f"{address.base}/models") as response:
                        if response.status == 200:
                            return
                except aiohttp.ClientError:
                    pass
                if await self.gone():
                    raise self.crash()

    def _last_lines(self) -> str:
        try:
            text = self._log.read_text("utf-8", errors="replace")
        except OSError:
            return ""
        return self._redact("\n".join(text.splitlines()[-_LOG_LINES:]))


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


async def _line(pipe: IO[bytes], child: subprocess.Popen[bytes]) -> bytes:
    """The first line of a pipe, read in a thread; a cancelled reader ends the child, or the thread stays."""
    reading = asyncio.ensure_future(asyncio.to_thread(pipe.readline))
    try:
        return await asyncio.shield(reading)
    except asyncio.CancelledError:
        child.kill()
        await reading
        raise


def _hang_up(child: subprocess.Popen[bytes]) -> None:
    if child.stdin is not None:
        child.stdin.close()


async def _ended(child: subprocess.Popen[bytes], seconds: float) -> bool:
    """Whether the child ends within `seconds`."""
    try:
        await asyncio.to_thread(child.wait, seconds)
    except subprocess.TimeoutExpired:
        return False
    return True
