from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from agents.models import embedded, gguf
from agents.models.registry import ModelPool, validate
from sim.core.errors import Problem, UsageProblem
from tests.agents.models.helpers import HELLO, Ear
from tests.stub.app import Stub


def problem(name: str) -> Problem:
    with pytest.raises(UsageProblem) as raised:
        validate(name)
    return raised.value.problems[0]


@pytest.mark.parametrize("name", ["", "  ", "gguf:", "fake:"])
def test_a_name_that_says_nothing_gets_the_choices(name: str) -> None:
    assert "local" in problem(name).choices
    assert "gguf:PATH" in problem(name).choices


@pytest.mark.parametrize("name", ["nonesuch", "foo/bar", "lokal", "gguff:x"])
def test_an_unknown_name_is_named_with_choices(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    found = problem(name)
    assert capfd.readouterr() == ("", "")
    assert repr(name) in found.what
    assert "local" in found.choices


def test_a_misspelt_provider_gets_the_nearest() -> None:
    assert "gemini/gemini-2.5-flash" in problem("gemnii/gemini-2.5-flash").choices


@pytest.mark.parametrize(
    ("name", "variable"),
    [("openai/gpt-4o-mini", "OPENAI_API_KEY"), ("gemini/gemini-2.5-flash", "GEMINI_API_KEY")],
)
def test_a_missing_key_is_asked_for_by_name(name: str, variable: str) -> None:
    found = problem(name)
    assert name in found.what
    assert variable in found.why


def test_with_a_key_a_hosted_name_is_good(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-0123456789")
    validate("openai/anything-at-all")


def test_a_missing_gguf_is_named_with_its_neighbours(tmp_path: Path) -> None:
    (tmp_path / "right.gguf").write_bytes(b"GGUF\x03\0\0\0")
    found = problem(f"gguf:{tmp_path}/wrong.gguf")
    assert "missing" in found.what
    assert found.choices == (f"gguf:{tmp_path}/right.gguf",)


@pytest.mark.parametrize(
    ("head", "word"),
    [
        (b"PK\x03\x04zipped", "not a GGUF"),
        (b"", "not a GGUF"),
        (b"GGUF", "not a GGUF file this"),
        (b"GGUF\x01\0\0\0", "version"),
    ],
)
def test_a_file_that_is_no_gguf_is_refused(tmp_path: Path, head: bytes, word: str) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(head)
    found = problem(f"gguf:{path}")
    assert word in found.what + found.why


def test_a_directory_is_no_gguf(tmp_path: Path) -> None:
    assert "a directory" in problem(f"gguf:{tmp_path}").what


def test_the_embedded_model_has_the_pinned_bytes(models_dir: Path) -> None:
    path = embedded.assembled(models_dir)
    gguf.check(path)
    assert gguf.sha256(path) == embedded.SHA256


def test_a_damaged_embedded_model_is_put_together_again(models_dir: Path, tmp_path: Path) -> None:
    path = tmp_path / embedded.assembled(models_dir).name
    path.write_bytes(b"GGUF, but not all of it")
    assert gguf.sha256(embedded.assembled(tmp_path)) == embedded.SHA256


async def test_one_server_a_file_however_many_roles(tmp_path: Path) -> None:
    pool = ModelPool(models=tmp_path, logs=tmp_path)
    assert pool.server(None) is pool.server(None)
    assert pool.server(tmp_path / "a.gguf") is not pool.server(None)
    await pool.aclose()


async def test_identity_holds_what_changes_answers(tmp_path: Path) -> None:
    script = tmp_path / "f.yaml"
    script.write_text("fake: 1\nrules: [{reply: x}]", "utf-8")
    async with ModelPool(models=tmp_path, logs=tmp_path, context=1024) as pool:
        local = pool.open_client("local").identity
        assert (local["sha256"], local["context"]) == (embedded.SHA256, 1024)
        first = pool.open_client(f"fake:{script}").identity
        script.write_text("fake: 1\nrules: [{reply: y}]", "utf-8")
        assert pool.open_client(f"fake:{script}").identity != first


async def test_a_hosted_client_answers_by_its_name(stub: Stub, tmp_path: Path) -> None:
    async with ModelPool(models=tmp_path, logs=tmp_path) as pool:
        client = pool.open_client("openai/stub")
        assert client.name == "openai/stub"
        assert (await client.complete(HELLO, Ear().scope())).text == "A reply from the stub."


_LAZY = """
import sys
from agents.models.registry import validate
validate("local"); validate(f"fake:{sys.argv[1]}")
heavy = {"litellm", "openai", "llama_cpp", "aiohttp", "numpy"}
print(sorted(heavy & set(sys.modules)))
"""


def test_checking_offline_names_loads_nothing_heavy(tmp_path: Path) -> None:
    script = tmp_path / "f.yaml"
    script.write_text("fake: 1\nrules: [{reply: x}]", "utf-8")
    command = [sys.executable, "-c", _LAZY, str(script)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
