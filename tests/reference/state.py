"""The state of one combat phase, and what the permanents in it are like at a moment.

A :class:`Combat` never changes; every step of the phase makes new ones. The three relations of
blocking are apart: ``declared_blocks`` (509.1a), ``blocking`` (who blocks whom now, after bands
and removals) and ``blocked`` (the lasting status of 509.1h).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TypeVar

from pysolver.frozen import FrozenDict
from pysolver.scenario.abilities import (
    Ability,
    AllOf,
    AnyOf,
    Anything,
    ControlledBy,
    Filter,
    HasColor,
    HasType,
    Named,
    Not,
    PowerAtLeast,
    PowerAtMost,
    WithAbility,
)
from pysolver.scenario.model import Creature, Gives, Scenario

K = TypeVar("K")
V = TypeVar("V")
Pair = tuple[str, str]
Band = frozenset[str]

BANDING = Ability("banding")

# Words of a type line that are no creature types: a changeling does not have them.
OTHER_TYPES = frozenset(
    {
        *("legendary", "basic", "snow", "world", "ongoing", "token"),
        *("artifact", "enchantment", "land", "planeswalker", "battle", "creature"),
        *("instant", "sorcery", "tribal", "kindred"),
        *("vehicle", "equipment", "aura", "food", "treasure", "clue", "siege", "saga", "shrine"),
        *("plains", "island", "swamp", "mountain", "forest", "desert", "gate", "blood", "gold"),
    }
)


def put(mapping: FrozenDict[K, V], key: K, value: V) -> FrozenDict[K, V]:
    """The mapping with one entry set."""
    return FrozenDict({**mapping, key: value})


def without(mapping: FrozenDict[K, V], keys: Iterable[K]) -> FrozenDict[K, V]:
    """The mapping with some keys left out."""
    gone = set(keys)
    return FrozenDict({key: value for key, value in mapping.items() if key not in gone})


@dataclass(frozen=True, slots=True)
class Body:
    """What can change about a creature during combat."""

    controller: str
    power: int
    toughness: int
    marked: int = 0
    counters: int = 0
    tapped: bool = False
    shields: int = 0
    gained: tuple[Ability, ...] = ()
    lost: frozenset[Ability] = frozenset()
    gained_types: frozenset[str] = frozenset()
    lost_types: frozenset[str] = frozenset()


class Board:
    """What does not change: the scenario, indexed."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.cards: dict[str, Creature] = {card.name: card for card in scenario.creatures}
        self.players = [player.name for player in scenario.players]
        self.turn_order = self._turn_order()
        self.lands = {player.name: player.lands for player in scenario.players}
        self.mana = {player.name: player.mana for player in scenario.players}
        self.gives = [effect for effect in scenario.effects if isinstance(effect, Gives)]

    def _turn_order(self) -> list[str]:
        start = self.players.index(self.scenario.active)
        return self.players[start:] + self.players[:start]

    @property
    def active(self) -> str:
        """The active player (506.2)."""
        return self.scenario.active

    def reading(self, switch: str, default: str) -> str:
        """The value of a switch for a disputed point."""
        return self.scenario.readings.get(switch, default)

    def opponents(self, player: str) -> list[str]:
        """Everyone else; two players only, so far."""
        return [other for other in self.players if other != player]


@dataclass(frozen=True, slots=True)
class Combat:
    """One moment of a combat phase."""

    board: Board = field(repr=False)
    bodies: FrozenDict[str, Body]
    walkers: FrozenDict[str, str]
    loyalty: FrozenDict[str, int]
    battles: FrozenDict[str, str]
    defense: FrozenDict[str, int]
    life: FrozenDict[str, int]
    poison: FrozenDict[str, int]
    attacking: FrozenDict[str, str | None] = field(default_factory=FrozenDict)
    defender_of: FrozenDict[str, str] = field(default_factory=FrozenDict)
    walker_gone: frozenset[str] = frozenset()
    bands: frozenset[Band] = frozenset()
    declared_attack: FrozenDict[str, str] = field(default_factory=FrozenDict)
    had_attackers: bool = False
    declared_blocks: frozenset[Pair] = frozenset()
    blockers: frozenset[str] = frozenset()
    blocking: frozenset[Pair] = frozenset()
    blocked: frozenset[str] = frozenset()
    doomed: frozenset[str] = frozenset()
    prevented_by: frozenset[str] = frozenset()
    prevented_to: frozenset[str] = frozenset()
    first_step: bool = False
    struck_first: frozenset[str] = frozenset()
    deathtouched: frozenset[str] = frozenset()
    blocked_at_damage: tuple[frozenset[str], frozenset[str]] | None = None
    died: frozenset[str] = frozenset()
    regenerated: frozenset[str] = frozenset()
    over: bool = False


def start(scenario: Scenario) -> Combat:
    """The board as attackers are about to be declared."""
    return Combat(
        board=Board(scenario),
        bodies=FrozenDict(
            {
                card.name: Body(
                    controller=card.controller,
                    power=card.power,
                    toughness=card.toughness,
                    marked=card.damage,
                    tapped=card.tapped,
                    shields=card.shields,
                )
                for card in scenario.creatures
            }
        ),
        walkers=FrozenDict({w.name: w.controller for w in scenario.planeswalkers}),
        loyalty=FrozenDict({w.name: w.loyalty for w in scenario.planeswalkers}),
        battles=FrozenDict({b.name: b.protector for b in scenario.battles}),
        defense=FrozenDict({b.name: b.defense for b in scenario.battles}),
        life=FrozenDict({player.name: player.life for player in scenario.players}),
        poison=FrozenDict({player.name: player.poison for player in scenario.players}),
    )


# Characteristics


def is_lost(body: Body, ability: Ability) -> bool:
    """Whether an effect took the ability away; losing banding loses every form (702.22b)."""
    if ability.kind == "bands_with_other" and BANDING in body.lost:
        return True
    return ability in body.lost


@lru_cache(maxsize=200_000)
def own_abilities(combat: Combat, name: str) -> tuple[Ability, ...]:
    """Printed abilities and those of events, without what ``gives`` adds."""
    body = combat.bodies[name]
    printed = combat.board.cards[name].abilities
    return (*(ability for ability in printed if not is_lost(body, ability)), *body.gained)


@lru_cache(maxsize=200_000)
def abilities(combat: Combat, name: str) -> tuple[Ability, ...]:
    """Every ability that the creature has now, once for each instance."""
    found = own_abilities(combat, name)
    body = combat.bodies[name]
    for effect in combat.board.gives:
        if matches(combat, effect.to, name, own=True):
            found += tuple(a for a in effect.abilities if not is_lost(body, a))
    return found


def has(combat: Combat, name: str, kind: str) -> bool:
    """Whether the creature has an ability of this kind now."""
    return any(ability.kind == kind for ability in abilities(combat, name))


def of_kind(combat: Combat, name: str, kind: str) -> list[Ability]:
    """Every instance of one kind of ability."""
    return [ability for ability in abilities(combat, name) if ability.kind == kind]


def numbers(combat: Combat, name: str, kind: str) -> list[int]:
    """The numbers of every instance: ``rampage 2``."""
    found = []
    for ability in of_kind(combat, name, kind):
        amount = ability.args[0]
        assert isinstance(amount, int)
        found.append(amount)
    return found


def words(combat: Combat, name: str, kind: str) -> list[str]:
    """The names or words of every instance: ``swampwalk``, ``blocks hero if able``."""
    found = []
    for ability in of_kind(combat, name, kind):
        word = ability.args[0]
        assert isinstance(word, str)
        found.append(word)
    return found


def filters(combat: Combat, name: str, kind: str) -> list[Filter]:
    """The filters of every instance: ``protection from red``."""
    found: list[Filter] = []
    for ability in of_kind(combat, name, kind):
        argument = ability.args[0]
        assert not isinstance(argument, int | str)
        found.append(argument)
    return found


def power(combat: Combat, name: str) -> int:
    """Current power; each -1/-1 counter counts."""
    body = combat.bodies[name]
    return body.power - body.counters


def toughness(combat: Combat, name: str) -> int:
    """Current toughness."""
    body = combat.bodies[name]
    return body.toughness - body.counters


def is_creature(combat: Combat, name: str) -> bool:
    """Whether the permanent is on the battlefield and (still) a creature."""
    body = combat.bodies.get(name)
    return body is not None and "creature" not in body.lost_types


def has_type(combat: Combat, name: str, word: str, changeling: bool) -> bool:
    """Whether the word stands in the type line now."""
    body = combat.bodies[name]
    if word in body.lost_types:
        return False
    if word == "creature" or word in body.gained_types:
        return True
    if changeling and word not in OTHER_TYPES:
        return True
    return word in combat.board.cards[name].types


def has_color(combat: Combat, name: str, color: str) -> bool:
    """Whether the creature has the color, no color, or several."""
    colors = combat.board.cards[name].colors
    if color == "colorless":
        return not colors
    if color == "multicolored":
        return len(set(colors)) > 1
    return color in colors


def matches(combat: Combat, wanted: Filter, name: str, own: bool = False) -> bool:
    """Whether a creature is one that the filter speaks of, now.

    With ``own`` only its own abilities count, not those that ``gives`` adds.
    """
    known = own_abilities if own else abilities
    match wanted:
        case Anything():
            return True
        case HasType(word):
            changeling = Ability("changeling") in known(combat, name)
            return has_type(combat, name, word, changeling)
        case HasColor(color):
            return has_color(combat, name, color)
        case WithAbility(ability):
            return ability in known(combat, name)
        case PowerAtLeast(amount):
            return power(combat, name) >= amount
        case PowerAtMost(amount):
            return power(combat, name) <= amount
        case Named(word):
            return word in (name, combat.board.cards[name].named)
        case ControlledBy(player):
            return combat.bodies[name].controller == player
        case AllOf(left, right):
            return matches(combat, left, name, own) and matches(combat, right, name, own)
        case AnyOf(left, right):
            return matches(combat, left, name, own) or matches(combat, right, name, own)
        case Not(inner):
            return not matches(combat, inner, name, own)


def controls_land(combat: Combat, player: str, quality: str) -> bool:
    """Whether one of the player's lands has every word of the quality (702.14c)."""
    wanted = set(quality.split())
    return any(wanted <= set(land) for land in combat.board.lands[player])


# Roles in combat


def defender_for(combat: Combat, target: str) -> str | None:
    """The player who defends an attack on this player, planeswalker or battle (508.5)."""
    if target in combat.life:
        return target
    if target in combat.walkers:
        return combat.walkers[target]
    return combat.battles.get(target)


def attackable(combat: Combat) -> list[str]:
    """What the active player's creatures may attack (506.2, 508.1b; 310.9 for battles)."""
    defenders = set(combat.board.opponents(combat.board.active))
    targets = [player for player in combat.board.players if player in defenders]
    targets += [name for name, player in combat.walkers.items() if player in defenders]
    targets += [name for name, player in combat.battles.items() if player in defenders]
    return list(dict.fromkeys(targets))


def creatures_of(combat: Combat, player: str) -> list[str]:
    """The creatures that a player controls."""
    return [
        name
        for name, body in combat.bodies.items()
        if body.controller == player and is_creature(combat, name)
    ]


def band_of(combat: Combat, attacker: str) -> Band:
    """The attacker and those it is banded with now."""
    for band in combat.bands:
        if attacker in band:
            return band
    return frozenset((attacker,))


def blocked_by(combat: Combat, attacker: str) -> list[str]:
    """The creatures that are blocking an attacker now."""
    return sorted(b for b, a in combat.blocking if a == attacker)


def blocks_now(combat: Combat, blocker: str) -> list[str]:
    """The attackers that a creature is blocking now."""
    return sorted(a for b, a in combat.blocking if b == blocker)


def in_combat(combat: Combat) -> list[str]:
    """Attacking and blocking creatures."""
    return sorted(set(combat.attacking) | combat.blockers)


def change(combat: Combat, name: str, **changes: object) -> Combat:
    """The combat with a creature changed."""
    body = replace(combat.bodies[name], **changes)  # type: ignore[arg-type]
    return replace(combat, bodies=put(combat.bodies, name, body))


# Leaving


def stop_attacks_on(combat: Combat, name: str) -> Combat:
    """506.4c combat.remove.attacked_object: its attackers stay and attack nothing."""
    hit = [attacker for attacker, target in combat.attacking.items() if target == name]
    if not hit:
        return combat
    attacking = FrozenDict(
        {a: None if a in hit else target for a, target in combat.attacking.items()}
    )
    gone = combat.walker_gone | set(hit) if name in combat.walkers else combat.walker_gone
    return replace(combat, attacking=attacking, walker_gone=gone)


def leave_band(combat: Combat, name: str) -> Combat:
    """702.22f banding.leave: the member leaves, the rest stay banded."""
    rest = {band - {name} for band in combat.bands}
    return replace(combat, bands=frozenset(band for band in rest if len(band) > 1))


def remove_creature(combat: Combat, name: str) -> Combat:
    """506.4 combat.remove: no longer attacking, blocking, blocked or in a band."""
    combat = leave_band(combat, name)
    return replace(
        combat,
        attacking=without(combat.attacking, [name]),
        blockers=combat.blockers - {name},
        blocking=frozenset(pair for pair in combat.blocking if name not in pair),
        blocked=combat.blocked - {name},
        walker_gone=combat.walker_gone - {name},
    )


def remove_from_combat(combat: Combat, name: str) -> Combat:
    """The permanent leaves combat in each role that it has there."""
    return stop_attacks_on(remove_creature(combat, name), name)


def leave_battlefield(combat: Combat, names: Iterable[str], died: bool) -> Combat:
    """Permanents leave the battlefield; ``died`` tells the graveyard from exile."""
    for name in names:
        if died and is_creature(combat, name):
            combat = replace(combat, died=combat.died | {name})
        combat = remove_from_combat(combat, name)
        combat = replace(
            combat,
            bodies=without(combat.bodies, [name]),
            walkers=without(combat.walkers, [name]),
            battles=without(combat.battles, [name]),
            loyalty=lose_all(combat.loyalty, name),
            defense=lose_all(combat.defense, name),
            deathtouched=combat.deathtouched - {name},
        )
    return combat


def lose_all(counters: FrozenDict[str, int], name: str) -> FrozenDict[str, int]:
    """A permanent that is gone has no counters."""
    return put(counters, name, 0) if name in counters else counters


def on_battlefield(combat: Combat, name: str) -> bool:
    """Whether the permanent is there."""
    return name in combat.bodies or name in combat.walkers or name in combat.battles


def entries(mapping: Mapping[K, V]) -> frozenset[tuple[K, V]]:
    """A mapping as a set of pairs."""
    return frozenset(mapping.items())
