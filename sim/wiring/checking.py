"""The judge and the detector that `skopos scenarios check` runs scenarios by."""

from agents.embeddings import open_encoder
from agents.judges.rules import RulesJudge
from agents.language_id.opening import open_detector
from sim.core.ports import LanguageDetector


def scenario_check_parts() -> tuple[RulesJudge, LanguageDetector]:
    """The parts of a default `watch`; nothing is loaded before it is used."""
    return RulesJudge(open_encoder()), open_detector()
