"""A user played by the embedded base model: it continues a dialogue, line by line.

It follows no instruction and cannot end a conversation. Another dialogue in its language stands before its
own, for what it hears is often in another language, and it says more of what it sees; how often it keeps
to its own is measured (docs/bench/local-users.md). Allowed, labelled, never a default.
"""

from typing import Literal

from agents.users.model import misconduct
from prompts.loader import load
from sim.core.events import Flag
from sim.core.languages import language
from sim.core.ports import CallScope, Client, Reply, Request, UserView

LABEL = (
    "users played by a very small embedded model: 50 of 60 utterances were in their language when measured"
)
"""The figures of docs/bench/local-users.md."""
_PARAMETERS = {"temperature": 0.7, "max_tokens": 60, "stop": ["\n"]}
_LINES = 8
"""Earlier lines shown: the model's attention does not carry further."""
LANGUAGES = ("arb", "ben", "eng", "ind", "kor")
"""Languages with an example; in any other it has its role context and what was said."""


class LocalUser:
    """A `UserAgent` over the embedded model."""

    name = "local"

    def __init__(self, client: Client) -> None:
        self._client = client

    async def speak(self, view: UserView, scope: CallScope) -> Reply:
        """The next line of the dialogue. Raises CallFailed."""
        request = Request(prompt=_prompt(view), parameters=_PARAMETERS)
        completion = await self._client.complete(request, scope)
        text = completion.text.strip()
        return Reply(text, fault=misconduct(view, text))

    async def decide(self, flags: tuple[Flag, ...]) -> Literal["deliver", "retry"]:
        """It does not mind."""
        return "deliver"


def _prompt(view: UserView) -> str:
    me, them = view.speaker, "B" if view.speaker == "A" else "A"
    title = f"[{language(view.language).autonym}]"
    head = [title]
    if view.language in LANGUAGES:
        head += [load(f"examples/dialogue/{view.language}").text, "", title]
    if view.role_context:
        head.append(" ".join(view.role_context.split()))
    lines = [f"{me if line.mine else them}: {' '.join(line.text.split())}" for line in view.lines[-_LINES:]]
    return "\n".join([*head, *lines, f"{me}:"])
