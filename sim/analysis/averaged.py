"""A system's scores from its records under the two rules of `cells`, without numpy.

For tables that must come up at once. The same numbers as a panel's, which is what the tests hold it to;
it resamples nothing.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from sim.analysis.scores import Scores, Tally, outcome, rejected, tally
from sim.core.values import LAYERS, Mode, StrictGate

Record = Mapping[str, Any]
_Unit = tuple[str, int | None]


def averaged(conversations: Iterable[Record], *, strict: StrictGate | None = None) -> Scores:
    """Scores of one system's conversations in one mode, the trials of a scenario averaged first.

    Single-turn: the mean over scenarios of met / judged. Else sum of met / sum of judged.
    """
    held = list(conversations)
    mean = bool(held) and held[0]["mode"] == Mode.SINGLE_TURN
    units: dict[_Unit, list[dict[str, Tally]]] = {}
    for record in held:
        turn = record["key"]["turn"] if mean else None
        units.setdefault((record["scenario"], turn), []).append(_tallies(record, strict))
    overall = [tallies["overall"] for trials in units.values() for tallies in trials]
    whole = [tallies["conversation"] for trials in units.values() for tallies in trials]
    found = {
        measure: _score([[tallies[measure] for tallies in trials] for trials in units.values()], mean)
        for measure in ("overall", *LAYERS, "conversation")
    }
    return Scores(
        overall=found["overall"][0],
        L1=found["L1"][0],
        L2=found["L2"][0],
        L3=found["L3"][0],
        conversation=found["conversation"][0],
        judged=sum(one.judged for one in overall),
        criteria=sum(one.criteria for one in overall),
        not_said=sum(one.not_said for one in overall),
        not_claimed=sum(one.not_claimed for one in overall),
        bounds=found["overall"][1],
        conversation_judged=sum(one.judged for one in whole),
        conversation_criteria=sum(one.criteria for one in whole),
        conversation_not_said=sum(one.not_said for one in whole),
        conversation_not_claimed=sum(one.not_claimed for one in whole),
    )


def _tallies(record: Record, strict: StrictGate | None) -> dict[str, Tally]:
    counts: dict[str, Counter[str]] = {layer: Counter() for layer in LAYERS}
    for turn in record["turns"]:
        gated = rejected(turn, strict)
        for verdict in turn["verdicts"]:
            if not verdict.get("provisional"):
                counts[verdict["layer"]][outcome(verdict["met"], verdict["basis"], gated=gated)] += 1
    layers: dict[str, Tally] = {layer: Tally(**counted) for layer, counted in counts.items()}
    overall = sum(layers.values(), Tally())
    return {"overall": overall, "conversation": tally(record["verdicts"]), **layers}


def _score(units: list[list[Tally]], mean: bool) -> tuple[float | None, tuple[float, float] | None]:
    """Score and bounds over units, each a list of its trials."""
    held = [[trial for trial in trials if trial.criteria] for trials in units]
    held = [trials for trials in held if trials]
    if not held:
        return None, None
    if mean:
        scores = [_mean([t.score for t in trials if t.score is not None]) for trials in held]
        least, most = (_mean([_mean([_bounds(t)[at] for t in trials]) for trials in held]) for at in (0, 1))
        return _mean([s for s in scores if s is not None]), _both(least, most)
    met, judged, criteria = (
        sum(sum(getattr(t, name) for t in trials) / len(trials) for trials in held)
        for name in ("met", "judged", "criteria")
    )
    return met / judged if judged else None, (met / criteria, (met + criteria - judged) / criteria)


def _bounds(trial: Tally) -> tuple[float, float]:
    return trial.bounds or (0.0, 1.0)


def _mean(values: list[Any]) -> float | None:
    return sum(values) / len(values) if values else None


def _both(least: float | None, most: float | None) -> tuple[float, float] | None:
    return None if least is None or most is None else (least, most)
