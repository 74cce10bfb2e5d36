"""The label of the embedded users says what was measured."""

import re
from pathlib import Path

from agents.users.local import LABEL

BENCH = Path(__file__).parents[3] / "docs" / "bench" / "local-users.md"


def test_the_label_gives_the_published_figures() -> None:
    row = re.search(r"^\| all \| (\d+) \| (\d+) \| (\d+) \|", BENCH.read_text(encoding="utf-8"), re.MULTILINE)
    assert row is not None
    said, ok, low = (int(count) for count in row.groups())
    assert f"{ok + low} of {said} utterances" in LABEL
