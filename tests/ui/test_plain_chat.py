import asyncio
import io
import os
from collections.abc import Iterator
from typing import Any, TextIO

import pytest

from sim.core.values import Speaker
from tests.ui.fake import FakeSession, talk
from ui.plain_chat import chat_plain


@pytest.fixture
def pipe() -> Iterator[tuple[TextIO, TextIO]]:
    reading, writing = os.pipe()
    stdin = os.fdopen(reading, encoding="utf-8")
    keyboard = os.fdopen(writing, "w", encoding="utf-8")
    yield stdin, keyboard
    stdin.close()
    keyboard.close()


async def chatted(
    pipe: tuple[TextIO, TextIO], typed: str, *, seats: tuple[Speaker, ...] = ("A",), **changes: Any
) -> tuple[FakeSession, str]:
    stdin, keyboard = pipe
    keyboard.write(typed)
    keyboard.close()
    flagged = changes.pop("flagged", frozenset())
    session = FakeSession(lambda s: talk(s, 6, flagged), seats=seats, **changes)
    out = io.StringIO()
    async with asyncio.timeout(10):
        await chat_plain(session, stdin, out)
    return session, out.getvalue()


async def test_notices_come_before_the_first_line(pipe: tuple[TextIO, TextIO]) -> None:
    _, text = await chatted(pipe, "하나\n", notices=("Gemini gets the text.",), labels=("weak",))
    assert text.startswith(
        "Notice: Gemini gets the text.\nLabel: weak\nYou are A (doctor) and write Korean.\n"
    )


async def test_a_seat_sees_its_own_words_and_what_is_delivered_to_it_only(
    pipe: tuple[TextIO, TextIO],
) -> None:
    session, text = await chatted(pipe, "하나\n둘\n")
    lines = text.splitlines()
    assert session.places["A"].done[:2] == [("say", "하나"), ("say", "둘")]
    assert "A: 하나" in lines
    assert "  B (patient) in Korean: <kor> other 1" in lines
    assert "<ind>" not in text
    assert not [line for line in lines if line.endswith(": other 1")]


async def test_a_peek_shows_the_other_side_and_is_recorded(pipe: tuple[TextIO, TextIO]) -> None:
    session, text = await chatted(pipe, "하나\n둘\n/peek\n/quit\n")
    assert ("peek", None) in session.places["A"].done
    assert "PeekUsed" in [event.type for event in session.bus.journal]
    assert "turn 0, your words as they arrived: <ind> 하나" in text


async def test_both_seats_at_one_keyboard_take_turns(pipe: tuple[TextIO, TextIO]) -> None:
    session, text = await chatted(pipe, "하나\nsatu\n/end 셋\n", seats=("A", "B"))
    assert session.places["A"].done[:2] == [("say", "하나"), ("end", "셋")]
    assert session.places["B"].done[:1] == [("say", "satu")]
    assert "Your turn, A (Korean)\n" in text
    assert "Your turn, B (Indonesian)\n" in text
    assert "Ended: a user ended it" in text


async def test_lines_typed_ahead_are_said_in_their_turns(pipe: tuple[TextIO, TextIO]) -> None:
    session, _ = await chatted(pipe, "하나\n/help\n둘\n/peek\n/help\n/end 셋\n")
    said = [act for act in session.places["A"].done if act[0] in ("say", "end")]
    assert said == [("say", "하나"), ("say", "둘"), ("end", "셋")]


async def test_end_of_input_leaves_without_a_word(pipe: tuple[TextIO, TextIO]) -> None:
    session, text = await chatted(pipe, "")
    assert session.places["A"].done == [("leave", None)]
    assert "Ended: a person left" in text


async def test_a_held_translation_is_decided_by_a_letter_and_nothing_else(
    pipe: tuple[TextIO, TextIO],
) -> None:
    session, text = await chatted(pipe, "하나\n글쎄\nD\n/quit\n", flagged=frozenset({0}))
    assert session.places["A"].done[:2] == [("say", "하나"), ("decide", "deliver")]
    assert "  held: answered in the wrong language" in text
    assert "<ind>" not in text
    assert "your line was not said" in text


async def test_who_holds_both_seats_sees_what_is_held(pipe: tuple[TextIO, TextIO]) -> None:
    _, text = await chatted(pipe, "하나\nd\n", seats=("A", "B"), flagged=frozenset({0}))
    assert text.index("<ind> 하나") < text.index("r to retry")


async def test_commands_and_slashes(pipe: tuple[TextIO, TextIO]) -> None:
    session, text = await chatted(pipe, "/help\n/dance\n\n//etc\n/quit\n")
    assert session.places["A"].done == [("say", "/etc"), ("leave", None)]
    assert "no command /dance" in text
    assert "an empty line says nothing" in text


async def test_what_is_typed_is_kept_code_point_for_code_point(pipe: tuple[TextIO, TextIO]) -> None:
    session, text = await chatted(pipe, " ক্ষ 👩\u200d👧 \x1b[2J e\u0301\n")
    assert session.places["A"].done[0] == ("say", " ক্ষ 👩\u200d👧 \x1b[2J e\u0301")
    assert "\x1b" not in text


async def test_the_reader_of_a_stream_without_a_descriptor(pipe: tuple[TextIO, TextIO]) -> None:
    session = FakeSession(lambda s: talk(s, 2), seats=("A",))
    await chat_plain(session, io.StringIO("하나\n"), io.StringIO())
    assert session.places["A"].done[0] == ("say", "하나")


async def test_a_reader_that_goes_away_leaves_the_seat(pipe: tuple[TextIO, TextIO]) -> None:
    reading, writing = os.pipe()
    session = FakeSession(lambda s: talk(s, 4), seats=("A",))
    with os.fdopen(writing, "w", encoding="utf-8") as out:
        os.close(reading)
        async with asyncio.timeout(10):
            await chat_plain(session, pipe[0], out)
    assert session.places["A"].done == [("leave", None)]
