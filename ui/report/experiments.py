"""The tables of the standing experiments: briefs, history, turns along a conversation, one transcript under two checklists."""

from sim.analysis.ablation import Step
from sim.analysis.comparisons import History
from sim.analysis.summary import ModeSummary, Summary
from ui.report.listing import DIFFERENCE, Line, Listed, difference, effect, row_of
from ui.report.numbers import share, span


def checklists(summary: Summary) -> Listed:
    """One transcript under two checklists."""
    head = ("multi-turn", "interval", "single-turn", "interval", "difference", "interval", "p", "scenarios")
    lines = tuple(
        Line(
            one.multi.label.system,
            (
                share(one.multi.score), span(one.multi.interval), share(one.single.score),
                span(one.single.interval), *effect(one.change.effect),
            ),
        )
        for one in summary.checklists
    )  # fmt: skip
    title = "one transcript under two checklists (paired by scenario, means over scenarios)"
    return Listed(title, "system", head, lines)


def ablation(held: ModeSummary) -> Listed:
    """What each brief adds."""
    title = "what a brief adds (paired by scenario; Holm over the pooled steps, and over those of the models)"
    lines = tuple(
        row_of(step.effect, step.p_holm, f"{step.first} → {step.second}: {_whose(step)}")
        for step in held.ablation
    )
    return Listed(title, "briefs: system", DIFFERENCE, lines)


def _whose(step: Step) -> str:
    return f"mean of {step.models} systems" if step.model is None else step.model


def history(one: History) -> Listed:
    """A system with history against itself without."""
    family = f"{len(one.pairs)} language {'pair' if len(one.pairs) == 1 else 'pairs'}"
    title = f"history on against off: {one.on} − {one.off} (paired by conversation, Holm over {family})"
    rows = [("all", one.overall), *((row.group, row) for row in one.pairs)]
    return Listed(title, "language pair", DIFFERENCE, tuple(difference(row, name) for name, row in rows))


def decline(held: ModeSummary) -> Listed:
    """The last turn against the first."""
    turns = (
        f"turn {held.decline[0].first.variant} minus turn {held.decline[0].second.variant}"
        if held.decline
        else ""
    )
    title = f"along the conversation: {turns} (paired by conversation, Holm over the systems)"
    lines = tuple(difference(one, one.first.system) for one in held.decline)
    return Listed(title, "system", DIFFERENCE, lines)


def wholes(held: ModeSummary) -> Listed:
    """The conversation-level score against the turns."""
    title = "the conversation as a whole against its turns (paired by conversation)"
    head = ("conversation", "interval", "minus turns", "interval", "p", "scenarios")
    lines = tuple(
        Line(
            one.estimate.label.system,
            (share(one.estimate.score), span(one.estimate.interval), *effect(one.change.effect)),
        )
        for one in held.wholes
    )
    return Listed(title, "system", head, lines)
