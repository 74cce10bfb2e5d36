"""A tiny GGUF that llama.cpp loads: one Llama block over bytes, made to say one text and end.

Its weights are a table of which token follows which: `>`, the end of its chat template, is followed by the
pieces of the answer, any other byte by one piece that says so; both by the end of the text.
"""

import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

TEMPLATE = "{% for m in messages %}<{{ m['role'] }}>{{ m['content'] }}\n{% endfor %}<assistant>"
UNTEMPLATED = "(no template)"
_WIDTH, _HEADS, _FEED, _ALIGNED = 32, 2, 32, 32
_PIECE = 8
"""Characters of a piece: llama-cpp-python gives a token 32 bytes."""
_STRING, _LIST, _U32, _I32, _F32, _BOOL = 8, 9, 4, 5, 6, 7
_UNKNOWN, _CONTROL, _NORMAL, _BYTE = 2, 3, 1, 6
_END = 2


def write_tiny(
    path: Path,
    *,
    answer: str,
    name: str,
    architecture: str = "llama",
    template: str | None = TEMPLATE,
) -> Path:
    """Write the model to `path`; `name` and `architecture` are what it says of itself.

    llama.cpp loads it as `llama` and as `exaone`, which have the same tensors.
    """
    pieces = [answer[at : at + _PIECE] for at in range(0, len(answer), _PIECE)]
    tokens = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), UNTEMPLATED, *pieces]
    kinds = [_UNKNOWN, _CONTROL, _CONTROL, *[_BYTE] * 256, _NORMAL, *[_NORMAL] * len(pieces)]
    sizes = {
        "context_length": 65536,
        "embedding_length": _WIDTH,
        "block_count": 1,
        "feed_forward_length": _FEED,
        "attention.head_count": _HEADS,
        "attention.head_count_kv": _HEADS,
        "attention.layer_norm_rms_epsilon": 1e-5,
        "rope.dimension_count": _WIDTH // _HEADS,
    }
    head: dict[str, Any] = {
        "general.architecture": architecture,
        "general.name": name,
        **{f"{architecture}.{key}": size for key, size in sizes.items()},
        "tokenizer.ggml.model": "llama",
        "tokenizer.ggml.tokens": tokens,
        "tokenizer.ggml.scores": [0.0] * len(tokens),
        "tokenizer.ggml.token_type": kinds,
        "tokenizer.ggml.bos_token_id": 1,
        "tokenizer.ggml.eos_token_id": _END,
        "tokenizer.ggml.unknown_token_id": 0,
        "tokenizer.ggml.add_bos_token": False,
        "tokenizer.ggml.add_space_prefix": False,
    }
    if template is not None:
        head["tokenizer.chat_template"] = template
    tensors = _weights(len(tokens), len(pieces))
    path.write_bytes(_file(head, tensors))
    return path


def _weights(vocabulary: int, pieces: int) -> dict[str, Any]:
    """Everything but the two tables is idle: what a token looks like, and what it is followed by."""
    first, untemplated, mark = vocabulary - pieces, vocabulary - pieces - 1, 3 + ord(">")
    state = np.zeros(vocabulary, np.int64)
    state[[mark, untemplated]] = [2, 1]
    state[first:] = [*range(3, 2 + pieces), 1]
    seen = np.eye(_WIDTH, dtype=np.float32)[state]
    follows = np.zeros((vocabulary, _WIDTH), np.float32)
    follows[[untemplated, _END], [0, 1]] = 20.0
    follows[range(first, vocabulary), range(2, 2 + pieces)] = 20.0
    square = np.zeros((_WIDTH, _WIDTH), np.float32)
    one = np.ones(_WIDTH, np.float32)
    block: dict[str, Any] = {f"blk.0.attn_{part}.weight": square for part in ("q", "k", "v", "output")}
    block |= {f"blk.0.ffn_{part}.weight": square for part in ("gate", "up", "down")}
    block |= {"blk.0.attn_norm.weight": one, "blk.0.ffn_norm.weight": one}
    return {
        "token_embd.weight": seen,
        **block,
        "output_norm.weight": one,
        "output.weight": follows,
    }


def _file(head: Mapping[str, Any], tensors: Mapping[str, Any]) -> bytes:
    data = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(head))
    data += b"".join(_text(key) + _value(value) for key, value in head.items())
    bodies, at = b"", 0
    for name, tensor in tensors.items():
        shape = tensor.shape[::-1]
        data += _text(name) + struct.pack("<I", len(shape)) + struct.pack(f"<{len(shape)}Q", *shape)
        data += struct.pack("<IQ", 0, at)
        body = tensor.tobytes()
        bodies += body + b"\0" * (-len(body) % _ALIGNED)
        at = len(bodies)
    return data + b"\0" * (-len(data) % _ALIGNED) + bodies


def _text(text: str) -> bytes:
    data = text.encode()
    return struct.pack("<Q", len(data)) + data


def _value(value: Any) -> bytes:
    match value:
        case bool():
            return struct.pack("<I?", _BOOL, value)
        case int():
            return struct.pack("<II", _U32, value)
        case float():
            return struct.pack("<If", _F32, value)
        case str():
            return struct.pack("<I", _STRING) + _text(value)
        case _:
            return struct.pack("<I", _LIST) + _items(value)


def _items(values: list[Any]) -> bytes:
    first = values[0]
    if isinstance(first, str):
        return struct.pack("<IQ", _STRING, len(values)) + b"".join(_text(item) for item in values)
    kind, form = (_F32, "f") if isinstance(first, float) else (_I32, "i")
    return struct.pack("<IQ", kind, len(values)) + struct.pack(f"<{len(values)}{form}", *values)
