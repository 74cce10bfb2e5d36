"""Text goes where the notice says and nowhere else: no proxy hears it, no other host is looked up."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.sim.commands.conftest import Skopos
from tests.stub.listening import ListeningProxy, RecordingResolver
from tests.stub.providers.server import Server

CLINIC = "kor-ind-clinic-fasting"
ONE = ("--turns", "1")
OURS = "models.example"


@pytest.fixture(params=["all_proxy", "HTTP_PROXY"])
def ear(
    request: pytest.FixtureRequest, listening_proxy: ListeningProxy, monkeypatch: pytest.MonkeyPatch
) -> ListeningProxy:
    """The listener in every variable; in one of them it is a SOCKS proxy's."""
    monkeypatch.setenv(request.param, listening_proxy.url.replace("http:", "socks5:"))
    return listening_proxy


def test_an_own_server_on_this_machine_is_reached_past_every_proxy(
    skopos: Skopos, providers: Server, ear: ListeningProxy
) -> None:
    model = "hosted_vllm/google/gemma-2-27b-it"
    done = skopos("watch", CLINIC, "--json", *ONE, "--interpreter", model, "--judge", model)
    assert done.code == 0, done.err
    assert len(providers["vllm"].requests) >= 2
    assert ear.heard == []


def test_the_embedded_model_is_reached_past_every_proxy(
    skopos: Skopos, models_dir: Path, listening_proxy: ListeningProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("all_proxy", listening_proxy.url.replace("http:", "socks5:"))
    Path("data").mkdir()
    Path("data/models").symlink_to(models_dir)
    done = skopos("watch", CLINIC, "--json", *ONE, "--interpreter", "local", "--judge", "none")
    assert done.code == 0, done.err
    assert '"translation":"' in done.out
    assert listening_proxy.heard == []


@pytest.fixture
def elsewhere() -> Iterator[int]:
    """The port of a server that sends everyone on to another host."""

    class Redirecting(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.send_response(307)
            self.send_header("Location", "http://elsewhere.example/v1/chat/completions")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Redirecting) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join(10)


def named(port: int, path: str) -> None:
    """A model `lab` at a host that only the resolver knows, where a stub of ours stands."""
    Path("skopos.toml").write_text(
        f'[models.lab]\nmodel = "openai/x"\napi_base = "http://{OURS}:{port}{path}"\n', encoding="utf-8"
    )


COMMANDS = {
    "watch": ("watch", CLINIC, "--plain", *ONE, "--interpreter", "lab", "--judge", "lab"),
    "run": ("run", "--scenarios", CLINIC, *ONE, "--interpreters", "lab", "--judge", "lab", "--out", "r"),
    "judge": ("judge", "held", "--judge", "lab"),
    "check": ("models", "check", "lab"),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_no_other_host_is_looked_up_than_the_notice_names(
    command: str, skopos: Skopos, providers: Server, resolver: RecordingResolver
) -> None:
    done = _carried_out(command, skopos, providers.port, "/llamacpp/v1")
    assert done[0] == 0, done[1]
    assert providers["llamacpp"].requests
    assert resolver.outside == {OURS}
    assert set(re.findall(r"\bat ([a-z.]+example):\d+", done[1])) == {OURS}


@pytest.mark.parametrize("command", COMMANDS)
def test_nor_where_the_server_sends_one_on(
    command: str, skopos: Skopos, elsewhere: int, resolver: RecordingResolver
) -> None:
    code, _ = _carried_out(command, skopos, elsewhere, "/v1")
    assert code == 1
    assert resolver.outside == {OURS}


def _carried_out(command: str, skopos: Skopos, port: int, path: str) -> tuple[int, str]:
    """(exit code, what was said) of a command that asks `lab`."""
    named(port, path)
    if command == "judge":
        held = skopos("run", "--scenarios", CLINIC, *ONE, "--interpreters", "copy", "--out", "held")
        assert held.code == 0, held.err
    done = skopos(*COMMANDS[command], "--trust")
    return done.code, done.err + done.out
