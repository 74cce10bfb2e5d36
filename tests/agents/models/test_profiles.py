"""The study's local recipients: known by their files, loaded by llama.cpp, spoken to as the study did."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.language_id.opening import open_detector
from agents.models.gguf_header import metadata
from agents.models.profiles import profile_of, profiles
from agents.models.registry import ModelPool, profile, validate
from agents.users.conduct import refuses
from agents.users.model import ModelUser
from sim.core.errors import CallFailed, FaultKind, UsageProblem
from sim.core.events import ContextTrimmed
from sim.core.ports import Heard, Message, Request
from tests.agents.clients import OK, user_view
from tests.agents.models.helpers import HELLO, Ear
from tests.agents.models.tiny import UNTEMPLATED, write_tiny

STUDY = [
    ("ind", "Qwen SEA LION v4 8B VL", "qwen3vl", 32768),
    ("ind", "Qwen-SEA-LION-v4-8B-VL", "qwen3vl", 32768),
    ("kor", "EXAONE 3.5 7.8B Instruct", "exaone", 16384),
    ("arb", "C4Ai Command R7B Arabic 02 2025", "cohere2", 16384),
    ("ben", "TigerLLM 9B It", "gemma2", 16384),
]
ANSWER = "네, 알겠습니다."


def exaone(folder: Path, answer: str = ANSWER, **more: str | None) -> Path:
    return write_tiny(
        folder / "e.gguf",
        answer=answer,
        name="EXAONE 3.5 7.8B Instruct",
        architecture="exaone",
        **more,
    )


@pytest.mark.parametrize(("language", "name", "architecture", "context"), STUDY)
def test_a_recipient_of_the_study_is_known_by_its_file(
    language: str, name: str, architecture: str, context: int, tmp_path: Path
) -> None:
    path = write_tiny(tmp_path / "m.gguf", answer="x", name=name, architecture=architecture)
    found = profile(f"gguf:{path}")
    assert found is not None
    assert (found.language, found.context) == (language, context)


@pytest.mark.parametrize(
    ("name", "architecture"),
    [
        ("EXAONE 3.5 7.8B Instruct", "llama"),
        ("EXAONE 3.5 2.4B Instruct", "exaone"),
        ("C4Ai Command R7B 12 2024", "cohere2"),
        ("Gemma 2 9B It", "gemma2"),
        ("", "exaone"),
    ],
)
def test_any_other_file_has_no_profile(name: str, architecture: str, tmp_path: Path) -> None:
    path = write_tiny(tmp_path / "m.gguf", answer="x", name=name, architecture=architecture)
    assert profile(f"gguf:{path}") is None


def test_a_profile_may_be_chosen_outright(tmp_path: Path) -> None:
    path = write_tiny(tmp_path / "m.gguf", answer="x", name="finetune of mine")
    assert profile(f"gguf:{path}") is None
    chosen = profile(f"gguf:{path}#tigerllm-9b")
    assert chosen is not None
    assert chosen.language == "ben"


def test_a_hash_in_a_path_is_part_of_it(tmp_path: Path) -> None:
    path = write_tiny(tmp_path / "m#1.gguf", answer="x", name="finetune of mine")
    validate(f"gguf:{path}")
    assert profile(f"gguf:{path}#exaone-3.5-7.8b") is not None


def test_an_unknown_profile_is_named_with_those_there_are(tmp_path: Path) -> None:
    path = write_tiny(tmp_path / "m.gguf", answer="x", name="m")
    with pytest.raises(UsageProblem) as raised:
        validate(f"gguf:{path}#exaone")
    assert "exaone-3.5-7.8b" in raised.value.problems[0].choices


def test_a_file_that_cannot_be_loaded_is_not_among_those_offered_instead(tmp_path: Path) -> None:
    good = write_tiny(tmp_path / "good.gguf", answer="x", name="m")
    (tmp_path / "bad.gguf").write_bytes(b"GGUFxxxx")
    with pytest.raises(UsageProblem) as raised:
        validate(f"gguf:{tmp_path / 'bad.gguf'}")
    assert raised.value.problems[0].choices == (f"gguf:{good}",)


@pytest.mark.parametrize("found", profiles().values(), ids=lambda found: found.name)
def test_an_instruction_is_in_the_language_of_its_model(found: object) -> None:
    assert open_detector().check(found.instruction, found.language).result == "ok"  # type: ignore[attr-defined]


def test_a_header_is_read_past_its_lists(tmp_path: Path) -> None:
    head = metadata(exaone(tmp_path))
    assert head["exaone.context_length"] == 65536
    assert head["tokenizer.ggml.eos_token_id"] == 2
    assert "tokenizer.ggml.tokens" not in head


@given(st.binary(max_size=200))
def test_a_damaged_header_is_read_as_far_as_it_goes(
    tmp_path_factory: pytest.TempPathFactory, rest: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "damaged.gguf"
    path.write_bytes(b"GGUF\x03\0\0\0" + rest)
    assert isinstance(dict(metadata(path)), dict)
    assert profile_of(path) is None


async def test_one_file_has_one_server_with_the_context_of_its_profile(tmp_path: Path) -> None:
    path = exaone(tmp_path)
    async with ModelPool(models=tmp_path, logs=tmp_path) as pool:
        first, second = (pool.open_client(f"gguf:{path}") for _ in range(2))
        assert first.identity["context"] == 16384
        assert first.identity["profile"] == "exaone-3.5-7.8b"
        assert first.identity == second.identity
        assert pool.server(path, 16384) is pool.server(path, 16384)


@pytest.mark.slow
async def test_llama_cpp_loads_it_with_its_own_template_and_context(tmp_path: Path) -> None:
    async with ModelPool(models=tmp_path, logs=tmp_path) as pool:
        client = pool.open_client(f"gguf:{exaone(tmp_path)}")
        assert (await client.complete(HELLO, Ear().scope())).text == ANSWER
        long = Request(messages=(Message("user", "x" * 8000),))
        assert (await client.complete(long, Ear().scope())).text == ANSWER
        with pytest.raises(CallFailed) as failure:
            await client.complete(Request(messages=(Message("user", "x" * 17_000),)), Ear().scope())
        assert failure.value.kind is FaultKind.CONTEXT_LENGTH


@pytest.mark.slow
async def test_a_base_model_gets_its_text_unadorned(tmp_path: Path) -> None:
    async with ModelPool(models=tmp_path, logs=tmp_path) as pool:
        client = pool.open_client(f"gguf:{exaone(tmp_path, template=None)}")
        assert (await client.complete(HELLO, Ear().scope())).text == UNTEMPLATED


@pytest.mark.slow
async def test_an_over_long_role_context_is_cut_once_and_the_record_told(tmp_path: Path) -> None:
    path = exaone(tmp_path)
    found = profile(f"gguf:{path}")
    assert found is not None
    async with ModelPool(models=tmp_path, logs=tmp_path) as pool:
        user = ModelUser(pool.open_client(f"gguf:{path}"), recipient=True, instruction=found.instruction)
        ear = Ear()
        view = user_view(
            language="kor", role_context="환자는 " * 3000, lines=(Heard(False, "네."),), received=OK
        )
        assert (await user.speak(view, ear.scope())).text == ANSWER
    (trimmed,) = [event for event in ear.events if isinstance(event, ContextTrimmed)]
    assert trimmed.context is not None
    assert 190 <= trimmed.context <= 200


def test_the_study_refusals_are_recognised() -> None:
    assert refuses("죄송합니다. 그 언어를 이해하지 못합니다.", "kor")
    assert refuses("Maaf, saya tidak mengerti bahasa itu.", "ind")
    assert refuses("عذرًا، لا أفهم هذه اللغة.", "arb")
    assert refuses("দুঃখিত, আমি সেই ভাষা বুঝি না।", "ben")
