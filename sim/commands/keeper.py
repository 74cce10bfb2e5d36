"""What a report keeps of the records of a run, and how it holds once what many of them share.

Ten thousand conversations are a third of a gigabyte on the disk. It changes nothing that is read.
"""

from typing import Any

Row = dict[str, Any]
_SHARED = ("source", "response", "intent", "reference")


class Keeper:
    """Takes of a line what a report reads, and holds once what many records share.

    Records are as on the disk but for what is left out; without `words` a reason, and a translation that
    there was, is an empty text.
    """

    def __init__(self, words: bool) -> None:
        self._words = words
        self._texts: dict[str, str] = {}
        self._criteria: dict[tuple[Any, ...], Row] = {}
        self._verdicts: dict[tuple[Any, ...], Row] = {}
        self._checks: dict[str | None, Row] = {}
        self._lists: dict[tuple[Any, ...], list[Any]] = {}
        self._systems: dict[str, Row] = {}
        self._later: dict[int, Row] = {}

    def slim(self, line: Row) -> Row:
        """The key and the conversation of a line of a run."""
        record = line["conversation"]
        system = record["system"]
        kept = {
            "key": line["key"],
            "scenario": record["scenario"],
            "pair": self._alike(record["pair"]),
            "mode": record["mode"],
            "system": self._systems.setdefault(system["id"], system),
            "judge": record["judge"],
            "end_reason": record["end_reason"],
            "turns": [self._turn(turn) for turn in record["turns"]],
            "criteria": self._same([self._criterion(row) for row in record["criteria"]]),
            "verdicts": self._given(record["verdicts"]),
        }
        return {"key": line["key"], "conversation": kept}

    def _turn(self, turn: Row) -> Row:
        check = turn["language_check"]["translation"]
        kept = {
            "index": turn["index"],
            "direction": self._alike(turn["direction"]),
            "translation": self._said(turn["translation"]),
            "flags": self._alike(turn["flags"]),
            "language_check": {"translation": check} if self._words else self._check(check),
            "criteria": self._same([self._criterion(row) for row in turn["criteria"]]),
            "verdicts": self._given(turn["verdicts"]),
            "fault": turn["fault"],
            "response_fault": turn.get("response_fault"),
            "cost": turn.get("cost"),
        }
        if self._words:
            # the response is the next turn's source, and sources are the same for every system
            kept |= {name: self._shared(turn.get(name)) for name in _SHARED}
            kept["gloss"] = turn.get("gloss")
        return kept

    def _check(self, check: Row | None) -> Row:
        result = None if check is None else check["result"]
        kept = None if check is None else {"result": result}
        return self._checks.setdefault(result, {"translation": kept})

    def _said(self, text: str | None) -> str | None:
        return text if self._words or text is None else ""

    def _shared(self, text: str | None) -> str | None:
        return None if text is None else self._texts.setdefault(text, text)

    def _criterion(self, row: Row) -> Row:
        row.pop("check", None)
        return self._criteria.setdefault(tuple(row.items()), row)

    def _given(self, rows: list[Row]) -> list[Row]:
        kept = [self.verdict(row) for row in rows]
        return kept if self._words else self._same(kept)

    def verdict(self, row: Row) -> Row:
        """The same object for verdicts that are alike; those with a reason of their own seldom are."""
        reason = row["reason"] if self._words else ""
        votes = row.get("votes") or ()
        cast = tuple((vote["judge"], vote["met"], vote["basis"]) for vote in votes)
        alike = (
            row["criterion"],
            row["layer"],
            row["met"],
            row["basis"],
            row.get("provisional"),
            reason,
            cast,
        )
        found = None if reason else self._verdicts.get(alike)
        if found is None:
            found = {name: row[name] for name in ("criterion", "layer", "met", "basis")}
            found["reason"] = reason
            if row.get("provisional"):
                found["provisional"] = True
            if votes:
                found["votes"] = votes
            if not reason:
                self._verdicts[alike] = found
        return found

    def later(self, row: Row) -> Row:
        """What an overlay reads of a verdict that was given later."""
        kept = self.verdict(row)
        if kept["reason"]:
            return {"verdict": kept}
        return self._later.setdefault(id(kept), {"verdict": kept})

    def _same(self, rows: list[Row]) -> list[Row]:
        """The same list for lists of the same objects, which live as long as it does."""
        return self._lists.setdefault(tuple(map(id, rows)), rows)

    def _alike(self, words: list[str]) -> list[str]:
        """The same list for lists of the same words."""
        return self._lists.setdefault(tuple(words), words)
