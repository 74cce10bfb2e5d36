"""Whole runs on the disk, made by hand: only what is asked for differs from the plain case."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

Met = bool | None
LAYERS = ("L1", "L2", "L3")
NASTY = "</script><b>&\x1b[2J\u202e=1+1 بقي শেষ 끝"


def conversation(
    system: str,
    scenario: str,
    verdicts: Sequence[Met],
    *,
    mode: str = "scripted",
    pair: tuple[str, str] = ("kor", "ind"),
    trial: int = 0,
    end: str = "completed",
    turn: int | None = None,
    procedure: str = "turn",
    check: str = "ok",
    said: str = "terjemahan",
    cost: float = 0.0,
    unknown: int = 0,
) -> dict[str, Any]:
    """One turn of one criterion each."""
    return {
        "key": {
            "scenario": scenario,
            "system": system,
            "users": "script|script",
            "mode": mode,
            "turn": turn,
            "trial": trial,
        },
        "scenario": scenario,
        "pair": list(pair),
        "mode": mode,
        "system": {"id": system, "model": system},
        "users": {"A": "script", "B": "script"},
        "judge": "j",
        "end_reason": end,
        "peeked": [],
        "turns": [
            {
                "index": n,
                "speaker": "AB"[n % 2],
                "direction": list(pair if n % 2 == 0 else pair[::-1]),
                "source": f"source {n}",
                "raw": said,
                "translation": said,
                "flags": [],
                "language_check": {"translation": {"result": check, "label": "xx", "mass": 0.1}},
                "response": None,
                "criteria": [
                    {
                        "id": f"t{n}",
                        "layer": LAYERS[n % 3],
                        "ask": f"Does the translation keep {n}?",
                        "function": None,
                        "needs": None,
                        "check": None,
                        "procedure": procedure,
                    }
                ],
                "verdicts": [verdict(f"t{n}", LAYERS[n % 3], met)],
                "fault": None,
                "timing": {"spoken": 0, "interpreted": 0},
                "cost": {"known": cost, "unknown_calls": unknown, "currency": "USD"},
            }
            for n, met in enumerate(verdicts)
        ],
        "criteria": [],
        "verdicts": [],
        "fault": None,
    }


def verdict(criterion: str, layer: str, met: Met, judge: str = "j") -> dict[str, Any]:
    return {
        "criterion": criterion,
        "layer": layer,
        "met": met,
        "basis": "unjudged" if met is None else "judged",
        "reason": "" if met else f"because {criterion}",
        "judge": judge,
        "provisional": False,
    }


def write_run(
    folder: Path, records: Iterable[dict[str, Any]], planned: Iterable[tuple[str, str]] = (), trials: int = 1
) -> Path:
    """A run with these records; `planned` adds (system, scenario) that nobody held."""
    held = list(records)
    places = {(r["system"]["id"], r["scenario"], r["mode"]): r for r in held}
    signed = [_signed(*place, r["turns"], r["key"]["turn"]) for place, r in places.items()]
    signed += [_signed(system, scenario, "scripted", [], None) for system, scenario in planned]
    plan = {"mode": "scripted", "trials": trials, "judge": "j", "turn": None}
    head = {"schema": 1, "version": "0.1.0", "kind": "run", "plan": plan, "signatures": signed}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "run.json").write_text(json.dumps(head), encoding="utf-8")
    lines = [json.dumps({"key": r["key"], "attempt": 0, "conversation": r}) + "\n" for r in held]
    (folder / "conversations.jsonl").write_text("".join(lines), encoding="utf-8")
    return folder


def _signed(
    system: str, scenario: str, mode: str, turns: list[dict[str, Any]], turn: int | None
) -> dict[str, Any]:
    procedures = {c["procedure"] for row in turns for c in row["criteria"]}
    return {
        "scenario": scenario,
        "system": system,
        "interpreter": system,
        "signature": {
            "version": "0.1.0",
            "scenario": f"{scenario}-hash",
            "mode": mode,
            "procedure": min(procedures, default="turn"),
            "turns": [turn or 0, len(turns)],
            "system": {"id": system},
            "users": "script|script",
            "judge": {"judge": "j"},
            "language_check": {"detector": "d", "threshold": 0.5},
            "strict_language": False,
            "seed": 0,
            "replicates": None,
        },
    }


def study(systems: Sequence[str] = ("a", "b"), scenarios: int = 6) -> list[dict[str, Any]]:
    """Every system on every scenario; each is a criterion better than the one before."""
    return [
        conversation(system, f"s{n}", [(n + at + place) % 3 > 0 or at < place for at in range(6)])
        for place, system in enumerate(systems)
        for n in range(scenarios)
    ]
