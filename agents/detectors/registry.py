"""Detectors by language and function name; nothing is loaded before it is asked for.

Importing this module, or listing what there is, opens no data file and no library. The first Korean
answer loads an analyser (seconds, 240 MB): ask for it in a thread, not on the event loop.
"""

from functools import cache
from importlib import import_module

from agents.detectors.port import Detector
from sim.core.errors import Problem, UsageProblem

VERSION = 5
"""Changes whenever a detector may answer differently; part of every signature that rests on one."""
LANGUAGES = ("arb", "ben", "eng", "ind", "kor")
"""ISO 639-3 codes with detectors."""

_SHARED = {
    "number": "quantity", "time": "clock", "name": "name", "question": "clause", "negation": "phrasal",
    "greeting": "phrasal", "thanks": "phrasal", "apology": "phrasal", "refusal": "phrasal",
}  # fmt: skip
_OWN = {
    "arb": {"gender": "arabic_addressee", "count": "arabic_addressee", "variety": "arabic_variety"},
    "ben": {"address": "bengali_address"},
    "eng": {},
    "ind": {"address": "indonesian_address", "formality": "indonesian_formality"},
    "kor": {
        "question": "korean_clause", "negation": "korean_clause",
        "level": "korean_register", "honorific": "korean_register",
    },
}  # fmt: skip


def functions(language: str) -> tuple[str, ...]:
    """The function names `language` has detectors for, in alphabetical order; empty for another language."""
    return tuple(sorted(_modules(language)))


@cache
def detector(language: str, name: str) -> Detector:
    """The detector of a function in a language. Raises UsageProblem where there is none."""
    module = _modules(language).get(name)
    if module is None:
        raise UsageProblem(_missing(language, name))
    found: Detector = import_module(f"agents.detectors.{module}").open_detector(language, name)
    return found


def _modules(language: str) -> dict[str, str]:
    return {**_SHARED, **_OWN[language]} if language in _OWN else {}


def _missing(language: str, name: str) -> Problem:
    known = functions(language)
    return Problem(
        title="No such detector",
        what=f"There is no detector {name!r} for the language {language!r}.",
        why="" if known else "No detector knows this language.",
        choices=known or LANGUAGES,
    )
