"""Named models that ship: the rows of the study and of its neighbours. Data in `presets.toml`."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from pydantic import TypeAdapter

from sim.runs.named import ModelName, NamedModel

_ABOUT = ("title", "rows", "confirmed", "note")


@dataclass(frozen=True, slots=True)
class Preset:
    """One model that ships by name."""

    model: NamedModel
    title: str
    rows: str
    """Whose row it is."""
    confirmed: Literal["list", "card", "no"]
    """Where the name that goes to the server was found."""
    note: str = ""


@cache
def shelf() -> Mapping[str, Preset]:
    """All of them, in the order they are shown."""
    document = tomllib.loads(files("sim.runs").joinpath("presets.toml").read_text(encoding="utf-8"))
    read = TypeAdapter(dict[ModelName, Preset]).validate_python
    return read({name: _parted(table) for name, table in document.items()})


def presets() -> dict[str, NamedModel]:
    """Name → model."""
    return {name: preset.model for name, preset in shelf().items()}


def _parted(table: Mapping[str, Any]) -> dict[str, Any]:
    """What is told of a model, apart from what makes it one."""
    about = {name: table[name] for name in _ABOUT if name in table}
    return {**about, "model": {name: value for name, value in table.items() if name not in _ABOUT}}
