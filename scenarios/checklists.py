"""The rules a good checklist follows: layers, wording, coherence, honest checks.

Pure rules over a `Scenario`. Whether the checks tell good from bad is `evidence`'s question.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator

from scenarios.document import Place
from scenarios.structure import PROCEDURES, Remark, criteria, turn_criteria
from sim.core.text import fold
from sim.core.values import Check, Contrast, Criterion, Form, Pattern, Scenario

_OPENINGS = {
    "L1": "Does the translation ",
    "L2": "Does the interpreter's response ",
    "L3": "Does the interpreter's response ",
}
_COHERENCE_ID = re.compile(r"\.coh(?:[._-]|$)")
_QUOTED_WORDS = 3
_SPACED = re.compile(r"(?:\[ \]| )[+*?]*|\{[0-9,]+\}")
_OPERATORS = re.compile(r"\\[pP]\{[^}]*\}|\\[pP].|\\x\{[^}]*\}|\(\?[^:)]*[:)]|\[[^\]]*\]|[()|.^$]|\\")

Lint = Callable[[Check], tuple[str, ...]]
"""What an author should mend in the forms of a check."""


def checklists(scenario: Scenario, lint: Lint) -> Iterator[Remark]:
    """Everything about the checklists of `scenario` that should be mended."""
    yield from _layers(scenario)
    yield from _present(scenario)
    for at, criterion in criteria(scenario):
        yield from _wording(at, criterion)
        if criterion.check is not None:
            yield from _check(at, criterion.check, lint)
    yield from _quotes(scenario)


def is_coherence(criterion: Criterion) -> bool:
    """Whether a criterion is marked as one on coherence: by its function, or by `.coh` in its id."""
    function = (criterion.function or "").rsplit("/", 1)[-1]
    return function.startswith("coherence") or bool(_COHERENCE_ID.search(criterion.id))


def _layers(scenario: Scenario) -> Iterator[Remark]:
    for position, turn in enumerate(scenario.turns):
        for procedure in PROCEDURES:
            items = getattr(turn.checklists, procedure)
            if items is None:
                continue
            count = Counter(item.layer for item in items)
            if not count["L3"] >= count["L2"] >= count["L1"] >= 1:
                counted = ", ".join(f"{layer} {count[layer]}" for layer in _OPENINGS)
                yield Remark(
                    ("turns", position, "checklists", procedure),
                    f"Turn {position}, {procedure}: {counted}.",
                    "count(L3) >= count(L2) >= count(L1) >= 1 is asked of every checklist.",
                )


def _present(scenario: Scenario) -> Iterator[Remark]:
    found = [criterion for _, criterion in criteria(scenario)]
    if not any(turn.checklists.turn for turn in scenario.turns):
        yield Remark(("turns",), "No turn has a checklist under `turn`.")
    if not any(is_coherence(criterion) for criterion in found):
        why = "Mark it by a function that begins with `coherence`, or by `.coh` in its id."
        yield Remark((), "No criterion is about coherence with surrounding turns.", why)
    if not any(criterion.layer == "L3" and criterion.failure_point for criterion in found):
        yield Remark((), "No L3 criterion is grounded in a failure_point.")


def _wording(at: Place, criterion: Criterion) -> Iterator[Remark]:
    opening = _OPENINGS[criterion.layer]
    if not criterion.ask.startswith(opening):
        yield Remark((*at, "ask"), f"{criterion.id} ({criterion.layer}) should begin “{opening}…”.")


def _check(at: Place, check: Check, lint: Lint) -> Iterator[Remark]:
    place = (*at, "check")
    if not (check.require or check.any or check.forbid or check.number or check.detect):
        said = (
            "Similarity is the only leg of this check."
            if check.similar is not None
            else "The check is empty."
        )
        yield Remark(place, said, "Add a form or a number that must, or must not, appear.")
    if at[0] == "criteria" and check.similar is not None:
        yield Remark((*place, "similar"), "A conversation-level check has no reference to be similar to.")
    yield from (Remark(place, said) for said in lint(check))


def _quotes(scenario: Scenario) -> Iterator[Remark]:
    everywhere = [contrast for turn in scenario.turns for contrast in turn.contrasts]
    for n, criterion in enumerate(scenario.criteria):
        yield from _quoted(("criteria", n), criterion, everywhere)
    for position, turn in enumerate(scenario.turns):
        for at, criterion in turn_criteria(position, turn):
            yield from _quoted(at, criterion, turn.contrasts)


def _quoted(
    at: Place, criterion: Criterion, contrasts: list[Contrast] | tuple[Contrast, ...]
) -> Iterator[Remark]:
    for form in criterion.check.forbid if criterion.check else ():
        runs = _word_runs(form)
        for contrast in contrasts:
            shared = runs & _runs(_words(contrast.text))
            if shared:
                said = f"A form {criterion.id} forbids quotes “{' '.join(min(shared))}” of the contrast {contrast.name!r}."
                why = "A forbidden form must catch other wordings of the slip too: at most two words of a contrast."
                yield Remark((*at, "check", "forbid"), said, why)


def _word_runs(form: Form) -> set[tuple[str, ...]]:
    """Every three successive words a form is made of; in a pattern, of its literal pieces."""
    if not isinstance(form, Pattern):
        return _runs(_words(form))
    pieces = _OPERATORS.sub("\n", _SPACED.sub(" ", form.re)).split("\n")
    return {run for piece in pieces for run in _runs(_words(piece))}


def _words(text: str) -> list[str]:
    """The words of a text, folded; a mark belongs to its letter."""
    return "".join(c if unicodedata.category(c)[0] in "LMN" else " " for c in fold(text)).split()


def _runs(words: list[str]) -> set[tuple[str, ...]]:
    return {tuple(words[n : n + _QUOTED_WORDS]) for n in range(len(words) - _QUOTED_WORDS + 1)}
