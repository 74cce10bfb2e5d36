"""Users played by a model: they speak their own language from what they may know.

The end of a conversation is a field of the answer, never a word of the text. A user that refuses a
message in its own language, breaks character or never ends its turn has failed as a user; the words by
which it failed are its words all the same.
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

from agents.fence import fence
from agents.json_answer import first_object
from agents.models.fitting import complete_fitting
from agents.users.conduct import breaks_character, refuses
from prompts.loader import load
from sim.core.beside import beside
from sim.core.errors import CallFailed, ConversationFault, Fault, FaultKind, Layer
from sim.core.events import ContextTrimmed, Flag
from sim.core.languages import language
from sim.core.ports import CallScope, Client, Completion, Message, Reply, Request, UserView
from sim.core.text import dumps

SCHEMA: Mapping[str, Any] = {
    "title": "utterance",
    "type": "object",
    "properties": {"text": {"type": "string"}, "end": {"type": "boolean"}},
    "required": ["text", "end"],
    "additionalProperties": False,
}


_SHORT = 200
"""Characters an over-long role context is cut to (study)."""


class ModelUser:
    """A `UserAgent` over any chat model."""

    def __init__(
        self,
        client: Client,
        *,
        plain: bool = False,
        recipient: bool = False,
        instruction: str | None = None,
        parameters: Mapping[str, Any] | None = None,
    ) -> None:
        """`plain` asks for bare words: such a user cannot end a conversation.

        `recipient` is the role of single-turn mode: one message, one answer, in the frame of the
        role context alone. A recipient with an `instruction` of its own, in its language, gets that
        after the role context and nothing else, and answers in bare words.
        """
        self._client = client
        self._recipient = recipient
        self._instruction = instruction if recipient else None
        self._plain = plain or self._instruction is not None
        self._parameters = dict(parameters or {})

    @property
    def name(self) -> str:
        """The model's name."""
        return self._client.name

    async def speak(self, view: UserView, scope: CallScope) -> Reply:
        """The next utterance.

        Raises CallFailed, and ConversationFault for a turn that was blocked or cut off before a word.
        """
        completion = await self._complete(view, scope)
        if completion.outcome == "blocked":
            raise ConversationFault(_fault(view, FaultKind.BLOCKED, "was blocked by its provider"))
        if completion.outcome == "truncated":
            cut = _fault(view, FaultKind.NEVER_ENDED, "did not end its turn within the length limit")
            if not completion.text.strip():
                raise ConversationFault(cut)
            return Reply(completion.text, fault=cut)
        return await beside(len(completion.text), lambda: _judged(view, completion, plain=self._plain))

    async def decide(self, flags: tuple[Flag, ...]) -> Literal["deliver", "retry"]:
        """A model lets its words go as they are."""
        return "deliver"

    async def _complete(self, view: UserView, scope: CallScope) -> Completion:
        """Ask with what fits: fewer earlier lines, and a recipient once more with a short role context."""
        earlier = max(0, len(view.lines) - 1)
        try:
            return await complete_fitting(
                self._client, lambda kept: self._request(view, kept), earlier, scope
            )
        except CallFailed as failure:
            context = _shortened(view.role_context or "")
            if failure.kind is not FaultKind.CONTEXT_LENGTH or not self._recipient or context is None:
                raise
            scope.publish(ContextTrimmed(role=scope.role, kept=0, dropped=earlier, context=len(context)))
            request = await self._request(replace(view, role_context=context), 0)
            return await self._client.complete(request, scope)

    async def _request(self, view: UserView, kept: int) -> Request:
        length = sum(len(line.text) for line in view.lines)
        return Request(
            messages=tuple(await beside(length, lambda: self._messages(view, kept))),
            parameters=self._parameters,
            schema=None if self._plain else SCHEMA,
        )

    def _messages(self, view: UserView, kept: int) -> list[Message]:
        """The last line, and before it the newest `kept` ones; its own in the form it must answer in."""
        messages = [Message("system", self._system(view))]
        for line in view.lines[:-1][-kept:] if kept else ():
            messages.append(self._own(line.text) if line.mine else Message("user", line.text))
        token = fence(*(message.content for message in messages), self._next(view, ""))
        messages.append(Message("user", self._next(view, token)))
        if view.parting is not None:
            go_on = load("users/go-on").render(language=language(view.language).name)
            messages += [self._own(view.parting, end=True), Message("user", go_on)]
        if view.again:
            again = load("users/again").render(language=language(view.language).name)
            messages[-1] = Message("user", f"{messages[-1].content}\n\n{again}")
        return messages

    def _own(self, text: str, *, end: bool = False) -> Message:
        return Message("assistant", text if self._plain else dumps({"text": text, "end": end}))

    def _system(self, view: UserView) -> str:
        own = language(view.language).name
        if self._instruction is not None:
            return f"{view.role_context or ''}\n\n{self._instruction}".strip()
        form = load("users/format-plain" if self._plain else "users/format-json").render(language=own)
        if self._recipient:
            return load("users/recipient").render(
                role_context=view.role_context or "", language=own, format=form
            )
        if view.role_context is None:
            return load("users/free").render(language=own, format=form)
        return load("users/guided").render(role_context=view.role_context, language=own, format=form)

    def _next(self, view: UserView, token: str) -> str:
        heard = view.lines[-1] if view.lines else None
        if self._recipient and heard is not None:
            return heard.text
        if heard is None or heard.mine:
            return load("users/open-guided").render(intent=view.intent or "")
        shared = {"heard": heard.text, "fence": token}
        if view.intent is None:
            return load("users/next-free").render(**shared)
        return load("users/next-guided").render(**shared, intent=view.intent)


def _judged(view: UserView, completion: Completion, *, plain: bool) -> Reply:
    reply = _reply(completion, plain=plain)
    return replace(reply, fault=misconduct(view, reply.text))


def misconduct(view: UserView, text: str) -> Fault | None:
    """What is wrong with a reply where it is a fault of the user.

    Refusing a message that the language check calls `wrong` is a normal answer. Whoever opens has heard
    nothing that could be in a wrong language: a refusal as first words is the user's own failure.
    """
    if breaks_character(text, view.language):
        return _fault(view, FaultKind.BROKE_CHARACTER, "broke character")
    if not refuses(text, view.language):
        return None
    if view.received is None:
        return _fault(view, FaultKind.REFUSED, "refused to speak before anything was said to it")
    if view.received.result == "wrong":
        return None
    return _fault(view, FaultKind.REFUSED, "refused a message in its own language")


def _shortened(context: str) -> str | None:
    """The beginning of a long role context, about 200 characters, whole words; None for a short one."""
    if len(context) <= _SHORT:
        return None
    begun = context[:_SHORT]
    return begun.rpartition(" ")[0] or begun


def _reply(completion: Completion, *, plain: bool) -> Reply:
    if plain:
        return Reply(completion.text.strip())
    found = first_object(completion.text)
    if found is None or not isinstance(found.get("text"), str):
        return Reply("" if _looks_like_json(completion.text) else completion.text.strip())
    return Reply(found["text"], end=found.get("end") is True)


def _looks_like_json(text: str) -> bool:
    """Whether an answer that gave no utterance was meant as JSON: its braces are nobody's words."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return text.lstrip().startswith(("{", "["))
    return True


def _fault(view: UserView, kind: FaultKind, what: str) -> Fault:
    return Fault(Layer.USER, kind, f"User {view.speaker} {what}.")
