"""Chat messages for servers whose template knows less than the request asks.

"System role not supported", "roles must alternate": the system text goes into the first user message,
neighbours of one side become one message. Nothing is lost and nothing is reordered. And what no server
could be sent at all is made fit to be sent.
"""

from __future__ import annotations

from collections.abc import Iterator

from sim.core.ports import Message


def sendable(text: str) -> str:
    """`text` as UTF-8 can carry it: an unpaired surrogate, which a model may well say, becomes U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def folded(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """The same words as strictly alternating user and assistant messages, a user's first."""
    return tuple(_merged(_without_system(messages)))


def _without_system(messages: tuple[Message, ...]) -> Iterator[Message]:
    for message in messages:
        yield Message("user", message.content) if message.role == "system" else message


def _merged(messages: Iterator[Message]) -> Iterator[Message]:
    last: Message | None = None
    for message in messages:
        if last is not None and last.role == message.role:
            last = Message(last.role, f"{last.content}\n\n{message.content}")
            continue
        if last is not None:
            yield last
        last = message
    if last is not None:
        yield last
