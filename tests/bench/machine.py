"""What a benchmark's output says of where it was measured, and where it is written."""

import os
import platform
import sys
from datetime import date
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs" / "bench"


def machine() -> str:
    """One line on the machine."""
    model = next(
        (
            line.partition(":")[2].strip()
            for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
            if line.startswith("model name")
        ),
        platform.processor(),
    )
    version = ".".join(map(str, sys.version_info[:3]))
    return f"{os.cpu_count()} cores ({model}), Python {version}, {platform.system()}, {date.today()}"


def write(name: str, title: str, command: str, body: str) -> None:
    """Write `docs/bench/<name>.md` and print it."""
    text = f"# {title}\n\n`{command}`\n\n{machine()}\n\n{body.rstrip()}\n"
    DOCS.mkdir(parents=True, exist_ok=True)
    (DOCS / f"{name}.md").write_text(text, encoding="utf-8")
    print(text)
