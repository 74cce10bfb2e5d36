"""What stands behind one turn: brief and settings, raw reply, language checks, model calls.

Lines for a box and text for the clipboard; no widget.
"""

from collections.abc import Mapping
from typing import Any

from sim.core import events as ev
from sim.core.text import dumps
from ui import words
from ui.render import Line, Page, Span, prose
from ui.state import ConversationState, TurnState


def details_lines(state: ConversationState, turn: TurnState, page: Page) -> list[Line]:
    """All that is known of how `turn` was interpreted and judged."""
    lines = _part("Interpreter", page, *_interpreter(state))
    raw = "nothing yet" if turn.raw is None else (turn.raw or "(empty)")
    lines += _part("Raw reply", page, raw)
    checks = (
        ("utterance", turn.utterance_check, turn.source_language),
        ("translation", turn.translation_check, turn.target_language),
    )
    said = [
        f"{what}: {words.check(check, expected)}" for what, check, expected in checks if check is not None
    ]
    lines += _part("Language checks", page, *said or ("none",))
    lines += _part("Calls", page, *[_call(call) for call in turn.calls] or ("none",))
    if turn.faults:
        lines += _part("Faults", page, *(_fault(fault) for fault in turn.faults))
    return lines


def _part(title: str, page: Page, *texts: str) -> list[Line]:
    body = [line for text in texts for line in prose(text, page)]
    return [Line((Span(title, "strong"),)), *body, Line()]


def _interpreter(state: ConversationState) -> list[str]:
    if state.started is None:
        return ["not started"]
    system = state.started.system
    parts = [f"{name}: {_value(value)}" for name, value in system.items() if value not in (None, {}, "")]
    prompts = state.started.signature.get("prompts")
    return [*parts, *([f"prompts: {_value(prompts)}"] if prompts else [])]


def _value(value: object) -> str:
    return dumps(value) if isinstance(value, Mapping | list | tuple) else str(value)


def _call(call: ev.CallFinished) -> str:
    tokens = f"{_known(call.input_tokens)} in, {_known(call.output_tokens)} out"
    price = {"free": "free", "unknown": "price unknown"}.get(call.cost_status, f"${call.cost or 0:.4f}")
    how = "from the cache" if call.cached else f"{call.seconds:.2f} s, attempt {call.attempts}"
    return f"{call.role}: {call.model}, {call.outcome}, {tokens}, {price}, {how}"


def _known(value: Any) -> str:
    return "?" if value is None else str(value)


def _fault(fault: ev.FaultRaised) -> str:
    return f"{words.fault(fault)}\n{fault.detail}" if fault.detail else words.fault(fault)


def clipboard_text(turn: TurnState) -> str:
    """Source and translation as they are stored, code point for code point, a line each."""
    arrived = turn.delivered if turn.delivered is not None else turn.translation
    return "\n".join(text for text in (turn.source, arrived) if text is not None)
