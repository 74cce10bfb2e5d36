"""Look at the faces without a model: `python -m tests.ui.demo live|chat|hotseat|plain|chat-plain [SPEED]`."""

import asyncio
import sys
from collections.abc import AsyncIterator

from sim.core import events as ev
from sim.core.errors import FaultKind, Layer
from sim.core.values import Basis, Criterion, LayerName, Speaker
from tests.ui.fake import LOW, OK, WRONG, FakeSession, said, scenario, started, talk, verdict

LINES: dict[tuple[str, str], list[tuple[str, str | None]]] = {
    ("arb", "ben"): [
        (
            "السلام عليكم، أنا أمّ ليلى. هل يمكن أن تبدأ ابنتي يوم الأحد في الساعة 8:30؟",
            "আসসালামু আলাইকুম, আমি লায়লার মা। আমার মেয়ে কি রবিবার সকাল ৮:৩০টায় শুরু করতে পারে?",
        ),
        (
            "ওয়ালাইকুম আসসালাম আপা। হ্যাঁ, রবিবার থেকেই পারবে, তবে ভর্তির ফি ১,৫০০ টাকা আগে দিতে হবে।",
            "وعليكم السلام يا أختي. نعم، يمكنها البدء من يوم الأحد، لكن رسوم التسجيل 1500 تاكا (BDT) تُدفع مقدّمًا.",
        ),
        ("السعر 150 دولار (USD)؟ هذا كثير، والله.", "দাম ১৫০ ডলার (USD)? এটা অনেক বেশি।"),
        ("না না, ডলার না, টাকা। আমি বাংলায় কথা বলি।", "No no, not dollars, taka."),
        ("مرحبا Dr. Kim 안녕، ٱللَّهِ", None),
        ("ঠিক আছে আপা, তাহলে রবিবার দেখা হবে ইনশাআল্লাহ।", "حسنًا، إذن نراكم يوم الأحد إن شاء الله."),
    ],
    ("kor", "ind"): [
        (
            "내일 아침 혈액 검사가 있으니 오늘 밤 열 시부터는 물 말고는 아무것도 드시지 마세요.",
            "Besok pagi ada pemeriksaan darah, jadi mulai pukul sepuluh malam ini jangan makan apa-apa selain air putih, ya Pak.",
        ),
        (
            "Baik, Dok. Kalau obat darah tinggi saya yang 5 mg itu, tetap boleh diminum?",
            "네, 선생님. 제가 먹는 5밀리그램짜리 혈압약은 그대로 먹어도 되나요?",
        ),
        ("네, 혈압약은 물 한 모금하고 같이 드셔도 괜찮습니다.", "[/] [bold [data: /m?s=b-609b-] ok\x1b[2J\u202e evil"),
        ("Terima kasih banyak, Dok. Saya puasa Senin-Kamis, jadi sudah biasa.", "감사합니다. 저는 월요일과 목요일에 금식해서 익숙해요."),
    ],
}  # fmt: skip

ASKS: list[tuple[LayerName, str, str]] = [
    ("L1", "Does the translation keep the time and the dose exactly as they were said?", ""),
    ("L2", "Does the interpreter's response keep the request a polite question rather than an order?", ""),
    (
        "L2",
        "Does the interpreter's response sound like something a nurse would say aloud?",
        "The phrase is a word-for-word rendering that nobody would say.",
    ),
    (
        "L3",
        "Does the interpreter's response address the elder with the form of respect the relation asks for?",
        "It uses the plain form of the second person instead of 'আপা'.",
    ),
    ("L3", "Does the interpreter's response keep the religious greeting and its answer?", ""),
    (
        "L3",
        "Does the interpreter's response leave the other room to say no without losing face?",
        "Nothing in the text tells.",
    ),
]


async def demo(session: FakeSession, speed: float) -> AsyncIterator[ev.Event]:
    house = session.scenario
    yield started(house)
    yield ev.Waiting(turn=0, who="local model", why="loading")
    await asyncio.sleep(speed)
    lines = LINES[house.pair]
    for index, (source, translation) in enumerate(lines):
        criteria = tuple(
            Criterion(id=f"t{index}.{layer.lower()}.c{n}", layer=layer, ask=ask)
            for n, (layer, ask, _) in enumerate(ASKS)
        )
        wrong = translation is not None and translation.isascii() and house.pair == ("arb", "ben")
        flags: tuple[ev.Flag, ...] = ("wrong_language", "length_ratio") if wrong else ()
        check = WRONG if wrong else LOW if index == 1 else OK
        for event in said(house, index, source, translation, criteria=criteria, check=check, flags=flags):
            if isinstance(event, ev.UtteranceInterpreted) and translation is not None:
                if index == 2:
                    yield ev.Waiting(turn=index, who="interpreter", why="rate limit", until=3.0)
                    await asyncio.sleep(speed)
                for part, word in enumerate(translation.split(" ")):
                    yield ev.TranslationDelta(turn=index, part=part, text=word + " ")
                    await asyncio.sleep(speed / 12)
                yield ev.CallFinished(
                    turn=index, role="interpreter", model="local", outcome="ok", input_tokens=300,
                    output_tokens=40, cost=0.0, cost_status="free",
                )  # fmt: skip
            yield event
            await asyncio.sleep(speed / 6)
        if translation is None:
            yield ev.FaultRaised(
                turn=index, layer=Layer.SYSTEM, who="interpreter", kind=FaultKind.EMPTY,
                what="The interpretation came back empty.",
            )  # fmt: skip
        results = []
        for number, (criterion, (_, _, reason)) in enumerate(zip(criteria, ASKS, strict=True)):
            met = None if number == 5 else not (reason and (index + number) % 2)
            if translation is None:
                given = verdict(criterion, False, "The interpretation failed.", basis=Basis.SYSTEM_FAILURE)
            else:
                given = verdict(criterion, met, reason if met is not True else "")
            results.append(given)
            yield ev.CriterionJudged(turn=index, verdict=given)
            await asyncio.sleep(speed / 10)
        yield ev.TurnJudged(turn=index, met=3, judged=5, criteria=6)
    whole = (
        Criterion(id="c.l1.names", layer="L1", ask="Does the translation keep names the same throughout?"),
    )
    yield ev.ChecklistReady(procedure="conversation", criteria=whole)
    yield ev.CriterionJudged(verdict=verdict(whole[0], True))
    yield ev.ConversationJudged(met=1, judged=1, criteria=1)


async def main(face: str, speed: float) -> None:
    pair: tuple[str, str] = ("kor", "ind") if "kor" in sys.argv else ("arb", "ben")
    relation = {"A": "mother", "B": "teacher"} if pair[0] == "arb" else {"A": "doctor", "B": "patient"}
    context = "A mother asks the teacher of a language school whether her daughter may start on Sunday."
    house = scenario(pair, relation=relation, conversation_context=context)
    notices = ("The text stays on this machine.", "The record lies in ~/.local/share/skopos/runs.")
    labels = ("weak interpreter",)
    if "chat" in face or face == "hotseat":
        seats: tuple[Speaker, ...] = ("A", "B") if face == "hotseat" else ("A",)
        session = FakeSession(
            lambda s: talk(s, 20, frozenset({2})), of=house, seats=seats, notices=notices, labels=labels
        )
    else:
        session = FakeSession(lambda s: demo(s, speed), of=house, notices=notices, labels=labels)
    if "plain" in face:
        from ui.plain import watch_plain
        from ui.plain_chat import chat_plain

        await (
            chat_plain(session, sys.stdin, sys.stdout) if "chat" in face else watch_plain(session, sys.stdout)
        )
    else:
        from ui.app import run_app

        await run_app(session, chat=face != "live")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 0.6))
