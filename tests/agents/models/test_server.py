"""The embedded model in its managed server, for real."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from agents.models import embedded
from agents.models.registry import ModelPool
from agents.models.server import LocalServer, ServerSettings
from agents.models.wire import AttemptFailed
from sim.core.errors import CallFailed, FaultKind
from sim.core.ports import Message, Request
from tests.agents.models.helpers import Ear

pytestmark = [pytest.mark.slow, pytest.mark.asyncio(loop_scope="session")]

EXAMPLES = "".join(
    f"English: Please take {n} tablets after dinner.\nIndonesian: Tolong minum {n} tablet setelah makan malam.\n"
    for n in range(2, 14)
)
GREEDY = {"temperature": 0, "max_tokens": 48, "stop": ["\n"]}
TRANSLATE = Request(
    prompt=f"{EXAMPLES}English: Please take 3 tablets after breakfast.\nIndonesian:", parameters=GREEDY
)
ENDLESS = Request(prompt="Once upon a time", parameters={"max_tokens": 3000, "temperature": 1, "seed": 7})
SCHEMA = {
    "type": "object",
    "properties": {
        "verdicts": {
            "type": "array",
            "minItems": 2,
            "maxItems": 2,
            "items": {
                "type": "object",
                "properties": {
                    "id": {"type": "string", "enum": ["t0.l1.dose", "t0.l2.tone"]},
                    "met": {"type": "boolean"},
                    "reason": {"type": "string", "maxLength": 60},
                },
                "required": ["id", "met", "reason"],
            },
        }
    },
    "required": ["verdicts"],
}


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not condition():
            await asyncio.sleep(0.02)


def processes_hold(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def files(folder: Path) -> list[Path]:
    return list(folder.iterdir())


def variables_of(pid: int) -> set[str]:
    entries = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    return {entry.partition(b"=")[0].decode() for entry in entries if entry}


async def test_it_translates(local_pool: ModelPool) -> None:
    ear = Ear()
    completion = await local_pool.open_client("local").complete(TRANSLATE, ear.scope())
    assert completion.outcome == "ok"
    assert "3 tablet" in completion.text
    (entry,) = ear.finished
    assert (entry.cost, entry.cost_status, entry.model) == (0.0, "free", "local")


async def test_deltas_add_up_to_the_text(local_pool: ModelPool) -> None:
    ear = Ear()
    request = Request(prompt=TRANSLATE.prompt, parameters=GREEDY, stream=True)
    completion = await local_pool.open_client("local").complete(request, ear.scope())
    assert "".join(ear.deltas) == completion.text
    assert len(ear.deltas) > 1


async def test_a_schema_gives_a_parseable_document(local_pool: ModelPool) -> None:
    messages = (
        Message("system", "You judge translations."),
        Message("user", "Criteria: t0.l1.dose: does it keep the dose? t0.l2.tone: is it polite?"),
        Message("user", "Translation: Tolong minum 3 tablet."),
    )
    request = Request(messages=messages, schema=SCHEMA, parameters={"temperature": 0, "max_tokens": 300})
    completion = await local_pool.open_client("local").complete(request, Ear().scope())
    assert completion.json_mode == "json_schema"
    verdicts = json.loads(completion.text)["verdicts"]
    assert [set(verdict) for verdict in verdicts] == [{"id", "met", "reason"}] * 2


async def test_four_roles_at_once_share_one_child(local_pool: ModelPool) -> None:
    clients = [local_pool.open_client("local") for _ in range(4)]
    asked = [client.complete(TRANSLATE, Ear().scope()) for client in clients]
    texts = {completion.text for completion in await asyncio.gather(*asked)}
    assert len(texts) == 1
    assert local_pool.server(None).pid is not None


async def test_a_cut_answer_is_truncated(local_pool: ModelPool) -> None:
    request = Request(prompt=TRANSLATE.prompt, parameters=GREEDY | {"max_tokens": 2})
    assert (await local_pool.open_client("local").complete(request, Ear().scope())).outcome == "truncated"


async def test_too_long_a_text_is_a_context_fault_not_retried(local_pool: ModelPool) -> None:
    request = Request(prompt="আমি বাংলায় কথা বলি। " * 2000, parameters=GREEDY)
    ear = Ear()
    with pytest.raises(CallFailed) as failure:
        await local_pool.open_client("local").complete(request, ear.scope())
    assert failure.value.kind is FaultKind.CONTEXT_LENGTH
    assert not [wait for wait in ear.waits if wait.why != "loading the model"]


async def test_a_cancelled_call_frees_the_server(local_pool: ModelPool) -> None:
    client = local_pool.open_client("local")
    ear = Ear()
    request = Request(prompt=ENDLESS.prompt, parameters=ENDLESS.parameters, stream=True)
    call = asyncio.create_task(client.complete(request, ear.scope()))
    await until(lambda: len(ear.deltas) > 3)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    async with asyncio.timeout(20):
        assert (await client.complete(TRANSLATE, Ear().scope())).outcome == "ok"


async def test_its_environment_holds_no_keys_and_its_door_is_locked(local_pool: ModelPool) -> None:
    address = await local_pool.server(None).start()
    assert address.base.startswith("http://127.0.0.1:")
    pid = local_pool.server(None).pid
    assert pid is not None
    names = variables_of(pid)
    allowed = {"PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "TEMP", "LD_LIBRARY_PATH"}
    assert names - allowed == {"SKOPOS_SERVER_KEY", "PYTHONUNBUFFERED", "PYTHONUTF8"}
    async with (
        aiohttp.ClientSession() as session,
        session.post(f"{address.base}/completions", json={"prompt": "x"}) as response,
    ):
        assert response.status == 401


def server(models_dir: Path, log: Path, **settings: Any) -> LocalServer:
    return LocalServer(lambda: embedded.assembled(models_dir), log, ServerSettings(**settings))


async def test_it_stops_in_three_seconds_even_in_mid_sentence(models_dir: Path, tmp_path: Path) -> None:
    async with ModelPool(models=models_dir, logs=tmp_path) as pool:
        client, ear = pool.open_client("local"), Ear()
        request = Request(prompt=ENDLESS.prompt, parameters=ENDLESS.parameters, stream=True)
        call = asyncio.create_task(client.complete(request, ear.scope()))
        await until(lambda: len(ear.deltas) > 3)
        pid = pool.server(None).pid
        assert pid is not None
        async with asyncio.timeout(3):
            await pool.server(None).aclose()
        assert not processes_hold(pid)
        with pytest.raises(CallFailed):
            await call


async def test_a_warm_pool_answers_without_waiting(models_dir: Path, tmp_path: Path) -> None:
    async with ModelPool(models=models_dir, logs=tmp_path) as pool:
        client, ear = pool.open_client("local"), Ear()
        await pool.warm()
        assert (await client.complete(TRANSLATE, ear.scope())).outcome == "ok"
        assert not ear.waits
        assert files(tmp_path)
    assert not files(tmp_path)


async def test_a_killed_child_is_a_crash(models_dir: Path, tmp_path: Path) -> None:
    async with ModelPool(models=models_dir, logs=tmp_path) as pool:
        client, ear = pool.open_client("local"), Ear()
        request = Request(prompt=ENDLESS.prompt, parameters=ENDLESS.parameters, stream=True)
        call = asyncio.create_task(client.complete(request, ear.scope()))
        await until(lambda: len(ear.deltas) > 3)
        pid = pool.server(None).pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        with pytest.raises(CallFailed) as failure:
            await call
        assert failure.value.kind is FaultKind.CRASHED
        assert "signal 9" in failure.value.what
        assert str(tmp_path) in failure.value.what
    assert files(tmp_path)


async def test_the_call_after_a_crash_finds_a_new_child(models_dir: Path, tmp_path: Path) -> None:
    async with ModelPool(models=models_dir, logs=tmp_path) as pool:
        client, other = pool.open_client("local"), pool.open_client("local")
        assert (await client.complete(TRANSLATE, Ear().scope())).outcome == "ok"
        first = pool.server(None).pid
        assert first is not None
        os.kill(first, signal.SIGKILL)
        await until(lambda: pool.server(None).fresh)
        ear = Ear()
        asked = [client.complete(TRANSLATE, ear.scope()), other.complete(TRANSLATE, Ear().scope())]
        assert {done.outcome for done in await asyncio.gather(*asked)} == {"ok"}
        assert [wait.why for wait in ear.waits] == ["loading the model"]
        second = pool.server(None).pid
        assert second not in (None, first)
    assert files(tmp_path)


async def test_a_call_waiting_behind_a_crash_is_answered(models_dir: Path, tmp_path: Path) -> None:
    async with ModelPool(models=models_dir, logs=tmp_path) as pool:
        client, ear = pool.open_client("local"), Ear()
        request = Request(prompt=ENDLESS.prompt, parameters=ENDLESS.parameters, stream=True)
        broken = asyncio.create_task(client.complete(request, ear.scope()))
        await until(lambda: len(ear.deltas) > 3)
        waiting = asyncio.create_task(pool.open_client("local").complete(TRANSLATE, Ear().scope()))
        pid = pool.server(None).pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        with pytest.raises(CallFailed) as failure:
            await broken
        assert failure.value.kind is FaultKind.CRASHED
        assert (await waiting).outcome == "ok"


async def test_a_model_that_does_not_load_is_a_crash_with_its_last_words(tmp_path: Path) -> None:
    model = tmp_path / "broken.gguf"
    model.write_bytes(b"GGUF\x03\0\0\0" + b"\xff" * 4000)
    async with ModelPool(models=tmp_path, logs=tmp_path) as pool:
        with pytest.raises(CallFailed) as failure:
            await pool.open_client(f"gguf:{model}").complete(TRANSLATE, Ear().scope())
    assert failure.value.kind is FaultKind.CRASHED
    assert "broken.gguf" in failure.value.detail


async def test_a_server_too_slow_to_start_is_ended(models_dir: Path, tmp_path: Path) -> None:
    slow = server(models_dir, tmp_path / "log", deadline=0.2)
    with pytest.raises(AttemptFailed, match="did not answer"):
        await slow.start()
    assert slow.pid is not None
    await slow.aclose()
    assert not processes_hold(slow.pid)


_OWNER = """
import asyncio, os, sys
from pathlib import Path
from agents.models.server import LocalServer, ServerSettings

async def main():
    server = LocalServer(lambda: Path(sys.argv[1]), Path(sys.argv[2]), ServerSettings())
    await server.start()
    print(server.pid, flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""


async def test_it_does_not_outlive_a_killed_owner(models_dir: Path, tmp_path: Path) -> None:
    model = embedded.assembled(models_dir)
    owner = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", _OWNER, str(model), str(tmp_path / "log")), stdout=subprocess.PIPE
    )
    assert owner.stdout is not None
    pid = int(await owner.stdout.readline())
    assert processes_hold(pid)
    owner.kill()
    await owner.wait()
    await until(lambda: not processes_hold(pid))
