"""The record of one watched or chatted conversation: where it lies and what stands at its head."""

import secrets
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sim.core.plan import Plan
from sim.core.studio import Setup
from sim.core.version import __version__
from sim.runs import private
from sim.runs.places import Places
from sim.runs.store import Run, Writer, slug
from sim.wiring.session import OpenStore


def own_record(
    setup: Setup, plan: Plan, where: Places, named: Mapping[str, Any], *, chat: bool
) -> tuple[OpenStore, Path]:
    """How to open a record of its own, and its folder; nothing is made yet.

    `named` holds the tables of the named models that the conversation uses.
    """
    now = datetime.now(UTC)
    name = f"{now:%Y%m%d-%H%M%S}-{slug(plan.scenario.id)}-{secrets.token_hex(2)}"
    folder = where.records / name

    def make() -> Writer:
        private.folder(where.data)
        private.folder(where.records)
        head = {
            "schema": 1,
            "version": __version__,
            "created": f"{now:%Y-%m-%dT%H:%M:%SZ}",
            "kind": "chat" if chat else "watch",
            "seed": setup.seed,
            **({"models": dict(named)} if named else {}),
            "files": _own_file(setup, plan),
            "signatures": [
                {
                    "scenario": plan.scenario.id,
                    "interpreter": setup.interpreter,
                    "system": plan.key.system,
                    "signature": dict(plan.signature),
                }
            ],
        }
        return Run.create(folder, head)

    return make, folder


def _own_file(setup: Setup, plan: Plan) -> dict[str, str]:
    """Id → file of a scenario that does not ship; without one, nothing."""
    if setup.scenario in (None, plan.scenario.id):
        return {}
    return {plan.scenario.id: str(Path(setup.scenario or "").resolve())}
