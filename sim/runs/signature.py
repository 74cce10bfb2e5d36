"""The signature as one line: what a person checks first, and a digest of the whole."""

from collections.abc import Mapping
from typing import Any

from sim.core.identity import digest


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
