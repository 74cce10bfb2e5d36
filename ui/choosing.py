"""What the home screen shows of scenarios, choices and facts, and how they are searched.

Values in, lines out: no widget.
"""

from collections.abc import Iterator, Mapping, Sequence

from sim.core.errors import Problem, UsageProblem
from sim.core.studio import Fact
from sim.core.text import visible
from sim.core.values import LAYERS, Criterion, Mode, Scenario
from ui import words
from ui.render import Kind, Line, Page, Span, prose, side_kind

LABELS: Mapping[str, str] = {
    "mode": "mode",
    "interpreter": "interpreter",
    "brief": "brief",
    "history": "history",
    "user_a": "user A",
    "user_b": "user B",
    "judge": "judge",
}
"""How the fields of a setup are called."""

_PREVIEWED = 4
_FACTS: Mapping[str, tuple[str, Kind]] = {
    "ok": ("✓", "met"),
    "missing": ("✗", "not-met"),
    "note": ("!", "flag"),
}


class ScenarioCards:
    """The scenarios found, two lines each."""

    def __init__(self, found: Sequence[Scenario]) -> None:
        self.found = list(found)

    def __len__(self) -> int:
        return len(self.found)

    def lines(self, position: int, width: int) -> list[Line]:
        """Name, then languages, setting and size."""
        of = self.found[position]
        facts = prose(facts_of(of), Page(width), "dim", lead=Span("  "))
        return [Line((Span(visible(of.id), "strong"),)), *facts, Line()]

    def estimate(self, position: int, width: int) -> int:
        """Two lines and a blank one."""
        return 3


def criteria(of: Scenario) -> Iterator[Criterion]:
    """The criteria of the scripted procedure: those of the turns, then of the conversation."""
    for turn in of.turns:
        yield from turn.checklists.turn or ()
    yield from of.criteria


def facts_of(of: Scenario) -> str:
    """`Korean ⇄ Indonesian · clinic · 6 turns · 37 criteria`."""
    first, second = (words.language_name(code) for code in of.pair)
    sizes = f"{len(of.turns)} turns · {sum(1 for _ in criteria(of))} criteria"
    return f"{first} ⇄ {second} · {of.setting} · {sizes}"


def modes(of: Scenario) -> tuple[Mode, ...]:
    """The modes it can be held in: guided needs an outline for every turn."""
    guided = bool(of.turns) and all(turn.intent for turn in of.turns)
    return tuple(mode for mode in Mode if mode is not Mode.DYNAMIC_GUIDED or guided)


def matches(of: Scenario, query: str) -> bool:
    """Whether every word of `query` occurs in what is known of the scenario."""
    relation = of.relation
    parts = (of.id, *of.pair, facts_of(of), *modes(of), relation.A, relation.B, of.conversation_context)
    text = " ".join(parts).casefold()
    return all(word in text for word in query.casefold().split())


def next_choice(value: str, choices: Sequence[str], step: int) -> str:
    """The choice after `value`, the empty one (the default) included; patterns to fill in are left out."""
    ready = ["", *(choice for choice in choices if not any(c in choice for c in ": "))]
    here = ready.index(value) if value in ready else 0
    return ready[(here + step) % len(ready)]


def mode(name: str) -> Mode:
    """The mode called `name`. Raises UsageProblem."""
    try:
        return Mode(name)
    except ValueError as unknown:
        what = f"{name!r} is not a mode."
        raise UsageProblem(Problem("Unknown mode", what, choices=tuple(Mode))) from unknown


def preview_lines(of: Scenario, page: Page) -> list[Line]:
    """The situation, the people, how much is asked by layer, and the first turns."""
    lines = [Line((Span(visible(of.id), "strong"),)), *prose(facts_of(of), page, "dim", lead=Span(""))]
    lines += prose(of.conversation_context, page, lead=Span(""))
    lines.append(Line())
    for speaker, code, role in (("A", of.pair[0], of.relation.A), ("B", of.pair[1], of.relation.B)):
        lead = Span(f"{speaker}  ", "side-a" if speaker == "A" else "side-b")
        lines += prose(f"{role}, speaks {words.language_name(code)}", page, lead=lead)
    asked = list(criteria(of))
    counts = "   ".join(f"{layer} {sum(c.layer == layer for c in asked)}" for layer in LAYERS)
    lines += [
        *prose(f"criteria: {counts}", page, "dim"),
        *prose(f"modes: {', '.join(modes(of))}", page, "dim"),
    ]
    for turn in of.turns[:_PREVIEWED]:
        source, target = of.direction(turn.index)
        lead = Span(f"{turn.index}  ", side_kind(turn.speaker))
        lines += [Line(), *prose(turn.source, page, code=source, lead=lead)]
        lines += prose(turn.reference, page, "dim", code=target)
    return lines


def facts_lines(facts: Sequence[Fact], recent: Sequence[str], page: Page) -> list[Line]:
    """What is available, each with a mark, its state and why; then recent runs."""
    lines = []
    for fact in facts:
        mark, kind = _FACTS[fact.status]
        state = "" if fact.status == "note" else f"{fact.status}: "
        lines += prose(f"{fact.subject}: {state}{fact.detail}", page, lead=Span(f"{mark}  ", kind))
    if recent:
        lines += [Line(), Line((Span("Recent runs", "strong"),))]
        lines += [line for name in recent for line in prose(name, page)]
    return lines


def problem_lines(refusal: UsageProblem, width: int) -> list[Line]:
    """What cannot be used, why, and what could be."""
    lines = []
    for problem in refusal.problems:
        choices = f" Choices: {', '.join(problem.choices)}." if problem.choices else ""
        said = f"{problem.title}: {problem.what} {problem.why}{choices}"
        lines += prose(said, Page(width), "fault", lead=Span("✗  ", "fault"))
    return lines
