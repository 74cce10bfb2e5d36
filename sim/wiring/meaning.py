"""Whose vectors meanings are compared by, in which conversations, and what people are told of it."""

from dataclasses import dataclass
from pathlib import Path

from agents.embeddings import ENCODERS, WorkerEncoder, open_encoder
from agents.judges.rules import RulesJudge
from agents.meaning.gate import CosineGate
from agents.meaning.means import stored
from sim.core.errors import Problem, UsageProblem
from sim.core.identity import digest
from sim.core.languages import language
from sim.core.ports import Encoder, SpokenLine
from sim.core.values import Mode, Scenario

NONE = "none"
_UNSEEN = "a translation that says something else, or repeats an earlier turn, is not seen as such"


@dataclass(frozen=True, slots=True)
class Meaning:
    """An encoder and its gate."""

    encoder: WorkerEncoder
    gate: CosineGate


class Meanings:
    """The encoders of one house, each opened once; a model loads when it is first asked."""

    def __init__(self, store: Path | None) -> None:
        """`store` is the file that keeps vectors from one process to the next; None: they are not kept."""
        self._store = store
        self._opened: dict[tuple[str, bool], Meaning] = {}

    def of(self, name: str, *, kept: bool = True) -> Meaning | None:
        """The encoder `name`, None for `none`; `kept` says whether its vectors may go to disk.

        Raises UsageProblem for one that is unknown or not installed.
        """
        if name == NONE:
            return None
        if (name, kept) not in self._opened:
            encoder = open_encoder(name, self._store if kept else None)
            self._opened[name, kept] = Meaning(encoder, CosineGate(encoder, stored(encoder.identity)))
        return self._opened[name, kept]

    def rules(self, name: str) -> RulesJudge:
        """The `rules` judge over this encoder. Raises UsageProblem."""
        found = self.of(name)
        return RulesJudge(found.encoder, found.gate.identity) if found else RulesJudge()

    def encoder(self, name: str) -> Encoder:
        """The encoder `name`. Raises UsageProblem, for `none` too."""
        found = self.of(name)
        if found is None:
            what = "A history of similar turns needs an encoder, and --encoder none names none."
            raise UsageProblem(Problem("Encoder needed", what, choices=ENCODERS))
        return found.encoder

    def gate(self, name: str, scenario: Scenario, mode: Mode, *, kept: bool = True) -> CosineGate | None:
        """The gate of one conversation: where its sources are written, all of them are compared with."""
        found = self.of(name, kept=kept)
        return _fitted(found.gate, scenario, mode) if found else None

    async def aclose(self) -> None:
        """End the worker threads."""
        for opened in self._opened.values():
            await opened.encoder.aclose()


def heeded(judge: str, *, live: bool) -> bool:
    """Whether anybody heeds the gate: `rules`, also in a panel, or checks that are written `live`."""
    return live or "rules" in (name.strip() for name in judge.split(","))


def encoder_of_rules(judge_digest: str) -> str | None:
    """The encoder behind the `rules` judge with this digest; None where it is of another state of things."""
    meanings = Meanings(None)
    for name in dict.fromkeys((*ENCODERS, NONE)):
        try:
            identity = meanings.rules(name).identity
        except UsageProblem:  # not installed here
            continue
        if digest(identity, 8) == judge_digest:
            return name
    return None


def _fitted(gate: CosineGate, scenario: Scenario, mode: Mode) -> CosineGate:
    if mode.dynamic:
        return gate
    lines = [
        SpokenLine(turn.speaker, scenario.language_of(turn.speaker), turn.source) for turn in scenario.turns
    ]
    return gate.knowing(lines)


def notices(gate: CosineGate | None, name: str, scenario: Scenario) -> tuple[str, ...]:
    """What is not seen in this conversation, in one line; nothing where the gate answers."""
    if name == NONE or gate is None:
        return (f"no meaning gate (--encoder none): {_UNSEEN}",)
    unknown = [language(code).name for code in dict.fromkeys(scenario.pair) if not gate.knows(code)]
    if unknown:
        return (f"the meaning gate has no {name} mean of {' and '.join(unknown)}: {_UNSEEN}",)
    return ()
