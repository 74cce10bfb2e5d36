"""The run directory: nothing lost to a kill, nothing doubled, clear errors where it cannot be written."""

import errno
import io
import json
from pathlib import Path
from typing import Any

import pytest

from sim.core.errors import UsageProblem
from sim.core.identity import digest
from sim.core.values import Basis, Mode
from sim.runs import lines, private
from sim.runs.journal import read_journal
from sim.runs.store import Run, slug, verdict_file_name
from sim.runs.verdicts import overlaid
from tests.sim.core.people import EMPTY, FakeInterpreter, FakeJudge, FakeUser, Stage, all_met, down


@pytest.fixture
def run(tmp_path: Path) -> Run:
    with Run.create(tmp_path / "run", {"schema": 1, "signatures": []}) as writer:
        return writer.run


def test_a_folder_with_a_run_is_refused_with_the_resume_command(run: Run) -> None:
    with pytest.raises(UsageProblem, match="already holds") as refused:
        Run.create(run.folder, {})
    assert "skopos resume" in refused.value.problems[0].why


def test_of_two_starts_at_once_one_wins_and_the_other_is_told(tmp_path: Path) -> None:
    with Run.create(tmp_path / "r", {"signatures": []}) as writer:
        with pytest.raises(UsageProblem, match="another process"):
            Run.create(tmp_path / "r", {"signatures": [], "other": True})
        with pytest.raises(UsageProblem, match="another process"):
            Run(tmp_path / "r").writing()
        assert writer.run.head == {"signatures": []}
    with pytest.raises(UsageProblem, match="already holds"):
        Run.create(tmp_path / "r", {"signatures": []})
    Run(tmp_path / "r").writing().close()


def test_the_next_attempt_is_one_more_than_any_journal_tells(run: Run) -> None:
    with run.writing() as writer:
        for name, attempt in (("k", 0), ("k", 4), ("odd", 0)):
            writer.journal(name, attempt).close()
    journals = run.folder / "journal"
    started = (
        '{"type":"ConversationStarted","conversation":"k-7","key":{},"scenario":"s","pair":["kor","ind"]'
    )
    rest = ',"mode":"scripted","system":{},"users":{},"judge":"j","procedure":"turn","signature":{}}\n'
    (journals / "renamed.jsonl").write_text(started + rest, encoding="utf-8")
    (journals / "odd.²³.jsonl").write_text("no event\n", encoding="utf-8")
    assert run.attempts() == {"k": 8, "odd": 1}


def test_a_system_that_takes_a_little_at_a_time_gets_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Slow:
        def __init__(self, file: Any) -> None:
            self.file = file

        def __enter__(self) -> "Slow":
            return self

        def __exit__(self, *_: object) -> None:
            self.file.close()

        def __getattr__(self, name: str) -> Any:
            return getattr(self.file, name)

        def write(self, data: memoryview) -> int:
            return int(self.file.write(data[:3]))

    real = private.opened
    monkeypatch.setattr(private, "opened", lambda path, mode: Slow(real(path, mode)))
    lines.append(tmp_path / "f.jsonl", {"text": "মা 한국어"})
    monkeypatch.undo()
    assert (tmp_path / "f.jsonl").read_text(encoding="utf-8") == '{"text":"মা 한국어"}\n'


def test_a_second_writer_is_refused(run: Run) -> None:
    with run.writing(), pytest.raises(UsageProblem, match="another process"):
        run.writing()
    run.writing().close()


async def test_held_conversations_and_failures_go_to_their_own_files(run: Run) -> None:
    held, failed = await Stage().held(), await Stage(interpreter=FakeInterpreter({0: [down()]})).held()
    with run.writing() as writer:
        writer.journal(digest(held["key"]), 0).close()
        writer.finish(failed, 0)
        writer.finish(held, 1)
    (line,) = run.conversations()
    assert line["conversation"] == held
    assert run.done() == {digest(held["key"])}
    assert run.attempts()[digest(held["key"])] == 1
    assert run.failures() == []


async def test_a_torn_last_line_is_set_aside_before_anything_is_appended(run: Run) -> None:
    path = run.folder / "conversations.jsonl"
    with run.writing() as writer:
        writer.finish(await Stage().held(), 0)
    with path.open("ab") as file:
        file.write(b'{"key":{"n":2},"conv')
    assert len(list(run.conversations())) == 1
    with run.writing() as writer:
        writer.mend()
    assert path.read_bytes().endswith(b"}\n")
    assert (run.folder / "journal/torn/conversations.jsonl").read_bytes() == b'{"key":{"n":2},"conv\n'


@pytest.mark.parametrize(
    "line",
    [
        "not json",
        "[" * 100_000,
        "[]",
        "null",
        "NaN",
        "\0\0",
        "{}",
        '{"key":{}}',
        '{"key":5,"conversation":null}',
    ],
)
async def test_a_damaged_whole_line_is_named(run: Run, line: str) -> None:
    path = run.folder / "conversations.jsonl"
    with run.writing() as writer:
        writer.finish(await Stage().held(), 0)
    with path.open("a", encoding="utf-8") as file:
        file.write(f"{line}\n")
    with pytest.raises(UsageProblem) as damaged:
        list(run.conversations())
    assert damaged.value.problems[0].where == f"{path}:2"


@pytest.mark.parametrize("line", ["[]", "{}", '{"conversation":"a","turn":0,"verdict":{}}'])
def test_a_damaged_verdict_is_named(run: Run, line: str) -> None:
    file = run.folder / "verdicts" / "x-12345678.jsonl"
    file.parent.mkdir()
    file.write_text(f"{line}\n", encoding="utf-8")
    with pytest.raises(UsageProblem) as damaged:
        run.verdicts(file)
    assert damaged.value.problems[0].where == f"{file}:1"


_PLAN: dict[str, Any] = {
    "scenarios": ["s"],
    "systems": [{"model": "copy"}],
    "modes": ["scripted"],
    "judge": "rules",
}
_DAMAGED: list[dict[str, Any]] = [
    {"plan": _PLAN | {"trials": "x"}},
    {"plan": _PLAN | {"trials": 0}},
    {"plan": _PLAN | {"systems": [{"model": 5}]}},
    {"plan": _PLAN | {"modes": ["zz"]}},
    {"plan": _PLAN | {"users": ["a"]}},
    {"plan": _PLAN, "limits": {"budget": 5}},
    {"plan": _PLAN, "limits": {"concurrency": 0}},
    {"files": {"s": 5}},
    {"parts": [{}]},
    {"signatures": [{"scenario": "s", "system": "copy", "signature": {}}]},
]


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", "{}", '{"signatures":null}', '{"signatures":[{}]}']
    + [json.dumps({"signatures": [], **damage}) for damage in _DAMAGED],
)
def test_a_damaged_head_is_named(run: Run, text: str) -> None:
    (run.folder / "run.json").write_text(text, encoding="utf-8")
    with pytest.raises(UsageProblem) as damaged:
        run.head  # noqa: B018
    assert damaged.value.problems[0].where == str(run.folder / "run.json")


def test_a_run_of_another_format_is_refused_before_anything_in_it_is_read(run: Run) -> None:
    (run.folder / "run.json").write_text('{"schema":2,"version":"9.1","runs":[]}', encoding="utf-8")
    with pytest.raises(UsageProblem) as refused:
        run.head  # noqa: B018
    (problem,) = refused.value.problems
    assert (problem.title, "9.1" in problem.why) == ("Run of another version", True)


@pytest.mark.parametrize("line", [b"x", b"[]", b"{}", b'{"type":"Zzz"}', b"[" * 100_000, b"\xff"])
def test_a_damaged_journal_line_is_named(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "k.0.jsonl"
    path.write_bytes(line + b"\n")
    with pytest.raises(UsageProblem) as damaged:
        list(read_journal(path))
    assert damaged.value.problems[0].where == f"{path}:1"


def test_a_line_that_does_not_fit_on_the_disk_leaves_no_part_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "lines.jsonl"
    lines.append(path, {"n": 1})

    class Full(io.FileIO):
        def write(self, data: Any) -> int:
            super().write(data[:3])
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(private, "opened", lambda path, mode: Full(str(path), "a"))
    with pytest.raises(OSError, match="No space"):
        lines.append(path, {"n": 2})
    monkeypatch.undo()
    assert path.read_bytes() == b'{"n":1}\n'


async def test_a_full_disk_is_a_clear_problem(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, value: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    record = await Stage().held()
    monkeypatch.setattr(lines, "append", refuse)
    with run.writing() as writer, pytest.raises(UsageProblem, match="No space left"):
        writer.finish(record, 0)


async def test_hostile_text_survives_journal_and_record_code_point_for_code_point(run: Run) -> None:
    text = "ok\x1b]52;c;aGk=\x07\x1b[2J\u009b31m \u202eabc\u2066 \u2028 [/] {0.__class__} %s \ud800 আমি 👩‍👧"
    stage = Stage(Mode.DYNAMIC_GUIDED, a=FakeUser({0: text}))
    with run.writing() as writer:
        with writer.journal("k", 0) as journal:
            subscription = stage.bus.subscribe()
            record = await stage.held()
            await journal.write(subscription)
        writer.finish(record, 0)
    (line,) = run.conversations()
    assert line["conversation"]["turns"][0]["source"] == text
    spoken = [
        event for event in read_journal(run.folder / "journal/k.0.jsonl") if event.type == "UtteranceSpoken"
    ]
    assert spoken[0].model_dump()["text"] == text
    raw = (run.folder / "conversations.jsonl").read_bytes()
    assert not any(byte < 0x20 and byte != 0x0A for byte in raw)
    for control in ("\x9b", "\u202e", "\u2066", "\u2028"):
        assert control.encode() not in raw


async def test_later_verdicts_fill_nulls_and_replace_nothing() -> None:
    record = await Stage(judge=None, interpreter=FakeInterpreter({1: [EMPTY]})).held()
    line = {"key": record["key"], "conversation": record}
    name = digest(record["key"])
    given = {"criterion": "t0.0", "layer": "L1", "met": True, "basis": "judged", "reason": "", "judge": "x"}
    later = {(name, "0/t0.0"): {"verdict": given}, (name, "1/t1.0"): {"verdict": {**given, "met": True}}}
    for own in (True, False):
        turns = overlaid(line, later, own=own)["turns"]
        assert [v["met"] for v in turns[0]["verdicts"]] == [True, None, None]
        assert [v["met"] for v in turns[1]["verdicts"]] == [False, False, False]


async def test_what_the_own_judge_does_not_claim_is_filled_by_a_fallback_alone() -> None:
    judge = FakeJudge(
        says=lambda view: tuple(
            v.model_copy(update={"met": None, "basis": Basis.NOT_CLAIMED}) for v in all_met(view)
        )
    )
    record = await Stage(judge=judge).held()
    line = {"key": record["key"], "conversation": record}
    given = {"criterion": "t0.0", "layer": "L1", "met": True, "basis": "judged", "reason": "", "judge": "x"}
    later = {(digest(record["key"]), "0/t0.0"): {"verdict": given}}
    for apart, met in ((False, None), (True, True)):
        first = overlaid(line, later, own=True, apart=apart)["turns"][0]["verdicts"][0]
        assert first["met"] is met
    assert overlaid(line, {}, own=False)["turns"][0]["verdicts"][0]["basis"] == "unjudged"


async def test_another_judge_holds_a_failure_against_what_it_claims_alone() -> None:
    record = await Stage(interpreter=FakeInterpreter({1: [EMPTY]})).held()
    line = {"key": record["key"], "conversation": record}
    given = {
        "criterion": "t1.0",
        "layer": "L1",
        "met": None,
        "basis": "not_claimed",
        "reason": "",
        "judge": "x",
    }
    later = {(digest(record["key"]), "1/t1.0"): {"verdict": given}}
    bases = [v["basis"] for v in overlaid(line, later, own=False)["turns"][1]["verdicts"]]
    assert bases == ["not_claimed", "system_failure", "system_failure"]


def test_a_verdict_file_fills_a_null_later_and_keeps_a_verdict(run: Run) -> None:
    def row(met: bool | None) -> dict[str, Any]:
        basis = "unjudged" if met is None else "judged"
        verdict = {"criterion": "c", "layer": "L1", "met": met, "basis": basis, "reason": "", "judge": "x"}
        return {"conversation": "k", "turn": 0, "verdict": verdict}

    with run.writing() as writer:
        writer.judged("a judge/x", {"v": 1}, [row(None), row(True), row(False)])
    (file,) = run.verdict_files()
    assert run.verdicts(file)["k", "0/c"]["verdict"]["met"] is True


def test_names_in_paths_are_slugs_with_a_hash() -> None:
    name = verdict_file_name("../../Etc:passwd ✓", {"a": 1})
    assert name.startswith("etc-passwd-")
    assert slug("한국어") == "x"
    assert verdict_file_name("x", {"a": 1}) != verdict_file_name("x", {"a": 2})
