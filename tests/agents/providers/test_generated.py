"""Generated answers, whole and streamed: never a traceback, never a word or a verdict that nobody gave."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sim.core.studio import Setup
from sim.runs.places import Places
from sim.wiring.studio import House
from tests.agents.providers import faulty
from tests.agents.providers.replies import Reply, around, chunks, document, events, streamed, whole
from tests.stub.providers.server import Server

MODEL = "fault-generated"
IDS = tuple(f"c{number}" for number in range(1, 10))
YES, NO = ("true", "yes", "met", "1"), ("false", "no", "not met", "not_met", "0")

words = st.sampled_from(
    [
        "",
        " ",
        "Baik, Bu.",
        "stop",
        "error",
        "```json",
        "{",
        "}",
        "[",
        "null",
        "<think>",
        "</think>",
        "c1",
        "…",
    ]
)
leaves = st.one_of(
    st.none(), st.booleans(), st.integers(-9, 600), st.floats(allow_nan=False), words, st.text(max_size=8)
)
FIELDS = """
    choices message delta content text type error code finish_reason usage id met reason verdicts role index
    reasoning_content refusal status detail c1 c2 c3
"""
names = st.sampled_from(FIELDS.split())
values = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=4),
    max_leaves=12,
)
rows = st.fixed_dictionaries(
    {
        "id": st.sampled_from([*IDS, "C1", 1, 2, "c99", None]),
        "met": st.sampled_from([True, False, "yes", "no", "maybe"]),
    },
    optional={"reason": words},
)
objects = st.one_of(
    st.builds(lambda found: {"verdicts": found}, st.lists(rows, max_size=9)),
    st.lists(rows, max_size=9),
    st.builds(lambda found: {"answer": {"verdicts": found}}, st.lists(rows, max_size=9)),
    rows,
    values,
)
spoken = st.lists(words | objects.map(json.dumps), max_size=4).map("\n".join)
contents = spoken | values | st.builds(lambda text: [{"type": "text", "text": text}], spoken)
messages = st.builds(lambda content: {"role": "assistant", "content": content}, contents)
finishes: st.SearchStrategy[Any] = st.sampled_from(
    ["stop", "length", "content_filter", "abort", "odd", None, 3, []]
)
documents = st.one_of(
    values, st.builds(document, messages | values, finishes), st.builds(lambda v: {"choices": v}, values)
)


@st.composite
def replies(draw: st.DrawFn) -> Reply:
    """What a server may send to a request, whatever was asked."""
    status = draw(st.sampled_from([200, 200, 200, 200, 400, 404, 422, 500, 503]))
    kind = draw(st.sampled_from(["document", "stream", "bytes"]))
    if kind == "document":
        return whole(draw(documents), status)
    if kind == "bytes":
        return Reply(
            draw(st.binary(max_size=40)),
            status,
            kind=draw(st.sampled_from(["application/json", "text/event-stream"])),
        )
    deltas = draw(st.lists(messages | values, max_size=4))
    told = chunks(deltas, draw(finishes)) + draw(st.lists(values, max_size=2))
    body = events(
        draw(st.permutations(told)), done=draw(st.booleans()), end=draw(st.sampled_from(["\n", "\r\n"]))
    )
    return streamed(body[: draw(st.integers(0, len(body)))] if draw(st.booleans()) else body)


class Holder:
    """Holds conversations in one house, with a model of its own for each reply."""

    def __init__(self, server: Server, folder: Path) -> None:
        self._server = server
        self._runner = asyncio.Runner()
        places = Places(folder / "data", folder / "cache")
        self._houses = {streams: faulty.QuickHouse(places, streams=streams) for streams in (False, True)}
        self._number = 0

    def hold(self, reply: Reply, *, streams: bool) -> tuple[dict[str, Any], dict[str, Any]]:
        """A judged turn and an interpreted one that both get `reply`; whatever is raised fails the test."""

        async def fault(request: web.Request, body: dict[str, Any]) -> web.StreamResponse:
            return await reply.send(request)

        self._number += 1
        self._server["openai"].faults[f"{MODEL}-{self._number}"] = fault
        model = f"openai/{MODEL}-{self._number}"
        judged = replace(faulty.setup("judge", model), turns=1)
        setups = judged, replace(judged, interpreter=model, judge="none")
        one, other = self._runner.run(self._together(self._houses[streams], setups))
        return one["conversation"], other["conversation"]

    async def _together(
        self, house: House, setups: tuple[Setup, Setup]
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        return await house.start(setups[0]).run(), await house.start(setups[1]).run()

    def close(self) -> None:
        """Close everything."""
        for house in self._houses.values():
            self._runner.run(house.aclose())
        self._runner.close()


@pytest.fixture(scope="module")
def holder(provider_server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Holder]:
    """The stubs named in the environment, and a house on them."""
    with faulty.ready(provider_server):
        made = Holder(provider_server, tmp_path_factory.mktemp("generated"))
        yield made
        made.close()


@settings(max_examples=120, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(reply=replies(), streams=st.booleans())
def test_nothing_breaks_and_nothing_is_invented(reply: Reply, streams: bool, holder: Holder) -> None:
    judged, interpreted = holder.hold(reply, streams=streams)
    body = reply.body.decode("utf-8", "replace")
    said = list(texts(decoded(body)))
    allowed = {pair for text in [body, *said, "".join(said)] for pair in pairs(text)}
    assert judged["end_reason"] == "completed"
    turn = judged["turns"][0]
    for number, verdict in enumerate(turn["verdicts"], 1):
        assert verdict["met"] is None or (f"c{number}", verdict["met"]) in allowed, (verdict, body)
    translation = (interpreted["turns"] or [{}])[0].get("translation") or ""
    assert interpreted["end_reason"] in ("completed", "infrastructure")
    assert translation in "".join(said) or all(part in "".join(said) for part in translation.split()), body


@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(text=spoken, streams=st.booleans())
def test_a_verdict_stands_in_the_answer(text: str, streams: bool, holder: Holder) -> None:
    judged, _ = holder.hold(around(lambda _: text)("", streams), streams=streams)
    allowed = set(pairs(text))
    for number, verdict in enumerate(judged["turns"][0]["verdicts"], 1):
        assert verdict["met"] is None or (f"c{number}", verdict["met"]) in allowed, (verdict, text)


def decoded(body: str) -> list[Any]:
    """Every JSON value that stands in a body, as a document or in an event."""
    found = []
    for line in [body, *body.splitlines()]:
        try:
            found.append(json.loads(line.removeprefix("data:").strip()))
        except ValueError:
            continue
    return found


def texts(value: Any) -> Iterator[str]:
    """Every text in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from texts(part)


def pairs(text: str) -> Iterator[tuple[str, bool]]:
    """Every id with an answer beside it that some JSON object in a text gives, however deep."""
    decoder = json.JSONDecoder()
    for start, character in enumerate(text):
        if character in "{[":
            try:
                value, _ = decoder.raw_decode(text, start)
            except ValueError:
                continue
            yield from _pairs(value)


def _pairs(value: Any) -> Iterator[tuple[str, bool]]:
    if isinstance(value, list):
        for part in value:
            yield from _pairs(part)
    if not isinstance(value, dict):
        return
    if "id" in value and "met" in value:
        yield from _pair(value["id"], value["met"])
    for name, part in value.items():
        yield from _pair(name, part["met"] if isinstance(part, dict) and "met" in part else part)
        yield from _pairs(part)


def _pair(name: Any, met: Any) -> Iterator[tuple[str, bool]]:
    found = str(name).strip().casefold()
    said = str(met).strip().casefold()
    if said in (*YES, *NO):
        yield (f"c{found}" if found.isdigit() else found), said in YES
