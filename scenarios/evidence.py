"""Do the checks of a scenario tell good renderings from bad ones? The judge asked, on known texts.

References and alternatives must meet their criteria, contrasts must break exactly what they name. The
judge and the language detector come as ports; nothing here knows how either works.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from scenarios.document import Place
from scenarios.structure import Remark, turn_criteria
from sim.core.ports import CallScope, Judge, JudgedTurn, JudgeView, LanguageDetector
from sim.core.values import Basis, Contrast, Criterion, Scenario, ScenarioTurn, Verdict

LEAST_MET = 0.95
"""Share of the criteria on references that must be met."""

Placed = tuple[Place, Criterion]


@dataclass(slots=True)
class Tally:
    """Verdicts on one kind of text."""

    met: int = 0
    not_met: int = 0
    unjudged: int = 0

    @property
    def criteria(self) -> int:
        """How many criteria were asked."""
        return self.met + self.not_met + self.unjudged

    def add(self, verdicts: Iterable[Verdict]) -> None:
        """Count these."""
        for verdict in verdicts:
            self.met += verdict.met is True
            self.not_met += verdict.met is False
            self.unjudged += verdict.met is None

    def merge(self, other: Tally) -> None:
        """Count those too."""
        self.met += other.met
        self.not_met += other.not_met
        self.unjudged += other.unjudged


class Evidence:
    """One scenario's known texts before the judge; counts as it goes."""

    def __init__(self, scenario: Scenario, judge: Judge, detector: LanguageDetector) -> None:
        self._scenario = scenario
        self._judge = judge
        self._detector = detector
        self.references = Tally()
        self.alternatives = Tally()
        self.contrasts = 0
        self.contrasts_as_named = 0

    async def remarks(self) -> AsyncIterator[Remark]:
        """Everything the texts show to be wrong with the checks."""
        for position, turn in enumerate(self._scenario.turns):
            placed = tuple(turn_criteria(position, turn))
            async for remark in self._good(position, placed):
                yield remark
            for n, contrast in enumerate(turn.contrasts):
                async for remark in self._contrast(("turns", position, "contrasts", n), contrast, placed):
                    yield remark
        async for remark in self._conversation():
            yield remark
        met, asked = self.references.met, self.references.criteria
        if asked and met < LEAST_MET * asked:
            said = f"Only {met} of {asked} criteria are met on the references ({self.references.unjudged} unjudged)."
            yield Remark((), said, f"At least {LEAST_MET:.0%} is asked; give criteria a check.")

    async def _good(self, position: int, placed: Sequence[Placed]) -> AsyncIterator[Remark]:
        turn = self._scenario.turns[position]
        renderings = [("reference", turn.reference, self.references)]
        renderings += [
            (f"alternative {n}", text, self.alternatives) for n, text in enumerate(turn.alternatives, start=1)
        ]
        for name, text, tally in renderings:
            verdicts = await self._verdicts((self._judged(position, text),), placed, "turn")
            tally.add(verdicts)
            for remark in _failures(f"the {name} of turn {position}", verdicts, placed):
                yield remark

    async def _contrast(
        self, at: Place, contrast: Contrast, placed: Sequence[Placed]
    ) -> AsyncIterator[Remark]:
        asked = [p for p in placed if p[0][3] == "turn" or p[1].id in contrast.breaks]
        verdicts = await self._verdicts((self._judged(int(at[1]), contrast.text),), asked, "turn")
        found = list(_surprises(at, contrast, verdicts))
        self.contrasts += 1
        self.contrasts_as_named += not found
        for remark in found:
            yield remark

    async def _conversation(self) -> AsyncIterator[Remark]:
        placed: list[Placed] = [(("criteria", n), item) for n, item in enumerate(self._scenario.criteria)]
        turns = tuple(self._judged(n, turn.reference) for n, turn in enumerate(self._scenario.turns))
        verdicts = await self._verdicts(turns, placed, "conversation")
        self.references.add(verdicts)
        for remark in _failures("the references of all turns", verdicts, placed):
            yield remark

    async def _verdicts(
        self, turns: tuple[JudgedTurn, ...], placed: Sequence[Placed], level: Literal["turn", "conversation"]
    ) -> tuple[Verdict, ...]:
        if not placed:
            return ()
        view = JudgeView(
            conversation_context=self._scenario.conversation_context,
            turns=turns,
            criteria=tuple(criterion for _, criterion in placed),
            level=level,
        )
        scope = CallScope(
            role="judge",
            scenario=self._scenario.id,
            turn=turns[0].index if level == "turn" else None,
            trial=0,
            attempt=0,
            publish=lambda event: None,
        )
        return await self._judge.judge(view, scope)

    def _judged(self, position: int, text: str) -> JudgedTurn:
        turn = self._scenario.turns[position]
        source_language, target_language = self._scenario.direction(position)
        response = _response(self._scenario.turns, position)
        check = self._detector.check
        return JudgedTurn(
            index=position,
            speaker=turn.speaker,
            source_language=source_language,
            target_language=target_language,
            source=turn.source,
            translation=text,
            translation_check=check(text, target_language, source_language, turn.source),
            flags=(),
            response=response,
            response_check=None if response is None else check(response, target_language, source_language),
            reference=turn.reference,
        )


def _response(turns: tuple[ScenarioTurn, ...], position: int) -> str | None:
    """The response to a turn is the source of the next."""
    return turns[position + 1].source if position + 1 < len(turns) else None


def _failures(text: str, verdicts: Iterable[Verdict], placed: Sequence[Placed]) -> Iterable[Remark]:
    places = {criterion.id: at for at, criterion in placed}
    for verdict in verdicts:
        if verdict.met is False:
            yield Remark(
                places[verdict.criterion], f"{verdict.criterion} is not met on {text}: {verdict.reason}"
            )


def _surprises(at: Place, contrast: Contrast, verdicts: Iterable[Verdict]) -> Iterable[Remark]:
    for verdict in verdicts:
        named = verdict.criterion in contrast.breaks
        if verdict.basis is Basis.NOT_CLAIMED:
            # no check of words sees it: a model has to
            continue
        if named and verdict.met is not False:
            answer = "met" if verdict.met else "unjudged"
            said = f"The contrast {contrast.name!r} should break {verdict.criterion}, which is {answer}: {verdict.reason}"
            yield Remark(at, said)
        elif not named and verdict.met is False:
            said = f"The contrast {contrast.name!r} also breaks {verdict.criterion}: {verdict.reason}"
            yield Remark(at, said, "Name it in `breaks`, or let the contrast break only what it names.")
