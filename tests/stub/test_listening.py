"""The ears hear: otherwise a test that nothing was heard says nothing."""

from __future__ import annotations

import contextlib
import socket
import urllib.request

from tests.stub.listening import ListeningProxy, RecordingResolver


def test_the_proxy_hears_what_goes_through_it(listening_proxy: ListeningProxy) -> None:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler())
    with contextlib.suppress(OSError):
        opener.open("http://somewhere.example/secret", timeout=5).close()
    assert [line.split(b"\r\n")[0] for line in listening_proxy.heard] == [
        b"GET http://somewhere.example/secret HTTP/1.1"
    ]


def test_the_resolver_writes_hosts_down_and_leads_nowhere(resolver: RecordingResolver) -> None:
    found = socket.getaddrinfo("api.somewhere.example", 443, type=socket.SOCK_STREAM)
    socket.getaddrinfo("localhost", 80)
    assert {address[4][0] for address in found} == {"127.0.0.1"}
    assert resolver.hosts == ["api.somewhere.example", "localhost"]
    assert resolver.outside == {"api.somewhere.example"}
