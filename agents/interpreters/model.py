"""The interpreter that a model is: a brief, a history, one call a message.

What it answers is delivered as it is. It neither repairs nor judges its own output.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from agents.fence import fence
from agents.interpreters import history as histories
from agents.interpreters.briefs import Brief
from agents.interpreters.history import History, NoSummary
from agents.models.fitting import complete_fitting
from prompts.loader import load
from sim.core.beside import beside
from sim.core.errors import Fault, FaultKind, Layer
from sim.core.identity import digest
from sim.core.languages import language
from sim.core.ports import (
    CallScope,
    Client,
    Completion,
    Encoder,
    Interpretation,
    InterpreterView,
    Message,
    Request,
)


class ModelInterpreter:
    """An `InterpreterAgent` over any chat model."""

    sees_reference = False

    def __init__(
        self,
        client: Client,
        brief: Brief,
        history: History,
        *,
        pair: tuple[str, str],
        parameters: Mapping[str, Any] | None = None,
        encoder: Encoder | None = None,
    ) -> None:
        self._client = client
        self._brief = brief
        self._history = history
        self._parameters = dict(parameters or {})
        self._encoder = encoder
        self._pair = pair

    @property
    def identity(self) -> Mapping[str, Any]:
        """The system's id and what it is made of, prompt hashes included."""
        id_ = f"{self._client.name}/{self._brief.name}/{self._history.name}"
        if self._parameters:
            id_ += f"/{digest(self._parameters, 8)}"
        return {
            "id": id_,
            "model": self._client.name,
            "brief": self._brief.name,
            "history": self._history.name,
            "parameters": self._parameters,
            "prompts": self._hashes(),
        }

    def _hashes(self) -> dict[str, str]:
        used = [load("interpreter/message-single"), load("interpreter/message-multi"), *histories.prompts()]
        return self._brief.hashes(self._pair) | {prompt.name: prompt.hash for prompt in used}

    async def interpret(self, view: InterpreterView, scope: CallScope) -> Interpretation:
        """Translate one message. Raises CallFailed."""

        async def request(kept: int) -> Request:
            shown = replace(view, past=view.past[len(view.past) - kept :])
            brief = self._brief.render(view)
            return Request(
                messages=(
                    Message("system", brief),
                    Message("user", await self._message(shown, brief, scope)),
                ),
                parameters=self._parameters,
                stream=scope.on_delta is not None,
            )

        lines = len(view.past) if self._shows_past(view) else 0
        try:
            completion = await complete_fitting(self._client, request, lines, scope)
        except NoSummary as failure:
            return _without_summary(failure.completion)
        return Interpretation(completion.outcome, completion.text.strip(), completion.raw, completion.flags)

    def _shows_past(self, view: InterpreterView) -> bool:
        return view.multi_turn and self._history.kind != "none"

    async def _message(self, view: InterpreterView, brief: str, scope: CallScope) -> str:
        """The message in its fence, and what is shown of the past in one of its own."""
        render = await self._unfenced(view, scope)
        bare = render("", "")
        return await beside(len(bare), lambda: render(fence(brief, bare), fence(brief, bare, "past")))

    async def _unfenced(self, view: InterpreterView, scope: CallScope) -> Callable[[str, str], str]:
        shared = {
            "source_language": language(view.source_language).name,
            "target_language": language(view.target_language).name,
            "message": view.message,
        }
        if not view.multi_turn:
            return lambda token, _: load("interpreter/message-single").render(**shared, fence=token)
        past = await histories.shown(
            self._history,
            view,
            client=self._client,
            encoder=self._encoder,
            parameters=self._parameters,
            scope=scope,
        )
        return lambda token, other: load("interpreter/message-multi").render(
            **shared, fence=token, history=past(other), turn=str(view.turn), speaker=view.speaker
        )


def _without_summary(completion: Completion) -> Interpretation:
    blocked = completion.outcome == "blocked"
    kind = FaultKind.BLOCKED if blocked else FaultKind.EMPTY
    what = f"The summary of the earlier turns came back {'blocked by its provider' if blocked else 'empty'}."
    return Interpretation(
        "blocked" if blocked else "empty", "", completion.raw, fault=Fault(Layer.SYSTEM, kind, what)
    )
