"""The named models as `skopos models` lists them: what each asks, where, and at what price."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from agents.models import tariff
from agents.models.hosts import host_of, is_own
from sim.runs.book import Book
from sim.runs.named import ROLES, NamedModel
from sim.runs.presets import Preset, shelf
from sim.wiring.models import per_token

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Listed:
    """One named model."""

    name: str
    model: str
    host: str
    """That its text goes to; empty where it stays in this process."""
    own_server: bool
    price: tuple[float, float] | None
    """US dollars for a million tokens in and out; None where it is not known."""
    parameters: Mapping[str, Mapping[str, Any]]
    """By role; under an empty name those of every role."""
    preset: Preset | None
    """What ships under this name, where nobody's own model goes before it."""


def listed(book: Book) -> Iterator[Listed]:
    """The models of a book: a person's own first, then those that ship."""
    shipped = shelf()
    mine = {name: model for name, model in book.named.items() if _own(name, model, shipped)}
    for name, model in (*mine.items(), *((n, p.model) for n, p in shipped.items() if n not in mine)):
        yield Listed(
            name,
            model.model,
            host_of(model.model, model.api_base) or "",
            is_own(model.model) or model.api_base is not None,
            _price(model),
            _by_role(model),
            None if name in mine else shipped[name],
        )


def _own(name: str, model: NamedModel, shipped: Mapping[str, Preset]) -> bool:
    return name not in shipped or shipped[name].model != model


def _by_role(model: NamedModel) -> dict[str, Mapping[str, Any]]:
    shared = {name: value for name, value in model.parameters.items() if name not in ROLES}
    roles = {role: model.parameters[role] for role in ROLES if role in model.parameters}
    return ({"": shared} if shared else {}) | roles


def _price(model: NamedModel) -> tuple[float, float] | None:
    own = per_token(model.prices)
    paid = tariff.price(model.model, _MILLION, 0, own), tariff.price(model.model, 0, _MILLION, own)
    return None if paid[0] is None or paid[1] is None else (paid[0], paid[1])
