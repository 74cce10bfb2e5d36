"""What passes between a client and whatever answers it: one attempt, its answer, its failure.

Provider-neutral values. A backend makes exactly one attempt and never waits to try again: retries,
normalising and book-keeping belong to `client`, so that hosted, local and scripted models share them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from sim.core.errors import FaultKind
from sim.core.ports import CallScope, Message

CostStatus = Literal["known", "unknown", "free"]


@dataclass(frozen=True, slots=True)
class Usage:
    """What one attempt used."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cost: float | None = None
    """US dollars; None where the price is unknown."""
    cost_status: CostStatus = "unknown"


FREE = Usage(cost=0.0, cost_status="free")


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt, as it goes to the provider."""

    number: int
    """From 1, within one call."""
    messages: tuple[Message, ...]
    prompt: str | None
    parameters: Mapping[str, Any]
    response_format: Mapping[str, Any] | None
    """OpenAI's `response_format`, None for plain text."""
    on_delta: Callable[[str], None] | None
    """Where pieces of a streamed answer go; None asks for an answer in one piece."""
    seed: int | None = None
    """For sampling; None where the model takes none, or the parameters name one."""
    stream_options: bool = True
    """Whether a stream may be asked for its usage."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back, before it is normalised."""

    content: str | None
    """None where there was no choice or no content."""
    finish: str | None
    """The finish reason."""
    marker: str | None = None
    """The provider's own sign that it blocked the request or the answer, such as `content_filter`."""
    usage: Usage = field(default=Usage(), compare=False)
    thought: str = ""
    """Thinking that came apart from the content."""
    sent: Mapping[str, Any] = field(default_factory=dict, compare=False)
    """Parameters as they were sent."""
    host: str = field(default="", compare=False)
    """Where the text went; empty for what stays in this process."""


class AttemptFailed(Exception):
    """One attempt brought no answer."""

    def __init__(
        self,
        kind: FaultKind,
        why: str,
        *,
        detail: str = "",
        retryable: bool = False,
        retry_after: float | None = None,
        rejected: bool = False,
    ) -> None:
        super().__init__(why)
        self.kind = kind
        self.why = why
        """A few words: `rate limit`, `server error 503`."""
        self.detail = detail
        """What the provider said; not yet redacted."""
        self.retryable = retryable
        self.retry_after = retry_after
        """Seconds the provider asks to wait."""
        self.rejected = rejected
        """Whether the provider refused the request as it is (400, 404, 405, 422, 501): another form may pass."""


class Backend(Protocol):
    """Whatever makes one attempt."""

    async def send(self, attempt: Attempt, scope: CallScope) -> Answer:
        """Answer once. Raises AttemptFailed."""
        ...

    async def aclose(self) -> None:
        """Release what it holds."""
        ...
