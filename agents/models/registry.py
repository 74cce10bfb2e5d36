"""Names → clients: LiteLLM names, `gguf:PATH[#PROFILE]`, `local`, `fake:FILE`, and whatever a person calls one.

A pool belongs to whoever made it and is closed by them; it holds one server a GGUF, however many roles
speak through it. Checking `local`, `gguf:` and `fake:` loads no model and no LiteLLM.
"""

from __future__ import annotations

import asyncio
import difflib
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from agents.models import embedded, fake_file, gateway, gguf, keys
from agents.models.budgeted import BudgetedBackend, Purse
from agents.models.client import ModelClient
from agents.models.compatible import CompatibleBackend
from agents.models.endpoints import OWN, endpoint
from agents.models.fake import FakeBackend
from agents.models.hosted import LiteLLMBackend
from agents.models.keys import Place
from agents.models.local import LocalBackend
from agents.models.meant import Meant, PricedBackend
from agents.models.profiles import Profile, profile_of
from agents.models.redact import Redactor
from agents.models.retry import RetryPolicy
from agents.models.server import LocalServer, ServerSettings
from agents.models.tariff import FakeTariff, FreeTariff, HostedTariff, Tariff
from agents.models.wire import Backend
from sim.core.errors import Problem, UsageProblem

UNKNOWN = "Unknown model"
"""Title of the problem of a name that nobody knows."""
_CHOICES = (
    "local",
    "gguf:PATH",
    "fake:FILE",
    "PROVIDER/MODEL as LiteLLM names it, such as openai/gpt-5-mini",
)


def validate(named: str | Meant) -> None:
    """Raises UsageProblem where no client can be opened."""
    meant = _meant(named)
    kind, rest = _parts(meant.model)
    if kind == "gguf":
        path, chosen = _file(rest)
        gguf.check(path)
        profile_of(path, chosen)
    elif kind == "fake":
        fake_file.read(_path(rest))
    elif kind == "hosted":
        problem = keys.problem(meant) if meant.api_key_env else _hosted_problem(meant)
        if problem is not None:
            raise UsageProblem(problem)


def profile(name: str) -> Profile | None:
    """The profile of the model called `name`; None for a model without one. Raises UsageProblem."""
    kind, rest = _parts(name)
    return profile_of(*_file(rest)) if kind == "gguf" else None


class ModelPool:
    """The clients and servers of one process; use it with `async with`, or close it."""

    def __init__(
        self,
        *,
        models: Path,
        logs: Path,
        context: int = embedded.CONTEXT,
        policy: RetryPolicy | None = None,
        environment: Mapping[str, str] | None = None,
        purse: Purse | None = None,
    ) -> None:
        """`models` is where the embedded model is put together, `logs` where servers write theirs;
        `context` is the context size of local models without a profile, in tokens; every attempt is paid
        from `purse`."""
        self._models = models
        self._logs = logs
        self._policy = policy or RetryPolicy()
        self._settings = ServerSettings(context=context)
        self._environment = os.environ if environment is None else environment
        self._redactor = Redactor.of(self._environment)
        self._servers: dict[tuple[Path | None, int], LocalServer] = {}
        self._clients: list[ModelClient] = []
        self._purse = purse

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    def open_client(self, named: str | Meant) -> ModelClient:
        """A client by name. Nothing is started or connected before its first call.

        A `gguf:` file is read once for its hash. Raises UsageProblem, also where a budget cannot be kept.
        """
        meant = _meant(named)
        validate(meant)
        name = meant.name
        kind, rest = _parts(meant.model)
        if kind == "fake":
            file = fake_file.read(_path(rest))
            identity = {"model": "fake", "sha256": file.sha256}
            return self._client(name, FakeBackend(file), identity, FakeTariff(file))
        if kind == "hosted":
            return self._hosted(meant)
        if kind == "local":
            known = {"model": embedded.MODEL, "sha256": embedded.SHA256}
            return self._served(name, None, self._settings.context, known)
        path, chosen = _file(rest)
        return self._of_file(name, path.resolve(), profile_of(path, chosen))

    def _hosted(self, meant: Meant) -> ModelClient:
        place = keys.place(meant, self._environment)
        if place.key and place.key != keys.NO_KEY:
            self._redactor = self._redactor.knowing(place.key)
        backend = _backend(meant.model, place)
        if meant.price is not None:
            backend = PricedBackend(backend, meant.price)
        return self._client(meant.name, backend, meant.identity, HostedTariff(meant.model, meant.price))

    def _of_file(self, name: str, path: Path, profile: Profile | None) -> ModelClient:
        known = {"model": path.stem, "sha256": gguf.sha256(path)}
        if profile is None:
            return self._served(name, path, self._settings.context, known)
        return self._served(name, path, profile.context, known | {"profile": profile.name})

    def _served(self, name: str, path: Path | None, context: int, known: Mapping[str, str]) -> ModelClient:
        backend = LocalBackend(name, self.server(path, context))
        return self._client(name, backend, {"context": context, **known}, FreeTariff(context))

    async def warm(self) -> None:
        """Load what the opened local models need, ahead of their first call, which tells of failures."""
        starts = [server.start() for server in self._servers.values()]
        await asyncio.gather(*starts, return_exceptions=True)

    def server(self, path: Path | None, context: int | None = None) -> LocalServer:
        """The one server of a GGUF file with so many tokens of context, of the embedded model for None."""
        settings = replace(self._settings, context=context or self._settings.context)
        key = path, settings.context
        if key not in self._servers:
            log = (
                self._logs / f"{path.stem if path else embedded.MODEL}.{os.getpid()}.{len(self._servers)}.log"
            )

            def model() -> Path:
                return path or embedded.assembled(self._models)

            self._servers[key] = LocalServer(model, log, settings, self._environment)
        return self._servers[key]

    async def aclose(self) -> None:
        """Close every client, end every server, close LiteLLM's connections."""
        for client in self._clients:
            await client.aclose()
        for server in self._servers.values():
            await server.aclose()
        await gateway.close()

    def _client(
        self, name: str, backend: Backend, identity: Mapping[str, Any], tariff: Tariff
    ) -> ModelClient:
        if self._purse is not None:
            problem = tariff.problem(self._purse.unit)
            if problem is not None:
                raise UsageProblem(problem)
            backend = BudgetedBackend(backend, tariff, self._purse)
        client = ModelClient(name, backend, identity=identity, policy=self._policy, redactor=self._redactor)
        self._clients.append(client)
        return client


def _backend(model: str, place: Place) -> Backend:
    """As it is for whoever speaks OpenAI's protocol, else through LiteLLM."""
    where = endpoint(model, place.base, None if place.key == keys.NO_KEY else place.key)
    return CompatibleBackend(model, where) if where is not None else LiteLLMBackend(model, place=place)


def _meant(named: str | Meant) -> Meant:
    return named if isinstance(named, Meant) else Meant(named, named)


def _parts(name: str) -> tuple[str, str]:
    """(kind, rest): kind is local, gguf, fake or hosted. Raises UsageProblem for a name that says nothing."""
    if name == embedded.NAME:
        return "local", ""
    kind, colon, rest = name.partition(":")
    if colon and kind in ("gguf", "fake") and rest:
        return kind, rest
    if not name.strip() or (colon and kind in ("gguf", "fake")):
        what = f"{name!r} names no file." if colon else "The model name is empty."
        raise UsageProblem(Problem("Model name", what, choices=_CHOICES))
    return "hosted", name


def _file(rest: str) -> tuple[Path, str | None]:
    """The path and, after a `#` that is no part of it, the profile a person chose."""
    head, mark, chosen = rest.rpartition("#")
    if mark and head and not gguf.is_file(_path(rest)):
        return _path(head), chosen
    return _path(rest), None


def _path(name: str) -> Path:
    """The path a person wrote; a `~user` who does not exist stays as it is, and names no file."""
    try:
        return Path(name).expanduser()
    except RuntimeError:
        return Path(name)


def _hosted_problem(meant: Meant) -> Problem | None:
    provider, slash, model = meant.model.partition("/")
    if slash and model and provider in OWN:
        return None
    if meant.api_base is not None and endpoint(meant.model, meant.api_base) is not None:
        return None  # a server somebody names gets only the key somebody names for it
    litellm = gateway.load()
    name = meant.model
    try:
        provider = litellm.get_llm_provider(name)[1]
    except Exception:
        return Problem(
            UNKNOWN,
            f"{name!r}{f' of {meant.name!r}' if meant.name != name else ''} is no model name LiteLLM knows.",
            "A hosted model is named PROVIDER/MODEL.",
            (*_nearest(litellm, name), *_CHOICES),
        )
    return keys.missing(litellm, meant, str(provider))


def _nearest(litellm: Any, name: str) -> list[str]:
    provider, slash, model = name.partition("/")
    providers = sorted(str(getattr(p, "value", p)) for p in litellm.provider_list)
    if slash:
        return [f"{p}/{model}" for p in difflib.get_close_matches(provider, providers, n=3, cutoff=0.6)]
    return difflib.get_close_matches(name, list(litellm.model_cost), n=3, cutoff=0.6)
