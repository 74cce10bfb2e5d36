"""Where things lie, by what the environment says."""

from pathlib import Path

import pytest

from sim.core.errors import UsageProblem
from sim.runs.places import places


def test_the_environment_moves_the_folders(tmp_path: Path) -> None:
    found = places({"SKOPOS_CONFIG": str(tmp_path), "SKOPOS_DATA": str(tmp_path / "new")})
    assert found.settings == tmp_path / "skopos.toml"
    assert found.data == tmp_path / "new"


@pytest.mark.parametrize("variable", ["SKOPOS_CONFIG", "SKOPOS_DATA", "SKOPOS_CACHE"])
def test_a_file_named_for_a_folder_is_refused(variable: str, tmp_path: Path) -> None:
    file = tmp_path / "skopos.toml"
    file.write_text("", encoding="utf-8")
    with pytest.raises(UsageProblem, match="which is a file"):
        places({variable: str(file)})
