from collections.abc import Mapping, Sequence
from typing import Any, Literal

import pytest

from agents.judges.rules import RulesJudge
from sim.core.ports import CallScope, Judge, JudgedTurn, JudgeView
from sim.core.values import Basis, Check, Criterion, LanguageCheck, Verdict

SCOPE = CallScope(role="judge", scenario="s", turn=0, trial=0, attempt=0, publish=lambda event: None)
OK = LanguageCheck(result="ok", label="id", mass=0.9)
WRONG = LanguageCheck(result="wrong", label="ko", mass=0.01)
SOURCE = "아침 식사 전에 2정 드세요."
GOOD = "Minum 2 tablet sebelum sarapan."


class OneEncoder:
    """Gives one similarity and counts how often it is asked."""

    def __init__(self, similarity: float) -> None:
        self.similarity = similarity
        self.asked = 0

    @property
    def identity(self) -> Mapping[str, Any]:
        return {"encoder": "one"}

    async def similarities(self, text: str, others: Sequence[str]) -> list[float]:
        self.asked += 1
        return [self.similarity for _ in others]

    async def vectors(self, texts: Sequence[str]) -> list[Sequence[float]]:
        return [(1.0, 0.0) for _ in texts]


def criterion(
    check: dict[str, Any] | None, *, id: str = "c", needs: Literal["response"] | None = None
) -> Criterion:
    wanted = None if check is None else Check.model_validate(check)
    return Criterion(id=id, layer="L1", ask="Does the translation arrive?", needs=needs, check=wanted)


def turn(translation: str = GOOD, **changed: Any) -> JudgedTurn:
    fields: dict[str, Any] = {
        "index": 0,
        "speaker": "A",
        "source_language": "kor",
        "target_language": "ind",
        "source": SOURCE,
        "translation": translation,
        "translation_check": OK,
        "flags": (),
        "response": None,
        "response_check": None,
        "reference": GOOD,
    }
    return JudgedTurn(**fields | changed)


async def verdicts(
    criteria: Sequence[Criterion],
    *turns: JudgedTurn,
    judge: Judge | None = None,
    level: Literal["turn", "conversation"] = "turn",
) -> tuple[Verdict, ...]:
    view = JudgeView(conversation_context="", turns=turns, criteria=tuple(criteria), level=level)
    return await (judge or RulesJudge()).judge(view, SCOPE)


async def verdict(check: dict[str, Any] | None, *turns: JudgedTurn, **named: Any) -> Verdict:
    needs = named.pop("needs", None)
    return (await verdicts([criterion(check, needs=needs)], *turns, **named))[0]


async def test_one_verdict_a_criterion_in_order() -> None:
    asked = [criterion({"number": n}, id=f"c{n}") for n in range(4)]
    found = await verdicts(asked, turn())
    assert [v.criterion for v in found] == ["c0", "c1", "c2", "c3"]
    assert [v.met for v in found] == [False, False, True, False]
    assert {v.basis for v in found} == {Basis.JUDGED}
    assert {v.judge for v in found} == {"rules"}


async def test_no_criteria_give_no_verdicts() -> None:
    assert await verdicts([], turn()) == ()


async def test_a_criterion_without_a_check_is_not_claimed() -> None:
    found = await verdict(None, turn())
    assert (found.met, found.basis) == (None, Basis.NOT_CLAIMED)


async def test_text_in_the_wrong_language_meets_nothing() -> None:
    found = await verdict({"forbid": "kamu"}, turn(translation_check=WRONG))
    assert (found.met, found.basis) == (False, Basis.JUDGED)
    assert found.reason == "The translation is not in Indonesian; it looks like Korean."


@pytest.mark.parametrize("result", ["low", "abstain"])
async def test_a_doubtful_language_check_lets_checks_run(result: Any) -> None:
    doubtful = LanguageCheck(result=result, label=None, mass=None)
    assert (await verdict({"number": 2}, turn(translation_check=doubtful))).met is True


@pytest.mark.parametrize(
    "copy", [SOURCE, f" {SOURCE.upper()}\n", SOURCE.replace(".", " !"), SOURCE.replace("2", "٢")]
)
async def test_a_copy_of_the_source_meets_nothing(copy: str) -> None:
    found = await verdict({"number": 2}, turn(copy))
    assert found.met is False
    assert "untranslated" in found.reason


async def test_a_copy_is_never_compared_with_the_reference() -> None:
    encoder = OneEncoder(1.0)
    found = await verdict({"number": 2, "similar": 0.5}, turn(SOURCE), judge=RulesJudge(encoder))
    assert (found.met, encoder.asked) == (False, 0)


async def test_a_number_alone_may_stay_as_it_is() -> None:
    assert (await verdict({"number": 1012345}, turn("1012345", source="1012345"))).met is True


async def test_the_same_words_within_one_language_are_no_copy() -> None:
    same = turn(GOOD, source=GOOD, source_language="ind")
    assert (await verdict({"number": 2}, same)).met is True


@pytest.mark.parametrize("empty", ["", " \n\u3000"])
async def test_an_absent_translation_meets_nothing(empty: str) -> None:
    assert (await verdict({"forbid": "kamu"}, turn(empty))).met is False


async def test_a_criterion_on_the_response_waits_for_one() -> None:
    assert (await verdict({"number": 2}, turn(), needs="response")).met is None
    assert (await verdict({"number": 2}, turn(response="Baik."), needs="response")).met is True


async def test_a_response_in_the_wrong_language_fails_what_depends_on_it() -> None:
    answered = turn(response="네", response_check=WRONG)
    assert (await verdict({"number": 2}, answered, needs="response")).met is False
    assert (await verdict({"number": 2}, answered)).met is True


@pytest.mark.parametrize(("similarity", "met"), [(0.9, True), (0.8, True), (0.79, False)])
async def test_similarity_is_a_second_leg(similarity: float, met: bool) -> None:
    judge = RulesJudge(OneEncoder(similarity))
    assert (await verdict({"number": 2, "similar": 0.8}, turn(), judge=judge)).met is met


async def test_similarity_without_reference_or_encoder_is_unknown() -> None:
    judge = RulesJudge(OneEncoder(1.0))
    check = {"number": 2, "similar": 0.8}
    assert (await verdict(check, turn(reference=None), judge=judge)).met is None
    assert (await verdict(check, turn())).met is None


async def test_another_failing_leg_decides_without_the_encoder() -> None:
    encoder = OneEncoder(1.0)
    judge = RulesJudge(encoder)
    assert (await verdict({"number": 7, "similar": 0.8}, turn(reference=None), judge=judge)).met is False
    assert (await verdict({"number": 7, "similar": 0.8}, turn(), judge=judge)).met is False
    assert encoder.asked == 0


async def test_similarity_alone_decides_nothing() -> None:
    assert (await verdict({"similar": 0.1}, turn(), judge=RulesJudge(OneEncoder(1.0)))).met is None


async def test_the_encoder_is_asked_once_a_turn() -> None:
    encoder = OneEncoder(1.0)
    asked = [criterion({"number": 2, "similar": s}, id=f"c{n}") for n, s in enumerate((0.5, 0.6, 0.7))]
    await verdicts(asked, turn(), judge=RulesJudge(encoder))
    assert encoder.asked == 1


async def test_an_unusable_pattern_is_unjudged_and_leaves_the_next_criterion_alone() -> None:
    asked = [
        criterion({"require": {"re": "(", "yes": "a", "no": "b"}}, id="bad"),
        criterion({"number": 2}, id="good"),
    ]
    assert [v.met for v in await verdicts(asked, turn())] == [None, True]


async def test_a_conversation_check_runs_over_all_translations() -> None:
    both = (turn(), turn("Take two tablets.", index=1, target_language="eng", source_language="ind"))
    check = {"require": ["tablet", "tablets"], "forbid": "tiga"}
    assert (await verdict(check, *both, level="conversation")).met is True
    assert (await verdict({"forbid": "two"}, *both, level="conversation")).met is False


async def test_one_turn_in_the_wrong_language_fails_a_conversation_check() -> None:
    found = await verdict({"number": 2}, turn(), turn(SOURCE, index=1), level="conversation")
    assert found.met is False
    assert found.reason.startswith("Turn 1: ")


async def test_without_a_turn_nobody_can_say() -> None:
    assert (await verdict({"number": 2}, level="conversation")).met is None


async def test_identity_names_the_version_of_the_checks_and_the_encoder() -> None:
    plain, with_encoder = RulesJudge(), RulesJudge(OneEncoder(1.0))
    assert plain.identity["checks"] == with_encoder.identity["checks"]
    assert plain.identity != with_encoder.identity
    assert plain.sees_reference
