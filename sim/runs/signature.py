"""The signature as one line: what a person checks first, and a digest of the whole."""

from collections.abc import Iterator, Mapping
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
        *_encoder(document),
        f"language {detector.get('detector', '?')}@{detector.get('threshold', '?')}",
        f"seed {document['seed']}",
        f"#{digest({**document, 'judge': judge}, 8)}",
    ]
    return " | ".join(parts)


def judge_digest(document: Mapping[str, Any]) -> tuple[str, str]:
    """Name and digest of a judge; the digest is that of its identity, in which the name is none of it."""
    identity = {field: value for field, value in document.items() if field != "name"}
    return str(document.get("name", document.get("judge"))), document.get("digest") or digest(identity, 8)


def _encoder(document: Mapping[str, Any]) -> Iterator[str]:
    """Whose vectors the gate before `rules`, or before surface checks, compares; nothing where none is asked."""
    judge, writer = document["judge"], document.get("writer")
    asked = [one["encoder"] for one in (judge, *judge.get("members", ())) if "encoder" in one]
    if isinstance(writer, Mapping) and "meaning" in writer:
        asked.append(writer["meaning"]["encoder"])
    if asked:
        yield f"encoder {_encoder_name(asked[0])}"


def _encoder_name(identity: Any) -> str:
    """The name in an encoder's identity; of several parts of a run that differ the digest stands for it."""
    return str(identity.get("encoder")) if isinstance(identity, Mapping) else str(identity or "none")
