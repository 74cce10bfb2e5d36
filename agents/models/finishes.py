"""Why an answer ended, whoever gave it: whole, cut, blocked, broken off, or for a reason nobody knows.

One table of the words providers use. A word that is not in it is unknown, and told as such: taking it for
a whole answer, or for a cut one, would be a guess. What the text says is never looked at.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

Ending = Literal["whole", "cut", "blocked", "broken", "unknown"]

_WORDS: dict[Ending, str] = {
    "whole": """
        stop end_turn stop_sequence eos eos_token end complete completed finish finished finished_normally
        normal done tool_calls tool_call tool_use function_call pause_turn word stop_token eot_token
    """,
    "cut": """
        length max_tokens max_output_tokens max_length model_length model_context_window_exceeded
        context_length_exceeded context_window_exceeded token_limit max_new_tokens max_tokens_exceeded limit
        incomplete time_limit error_limit
    """,
    "blocked": """
        content_filter content_filtered content_policy_violation refusal safety recitation blocklist
        prohibited_content spii language jailbreak image_safety image_prohibited_content image_recitation
        guardrail_intervened guardrails moderation moderation_blocked sensitive risk error_toxic blocked
        model_armor policy_violation
    """,
    "broken": """
        error insufficient_system_resource network_error abort aborted cancelled canceled user_cancel
        timeout failed internal_error server_error engine_error load unload not_finished overloaded
        malformed_response malformed_model_output malformed_function_call malformed_tool_use
        unexpected_tool_call too_many_tool_calls missing_thought_signature
    """,
}
"""Words as they are folded by `_folded`: OpenAI, Anthropic, Gemini, Bedrock, Cohere, Mistral, DeepSeek, Zhipu,
MiniMax, Ollama, vLLM, SGLang, llama.cpp, TGI, watsonx and OpenRouter."""
_TABLE: dict[str, Ending] = {word: ending for ending, words in _WORDS.items() for word in words.split()}
_GRAVEST: tuple[Ending, ...] = ("blocked", "broken", "cut")


def ending(reason: str | None) -> Ending:
    """What a finish reason means; none at all is unknown."""
    return _TABLE.get(_folded(reason or ""), "unknown")


def chosen(said: Iterable[object]) -> str | None:
    """The one finish reason of those a choice carries, in order of trust.

    A gateway says `stop` in OpenAI's words and keeps the provider's own beside it: where one of them says
    that the answer was blocked, broken off or cut, it was. Anything but text is no reason.
    """
    reasons = [reason for reason in said if isinstance(reason, str) and reason]
    for grave in _GRAVEST:
        for reason in reasons:
            if ending(reason) == grave:
                return reason
    known = [reason for reason in reasons if ending(reason) == "whole"]
    return next(iter(known or reasons), None)


def _folded(reason: str) -> str:
    return reason.strip().casefold().replace("-", "_").replace(" ", "_").removeprefix("finish_reason_")
