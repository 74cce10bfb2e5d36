"""Speech acts in English intents: what an outline asks for, and what only looks like it."""

import pytest

from agents.checklists.intents import intended

ASKED = {
    "question": [
        "Ask whether the meal before dawn is allowed.",
        "Welcome the customer and ask what business she has come on.",
        "Ask the young man why the money came back.",
        "Say that it hurts; ask humbly if a woman doctor could come.",
        "Tell him of the leak and ask when he can send a plumber.",
    ],
    "thanks": [
        "Thank her for the prayer.",
        "Say yes, and thank your employer.",
        "Accept with many thanks.",
        "Give your thanks and go.",
    ],
    "apology": [
        "Apologise for the mistake.",
        "With apologies ask for the number of her card.",
        "Excuse yourself that you heard only today.",
        "Say that you are sorry for the noise.",
    ],
    "greeting": [
        "Greet the mother and offer her a seat.",
        "Return the greeting and ask him in.",
        "Say good morning and give your name.",
    ],
}
LEFT = {
    "question": [
        "Ask him to sit down.",
        "Ask your employer for fifteen days of leave.",
        "Ask God's mercy on his father.",
        "Say that you will not ask why.",
        "Tell him when the bus leaves.",
    ],
    "thanks": [
        "Wave the thanks aside and offer tea.",
        "Ask him to thank your mother for it.",
        "Say, thanking God, that she is better.",
        "Think it over.",
    ],
    "apology": ["Accept his apology.", "Say that you are sorry to hear of her illness.", "Ask him to apologise."],
    "greeting": ["Send his father your greeting.", "Ask him to greet his wife.", "Greet the worker by asking whether he has eaten."],
}  # fmt: skip


def pairs(table: dict[str, list[str]]) -> list[tuple[str, str]]:
    return [(act, intent) for act, intents in table.items() for intent in intents]


@pytest.mark.parametrize(("act", "intent"), pairs(ASKED))
def test_an_act_an_intent_asks_for_is_found(act: str, intent: str) -> None:
    assert intended(act, intent)


@pytest.mark.parametrize(("act", "intent"), pairs(LEFT))
def test_what_only_looks_like_an_act_is_not(act: str, intent: str) -> None:
    assert not intended(act, intent)


@pytest.mark.parametrize("intent", ["", "মাফ চাও", "\x00", "ask " * 2000])
def test_any_intent_gets_an_answer(intent: str) -> None:
    assert not any(intended(act, intent) for act in (*ASKED, "no-such-act"))
