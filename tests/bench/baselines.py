"""The three scores everyone can measure without a key: `reference`, `copy` and `local`."""

import subprocess
import sys
import tempfile
from pathlib import Path

from tests.bench.machine import write

SKOPOS = str(Path(sys.executable).with_name("skopos"))
COMMAND = "skopos run --interpreters reference,copy,local --out RUN"


def main() -> None:
    """Measure and write docs/bench/baselines.md."""
    with tempfile.TemporaryDirectory() as folder:
        words = COMMAND.replace("RUN", f"{folder}/run").split()
        done = subprocess.run([SKOPOS, *words[1:], "--no-cache"], capture_output=True, text=True, check=True)
    write("baselines", "Baselines", COMMAND, f"```\n{done.stdout.rstrip()}\n```")


if __name__ == "__main__":
    main()
