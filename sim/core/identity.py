"""The key of a conversation: what makes two conversations the same one, tried again.

Only what was asked for enters it; how it is carried out (timeouts, concurrency) never does.
"""

import hashlib
from dataclasses import dataclass
from typing import Any

from sim.core.text import dumps
from sim.core.values import Mode

SEEDS = 2**31
"""How many seeds there are."""


def digest(value: Any, length: int = 16) -> str:
    """The first `length` hex digits of the SHA-256 of `value` as canonical JSON."""
    return hashlib.sha256(dumps(_sorted(value)).encode()).hexdigest()[:length]


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    if isinstance(value, list | tuple):
        return [_sorted(item) for item in value]
    return value


@dataclass(frozen=True, slots=True)
class ConversationKey:
    """(scenario, system, users, mode, turn, trial)."""

    scenario: str
    system: str
    """System id: model + brief + history + parameters."""
    users: str
    """Both users' names, `A|B`."""
    mode: Mode
    turn: int | None
    """Only in single-turn mode."""
    trial: int

    def document(self) -> dict[str, Any]:
        """The key as plain values."""
        return {
            "scenario": self.scenario,
            "system": self.system,
            "users": self.users,
            "mode": str(self.mode),
            "turn": self.turn,
            "trial": self.trial,
        }

    def seed(self, plan: int) -> int:
        """What all randomness of this conversation comes from, under the seed of its plan; 0 to 2³¹ − 1.

        It depends on nothing but the plan's seed and the key, so neither the order nor the number of
        conversations at once can change it. 31 bits: the least that providers take.
        """
        return int(digest({"plan": plan, "key": self.document()}), 16) % SEEDS

    @property
    def hash(self) -> str:
        """16 hex digits that stand for the key in file and event names."""
        return digest(self.document())
