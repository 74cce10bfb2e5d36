"""Files from strangers: whatever stands in them, one clear message, the right exit code, and no waiting."""

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sim.core.text import dumps
from tests.sim.commands.conftest import Done, Skopos
from tests.sim.commands.made_run import study, verdict, write_run

RAW: dict[str, bytes] = {
    "nothing": b"",
    "a NUL": b"\0",
    "NULs before": b'\0\0\0{"a":1}',
    "UTF-16": '{"a": 1}'.encode("utf-16"),
    "UTF-32": '{"a": 1}'.encode("utf-32-be"),
    "Latin-1": "é = 1".encode("latin-1"),
    "a surrogate": b"\xed\xa0\x80 = 1",
    "deep brackets": b"[" * 100_000,
    "deep braces": b"{" * 100_000,
    "deep keys": b"a" + b".a" * 50_000 + b" = 1",
    "deep in JSON": b'{"a":' * 50_000,
    "a long number": b"a = 1" + b"0" * 10_000,
    "10^400": b"1e400",
    "NaN": b"NaN",
    "a list": b"[]",
    "null": b"null",
    "a text": b'"x"',
    "an escape": b"\x1b]0;owned\x07\x1b[2J",
    "unknown keys": b"".join(b"k%d = 1\n" % n for n in range(20_000)),
    "unknown keys in YAML": b"".join(b"k%d: 1\n" % n for n in range(8_000)),
    "an anchor": b"a: &x [1]\nb: *x\n",
    "a tag": b"!!python/object/apply:os.system ['true']",
    "too much": b"#" * 51_000_000,
}
SPECIAL = ("a pipe", "a device", "a folder", "a sparse file")
WAYS: dict[str, tuple[str, tuple[str, ...]]] = {
    "plan": ("p.toml", ("run", "p.toml", "--out", "out", "--dry-run")),
    "scenario": ("s.yaml", ("watch", "s.yaml", "--json")),
    "settings": ("skopos.toml", ("watch", "--json", "--turns", "0")),
    "fake": ("f.yaml", ("watch", "--interpreter", "fake:f.yaml", "--json")),
    "fake in JSON": ("f.json", ("watch", "--interpreter", "fake:f.json", "--json")),
    "metrics": ("m.csv", ("report", "run", "--metrics", "m.csv")),
    "filter list": ("lists/l.toml", ("filter", "run", "--lists", "lists")),
    "GGUF": ("m.gguf", ("watch", "--interpreter", "gguf:m.gguf", "--json")),
}


@pytest.fixture(autouse=True)
def no_hang() -> Iterator[None]:
    """A test that waits for what never comes ends."""

    def ring(*_: object) -> None:
        raise AssertionError("it hangs")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(200)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def clear(done: Done, *codes: int) -> None:
    assert done.code in (codes or (2,)), done
    assert "Traceback" not in done.err
    assert len(done.err) < 60_000
    assert "\x1b]0" not in done.err + done.out


def place(path: Path, what: str) -> None:
    path.parent.mkdir(exist_ok=True)
    if what == "a pipe":
        os.mkfifo(path)
    elif what == "a device":
        path.symlink_to("/dev/zero")
    elif what == "a folder":
        path.mkdir()
    elif what == "a sparse file":
        path.touch()
        os.truncate(path, 2 << 30)
    else:
        path.write_bytes(RAW[what])


@pytest.mark.parametrize("what", [*RAW, *SPECIAL])
@pytest.mark.parametrize("way", WAYS)
def test_a_file_that_is_none_is_one_problem(way: str, what: str, skopos: Skopos) -> None:
    write_run(Path("run"), study(scenarios=1))
    name, words = WAYS[way]
    place(Path(name), what)
    done = skopos(*words)
    clear(done, 2)
    assert done.err.startswith("skopos: ")


def header(*entries: bytes, count: int | None = None) -> bytes:
    number = len(entries) if count is None else count
    return b"GGUF\x03\0\0\0" + bytes(8) + number.to_bytes(8, "little") + b"".join(entries)


def long(number: int) -> bytes:
    return number.to_bytes(8, "little")


_LIST = long(1) + b"k" + (9).to_bytes(4, "little")
HEADERS = {
    "no entries": header(),
    "endless entries": header(count=2**64 - 1) + bytes(100_000),
    "an endless key": header(long(2**64 - 1)),
    "an endless text": header(long(1) + b"k" + (8).to_bytes(4, "little") + long(2**63)),
    "an endless list of texts": header(_LIST + (8).to_bytes(4, "little") + long(2**62)),
    "an endless list of numbers": header(_LIST + (10).to_bytes(4, "little") + long(2**62)),
    "a text of negative length": header(_LIST + (8).to_bytes(4, "little") + long(2) + long(2**64 - 8)),
    "lists in lists": header(_LIST + (9).to_bytes(4, "little") + long(2)),
    "an unknown kind": header(long(1) + b"k" + (99).to_bytes(4, "little")),
}


@pytest.mark.parametrize("name", HEADERS)
def test_a_hostile_header_of_a_model_ends(name: str, tmp_path: Path) -> None:
    from agents.models.gguf_header import metadata

    path = tmp_path / "m.gguf"
    path.write_bytes(HEADERS[name])
    os.truncate(path, 1 << 30)
    assert len(metadata(path)) <= 4096


LINES: dict[str, bytes] = {
    name: data for name, data in RAW.items() if len(data) < 10**6 and b"\n" not in data
}
READERS = (("report", "run"), ("report", "run", "--json"), ("compare", "run", "a", "b"))
WRITERS = (("resume", "run"), ("judge", "run", "--judge", "rules"), ("filter", "run"))


def damaged(line: bytes, file: str = "conversations.jsonl") -> Path:
    path = write_run(Path("run"), study(scenarios=2)) / file
    path.parent.mkdir(exist_ok=True)
    whole = path.read_bytes().splitlines(keepends=True) if path.exists() else []
    path.write_bytes(b"".join([*whole[:1], line + b"\n", *whole[1:]]))
    return path


@pytest.mark.parametrize("name", LINES)
def test_a_damaged_line_is_counted_by_readers_told_by_writers_and_set_aside(
    name: str, skopos: Skopos
) -> None:
    path = damaged(LINES[name])
    for words in READERS:
        done = skopos(*words)
        clear(done, 0)
        assert done.out.count("1 line was left out") == 1
        assert f"{path}:2" in done.out
    for words in WRITERS[1:]:
        done = skopos(*words)
        clear(done, 2)
        assert f"{path}:2" in done.err
        assert "skopos records repair run" in done.err
    done = skopos("records", "repair", "run")
    clear(done, 0)
    assert f"{path}:2" in done.out
    kept = Path("run/journal/torn/conversations.lines")
    assert kept.read_bytes() == b"2\t" + LINES[name] + b"\n"
    assert len(path.read_bytes().splitlines()) == 4
    clear(skopos("filter", "run"), 0)
    assert "nothing to repair" in skopos("records", "repair", "run").out
    assert "left out" not in skopos("report", "run").out


@pytest.mark.parametrize(
    "file", ["failures.jsonl", "calls.jsonl", "exclusions.jsonl", "verdicts/x-12345678.jsonl"]
)
def test_every_file_of_lines_is_looked_at_before_a_run_goes_on(file: str, skopos: Skopos) -> None:
    path = damaged(b"garbage", file)
    done = skopos("judge", "run", "--judge", "rules")
    clear(done, 2)
    number = len(path.read_bytes().splitlines())
    assert f"{path}:{min(number, 2)}" in done.err
    clear(skopos("records", "repair", "run"), 0)
    assert path.read_bytes().count(b"garbage") == 0
    aside = Path("run/journal/torn") / Path(file).with_suffix(".lines")
    assert b"garbage" in aside.read_bytes()


def test_a_journal_is_repaired_and_the_others_are_played(skopos: Skopos) -> None:
    assert skopos("watch", "--interpreter", "copy", "--judge", "none", "--turns", "1", "--json").code == 0
    (record,) = Path("data/records").iterdir()
    (journal,) = (record / "journal").glob("*.jsonl")
    journal.write_bytes(journal.read_bytes() + b"garbage\n")
    done = skopos("replay", record.name, "--json")
    clear(done, 2)
    assert f"{journal.name}:" in done.err
    clear(skopos("records", "repair", record.name), 0)
    clear(skopos("replay", record.name, "--json"), 0)


def test_a_verdict_that_says_yes_is_no_verdict(skopos: Skopos) -> None:
    records = study(scenarios=1)
    records[0]["turns"][0]["verdicts"] = [verdict("t0", "L1", "yes")]  # type: ignore[arg-type]
    write_run(Path("run"), records)
    done = skopos("report", "run")
    clear(done, 0)
    assert "verdicts.0.met" in done.out


def places(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for key, inner in items for found in places(inner, (*path, key)))]


def changed(document: Any, path: tuple[str | int, ...], new: Any) -> Any:
    if not path:
        return new
    copy = json.loads(json.dumps(document))
    at = copy
    for step in path[:-1]:
        at = at[step]
    if new is Ellipsis:
        del at[path[-1]]
    else:
        at[path[-1]] = new
    return copy


ODD: st.SearchStrategy[Any] = st.sampled_from(
    [..., None, "yes", 5, -1, 10**30, 0.5, [], {}, [[]], True, "\x1b]0;x\x07"]
)


@settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_any_field_of_a_record_may_be_anything(data: st.DataObject, skopos: Skopos) -> None:
    write_run(Path("run"), study(scenarios=2))
    file = Path("run") / data.draw(st.sampled_from(["conversations.jsonl", "run.json"]))
    first, *others = file.read_text(encoding="utf-8").splitlines(keepends=True)
    document = json.loads(first)
    path = data.draw(st.sampled_from(places(document)[1:]))
    file.write_text("".join([dumps(changed(document, path, data.draw(ODD))) + "\n", *others]))
    words = data.draw(st.sampled_from([*READERS, *WRITERS, ("report", "run", "--html", "page.html")]))
    clear(skopos(*words), 0, 1, 2)
