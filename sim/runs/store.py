"""The run directory: run.json, conversations.jsonl, journal/, verdicts/, failures.jsonl, calls.jsonl.

It writes and reads files; what a score is, or which conversation comes next, is not its business.
One writer a run, held by a lock. Lines are never rewritten.
"""

import re
import shlex
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from filelock import FileLock, Timeout

from sim.core.errors import Problem, UsageProblem
from sim.core.events import Event, event_document
from sim.core.identity import digest
from sim.core.text import dumps
from sim.core.values import Basis, EndReason
from sim.runs import lines, private
from sim.runs.journal import Journal, read_event, started
from sim.runs.shapes import Excluded, Failed, Head, Held, Judged, Shape, parse

SINGLE = "verdicts/single"
"""The folder of verdicts by single-turn checklists on whole conversations: never in one score with the others."""


class Run:
    """One run directory, opened for reading or, with `writing()`, for writing."""

    def __init__(self, folder: Path, unread: dict[str, Problem] | None = None) -> None:
        """Lines that cannot be read are passed over and noted in `unread`, by `file:line`.

        Without it reading them raises UsageProblem with the way on.
        """
        self.folder = folder
        self._unread = unread

    # ---- making and opening

    @classmethod
    def create(cls, folder: Path, head: Mapping[str, Any], *, shared: bool = False) -> "Writer":
        """The writer of a new run with this run.json; `shared` allows a folder that others can reach.

        Raises UsageProblem where the folder already holds a run, is being written by another process, or
        cannot be written.
        """
        private.folder(folder, shared=shared)
        writer = Writer(cls(folder))
        try:
            if (folder / "run.json").exists():
                raise UsageProblem(
                    Problem(
                        "Run exists",
                        f"{folder} already holds a run.",
                        f"Go on with it by `skopos resume {shlex.quote(str(folder))}`, or name another folder.",
                    )
                )
            lines.write_whole(folder / "run.json", dumps(head) + "\n")
        except OSError as failure:
            writer.close()
            raise unwritable(folder, failure) from failure
        except UsageProblem:
            writer.close()
            raise
        return writer

    @property
    def head(self) -> dict[str, Any]:
        """The run.json. Raises UsageProblem where it is damaged or missing."""
        path = self.folder / "run.json"
        try:
            text = path.read_bytes()
        except OSError as failure:
            raise UsageProblem(
                Problem("Unreadable run", f"{path} cannot be read.", str(failure))
            ) from failure
        head: dict[str, Any] = parse(text, Head, str(path))
        return head

    def writing(self) -> "Writer":
        """The only writer of this run. Raises UsageProblem where another process is writing."""
        return Writer(self)

    # ---- reading

    def rows(self, file: Path, shape: type[Shape]) -> Iterator[Any]:
        """The lines of one file of the run."""
        return lines.read(file, shape, self._note)

    def _note(self, failure: UsageProblem) -> None:
        (problem,) = failure.problems
        if self._unread is None:
            raise UsageProblem(replace(problem, why=f"{problem.why} {way_on(self.folder)}")) from failure
        self._unread[problem.where] = problem

    def conversations(self) -> Iterator[dict[str, Any]]:
        """The lines of conversations.jsonl; the first of each key counts."""
        seen: set[str] = set()
        for line in self.rows(self.folder / "conversations.jsonl", Held):
            name = digest(line["key"])
            if name not in seen:
                seen.add(name)
                yield line

    @property
    def length(self) -> int:
        """Lines of conversations.jsonl, counted without reading them."""
        try:
            with (self.folder / "conversations.jsonl").open("rb") as file:
                return sum(1 for _ in file)
        except FileNotFoundError:
            return 0

    def done(self) -> set[str]:
        """Key hashes of the conversations that need not be held again."""
        return {digest(line["key"]) for line in self.conversations()}

    def attempts(self) -> Counter[str]:
        """The number the next attempt of each key gets: one more than any that has a journal.

        A journal says itself whose it is; only of one without a readable first line the name is asked.
        """
        found: Counter[str] = Counter()
        for path in self.journals():
            key, attempt = started(path) or _named(path)
            found[key] = max(found[key], attempt + 1)
        return found

    def failures(self) -> list[dict[str, Any]]:
        """The failure lines of conversations that are still missing."""
        done = self.done()
        rows = self.rows(self.folder / "failures.jsonl", Failed)
        return [row for row in rows if digest(row["key"]) not in done]

    def verdict_files(self) -> list[Path]:
        """The files of verdicts given later or by other judges."""
        return sorted((self.folder / "verdicts").glob("*.jsonl"))

    def single_files(self) -> list[Path]:
        """The files of verdicts on turns of whole conversations by their single-turn checklists."""
        return sorted((self.folder / SINGLE).glob("*.jsonl"))

    def verdicts(self, file: Path) -> dict[tuple[str, str], dict[str, Any]]:
        """The verdicts of one file by (key hash, place); a later line fills an open one, never replaces."""
        found: dict[tuple[str, str], dict[str, Any]] = {}
        for line in self.rows(file, Judged):
            place = (line["conversation"], verdict_place(line["turn"], line["verdict"]["criterion"]))
            if place not in found or found[place]["verdict"]["basis"] == Basis.UNJUDGED:
                found[place] = line
        return found

    def given(self, file: Path, judge: str | None = None) -> dict[str, set[str]]:
        """Key hash → places that have a verdict in this file of verdicts, of this judge if one is named."""
        found: dict[str, set[str]] = {}
        for line in self.rows(file, Judged):
            verdict = line["verdict"]
            if verdict["basis"] != Basis.UNJUDGED and judge in (None, verdict["judge"]):
                place = verdict_place(line["turn"], line["verdict"]["criterion"])
                found.setdefault(line["conversation"], set()).add(sys.intern(place))
        return found

    def exclusions(self) -> set[tuple[str, str]]:
        """(scenario, mode) of the items that the safety filter removed, for every system."""
        rows = self.rows(self.folder / "exclusions.jsonl", Excluded)
        return {(row["scenario"], row["mode"]) for row in rows}

    @property
    def later_calls(self) -> Path:
        """The ledger of calls that no conversation's journal holds: those of judging a run again."""
        return self.folder / "calls.jsonl"

    def files(self) -> list[tuple[Path, lines.Reader]]:
        """The files of lines that are appended to or counted, and how a line of each is read."""
        shaped: list[tuple[str, type[Shape]]] = [
            ("conversations.jsonl", Held),
            ("failures.jsonl", Failed),
            ("exclusions.jsonl", Excluded),
        ]
        found = [(self.folder / name, partial(_shaped, shape)) for name, shape in shaped]
        found += [(file, partial(_shaped, Judged)) for file in (*self.verdict_files(), *self.single_files())]
        return [*found, (self.later_calls, read_event)]

    @property
    def torn(self) -> Path:
        """The folder of what was set aside."""
        return self.folder / "journal" / "torn"

    def journals(self) -> list[Path]:
        """The journals, attempts of one key in order."""
        return sorted((self.folder / "journal").glob("*.jsonl"), key=_named)


class Writer:
    """Appends to one run; holds its lock, which is taken before anything is written or read to go on."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self._lock = FileLock(run.folder / ".lock")
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            raise UsageProblem(
                Problem(
                    "Run in use", f"{run.folder} is being written by another process.", "Wait for it to end."
                )
            ) from None
        except OSError as failure:
            raise unwritable(run.folder, failure) from failure

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give the lock back."""
        self._lock.release()

    def mend(self) -> None:
        """Set torn last lines aside, before anything is appended.

        Raises UsageProblem for the whole lines that cannot be read, with the way on.
        """
        for file, _ in self.run.files():
            lines.set_torn_tail_aside(file, self.run.torn)
        found = [problem for file, read in self.run.files() for problem in lines.unreadable(file, read)]
        if found:
            *others, last = found
            raise UsageProblem(*others, replace(last, why=f"{last.why} {way_on(self.run.folder)}"))

    def begin_part(self, part: Mapping[str, Any]) -> None:
        """Mark in run.json that what follows was held under another state of things.

        `part` holds the differences and the signatures from now on. Its number, from 1, stands in the
        line of each conversation it holds; lines without one belong to the state the run began in.
        """
        head = self.run.head
        parts = [*head.get("parts", ()), {"held_before": len(self.run.done()), **part}]
        self.__dict__.pop("_part", None)
        try:
            lines.write_whole(self.run.folder / "run.json", dumps({**head, "parts": parts}) + "\n")
        except OSError as failure:
            raise unwritable(self.run.folder, failure) from failure

    @cached_property
    def _part(self) -> int:
        """Number of the part that is being held; 0 is the beginning."""
        return len(self.run.head.get("parts", ()))

    def journal(self, key_hash: str, attempt: int) -> Journal:
        """A fresh journal for one attempt. Raises UsageProblem where it cannot be made."""
        try:
            return Journal(self.run.folder / "journal" / f"{key_hash}.{attempt}.jsonl")
        except OSError as failure:
            raise unwritable(self.run.folder, failure) from failure

    def finish(self, conversation: Mapping[str, Any], attempt: int) -> None:
        """Record a conversation that ended: held ones for good, the others to be redone."""
        key, reason = conversation["key"], EndReason(conversation["end_reason"])
        try:
            if reason.recorded:
                row: dict[str, Any] = {"key": key, "attempt": attempt, "conversation": conversation}
                if self._part:
                    row["part"] = self._part
                lines.append(self.run.folder / "conversations.jsonl", row)
            else:
                row = {"key": key, "attempt": attempt, "reason": reason, "fault": _fault(conversation)}
                lines.append(self.run.folder / "failures.jsonl", row)
        except OSError as failure:
            raise unwritable(self.run.folder, failure) from failure

    def exclude(self, hits: Iterable[Mapping[str, Any]]) -> None:
        """Write exclusions.jsonl anew: the last filtering counts."""
        try:
            lines.write_whole(
                self.run.folder / "exclusions.jsonl", "".join(dumps(dict(row)) + "\n" for row in hits)
            )
        except OSError as failure:
            raise unwritable(self.run.folder, failure) from failure

    def judged(
        self,
        judge: str,
        identity: Mapping[str, Any],
        rows: Iterable[Mapping[str, Any]],
        *,
        single: bool = False,
    ) -> None:
        """Append verdict lines of a judge to its file; `single` ones, by single-turn checklists, lie apart."""
        folder = self.run.folder / (SINGLE if single else "verdicts")
        try:
            lines.append(folder / verdict_file_name(judge, identity), *rows)
        except OSError as failure:
            raise unwritable(self.run.folder, failure) from failure

    def called(self, call: Event) -> None:
        """Append a call that belongs to no conversation's journal to the ledger."""
        try:
            lines.append(self.run.later_calls, event_document(call))
        except OSError as failure:
            raise unwritable(self.run.folder, failure) from failure


def way_on(folder: Path) -> str:
    """What to do about lines that cannot be read."""
    return f"`skopos records repair {shlex.quote(str(folder))}` sets such lines aside; nothing is deleted."


def signed_in_part(head: Mapping[str, Any], part: int | None) -> list[dict[str, Any]]:
    """The signatures one part of a run was held under; 0 is its beginning, None its latest part."""
    parts = [head["signatures"], *(row["signatures"] for row in head.get("parts", ()))]
    signatures: list[dict[str, Any]] = parts[-1 if part is None else part]
    return signatures


def verdict_place(turn: int | None, criterion: str) -> str:
    """Where in its conversation a verdict belongs."""
    return f"{'conversation' if turn is None else turn}/{criterion}"


def verdict_file_name(judge: str, identity: Mapping[str, Any]) -> str:
    """`<slug>-<8 hex of the judge's identity>.jsonl`."""
    return f"{slug(judge)}-{digest(identity, 8)}.jsonl"


def slug(name: str) -> str:
    """`name` as a path-safe word of at most 40 characters."""
    return re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")[:40] or "x"


def unwritable(folder: Path, failure: OSError) -> UsageProblem:
    """The problem of a folder that cannot be written."""
    return UsageProblem(
        Problem(
            "Record not writable",
            f"{folder} cannot be written: {failure.strerror or failure}.",
            "What was recorded before is kept; free space or name another folder, then resume.",
        )
    )


def _shaped(shape: type[Shape], line: bytes, where: str) -> Any:
    return parse(line, shape, where)


def _fault(conversation: Mapping[str, Any]) -> Any:
    faults = [turn["fault"] for turn in conversation["turns"] if turn["fault"]]
    return conversation["fault"] or (faults[-1] if faults else None)


def _named(path: Path) -> tuple[str, int]:
    """(key hash, attempt) as the name of a journal says; an odd name counts as a first attempt."""
    stem, _, attempt = path.stem.rpartition(".")
    return stem, int(attempt) if attempt.isascii() and attempt.isdigit() and len(attempt) < 10 else 0
