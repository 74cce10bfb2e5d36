"""Where a model that is asked in OpenAI's protocol is found: address, key, and its name there.

Addresses of providers are LiteLLM's own table. A server of one's own is on this machine unless an address says
otherwise, wants no key unless one is named, and never falls back to a company's.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from agents.models import gateway
from agents.models.connections import is_loopback

PREFIXES = ("openai/", "text-completion-openai/")
"""LiteLLM's names of models of OpenAI itself, and of any server that `OPENAI_BASE_URL` names."""


@dataclass(frozen=True, slots=True)
class Own:
    """A kind of server people run themselves."""

    variable: str
    """Names its address."""
    usual: str
    """Where it listens if nobody said otherwise."""
    says: str
    """What to call it."""


OWN: Mapping[str, Own] = {
    "ollama": Own("OLLAMA_API_BASE", "http://127.0.0.1:11434", "Ollama"),
    "ollama_chat": Own("OLLAMA_API_BASE", "http://127.0.0.1:11434", "Ollama"),
    "hosted_vllm": Own("HOSTED_VLLM_API_BASE", "http://127.0.0.1:8000/v1", "vLLM"),
    "lm_studio": Own("LM_STUDIO_API_BASE", "http://127.0.0.1:1234/v1", "LM Studio"),
    "llamafile": Own("LLAMAFILE_API_BASE", "http://127.0.0.1:8080/v1", "the llama.cpp server"),
}
"""Provider → what is known of it."""
_OPENAI = "https://api.openai.com/v1"
_ALSO: Mapping[str, tuple[str, str]] = {
    "mistral": ("https://api.mistral.ai/v1", "MISTRAL_API_KEY"),
    "openrouter": ("https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
}
"""Providers of this protocol that LiteLLM's table of such providers leaves out."""
_OF_THEIR_OWN = frozenset({"azure_ai", "chatgpt", "github_copilot", "ragflow", "watsonx"})
"""In that table, but with a login or an address of another kind."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One model on one server."""

    provider: str
    """As LiteLLM calls it."""
    model: str
    """Its name there."""
    base: str
    """Up to what comes before `/chat/completions`."""
    key: str = field(default="", repr=False)
    """Empty where the server wants none."""

    @property
    def host(self) -> str:
        """Host, and port where one is named; of an address that has none, all that was written."""
        return (urlsplit(self.base).netloc or self.base).rpartition("@")[2]

    @property
    def own(self) -> Own | None:
        """What kind of server of one's own it is; None for a provider's."""
        return OWN.get(self.provider)

    @property
    def free(self) -> bool:
        """Whether asking it costs nothing: a server of one's own on this machine."""
        return self.own is not None and is_loopback(self.base)


def endpoint(name: str, base: str | None = None, key: str | None = None) -> Endpoint | None:
    """Where the model `name` is asked; None where its provider has a protocol of its own.

    `base` and `key` go before what the environment says; the key a provider's variable holds is sent to that
    provider, or where its own address variable points, never to a `base` somebody named. Loads LiteLLM only for
    a provider's model.
    """
    provider, _, model = name.partition("/")
    if provider in OWN and model:
        address = base or os.environ.get(OWN[provider].variable) or OWN[provider].usual
        found = key or ("" if base else os.environ.get(f"{_stem(provider)}_API_KEY", ""))
        return Endpoint(provider, model, _v1(address) if provider.startswith("ollama") else address, found)
    if name.startswith(PREFIXES):
        return _openai(provider, model, base, key)
    return _hosted(name, base, key)


def named_base() -> str | None:
    """The server the environment names instead of OpenAI's own."""
    return os.environ.get("OPENAI_BASE_URL") or os.environ.get("OPENAI_API_BASE") or None


def _openai(provider: str, model: str, base: str | None, key: str | None) -> Endpoint:
    found = key or ("" if base else os.environ.get("OPENAI_API_KEY", ""))
    return Endpoint(provider, model, base or named_base() or _OPENAI, found)


def _hosted(name: str, base: str | None, key: str | None) -> Endpoint | None:
    litellm = gateway.load()
    try:
        model, provider, dynamic, table = litellm.get_llm_provider(name, api_base=base, api_key=key)
    except Exception:
        return None
    if provider == "openai":
        return _openai(provider, model, base, key)
    if provider in _ALSO:
        usual, variable = _ALSO[provider]
        named = os.environ.get(f"{_stem(provider)}_API_BASE")
        found = key or ("" if base else os.environ.get(variable, ""))
        return Endpoint(provider, model, base or named or usual, found)
    speaks = provider in litellm.openai_compatible_providers and provider not in _OF_THEIR_OWN
    address = base or table
    found = key or ("" if base else dynamic or "")
    return Endpoint(provider, model, address, found) if speaks and address else None


def _stem(provider: str) -> str:
    return provider.upper().removesuffix("_CHAT")


def _v1(base: str) -> str:
    """Ollama's address up to its OpenAI protocol: people name it without."""
    return base if base.rstrip("/").endswith("/v1") else f"{base.rstrip('/')}/v1"
