"""Names → participants: what `--interpreter`, `--judge`, `--user-a` and `--user-b` may say.

Building a participant loads nothing: models, servers and detectors load when they are first used.
"""

import difflib
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from agents.interpreters import briefs, history
from agents.interpreters.baselines import CopyInterpreter, ReferenceInterpreter
from agents.interpreters.local import LocalInterpreter
from agents.interpreters.model import ModelInterpreter
from agents.judges.model import ModelJudge
from agents.judges.panel import PanelJudge
from agents.models.profiles import profiles
from agents.models.registry import UNKNOWN
from agents.users.local import LocalUser
from agents.users.model import ModelUser
from sim.core.errors import Problem, UsageProblem
from sim.core.ports import Client, Encoder, Interpreter, Judge, User
from sim.runs.book import separated
from sim.runs.named import Role

INTERPRETERS = (
    "local",
    "reference",
    "copy",
    "gguf:PATH",
    "fake:FILE",
    "a NAME of `skopos models`",
    "any LiteLLM model name",
)
JUDGES = (
    "rules",
    "none",
    "gguf:PATH",
    "fake:FILE",
    "local",
    "a NAME of `skopos models`",
    "any LiteLLM model name",
    "several with commas",
)
USERS = (
    "script",
    "person",
    "gguf:PATH",
    "fake:FILE",
    "local",
    "a NAME of `skopos models`",
    "any LiteLLM model name",
)

OpenClient = Callable[[str], Client]

_LONGEST: Mapping[Role, int] = {"interpreter": 512, "user": 512, "judge": 1600, "writer": 1600}
"""Tokens of an answer of a local server, which stops after 16 where nothing is said."""


def defaults(model: str, role: Role) -> dict[str, Any]:
    """Parameters of a model in a role where nobody says others; a judge on a server of ours is greedy."""
    return _on_ours(role) if model.startswith("gguf:") else {}


def _on_ours(role: Role) -> dict[str, Any]:
    return {"max_tokens": _LONGEST[role]} | ({"temperature": 0.0} if role == "judge" else {})


def interpreter(
    name: str,
    *,
    brief: str | None,
    history_name: str | None,
    parameters: Mapping[str, Any],
    pair: tuple[str, str],
    has_past: bool,
    client: OpenClient,
    encoder: Callable[[], Encoder],
) -> Interpreter:
    """The interpreter called `name`; one without a past to show is the same whatever its history.

    Raises UsageProblem.
    """
    if name in ("local", "reference", "copy"):
        _refuse_settings(name, brief, history_name, parameters)
        if name == "local":
            return LocalInterpreter(client("local"), pair)
        return ReferenceInterpreter() if name == "reference" else CopyInterpreter()
    way = history.parse_history(history_name or history.DEFAULT)
    if not has_past:
        way = history.parse_history(history.DEFAULT)
    return ModelInterpreter(
        _opened(name, client, ("reference", "copy", "local")),
        briefs.brief(brief or briefs.DEFAULT),
        way,
        pair=pair,
        parameters=parameters,
        encoder=encoder() if way.kind == "similar" else None,
    )


def _refuse_settings(
    name: str, brief: str | None, history_name: str | None, parameters: Mapping[str, Any]
) -> None:
    settings = (("--brief", brief), ("--history", history_name), ("parameters", parameters))
    given = [option for option, value in settings if value]
    if given:
        raise UsageProblem(
            Problem(
                "Setting without effect",
                f"{' and '.join(given)} cannot be given to {name!r}: it has no brief, no history and no parameters.",
                "Leave it out, or name a model with --interpreter.",
            )
        )


def judge(name: str, *, client: OpenClient, rules: Callable[[], Judge]) -> Judge | None:
    """The judge called `name`, a panel for several names with commas, None for `none`.

    Raises UsageProblem.
    """
    if name == "none":
        return None
    members = tuple(_judge(part, client, rules) for part in separated(name))
    if len({member.name for member in members}) < len(members):
        raise UsageProblem(Problem("Judge named twice", f"{name!r} names a judge more than once."))
    return members[0] if len(members) == 1 else PanelJudge(members)


def _judge(name: str, client: OpenClient, rules: Callable[[], Judge]) -> Judge:
    if name == "rules":
        return rules()
    if name in ("none", ""):
        raise UsageProblem(Problem("Unusable panel", f"{name!r} cannot sit on a panel.", choices=JUDGES))
    own = _on_ours("judge") if name == "local" else {}
    return ModelJudge(_opened(name, client, ("rules", "none", "local")), parameters=own)


def user(name: str, *, recipient: bool, client: OpenClient) -> User:
    """The user played by the model `name`. Raises UsageProblem."""
    if name in ("rules", "none", "reference", "copy", ""):
        raise UsageProblem(Problem("Unknown user", f"{name!r} cannot be a user.", choices=USERS))
    if name == "local":
        return LocalUser(client("local"))
    opened = _opened(name, client, ("script", "local"))
    known = profiles().get(opened.identity.get("profile", ""))
    return ModelUser(opened, recipient=recipient, instruction=known.instruction if known else None)


def _opened(name: str, client: OpenClient, others: tuple[str, ...]) -> Client:
    """The client of a model. Raises UsageProblem; for an unknown one with what else the role may be."""
    try:
        return client(name)
    except UsageProblem as failure:
        near = difflib.get_close_matches(name, others, cutoff=0.5)
        raise UsageProblem(
            *(
                replace(problem, choices=tuple(dict.fromkeys((*near, *problem.choices, *others))))
                if problem.title == UNKNOWN
                else problem
                for problem in failure.problems
            )
        ) from failure
