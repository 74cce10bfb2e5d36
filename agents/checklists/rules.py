"""The offline checklist writer: criteria for words no scenario foresaw, from a taxonomy and detectors.

It asks only what applies: a function whose condition a turn does not meet, or cannot be told to meet, is
left out. An outline keeps the layer rule, by leaving out and never by padding. What it writes live are
*surface checks*: only what these words can make fail, and a layer may be empty. A target language without
a taxonomy gets none. What it writes has no claim to completeness.
"""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from string import Template
from typing import Any

from agents.checklists.occasion import Occasion, Outlined, Spoken
from agents.detectors.registry import LANGUAGES, VERSION
from sim.core.identity import digest
from sim.core.languages import language
from sim.core.values import LAYERS, Check, Criterion, FunctionRule, Scenario, ScenarioTurn

Taxonomy = Callable[[str], tuple[FunctionRule, ...]]
"""Target language → its functions, the most telling first within a layer."""
_LATER = 2
"""From this turn on the listener has been spoken to before: the sides alternate."""


class RuleWriter:
    """Fills the `ChecklistWriter` port, and writes the outline checklists of a scenario that has none."""

    def __init__(self, taxonomy: Taxonomy, registers: Mapping[str, str] | None = None) -> None:
        """`registers` is by language how the setting lets its speaker speak, where it says so."""
        self._taxonomy = taxonomy
        self._registers = registers or {}

    @property
    def identity(self) -> Mapping[str, Any]:
        """The versions of detectors and of this writer, and the taxonomy it writes from."""
        return {
            "writer": "rules",
            "version": 3,
            "detectors": VERSION,
            "functions": _functions(self._taxonomy),
        }

    async def live(self, index: int, source: str, languages: tuple[str, str]) -> tuple[Criterion, ...]:
        """What this source can make fail in its translation; empty where the target has no taxonomy."""
        spoken, target = languages
        occasion = Spoken(index, source, spoken, self._registers.get(spoken))
        rules = [rule for rule in self._taxonomy(target) if rule.check and (rule.when or rule.each)]
        # in a thread: the first Korean detector loads an analyser
        found = await asyncio.to_thread(_asked, rules, f"live.t{index}", index, occasion)
        return tuple(sorted(found, key=lambda criterion: criterion.layer))

    def outline(self, scenario: Scenario) -> Scenario:
        """`scenario` with a checklist for each turn that has no outline checklist.

        From intents, contexts and registers alone, before anything is said: the same for every system.
        A turn into a language without a taxonomy stays without.
        """
        turns = tuple(self._outlined(scenario, turn) for turn in scenario.turns)
        return scenario if turns == scenario.turns else scenario.model_copy(update={"turns": turns})

    def knows(self, target: str) -> bool:
        """Whether it can write for talk into `target` (ISO 639-3)."""
        return bool(self._taxonomy(target))

    def _outlined(self, scenario: Scenario, turn: ScenarioTurn) -> ScenarioTurn:
        target = scenario.direction(turn.index)[1]
        if turn.checklists.outline is not None or not self.knows(target):
            return turn
        occasion = Outlined(turn.intent, scenario.relation.register_.get(turn.speaker))
        written = self._checklist(f"t{turn.index}.o", turn.index, occasion, target)
        named = {criterion.failure_point for criterion in written}
        points = tuple(
            rule.failure_point
            for rule in self._taxonomy(target)
            if rule.failure_point is not None and rule.failure_point.id in named
        )
        analysis = turn.analysis.model_copy(update={"failure_points": turn.analysis.failure_points + points})
        checklists = turn.checklists.model_copy(update={"outline": written})
        return turn.model_copy(update={"analysis": analysis, "checklists": checklists})

    def _checklist(self, prefix: str, index: int, occasion: Occasion, target: str) -> tuple[Criterion, ...]:
        return layered(_asked(self._taxonomy(target), prefix, index, occasion))


@cache
def _functions(taxonomy: Taxonomy) -> str:
    """What tells one taxonomy from another."""
    rules = {code: [rule.model_dump(mode="json") for rule in taxonomy(code)] for code in LANGUAGES}
    return digest(rules)


def _asked(rules: Iterable[FunctionRule], prefix: str, index: int, occasion: Occasion) -> list[Criterion]:
    return [criterion for rule in rules for criterion in _criteria(rule, prefix, index, occasion)]


def _criteria(rule: FunctionRule, prefix: str, index: int, occasion: Occasion) -> Iterator[Criterion]:
    if rule.when is not None and occasion.label(rule.when.function) not in rule.when.labels:
        return
    if rule.each is not None:
        for value in occasion.values(rule.each, rule.id.partition("/")[0]):
            yield _criterion(rule, prefix, index, value.words, value.value)
        return
    yield _criterion(rule, prefix, index, occasion.words(rule.when.function) if rule.when else "")


def _criterion(
    rule: FunctionRule, prefix: str, index: int, words: str, value: str | None = None
) -> Criterion:
    coherent = rule.later is not None and index >= _LATER
    place, _, name = rule.id.rpartition("/")
    name = f"coherence-{name}" if coherent else name
    mark = "" if value is None else f".{digest(value, 6)}"
    filling = {
        "language": language(place.partition("/")[0]).name,
        "said": f" (“{words}”)" if words else "",
        "value": _shown(rule, value) if value is not None else "",
    }
    return Criterion(
        id=f"{prefix}.{name}{mark}",
        layer=rule.layer,
        ask=Template(rule.later if coherent and rule.later else rule.ask).substitute(filling),
        function=f"{place}/{name}",
        failure_point=rule.failure_point.id if rule.failure_point else None,
        check=_filled(rule.check, value) if rule.check else None,
    )


def _shown(rule: FunctionRule, value: str) -> str:
    """A long number with its thousands apart; anything else as it is."""
    return f"{int(value):,}" if rule.each == "number" and value.isdecimal() else value


def _filled(check: Check, value: str | None) -> Check:
    legs = tuple(
        leg.model_copy(update={"value": value}) if leg.value == "$value" else leg for leg in check.detect
    )
    forms = tuple(
        form.replace("$value", value) if value is not None and isinstance(form, str) else form
        for form in check.require
    )
    return check.model_copy(update={"detect": legs, "require": forms})


def layered(criteria: list[Criterion]) -> tuple[Criterion, ...]:
    """`criteria` with count(L3) ≥ count(L2) ≥ count(L1) ≥ 1, by leaving out the last of a layer.

    Empty where a layer has none: a checklist without a layer would score something else.
    """
    by_layer = {layer: [c for c in criteria if c.layer == layer] for layer in LAYERS}
    most = len(by_layer["L3"])
    kept: list[Criterion] = []
    for layer in reversed(LAYERS):
        most = min(most, len(by_layer[layer]))
        kept = by_layer[layer][: most if layer != "L3" else None] + kept
    return tuple(kept) if most else ()
