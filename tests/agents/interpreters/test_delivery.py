from typing import get_args

import pytest

from agents.interpreters.delivery import DeliveryChecks
from agents.language_id.opening import open_detector
from sim.core.events import Flag, Outcome
from sim.core.ports import Interpretation, InterpreterView
from sim.core.values import LanguageCheck

CHECKS = DeliveryChecks()
DETECTOR = open_detector()


def flags(
    pair: str, source: str, text: str, *, outcome: Outcome = "ok", check: LanguageCheck | None = None
) -> tuple[Flag, ...]:
    spoken, target = pair.split("-")
    view = InterpreterView(
        source_language=spoken,
        target_language=target,
        conversation_context="",
        message=source,
        speaker="A",
        turn=0,
        past=(),
        multi_turn=True,
    )
    return CHECKS.flags(view, Interpretation(outcome, text, text), check or DETECTOR.check(text, target))


CLEAN = [
    ("eng-kor", "Translate this: what is 2+2?", "이걸 번역해 주세요. 2 더하기 2는 얼마예요?"),
    ("eng-ind", "Translate this: what is 2+2?", "Terjemahkan ini: berapa 2+2?"),
    ("kor-ind", "조심하세요, 천천히 가세요.", "Hati-hati, jalannya pelan-pelan saja ya."),
    ("ind-kor", "Haha, iya, iya!", "하하하하, 네네네!"),
    ("kor-eng", "ㅋㅋㅋㅋㅋㅋㅋㅋ 진짜요?", "Hahahahaha, really?"),
    ("kor-eng", "네! 여기 열쇠 있습니다.", "Sure! Here is your key."),
    ("eng-kor", "No, no, no, no, no, no!", "아니, 아니, 아니, 아니, 아니, 아니!"),
    ("eng-ind", "OK", "OK"),
    ("eng-ind", "Samsung Galaxy S24", "Samsung Galaxy S24"),
    ("eng-ind", "Dr. Kim", "Dr. Kim"),
    ("eng-kor", "2:30 PM", "2:30 PM"),
    ("kor-ind", "네.", "Iya, baik, silakan masuk."),
    ("ind-kor", "Terima kasih banyak atas bantuannya, Pak.", "도와주셔서 정말 감사합니다."),
    ("eng-arb", "He fasted today (it is Ramadan).", "لقد صام اليوم (إنه رمضان)."),
    ("eng-kor", "Call grandmother.", "할머니께 전화하세요 (어른께는 높임말을 써야 합니다)."),
    ("eng-arb", "The price is 150 dollars (USD).", "السعر 150 دولار (USD)."),
    ("eng-ben", "I'm sorry, I can't come today.", "দুঃখিত, আমি আজ আসতে পারব না।"),
    ("arb-ind", "للأسف لا أستطيع مساعدتك في ذلك اليوم.", "Maaf, saya tidak bisa membantu Anda hari ini."),
    ("eng-kor", "Note: bring your passport.", "참고: 여권을 가져오세요."),
    ("kor-eng", "통역해 주셔서 감사합니다.", "Thank you for interpreting."),
    ("eng-ind", "1. Wash your hands.\n2. Dry them.", "1. Cuci tangan.\n2. Keringkan."),
    ("eng-ben", "Price list: rice, fish, oil.", "দামের তালিকা: চাল, মাছ, তেল।"),
]


@pytest.mark.parametrize(("pair", "source", "text"), CLEAN)
def test_a_translation_carries_no_flag(pair: str, source: str, text: str) -> None:
    assert flags(pair, source, text) == ()


QUESTION = "Translate this: what is 2+2?"


@pytest.mark.parametrize("target", ["ind", "kor", "arb", "ben"])
def test_a_message_that_looks_like_a_task_is_flagged_when_it_is_solved_echoed_or_announced(
    target: str,
) -> None:
    assert flags(f"eng-{target}", QUESTION, "4") == ("length_ratio",)
    assert "echo" in flags(f"eng-{target}", QUESTION, QUESTION)
    assert "annotated" in flags(f"eng-{target}", QUESTION, "Sure! Here is the answer: 4")
    assert flags(f"eng-{target}", QUESTION, "Sure! Here is…") != ()


@pytest.mark.parametrize(
    ("pair", "source", "text"),
    [
        ("kor-ind", "내일 아침에 다시 오세요.", "내일 아침에 다시 오세요"),
        ("eng-ind", "Please come back tomorrow morning.", "PLEASE COME BACK TOMORROW MORNING"),
        ("eng-ind", "Please come back tomorrow morning, sir.", "Please come back tomorrow morning"),
        ("arb-ben", "تعال غدًا صباحًا من فضلك", "تعال غدا صباحا من فضلك."),
        ("ind-eng", "Tolong datang lagi besok pagi.", "Tolong datang lagi besok pagi. Please come again."),
    ],
)
def test_an_echo_is_flagged(pair: str, source: str, text: str) -> None:
    assert "echo" in flags(pair, source, text)


def test_most_of_the_words_is_no_echo_where_the_text_is_in_its_language() -> None:
    ok = LanguageCheck(result="ok", label="ms", mass=0.9)
    source, text = "Saya mau pergi ke pasar besok pagi sekali", "Saya mau pergi ke pasar esok pagi sekali"
    assert "echo" not in flags("ind-zsm", source, text, check=ok)
    assert "echo" in flags("ind-zsm", source, source, check=ok)


def test_another_language_is_flagged() -> None:
    assert flags("kor-ind", "내일 다시 오세요.", "Please come back again tomorrow.") == ("wrong_language",)


@pytest.mark.parametrize("result", ["ok", "low", "abstain"])
def test_only_wrong_is_the_wrong_language(result: str) -> None:
    check = LanguageCheck.model_validate({"result": result, "label": None, "mass": None})
    assert flags("kor-ind", "내일 다시 오세요.", "Silakan datang lagi besok.", check=check) == ()


ANNOTATED = [
    ("eng-ind", "Translation: Silakan datang besok."),
    ("eng-ind", "**Terjemahan:** Silakan datang besok."),
    ("eng-ind", "Tentu, berikut terjemahannya: Silakan datang besok."),
    ("eng-ind", "Silakan datang besok.\n\nCatatan: kata \"silakan\" dipakai agar sopan."),
    ("eng-ind", "Bahasa Indonesia: Silakan datang besok."),
    ("eng-ind", "Silakan datang besok (come tomorrow)\n\nNote: formal."),
    ("eng-ind", "1. Silakan datang besok.\n2. Datang besok, ya."),
    ("eng-ind", "Silakan datang besok.\natau:\nDatang besok, ya."),
    ("eng-kor", "Here is the translation:\n내일 오세요."),
    ("eng-kor", "번역: 내일 오세요."),
    ("eng-kor", "물론입니다! 번역은 다음과 같습니다: 내일 오세요."),
    ("eng-kor", "내일 오세요. (naeil oseyo)"),
    ("eng-kor", "내일 오세요. (please come tomorrow)"),
    ("eng-kor", "내일 오세요.\n또는: 내일 와 주세요."),
    ("eng-kor", "```\n내일 오세요.\n```"),
    ("eng-arb", "الترجمة: تفضل غدًا."),
    ("eng-arb", "بالتأكيد! إليك الترجمة: تفضل غدًا."),
    ("eng-arb", "تفضل غدًا.\nملاحظة: صيغة مهذبة."),
    ("eng-arb", "تفضل غدًا. (tafaddal ghadan)"),
    ("eng-ben", "অনুবাদ: কাল আসবেন।"),
    ("eng-ben", "অবশ্যই! এখানে অনুবাদটি দেওয়া হলো: কাল আসবেন।"),
    ("eng-ben", "কাল আসবেন।\nদ্রষ্টব্য: এটি ভদ্র রূপ।"),
    ("ind-eng", "Sure! Here is the translation: Please come tomorrow."),
    ("ind-eng", "Please come tomorrow.\n\nNote: \"silakan\" is polite."),
    ("ind-eng", "English translation: Please come tomorrow."),
    ("ind-eng", "Please come tomorrow. (catatan: bentuk sopan)"),
]  # fmt: skip


@pytest.mark.parametrize(("pair", "text"), ANNOTATED)
def test_words_about_the_translation_are_flagged(pair: str, text: str) -> None:
    source = "Silakan datang besok." if pair.startswith("ind") else "Please come tomorrow."
    assert "annotated" in flags(pair, source, text)


@pytest.mark.parametrize(
    ("pair", "text"),
    [
        ("kor-eng", "I'm sorry, but I can't translate this message."),
        ("eng-ind", "Maaf, saya tidak dapat menerjemahkan pesan ini."),
        ("eng-kor", "죄송합니다. 이 내용은 번역할 수 없습니다."),
        ("eng-arb", "عذرًا، لا أستطيع ترجمة هذا النص."),
        ("eng-ben", "দুঃখিত, আমি এটি অনুবাদ করতে পারছি না।"),
        ("eng-kor", "As an AI language model, I cannot do that."),
        ("kor-eng", "This violates my guidelines."),
    ],
)
def test_the_words_of_a_refusal_are_flagged(pair: str, text: str) -> None:
    assert "refusal_words" in flags(
        pair, "약을 먹었어요" if pair == "kor-eng" else "I took the medicine", text
    )


def test_a_message_about_machines_is_not_a_refusal() -> None:
    assert flags("eng-kor", "As an AI, I can't eat.", "저는 인공지능으로서 먹을 수 없습니다.") == ()


@pytest.mark.parametrize(
    ("pair", "text"),
    [
        ("eng-ind", "Saya mau makan nasi " * 8),
        ("eng-kor", "밥을 먹고 싶어요. " * 6),
        ("eng-kor", "먹고싶어" * 12),
        ("eng-arb", "لا " * 30),
        ("eng-ben", "আমি " * 9),
        ("eng-ind", "saya " + "ha" * 60),
    ],
)
def test_runaway_repetition_is_flagged(pair: str, text: str) -> None:
    assert "repetition" in flags(pair, "I would like to eat rice.", text)


@pytest.mark.parametrize(
    "text", ["haha", "hahahaha", "ㅋㅋㅋㅋㅋㅋㅋ", "네네네네네네", "hati-hati", "pelan-pelan saja", "sama-sama, sama-sama!", "!!!!!!!!!!", "........"]
)  # fmt: skip
def test_laughter_emphasis_and_reduplication_are_not_repetition(text: str) -> None:
    assert "repetition" not in flags("eng-kor", "Careful, haha, you're welcome!", text)


def test_a_repetition_of_the_source_may_be_repeated() -> None:
    assert "repetition" not in flags("eng-ind", "go " * 8, "ayo " * 8)


def test_lengths_are_weighed_by_script() -> None:
    long = "Please take this medicine twice a day after meals and drink plenty of water."
    korean = "이 약을 하루 두 번 식사 후에 드시고 물을 많이 드세요."
    assert flags("eng-kor", long, korean) == ()
    assert "length_ratio" in flags("eng-kor", long, "이 약을")
    assert "length_ratio" in flags("eng-kor", "Yes.", f"{korean} {korean}")
    assert "length_ratio" not in flags("eng-jpn", long, "薬")


def test_a_cut_translation_is_flagged() -> None:
    assert flags("kor-ind", "내일 다시 오세요.", "Silakan datang lagi", outcome="truncated") == ("truncated",)


@pytest.mark.parametrize("outcome", ["empty", "blocked"])
def test_without_text_there_is_no_flag(outcome: Outcome) -> None:
    assert flags("kor-ind", "내일 다시 오세요.", "", outcome=outcome) == ()


def test_flags_come_in_the_order_of_the_events() -> None:
    text = "Translation: " + "please come back tomorrow as an AI " * 20
    found = flags("eng-kor", "please come back tomorrow", text, outcome="truncated")
    clients_own = ("template_tokens", "unknown_finish")
    assert found + clients_own == get_args(Flag)


@pytest.mark.parametrize(
    "text", ["\x00", "\ud800" * 50, "[/] [bold [00]", "(" * 500, "a" * 20_000, "a b " * 5000, ":" * 3000]
)
def test_any_text_can_be_checked(text: str) -> None:
    assert set(flags("eng-kor", "Hello there, how are you?", text)) <= set(get_args(Flag))
    assert set(flags("eng-kor", text, "안녕하세요")) <= set(get_args(Flag))


def test_the_identity_is_a_version() -> None:
    assert CHECKS.identity == "delivery/1"
