"""Choosing a conversation: a scenario, the systems and the mode, all from the keyboard.

It asks the Studio and holds nothing itself: the session it prepares is held by the app.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Footer, Input, Static

from sim.core.errors import UsageProblem
from sim.core.studio import ChoiceKind, Session, Setup, Studio
from sim.core.values import Mode, Scenario
from ui import choosing
from ui.apart import apart
from ui.paint import LinesView
from ui.render import Line, Page, Span
from ui.screens.help import BoxScreen, HelpScreen
from ui.steady import Steady
from ui.widgets.bars import Bar
from ui.widgets.line_input import LineInput
from ui.widgets.transcript import Transcript

KEYS = (
    ("type", "search by name, language, setting or words of the situation"),
    ("up down", "on the search: another scenario; on a setting: its next choice"),
    ("tab", "from the search to the settings and on; any model name may be typed there"),
    ("pgup pgdn", "scroll the preview"),
    ("enter", "begin"),
    ("f2", "what is available here, and recent runs"),
    ("f6", "dark, light, high contrast"),
    ("escape", "leave"),
)

FIELDS: tuple[tuple[str, ChoiceKind], ...] = (
    ("mode", "mode"),
    ("interpreter", "interpreter"),
    ("brief", "brief"),
    ("history", "history"),
    ("user_a", "user"),
    ("user_b", "user"),
    ("judge", "judge"),
)
"""(field of Setup, kind of its choices)."""


class HomeScreen(Steady, Screen[None]):
    """Scenarios with a preview, and the settings of a conversation."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "help", "Help"),
        Binding("f2", "facts", "What is here"),
        Binding("f6", "app.theme", "Theme", show=False),
        Binding("up", "move(-1)", "Up", show=False),
        Binding("down", "move(1)", "Down", show=False),
        Binding("pageup", "preview(-1)", "Preview up", show=False),
        Binding("pagedown", "preview(1)", "Preview down", show=False),
        Binding("escape,ctrl+q", "app.leave", "Leave", priority=True, key_display="esc"),
    ]

    class Chosen(Message):
        """A conversation was chosen and is ready to be held."""

        def __init__(self, session: Session) -> None:
            super().__init__()
            self.session = session

    def __init__(
        self,
        studio: Studio,
        setup: Setup,
        recent: Callable[[], Sequence[str]],
        *,
        bidi: Callable[[], bool],
    ) -> None:
        super().__init__()
        self._bidi = bidi
        self._studio, self._setup, self._recent = studio, setup, recent
        self._all: tuple[Scenario, ...] | None = None
        """None while they are being read."""
        self._cards = choosing.ScenarioCards(())

    def compose(self) -> ComposeResult:
        """Search and scenarios at one side, preview and settings at the other."""
        yield Bar(id="header")
        with Container(id="home"):
            with Container(id="finding"):
                yield LineInput(placeholder="search scenarios", id="search", select_on_focus=False)
                yield Transcript(self._cards, id="scenarios")
            with Container(id="chosen"):
                yield LinesView(id="preview")
                for name, _ in FIELDS:
                    with Horizontal(classes="field"):
                        yield Static(choosing.LABELS[name], markup=False)
                        value = getattr(self._setup, name) or ""
                        yield LineInput(str(value), placeholder="default", id=name, compact=True)
        yield Bar(id="status")
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """Read the scenarios once the screen has painted: there are many, and it takes seconds."""
        self.query_one("#header", Bar).show(
            [Line((Span("Skopos", "strong"), Span("  choose a conversation")))]
        )
        for view in (self._list, self.query_one("#preview", LinesView)):
            view.can_focus = False
        self.query_one("#search").focus()
        self._mark(0)
        self.call_after_refresh(self.run_worker, self._read, exit_on_error=True)

    async def _read(self) -> None:
        """Show the scenarios, and mark the one the setup names."""
        self._all = await apart(self._studio.scenarios)
        self._search(self.query_one("#search", Input).value)
        named = [n for n, of in enumerate(self._cards.found) if of.id == self._setup.scenario]
        self._mark(named[0] if named else 0)
        self._say_choices()

    @property
    def _list(self) -> Transcript:
        return self.query_one(Transcript)

    # ---- finding a scenario

    def on_input_changed(self, message: Input.Changed) -> None:
        """Search as it is typed."""
        if message.input.id == "search":
            self._search(message.value)
            self._mark(0)
        self._say_choices()

    def _search(self, query: str) -> None:
        self._cards.found = [of for of in self._all or () if choosing.matches(of, query)]
        self._list.reset()

    def on_transcript_marked(self, message: Transcript.Marked) -> None:
        """Mark another scenario."""
        self._mark(message.position or 0)

    def action_move(self, step: int) -> None:
        """Another scenario, or on a setting its next choice."""
        name = self.focused.id if self.focused is not None else None
        kind = dict(FIELDS).get(name or "")
        if kind is not None and isinstance(self.focused, Input):
            self.focused.value = choosing.next_choice(self.focused.value, self._studio.choices(kind), step)
            self.focused.cursor_position = len(self.focused.value)
        else:
            self._mark((self._list.marked or 0) + step)

    def action_preview(self, step: int) -> None:
        """Scroll the preview; the cursor stays where it is."""
        preview = self.query_one("#preview", LinesView)
        preview.scroll_relative(y=step * max(preview.size.height - 1, 1), animate=False)

    def _mark(self, position: int) -> None:
        found = self._cards.found
        preview = self.query_one("#preview", LinesView)
        if not found:
            self._list.mark(None)
            said = "Nothing found." if self._all is not None else "Reading the scenarios …"
            preview.show(lambda _: [Line((Span(said, "dim"),))])
            return
        position = max(0, min(position, len(found) - 1))
        self._list.mark(position)
        self._list.reveal(position)
        preview.scroll_home(animate=False)
        preview.show(lambda width: choosing.preview_lines(found[position], Page(width, self._bidi())))

    @property
    def _scenario(self) -> Scenario | None:
        position = self._list.marked
        return None if position is None or not self._cards.found else self._cards.found[position]

    # ---- beginning

    def on_descendant_focus(self) -> None:
        """Say what may stand in the setting that has the cursor."""
        self._say_choices()

    def _say_choices(self) -> None:
        name = self.focused.id if self.focused is not None else None
        kind = dict(FIELDS).get(name or "")
        if kind is None:
            if self._all is None:
                spans: tuple[Span, ...] = (Span("reading the scenarios …", "dim"),)
            else:
                count = f"{len(self._cards.found)} of {len(self._all)} scenarios"
                spans = (Span(count, "dim"), Span("   enter begins"))
            self.query_one("#status", Bar).show([Line(spans)])
        else:
            said = " · ".join(self._studio.choices(kind))
            self.query_one("#status", Bar).show([Line((Span("choices: ", "dim"), Span(said)))])

    def on_input_submitted(self, _: Input.Submitted) -> None:
        """Prepare the conversation; what is wrong with it is said and can be mended."""
        chosen = self._scenario
        if chosen is None:
            return
        try:
            session = self._studio.start(self._chosen_setup(chosen))
        except UsageProblem as refusal:
            self.refused(refusal)
        else:
            self.post_message(self.Chosen(session))

    def refused(self, refusal: UsageProblem) -> None:
        """Say what is wrong with the choice."""
        lines = choosing.problem_lines(refusal, self.size.width - 2)
        self.query_one("#status", Bar).show(lines)

    def _chosen_setup(self, scenario: Scenario) -> Setup:
        return replace(
            self._setup,
            scenario=scenario.id,
            mode=choosing.mode(self._given("mode") or Mode.SCRIPTED),
            interpreter=self._given("interpreter") or self._studio.choices("interpreter")[0],
            brief=self._given("brief"),
            history=self._given("history"),
            user_a=self._given("user_a"),
            user_b=self._given("user_b"),
            judge=self._given("judge") or self._studio.choices("judge")[0],
        )

    def _given(self, field: str) -> str | None:
        return self.query_one(f"#{field}", Input).value.strip() or None

    # ---- boxes

    def action_help(self) -> None:
        """The keys."""
        self.app.push_screen(HelpScreen(KEYS))

    async def action_facts(self) -> None:
        """What is available here and why not, and recent runs."""
        facts, recent = await apart(self._studio.facts), self._recent()
        self.app.push_screen(
            BoxScreen("What is here", lambda page: choosing.facts_lines(facts, recent, page))
        )
