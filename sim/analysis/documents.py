"""A summary as plain JSON values: exact, undefined is null. Names of fields are fixed by `docs/report.md`."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from sim.analysis.ablation import Step
from sim.analysis.bootstrap import Difference, Effect, Interval
from sim.analysis.comparisons import STRICT_REPLICATES
from sim.analysis.concordance import REPLICATES as SYSTEMS_REPLICATES
from sim.analysis.concordance import Concordance
from sim.analysis.judges import Between
from sim.analysis.metrics import REPLICATES as METRICS_REPLICATES
from sim.analysis.protocol import FEW
from sim.analysis.summary import ModeSummary, Summary
from sim.analysis.systems import SystemRow

Row = dict[str, Any]


def document(summary: Summary) -> Row:
    """As plain JSON values, exact; undefined is null."""
    return {
        "judge": summary.judge,
        "systems": [_system(row, held) for held in summary.modes for row in held.rows],
        "pairs": [
            {"mode": held.mode, **_difference(pair)}
            for held in summary.modes
            for pair in held.comparison.pairs
        ],
        "cuts": {
            by: [asdict(row) | {"ranked": row.ranked} for row in rows] for by, rows in summary.cuts.items()
        },
        "functions": [asdict(row) for row in summary.functions],
        "modes": [{"other": pair.group, **_difference(pair)} for pair in summary.between_modes],
        "modes_by_pair": [
            {"other": pair.group, **_difference(pair)} for pair in summary.between_modes_by_pair
        ],
        "two_checklists": [
            {
                "system": one.multi.label.system,
                "multi": one.multi.score,
                "single": one.single.score,
                "multi_interval": _interval(one.multi.interval),
                "single_interval": _interval(one.single.interval),
                "change": _effect(one.change.effect),
            }
            for one in summary.checklists
        ],
        "ablation": [row for held in summary.modes for row in _ablation(held)],
        "positions": [row for held in summary.modes for row in _positions(held)],
        "decline": [
            {
                "mode": held.mode,
                "system": one.first.system,
                "last": int(one.first.variant),
                "first": int(one.second.variant),
                **_effect(one.effect),
                "p_holm": _holm(one),
            }
            for held in summary.modes
            for one in held.decline
        ],
        "conversation_level": [row for held in summary.modes for row in _wholes(held)],
        "strict_gate": [row for held in summary.modes for row in _gates(held)],
        "history": [row for held in summary.modes for row in _histories(held)],
        "concordance": [
            {"mode": held.mode, "by": one.by, **_concordance(one.concordance)}
            for held in summary.modes
            for one in held.hardness
        ],
        "deviations": [
            {"mode": held.mode, "by": one.by, **asdict(row)}
            for held in summary.modes
            for one in held.hardness
            for row in one.deviations
        ],
        "sensitivity": [asdict(row) for row in summary.sensitivity],
        "costs": [asdict(cost) | {"each": cost.each, "currency": "USD"} for cost in summary.costs],
        "metrics": [
            {"metric": one.metric, "mode": one.mode, **asdict(row)}
            for one in summary.metrics
            for row in one.rows
        ],
        "votes": asdict(summary.votes),
        "procedures": {held.mode: list(held.procedures) for held in summary.modes},
        "warnings": list(summary.warnings),
        "bootstrap": {
            "units": {held.mode: held.comparison.units for held in summary.modes},
            "replicates": summary.replicates,
            "strict_gate_replicates": STRICT_REPLICATES,
            "concordance_replicates": SYSTEMS_REPLICATES,
            "metrics_replicates": METRICS_REPLICATES,
            "seed": summary.seed,
            "stratified_by": "direction of the first turn",
        },
    }


def between_document(found: Between) -> Row:
    """What several judges say together."""
    return {
        "agreement": [asdict(pair) for pair in found.pairs],
        "agreement_of_all": [{"level": one.level, **asdict(one.found)} for one in found.all],
        "orders": [asdict(order) for order in found.orders],
        "concordance": [{"mode": one.mode, **_concordance(one.found)} for one in found.concordances],
        "self_preference": [
            {
                "mode": one.mode,
                "judge": one.judge,
                "other": one.other,
                "family": list(one.family),
                "own": _effect(one.found.own),
                "others": _effect(one.found.others),
                "lift": _effect(one.found.lift),
            }
            for one in found.preferences
        ],
        "self_preference_replicates": found.replicates,
    }


def _gates(held: ModeSummary) -> Iterator[Row]:
    for gate in held.gates:
        yield {
            "system": gate.strict.label.system,
            "mode": held.mode,
            "gate": gate.gate,
            "strict": gate.strict.score,
            "interval": asdict(gate.strict.interval) if gate.strict.interval else None,
            "change": _effect(gate.change.effect),
        }


def _histories(held: ModeSummary) -> Iterator[Row]:
    """A row a language pair; `pair` is null for all of them together."""
    for one in held.histories:
        for row in (one.overall, *one.pairs):
            yield {"mode": held.mode, "pair": row.group or None, **_difference(row)}


def _system(row: SystemRow, held: ModeSummary) -> Row:
    intervals = {e.label.measure: e.interval for e in held.comparison.systems if e.label.system == row.system}
    return {
        "system": row.system,
        "mode": row.mode,
        "conversations": row.conversations,
        "aborted": row.aborted,
        "ended_early": row.ended_early,
        "missing": row.missing,
        "counted_as_zero": row.zeros,
        "by_fallback_judge": row.fallback,
        "failed_turns": row.failed_turns,
        "aborted_as_zero": row.aborted_as_zero,
        "rank": held.ranks.get(row.system),
        "ranked": row.system in held.ranks,
        "caveats": list(row.caveats),
        "scores": row.scores.document(),
        "intervals": {name: asdict(found) if found else None for name, found in intervals.items()},
    }


def _difference(pair: Difference) -> Row:
    return {
        "first": pair.first.system,
        "second": pair.second.system,
        **_effect(pair.effect),
        "p_holm": _holm(pair),
    }


def _holm(pair: Difference | Step) -> float | None:
    return None if pair.effect.withheld else pair.p_holm


def _ablation(held: ModeSummary) -> Iterator[Row]:
    """A row a step; `system` is null for the mean over models."""
    for step in held.ablation:
        yield {
            "mode": held.mode,
            "system": step.model,
            "models": step.models,
            "first": step.first,
            "second": step.second,
            **_effect(step.effect),
            "p_holm": _holm(step),
        }


def _positions(held: ModeSummary) -> Iterator[Row]:
    for one in held.positions:
        yield {
            "mode": held.mode,
            "system": one.estimate.label.system,
            "position": one.position,
            "score": one.estimate.score,
            "interval": _interval(one.estimate.interval),
            "units": one.units,
        }


def _wholes(held: ModeSummary) -> Iterator[Row]:
    """The conversation-level score, and that minus the score of the turns."""
    for one in held.wholes:
        yield {
            "mode": held.mode,
            "system": one.estimate.label.system,
            "score": one.estimate.score,
            "interval": _interval(one.estimate.interval),
            "minus_turns": _effect(one.change.effect),
        }


def _interval(found: Interval | None) -> Row | None:
    return asdict(found) if found else None


def _effect(found: Effect) -> Row:
    return {
        "difference": found.value,
        "interval": asdict(found.interval) if found.interval else None,
        "p": None if found.withheld else found.p,
        "p_withheld": _few(found.least) if found.withheld else None,
        "units": found.units,
    }


def _concordance(found: Concordance) -> Row:
    told = {"p": None, "p_withheld": _few(found.scenarios)} if found.withheld else {"p_withheld": None}
    return asdict(found) | told


def _few(scenarios: int | None) -> str:
    """Why a p value is withheld."""
    return f"{scenarios} scenarios, under {FEW}"
