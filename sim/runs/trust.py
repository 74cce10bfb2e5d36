"""Which folders may decide where text and keys go: kept at user level, by path and content.

A `skopos.toml` that lies in a folder came with it, from whoever made the folder. A changed file is
untrusted again.
"""

import json
import os
from pathlib import Path
from tempfile import NamedTemporaryFile

from sim.core import files
from sim.core.errors import Problem, UsageProblem
from sim.core.text import dumps
from sim.runs import private
from sim.runs.places import Places
from sim.runs.settings_file import SettingsFile


def is_trusted(file: SettingsFile, where: Places) -> bool:
    """Whether this very content of the file was trusted."""
    return bool(file.digest) and _known(where.trust).get(str(file.path.resolve())) == file.digest


def trust(file: SettingsFile, where: Places) -> None:
    """Trust the file as it is now. Raises UsageProblem where that cannot be kept."""
    known = _known(where.trust) | {str(file.path.resolve()): file.digest}
    private.folder(where.config)
    try:
        with NamedTemporaryFile("w", dir=where.config, delete=False, encoding="utf-8") as new:
            new.write(dumps(known) + "\n")
        os.replace(new.name, where.trust)  # noqa: PTH105
    except OSError as failure:
        raise UsageProblem(
            Problem(
                "Trust cannot be kept", f"{where.trust} cannot be written.", str(failure.strerror or failure)
            )
        ) from failure


def _known(file: Path) -> dict[str, str]:
    """Path → digest. A file that cannot be read trusts nothing."""
    try:
        known = json.loads(files.read(file))
    except (OSError, ValueError, RecursionError):
        return {}
    return known if isinstance(known, dict) else {}
