"""What the encodings cover so far; everything else is refused by its word, never ignored."""

from __future__ import annotations

from collections.abc import Iterator

from pysolver.errors import NotCovered
from pysolver.scenario.model import Scenario

__all__ = ["require_covered", "uncovered"]

ABILITIES = frozenset({
    "banding", "bands_with_other", "changeling",
    "flying", "reach", "menace", "landwalk", "unblockable",
    "defender", "haste", "vigilance", "cant_attack", "cant_block",
    "first_strike", "double_strike", "trample", "deathtouch", "lifelink", "indestructible",
})  # fmt: skip


def uncovered(scenario: Scenario) -> Iterator[tuple[str, str]]:
    """Each word of the scenario that no encoding covers yet, with the key it stands under."""
    if scenario.edition.label != "current":
        yield f"edition {scenario.edition.label}", "edition"
    if scenario.variant != "two-player":
        yield f"variant {scenario.variant}", "variant"
    for planeswalker in scenario.planeswalkers:
        yield "planeswalkers", f"planeswalkers.{planeswalker.name}"
    for battle in scenario.battles:
        yield "battles", f"battles.{battle.name}"
    for creature in scenario.creatures:
        key = f"creatures.{creature.name}"
        for ability in creature.abilities:
            if ability.kind not in ABILITIES:
                yield ability.kind.replace("_", " "), f"{key}.abilities"
        if creature.goaded_by:
            yield "goaded_by", f"{key}.goaded_by"
        if creature.shields:
            yield "shields", f"{key}.shields"
    for effect in scenario.effects:
        yield type(effect).__name__, "effects"
    for event in scenario.events:
        yield event.operation, "events"


def require_covered(scenario: Scenario) -> None:
    """Raise :class:`NotCovered` for the first word that the encodings do not cover."""
    for word, path in uncovered(scenario):
        raise NotCovered(word, path)
