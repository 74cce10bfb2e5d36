"""The two baselines every table needs: the scenario's reference as a ceiling, the source as a floor.

No call, no brief, no history.
"""

from collections.abc import Mapping
from typing import Any

from sim.core.ports import CallScope, Interpretation, InterpreterView


def _identity(name: str) -> Mapping[str, Any]:
    return {"id": name, "model": name, "brief": None, "history": None, "parameters": {}, "prompts": {}}


class ReferenceInterpreter:
    """Delivers the scenario's reference."""

    identity = _identity("reference")
    sees_reference = True

    async def interpret(self, view: InterpreterView, scope: CallScope) -> Interpretation:
        """The reference of this turn; empty where the words are not the scenario's own."""
        text = view.reference or ""
        return Interpretation("ok" if text else "empty", text, text)


class CopyInterpreter:
    """Delivers the message untranslated."""

    identity = _identity("copy")
    sees_reference = False

    async def interpret(self, view: InterpreterView, scope: CallScope) -> Interpretation:
        """The message itself."""
        return Interpretation("ok", view.message, view.message)
