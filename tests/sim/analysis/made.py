"""Conversation records, made by hand: only what is asked for differs from the plain case."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.analysis.panel import Label, Panel
from sim.analysis.table import Unit

Met = bool | None | str
"""Met, not met, unjudged, or the basis of a verdict that is apart: `not_said`, `not_claimed`."""
LAYERS = ("L1", "L2", "L3")


def turn(
    index: int,
    verdicts: Sequence[Met],
    *,
    direction: tuple[str, str] = ("kor", "ind"),
    layers: Sequence[str] = LAYERS,
    functions: Sequence[str | None] = (),
    check: str = "ok",
    flags: Sequence[str] = (),
    fault: dict[str, str] | None = None,
    response_fault: dict[str, str] | None = None,
    translation: str | None = "x",
    procedure: str = "turn",
) -> dict[str, Any]:
    names = [f"t{index}.{n}" for n in range(len(verdicts))]
    layered = [layers[n % len(layers)] for n in range(len(verdicts))]
    return {
        "index": index,
        "direction": list(direction),
        "translation": translation,
        "flags": list(flags),
        "language_check": {"translation": {"result": check}},
        "criteria": [
            {
                "id": name,
                "layer": layer,
                "ask": f"Does {name} hold?",
                "function": functions[n] if functions else None,
                "procedure": procedure,
            }
            for n, (name, layer) in enumerate(zip(names, layered, strict=True))
        ],
        "verdicts": [
            {"criterion": name, "layer": layer, **said(met), "provisional": False}
            for name, layer, met in zip(names, layered, verdicts, strict=True)
        ],
        "fault": fault,
        "response_fault": response_fault,
    }


def said(met: Met) -> dict[str, Any]:
    if isinstance(met, str):
        return {"met": None, "basis": met}
    return {"met": met, "basis": "unjudged" if met is None else "judged"}


def record(
    system: str,
    scenario: str,
    turns: Iterable[dict[str, Any] | Sequence[Met]],
    *,
    mode: str = "scripted",
    pair: tuple[str, str] = ("kor", "ind"),
    trial: int = 0,
    end: str = "completed",
    key_turn: int | None = None,
) -> dict[str, Any]:
    """A conversation; a turn given as verdicts alternates direction from `pair`."""
    rows = [
        one if isinstance(one, dict) else turn(n, one, direction=pair if n % 2 == 0 else pair[::-1])
        for n, one in enumerate(turns)
    ]
    return {
        "key": {"scenario": scenario, "turn": key_turn, "trial": trial},
        "scenario": scenario,
        "mode": mode,
        "pair": list(pair),
        "system": {"id": system},
        "end_reason": end,
        "turns": rows,
        "criteria": [],
        "verdicts": [],
    }


def single(system: str, scenario: str, verdicts: Sequence[Met], **more: Any) -> dict[str, Any]:
    return record(system, scenario, [verdicts], mode="single-turn", key_turn=0, **more)


def study(
    systems: Sequence[str] = ("a", "b", "c"),
    pairs: Sequence[tuple[str, str]] = (("kor", "ind"), ("ind", "kor"), ("arb", "ben")),
    *,
    scenarios: int = 6,
    mode: str = "scripted",
    seed: int = 0,
    lift: float = 0.1,
) -> list[dict[str, Any]]:
    """Random verdicts; each system is `lift` better than the one before, some are unjudged."""
    random = np.random.default_rng(seed)
    return [
        record(
            system,
            f"{'-'.join(pair)}-{n}",
            [_random(random, 0.5 + lift * place) for _ in range(1 if mode == "single-turn" else 3)],
            mode=mode,
            pair=pair,
            key_turn=0 if mode == "single-turn" else None,
        )
        for place, system in enumerate(systems)
        for pair in pairs
        for n in range(scenarios)
    ]


def _random(random: np.random.Generator, rate: float) -> list[Met]:
    drawn = random.random(int(random.integers(3, 8)))
    return [None if value > 0.97 else bool(value < rate) for value in drawn]


def scored(
    values: NDArray[Any], strata: Sequence[str] | None = None, weights: NDArray[Any] | None = None
) -> Panel:
    """A panel of scores (units, systems) named s0, s1 …; each unit weighs 1 unless given."""
    units, systems = values.shape
    held = np.ones_like(values, dtype=float) if weights is None else weights
    return Panel(
        labels=tuple(Label(f"s{n}") for n in range(systems)),
        units=tuple(Unit(f"u{n}", None) for n in range(units)),
        strata=tuple(strata or ["one"] * units),
        numerators=values * held,
        denominators=np.asarray(held, dtype=float),
    )
