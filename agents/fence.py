"""Fence tokens for text that a model must read as data.

A token is a digest of the whole prompt it stands in, and stands nowhere else in it, however it is
spelt: no text can contain, or foresee, the token of a prompt that it is part of. The same prompt always
gets the same token, so calls stay cacheable.
"""

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from hashlib import sha256
from itertools import count

_LENGTH = 12
_SHORT = 4000
"""Characters of a paragraph worth remembering."""
_APART = re.compile(r"[\W_]+")


def fenced(render: Callable[[str], str]) -> str:
    """What `render` gives for a token that stands nowhere in what it gives for an empty one."""
    return render(fence(render("")))


def fence(*texts: str) -> str:
    """A token for a prompt that consists of these texts: 12 hex digits that stand in none of them.

    Neither as they are nor in other letter case, width, or with signs between them.
    """
    joined = "\x00".join(texts)
    plain = "".join(map(_plain, joined.split("\n\n")))
    for number in count():
        digest = sha256(f"skopos fence {number}\x00{joined}".encode("utf-8", "surrogatepass"))
        token = digest.hexdigest()[:_LENGTH]
        if token not in plain:
            return token
    raise AssertionError("unreachable")


def _plain(part: str) -> str:
    """A paragraph without signs, in one case and width: nothing changes across the end of a line."""
    return _bare(part) if len(part) > _SHORT else _known(part)


def _bare(part: str) -> str:
    return _APART.sub("", unicodedata.normalize("NFKC", part)).casefold()


_known = lru_cache(maxsize=1024)(_bare)
"""Prompts share most of their paragraphs."""
