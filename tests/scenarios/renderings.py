"""Renderings written without sight of references and checks, and what the rules judge says of them."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from agents.judges.rules import RulesJudge
from scenarios import loader
from sim.core.ports import CallScope, JudgedTurn, JudgeView, LanguageDetector
from sim.core.values import LayerName, Scenario, Verdict

FOLDER = Path(__file__).parent / "data" / "renderings"


@dataclass(frozen=True)
class Rendering:
    """One rendering of one turn."""

    scenario: Scenario
    turn: int
    text: str
    breaks: str | None
    """The requirement it was written to break; None for a good one."""

    @property
    def layer(self) -> LayerName | None:
        """The layer of the requirement it breaks."""
        criteria = self.scenario.turns[self.turn].checklists.turn or ()
        return next((c.layer for c in criteria if c.id == self.breaks), None)


def renderings() -> Iterator[Rendering]:
    """All renderings, by scenario and turn."""
    for path in sorted(FOLDER.glob("*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        scenario = loader.find(document["id"])
        for row in document["turns"]:
            for text in row["good"]:
                yield Rendering(scenario, row["index"], text, None)
            for bad in row["bad"]:
                yield Rendering(scenario, row["index"], bad["text"], bad["id"])


async def verdicts(
    rendering: Rendering, judge: RulesJudge, detector: LanguageDetector
) -> tuple[Verdict, ...]:
    """The judge's verdicts on the turn checklist for one rendering."""
    scenario, turn = rendering.scenario, rendering.scenario.turns[rendering.turn]
    source, target = scenario.direction(turn.index)
    judged = JudgedTurn(
        index=turn.index,
        speaker=turn.speaker,
        source_language=source,
        target_language=target,
        source=turn.source,
        translation=rendering.text,
        translation_check=detector.check(rendering.text, target),
        flags=(),
        response=None,
        response_check=None,
        reference=turn.reference,
    )
    view = JudgeView(scenario.conversation_context, (judged,), turn.checklists.turn or ())
    return await judge.judge(view, CallScope("judge", scenario.id, turn.index, 0, 0, lambda event: None))
