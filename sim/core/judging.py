"""The judging side of the loop: checklists, verdicts, and what a failure scores.

Every criterion gets exactly one verdict: the judge's, a failed system's, or none. It asks a judge
through its port and tells the bus; when a turn is over is the loop's to say.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable

from sim.core import events as ev
from sim.core.bus import Bus
from sim.core.errors import CallFailed, Fault, Layer
from sim.core.plan import Line, Plan
from sim.core.ports import ChecklistWriter, Judge, JudgedTurn, JudgeView
from sim.core.values import Basis, Criterion, Verdict
from sim.core.view import Carried, Spoken, conversation_view, judge_view, judged_turn

_log = logging.getLogger(__name__)
WHY_LOST = {
    Basis.SYSTEM_FAILURE: "The interpretation failed.",
    Basis.NOT_REACHED: "The interpretation of an earlier turn failed.",
}
"""Why nothing was delivered."""
_SOMETHING_ELSE = "The translation says something else than the source."


class Judging:
    """The verdicts of one conversation."""

    def __init__(
        self, plan: Plan, judge: Judge | None, writer: ChecklistWriter | None, bus: Bus, line: Line
    ) -> None:
        self._plan = plan
        self._judge = judge
        self._writer = writer
        self._bus = bus
        self._line = line
        self._turns: list[JudgedTurn] = []
        """All that were interpreted or failed to be, in order."""

    def publish_checklist(self, index: int) -> None:
        """Tell the criteria of a turn, if the turn is one of the course."""
        course = self._plan.course
        if index in course.indices:
            self._bus.publish(
                ev.ChecklistReady(turn=index, procedure=course.procedure, criteria=self._criteria(index))
            )

    def _criteria(self, index: int) -> tuple[Criterion, ...]:
        return self._plan.course.criteria(self._plan.scenario, index)

    def turn(self, tasks: asyncio.TaskGroup, carried: Carried, response: Spoken | None) -> None:
        """Start judging a turn that was delivered; score a failed one, and what it cut off, as not met."""
        judge = self._judge
        turn = judged_turn(
            self._plan.scenario,
            carried,
            response,
            with_reference=judge is not None and judge.sees_reference,
        )
        self._turns.append(turn)
        if carried.translation is None:
            self._not_met((carried.index,), Basis.SYSTEM_FAILURE)
            if self._plan.course.counts_unreached:
                cut = range(carried.index + 1, self._plan.course.indices.stop)
                for index in cut:
                    self.publish_checklist(index)
                self._not_met(cut, Basis.NOT_REACHED)
            return
        if self._writes_live:
            tasks.create_task(self._judge_live(turn))
            return
        view = judge_view(self._plan.scenario, self._plan.course.mode, turn, self._criteria(carried.index))
        tasks.create_task(self._ask(view, carried.index, self._turn_judged))

    @property
    def _writes_live(self) -> bool:
        return self._writer is not None and self._plan.course.procedure == "post-hoc"

    async def _judge_live(self, turn: JudgedTurn) -> None:
        """Judge a turn by surface checks, written from its actual words: provisional, never in a table.

        Where the meaning gate calls the translation something else none is met, whoever judges.
        """
        criteria = await self._live_criteria(turn)
        self._bus.publish(
            ev.ChecklistReady(turn=turn.index, procedure="live", criteria=criteria, provisional=True)
        )

        def publish(index: int | None, verdicts: list[Verdict]) -> None:
            self._turn_judged(index, [v.model_copy(update={"provisional": True}) for v in verdicts])

        if turn.meaning is not None and turn.meaning.result == "else":
            basis = Basis.MEANING_GATE
            publish(turn.index, failed(criteria, self._judge, turn.target_language, basis, _SOMETHING_ELSE))
            return
        view = judge_view(self._plan.scenario, self._plan.course.mode, turn, criteria)
        await self._ask(view, turn.index, publish)

    async def _live_criteria(self, turn: JudgedTurn) -> tuple[Criterion, ...]:
        assert self._writer is not None
        try:
            return await self._writer.live(
                turn.index, turn.source, (turn.source_language, turn.target_language)
            )
        except Exception as failure:
            _log.exception("checklist writer failed")
            self._line.surprise(failure, Layer.WRITER, "writer", turn.index)
            return ()

    def _not_met(self, indices: Iterable[int], basis: Basis) -> None:
        for index in indices:
            target = self._plan.scenario.direction(index)[1]
            lost = failed(self._criteria(index), self._judge, target, basis, WHY_LOST[basis])
            self._turn_judged(index, lost)

    async def whole(self) -> None:
        """Judge the conversation as a whole, where its course has criteria for that."""
        criteria = self._plan.course.whole(self._plan.scenario)
        if not criteria:
            return
        self._bus.publish(ev.ChecklistReady(procedure="conversation", criteria=criteria))
        if any(turn.failed is None for turn in self._turns):
            view = conversation_view(self._plan.scenario, self._plan.course.mode, self._turns, criteria)
            await self._ask(view, None, self._whole_judged)
            return
        nothing = "No turn was delivered."
        self._whole_judged(None, failed(criteria, self._judge, None, Basis.SYSTEM_FAILURE, nothing))

    async def _ask(
        self, view: JudgeView, index: int | None, publish: Callable[[int | None, list[Verdict]], None]
    ) -> None:
        given: tuple[Verdict, ...] = ()
        judge = self._judge
        why = "No judge was asked." if judge is None else "The judge gave no verdict on it."
        if judge is not None and view.criteria:
            try:
                given = await judge.judge(view, self._line.scope("judge", index))
            except CallFailed as failure:
                why = f"The judge failed: {failure.what}"
                self._line.fault(
                    Fault(Layer.JUDGE, failure.kind, failure.what, failure.detail), judge.name, index
                )
            except Exception as failure:
                _log.exception("judge %s failed", judge.name)
                why = "The judge failed."
                self._line.surprise(failure, Layer.JUDGE, judge.name, index)
        publish(index, complete(view.criteria, given, judge.name if judge else "none", why))

    def _turn_judged(self, index: int | None, verdicts: list[Verdict]) -> None:
        self._publish_verdicts(index, verdicts)
        self._bus.publish(ev.TurnJudged(turn=index, **_counts(verdicts)))

    def _whole_judged(self, index: int | None, verdicts: list[Verdict]) -> None:
        self._publish_verdicts(index, verdicts)
        self._bus.publish(ev.ConversationJudged(**_counts(verdicts)))

    def _publish_verdicts(self, index: int | None, verdicts: list[Verdict]) -> None:
        for verdict in verdicts:
            self._bus.publish(ev.CriterionJudged(turn=index, verdict=verdict))


def failed(
    criteria: Iterable[Criterion], judge: Judge | None, target: str | None, basis: Basis, reason: str
) -> list[Verdict]:
    """The verdicts on what was never delivered: not met, but for what the judge would not have answered.

    So each system is held to the same criteria, whatever fails. `target` as in `Judge.claims`.
    """
    return [
        Verdict(criterion=c.id, layer=c.layer, met=False, basis=basis, reason=reason)
        if judge is None or judge.claims(c, target)
        else Verdict(criterion=c.id, layer=c.layer, met=None, basis=Basis.NOT_CLAIMED, judge=judge.name)
        for c in criteria
    ]


def complete(
    criteria: tuple[Criterion, ...], given: tuple[Verdict, ...], judge: str, why: str
) -> list[Verdict]:
    """Exactly one verdict for each criterion, in checklist order.

    A criterion the judge left out, or said twice and differently, is unjudged; verdicts on anything
    else are dropped.
    """
    by_id: dict[str, list[Verdict]] = {}
    for verdict in given:
        by_id.setdefault(verdict.criterion, []).append(verdict)
    result = []
    for criterion in criteria:
        said = by_id.get(criterion.id, [])
        if said and all((v.met, v.basis.apart) == (said[0].met, said[0].basis.apart) for v in said):
            result.append(said[0])
            continue
        reason = "The judge contradicted itself." if said else why
        result.append(
            Verdict(
                criterion=criterion.id,
                layer=criterion.layer,
                met=None,
                basis=Basis.UNJUDGED,
                reason=reason,
                judge=judge,
            )
        )
    return result


def _counts(verdicts: list[Verdict]) -> dict[str, int]:
    return {
        "met": sum(v.met is True for v in verdicts),
        "judged": sum(v.met is not None for v in verdicts),
        "criteria": len(verdicts),
    }
