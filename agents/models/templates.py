"""The tokens of chat templates that leak into answers, by family: what opens and closes reasoning, what ends a turn.

Data, and the one expression that finds them. It consists of literals only, so that a search takes time in
proportion to the text. Only tokens decide; the words between them are never read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal["open", "close", "final", "end", "start", "wrap"]


@dataclass(frozen=True, slots=True)
class Token:
    """What one token does."""

    kind: Kind
    """`open` and `close` reasoning; `final` begins the answer proper; `end` ends a turn; `start` begins one;
    `wrap` only surrounds the answer."""
    family: str = ""
    """Which opening a closing belongs to."""


_TAGS = ("think", "thinking", "thought", "thoughts", "reasoning", "reflection", "scratchpad", "seed:think")
"""Tags as `<think>…</think>`, in any case: DeepSeek, Qwen, Gemma, EXAONE, Nemotron, GLM, Kimi, MiniMax, Seed."""
_PAIRS = (
    ("[THINK]", "[/THINK]"),  # Magistral
    ("◁think▷", "◁/think▷"),  # Kimi-VL
    ("<|START_THINKING|>", "<|END_THINKING|>"),  # Command A
    ("<|channel>thought", "<channel|>"),  # Gemma 4
    ("<unused94>", "<unused95>"),  # MedGemma
    ("<|begin_of_thought|>", "<|end_of_thought|>"),  # Sky-T1, OpenThinker
    ("<longcat_think>", "</longcat_think>"),
)
CHANNEL = "channel"
"""Family of reasoning that any token of a turn closes: harmony's channels, HyperCLOVA X's role."""
_CHANNELS = ("<|channel|>analysis", "<|channel|>commentary", "<|im_start|>assistant/think")
_FINAL = ("<|channel|>final", "assistantfinal")
"""The second is what is left of harmony where a server drops the tokens and keeps their names."""
_END = """
    <|im_end|> </s> <|eot_id|> <|eom_id|> <|eot|> <end_of_turn> <eos> <turn|> [|endofturn|] <|endofturn|>
    <|END_OF_TURN_TOKEN|> <|END_RESPONSE|> <|END_TEXT|> <|endoftext|> <|end_of_text|> <|end_of_turn|> <|end|>
    <|return|> <|call|> <|EOT|> <|eos|> <|stop|> <｜end▁of▁sentence｜> <|end_of_sentence|>
    <|end_of_solution|> <|im_sep|> <EOS_TOKEN> <|endofassistant|>
"""
_START = """
    <|im_start|>assistant <|im_start|>user <|im_start|>system <|im_start|> <start_of_turn>model
    <start_of_turn>user <start_of_turn> <|turn>model <|turn>user <|turn>system
    <|start_header_id|>assistant<|end_header_id|> <|start_header_id|>user<|end_header_id|>
    <|start_header_id|> <|end_header_id|> <|start|>assistant <|start|> <|assistant|> <|user|> <|system|>
    <｜Assistant｜> <｜User｜> [|assistant|] [|user|] [|system|] [INST] [/INST] <|CHATBOT_TOKEN|>
    <|USER_TOKEN|> <|SYSTEM_TOKEN|> <|START_OF_TURN_TOKEN|> <|begin_of_text|> <｜begin▁of▁sentence｜> <s>
    <bos> <BOS_TOKEN>
"""
_WRAP = (
    "<|message|>",
    "<|constrain|>json",
    "<|START_RESPONSE|>",
    "<|START_TEXT|>",
    "<|begin_of_solution|>",
    "[BEGIN FINAL RESPONSE]",
    "[END FINAL RESPONSE]",
)
_WRAPPING_TAGS = ("answer", "response")
"""Tags some families put around the answer after their reasoning: Hunyuan, Granite, ERNIE."""


def _exact() -> dict[str, Token]:
    tokens = {token: Token("end") for token in _END.split()} | {
        token: Token("start") for token in _START.split()
    }
    tokens |= {token: Token("final") for token in _FINAL} | {token: Token("wrap") for token in _WRAP}
    tokens |= {token: Token("open", CHANNEL) for token in _CHANNELS}
    for opening, closing in _PAIRS:
        tokens |= {opening: Token("open", opening), closing: Token("close", opening)}
    return tokens


def _any_case() -> dict[str, Token]:
    tokens = {f"<{tag}>": Token("open", tag) for tag in _TAGS}
    tokens |= {f"</{tag}>": Token("close", tag) for tag in _TAGS}
    return tokens | {f"<{slash}{tag}>": Token("wrap") for tag in _WRAPPING_TAGS for slash in ("", "/")}


_EXACT, _ANY_CASE = _exact(), _any_case()
FENCE = r"\[[0-9a-f]{12}|[0-9a-f]{12} (?:begin|end)"
"""How a line of ours begins: see `agents.fence`."""
TOKENS = re.compile(
    "|".join(
        [
            *(re.escape(token) for token in sorted(_EXACT, key=len, reverse=True)),
            "(?i:" + "|".join(re.escape(token) for token in _ANY_CASE) + ")",
            FENCE,
        ]
    ),
    re.ASCII,
)
LIKE_TOKENS = re.compile(r"<[|｜][^\s<>|｜]{1,40}[|｜]>")
"""What looks like a token of a family nobody has written down."""
MAYBE = re.compile(r"[<\[◁]|assistantfinal|[0-9a-f]{12}")
"""What a text without any token has none of."""
LONGEST = max(map(len, (*_EXACT, *_ANY_CASE)))
PREFIXES = frozenset(
    token[:length].lower() for token in (*_EXACT, *_ANY_CASE) for length in range(1, len(token))
)
"""All beginnings of tokens, folded: a text that ends in one may go on as a token."""
FIRST = frozenset(prefix for prefix in PREFIXES if len(prefix) == 1)


def token(text: str) -> Token | None:
    """What the token `text` does; None for a line of ours."""
    return _EXACT.get(text) or _ANY_CASE.get(text.lower())
