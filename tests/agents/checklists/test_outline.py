"""Outline checklists: from intents, contexts and registers alone, for whatever a scenario leaves open."""

import pytest

from agents.checklists.rules import RuleWriter
from agents.judges.rules import RulesJudge
from scenarios import loader
from scenarios.checklists import is_coherence
from scenarios.taxonomy import taxonomy
from sim.core.values import LAYERS, Checklists, Scenario, ScenarioTurn
from tests.agents.clients import judge_view, scope

WRITER = RuleWriter(taxonomy)
SHIPPED = loader.shipped()


def bare(scenario: Scenario) -> Scenario:
    """The scenario as somebody leaves it who wrote no checklist."""
    turns = tuple(turn.model_copy(update={"checklists": Checklists()}) for turn in scenario.turns)
    return scenario.model_copy(update={"turns": turns})


def own(pair: tuple[str, str], intent: str, register: dict[str, str] | None = None) -> Scenario:
    return bare(SHIPPED[0]).model_copy(
        update={
            "pair": pair,
            "relation": SHIPPED[0].relation.model_copy(update={"register_": register or {}}),
            "turns": tuple(
                ScenarioTurn(index=n, speaker="AB"[n % 2], source="x", reference="y", intent=intent)
                for n in range(3)
            ),
        }
    )


def functions(turn: ScenarioTurn) -> dict[str, str]:
    return {(c.function or "").rpartition("/")[2]: c.ask for c in turn.checklists.outline or ()}


@pytest.mark.parametrize("scenario", SHIPPED, ids=lambda scenario: scenario.id)
def test_a_scenario_without_checklists_gets_good_ones(scenario: Scenario) -> None:
    written = WRITER.outline(bare(scenario))
    criteria = [c for turn in written.turns for c in turn.checklists.outline or ()]
    for turn in written.turns:
        one, two, three = (sum(c.layer == layer for c in turn.checklists.outline or ()) for layer in LAYERS)
        assert three >= two >= one >= 1
    assert len({c.id for c in criteria}) == len(criteria)
    assert any(is_coherence(c) for c in criteria)
    points = {point.id for turn in written.turns for point in turn.analysis.failure_points}
    named = {c.failure_point for c in criteria if c.failure_point}
    assert named
    assert named <= points


@pytest.mark.parametrize("scenario", SHIPPED, ids=lambda scenario: scenario.id)
def test_what_a_scenario_brings_is_kept(scenario: Scenario) -> None:
    assert WRITER.outline(scenario) is scenario


def test_an_empty_checklist_is_the_authors_word() -> None:
    scenario = own(("kor", "ind"), "Say hello.")
    first = scenario.turns[0].model_copy(update={"checklists": Checklists(outline=())})
    written = WRITER.outline(scenario.model_copy(update={"turns": (first, *scenario.turns[1:])}))
    assert written.turns[0].checklists.outline == ()
    assert written.turns[1].checklists.outline


def test_an_intent_names_what_must_arrive() -> None:
    turn = WRITER.outline(
        own(("kor", "ind"), "Thank him, name 250 dinars and half past four, and ask whether he agrees.")
    ).turns[0]
    found = functions(turn)
    assert "250" in found["number-kept"]
    assert "4:30" in found["time-kept"]
    assert {"question-asked", "thanks-kept"} <= set(found)


def test_registers_decide_the_address() -> None:
    found = WRITER.outline(own(("kor", "ben"), "Say it.", {"A": "haera", "B": "apni"}))
    assert "familiar-address" in functions(found.turns[0])
    found = WRITER.outline(own(("kor", "ben"), "Say it.", {"A": "hapsyo", "B": "apni"}))
    assert "respectful-address" in functions(found.turns[0])
    assert "coherence-respectful-address" in functions(found.turns[2])


def test_a_turn_into_a_language_without_functions_stays_without() -> None:
    written = WRITER.outline(own(("swh", "ind"), "Ask whether he has 40 goats."))
    assert written.turns[0].checklists.outline
    assert written.turns[1].checklists.outline is None
    assert not WRITER.knows("swh")


def test_a_turn_without_an_intent_is_asked_what_always_applies() -> None:
    found = functions(WRITER.outline(own(("kor", "arb"), "")).turns[0])
    assert "said-in-language" in found
    assert "question-asked" not in found


@pytest.mark.parametrize("scenario", SHIPPED, ids=lambda scenario: scenario.id)
async def test_references_meet_what_was_written_without_them(scenario: Scenario) -> None:
    # written blind, so a reference may fail one now and then
    failed = []
    for turn in WRITER.outline(bare(scenario)).turns:
        pair = scenario.direction(turn.index)
        view = judge_view(
            source=turn.source, translation=turn.reference, source_language=pair[0], target_language=pair[1]
        )
        view = type(view)(view.conversation_context, view.turns, turn.checklists.outline or ())
        failed += [v for v in await RulesJudge().judge(view, scope()) if v.met is False]
    assert len(failed) <= 1
