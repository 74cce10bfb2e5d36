"""Server-sent events out of bytes, however they are cut."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.models import sse
from agents.models.sse import EventSplitter, TooLong

STREAM = 'data: {"a": "한국"}\n\n: keep-alive\n\nevent: x\r\ndata: one\r\ndata: two\r\n\r\nid: 7\rdata:  three\r\rdata: last'
EXPECTED = ['{"a": "한국"}', "one\ntwo", " three", "last"]


def split(pieces: list[bytes]) -> list[str]:
    splitter = EventSplitter()
    found = [data for piece in pieces for data in splitter.feed(piece)]
    return [data.decode() for data in [*found, *splitter.finish()]]


def test_events_are_split_as_the_standard_says() -> None:
    assert split([STREAM.encode()]) == EXPECTED


@given(st.lists(st.integers(0, len(STREAM.encode())), max_size=12))
def test_where_the_bytes_are_cut_changes_nothing(cuts: list[int]) -> None:
    data, places = STREAM.encode(), sorted({0, *cuts, len(STREAM.encode())})
    assert split([data[a:b] for a, b in pairwise(places)]) == EXPECTED


def test_byte_by_byte_is_the_same() -> None:
    assert split([bytes([byte]) for byte in STREAM.encode()]) == EXPECTED


def test_an_event_without_an_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sse, "LONGEST", 1000)
    splitter = EventSplitter()
    assert list(splitter.feed(b"data: " + b"x" * 900 + b"\n\n" * 2)) == [b"x" * 900]
    with pytest.raises(TooLong):
        _feed_for_ever(splitter)


def _feed_for_ever(splitter: EventSplitter) -> None:
    for _ in range(20):
        list(splitter.feed(b"y" * 100))


def test_a_byte_order_mark_begins_no_event() -> None:
    assert split([b"\xef\xbb", b"\xbfdata: {}\n\n"]) == ["{}"]
