"""The calls of a batch through bare LiteLLM and nothing else: a side of `tests.bench.batches`.

`python -m tests.bench.batches_bare BODIES CONVERSATIONS IN_FLIGHT`: as many conversations at once, the calls
of one after another.
"""

import asyncio
import json
import sys
from pathlib import Path

from agents.models import gateway


async def _hold(bodies: list[dict[str, object]], conversations: int, in_flight: int) -> None:
    litellm = await gateway.loaded()
    waiting = iter(range(conversations))

    async def worker() -> None:
        for _ in waiting:
            for body in bodies:
                await litellm.acompletion(**body, num_retries=0, max_retries=0)

    await asyncio.gather(*(worker() for _ in range(in_flight)))


def main() -> None:
    """Hold them."""
    bodies = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    asyncio.run(_hold(bodies, int(sys.argv[2]), int(sys.argv[3])))


if __name__ == "__main__":
    main()
