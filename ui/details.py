"""What stands behind one turn: brief and settings, language checks, model calls, prompts, raw replies.

Lines for a box and text for the clipboard; no widget.
"""

from collections.abc import Sequence
from typing import Any

from sim.core import events as ev
from sim.core.text import dumps
from sim.core.values import MeaningCheck
from ui import words
from ui.render import Line, Page, Span, prose
from ui.state import ConversationState
from ui.turn import TurnState

_NO_PROMPTS = "Not here: a record keeps no prompts, and of a long conversation the oldest are let go."


def details_lines(state: ConversationState, turn: TurnState, page: Page) -> list[Line]:
    """All that is known of how `turn` was interpreted and judged."""
    lines = _part("Interpreter", page, *_interpreter(state))
    raw = "nothing yet" if turn.raw is None else (turn.raw or "(empty)")
    lines += _part("Raw reply of the interpreter", page, raw)
    checks = (
        ("utterance", turn.utterance_check, turn.source_language),
        ("translation", turn.translation_check, turn.target_language),
    )
    said = [
        f"{what}: {words.check(check, expected)}" for what, check, expected in checks if check is not None
    ]
    lines += _part("Language checks", page, *said or ("none",))
    if turn.meaning is not None:
        lines += _part("Meaning gate", page, _gate(turn.meaning))
    lines += _part("Calls", page, *[_call(call) for call in turn.calls] or ("none",))
    if turn.faults:
        lines += _part("Faults", page, *(_fault(fault) for fault in turn.faults))
    return lines + _attempts(state, turn.attempts, page, called=bool(turn.calls))


def _gate(check: MeaningCheck) -> str:
    if check.result is None:
        return "no answer for these languages or this encoder"
    earlier = "" if check.nearest_earlier is None else f", nearest other turn {check.nearest_earlier:.2f}"
    if said := words.meaning(check):
        return f"{said}{earlier}"
    return "carried" + ("" if check.cosine is None else f" (cosine {check.cosine:.2f})") + earlier


def whole_details_lines(state: ConversationState, page: Page) -> list[Line]:
    """All that is known of how the conversation as a whole was judged."""
    lines = _part("Interpreter", page, *_interpreter(state))
    if state.faults:
        lines += _part("Faults", page, *(_fault(fault) for fault in state.faults))
    return lines + _attempts(state, state.attempts, page, called=False)


def _attempts(
    state: ConversationState, attempts: Sequence[ev.CallAttempted], page: Page, *, called: bool
) -> list[Line]:
    """Each message as it was sent, and the reply as it came."""
    if not attempts:
        return _part("Prompts", page, _NO_PROMPTS, *_prompt_files(state)) if called else []
    return [line for attempt in attempts for line in _attempt(attempt, page)]


def _attempt(attempt: ev.CallAttempted, page: Page) -> list[Line]:
    which = "from the cache" if attempt.number == 0 else f"attempt {attempt.number}"
    lines = [Line((Span(f"To the {words.ROLES[attempt.role]}", "side-a"),))]
    lines += prose(f"{attempt.model}, {which}", page, "dim")
    for message in attempt.sent:
        lines += [Line((Span(f"  {message.role}", "strong"),)), *prose(message.text, page)]
    if attempt.reply is None:
        came = prose(f"no reply: {attempt.failure or 'nothing came'}", page, "fault")
    else:
        came = prose(attempt.reply or "(empty)", page, "met")
    return [*lines, Line((Span("  reply", "strong"),)), *came, Line()]


def _part(title: str, page: Page, *texts: str) -> list[Line]:
    body = [line for text in texts for line in prose(text, page)]
    return [Line((Span(title, "strong"),)), *body, Line()]


def _interpreter(state: ConversationState) -> list[str]:
    if state.started is None:
        return ["not started"]
    system = state.started.system
    parameters = system.get("parameters")
    return [words.system(system), *([f"parameters: {dumps(parameters)}"] if parameters else [])]


def _prompt_files(state: ConversationState) -> list[str]:
    """Which prompts were used, by the beginning of their hashes: all a record tells of them."""
    hashes = {} if state.started is None else state.started.system.get("prompts") or {}
    return [f"{name} {value}" for name, value in hashes.items()]


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
