from __future__ import annotations

import asyncio

import pytest

from agents.models.retry import Retrying
from agents.models.wire import AttemptFailed
from sim.core.errors import FaultKind
from tests.agents.models.helpers import Clock


class Play:
    """Attempts that fail or answer as told; the last one stays."""

    def __init__(self, clock: Clock, *outcomes: AttemptFailed | str, took: float = 0.0) -> None:
        self.clock, self.outcomes, self.took, self.calls = clock, outcomes, took, 0

    async def __call__(self, number: int) -> str:
        self.calls += 1
        assert number == self.calls
        self.clock.now += self.took
        outcome = self.outcomes[min(number, len(self.outcomes)) - 1]
        if isinstance(outcome, AttemptFailed):
            raise outcome
        return outcome


def limit(wait: float | None = None) -> AttemptFailed:
    return AttemptFailed(FaultKind.RATE_LIMIT, "rate limit", retryable=True, retry_after=wait)


def retrying(clock: Clock, told: list[tuple[str, float]], **policy: float) -> Retrying[str]:
    return Retrying[str](
        clock.policy(**policy),
        unusable=lambda text: "empty answer" if not text else None,
        waiting=lambda why, seconds: told.append((why, seconds)),
    )


async def test_every_wait_is_told_and_slept() -> None:
    clock, told = Clock(), list[tuple[str, float]]()
    play = Play(clock, limit(3), limit(), "ok")
    assert await retrying(clock, told).run(play) == "ok"
    assert told == [("rate limit", 3), ("rate limit", 2.0)]
    assert clock.slept == [3, 2.0]


async def test_back_off_doubles_up_to_its_bound_with_jitter() -> None:
    clock, told = Clock(), list[tuple[str, float]]()
    with pytest.raises(AttemptFailed):
        await retrying(clock, told, attempts=6, longest_wait=5.0).run(Play(clock, limit()))
    assert clock.slept == [1.0, 2.0, 4.0, 5.0, 5.0]
    jittered = clock.policy().jitter
    assert 0 <= jittered() <= 1


async def test_a_wait_past_the_deadline_is_not_begun() -> None:
    clock, told = Clock(), list[tuple[str, float]]()
    play = Play(clock, limit(6 * 3600))
    with pytest.raises(AttemptFailed) as failure:
        await retrying(clock, told, deadline=60).run(play)
    assert (play.calls, clock.slept) == (1, [])
    assert failure.value.kind is FaultKind.QUOTA
    assert failure.value.why == (
        "rate limit; the provider asks to wait 6 h, longer than the 60 s a call may take"
    )


async def test_slow_attempts_use_up_the_deadline() -> None:
    clock, told = Clock(), list[tuple[str, float]]()
    play = Play(clock, limit(), took=25)
    with pytest.raises(AttemptFailed):
        await retrying(clock, told, deadline=60).run(play)
    assert play.calls == 3


async def test_a_hanging_attempt_ends_at_the_deadline() -> None:
    clock = Clock()

    async def hang(number: int) -> str:
        await asyncio.Event().wait()
        return ""

    with pytest.raises(AttemptFailed) as failure:
        await retrying(clock, [], deadline=0.01).run(hang)
    assert failure.value.kind is FaultKind.TIMEOUT


async def test_an_unusable_answer_is_asked_for_again_and_then_returned() -> None:
    clock, told = Clock(), list[tuple[str, float]]()
    play = Play(clock, "")
    assert await retrying(clock, told, repeats=2).run(play) == ""
    assert play.calls == 3
    assert {why for why, _ in told} == {"empty answer"}


async def test_failures_between_unusable_answers_count_apart() -> None:
    clock, told = Clock(), list[tuple[str, float]]()
    play = Play(clock, "", limit(), limit(), "", "fine")
    assert await retrying(clock, told, repeats=2).run(play) == "fine"


async def test_what_cannot_be_mended_is_raised_at_once() -> None:
    clock = Clock()
    play = Play(clock, AttemptFailed(FaultKind.AUTHENTICATION, "key not accepted"))
    with pytest.raises(AttemptFailed):
        await retrying(clock, []).run(play)
    assert play.calls == 1


async def test_a_bug_is_not_retried() -> None:
    async def bug(number: int) -> str:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await retrying(Clock(), []).run(bug)
