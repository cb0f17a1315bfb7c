"""What the encodings cover so far; everything else is refused by its word, never ignored."""

from __future__ import annotations

from collections.abc import Iterator

from pysolver.errors import NotCovered
from pysolver.scenario.model import Gives, Scenario

__all__ = ["require_covered", "uncovered"]

#: Kinds of abilities, by the part of the combat that reads them.
ABILITIES = frozenset(
    ["banding", "bands_with_other", "changeling", "haste", "vigilance", "defender", "attacks_despite_defender", "cant_attack", "cant_attack_alone", "attacks_only_alone", "cant_attack_unless_others", "cant_attack_unless_land", "cant_attack_target", "cant_attack_unless_greater_power", "must_attack", "must_attack_target", "attack_cost", "flying", "reach", "shadow", "horsemanship", "fear", "intimidate", "skulk", "menace", "landwalk", "cant_block", "cant_block_alone", "blocks_only", "cant_block_filter", "cant_block_unless_greater_power", "extra_blocks", "blocks_any_number", "unblockable", "unblockable_alone", "cant_be_blocked_by", "blocked_only_by", "min_blockers", "max_blockers", "unblockable_unless_all_block", "must_block", "must_be_blocked", "must_be_blocked_by_number", "must_be_blocked_by_one", "must_be_blocked_by", "lure", "must_block_creature", "block_cost", "cost_to_be_blocked", "first_strike", "double_strike", "trample", "deathtouch", "lifelink", "indestructible", "wither", "infect", "toxic", "trample_over_planeswalkers", "as_though_unblocked", "protection", "no_combat_damage", "damage_by_toughness", "cant_regenerate", "exalted", "battle_cry", "melee", "flanking", "bushido", "rampage", "decayed"]
)


def uncovered(scenario: Scenario) -> Iterator[tuple[str, str]]:
    """Each word of the scenario that no encoding covers yet, with the key it stands under."""
    if scenario.edition.label != "current":
        yield f"edition {scenario.edition.label}", "edition"
    if scenario.variant != "two-player":
        yield f"variant {scenario.variant}", "variant"
    names = {creature.name for creature in scenario.creatures}
    for permanent in (*scenario.planeswalkers, *scenario.battles):
        if permanent.name in names:
            yield "a creature that is another permanent, too", f"creatures.{permanent.name}"
    for creature in scenario.creatures:
        key = f"creatures.{creature.name}"
        for ability in creature.abilities:
            if ability.kind not in ABILITIES:
                yield ability.kind.replace("_", " "), f"{key}.abilities"
    for effect in scenario.effects:
        if isinstance(effect, Gives):
            for ability in effect.abilities:
                if ability.kind not in ABILITIES:
                    yield ability.kind.replace("_", " "), "effects"


def require_covered(scenario: Scenario) -> None:
    """Raise :class:`NotCovered` for the first word that the encodings do not cover."""
    for word, path in uncovered(scenario):
        raise NotCovered(word, path)
