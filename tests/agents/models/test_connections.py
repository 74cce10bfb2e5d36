"""The way to a server: no proxy on this machine, no redirect, faults told as what they are."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from aiohttp import web

from agents.models import connections, gateway
from agents.models.compatible import CompatibleBackend
from agents.models.connections import is_loopback, proxy_of
from agents.models.endpoints import Endpoint
from sim.core.errors import CallFailed, FaultKind
from tests.agents.models.helpers import HELLO, Clock, Ear, client_of

PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in PROXIES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@asynccontextmanager
async def serving(handler: Handler) -> AsyncIterator[str]:
    app = web.Application(client_max_size=1 << 26)
    app.router.add_route("*", "/{rest:.*}", handler)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    (address,) = runner.addresses
    yield f"http://127.0.0.1:{address[1]}/v1"
    await runner.cleanup()


async def failure(base: str, **policy: Any) -> tuple[CallFailed, Clock]:
    clock = Clock()
    backend = CompatibleBackend("hosted_vllm/m", Endpoint("hosted_vllm", "m", base), timeout=5)
    client = client_of(backend, clock, **policy)
    with pytest.raises(CallFailed) as failed:
        await client.complete(HELLO, Ear().scope())
    await client.aclose()
    return failed.value, clock


@pytest.mark.parametrize(
    "host", ["localhost", "127.0.0.1", "127.8.8.8", "[::1]", "a.localhost", "LOCALHOST."]
)
def test_this_machine_is_never_reached_by_a_proxy(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in PROXIES[:3]:
        monkeypatch.setenv(name, "http://proxy.example:3128")
        monkeypatch.setenv(name.upper(), "socks5://proxy.example:1080")
    assert is_loopback(f"http://{host}:8000/v1")
    assert proxy_of(f"http://{host}:8000/v1") is None
    assert proxy_of("https://api.example/v1") == "http://proxy.example:3128"


def test_a_host_that_needs_no_proxy_gets_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy.example:3128")
    monkeypatch.setenv("NO_PROXY", "corp.internal")
    assert proxy_of("https://gw.corp.internal/v1") is None
    assert proxy_of("https://gw.corp.example/v1") is not None


@pytest.mark.parametrize(
    ("before", "host", "by_proxy"),
    [
        ({"NO_PROXY": "corp.internal"}, "https://gw.corp.internal/v1", False),
        ({"NO_PROXY": "corp.internal"}, "https://other.example/v1", True),
        ({"no_proxy": "*"}, "https://other.example/v1", False),
    ],
)
def test_what_litellm_is_spared_leaves_a_persons_own_exceptions(
    before: dict[str, str], host: str, by_proxy: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("https_proxy", "http://proxy.example:3128")
    for name, value in before.items():
        monkeypatch.setenv(name, value)
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.setenv(name, os.environ.get(name, ""))
    gateway._bypass_proxies()
    assert (proxy_of(host) is not None) is by_proxy


async def test_a_proxy_in_the_way_is_named_without_its_login(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://user:secret@127.0.0.1:9")
    said, _ = await failure("http://models.example/v1", attempts=1)
    assert said.kind is FaultKind.UNAVAILABLE
    assert "proxy 127.0.0.1:9" in said.what
    assert "secret" not in said.what + said.detail


async def test_a_proxy_of_another_kind_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "socks5://127.0.0.1:1080")
    said, clock = await failure("http://models.example/v1")
    assert "socks5" in said.what
    assert "NO_PROXY=models.example" in said.what
    assert clock.slept == []


async def test_where_nothing_listens_is_told_at_once_with_what_to_do() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        base = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
    said, clock = await failure(base)
    assert said.kind is FaultKind.UNAVAILABLE
    assert f"nothing listens at {base}: start vLLM, or name its address as api_base" in said.what
    assert clock.slept == []


@pytest.mark.parametrize("base", ["127.0.0.1:8000/v1", "localhost/v1", "ftp://x/v1", "http:///v1", ""])
async def test_an_address_that_is_none_is_told_at_once(base: str) -> None:
    said, clock = await failure(base)
    assert said.kind is FaultKind.BAD_REQUEST
    assert repr(base) in said.what
    assert clock.slept == []


async def test_a_redirect_is_not_followed() -> None:
    seen: list[str] = []

    async def elsewhere(request: web.Request) -> web.Response:
        seen.append(await request.text())
        return web.json_response({"choices": [{"message": {"content": "got you"}, "finish_reason": "stop"}]})

    async with serving(elsewhere) as other:

        async def redirect(request: web.Request) -> web.Response:
            return web.Response(status=307, headers={"Location": f"{other}/chat/completions"})

        async with serving(redirect) as base:
            said, _ = await failure(base, attempts=1)
    assert seen == []
    assert "(307)" in said.what


async def test_a_reply_without_an_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "LONGEST", 100_000)

    async def endless(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse()
        await response.prepare(request)
        try:
            while True:
                await response.write(b"x" * 10_000)
        except ConnectionError:
            return response

    async with serving(endless) as base:
        said, clock = await failure(base)
    assert "a reply of more than" in said.what
    assert clock.slept == []


async def test_a_header_without_an_end_is_a_fault() -> None:
    async def long(request: web.Request) -> web.Response:
        return web.Response(text="{}", headers={"X-Long": "y" * 200_000})

    async with serving(long) as base:
        said, _ = await failure(base, attempts=1)
    assert said.kind is FaultKind.UNAVAILABLE


_ENV_FILE = """
import os, sys
sys.path[:0] = json_path
from agents.models import gateway
gateway.load()
print([name for name in os.environ if "CANARY" in name])
"""


def test_a_dotenv_above_the_installed_packages_changes_nothing(tmp_path: object) -> None:
    """LiteLLM looks upward from its own folder, so it is put below a folder that holds one."""
    from pathlib import Path

    home = Path(str(tmp_path))
    site = home / ".venv" / "lib" / "site-packages"
    site.mkdir(parents=True)
    real = next(Path(entry) for entry in sys.path if (Path(entry) / "litellm").is_dir())
    for package in real.iterdir():
        (site / package.name).symlink_to(package)
    (site / "litellm").unlink()
    subprocess.run(["cp", "-r", str(real / "litellm"), str(site / "litellm")], check=True)
    (home / ".env").write_text("CANARY_API_KEY=sk-canary\nOPENAI_BASE_URL=http://evil.example\n")
    code = _ENV_FILE.replace("json_path", json.dumps([str(site), str(Path(__file__).parents[3])]))
    code += 'print(os.environ.get("OPENAI_BASE_URL"))\n'
    environment = {name: value for name, value in os.environ.items() if name != "OPENAI_BASE_URL"}
    done = subprocess.run(
        [sys.executable, "-S", "-c", code],
        capture_output=True,
        text=True,
        env=environment,
        cwd=home,
        check=False,
    )
    assert done.stdout.splitlines()[-2:] == ["[]", "None"], done.stderr[-2000:]
