"""What stands beside a score by `rules`: its floor, what it claims, which errors it catches.

A floor is what text that belongs elsewhere scores. It was measured once, with one state of the judge, on
certain scenarios; of any other no floor is known, and that is said. It measures nothing itself.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self

_MEASURED_BY = ("turn", "single")
"""The procedures whose checklists are those that were measured."""


@dataclass(frozen=True, slots=True)
class Worth:
    """What a score by `rules` on some scenarios is worth."""

    pack: str | None = None
    """The scenarios it was measured on; None where nothing is known for these."""
    turn: float | None = None
    """The overall score of another turn's text, 0 to 1."""
    scenario: float | None = None
    """That of text of another scenario."""
    caught: Mapping[str, tuple[int, int]] | None = None
    """`who wrote it: kind of error` → how many were caught, of how many."""

    @classmethod
    def of(cls, figures: Mapping[str, Any], judge: str, procedure: str, scenarios: Mapping[str, str]) -> Self:
        """The worth by `figures` of scores that the judge with this digest gives on (id → hash)."""
        measured = figures["scenarios"]
        known = bool(scenarios) and all(measured.get(name) == hash_ for name, hash_ in scenarios.items())
        if judge != figures["judge"] or procedure not in _MEASURED_BY or not known:
            return cls()
        floor = figures["floor"]
        return cls(
            figures["pack"],
            floor["another turn"]["overall"],
            floor["another scenario"]["overall"],
            {name: (found, whole) for name, (found, whole) in figures["caught"].items()},
        )

    def document(self) -> dict[str, Any]:
        """As plain JSON values; all null where nothing is known."""
        caught = {name: list(counts) for name, counts in self.caught.items()} if self.caught else None
        return {
            "pack": self.pack,
            "another_turn": self.turn,
            "another_scenario": self.scenario,
            "caught": caught,
        }


def floor_line(worth: Mapping[str, Any], claimed: int, criteria: int) -> str:
    """The floor, from a worth's document, and the criteria of one system that the judge claims."""
    share = f"claimed {claimed}/{criteria}"
    if worth["pack"] is None:
        return f"no floor of rules is known for these scenarios; {share}"
    return (
        f"floor of rules on the pack {worth['pack']}: {worth['another_turn']:.3f} / "
        f"{worth['another_scenario']:.3f} (another turn / another scenario); {share}"
    )


def caught_line(worth: Worth) -> str | None:
    """The wrong renderings that were caught, by who wrote them and kind; None where it is not known."""
    if not worth.caught:
        return None
    return f"wrong renderings caught by rules (docs/trust.md): {'; '.join(_by_writer(worth.caught))}"


def _by_writer(caught: Mapping[str, tuple[int, int]]) -> Iterable[str]:
    groups: dict[str, list[str]] = {}
    for name, (found, whole) in caught.items():
        who, _, kind = name.partition(": ")
        groups.setdefault(who, []).append(f"{kind} {found}/{whole}")
    # what was written by someone who had seen no check comes first: it alone measures
    for who in sorted(groups, key=lambda who: ("blind" not in who, who)):
        yield f"{who}: {', '.join(groups[who])}"
