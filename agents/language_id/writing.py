"""Which scripts a language is written in, from CLDR's likely subtags; no text is looked at here.

Scripts are ISO 15924 codes, as Unicode and the `regex` module know them. A language whose usual script
CLDR does not know is expected in none, and only its detector can speak against a text.
"""

from functools import cache

from langcodes import Language
from langcodes.tag_parser import LanguageTagError

_PARTS = {
    "Jpan": ("Hira", "Kana", "Hani"),
    "Kore": ("Hang",),
    "Hans": ("Hani",),
    "Hant": ("Hani",),
}
"""Scripts of ISO 15924 that Unicode takes apart. Korean is told by its Hangul: Hanja alone is Chinese."""
_UNKNOWN = frozenset({"Zyyy", "Zzzz", "Zxxx", "Zinh"})


@cache
def scripts_of(code: str) -> tuple[str, ...]:
    """ISO 15924 codes of the scripts that a language (ISO 639-1 or 639-3 code) is usually written in.

    Empty where CLDR does not know.
    """
    try:
        usual = Language.get(code).maximize().script
    except LanguageTagError:
        return ()
    if usual is None or usual in _UNKNOWN:
        return ()
    return _PARTS.get(usual, (usual,))
