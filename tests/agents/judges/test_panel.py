"""The panel: every case of who was asked, who answered and what it comes to."""

from typing import Literal

import pytest

from agents.judges.panel import PanelJudge
from sim.core.errors import CallFailed, FaultKind
from sim.core.events import Event, FaultRaised
from sim.core.ports import Judge, JudgeView
from sim.core.values import Basis, Verdict
from tests.agents.clients import judge_view, scope
from tests.sim.core.people import FakeJudge

Says = Literal["yes", "no", "unsaid", "open", "unclaimed", "unasked", "fails", "breaks"]
"""Met, not met, not said, no verdict, claims nothing, answers *not claimed*, call fails, has a bug."""
_GIVEN = {
    "yes": (True, Basis.JUDGED),
    "no": (False, Basis.JUDGED),
    "unsaid": (None, Basis.NOT_SAID),
    "open": (None, Basis.UNJUDGED),
    "unasked": (None, Basis.NOT_CLAIMED),
}


def member(says: Says, name: str, basis: Basis | None = None) -> FakeJudge:
    def give(view: JudgeView) -> tuple[Verdict, ...]:
        if says == "fails":
            raise CallFailed(FaultKind.AUTHENTICATION, "no key")
        if says == "breaks":
            raise ZeroDivisionError
        met, of = _GIVEN[says]
        return tuple(
            Verdict(criterion=c.id, layer=c.layer, met=met, basis=basis or of, judge=name)
            for c in view.criteria
        )

    return FakeJudge(give, name=name, unclaimed=frozenset("a" if says == "unclaimed" else ""))


async def judged(*says: Says) -> Verdict:
    members: tuple[Judge, ...] = tuple(member(one, f"j{n}") for n, one in enumerate(says))
    (verdict,) = await PanelJudge(members).judge(judge_view("a"), scope())
    return verdict


@pytest.mark.parametrize(
    ("says", "met", "basis"),
    [
        (("yes", "yes", "no"), True, "judged"),
        (("no", "no", "yes"), False, "judged"),
        (("yes", "no"), None, "unjudged"),
        (("yes", "no", "open"), None, "unjudged"),
        (("yes", "yes", "open"), True, "judged"),
        (("yes", "open"), None, "unjudged"),
        (("yes", "fails"), None, "unjudged"),
        (("yes", "breaks"), None, "unjudged"),
        (("yes", "yes", "fails"), True, "judged"),
        (("yes", "fails", "fails"), None, "unjudged"),
        (("yes", "yes", "fails", "fails"), None, "unjudged"),
        (("yes", "yes", "no", "fails"), True, "judged"),
        (("fails", "fails"), None, "unjudged"),
        (("unclaimed", "yes"), True, "judged"),
        (("unasked", "no"), False, "judged"),
        (("unclaimed", "fails"), None, "unjudged"),
        (("unclaimed", "unasked"), None, "not_claimed"),
        (("unclaimed", "unsaid"), None, "not_said"),
        (("unsaid", "unsaid", "yes"), None, "not_said"),
        (("unsaid", "yes"), None, "unjudged"),
        (("unsaid", "yes", "yes"), True, "judged"),
        (("unsaid", "yes", "no"), None, "unjudged"),
        (("unsaid", "unsaid", "yes", "yes"), None, "unjudged"),
        (("unsaid", "unsaid", "unclaimed", "yes"), None, "not_said"),
        (("unsaid", "fails"), None, "unjudged"),
    ],
)
async def test_what_most_of_those_asked_say(says: tuple[Says, ...], met: bool | None, basis: str) -> None:
    verdict = await judged(*says)
    assert (verdict.met, verdict.basis) == (met, basis)
    assert [vote.judge for vote in verdict.votes] == [f"j{n}" for n in range(len(says))]


async def test_votes_say_who_was_asked_and_what_each_said() -> None:
    verdict = await judged("yes", "no", "fails", "unclaimed", "unsaid")
    assert [(vote.met, str(vote.basis)) for vote in verdict.votes] == [
        (True, "judged"),
        (False, "judged"),
        (None, "unjudged"),
        (None, "not_claimed"),
        (None, "not_said"),
    ]
    assert "j2: no verdict. It failed: no key" in verdict.reason
    assert "j3: not asked." in verdict.reason


async def test_a_gate_is_the_basis_only_where_all_who_decide_name_it() -> None:
    gated = member("no", "rules", Basis.MEANING_GATE)
    for other, basis in ((member("no", "x"), Basis.JUDGED), (member("unclaimed", "x"), Basis.MEANING_GATE)):
        (verdict,) = await PanelJudge((gated, other)).judge(judge_view("a"), scope())
        assert (verdict.met, verdict.basis) == (False, basis)


@pytest.mark.parametrize(("says", "kind"), [("fails", "authentication"), ("breaks", "crashed")])
async def test_a_members_failure_is_told_by_name(says: Says, kind: str) -> None:
    told: list[Event] = []
    panel = PanelJudge((member(says, "broken"), member("yes", "good")))
    await panel.judge(judge_view("a"), scope("judge", told))
    faults = [event for event in told if isinstance(event, FaultRaised)]
    assert [(event.layer, event.who, event.kind) for event in faults] == [("judge", "broken", kind)]


async def test_a_member_is_shown_only_what_it_claims() -> None:
    some, all_ = member("yes", "some"), member("yes", "all")
    some.unclaimed = frozenset("b")
    verdicts = await PanelJudge((some, all_)).judge(judge_view("a", "b"), scope())
    assert [[c.id for c in one.seen[0].criteria] for one in (some, all_)] == [["a"], ["a", "b"]]
    assert [v.met for v in verdicts] == [True, True]
    none = member("unclaimed", "none")
    await PanelJudge((none, all_)).judge(judge_view("a"), scope())
    assert none.seen == []


async def test_members_that_may_not_see_the_reference_do_not() -> None:
    blind, seeing = FakeJudge(name="blind"), FakeJudge(name="seeing", sees_reference=True)
    await PanelJudge((blind, seeing)).judge(judge_view("a"), scope())
    assert blind.seen[0].turns[0].reference is None
    assert seeing.seen[0].turns[0].reference == "Selamat pagi, Bu."
