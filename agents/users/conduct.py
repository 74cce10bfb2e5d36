"""How a simulated user's reply fails: it refuses the language, or falls out of its role.

Words alone are looked at, in all languages at once, because models refuse in English too. A refusal is
a reply that says it cannot understand or answer the *language*, or that declines as a machine. It is
not a refusal to not know, not to have heard, to be busy, to say no, or to ask for a repetition: people
do all that in role. What follows from a refusal or a broken role is the caller's business.
"""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from agents.phrases import pattern, plain_words

Kind = Literal["refusal", "character"]


def refuses(text: str, language: str) -> bool:
    """Whether a reply refuses the language of its message, or declines as a machine.

    `language` is the ISO 639-3 code of the user who replies.
    """
    return _says("refusal", text, language)


def breaks_character(text: str, language: str) -> bool:
    """Whether a reply calls its speaker a machine, or speaks of prompt, role and instructions.

    `language` is the ISO 639-3 code of the user who replies.
    """
    return _says("character", text, language)


def _says(kind: Kind, text: str, language: str) -> bool:
    data = plain_words(text)
    return any(found.search(data) for found in _patterns(kind, language))


@cache
def _patterns(kind: Kind, own: str) -> tuple[Any, ...]:
    """One pattern a language of the file; `{own}` is any language where `own` has no name there."""
    document = tomllib.loads(files("agents.users").joinpath("conduct.toml").read_text(encoding="utf-8"))
    patterns = []
    for code, phrases in document[kind].items():
        names = document["names"][code]
        every = [name for group in names.values() for name in group]
        patterns.append(pattern(phrases, {"own": names.get(own, every), "any": every}))
    return tuple(patterns)
