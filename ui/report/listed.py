"""The tables that stand beside the scores, written out once for every face: names and figures as text.

Each says what it is and what its names are of. How a table is drawn, and whether at all, is the face's business.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from sim.analysis.ablation import Step
from sim.analysis.bootstrap import Difference, Effect
from sim.analysis.comparisons import STRICT_REPLICATES, History
from sim.analysis.concordance import REPLICATES as SYSTEMS_REPLICATES
from sim.analysis.concordance import Concordance
from sim.analysis.judges import Between, Preference
from sim.analysis.metrics import REPLICATES as METRIC_REPLICATES
from sim.analysis.metrics import Relation
from sim.analysis.scores import GATE_NAMES
from sim.analysis.summary import Hardness, ModeSummary, Summary
from sim.core.values import StrictGate
from ui.report.numbers import UNDEFINED, chance, share, signed, signed_span, span

_LEVELS = 15
"""Levels of a cut that are listed; JSON and CSV have all."""
_DIFFERENCE = ("difference", "interval", "p", "p Holm", "scenarios")


@dataclass(frozen=True, slots=True)
class Line:
    """One row."""

    name: str
    figures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Listed:
    """One table."""

    title: str
    of: str
    """What the names are of."""
    head: tuple[str, ...]
    """What the figures are."""
    lines: tuple[Line, ...]

    def first(self, most: int) -> "Listed":
        """The first lines alone, and so said in the title."""
        if len(self.lines) <= most:
            return self
        title = f"{self.title}, {most} of {len(self.lines)} shown"
        return replace(self, title=title, lines=self.lines[:most])


def pairs(held: ModeSummary) -> Listed:
    """All pairs of systems, widest apart first."""
    found = sorted(held.comparison.pairs, key=lambda pair: -abs(pair.effect.value or 0.0))
    lines = [_difference(pair, f"{pair.first.system} − {pair.second.system}") for pair in found]
    title = f"differences between systems (paired, Holm over {len(found)})"
    return Listed(title, "systems", _DIFFERENCE, tuple(lines))


def between_modes(summary: Summary) -> Iterator[Listed]:
    """The first mode against each other, by system, and the same within language pairs."""
    yield _between_modes(summary.between_modes, "")
    if summary.between_modes_by_pair:
        yield _between_modes(summary.between_modes_by_pair, " by language pair")


def _between_modes(found: Sequence[Difference], within: str) -> Listed:
    base = found[0].first.variant if found else ""
    lines = [_difference(pair, f"{pair.first.system}: {base} − {pair.group}") for pair in found]
    title = f"differences between modes{within} ({base} minus the other, unpaired, Holm over {len(found)})"
    return Listed(title, "systems", _DIFFERENCE, tuple(lines))


def checklists(summary: Summary) -> Listed:
    """One transcript under two checklists."""
    head = ("multi-turn", "interval", "single-turn", "interval", "difference", "interval", "p", "scenarios")
    lines = tuple(
        Line(
            one.multi.label.system,
            (
                share(one.multi.score), span(one.multi.interval), share(one.single.score),
                span(one.single.interval), *_effect(one.change.effect),
            ),
        )
        for one in summary.checklists
    )  # fmt: skip
    title = "one transcript under two checklists (paired by scenario, means over scenarios)"
    return Listed(title, "system", head, lines)


def beside(summary: Summary, held: ModeSummary) -> Iterator[Listed]:
    """What stands beside the scores of a mode; tables without a line are left out."""
    tables = [
        _sensitivity(summary, held.mode),
        *(_gates(held, gate) for gate in GATE_NAMES),
        _ablation(held),
        *map(_history, held.histories),
        _decline(held),
        _wholes(held),
        _agreed(held.hardness),
        *(_deviations(one) for one in held.hardness if one.by != "function"),
        *(_metric(one.metric, one.rows) for one in summary.metrics if one.mode == held.mode),
    ]
    return (table for table in tables if table.lines)


def members(summary: Summary) -> Iterator[Listed]:
    """How the members of a panel voted; nothing where no panel judged."""
    found = summary.votes
    if found.members:
        title = (
            f"votes of the panel ({found.criteria:,} criteria; members part on {found.parted:,}, "
            f"{found.ties:,} of them ties, unjudged)"
        )
        head = ("asked", "voted", "met", "not said", "not asked")
        lines = [
            Line(
                one.judge,
                tuple(f"{n:,}" for n in (one.asked, one.voted, one.met, one.not_said, one.not_claimed)),
            )
            for one in found.members
        ]
        yield Listed(title, "members", head, tuple(lines))


def judges(found: Between) -> Iterator[Listed]:
    """What several judges say together."""
    tables = [
        Listed(
            "agreement of two judges, by layer",
            "judges, criteria",
            ("raw", "Cohen's κ", "both judged"),
            tuple(
                Line(
                    f"{row.first} / {row.second}, {row.level}",
                    (share(row.raw), signed(row.kappa), str(row.items)),
                )
                for row in found.pairs
            ),
        ),
        Listed(
            "agreement of all judges",
            "criteria",
            ("raw", "Fleiss' κ", "all judged"),
            tuple(
                Line(row.level, (share(row.found.raw), signed(row.found.kappa), str(row.found.items)))
                for row in found.all
            ),
        ),
        Listed(
            "order of the systems under two judges",
            "judges, mode",
            ("Spearman's ρ", "Kendall's τ", "systems"),
            tuple(
                Line(
                    f"{row.first} / {row.second}, {row.mode}",
                    (signed(row.spearman), signed(row.kendall), str(row.systems)),
                )
                for row in found.orders
            ),
        ),
        Listed(
            "do the judges agree on the order of the systems? (Friedman)",
            "mode",
            _AGREED,
            tuple(Line(row.mode, _concordance(row.found)) for row in found.concordances),
        ),
        Listed(
            f"self-preference: a judge minus another one (paired, {found.replicates:,} replicates)",
            "judge minus the other, mode, on whose outputs",
            ("difference", "interval", "p", "scenarios"),
            tuple(line for row in found.preferences for line in _preference(row)),
        ),
    ]
    return (table for table in tables if table.lines)


def _preference(row: Preference) -> Iterator[Line]:
    family = ", ".join(row.family)
    parts = {
        f"own family ({family})": row.found.own,
        "the others": row.found.others,
        "own minus others": row.found.lift,
    }
    for of, effect in parts.items():
        yield Line(f"{row.judge} minus {row.other}, {row.mode}: {of}", _effect(effect))


def _effect(found: Effect) -> tuple[str, ...]:
    return signed(found.value), signed_span(found.interval), _chance(found), str(found.units)


def _ablation(held: ModeSummary) -> Listed:
    title = "what a brief adds (paired by scenario; Holm over the pooled steps, and over those of the models)"
    lines = tuple(
        _row(step.effect, step.p_holm, f"{step.first} → {step.second}: {_whose(step)}")
        for step in held.ablation
    )
    return Listed(title, "briefs: system", _DIFFERENCE, lines)


def _whose(step: Step) -> str:
    return f"mean of {step.models} systems" if step.model is None else step.model


def _decline(held: ModeSummary) -> Listed:
    turns = (
        f"turn {held.decline[0].first.variant} minus turn {held.decline[0].second.variant}"
        if held.decline
        else ""
    )
    title = f"along the conversation: {turns} (paired by conversation, Holm over the systems)"
    lines = tuple(_difference(one, one.first.system) for one in held.decline)
    return Listed(title, "system", _DIFFERENCE, lines)


def _wholes(held: ModeSummary) -> Listed:
    title = "the conversation as a whole against its turns (paired by conversation)"
    head = ("conversation", "interval", "minus turns", "interval", "p", "scenarios")
    lines = tuple(
        Line(
            one.estimate.label.system,
            (share(one.estimate.score), span(one.estimate.interval), *_effect(one.change.effect)),
        )
        for one in held.wholes
    )
    return Listed(title, "system", head, lines)


def _difference(pair: Difference, name: str) -> Line:
    return _row(pair.effect, pair.p_holm, name)


def _row(found: Effect, p_holm: float | None, name: str) -> Line:
    figures = (
        signed(found.value), signed_span(found.interval), _chance(found),
        chance(p_holm, withheld=found.withheld), str(found.units),
    )  # fmt: skip
    return Line(name, figures)


def _chance(found: Effect) -> str:
    return chance(found.p, withheld=found.withheld)


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
                _chance(gate.change.effect),
            ),
        )
        for gate in (gates if changed else ())
    )
    return Listed(title, "system", head, tuple(lines))


def _history(one: History) -> Listed:
    family = f"{len(one.pairs)} language {'pair' if len(one.pairs) == 1 else 'pairs'}"
    title = f"history on against off: {one.on} − {one.off} (paired by conversation, Holm over {family})"
    rows = [("all", one.overall), *((row.group, row) for row in one.pairs)]
    return Listed(title, "language pair", _DIFFERENCE, tuple(_difference(row, name) for name, row in rows))


_AGREED = ("Kendall's W", "interval", "χ²", "df", "p", "raters", "levels")


def _concordance(found: Concordance) -> tuple[str, ...]:
    statistic = UNDEFINED if found.statistic is None else f"{found.statistic:.2f}"
    return (
        share(found.w), span(found.interval), statistic, str(found.df), chance(found.p), str(found.systems),
        str(found.levels),
    )  # fmt: skip


def _agreed(found: Iterable[Hardness]) -> Listed:
    names = {"target": "target languages", "source": "source languages", "function": "functions"}
    title = f"do the systems agree on what is hard? (Friedman; intervals resample systems, {SYSTEMS_REPLICATES:,} times)"
    lines = (
        Line(names[one.by], _concordance(one.concordance)) for one in found if one.concordance.systems > 1
    )
    return Listed(title, "what is ranked", _AGREED, tuple(lines))


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
