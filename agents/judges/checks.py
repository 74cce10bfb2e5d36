"""A check evaluated over a text: met, not met, or nobody can say, with a reason.

Pure and total: any text gets an answer, a form that cannot be compiled gives "don't know". It knows
no language gate, no reference and no judge; `rules` does.
"""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal

from agents.detectors.port import Evidence
from agents.detectors.quantity import clock_numbers
from agents.detectors.registry import detector, functions
from agents.judges.forms import Finder, FormError, Text, compile_form, quote, quoted
from sim.core.text import numbers
from sim.core.values import Check, DetectCheck, Form, NumberCheck

VERSION = 3
"""Changes whenever a check may answer differently; part of the judge's identity."""
_NAMED = 4

Compile = Callable[[Form], Finder]


@dataclass(frozen=True, slots=True)
class Finding:
    """An answer: True met, False not met, None don't know."""

    met: bool | None
    reason: str
    """One English sentence; for a leg, a clause of one without capital and full stop."""


def evaluate(check: Check, text: Text, compiled: Compile = compile_form) -> Finding:
    """All legs of `check` but `similar` over `text`.

    Not met if a leg fails, else don't know if a leg cannot be evaluated or there is none, else met.
    """
    return combine(legs(check, text, compiled))


def combine(found: Iterator[Finding] | tuple[Finding, ...]) -> Finding:
    """The answer of several legs, with the reasons of those that decide it."""
    all_legs = tuple(found)
    if not all_legs:
        return Finding(None, "The check asks for nothing.")
    for answer in (False, None):
        deciding = [leg.reason for leg in all_legs if leg.met is answer]
        if deciding:
            return Finding(answer, _sentence(deciding))
    return Finding(True, _sentence([leg.reason for leg in all_legs]))


def legs(check: Check, text: Text, compiled: Compile = compile_form) -> Iterator[Finding]:
    """The answer of each leg of `check` but `similar`."""
    for form in check.require:
        yield _one_of((form,), text, compiled)
    for group in check.any:
        yield _one_of(group, text, compiled)
    if check.forbid:
        yield _none_of(check.forbid, text, compiled)
    if check.number:
        present = frozenset(numbers(text.raw))
        for wanted in check.number:
            yield _number(wanted, present, text, compiled)


def answers(check: Check, target: str | None) -> bool:
    """Whether `check` can fail a translation into `target` (ISO 639-3; None: texts in several languages).

    Not where a leg needs a detector the language lacks: then it would judge some systems and not others.
    Similarity fails nothing by itself.
    """
    known = functions(target) if target is not None else ()
    if any(wanted.function not in known for wanted in check.detect):
        return False
    return bool(check.require or check.any or check.forbid or check.number or check.detect)


async def detections(check: Check, language: str, text: str) -> list[Finding]:
    """The answer of each `detect` leg of `check` on a text in `language`.

    A language without the detector, and a detector that does not know, decide nothing. They run in a
    thread: the first Korean one loads an analyser.
    """
    return [await asyncio.to_thread(_detected, wanted, language, text) for wanted in check.detect]


def _detected(wanted: DetectCheck, language: str, text: str) -> Finding:
    if wanted.function not in functions(language):
        return Finding(None, f"no detector of {wanted.function} for this language")
    found = detector(language, wanted.function).detect(text)
    if wanted.value is not None:
        evidence = found.evidence
        if wanted.function == "number":
            # "five is too early" may arrive as "at five o'clock"
            evidence += clock_numbers(language, text)
        return _value(wanted.function, wanted.value, evidence, known=found.label is not None)
    if found.label is None:
        return _mixed(wanted, found.evidence)
    quoted_words = ", ".join(quote(evidence.quote) for evidence in found.evidence[:_NAMED])
    shown = f" ({quoted_words})" if quoted_words else ""
    if found.label in wanted.labels:
        return Finding(True, f"{wanted.function}: {found.label}{shown}")
    return Finding(False, f"{wanted.function}: {found.label}{shown}, not {' or '.join(wanted.labels)}")


def _mixed(wanted: DetectCheck, evidence: tuple[Evidence, ...]) -> Finding:
    """The answer where the detector knows no single label: met if each form it saw has a wanted one."""
    if evidence and all(item.value in wanted.labels for item in evidence):
        return Finding(True, f"{wanted.function}: {' and '.join(sorted({str(e.value) for e in evidence}))}")
    return Finding(None, f"the {wanted.function} of the text cannot be told")


def _value(function: str, value: str, evidence: tuple[Evidence, ...], *, known: bool) -> Finding:
    values = {str(item.value) for item in evidence if item.value is not None}
    if value in values:
        return Finding(True, f"found the {function} {value}")
    return Finding(False if known else None, f"missing the {function} {value}")


def problems(check: Check) -> tuple[str, ...]:
    """What the author of `check` should mend in its forms, one sentence each."""
    forms = [*check.require, *check.forbid, *(form for group in check.any for form in group)]
    forms += [form for number in check.number for form in number.words]
    found = []
    for form in forms:
        try:
            compile_form(form)
        except FormError as error:
            found.append(str(error))
    return tuple(dict.fromkeys(found))


def _one_of(forms: tuple[Form, ...], text: Text, compiled: Compile) -> Finding:
    errors = []
    for form in forms:
        try:
            match = compiled(form)(text)
        except FormError as error:
            errors.append(str(error))
            continue
        if match is not None:
            return Finding(True, f"found {quote(match.strip())}")
    if errors:
        return _unusable(errors[0])
    return Finding(
        False, f"missing {_listed(forms)}" if len(forms) == 1 else f"found none of {_listed(forms)}"
    )


def _none_of(forms: tuple[Form, ...], text: Text, compiled: Compile) -> Finding:
    errors = []
    for form in forms:
        try:
            match = compiled(form)(text)
        except FormError as error:
            errors.append(str(error))
            continue
        if match == form:
            return Finding(False, f"found the forbidden {quote(match)}")
        if match is not None:
            return Finding(False, f"found {quote(match.strip())}, forbidden by {quoted(form)}")
    return _unusable(errors[0]) if errors else Finding(True, f"no {_listed(forms)}")


def _number(wanted: NumberCheck, present: frozenset[Decimal], text: Text, compiled: Compile) -> Finding:
    if Decimal(str(wanted.value)) in present:
        return Finding(True, f"found the number {wanted.value}")
    if not wanted.words:
        return Finding(False, f"missing the number {wanted.value}")
    in_words = _one_of(wanted.words, text, compiled)
    if in_words.met is False:
        return Finding(False, f"missing the number {wanted.value}, also as {_listed(wanted.words)}")
    return in_words


def _unusable(error: str) -> Finding:
    return Finding(None, f"the check cannot be used: {error[0].lower()}{error[1:].rstrip('.')}")


def _listed(forms: tuple[Form, ...]) -> str:
    named = ", ".join(quoted(form) for form in forms[:_NAMED])
    more = len(forms) - _NAMED
    return f"{named} and {more} more" if more > 0 else named


def _sentence(clauses: list[str]) -> str:
    joined = "; ".join(dict.fromkeys(clauses))
    return f"{joined[0].upper()}{joined[1:]}."
