"""How the checks do on renderings whose writers never saw them, by layer and by language."""

import asyncio
from collections import Counter

from sim.wiring.checking import scenario_check_parts
from tests.bench.machine import write
from tests.scenarios.renderings import renderings, verdicts

FIRST = """At first contact, after the checks were frozen and before any was changed for these renderings:

| what | first four scenarios, all turns | 18 further ones, four turns each | the last six, two turns each | all |
| --- | --- | --- | --- | --- |
| good renderings with no criterion not met | 46/48 (96 %) | 138/144 (96 %) | 21/24 (88 %) | 205/216 (94.9 %) |
| their criteria met | 258/260 (99 %) | 776/782 (99 %) | 140/144 (97 %) | 1174/1186 (99 %) |
| broken renderings caught on the named requirement | 76/80 (95 %) | 71/73 (97 %) | 12/12 | 159/165 (96 %) |
| missed, by layer | L1 2, L2 2, L3 0 | L1 0, L2 0, L3 2 | none | L1 2, L2 2, L3 2 |
| missed, by target language | arb 1, ind 3 | ind 1, kor 1 | none | arb 1, ind 4, kor 1 |
| good ones failed, by target language | ben 1, kor 1 | arb 2, ben 1, eng 1, ind 1, kor 1 | arb 1, ben 2 | arb 3, ben 4, eng 1, ind 1, kor 2 |

The first four had been tried by their own author before, the others by theirs; none of the writers of the renderings had seen a check or a reference. Every miss was then mended as a kind. These renderings are tests since, so the figures below are no longer independent.
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
