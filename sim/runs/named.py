"""Models under names of their own: what `[models.NAME]` in settings and plans may say.

Values and their rules. Where names come from and which goes before which is `book`; what a name turns into
when it is called is `sim/wiring`. Keys never stand here, only the names of the variables that hold them.
"""

import math
import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_args
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from sim.runs.parameters import sampling

Role = Literal["interpreter", "judge", "user", "writer"]
ROLES: tuple[Role, ...] = get_args(Role)

RESERVED = frozenset(
    {"local", "reference", "copy", "rules", "none", "script", "person", "all"}
    | {"gguf", "fake", "command", "python", "rubric", "plan", "ct2", "opus", "nllb", "seamless"}
    | {"google", "deepl", "youdao", "azure", "libretranslate"}
)
"""Words that mean something else where a model may stand, with or without a colon behind them."""
PLACED = ("gguf:", "fake:", "command:", "python:", "libretranslate:", "ct2:", "opus:")
"""How names begin that say themselves where the model is; a `?` in them is theirs."""

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]*")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

Count = Annotated[int, Field(ge=1, strict=True)]


def _name(text: str) -> str:
    if not _NAME.fullmatch(text):
        raise ValueError(
            "is no name: small letters, digits, `.`, `_` and `-`, beginning with a letter or digit"
        )
    if text in RESERVED:
        raise ValueError(f"is a reserved word; reserved: {', '.join(sorted(RESERVED))}")
    return text


def _model(text: str) -> str:
    if not text.strip():
        raise ValueError("is empty")
    if text in RESERVED:
        raise ValueError("is no model that a name of its own could stand for")
    if not text.startswith(PLACED) and "=" in text.rpartition("?")[2] and "?" in text:
        raise ValueError("has parameters in it: they stand under `parameters`")
    return text


def _base(text: str) -> str:
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname, parts.port
    except ValueError as failure:
        raise ValueError("is no address, such as http://127.0.0.1:8000/v1") from failure
    if parts.username or parts.password:
        raise ValueError("holds a login: keys come from the variable that `api_key_env` names")
    if parts.scheme not in ("http", "https") or not host or re.search(r"\s", text):
        raise ValueError("is no address, such as http://127.0.0.1:8000/v1")
    if parts.query or parts.fragment:
        raise ValueError("has more than scheme, host, port and path, such as http://127.0.0.1:8000/v1")
    return text.rstrip("/")


def _variable(text: str) -> str:
    if not _VARIABLE.fullmatch(text):
        raise ValueError("is the name of an environment variable, such as LAB_KEY, never the key itself")
    return text


def _parameters(value: Mapping[str, Any]) -> Mapping[str, Any]:
    for role in ROLES:
        if role in value and not isinstance(value[role], Mapping):
            raise ValueError(f"{role!r} is a role: a table of parameters")
        sampling(value.get(role, {}))
    sampling({name: given for name, given in value.items() if name not in ROLES})
    return value


def _price(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value < 0:
        raise ValueError("is no number from 0")
    return value


ModelName = Annotated[str, AfterValidator(_name)]
Dollars = Annotated[float, BeforeValidator(_price), Field(ge=0)]


class Part(BaseModel):
    """A table of a user's document: it has its keys and no others."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Rate(Part):
    """`[limits.PROVIDER]`, `[models.NAME.limits]`: what may be asked in a minute."""

    requests_per_minute: Count | None = None
    tokens_per_minute: Count | None = None


class Prices(Part):
    """`[models.NAME.prices]`: US dollars for a million tokens."""

    input: Dollars
    output: Dollars


class NamedModel(Part):
    """`[models.NAME]`: a model, where it is asked and how."""

    model: Annotated[str, AfterValidator(_model)]
    """As LiteLLM names it, or gguf:PATH, fake:FILE …"""
    api_base: Annotated[str, AfterValidator(_base)] | None = None
    """Address of a server of one's own, or of a gateway."""
    api_key_env: Annotated[str, AfterValidator(_variable)] | None = None
    """Which environment variable holds the key."""
    parameters: Annotated[dict[str, Any], AfterValidator(_parameters)] = {}
    """Of every call; those of one role in a table of its name, which goes before."""
    limits: Rate | None = None
    """Goes before `[limits.PROVIDER]`."""
    prices: Prices | None = None
    """Goes before the bundled price list."""

    @model_validator(mode="after")
    def _placed_once(self) -> "NamedModel":
        if self.model.startswith(PLACED) and (self.api_base or self.api_key_env):
            raise ValueError(f"{self.model!r} takes neither api_base nor api_key_env: it says where it is")
        return self

    def parameters_of(self, role: Role) -> dict[str, Any]:
        """The parameters of calls in one role."""
        shared = {name: value for name, value in self.parameters.items() if name not in ROLES}
        return shared | dict(self.parameters.get(role, {}))

    def document(self) -> dict[str, Any]:
        """As plain JSON values, without what is not said."""
        return self.model_dump(mode="json", exclude_none=True, exclude_defaults=True)


def keys(path: tuple[str | int, ...]) -> tuple[str, ...]:
    """The keys that a table under `[models]` may have: NAME's own, or those of a table in it."""
    tables: dict[str, type[Part]] = {"limits": Rate, "prices": Prices}
    part = tables.get(str(path[1]) if len(path) > 1 else "", NamedModel)
    return tuple(part.model_fields)
