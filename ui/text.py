"""Free text on a terminal: graphemes, measured width, wrapping, display-only reordering.

Terminals and libraries count combining marks differently, so each cluster has two widths: what Rich
counts and the most any terminal may take. Wrapping leaves room for the difference. Nothing here may
change a stored value: results are for drawing and are thrown away.
"""

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache

import regex
from bidi import algorithm
from rich.cells import cell_len

_RIGHT_TO_LEFT = regex.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_PIECES = regex.compile(r"\s+|\S+")
_ANY = "\u2022"
"""Stands for what the algorithm takes out."""
_PLACELESS = frozenset({"", "B", "BN", "LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})
_STEPS = (
    algorithm.explicit_embed_and_overrides,
    algorithm.resolve_weak_types,
    algorithm.resolve_neutral_types,
    algorithm.resolve_implicit_levels,
    algorithm.reorder_resolved_levels,
    algorithm.apply_mirroring,
)


class Bidi(StrEnum):
    """Whether lines are put into visual order before they are drawn."""

    ON = "on"
    OFF = "off"
    AUTO = "auto"
    """On, unless the terminal is known to reorder by itself."""

    def active(self, environ: Mapping[str, str]) -> bool:
        """Whether to reorder in this environment."""
        if self is Bidi.AUTO:
            return not _terminal_reorders(environ)
        return self is Bidi.ON

    def following(self, environ: Mapping[str, str]) -> "Bidi":
        """The next choice, beginning with one that makes a difference here: auto, the other, the same."""
        on_first = not Bidi.AUTO.active(environ)
        order = (Bidi.AUTO, Bidi.ON, Bidi.OFF) if on_first else (Bidi.AUTO, Bidi.OFF, Bidi.ON)
        return order[(order.index(self) + 1) % 3]


def _terminal_reorders(environ: Mapping[str, str]) -> bool:
    if "TMUX" in environ or "STY" in environ:
        return False
    vte = environ.get("VTE_VERSION", "")
    return (
        (vte.isascii() and vte.isdigit() and int(vte) >= 5800)
        or "KONSOLE_VERSION" in environ
        or "MLTERM" in environ
        or environ.get("TERM_PROGRAM") == "Apple_Terminal"
    )


def graphemes(text: str) -> list[str]:
    """The extended grapheme clusters of `text`."""
    return [str(cluster) for cluster in regex.findall(r"\X", text)]


def has_right_to_left(text: str) -> bool:
    """Whether any character of `text` belongs to a right-to-left script."""
    return _RIGHT_TO_LEFT.search(text) is not None


@lru_cache(8192)
def _most_cells(cluster: str) -> int:
    parts = sum(1 if unicodedata.category(c) == "Mc" else cell_len(c) for c in cluster)
    return max(cell_len(cluster), parts)


def most_cells(text: str) -> int:
    """The most cells a terminal may take for `text`; never less than Rich counts."""
    if text.isascii():
        return len(text)
    return sum(_most_cells(cluster) for cluster in graphemes(text))


def slack(text: str) -> int:
    """By how many cells terminals may differ from what Rich counts."""
    return 0 if text.isascii() else most_cells(text) - cell_len(text)


def room(text: str) -> int:
    """Cells to reserve for `text`: the most it may take, and the slack to place the cursor after it."""
    return len(text) if text.isascii() else 2 * most_cells(text) - cell_len(text)


def wrap(text: str, width: int) -> list[str]:
    """`text` in lines of at most `width` reserved cells, broken at spaces, else between graphemes.

    White space at a break is dropped, everything else is kept; a line feed always breaks. A cluster
    wider than `width` has a line of its own.
    """
    return [line for paragraph in text.split("\n") for line in _wrap_paragraph(paragraph, max(width, 1))]


def _wrap_paragraph(text: str, width: int) -> Iterator[str]:
    line, used = "", 0
    for piece in _PIECES.findall(text):
        size = room(piece)
        if used + size <= width:
            line, used = line + piece, used + size
            continue
        if line.strip():
            yield line.rstrip()
        line, used = "", 0
        if piece.isspace():
            continue
        *full, line = _chop(piece, width)
        yield from full
        used = room(line)
    yield line.rstrip()


def _chop(word: str, width: int) -> list[str]:
    lines, used = [""], 0
    for cluster in graphemes(word):
        size = room(cluster)
        if lines[-1] and used + size > width:
            lines.append("")
            used = 0
        lines[-1] += cluster
        used += size
    return lines


def reorder(line: str, *, right_to_left: bool) -> str:
    """One line in visual order, for a terminal that draws cells from left to right.

    Clusters stay whole: a mark is never torn from its base nor a joined emoji taken apart.
    """
    if not has_right_to_left(line):
        return line
    return "".join(shown for _, shown in visual_order(graphemes(line), right_to_left=right_to_left))


def visual_order(clusters: Sequence[str], *, right_to_left: bool) -> list[tuple[int, str]]:
    """Which cluster stands where, from left to right: its position in the line, and how it is drawn.

    Each takes part by its first character, as a mark goes where its base goes; brackets are mirrored.
    Unicode Standard Annex 9, by the steps of python-bidi: its one function for all of them gives a text,
    from which nobody can tell where a character came from.
    """
    storage = algorithm.get_empty_storage()
    storage["base_level"], storage["base_dir"] = int(right_to_left), "R" if right_to_left else "L"
    algorithm.get_embedding_levels("".join(_standing_for(cluster) for cluster in clusters), storage)
    for position, char in enumerate(storage["chars"]):
        char["position"] = position
    for step in _STEPS:
        step(storage, False)
    order = []
    for char in storage["chars"]:
        cluster = clusters[char["position"]]
        order.append((char["position"], char["ch"] if len(cluster) == 1 and char["ch"] != _ANY else cluster))
    return order


def _standing_for(cluster: str) -> str:
    """The character a cluster is ordered by: its first; one without a place of its own for what has none."""
    return _ANY if unicodedata.bidirectional(cluster[0]) in _PLACELESS else cluster[0]
