"""Text as Skopos treats it: stored untouched, compared folded, shown safely.

Nothing here may change a stored value: `fold` is for comparison only, `visible` for display only,
`dumps` writes a value so that reading it back gives the same code points.
"""

import json
import math
import re
import unicodedata
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, NoReturn

_BIDI_CONTROLS = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_UNSAFE = re.compile(
    f"[\x00-\x1f\x7f-\x9f{_BIDI_CONTROLS}\u2028\u2029\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
_UNSAFE_IN_JSON = re.compile(f"[\x7f-\x9f{_BIDI_CONTROLS}\u2028\u2029\ud800-\udfff]")

_ARABIC_DROPPED = dict.fromkeys(
    [
        0x0640,
        0x0670,
        *range(0x0610, 0x061B),
        *range(0x064B, 0x0660),
        *range(0x06D6, 0x06DD),
        *range(0x06DF, 0x06E9),
    ]
)
_ARABIC_MERGED = {
    ord("أ"): "ا",
    ord("إ"): "ا",
    ord("آ"): "ا",
    ord("ٱ"): "ا",
    ord("ى"): "ي",
    ord("ی"): "ي",
    ord("ک"): "ك",
    ord("ة"): "ه",
}
_BENGALI_MERGED = {ord("\u09ce"): "\u09a4\u09cd", ord("\u09f0"): "\u09b0"}
_JOINERS = dict.fromkeys([0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF, 0x00AD, 0x061C, 0x200E, 0x200F])
_DIGITS = {
    code: str(unicodedata.decimal(chr(code))) for code in range(0x80, 0x20000) if chr(code).isdecimal()
}
_FOLDED = {**_DIGITS, **_ARABIC_DROPPED, **_ARABIC_MERGED, **_BENGALI_MERGED, **_JOINERS}

_LONGEST_NUMBER = 40
"""Digits of a number in JSON: none of ours has more."""
_NUMBER = re.compile(r"\d+(?:[.,٫٬'’\u00a0\u202f ]\d+)*")
_GROUPED = re.compile(r"\d{1,3}(?:[.,'\u00a0\u202f ]\d{3})+|\d{1,2}(?:,\d{2})+,\d{3}")


def nfc(text: str) -> str:
    """The NFC form of `text`."""
    return unicodedata.normalize("NFC", text)


def fold(text: str) -> str:
    """`text` for comparison: NFC, casefold, ASCII digits, Arabic and Bengali spelling variants merged.

    Arabic loses harakat, Quranic marks and tatweel; the hamza seats of alef, alef maqsura, Persian
    yeh and kaf, and ta marbuta are merged with their plain neighbours. Bengali loses joiners, khanda
    ta becomes ta + hasanta, and the nukta letters take their decomposed (NFC) form. Runs of white
    space become one space.
    """
    plain = nfc(nfc(text).casefold()).translate(_FOLDED)
    return " ".join(plain.split())


def ascii_digits(text: str) -> str:
    """`text` with the decimal digits of every script written 0-9."""
    return text if text.isascii() else text.translate(_DIGITS)


def numbers(text: str) -> Iterator[Decimal]:
    """The numbers written in digits of any script, in order; grouping marks are understood.

    `1,500`, `1.500` and `১,৫০০` are all 1500; `2.5` and `٢٫٥` are 2.5. A group of exactly three digits
    after a mark is read as grouping, so `1.500` is never one and a half.
    """
    for match in _NUMBER.finditer(ascii_digits(text)):
        yield from _values(match.group())


def _values(run: str) -> Iterator[Decimal]:
    run = run.replace("٬", ",").replace("٫", ".").replace("’", "'")
    grouped = _GROUPED.match(run)
    if grouped and (grouped.end() == len(run) or run[grouped.end()] in ".,"):
        whole = re.sub(r"\D", "", grouped.group())
        rest = run[grouped.end() + 1 :]
        yield Decimal(f"{whole}.{rest}" if rest.isdigit() else whole)
        return
    if re.fullmatch(r"\d+[.,]\d+", run):
        yield Decimal(run.replace(",", "."))
        return
    yield from (Decimal(part) for part in re.findall(r"\d+", run))


def visible(text: str, *, keep_newlines: bool = False) -> str:
    """`text` with every control, bidi control and unpaired surrogate as a visible symbol.

    The result is safe for a terminal and for HTML text: no character of it moves the cursor or
    reorders its neighbours. With `keep_newlines` a line feed stays (for multi-line views).
    """

    def symbol(match: re.Match[str]) -> str:
        code = ord(match.group())
        if code == 0x0A and keep_newlines:
            return "\n"
        if code < 0x20:
            return chr(0x2400 + code)
        return "␡" if code == 0x7F else f"⟨U+{code:04X}⟩"

    return _UNSAFE.sub(symbol, text)


def dumps(value: Any) -> str:
    """One line of JSON: every value unchanged, scripts readable, C0, C1, DEL and bidi controls escaped.

    Raises ValueError for NaN and infinities: a number that cannot be written is never written.
    """
    return escaped(json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")))


def escaped(plain: str) -> str:
    """A line of JSON with the controls escaped that JSON itself lets through."""
    return plain if plain.isascii() and "\x7f" not in plain else _escape(plain)


def _escape(plain: str) -> str:
    return _UNSAFE_IN_JSON.sub(lambda m: f"\\u{ord(m.group()):04x}", plain)


def letters(text: str) -> int:
    """How many letters `text` has (marks, digits, symbols and spaces not counted)."""
    return sum(1 for c in text if unicodedata.category(c)[0] == "L")


def loads(data: str | bytes) -> Any:
    """The value of JSON in UTF-8 with finite numbers of at most 40 digits. Raises ValueError, RecursionError."""
    # given bytes, `json` would guess at UTF-16 and UTF-32 where there are NULs
    text = data.decode() if isinstance(data, bytes) else data
    return json.loads(text, parse_constant=_no_number, parse_float=_finite, parse_int=_whole)


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word[:_LONGEST_NUMBER]} is no number")


def _finite(word: str) -> float:
    number = float(word)
    return number if math.isfinite(number) else _no_number(word)


def _whole(word: str) -> int:
    return int(word) if len(word) <= _LONGEST_NUMBER else _no_number(word)
