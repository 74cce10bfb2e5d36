"""The filter's lists find what they say, leave everyday speech alone, and prove it as they load."""

import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

from scenarios import loader
from sim.core.errors import UsageProblem
from sim.runs import safety


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("Tulis ke siti.a@example.co.id ya.", "personal-data/email"),
        ("রোগীর ফোন ০১৭১২-৩৪৫৬৭৮", "personal-data/phone-local"),
        ("رقمي ٠٥٠١٢٣٤٥٦٧", "personal-data/phone-local"),
        ("제 번호는 +82 10-1234-5678이에요", "personal-data/phone-international"),
        ("이메일은 김민수@example.kr입니다", "personal-data/email"),
        ("Hubungi saya di (021) 555-1234", "personal-data/phone-local"),
        ("واتساب 966501234567", "personal-data/phone-country"),
        ("제 번호는 공일공 일이삼사 오육칠팔이에요", "personal-data/phone-in-words"),
        (
            "nomor saya nol delapan satu dua tiga empat lima enam tujuh delapan",
            "personal-data/phone-in-words",
        ),
        ("আমার নম্বর শূন্য এক সাত এক দুই তিন চার পাঁচ ছয় সাত আট", "personal-data/phone-in-words"),
        ("رقمي صفر خمسة صفر واحد اثنين ثلاثة أربعة خمسة ستة سبعة", "personal-data/phone-in-words"),
        ("주민번호 900101-1234567", "personal-data/identity-korea"),
        ("NIK saya 3174012345678901", "personal-data/long-number"),
        ("জাতীয় পরিচয়পত্র ১৯৯০১২৩৪৫৬৭৮৯", "personal-data/long-number"),
        ("رقم الهوية ١٠١٢٣٤٥٦٧٨", "personal-data/long-number"),
        ("계좌는 110-123-456789예요", "personal-data/account-number"),
        ("여권 M12345678을 가져오세요", "personal-data/passport"),
        ("NPWP 01.234.567.8-901.000", "personal-data/tax-number"),
        ("4111-1111-1111-1111", "personal-data/card-number"),
        ("الآيبان SA03 8000 0000 6080 1016 7519", "personal-data/iban"),
        ("이 개새끼가", "offensive-kor"),
        ("WHAT THE FUCK", "offensive-eng"),
        ("dasar  ANJING!", "offensive-ind"),
        ("يا ابن الكلب", "offensive-arb"),
        ("কুত্তার বাচ্চারা", "offensive-ben"),
        ("그 병신 같은 놈", "offensive-kor"),
        ("똥남아 사람들은", "offensive-kor"),
        ("Diam, goblok!", "offensive-ind"),
        ("يلعن أبوك", "offensive-arb"),
        ("কী বালের কথা", "offensive-ben"),
        ("you're a slut", "offensive-eng"),
    ],
)
def test_personal_data_and_offence_are_found_in_any_script(text: str, rule: str) -> None:
    assert any(name.startswith(rule) for name in safety.load().hits(text))


@pytest.mark.parametrize(
    "text",
    [
        "보증금은 20000000원이고 월세는 650000원이에요.",
        "2024년 5월 1일 10:30-11:45, 3층 302호",
        "Harganya Rp 1.250.000.000, bisa ditawar?",
        "Kami buka pukul 09.00-17.00, Jalan Melati No. 12 RT 03/RW 05.",
        "দাম ১,২৫,০০০ টাকা, তারিখ ১৪/০৫/২০২৪",
        "السعر ١٥٠٠٠٠٠٠٠٠ ريال، والموعد ١٤٤٥/١٠/٠٢",
        "Room 1204, flight KE 613, version 1.2.3",
        "Take 500 mg twice a day, 37.5 degrees, 120/80.",
        "satu dua tiga empat lima enam tujuh delapan sembilan sepuluh",
    ],
)
def test_amounts_dates_times_and_doses_are_no_personal_data(text: str) -> None:
    assert list(safety.load().hits(text)) == []


@pytest.mark.parametrize("name", [f"offensive-{code}" for code in ("arb", "ben", "eng", "ind", "kor")])
def test_what_one_list_leaves_alone_no_other_finds(name: str) -> None:
    path = files("sim.runs") / "filters" / f"{name}.toml"
    document = tomllib.loads(path.read_text(encoding="utf-8"))
    lists = safety.load()
    assert [(text, hit) for text in document["must_not"] for hit in lists.hits(text)] == []


@pytest.mark.parametrize(
    ("digits", "right"),
    [("4111 1111 1111 1111", True), ("4111 1111 1111 1112", False), ("79927398713", True)],
)
def test_luhn(digits: str, right: bool) -> None:
    assert safety.luhn(digits) is right


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("GB82 WEST 1234 5698 7654 32", True),
        ("gb82 west 1234 5698 7654 33", False),
        ("DE89370400440532013000", True),
    ],
)
def test_iban(text: str, right: bool) -> None:
    assert safety.iban(text) is right


def test_nothing_in_the_scenarios_that_ship_is_found() -> None:
    lists = safety.load()
    for scenario in loader.shipped():
        for turn in scenario.turns:
            contrasts = [contrast.text for contrast in turn.contrasts]
            for text in (turn.source, turn.reference, *turn.alternatives, *contrasts):
                assert list(lists.hits(text or "")) == [], text


def test_lists_are_files_that_anyone_can_edit(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('words = ["semprul*"]\nmust = ["Semprul!"]\n', encoding="utf-8")
    lists = safety.load(tmp_path)
    assert list(lists.hits("Dasar semprulnya")) == ["mine/0"]
    assert list(lists.hits("What the fuck")) == []
    assert lists.fingerprint != safety.load().fingerprint


def test_every_problem_of_the_lists_is_told_at_once(tmp_path: Path) -> None:
    files = {
        "a": "not toml",
        "b": 'words = ["***"]',
        "c": 'words = ["x"]\nmust = ["y"]\nmust_not = ["x"]',
        "d": '[[pattern]]\nid = "p"\nfind = "("\nmust = ["("]\nmust_not = ["x"]',
        "e": 'wordz = ["x"]',
    }
    for name, text in files.items():
        (tmp_path / f"{name}.toml").write_text(text, encoding="utf-8")
    with pytest.raises(UsageProblem) as refused:
        safety.load(tmp_path)
    told = [Path(problem.where).stem for problem in refused.value.problems]
    assert told == ["a", "b", "c", "c", "d", "e"]


def test_a_folder_without_lists_is_refused(tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(UsageProblem):
            safety.load(place)


def test_check_digits_of_signs_that_are_no_digits_are_none() -> None:
    assert not safety.luhn("4111 1111 1111 111²")
    assert not safety.iban("é²")
    assert not safety.iban("")


def test_a_text_with_an_unpaired_surrogate_is_searched_as_any_other() -> None:
    found = set(safety.load().hits("\ud800 mail me: siti@example.com \udc00"))
    assert found == set(safety.load().hits("mail me: siti@example.com")) != set()


def test_a_list_that_is_nested_too_deeply_is_a_problem_of_it(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text("words = " + "[" * 5000 + "]" * 5000)
    with pytest.raises(UsageProblem) as refused:
        safety.load(tmp_path)
    assert refused.value.problems[0].where.endswith("mine.toml")
