"""What a run is to hold: flags go before the plan, the plan before settings, settings before defaults."""

import argparse
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from sim.commands import options
from sim.core.errors import Problem, UsageProblem
from sim.core.studio import DEFAULT_CHECK
from sim.core.text import visible
from sim.core.values import Mode
from sim.runs import plan_file
from sim.runs.book import Book, separated
from sim.runs.plan import RunPlan, System
from sim.runs.plan_file import Grid, PlanFile

DEFAULT_CONCURRENCY = 4
_CALL_SECONDS = 2.0
"""What a hosted model takes for a sentence, as a rule of thumb."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How a run is carried out; nothing here changes a result."""

    concurrency: int = DEFAULT_CONCURRENCY
    budget: str | None = None
    deadline: str | None = None
    providers: dict[str, dict[str, int | None]] = field(default_factory=dict)
    """Provider → requests and tokens a minute."""

    def document(self) -> dict[str, Any]:
        """As plain JSON values."""
        return asdict(self)


def planned(args: argparse.Namespace) -> tuple[RunPlan, Limits, Book]:
    """The plan, the limits, and the named models it uses. Raises UsageProblem with everything that does not fit."""
    file = plan_file.read(args.plan) if args.plan else plan_file.EMPTY
    problems: list[Problem] = []
    chosen = partial(options.chosen, args)
    modes = tuple(map(options.mode, _several(chosen("mode", file.modes, Mode.SCRIPTED))))
    judges = _several(chosen("judge", file.judges, "rules"))
    names, pack = chosen("scenarios", file.scenarios), chosen("pack", file.pack)
    ids, files = scenarios_in(_several("*" if names is None else names), problems, pack or _pack(names))
    by_language = {code: speaker.model for code, speaker in file.users.languages.items()}
    plan = RunPlan(
        scenarios=ids,
        files=files,
        systems=_systems(args, file, problems),
        modes=modes,
        judge=judges[0],
        later_judges=tuple(judges[1:]),
        trials=chosen("trials", file.trials, 1),
        user_a=chosen("user_a", file.users.A),
        user_b=chosen("user_b", file.users.B),
        users=chosen("users", by_language or None, {}),
        turn=chosen("turn", file.turn),
        turns=chosen("turns", file.turns),
        seed=chosen("seed", file.seed, 0),
        language_check=chosen("language_check", file.language_check) or DEFAULT_CHECK,
        strict_language=chosen("strict_language", file.strict_language),
        single_checklist=file.single_checklist or False,
        encoder=chosen("encoder", file.encoder, options.DEFAULT_ENCODER),
    )
    problems += _misfits(plan, judges)
    if problems:
        raise UsageProblem(*problems)
    book = args.book.over(file.models).kept(plan.written)
    plan = replace(plan, models={name: model.document() for name, model in book.named.items()})
    limits = Limits(
        concurrency=chosen("concurrency", file.concurrency, DEFAULT_CONCURRENCY),
        budget=chosen("budget", file.budget),
        deadline=chosen("deadline", file.deadline),
        providers={name: rate.model_dump() for name, rate in file.limits.items()},
    )
    return plan, limits, book


def _several(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


def _pack(names: Any) -> str:
    """The pack that is meant where none is named: whoever names scenarios means any of them."""
    from scenarios import loader

    return loader.CORE if names is None else loader.ALL


def scenarios_in(
    names: tuple[str, ...], problems: list[Problem], pack: str
) -> tuple[tuple[str, ...], dict[str, str]]:
    """The ids that ids, files, folders and globs over either name, and the files of those that do not ship.

    What ships is looked up in `pack`.
    """
    from scenarios import loader

    paths: dict[Path, None] = {}
    for name in names:
        try:
            paths |= dict.fromkeys(loader.select([name], pack))
        except UsageProblem as failure:
            problems += failure.problems
    shipped = set(loader.shipped_files())
    # a shipped file is named after its id; reading them all would take seconds
    ids = sorted(path.stem for path in paths if path in shipped)
    loaded, unusable = loader.load_all(path for path in paths if path not in shipped)
    problems += unusable
    files = {one.scenario.id: str(one.document.path.resolve()) for one in loaded}
    problems += (
        Problem("Duplicate scenario id", f"{files[name]} has the id {name!r} of a shipped scenario.")
        for name in ids
        if name in files
    )
    return (*ids, *files), files


def _systems(args: argparse.Namespace, file: PlanFile, problems: list[Problem]) -> tuple[System, ...]:
    given = _given(args.interpreters, problems)
    grids = file.systems or (Grid(model=given or ("local",)),)
    open_grids = any(not grid.model for grid in grids)
    if open_grids and not given and args.interpreters is None:
        problems.append(
            Problem("Models needed", f"{args.plan} names no models.", "Name them by --interpreters A,B.")
        )
    systems: dict[str, System] = {}
    replaces = "interpreters" in args.given and not open_grids
    for grid in grids:
        models = given if replaces or not grid.model else grid.model
        for model in models:
            for brief in _several(options.chosen(args, "brief", grid.brief)):
                for history in _several(options.chosen(args, "history", grid.history)):
                    system = System.of(model, brief, history, grid.parameters)
                    systems[repr(system)] = system
    return tuple(systems.values())


def _given(interpreters: str | None, problems: list[Problem]) -> tuple[str, ...]:
    if interpreters is None:
        return ()
    names = tuple(filter(None, separated(interpreters)))
    if len(set(names)) < len(names) or not names:
        problems.append(Problem("Unusable --interpreters", f"{interpreters!r} names none, or one twice."))
    return names


def _misfits(plan: RunPlan, judges: tuple[str, ...]) -> list[Problem]:
    """Settings that no mode of the plan takes."""
    found = []
    if plan.turn is not None and Mode.SINGLE_TURN not in plan.modes:
        found.append(
            Problem(
                "Unusable --turn",
                f"--turn {plan.turn} goes with single-turn mode only.",
                choices=("single-turn",),
            )
        )
    if plan.turns is not None and plan.modes == (Mode.SINGLE_TURN,):
        found.append(Problem("Unusable --turns", "--turns does not go with single-turn mode."))
    if "person" in (plan.user_a, plan.user_b, *plan.users.values()):
        found.append(
            Problem(
                "No seat for a person",
                "'person' cannot be a user of a run: nobody could type.",
                "A person takes a seat in `skopos chat`.",
                choices=options.SIMULATED,
            )
        )
    if plan.users and plan.modes == (Mode.SCRIPTED,):
        found.append(
            Problem(
                "Users do not fit the mode",
                f"users of {', '.join(plan.users)}: in scripted mode the sources are fixed.",
                choices=("single-turn", "dynamic-guided", "dynamic-free"),
            )
        )
    if len(set(plan.modes)) < len(plan.modes):
        found.append(Problem("Unusable modes", "A mode is named twice."))
    if len(set(judges)) < len(judges) or "none" in judges[1:]:
        found.append(Problem("Unusable judges", "A judge is named twice, or `none` among later ones."))
    return found


def refuse_unused(limits: Limits, providers: tuple[str, ...]) -> None:
    """Raise UsageProblem for limits of providers that no model of the plan belongs to."""
    unused = sorted(set(limits.providers) - set(providers))
    if unused:
        raise UsageProblem(
            *(
                Problem("Limit without effect", f"No model of this plan is of {name!r}.", choices=providers)
                for name in unused
            )
        )


def say_plan(plan: RunPlan, limits: Limits, demands: tuple[Any, ...]) -> None:
    """Print what a plan would hold, ask for, cost and take."""
    print(spelled(plan))
    for row in demands:
        cost = "price unknown" if row.cost is None else f"{row.cost:.4f} USD"
        print(
            f"  {visible(row.model)}: {counted(row.calls, 'call')}, about {row.input_tokens:,} tokens in and "
            f"{row.output_tokens:,} out, {cost}"
        )
    unknown = [visible(row.model) for row in demands if row.cost is None]
    known = sum(row.cost for row in demands if row.cost is not None)
    least = f"at least {known:.4f} USD, unknown for {', '.join(unknown)}" if unknown else f"{known:.4f} USD"
    calls = sum(row.calls for row in demands)
    tokens = sum(r.input_tokens + r.output_tokens for r in demands)
    print(f"all: {counted(calls, 'call')}, about {tokens:,} tokens, {least}")
    print(
        f"time: about {_spell(calls * _CALL_SECONDS / limits.concurrency)} at {_CALL_SECONDS:g} s a call, "
        f"{counted(limits.concurrency, 'conversation')} at once"
    )
    print("Estimates: without cached calls, retries and hidden reasoning.")


def spelled(plan: RunPlan) -> str:
    """What a plan holds, in one line."""
    parts = (
        counted(len(plan.scenarios), "scenario"),
        counted(len(plan.systems), "system"),
        counted(plan.trials, "trial"),
    )
    modes = f"mode{'s' if len(plan.modes) > 1 else ''} {', '.join(plan.modes)}"
    return f"{counted(len(plan), 'conversation')} ({', '.join(parts)}, {modes})"


def counted(number: int, noun: str) -> str:
    """`1 call`, `2 calls`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _spell(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
