"""`skopos scenarios list|show|check`: what is shipped, one of them in full, and whether files are sound.

Results on stdout, problems on stderr. Unknown names and unusable files raise UsageProblem, printed by
the caller; only `check` reports them as its findings.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from sim.commands import errors, options
from sim.core.errors import Problem
from sim.core.identity import digest
from sim.core.languages import language
from sim.core.text import dumps, visible
from sim.core.values import Criterion, Scenario, ScenarioTurn, other

if TYPE_CHECKING:
    from scenarios.checker import Report
    from scenarios.evidence import Tally

_CHOICES_SHOWN = 8


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command line of `skopos scenarios`."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="list|show|check")
    listing = actions.add_parser("list", help="the shipped scenarios")
    options.add_pack(listing)
    showing = actions.add_parser("show", help="one scenario in full")
    showing.add_argument("scenario", metavar="ID|PATH", help="a shipped id, or a YAML file")
    for action in (listing, showing):
        action.add_argument("--json", action="store_true", help="print one JSON document")
    showing.add_argument("--checks", action="store_true", help="with what the rules judge looks for")
    checking = actions.add_parser("check", help="is a scenario sound, and do its checks hold on its texts?")
    checking.add_argument(
        "names",
        nargs="*",
        metavar="ID|PATH|GLOB",
        help="what to check; all shipped scenarios if none is named",
    )


def run(args: argparse.Namespace) -> int:
    """0 when all is well, 1 when `check` found problems. Raises UsageProblem (exit code 2)."""
    if args.action == "list":
        return _list(args.pack, as_json=args.json)
    if args.action == "show":
        return _show(args.scenario, as_json=args.json, checks=args.checks)
    return _check(args.names)


def _list(pack: str | None, *, as_json: bool) -> int:
    from scenarios.loader import CORE, packs, shipped

    rows = [_row(scenario) for scenario in shipped(pack or CORE)]
    if as_json:
        print(dumps({"schema": 1, "scenarios": rows}))
        return 0
    width = max((len(row["id"]) for row in rows), default=2)
    print(f"{'id':{width}}  pair     turns  criteria  setting")
    for row in rows:
        pair = "-".join(row["pair"])
        numbers = f"{row['turns']:>5}  {row['criteria']:>8}"
        print(f"{row['id']:{width}}  {pair}  {numbers}  {visible(row['setting'])}")
    others = [name for name in packs() if pack is None and name != CORE]
    if others:
        print(f"pack {CORE}; --pack lists another: {', '.join(others)}, all")
    return 0


def _row(scenario: Scenario) -> dict[str, Any]:
    from scenarios.loader import scenario_hash

    counted = sum(len(turn.checklists.turn or ()) for turn in scenario.turns) + len(scenario.criteria)
    return {
        "id": scenario.id,
        "pair": scenario.pair,
        "setting": scenario.setting,
        "pack": scenario.pack,
        "turns": len(scenario.turns),
        "criteria": counted,
        "hash": scenario_hash(scenario),
    }


def _show(name: str, *, as_json: bool, checks: bool) -> int:
    from scenarios.loader import find, scenario_hash

    scenario = find(name)
    if as_json:
        document = scenario.model_dump(mode="json", by_alias=True)
        print(dumps({"schema": 1, "hash": scenario_hash(scenario), "scenario": document}))
        return 0
    for line in _lines(scenario, checks):
        print(line)
    return 0


def _lines(scenario: Scenario, checks: bool) -> Iterator[str]:
    yield scenario.id
    for speaker, who in (("A", scenario.relation.A), ("B", scenario.relation.B)):
        code = scenario.pair[speaker == "B"]
        yield f"  {speaker}: {visible(who)} ({code}, {language(code).name})"
    yield f"  setting: {visible(scenario.setting)}"
    yield f"  context: {_block(scenario.conversation_context)}"
    for speaker, context in (("A", scenario.contexts.A), ("B", scenario.contexts.B)):
        if context:
            yield f"  context of {speaker}: {_block(context)}"
    for turn in scenario.turns:
        yield from _turn(scenario, turn, checks)
    if scenario.criteria:
        yield ""
        yield "Conversation"
        yield from _criteria("criteria", scenario.criteria, checks)


def _turn(scenario: Scenario, turn: ScenarioTurn, checks: bool) -> Iterator[str]:
    source, target = scenario.direction(turn.index)
    yield ""
    yield f"Turn {turn.index}: {turn.speaker} to {other(turn.speaker)}, {source} to {target}"
    yield f"  source: {_block(turn.source)}"
    yield f"  reference: {_block(turn.reference)}"
    for text in turn.alternatives:
        yield f"  alternative: {_block(text)}"
    if turn.intent:
        yield f"  intent: {_block(turn.intent)}"
    if turn.gloss:
        yield f"  gloss: {_block(turn.gloss.source)}"
        yield f"  gloss of the reference: {_block(turn.gloss.reference)}"
    for point in turn.analysis.failure_points:
        yield f"  failure point {visible(point.id)}: {_block(point.text)}"
    for procedure in ("turn", "single", "outline"):
        yield from _criteria(f"checklist ({procedure})", getattr(turn.checklists, procedure) or (), checks)
    for contrast in turn.contrasts:
        breaks = ", ".join(contrast.breaks) or "nothing"
        yield f"  contrast {visible(contrast.name)}, breaks {visible(breaks)}: {_block(contrast.text)}"


def _criteria(title: str, criteria: tuple[Criterion, ...], checks: bool) -> Iterator[str]:
    if criteria:
        yield f"  {title}:"
    for criterion in criteria:
        yield f"    {criterion.layer} {criterion.id}: {visible(criterion.ask)}"
        if checks and criterion.check is not None:
            check = criterion.check.model_dump(mode="json", exclude_defaults=True)
            yield f"      check: {visible(dumps(check))}"


def _block(text: str) -> str:
    """A text of several lines, the later ones indented."""
    return visible(text.strip(), keep_newlines=True).replace("\n", "\n    ")


def _check(names: list[str]) -> int:
    from scenarios.checker import check
    from scenarios.loader import select
    from sim.wiring.checking import scenario_check_parts

    paths = select(names)
    judge, detector = scenario_check_parts()
    report = asyncio.run(check(paths, judge, detector))
    for problem in report.problems:
        errors.say(_problem(problem))
    print(_summary(report))
    print(visible(_instruments(judge.identity, detector.identity)))
    return 1 if report.problems else 0


def _instruments(judge: Mapping[str, Any], detector: Mapping[str, Any]) -> str:
    """What the counts were measured with, in the words of a signature."""
    return (
        f"measured with judge {judge.get('judge')} {digest(judge, 8)}, "
        f"language {detector.get('detector', '?')}@{detector.get('threshold', '?')}"
    )


def _problem(problem: Problem) -> str:
    said = " ".join(part for part in (problem.what, problem.why) if part)
    if problem.choices:
        said += f" Valid: {', '.join(problem.choices[:_CHOICES_SHOWN])}"
        said += ", …" if len(problem.choices) > _CHOICES_SHOWN else "."
    return visible(f"{problem.where}: {said}" if problem.where else said)


def _summary(report: Report) -> str:
    return (
        f"{_count(report.files, 'scenario')}, {_count(len(report.problems), 'problem')}; "
        f"references: {_tally(report.references)}; alternatives: {_tally(report.alternatives)}; "
        f"contrasts: {report.contrasts_as_named} of {report.contrasts} break exactly what they name"
    )


def _tally(tally: Tally) -> str:
    return f"{tally.met} of {tally.criteria} criteria met, {tally.not_met} not met, {tally.unjudged} unjudged"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
