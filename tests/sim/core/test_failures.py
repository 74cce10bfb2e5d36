"""The failure table: what failed, in which mode, and what it does to scores and to what follows."""

import asyncio

import pytest

from sim.analysis.scores import pooled
from sim.analysis.systems import system_rows
from sim.core.errors import CallFailed, Fault, FaultKind, Layer
from sim.core.ports import CallScope, Interpretation, InterpreterView, JudgeView, Reply, UserView
from sim.core.values import Basis, LanguageCheck, Mode, Verdict
from tests.sim.core.people import (
    BLOCKED,
    EMPTY,
    FakeDetector,
    FakeInterpreter,
    FakeJudge,
    FakeUser,
    Stage,
    all_met,
    bases,
    down,
    fault,
    met,
)

MULTI = [Mode.SCRIPTED, Mode.DYNAMIC_GUIDED, Mode.DYNAMIC_FREE]


# ---- the system


@pytest.mark.parametrize("answer", [EMPTY, BLOCKED, Interpretation("ok", " \n", " \n")])
async def test_scripted_goes_on_after_a_failed_interpretation(answer: Interpretation) -> None:
    stage = Stage(interpreter=FakeInterpreter({1: [answer]}))
    record = await stage.held()
    assert record["end_reason"] == "completed"
    assert met(record, 1) == [False, False, False]
    assert bases(record, 1) == {"system_failure"}
    assert met(record, 2) == [True, True, True]
    assert record["turns"][1]["translation"] is None
    assert record["turns"][1]["fault"]["layer"] == "system"
    assert pooled([record]).overall == 6 / 9


@pytest.mark.parametrize("mode", [Mode.SCRIPTED, Mode.DYNAMIC_GUIDED])
async def test_a_failure_counts_only_on_what_the_judge_could_have_answered(mode: Mode) -> None:
    prefix = "o" if mode.dynamic else "t"
    rest = frozenset(f"{prefix}{turn}.{n}" for turn in range(3) for n in (1, 2))
    stage = Stage(mode, interpreter=FakeInterpreter({1: [EMPTY]}), judge=FakeJudge(unclaimed=rest))
    record = await stage.held()
    assert met(record, 1) == [False, None, None]
    assert bases(record, 1) == {"system_failure", "not_claimed"}
    if mode.dynamic:
        assert met(record, 2) == [False, None, None]
        assert bases(record, 2) == {"not_reached", "not_claimed"}


async def test_single_turn_ends_with_a_failed_interpretation() -> None:
    record = await Stage(Mode.SINGLE_TURN, interpreter=FakeInterpreter({0: [EMPTY]})).held()
    assert record["end_reason"] == "interpreter_failed"
    assert met(record, 0) == [False, False, False]
    assert record["turns"][0]["response"] is None


async def test_guided_ends_and_counts_the_turns_not_reached_as_not_met() -> None:
    record = await Stage(Mode.DYNAMIC_GUIDED, interpreter=FakeInterpreter({1: [BLOCKED]})).held()
    assert record["end_reason"] == "interpreter_failed"
    assert bases(record, 1) == {"system_failure"}
    assert bases(record, 2) == {"not_reached"}
    assert met(record, 2) == [False, False, False]
    assert record["turns"][2]["direction"] == ["kor", "ind"]
    assert pooled([record]).overall == 3 / 9


async def test_free_ends_and_counts_only_turns_spoken() -> None:
    record = await Stage(Mode.DYNAMIC_FREE, interpreter=FakeInterpreter({1: [EMPTY]})).held()
    assert record["end_reason"] == "interpreter_failed"
    assert [turn["index"] for turn in record["turns"]] == [0, 1]


async def test_blocked_is_kept_apart_from_empty() -> None:
    stage = Stage(interpreter=FakeInterpreter({0: [EMPTY], 1: [BLOCKED]}))
    record = await stage.held()
    assert [turn["fault"] and turn["fault"]["kind"] for turn in record["turns"]] == ["empty", "blocked", None]


async def test_a_truncated_translation_is_delivered() -> None:
    half = Interpretation("truncated", "<half", "<half")
    record = await Stage(interpreter=FakeInterpreter({0: [half]})).held()
    assert record["turns"][0]["translation"] == "<half"


# ---- infrastructure


@pytest.mark.parametrize("mode", [Mode.SINGLE_TURN, *MULTI])
async def test_infrastructure_gives_no_score_and_ends(mode: Mode) -> None:
    record = await Stage(mode, interpreter=FakeInterpreter({0: [down()]})).held()
    assert record["end_reason"] == "infrastructure"
    assert record["turns"][0]["verdicts"] == []
    assert record["turns"][0]["criteria"] == []
    assert pooled([record]).overall is None


@pytest.mark.parametrize("mode", [Mode.DYNAMIC_GUIDED, Mode.DYNAMIC_FREE])
async def test_a_users_dead_server_is_infrastructure_too(mode: Mode) -> None:
    record = await Stage(mode, b=FakeUser({1: down()})).held()
    assert record["end_reason"] == "infrastructure"
    assert record["fault"]["layer"] == "infrastructure"


async def test_a_used_up_budget_ends_as_budget() -> None:
    spent = CallFailed(FaultKind.BUDGET, "The budget is used up.")
    record = await Stage(interpreter=FakeInterpreter({1: [spent]})).held()
    assert record["end_reason"] == "budget"


# ---- the judge


@pytest.mark.parametrize("mode", MULTI[:2])
async def test_a_failed_judge_leaves_its_turn_unjudged_and_nothing_else(mode: Mode) -> None:
    def says(view: JudgeView) -> tuple[Verdict, ...]:
        if view.level == "turn" and view.turns[0].index == 1:
            raise down()
        return all_met(view)

    record = await Stage(mode, judge=FakeJudge(says)).held()
    assert record["end_reason"] == "completed"
    assert met(record, 1) == [None, None, None]
    assert bases(record, 1) == {"unjudged"}
    assert met(record, 2) == [True, True, True]
    assert record["turns"][1]["fault"]["layer"] == "judge"
    scores = pooled([record])
    assert (scores.overall, scores.judged, scores.criteria) == (1.0, 6, 9)
    assert scores.bounds == (6 / 9, 1.0)


async def test_a_bug_in_a_judge_is_a_fault_and_no_crash() -> None:
    def says(view: JudgeView) -> tuple[Verdict, ...]:
        raise ZeroDivisionError

    record = await Stage(judge=FakeJudge(says)).held()
    assert record["end_reason"] == "completed"
    assert record["turns"][0]["fault"]["kind"] == "internal"
    assert pooled([record]).overall is None


async def test_a_bug_in_a_participant_ends_its_conversation_and_tells_no_secret() -> None:
    bug = KeyError("sk-secret")
    for stage, who in (
        (Stage(interpreter=FakeInterpreter({1: [bug]})), "interpreter"),
        (Stage(Mode.DYNAMIC_GUIDED, b=FakeUser({1: bug})), "user B"),
    ):
        record = await stage.held()
        assert record["end_reason"] == "infrastructure"
        fault = record["fault"] or record["turns"][-1]["fault"]
        assert (fault["kind"], fault["layer"]) == ("internal", "infrastructure")
        assert fault["what"] == f"{who[0].upper()}{who[1:]} failed: KeyError."
        assert "people.py" in str(stage.bus.journal)
        assert "sk-secret" not in str(stage.bus.journal)
        assert met(record, 0) == [True, True, True]


async def test_a_bug_in_a_check_ends_its_conversation() -> None:
    class Broken(FakeDetector):
        def check(
            self, text: str, expected: str, source: str | None = None, original: str | None = None
        ) -> LanguageCheck:
            raise AttributeError

    record = await Stage(detector=Broken()).held()
    assert record["end_reason"] == "infrastructure"


async def test_cancellation_and_interrupts_pass() -> None:
    for stop in (asyncio.CancelledError, KeyboardInterrupt):

        class Stopped(FakeInterpreter):
            async def interpret(self, view: InterpreterView, scope: CallScope) -> Interpretation:
                raise stop  # noqa: B023

        stage = Stage(interpreter=Stopped())
        with pytest.raises(stop):
            await stage.held()


async def test_a_judge_that_leaves_out_doubles_or_invents_criteria() -> None:
    def says(view: JudgeView) -> tuple[Verdict, ...]:
        first, second, *_ = all_met(view)
        other = second.model_copy(update={"met": False})
        invented = first.model_copy(update={"criterion": "made.up"})
        return (first, first, second, other, invented)

    record = await Stage(judge=FakeJudge(says), turns=1).held()
    assert [v["criterion"] for v in record["turns"][0]["verdicts"]] == ["t0.0", "t0.1", "t0.2"]
    assert met(record, 0) == [True, None, None]


async def test_without_a_judge_everything_is_unjudged() -> None:
    record = await Stage(judge=None).held()
    assert {basis for n in range(3) for basis in bases(record, n)} == {Basis.UNJUDGED}
    assert pooled([record]).bounds == (0.0, 1.0)


# ---- users


@pytest.mark.parametrize("mode", [Mode.DYNAMIC_GUIDED, Mode.DYNAMIC_FREE])
@pytest.mark.parametrize(
    "kind", [FaultKind.REFUSED, FaultKind.BROKE_CHARACTER, FaultKind.NEVER_ENDED, FaultKind.BLOCKED]
)
async def test_a_users_failure_ends_the_conversation_as_its_own(mode: Mode, kind: FaultKind) -> None:
    record = await Stage(mode, b=FakeUser({1: fault(kind)})).held()
    assert record["end_reason"] == "user_fault"
    assert record["fault"]["kind"] == kind


async def test_an_empty_turn_is_asked_for_once_more() -> None:
    class Hesitant(FakeUser):
        async def speak(self, view: UserView, scope: CallScope) -> Reply:
            self.seen.append(view)
            return Reply("at last" if view.again else " \n")

    user = Hesitant()
    record = await Stage(Mode.DYNAMIC_GUIDED, b=user).held()
    assert record["turns"][1]["source"] == "at last"
    assert [view.again for view in user.seen] == [False, True]


async def test_two_empty_turns_abort() -> None:
    record = await Stage(Mode.DYNAMIC_GUIDED, b=FakeUser({1: " \n"})).held()
    assert record["end_reason"] == "user_fault"
    assert record["fault"]["kind"] == "empty"
    assert pooled([record]).overall == 1.0


async def test_an_aborted_conversation_is_excluded_counted_and_keeps_its_system_from_being_ranked() -> None:
    good = await Stage(Mode.DYNAMIC_GUIDED).held()
    aborted = await Stage(Mode.DYNAMIC_GUIDED, b=FakeUser({1: " "})).held()
    (row,) = system_rows([good, aborted], {})
    assert (row.conversations, row.aborted) == (1, 1)
    assert row.scores.overall == 1.0
    assert row.aborted_as_zero == 0.5
    assert row.caveats == ("1 of 2 aborted",)


@pytest.mark.parametrize("kind", [FaultKind.REFUSED, FaultKind.BROKE_CHARACTER])
async def test_in_single_turn_mode_a_refusal_is_a_reply_judged_and_marked(kind: FaultKind) -> None:
    judge = FakeJudge()
    refusing = FakeUser({1: Reply("I cannot help with that.", fault=fault(kind).fault)})
    record = await Stage(Mode.SINGLE_TURN, b=refusing, judge=judge).held()
    assert record["end_reason"] == "completed"
    (row,) = record["turns"]
    assert row["response"] == judge.seen[0].turns[0].response == "I cannot help with that."
    assert (row["response_fault"]["kind"], row["fault"], record["fault"]) == (kind, None, None)
    assert met(record, 0) == [True, True, True]


@pytest.mark.parametrize("mode", [Mode.DYNAMIC_GUIDED, Mode.DYNAMIC_FREE])
async def test_the_words_by_which_a_user_failed_stay_in_the_record(mode: Mode) -> None:
    refusing = FakeUser({1: Reply("As a model I cannot.", fault=fault(FaultKind.REFUSED).fault)})
    record = await Stage(mode, b=refusing).held()
    assert record["end_reason"] == "user_fault"
    assert record["turns"][0]["response"] == record["turns"][1]["source"] == "As a model I cannot."
    assert record["turns"][1]["fault"]["kind"] == "refused"


async def test_a_single_turn_recipient_without_words_aborts() -> None:
    record = await Stage(Mode.SINGLE_TURN, b=FakeUser({1: fault(FaultKind.BLOCKED)})).held()
    assert record["end_reason"] == "user_fault"
    assert len(record["turns"]) == 1


async def test_an_early_end_is_counted_beside_the_aborted_and_scored_in_neither() -> None:
    good = await Stage(Mode.DYNAMIC_GUIDED).held()
    early = await Stage(Mode.DYNAMIC_GUIDED, b=FakeUser({1: Reply("bye", end=True)})).held()
    (row,) = system_rows([good, early], {})
    assert (row.conversations, row.aborted, row.ended_early) == (1, 0, 1)
    assert (row.scores.criteria, row.scores.overall) == (9, 1.0)
    assert row.aborted_as_zero == 0.5
    assert row.caveats == ("1 of 2 ended early by a user",)


async def test_a_system_says_why_it_has_nothing_to_deliver() -> None:
    why = Fault(Layer.SYSTEM, FaultKind.EMPTY, "The summary came back empty.")
    silent = Interpretation("empty", "", "", fault=why)
    record = await Stage(interpreter=FakeInterpreter({1: [silent]})).held()
    assert record["turns"][1]["fault"]["what"] == "The summary came back empty."


# ---- people outside


async def test_stopping_ends_before_the_next_turn_with_all_verdicts_in() -> None:
    stage = Stage(judge=FakeJudge(pause=lambda turn: 50))
    stage.a.lines = {0: "said 0"}

    async def stop() -> None:
        while not stage.of("UtteranceDelivered"):
            await asyncio.sleep(0)
        stage.control.stop()

    async with stage.bus:
        stopping = asyncio.create_task(stop())
        await stage.conversation().run()
        await stopping
    assert stage.types[-1] == "ConversationEnded"
    assert len(stage.of("TurnJudged")) == len(stage.of("UtteranceDelivered")) < 3


async def test_a_cancelled_conversation_still_says_that_it_ended() -> None:
    class Stuck(FakeUser):
        async def speak(self, view: UserView, scope: CallScope) -> Reply:
            await asyncio.Event().wait()
            return Reply("")

    stage = Stage(Mode.DYNAMIC_GUIDED, b=Stuck())
    task = asyncio.create_task(stage.held())
    while not stage.of("UtteranceDelivered"):
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    last = stage.bus.journal[-1]
    assert last.type == "ConversationEnded"
    assert last.model_dump()["reason"] == "interrupted"


async def test_pausing_and_stepping_leave_their_events() -> None:
    stage = Stage()
    stage.control.pause()
    task = asyncio.create_task(stage.held())
    for _ in range(20):
        await asyncio.sleep(0)
    assert not stage.of("TurnRequested")
    stage.control.step()
    for _ in range(50):
        await asyncio.sleep(0)
    assert len(stage.of("TurnRequested")) == 1
    stage.control.resume()
    assert (await task)["end_reason"] == "completed"
    assert len(stage.of("Paused")) == 1
    assert len(stage.of("Resumed")) == 1
