"""The `rules` judge: deterministic checks of the translation, and "don't know" for all else.

No model, no network. It must stay cheap enough to run inside every turn of a batch, and it never
guesses: a criterion without a usable check is unjudged, not failed.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from agents.detectors.registry import VERSION as DETECTORS
from agents.judges.checks import VERSION, Finding, combine, detections, legs
from agents.judges.checks import problems as check_problems
from agents.judges.forms import Text, compile_form
from sim.core.languages import language, name_of
from sim.core.ports import CallScope, Encoder, JudgedTurn, JudgeView
from sim.core.text import fold
from sim.core.values import Basis, Check, Criterion, LanguageCheck, Verdict

_CACHED_FORMS = 8192
_BETWEEN = re.compile(r"[\W_]+")
_NO_CHECK = Finding(None, "The criterion has no check.")
_NO_RESPONSE = Finding(None, "There is no response to judge by.")
_NO_TURN = Finding(None, "There is no turn to judge.")


@dataclass(slots=True)
class _Evidence:
    """What the criteria of one call are judged by."""

    gate: str | None
    """Why no check can be met, None where checks run."""
    response_gate: str | None
    has_response: bool
    text: Text
    reference: str | None
    language: str | None = None
    """Of the text, ISO 639-3; None where it is in more than one."""
    similarity: float | None = None


class RulesJudge:
    """Fills the Judge port with checks; an encoder only serves their `similar` leg."""

    def __init__(self, encoder: Encoder | None = None) -> None:
        self._encoder = encoder
        self._compiled = lru_cache(maxsize=_CACHED_FORMS)(compile_form)

    @property
    def name(self) -> str:
        """`rules`."""
        return "rules"

    @property
    def identity(self) -> Mapping[str, Any]:
        """The versions of the checks and of the detectors behind `detect`, and the encoder behind `similar`."""
        encoder = dict(self._encoder.identity) if self._encoder else None
        return {"judge": self.name, "checks": VERSION, "detectors": DETECTORS, "encoder": encoder}

    @property
    def sees_reference(self) -> bool:
        """True: `similar` compares with it."""
        return True

    def claims(self, criterion: Criterion, target: str | None) -> bool:
        """Whether the criterion has a check."""
        return criterion.check is not None

    def problems(self, check: Check) -> tuple[str, ...]:
        """What the author of `check` should mend in its forms, one sentence each."""
        return check_problems(check)

    async def judge(self, view: JudgeView, scope: CallScope) -> tuple[Verdict, ...]:
        """One verdict a criterion, in order.

        A conversation-level check runs over the translations of all turns, joined by line feeds.
        """
        evidence = _evidence(view)
        return tuple([self._verdict(c, await self._answer(c, evidence)) for c in view.criteria])

    def _verdict(self, criterion: Criterion, answer: Finding) -> Verdict:
        return Verdict(
            criterion=criterion.id,
            layer=criterion.layer,
            met=answer.met,
            basis=Basis.UNJUDGED if answer.met is None else Basis.JUDGED,
            reason=answer.reason,
            judge=self.name,
        )

    async def _answer(self, criterion: Criterion, evidence: _Evidence | None) -> Finding:
        if criterion.check is None:
            return _NO_CHECK
        if evidence is None:
            return _NO_TURN
        if criterion.needs == "response" and not evidence.has_response:
            return _NO_RESPONSE
        gate = evidence.gate or (evidence.response_gate if criterion.needs == "response" else None)
        if gate is not None:
            return Finding(False, gate)
        return await self._check(criterion.check, evidence)

    async def _check(self, check: Check, evidence: _Evidence) -> Finding:
        found = tuple(legs(check, evidence.text, self._compiled))
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
        return _whole(view.turns)
    turn = view.turns[-1]
    return _Evidence(
        gate=_gate(turn),
        response_gate=_response_gate(turn),
        has_response=turn.response is not None,
        text=Text(turn.translation),
        reference=turn.reference,
        language=turn.target_language,
    )


def _whole(turns: tuple[JudgedTurn, ...]) -> _Evidence:
    """All turns as one text; one turn that fails the gate fails the whole."""
    gates = ((turn.index, _gate(turn)) for turn in turns)
    failed = next((f"Turn {index}: {gate}" for index, gate in gates if gate), None)
    return _Evidence(
        gate=failed,
        response_gate=None,
        has_response=True,
        text=Text("\n".join(turn.translation for turn in turns)),
        reference=None,
    )


def _gate(turn: JudgedTurn) -> str | None:
    """Why a translation cannot meet any check: absent, in the wrong language, or a copy."""
    if not turn.translation.strip():
        return "There is no translation."
    if turn.translation_check.result == "wrong":
        return _wrong("translation", turn.target_language, turn.translation_check)
    if turn.source_language != turn.target_language and _copies(turn.translation, turn.source):
        return "The translation is the source, untranslated."
    return None


def _response_gate(turn: JudgedTurn) -> str | None:
    if turn.response_check is not None and turn.response_check.result == "wrong":
        return _wrong("response", turn.target_language, turn.response_check)
    return None


def _wrong(what: str, expected: str, check: LanguageCheck) -> str:
    detected = f"; it looks like {name_of(check.label)}" if check.label else ""
    return f"The {what} is not in {language(expected).name}{detected}."


def _copies(translation: str, source: str) -> bool:
    """Whether the two are the same words; a text without letters (a number, an emoji) copies nothing."""
    words = _words(translation)
    return words == _words(source) and any(char.isalpha() for char in words)


def _words(text: str) -> str:
    """The letters and digits of a text, folded and run together."""
    return _BETWEEN.sub("", fold(text))
