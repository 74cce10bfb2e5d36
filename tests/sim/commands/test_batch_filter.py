"""`skopos filter`: one hit removes an item for every system; the list says where and repeats no text."""

import json
from pathlib import Path
from typing import Any

import pytest

from scenarios.loader import find_file
from sim.runs.store import Run
from tests.sim.commands.conftest import Skopos

TWO = ("kor-ind-clinic-fasting", "eng-kor-office-leave")


@pytest.fixture
def held(skopos: Skopos) -> Path:
    """Two scenarios under two systems, one of which told a telephone number in one turn of one."""
    rules: list[dict[str, Any]] = [
        {"match": {"scenario": TWO[0], "turn": 1, "trial": 1}, "reply": "제 번호는 010-1234-5678입니다."},
        {"reply": "네, 알겠습니다."},
    ]
    Path("f.json").write_text(json.dumps({"fake": 1, "rules": rules}), encoding="utf-8")
    Path("p.toml").write_text(
        f'schema = 1\nscenarios = {list(TWO)}\ntrials = 2\njudges = "none"\n'
        '[[systems]]\nmodel = ["fake:f.json", "reference"]\n',
        encoding="utf-8",
    )
    assert skopos("run", "p.toml", "--out", "r").code == 0
    return Path("r")


def test_one_hit_removes_the_item_for_every_system(held: Path, skopos: Skopos) -> None:
    before = (held / "conversations.jsonl").read_bytes()
    done = skopos("filter", "r")
    assert done.code == 0, done.err
    assert "items 2 before, 1 after; conversations 8 before, 4 after" in done.out
    assert Run(held).exclusions() == {(TWO[0], "scripted")}
    assert (held / "conversations.jsonl").read_bytes() == before


def test_a_hit_is_told_by_rule_and_place_without_the_text(held: Path, skopos: Skopos) -> None:
    skopos("filter", "r")
    text = (held / "exclusions.jsonl").read_text(encoding="utf-8")
    assert "1234" not in text
    (row,) = [json.loads(line) for line in text.splitlines()]
    assert (row["rule"], row["turn"], row["field"], row["trial"]) == (
        "personal-data/phone-local",
        1,
        "translation",
        1,
    )


def test_filtering_again_with_other_lists_counts_anew(held: Path, skopos: Skopos) -> None:
    skopos("filter", "r")
    Path("lists").mkdir()
    Path("lists/none.toml").write_text('words = ["zzz"]\n', encoding="utf-8")
    done = skopos("filter", "r", "--lists", "lists")
    assert "items 2 before, 2 after; conversations 8 before, 8 after" in done.out
    assert "nothing was found" in done.out
    assert Run(held).exclusions() == set()


def _opposite(name: str, original: str, *, base: str | None) -> str:
    """A scenario of one's own like a shipped one, as the other direction of a base might be."""
    provenance = "provenance: {source: written, licence: CC-BY-4.0"
    text = find_file(original).read_text(encoding="utf-8").replace(f"id: {original}", f"id: {name}")
    assert provenance in text
    text = text.replace(provenance, f"{provenance}, base: {base}") if base else text
    Path(f"{name}.yaml").write_text(text, encoding="utf-8")
    return f"{name}.yaml"


@pytest.mark.parametrize(("mode", "after"), [("single-turn", 1), ("scripted", 2)])
@pytest.mark.parametrize("bases", [("one", "one"), (None, "there")])
def test_in_single_turn_mode_the_base_of_a_hit_goes_with_it(
    bases: tuple[str | None, str], mode: str, after: int, skopos: Skopos
) -> None:
    """Both name a base, or one is the base that the other names."""
    made = [
        _opposite("there", TWO[0], base=bases[0]),
        _opposite("back", TWO[1], base=bases[1]),
        _opposite("apart", TWO[1], base=None),
    ]
    rule = {"match": {"scenario": "there", "turn": 0}, "reply": "제 번호는 010-1234-5678입니다."}
    rules = [rule, {"reply": "네, 알겠습니다."}]
    Path("f.json").write_text(json.dumps({"fake": 1, "rules": rules}), encoding="utf-8")
    words = ("--scenarios", ",".join(made), "--interpreters", "fake:f.json", "--judge", "none")
    assert skopos("run", *words, "--mode", mode, "--out", "r").code == 0
    done = skopos("filter", "r")
    assert f"items 3 before, {after} after" in done.out
    gone = {"there", "back"} if mode == "single-turn" else {"there"}
    assert Run(Path("r")).exclusions() == {(name, mode) for name in gone}
    assert ("back, single-turn, of the same base as there" in done.out) == (mode == "single-turn")
    assert "phone-local: 1 place\n" in done.out
