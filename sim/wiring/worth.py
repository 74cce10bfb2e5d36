"""What the scores of one mode are worth, by the figures that ship: for the commands and for a session."""

from collections.abc import Mapping
from typing import Any

from scenarios.trust import figures
from sim.analysis.worth import Worth
from sim.runs.signature import judge_digest


def worth(signature: Mapping[str, Any], scenarios: Mapping[str, str]) -> Worth | None:
    """Of scores with this signature on scenarios (id → hash); None where another judge than `rules` gave them."""
    name, found = judge_digest(signature["judge"])
    if name != "rules":
        return None
    return Worth.of(figures(), found, str(signature["procedure"]), scenarios)
