"""How the members of a panel voted: who was asked, who answered, where they parted.

Counts over verdict rows with `votes`; what the votes came to is the panel's business. Without numpy.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sim.core.values import Basis

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Member:
    """One member over all criteria."""

    judge: str
    asked: int
    """Criteria it claims, also where it failed."""
    voted: int
    """Of these, met, not met or not said."""
    met: int
    not_said: int
    not_claimed: int
    """Criteria it was not asked about."""

    @property
    def silent(self) -> bool:
        """Whether it was asked and never answered: what the others say is not the panel's word."""
        return self.asked > 0 and self.voted == 0


@dataclass(frozen=True, slots=True)
class Votes:
    """A panel's votes; without members where no panel judged."""

    members: tuple[Member, ...]
    """As the panel names them."""
    criteria: int
    """Voted on."""
    parted: int
    """Of these, where one member says met and another not met."""
    ties: int
    """Of these, as many against as for: unjudged."""

    @property
    def silent(self) -> tuple[Member, ...]:
        """Members that never voted."""
        return tuple(member for member in self.members if member.silent)


def votes(verdicts: Iterable[Row]) -> Votes:
    """The votes in verdict rows; provisional ones do not count."""
    counts: dict[str, Counter[str]] = {}
    criteria = parted = ties = 0
    for verdict in verdicts:
        cast = verdict.get("votes") or ()
        if not cast or verdict.get("provisional"):
            continue
        for vote in cast:
            came = _came(vote)
            counts.setdefault(vote["judge"], Counter())[came] += 1
        yes, no = (sum(vote["met"] is answer for vote in cast) for answer in (True, False))
        criteria += 1
        parted += yes > 0 and no > 0
        ties += yes == no > 0
    return Votes(tuple(_member(name, came) for name, came in counts.items()), criteria, parted, ties)


def of_records(records: Iterable[Row]) -> Votes:
    """The votes in the verdicts of conversations, on turns and on the whole."""
    return votes(
        verdict
        for record in records
        for verdicts in (*(turn["verdicts"] for turn in record["turns"]), record["verdicts"])
        for verdict in verdicts
    )


def _came(vote: Row) -> str:
    if vote["met"] is not None:
        return "met" if vote["met"] else "not_met"
    return str(vote["basis"])


def _member(name: str, came: Counter[str]) -> Member:
    not_claimed, open_ = came[Basis.NOT_CLAIMED], came[Basis.UNJUDGED]
    asked = came.total() - not_claimed
    return Member(name, asked, asked - open_, came["met"], came[Basis.NOT_SAID], not_claimed)
