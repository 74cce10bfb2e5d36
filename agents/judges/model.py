"""The judge that a model is: all criteria of a turn in one call, one repair call if needed.

It sees neither layer nor reference nor cultural context. What it judges is fenced data; its answer is
read tolerantly and never completed by guesswork. It keeps no state from one call to the next.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from agents.fence import fence
from agents.judges import answers
from prompts.loader import load
from sim.core.errors import CallFailed, FaultKind
from sim.core.languages import language
from sim.core.ports import CallScope, Client, JudgedTurn, JudgeView, Message, Request
from sim.core.values import Criterion, LanguageCheck, Verdict

_PROMPTS = (
    "judge/turn",
    "judge/conversation",
    "judge/criterion",
    "judge/response",
    "judge/response-none",
    "judge/transcript-turn",
    "judge/repair",
)
_SHOWN = 300
"""Characters of an unreadable answer that a fault tells."""
_CHECK_WORDS = {
    "ok": "in the expected language",
    "wrong": "NOT in the expected language",
    "low": "in the expected language, with low confidence",
    "abstain": "too short to say",
}


class ModelJudge:
    """A `Judge` over any chat model."""

    sees_reference = False

    def __init__(self, client: Client, *, parameters: Mapping[str, Any] | None = None) -> None:
        self._client = client
        self._parameters = {"temperature": 0.0} | dict(parameters or {})

    @property
    def name(self) -> str:
        """The model's name."""
        return self._client.name

    @property
    def identity(self) -> Mapping[str, Any]:
        """Model, parameters and prompt hashes."""
        return {
            "judge": "model",
            "model": dict(self._client.identity),
            "parameters": self._parameters,
            "prompts": {name: load(name).hash for name in _PROMPTS},
        }

    def claims(self, criterion: Criterion, target: str | None) -> bool:
        """True: a model can be asked anything."""
        return True

    async def judge(self, view: JudgeView, scope: CallScope) -> tuple[Verdict, ...]:
        """Verdicts on the criteria of the view, as far as the model gave them.

        Raises CallFailed, also where it gave none: BLOCKED, or UNPARSEABLE after the repair call.
        """
        names = {f"c{number}": criterion.id for number, criterion in enumerate(view.criteria, 1)}
        said = await self._ask(_nameless(view), scope)
        return tuple(v.model_copy(update={"criterion": names[v.criterion]}) for v in said)

    async def _ask(self, view: JudgeView, scope: CallScope) -> tuple[Verdict, ...]:
        messages = [Message("user", _prompt(view))]
        request = Request(tuple(messages), parameters=self._parameters, schema=answers.schema(view))
        completion = await self._client.complete(request, scope)
        verdicts = answers.read(completion.text, view, self.name)
        open_ids = answers.missing(view, verdicts)
        if not open_ids:
            return verdicts
        if completion.outcome == "blocked":
            if verdicts:
                return verdicts
            raise CallFailed(FaultKind.BLOCKED, "The provider blocked the judge's answer.")
        repaired = await self._repair(view, request, completion.text, open_ids, scope)
        settled = tuple(verdict for verdict in verdicts if verdict.criterion not in open_ids)
        if not settled and not repaired:
            raise CallFailed(
                FaultKind.UNPARSEABLE,
                "The judge's answer holds no verdict, nor does the one it was asked to mend it by.",
                completion.text[:_SHOWN],
            )
        return settled + repaired

    async def _repair(
        self, view: JudgeView, request: Request, answer: str, ids: tuple[str, ...], scope: CallScope
    ) -> tuple[Verdict, ...]:
        wanted = replace(view, criteria=tuple(c for c in view.criteria if c.id in ids))
        problem = f"it does not give exactly one verdict for each of {', '.join(ids)}."
        prompt = load("judge/repair").render(problem=problem, ids=", ".join(ids))
        messages = (*request.messages, Message("assistant", answer or "(empty)"), Message("user", prompt))
        again = replace(request, messages=messages, schema=answers.schema(wanted))
        completion = await self._client.complete(again, scope)
        return answers.read(completion.text, wanted, self.name)


def _nameless(view: JudgeView) -> JudgeView:
    """The view with criteria called c1, c2 …: an author's id tells the layer, which a judge may not see."""
    criteria = tuple(c.model_copy(update={"id": f"c{number}"}) for number, c in enumerate(view.criteria, 1))
    return replace(view, criteria=criteria)


def _prompt(view: JudgeView) -> str:
    criteria = "\n".join(load("judge/criterion").render(id=c.id, ask=c.ask) for c in view.criteria)
    shared = {
        "conversation_context": view.conversation_context or load("parts/not-given").render(),
        "criteria": criteria,
        "ids": ", ".join(criterion.id for criterion in view.criteria),
    }
    token = fence(
        *(text for turn in view.turns for text in (turn.source, turn.translation, turn.response or ""))
    )
    if view.level == "conversation":
        transcript = "\n\n".join(_transcript_turn(turn, token) for turn in view.turns)
        return load("judge/conversation").render(**shared, fence=token, transcript=transcript)
    turn = view.turns[0]
    return load("judge/turn").render(
        **shared,
        fence=token,
        source_language=language(turn.source_language).name,
        target_language=language(turn.target_language).name,
        source=turn.source,
        translation=turn.translation,
        response=_response(turn, token),
        translation_check=_in_words(turn.translation_check),
        response_check=_in_words(turn.response_check) if turn.response_check else "there is no reply",
    )


def _response(turn: JudgedTurn, token: str) -> str:
    if turn.response is None:
        return load("judge/response-none").render()
    return load("judge/response").render(
        fence=token, target_language=language(turn.target_language).name, response=turn.response
    )


def _transcript_turn(turn: JudgedTurn, token: str) -> str:
    return load("judge/transcript-turn").render(
        turn=str(turn.index),
        speaker=turn.speaker,
        source_language=language(turn.source_language).name,
        target_language=language(turn.target_language).name,
        fence=token,
        source=turn.source,
        translation=turn.translation,
        translation_check=_in_words(turn.translation_check),
    )


def _in_words(check: LanguageCheck) -> str:
    return _CHECK_WORDS[check.result]
