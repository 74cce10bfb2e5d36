"""What all tests share: no network beyond loopback, the stub over HTTP, the embedded model's server."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from aiohttp import web

from agents.models.launcher import guard
from agents.models.registry import ModelPool
from scenarios import loader
from tests.stub.app import Stub, make_app
from tests.stub.listening import ListeningProxy, RecordingResolver
from tests.stub.providers import everyone
from tests.stub.providers.server import Server

_GUARD = Path(__file__).parent / "guard"
_KEY_LIKE = ("KEY", "TOKEN", "SECRET", "PASSWORD")


@pytest.fixture(scope="session", autouse=True)
def loopback_only() -> Iterator[None]:
    """Refuse every network address but loopback, here and in Python child processes."""
    sys.addaudithook(guard)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(_GUARD), prepend=os.pathsep)
        for name in [n for n in os.environ if any(part in n.upper() for part in _KEY_LIKE)]:
            patch.delenv(name)
        yield


@pytest_asyncio.fixture
async def stub(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Stub]:
    """An OpenAI-compatible server on loopback; `openai/…` models reach it through the environment."""
    server = Stub()
    runner = web.AppRunner(make_app(server), access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{runner.addresses[0][1]}/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-stub-0123456789")
    yield server
    await runner.cleanup()


@pytest.fixture(scope="session")
def models_dir(pytestconfig: pytest.Config) -> Path:
    """Where the embedded model is put together, kept from one run of the tests to the next."""
    assert pytestconfig.cache is not None
    return pytestconfig.cache.mkdir("skopos-models")


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def local_pool(models_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[ModelPool]:
    """A pool whose `local` is the real embedded model in its real server, one for all tests.

    Tests that use it run on the session's loop: `@pytest.mark.asyncio(loop_scope="session")`.
    """
    async with ModelPool(models=models_dir, logs=tmp_path_factory.mktemp("logs")) as pool:
        yield pool


@pytest.fixture(scope="session")
def provider_server() -> Iterator[Server]:
    """Every provider's stub on one loopback port, playing one scenario."""
    with Server(*everyone.shapes(loader.find("kor-ind-clinic-fasting"))) as server:
        yield server


@pytest.fixture
def providers(provider_server: Server, monkeypatch: pytest.MonkeyPatch) -> Server:
    """The providers' stubs with an empty memory, named and keyed in the environment."""
    provider_server.forget()
    for name, value in everyone.environment(provider_server).items():
        monkeypatch.setenv(name, value)
    return provider_server


@pytest.fixture
def listening_proxy(monkeypatch: pytest.MonkeyPatch) -> Iterator[ListeningProxy]:
    """A proxy in every proxy variable of the environment, which hears whatever is sent through it."""
    with ListeningProxy() as proxy:
        for name, value in proxy.environment().items():
            monkeypatch.setenv(name, value)
        yield proxy


@pytest.fixture
def resolver(monkeypatch: pytest.MonkeyPatch) -> RecordingResolver:
    """Writes down every host that this process looks up."""
    recording = RecordingResolver()
    recording.install(monkeypatch)
    return recording
