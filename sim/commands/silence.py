"""Members of a panel that never voted: said by name, and a reason to call a run unfinished."""

from collections.abc import Iterable, Mapping
from typing import Any

from sim.analysis.votes import votes
from sim.commands import errors
from sim.core.text import visible
from sim.runs.store import Run
from sim.runs.verdicts import given_by


def say_silent(run: Run, judge: str) -> bool:
    """Tell which members of the panel `judge` never voted in a whole run; whether there are any."""
    return bool("," in judge and said(given_by(run, judge)))


def said(verdicts: Iterable[Mapping[str, Any]]) -> bool:
    """Tell which members never voted in these verdicts; whether there are any."""
    silent = votes(verdicts).silent
    for member in silent:
        errors.say(
            f"skopos: {visible(member.judge)} was asked about {member.asked:,} criteria and never gave a "
            "verdict: the panel is not whole."
        )
    return bool(silent)
