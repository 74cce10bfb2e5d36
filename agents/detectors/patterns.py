"""Expressions over folded text, written with letters as people write them."""

import regex

from sim.core.text import fold

_LETTERS = regex.compile(r"[\p{Bengali}\p{Arabic}]+")


def fold_pattern(pattern: str) -> str:
    """`pattern` with its Arabic and Bengali letters as `fold` writes them, and its syntax kept."""
    folded: str = _LETTERS.sub(lambda letters: fold(letters.group()), pattern)
    return folded
