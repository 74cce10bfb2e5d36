"""Colours: a dark, a light and a high-contrast theme, and the kinds of spans as component classes.

Colour is never the only carrier of anything: each mark has its word.
"""

from collections.abc import Mapping

from textual.theme import Theme

from ui.render import KINDS, Kind

DARK = Theme(
    name="skopos-dark",
    primary="#7aa2c8",
    secondary="#c8a97a",
    accent="#7aa2c8",
    success="#8fbf7f",
    warning="#d9b25f",
    error="#e07a6e",
    foreground="#d8d8d4",
    background="#17191c",
    surface="#1c1f23",
    panel="#24282d",
    dark=True,
)
LIGHT = Theme(
    name="skopos-light",
    primary="#24567f",
    secondary="#7a5212",
    accent="#24567f",
    success="#2c6a24",
    warning="#7d5700",
    error="#a8281c",
    foreground="#22262a",
    background="#fbfaf7",
    surface="#f4f2ec",
    panel="#e8e5dc",
    dark=False,
)
CONTRAST = Theme(
    name="skopos-contrast",
    primary="#8fd3ff",
    secondary="#ffd75f",
    accent="#8fd3ff",
    success="#5fff5f",
    warning="#ffd75f",
    error="#ff8787",
    foreground="#ffffff",
    background="#000000",
    surface="#000000",
    panel="#1c1c1c",
    dark=True,
)
THEMES = (DARK, LIGHT, CONTRAST)
"""In the order the key goes through them."""

CLASSES: Mapping[Kind, str] = {kind: f"span--{kind}" for kind in KINDS}
"""Component class of each kind of span; coloured in `app.tcss`."""


def first_theme(environ: Mapping[str, str]) -> Theme:
    """Light where the terminal says that its background is, else dark."""
    background = environ.get("COLORFGBG", "").rpartition(";")[2]
    return LIGHT if background in ("7", "15") else DARK
