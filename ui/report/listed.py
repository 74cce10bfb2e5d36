"""The tables that stand beside the scores, written out once for every face.

Each says what it is and what its names are of.
"""

from collections.abc import Iterable, Iterator, Sequence

from sim.analysis.bootstrap import Difference
from sim.analysis.comparisons import STRICT_REPLICATES
from sim.analysis.concordance import REPLICATES as SYSTEMS_REPLICATES
from sim.analysis.metrics import REPLICATES as METRIC_REPLICATES
from sim.analysis.metrics import Relation
from sim.analysis.scores import GATE_NAMES
from sim.analysis.summary import Hardness, ModeSummary, Summary
from sim.core.values import StrictGate
from ui.report.experiments import ablation, decline, history, wholes
from ui.report.listing import AGREED, DIFFERENCE, Line, Listed, concordance, difference, p_of
from ui.report.numbers import share, signed, signed_span, span

_LEVELS = 15
"""Levels of a cut that are listed; JSON and CSV have all."""


def pairs(held: ModeSummary) -> Listed:
    """All pairs of systems, widest apart first."""
    found = sorted(held.comparison.pairs, key=lambda pair: -abs(pair.effect.value or 0.0))
    lines = [difference(pair, f"{pair.first.system} − {pair.second.system}") for pair in found]
    title = f"differences between systems (paired, Holm over {len(found)})"
    return Listed(title, "systems", DIFFERENCE, tuple(lines))


def between_modes(summary: Summary) -> Iterator[Listed]:
    """The first mode against each other, by system, and the same within language pairs."""
    yield _between_modes(summary.between_modes, "")
    if summary.between_modes_by_pair:
        yield _between_modes(summary.between_modes_by_pair, " by language pair")


def _between_modes(found: Sequence[Difference], within: str) -> Listed:
    base = found[0].first.variant if found else ""
    lines = [difference(pair, f"{pair.first.system}: {base} − {pair.group}") for pair in found]
    title = f"differences between modes{within} ({base} minus the other, unpaired, Holm over {len(found)})"
    return Listed(title, "systems", DIFFERENCE, tuple(lines))


def beside(summary: Summary, held: ModeSummary) -> Iterator[Listed]:
    """What stands beside the scores of a mode; tables without a line are left out."""
    tables = [
        _sensitivity(summary, held.mode),
        *(_gates(held, gate) for gate in GATE_NAMES),
        ablation(held),
        *map(history, held.histories),
        decline(held),
        wholes(held),
        _agreed(held.hardness),
        *(_deviations(one) for one in held.hardness if one.by != "function"),
        *(_metric(one.metric, one.rows) for one in summary.metrics if one.mode == held.mode),
    ]
    return (table for table in tables if table.lines)


def _sensitivity(summary: Summary, mode: str) -> Listed:
    head = ("score", "strict", "study gate", "by difficulty", "without refusals", "refused")
    lines = (
        Line(
            row.system,
            tuple(
                map(
                    share,
                    (row.score, row.strict, row.study, row.by_difficulty, row.without_refusals, row.refused),
                )
            ),
        )
        for row in summary.sensitivity
        if row.mode == mode
    )
    return Listed("sensitivity of the overall score", "system", head, tuple(lines))


def _gates(held: ModeSummary, which: StrictGate) -> Listed:
    """Only where the gate changes something: else it would repeat the scores."""
    title = f"under the {GATE_NAMES[which]} (paired, {STRICT_REPLICATES:,} replicates)"
    head = ("strict", "interval", "change", "interval", "p")
    gates = [gate for gate in held.gates if gate.gate == which]
    changed = any(gate.change.effect.value for gate in gates)
    lines = (
        Line(
            gate.strict.label.system,
            (
                share(gate.strict.score),
                span(gate.strict.interval),
                signed(gate.change.effect.value),
                signed_span(gate.change.effect.interval),
                p_of(gate.change.effect),
            ),
        )
        for gate in (gates if changed else ())
    )
    return Listed(title, "system", head, tuple(lines))


def _agreed(found: Iterable[Hardness]) -> Listed:
    names = {"target": "target languages", "source": "source languages", "function": "functions"}
    title = f"do the systems agree on what is hard? (Friedman; intervals resample systems, {SYSTEMS_REPLICATES:,} times)"
    lines = (
        Line(names[one.by], concordance(one.concordance)) for one in found if one.concordance.systems > 1
    )
    return Listed(title, "what is ranked", AGREED, tuple(lines))


def _deviations(one: Hardness) -> Listed:
    found = sorted(one.deviations, key=lambda row: row.value)
    lines = tuple(Line(str(row.level), (signed(row.value), signed_span(row.interval))) for row in found)
    title = f"deviation from the system's own mean by {one.by} language, hardest first"
    return Listed(title, f"{one.by} language", ("deviation", "interval"), lines).first(_LEVELS)


def _metric(name: str, rows: Iterable[Relation]) -> Listed:
    lines = (
        Line(
            row.system or "all systems pooled",
            (
                signed(row.spearman), signed_span(row.interval), share(row.top_low), share(row.bottom_high),
                str(row.points),
            ),
        )
        for row in rows
    )  # fmt: skip
    head = ("Spearman's ρ", "interval", "top quarter scored ≤ 0.6", "bottom quarter ≥ 0.9", "outputs")
    title = f"{name} against the score ({METRIC_REPLICATES:,} replicates over scenarios)"
    return Listed(title, "system", head, tuple(lines))
