from __future__ import annotations

import pytest

from agents.models.redact import Redactor

ENVIRONMENT = {
    "OPENAI_API_KEY": "sk-abcdef123456",
    "HF_TOKEN": "hf_secretsecret",
    "DB_PASSWORD": "hunter2hunter2",
    "AWS_SECRET_ACCESS": "wJalrXUtnFEMI/K7",
    "SHORT_KEY": "1",
    "PATH": "/usr/bin:/bin",
}


@pytest.mark.parametrize("name", [n for n in ENVIRONMENT if n not in ("SHORT_KEY", "PATH")])
def test_values_of_key_variables_go(name: str) -> None:
    text = f"bad key {ENVIRONMENT[name]}, again <{ENVIRONMENT[name]}>"
    assert Redactor.of(ENVIRONMENT)(text) == "bad key [hidden], again <[hidden]>"


def test_other_values_stay() -> None:
    assert Redactor.of(ENVIRONMENT)("/usr/bin:/bin 1 + 1") == "/usr/bin:/bin 1 + 1"


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Authorization: Bearer abc.def-1", "Authorization: Bearer [hidden]"),
        ("{'authorization': 'bearer abc'}", "{'authorization': 'bearer [hidden]'}"),
        ("mqtts://ana:geheim@host:8883/x", "mqtts://[hidden]@host:8883/x"),
        ("mail me at ana@example.org", "mail me at ana@example.org"),
    ],
)
def test_shapes_go(text: str, plain: str) -> None:
    assert Redactor()(text) == plain


def test_secrets_made_at_run_time_go() -> None:
    assert Redactor.of({}, "made-just-now")("key made-just-now") == "key [hidden]"


def test_a_secret_that_begins_another_does_not_leave_its_end() -> None:
    assert Redactor(["abcdef", "abcdefghij"])("abcdefghij") == "[hidden]"


@pytest.mark.parametrize(
    "text",
    [
        "refused: AIza/se+cret== in header",
        "GET https://host/v1?key=AIza%2Fse%2Bcret%3D%3D&alt=sse",
        "GET https://host/v1?alt=sse&api_key=somebody-elses",
        'body {"key": "AIza/se+cret==\\n"}',
        "the text was cut in AIza/se+cr",
    ],
)
def test_a_key_is_hidden_however_it_is_spelt_or_cut(text: str) -> None:
    told = Redactor(["AIza/se+cret==\n"])(text)
    assert "[hidden]" in told
    assert "AIza" not in told
    assert "somebody" not in told


def test_an_answer_keeps_all_words_but_our_keys() -> None:
    redactor = Redactor.of({"LAB_KEY": "sk-abcdef-0123456789", "KEYBOARD": "english"})
    said = "english, Bearer of news: sk-abcdef-0123456789"
    assert redactor.answered(said) == "english, Bearer of news: [hidden]"
    assert Redactor().answered(said) == said
