import pytest

from tests.ui.pictures import PICTURES, SIZES, path


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", PICTURES)
async def test_the_screen_looks_as_it_did(name: str, size: tuple[int, int]) -> None:
    wanted = path(name, size).read_text(encoding="utf-8")
    drawn = await PICTURES[name](size)
    assert drawn == wanted, f"{path(name, size).name}: draw anew with `python -m tests.ui.pictures`, look"
