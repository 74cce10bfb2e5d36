"""Whether a name in another script is the one a label gives in Latin letters.

Labellers write names as English does; romanisations differ in vowels and in how they tell neighbouring
sounds apart, so names are compared by the classes of their consonants (the principle of Soundex; Knuth
1973, *The Art of Computer Programming* 3, ch. 6). It compares, and romanises nothing for display.
"""

import unicodedata

import regex

from sim.core.text import fold

_LATIN = (
    (r"ng", "N"), (r"[cs]h|tch|dj", "S"), (r"[kg]h|ck", "K"), (r"[td]h", "T"), (r"ph", "P"),
    (r"[sjzx]|c(?=[ei])", "S"), (r"[kgqc]", "K"), (r"[td]", "T"), (r"[pbfv]", "P"), (r"[rl]", "R"),
    (r"n", "N"), (r"m", "M"), (r"[^A-Z]", ""),
)  # fmt: skip
_OTHER = {
    "S": "سشصزجظঝজযচছশষসᄉᄊᄌᄍᄎᆺᆽᆾ", "K": "كقخغগঘকখᄀᄁᄏᆨᆩ", "T": "تطثدذضতথদধটঠডঢᄃᄄᄐᆮᇀৎ", "P": "بفপফবভᄇᄈᄑᆸᇁ",
    "R": "رلরলড়ঢ়ᄅᆯ", "N": "نনণঙংঞᄂᆫᆼ", "M": "مমᄆᆷ",
}  # fmt: skip
_FAMILY = (
    (r"\bpark\b", "pak"),
    (r"\b(?:lee|rhee|li)\b", "i"),
    (r"\blim\b", "im"),
    (r"\broh\b", "noh"),
    (r"\bryu\b", "yu"),
)
"""Korean family names whose customary spelling has a consonant that is not said."""
_CLASS = {letter: kind for kind, letters in _OTHER.items() for letter in letters}


def same_name(written: str, latin: str) -> bool:
    """Whether `written`, in any script, can be the name `latin`."""
    if fold(written).replace(" ", "") == fold(latin).replace(" ", ""):
        return True
    if regex.match(r"\p{Hangul}", written):
        first, _, last = latin.rpartition(" ")
        orders = (latin, f"{last} {first}") if first else (latin,)
        return any(
            _skeleton(written) == _skeleton(form) for order in orders for form in (order, _said(order))
        )
    return regex.match(r"\P{Latin}", written) is not None and _skeleton(written) == _skeleton(latin)


def _said(name: str) -> str:
    """A Korean name with its family name as it is said."""
    for customary, said in _FAMILY:
        name = regex.sub(customary, said, name, flags=regex.I)
    return name


def _skeleton(name: str) -> str:
    if regex.match(r"\p{Latin}", name):
        found = regex.sub(r"['’ -]", "", name.casefold())
        for letters, kind in _LATIN:
            found = regex.sub(letters, kind, found)
    else:
        found = "".join(_CLASS.get(letter, "") for letter in unicodedata.normalize("NFD", name))
    single = regex.sub(r"(.)\1+", r"\1", found)
    assimilated: str = regex.sub(r"(.)\1+", r"\1", regex.sub(r"(?<=[NM])R", "N", single))
    return assimilated
