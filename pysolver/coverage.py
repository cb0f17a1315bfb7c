"""What the encodings cover so far; everything else is refused by its word, never ignored."""

from __future__ import annotations

from collections.abc import Iterator

from pysolver.errors import NotCovered
from pysolver.scenario.editions import in_force
from pysolver.scenario.model import Scenario

__all__ = ["require_covered", "uncovered"]

#: The switches of the rules that the encodings state. An edition with any others is not covered.
SWITCHES = frozenset(
    {
        "dao_joint_check",
        "deathtouch_lethal_one",
        "planeswalkers",
        "trample_over_planeswalkers",
        "battles",
        "phasing_leaves_combat",
        "late_attacker_unblocked",
    }
)
VARIANTS = frozenset(
    {"two-player", "attack-multiple", "attack-left", "attack-right", "two-headed-giant"}
)


def uncovered(scenario: Scenario) -> Iterator[tuple[str, str]]:
    """Each word of the scenario that no encoding covers yet, with the key it stands under."""
    if not SWITCHES.issuperset(in_force(scenario.edition.date)):
        yield f"edition {scenario.edition.label}", "edition"
    if scenario.variant not in VARIANTS:
        yield f"variant {scenario.variant}", "variant"


def require_covered(scenario: Scenario) -> None:
    """Raise :class:`NotCovered` for the first word that the encodings do not cover."""
    for word, path in uncovered(scenario):
        raise NotCovered(word, path)
