"""Languages by ISO 639-3 code: names, main script and direction.

A table of facts, open to every language of the standard. It must not learn what a language sounds
like: detectors, cultural contexts and accepted codes live in data elsewhere.
"""

import difflib
import re
from dataclasses import dataclass
from functools import cache

from sim.core.errors import Problem, UsageProblem

_SCRIPTS = {
    "arb": "Arabic", "ara": "Arabic", "pes": "Arabic", "fas": "Arabic", "urd": "Arabic",
    "ben": "Bengali", "asm": "Bengali", "kor": "Hangul", "ell": "Greek", "rus": "Cyrillic", "ukr": "Cyrillic",
    "hin": "Devanagari", "mar": "Devanagari", "nep": "Devanagari", "tam": "Tamil", "tel": "Telugu",
    "tha": "Thai", "heb": "Hebrew", "hye": "Armenian", "kat": "Georgian", "amh": "Ethiopic",
    "ind": "Latin", "eng": "Latin", "zsm": "Latin", "deu": "Latin", "fra": "Latin", "spa": "Latin",
    "por": "Latin", "ita": "Latin", "nld": "Latin", "tur": "Latin", "vie": "Latin", "pol": "Latin",
}  # fmt: skip
_RIGHT_TO_LEFT = frozenset({"Arabic", "Hebrew", "Syriac", "Thaana", "Nko"})
_NAMES = {"arb": "Arabic", "ben": "Bengali", "ind": "Indonesian", "kor": "Korean", "eng": "English"}
_AUTONYMS = {"arb": "العربية", "ben": "বাংলা", "ind": "Bahasa Indonesia", "kor": "한국어", "eng": "English"}

STUDY = ("arb", "ben", "ind", "kor")
"""The four languages of the original study."""


@dataclass(frozen=True, slots=True)
class Language:
    """One language."""

    code: str
    """ISO 639-3 code."""
    name: str
    """English name."""
    autonym: str
    """The language's own name where this project's data has it, else the English name."""
    script: str | None
    """Unicode name of the main script, None where this table does not know it."""

    @property
    def right_to_left(self) -> bool:
        """Whether the main script runs from right to left."""
        return self.script in _RIGHT_TO_LEFT


@cache
def language(code: str) -> Language:
    """The language with this ISO 639-3 code.

    Raises UsageProblem for anything else, with the nearest codes and names.
    """
    if code in _NAMES:
        return Language(code, _NAMES[code], _AUTONYMS[code], _SCRIPTS[code])
    name = _standard_name(code)
    if name is None:
        raise UsageProblem(_unknown(code))
    return Language(code, name, name, _SCRIPTS.get(code))


def _standard_name(code: str) -> str | None:
    if not re.fullmatch(r"[a-z]{3}", code):
        return None
    from iso639 import Lang
    from iso639.exceptions import InvalidLanguageValue

    try:
        found = Lang(code)
    except InvalidLanguageValue:
        return None
    return str(found.name) if found.pt3 == code else None


@cache
def name_of(label: str) -> str:
    """The English name behind a language detector's label: `ko`, `arz`, `kor_Hang`.

    The label itself where ISO 639 knows no such code.
    """
    from iso639 import Lang
    from iso639.exceptions import DeprecatedLanguageValue, InvalidLanguageValue

    code = label.partition("_")[0]
    if code in _NAMES:
        return _NAMES[code]
    try:
        found = Lang(code)
    except (InvalidLanguageValue, DeprecatedLanguageValue):
        return label
    return _NAMES.get(found.pt3) or re.sub(r"\s*\(.*\)", "", str(found.name))


def _unknown(value: str) -> Problem:
    return Problem(
        title="Unknown language",
        what=f"{value!r} is not an ISO 639-3 language code.",
        why="Languages are named by their three-letter ISO 639-3 code.",
        choices=tuple(_nearest(value)),
    )


def _nearest(value: str) -> list[str]:
    from iso639 import iter_langs

    wanted = value.strip().casefold()
    names = {lang.name.casefold(): lang for lang in iter_langs() if lang.pt3}
    codes = {lang.pt3: lang for lang in names.values()}
    codes |= {lang.pt1: lang for lang in names.values() if lang.pt1}
    found = [codes[wanted]] if wanted in codes else []
    found += [names[n] for n in difflib.get_close_matches(wanted, names, n=3, cutoff=0.6)]
    found += [codes[c] for c in difflib.get_close_matches(wanted, codes, n=3, cutoff=0.6)]
    own = [f"{code} ({name})" for code, name in _NAMES.items()]
    return list(dict.fromkeys([*(f"{lang.pt3} ({lang.name})" for lang in found), *own]))
