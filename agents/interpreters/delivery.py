"""Delivery checks: what a person should know of a translation before it is delivered.

A flag is shown and recorded; the text delivered is what the system produced. No flag is a fault, and
none says that a translation is good or bad: that is the judge's.
"""

from collections.abc import Iterator

from agents.interpreters.likeness import echoes, out_of_proportion, runs_away
from agents.interpreters.remarks import annotated, refusal_words
from sim.core.events import Flag
from sim.core.languages import language
from sim.core.ports import Interpretation, InterpreterView
from sim.core.values import LanguageCheck


class DeliveryChecks:
    """The `DeliveryCheck` of the product."""

    identity = "delivery/1"
    """Changes with any rule, value or phrase of the checks."""

    def flags(
        self, view: InterpreterView, interpretation: Interpretation, check: LanguageCheck
    ) -> tuple[Flag, ...]:
        """The flags of one interpretation, in the order of `Flag`; none where there is no text."""
        if not interpretation.text.strip():
            return ()
        return tuple(_flags(view, interpretation, check))


def _flags(view: InterpreterView, interpretation: Interpretation, check: LanguageCheck) -> Iterator[Flag]:
    source, text = view.message, interpretation.text
    scripts = language(view.source_language).script, language(view.target_language).script
    if echoes(source, text, nearly=check.result != "ok"):
        yield "echo"
    if check.result == "wrong":
        yield "wrong_language"
    if annotated(source, text, view.target_language):
        yield "annotated"
    if refusal_words(source, text):
        yield "refusal_words"
    if runs_away(source, text):
        yield "repetition"
    if out_of_proportion(source, text, scripts):
        yield "length_ratio"
    if interpretation.outcome == "truncated":
        yield "truncated"
