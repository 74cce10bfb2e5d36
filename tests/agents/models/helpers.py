"""What the tests of this room share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agents.models.client import ModelClient
from agents.models.compatible import CompatibleBackend
from agents.models.hosted import LiteLLMBackend
from agents.models.redact import Redactor
from agents.models.retry import RetryPolicy
from agents.models.wire import Backend
from sim.core.events import CallFinished, Event, Waiting
from sim.core.ports import CallScope, Message, Request

Open = Callable[..., ModelClient]
"""A way to open a client on the stub."""

HELLO = Request(messages=(Message("user", "hello"),))


class Clock:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds

    def policy(self, **more: Any) -> RetryPolicy:
        return RetryPolicy(sleep=self.sleep, clock=lambda: self.now, jitter=lambda: 0.0, **more)


class Ear:
    """Collects what a call publishes and streams."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.deltas: list[str] = []

    def scope(self, **more: Any) -> CallScope:
        fields: dict[str, Any] = {
            "role": "interpreter",
            "scenario": "s",
            "turn": 0,
            "trial": 0,
            "attempt": 0,
            "publish": self.events.append,
            "on_delta": self.deltas.append,
        }
        return CallScope(**(fields | more))

    @property
    def waits(self) -> list[Waiting]:
        return [event for event in self.events if isinstance(event, Waiting)]

    @property
    def finished(self) -> list[CallFinished]:
        return [event for event in self.events if isinstance(event, CallFinished)]


def client_of(backend: Backend, clock: Clock | None = None, name: str = "m", **more: Any) -> ModelClient:
    policy = (clock or Clock()).policy(**more)
    return ModelClient(
        name, backend, identity={"model": name}, policy=policy, redactor=Redactor(["sk-stub-0123456789"])
    )


def hosted(clock: Clock | None = None, model: str = "openai/stub", **more: Any) -> ModelClient:
    return client_of(LiteLLMBackend(model, timeout=5), clock, model, **more)


def compatible(clock: Clock | None = None, model: str = "openai/stub", **more: Any) -> ModelClient:
    return client_of(CompatibleBackend(model, timeout=5), clock, model, **more)
