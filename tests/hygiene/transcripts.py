"""The transcripts in the documents: playing them again, and writing them anew.

`python -m tests.hygiene.transcripts` rewrites every ```console block from what its commands print.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
_CONSOLE = re.compile(r"^```console\n(.*?)^```", re.DOTALL | re.MULTILINE)


def transcripts(pages: list[Path]) -> Iterator[tuple[str, str]]:
    """(page, block) of every console block."""
    for page in pages:
        for block in _CONSOLE.findall(page.read_text(encoding="utf-8")):
            yield page.name, block


def played(block: str, folder: Path) -> str:
    """The block with what its commands print now, run one after the other in `folder`."""
    (folder / "docs").symlink_to(ROOT / "docs")
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "SKOPOS_DATA": str(folder / "data"),
        "SKOPOS_CACHE": str(folder / "cache"),
        "SKOPOS_CONFIG": str(folder / "config"),
    }
    shown = []
    for line in block.splitlines():
        if line.startswith("$ "):
            done = subprocess.run(
                ["bash", "-c", line.removeprefix("$ ")],
                cwd=folder,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL if "|" not in line else None,
                text=True,
                check=False,
            )
            shown.append(f"{line}\n{done.stdout}")
    return re.sub(r"/records/\S+", "/records/ID", "".join(shown).replace(str(folder), "~"))


def masked(text: str) -> str:
    """`text` without what differs from one machine and one day to the next."""
    text = re.sub(r"recorded in \S+", "recorded in FOLDER", text)
    text = re.sub(r"scenario [0-9a-f]{8}|#[0-9a-f]{8}|(?<=rules )[0-9a-f]{8}", "HASH", text)
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def main() -> None:
    """Rewrite the console blocks of every page."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")

        def again(match: re.Match[str]) -> str:
            with tempfile.TemporaryDirectory() as folder:
                return f"```console\n{played(match[1], Path(folder)).rstrip()}\n```"

        renewed = _CONSOLE.sub(again, text)
        if renewed != text:
            page.write_text(renewed, encoding="utf-8")


if __name__ == "__main__":
    main()
