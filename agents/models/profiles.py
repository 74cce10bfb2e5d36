"""Profiles of local models: the study's recipients, known by what their GGUF files say of themselves.

Data in `profiles.toml`. A profile says how a model is loaded and addressed; a file that is none of them is
loaded and addressed like any other.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from pydantic import TypeAdapter

from agents.models.gguf_header import Single, metadata
from sim.core.errors import Problem, UsageProblem


@dataclass(frozen=True, slots=True)
class Profile:
    """One model."""

    name: str
    """As in `gguf:PATH#NAME`."""
    title: str
    language: str
    """ISO 639-3 code it was made for."""
    context: int
    """Tokens."""
    names: tuple[str, ...]
    """What its general.name holds, letters and digits run together."""
    architectures: tuple[str, ...]
    instruction: str
    """For a recipient, in its own language."""

    def fits(self, head: Mapping[str, Single]) -> bool:
        """Whether a file with these metadata is this model."""
        name = "".join(c for c in str(head.get("general.name", "")).casefold() if c.isalnum())
        return head.get("general.architecture") in self.architectures and all(n in name for n in self.names)


@cache
def profiles() -> Mapping[str, Profile]:
    """All profiles by name."""
    text = files("agents.models").joinpath("profiles.toml").read_text(encoding="utf-8")
    read = TypeAdapter(Profile).validate_python
    return {name: read({"name": name, **data}) for name, data in tomllib.loads(text).items()}


def profile_of(path: Path, name: str | None = None) -> Profile | None:
    """The profile called `name`, else the one the file at `path` says it is; None for any other file.

    Raises UsageProblem for a name that is none.
    """
    if name is not None:
        if name not in profiles():
            what = f"There is no profile {name!r} for {str(path)!r}."
            raise UsageProblem(Problem("Unknown profile", what, choices=tuple(profiles())))
        return profiles()[name]
    try:
        head = metadata(path)
    except OSError:
        return None
    return next((profile for profile in profiles().values() if profile.fits(head)), None)
