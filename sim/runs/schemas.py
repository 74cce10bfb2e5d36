"""JSON Schemas of the files a person writes in TOML, for editors: plans and `skopos.toml`.

It adds what the models' validators accept beside their fields. The options that a `skopos.toml` may set are
for whoever knows the commands: `python -m sim.commands.settings_schema` writes both files anew.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from sim.runs.named import RESERVED, ROLES, ModelName, NamedModel
from sim.runs.plan_file import PlanFile

PLAN = Path(__file__).with_name("plan.schema.json")
SETTINGS = Path(__file__).with_name("skopos.schema.json")
_DRAFT = "https://json-schema.org/draft/2020-12/schema"
_NAMES = {"pattern": "^[a-z0-9][a-z0-9._-]*$", "not": {"enum": sorted(RESERVED)}}
_LISTED = ("scenarios", "judges", "modes")


def plan() -> dict[str, Any]:
    """The schema of a plan."""
    schema = PlanFile.model_json_schema(by_alias=True)
    for name in _LISTED:
        schema["properties"][name] = _or_one(schema["properties"][name])
    schema["properties"]["strict_language"]["anyOf"].append({"type": "boolean"})
    grid = schema["$defs"]["Grid"]["properties"]
    for name in ("model", "brief", "history"):
        grid[name] = _or_one(grid[name])
    users = schema["$defs"]["Users"]["properties"]
    users.pop("languages")
    schema["$defs"]["Users"]["additionalProperties"] = {"$ref": "#/$defs/Recipient"}
    schema["properties"]["models"] = _models(schema["properties"]["models"])
    return _whole(schema)


def settings(options: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The schema of a `skopos.toml` that may set `options`, name → schema."""
    adapter: TypeAdapter[dict[str, NamedModel]] = TypeAdapter(dict[ModelName, NamedModel])
    schema = adapter.json_schema()
    definitions = schema.pop("$defs")
    return _whole(
        {
            "$defs": definitions,
            "title": "skopos.toml",
            "type": "object",
            "properties": {**options, "models": _models(schema)},
            "additionalProperties": False,
        }
    )


def text(schema: Mapping[str, Any]) -> str:
    """A schema as its file holds it."""
    return json.dumps(schema, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def _or_one(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A list, or its only item without one."""
    kept = {name: schema[name] for name in ("title", "description", "default") if name in schema}
    forms = schema.get("anyOf", [{k: v for k, v in schema.items() if k not in kept}])
    items = next(form["items"] for form in forms if form.get("type") == "array")
    return {**kept, "anyOf": [*forms, items]}


def _models(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "title": "Models",
        "description": "Models under names of their own, for any role",
        "type": "object",
        "propertyNames": _NAMES,
        "additionalProperties": schema["additionalProperties"],
    }


def _whole(schema: dict[str, Any]) -> dict[str, Any]:
    parameters = schema["$defs"]["NamedModel"]["properties"]["parameters"]
    parameters["properties"] = {role: {"type": "object"} for role in ROLES}
    return {"$schema": _DRAFT, **schema}
