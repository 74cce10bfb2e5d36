"""A built wheel in a clean environment has its data files: it helps, checks and watches."""

import json
import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def done(*words: str | Path, **more: object) -> str:
    finished = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False, **more)  # type: ignore[call-overload]
    assert finished.returncode == 0, finished.stdout + finished.stderr
    return str(finished.stdout)


@pytest.mark.slow
def test_the_wheel_works_alone(tmp_path: Path) -> None:
    done(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path, cwd=ROOT)
    (wheel,) = tmp_path.glob("*.whl")
    clean = tmp_path / "clean"
    venv.create(clean, symlinks=True)
    (site,) = clean.glob("lib/python*/site-packages")
    done(
        sys.executable,
        "-m",
        "uv",
        "pip",
        "install",
        "-q",
        "--no-deps",
        "--python",
        clean / "bin/python",
        wheel,
    )
    # the dependencies of this environment, without the project's own editable install
    installed = Path(next(path for path in sys.path if path.endswith("site-packages")))
    for entry in installed.iterdir():
        own = entry.name.startswith(("skopos", "_skopos", "__editable__"))
        if not own and not (site / entry.name).exists():
            (site / entry.name).symlink_to(entry)
    skopos = clean / "bin/skopos"
    environment = {**os.environ, "SKOPOS_DATA": str(tmp_path / "d"), "SKOPOS_CACHE": str(tmp_path / "c")}
    environment.pop("PYTHONPATH", None)
    inside = {"cwd": tmp_path, "env": environment}
    assert "watch" in done(skopos, "--help", **inside)
    assert "0 problems" in done(skopos, "scenarios", "check", **inside)
    document = json.loads(done(skopos, "watch", "--json", "--interpreter", "reference", **inside))
    assert document["scores"]["overall"] >= 0.98
    where = done(clean / "bin/python", "-c", "import sim.core.values as v; print(v.__file__)", **inside)
    assert str(clean) in where
