"""LiteLLM's own reading, where a provider cannot be overheard: its content may have any form."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from agents.models.shapes import whole
from agents.models.wire import AttemptFailed, Usage
from sim.core.errors import FaultKind


def response(content: Any) -> Any:
    message = SimpleNamespace(content=content)
    return SimpleNamespace(choices=[SimpleNamespace(message=message, finish_reason="stop")])


def test_parts_are_read_without_their_thoughts() -> None:
    parts = [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "Halo."}]
    assert whole(response(parts), lambda used: Usage()).content == "Halo."


@pytest.mark.parametrize("content", [7, True, {"x": 1}])
def test_any_other_form_is_a_fault_with_the_reply(content: Any) -> None:
    with pytest.raises(AttemptFailed) as failure:
        whole(response(content), lambda used: Usage())
    assert failure.value.kind is FaultKind.INTERNAL
    assert failure.value.detail
