"""The tables of several judges: how the members of a panel voted, and what judges say beside each other."""

from collections.abc import Iterator

from sim.analysis.judges import Between, Preference
from sim.analysis.summary import Summary
from ui.report.listing import AGREED, Line, Listed, concordance, effect
from ui.report.numbers import share, signed


def members(summary: Summary) -> Iterator[Listed]:
    """How the members of a panel voted; nothing where no panel judged."""
    found = summary.votes
    if found.members:
        title = (
            f"votes of the panel ({found.criteria:,} criteria; members part on {found.parted:,}, "
            f"{found.ties:,} of them ties, unjudged)"
        )
        head = ("asked", "voted", "met", "not said", "not asked")
        lines = [
            Line(
                one.judge,
                tuple(f"{n:,}" for n in (one.asked, one.voted, one.met, one.not_said, one.not_claimed)),
            )
            for one in found.members
        ]
        yield Listed(title, "members", head, tuple(lines))


def judges(found: Between) -> Iterator[Listed]:
    """What several judges say together."""
    tables = [
        Listed(
            "agreement of two judges, by layer",
            "judges, criteria",
            ("raw", "Cohen's κ", "both judged"),
            tuple(
                Line(
                    f"{row.first} / {row.second}, {row.level}",
                    (share(row.raw), signed(row.kappa), str(row.items)),
                )
                for row in found.pairs
            ),
        ),
        Listed(
            "agreement of all judges",
            "criteria",
            ("raw", "Fleiss' κ", "all judged"),
            tuple(
                Line(row.level, (share(row.found.raw), signed(row.found.kappa), str(row.found.items)))
                for row in found.all
            ),
        ),
        Listed(
            "order of the systems under two judges",
            "judges, mode",
            ("Spearman's ρ", "Kendall's τ", "systems"),
            tuple(
                Line(
                    f"{row.first} / {row.second}, {row.mode}",
                    (signed(row.spearman), signed(row.kendall), str(row.systems)),
                )
                for row in found.orders
            ),
        ),
        Listed(
            "do the judges agree on the order of the systems? (Friedman)",
            "mode",
            AGREED,
            tuple(Line(row.mode, concordance(row.found)) for row in found.concordances),
        ),
        Listed(
            f"self-preference: a judge minus another one (paired, {found.replicates:,} replicates)",
            "judge minus the other, mode, on whose outputs",
            ("difference", "interval", "p", "scenarios"),
            tuple(line for row in found.preferences for line in _preference(row)),
        ),
    ]
    return (table for table in tables if table.lines)


def _preference(row: Preference) -> Iterator[Line]:
    family = ", ".join(row.family)
    parts = {
        f"own family ({family})": row.found.own,
        "the others": row.found.others,
        "own minus others": row.found.lift,
    }
    for of, found in parts.items():
        yield Line(f"{row.judge} minus {row.other}, {row.mode}: {of}", effect(found))
