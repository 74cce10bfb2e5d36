"""What a score by `rules` is worth: its floor, what it claims, and which errors it catches.

Every shipped turn, judged with means that leave its scenario out: its reference; the reference of each other
turn of the same speaker, and of turns of other scenarios in the same direction (*floor*); the contrasts and
the broken renderings by others, by kind of error. Writes docs/bench/floor.md and the figures a report shows.
"""

import argparse
import asyncio
import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from agents.judges.rules import RulesJudge
from agents.language_id.opening import open_detector
from agents.meaning.gate import CosineGate
from agents.meaning.means import stored
from scenarios.loader import CORE, load_all, pack_files, scenario_hash
from sim.core.identity import digest
from sim.core.ports import CallScope, JudgedTurn, JudgeView, SpokenLine
from sim.core.values import LAYERS, Scenario, ScenarioTurn, Verdict
from tests.bench.machine import write
from tests.bench.meaning import share, written
from tests.bench.meaning_means import Corpus, corpus, means
from tests.bench.vectors import Known, known
from tests.scenarios.renderings import renderings
from tests.scenarios.slips import slips

_SEED = 3
_OTHERS = 4
"""Turns of other scenarios for each turn."""
_SHOWN = Path(__file__).parents[2] / "scenarios" / "trust.json"
_SCOPE = CallScope("judge", "bench", 0, 0, 0, lambda event: None)
KINDS = ("news", "health", "talk", "dialogue")


@dataclass
class Figures:
    """All that is counted."""

    met: dict[str, Counter[tuple[str, bool]]] = field(default_factory=lambda: defaultdict(Counter))
    """What was judged → (layer, met) → verdicts."""
    claimed: Counter[tuple[str, bool]] = field(default_factory=Counter)
    """(layer, claimed) → criteria."""
    caught: dict[tuple[str, str], Counter[bool]] = field(default_factory=lambda: defaultdict(Counter))
    """(who wrote it, kind of error) → whether a criterion was not met."""

    def score(self, what: str, layer: str | None = None) -> float:
        """Met of met and not met."""
        counts = self.met[what]
        met = sum(n for (at, yes), n in counts.items() if yes and layer in (None, at))
        whole = sum(n for (at, _), n in counts.items() if layer in (None, at))
        return met / whole

    def share_claimed(self, layer: str | None = None) -> float:
        """Of criteria."""
        whole = sum(n for (at, _), n in self.claimed.items() if layer in (None, at))
        return sum(n for (at, yes), n in self.claimed.items() if yes and layer in (None, at)) / whole


@dataclass(frozen=True)
class Bench:
    """What verdicts are asked of."""

    judge: RulesJudge
    gate: CosineGate
    scenario: Scenario

    async def verdicts(self, turn: ScenarioTurn, text: str) -> tuple[Verdict, ...]:
        """On the turn checklist, for `text` as the translation."""
        lines = [line for line, _, _ in written(self.scenario)]
        source, target = self.scenario.direction(turn.index)
        gate = self.gate.knowing(lines)
        judged = JudgedTurn(
            index=turn.index,
            speaker=turn.speaker,
            source_language=source,
            target_language=target,
            source=turn.source,
            translation=text,
            translation_check=_DETECTOR.check(text, target),
            flags=(),
            response=None,
            response_check=None,
            reference=None,
            meaning=await gate.check(
                SpokenLine(turn.speaker, source, turn.source), text, target, lines[: turn.index]
            ),
        )
        return await self.judge.judge(JudgeView("", (judged,), turn.checklists.turn or ()), _SCOPE)


_DETECTOR = open_detector()


async def measure(texts: Corpus, encoder: Known) -> Figures:
    """All figures."""
    found, chance = Figures(), random.Random(_SEED)
    broken = defaultdict(list)
    for rendering in renderings():
        if rendering.breaks is not None:
            broken[rendering.scenario.id, rendering.turn].append(rendering)
    for scenario in texts.scenarios:
        gate = CosineGate(encoder, means(texts, encoder, KINDS, scenario.id))
        bench = Bench(RulesJudge(), gate, scenario)
        for turn in scenario.turns:
            for what, text in _texts(texts, scenario, turn, chance):
                _count(found, what, await bench.verdicts(turn, text))
            for contrast in turn.contrasts:
                said = await bench.verdicts(turn, contrast.text)
                found.caught["contrasts", contrast.kind or "not named"][_fails(said)] += 1
            for rendering in broken[scenario.id, turn.index]:
                said = await bench.verdicts(turn, rendering.text)
                found.caught["broken by others", rendering.layer or "?"][_fails(said)] += 1
            for slip in slips():
                if (slip.scenario.id, slip.turn) == (scenario.id, turn.index):
                    said = await bench.verdicts(turn, slip.text)
                    found.caught["slips, blind", slip.kind][_fails(said)] += 1
            for criterion in turn.checklists.turn or ():
                target = scenario.direction(turn.index)[1]
                found.claimed[criterion.layer, bench.judge.claims(criterion, target)] += 1
    return found


def _texts(
    texts: Corpus, scenario: Scenario, turn: ScenarioTurn, chance: random.Random
) -> Iterator[tuple[str, str]]:
    yield "reference", turn.reference
    yield from (("alternatives", text) for text in turn.alternatives)
    for other in scenario.turns:
        if other.speaker == turn.speaker and other.index != turn.index:
            yield "another turn", other.reference
    direction = scenario.direction(turn.index)
    elsewhere = [
        other.reference
        for one in texts.scenarios
        if one.id != scenario.id
        for other in one.turns
        if one.direction(other.index) == direction
    ]
    # a direction that one scenario alone has: any text in the language
    elsewhere = elsewhere or [
        other.reference
        for one in texts.scenarios
        if one.id != scenario.id
        for other in one.turns
        if one.direction(other.index)[1] == direction[1]
    ]
    for text in chance.sample(elsewhere, _OTHERS):
        yield "another scenario", text


def _count(found: Figures, what: str, verdicts: tuple[Verdict, ...]) -> None:
    found.met[what].update((v.layer, v.met) for v in verdicts if v.met is not None)


def _fails(verdicts: tuple[Verdict, ...]) -> bool:
    return any(verdict.met is False for verdict in verdicts)


def shown(found: Figures) -> dict[str, object]:
    """The figures that stand beside a score."""
    encoder = open_identity()
    layers: tuple[str | None, ...] = (None, *LAYERS)
    return {
        "about": "What a rules score is worth, by tests/bench/floor.py over the scenarios that ship.",
        "judge": digest(encoder, 8),
        "pack": CORE,
        "scenarios": hashes(),
        "floor": {
            what: {layer or "overall": round(found.score(what, layer), 3) for layer in layers}
            for what in ("another turn", "another scenario")
        },
        "reference": round(found.score("reference"), 3),
        "claimed": {layer or "overall": round(found.share_claimed(layer), 3) for layer in layers},
        "caught": {
            f"{who}: {kind}": [counts[True], counts.total()]
            for (who, kind), counts in sorted(found.caught.items())
        },
    }


def hashes() -> dict[str, str]:
    """Hash of each scenario that is judged."""
    loaded, _ = load_all(pack_files(CORE))
    return {one.scenario.id: scenario_hash(one.scenario) for one in loaded}


def open_identity() -> dict[str, object]:
    """Identity of the rules judge as it ships."""
    from agents.embeddings import open_encoder

    encoder = open_encoder()
    gate = CosineGate(encoder, stored(encoder.identity))
    return dict(RulesJudge(encoder, gate.identity).identity)


def _table(found: Figures) -> list[str]:
    rows = ["| judged | overall | L1 | L2 | L3 |", "| --- " * 5 + "|"]
    layers: tuple[str | None, ...] = (None, *LAYERS)
    for what in ("reference", "alternatives", "another turn", "another scenario"):
        cells = " | ".join(f"{found.score(what, layer):.3f}" for layer in layers)
        rows.append(f"| {what} | {cells} |")
    cells = " | ".join(f"{found.share_claimed(layer):.1%}" for layer in layers)
    return [*rows, f"| criteria claimed | {cells} |"]


def _caught(found: Figures) -> list[str]:
    rows = ["| wrong rendering | kind, or layer it breaks | caught |", "| --- " * 3 + "|"]
    for (who, kind), counts in sorted(found.caught.items()):
        rows.append(
            f"| {who} | {kind} | {counts[True]}/{counts.total()}, {share(counts[True], counts.total())} |"
        )
    return rows


def main() -> None:
    """Measure, and write both files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    texts = corpus(parser.parse_args().data)
    more = [
        a for s in texts.scenarios for t in s.turns for a in (*t.alternatives, *(c.text for c in t.contrasts))
    ]
    more += [slip.text for slip in slips()]
    encoder = known([*texts.all(), *more, *(r.text for r in renderings() if r.breaks is not None)])
    found = asyncio.run(measure(texts, encoder))
    document = shown(found)
    _SHOWN.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    body = [
        "Met / (met + not met) of the claimed criteria.",
        "",
        *_table(found),
        "",
        *_caught(found),
        "",
        "Caught: any criterion not met. Shares with their 95 % interval (Wilson). The checks were made with "
        "contrasts and most broken renderings in view, so these are no measure of what they catch; slips were "
        "written by someone who had seen no check, and nothing was changed for them but what is claimed.",
        "",
        f"Signature: judge rules {document['judge']} | means without the judged scenario | seed {_SEED}",
    ]
    write("floor", "What a rules score is worth", "python -m tests.bench.floor DATA", "\n".join(body))


if __name__ == "__main__":
    main()
