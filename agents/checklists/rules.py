"""The offline checklist writer: criteria for words no scenario foresaw, from a taxonomy and detectors.

It asks only what applies: a function whose condition the source does not meet, or cannot be told to
meet, is left out. The layer rule is kept by leaving out, never by padding. What it writes is
provisional and has no claim to completeness.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from string import Template
from typing import Any

from agents.detectors.registry import VERSION, detector, functions
from sim.core.identity import digest
from sim.core.languages import language
from sim.core.values import LAYERS, Check, Criterion, DetectCheck, FunctionRule

Taxonomy = Callable[[str], tuple[FunctionRule, ...]]
"""Target language → its functions, the most telling first within a layer."""


class RuleWriter:
    """Fills the `ChecklistWriter` port."""

    def __init__(self, taxonomy: Taxonomy) -> None:
        self._taxonomy = taxonomy

    @property
    def identity(self) -> Mapping[str, Any]:
        """The versions of detectors and of this writer."""
        return {"writer": "rules", "version": 1, "detectors": VERSION}

    async def live(self, index: int, source: str, languages: tuple[str, str]) -> tuple[Criterion, ...]:
        """Criteria for the translation of `source`; empty where the target has no taxonomy."""
        spoken, target = languages
        rules = self._taxonomy(target)
        # in a thread: the first Korean detector loads an analyser
        written = await asyncio.to_thread(
            lambda: [c for rule in rules for c in _criteria(rule, index, source, spoken, target)]
        )
        return layered(written)


def _criteria(rule: FunctionRule, index: int, source: str, spoken: str, target: str) -> Iterator[Criterion]:
    if rule.when is not None and not _applies(rule.when, source, spoken):
        return
    if rule.each is None:
        yield _criterion(rule, index, {"language": language(target).name})
        return
    for value in _values(rule.each, source, spoken):
        yield _criterion(rule, index, {"language": language(target).name, "value": value})


def _applies(when: DetectCheck, source: str, spoken: str) -> bool:
    if when.function not in functions(spoken):
        return False
    return detector(spoken, when.function).detect(source).label in when.labels


def _values(function: str, source: str, spoken: str) -> list[str]:
    if function not in functions(spoken):
        return []
    evidence = detector(spoken, function).detect(source).evidence
    return list(dict.fromkeys(str(item.value) for item in evidence if item.value is not None))


def _criterion(rule: FunctionRule, index: int, values: Mapping[str, str]) -> Criterion:
    name = rule.id.rpartition("/")[2]
    mark = f".{digest(values['value'], 6)}" if "value" in values else ""
    return Criterion(
        id=f"live.t{index}.{name}{mark}",
        layer=rule.layer,
        ask=Template(rule.ask).safe_substitute(values),
        function=rule.id,
        check=_filled(rule.check, values.get("value")),
    )


def _filled(check: Check, value: str | None) -> Check:
    legs = tuple(
        leg.model_copy(update={"value": value}) if leg.value == "$value" else leg for leg in check.detect
    )
    return check.model_copy(update={"detect": legs})


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
