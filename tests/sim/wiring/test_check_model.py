"""What `models check` tells of a server, from what a client publishes."""

from collections.abc import Mapping
from typing import Any

import pytest

from sim.core.events import CallFinished
from sim.core.ports import CallScope, Completion, Request
from sim.wiring.check_model import tried


class Asked:
    """A client that sends what it is told to and answers one word."""

    name = "m"
    identity: Mapping[str, Any] = {"parameters": {"reasoning_effort": "low", "top_k": 3}}

    def __init__(self, sent: dict[str, Any], host: str) -> None:
        self._sent, self._host = sent, host

    async def complete(self, request: Request, scope: CallScope) -> Completion:
        scope.publish(
            CallFinished(
                turn=0,
                role="interpreter",
                model="m",
                outcome="ok",
                input_tokens=None,
                output_tokens=None,
                cost=None,
                cost_status="unknown",
                cached=False,
                seconds=0.1,
                attempts=3,
                sent=self._sent,
                host=self._host,
            )
        )
        return Completion("ok", "ready", "ready", "text")

    async def aclose(self) -> None:
        return None


@pytest.mark.parametrize(
    ("sent", "host", "left_out"),
    [
        ({"reasoning_effort": "low", "top_k": 3}, "gate.example", ()),
        ({"stream": True, "top_k": 3}, "gate.example", ("reasoning_effort",)),
        ({}, "gate.example", ("reasoning_effort", "top_k")),
        ({}, "", ()),
    ],
)
async def test_all_that_was_refused_is_told(
    sent: dict[str, Any], host: str, left_out: tuple[str, ...]
) -> None:
    ways = [one async for one in tried(Asked(sent, host))]
    assert [one.left_out for one in ways] == [left_out] * 3
