import re

import pytest

from prompts.loader import Prompt, PromptError, load, names

VARIABLES = {
    "briefs/direct": "source_language target_language",
    "briefs/direct-context": "source_language target_language conversation_context",
    "briefs/specification": "source_language target_language conversation_context",
    "briefs/cultural": "source_language target_language cultural_context",
    "interpreter/message-single": "source_language target_language fence message",
    "interpreter/message-multi": "source_language target_language fence message speaker turn history",
    "interpreter/history-turns": "fence turns",
    "interpreter/history-summary": "fence summary",
    "interpreter/history-none": "",
    "interpreter/past-turn": "turn speaker source translation",
    "interpreter/past-turn-undelivered": "turn speaker source",
    "interpreter/summarise": "fence turns",
    "parts/not-given": "",
    "users/guided": "language role_context format",
    "users/free": "language format",
    "users/recipient": "language role_context format",
    "users/format-json": "language",
    "users/format-plain": "language",
    "users/next-guided": "fence heard intent",
    "users/next-free": "fence heard",
    "users/open-guided": "intent",
    "users/again": "language",
    "users/go-on": "language",
    "judge/turn": "fence conversation_context source_language target_language source translation response "
    "translation_check response_check criteria ids speaker listener answers example",
    "judge/response": "fence target_language response",
    "judge/response-none": "",
    "judge/criterion": "id ask",
    "judge/conversation": "fence conversation_context transcript criteria ids speaker listener answers "
    "example",
    "judge/answers": "",
    "judge/answers-live": "",
    "judge/example": "",
    "judge/example-live": "",
    "judge/transcript-failed": "fence turn speaker source_language target_language source why",
    "judge/transcript-turn": "fence turn speaker source_language target_language source translation "
    "translation_check",
    "judge/repair": "problem ids answers example",
}
HOSTILE = "$source_language ${fence} $$ {answer} {0.__class__} %s %(x)s \\1 \x1b[2J $ওকে"


def test_every_shipped_prompt_is_documented_here() -> None:
    prompts = {name for name in names() if not name.startswith("examples/")}
    assert prompts == set(VARIABLES)


@pytest.mark.parametrize("name", VARIABLES)
def test_a_prompt_renders_with_its_documented_variables(name: str) -> None:
    prompt = load(name)
    assert prompt.variables == set(VARIABLES[name].split())
    text = prompt.render(**{variable: f"<{variable}>" for variable in prompt.variables})
    assert "$" not in text
    assert all(f"<{variable}>" in text for variable in prompt.variables)


@pytest.mark.parametrize("name", VARIABLES)
def test_a_prompt_uses_no_other_formatting(name: str) -> None:
    assert not re.search(r"\{\w*\}|%\(|%s|\$\{", load(name).text)


@pytest.mark.parametrize("name", [name for name, used in VARIABLES.items() if used])
def test_a_value_arrives_verbatim_and_is_never_scanned(name: str) -> None:
    prompt = load(name)
    text = prompt.render(**dict.fromkeys(prompt.variables, HOSTILE))
    assert text.count(HOSTILE) >= len(prompt.variables)


def test_every_missing_and_unknown_variable_is_named() -> None:
    with pytest.raises(PromptError) as caught:
        load("briefs/cultural").render(source_language="Korean", tone="warm", audience="x")
    said = str(caught.value)
    assert "briefs/cultural" in said
    missing = ("missing $cultural_context", "missing $target_language")
    assert all(part in said for part in (*missing, "unknown $audience", "unknown $tone"))
    assert "source_language" not in said.replace("$target_language", "")


def test_a_value_that_is_no_string_is_refused_by_name() -> None:
    values = {"source_language": "Korean", "target_language": None}
    with pytest.raises(PromptError, match=r"\$target_language is not a string"):
        load("briefs/direct").render(**values)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "name",
    [
        "judge/tun",
        "",
        "/judge/turn",
        "../prompts/judge/turn",
        "judge/turn.txt",
        "judge\\turn",
        "JUDGE/turn",
        "a\n",
        "judge",
    ],
)
def test_an_unknown_name_is_refused_with_the_names_there_are(name: str) -> None:
    with pytest.raises(PromptError, match="judge/turn"):
        load(name)


@pytest.mark.parametrize("text", ["costs $5", "ends in $", "${not closed"])
def test_a_malformed_text_is_refused_when_it_is_read(text: str) -> None:
    with pytest.raises(PromptError, match="broken"):
        Prompt("broken", text)


def test_a_dollar_sign_can_be_written() -> None:
    assert Prompt("p", "$$5 for $what").render(what="$5") == "$5 for $5"


def test_a_hash_belongs_to_the_text_alone() -> None:
    assert Prompt("a", "text").hash == Prompt("b", "text").hash == "982d9e3eb996"
    assert Prompt("a", "text.").hash != Prompt("a", "text").hash


def test_prompts_have_hashes_of_their_own() -> None:
    assert len({load(name).hash for name in names()}) == len(names())


def test_the_direct_briefs_differ_by_the_context_alone() -> None:
    direct, with_context = load("briefs/direct").text, load("briefs/direct-context").text
    assert with_context == f"{direct}\n\nConversation context:\n$conversation_context"


@pytest.mark.parametrize("name", ["judge/turn", "judge/conversation"])
def test_a_judge_is_told_no_layer_and_no_reference(name: str) -> None:
    assert not re.search(
        r"\bL[123]\b|layer|reference|semantic|pragmatic|cultural context", load(name).text, re.IGNORECASE
    )
