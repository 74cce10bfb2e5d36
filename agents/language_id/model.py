"""A fastText model file, loaded when first asked and safe for any string.

Only probabilities come out. The file is read directly: no helper package's own `detect`, which would
go to the network.
"""

import hashlib
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Protocol

_PREFIX = "__label__"
_LEAST = 0.0005
"""Labels under this probability are left out of an answer."""


class Predictor(Protocol):
    """What the `fasttext` module gives for a model file."""

    def predict(self, text: str, k: int, threshold: float) -> tuple[Sequence[str], Sequence[float]]:
        """The `k` best labels (all for −1) over `threshold`, with their probabilities."""
        ...


class FastTextModel:
    """One model file. Raises nothing for any text; the file must exist."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @cached_property
    def _model(self) -> Predictor:
        import fasttext

        model: Predictor = fasttext.load_model(str(self._path))
        return model

    @cached_property
    def labels(self) -> frozenset[str]:
        """Every label the model can give, without fastText's prefix."""
        names, _ = self._model.predict("", k=-1, threshold=-1.0)
        return frozenset(name.removeprefix(_PREFIX) for name in names)

    @cached_property
    def fingerprint(self) -> str:
        """Size and a hash of the first megabyte, which holds the model's settings and dictionary."""
        with self._path.open("rb") as file:
            head = hashlib.sha256(file.read(1 << 20)).hexdigest()
        return f"{self._path.stat().st_size}-{head[:16]}"

    def probabilities(self, line: str) -> Mapping[str, float]:
        """Label → probability of one line (no line break, no unpaired surrogate), best first."""
        names, values = self._model.predict(line, k=-1, threshold=_LEAST)
        return {
            name.removeprefix(_PREFIX): min(float(value), 1.0)
            for name, value in zip(names, values, strict=True)
        }
