"""What the scenario tests share: the example of docs/scenarios.md as data, files, a script detector."""

import copy
import io
import json
import unicodedata
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from scenarios.document import read
from sim.core.languages import language
from sim.core.values import LanguageCheck

ROOT = Path(__file__).parents[2]
GUIDE = ROOT / "docs" / "scenarios.md"
_SCRIPTS = {"HANGUL": "Hangul", "ARABIC": "Arabic", "BENGALI": "Bengali", "LATIN": "Latin"}


class ScriptDetector:
    """Tells languages apart by script alone."""

    @property
    def identity(self) -> Mapping[str, Any]:
        return {"detector": "script"}

    def check(
        self, text: str, expected: str, source: str | None = None, original: str | None = None
    ) -> LanguageCheck:
        names = (unicodedata.name(c, "").split(" ")[0] for c in text if unicodedata.category(c)[0] == "L")
        found = Counter(_SCRIPTS.get(name, name) for name in names)
        if not found:
            return LanguageCheck(result="abstain", label=None, mass=None)
        top = found.most_common(1)[0][0]
        right = top == language(expected).script
        return LanguageCheck(result="ok" if right else "wrong", label=top, mass=1.0 if right else 0.0)


def example_text() -> str:
    """The complete example of the guide."""
    guide = GUIDE.read_text(encoding="utf-8")
    block = guide.split("<!-- example -->")[1].split("<!-- /example -->")[0]
    return block.split("```yaml\n")[1].split("```")[0]


def example(tmp_path: Path) -> Any:
    """The example as plain data, to be changed."""
    return copy.deepcopy(read(write(tmp_path, example_text(), "eng-ind-clinic-tablet.yaml")).data)


def write(folder: Path, content: str | bytes, name: str = "scenario.yaml") -> Path:
    """A file with this content."""
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def write_data(folder: Path, data: Any, name: str = "scenario.yaml") -> Path:
    """A file with this document."""
    stream = io.StringIO()
    yaml = YAML(typ="safe", pure=True)
    yaml.allow_unicode = True
    yaml.dump(json.loads(json.dumps(data)), stream)
    return write(folder, stream.getvalue(), name)


def line_of(path: Path, text: str) -> int:
    """The first line of a file that holds this text."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return next(n for n, line in enumerate(lines, start=1) if text in line)
