"""The provider stubs refuse what the providers refuse, in their own words and statuses."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from typing import Any

import pytest

from tests.stub.providers.server import KEY, Server

HELLO = [{"role": "user", "content": "hello"}]
BEARER = {"Authorization": f"Bearer {KEY}"}
GOOGLE = {"x-goog-api-key": KEY}
CLAUDE = {"x-api-key": KEY, "anthropic-version": "2023-06-01"}
CONTENTS = [{"role": "user", "parts": [{"text": "hello"}]}]
OPEN_SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
STRICT = {"type": "json_schema", "json_schema": {"name": "x", "strict": True, "schema": OPEN_SCHEMA}}


def said(server: Server, path: str, body: Any, headers: dict[str, str]) -> tuple[int, str]:
    """Status and text of the answer to a request."""
    url = f"http://127.0.0.1:{server.port}/{path}"
    call = urllib.request.Request(
        url, json.dumps(body).encode(), {"Content-Type": "application/json", **headers}
    )
    try:
        with urllib.request.urlopen(call, timeout=10) as response:
            return response.status, response.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


OPENAI = "openai/v1/chat/completions"
ANTHROPIC = "anthropic/v1/messages"
GEMINI = "gemini/v1beta/models/{}:generateContent"
PRO, LITE = GEMINI.format("gemini-3.1-pro-preview"), GEMINI.format("gemini-3.1-flash-lite-preview")
OPUS: dict[str, Any] = {"model": "claude-opus-4-7", "messages": HELLO, "max_tokens": 9}
SONNET = OPUS | {"model": "claude-sonnet-4-5"}


DEEPSEEK = "deepseek/chat/completions"
DASHSCOPE = "dashscope/v1/chat/completions"
MISTRAL = "mistral/v1/chat/completions"
OLLAMA, NATIVE = "ollama/v1/chat/completions", "ollama/api/chat"
VLLM = "vllm/v1/chat/completions"
LLAMACPP = "llamacpp/v1/chat/completions"
GEMMA = "google/gemma-2-27b-it"
JSON_MODE = {"type": "json_object"}
LONG = [{"role": "user", "content": "word " * 40_000}]


def chat(model: str, **more: Any) -> dict[str, Any]:
    return {"model": model, "messages": HELLO, **more}


def google(**config: Any) -> dict[str, Any]:
    return {"contents": CONTENTS, "generationConfig": config}


@pytest.mark.parametrize(
    ("path", "body", "headers", "status", "words"),
    [
        (OPENAI, chat("gpt-4o"), {}, 401, "You didn't provide an API key"),
        (OPENAI, chat("gpt-4o"), {"Authorization": "Bearer wrong"}, 401, "invalid_api_key"),
        (OPENAI, chat("gpt-9"), BEARER, 404, "model_not_found"),
        (OPENAI, chat("gpt-4o", top_k=1), BEARER, 400, "unknown_parameter"),
        (OPENAI, chat("gpt-4o", reasoning_effort="low"), BEARER, 400, "Unrecognized request argument"),
        (OPENAI, chat("gpt-5", temperature=0), BEARER, 400, "unsupported_value"),
        (OPENAI, chat("gpt-5", max_tokens=9), BEARER, 400, "max_completion_tokens"),
        (OPENAI, chat("gpt-5.4-mini", reasoning_effort="minimal"), BEARER, 400, "'none', 'low'"),
        (OPENAI, chat("gpt-4o", response_format=STRICT), BEARER, 400, "additionalProperties"),
        (OPENAI, chat("gpt-4o", response_format={"type": "json_object"}), BEARER, 400, "the word 'json'"),
        (OPENAI, chat("gpt-4o", stream_options={"include_usage": True}), BEARER, 400, "only allowed when"),
        (PRO, {"contents": CONTENTS}, {}, 403, "PERMISSION_DENIED"),
        (PRO, {"contents": CONTENTS}, {"x-goog-api-key": "wrong"}, 400, "API_KEY_INVALID"),
        (GEMINI.format("gemini-9"), {"contents": CONTENTS}, GOOGLE, 404, "NOT_FOUND"),
        (PRO, google(thinkingConfig={"thinkingLevel": "minimal"}), GOOGLE, 400, "level MINIMAL is not"),
        (PRO, {"contents": CONTENTS, "user": "x"}, GOOGLE, 400, 'Unknown name \\"user\\"'),
        (PRO, google(maxTokens=3), GOOGLE, 400, "generation_config"),
        (PRO, google(responseSchema={"additionalProperties": False}), GOOGLE, 400, "additionalProperties"),
        (PRO, {"contents": [{"role": "system", "parts": [{"text": "x"}]}]}, GOOGLE, 400, "user, model"),
        (PRO, {"contents": []}, GOOGLE, 400, "contents is not specified"),
        (ANTHROPIC, OPUS, {}, 401, "x-api-key header is required"),
        (ANTHROPIC, OPUS, CLAUDE | {"x-api-key": "wrong"}, 401, "authentication_error"),
        (ANTHROPIC, OPUS, {"x-api-key": KEY}, 400, "anthropic-version"),
        (ANTHROPIC, OPUS | {"model": "claude-0"}, CLAUDE, 404, "not_found_error"),
        (
            ANTHROPIC,
            {"model": "claude-opus-4-7", "messages": HELLO},
            CLAUDE,
            400,
            "max_tokens: Field required",
        ),
        (ANTHROPIC, OPUS | {"temperature": 0}, CLAUDE, 400, "`temperature` is deprecated"),
        (ANTHROPIC, OPUS | {"seed": 1}, CLAUDE, 400, "seed: Extra inputs are not permitted"),
        (ANTHROPIC, OPUS | {"thinking": {"type": "enabled", "budget_tokens": 1024}}, CLAUDE, 400, "adaptive"),
        (ANTHROPIC, SONNET | {"thinking": {"type": "adaptive"}, "temperature": 0}, CLAUDE, 400, "set to 1"),
        (ANTHROPIC, OPUS | {"messages": [{"role": "system", "content": "x"}]}, CLAUDE, 400, "top-level"),
        (
            ANTHROPIC,
            OPUS | {"messages": [{"role": "assistant", "content": "x"}]},
            CLAUDE,
            400,
            "first message",
        ),
        (
            ANTHROPIC,
            OPUS | {"messages": [*HELLO, {"role": "assistant", "content": "x"}]},
            CLAUDE,
            400,
            "prefill",
        ),
    ],
)
def test_it_refuses_what_the_provider_refuses(
    provider_server: Server, path: str, body: Any, headers: dict[str, str], status: int, words: str
) -> None:
    answered = said(provider_server, path, body, headers)
    assert answered[0] == status, answered
    assert words in answered[1]


@pytest.mark.parametrize(
    ("path", "body", "headers"),
    [
        (OPENAI, chat("gpt-4o", temperature=0, seed=3, max_tokens=9), BEARER),
        (OPENAI, chat("gpt-5", temperature=1, max_completion_tokens=9, reasoning_effort="minimal"), BEARER),
        (OPENAI, chat("gpt-5.4-mini", reasoning_effort="none", stream=True), BEARER),
        (LITE, google(temperature=0, thinkingConfig={"thinkingLevel": "minimal"}), GOOGLE),
        (PRO, google(thinking_config={"thinking_level": "LOW", "include_thoughts": True}), GOOGLE),
        (ANTHROPIC, OPUS | {"system": "x", "stream": True}, CLAUDE),
        (ANTHROPIC, SONNET | {"temperature": 0}, CLAUDE),
        (DEEPSEEK, chat("deepseek-v4-pro", seed=1, temperature=0, reasoning_effort="low"), BEARER),
        (DEEPSEEK, chat("deepseek-v4-flash", thinking={"type": "disabled"}, stream=True), BEARER),
        (DASHSCOPE, chat("qwen3.5-flash", seed=1), BEARER),
        (DASHSCOPE, chat("qwen3-32b", enable_thinking=False), BEARER),
        (DASHSCOPE, chat("qwen3-32b", stream=True, stream_options={"include_usage": True}), BEARER),
        (DASHSCOPE, chat("qwen3.5-flash", response_format=STRICT, enable_thinking=False), BEARER),
        (MISTRAL, chat("magistral-medium-latest", random_seed=1), BEARER),
        (MISTRAL, chat("magistral-medium-latest", stream=True), BEARER),
        (NATIVE, chat("gemma3:12b", options={"seed": 1}), {}),
        (NATIVE, chat("qwen3:8b", think=True, stream=False), {}),
        (OLLAMA, chat("gemma3:12b", seed=1, temperature=0), {}),
        (VLLM, {"model": GEMMA, "messages": HELLO, "nobody_knows": 1}, {}),
        (VLLM, chat("held/keyed"), BEARER),
        (LLAMACPP, chat("whatever", response_format=STRICT), {}),
    ],
)
def test_it_takes_what_the_provider_takes(
    provider_server: Server, path: str, body: Any, headers: dict[str, str]
) -> None:
    answered = said(provider_server, path, body, headers)
    assert answered[0] == 200, answered
    streamed = ('"text_delta"', "chat.completion.chunk", '"done": true')
    assert "I do not know" in answered[1] or any(mark in answered[1] for mark in streamed)
