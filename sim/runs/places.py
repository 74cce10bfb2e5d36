"""Where Skopos keeps things: the only module that chooses a directory.

Agents get paths from here and never choose one. `SKOPOS_DATA`, `SKOPOS_CACHE` and `SKOPOS_CONFIG` move the
three roots.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import platformdirs

from sim.core.errors import Problem, UsageProblem


def _config() -> Path:
    return Path(platformdirs.user_config_dir("skopos", appauthor=False))


@dataclass(frozen=True, slots=True)
class Places:
    """The directories of one user."""

    data: Path
    """Records of watched and held conversations; mode 0700."""
    cache: Path
    """Assembled models and the call cache; may be deleted at any time."""
    config: Path = field(default_factory=_config)
    """The user's own settings, and which folders are trusted."""

    @property
    def records(self) -> Path:
        """One folder a watched or held conversation."""
        return self.data / "records"

    @property
    def models(self) -> Path:
        """Model files put together from packages."""
        return self.cache / "models"

    @property
    def logs(self) -> Path:
        """Logs of local servers; no conversation text."""
        return self.cache / "logs"

    @property
    def calls(self) -> Path:
        """The call cache."""
        return self.cache / "calls.sqlite"

    @property
    def settings(self) -> Path:
        """The settings of all projects."""
        return self.config / "skopos.toml"

    @property
    def trust(self) -> Path:
        """Which folders' settings may say where text and keys go."""
        return self.config / "trusted.json"

    @property
    def vectors(self) -> Path:
        """Vectors of sentences, by hash."""
        return self.cache / "vectors.sqlite"


def places(environment: Mapping[str, str] | None = None) -> Places:
    """The directories under this environment; nothing is created yet.

    Raises UsageProblem where a file is named for one: its settings would be passed over in silence.
    """
    env = os.environ if environment is None else environment
    data = env.get("SKOPOS_DATA") or platformdirs.user_data_dir("skopos", appauthor=False)
    cache = env.get("SKOPOS_CACHE") or platformdirs.user_cache_dir("skopos", appauthor=False)
    config = env.get("SKOPOS_CONFIG")
    for name in ("SKOPOS_DATA", "SKOPOS_CACHE", "SKOPOS_CONFIG"):
        if Path(env.get(name) or "/").is_file():
            raise UsageProblem(
                Problem("No folder", f"{name} names {env[name]}, which is a file.", "It names a folder.")
            )
    return Places(Path(data), Path(cache), Path(config) if config else _config())


def run_folder(name: str, where: Places) -> Path:
    """The run a person means by `name`: a path, or the id of a record in the data directory.

    Raises UsageProblem where there is none, with the newest records.
    """
    for candidate in (Path(name), where.records / name):
        if _holds_run(candidate):
            return candidate
    recent = sorted(where.records.glob("*/run.json"), key=lambda p: p.stat().st_mtime, reverse=True)
    raise UsageProblem(
        Problem(
            "No such run",
            f"{name!r} is neither a folder with a run.json nor the id of a record.",
            "A run is the folder given to `skopos run --out`, or an id printed by `watch` and `chat`.",
            tuple(path.parent.name for path in recent[:5]),
        )
    )


def _holds_run(folder: Path) -> bool:
    """Whether there is a run.json; no name is too odd or too long to ask."""
    try:
        return (folder / "run.json").is_file()
    except OSError:
        return False
