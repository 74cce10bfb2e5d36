"""The gate that ships, on sentences of the five languages its author's texts did not hold."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from agents.embeddings import WorkerEncoder, open_encoder
from agents.meaning.gate import CosineGate
from agents.meaning.means import stored
from sim.core.ports import SpokenLine

SAME = {
    "arb": "متى يغادر الحافلة الأخيرة إلى المطار؟",
    "ben": "বিমানবন্দরে যাওয়ার শেষ বাস কখন ছাড়ে?",
    "eng": "When does the last bus to the airport leave?",
    "ind": "Kapan bus terakhir ke bandara berangkat?",
    "kor": "공항으로 가는 마지막 버스는 언제 출발해요?",
}
OTHER = {
    "arb": "أختي تدرس الطب في القاهرة منذ ثلاث سنوات.",
    "ben": "আমার বোন তিন বছর ধরে ঢাকায় ডাক্তারি পড়ছে।",
    "eng": "My sister has been studying medicine for three years.",
    "ind": "Kakak saya sudah tiga tahun kuliah kedokteran.",
    "kor": "우리 언니는 삼 년째 의대에 다니고 있어요.",
}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def gate() -> AsyncIterator[CosineGate]:
    encoder: WorkerEncoder = open_encoder()
    yield CosineGate(encoder, stored(encoder.identity))
    await encoder.aclose()


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("target", SAME)
@pytest.mark.parametrize("source", SAME)
async def test_a_translation_is_carried_and_another_sentence_is_not(
    gate: CosineGate, source: str, target: str
) -> None:
    if source == target:
        return
    line = SpokenLine("A", source, SAME[source])
    assert (await gate.check(line, SAME[target], target, ())).result == "carried"
    assert (await gate.check(line, OTHER[target], target, ())).result == "else"


@pytest.mark.asyncio(loop_scope="module")
async def test_an_earlier_turn_said_again_is_something_else(gate: CosineGate) -> None:
    line, before = SpokenLine("A", "kor", SAME["kor"]), SpokenLine("A", "kor", OTHER["kor"])
    assert (await gate.check(line, OTHER["ind"], "ind", (before,))).result == "else"
    assert (await gate.check(line, SAME["ind"], "ind", (before,))).result == "carried"


@pytest.mark.asyncio(loop_scope="module")
async def test_a_small_slip_is_not_seen(gate: CosineGate) -> None:
    """What the documentation says it cannot do: were it to, that page would have to change."""
    line = SpokenLine("A", "eng", SAME["eng"])
    slip = "Kapan bus pertama ke bandara berangkat?"
    assert (await gate.check(line, slip, "ind", ())).result == "carried"
