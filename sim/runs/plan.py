"""The plan of a run: scenarios × systems × trials under one mode, as a document and as setups."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from sim.core.studio import Setup
from sim.core.values import Mode


@dataclass(frozen=True, slots=True)
class RunPlan:
    """What a run is to hold."""

    scenarios: tuple[str, ...]
    """Ids, in order."""
    interpreters: tuple[str, ...]
    mode: Mode
    judge: str
    trials: int = 1
    user_a: str | None = None
    user_b: str | None = None
    brief: str | None = None
    history: str | None = None
    turn: int | None = None
    turns: int | None = None
    seed: int = 0

    def setups(self) -> Iterator[Setup]:
        """One setup a conversation: trial by trial, scenario by scenario, systems side by side."""
        for trial in range(self.trials):
            for scenario in self.scenarios:
                for interpreter in self.interpreters:
                    yield self.setup(scenario, interpreter, trial)

    def setup(self, scenario: str, interpreter: str, trial: int) -> Setup:
        """The setup of one conversation; baselines take neither brief nor history."""
        plain = interpreter in ("local", "reference", "copy")
        return Setup(
            scenario=scenario,
            mode=self.mode,
            interpreter=interpreter,
            brief=None if plain else self.brief,
            history=None if plain else self.history,
            user_a=self.user_a,
            user_b=self.user_b,
            judge=self.judge,
            turn=self.turn,
            turns=self.turns,
            trial=trial,
            seed=self.seed,
        )

    def __len__(self) -> int:
        return self.trials * len(self.scenarios) * len(self.interpreters)

    def document(self) -> dict[str, Any]:
        """As plain JSON values."""
        return {name: list(v) if isinstance(v, tuple) else v for name, v in asdict(self).items()}

    @classmethod
    def read(cls, document: dict[str, Any]) -> "RunPlan":
        """The plan in a run.json."""
        values: dict[str, Any] = {
            name: tuple(v) if isinstance(v, list) else v for name, v in document.items()
        }
        return cls(**{**values, "mode": Mode(values["mode"])})
