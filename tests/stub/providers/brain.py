"""What the model behind every provider stub says: it knows one scenario by heart.

Asked to translate, it gives the scenario's reference; asked to speak, the line its outline wants; asked
to judge, a verdict on every criterion named. It reads only the texts it was sent, as a model would, so a
request that lost its prompt on the way gets no right answer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sim.core.values import Scenario

_IDS = re.compile(r"for each of these ids(?:, in this order|, each once, and for no other)?: (c[\d, c]*)")
_WANTED = re.compile(r"Answer with the JSON object (\{.*?\})\.")
THOUGHT = "They want it polite, so I keep it polite."
"""What a thinking model thinks; never to be delivered."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request, whatever its shape: who said what to the model, and the form wanted."""

    model: str
    texts: tuple[tuple[str, str], ...]
    """Role and text, in order; the system text first."""
    schema: Mapping[str, Any] | None = None
    stream: bool = False

    @property
    def last(self) -> str:
        """The text that is to be answered."""
        return self.texts[-1][1] if self.texts else ""

    @property
    def said(self) -> str:
        """All of it."""
        return "\n\n".join(text for _, text in self.texts)


@dataclass(frozen=True, slots=True)
class Brain:
    """Answers out of one scenario."""

    scenario: Scenario

    def answer(self, asked: Asked) -> str:
        """What the model says."""
        wanted = _WANTED.search(asked.last)
        if wanted:
            return wanted[1]
        ids = _IDS.findall(asked.last)
        if ids:
            return verdicts([name.strip() for name in ids[-1].split(",")])
        spoken = self._spoken(asked)
        if spoken is not None:
            as_json = '"end"' in asked.said or asked.schema is not None
            return json.dumps({"text": spoken, "end": False}, ensure_ascii=False) if as_json else spoken
        return self._translated(asked.last)

    def _spoken(self, asked: Asked) -> str | None:
        """The line whose outline stands in the prompt."""
        for turn in self.scenario.turns:
            if turn.intent and _same(turn.intent) in _same(asked.last):
                return turn.source
        return None

    def _translated(self, prompt: str) -> str:
        """The reference of the line that stands last in the prompt: earlier ones are history."""
        at = {turn.index: prompt.rfind(turn.source) for turn in self.scenario.turns}
        latest = max(at, key=lambda index: at[index], default=None)
        if latest is None or at[latest] < 0:
            return "I do not know this text."
        return next(turn.reference for turn in self.scenario.turns if turn.index == latest) or ""


def verdicts(ids: list[str]) -> str:
    """A whole answer of a judge; `c3`, `c6` and so on are not met, whatever else is asked with them."""
    rows = [
        {"id": name, "met": int(name[1:]) % 3 != 0, "reason": f"The words of {name} say so."} for name in ids
    ]
    return json.dumps({"verdicts": rows})


def _same(text: str) -> str:
    return " ".join(text.split())
