"""The JSON Schema of a scenario file, for editors; made from the pydantic model.

`python -m scenarios.schema` writes `schema.json` anew. It adds only what the model's validators
accept beside its fields (a single form, number or group without its list) and that a file has turns.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from sim.core.values import Scenario

FILE = Path(__file__).with_name("schema.json")
_FORM = {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/Pattern"}]}
_FORMS = {"anyOf": [*_FORM["anyOf"], {"type": "array", "items": _FORM}]}
_NUMBER = {"anyOf": [{"type": "number"}, {"$ref": "#/$defs/NumberCheck"}]}
_SHORT: dict[str, dict[str, dict[str, Any]]] = {
    "Check": {
        "require": _FORMS,
        "forbid": _FORMS,
        "any": {"anyOf": [*_FORM["anyOf"], {"type": "array", "items": _FORMS}]},
        "number": {"anyOf": [*_NUMBER["anyOf"], {"type": "array", "items": _NUMBER}]},
    },
    "NumberCheck": {"words": _FORMS},
}


def json_schema() -> dict[str, Any]:
    """The schema as a document."""
    schema = Scenario.model_json_schema(by_alias=True)
    for name, keys in _SHORT.items():
        properties = schema["$defs"][name]["properties"]
        for key, accepted in keys.items():
            kept = {k: v for k, v in properties[key].items() if k in ("title", "description")}
            properties[key] = {**kept, **accepted}
    schema["properties"]["turns"]["minItems"] = 1
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def text() -> str:
    """The schema as the file holds it."""
    return json.dumps(json_schema(), indent=1, ensure_ascii=False, sort_keys=True) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
