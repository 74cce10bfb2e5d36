"""The scenario of a chat that has none: two languages, and nothing that anybody could be measured by."""

from sim.core.languages import language
from sim.core.values import Contexts, Provenance, Relation, Scenario


def bare_scenario(pair: tuple[str, str], situation: str = "") -> Scenario:
    """The scenario of a chat without one: two languages, and the situation if a person gave it.

    Raises UsageProblem.
    """
    for code in pair:
        language(code)
    return Scenario(
        schema=1,
        id=f"chat-{pair[0]}-{pair[1]}",
        pair=pair,
        setting="chat",
        relation=Relation(A="user A", B="user B"),
        conversation_context=situation.strip(),
        contexts=Contexts(),
        turns=(),
        provenance=Provenance(source="none", licence="none"),
    )
