"""The page on trust says what the benchmarks measured, and so do the figures a report shows."""

import json
import re
from pathlib import Path

from sim.core.identity import digest

ROOT = Path(__file__).parents[2]
TRUST = (ROOT / "docs" / "trust.md").read_text(encoding="utf-8")
FLOOR = (ROOT / "docs" / "bench" / "floor.md").read_text(encoding="utf-8")
MEANING = (ROOT / "docs" / "bench" / "meaning.md").read_text(encoding="utf-8")


def rows(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("| ") and "---" not in line]


def test_the_tables_are_those_of_the_benchmark() -> None:
    assert rows(TRUST) == rows(FLOOR)


def test_the_gates_figures_are_those_of_the_benchmark() -> None:
    pooled = [row.split("|") for row in MEANING.splitlines() if row.startswith("| **all**")]
    shares = [re.findall(r"([\d.]+)% \(", "|".join(cells)) for cells in pooled]
    assert len(shares) == 3
    said = TRUST.replace(" %", "%")
    news, packs, talk = shares
    assert f"({news[0]}% pooled)" in said
    assert f"({news[1]}% pooled)" in said
    assert f"the scenarios, {packs[0]}% lost, {packs[1]}% of random lines clean" in said
    assert f"talk, {talk[0]}%, {talk[1]}% and {talk[2]}%" in said


def test_the_floor_is_low_enough_and_stands_in_the_readme() -> None:
    shown = json.loads((ROOT / "scenarios" / "trust.json").read_text(encoding="utf-8"))
    for layers in shown["floor"].values():
        assert max(layers.values()) <= 0.05
    assert shown["reference"] >= 0.97
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert all(f"{layers['overall']:.3f}" in readme for layers in shown["floor"].values())
    assert "docs/trust.md" in readme


def test_the_figures_are_of_the_judge_and_the_scenarios_as_they_are() -> None:
    """After a change to either, `python -m tests.bench.floor DATA` measures anew."""
    from tests.bench.floor import hashes, open_identity

    shown = json.loads((ROOT / "scenarios" / "trust.json").read_text(encoding="utf-8"))
    assert shown["judge"] == digest(open_identity(), 8)
    assert shown["scenarios"] == hashes()


def test_the_directions_that_miss_are_named() -> None:
    short = (ROOT / "docs" / "bench" / "short-lines.md").read_text(encoding="utf-8")
    right, wrong = ([cell.strip() for cell in row.split("|")[2:5]] for row in rows(short)[1:3])
    assert f"{right[1].partition('/')[0]} of {right[1].partition('/')[2]} right renderings" in TRUST
    assert right[2].startswith("0/")
    carried, doubtful, other = (cell.partition("/")[0] for cell in wrong)
    assert f"{other} of {wrong[2].partition('/')[2]} were called something else" in TRUST
    assert f"{doubtful} were doubtful, and {carried} were carried" in TRUST
    names = {"arb": "Arabic", "ben": "Bengali", "eng": "English", "ind": "Indonesian", "kor": "Korean"}
    over = re.findall(r"(\w{3})→(\w{3}) (?:loses|passes)", MEANING)
    assert over
    assert all(f"{names[a]} to {names[b]}" in TRUST for a, b in over)
