"""All provider stubs together, and the environment a person would set to use them."""

from __future__ import annotations

from sim.core.values import Scenario
from tests.stub.providers.anthropic import Anthropic
from tests.stub.providers.brain import Brain
from tests.stub.providers.dashscope import DashScope
from tests.stub.providers.deepseek import DeepSeek
from tests.stub.providers.gemini import Gemini
from tests.stub.providers.llamacpp import LlamaCpp
from tests.stub.providers.mistral import Mistral
from tests.stub.providers.ollama import Ollama
from tests.stub.providers.openai import OpenAI
from tests.stub.providers.server import KEY, Server, Shape
from tests.stub.providers.vllm import VLLM

_SHAPES = (OpenAI, Gemini, Anthropic, DeepSeek, DashScope, Mistral, Ollama, VLLM, LlamaCpp)
_ADDRESSES = {
    "OPENAI_BASE_URL": ("openai", "/v1"),
    "GEMINI_API_BASE": ("gemini", "/v1beta"),
    "ANTHROPIC_API_BASE": ("anthropic", ""),
    "DEEPSEEK_API_BASE": ("deepseek", ""),
    "DASHSCOPE_API_BASE": ("dashscope", "/v1"),
    "MISTRAL_API_BASE": ("mistral", "/v1"),
    "MISTRAL_AZURE_API_BASE": ("mistral", "/v1"),
    "OLLAMA_API_BASE": ("ollama", ""),
    "HOSTED_VLLM_API_BASE": ("vllm", "/v1"),
    "LLAMAFILE_API_BASE": ("llamacpp", "/v1"),
}
"""LiteLLM reads Mistral's own address nowhere, but one it calls Azure's."""
_KEYED = ("OPENAI", "GEMINI", "ANTHROPIC", "DEEPSEEK", "DASHSCOPE", "MISTRAL")


def shapes(scenario: Scenario) -> tuple[Shape, ...]:
    """One of each, playing `scenario`."""
    brain = Brain(scenario)
    return tuple(shape(brain) for shape in _SHAPES)


def environment(server: Server) -> dict[str, str]:
    """Addresses and keys, in the variables the providers' own packages read."""
    addresses = {name: f"{server.url(shape)}{path}" for name, (shape, path) in _ADDRESSES.items()}
    return addresses | {f"{name}_API_KEY": KEY for name in _KEYED}
