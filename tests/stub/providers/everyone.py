"""All provider stubs together, and the environment a person would set to use them."""

from __future__ import annotations

from sim.core.values import Scenario
from tests.stub.providers.anthropic import Anthropic
from tests.stub.providers.brain import Brain
from tests.stub.providers.gemini import Gemini
from tests.stub.providers.openai import OpenAI
from tests.stub.providers.server import KEY, Server, Shape


def shapes(scenario: Scenario) -> tuple[Shape, ...]:
    """One of each, playing `scenario`."""
    brain = Brain(scenario)
    return (OpenAI(brain), Gemini(brain), Anthropic(brain))


def environment(server: Server) -> dict[str, str]:
    """Addresses and keys, in the variables the providers' own packages read."""
    return {
        "OPENAI_BASE_URL": f"{server.url('openai')}/v1",
        "OPENAI_API_KEY": KEY,
        "GEMINI_API_BASE": server.url("gemini"),
        "GEMINI_API_KEY": KEY,
        "ANTHROPIC_API_BASE": server.url("anthropic"),
        "ANTHROPIC_API_KEY": KEY,
    }
