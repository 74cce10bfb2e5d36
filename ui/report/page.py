"""A run's report as one self-contained HTML page: figures, tables, failures, signatures.

It asks nothing of anyone: styles, script and data are in it, and its own content security policy forbids
the rest. Without a script all but the list of failures is there.
"""

import base64
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from sim.analysis.failures import sampled
from sim.analysis.judges import Between
from sim.analysis.scores import gate_said
from sim.analysis.summary import ModeSummary, Summary
from sim.analysis.worth import Worth
from ui.report import experiments, failures, figures, listed, notes, several_judges
from ui.report.listing import Listed
from ui.report.markup import Markup, joined, tag, text
from ui.report.numbers import UNDEFINED, bounds, share, span

_HERE = Path(__file__).parent
_LEVELS = 10
"""Levels of a cut side by side: more do not fit on paper."""
_CUTS = {
    "layer": "Layer",
    "direction": "Direction",
    "target": "Target language",
    "source": "Source language",
    "pair": "Language pair",
    "position": "Turn",
}


@dataclass(frozen=True, slots=True)
class Part:
    """One judge's view."""

    summary: Summary
    records: Sequence[Mapping[str, Any]]
    signatures: Mapping[tuple[str, str], str]
    """(system, mode) → short signature."""
    worth: Mapping[str, Worth] = field(default_factory=dict)
    """Mode → what its scores are worth; only of `rules`."""


def page(
    name: str,
    parts: Sequence[Part],
    version: str,
    remarks: Sequence[str] = (),
    between: Between | None = None,
) -> str:
    """The page of a run called `name`, a section a judge; `remarks` hold for all of it."""
    style = (_HERE / "page.css").read_text(encoding="utf-8")
    script = (_HERE / "page.js").read_text(encoding="utf-8")
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    data = failures.block(
        (part.summary.judge, sampled(part.records, strict=part.summary.strict)) for part in parts
    )
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", text(f"Skopos report: {name}")),
        tag("style", Markup(style)),
    )
    body = tag(
        "body",
        tag(
            "header",
            tag("h1", text("Skopos report: "), tag("bdi", text(name))),
            tag("p", text(_opening(version))),
            *(tag("p", text(remark), class_="warning") for remark in remarks),
        ),
        tag(
            "main",
            *(_judge(place, part) for place, part in enumerate(parts)),
            *([_between(between, parts)] if between else []),
        ),
        tag("script", Markup(data), type="application/json", id="data"),
        tag("script", Markup(script)),
    )
    return f"<!doctype html>\n{tag('html', head, body, lang='en')}\n"


def _opening(version: str) -> str:
    return (
        f"Held with skopos {version}. A score is the share of yes/no criteria met: L1 meaning, L2 purpose and "
        'tone, L3 culture and register. Missing is never counted as zero unless said; "-" is undefined.'
    )


def _hash(content: str) -> str:
    digest = hashlib.sha256(content.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def _judge(place: int, part: Part) -> Markup:
    summary = part.summary
    strict = gate_said(summary.strict)
    content = [tag("h2", text("Judge "), tag("bdi", text(summary.judge)), text(strict))]
    if not summary.modes:
        content.append(
            tag("p", text("No conversation is recorded: there is nothing to score."), class_="warning")
        )
    content += [tag("p", text(warning), class_="warning") for warning in summary.warnings]
    for held in summary.modes:
        content.append(_mode(part, held))
    if summary.modes:
        content += [*_over_modes(part), _failures(place), _signatures(part)]
    return tag("section", *content)


def _over_modes(part: Part) -> Iterator[Markup]:
    summary, signed = part.summary, _digests(part)
    for table in several_judges.members(summary):
        yield _listed(table, signed)
    yield _figure("Modes", figures.modes(summary), notes.nothing_between(summary), signed)
    if summary.between_modes:
        for table in listed.between_modes(summary):
            yield _listed(table, signed)
    if summary.checklists:
        yield _listed(experiments.checklists(summary), signed)
    yield _figure("Functions", figures.functions(summary), "No criterion names a function.", signed)


def _mode(part: Part, held: ModeSummary) -> Markup:
    summary, mode = part.summary, held.mode
    signed = _digests(part, mode)
    return joined(
        [
            tag("h3", text("Mode "), text(mode)),
            tag("p", text(f"{notes.of_mode(held)}.".capitalize()), class_="note"),
            _systems(held, signed),
            *map(_note, notes.of_worth(held, part.worth.get(mode))),
            *_drawn(summary, held, signed),
            *(_cut(summary, mode, by, title, signed) for by, title in _CUTS.items()),
            *([_listed(listed.pairs(held), signed)] if held.comparison.pairs else []),
            *(_listed(table, f"{_named_by(part, mode)}.") for table in listed.beside(summary, held)),
        ]
    )


def _drawn(summary: Summary, held: ModeSummary, signed: str) -> Iterator[Markup]:
    """The figures of a mode; one line in their place where there is no score at all."""
    nothing = "Nothing was judged."
    if all(row.scores.overall is None for row in held.rows):
        yield tag("p", text("There is no score to draw."), class_="note")
        return
    names = f"{figures.language_names(summary)}. {signed}"
    yield _figure("Systems", figures.systems(held), nothing, signed)
    yield _figure("Languages and layers", figures.languages(summary, held.mode), nothing, names)
    few = "One judged turn at most: nothing to draw."
    yield _figure("Turns", figures.turns(summary, held.mode), few, signed)
    free = "No system has a known cost above zero."
    yield _figure("Cost", figures.costs(summary, held), free, signed)


def _figure(title: str, drawn: Markup | None, otherwise: str, caption: str) -> Markup:
    if drawn is None:
        return tag("figure", tag("h4", text(title)), tag("p", text(otherwise), class_="note"))
    return tag("figure", tag("h4", text(title)), drawn, tag("figcaption", text(caption)))


def _systems(held: ModeSummary, signed: str) -> Markup:
    estimates, ranks = held.estimates(), held.ranks
    rows = []
    for row in held.ranked:
        found = estimates.get(row.system)
        rows.append(
            [
                row.system,
                str(ranks.get(row.system, UNDEFINED)),
                share(row.scores.overall),
                span(found.interval if found else None),
                *map(share, (row.scores.L1, row.scores.L2, row.scores.L3)),
                share(row.scores.conversation),
                f"{row.scores.judged}/{row.scores.criteria}",
                bounds(row.scores.bounds),
                notes.held(row),
            ]
        )
    head = ["System", "Rank", "Overall", "Interval", "L1", "L2", "L3", "Conv.", "Judged", "Bounds", "Held"]
    return _table(head, rows, signed, {row.system: "; ".join(notes.of_row(row)) for row in held.rows})


def _cut(summary: Summary, mode: str, by: str, title: str, signed: str) -> Markup:
    rows = [row for row in summary.cuts[by] if row.mode == mode]
    if not rows:
        return joined([])
    levels = sorted({row.level for row in rows})
    spans = _layer_spans(summary, mode) if by == "layer" else {}
    scores = {
        (row.system, row.level): share(row.score)
        + ("" if row.ranked else "*")
        + spans.get((row.system, str(row.level)), "")
        for row in rows
    }
    systems = summary.in_order(mode, rows)
    tables = [
        _grid(
            ["System", *map(str, some)],
            [[system, *(scores.get((system, level), UNDEFINED) for level in some)] for system in systems],
        )
        for some in (levels[at : at + _LEVELS] for at in range(0, len(levels), _LEVELS))
    ]
    marked = " * over 5 % unjudged." if any(not row.ranked for row in rows) else ""
    said = tag("summary", text(f"By {title.lower()}"))
    return tag("details", said, *tables, _note(f"{signed}{marked}"))


def _layer_spans(summary: Summary, mode: str) -> dict[tuple[str, str], str]:
    """(system, layer) → its interval, to stand after the score."""
    return {
        (estimate.label.system, estimate.label.measure): f" {span(estimate.interval)}"
        for held in summary.modes
        if held.mode == mode
        for estimate in held.comparison.systems
    }


def _listed(table: Listed, signed: str) -> Markup:
    rows = [[row.name, *row.figures] for row in table.lines]
    said = tag("summary", text(table.title[:1].upper() + table.title[1:]))
    return tag("details", said, _table([table.of, *table.head], rows, signed))


def _between(found: Between, parts: Sequence[Part]) -> Markup:
    """What several judges say together."""
    signed = " ".join(f"{part.summary.judge}: {_named_by(part)}." for part in parts)
    return tag(
        "section",
        tag("h2", text("Between judges")),
        *(_listed(one, signed) for one in several_judges.judges(found)),
    )


def _table(
    head: Sequence[str], rows: Iterable[Sequence[str]], note: str, remarks: Mapping[str, str] | None = None
) -> Markup:
    """A grid with a note below it."""
    return joined([_grid(head, rows, remarks or {}), _note(note)])


def _grid(
    head: Sequence[str], rows: Iterable[Sequence[str]], remarks: Mapping[str, str] = MappingProxyType({})
) -> Markup:
    """A table of names and numbers; `remarks` stand under the names they are about."""
    body = (
        tag("tr", _named(row[0], remarks.get(row[0])), *(tag("td", text(cell)) for cell in row[1:]))
        for row in rows
    )
    table = tag(
        "table",
        tag("thead", tag("tr", *(tag("th", text(cell), scope="col") for cell in head))),
        tag("tbody", *body),
    )
    return tag("div", table, class_="scroll")


def _note(words: str) -> Markup:
    return tag("p", text(words), class_="note")


def _named(name: str, remark: str | None) -> Markup:
    under = tag("div", text(remark), class_="remark") if remark else joined([])
    return tag("th", tag("bdi", text(name)), under, scope="row")


def _failures(place: int) -> Markup:
    return joined(
        [
            tag("h3", text("Failures")),
            tag(
                "p",
                text("Open a system, a turn, and read each criterion that was not met, with the reason."),
                class_="note",
            ),
            tag(
                "noscript",
                tag("p", text("The list of failures needs the page's own script."), class_="warning"),
            ),
            tag("div", class_="failures", data_judge=str(place)),
        ]
    )


def _signatures(part: Part) -> Markup:
    items = (tag("li", tag("code", text(short))) for short in part.signatures.values())
    return joined([tag("h3", text("Signatures")), tag("ul", *items, class_="signatures")])


def _digests(part: Part, mode: str | None = None) -> str:
    """The signatures under a number, by their digests; they stand in full at the end of the section."""
    return f"{_named_by(part, mode)}; {part.summary.replicates:,} replicates, seed {part.summary.seed}."


def _named_by(part: Part, mode: str | None = None) -> str:
    """The digests alone, for what has replicates of its own, told in its title."""
    found = [
        short.rpartition("#")[2]
        for (_, held), short in part.signatures.items()
        if mode is None or held == mode
    ]
    return f"Signatures {', '.join(f'#{digest}' for digest in found) or 'none'}"
