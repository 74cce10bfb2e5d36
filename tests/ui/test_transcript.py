from textual.app import App, ComposeResult

from ui.render import Line, Span
from ui.widgets.transcript import Transcript


class Book:
    def __init__(self, count: int) -> None:
        self.count = count
        self.laid_out: list[int] = []
        self.heights: dict[int, int] = {}

    def __len__(self) -> int:
        return self.count

    def lines(self, position: int, width: int) -> list[Line]:
        self.laid_out.append(position)
        return [Line((Span(f"card {position} line {n}"),)) for n in range(self.heights.get(position, 3))]

    def estimate(self, position: int, width: int) -> int:
        return 2


class Shelf(App[None]):
    def __init__(self, book: Book) -> None:
        super().__init__()
        self.book = book

    def compose(self) -> ComposeResult:
        yield Transcript(self.book)

    @property
    def transcript(self) -> Transcript:
        return self.query_one(Transcript)

    def seen(self) -> list[str]:
        height = self.transcript.scrollable_content_region.height
        return [self.transcript.render_line(y).text.strip() for y in range(height)]


async def test_ten_thousand_cards_cost_a_screenful() -> None:
    book = Book(10_000)
    app = Shelf(book)
    async with app.run_test(size=(60, 20)) as pilot:
        app.transcript.cards_changed()
        await pilot.pause()
        assert len(list(app.query("*"))) < 12
        assert len(set(book.laid_out)) < 30
        assert app.seen()[-1] == "card 9999 line 2"
        await pilot.press("home")
        await pilot.pause()
        assert app.seen()[0] == "card 0 line 0"
        assert len(set(book.laid_out)) < 60


async def test_it_follows_the_end_until_the_reader_leaves_it() -> None:
    book = Book(30)
    app = Shelf(book)
    async with app.run_test(size=(60, 12)) as pilot:
        app.transcript.cards_changed()
        await pilot.pause()
        book.count = 31
        app.transcript.cards_changed({30})
        await pilot.pause()
        assert app.seen()[-1] == "card 30 line 2"
        app.transcript.reveal(5)
        await pilot.pause()
        before = app.seen()
        assert "card 5 line 0" in before
        book.count = 32
        app.transcript.cards_changed({31})
        await pilot.pause()
        assert app.seen() == before
        await pilot.press("end")
        await pilot.pause()
        assert app.seen()[-1] == "card 31 line 2"


async def test_a_growing_last_card_stays_in_view() -> None:
    book = Book(10)
    app = Shelf(book)
    async with app.run_test(size=(60, 8)) as pilot:
        for height in range(3, 9):
            book.heights[9] = height
            app.transcript.cards_changed({9})
            await pilot.pause()
            assert app.seen()[-1] == f"card 9 line {height - 1}"


async def test_a_card_that_cannot_be_laid_out_says_so_and_spares_the_others() -> None:
    class Torn(Book):
        def lines(self, position: int, width: int) -> list[Line]:
            if position == 2:
                raise KeyError("x")
            return super().lines(position, width)

    app = Shelf(Torn(4))
    async with app.run_test(size=(60, 14)) as pilot:
        app.transcript.cards_changed()
        await pilot.pause()
        seen = app.seen()
        assert "! turn could not be drawn: KeyError" in seen
        assert "card 3 line 0" in seen


async def test_a_card_nobody_told_of_yet_is_revealed() -> None:
    book = Book(10)
    app = Shelf(book)
    async with app.run_test(size=(60, 8)) as pilot:
        app.transcript.cards_changed()
        await pilot.pause()
        book.count = 12
        app.transcript.reveal(11)
        await pilot.pause()
        assert app.seen()[-1] == "card 11 line 2"


async def test_a_window_too_small_for_any_card_and_back_again_loses_nothing() -> None:
    app = Shelf(Book(10))
    async with app.run_test(size=(60, 8)) as pilot:
        app.transcript.cards_changed()
        await pilot.resize_terminal(0, 0)
        app.transcript.mark(0)
        app.transcript.reset()
        app.transcript.reveal(3)
        app.transcript.render_line(0)
        await pilot.resize_terminal(60, 8)
        await pilot.pause()
        assert "card 3 line 2" in app.seen()


async def test_marking_moves_no_line() -> None:
    app = Shelf(Book(4))
    async with app.run_test(size=(60, 14)) as pilot:
        app.transcript.cards_changed()
        await pilot.pause()
        before = app.seen()
        app.transcript.mark(1)
        await pilot.pause()
        assert [line.removeprefix("▌") for line in app.seen()] == before
        assert "▌card 1 line 0" in app.seen()
