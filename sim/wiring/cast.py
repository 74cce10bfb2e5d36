"""Who takes which seat in which mode, and what people are told of it."""

from dataclasses import dataclass, replace

from agents.checklists.rules import RuleWriter
from agents.interpreters.local import LABEL as WEAK_INTERPRETER
from agents.users.local import LABEL as WEAK_USERS
from agents.users.person import Person, PersonUser
from agents.users.script import OpeningUser, ScriptUser
from scenarios.taxonomy import taxonomy
from sim.core.bus import Bus
from sim.core.errors import Problem, UsageProblem
from sim.core.languages import language
from sim.core.modes import Course
from sim.core.ports import ChecklistWriter, User
from sim.core.studio import Setup
from sim.core.values import Mode, Scenario, Speaker, other
from sim.runs.book import judging
from sim.runs.named import Role
from sim.wiring import names
from sim.wiring.names import OpenClient

SIDES: tuple[Speaker, Speaker] = ("A", "B")


@dataclass(frozen=True, slots=True)
class Company:
    """The users of one conversation, and the seats persons hold among them."""

    users: dict[Speaker, User]
    seats: dict[Speaker, Person]


def seated(setup: Setup, scenario: Scenario, course: Course) -> Setup:
    """`setup` with the users of its languages in the live seats that nobody else has."""
    if not setup.users or course.mode is Mode.SCRIPTED:
        return setup
    named: dict[Speaker, str | None] = {
        side: setup.users.get(language) for side, language in zip(SIDES, scenario.pair, strict=True)
    }
    if course.mode is Mode.SINGLE_TURN:
        named[scenario.speaker_of(course.first)] = None
    return replace(setup, user_a=setup.user_a or named["A"], user_b=setup.user_b or named["B"])


def users_key(setup: Setup, scenario: Scenario, course: Course) -> str:
    """Both users' names, `A|B`, as they enter the conversation key; nobody is `-`."""
    if course.mode is Mode.SCRIPTED:
        return "script|script"
    named: dict[Speaker, str] = {"A": setup.user_a or "-", "B": setup.user_b or "-"}
    if course.mode is Mode.SINGLE_TURN:
        speaker = scenario.speaker_of(course.first)
        named[speaker] = "script"
        if named[other(speaker)] == "script":
            named[other(speaker)] = "-"
    return "|".join(named[side] for side in SIDES)


def company(setup: Setup, scenario: Scenario, course: Course, bus: Bus, client: OpenClient) -> Company:
    """The users of `setup`. Raises UsageProblem for users a mode cannot have."""
    named: dict[Speaker, str | None] = {"A": setup.user_a, "B": setup.user_b}
    if course.mode is Mode.SCRIPTED:
        _only_scripts(named)
        return Company({side: ScriptUser(scenario) for side in SIDES}, {})
    if course.mode is Mode.SINGLE_TURN:
        return _single(named, scenario, course, client)
    _refuse_scriptless(setup, named, scenario)
    return _dynamic(named, scenario, course, bus, client)


def _only_scripts(named: dict[Speaker, str | None]) -> None:
    wrong = [f"--user-{side.lower()} {name}" for side, name in named.items() if name not in (None, "script")]
    if wrong:
        raise UsageProblem(
            Problem(
                "Users do not fit the mode",
                f"{' and '.join(wrong)}: in scripted mode the sources are fixed.",
                "Choose a mode with live users by --mode.",
                ("single-turn", "dynamic-guided", "dynamic-free"),
            )
        )


def _single(
    named: dict[Speaker, str | None], scenario: Scenario, course: Course, client: OpenClient
) -> Company:
    speaker = scenario.speaker_of(course.first)
    users: dict[Speaker, User] = {speaker: ScriptUser(scenario)}
    if named[speaker] not in (None, "script"):
        raise UsageProblem(
            Problem(
                "Users do not fit the mode",
                f"--user-{speaker.lower()} {named[speaker]}: user {speaker} speaks the scenario's own words.",
                f"In single-turn mode only the recipient, user {other(speaker)}, can be a model.",
            )
        )
    recipient = named[other(speaker)]
    if recipient not in (None, "script"):
        users[other(speaker)] = names.user(recipient, recipient=True, client=client)
    return Company(users, {})


def _dynamic(
    named: dict[Speaker, str | None], scenario: Scenario, course: Course, bus: Bus, client: OpenClient
) -> Company:
    missing = [f"--user-{side.lower()}" for side, name in named.items() if name is None]
    if missing:
        raise UsageProblem(
            Problem(
                "Users needed",
                f"{course.mode} mode needs someone in both seats: give {' and '.join(missing)}.",
                "A user is a model or a script; a person takes a seat in `skopos chat`.",
                tuple(name for name in names.USERS if name != "person"),
            )
        )
    users: dict[Speaker, User] = {}
    seats: dict[Speaker, Person] = {}
    for side, name in named.items():
        if name == "person":
            seats[side] = Person(side, bus)
            users[side] = PersonUser(seats[side])
        elif name == "script":
            users[side] = ScriptUser(scenario)
        else:
            users[side] = names.user(name or "", recipient=False, client=client)
    opener = scenario.opens
    if course.mode is Mode.DYNAMIC_FREE and scenario.turns and opener not in seats:
        users[opener] = OpeningUser(scenario, users[opener])
    return Company(users, seats)


def _refuse_scriptless(setup: Setup, named: dict[Speaker, str | None], scenario: Scenario) -> None:
    """`script` and `reference` have only the words of a scenario."""
    if "script" in named.values() and not scenario.turns:
        raise UsageProblem(
            Problem(
                "No script",
                "'script' speaks a scenario's words, and there is none.",
                "Name one by --scenario.",
            )
        )
    if "person" in named.values() and setup.interpreter == "reference":
        raise UsageProblem(
            Problem(
                "No reference",
                "'reference' has translations of a scenario's own words only, not of what a person types.",
                "Name another interpreter by --interpreter.",
                tuple(name for name in names.INTERPRETERS if name != "reference"),
            )
        )


def labels(setup: Setup) -> tuple[str, ...]:
    """What stays on screen as long as the conversation lasts."""
    found = [WEAK_INTERPRETER] if setup.interpreter == "local" else []
    return (*found, WEAK_USERS) if "local" in (setup.user_a, setup.user_b) else tuple(found)


def asked(setup: Setup) -> tuple[tuple[Role, str], ...]:
    """The models a setup asks, as they are written, each with its role."""
    inside = ("rules", "none", "reference", "copy", "script", "person", "")
    named: list[tuple[Role, str | None]] = [("interpreter", setup.interpreter)]
    named += [("judge", name) for name in judging(setup.judge)]
    named += [("user", setup.user_a), ("user", setup.user_b)]
    return tuple(dict.fromkeys((role, name) for role, name in named if name and name not in inside))


def _registers(scenario: Scenario) -> dict[str, str]:
    """By language, how its speaker speaks to the other."""
    levels = scenario.relation.register_
    return {scenario.language_of(side): levels[side] for side in SIDES if side in levels}


def checklists(
    setup: Setup, scenario: Scenario, course: Course
) -> tuple[Scenario, ChecklistWriter | None, tuple[str, ...]]:
    """The scenario with every checklist its course can have before the run, who writes any, and notices.

    Outline checklists that a scenario brings are kept. The notices name languages nothing is written for.
    """
    if setup.judge == "none" or course.procedure not in ("post-hoc", "outline"):
        return scenario, None, ()
    writer = RuleWriter(taxonomy, _registers(scenario))
    written = writer.outline(scenario) if course.procedure == "outline" else scenario
    bare = {
        scenario.direction(index)[1]
        for index in course.indices
        if course.procedure == "post-hoc" or not course.criteria(written, index)
    }
    missing = sorted(language(code).name for code in bare if not writer.knows(code))
    notice = f"no checklist can be written for talk into {' and '.join(missing)}: it is not judged"
    used = course.procedure == "post-hoc" or written is not scenario
    return written, writer if used else None, (notice,) if missing else ()
