"""Vectors on disk: found again, private, bounded, and never in the way."""

import logging
import stat
from array import array
from pathlib import Path

import pytest

from agents.embeddings import WorkerEncoder
from agents.vectors import VectorStore

IDENTITY = {"encoder": "made"}


def store(path: Path, kept: int = 50_000) -> VectorStore:
    return VectorStore(path, IDENTITY, kept)


async def test_another_process_need_not_encode_again(tmp_path: Path) -> None:
    asked: list[str] = []

    def embed(text: str) -> list[float]:
        asked.append(text)
        return [0.6, 0.8]

    for _ in range(2):
        encoder = WorkerEncoder(IDENTITY, lambda: embed, store=store(tmp_path / "v.sqlite"))
        [vector] = await encoder.vectors(["말씀"])
        assert list(vector) == pytest.approx([0.6, 0.8])
        await encoder.aclose()
    assert asked == ["말씀"]


def test_another_encoder_has_vectors_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "v.sqlite"
    first = store(path)
    first.put("a", array("f", [1.0]))
    first.close()
    assert VectorStore(path, {"encoder": "other"}).get("a") is None
    assert store(path).get("a") == array("f", [1.0])


def test_the_file_is_its_owners_alone_and_holds_no_text(tmp_path: Path) -> None:
    path = tmp_path / "cache" / "v.sqlite"
    kept = store(path)
    kept.put("a secret word", array("f", [1.0]))
    kept.close()
    for file in path.parent.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert b"secret" not in file.read_bytes()


def test_the_longest_unread_go_first(tmp_path: Path) -> None:
    kept = store(tmp_path / "v.sqlite", kept=100)
    for number in range(500):
        kept.put(str(number), array("f", [float(number)]))
        kept.get("0")
    assert kept.get("0") is not None
    assert kept.get("1") is None
    assert sum(kept.get(str(number)) is not None for number in range(500)) <= 100


def test_a_fault_switches_it_off_with_one_line(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "v.sqlite"
    path.write_bytes(b"this is no database, and long enough to be read as one" * 40)
    kept = store(path)
    with caplog.at_level(logging.WARNING):
        assert kept.get("a") is None
        kept.put("a", array("f", [1.0]))
        assert kept.get("a") is None
    assert len(caplog.records) == 1
