import unicodedata
from pathlib import Path
from typing import Any

import pytest

from scenarios.loader import (
    CORE,
    find,
    load,
    load_all,
    pack_files,
    pack_of,
    packs,
    scenario_hash,
    select,
    shipped,
    shipped_files,
)
from sim.core.errors import Problem, UsageProblem
from tests.scenarios.parts import example, example_text, line_of, write, write_data


def problems(path: Path) -> tuple[Problem, ...]:
    with pytest.raises(UsageProblem) as refused:
        load(path)
    return refused.value.problems


def replaced(tmp_path: Path, *changes: tuple[str, str]) -> Path:
    text = example_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return write(tmp_path, text)


def test_the_guide_example_loads(tmp_path: Path) -> None:
    scenario = load(write(tmp_path, example_text()))
    assert scenario.id == "eng-ind-clinic-tablet"
    assert scenario.direction(1) == ("ind", "eng")


def test_all_problems_of_a_file_come_at_once_with_their_lines(tmp_path: Path) -> None:
    path = replaced(
        tmp_path,
        ("setting: clinic", "seting: clinic"),
        ("layer: L1", "layer: L9"),
        ("require: [tablet, sebelum]", "require: [tablet, 5]"),
        ("speaker: B", "speaker: C"),
        ("licence: CC0-1.0", "license: CC0-1.0"),
    )
    found = problems(path)
    for text in ("seting", "L9", "[tablet, 5]", "speaker: C", "license"):
        assert f"{path}:{line_of(path, text)}" in [problem.where for problem in found]
    said = " ".join(problem.what for problem in found)
    assert "setting is missing" in said
    assert "licence is missing" in said
    assert "must be 'L1', 'L2' or 'L3', not 'L9'" in said


def test_an_unknown_key_lists_the_nearest_valid_ones_first(tmp_path: Path) -> None:
    path = replaced(tmp_path, ("forbid: [kamu", "forbids: [kamu"))
    (problem,) = problems(path)
    assert problem.choices[0] == "forbid"
    assert set(problem.choices) == {"require", "any", "forbid", "number", "detect", "similar"}


def test_an_unknown_key_inside_a_number_or_a_pattern_lists_theirs(tmp_path: Path) -> None:
    (problem,) = problems(replaced(tmp_path, ("words: dua", "word: dua")))
    assert set(problem.choices) == {"value", "words"}
    (problem,) = problems(
        replaced(tmp_path, ("require: water", "require: {re: water, yes: water, no: tea, flags: i}"))
    )
    assert set(problem.choices) == {"re", "yes", "no"}


def test_a_form_of_the_wrong_kind_is_one_problem(tmp_path: Path) -> None:
    (problem,) = problems(replaced(tmp_path, ("require: water", "require: 5")))
    assert "must be a text in quotes, or a pattern" in problem.what
    (problem,) = problems(replaced(tmp_path, ("require: water", "require: {re: water, yes: water}")))
    assert problem.what.endswith(".require.no is missing.")


@pytest.mark.parametrize("content", ["3\n", "- a\n", "just text\n", "~\n", "true\n"])
def test_a_document_that_is_no_mapping_is_one_problem(tmp_path: Path, content: str) -> None:
    (problem,) = problems(write(tmp_path, content))
    assert "mapping" in problem.what


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("pair: [eng, ind]", "pair: [eng, xyz]", "'xyz' is not an ISO 639-3"),
        ("pair: [eng, ind]", "pair: [eng]", "pair"),
        ("index: 1", "index: 2", "Turn index 2 should be 1"),
        ("speaker: B", "speaker: A", "Turn 1 should be spoken by B"),
        ("opens: A ", "opens: B ", "Turn 0 should be spoken by B"),
        ("id: t1.l1.water", "id: t0.l1.dose", "'t0.l1.dose' is already used"),
        ("breaks: [t1.l3.reply]", "breaks: [t0.l3.address]", "no criterion of turn 1"),
        ("failure_point: fp.address", "failure_point: fp.adress", "in no turn's analysis"),
        ("id: eng-ind-clinic-tablet", "id: Eng_Ind", "does not match"),
        ("schema: 1", "schema: 2", "must be 1, not 2"),
        ("value: 2, words: dua", "value: 1e999, words: dua", "finite"),
    ],
)
def test_what_the_engine_could_not_hold_is_refused(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert said in " ".join(problem.what for problem in problems(replaced(tmp_path, (old, new))))


def test_a_file_without_turns_is_refused(tmp_path: Path) -> None:
    (problem,) = problems(write_data(tmp_path, example(tmp_path) | {"turns": []}))
    assert "no turn" in problem.what


def test_an_unknown_language_lists_near_ones(tmp_path: Path) -> None:
    (problem,) = problems(replaced(tmp_path, ("pair: [eng, ind]", "pair: [eng, id]")))
    assert any(choice.startswith("ind") for choice in problem.choices)


def test_a_second_file_with_the_same_id_is_refused(tmp_path: Path) -> None:
    first = write(tmp_path, example_text(), "a.yaml")
    second = write(tmp_path, example_text(), "b.yaml")
    usable, found = load_all([first, second])
    assert [item.document.path for item in usable] == [first]
    assert found[0].where == f"{second}:{line_of(second, 'id: eng')}"
    assert str(first) in found[0].what


def test_one_bad_file_does_not_hide_the_others(tmp_path: Path) -> None:
    usable, found = load_all([write(tmp_path, "{", "a.yaml"), write(tmp_path, example_text(), "b.yaml")])
    assert len(usable) == 1
    assert len(found) == 1


def test_an_unknown_scenario_lists_the_nearest_ids(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = tuple(Path(f"{name}.yaml") for name in ("kor-ind-clinic", "arb-ben-market"))
    monkeypatch.setattr("scenarios.loader.shipped_files", lambda: files)
    for name in ("arb-ben-markt", "ARB-BEN-MARKET", unicodedata.normalize("NFD", "arb-bén-market")):
        with pytest.raises(UsageProblem) as refused:
            find(name)
        (problem,) = refused.value.problems
        assert problem.choices[0] == "arb-ben-market"


@pytest.mark.parametrize("name", ["", "\x00", "x" * 5000, "../../etc", "a/\ud800", "*.none"])
def test_a_name_that_names_nothing_is_one_problem(name: str) -> None:
    for looked_up in (find, lambda text: select([text])):
        with pytest.raises(UsageProblem):
            looked_up(name)


def test_a_path_is_found(tmp_path: Path) -> None:
    assert find(str(write(tmp_path, example_text()))).id == "eng-ind-clinic-tablet"


def test_select_takes_paths_folders_and_globs_once_each(tmp_path: Path) -> None:
    a, b = write(tmp_path, "", "a.yaml"), write(tmp_path, "", "b.yml")
    write(tmp_path, "", "notes.txt")
    assert select([str(tmp_path)]) == (a, b)
    assert select([str(tmp_path / "*"), str(b)]) == (a, b)
    assert select([str(tmp_path / "b*")]) == (b,)


def test_select_names_every_name_that_names_nothing(tmp_path: Path) -> None:
    with pytest.raises(UsageProblem) as refused:
        select(["none-such", "neither-this", str(tmp_path / "*.yaml")])
    assert len(refused.value.problems) == 3


def test_shipped_scenarios_are_named_after_their_ids_and_found_by_them() -> None:
    scenarios = shipped()
    assert sorted(path.stem for path in shipped_files()) == [scenario.id for scenario in scenarios]
    for scenario in scenarios:
        assert find(scenario.id) == scenario


def test_the_hash_is_of_what_is_said_not_of_how_the_file_is_laid_out(tmp_path: Path) -> None:
    data: Any = example(tmp_path)
    plain = scenario_hash(load(write(tmp_path, example_text())))
    assert scenario_hash(load(write_data(tmp_path, data))) == plain
    data["window"] = {"before": [], "summary": ""}
    assert scenario_hash(load(write_data(tmp_path, data))) == plain
    data["turns"][1]["source"] += "!"
    assert scenario_hash(load(write_data(tmp_path, data))) != plain


def test_the_pack_in_a_file_is_the_one_it_is_found_by() -> None:
    assert CORE in packs()
    assert {s.id: s.pack for s in shipped()} == {path.stem: pack_of(path) for path in shipped_files()}
    assert len(shipped(CORE)) == 28


def test_what_ships_is_looked_up_in_the_pack_that_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "kor-ind-other.yaml"
    other.write_text("id: kor-ind-other\npack: spare\n", encoding="utf-8")
    core = shipped_files()
    monkeypatch.setattr("scenarios.loader.shipped_files", lambda: (*core, other))
    assert select(["kor-ind-*"], "spare") == (other,)
    assert other in select(["kor-ind-*"])
    assert other not in select(["*"], CORE)
    with pytest.raises(UsageProblem) as refused:
        select(["kor-ind-clinic-fasting"], "spare")
    assert "of the pack 'spare'" in refused.value.problems[0].what


def test_a_file_of_ones_own_is_in_no_pack(tmp_path: Path) -> None:
    own = write(tmp_path, example_text())
    assert load(own).pack is None
    assert select([str(own)], CORE) == (own,)


def test_an_unknown_pack_is_refused_with_those_there_are() -> None:
    with pytest.raises(UsageProblem) as refused:
        pack_files("cores")
    assert refused.value.problems[0].choices == (*packs(), "all")


def test_what_no_participant_sees_changes_no_hash() -> None:
    scenario = load(shipped_files()[0])
    turns = tuple(turn.model_copy(update={"gloss": None}) for turn in scenario.turns)
    assert scenario_hash(scenario.model_copy(update={"pack": None, "turns": turns})) == scenario_hash(
        scenario
    )
