"""`python -m tests.stub --port 0 --latency 0.05`: the stub in a process of its own.

Prints `{"port": N}` on one line when it listens, ends when its standard input does, and prints
`{"answered": N}` last.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from pathlib import Path

from aiohttp import web

from tests.stub.app import Stub, make_app


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.stub", description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--latency", type=float, default=0.0, help="seconds before every answer")
    parser.add_argument("--script", type=Path, help="JSON file: a list of steps")
    parser.add_argument("--key", help="bearer token to ask for")
    return parser.parse_args()


async def _serve(options: argparse.Namespace) -> None:
    stub = Stub(latency=options.latency, key=options.key, keep=False)
    if options.script:
        stub.play(*json.loads(options.script.read_text("utf-8")))
    runner = web.AppRunner(make_app(stub), access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", options.port, backlog=1024)
    await site.start()
    print(json.dumps({"port": runner.addresses[0][1]}), flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    await runner.cleanup()
    print(json.dumps({"answered": stub.answered}), flush=True)


asyncio.run(_serve(_arguments()))
