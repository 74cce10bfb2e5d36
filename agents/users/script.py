"""Users that say what a scenario says: the whole script, or only the opening line."""

from typing import Literal

from sim.core.events import Flag
from sim.core.ports import CallScope, Reply, User, UserView
from sim.core.values import Scenario


class ScriptUser:
    """Speaks the scenario's sources, turn by turn."""

    name = "script"

    def __init__(self, scenario: Scenario) -> None:
        self._scenario = scenario

    async def speak(self, view: UserView, scope: CallScope) -> Reply:
        """The source of this turn; the script's last line ends the conversation."""
        turns = self._scenario.turns
        if view.turn >= len(turns):
            return Reply("", end=True)
        return Reply(turns[view.turn].source, end=view.turn == len(turns) - 1)

    async def decide(self, flags: tuple[Flag, ...]) -> Literal["deliver", "retry"]:
        """A script does not mind."""
        return "deliver"


class OpeningUser:
    """Opens with the scenario's first source, then speaks as another user."""

    def __init__(self, scenario: Scenario, user: User) -> None:
        self._first = scenario.turns[0].source
        self._user = user

    @property
    def name(self) -> str:
        """The name of the user who goes on."""
        return self._user.name

    async def speak(self, view: UserView, scope: CallScope) -> Reply:
        """The opening in turn 0, the other user's words after it. Raises what the other user raises."""
        if view.turn == 0:
            return Reply(self._first)
        return await self._user.speak(view, scope)

    async def decide(self, flags: tuple[Flag, ...]) -> Literal["deliver", "retry"]:
        """As the other user decides."""
        return await self._user.decide(flags)
