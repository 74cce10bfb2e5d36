"""How a provider says no."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from aiohttp import web


class Refused(Exception):
    """A request the real provider would not answer, and what it would say."""

    def __init__(self, status: int, document: Any, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(f"{status} {document}")
        self.status = status
        self.document = document
        self.headers = dict(headers or {})

    def response(self) -> web.Response:
        """As it goes over the wire."""
        return web.Response(
            text=json.dumps(self.document),
            status=self.status,
            headers=self.headers,
            content_type="application/json",
        )


def schema_words(schema: Any, path: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], str]]:
    """Every keyword a JSON Schema uses, with the path of the sub-schema that uses it."""
    found: list[tuple[tuple[str, ...], str]] = []
    if not isinstance(schema, dict):
        return found
    for word, value in schema.items():
        found.append((path, word))
        if word in ("properties", "$defs") and isinstance(value, dict):
            for name, inner in value.items():
                found += schema_words(inner, (*path, word, name))
        elif word in ("items", "additionalProperties"):
            found += schema_words(value, (*path, word))
        elif word in ("anyOf", "oneOf", "allOf") and isinstance(value, list):
            for inner in value:
                found += schema_words(inner, (*path, word))
    return found
