"""What every client around another client has in common: it goes by the inner one's name.

A wrapper says in `complete` what it adds; one that changed answers would need an identity of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sim.core.ports import Client


class Wrapped:
    """Name, identity and closing of `client`."""

    def __init__(self, client: Client) -> None:
        self._client = client

    @property
    def name(self) -> str:
        """As the user wrote it."""
        return self._client.name

    @property
    def identity(self) -> Mapping[str, Any]:
        """The client's."""
        return self._client.identity

    async def aclose(self) -> None:
        """Close the client."""
        await self._client.aclose()
