"""What no request of a role may show.

By the table of actors: an interpreter sees no role context, no reference, no criterion; a user sees its own
role context and what was said to it, never the other's context or lines, no reference of its own line, no
culture page; a judge sees neither reference nor culture page nor layer, and no role context. Nobody sees
what a scenario's author wrote down for the checker. Lines that the role itself said or was told are its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from prompts.loader import cultural_context
from sim.core.values import Scenario, ScenarioTurn
from tests.agents.providers.golden import texts
from tests.agents.providers.uses import SCENARIO
from tests.stub.providers.server import KEY, Sent

_LINE = 40
"""Characters of a page's line that are its own and nobody else's words."""


def found(use: str, sent: Iterable[Sent]) -> list[str]:
    """What is shown that may not be, in words; nothing where all is well."""
    leaks = []
    for number, one in enumerate(sent):
        said = _flat(" ".join(texts(one.body)))
        named = _flat(" ".join(_names(one.body)))
        for what, secret in _secrets(use, said):
            if _flat(secret) and (_flat(secret) in said or _flat(secret) in named):
                leaks.append(f"request {number} shows {what}: {secret[:60]}")
        if KEY in said:
            leaks.append(f"request {number} shows the key in its body")
    return leaks


def _secrets(use: str, said: str) -> Iterator[tuple[str, str]]:
    match use:
        case "user":
            yield from _kept_from_user(SCENARIO, said)
        case "judge":
            yield from _kept_from_judge(SCENARIO)
        case _:
            yield from _kept_from_interpreter(SCENARIO, said)
    for turn in SCENARIO.turns:
        yield from _written_for_the_checker(turn)


def _kept_from_interpreter(scenario: Scenario, said: str) -> Iterator[tuple[str, str]]:
    yield from _role_contexts(scenario)
    yield from _criteria(scenario)
    for turn in scenario.turns:
        yield f"the outline of turn {turn.index}", turn.intent
        # the source of a turn comes before its reference may be history
        later = any(_flat(after.source) in said for after in scenario.turns[turn.index + 1 :])
        if not later:
            yield f"the reference of turn {turn.index}", turn.reference


def _kept_from_user(scenario: Scenario, said: str) -> Iterator[tuple[str, str]]:
    own = _whose(scenario, said)
    contexts = {"A": scenario.contexts.A, "B": scenario.contexts.B}
    yield "the other's role context", contexts["B" if own == "A" else "A"] or ""
    yield "the conversation context", scenario.conversation_context
    yield from _criteria(scenario)
    yield from _culture(scenario)
    for turn in scenario.turns:
        if turn.speaker == own:
            yield f"the translation of its own line {turn.index}", turn.reference
        else:
            yield f"the other's own words in turn {turn.index}", turn.source
            yield f"the outline of the other's turn {turn.index}", turn.intent


def _whose(scenario: Scenario, said: str) -> str:
    """Whose request this is, by the role context in it."""
    return "A" if _flat(scenario.contexts.A or "?") in said else "B"


def _kept_from_judge(scenario: Scenario) -> Iterator[tuple[str, str]]:
    yield from _role_contexts(scenario)
    yield from _culture(scenario)
    for turn in scenario.turns:
        yield f"the outline of turn {turn.index}", turn.intent
        for rendering in (turn.reference, *turn.alternatives[1:]):
            yield f"another good rendering of turn {turn.index}", rendering
        for criterion in turn.checklists.turn or ():
            yield "an id that tells the layer", criterion.id
    for layer in ("L1", "L2", "L3"):
        yield "a layer", layer


def _role_contexts(scenario: Scenario) -> Iterator[tuple[str, str]]:
    yield "the role context of A", scenario.contexts.A or ""
    yield "the role context of B", scenario.contexts.B or ""


def _criteria(scenario: Scenario) -> Iterator[tuple[str, str]]:
    every = [*scenario.criteria, *(c for turn in scenario.turns for c in turn.checklists.turn or ())]
    for criterion in every:
        yield f"the criterion {criterion.id}", criterion.ask


def _culture(scenario: Scenario) -> Iterator[tuple[str, str]]:
    """Long lines of the pages on both cultures."""
    for way in (scenario.pair, scenario.pair[::-1]):
        for line in cultural_context(*way)[0].splitlines():
            if len(line) > _LINE:
                yield "a culture page", line


def _written_for_the_checker(turn: ScenarioTurn) -> Iterator[tuple[str, str]]:
    yield "the analysis", turn.analysis.pragmatic
    yield "the speech act", turn.analysis.speech_act
    for point in turn.analysis.failure_points:
        yield "a failure point", point.text
    for contrast in turn.contrasts:
        yield "a contrast", contrast.text


def _names(value: Any) -> list[str]:
    """Every name of a field and every short word in a request's schema."""
    if isinstance(value, dict):
        return [*value, *(name for part in value.values() for name in _names(part))]
    return [name for part in value for name in _names(part)] if isinstance(value, list) else []


def _flat(text: str) -> str:
    return " ".join(text.split())
