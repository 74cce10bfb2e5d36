"""The four modes, as the protocol defines them."""

import pytest

from sim.core.errors import UsageProblem
from sim.core.modes import course
from sim.core.ports import CallScope, Reply, UserLeft, UserView
from sim.core.values import Mode
from tests.sim.core.people import FakeInterpreter, FakeJudge, FakeUser, Stage, scenario


async def test_the_response_to_a_turn_is_the_source_of_the_next() -> None:
    stage = Stage(Mode.DYNAMIC_GUIDED)
    record = await stage.held()
    sources = [turn["source"] for turn in record["turns"]]
    assert [turn["response"] for turn in record["turns"]] == [*sources[1:], None]
    assert len(stage.of("UtteranceSpoken")) == 3
    assert record["end_reason"] == "completed"


async def test_the_last_turn_is_judged_without_a_response() -> None:
    judge = FakeJudge()
    await Stage(Mode.SCRIPTED, judge=judge).held()
    turns = [view.turns[0] for view in judge.seen if view.level == "turn"]
    assert [turn.response for turn in turns] == ["said 1", "said 2", None]


async def test_events_of_a_turn_come_in_the_order_of_the_contract() -> None:
    stage = Stage()
    await stage.held()
    first = [event.type for event in stage.bus.journal if event.turn == 0]
    assert first[:7] == [
        "TurnRequested",
        "ChecklistReady",
        "UtteranceSpoken",
        "LanguageChecked",
        "UtteranceInterpreted",
        "LanguageChecked",
        "UtteranceDelivered",
    ]
    assert stage.types[0] == "ConversationStarted"
    assert stage.types[-1] == "ConversationEnded"


async def test_single_turn_interprets_one_turn_and_asks_for_one_answer() -> None:
    stage = Stage(Mode.SINGLE_TURN)
    record = await stage.held()
    assert [turn["index"] for turn in record["turns"]] == [0]
    assert record["turns"][0]["response"] == "said 1"
    assert len(stage.interpreter.seen) == 1
    assert record["verdicts"] == []


async def test_single_turn_without_a_recipient_has_no_response() -> None:
    record = await Stage(Mode.SINGLE_TURN, b=None).held()
    assert record["turns"][0]["response"] is None
    assert record["end_reason"] == "completed"


async def test_single_turn_takes_the_turn_checklist_where_it_has_no_own() -> None:
    record = await Stage(Mode.SINGLE_TURN).held()
    rows = record["turns"][0]["criteria"]
    assert [(row["id"], row["procedure"]) for row in rows] == [(f"t0.{n}", "single") for n in range(3)]


async def test_guided_uses_the_outline_checklist_and_shows_intents_and_contexts() -> None:
    user = FakeUser()
    record = await Stage(Mode.DYNAMIC_GUIDED, a=user).held()
    assert [row["id"] for row in record["turns"][0]["criteria"]] == ["o0.0", "o0.1", "o0.2"]
    assert user.seen[0].intent == "intent 0"
    assert user.seen[0].role_context == "role of A"


async def test_free_has_no_context_no_intent_and_an_empty_checklist_with_null_scores() -> None:
    user = FakeUser()
    stage = Stage(Mode.DYNAMIC_FREE, a=user)
    record = await stage.held()
    assert user.seen[0].role_context is None
    assert user.seen[0].intent is None
    assert [turn["criteria"] for turn in record["turns"]] == [[], [], []]
    assert record["end_reason"] == "turn_limit"


async def test_users_see_their_own_words_and_translations_only() -> None:
    b = FakeUser()
    await Stage(b=b, play=scenario(4)).held()
    assert [(line.mine, line.text) for line in b.seen[-1].lines] == [
        (False, "<said 0>"),
        (True, "said 1"),
        (False, "<said 2>"),
    ]


async def test_the_interpreter_sees_no_role_context_and_no_reference() -> None:
    interpreter = FakeInterpreter()
    await Stage(interpreter=interpreter).held()
    view = interpreter.seen[-1]
    assert view.reference is None
    assert "role of" not in repr(view)
    assert [(past.index, past.source, past.translation) for past in view.past] == [
        (0, "said 0", "<said 0>"),
        (1, "said 1", "<said 1>"),
    ]


async def test_a_reference_is_shown_for_the_scenarios_own_words_only() -> None:
    interpreter = FakeInterpreter(sees_reference=True)
    await Stage(a=FakeUser({0: "source 0"}), interpreter=interpreter).held()
    assert [view.reference for view in interpreter.seen] == ["reference 0", None, None]


async def test_a_judge_is_shown_the_reference_only_where_it_says_so_and_the_words_are_the_scenarios() -> None:
    fixed = FakeUser({n: f"source {n}" for n in range(3)})
    blind, seeing = FakeJudge(), FakeJudge(sees_reference=True)
    await Stage(a=fixed, b=fixed, judge=blind).held()
    await Stage(a=fixed, judge=seeing).held()
    assert {view.turns[0].reference for view in blind.seen} == {None}
    turn_views = [view for view in seeing.seen if view.level == "turn"]
    assert [view.turns[0].reference for view in turn_views] == ["reference 0", None, "reference 2"]


async def test_a_user_ends_with_words_that_are_still_interpreted_and_given_no_criteria() -> None:
    stage = Stage(Mode.DYNAMIC_FREE, b=FakeUser({1: Reply("bye", end=True)}))
    record = await stage.held()
    assert record["end_reason"] == "user_ended"
    assert record["turns"][1]["translation"] == "<bye>"


async def test_a_script_has_no_say_over_free_talk() -> None:
    judge = FakeJudge()
    record = await Stage(Mode.DYNAMIC_FREE, judge=judge, play=scenario(3)).held()
    assert (record["criteria"], record["verdicts"]) == ([], [])
    assert [view.level for view in judge.seen] == []
    guided = await Stage(Mode.DYNAMIC_GUIDED, play=scenario(3)).held()
    assert len(guided["verdicts"]) == 1


async def test_a_guided_user_who_wants_to_end_early_is_asked_once_to_go_on() -> None:
    class Hasty(FakeUser):
        async def speak(self, view: UserView, scope: CallScope) -> Reply:
            self.seen.append(view)
            return Reply("and one more thing") if view.parting else Reply("bye", end=True)

    user = Hasty()
    record = await Stage(Mode.DYNAMIC_GUIDED, b=user).held()
    assert [view.parting for view in user.seen] == [None, "bye"]
    assert record["turns"][1]["source"] == "and one more thing"
    assert (record["end_reason"], len(record["turns"])) == ("completed", 3)


async def test_the_last_guided_turn_may_end_the_conversation() -> None:
    user = FakeUser({2: Reply("bye", end=True)})
    record = await Stage(Mode.DYNAMIC_GUIDED, a=user).held()
    assert record["end_reason"] == "completed"
    assert [view.turn for view in user.seen] == [0, 2]


async def test_a_guided_user_who_ends_all_the_same_has_ended_early() -> None:
    stage = Stage(Mode.DYNAMIC_GUIDED, b=FakeUser({1: Reply("bye", end=True)}))
    record = await stage.held()
    assert record["end_reason"] == "user_ended_early"
    assert record["verdicts"] == []
    assert record["turns"][1]["translation"] == "<bye>"
    assert len(record["turns"][1]["verdicts"]) == 3
    assert len(record["turns"]) == 2


async def test_an_end_word_in_a_sentence_ends_nothing() -> None:
    record = await Stage(Mode.DYNAMIC_GUIDED, a=FakeUser({0: "well ###STOP### then"})).held()
    assert record["end_reason"] == "completed"


async def test_a_person_leaving_ends_the_conversation_and_keeps_what_was_said() -> None:
    record = await Stage(Mode.DYNAMIC_GUIDED, b=FakeUser({1: UserLeft()})).held()
    assert record["end_reason"] == "user_left"
    assert len(record["turns"]) == 1
    assert len(record["turns"][0]["verdicts"]) == 3
    assert record["verdicts"] == []


async def test_in_single_turn_mode_the_script_before_the_turn_is_its_history() -> None:
    interpreter = FakeInterpreter()
    await Stage(Mode.SINGLE_TURN, interpreter=interpreter, turn=2).held()
    await Stage(Mode.SINGLE_TURN, interpreter=interpreter, turn=0).held()
    late, first = interpreter.seen
    assert [(past.index, past.speaker, past.source, past.translation) for past in late.past] == [
        (0, "A", "source 0", "reference 0"),
        (1, "B", "source 1", "reference 1"),
    ]
    assert (late.multi_turn, first.past, first.multi_turn) == (True, (), False)


async def test_what_a_scenario_knows_of_its_own_words_is_in_the_record() -> None:
    own = FakeUser({n: f"source {n}" for n in range(3)})
    record = await Stage(a=own).held()
    known = [(row["intent"], row["reference"], row["gloss"]) for row in record["turns"]]
    gloss = {"source": "source 0 in English", "reference": "reference 0 in English"}
    assert known == [
        ("intent 0", "reference 0", gloss),
        (None, None, None),
        ("intent 2", "reference 2", None),
    ]


async def test_a_guided_turn_has_its_intent_whoever_finds_the_words_and_a_free_one_has_none() -> None:
    guided = await Stage(Mode.DYNAMIC_GUIDED).held()
    free = await Stage(Mode.DYNAMIC_FREE).held()
    assert [(row["intent"], row["reference"]) for row in guided["turns"]] == [
        (f"intent {n}", None) for n in range(3)
    ]
    assert {row["intent"] for row in free["turns"]} == {None}


async def test_turns_shorten_a_conversation() -> None:
    record = await Stage(turns=2).held()
    assert [turn["index"] for turn in record["turns"]] == [0, 1]
    assert record["verdicts"] == []


async def test_a_held_translation_is_retried_and_delivered_as_its_speaker_decides() -> None:
    stage = Stage(Mode.DYNAMIC_GUIDED, ask=True, a=FakeUser(decisions=["retry", "deliver"]))
    stage.delivery.odd.add("<said 0>")
    await stage.held()
    assert len(stage.of("UtteranceInterpreted", 0)) == 2
    assert len(stage.of("UtteranceHeld", 0)) == 2
    assert [e.model_dump()["decision"] for e in stage.of("HoldDecided", 0)] == ["retry", "deliver"]


async def test_leaving_at_a_held_translation_ends_the_conversation() -> None:
    stage = Stage(Mode.DYNAMIC_GUIDED, ask=True)
    stage.delivery.odd.add("<said 0>")
    record = await stage.held()
    assert record["end_reason"] == "user_left"
    assert record["turns"][0]["criteria"] == []


async def test_without_asking_a_flag_is_recorded_and_the_text_delivered_as_it_is() -> None:
    stage = Stage()
    stage.delivery.odd.add("<said 0>")
    record = await stage.held()
    assert record["turns"][0]["flags"] == ["echo"]
    assert record["turns"][0]["translation"] == "<said 0>"
    assert record["turns"][0]["raw"] == " <said 0>"


@pytest.mark.parametrize(
    ("mode", "options"),
    [
        (Mode.SCRIPTED, {"turn": 0}),
        (Mode.SINGLE_TURN, {"turn": 9}),
        (Mode.SINGLE_TURN, {"turns": 2}),
        (Mode.SCRIPTED, {"turns": 99}),
        (Mode.DYNAMIC_GUIDED, {"turns": 0}),
    ],
)
def test_numbers_that_do_not_fit_are_refused_with_what_would(mode: Mode, options: dict[str, int]) -> None:
    with pytest.raises(UsageProblem) as refused:
        course(mode, scenario(), **options)
    assert refused.value.problems[0].choices
