"""Which models have names of their own, and what a role means by what it says.

Nearest first: a plan, the project's settings, the user's, the presets that ship. A name stands for one
table whole: tables of one name are never mixed. It opens no client and asks nobody.
"""

import difflib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sim.core.errors import Problem, UsageProblem
from sim.runs.named import PLACED, RESERVED, NamedModel, Prices, Rate, Role
from sim.runs.parameters import sampling

_TITLE = "Unusable parameters"


@dataclass(frozen=True, slots=True)
class Asked:
    """A model as one role asks for it."""

    written: str
    """As the person wrote it."""
    name: str
    """Without inline parameters: what its client is called."""
    model: str
    """What the name stands for; the name itself where it stands for nothing else."""
    api_base: str | None = None
    api_key_env: str | None = None
    own: Mapping[str, Any] = field(default_factory=dict)
    """Parameters that the name brings along for this role."""
    inline: Mapping[str, Any] = field(default_factory=dict)
    limits: Rate | None = None
    prices: Prices | None = None
    withheld: str = ""
    """Where an address comes from that is not trusted, and so is not here."""

    @property
    def parameters(self) -> dict[str, Any]:
        """All parameters; inline ones go before the name's."""
        return {**self.own, **self.inline}


@dataclass(frozen=True, slots=True)
class Book:
    """The named models of one command."""

    named: Mapping[str, NamedModel] = field(default_factory=dict)
    withheld: Mapping[str, str] = field(default_factory=dict)
    """Names whose address is not trusted → the file it stands in."""

    def over(self, named: Mapping[str, NamedModel]) -> "Book":
        """With `named` going before what is here."""
        kept = {name: file for name, file in self.withheld.items() if name not in named}
        return Book({**self.named, **named}, kept)

    def asked(self, written: str, role: Role) -> Asked:
        """What a role means by `written`. Raises UsageProblem for parameters that cannot be read."""
        name, inline = split(written)
        known = self.named.get(name)
        if known is None:
            return Asked(written, name, name, inline=inline, withheld=self.withheld.get(name, ""))
        return Asked(
            written,
            name,
            known.model,
            known.api_base,
            known.api_key_env,
            known.parameters_of(role),
            inline,
            known.limits,
            known.prices,
            self.withheld.get(name, ""),
        )

    def only(self, written: Iterable[str]) -> dict[str, NamedModel]:
        """The named models among what is written; names that cannot be read are told when they are asked."""
        found = {}
        for one in written:
            name = one.rpartition("?")[0] if _has_inline(one) else one
            if name in self.named:
                found[name] = self.named[name]
        return found

    def kept(self, written: Iterable[str]) -> "Book":
        """With nothing but what is written: whoever has this book needs no settings."""
        return Book(self.only(written), self.withheld)

    def nearest(self, name: str) -> tuple[str, ...]:
        """Names a person may have meant."""
        others = [known for known in self.named if known != name]
        return tuple(difflib.get_close_matches(name, others, n=3, cutoff=0.6))


def split(written: str) -> tuple[str, dict[str, Any]]:
    """The model and the parameters of `MODEL?k=v&k=v`: at the last `?`, values as JSON, else as text.

    Raises UsageProblem for parameters that cannot be read or given.
    """
    if not _has_inline(written):
        return written, {}
    model, _, tail = written.rpartition("?")
    found: dict[str, Any] = {}
    for pair in tail.split("&"):
        key, equals, value = pair.partition("=")
        if not equals or not key.strip():
            raise _unusable(
                written, f"{pair!r} is not KEY=VALUE", "MODEL?reasoning_effort=low&max_tokens=512"
            )
        if key in found:
            raise _unusable(written, f"{key!r} is given twice")
        found[key] = _value(value)
    if not model or model in RESERVED:
        raise _unusable(
            written, f"{model!r} takes no parameters" if model else "there is no model before the `?`"
        )
    try:
        sampling(found)
    except ValueError as failure:
        raise _unusable(written, str(failure)) from failure
    return model, found


def separated(text: str) -> tuple[str, ...]:
    """The models of a list with commas; a comma in brackets or quotes of inline parameters separates nothing."""
    found, start, depth, quoted, inline = [], 0, 0, False, False
    for place, sign in enumerate(f"{text},"):
        if inline and sign == '"' and text[place - 1] != "\\":
            quoted = not quoted
        elif inline and not quoted:
            depth += (sign in "[{") - (sign in "]}")
        inline = inline or sign == "?"
        if sign == "," and ((not quoted and depth <= 0) or place == len(text)):
            found.append(text[start:place].strip())
            start, depth, inline, quoted = place + 1, 0, False, False
    return tuple(found)


def judging(judge: str) -> tuple[str, ...]:
    """The models that a judge asks, a panel's members each: `rubric:MODEL` asks MODEL."""
    return tuple(name.removeprefix("rubric:") for name in separated(judge))


def _has_inline(written: str) -> bool:
    return "?" in written and not written.startswith(PLACED)


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _unusable(written: str, what: str, example: str = "") -> UsageProblem:
    why = f"Inline parameters are written {example}." if example else ""
    return UsageProblem(Problem(_TITLE, f"{written!r}: {what}.", why))
