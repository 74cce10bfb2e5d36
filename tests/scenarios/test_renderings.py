"""What others wrote gets the right verdict: good renderings pass, broken ones fail where they are broken."""

import pytest

from sim.wiring.checking import scenario_check_parts
from tests.scenarios.renderings import Rendering, renderings, verdicts

PARTS = scenario_check_parts()
ALL = [pytest.param(r, id=f"{r.scenario.id}-{r.turn}-{n}") for n, r in enumerate(renderings())]


@pytest.mark.parametrize("rendering", ALL)
async def test_a_rendering_gets_the_verdict_it_was_written_for(rendering: Rendering) -> None:
    said = await verdicts(rendering, *PARTS)
    not_met = {verdict.criterion: verdict.reason for verdict in said if verdict.met is False}
    if rendering.breaks is None:
        assert not_met == {}
    else:
        assert rendering.breaks in not_met
