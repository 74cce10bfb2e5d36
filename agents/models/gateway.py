"""LiteLLM, imported late and kept quiet.

The import takes seconds and, left alone, fetches a price list; so it happens on the first call, in a
thread, with the bundled list. Its retries, telemetry, callbacks and debug prints are off: retries and
book-keeping are ours. Connections it keeps are closed with `close`, or a second run in the same process
meets clients of a dead event loop.
"""

from __future__ import annotations

import asyncio
import os
import sys
from typing import Any


def load() -> Any:
    """The litellm module. Slow the first time."""
    if "litellm" in sys.modules:
        return sys.modules["litellm"]
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    os.environ.setdefault("LITELLM_LOG", "CRITICAL")
    import litellm

    litellm.suppress_debug_info = True
    litellm.telemetry = False
    litellm.turn_off_message_logging = True
    litellm.num_retries = 0
    for name in ("callbacks", "success_callback", "failure_callback", "_async_success_callback"):
        setattr(litellm, name, [])
    return litellm


async def loaded() -> Any:
    """The litellm module, imported off the loop. Safe to await from several tasks."""
    module = sys.modules.get("litellm")
    if module is not None and hasattr(module, "acompletion"):
        return module
    return await asyncio.to_thread(load)


async def close() -> None:
    """Close the connections litellm keeps for this event loop; nothing to do if it was never used."""
    litellm = sys.modules.get("litellm")
    if litellm is None or not hasattr(litellm, "close_litellm_async_clients"):
        return
    await litellm.close_litellm_async_clients()
    litellm.in_memory_llm_clients_cache.flush_cache()
