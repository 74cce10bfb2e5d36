"""Conversations in which one role meets one fault each, all held together in one house."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agents.models.pacing import Lane, Rate
from agents.models.registry import ModelPool
from agents.models.wrapped import Wrapped
from sim.core.ports import CallScope, Client, Completion, Request
from sim.core.studio import Setup
from sim.core.values import Mode
from sim.runs.places import Places
from sim.wiring.studio import House
from tests.agents.models.helpers import Clock
from tests.agents.providers.cases import Case, slug
from tests.agents.providers.replies import as_fault
from tests.agents.providers.uses import SCENARIO
from tests.stub.providers import everyone
from tests.stub.providers.compatible import asked
from tests.stub.providers.server import Server

ATTEMPTS = 3
ROLES = ("interpreter", "judge", "user")
GOOD = "openai/gpt-4o"


class QuickHouse(House):
    """A house in which no time passes while it waits, and which streams whatever is asked where told to."""

    def __init__(self, where: Places, *, streams: bool) -> None:
        super().__init__(where, cache=False)
        self._clock = Clock()
        policy = self._clock.policy(attempts=ATTEMPTS)
        self._pool = ModelPool(models=where.models, logs=where.logs, policy=policy)
        self._streams = streams

    def _lane(self, name: str) -> Lane:
        lane = Lane(Rate(), clock=lambda: self._clock.now, sleep=self._clock.sleep)
        return self._lanes.setdefault(name, lane)

    def _client(self, name: str, *, cached: bool) -> Client:
        client = super()._client(name, cached=cached)
        return Streaming(client) if self._streams else client


class Streaming(Wrapped):
    """Asks for every answer in pieces; fills the Client port."""

    async def complete(self, request: Request, scope: CallScope) -> Completion:
        """The client's answer. Raises CallFailed."""
        deliver = scope.on_delta or (lambda piece: None)
        return await self._client.complete(replace(request, stream=True), replace(scope, on_delta=deliver))


def setup(role: str, model: str) -> Setup:
    """A conversation of two turns in which `role` is taken by `model`, everybody else by what does its part."""
    shared = Setup(SCENARIO.id, interpreter="reference", judge="none", turns=2, record=False, stream=False)
    match role:
        case "interpreter":
            return replace(shared, interpreter=model)
        case "judge":
            return replace(shared, judge=model)
    return replace(shared, mode=Mode.DYNAMIC_GUIDED, user_a=model, user_b=GOOD)


def model(case: Case) -> str:
    """The model that answers as a case says."""
    return f"openai/{slug(case.name)}"


def install(server: Server, cases: Iterator[Case] | list[Case]) -> None:
    """Make the stub answer as the cases say."""
    shape = server["openai"]
    for case in cases:
        shape.faults[slug(case.name)] = as_fault(case.says, lambda body: shape.brain.answer(asked(body)))


@contextmanager
def ready(server: Server) -> Iterator[None]:
    """The stubs named in the environment, with an empty memory."""
    server.forget()
    with pytest.MonkeyPatch.context() as patch:
        for name, value in everyone.environment(server).items():
            patch.setenv(name, value)
        yield


async def _held(house: House, one: Setup) -> dict[str, Any]:
    document = await house.start(one).run()
    return {**document["conversation"], "scores": document["scores"]}


async def _together(folder: Path, setups: dict[str, Setup], *, streams: bool) -> dict[str, Any]:
    house = QuickHouse(Places(folder / "data", folder / "cache"), streams=streams)
    try:
        every = [_held(house, one) for one in setups.values()]
        return dict(zip(setups, await asyncio.gather(*every, return_exceptions=True), strict=True))
    finally:
        await house.aclose()


def hold(folder: Path, setups: dict[str, Setup], *, streams: bool) -> dict[str, Any]:
    """Each conversation by its name, all at once; what was raised where it should not be."""
    return asyncio.run(_together(folder, setups, streams=streams))
