"""Whatever a server answers, the run goes on and nothing is invented.

Every row of `cases`, asked whole and streamed, for each role: the right outcome, no translation, line or
verdict that nobody gave, and what does not pass said after one call.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.agents.providers import faulty
from tests.agents.providers.cases import CASES, THOUGHT, Case, slug
from tests.agents.providers.uses import SCENARIO
from tests.stub.providers.server import Server

WAYS = ("whole", "streamed")
Told = tuple[dict[str, Any], int]
"""A conversation, and how many requests its model got."""
SYSTEM = ("empty", "blocked")


@pytest.fixture(scope="module")
def told(
    provider_server: Server, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str, str, Case], Told]:
    """The conversation of a role, a way and a case; those of one role and way are held together, once."""
    known: dict[tuple[str, str], tuple[dict[str, Any], dict[str, int]]] = {}

    def hold(role: str, way: str) -> tuple[dict[str, Any], dict[str, int]]:
        cases = [case for case in CASES.values() if way in case.ways]
        with faulty.ready(provider_server):
            faulty.install(provider_server, cases)
            setups = {case.name: faulty.setup(role, faulty.model(case)) for case in cases}
            held = faulty.hold(tmp_path_factory.mktemp("faults"), setups, streams=way == "streamed")
            counts = {case.name: provider_server["openai"].asked_of(slug(case.name)) for case in cases}
        return held, counts

    def conversation(role: str, way: str, case: Case) -> Told:
        if (role, way) not in known:
            known[role, way] = hold(role, way)
        held, counts = known[role, way]
        if isinstance(held[case.name], BaseException):
            raise held[case.name]
        return held[case.name], counts[case.name]

    return conversation


def rows() -> list[Any]:
    """Every case in both ways for each role."""
    return [
        pytest.param(
            role,
            way,
            case,
            id=f"{role}-{way}-{case.name}",
        )
        for case in CASES.values()
        for way in case.ways
        for role in faulty.ROLES
    ]


@pytest.mark.parametrize(("role", "way", "case"), rows())
def test_a_fault_has_the_right_outcome(
    role: str, way: str, case: Case, told: Callable[[str, str, Case], Told]
) -> None:
    conversation, calls = told(role, way, case)
    seen, calls_made = {"interpreter": interpreted, "judge": judged, "user": spoken}[role](conversation)
    unread = role == "judge" and seen == "unparseable"
    assert seen in case.outcome or (unread and {"empty", "cut", "internal"} & set(case.outcome))
    assert THOUGHT not in shown(conversation)
    if case.calls is not None:
        assert calls <= case.calls * calls_made, f"{calls} requests"


def shown(conversation: dict[str, Any]) -> str:
    """All that anybody is shown of the turns: the raw answer and what a fault tells are kept apart."""
    kept = ("raw", "fault")
    return str(
        [{name: part for name, part in turn.items() if name not in kept} for turn in conversation["turns"]]
    )


def interpreted(conversation: dict[str, Any]) -> tuple[str, int]:
    """What became of a translation, and how many calls that took at best."""
    first = conversation["turns"][0]
    right = SCENARIO.turns[0].reference
    if conversation["end_reason"] == "infrastructure":
        assert not first["translation"]
        return first["fault"]["kind"], 1
    assert conversation["end_reason"] == "completed"
    kinds = {turn["fault"]["kind"] if turn["fault"] else None for turn in conversation["turns"]}
    assert len(kinds) == 1
    if first["fault"]:
        assert not first["translation"]
        assert first["fault"]["kind"] in SYSTEM
        return first["fault"]["kind"], 2
    if first["translation"] == right:
        return "answer", 2
    assert right.startswith(first["translation"])
    assert "truncated" in first["flags"]
    return "cut", 2


def judged(conversation: dict[str, Any]) -> tuple[str, int]:
    """What became of the verdicts, which never change what was held; each there is was given so."""
    assert conversation["end_reason"] == "completed"
    assert [turn["translation"] for turn in conversation["turns"]] == [
        t.reference for t in SCENARIO.turns[:2]
    ]
    for turn in conversation["turns"]:
        for number, verdict in enumerate(turn["verdicts"]):
            assert verdict["met"] in (None, number % 3 != 2)
    scores = conversation["scores"]
    if scores["judged"]:
        return "answer" if scores["judged"] == scores["criteria"] else "cut", 2
    return conversation["turns"][0]["fault"]["kind"], 2


def spoken(conversation: dict[str, Any]) -> tuple[str, int]:
    """What became of a user's line."""
    turns = conversation["turns"]
    if conversation["end_reason"] == "completed":
        assert [turn["source"] for turn in turns] == [turn.source for turn in SCENARIO.turns[:2]]
        return "answer", 1
    assert not turns or not turns[0].get("translation")
    kind = (conversation["fault"] or turns[0]["fault"])["kind"]
    if conversation["end_reason"] == "user_fault":
        return "cut" if kind in ("never_ended", "truncated") else kind, 1
    assert conversation["end_reason"] == "infrastructure"
    return kind, 1
