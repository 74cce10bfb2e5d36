"""A client as one role asks it: under the name a person wrote, with the parameters of that role.

It stands outside the call cache, so that parameters are part of what is looked up.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from agents.models.wrapped import Wrapped
from sim.core.ports import CallScope, Client, Completion, Request


class AskingClient(Wrapped):
    """`client` with parameters of its own; fills the Client port."""

    def __init__(self, client: Client, name: str, parameters: Mapping[str, Any]) -> None:
        super().__init__(client)
        self._name = name
        self._parameters = dict(parameters)

    @property
    def name(self) -> str:
        """As the person wrote it."""
        return self._name

    @property
    def identity(self) -> Mapping[str, Any]:
        """The client's, and the parameters that are asked of it."""
        known = dict(self._client.identity)
        return known | {"parameters": self._parameters} if self._parameters else known

    async def complete(self, request: Request, scope: CallScope) -> Completion:
        """The client's answer; what a person asked for goes before what the role would send. Raises CallFailed."""
        parameters = {**request.parameters, **self._parameters}
        return await self._client.complete(replace(request, parameters=parameters), scope)
