from __future__ import annotations

from agents.models.messages import folded, sendable
from sim.core.ports import Message


def test_system_text_goes_into_the_first_user_message() -> None:
    messages = (Message("system", "Be brief."), Message("user", "Hi"))
    assert folded(messages) == (Message("user", "Be brief.\n\nHi"),)


def test_neighbours_of_one_side_are_merged_and_order_kept() -> None:
    messages = tuple(
        Message(role, text)  # type: ignore[arg-type]
        for role, text in [
            ("user", "1"),
            ("user", "2"),
            ("assistant", "3"),
            ("assistant", "4"),
            ("user", "5"),
        ]
    )
    assert [(m.role, m.content) for m in folded(messages)] == [
        ("user", "1\n\n2"),
        ("assistant", "3\n\n4"),
        ("user", "5"),
    ]


def test_a_lone_system_message_becomes_a_users() -> None:
    assert folded((Message("system", "x"),)) == (Message("user", "x"),)


def test_only_unpaired_surrogates_are_replaced_before_sending() -> None:
    assert sendable("a\ud800b\udfff") == "a\ufffdb\ufffd"
    assert sendable("👩\u200d👧 ক্ষ \u202e\x1b") == "👩\u200d👧 ক্ষ \u202e\x1b"
