"""The question before a chat without a scenario."""

import pytest
from textual.widgets import Static

from ui.situation import SituationApp


@pytest.mark.parametrize(
    ("keys", "answer"),
    [(("H", "i", "space", "[", "/", "]", "enter"), "Hi [/]"), (("enter",), ""), (("x", "ctrl+q"), None)],
)
async def test_what_is_typed_is_the_situation(keys: tuple[str, ...], answer: str | None) -> None:
    app = SituationApp()
    async with app.run_test() as pilot:
        assert "What is the situation?" in str(app.query_one("#question", Static).render())
        await pilot.press(*keys)
    assert app.return_value == answer
