"""Names of people and places in a text.

Where the script has capitals they show names away from the start of a sentence; elsewhere titles, vocative
suffixes, self-introductions and the table of known names do, and for Korean the analyser's proper nouns.
Evidence gives the name as written and, where the table knows it, its Latin form, the same for every
script. Weekdays, languages and peoples are capitalised but name nobody: alone they are don't
know. In Arabic and Bengali script an unknown name looks like any word, so there the answer is never *no*.
Sources: Van Langendonck 2007, *Theory and Typology of Proper Names*; titles as in the grammars cited by
the other modules. Titles and other words: `name.toml`.
"""

from functools import partial

from agents.detectors.name_korean import proper
from agents.detectors.name_latin import capitalised
from agents.detectors.name_table import known_names
from agents.detectors.name_uncased import marked
from agents.detectors.port import NO, UNKNOWN, YES, Detector, Evidence, Finding, Rule
from sim.core.text import fold, letters, nfc

_CAPITALS = ("eng", "ind")


def open_detector(language: str, name: str) -> Detector:
    """The name detector of `language`."""
    labels = (YES, NO) if language in _CAPITALS or language == "kor" else (YES,)
    return Rule(name, language, labels, partial(names, language))


def names(language: str, text: str) -> Finding:
    """The names in `text`, in order; a name of several words is one."""
    if not letters(text):
        return UNKNOWN
    if language in _CAPITALS:
        found, unsure = capitalised(language, nfc(text))
    elif language == "kor":
        found, unsure = proper(text)
    else:
        found, unsure = marked(language, text), [""]
    if found:
        return Finding(YES, tuple(Evidence(name, _latin_form(language, name)) for name in found))
    return Finding(None, tuple(Evidence(word) for word in unsure if word)) if unsure else Finding(NO)


def _latin_form(language: str, name: str) -> str | None:
    known = known_names(language)
    return known.get(fold(name)) or known.get(f"ا{fold(name)}")
