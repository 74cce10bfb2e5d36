"""How the checks do on renderings whose writers never saw them, by layer and by language."""

import asyncio
from collections import Counter

from sim.wiring.checking import scenario_check_parts
from tests.bench.machine import write
from tests.scenarios.renderings import renderings, verdicts

FIRST = """At first contact, before any check was changed for them (four scenarios, 48 good renderings, 80 broken ones):

| what | layer or language | count |
| --- | --- | --- |
| good renderings with no criterion not met | all | 46/48 (missed: one into Bengali, one into Korean) |
| their criteria met | all | 258/260 |
| broken renderings caught on the named requirement | all | 76/80 |
| | L1 | 2 missed |
| | L2 | 2 missed |
| | L3 | 0 missed |
| | into Arabic, Indonesian | 1 and 3 missed |

Every miss was then mended as a kind, and readers of each language widened the checks; these renderings are tests since, so the figures below are no longer independent.
"""


async def _count() -> tuple[Counter[tuple[str, str]], Counter[tuple[str, str]]]:
    judge, detector = scenario_check_parts()
    right: Counter[tuple[str, str]] = Counter()
    whole: Counter[tuple[str, str]] = Counter()
    for rendering in renderings():
        said = await verdicts(rendering, judge, detector)
        not_met = {verdict.criterion for verdict in said if verdict.met is False}
        target = rendering.scenario.direction(rendering.turn)[1]
        if rendering.breaks is None:
            kinds, ok = [("good", target), ("good", "all")], not not_met
        else:
            kinds = [("broken", target), ("broken", str(rendering.layer)), ("broken", "all")]
            ok = rendering.breaks in not_met
        whole.update(kinds)
        right.update(kinds if ok else [])
    return right, whole


def main() -> None:
    """Measure and write docs/bench/readers.md."""
    right, whole = asyncio.run(_count())
    rows = [f"| {kind} | {cut} | {right[kind, cut]}/{whole[kind, cut]} |" for kind, cut in sorted(whole)]
    body = "\n".join([FIRST, "| rendering | layer or language | right |", "| --- | --- | --- |", *rows])
    write("readers", "Renderings by others", "python -m tests.bench.readers", body)


if __name__ == "__main__":
    main()
