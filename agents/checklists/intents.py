"""Which speech acts an outline asks for: English intents, read by the phrases in `intents.toml`.

An intent tells a user what to do ("Thank her and ask whether …"), so its verbs name the acts. What is
not named may still be done; that is not for an outline to say.
"""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from agents.phrases import pattern, plain_words

_NOTHING = b" _ "


def intended(act: str, intent: str) -> bool:
    """Whether `intent` asks for `act`; False for an act the file does not know."""
    says, never = _patterns().get(act, (None, None))
    if says is None:
        return False
    words = plain_words(intent)
    if never is not None:
        words = never.sub(_NOTHING, words)
    return says.search(words) is not None


@cache
def _patterns() -> dict[str, tuple[Any, Any]]:
    text = files("agents.checklists").joinpath("intents.toml").read_text(encoding="utf-8")
    document = tomllib.loads(text)
    sets = document.pop("sets")
    return {
        act: (pattern(lists["says"], sets), pattern(lists["not"], sets) if lists.get("not") else None)
        for act, lists in document.items()
    }
