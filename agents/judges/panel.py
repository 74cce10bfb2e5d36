"""Several judges as one: the majority decides, a tie leaves the criterion unjudged.

Each member is asked on its own; a member that fails has no vote, and its fault is recorded.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sim.core.errors import CallFailed, Layer
from sim.core.events import FaultRaised
from sim.core.judging import complete
from sim.core.ports import CallScope, Judge, JudgeView
from sim.core.values import Basis, Criterion, Verdict


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
        """The majority's verdicts. Raises CallFailed where every member failed."""
        asked = (member.judge(_for(member, view), scope) for member in self._members)
        answers = await asyncio.gather(*asked, return_exceptions=True)
        failures = [answer for answer in answers if isinstance(answer, BaseException)]
        for failure in failures:
            if not isinstance(failure, CallFailed):
                raise failure
        if len(failures) == len(self._members):
            raise failures[0]
        ballots = []
        for member, answer in zip(self._members, answers, strict=True):
            if isinstance(answer, CallFailed):
                _tell(member, answer, scope)
                ballots.append(complete(view.criteria, (), member.name, f"Not asked: {answer.what}"))
            elif not isinstance(answer, BaseException):
                ballots.append(complete(view.criteria, answer, member.name, "No verdict."))
        votes_by_criterion = zip(*ballots, strict=True)
        return tuple(
            self._count(criterion, votes)
            for criterion, votes in zip(view.criteria, votes_by_criterion, strict=True)
        )

    def _count(self, criterion: Criterion, votes: tuple[Verdict, ...]) -> Verdict:
        yes = sum(vote.met is True for vote in votes)
        no = sum(vote.met is False for vote in votes)
        met = None if yes == no else yes > no
        said = [f"{vote.judge}: {_word(vote.met)}. {vote.reason}".strip() for vote in votes]
        return Verdict(
            criterion=criterion.id,
            layer=criterion.layer,
            met=met,
            basis=Basis.UNJUDGED if met is None else Basis.JUDGED,
            reason=f"{yes} to {no}. " + " | ".join(said),
            judge=self.name,
        )


def _tell(member: Judge, failure: CallFailed, scope: CallScope) -> None:
    """The others decide without it, and the record says so."""
    scope.publish(
        FaultRaised(
            layer=Layer.JUDGE, who=member.name, kind=failure.kind, what=failure.what, detail=failure.detail
        )
    )


def _word(met: bool | None) -> str:
    return "no verdict" if met is None else ("met" if met else "not met")


def _for(member: Judge, view: JudgeView) -> JudgeView:
    if member.sees_reference:
        return view
    return replace(view, turns=tuple(replace(turn, reference=None) for turn in view.turns))
