"""The figures of a report, each SVG markup, or None where there is nothing to draw."""

from sim.analysis.cuts import CutRow
from sim.analysis.summary import ModeSummary, Summary
from sim.core.languages import language
from sim.core.values import LAYERS
from ui.report.chart import (
    EDGE,
    LEFT,
    ROW,
    WIDTH,
    axis,
    dot,
    figure,
    hue,
    label,
    legend,
    name,
    steps,
    value,
    x_of,
)
from ui.report.markup import Markup, joined, tag, text
from ui.report.numbers import money, share, span

LINES = 8
"""Systems in one line chart: more colours cannot be told apart."""
FUNCTIONS = 40
"""Functions in the ranking; tables and JSON have all."""


def systems(held: ModeSummary) -> Markup | None:
    """Each system's overall score with its interval, best first."""
    found = [e for e in held.estimates().values() if e.score is not None]
    if not found:
        return None
    height = 30 + ROW * len(found)
    rows = []
    for place, one in enumerate(sorted(found, key=lambda e: -(e.score or 0.0))):
        y = 18 + ROW * place
        score = one.score or 0.0
        words = f"{one.label.system}: {share(score)} {span(one.interval)}"
        rows += [
            name(y, one.label.system),
            dot(y, score, one.interval, "c0", words),
            value(y, score, one.interval),
        ]
    return figure(height, f"Systems in mode {held.mode}, with intervals", [axis(height), *rows])


def languages(summary: Summary, mode: str) -> Markup | None:
    """Pass rate by layer and target language: a row a system, a cell a number."""
    rows = [row for row in summary.cuts["layer-target"] if row.mode == mode]
    if all(row.score is None for row in rows):
        return None
    codes = sorted({str(row.level).split()[1] for row in rows})
    names = summary.in_order(mode, rows)
    scores = {(row.system, str(row.level)): row for row in rows}
    wide = (WIDTH - LEFT - 10) / (len(LAYERS) * len(codes))
    parts = []
    for at, layer in enumerate(LAYERS):
        left = LEFT + at * wide * len(codes)
        parts.append(label(left + wide * len(codes) / 2, 14, layer, "middle", "head"))
        for place, code in enumerate(codes):
            x = left + wide * place
            parts.append(label(x + wide / 2, 32, code, "middle", "tick"))
            for row, system in enumerate(names):
                parts.append(_cell(scores.get((system, f"{layer} {code}")), x, 40 + ROW * row, wide))
    parts += [name(40 + ROW * row + ROW / 2 - 1, system) for row, system in enumerate(names)]
    return figure(48 + ROW * len(names), f"Pass rate by layer and target language, mode {mode}", parts)


def _cell(row: CutRow | None, x: float, y: float, wide: float) -> Markup:
    score = row.score if row else None
    shade = "none" if score is None else f"h{min(9, int(score * 10))}"
    words = (
        "not asked"
        if row is None
        else f"{row.system}, {row.level}: {share(score)}, {row.judged}/{row.criteria} judged"
    )
    shown = share(score) if wide >= 44 else "-" if score is None else f"{100 * score:.0f}"
    return tag(
        "g",
        tag("title", text(words)),
        tag("rect", x=x + 1, y=y, width=wide - 2, height=ROW - 2, rx=3),
        label(x + wide / 2, y + 16, shown, "middle"),
        class_=f"cell {shade}",
    )


def turns(summary: Summary, mode: str) -> Markup | None:
    """Pass rate by turn, a line a system."""
    rows = [row for row in summary.cuts["position"] if row.mode == mode]
    levels = sorted({int(row.level) for row in rows})
    if len(levels) < 2 or all(row.score is None for row in rows):
        return None
    names = summary.in_order(mode, rows)
    shown = {system: place for system, place in places(summary).items() if system in names[:LINES]}
    height, left, bottom = 240, 60, 210
    step = (EDGE - left) / (len(levels) - 1)
    parts = [_level(n / 5, left, bottom) for n in range(6)]
    parts += [
        label(left + step * at, height - 8, f"turn {n}", "middle", "tick") for at, n in enumerate(levels)
    ]
    for system, place in shown.items():
        points = [
            (left + step * levels.index(int(row.level)), bottom - (bottom - 10) * row.score, row)
            for row in rows
            if row.system == system and row.score is not None
        ]
        path = " ".join(f"{'L' if at else 'M'}{x:.1f} {y:.1f}" for at, (x, y, _) in enumerate(points))
        dots = [
            tag(
                "circle",
                tag("title", text(f"{system}, turn {row.level}: {share(row.score)}")),
                cx=x,
                cy=y,
                r=4,
            )
            for x, y, row in points
        ]
        parts.append(tag("g", tag("path", d=path, class_="line"), *dots, class_=hue(place)))
    drawn = figure(height, f"Pass rate by turn, mode {mode}", parts)
    return joined([drawn, legend(shown), _left_out(len(names) - len(shown), "systems")])


def _level(score: float, left: float, bottom: float) -> Markup:
    y = bottom - (bottom - 10) * score
    return joined(
        [
            tag("line", class_="grid", x1=left - 10, x2=EDGE + 10, y1=y, y2=y),
            label(left - 18, y + 4, f"{score:.1f}", "end", "tick"),
        ]
    )


def modes(summary: Summary) -> Markup | None:
    """Each system's score in each mode."""
    held = [one for one in summary.modes if any(e.score is not None for e in one.comparison.systems)]
    if len(held) < 2:
        return None
    names = list(dict.fromkeys(row.system for one in held for row in one.rows))
    height = 30 + ROW * len(names)
    parts = [axis(height)]
    for at, system in enumerate(names):
        y = 18 + ROW * at
        parts.append(name(y, system))
        for place, one in enumerate(held):
            found = one.estimates().get(system)
            if found is not None and found.score is not None:
                words = f"{system}, {one.mode}: {share(found.score)} {span(found.interval)}"
                shift = (place - (len(held) - 1) / 2) * 5
                parts.append(dot(y + shift, found.score, found.interval, hue(place), words))
    names_of_modes = {one.mode: place for place, one in enumerate(held)}
    return joined([figure(height, "Scores by mode", parts), legend(names_of_modes)])


def functions(summary: Summary) -> Markup | None:
    """Recurring questions, hardest first, averaged over systems."""
    ranked = sorted(
        ((row.score, row) for row in summary.functions if row.score is not None), key=lambda pair: pair[0]
    )
    if not ranked:
        return None
    several = len({row.mode for _, row in ranked}) > 1
    shown = ranked[:FUNCTIONS]
    height = 30 + ROW * len(shown)
    parts = [axis(height)]
    for place, (score, row) in enumerate(shown):
        y = 18 + ROW * place
        words = f"{row.level} ({row.mode})" if several else str(row.level)
        bar = tag("rect", x=LEFT, y=y - 7, width=max(1.0, x_of(score) - LEFT), height=14, rx=3)
        said = tag("title", text(f"{words}: {share(score)}, mean over {row.systems} systems"))
        parts += [name(y, words), tag("g", said, bar, class_="c0 bar"), value(y, score)]
    drawn = figure(height, "Functions, hardest first", parts)
    return joined([drawn, _left_out(len(ranked) - len(shown), "easier functions")])


def costs(summary: Summary, held: ModeSummary) -> Markup | None:
    """Cost of a conversation against the score; None where no known cost is above zero.

    Systems of unknown cost are named below, not drawn.
    """
    scores = {name: e.score for name, e in held.estimates().items() if e.score is not None}
    rows = [cost for cost in summary.costs if cost.mode == held.mode and cost.system in scores]
    known = [(cost.system, cost.each) for cost in rows if cost.each is not None]
    most = max((each for _, each in known), default=0.0)
    if not most:
        return None
    height, left, bottom = 250, 60, 210
    marks, hues = steps(most), places(summary)
    parts = [_level(n / 5, left, bottom) for n in range(6)]
    for mark in marks:
        x = left + (EDGE - left) * mark / marks[-1]
        parts.append(label(x, height - 22, f"{mark:.6g}", "middle", "tick"))
    parts.append(label((left + EDGE) / 2, height - 4, "US dollars a conversation", "middle", "tick"))
    for number, (system, each) in enumerate(known, 1):
        x, y = left + (EDGE - left) * each / marks[-1], bottom - (bottom - 10) * scores[system]
        words = f"{system}: {share(scores[system])} at {money(each)} US dollars a conversation"
        dots = tag("g", tag("title", text(words)), tag("circle", cx=x, cy=y, r=6), class_=hue(hues[system]))
        parts += [dots, label(x, y - 10, str(number), "middle", "tick")]
    unknown = [cost.system for cost in rows if cost.each is None]
    names = {f"{number}. {system}": hues[system] for number, (system, _) in enumerate(known, 1)}
    drawn = [figure(height, f"Cost against score, mode {held.mode}", parts), legend(names)]
    if unknown:
        drawn.append(tag("p", text(f"Not drawn, cost unknown: {', '.join(unknown)}"), class_="note"))
    return joined(drawn)


def places(summary: Summary) -> dict[str, int]:
    """System → its place among all of them: a system has one colour in every figure."""
    systems = dict.fromkeys(row.system for held in summary.modes for row in held.rows)
    return {system: place for place, system in enumerate(systems)}


def language_names(summary: Summary) -> str:
    """What the codes in the figures stand for."""
    codes = sorted({str(row.level) for by in ("source", "target") for row in summary.cuts[by]})
    return ", ".join(f"{code} {language(code).name}" for code in codes)


def _left_out(number: int, what: str) -> Markup:
    if number <= 0:
        return joined([])
    return tag("p", text(f"{number} more {what} are in the tables and in JSON."), class_="note")
