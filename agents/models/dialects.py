"""A request in OpenAI's protocol, with what each provider spells in its own way.

Only what they say themselves: how thinking is asked for, what a seed is called. What a model turns out to
refuse is found by trying, in `forms`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from agents.models.forms import EFFORT
from agents.models.wire import Attempt

Fields = dict[str, Any]
_OFF = ("none", "minimal")
"""Efforts at which a model with a switch alone does not think."""


def body(provider: str, model: str, attempt: Attempt) -> Fields:
    """The body of one request to `provider` (LiteLLM's name for it)."""
    fields: Fields = {"model": model, **_said_so_far(attempt), **spelled(provider, attempt)}
    if attempt.response_format is not None:
        fields["response_format"] = dict(attempt.response_format)
    if attempt.on_delta is not None:
        fields["stream"] = True
        if attempt.stream_options and attempt.prompt is None:
            fields["stream_options"] = {"include_usage": True}
    return fields


def spelled(provider: str, attempt: Attempt) -> Fields:
    """The parameters and the seed, as the provider spells them."""
    fields = dict(attempt.parameters)
    if attempt.seed is not None:
        fields = {_SEEDS.get(provider, "seed"): attempt.seed, **fields}
    effort = fields.pop(EFFORT, None)
    if effort is not None:
        fields = {**_EFFORTS.get(provider, _plain)(str(effort)), **fields}
    return fields


def _said_so_far(attempt: Attempt) -> Fields:
    if attempt.prompt is not None:
        return {"prompt": attempt.prompt}
    return {"messages": [{"role": m.role, "content": m.content} for m in attempt.messages]}


def _plain(effort: str) -> Fields:
    return {EFFORT: effort}


def _switch(effort: str) -> Fields:
    return {"enable_thinking": effort not in _OFF}


def _thinking(effort: str) -> Fields:
    return {"thinking": {"type": "disabled" if effort in _OFF else "enabled"}}


def _routed(effort: str) -> Fields:
    return {"reasoning": {"effort": effort}}


def _template(effort: str) -> Fields:
    """For a server that may run any model: the switch of its template, and the effort of those that know one."""
    return {"chat_template_kwargs": {"enable_thinking": effort not in _OFF}, EFFORT: effort}


_EFFORTS: Mapping[str, Callable[[str], Fields]] = {
    "dashscope": _switch,
    "deepseek": _thinking,
    "moonshot": _thinking,
    "zai": _thinking,
    "openrouter": _routed,
    "hosted_vllm": _template,
    "llamafile": _template,
    "lm_studio": _template,
}
_SEEDS: Mapping[str, str] = {"mistral": "random_seed"}
