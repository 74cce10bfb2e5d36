from __future__ import annotations

import socket
import subprocess
import sys

import pytest

from agents.models.launcher import loopback


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "::1", "localhost", b"localhost", None, ""])
def test_this_machine_is_loopback(host: object) -> None:
    assert loopback(host)


@pytest.mark.parametrize("host", ["0.0.0.0", "10.0.0.1", "8.8.8.8", "2001:db8::1", "example.org", "::"])
def test_everything_else_is_not(host: str) -> None:
    assert not loopback(host)


@pytest.mark.parametrize("address", [("192.0.2.1", 80), ("example.org", 80)])
def test_tests_cannot_leave_this_machine(address: tuple[str, int]) -> None:
    with pytest.raises(PermissionError, match="loopback only"):
        socket.create_connection(address, timeout=1)


@pytest.mark.parametrize(
    "code",
    [
        "socket.create_connection(('192.0.2.1', 80), 1)",
        "socket.getaddrinfo('example.org', 80)",
        "socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('192.0.2.1', 53))",
        "socket.socket().bind(('0.0.0.0', 0))",
    ],
)
def test_nor_can_their_child_processes(code: str) -> None:
    done = subprocess.run([sys.executable, "-c", f"import socket\n{code}"], capture_output=True, text=True)
    assert done.returncode == 1
    assert "PermissionError" in done.stderr


def test_a_child_may_talk_to_this_machine() -> None:
    code = "import socket; s = socket.socket(); s.bind(('127.0.0.1', 0)); s.close()"
    subprocess.run([sys.executable, "-c", code], check=True)
