"""What the meaning gate knows beforehand: each language's mean vector, and what a cosine is enough for.

Numbers only, a file an encoder; `tests/bench/meaning_means.py` makes them from texts that stay outside.
The file says which texts, whose, and under which licence.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from sim.core.identity import digest


@dataclass(frozen=True, slots=True)
class Means:
    """The stored means and thresholds of one encoder."""

    languages: Mapping[str, tuple[float, ...]]
    """ISO 639-3 code → mean vector of its sentences, over several kinds of text."""
    carried: float
    """Least cosine of what is called carried."""
    other: float
    """Under this cosine a translation says something else."""
    nearer: float
    """By how much another turn's source must be closer than the own one to be what was said instead."""
    weight: float
    """Of a stored mean, in lines of the conversation."""

    @property
    def identity(self) -> dict[str, Any]:
        """What tells these numbers from others."""
        return {
            "means": digest({code: list(mean) for code, mean in sorted(self.languages.items())}, 8),
            "thresholds": [self.other, self.carried, self.nearer],
            "weight": self.weight,
        }


def read(document: Mapping[str, Any]) -> Means:
    """The means in the document of a file. Raises KeyError for one that is none."""
    thresholds = document["thresholds"]
    return Means(
        languages={code: tuple(row["mean"]) for code, row in document["languages"].items()},
        carried=thresholds["carried"],
        other=thresholds["else"],
        nearer=thresholds["nearer"],
        weight=document["weight"],
    )


def stored(encoder: Mapping[str, Any]) -> Means | None:
    """The means that ship for the encoder of this identity; None where there are none for it."""
    document = _document(str(encoder["encoder"]))
    return read(document) if document is not None and document["encoder"] == dict(encoder) else None


@cache
def _document(name: str) -> Mapping[str, Any] | None:
    file = files("agents.meaning").joinpath(f"{name}.json")
    return json.loads(file.read_text(encoding="utf-8")) if file.is_file() else None
