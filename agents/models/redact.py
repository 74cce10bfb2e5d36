"""Takes secrets out of every text that is stored or shown about a failure.

It knows the values of key-like environment variables and two shapes: `Bearer …` and `user:pass@`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

_KEY_LIKE = re.compile(r"KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL", re.IGNORECASE)
_BEARER = re.compile(r"(\bBearer\s+)[^\s\"',;]+", re.IGNORECASE)
_LOGIN = re.compile(r"(://)[^\s/@]+@")
_HIDDEN = "[hidden]"
_SHORTEST = 6
"""A shorter value is no secret worth the damage: `KEY=1` would redact every 1."""


class Redactor:
    """Redacts by the secrets it was given."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        self._secrets = frozenset(s for s in secrets if len(s) >= _SHORTEST)
        known = sorted(self._secrets, key=len, reverse=True)
        self._known = re.compile("|".join(map(re.escape, known))) if known else None

    @classmethod
    def of(cls, environment: Mapping[str, str], *more: str) -> Redactor:
        """The redactor for an environment, and for further secrets made at run time."""
        return cls([*(value for name, value in environment.items() if _KEY_LIKE.search(name)), *more])

    def knowing(self, secret: str) -> Redactor:
        """This one with a secret more."""
        return Redactor([*self._secrets, secret])

    def __call__(self, text: str) -> str:
        """`text` without secrets."""
        if self._known is not None:
            text = self._known.sub(_HIDDEN, text)
        text = _BEARER.sub(rf"\1{_HIDDEN}", text)
        return _LOGIN.sub(rf"\1{_HIDDEN}@", text)
