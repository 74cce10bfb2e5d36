"""Parts of a screen that outlive a mistake in how they take a message.

Textual ends the program where a handler raises. Here it is shown and logged, and the part goes on. It must
not hide that a part never came to be: a mistake in its making still ends the screen.
"""

from textual import events
from textual.message import Message
from textual.message_pump import MessagePump

from ui import mishaps

_MAKING = (events.Load, events.Compose, events.Mount)


class Steady(MessagePump):
    """Put before the class of a widget, a screen or an app."""

    async def _dispatch_message(self, message: Message) -> None:
        try:
            await super()._dispatch_message(message)
        except Exception as error:
            if isinstance(message, _MAKING):
                raise
            mishaps.tell(self.app.notify, error)
