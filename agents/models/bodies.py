"""Bodies of replies: as JSON where they are that, and as bounded texts for the detail of a fault.

It must not know what a body means.
"""

from __future__ import annotations

import json
from typing import Any

LONGEST = 2000
"""Characters of a reply that are kept in a fault."""


def parsed(body: bytes | object) -> object:
    """A body as JSON where it is that, else as text."""
    if not isinstance(body, bytes | str):
        return body
    try:
        # strictly: a sign made up for a broken byte would pass for text
        return json.loads(body.decode("utf-8-sig") if isinstance(body, bytes) else body)
    except (ValueError, RecursionError):
        return body.decode("utf-8", "replace") if isinstance(body, bytes) else body


def as_text(document: object) -> str:
    """A reply as a bounded text, for a fault's detail."""
    if isinstance(document, bytes):
        document = document[: 4 * LONGEST].decode("utf-8", "replace")
    if isinstance(document, str):
        return document[:LONGEST]
    try:
        return json.dumps(document, ensure_ascii=False, default=str)[:LONGEST]
    except (ValueError, RecursionError):
        return repr(type(document))


def told(message: str, document: Any) -> str:
    """What the server said, its sentence first: that line is shown to a person."""
    if isinstance(document, str):
        return _page(document)
    whole = as_text(document)
    return f"{message}\n{whole}"[:LONGEST] if message and message not in whole[:2] else whole


def _page(text: str) -> str:
    """A text that is no JSON; of a web page, its title first."""
    head = text[:LONGEST]
    if "<html" not in head.casefold() and "<!doctype" not in head.casefold():
        return head
    _, _, after = text[: 4 * LONGEST].partition("<title>")
    title = " ".join(after.partition("</title>")[0].split())[:200]
    return f"a web page: {title or 'without a title'}\n{head}"
