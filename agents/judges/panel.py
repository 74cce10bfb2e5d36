"""Several judges as one: what most of those asked say, and nothing where that is not so.

A member is *asked* about a criterion if it claims it (`Judge.claims`, or no `not_claimed` in answer), also
where it then fails. With n asked, y of them met, m not met and s *not said*:

| case | verdict |
|---|---|
| n = 0 | not claimed |
| 2s > n | not said |
| 2(y + m) > n and y > m | met |
| 2(y + m) > n and m > y | not met |
| 2(y + m) > n and y = m | unjudged: a tie, counted as disagreement |
| else | unjudged: too few of those asked gave a verdict |

So two members of which one fails judge nothing together, but where `rules` is one of the two the other
alone was asked about all that `rules` does not claim. Each member is asked on its own; how it voted
stands in the verdict. It must not weigh members.
"""

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sim.core.errors import CallFailed, FaultKind, Layer
from sim.core.events import FaultRaised
from sim.core.judging import complete
from sim.core.ports import CallScope, Judge, JudgeView
from sim.core.values import Basis, Criterion, Verdict, Vote

_log = logging.getLogger(__name__)


class PanelJudge:
    """A `Judge` made of judges."""

    def __init__(self, members: tuple[Judge, ...]) -> None:
        self._members = members

    @property
    def name(self) -> str:
        """The members' names, with commas."""
        return ",".join(member.name for member in self._members)

    @property
    def identity(self) -> Mapping[str, Any]:
        """The members' identities."""
        return {"judge": "panel", "members": [dict(member.identity) for member in self._members]}

    @property
    def sees_reference(self) -> bool:
        """Whether any member is shown the reference; the others get views without it."""
        return any(member.sees_reference for member in self._members)

    def claims(self, criterion: Criterion, target: str | None) -> bool:
        """Whether any member does."""
        return any(member.claims(criterion, target) for member in self._members)

    async def judge(self, view: JudgeView, scope: CallScope) -> tuple[Verdict, ...]:
        """One verdict a criterion, with a vote a member. A member's failure is told, and costs its votes."""
        ballots = await asyncio.gather(*(_ballot(member, view, scope) for member in self._members))
        return tuple(
            self._count(criterion, [ballot[at] for ballot in ballots])
            for at, criterion in enumerate(view.criteria)
        )

    def _count(self, criterion: Criterion, votes: list[Verdict]) -> Verdict:
        met, basis = decided(votes)
        said = [f"{vote.judge}: {_word(vote)}. {vote.reason}".strip() for vote in votes]
        yes, no = (sum(vote.met is answer for vote in votes) for answer in (True, False))
        return Verdict(
            criterion=criterion.id,
            layer=criterion.layer,
            met=met,
            basis=basis,
            reason=f"{yes} to {no}. " + " | ".join(said),
            judge=self.name,
            votes=tuple(Vote(judge=vote.judge, met=vote.met, basis=vote.basis) for vote in votes),
        )


def decided(votes: list[Verdict]) -> tuple[bool | None, Basis]:
    """What votes on one criterion come to, and on what basis: a gate only where all who decide name it."""
    asked = [vote for vote in votes if vote.basis is not Basis.NOT_CLAIMED]
    if not asked:
        return None, Basis.NOT_CLAIMED
    if 2 * sum(vote.basis is Basis.NOT_SAID for vote in asked) > len(asked):
        return None, Basis.NOT_SAID
    yes, no = (sum(vote.met is answer for vote in asked) for answer in (True, False))
    if 2 * (yes + no) <= len(asked) or yes == no:
        return None, Basis.UNJUDGED
    bases = {vote.basis for vote in asked if vote.met is (yes > no)}
    return yes > no, bases.pop() if len(bases) == 1 else Basis.JUDGED


async def _ballot(member: Judge, view: JudgeView, scope: CallScope) -> list[Verdict]:
    """A member's vote on each criterion of the view; it is shown only those it claims."""
    target = None if view.level == "conversation" else view.turns[-1].target_language
    claimed = tuple(c for c in view.criteria if member.claims(c, target))
    given: tuple[Verdict, ...] = ()
    why = "It gave no verdict on it."
    if claimed:
        try:
            given = await member.judge(_for(member, replace(view, criteria=claimed)), scope)
        except CallFailed as failure:
            why = f"It failed: {failure.what}"
            _tell(member, failure, scope)
        except Exception as failure:
            _log.exception("judge %s failed", member.name)
            why = f"It failed: {type(failure).__name__}."
            _tell(member, CallFailed(FaultKind.CRASHED, why), scope)
    votes = {vote.criterion: vote for vote in complete(claimed, given, member.name, why)}
    return [votes.get(criterion.id) or _unclaimed(criterion, member) for criterion in view.criteria]


def _unclaimed(criterion: Criterion, member: Judge) -> Verdict:
    return Verdict(
        criterion=criterion.id, layer=criterion.layer, met=None, basis=Basis.NOT_CLAIMED, judge=member.name
    )


def _tell(member: Judge, failure: CallFailed, scope: CallScope) -> None:
    """The others decide without it, and the record says so."""
    scope.publish(
        FaultRaised(
            layer=Layer.JUDGE, who=member.name, kind=failure.kind, what=failure.what, detail=failure.detail
        )
    )


def _word(vote: Verdict) -> str:
    if vote.met is not None:
        return "met" if vote.met else "not met"
    return {Basis.NOT_SAID: "not said", Basis.NOT_CLAIMED: "not asked"}.get(vote.basis, "no verdict")


def _for(member: Judge, view: JudgeView) -> JudgeView:
    if member.sees_reference:
        return view
    return replace(view, turns=tuple(replace(turn, reference=None) for turn in view.turns))
