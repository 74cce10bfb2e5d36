"""Votes of a panel counted: who was asked, who answered, where they part; and who never said a word."""

from typing import Any

from sim.analysis.summary import summarised
from sim.analysis.votes import of_records, votes
from tests.sim.analysis.made import record, said


def cast(**given: bool | str | None) -> dict[str, Any]:
    return {"votes": [{"judge": name, **said(vote)} for name, vote in given.items()]}


def test_each_member_is_counted_by_what_it_was_asked_and_what_it_said() -> None:
    found = votes(
        [
            cast(rules="not_claimed", gpt=True),
            cast(rules=True, gpt=True),
            cast(rules=False, gpt=True),
            cast(rules=True, gpt="not_said"),
            cast(rules=True, gpt=None),
        ]
    )
    assert [(m.judge, m.asked, m.voted, m.met, m.not_said, m.not_claimed) for m in found.members] == [
        ("rules", 4, 4, 3, 0, 1),
        ("gpt", 5, 4, 3, 1, 0),
    ]
    assert (found.criteria, found.parted, found.ties) == (5, 1, 1)


def test_who_was_asked_and_never_answered_is_silent_and_who_was_not_asked_is_not() -> None:
    found = votes([cast(rules="not_claimed", gpt=None, other=True)])
    assert [member.judge for member in found.silent] == ["gpt"]
    assert votes([{"criterion": "c"}, {**cast(gpt=None), "provisional": True}]).members == ()


def test_a_silent_member_and_many_not_said_are_warned_of() -> None:
    one = record("a", "s", [[True, True, True, "not_said"]])
    assert not any(
        "occasion" in w for w in summarised("j", [record("a", "s", [[True] * 4 + ["not_said"]])], {}).warnings
    )
    for verdict in one["turns"][0]["verdicts"]:
        verdict |= cast(rules=True, gpt=None)
    found = summarised("rules,gpt", [one], {}, replicates=20)
    assert "gpt was asked about 4 criteria and never gave a verdict." in found.warnings
    assert any(
        w.startswith("a in mode scripted: the source gave no occasion for 1 of 4 criteria")
        for w in found.warnings
    )
    assert of_records([one]) == found.votes
