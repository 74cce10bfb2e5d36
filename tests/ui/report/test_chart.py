"""What figures share: round axes, names that fit."""

import pytest

from ui.report.chart import name, steps


@pytest.mark.parametrize(
    ("most", "expected"),
    [
        (1.0, [0, 0.2, 0.4, 0.6, 0.8, 1.0]),
        (0.0059, [0, 0.002, 0.004, 0.006]),
        (37.0, [0, 10, 20, 30, 40]),
        (5e-05, [0, 1e-05, 2e-05, 3e-05, 4e-05, 5e-05]),
    ],
)
def test_an_axis_has_round_numbers_up_to_the_most(most: float, expected: list[float]) -> None:
    assert steps(most) == pytest.approx(expected)


@pytest.mark.parametrize("most", [1e-9, 0.1 + 0.2, 3.3333, 99.999, 1e7])
def test_the_most_is_on_the_axis(most: float) -> None:
    found = steps(most)
    assert found[-1] >= most * (1 - 1e-9)
    assert found[-2] < most
    assert 3 <= len(found) <= 7


def test_a_short_name_is_whole() -> None:
    assert "…" not in name(0, "x" * 43)
    assert "…" in name(0, "x" * 44)
