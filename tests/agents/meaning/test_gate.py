"""The meaning gate: what it lets through, what it holds back, and where it says nothing."""

from collections.abc import Sequence

import pytest

from agents.meaning.gate import CosineGate
from agents.meaning.means import Means, read, stored
from sim.core.ports import SpokenLine
from sim.core.values import MeaningCheck

VECTORS = {
    "source": (1.0, 0.0, 0.0),
    "earlier": (0.0, 1.0, 0.0),
    "right": (0.9, 0.1, 0.3),
    "shaky": (0.23, 0.1, 0.95),
    "unrelated": (0.1, 0.0, 1.0),
    "repeated": (0.5, 0.8, 0.1),
}
MEANS = Means({"kor": (0.0,) * 3, "ind": (0.0,) * 3}, carried=0.26, other=0.2, nearer=0.1, weight=5)
SOURCE = SpokenLine("A", "kor", "source")
EARLIER = SpokenLine("A", "kor", "earlier")


class Table:
    """An encoder that knows a few words."""

    def __init__(self) -> None:
        self.identity = {"encoder": "table"}

    async def vectors(self, texts: Sequence[str]) -> list[Sequence[float]]:
        return [VECTORS[text] for text in texts]

    async def similarities(self, text: str, others: Sequence[str]) -> list[float]:
        raise NotImplementedError


async def check(
    translation: str, *earlier: SpokenLine, means: Means | None = MEANS, script: tuple[SpokenLine, ...] = ()
) -> MeaningCheck:
    return await CosineGate(Table(), means, script).check(SOURCE, translation, "ind", earlier)


@pytest.mark.parametrize(
    ("translation", "result"), [("right", "carried"), ("shaky", "doubtful"), ("unrelated", "else")]
)
async def test_the_cosine_gives_one_of_three_answers(translation: str, result: str) -> None:
    found = await check(translation)
    assert found.result == result
    assert found.nearest_earlier is None


async def test_what_is_nearer_to_another_turn_of_the_speaker_is_something_else() -> None:
    assert (await check("repeated")).result == "carried"
    found = await check("repeated", EARLIER)
    assert found.result == "else"
    assert found.nearest_earlier is not None
    assert found.cosine is not None
    assert found.nearest_earlier - found.cosine > 0.1
    assert (await check("right", EARLIER)).result == "carried"


async def test_the_other_side_and_the_same_words_are_no_other_turn() -> None:
    assert (await check("repeated", SpokenLine("B", "ind", "earlier"))).result == "carried"
    assert (await check("right", SOURCE)).nearest_earlier is None


async def test_a_written_conversation_is_compared_with_all_its_lines() -> None:
    assert (await check("repeated", script=(SOURCE, EARLIER))).result == "else"


@pytest.mark.parametrize(("means", "target"), [(None, "ind"), (MEANS, "jav")])
async def test_without_a_mean_it_does_not_answer(means: Means | None, target: str) -> None:
    found = await CosineGate(Table(), means).check(SOURCE, "unrelated", target, (EARLIER,))
    assert found == MeaningCheck(result=None, cosine=None, nearest_earlier=None)


async def test_the_mean_is_drawn_toward_what_was_said() -> None:
    """Five lines weigh as much as the stored mean."""
    lines = [SpokenLine("B", "ind", "right")] * 5
    alone, drawn = await check("right"), await check("right", *lines)
    assert alone.cosine is not None
    assert drawn.cosine is not None
    # half of the vector is taken away, which leaves its direction
    assert drawn.cosine == pytest.approx(alone.cosine, abs=1e-4)
    other = await check("shaky", *lines)
    # (.23, .1, .95) less (.45, .05, .15) points away from the source
    assert other.cosine is not None
    assert other.cosine < 0


def test_the_means_that_ship_are_for_one_version_of_one_encoder() -> None:
    from agents.embeddings import open_encoder

    identity = dict(open_encoder().identity)
    means = stored(identity)
    assert means is not None
    assert {"arb", "ben", "eng", "ind", "kor"} <= set(means.languages)
    assert {len(mean) for mean in means.languages.values()} == {384}
    assert 0 < means.other < means.carried < 1
    assert stored(identity | {"version": "0"}) is None
    assert stored({"encoder": "labse"}) is None


def test_other_numbers_are_another_identity() -> None:
    document = {
        "thresholds": {"else": 0.2, "carried": 0.26, "nearer": 0.1},
        "weight": 5,
        "languages": {"kor": {"mean": [0.5, 0.5]}},
    }
    assert read(document).identity == read(document).identity
    other = document | {"languages": {"kor": {"mean": [0.5, 0.4]}}}
    assert read(document).identity != read(other).identity
