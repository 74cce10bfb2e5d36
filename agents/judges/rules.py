"""The `rules` judge: deterministic checks of the translation, and no claim to anything else.

No model, no network. It must stay cheap enough to run inside every turn of a batch, and it never
guesses: a criterion without a check that could fail it is not claimed, neither met nor failed.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from agents.detectors.registry import VERSION as DETECTORS
from agents.judges.checks import VERSION, Finding, answers, combine, detections, legs
from agents.judges.checks import problems as check_problems
from agents.judges.forms import Text, compile_form
from agents.judges.gates import Gate, asks_meaning, gate, over_all, passed, response_gate
from sim.core.beside import beside
from sim.core.ports import CallScope, Encoder, JudgeView
from sim.core.values import Basis, Check, Criterion, MeaningCheck, Verdict

_CACHED_FORMS = 8192
_NO_CHECK = Finding(None, "No check of words can tell.")
_NO_RESPONSE = Finding(None, "There is no response to judge by.")
_NO_TURN = Finding(None, "There is no turn to judge.")


@dataclass(slots=True)
class _Evidence:
    """What the criteria of one call are judged by."""

    gate: Gate | None
    """None where checks run."""
    response_gate: Gate | None
    has_response: bool
    text: Text
    reference: str | None
    language: str | None = None
    """Of the text, ISO 639-3; None where it is in more than one."""
    meaning: MeaningCheck | None = None
    similarity: float | None = None


class RulesJudge:
    """Fills the Judge port with checks; an encoder only serves their `similar` leg."""

    def __init__(self, encoder: Encoder | None = None, gate: Mapping[str, Any] | None = None) -> None:
        """`gate` is the identity of the meaning gate whose answers it will be shown; None: of none."""
        self._encoder = encoder
        self._gate = gate
        self._compiled = lru_cache(maxsize=_CACHED_FORMS)(compile_form)

    @property
    def name(self) -> str:
        """`rules`."""
        return "rules"

    @property
    def identity(self) -> Mapping[str, Any]:
        """The versions of checks and detectors, the encoder behind `similar`, and the gate before it all."""
        return {
            "judge": self.name,
            "checks": VERSION,
            "detectors": DETECTORS,
            "encoder": dict(self._encoder.identity) if self._encoder else None,
            "meaning": dict(self._gate) if self._gate else None,
        }

    @property
    def sees_reference(self) -> bool:
        """True: `similar` compares with it."""
        return True

    def claims(self, criterion: Criterion, target: str | None) -> bool:
        """Whether it has a check that some translation into `target` could fail."""
        check = criterion.check
        return check is not None and (asks_meaning(check) or answers(check, target))

    def problems(self, check: Check) -> tuple[str, ...]:
        """What the author of `check` should mend in its forms, one sentence each."""
        return check_problems(check)

    async def judge(self, view: JudgeView, scope: CallScope) -> tuple[Verdict, ...]:
        """One verdict a criterion, in order.

        A conversation-level check runs over the translations of all turns, joined by line feeds.
        """
        length = sum(len(turn.source) + len(turn.translation) for turn in view.turns)
        evidence = await beside(length, lambda: _evidence(view))
        return tuple([await self._verdict(criterion, evidence) for criterion in view.criteria])

    async def _verdict(self, criterion: Criterion, evidence: _Evidence | None) -> Verdict:
        basis, answer = await self._answer(criterion, evidence)
        return Verdict(
            criterion=criterion.id,
            layer=criterion.layer,
            met=answer.met,
            basis=basis,
            reason=answer.reason,
            judge=self.name,
        )

    async def _answer(self, criterion: Criterion, evidence: _Evidence | None) -> tuple[Basis, Finding]:
        check = criterion.check
        if check is None:
            return Basis.NOT_CLAIMED, _NO_CHECK
        if evidence is None:
            return Basis.UNJUDGED, _NO_TURN
        if not self.claims(criterion, evidence.language):
            return Basis.NOT_CLAIMED, _NO_CHECK
        if criterion.needs == "response" and not evidence.has_response:
            return Basis.UNJUDGED, _NO_RESPONSE
        shut = evidence.gate or (evidence.response_gate if criterion.needs == "response" else None)
        if shut is not None:
            return shut.basis, Finding(False, shut.reason)
        if asks_meaning(check):
            # what passes the gate may still be wrong in all that a criterion would ask
            return Basis.NOT_CLAIMED, Finding(None, passed(evidence.meaning))
        answer = await self._check(check, evidence)
        return Basis.UNJUDGED if answer.met is None else Basis.JUDGED, answer

    async def _check(self, check: Check, evidence: _Evidence) -> Finding:
        text = evidence.text
        found = await beside(len(text.raw), lambda: tuple(legs(check, text, self._compiled)))
        if check.detect:
            found += tuple(await self._detections(check, evidence))
        if check.similar is None:
            return combine(found)
        if not found:
            return Finding(None, "Similarity to the reference alone decides nothing.")
        if any(leg.met is False for leg in found):
            return combine(found)
        return combine((*found, await self._similar(check.similar, evidence)))

    @staticmethod
    async def _detections(check: Check, evidence: _Evidence) -> list[Finding]:
        if evidence.language is None:
            return [Finding(None, "a detector reads one language, and these texts are in two")]
        return await detections(check, evidence.language, evidence.text.raw)

    async def _similar(self, least: float, evidence: _Evidence) -> Finding:
        if evidence.reference is None:
            return Finding(None, "there is no reference to compare with")
        if self._encoder is None:
            return Finding(None, "there is no encoder to compare with the reference")
        if evidence.similarity is None:
            scores = await self._encoder.similarities(evidence.text.raw, [evidence.reference])
            evidence.similarity = scores[0]
        close = evidence.similarity >= least
        said = f"similarity to the reference {evidence.similarity:.2f}"
        return Finding(close, f"{said} (at least {least:g} asked)")


def _evidence(view: JudgeView) -> _Evidence | None:
    if not view.turns:
        return None
    if view.level == "conversation":
        shut, told = over_all(view.turns)
        return _Evidence(shut, None, has_response=True, text=Text("\n".join(told)), reference=None)
    turn = view.turns[-1]
    return _Evidence(
        gate=gate(turn),
        response_gate=response_gate(turn),
        has_response=turn.response is not None,
        text=Text(turn.translation),
        reference=turn.reference,
        language=turn.target_language,
        meaning=turn.meaning,
    )
