"""Answers in OpenAI's shape, whole or in pieces: what the openai package returns, and LiteLLM imitates.

It must not know who was asked, nor what an answer costs.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Any

from agents.models.contents import Unreadable, said
from agents.models.refusals import unreadable
from agents.models.wire import Answer, AttemptFailed, Usage
from sim.core.errors import FaultKind

ReadUsage = Callable[[Any], Usage]
"""Of the `usage` of a response, or of None."""


async def read_answer(response: Any, on_delta: Callable[[str], None] | None, read: ReadUsage) -> Answer:
    """An answer, in pieces where they were asked for. Raises AttemptFailed as `streamed` does."""
    return whole(response, read) if on_delta is None else await streamed(response, on_delta, read)


def whole(response: Any, read: ReadUsage) -> Answer:
    """An answer that came in one piece."""
    usage = read(getattr(response, "usage", None))
    if not response.choices:
        return Answer(None, None, None, usage)
    choice = response.choices[0]
    message = getattr(choice, "message", None)
    if message is None:
        return Answer(choice.text, choice.finish_reason, None, usage)
    marker = "refusal" if getattr(message, "refusal", None) else None
    return Answer(_text(_said(message)), choice.finish_reason, marker, usage)


async def streamed(stream: Any, on_delta: Callable[[str], None], read: ReadUsage) -> Answer:
    """An answer in pieces, told as they come. Raises AttemptFailed where the server did not say it finished."""
    said: list[str] = []
    finish = usage = None
    async with aclosing(_chunks(stream)) as chunks:
        async for chunk in chunks:
            usage = getattr(chunk, "usage", None) or usage
            if not chunk.choices:
                continue
            choice = chunk.choices[0]
            finish = choice.finish_reason or finish
            delta = getattr(choice, "delta", None)
            piece = _text(choice.text if delta is None else delta.content)
            if piece:
                said.append(piece)
                on_delta(piece)
    # LiteLLM makes up a `stop` for a stream that was cut short, and keeps what was received beside it.
    if not getattr(stream, "received_finish_reason", finish):
        raise AttemptFailed(FaultKind.UNAVAILABLE, "stream cut short", retryable=True)
    return Answer("".join(said), finish, None, read(usage))


async def _chunks(stream: Any) -> AsyncGenerator[Any, None]:
    try:
        async for chunk in stream:
            yield chunk
    finally:
        inner = getattr(stream, "completion_stream", stream)
        close = getattr(inner, "aclose", None) or getattr(inner, "close", None)
        if close is not None:
            await close()


def _text(content: Any) -> str | None:
    """Content as text: LiteLLM passes on whatever a provider put there. Raises AttemptFailed."""
    if content is None or isinstance(content, str):
        return content
    try:
        return said({"content": content}).text
    except Unreadable as form:
        unreadable(str(form), content)


def _said(message: Any) -> Any:
    """The content as the provider sent it: LiteLLM cuts a leading `<think>` block out of whole answers."""
    content = message.content
    thought = getattr(message, "reasoning_content", None)
    if isinstance(content, str) and content and thought and content[0].isspace():
        return f"<think>{thought}</think>{content}"
    return content
