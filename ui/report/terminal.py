"""A report as lines of plain text. Numbers stand left, names last: nothing is aligned after free text."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from sim.analysis.bootstrap import Estimate
from sim.analysis.cuts import Cut, CutRow
from sim.analysis.judges import Between
from sim.analysis.scores import gate_said
from sim.analysis.summary import ModeSummary, Summary
from sim.analysis.worth import Worth
from sim.core.text import visible
from sim.core.values import LAYERS
from ui.report import experiments, listed, notes, several_judges
from ui.report.listing import Listed
from ui.report.numbers import UNDEFINED, bounds, share, span

NOTHING: Mapping[str, Worth] = MappingProxyType({})
_WORST = 15
"""Functions shown; JSON and CSV have all."""
_PAIRS = 60
"""Pairs of systems shown."""
_TITLES: Mapping[Cut, str] = {
    "layer": "by layer",
    "direction": "by direction",
    "target": "by target language",
    "source": "by source language",
    "pair": "by language pair",
    "position": "by turn",
}


def lines(
    summary: Summary, signatures: Mapping[tuple[str, str], str], worth: Mapping[str, Worth] = NOTHING
) -> Iterator[str]:
    """The whole report of one judge; `signatures` are the short ones by (system, mode), `worth` is by mode."""
    yield f"judge {visible(summary.judge)}{gate_said(summary.strict)}"
    for warning in summary.warnings:
        yield f"warning: {visible(warning)}"
    if not summary.modes:
        yield "no conversation is recorded: there is nothing to score"
        return
    for held in summary.modes:
        yield ""
        yield from _mode(summary, held, signatures, worth.get(held.mode))
    for table in several_judges.members(summary):
        yield from _listed(table)
    yield from _between_modes(summary)
    if summary.checklists:
        yield from _listed(experiments.checklists(summary))
    yield from _functions(summary)


def _mode(
    summary: Summary, held: ModeSummary, signatures: Mapping[tuple[str, str], str], worth: Worth | None
) -> Iterator[str]:
    yield f"{visible(held.mode)} · {notes.of_mode(held)}"
    yield from _systems(held)
    yield from notes.of_worth(held, worth)
    for title, cut in _TITLES.items():
        rows = [row for row in summary.cuts[title] if row.mode == held.mode]
        if len({row.level for row in rows}) > 1 or title == "layer":
            systems = summary.in_order(held.mode, rows)
            yield from _cut(cut, rows, systems, held if title == "layer" else None)
    yield from _pairs(held)
    for table in listed.beside(summary, held):
        yield from _listed(table)
    yield ""
    yield "signatures"
    for row in held.ranked:
        yield f"  {visible(signatures.get((row.system, held.mode), 'none recorded'))}"


def _systems(held: ModeSummary) -> Iterator[str]:
    head = ("rank", "overall", "interval", "conv", "judged", "bounds", "held", "system")
    estimates, ranks = held.estimates(), held.ranks
    rows = []
    for row in held.ranked:
        found, remarks = estimates.get(row.system), notes.of_row(row)
        rows.append(
            (
                str(ranks.get(row.system, UNDEFINED)),
                share(row.scores.overall),
                span(found.interval if found else None),
                share(row.scores.conversation),
                f"{row.scores.judged}/{row.scores.criteria}",
                bounds(row.scores.bounds),
                notes.held(row),
                visible(row.system) + (f" ({'; '.join(remarks)})" if remarks else ""),
            )
        )
    yield from aligned(head, rows)


def _cut(
    title: str, rows: Sequence[CutRow], systems: Sequence[str], held: ModeSummary | None
) -> Iterator[str]:
    """A level a column; a score that may not be ranked is marked with `*`. With `held`, its intervals."""
    if not rows:
        return
    levels = sorted({row.level for row in rows})
    scores = {(row.system, row.level): f"{share(row.score)}{'' if row.ranked else '*'}" for row in rows}
    yield ""
    yield title + (" (* over 5 % unjudged)" if any(not row.ranked for row in rows) else "")
    intervals: dict[str | int, dict[str, Estimate]] = (
        {} if held is None else {layer: held.estimates(layer) for layer in LAYERS}
    )
    head = [text for level in levels for text in (str(level), *(["interval"] if intervals else []))]
    body = []
    for system in systems:
        cells = []
        for level in levels:
            cells.append(scores.get((system, level), UNDEFINED))
            if intervals:
                found = intervals[level].get(system) if level in intervals else None
                cells.append(span(found.interval if found else None))
        body.append((*cells, visible(system)))
    yield from aligned((*head, "system"), body)


def _pairs(held: ModeSummary) -> Iterator[str]:
    if held.comparison.pairs:
        yield from _listed(listed.pairs(held).first(_PAIRS))


def _between_modes(summary: Summary) -> Iterator[str]:
    if summary.between_modes:
        for table in listed.between_modes(summary):
            yield from _listed(table)
    else:
        yield ""
        yield notes.nothing_between(summary)


def between(found: Between) -> Iterator[str]:
    """What several judges say together; their signatures stand in their own parts."""
    yield "between judges"
    for table in several_judges.judges(found):
        yield from _listed(table)


def _listed(table: Listed) -> Iterator[str]:
    yield ""
    yield visible(table.title)
    yield from aligned((*table.head, table.of), ((*row.figures, visible(row.name)) for row in table.lines))


def _functions(summary: Summary) -> Iterator[str]:
    ranked = sorted(
        (row for row in summary.functions if row.score is not None), key=lambda row: row.score or 0
    )
    if not ranked:
        yield ""
        yield "No criterion names a function: nothing to rank."
        return
    shown = ranked[:_WORST]
    yield ""
    yield f"functions, hardest first, mean over systems ({len(shown)} of {len(ranked)} shown)"
    yield from aligned(
        ("score", "systems", "function"),
        ((share(row.score), str(row.systems), f"{visible(str(row.level))} ({row.mode})") for row in shown),
    )


def aligned(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Columns to the right of their widest cell, the last one to the left."""
    held = [head, *rows]
    widths = [max(len(row[at]) for row in held) for at in range(len(head) - 1)]
    for row in held:
        cells = [cell.rjust(width) for cell, width in zip(row, widths, strict=False)]
        yield "  " + "  ".join([*cells, row[-1]])
