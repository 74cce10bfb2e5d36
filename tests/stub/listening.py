"""Ears on the way out: a proxy that only listens, and a resolver that only writes down.

For tests of where text goes. Neither lets anything through to anyone.
"""

from __future__ import annotations

import socket
import threading
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

import pytest

PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "WS_PROXY", "WSS_PROXY")
"""Each is set in both spellings."""


class ListeningProxy:
    """Accepts every connection, keeps the first bytes that come and hangs up."""

    def __init__(self) -> None:
        self.heard: list[bytes] = []
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=64)
        self._socket.settimeout(0.1)
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._listen, name="listening-proxy", daemon=True)

    @property
    def url(self) -> str:
        """As it stands in `HTTP_PROXY`."""
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}"

    def environment(self) -> dict[str, str]:
        """Every proxy variable set to it, and no exception from them."""
        named = dict.fromkeys(PROXIES, self.url) | {name.lower(): self.url for name in PROXIES}
        return named | {"NO_PROXY": "", "no_proxy": ""}

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ending.set()
        self._thread.join(10)
        self._socket.close()

    def _listen(self) -> None:
        while not self._ending.is_set():
            try:
                connection, _ = self._socket.accept()
            except TimeoutError:
                continue
            with connection:
                connection.settimeout(1)
                try:
                    self.heard.append(connection.recv(65536))
                except OSError:
                    self.heard.append(b"")


@dataclass
class RecordingResolver:
    """Writes down every host that is looked up; each is said to be this machine, where nobody listens."""

    hosts: list[str] = field(default_factory=list)

    @property
    def outside(self) -> set[str]:
        """The hosts that are not this machine."""
        return {host for host in self.hosts if host not in ("", "localhost", "127.0.0.1", "::1")}

    def install(self, patch: pytest.MonkeyPatch) -> None:
        """Take the place of the system's resolver in this process."""
        real = socket.getaddrinfo

        def getaddrinfo(host: Any, port: Any, *more: Any, **named: Any) -> Any:
            name = host.decode("ascii", "replace") if isinstance(host, bytes) else str(host or "")
            self.hosts.append(name)
            return real(host if name not in self.outside else "127.0.0.1", port, *more, **named)

        patch.setattr(socket, "getaddrinfo", getaddrinfo)
