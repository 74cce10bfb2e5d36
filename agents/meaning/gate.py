"""The meaning gate: whether a translation is about what its source says.

Cosines of sentence vectors, each less its language's mean. It tells unrelated text and repeated turns from
translations; a small slip in a right sentence leaves the cosine where it was, and is for the criteria to see.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from math import sqrt
from operator import mul
from typing import Any

from agents.meaning.means import Means
from sim.core.ports import Encoder, SpokenLine
from sim.core.values import MeaningCheck

VERSION = 1
"""Changes whenever the gate may answer differently on the same means."""
_SILENT = MeaningCheck(result=None, cosine=None)


class CosineGate:
    """Fills the `MeaningGate` port with an encoder and the means that are stored for it."""

    def __init__(self, encoder: Encoder, means: Means | None, script: Sequence[SpokenLine] = ()) -> None:
        """Without `means` it never answers. `script` are lines that are known to be spoken in time."""
        self._encoder = encoder
        self._means = means
        self._script = tuple(script)

    @property
    def identity(self) -> Mapping[str, Any]:
        """Version, encoder, means and thresholds, and the languages it answers for."""
        known = self._means.identity | {"languages": sorted(self._means.languages)} if self._means else None
        return {"gate": "cosine", "version": VERSION, "encoder": dict(self._encoder.identity), "means": known}

    def knows(self, language: str) -> bool:
        """Whether it can answer for texts in `language` (ISO 639-3)."""
        return self._means is not None and language in self._means.languages

    def knowing(self, script: Sequence[SpokenLine]) -> "CosineGate":
        """The same gate for a conversation whose lines are written: all of them are compared with."""
        return CosineGate(self._encoder, self._means, script)

    async def check(
        self, source: SpokenLine, translation: str, target: str, earlier: Sequence[SpokenLine]
    ) -> MeaningCheck:
        """The check of `translation` against `source`; result None for a language without a mean.

        Raises what the encoder raises.
        """
        means = self._means
        if means is None or not (self.knows(source.language) and self.knows(target)):
            return _SILENT
        others = _others(source, (*earlier, *self._script))
        spoken = (*earlier, source)
        texts = [translation, *dict.fromkeys(line.text for line in chain(spoken, others))]
        vectors = dict(zip(texts, await self._encoder.vectors(texts), strict=True))
        here = _drawn(means, source.language, spoken, vectors)
        there = _less(vectors[translation], _drawn(means, target, spoken, vectors))
        cosine = _cosine(_less(vectors[source.text], here), there)
        nearest = max((_cosine(_less(vectors[line.text], here), there) for line in others), default=None)
        return MeaningCheck(
            result=_result(means, cosine, nearest),
            cosine=round(cosine, 4),
            nearest_earlier=None if nearest is None else round(nearest, 4),
        )


def _others(source: SpokenLine, lines: Iterable[SpokenLine]) -> tuple[SpokenLine, ...]:
    """What the same speaker says in other turns."""
    return tuple(line for line in lines if line.speaker == source.speaker and line.text != source.text)


def _result(means: Means, cosine: float, nearest: float | None) -> str:
    if cosine < means.other or (nearest is not None and nearest - cosine > means.nearer):
        return "else"
    return "doubtful" if cosine < means.carried else "carried"


def _drawn(
    means: Means, language: str, spoken: Sequence[SpokenLine], vectors: Mapping[str, Sequence[float]]
) -> list[float]:
    """The mean of a language, drawn from the stored one toward the lines spoken in it so far."""
    lines = [vectors[line.text] for line in spoken if line.language == language]
    stored, weight = means.languages[language], means.weight
    whole = weight + len(lines)
    return [(weight * mean + sum(at)) / whole for mean, *at in zip(stored, *lines, strict=True)]


def _less(vector: Sequence[float], mean: Sequence[float]) -> list[float]:
    return [one - other for one, other in zip(vector, mean, strict=True)]


def _cosine(one: Sequence[float], other: Sequence[float]) -> float:
    """−1 to 1; 0 where one of them is all zero."""
    size = sqrt(sum(map(mul, one, one)) * sum(map(mul, other, other)))
    return sum(map(mul, one, other)) / size if size else 0.0
