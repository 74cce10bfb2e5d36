from __future__ import annotations

import json
from pathlib import Path

import pytest

from agents.models import fake_file
from agents.models.client import ModelClient
from agents.models.fake import FakeBackend
from sim.core.errors import CallFailed, FaultKind, UsageProblem
from sim.core.ports import Message, Request
from tests.agents.models.helpers import HELLO, Clock, Ear, client_of

STREAM = Request(messages=HELLO.messages, stream=True)


def fake(tmp_path: Path, text: str, clock: Clock | None = None, name: str = "f.yaml") -> ModelClient:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    return client_of(FakeBackend(fake_file.read(path)), clock)


async def say(client: ModelClient, request: Request = HELLO, **place: object) -> str:
    return (await client.complete(request, Ear().scope(**place))).text


RULES = """
fake: 1
rules:
  - match: {role: judge}
    reply: {verdicts: [{id: a, met: true, reason: "잘"}]}
  - {match: {turn: 1, trial: 2}, reply: both}
  - {match: {turn: 1}, reply: turn one}
  - {match: {scenario: other, attempt: 1}, reply: elsewhere}
  - {match: {contains: "ক্ষ"}, reply: found}
  - reply: any
"""


async def test_the_first_matching_rule_answers(tmp_path: Path) -> None:
    client = fake(tmp_path, RULES)
    assert await say(client, turn=1) == "turn one"
    assert await say(client, turn=1, trial=2) == "both"
    assert await say(client, scenario="other", attempt=1) == "elsewhere"
    assert await say(client, scenario="other") == "any"
    assert await say(client, Request(messages=(Message("user", "এক ক্ষ দুই"),))) == "found"
    assert await say(client, Request(prompt="ক্ষ")) == "found"
    assert json.loads(await say(client, role="judge"))["verdicts"][0]["reason"] == "잘"


async def test_json_is_a_script_too(tmp_path: Path) -> None:
    text = json.dumps({"fake": 1, "rules": [{"reply": "\U0001f469 ok"}]})
    assert await say(fake(tmp_path, text, name="f.json")) == "\U0001f469 ok"


@pytest.mark.parametrize(
    ("rule", "outcome", "text"),
    [
        ("fault: empty_choices", "empty", ""),
        ("fault: null_content", "empty", ""),
        ("fault: empty_content", "empty", ""),
        ("fault: truncated", "truncated", "Selamat "),
        ("fault: blocked", "blocked", ""),
        ("fault: leak", "ok", "Selamat datang."),
        ("fault: leak_unopened", "ok", "Selamat datang."),
        ("fault: broken_json", "ok", "Selamat da"),
    ],
)
@pytest.mark.parametrize("request_", [HELLO, STREAM])
async def test_odd_answers(tmp_path: Path, rule: str, outcome: str, text: str, request_: Request) -> None:
    client = fake(tmp_path, f"fake: 1\nrules: [{{reply: Selamat datang., {rule}}}]")
    completion = await client.complete(request_, Ear().scope())
    assert (completion.outcome, completion.text.strip()) == (outcome, text.strip())


@pytest.mark.parametrize(
    ("rule", "kind"),
    [
        ("fault: rate_limit", FaultKind.RATE_LIMIT),
        ("fault: server_error, status: 502", FaultKind.UNAVAILABLE),
        ("fault: authentication", FaultKind.AUTHENTICATION),
        ("fault: quota", FaultKind.QUOTA),
        ("fault: timeout", FaultKind.TIMEOUT),
        ("fault: context_length", FaultKind.CONTEXT_LENGTH),
        ("fault: cut_stream", FaultKind.UNAVAILABLE),
    ],
)
async def test_faults(tmp_path: Path, rule: str, kind: FaultKind) -> None:
    client = fake(tmp_path, f"fake: 1\nrules: [{{reply: one two three four, {rule}}}]")
    with pytest.raises(CallFailed) as failure:
        await client.complete(STREAM, Ear().scope())
    assert failure.value.kind is kind


@pytest.mark.parametrize(("asked", "least", "most"), [("3", 3, 3), ("date", 1, 3), ("null", 1, 1)])
async def test_the_first_n_attempts_fail(tmp_path: Path, asked: str, least: float, most: float) -> None:
    rule = f"{{reply: Halo., fault: rate_limit, retry_after: {asked}, times: 1}}"
    client = fake(tmp_path, f"fake: 1\nrules: [{rule}]")
    for _ in range(2):
        ear = Ear()
        assert (await client.complete(HELLO, ear.scope())).text == "Halo."
        (wait,) = ear.waits
        assert wait.until is not None
        assert least <= wait.until <= most
        assert ear.finished[0].attempts == 2


async def test_a_stream_arrives_in_pieces(tmp_path: Path) -> None:
    ear = Ear()
    client = fake(tmp_path, "fake: 1\nrules: [{reply: one two three, pause: 0.001}]")
    completion = await client.complete(STREAM, ear.scope())
    assert ear.deltas == ["one", " two", " three"]
    assert completion.text == "one two three"


async def test_three_turns_of_a_cent_cost_three_cents(tmp_path: Path) -> None:
    client = fake(tmp_path, "fake: 1\nrules: [{reply: x, cost: 0.01, tokens: [5, 2]}]")
    ear = Ear()
    for turn in range(3):
        await client.complete(HELLO, ear.scope(turn=turn))
    assert sum(entry.cost or 0 for entry in ear.finished) == pytest.approx(0.03)
    assert {entry.cost_status for entry in ear.finished} == {"known"}


@pytest.mark.parametrize(("cost", "status"), [("", "free"), (", cost: unknown", "unknown")])
async def test_free_and_unknown_are_not_the_same(tmp_path: Path, cost: str, status: str) -> None:
    ear = Ear()
    await fake(tmp_path, f"fake: 1\nrules: [{{reply: x{cost}}}]").complete(HELLO, ear.scope())
    assert ear.finished[0].cost_status == status
    assert ear.finished[0].cost == (0.0 if status == "free" else None)


async def test_no_matching_rule_is_said(tmp_path: Path) -> None:
    client = fake(tmp_path, "fake: 1\nrules: [{match: {turn: 5}, reply: x}]")
    with pytest.raises(CallFailed, match=r"no rule of .* matches role interpreter"):
        await client.complete(HELLO, Ear().scope())


def test_all_problems_are_listed_with_their_lines(tmp_path: Path) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text(
        "fake: 1\nrules:\n  - match: {rôle: judge}\n    reply: x\n  - reply: y\n    fault: fire\n"
        "  - reply: z\n    times: 2\n",
        "utf-8",
    )
    with pytest.raises(UsageProblem) as raised:
        fake_file.read(path)
    problems = raised.value.problems
    assert [problem.where for problem in problems] == [f"{path}:{line}" for line in (3, 6, 7)]
    assert "rate_limit" in problems[1].choices
    assert "times needs a fault" in problems[2].what


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.yaml", "fake: 1\nrules: [{reply: &x a}, {reply: *x}]"),
        ("a.yaml", "fake: 1\nfake: 1\nrules: [{reply: a}]"),
        ("a.yaml", "fake: [1\n"),
        ("a.yaml", "!!python/object/apply:os.getcwd []"),
        ("a.yaml", ""),
        ("a.yaml", "fake: 2\nrules: [{reply: a}]"),
        ("a.yaml", "fake: 1\nrules: []"),
        ("a.yaml", "fake: 1\nrules: [{reply: a}]" + " " * 1_000_001),
        ("a.json", '{"fake": 1,'),
        ("deep.json", '{"fake": ' * 20_000),
        ("deep.yaml", "[" * 5_000),
    ],
)
def test_bad_documents_are_refused(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    with pytest.raises(UsageProblem) as raised:
        fake_file.read(path)
    assert str(path) in raised.value.problems[0].where


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageProblem, match="cannot be read"):
        fake_file.read(tmp_path / "none.yaml")
