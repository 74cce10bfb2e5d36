"""The interpreter's briefs: which prompt stands for which, and what each may contain.

Only the brief changes in an ablation: message prompts and history are the same for all. The cultural brief
is the specification and a part on culture, so that the step between the two measures the culture alone.
"""

from dataclasses import dataclass

from prompts.loader import Prompt, cultural_context, load
from sim.core.errors import Problem, UsageProblem
from sim.core.languages import language
from sim.core.ports import InterpreterView

DEFAULT = "cultural"
CHOICES = ("cultural", "specification", "direct-context", "direct")
_PARTS = {"cultural": ("specification", "cultural")}
"""Prompts a brief is put together from, in order; one of its own name where nothing is said."""


@dataclass(frozen=True, slots=True)
class Brief:
    """One brief."""

    name: str
    parts: tuple[Prompt, ...]
    """In order; each is rendered with the variables it has."""

    def render(self, view: InterpreterView) -> str:
        """The system text for one message."""
        none = load("parts/not-given").render()
        values = {
            "source_language": language(view.source_language).name,
            "target_language": language(view.target_language).name,
            "conversation_context": view.conversation_context or none,
            "cultural_context": cultural_context(view.source_language, view.target_language)[0] or none,
        }
        return "\n\n".join(
            part.render(**{name: values[name] for name in part.variables}) for part in self.parts
        )

    def hashes(self, pair: tuple[str, str]) -> dict[str, str]:
        """Content hashes of the brief's parts and, where it has them, of the pair's cultural contexts."""
        found = {part.name: part.hash for part in self.parts}
        if any("cultural_context" in part.variables for part in self.parts):
            for source, target in (pair, pair[::-1]):
                found[f"cultures/{source}-{target}"] = cultural_context(source, target)[1]
        return found


def brief(name: str) -> Brief:
    """The brief called `name`. Raises UsageProblem for any other word."""
    if name not in CHOICES:
        raise UsageProblem(Problem("Unknown brief", f"{name!r} is not a brief.", choices=CHOICES))
    return Brief(name, tuple(load(f"briefs/{part}") for part in _PARTS.get(name, (name,))))
