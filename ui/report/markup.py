"""Elements of HTML and SVG as escaped text: the one place where a tag is written.

Text goes through `visible` and is escaped here, so no caller can forget it; there is no way to pass markup
in an attribute or as text. No template language: nothing in a model's text is ever interpreted.
"""

from collections.abc import Iterable
from html import escape
from typing import NewType

from sim.core.text import visible

Markup = NewType("Markup", str)
"""Text that is already markup; made by `tag`, `text` and `joined` alone."""
_VOID = frozenset({"meta", "line", "circle", "rect", "path", "br"})


def text(value: str) -> Markup:
    """Plain text: controls visible, markup escaped."""
    return Markup(escape(visible(value), quote=False))


def joined(parts: Iterable[Markup]) -> Markup:
    """Markup one after the other."""
    return Markup("".join(parts))


def tag(name: str, /, *content: Markup, **attributes: str | float | None) -> Markup:
    """One element; a type checker refuses content that is not markup.

    An attribute `class_` is `class`, `stroke_width` is `stroke-width`; None leaves it out.
    """
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_value(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in _VOID:
        return Markup(f"<{name}{given}>" if name in ("meta", "br") else f"<{name}{given}/>")
    return Markup(f"<{name}{given}>{''.join(content)}</{name}>")


def _value(value: str | float) -> str:
    return visible(value) if isinstance(value, str) else f"{value:.6g}"
