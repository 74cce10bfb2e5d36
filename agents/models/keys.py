"""Keys of models: read from the process environment alone, and never shown.

An empty variable holds no key. One that no request could carry, such as one with a line break in it, is
refused before anything is sent.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from agents.models.meant import Meant
from sim.core.errors import Problem

_SUFFIX = "_API_KEY"
TITLE = "No key"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a model is asked, and with which key; None for the provider's own."""

    base: str | None = None
    key: str | None = field(default=None, repr=False)


ANYWHERE = Place()
NO_KEY = "none"
"""Sent where no key is named: libraries that find none look for a company's."""


def place(meant: Meant, environment: Mapping[str, str]) -> Place:
    """Where a person said that a model is asked. Ask `problem` first.

    An address that a person gave gets the key that they named, and no other: a company's key is none of its
    business.
    """
    key = environment.get(meant.api_key_env or "", "") or (NO_KEY if meant.api_base else None)
    return Place(meant.api_base, key)


def problem(meant: Meant) -> Problem | None:
    """What is wrong with the key in the variable that a person named; None where nothing is."""
    variable = meant.api_key_env or ""
    value = os.environ.get(variable, "")
    if not value.strip():
        state = "is empty" if variable in os.environ else "is not set"
        return Problem(TITLE, f"{meant.name} takes its key from {variable}, which {state}.")
    return None if can_be_sent(value) else _malformed(meant, variable)


def missing(litellm: Any, meant: Meant, provider: str) -> Problem | None:
    """What is wrong with the keys a provider's models usually take; None where nothing is.

    At an address of a person's own no such key is used.
    """
    if meant.api_base:
        return None
    with _only_usable() as malformed:
        found = litellm.validate_environment(meant.model)["missing_keys"]
    if not found:
        return None
    for variable in found:
        if variable in malformed:
            return _malformed(meant, variable)
    return Problem(
        TITLE,
        f"There is no key for {meant.name!r} in the environment.",
        f"{provider} reads {' or '.join(found)}.",
    )


def _malformed(meant: Meant, variable: str) -> Problem:
    return Problem(
        TITLE,
        f"The key for {meant.name!r} in {variable} cannot be sent: it holds a space, a line break or a sign "
        "that is no ASCII.",
        "It was probably cut or changed when it was copied.",
    )


def can_be_sent(key: str) -> bool:
    """Whether there is a key, and a header can carry it."""
    return key != "" and key.isascii() and key.isprintable() and " " not in key


@contextmanager
def _only_usable() -> Iterator[frozenset[str]]:
    """Hide empty and malformed keys from whoever looks for keys in the environment; gives the malformed."""
    hidden = {
        name: value for name, value in os.environ.items() if name.endswith(_SUFFIX) and not can_be_sent(value)
    }
    for name in hidden:
        del os.environ[name]
    try:
        yield frozenset(name for name, value in hidden.items() if value.strip())
    finally:
        os.environ.update(hidden)
