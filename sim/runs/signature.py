"""The signature as one line: what a person checks first, and a digest of the whole."""

from collections.abc import Mapping
from typing import Any

from sim.core.identity import digest


def short(document: Mapping[str, Any]) -> str:
    """One line that names a signature: what a person checks first, and a digest of the whole.

    A judge enters both by name and digest: of one that was asked later nothing else is kept.
    """
    judge = " ".join(judge_digest(document["judge"]))
    detector = document["language_check"]
    parts = [
        f"skopos {document['version']}",
        f"scenario {document['scenario'][:8]}",
        f"mode {document['mode']}",
        f"checklist {document['procedure']}",
        f"system {document['system']['id']}",
        f"users {document['users']}",
        f"judge {judge}",
        f"language {detector.get('detector', '?')}@{detector.get('threshold', '?')}",
        f"seed {document['seed']}",
        f"#{digest({**document, 'judge': judge}, 8)}",
    ]
    return " | ".join(parts)


def judge_digest(document: Mapping[str, Any]) -> tuple[str, str]:
    """Name and digest of a judge; the digest is that of its identity, in which the name is none of it."""
    identity = {field: value for field, value in document.items() if field != "name"}
    return str(document.get("name", document.get("judge"))), document.get("digest") or digest(identity, 8)
