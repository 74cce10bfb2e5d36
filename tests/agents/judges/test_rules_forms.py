import pytest

from agents.judges.forms import FormError, Text, compile_form, quoted
from sim.core.values import Form, Pattern


def found(form: Form, text: str) -> str | None:
    return compile_form(form)(Text(text))


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("puasa", "Anda PUASA, ya."),
        ("puasa*", "puasanya"),
        ("*puasa", "berpuasa"),
        ("*puasa*", "berpuasalah"),
        ("makan pagi", "makan\n\u00a0pagi"),
        ("anak", "anak-anak"),
        ("*세요*", "천천히 드세요."),
        ("월요일*", "월요일에"),
        ("*موعد*", "الْمَوْعِد غدًا"),
        ("أحمد", "احمـــد"),
        ("مستشفى", "مستشفي"),
        ("مدرسة", "مدرسه"),
        ("ড়", "\u09a1\u09bc"),
        ("হঠাৎ", "হঠাত্\u200d"),
        ("ক্ষমা", "ক্\u200cষমা"),
        ("3*", "3시"),
        ("٨", "8"),
        ("৮", "۸"),
        ("don't", "I DON'T know"),
        ("é", "e\u0301"),
    ],
)
def test_a_plain_form_is_found_in_the_folded_text(form: str, text: str) -> None:
    assert found(form, text) is not None


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("puasa", "berpuasa"),
        ("puasa", "puasanya"),
        ("puasa*", "berpuasa"),
        ("*puasa", "puasanya"),
        ("5", "15"),
        ("5", "5৩"),
        ("ক", "কি"),
        ("월요일", "월요일에"),
        ("موعد", "الموعد"),
        ("makan pagi", "makan di pagi"),
        ("a", ""),
    ],
)
def test_a_plain_form_needs_its_borders(form: str, text: str) -> None:
    assert found(form, text) is None


def test_a_later_whole_word_is_found_behind_a_part_of_a_word() -> None:
    assert found("puasa", "berpuasa atau puasa") == "puasa"


def test_the_whole_word_is_named() -> None:
    assert found("*mu", "di rumahmu sekarang") == "rumahmu"


@pytest.mark.parametrize("form", ["", "*", "**", " * ", "\u200d", "a*b"])
def test_a_form_that_asks_for_nothing_or_has_an_inner_star_is_refused(form: str) -> None:
    with pytest.raises(FormError):
        compile_form(form)


def test_a_pattern_is_searched_in_the_folded_text() -> None:
    pattern = Pattern(re=r"jam (?:8|delapan)", yes="Jam  ٨", no="jam 9")
    assert found(pattern, "Mulai JAM\n৮ malam") == "jam 8"


def test_a_pattern_is_not_folded_itself() -> None:
    with pytest.raises(FormError, match="does not match its own `yes`"):
        compile_form(Pattern(re="أحمد", yes="أحمد", no="x"))


def test_a_pattern_must_not_match_its_no() -> None:
    with pytest.raises(FormError, match="matches its own `no`"):
        compile_form(Pattern(re="a*", yes="a", no="b"))


@pytest.mark.parametrize(
    ("expression", "instead"),
    [
        (r"\bpuasa", r"\pL\pM\pN"),
        (r"\w+", r"[\pL\pM\pN_]"),
        (r"[\w']+", r"[\pL\pM\pN_]"),
        (r"\d", "[0-9]"),
        (r"\s", "a space"),
        (r"[[:alpha:]]+", r"[\pL\pM]"),
        ("[ািী]", "(?:"),
        ("[^a\u0301]", "(?:"),
        ("[ড়ঢ]".replace("ড়", "\u09a1\u09bc"), "(?:"),
        (r"\C", "one character"),
    ],
)
def test_what_re2_reads_as_ascii_or_takes_apart_is_refused_with_what_to_write(
    expression: str, instead: str
) -> None:
    with pytest.raises(FormError) as refused:
        compile_form(Pattern(re=expression, yes="puasa", no="!"))
    assert instead in str(refused.value)


@pytest.mark.parametrize(
    ("expression", "yes"),
    [
        (r"\\b", "a\\b"),
        (r"[\pL\pM]+ ya", "বাংলায় ya"),
        (r"\p{Bengali}+", "বাংলা"),
        (r"(?:া|ি)", "কা"),
        (r"[\x{09BE}\x{09BF}]", "কি"),
        (r"[]a]", "]"),
        (r"[^]a]b", "xb"),
        (r"\[\]", "[]"),
    ],
)
def test_a_pattern_that_knows_its_classes_is_taken(expression: str, yes: str) -> None:
    assert found(Pattern(re=expression, yes=yes, no="!"), yes) is not None


@pytest.mark.parametrize("expression", ["(", "(?=a)", r"(a)\1", "a{2000}", "[z-a]"])
def test_what_re2_cannot_run_is_refused_by_name(expression: str) -> None:
    with pytest.raises(FormError, match="not an RE2 expression"):
        compile_form(Pattern(re=expression, yes="a", no="b"))


def test_a_pattern_that_backtracking_engines_choke_on_finishes() -> None:
    pattern = Pattern(re=r"^(?:a+)+$", yes="aaa", no="aab")
    assert found(pattern, "a" * 100_000 + "!") is None


def test_a_plain_form_stays_linear_in_one_endless_word() -> None:
    assert found("*a", "a" * 100_000 + "b") is None
    assert found("a*", "b" + "a" * 100_000) is None


def test_a_long_form_is_shortened_where_it_is_quoted() -> None:
    assert len(quoted("x" * 500)) < 90
