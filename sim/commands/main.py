"""The command line: which commands there are, and the way from words to one of them.

A command's module is imported only when it is asked for, so that `--help` stays quick.
"""

import argparse
import asyncio
import contextlib
import importlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from sim.commands import errors
from sim.core.errors import Problem, UsageProblem
from sim.core.version import __version__

COMMANDS: dict[str, str] = {
    "watch": "watch one dialogue being interpreted and scored, turn by turn",
    "chat": "chat through the interpreter",
    "run": "hold many conversations and record them",
    "resume": "finish a run that was stopped",
    "judge": "judge a finished run with another judge",
    "filter": "list items with personal data or offensive language, not to be counted",
    "report": "show the scores of a run",
    "compare": "show where two systems of a run differ",
    "records": "set aside lines of a record that cannot be read",
    "replay": "play a recorded conversation again",
    "scenarios": "list, show and check scenarios",
    "models": "list models by name, and check what one can do",
    "trust": "let the settings of a folder say where text and keys go",
    "doctor": "show what is available here, and why not",
}


class Parser(argparse.ArgumentParser):
    """Says a usage error the way all problems are said."""

    def error(self, message: str) -> NoReturn:
        """Raise the message as a UsageProblem."""
        raise UsageProblem(
            Problem("Usage", message[:1].upper() + message[1:] + ".", f"See `{self.prog} --help`.")
        )


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the process's exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    _open_closed_streams()
    _speak_unicode()
    try:
        return _dispatch(words)
    except UsageProblem as failure:
        errors.print_problems(failure)
        return errors.USAGE
    except BrokenPipeError:
        _drop_output()  # the reader is gone
        return errors.OK
    except OSError as failure:
        _drop_output()
        errors.print_problems(_system_refused(failure))
        return errors.FAILURES
    except (KeyboardInterrupt, asyncio.CancelledError):
        return errors.INTERRUPTED


def _dispatch(words: list[str]) -> int:
    name = words[0] if words else "--help"
    if name in ("-h", "--help"):
        _overview().print_help()
        return errors.OK if words else errors.USAGE
    if name == "--version":
        print(f"skopos {__version__}")
        return errors.OK
    if name not in COMMANDS:
        raise UsageProblem(
            Problem("Unknown command", f"{name!r} is not a command.", "See `skopos --help`.", tuple(COMMANDS))
        )
    from sim.commands import settings

    # alone it takes no value: what follows is a word of its own
    words = [f"{word}=ours" if word == "--strict-language" else word for word in words]
    command: Any = importlib.import_module(f"sim.commands.{name}")
    parser = Parser(prog=f"skopos {name}", description=_sentence(COMMANDS[name]), allow_abbrev=False)
    command.add_arguments(parser)
    book = settings.apply(parser, os.environ, Path.cwd(), words[1:])
    flags = argparse.Namespace(given=settings.given(parser, words[1:]), book=book)
    code: int = command.run(parser.parse_args(words[1:], flags))
    return code


def _overview() -> argparse.ArgumentParser:
    width = max(map(len, COMMANDS)) + 2
    listed = "\n".join(f"  {name:<{width}}{text}" for name, text in COMMANDS.items())
    return argparse.ArgumentParser(
        prog="skopos",
        usage="skopos COMMAND [options]",
        description="Conversations held through a machine interpreter, simulated live and scored turn by turn.",
        epilog=f"commands:\n{listed}\n\n`skopos COMMAND --help` says more. Start with `skopos watch`.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + "."


def _open_closed_streams() -> None:
    """Give a process started without stdin, stdout or stderr empty ones.

    In this order each takes its own descriptor back, so that no file of ours ever stands behind it.
    """
    nowhere = Path(os.devnull)
    sys.stdin = sys.stdin or nowhere.open(encoding="utf-8")
    sys.stdout = sys.stdout or nowhere.open("w", encoding="utf-8")
    sys.stderr = sys.stderr or nowhere.open("w", encoding="utf-8")


def _speak_unicode() -> None:
    """Read and write UTF-8 whatever the locale says; unpaired surrogates are written as escapes."""
    for stream, unreadable in (
        (sys.stdin, "replace"),
        (sys.stdout, "backslashreplace"),
        (sys.stderr, "backslashreplace"),
    ):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors=unreadable)


def _drop_output() -> None:
    """Let what is still buffered go nowhere: a second error when Python flushes at exit is noise."""
    with contextlib.suppress(OSError, ValueError):
        descriptor = os.open(os.devnull, os.O_WRONLY)
        os.dup2(descriptor, sys.stdout.fileno())
        os.close(descriptor)


def _system_refused(failure: OSError) -> UsageProblem:
    what = str(failure.filename) if failure.filename else "The output"
    return UsageProblem(Problem("Refused by the system", f"{what}: {failure.strerror or failure}."))
