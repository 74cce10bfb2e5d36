"""Connections to a model's server: one session, the proxy that is in the way, and what went wrong on the way.

This machine is reached without any proxy, whatever the environment says. Bodies and headers are bounded. It
knows no protocol above HTTP.
"""

from __future__ import annotations

import ipaddress
import socket
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from agents.models.wire import AttemptFailed
from sim.core.errors import FaultKind

if TYPE_CHECKING:
    import aiohttp

LONGEST = 32 << 20
"""Bytes of a body, or of a whole stream."""
_CONNECTING = 20.0
"""Seconds until a connection must stand."""


class Connections:
    """One server's. Nothing is opened before it is used; for one event loop."""

    def __init__(self, base: str, *, timeout: float) -> None:
        """`timeout` is in seconds, for one exchange. Raises AttemptFailed for an address that is none."""
        self._base = base.rstrip("/")
        self._timeout = timeout
        self._session: aiohttp.ClientSession | None = None
        self._proxy: str | None = None

    @asynccontextmanager
    async def post(
        self, path: str, body: bytes, headers: Mapping[str, str]
    ) -> AsyncIterator[aiohttp.ClientResponse]:
        """The response to one request. Raises AttemptFailed, also where reading it breaks off."""
        import aiohttp

        url = f"{self._base}{path}"
        try:
            session = self._session or self._opened()
            # no redirects: the text would go to a host that nobody was told of
            async with session.post(
                url, data=body, headers=headers, proxy=self._proxy, allow_redirects=False
            ) as response:
                yield response
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as error:
            raise _failed(error, self._base, self._proxy) from error

    async def aclose(self) -> None:
        """Close the connections."""
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    def _opened(self) -> aiohttp.ClientSession:
        import aiohttp

        _refuse_odd(self._base)
        self._proxy = proxy_of(self._base)
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0, ttl_dns_cache=300),
            timeout=aiohttp.ClientTimeout(total=self._timeout, sock_connect=_CONNECTING),
            trust_env=False,  # the proxy is chosen here: for each request aiohttp would look again
        )
        return self._session


async def read(response: aiohttp.ClientResponse) -> bytes:
    """The whole body. Raises AttemptFailed where it has no end."""
    pieces, size = [], 0
    async for piece in response.content.iter_any():
        pieces.append(piece)
        size += len(piece)
        if size > LONGEST:
            raise too_long()
    return b"".join(pieces)


def too_long() -> AttemptFailed:
    """A reply without an end."""
    return AttemptFailed(FaultKind.UNAVAILABLE, f"a reply of more than {LONGEST >> 20} MB")


def is_loopback(base: str) -> bool:
    """Whether an address is this machine's own."""
    host = (urlsplit(base).hostname or "").rstrip(".").casefold()
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def proxy_of(base: str) -> str | None:
    """The environment's proxy on the way to an address, None for this machine and for hosts without one."""
    parts = urlsplit(base)
    if is_loopback(base) or proxy_bypass(parts.netloc.rpartition("@")[2]):
        return None
    found = getproxies()
    return found.get(parts.scheme) or found.get("all") or None


def _refuse_odd(base: str) -> None:
    parts = urlsplit(base)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise AttemptFailed(FaultKind.BAD_REQUEST, f"its address {base!r} is no http:// or https:// address")
    proxy = proxy_of(base)
    if proxy is not None and urlsplit(proxy).scheme not in ("http", "https", ""):
        raise AttemptFailed(
            FaultKind.UNAVAILABLE,
            f"the environment's proxy {_bare(proxy)} speaks {urlsplit(proxy).scheme}; an http:// one can be "
            f"used, or none by NO_PROXY={parts.hostname}",
        )


def _failed(error: Exception, base: str, proxy: str | None) -> AttemptFailed:
    """What went wrong on the way, as a failed attempt: what another attempt may mend is marked so."""
    import aiohttp

    where = urlsplit(base).netloc.rpartition("@")[2]
    way = f" by the proxy {_bare(proxy)}" if proxy else ""
    detail = f"{type(error).__name__}: {error}"
    if isinstance(error, aiohttp.ClientConnectorCertificateError | aiohttp.ClientSSLError | ssl.SSLError):
        return AttemptFailed(FaultKind.UNAVAILABLE, f"no safe connection to {where}{way}", detail=detail)
    if isinstance(error, aiohttp.ClientConnectorDNSError | socket.gaierror):
        return AttemptFailed(FaultKind.UNAVAILABLE, f"no such host: {where}{way}", detail=detail)
    if isinstance(error, ConnectionRefusedError) or isinstance(
        getattr(error, "os_error", None), ConnectionRefusedError
    ):
        here = is_loopback(base)
        why = f"nothing listens at {where}" if here and not proxy else f"{where} refused the connection{way}"
        return AttemptFailed(FaultKind.UNAVAILABLE, why, detail=detail, retryable=not here)
    if isinstance(error, aiohttp.InvalidURL | ValueError):
        return AttemptFailed(FaultKind.BAD_REQUEST, f"its address {base!r} cannot be used", detail=detail)
    if isinstance(error, TimeoutError):
        return AttemptFailed(FaultKind.TIMEOUT, f"timeout{way}", detail=detail, retryable=True)
    return AttemptFailed(
        FaultKind.UNAVAILABLE, f"no whole answer from the server{way}", detail=detail, retryable=True
    )


def _bare(proxy: str | None) -> str:
    """A proxy's address without a login in it."""
    return (proxy or "").rpartition("@")[2].removeprefix("http://").removeprefix("https://")
