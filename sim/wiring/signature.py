"""The signature printed under every number: all that could change it, and nothing that could not."""

from collections.abc import Mapping
from typing import Any

from sim.core.conversation import Cast
from sim.core.identity import digest
from sim.core.modes import Course
from sim.core.studio import Setup
from sim.core.version import __version__


def signature(setup: Setup, cast: Cast, course: Course, scenario_hash: str, users: str) -> dict[str, Any]:
    """The signature of one conversation; transport (timeouts, concurrency) is left out."""
    system = {name: value for name, value in cast.interpreter.identity.items() if name != "prompts"}
    judge: Mapping[str, Any] = cast.judge.identity if cast.judge else {"judge": "none"}
    return {
        "version": __version__,
        "scenario": scenario_hash,
        "mode": str(course.mode),
        "procedure": course.procedure,
        "system": system,
        "prompts": dict(cast.interpreter.identity.get("prompts", {})),
        "users": users,
        "judge": dict(judge),
        "delivery_checks": cast.delivery.identity,
        "language_check": dict(cast.detector.identity),
        "strict_language": setup.strict_language,
        "seed": setup.seed,
        "replicates": None,
    }


def short(document: Mapping[str, Any]) -> str:
    """One line that names a signature: what a person checks first, and a digest of the whole."""
    judge = document["judge"]
    detector = document["language_check"]
    parts = [
        f"skopos {document['version']}",
        f"scenario {document['scenario'][:8]}",
        f"mode {document['mode']}",
        f"checklist {document['procedure']}",
        f"system {document['system']['id']}",
        f"users {document['users']}",
        f"judge {judge.get('judge')} {digest(judge, 8)}",
        f"language {detector.get('detector', '?')}@{detector.get('threshold', '?')}",
        f"seed {document['seed']}",
        f"#{digest(document, 8)}",
    ]
    return " | ".join(parts)
