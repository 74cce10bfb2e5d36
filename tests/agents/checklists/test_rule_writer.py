"""The offline checklist writer: asks what applies, keeps the layer rule, and its checks can be met and failed."""

import itertools
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.checklists.rules import RuleWriter, layered
from agents.detectors.registry import LANGUAGES, functions
from agents.judges.rules import RulesJudge
from scenarios.taxonomy import taxonomy
from sim.core.values import LAYERS, Basis, Check, Criterion, MeaningCheck
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
    **{act: {"yes"} for act in ("question", "apology", "thanks", "greeting", "spoken")},
}
DIRECTIONS = list(itertools.permutations(LANGUAGES, 2))


@pytest.mark.parametrize("pair", DIRECTIONS, ids="-".join)
async def test_every_direction_gets_a_sensible_checklist(pair: tuple[str, str]) -> None:
    criteria = await WRITER.live(3, SAID[pair[0]], pair)
    assert criteria
    assert [c.layer for c in criteria] == sorted(c.layer for c in criteria)
    assert len({c.id for c in criteria}) == len(criteria)
    for criterion in criteria:
        opening = "Does the translation" if criterion.layer == "L1" else "Does the interpreter's response"
        assert criterion.ask.startswith(opening)
        assert "$" not in criterion.ask
        assert (criterion.function or "").startswith(pair[1])
        assert criterion.check is not None


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_taxonomy_is_sound(language: str) -> None:
    rules = taxonomy(language)
    assert {rule.layer for rule in rules} == set(LAYERS)
    assert len({rule.id for rule in rules}) == len(rules)
    judge = RulesJudge()
    for rule in rules:
        assert rule.id.startswith(f"{language}/")
        check = rule.check or Check()
        assert judge.problems(check) == ()
        assert {leg.function for leg in check.detect} <= {*functions(language), "meaning"}
        assert rule.each in (None, "number", "time", "token")
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
    assert good.pop("same-matter") is None
    assert set(good.values()) == {True}
    rude = await judged(SAID["kor"], "Kamu datang besok sore.", ("kor", "ind"))
    assert rude["courteous-address"] is False
    assert rude["question-asked"] is False
    assert rude["time-kept"] is False


async def test_korean_levels_are_told_apart() -> None:
    said = "ধন্যবাদ। আপনি কি কাল পাঁচটায় আসতে পারবেন?"
    polite = await judged(said, "감사합니다. 내일 다섯 시에 오실 수 있으세요?", ("ben", "kor"))
    plain = await judged(said, "고마워. 너 내일 다섯 시에 올 수 있어?", ("ben", "kor"))
    assert polite["polite-level"] is True
    assert plain["polite-level"] is False
    assert plain["no-plain-you"] is False


async def test_a_language_without_a_taxonomy_gets_no_checklist() -> None:
    assert await WRITER.live(0, "Hello.", ("eng", "swh")) == ()
    assert taxonomy("../kor") == ()


@pytest.mark.parametrize(
    ("said", "spoken", "target"),
    [
        ("Habari za asubuhi.", "swh", "ind"),
        ("The bag is by the door.", "eng", "kor"),
        ("가방 여기 있다.", "kor", "eng"),
    ],
)
async def test_words_that_nothing_can_be_checked_of_get_no_more_than_the_gate(
    said: str, spoken: str, target: str
) -> None:
    """A plain sentence is no offence by itself, and no layer is filled up."""
    assert set(asked(await WRITER.live(3, said, (spoken, target)))) == {"same-matter"}


async def test_courtesy_is_asked_where_the_setting_shows_it() -> None:
    known = RuleWriter(taxonomy, {"eng": "formal"})
    assert "polite-level" in asked(await known.live(0, "The bag is by the door.", ("eng", "kor")))
    close = RuleWriter(taxonomy, {"eng": "casual"})
    assert "familiar-level" in asked(await close.live(0, "The bag is by the door.", ("eng", "kor")))


async def test_no_mark_claims_that_a_meaning_arrived() -> None:
    """A workbench for a work bag: about the same things, and wrong."""
    found = await judged("This is my work bag.", "Ini meja kerja saya.", ("eng", "ind"))
    assert found == {"same-matter": None}


async def test_what_says_something_else_fails_every_criterion() -> None:
    source, pair = SAID["eng"], ("eng", "ind")
    criteria = await WRITER.live(0, source, pair)
    other = MeaningCheck(result="else", cosine=0.02, nearest_earlier=None)
    view = judge_view(
        source=source, translation="Terima kasih. Jam lima?", source_language="eng", target_language="ind"
    )
    turn = replace(view.turns[0], meaning=other)
    verdicts = await RulesJudge().judge(replace(view, turns=(turn,), criteria=criteria), scope())
    assert len(verdicts) >= 3
    assert {(v.met, v.basis) for v in verdicts} == {(False, Basis.MEANING_GATE)}


@pytest.mark.parametrize(
    ("said", "pair", "right", "wrong"),
    [
        ("항공편은 KE5623이에요.", ("kor", "ind"), "Penerbangannya KE5623.", "Penerbangannya KE5632."),
        ("Ambil vitamin B12 ini.", ("ind", "ben"), "এই ভিটামিন বি১২ নিন।", "এই ভিটামিন বি৬ নিন।"),
        (
            "Write to han@clinic.example.",
            ("eng", "kor"),
            "han@clinic.example로 보내세요.",
            "클리닉으로 보내세요.",
        ),
        (
            "삼성 말고 iPhone 있어요?",
            ("kor", "eng"),
            "Do you have an iPhone, not a Samsung?",
            "Have you a phone?",
        ),
    ],
)
async def test_codes_addresses_and_names_must_stand(
    said: str, pair: tuple[str, str], right: str, wrong: str
) -> None:
    kept = await judged(said, right, pair)
    assert [met for name, met in kept.items() if name == "token-kept"] == [True]
    assert (await judged(said, wrong, pair))["token-kept"] is False


@pytest.mark.parametrize(
    ("said", "pair"),
    [
        ("ভাই passport টা দিন", ("ben", "ind")),
        ("약은 20mg이에요.", ("kor", "eng")),
        ("See you at 7pm on the 3rd.", ("eng", "ind")),
        ("SNS에서 봤어요.", ("kor", "eng")),
    ],
)
async def test_what_is_translated_or_changes_its_form_need_not_stand(
    said: str, pair: tuple[str, str]
) -> None:
    assert "token-kept" not in asked(await WRITER.live(0, said, pair))


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
    first = asked(await WRITER.live(1, "আপনি কি কাল আসবেন?", ("ben", "kor")))
    later = asked(await WRITER.live(2, "আপনি কি কাল আসবেন?", ("ben", "kor")))
    assert "polite-level" in first
    assert "in this later turn too" in later["coherence-polite-level"]
    assert "polite-level" not in later


@pytest.mark.parametrize(
    ("said", "spoken", "due"),
    [
        ("내일 와 주시겠어요?", "kor", "respectful-address"),
        ("빨리 와서 밥 먹자.", "kor", "familiar-address"),
        ("The bus leaves soon.", "eng", None),
        ("Pintu rumah ini selalu terbuka, Nak.", "ind", None),
        ("Silakan duduk, Pak.", "ind", "respectful-address"),
    ],
)
async def test_the_address_asked_for_follows_the_speaker(said: str, spoken: str, due: str | None) -> None:
    found = asked(await WRITER.live(0, said, (spoken, "ben")))
    assert {"respectful-address", "familiar-address", "no-tui"} & set(found) == ({due} if due else set())


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


def test_a_changed_taxonomy_is_another_writer() -> None:
    assert RuleWriter(taxonomy).identity == WRITER.identity
    assert RuleWriter(lambda code: taxonomy(code)[1:]).identity != WRITER.identity


@settings(max_examples=30, deadline=None)
@given(st.text(max_size=80))
def test_any_text_is_written_for(text: str) -> None:
    import asyncio

    criteria = asyncio.run(WRITER.live(0, text, ("ind", "arb")))
    assert "same-matter" in asked(criteria)


def test_a_checklist_without_a_layer_is_none() -> None:
    only = [Criterion(id="a", layer="L1", ask="Does the translation hold?")]
    assert layered(only) == ()
