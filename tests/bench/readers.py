"""How the checks do on renderings whose writers never saw them, by layer and by language."""

import asyncio
from collections import Counter

from sim.wiring.checking import scenario_check_parts
from tests.bench.machine import write
from tests.scenarios.renderings import renderings, verdicts

FIRST = """At first contact: rendered by writers who saw the context, the earlier turns and the source (for a broken one the requirements too, once the good ones were written), and no reference or check. Each round was judged before anything was changed for it; what it showed was then mended as a kind, so that the next round is the measure of the last. *Right* of a good rendering: no criterion not met; of a broken one: not met on the requirement its writer named.

| round | turns | good ones right | their criteria met | broken ones right |
| --- | --- | --- | --- | --- |
| 1, writers had seen the requirements | 108 of all 28 scenarios | 205/216 (94.9 %) | 1174/1186 (99 %) | 159/165 (96 %) |
| 2 | two of each scenario | 91/112 (81 %) | 600/628 (96 %) | 53/56 (95 %) |
| 3 | two others of each | 99/112 (88 %) | 610/624 (98 %) | 52/56 (93 %) |
| bulk, four of every turn, to learn from | all 168 | 516/672 (77 %) | – | – |
| **4, the last** | **the remaining two of each** | **107/112 (95.5 %)** | **619/624 (99 %)** | **48/56 (86 %)** |

Round 4 by target language and by layer; nothing was changed after it:

| | arb | ben | eng | ind | kor | | L1 | L2 | L3 |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
| good ones right | 23/26 | 24/26 | 8/8 | 26/26 | 26/26 | criteria not met | 0 | 2 | 3 |
| broken ones right | 11/13 | 12/13 | 4/4 | 10/13 | 11/13 | | 16/19 | 14/18 | 18/19 |

The first contact of rounds 2 and 3: good ones right arb 22/26 and 22/26, ben 21/26 and 24/26, eng 6/8 and 6/8, ind 22/26 and 22/26, kor 20/26 and 25/26; broken ones right by layer L1 17/19 and 16/17, L2 18/19 and 17/19, L3 18/18 and 19/20.

What round 4 shows of the checks: of the 8 broken ones that passed, three turned a number or an hour with its own words (*hampir jam delapan*, sixty thousand for all instead of a metre), the others a promise, a hope, a warning or a name. What rounds 2 and bulk showed: where several good writers did not do what a criterion asked (explain a dish, replace 인샬라, refuse without "a bit difficult"), the criterion asked too much; some fifty were reworded to what every good rendering does. Dialect and rare courtesies remain the likeliest false alarm.

The renderings of all rounds are tests since, but for 24 that the checks, or a reworded requirement, still judge otherwise than their writers; so the figures below are no longer independent.
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
