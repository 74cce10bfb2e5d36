"""Where the text of a model goes: the host, for notices, and the address of one's own servers.

A server of one's own is on this machine unless an address says otherwise: it never falls back to a company's
host. Nothing is asked of any server here.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from urllib.parse import urlsplit

from agents.models import gateway
from agents.models.connections import is_loopback
from agents.models.endpoints import OWN, endpoint

_COMPANIES: Mapping[str, str] = {
    "anthropic": "api.anthropic.com",
    "gemini": "generativelanguage.googleapis.com",
    "vertex_ai": "aiplatform.googleapis.com",
    "cohere": "api.cohere.com",
    "cohere_chat": "api.cohere.com",
    "bedrock": "amazonaws.com",
    "replicate": "api.replicate.com",
}
"""Of providers whose address LiteLLM does not tell."""


def host_of(model: str, api_base: str | None = None) -> str | None:
    """Host, and port where one is named, that gets what a model is asked; None for this process's own.

    Slow the first time for a model of a provider: LiteLLM knows their addresses.
    """
    if model == "local" or model.startswith(("gguf:", "fake:")):
        return None
    where = endpoint(model, api_base)
    if where is not None:
        return where.host
    base = api_base or _base(model)
    return (urlsplit(base).netloc or base).rpartition("@")[2]


def is_own(model: str) -> bool:
    """Whether a model is served by a server of one's own."""
    return model.partition("/")[0] in OWN


def is_here(host: str | None) -> bool:
    """Whether a host is this machine."""
    return host is None or is_loopback(f"//{host}")


def _base(model: str) -> str:
    """The address of a provider with a protocol of its own."""
    litellm = gateway.load()
    try:
        _, provider, _, base = litellm.get_llm_provider(model)
    except Exception:
        return "//unknown"
    variables = (f"{str(provider).upper()}_BASE_URL", f"{str(provider).upper()}_API_BASE")
    named = next((os.environ[name] for name in variables if os.environ.get(name)), None)
    return named or base or f"//{_COMPANIES.get(str(provider), str(provider))}"
