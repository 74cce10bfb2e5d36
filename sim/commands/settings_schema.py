"""What a `skopos.toml` may set, as a JSON Schema for editors: the options of every command, and models.

`python -m sim.commands.settings_schema` writes the schemas of settings and of plans anew.
"""

import argparse
import importlib
from typing import Any

from sim.runs import schemas


def document() -> dict[str, Any]:
    """The schema of a `skopos.toml`."""
    return schemas.settings(dict(sorted(_options().items())))


def _options() -> dict[str, dict[str, Any]]:
    """Every option a file may set, by its name as it is typed."""
    from sim.commands.main import COMMANDS

    found: dict[str, dict[str, Any]] = {}
    for command in COMMANDS:
        parser = argparse.ArgumentParser()
        importlib.import_module(f"sim.commands.{command}").add_arguments(parser)
        for option in parser._actions:
            if option.option_strings and option.dest not in ("help", "trust"):
                found.setdefault(option.dest.replace("_", "-"), _of(option))
    return found


def _of(option: argparse.Action) -> dict[str, Any]:
    described = {"description": option.help or ""}
    if isinstance(option, argparse._StoreTrueAction):
        return {"type": "boolean", **described}
    if option.choices is not None:
        return {"enum": list(option.choices), **described}
    switch = ["boolean"] if _is_switch(option) else []
    return {"type": ["string", "number", *switch], **described}


def _is_switch(option: argparse.Action) -> bool:
    """Whether an option that takes a word takes `true` for one of its words."""
    try:
        meant = option.type("true") if callable(option.type) else "true"
    except (ValueError, argparse.ArgumentTypeError):
        return False
    return isinstance(meant, str) and meant != "true"


if __name__ == "__main__":
    schemas.SETTINGS.write_text(schemas.text(document()), encoding="utf-8")
    schemas.PLAN.write_text(schemas.text(schemas.plan()), encoding="utf-8")
