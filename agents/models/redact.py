"""Takes secrets out of every text that is stored or shown about a failure, and keys out of answers.

It knows the values of key-like environment variables, as they are and as addresses and JSON spell them, and
three shapes: `Bearer …`, `user:pass@` and `?key=…`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from urllib.parse import quote

_KEY_LIKE = re.compile(r"KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL", re.IGNORECASE)
_BEARER = re.compile(r"(\bBearer\s+)[^\s\"',;]+", re.IGNORECASE)
_LOGIN = re.compile(r"(://)[^\s/@]+@")
_QUERY = re.compile(r"([?&](?:api[-_]?)?key=)[^&\s\"'<>]+", re.IGNORECASE)
_HIDDEN = "[hidden]"
_SHORTEST = 6
"""A shorter value is no secret worth the damage: `KEY=1` would redact every 1."""

_NO_WORD = 16
"""A value at least as long is no word that a conversation may hold."""


class Redactor:
    """Redacts by the secrets it was given."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        self._secrets = frozenset(s for s in secrets if len(s) >= _SHORTEST)
        spelt = {form for secret in self._secrets for form in _spellings(secret)}
        known = sorted(spelt, key=len, reverse=True)
        self._beginnings = tuple(known)
        self._known = _any_of(known)
        self._keys = _any_of([secret for secret in known if len(secret) >= _NO_WORD])

    @classmethod
    def of(cls, environment: Mapping[str, str], *more: str) -> Redactor:
        """The redactor for an environment, and for further secrets made at run time."""
        return cls([*(value for name, value in environment.items() if _KEY_LIKE.search(name)), *more])

    def knowing(self, secret: str) -> Redactor:
        """This one with a secret more."""
        return Redactor([*self._secrets, secret])

    def __call__(self, text: str) -> str:
        """`text` without secrets."""
        if not text:
            return text
        if self._known is not None:
            text = self._without_cut(self._known.sub(_HIDDEN, text))
        text = _QUERY.sub(rf"\1{_HIDDEN}", text)
        text = _BEARER.sub(rf"\1{_HIDDEN}", text)
        return _LOGIN.sub(rf"\1{_HIDDEN}@", text)

    def answered(self, text: str) -> str:
        """`text` of an answer without our keys: a server may send them back.

        Nothing short is hidden, and nothing that only looks like a key: it may be somebody's words.
        """
        return self._keys.sub(_HIDDEN, text) if self._keys is not None else text

    def _without_cut(self, text: str) -> str:
        """`text` without a secret that its end cut in two: details are bounded before they come here."""
        for secret in self._beginnings:
            for length in range(len(secret) - 1, _SHORTEST - 1, -1):
                if text.endswith(secret[:length]):
                    return text[:-length] + _HIDDEN
        return text


def _any_of(texts: list[str]) -> re.Pattern[str] | None:
    return re.compile("|".join(map(re.escape, texts))) if texts else None


def _spellings(secret: str) -> set[str]:
    """A secret as it is, without the white space around it, in an address and in JSON."""
    bare = secret.strip()
    forms = {secret, bare, quote(bare, safe=""), json.dumps(secret)[1:-1]}
    return {form for form in forms if len(form) >= _SHORTEST}
