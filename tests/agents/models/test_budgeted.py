"""The worst case of an attempt is reserved before it is sent, and only what was used is booked."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agents.models.registry import ModelPool
from agents.models.tariff import HostedTariff, Unit
from agents.models.wire import Attempt
from sim.core.errors import CallFailed, FaultKind, UsageProblem
from sim.core.ports import Message
from tests.agents.models.helpers import HELLO, Ear
from tests.stub.app import Stub


class Purse:
    """A purse that keeps what it was asked for."""

    def __init__(self, left: float, unit: Unit = "USD") -> None:
        self.unit: Unit = unit
        self.left = left
        self.reserved: list[float] = []
        self.spent: list[float] = []

    async def reserve(self, amount: float) -> bool:
        self.reserved.append(amount)
        return amount <= self.left

    def settle(self, reserved: float, spent: float) -> None:
        self.spent.append(spent)


async def ask(tmp_path: Path, purse: Purse, *rules: dict[str, Any]) -> None:
    path = tmp_path / "f.json"
    path.write_text(json.dumps({"fake": 1, "rules": rules}), encoding="utf-8")
    async with ModelPool(models=tmp_path, logs=tmp_path, purse=purse) as pool:
        await pool.open_client(f"fake:{path}").complete(HELLO, Ear().scope())


async def test_the_dearest_answer_is_reserved_and_the_real_one_booked(tmp_path: Path) -> None:
    purse = Purse(1.0)
    dear = {"match": {"role": "writer"}, "reply": "x", "cost": 0.5}
    await ask(tmp_path, purse, dear, {"reply": "y", "cost": 0.1})
    assert (purse.reserved, purse.spent) == ([0.5], [0.1])


async def test_an_answer_thrown_away_is_paid_for_too(tmp_path: Path) -> None:
    purse = Purse(9.0, "tokens")
    await ask(tmp_path, purse, {"reply": "y", "tokens": [3, 1], "fault": "empty_content", "times": 1})
    assert purse.spent == [4.0, 4.0]


async def test_a_refused_call_is_not_paid_for(tmp_path: Path) -> None:
    purse = Purse(9.0)
    with pytest.raises(CallFailed):
        await ask(tmp_path, purse, {"reply": "y", "cost": 0.1, "fault": "authentication"})
    assert purse.spent == [0.0]


async def test_a_call_that_may_have_been_served_counts_in_full(tmp_path: Path) -> None:
    purse = Purse(9.0)
    await ask(tmp_path, purse, {"reply": "y", "cost": 0.1, "fault": "timeout", "times": 1})
    assert purse.spent == [0.1, 0.1]


async def test_what_does_not_fit_is_never_sent(tmp_path: Path) -> None:
    purse = Purse(0.05)
    with pytest.raises(CallFailed) as failed:
        await ask(tmp_path, purse, {"reply": "y", "cost": 0.1})
    assert failed.value.kind is FaultKind.BUDGET
    assert purse.spent == []


def attempt(text: str, **parameters: Any) -> Attempt:
    return Attempt(1, (Message("user", text),), None, parameters, None, None)


def test_the_bound_of_a_hosted_model_grows_with_bytes_and_answer() -> None:
    tariff = HostedTariff("gpt-4o-mini")
    assert tariff.problem("USD") is None
    short, long = tariff.worst(attempt("ok", max_tokens=10)), tariff.worst(attempt("아" * 100, max_tokens=10))
    assert long.tokens - short.tokens == 300 - 2
    assert long.tokens >= 310
    assert long.usd > short.usd > 0
    assert tariff.worst(attempt("ok")).tokens > 10_000


def test_the_dearest_step_of_a_stepped_price_counts() -> None:
    import litellm

    info: dict[str, Any] = dict(litellm.get_model_info("gemini/gemini-2.5-pro"))
    worst = HostedTariff("gemini/gemini-2.5-pro").worst(attempt("ok", max_tokens=1000))
    assert worst.usd >= 1000 * info["output_cost_per_token_above_200k_tokens"]


def test_money_cannot_be_kept_for_a_model_without_a_price(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-nothing")
    with pytest.raises(UsageProblem, match="price"):
        ModelPool(models=tmp_path, logs=tmp_path, purse=Purse(1.0)).open_client("openai/nobodys")


async def test_answers_of_a_model_no_list_names_are_bounded_by_us(stub: Stub, tmp_path: Path) -> None:
    purse = Purse(20_000, "tokens")
    async with ModelPool(models=tmp_path, logs=tmp_path, purse=purse) as pool:
        client = pool.open_client("openai/nobodys")
        await client.complete(HELLO, Ear().scope())
        await client.complete(replace(HELLO, parameters={"max_tokens": 5}), Ear().scope())
    assert [body["max_tokens"] for body in stub.requests] == [8192, 5]
    assert [amount > bound for amount, bound in zip(purse.reserved, (8192, 5), strict=True)] == [True, True]
    assert purse.reserved[1] < 100
    assert purse.spent == [19.0, 19.0]


def test_models_on_this_machine_cost_no_money(tmp_path: Path) -> None:
    purse = Purse(0.0)
    assert ModelPool(models=tmp_path, logs=tmp_path, purse=purse).open_client("local").name == "local"
