"""LiteLLM, imported late and kept quiet.

The import takes seconds and, left alone, fetches a price list; so it happens on the first call, in a
thread, with the bundled list. Its retries, telemetry, callbacks and debug prints are off: retries and
book-keeping are ours. Connections it keeps are closed with `close`, or a second run in the same process
meets clients of a dead event loop.
"""

from __future__ import annotations

import asyncio
import importlib
import os
import sys
from typing import Any

from sim.core.memory import uncollected


def load() -> Any:
    """The litellm module, quiet. Slow the first time."""
    if _ready():
        return sys.modules["litellm"]
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    # else importing it reads a `.env` from any folder above its own package, keys and addresses included
    os.environ["LITELLM_MODE"] = "PRODUCTION"
    os.environ.setdefault("LITELLM_LOG", "CRITICAL")
    _bypass_proxies()
    with uncollected():
        litellm: Any = importlib.import_module("litellm")
    litellm.telemetry = False
    litellm.turn_off_message_logging = True
    litellm.num_retries = 0
    # A model that repeats itself is data, to be flagged; it must not become a server error.
    litellm.REPEATED_STREAMING_CHUNK_LIMIT = sys.maxsize
    for name in ("callbacks", "success_callback", "failure_callback", "_async_success_callback"):
        setattr(litellm, name, [])
    # it counts tokens with a tokenizer from the network where a provider says no usage
    litellm.disable_hf_tokenizer_download = True
    litellm.suppress_debug_info = True
    return litellm


def _bypass_proxies() -> None:
    """Let what LiteLLM opens reach this machine without a proxy: its clients read the environment.

    A lone `*`, no proxy at all, stays as it is. Both spellings say the same then, as some read only one.
    """
    said = [os.environ.get(name, "") for name in ("no_proxy", "NO_PROXY")]
    if any(value.strip() == "*" for value in said):
        return
    named = [host.strip() for value in said for host in value.split(",") if host.strip()]
    merged = ",".join(dict.fromkeys([*named, "localhost", "127.0.0.1", "::1"]))
    os.environ["no_proxy"] = os.environ["NO_PROXY"] = merged


async def loaded() -> Any:
    """The litellm module, imported off the loop. Safe to await from several tasks."""
    return sys.modules["litellm"] if _ready() else await asyncio.to_thread(load)


def _ready() -> bool:
    """Whether it is imported to the end and set up; the last thing `load` does is the sign."""
    return getattr(sys.modules.get("litellm"), "suppress_debug_info", False) is True


async def close() -> None:
    """Close the connections litellm keeps for this event loop; nothing to do if it was never used."""
    if not _ready():
        return
    litellm = sys.modules["litellm"]
    await litellm.close_litellm_async_clients()
    litellm.in_memory_llm_clients_cache.flush_cache()
