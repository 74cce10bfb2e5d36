"""An account never promises more than the budget holds."""

import asyncio
from pathlib import Path

import pytest

from sim.core.errors import UsageProblem
from sim.runs.budget import Account, Budget, budget, duration, spent
from sim.runs.store import Run


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("5USD", Budget(5.0, "USD")),
        ("0.25 usd", Budget(0.25, "USD")),
        ("200000tokens", Budget(200_000.0, "tokens")),
    ],
)
def test_a_budget_is_an_amount_and_a_unit(text: str, limit: Budget) -> None:
    assert budget(text) == limit


@pytest.mark.parametrize("text", ["5", "5EUR", "-5USD", "0USD", "lots", "5 USD a day", "nanUSD"])
def test_anything_else_is_refused_with_examples(text: str) -> None:
    with pytest.raises(UsageProblem) as refused:
        budget(text)
    assert "5USD" in refused.value.problems[0].choices


def test_a_duration_is_hours_minutes_seconds() -> None:
    assert [duration(text) for text in ("90s", "30m", "1h30m")] == [90.0, 1800.0, 5400.0]
    for text in ("", "0s", "30", "half an hour", "m"):
        with pytest.raises(UsageProblem):
            duration(text)


async def test_what_does_not_fit_is_refused_and_costs_nothing() -> None:
    account = Account(Budget(10.0, "USD"), spent=8.0)
    assert not await account.reserve(2.5)
    assert await account.reserve(2.0)
    account.settle(2.0, 0.5)
    assert (account.spent, account.reserved) == (8.5, 0.0)
    assert await account.reserve(1.5)


async def test_a_call_waits_for_what_others_set_aside_and_do_not_use() -> None:
    account = Account(Budget(10.0, "tokens"))
    assert await account.reserve(6.0)
    waiting = [asyncio.create_task(account.reserve(6.0)) for _ in range(2)]
    await asyncio.sleep(0)
    assert not any(task.done() for task in waiting)
    account.settle(6.0, 1.0)
    assert await waiting[0]
    assert account.reserved == 6.0
    assert not waiting[1].done()
    account.settle(6.0, 6.0)
    assert not await waiting[1]


async def test_many_callers_never_pass_the_limit_together() -> None:
    account, refused = Account(Budget(100.0, "tokens")), 0

    async def call(cost: float) -> None:
        nonlocal refused
        if not await account.reserve(9.0):
            refused += 1
            return
        assert account.spent + account.reserved <= 100.0
        await asyncio.sleep(0)
        account.settle(9.0, cost)

    await asyncio.gather(*(call(float(n % 10)) for n in range(60)))
    assert account.spent <= 100.0
    assert account.reserved == 0.0
    assert refused > 0


def test_what_earlier_parts_spent_is_in_their_journals(tmp_path: Path) -> None:
    run = Run.create(tmp_path / "run", {}).run
    (run.folder / "journal").mkdir()
    calls = [
        '{"type":"CallFinished","cost":0.25,"input_tokens":10,"output_tokens":5}',
        '{"type":"CallFinished","cost":null,"input_tokens":null,"output_tokens":null}',
        '{"type":"UtteranceSpoken","text":"\\"CallFinished\\""}',
        '{"type":"CallFinished","cost":1.0,"inp',
    ]
    (run.folder / "journal/a.0.jsonl").write_text("\n".join(calls), encoding="utf-8")
    (run.folder / "journal/a.1.jsonl").write_text(calls[0] + "\n", encoding="utf-8")
    assert spent(run, "USD") == 0.5
    assert spent(run, "tokens") == 30.0


def test_a_text_that_is_the_name_of_an_event_cost_nothing(tmp_path: Path) -> None:
    run = Run.create(tmp_path / "r", {}).run
    (run.folder / "journal").mkdir()
    lines = '{"type":"UtteranceInterpreted","raw":"CallFinished"}\n{"type":"CallFinished","cost":0.5}\n'
    (run.folder / "journal" / "k.0.jsonl").write_text(lines, encoding="utf-8")
    assert spent(run, "USD") == 0.5
