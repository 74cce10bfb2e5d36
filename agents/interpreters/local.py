"""The interpreter that comes with the product: the embedded base model, examples, hops through English.

A weak interpreter, and labelled so wherever it speaks. It has no brief and no history: a base model
of this size follows examples, not instructions. One hop where a side is English, else two.
"""

from collections.abc import Mapping
from typing import Any

from prompts.loader import load
from sim.core.errors import Problem, UsageProblem
from sim.core.languages import language
from sim.core.ports import CallScope, Client, Interpretation, InterpreterView, Request

LANGUAGES = ("arb", "ben", "ind", "kor")
"""Languages with examples, besides English."""
LABEL = "weak interpreter: a very small embedded model; not for medical or legal use"
_PARAMETERS = {"temperature": 0.0, "max_tokens": 96, "stop": ["\n"]}


class LocalInterpreter:
    """An `InterpreterAgent` over the embedded model."""

    sees_reference = False

    def __init__(self, client: Client, pair: tuple[str, str]) -> None:
        """Raises UsageProblem for a pair it has no examples for."""
        unknown = [code for code in pair if code not in (*LANGUAGES, "eng")]
        if unknown:
            raise UsageProblem(
                Problem(
                    "Language not spoken by local",
                    f"The embedded interpreter has no examples for {', '.join(unknown)}.",
                    "Name another interpreter with --interpreter, or one of its languages.",
                    ("eng", *LANGUAGES),
                )
            )
        self._client = client
        self._pair = pair

    @property
    def identity(self) -> Mapping[str, Any]:
        """The system's id, with the hashes of its examples."""
        examples = [load(f"examples/{code}") for code in sorted(set(self._pair) - {"eng"})]
        return {
            "id": "local",
            "model": "local",
            "brief": None,
            "history": None,
            "parameters": {},
            "prompts": {prompt.name: prompt.hash for prompt in examples},
        }

    async def interpret(self, view: InterpreterView, scope: CallScope) -> Interpretation:
        """Translate one message. Raises CallFailed."""
        text, raw = " ".join(view.message.split()), []
        hops = _hops(view.source_language, view.target_language)
        for number, (source, target) in enumerate(hops, 1):
            last = number == len(hops)
            request = Request(
                prompt=_prompt(source, target, text),
                parameters=_PARAMETERS,
                stream=last and scope.on_delta is not None,
            )
            completion = await self._client.complete(request, scope)
            raw.append(completion.raw)
            text = completion.text.strip()
            if completion.outcome in ("empty", "blocked"):
                return Interpretation(completion.outcome, "", "\n".join(raw))
        return Interpretation(completion.outcome, text, "\n".join(raw))


def _hops(source: str, target: str) -> list[tuple[str, str]]:
    if "eng" in (source, target):
        return [(source, target)]
    return [(source, "eng"), ("eng", target)]


def _prompt(source: str, target: str, text: str) -> str:
    """Example pairs, then the text: what a base model continues with a translation."""
    other = target if source == "eng" else source
    pairs = [line.split("\t") for line in load(f"examples/{other}").text.splitlines()]
    if source != "eng":
        pairs = [[foreign, english] for english, foreign in pairs]
    left, right = language(source).name, language(target).name
    shown = [f"{left}: {a}\n{right}: {b}" for a, b in pairs]
    return "\n\n".join([*shown, f"{left}: {text}\n{right}:"])
