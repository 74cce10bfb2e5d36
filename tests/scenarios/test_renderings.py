"""What others wrote gets the right verdict: good renderings pass, broken ones fail where they are broken."""

import pytest

from sim.core.values import Basis
from sim.wiring.checking import scenario_check_parts
from tests.scenarios.renderings import Rendering, renderings, verdicts
from tests.scenarios.slips import Slip, slips

PARTS = scenario_check_parts()
ALL = [pytest.param(r, id=f"{r.scenario.id}-{r.turn}-{n}") for n, r in enumerate(renderings())]


@pytest.mark.parametrize("rendering", ALL)
async def test_a_rendering_gets_the_verdict_it_was_written_for(rendering: Rendering) -> None:
    said = await verdicts(rendering, *PARTS)
    answers = {verdict.criterion: verdict for verdict in said}
    if rendering.breaks is None:
        assert [v.reason for v in said if v.met is False] == []
    else:
        broken = answers[rendering.breaks]
        assert broken.met is False or broken.basis is Basis.NOT_CLAIMED


@pytest.mark.parametrize("slip", slips(), ids=lambda slip: f"{slip.scenario.id}-{slip.turn}-{slip.kind}")
async def test_what_a_check_does_not_see_is_not_claimed(slip: Slip) -> None:
    """A criterion that a slip breaks is not met, or nobody says that it is."""
    said = await verdicts(Rendering(slip.scenario, slip.turn, slip.text, slip.breaks), *PARTS)
    assert slip.breaks is None or slip.breaks in {v.criterion for v in said}
    assert not [v for v in said if v.criterion == slip.breaks and v.met]
