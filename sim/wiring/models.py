"""What the names of models stand for, once they are to be asked: address, price, lane, and who gets the text."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from agents.models import pacing, tariff
from agents.models.hosts import host_of, is_here
from agents.models.meant import Meant, Price
from agents.models.registry import UNKNOWN
from sim.core.errors import Problem, UsageProblem
from sim.core.studio import Setup
from sim.runs.book import Asked, Book
from sim.runs.named import RESERVED, Prices, Rate, Role
from sim.wiring import cast, names

_MILLION = 1_000_000


class Models:
    """The book of one house. It opens no client."""

    def __init__(self, book: Book) -> None:
        self._book = book

    def asked(self, written: str, role: Role) -> Asked:
        """What a role means by `written`, a role's defaults included. Raises UsageProblem."""
        found = self._book.asked(written, role)
        return replace(found, own={**names.defaults(found.model, role), **found.own})

    def meant(self, name: str) -> Meant:
        """What a client is opened for. Raises UsageProblem where its address is not to be trusted."""
        known = self._book.asked(name, "interpreter")
        if known.withheld:
            _refuse_withheld(known)
        return Meant(name, known.model, known.api_base, known.api_key_env, per_token(known.prices))

    @contextmanager
    def told(self, name: str) -> Iterator[None]:
        """Name the nearest of the named models where a name is nobody's."""
        try:
            yield
        except UsageProblem as failure:
            near = self._book.nearest(name)
            raise UsageProblem(
                *(
                    replace(problem, choices=tuple(dict.fromkeys((*near, *problem.choices))))
                    if problem.title == UNKNOWN
                    else problem
                    for problem in failure.problems
                )
            ) from failure

    def limits(self, name: str) -> Rate | None:
        """Limits of a model of its own."""
        return self._book.asked(name, "interpreter").limits

    def provider(self, name: str) -> str:
        """Whose lane a model goes in: the model's own name where it has limits, its server where it has one."""
        known = self._book.asked(name, "interpreter")
        if known.limits is not None:
            return name
        if known.api_base:
            return host_of(known.model, known.api_base) or name
        return pacing.provider(known.model)

    def price(self, name: str, input_tokens: int, output_tokens: int) -> float | None:
        """US dollars; None where the price is not known."""
        known = self._book.asked(name, "interpreter")
        return tariff.price(known.model, input_tokens, output_tokens, per_token(known.prices))

    def destinations(self, written: Iterable[str]) -> tuple[str, ...]:
        """Of models, as they are written, those that a server is asked for, each with its host."""
        found = {}
        for one in written:
            known = self._book.asked(one, "interpreter")
            if known.model in RESERVED:
                continue
            host = host_of(known.model, known.api_base)
            if host is not None:
                found[one] = f"{one} (at {host}, this machine)" if is_here(host) else f"{one} (at {host})"
        return tuple(found.values())

    def signed(self, setup: Setup) -> dict[str, Any]:
        """What the names and parameters of a setup stand for, where they are not what they say themselves."""
        found: dict[str, Any] = {}
        for role, written in cast.asked(setup):
            known = self.asked(written, role)
            if known.model == written and not known.parameters:
                continue
            said = {"model": known.model, "api_base": known.api_base, "parameters": known.parameters}
            found.setdefault(role, {})[written] = {name: value for name, value in said.items() if value}
        return found

    def documents(self, setup: Setup) -> dict[str, Any]:
        """The tables of the named models a setup uses, for its record."""
        used = self._book.only(name for _, name in cast.asked(setup))
        return {name: model.document() for name, model in used.items()}


def _refuse_withheld(known: Asked) -> None:
    """Raise UsageProblem where text would leave this machine for another place than the file says."""
    there = "nothing else is known of it"
    if known.model != known.name:
        host = host_of(known.model, known.api_base)
        if is_here(host):
            return
        there = f"without it the text would go to {host}"
    raise UsageProblem(
        Problem(
            "Not trusted",
            f"Where {known.name!r} is asked stands in {known.withheld}, which is not trusted; {there}.",
            "Read the file, then `skopos trust FOLDER`, or add --trust.",
        )
    )


def per_token(prices: Prices | None) -> Price | None:
    """Prices as a person writes them, for one token."""
    return Price(prices.input / _MILLION, prices.output / _MILLION) if prices else None
