"""The judge that a model is: all criteria of a turn in one call, one repair call if needed.

It sees neither layer nor reference nor cultural context. What it judges is fenced data; its answer is
read tolerantly and never completed by guesswork. It keeps no state from one call to the next.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from agents.fence import fenced
from agents.judges import answers
from prompts.loader import load
from sim.core.beside import beside
from sim.core.errors import CallFailed, FaultKind, Layer
from sim.core.events import FaultRaised
from sim.core.languages import language
from sim.core.ports import CallScope, Client, JudgedTurn, JudgeView, Message, Request
from sim.core.values import Criterion, LanguageCheck, Speaker, Verdict, other

_PROMPTS = (
    "judge/turn",
    "judge/conversation",
    "judge/criterion",
    "judge/response",
    "judge/response-none",
    "judge/transcript-turn",
    "judge/transcript-failed",
    "judge/answers",
    "judge/answers-live",
    "judge/example",
    "judge/example-live",
    "judge/repair",
)
_SHOWN = 300
"""Characters of an unreadable answer that a fault tells."""
_CHECK_WORDS = {
    "ok": "in the expected language",
    "wrong": "NOT in the expected language",
    "low": "in the expected language, with low confidence",
    "abstain": "not known: it could not be told",
}
_FAILED = {
    FaultKind.EMPTY: "the interpreter's system gave an empty answer",
    FaultKind.BLOCKED: "the interpreter's provider blocked the answer",
    FaultKind.TRUNCATED: "the interpreter's answer was cut off",
}


class ModelJudge:
    """A `Judge` over any chat model."""

    sees_reference = False

    def __init__(self, client: Client, *, parameters: Mapping[str, Any] | None = None) -> None:
        self._client = client
        """`parameters` are sent as they are, and nothing that was not asked for."""
        self._parameters = dict(parameters or {})

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
        prompt = await beside(_length(view), lambda: _prompt(view))
        request = Request(
            (Message("user", prompt),), parameters=self._parameters, schema=answers.schema(view)
        )
        completion = await self._client.complete(request, scope)
        verdicts = await self._read(completion.text, view)
        open_ids = answers.missing(view, verdicts)
        if not open_ids:
            return verdicts
        if completion.outcome == "blocked":
            if verdicts:
                return verdicts
            raise CallFailed(FaultKind.BLOCKED, "The provider blocked the judge's answer.")
        try:
            repaired = await self._repair(view, request, completion.text, open_ids, scope)
        except CallFailed as failure:
            if not verdicts:
                raise
            tell(failure, self.name, scope)
            repaired = ()
        if not verdicts and not repaired:
            raise CallFailed(
                FaultKind.UNPARSEABLE,
                "The judge's answer holds no verdict, nor does the one it was asked to mend it by.",
                completion.text[:_SHOWN],
            )
        return verdicts + repaired

    async def _repair(
        self, view: JudgeView, request: Request, answer: str, ids: tuple[str, ...], scope: CallScope
    ) -> tuple[Verdict, ...]:
        wanted = replace(view, criteria=tuple(c for c in view.criteria if c.id in ids))
        problem = f"it does not give one clear verdict of your own for each of {', '.join(ids)}."
        prompt = load("judge/repair").render(problem=problem, ids=", ".join(ids), **_answering(view))
        messages = (*request.messages, Message("assistant", answer or "(empty)"), Message("user", prompt))
        again = replace(request, messages=messages, schema=answers.schema(wanted))
        completion = await self._client.complete(again, scope)
        return await self._read(completion.text, wanted)

    async def _read(self, text: str, view: JudgeView) -> tuple[Verdict, ...]:
        return await beside(len(text) + _length(view), lambda: answers.read(text, view, self.name))


def _length(view: JudgeView) -> int:
    """Characters of the text that is judged."""
    return sum(len(t.source) + len(t.translation) + len(t.response or "") for t in view.turns)


def tell(failure: CallFailed, who: str, scope: CallScope) -> None:
    """Record a failed call after which there are verdicts all the same."""
    scope.publish(
        FaultRaised(layer=Layer.JUDGE, who=who, kind=failure.kind, what=failure.what, detail=failure.detail)
    )


def _nameless(view: JudgeView) -> JudgeView:
    """The view with criteria called c1, c2 …: an author's id tells the layer, which a judge may not see."""
    criteria = tuple(c.model_copy(update={"id": f"c{number}"}) for number, c in enumerate(view.criteria, 1))
    return replace(view, criteria=criteria)


def _prompt(view: JudgeView) -> str:
    shared = {
        "conversation_context": view.conversation_context or load("parts/not-given").render(),
        "criteria": "\n".join(load("judge/criterion").render(id=c.id, ask=c.ask) for c in view.criteria),
        "ids": ", ".join(criterion.id for criterion in view.criteria),
        **_answering(view),
    }
    if view.level == "conversation":
        return fenced(lambda token: _of_conversation(view, token, shared))
    return fenced(lambda token: _of_turn(view, token, shared))


def _answering(view: JudgeView) -> dict[str, str]:
    """Which answers there are, and what an answer looks like."""
    live = "-live" if view.live else ""
    return {name: load(f"judge/{name}{live}").render() for name in ("answers", "example")}


def _of_conversation(view: JudgeView, token: str, shared: Mapping[str, str]) -> str:
    return load("judge/conversation").render(
        **shared,
        fence=token,
        speaker=_who(view, "A"),
        listener=_who(view, "B"),
        transcript="\n\n".join(_transcript_turn(view, turn, token) for turn in view.turns),
    )


def _of_turn(view: JudgeView, token: str, shared: Mapping[str, str]) -> str:
    turn = view.turns[0]
    return load("judge/turn").render(
        **shared,
        fence=token,
        speaker=_who(view, turn.speaker),
        listener=_who(view, other(turn.speaker)),
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


def _transcript_turn(view: JudgeView, turn: JudgedTurn, token: str) -> str:
    shared = {
        "turn": str(turn.index),
        "speaker": _who(view, turn.speaker),
        "source_language": language(turn.source_language).name,
        "target_language": language(turn.target_language).name,
        "fence": token,
        "source": turn.source,
    }
    if turn.failed is not None:
        why = _FAILED.get(turn.failed, "the interpreter's system failed")
        return load("judge/transcript-failed").render(**shared, why=why)
    return load("judge/transcript-turn").render(
        **shared, translation=turn.translation, translation_check=_in_words(turn.translation_check)
    )


def _who(view: JudgeView, speaker: Speaker) -> str:
    """`User A (doctor)`; without brackets where nothing is known."""
    role = view.roles.get(speaker, "").strip()
    return f"User {speaker} ({role})" if role else f"User {speaker}"


def _in_words(check: LanguageCheck) -> str:
    return _CHECK_WORDS[check.result]
