"""The offline checklist writer: asks what applies, keeps the layer rule, and its checks can be met and failed."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.checklists.rules import RuleWriter, layered
from agents.detectors.registry import LANGUAGES, functions
from agents.judges.rules import RulesJudge
from scenarios.taxonomy import taxonomy
from sim.core.values import LAYERS, Criterion
from tests.agents.clients import judge_view, scope

WRITER = RuleWriter(taxonomy)
SAID = {
    "kor": "안녕하세요. 내일 아침 열 시에 와 주시겠어요?",
    "ind": "Maaf, Pak, saya tidak bisa datang besok pagi.",
    "ben": "ধন্যবাদ, আমি কাল পাঁচটায় আসব।",
    "arb": "شكرا جزيلا لك، هل يمكنك الحضور غدا في الساعة الخامسة؟",
    "eng": "Thank you. Could you come at five tomorrow?",
}
KNOWN = {
    "courtesy": {"polite", "familiar", "neutral"},
    **{act: {"yes"} for act in ("question", "apology", "thanks", "greeting")},
}
DIRECTIONS = list(itertools.permutations(LANGUAGES, 2))


def counts(criteria: tuple[Criterion, ...]) -> list[int]:
    return [sum(c.layer == layer for c in criteria) for layer in LAYERS]


@pytest.mark.parametrize("pair", DIRECTIONS, ids="-".join)
async def test_every_direction_gets_a_sensible_checklist(pair: tuple[str, str]) -> None:
    criteria = await WRITER.live(3, SAID[pair[0]], pair)
    one, two, three = counts(criteria)
    assert three >= two >= one >= 1
    assert len({c.id for c in criteria}) == len(criteria)
    for criterion in criteria:
        opening = "Does the translation" if criterion.layer == "L1" else "Does the interpreter's response"
        assert criterion.ask.startswith(opening)
        assert "$" not in criterion.ask
        assert (criterion.function or "").startswith(pair[1])


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_taxonomy_is_sound(language: str) -> None:
    rules = taxonomy(language)
    assert {rule.layer for rule in rules} == set(LAYERS)
    assert len({rule.id for rule in rules}) == len(rules)
    judge = RulesJudge()
    for rule in rules:
        assert rule.id.startswith(f"{language}/")
        assert judge.problems(rule.check) == ()
        known = {leg.function for leg in rule.check.detect}
        assert known <= set(functions(language))
        assert rule.each in (None, "number", "time")
        if rule.when is not None:
            assert set(rule.when.labels) <= KNOWN[rule.when.function]
        opening = "Does the translation " if rule.layer == "L1" else "Does the interpreter's response "
        assert all(ask.startswith(opening) for ask in (rule.ask, rule.later) if ask)
    points = [rule.failure_point for rule in rules if rule.failure_point]
    assert len({point.id for point in points}) == len(points)
    assert all(point.id.startswith(f"{language}.") for point in points)


async def judged(source: str, translation: str, pair: tuple[str, str]) -> dict[str, bool | None]:
    criteria = await WRITER.live(0, source, pair)
    view = judge_view(
        source=source, translation=translation, source_language=pair[0], target_language=pair[1]
    )
    view = type(view)(view.conversation_context, view.turns, criteria)
    verdicts = await RulesJudge().judge(view, scope())
    return {verdict.criterion.split(".")[2]: verdict.met for verdict in verdicts}


def asked(criteria: tuple[Criterion, ...]) -> dict[str, str]:
    return {(c.function or "").rpartition("/")[2]: c.ask for c in criteria}


async def test_a_good_translation_meets_it_and_a_rude_statement_does_not() -> None:
    good = await judged(
        SAID["kor"], "Selamat pagi. Bisakah Bapak datang besok jam sepuluh pagi?", ("kor", "ind")
    )
    assert set(good.values()) == {True}
    rude = await judged(SAID["kor"], "Kamu datang besok sore.", ("kor", "ind"))
    assert rude["courteous-address"] is False
    assert rude["question-asked"] is False
    assert rude["time-kept"] is False


async def test_korean_levels_are_told_apart() -> None:
    polite = await judged(SAID["eng"], "감사합니다. 내일 다섯 시에 오실 수 있으세요?", ("eng", "kor"))
    plain = await judged(SAID["eng"], "고마워. 너 내일 다섯 시에 올 수 있어?", ("eng", "kor"))
    assert polite["polite-level"] is True
    assert plain["polite-level"] is False
    assert plain["no-plain-you"] is False


async def test_a_language_without_a_taxonomy_gets_no_checklist() -> None:
    assert await WRITER.live(0, "Hello.", ("eng", "swh")) == ()
    assert taxonomy("../kor") == ()


async def test_a_source_language_without_detectors_is_asked_what_always_applies() -> None:
    criteria = await WRITER.live(0, "Habari za asubuhi.", ("swh", "ind"))
    assert counts(criteria) == [1, 2, 3]
    assert "question-asked" not in asked(criteria)


async def test_a_criterion_names_the_words_it_is_about() -> None:
    criteria = asked(await WRITER.live(0, "Mohon maaf sebesar-besarnya, Bu.", ("ind", "kor")))
    assert "“Mohon maaf”" in criteria["apology-kept"]
    price = asked(await WRITER.live(3, "Harganya delapan puluh lima ribu.", ("ind", "ben")))
    assert "85,000 (“delapan puluh lima ribu”)" in price["number-kept"]


@pytest.mark.parametrize(
    ("said", "spoken"),
    [("টাকাটা ফেরত এলো কেন, আমি কি কোনো ভুল করেছি?", "ben"), ("제가 실수한 모양이네요.", "kor")],
)
async def test_naming_a_mistake_is_no_apology(said: str, spoken: str) -> None:
    assert "apology-kept" not in asked(await WRITER.live(0, said, (spoken, "ind")))


async def test_later_turns_are_asked_to_cohere_with_earlier_ones() -> None:
    first = asked(await WRITER.live(1, SAID["eng"], ("eng", "kor")))
    later = asked(await WRITER.live(2, SAID["eng"], ("eng", "kor")))
    assert "polite-level" in first
    assert "in this later turn too" in later["coherence-polite-level"]
    assert "polite-level" not in later


@pytest.mark.parametrize(
    ("said", "spoken", "due"),
    [
        ("내일 와 주시겠어요?", "kor", "respectful-address"),
        ("빨리 와서 밥 먹자.", "kor", "familiar-address"),
        ("The bus leaves soon.", "eng", "no-tui"),
        ("Pintu rumah ini selalu terbuka, Nak.", "ind", "no-tui"),
        ("Silakan duduk, Pak.", "ind", "respectful-address"),
    ],
)
async def test_the_address_asked_for_follows_the_speaker(said: str, spoken: str, due: str) -> None:
    found = asked(await WRITER.live(0, said, (spoken, "ben")))
    assert due in found
    assert len({"respectful-address", "familiar-address", "no-tui"} & set(found)) == 1


@pytest.mark.parametrize(
    ("said", "spoken", "target"),
    [
        ("একটা কথা বলি, এক সপ্তাহ হলো।", "ben", "arb"),
        ("Tunggu lima belas menit, ya.", "ind", "arb"),
        ("12월에 갑니다.", "kor", "ind"),
        ("I will be back in two days.", "eng", "kor"),
        ("Ada dua kamar.", "ind", "arb"),
    ],
)
async def test_numbers_that_may_change_their_form_are_not_asked_for(
    said: str, spoken: str, target: str
) -> None:
    assert "number-kept" not in asked(await WRITER.live(0, said, (spoken, target)))


async def test_a_time_is_asked_for_once_and_not_as_a_number_too() -> None:
    criteria = asked(await WRITER.live(0, SAID["kor"], ("kor", "arb")))
    assert "10:00" in criteria["time-kept"]
    assert "number-kept" not in criteria


async def test_an_interpreter_that_reports_or_annotates_does_not_meet_it() -> None:
    reported = await judged(SAID["kor"], "Pembicara bertanya apakah besok bisa datang?", ("kor", "ind"))
    assert reported["own-voice"] is False
    headed = await judged(SAID["eng"], "번역: 감사합니다. 내일 다섯 시에 오시겠어요?", ("eng", "kor"))
    assert headed["message-alone"] is False


def test_a_changed_taxonomy_is_another_writer() -> None:
    assert RuleWriter(taxonomy).identity == WRITER.identity
    assert RuleWriter(lambda code: taxonomy(code)[1:]).identity != WRITER.identity


@settings(max_examples=30, deadline=None)
@given(st.text(max_size=80))
def test_any_text_is_written_for(text: str) -> None:
    import asyncio

    criteria = asyncio.run(WRITER.live(0, text, ("ind", "arb")))
    one, two, three = counts(criteria)
    assert criteria == () or three >= two >= one >= 1


def test_a_checklist_without_a_layer_is_none() -> None:
    only = [Criterion(id="a", layer="L1", ask="Does the translation hold?")]
    assert layered(only) == ()
