"""Keys: from the environment alone, an empty one is none, a cut one is refused, none is shown."""

import pytest

from agents.models.endpoints import endpoint
from agents.models.hosts import host_of, is_here
from agents.models.meant import Meant
from agents.models.registry import validate
from sim.core.errors import UsageProblem

LAB = Meant("lab", "openai/gpt-4o", "http://127.0.0.1:9/v1", "LAB")


def refused(meant: str | Meant) -> str:
    with pytest.raises(UsageProblem) as found:
        validate(meant)
    (problem,) = found.value.problems
    assert problem.title == "No key"
    return f"{problem.what} {problem.why}"


@pytest.mark.parametrize("value", ["", "  ", "\n"])
def test_an_empty_key_is_none(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", value)
    monkeypatch.setenv("LAB", value)
    assert "OPENAI_API_KEY" in refused("openai/gpt-4o")
    assert "LAB, which is empty" in refused(LAB)


def test_a_missing_key_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LAB", raising=False)
    assert "LAB, which is not set" in refused(LAB)


@pytest.mark.parametrize("value", ["sk-hunter\n22", "sk–hunter22", "sk hunter22", "sk-hunter22\r\n"])
def test_a_key_that_no_header_can_carry_is_refused_and_not_shown(
    value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "LAB"):
        monkeypatch.setenv(name, value)
    for model in ("openai/gpt-4o", LAB):
        said = refused(model)
        assert "cannot be sent" in said
        assert "hunter" not in said


def test_a_good_key_is_good(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAB", "sk-0123456789")
    validate(LAB)


def test_the_environment_is_as_it_was_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    monkeypatch.setenv("OPENAI_API_KEY", " ")
    refused("openai/gpt-4o")
    assert os.environ["OPENAI_API_KEY"] == " "


@pytest.mark.parametrize(
    ("model", "base", "host"),
    [
        ("local", None, None),
        ("gguf:x.gguf", None, None),
        ("fake:x", None, None),
        ("hosted_vllm/m", None, "127.0.0.1:8000"),
        ("ollama/m:8b", None, "127.0.0.1:11434"),
        ("ollama_chat/m", None, "127.0.0.1:11434"),
        ("lm_studio/m", None, "127.0.0.1:1234"),
        ("llamafile/m", None, "127.0.0.1:8080"),
        ("hosted_vllm/m", "https://gpu.example:8443/v1", "gpu.example:8443"),
        ("openai/gpt-4o", None, "api.openai.com"),
        ("gpt-4o", None, "api.openai.com"),
        ("gemini/gemini-2.5-flash", None, "generativelanguage.googleapis.com"),
        ("anthropic/claude-x", None, "api.anthropic.com"),
        ("deepseek/deepseek-v4-pro", None, "api.deepseek.com"),
        ("xai/grok-4.7", None, "api.x.ai"),
    ],
)
def test_the_host_of_a_model(model: str, base: str | None, host: str | None) -> None:
    assert host_of(model, base) == host
    assert is_here(host) == (host is None or host.startswith("127."))


def test_an_address_in_the_environment_is_the_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOSTED_VLLM_API_BASE", "http://gpu:9/v1")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://gate:8/v1")
    found = endpoint("hosted_vllm/m")
    assert found is not None
    assert (found.base, found.key) == ("http://gpu:9/v1", "")
    assert host_of("hosted_vllm/m") == "gpu:9"
    assert host_of("openai/gpt-4o") == "gate:8"


@pytest.mark.parametrize(
    ("model", "variable"),
    [
        ("openai/gpt-4o", "OPENAI_BASE_URL"),
        ("ollama/m", "OLLAMA_API_BASE"),
        ("gemini/gemini-2.5-flash", "GEMINI_API_BASE"),
    ],
)
def test_an_address_without_a_scheme_is_named_as_it_is(
    model: str, variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, "me:secret@gate.example:8/v1")
    assert host_of(model) == "gate.example:8/v1"


@pytest.mark.parametrize("model", ["openai/m", "mistral/m", "deepseek/m", "openrouter/a/m", "groq/m"])
def test_a_providers_key_goes_to_that_provider_alone(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    provider = model.partition("/")[0].upper()
    monkeypatch.setenv(f"{provider}_API_KEY", "sk-of-a-company")
    theirs, mine = endpoint(model), endpoint(model, "http://192.168.1.5:8080/v1")
    named = endpoint(model, "http://192.168.1.5:8080/v1", "sk-of-mine")
    assert theirs is not None
    assert mine is not None
    assert named is not None
    assert (theirs.key, mine.key, named.key) == ("sk-of-a-company", "", "sk-of-mine")
    assert "sk-" not in repr(theirs)


def test_ollama_is_asked_in_this_protocol_however_its_address_is_written() -> None:
    for base in ("http://127.0.0.1:11434", "http://127.0.0.1:11434/", "http://127.0.0.1:11434/v1"):
        found = endpoint("ollama/llama3.2:3b", base)
        assert found is not None
        assert found.base.rstrip("/") == "http://127.0.0.1:11434/v1"
        assert (found.model, found.free) == ("llama3.2:3b", True)
