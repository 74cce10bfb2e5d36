"""Documents stay true: commands in them parse, links lead somewhere, transcripts are what is printed."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from sim.commands import errors, main, settings
from sim.core.errors import UsageProblem
from tests.hygiene.transcripts import FENCE, PAGES, ROOT, masked, played, transcripts

_LINK = re.compile(r"\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)")


def commands() -> Iterator[tuple[str, str]]:
    """(page, command line) of every `skopos …` line in a code block or in backticks."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        blocks = [line for kind, block in FENCE.findall(text) for line in _lines(kind, block)]
        inline = re.findall(r"`(skopos [^`]+)`", FENCE.sub("", text))
        for line in [*blocks, *inline]:
            words = line.rpartition(" | ")[2].split("   #")[0].strip()
            if words.startswith("skopos ") and "…" not in words and "..." not in words:
                yield page.name, words


def _lines(kind: str, block: str) -> list[str]:
    """The lines of a block that are typed: in a transcript the others are printed."""
    if kind != "console":
        return block.splitlines()
    return [line.removeprefix("$ ") for line in block.splitlines() if line.startswith("$ ")]


@pytest.mark.parametrize(("page", "line"), sorted(set(commands())))
def test_every_command_in_the_documents_is_one(page: str, line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*words: object) -> None:
        raise StopIteration

    monkeypatch.setattr(settings, "apply", lambda parser, environment, folder: None)
    words = shlex.split(line)[1:]
    if words[0] in ("COMMAND", "--help", "--version"):
        return
    assert words[0] in main.COMMANDS, line
    if len(words) == 1 or words[1:] == ["--help"]:
        return
    module = __import__(f"sim.commands.{words[0]}", fromlist=["run"])
    parser = main.Parser(prog="skopos")
    module.add_arguments(parser)
    try:
        parser.parse_args(words[1:])
    except UsageProblem as problem:
        errors.print_problems(problem)
        pytest.fail(f"{page}: {line}: {problem}")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    missing = [
        link for link in _LINK.findall(page.read_text(encoding="utf-8")) if not (page.parent / link).exists()
    ]
    assert missing == []


@pytest.mark.parametrize(("page", "block"), list(transcripts(PAGES)))
def test_a_transcript_is_what_the_commands_print(page: str, block: str, tmp_path: Path) -> None:
    assert masked(played(block, tmp_path)) == masked(block)


def test_make_targets_in_the_documents_exist() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = {
        target
        for page in PAGES
        for target in re.findall(r"(?:^|`)make ([a-z]+)", page.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert named <= targets


def test_the_readme_quotes_the_baselines_as_they_were_measured() -> None:
    """The table and every part of the signature stand in docs/bench/baselines.md."""
    readme, measured = (
        page.read_text("utf-8") for page in (ROOT / "README.md", ROOT / "docs/bench/baselines.md")
    )
    table = re.findall(r"^overall .*|^ +\d\.\d{3} .*", readme, re.M)
    assert len(table) == 4
    (signature,) = re.findall(r"^`(skopos \d.*)`$", readme, re.M)
    assert not [line for line in (*table, *signature.split(" | ")) if line not in measured]
