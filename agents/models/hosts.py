"""Where the text of a model goes: the host, for notices, and the address of one's own servers.

A server of one's own is on this machine unless an address says otherwise: it never falls back to a company's
host. Nothing is asked of any server here.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from urllib.parse import urlsplit

from agents.models import gateway

_OWN: Mapping[str, tuple[str, str]] = {
    "ollama": ("OLLAMA_API_BASE", "http://127.0.0.1:11434"),
    "ollama_chat": ("OLLAMA_API_BASE", "http://127.0.0.1:11434"),
    "hosted_vllm": ("HOSTED_VLLM_API_BASE", "http://127.0.0.1:8000/v1"),
    "lm_studio": ("LM_STUDIO_API_BASE", "http://127.0.0.1:1234/v1"),
    "llamafile": ("LLAMAFILE_API_BASE", "http://127.0.0.1:8080/v1"),
}
"""Provider → the variable that names its address, and where it usually listens."""
_COMPANIES: Mapping[str, str] = {
    "openai": "api.openai.com",
    "text-completion-openai": "api.openai.com",
    "anthropic": "api.anthropic.com",
    "gemini": "generativelanguage.googleapis.com",
    "vertex_ai": "aiplatform.googleapis.com",
    "mistral": "api.mistral.ai",
    "cohere": "api.cohere.com",
    "cohere_chat": "api.cohere.com",
    "openrouter": "openrouter.ai",
    "bedrock": "amazonaws.com",
    "replicate": "api.replicate.com",
}
"""Of providers whose address LiteLLM does not tell."""
_LOOPBACK = ("127.", "localhost", "::1")


def own_base(model: str) -> str | None:
    """The address of a server of one's own that nobody gave one; None for any other model."""
    known = _OWN.get(model.partition("/")[0])
    return (os.environ.get(known[0]) or known[1]) if known else None


def is_own(model: str) -> bool:
    """Whether a model is served by a server of one's own."""
    return model.partition("/")[0] in _OWN


def host_of(model: str, api_base: str | None = None) -> str | None:
    """Host, and port where one is named, that gets what a model is asked; None for this process's own.

    Slow the first time for a model of a provider: LiteLLM knows their addresses.
    """
    if model == "local" or model.startswith(("gguf:", "fake:")):
        return None
    base = api_base or own_base(model) or _hosted_base(model)
    return urlsplit(base).netloc.rpartition("@")[2]


def is_here(host: str | None) -> bool:
    """Whether a host is this machine."""
    return host is None or host.strip("[").startswith(_LOOPBACK)


def _hosted_base(model: str) -> str:
    litellm = gateway.load()
    try:
        _, provider, _, base = litellm.get_llm_provider(model)
    except Exception:
        return "//unknown"
    variables = (f"{str(provider).upper()}_BASE_URL", f"{str(provider).upper()}_API_BASE")
    named = next((os.environ[name] for name in variables if os.environ.get(name)), None)
    return named or base or f"//{_COMPANIES.get(str(provider), str(provider))}"
