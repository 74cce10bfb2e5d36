"""Before a chat without a scenario: what brings the two together, in a person's own words.

What is typed becomes the conversation context, which interpreter and judge are told and no user is. It
asks one question and knows no conversation yet.
"""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Footer, Input, Static

from ui.themed import Themed
from ui.widgets.line_input import LineInput

QUESTION = (
    "What is the situation? Who are you to each other, and what is it about?\n"
    "Only interpreter and judge are told. Enter goes on, also with an empty line."
)


class SituationApp(Themed[str]):
    """One question and a line to answer it on."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f6", "theme", "Theme", show=False),
        Binding("ctrl+q", "leave", "Leave", priority=True),
    ]

    def compose(self) -> ComposeResult:
        """The question, the line, the keys."""
        yield Static(QUESTION, id="question", markup=False)
        yield LineInput(id="line", select_on_focus=False)
        yield Footer(show_command_palette=False)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """What was typed is the answer."""
        self.exit(event.value.strip())


async def ask_situation() -> str | None:
    """What a person says the situation is, empty for nothing; None where they left."""
    return await SituationApp().run_async()
