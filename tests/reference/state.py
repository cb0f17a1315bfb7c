"""The state of one combat phase, and what the permanents in it are like at a moment.

A :class:`Combat` never changes; every step of the phase makes new ones. The three relations of
blocking are apart: ``declared_blocks`` (509.1a), ``blocking`` (who blocks whom now, after bands
and removals) and ``blocked`` (the lasting status of 509.1h).
"""

from __future__ import annotations

from collections import Counter
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
    """What does not change: the scenario, indexed, and who sits on which side.

    A side is a player, or a team. ``shared`` says that teams share their turns, life and poison
    (805, 810); without it a team only keeps its members from attacking each other.
    """

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.cards: dict[str, Creature] = {card.name: card for card in scenario.creatures}
        self.players = [player.name for player in scenario.players]
        self.shared = scenario.variant == "two-headed-giant"
        self.team_of = {p.name: p.team for p in scenario.players if p.team is not None}
        self.active_players = [
            player
            for player in self.players
            if scenario.active in (player, self.team_of.get(player) if self.shared else player)
        ]
        self.turn_order = self._turn_order()
        self.defenders = self._defenders()
        self.battle_controllers = {b.name: b.controller for b in scenario.battles}
        self.lands = {player.name: player.lands for player in scenario.players}
        self.mana = {player.name: player.mana for player in scenario.players}
        self.gives = [effect for effect in scenario.effects if isinstance(effect, Gives)]

    def _turn_order(self) -> list[str]:
        start = self.players.index(self.active_players[0])
        return self.players[start:] + self.players[:start]

    def _defenders(self) -> list[str]:
        """The defending players: 506.2, 802.2 mp.multi, 803.1 mp.left and mp.right, 805.10a."""
        mine = {self.side(player) for player in self.active_players}
        others = [player for player in self.players if self.side(player) not in mine]
        neighbor = {"attack-left": self.turn_order[1], "attack-right": self.turn_order[-1]}
        seat = neighbor.get(self.scenario.variant)
        return others if seat is None else [player for player in others if player == seat]

    @property
    def active(self) -> str:
        """The active player, or the active team (506.2, 805.4a)."""
        return self.scenario.active

    def side(self, player: str) -> str:
        """The player's team; a player without one is a side of his own."""
        return self.team_of.get(player, player)

    def account(self, player: str) -> str:
        """Whose life and poison the player's are: with shared turns the team's (810.4)."""
        return self.side(player) if self.shared else player

    def rank(self, chooser: str) -> int:
        """101.4 order.apnap, 805.6 team.apnap: the members of a team in any order."""
        if not self.shared:
            return self.turn_order.index(chooser)
        sides = list(dict.fromkeys(self.side(player) for player in self.turn_order))
        return sides.index(self.side(chooser))

    def reading(self, switch: str, default: str) -> str:
        """The value of a switch for a disputed point."""
        return self.scenario.readings.get(switch, default)


@dataclass(frozen=True, slots=True)
class Combat:
    """One moment of a combat phase."""

    board: Board = field(repr=False)
    bodies: FrozenDict[str, Body]
    walkers: FrozenDict[str, str]
    loyalty: FrozenDict[str, int]
    battles: FrozenDict[str, str]
    defense: FrozenDict[str, int]
    players: tuple[str, ...]
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


def starting_life(board: Board) -> dict[str, int]:
    """119.1 and 810.4: each player's, or each team's."""
    scenario = board.scenario
    if not board.shared:
        return {player.name: player.life for player in scenario.players}
    named = {team.name: team.life for team in scenario.teams}
    return {side: named.get(side, 30) for side in map(board.account, board.players)}


def starting_poison(board: Board) -> dict[str, int]:
    """Each player's; a team's is the sum of its members' (decision 31)."""
    total: Counter[str] = Counter()
    for player in board.scenario.players:
        total[board.account(player.name)] += player.poison
    return dict(total)


def start(scenario: Scenario) -> Combat:
    """The board as attackers are about to be declared."""
    board = Board(scenario)
    return Combat(
        board=board,
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
        players=tuple(board.players),
        life=FrozenDict(starting_life(board)),
        poison=FrozenDict(starting_poison(board)),
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
            return player in (combat.bodies[name].controller, side_of(combat, name))
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


def is_player(combat: Combat, name: str) -> bool:
    """Whether the name is a player's who is still in the game."""
    return name in combat.players


def side_of(combat: Combat, name: str) -> str:
    """The side of a creature's controller."""
    return combat.board.side(combat.bodies[name].controller)


def in_game(combat: Combat, player: str) -> str:
    """800.4h: a choice of a player who left falls to the next one in turn order."""
    order = combat.board.turn_order
    start = order.index(player)
    return next((name for name in order[start:] + order[:start] if is_player(combat, name)), player)


def is_mine(combat: Combat, name: str) -> bool:
    """Whether the active player or one of the active team controls the creature (805.10a)."""
    return combat.bodies[name].controller in combat.board.active_players


def defends(combat: Combat, player: str, attacker: str) -> bool:
    """Whether the player's creatures may block the attacker (802.4a mp.multi, 805.10d team)."""
    defender = combat.defender_of[attacker]
    if combat.board.shared:
        return combat.board.side(player) == combat.board.side(defender)
    return player == defender


def defender_for(combat: Combat, target: str) -> str | None:
    """The player who defends an attack on this player, planeswalker or battle (508.5)."""
    if is_player(combat, target):
        return target
    if target in combat.walkers:
        return combat.walkers[target]
    return combat.battles.get(target)


def attackable(combat: Combat) -> list[str]:
    """What the active side's creatures may attack (506.2, 508.1b; 310.9 for battles)."""
    defenders = {player for player in combat.board.defenders if is_player(combat, player)}
    targets = [player for player in combat.board.players if player in defenders]
    targets += [name for name, player in combat.walkers.items() if player in defenders]
    targets += [name for name, player in combat.battles.items() if player in defenders]
    return list(dict.fromkeys(targets))


def creatures_of(combat: Combat, players: Iterable[str]) -> list[str]:
    """The creatures that any of the players controls."""
    controllers = set(players)
    return [
        name
        for name, body in combat.bodies.items()
        if body.controller in controllers and is_creature(combat, name)
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


def leave_game(combat: Combat, player: str) -> Combat:
    """800.4a mp.left_game: the player's permanents go with him; they do not die (decision 9)."""
    names = [name for name, body in combat.bodies.items() if body.controller == player]
    names += [name for name, controller in combat.walkers.items() if controller == player]
    names += [name for name in combat.battles if combat.board.battle_controllers[name] == player]
    combat = leave_battlefield(combat, dict.fromkeys(names), died=False)
    return replace(combat, players=tuple(name for name in combat.players if name != player))


def lose_all(counters: FrozenDict[str, int], name: str) -> FrozenDict[str, int]:
    """A permanent that is gone has no counters."""
    return put(counters, name, 0) if name in counters else counters


def on_battlefield(combat: Combat, name: str) -> bool:
    """Whether the permanent is there."""
    return name in combat.bodies or name in combat.walkers or name in combat.battles


def entries(mapping: Mapping[K, V]) -> frozenset[tuple[K, V]]:
    """A mapping as a set of pairs."""
    return frozenset(mapping.items())
