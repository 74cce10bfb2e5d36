"""Tokens of a source that stand unchanged in any translation: codes, addresses, names in Latin letters.

Only what nobody would translate. A word of another language in the sentence is none, and neither is a
number with its unit: `passport` and `20mg` change with the language.
"""

from collections.abc import Iterator

import regex

from agents.checklists.values import Value

_LATIN = ("eng", "ind")
"""Targets written in Latin letters: names in them stay as they are; elsewhere they are spelled anew."""
_ADDRESS = regex.compile(
    r"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+|(?:https?://|www\.)[^\s،。]+[A-Za-z0-9/]"
)
_CODE = regex.compile(r"(?<![A-Za-z0-9@./-])(?=[A-Za-z]*[A-Z])[A-Za-z]+-?[0-9][A-Za-z0-9-]*(?![A-Za-z0-9@])")
"""Letters, then digits, a capital among them: KE5623, B12, COVID-19."""
_NAME = regex.compile(r"(?<![A-Za-z0-9@./-])(?:[A-Z][A-Za-z]{2,}|[a-z]+[A-Z][A-Za-z]+)(?![A-Za-z0-9@.-])")
"""Latin letters with a capital among those of another script: Samsung, iPhone, KTX."""
_TRANSLATED = frozenset({"SNS"})
"""Abbreviations that are words of the language they stand in."""
_OTHER_SCRIPT = regex.compile(r"(?=\p{L})\P{Latin}")
_DIGITS = regex.compile(r"[0-9]+")


def standing(source: str, target: str) -> Iterator[Value]:
    """The tokens of `source` that must stand in a translation into `target`, each once, in order.

    Of a code in a target with other letters only the digits: B12 may become বি১২.
    """
    found = [match.group() for match in _ADDRESS.finditer(source)]
    rest = _ADDRESS.sub(" ", source)
    for token in dict.fromkeys(found):
        yield Value(token, "")
    for code in dict.fromkeys(match.group() for match in _CODE.finditer(rest)):
        if target in _LATIN:
            yield Value(code, "")
        else:
            yield Value(max(_DIGITS.findall(code), key=len), code)
    if target in _LATIN and _OTHER_SCRIPT.search(rest):
        for name in dict.fromkeys(match.group() for match in _NAME.finditer(rest)):
            if name not in _TRANSLATED:
                yield Value(name, "")
