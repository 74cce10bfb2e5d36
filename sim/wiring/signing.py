"""Making the signature of a conversation: all that could change a number, and nothing that could not."""

from collections.abc import Mapping
from typing import Any

from prompts import loader
from sim.analysis.protocol import REPLICATES
from sim.core.modes import Course
from sim.core.plan import Cast
from sim.core.studio import Setup
from sim.core.version import __version__


def signature(
    setup: Setup,
    cast: Cast,
    course: Course,
    scenario_hash: str,
    users: str,
    models: Mapping[str, Any],
) -> dict[str, Any]:
    """The signature of one conversation; transport (timeouts, concurrency) is left out.

    `models` says what names and inline parameters stand for; where nobody uses any, nothing is said of it.
    """
    system = {name: value for name, value in cast.interpreter.identity.items() if name != "prompts"}
    judge = {"name": cast.judge.name, **cast.judge.identity} if cast.judge else {"judge": "none"}
    return {
        "version": __version__,
        "scenario": scenario_hash,
        "mode": str(course.mode),
        "procedure": course.procedure,
        "turns": [course.first, course.count],
        "system": system,
        "prompts": dict(cast.interpreter.identity.get("prompts", {})),
        "users": users,
        "user_prompts": _user_prompts(cast),
        "judge": judge,
        "writer": _writer(cast, live=course.procedure == "post-hoc"),
        "delivery_checks": cast.delivery.identity,
        "language_check": dict(cast.detector.identity),
        "strict_language": setup.strict_language,
        "seed": setup.seed,
        "replicates": REPLICATES,
        **({"models": dict(models)} if models else {}),
    }


def _writer(cast: Cast, *, live: bool) -> dict[str, Any] | None:
    """Who writes checklists; of live ones also the gate whose answer is among their criteria."""
    if cast.writer is None:
        return None
    gate = {"meaning": dict(cast.meaning.identity)} if live and cast.meaning else {}
    return dict(cast.writer.identity) | gate


def _user_prompts(cast: Cast) -> dict[str, str]:
    """Hashes of what users are asked with where a model plays one."""
    if all(user.name in ("script", "person") for user in cast.users.values()):
        return {}
    used = [name for name in loader.names() if name.startswith(("users/", "examples/dialogue/"))]
    return {name: loader.load(name).hash for name in used}
