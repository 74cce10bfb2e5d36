"""What stands before every check: a translation in its language, that is about what was said.

Where a gate is shut no check can be met. It knows the turn and what the language check and the meaning
gate said of it, and no criterion.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sim.core.languages import language, name_of
from sim.core.ports import JudgedTurn
from sim.core.text import fold
from sim.core.values import Basis, Check, LanguageCheck, MeaningCheck

MEANING = "meaning"
"""The function a `detect` leg names that asks the meaning gate itself."""
_BETWEEN = re.compile(r"[\W_]+")
_SAID = {
    "carried": "It is about what was said; a slip inside it is not seen.",
    "doubtful": "It is in doubt whether this is about what was said.",
}


@dataclass(frozen=True, slots=True)
class Gate:
    """Why no check can be met."""

    basis: Basis
    reason: str


def gate(turn: JudgedTurn) -> Gate | None:
    """Why a translation cannot meet any check: absent, in the wrong language, a copy, or something else."""
    if not turn.translation.strip():
        return Gate(Basis.JUDGED, "There is no translation.")
    if turn.translation_check.result == "wrong":
        return _wrong("translation", turn.target_language, turn.translation_check)
    if turn.source_language != turn.target_language and _copies(turn.translation, turn.source):
        return Gate(Basis.JUDGED, "The translation is the source, untranslated.")
    if turn.meaning is not None and turn.meaning.result == "else":
        return Gate(Basis.MEANING_GATE, _else(turn.meaning))
    return None


def response_gate(turn: JudgedTurn) -> Gate | None:
    """Why a response cannot meet any check: in the wrong language."""
    if turn.response_check is not None and turn.response_check.result == "wrong":
        return _wrong("response", turn.target_language, turn.response_check)
    return None


def over_all(turns: Sequence[JudgedTurn]) -> tuple[Gate | None, list[str]]:
    """What shuts a whole conversation, and the translations that are evidence of it.

    A failed turn left nothing to judge. One turn in the wrong language shuts it. One that says something else is no evidence; it shuts the
    whole only where no other turn is left.
    """
    gates = [(turn, gate(turn)) for turn in turns if turn.failed is None]
    told = [turn.translation for turn, shut in gates if shut is None]
    for turn, shut in gates:
        if shut is not None and (shut.basis is not Basis.MEANING_GATE or not told):
            return Gate(shut.basis, f"Turn {turn.index}: {shut.reason}"), told
    return None, told


def asks_meaning(check: Check) -> bool:
    """Whether a check asks for nothing but what the meaning gate says."""
    return [wanted.function for wanted in check.detect] == [MEANING]


def passed(meaning: MeaningCheck | None) -> str:
    """What an open meaning gate says of a translation."""
    if meaning is None or meaning.result is None:
        return "The meaning gate was not asked, or does not answer for these languages."
    return _SAID[meaning.result]


def _else(meaning: MeaningCheck) -> str:
    if meaning.nearest_earlier is not None and (meaning.cosine or 0.0) < meaning.nearest_earlier:
        return "The translation says something else: it is nearer to what the speaker says in another turn."
    return "The translation says something else than the source."


def _wrong(what: str, expected: str, check: LanguageCheck) -> Gate:
    detected = f"; it looks like {name_of(check.label)}" if check.label else ""
    return Gate(Basis.JUDGED, f"The {what} is not in {language(expected).name}{detected}.")


def _copies(translation: str, source: str) -> bool:
    """Whether the two are the same words; a text without letters (a number, an emoji) copies nothing."""
    words = _words(translation)
    return words == _words(source) and any(char.isalpha() for char in words)


def _words(text: str) -> str:
    """The letters and digits of a text, folded and run together."""
    return _BETWEEN.sub("", fold(text))
