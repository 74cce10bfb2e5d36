"""What is read of a long text, and that nothing goes wrong in it."""

import asyncio
import time

import pytest

from agents.checklists.rules import RuleWriter
from agents.detectors import port
from agents.detectors.port import bounded
from agents.detectors.registry import LANGUAGES, detector, functions
from agents.embeddings import MOST_TEXT, WorkerEncoder
from agents.interpreters.remarks import annotated
from agents.language_id import detector as language_check
from agents.language_id.opening import open_detector
from scenarios.taxonomy import taxonomy
from sim.core.beside import LONG, beside


def test_what_people_say_is_read_whole() -> None:
    said = "Jam 3 sore, ya? " * 200
    assert bounded(said) == said


@pytest.mark.parametrize("language", LANGUAGES)
def test_detectors_read_a_bounded_part(language: str) -> None:
    long = "x" * 10_000 + " " * 10_000
    assert len(bounded(long)) <= port.LONGEST_WORD + port.MOST_TEXT
    assert len(bounded("x" * 10_000)) == port.LONGEST_WORD
    for name in functions(language):
        found = detector(language, name)
        assert found.detect("a" * 10_000) == found.detect("a" * port.LONGEST_WORD)


async def test_numbers_of_any_length_are_asked_for() -> None:
    said = "Saya bayar " + "1" * 10_000 + " rupiah."
    assert await RuleWriter(taxonomy).live(0, said, ("ind", "kor"))


def test_the_language_check_reads_the_beginning() -> None:
    check = open_detector("lid176").check
    said = "Saya mau pesan kamar untuk dua malam. " * 600
    assert len(said) > language_check.MOST_TEXT
    assert check(said + "The house is here. " * 9_000, "ind", "kor", "x") == check(said, "ind", "kor", "x")


async def test_an_encoder_reads_the_beginning() -> None:
    read: list[str] = []

    def embed(text: str) -> list[float]:
        read.append(text)
        return [1.0]

    encoder = WorkerEncoder({}, lambda: embed)
    await encoder.similarities("a" * 300_000, ["b"])
    await encoder.aclose()
    assert [len(text) for text in read] == [MOST_TEXT, 1]


def test_blank_lines_are_looked_at_once() -> None:
    started = time.process_time()
    assert not annotated("x", "\n" * 50_000, "kor")
    assert time.process_time() - started < 2
    assert annotated("x", "\n\n- one\n\n- two", "kor")


async def test_long_work_leaves_the_loop() -> None:
    loop = asyncio.get_running_loop()

    def here() -> bool:
        try:
            return asyncio.get_running_loop() is loop
        except RuntimeError:
            return False

    assert await beside(LONG - 1, here)
    assert not await beside(LONG, here)
