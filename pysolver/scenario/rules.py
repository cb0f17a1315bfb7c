"""What a scenario must be beyond its shape: names that mean something, a position that can be.

What the rules of combat judge (tapped attackers, illegal bands, a block on the wrong side) is not
looked at here: such a scenario is sound, and the solver says that it is illegal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from pysolver.errors import ScenarioError
from pysolver.scenario.abilities import (
    Ability,
    AllOf,
    AnyOf,
    ControlledBy,
    Filter,
    HasType,
    Named,
    Not,
    PowerAtLeast,
    PowerAtMost,
    WithAbility,
)
from pysolver.scenario.document import Keys
from pysolver.scenario.editions import READINGS, in_force
from pysolver.scenario.filters import DEEPEST, depth
from pysolver.scenario.model import (
    AllAttack,
    AttackTax,
    Creature,
    DamageChooser,
    Effect,
    Event,
    Gives,
    MaxAttackers,
    MaxBlockers,
    MustAttackWith,
    Player,
    Scenario,
)
from pysolver.scenario.phrases import KINDS, keyword, known_word, parse_quality
from pysolver.scenario.words import COLORS, LARGEST, Names, name_problem, singular, suggestion

__all__ = ["Finding", "Kinds", "find_problems", "names_of", "scenario_kinds"]

#: The keys of what is wrong, and what is wrong.
Finding: TypeAlias = tuple[Keys, str]

#: Every name and the kinds of things it names.
Kinds: TypeAlias = Mapping[str, tuple[str, ...]]

CREATURE = ("creature",)
PERMANENT = ("creature", "planeswalker", "battle")
PLAYER = ("player",)
TARGET = ("player", "planeswalker", "battle")

_LATE = ("become-blocked", "become-unblocked", "put-blocking")
_ANY_PERMANENT = ("destroy", "exile", "damage", "control")
_WITH_MAPPING = (
    *("damage", "pump", "gain", "lose", "control", "put-attacking", "put-blocking", "reselect"),
)


def scenario_kinds(
    players: Iterable[str],
    teams: Iterable[str],
    creatures: Iterable[str],
    planeswalkers: Iterable[str],
    battles: Iterable[str],
) -> dict[str, tuple[str, ...]]:
    """Every name and the kinds of things it names, in this order."""
    kinds: dict[str, tuple[str, ...]] = {}
    for kind, names in (
        ("player", players),
        ("team", teams),
        ("creature", creatures),
        ("planeswalker", planeswalkers),
        ("battle", battles),
    ):
        for name in names:
            kinds[name] = (*kinds.get(name, ()), kind)
    return kinds


def _kinds(scenario: Scenario) -> dict[str, tuple[str, ...]]:
    teams = dict.fromkeys(player.team for player in scenario.players if player.team is not None)
    return scenario_kinds(
        (player.name for player in scenario.players),
        teams | dict.fromkeys(team.name for team in scenario.teams),
        (creature.name for creature in scenario.creatures),
        (walker.name for walker in scenario.planeswalkers),
        (battle.name for battle in scenario.battles),
    )


def names_of(kinds: Kinds, *, team_attacked: bool) -> Names:
    """The names that phrases may speak of."""

    def such(*wanted: str) -> frozenset[str]:
        return frozenset(name for name, found in kinds.items() if set(found) & set(wanted))

    others = such("planeswalker", "battle", *(("team",) if team_attacked else ()))
    return Names(such("player"), such("creature"), others)


def find_problems(scenario: Scenario) -> list[Finding]:
    """Everything that is wrong with a scenario, under the keys of its document."""
    return list(dict.fromkeys(_Rules(scenario).all()))


def wrong_name(name: str, kinds: Kinds, wanted: tuple[str, ...]) -> str | None:
    """What is wrong with a name that should be one of these kinds of things, or ``None``."""
    found = kinds.get(name, ())
    if set(found) & set(wanted):
        return None
    what = " or ".join(filter(None, (", ".join(wanted[:-1]), wanted[-1])))
    if found:
        return f'"{name}" is a {found[0]}, not a {what}'
    known = [other for other, kind in kinds.items() if set(kind) & set(wanted)]
    if any(other.startswith(f"{name}-") for other in known):
        return f'no {what} is called "{name}"; "count" made "{name}-1" and so on'
    return f'no {what} is called "{name}"{suggestion(name, known)}'


class _Rules:
    """One pass over a scenario; each method yields what it finds."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.kinds = _kinds(scenario)
        self.switches = in_force(scenario.edition.date)
        self.shared = scenario.variant == "two-headed-giant"
        self.target: tuple[str, ...] = TARGET
        if self.shared and "team_attacked" in self.switches:
            self.target = (*TARGET, "team")

    def all(self) -> Iterator[Finding]:
        yield from self.readings()
        yield from self.names()
        yield from self.players()
        yield from self.teams()
        yield from self.active()
        for creature in self.scenario.creatures:
            yield from self.creature(creature, ("creatures", creature.name))
        yield from self.other_permanents()
        for index, effect in enumerate(self.scenario.effects):
            yield from self.effect(effect, ("effects", index))
        yield from self.attack()
        yield from self.order()
        yield from self.blocks()
        yield from self.damage()
        for index, event in enumerate(self.scenario.events):
            yield from self.event(event, ("events", index))

    def readings(self) -> Iterator[Finding]:
        for name, value in self.scenario.readings.items():
            if name not in READINGS:
                hint = suggestion(name, READINGS) or f"; there are: {', '.join(sorted(READINGS))}"
                yield ("readings", name), f'unknown reading "{name}"{hint}'
            elif value not in READINGS[name]:
                known = " or ".join(READINGS[name])
                yield ("readings", name), f'"{value}" is none of its readings: {known}'

    # Names

    def named_things(self) -> Iterator[Keys]:
        scenario = self.scenario
        yield from (("players", player.name) for player in scenario.players)
        yield from (("creatures", creature.name) for creature in scenario.creatures)
        yield from (("planeswalkers", walker.name) for walker in scenario.planeswalkers)
        yield from (("battles", battle.name) for battle in scenario.battles)

    def names(self) -> Iterator[Finding]:
        for keys in self.named_things():
            problem = name_problem(str(keys[1]))
            if problem:
                yield keys, problem
        places = {kind[:-1]: kind for kind in ("players", "creatures", "planeswalkers", "battles")}
        for name, kinds in self.kinds.items():
            together = kinds in (("creature", "planeswalker"), ("creature", "battle"))
            if len(kinds) > 1 and not together:
                place = places.get(kinds[-1], "players")
                keys = ("players",) if kinds[-1] == "team" else (place, name)
                if kinds[0] == kinds[-1]:
                    yield keys, f'two {kinds[0]}s are called "{name}"'
                else:
                    yield keys, f'"{name}" is a {kinds[0]} already; a name stands for one thing'

    def name(self, keys: Keys, name: str | None, wanted: tuple[str, ...]) -> Iterator[Finding]:
        if name is not None:
            problem = wrong_name(name, self.kinds, wanted)
            if problem:
                yield keys, problem

    def number(self, keys: Keys, number: int, least: int = 0) -> Iterator[Finding]:
        if not least <= number <= LARGEST:
            yield keys, f"{number} is not between {least} and {LARGEST}"

    # Players and teams

    def players(self) -> Iterator[Finding]:
        players = self.scenario.players
        if self.scenario.variant == "two-player" and len(players) != 2:
            hint = "; for more write a variant, such as attack-multiple" if len(players) > 2 else ""
            yield ("players",), f"two-player has two players, not {len(players)}{hint}"
        elif len(players) < 2:
            yield ("players",), "at least two players are needed"
        for player in players:
            yield from self.player(player, ("players", player.name))
        sides = {player.team if player.team is not None else (player.name,) for player in players}
        if len(players) > 1 and len(sides) == 1:
            yield ("players",), "all players are on one team; nobody is there to attack"

    def player(self, player: Player, keys: Keys) -> Iterator[Finding]:
        if player.team is not None:
            problem = name_problem(player.team)
            if problem:
                yield (*keys, "team"), problem
        yield from self.life((*keys, "life"), player.life)
        yield from self.number((*keys, "mana"), player.mana)
        yield from self.number((*keys, "poison"), player.poison)
        if not self.shared and player.poison >= 10:
            yield (*keys, "poison"), f"{player.poison} poison counters have lost the game already"
        for words in player.lands:
            yield from self.quality((*keys, "lands"), " ".join(words))

    def life(self, keys: Keys, life: int) -> Iterator[Finding]:
        if life <= 0:
            yield keys, f"a life total of {life} has lost the game already"
        else:
            yield from self.number(keys, life, 1)

    def teams(self) -> Iterator[Finding]:
        scenario = self.scenario
        if not self.shared:
            if scenario.teams:
                yield ("teams",), "teams share a life total with two-headed-giant only"
            return
        members: dict[str, list[Player]] = {}
        for player in scenario.players:
            if player.team is None:
                yield (
                    ("players", player.name, "team"),
                    "two-headed-giant puts every player on a team",
                )
            else:
                members.setdefault(player.team, []).append(player)
        sizes = {len(found) for found in members.values()}
        if len(members) < 2 or len(sizes) > 1 or sizes == {1}:
            yield ("players",), "two-headed-giant has teams of two players, or of equally many"
        for team in scenario.teams:
            yield from self.life(("teams", team.name, "life"), team.life)
            if team.name not in members:
                hint = suggestion(team.name, members)
                yield ("teams", team.name), f'no player is on team "{team.name}"{hint}'
        for name, found in members.items():
            poison = sum(player.poison for player in found)
            if poison >= 15:
                keys = ("players", found[-1].name, "poison")
                yield keys, f'team "{name}" has {poison} poison counters and has lost already'

    def active(self) -> Iterator[Finding]:
        wanted = ("team",) if self.shared else PLAYER
        yield from self.name(("active",), self.scenario.active, wanted)

    # Permanents

    def creature(self, creature: Creature, keys: Keys) -> Iterator[Finding]:
        yield from self.name((*keys, "controller"), creature.controller, PLAYER)
        yield from self.number((*keys, "pt"), creature.power, -LARGEST)
        yield from self.toughness(creature, keys)
        yield from self.number((*keys, "damage"), creature.damage)
        yield from self.number((*keys, "shields"), creature.shields)
        for ability in creature.abilities:
            yield from self.ability((*keys, "abilities"), ability)
        for word in creature.types:
            if not word or word != singular(word) or word.split() != [word]:
                yield (*keys, "types"), f'"{word}" is no word of a type line'
        for color in creature.colors:
            if color not in COLORS:
                yield (*keys, "colors"), f'"{color}" is none of {", ".join(COLORS)}'
        for player in creature.goaded_by:
            yield from self.name((*keys, "goaded_by"), player, PLAYER)
        if len(set(creature.goaded_by)) < len(creature.goaded_by):
            yield (*keys, "goaded_by"), "a player is named twice"
        if creature.named is not None and name_problem(creature.named):
            yield (*keys, "named"), str(name_problem(creature.named))

    def toughness(self, creature: Creature, keys: Keys) -> Iterator[Finding]:
        if creature.toughness <= 0:
            yield (
                (*keys, "pt"),
                f"with toughness {creature.toughness} it would have died already",
            )
            return
        yield from self.number((*keys, "pt"), creature.toughness)
        if creature.damage >= creature.toughness and not self.indestructible(creature):
            yield (
                (*keys, "damage"),
                f"{creature.damage} damage is lethal for toughness {creature.toughness}",
            )

    def indestructible(self, creature: Creature) -> bool:
        """Whether lethal damage may have left it; what effects give is taken on trust."""
        wanted = Ability("indestructible")
        given = (effect.abilities for effect in self.scenario.effects if isinstance(effect, Gives))
        return wanted in creature.abilities or any(wanted in abilities for abilities in given)

    def other_permanents(self) -> Iterator[Finding]:
        controllers = {creature.name: creature.controller for creature in self.scenario.creatures}
        if self.scenario.planeswalkers and "planeswalkers" not in self.switches:
            yield ("planeswalkers",), "there were no planeswalkers before 2007-10-01"
        if self.scenario.battles and "battles" not in self.switches:
            yield ("battles",), "there were no battles before 2023-04-14"
        for place, things in (
            ("planeswalkers", self.scenario.planeswalkers),
            ("battles", self.scenario.battles),
        ):
            for thing in things:
                keys = (place, thing.name, "controller")
                yield from self.name(keys, thing.controller, PLAYER)
                if controllers.get(thing.name, thing.controller) != thing.controller:
                    yield keys, "the creature of this name has another controller"
        for walker in self.scenario.planeswalkers:
            yield from self.number(("planeswalkers", walker.name, "loyalty"), walker.loyalty, 1)
        for battle in self.scenario.battles:
            yield from self.name(("battles", battle.name, "protector"), battle.protector, PLAYER)
            yield from self.number(("battles", battle.name, "defense"), battle.defense, 1)

    # Abilities and effects

    def ability(self, keys: Keys, ability: Ability) -> Iterator[Finding]:
        row = KINDS.get(ability.kind)
        if row is None or len(row.places) != len(ability.args):
            yield keys, f'unknown ability "{ability.kind}"'
            return
        if (
            ability.kind == "trample_over_planeswalkers"
            and "trample_over_planeswalkers" not in self.switches
        ):
            yield keys, "there was no trample over planeswalkers before 2021-06-18"
        for place, argument in zip(row.places, ability.args, strict=True):
            if isinstance(argument, int):
                yield from self.number(keys, argument)
            elif not isinstance(argument, str):
                yield from self.filter(keys, argument)
            elif place == "land":
                yield from self.quality(keys, argument)
            else:
                wanted = CREATURE if place == "creature" else self.target
                yield from self.name(keys, argument, wanted)

    def quality(self, keys: Keys, words: str) -> Iterator[Finding]:
        try:
            normal = parse_quality(words)
        except ScenarioError:
            normal = None
        if normal != words:
            yield keys, f'"{words}" is no kind of land'

    def filter(self, keys: Keys, filter: Filter) -> Iterator[Finding]:
        if depth(filter) > DEEPEST:
            yield keys, "a quality has too many parts"
            return
        match filter:
            case AllOf(left, right) | AnyOf(left, right):
                yield from self.filter(keys, left)
                yield from self.filter(keys, right)
            case Not(AllOf() | AnyOf() | Not()):
                yield keys, "only simple qualities can be negated"
            case Not(inner):
                yield from self.filter(keys, inner)
            case HasType(word):
                if not known_word(word):
                    yield keys, f'"{word}" is no type word'
            case Named(name):
                if name_problem(name):
                    yield keys, str(name_problem(name))
            case ControlledBy(player):
                yield from self.name(keys, player, PLAYER)
            case PowerAtLeast(amount) | PowerAtMost(amount):
                yield from self.number(keys, amount, -LARGEST)
            case WithAbility(ability):
                if not _is_keyword(ability):
                    yield keys, f"{ability.kind} is no keyword that a quality can speak of"
            case _:
                pass

    def effect(self, effect: Effect, keys: Keys) -> Iterator[Finding]:
        match effect:
            case AttackTax(player, mana):
                yield from self.name((*keys, "attack-tax", "protects"), player, PLAYER)
                yield from self.number((*keys, "attack-tax", "mana"), mana)
            case MaxAttackers(count, attacking):
                yield from self.number((*keys, "max-attackers", "count"), count)
                yield from self.name(
                    (*keys, "max-attackers", "attacking"), attacking, self.attacked()
                )
            case MaxBlockers(count):
                yield from self.number((*keys, "max-blockers", "count"), count)
            case AllAttack(player):
                yield from self.name((*keys, "all-attack", "controller"), player, PLAYER)
            case Gives(to, abilities):
                yield from self.filter((*keys, "gives", "to"), to)
                for ability in abilities:
                    yield from self.ability((*keys, "gives", "abilities"), ability)
            case MustAttackWith(defender, count):
                yield from self.name(
                    (*keys, "must-attack-with", "defender"), defender, self.attacked()
                )
                yield from self.number((*keys, "must-attack-with", "count"), count)
            case DamageChooser(_, by, attacking):
                chooser = ("player", "team") if self.shared else PLAYER
                yield from self.name((*keys, "damage-chooser", "by"), by, chooser)
                yield from self.name(
                    (*keys, "damage-chooser", "attacking"), attacking, self.attacked()
                )

    def attacked(self) -> tuple[str, ...]:
        """Players, and teams where a team is what creatures attack."""
        return tuple(kind for kind in self.target if kind in ("player", "team"))

    # What is fixed

    def attack(self) -> Iterator[Finding]:
        attack = self.scenario.attack
        if attack is None:
            return
        for name, target in attack.attackers.items():
            yield from self.name(("attack", "attackers", name), name, PERMANENT)
            yield from self.name(("attack", "attackers", name), target, self.target)
        for index, band in enumerate(attack.bands):
            for name in band:
                yield from self.name(("attack", "bands", index), name, PERMANENT)
            if len(set(band)) < len(band):
                yield ("attack", "bands", index), "a band names a creature twice"

    def order(self) -> Iterator[Finding]:
        if self.scenario.order is None:
            return
        if "dao" not in self.switches:
            yield ("order",), "this edition has no damage assignment order"
        for name, others in self.scenario.order.items():
            yield from self.creatures(("order", name), name, others)

    def blocks(self) -> Iterator[Finding]:
        if self.scenario.blocks is not None:
            for name, attackers in self.scenario.blocks.blocks.items():
                yield from self.creatures(("blocks", name), name, attackers)

    def creatures(self, keys: Keys, name: str, others: tuple[str, ...]) -> Iterator[Finding]:
        yield from self.name(keys, name, PERMANENT)
        for other in others:
            yield from self.name(keys, other, PERMANENT)
        if len(set(others)) < len(others):
            yield keys, "the list names a creature twice"

    def damage(self) -> Iterator[Finding]:
        steps = self.scenario.damage.steps if self.scenario.damage is not None else {}
        recipient = (*PLAYER, *PERMANENT, *(("team",) if "team" in self.target else ()))
        for step, sources in steps.items():
            for source, split in sources.items():
                keys = ("damage", step, source)
                yield from self.name(keys, source, PERMANENT)
                for name, amount in split.items():
                    yield from self.name((*keys, name), name, recipient)
                    yield from self.number((*keys, name), amount, 1)

    # Events

    def event(self, event: Event, keys: Keys) -> Iterator[Finding]:
        operation = event.operation
        if event.at == "damage-assigned" and "damage_on_stack" not in self.switches:
            yield (*keys, "at"), "nothing happens between assigning and dealing since 2009-07-11"
        if event.at == "attackers" and operation in _LATE:
            yield (*keys, "at"), f"{operation} has no sense before blockers are declared"
        yield from self.name((*keys, "may"), event.may, PLAYER)
        yield from self.subject(event, keys)
        place = (*keys, operation)
        for key, value in event.details.items():
            yield from self.detail(event, key, value, (*place, key))
        if operation == "reselect":
            yield from self.reselect(event, (*place, "target"))

    def subject(self, event: Event, keys: Keys) -> Iterator[Finding]:
        operation = event.operation
        if operation == "prevent-combat-damage":
            return
        place = (*keys, operation, *(("creature",) if operation in _WITH_MAPPING else ()))
        wanted = PERMANENT if operation in _ANY_PERMANENT else CREATURE
        yield from self.name(place, event.subject, wanted)

    def detail(
        self, event: Event, key: str, value: int | str | Ability, keys: Keys
    ) -> Iterator[Finding]:
        match key, value:
            case "ability", Ability():
                yield from self.ability(keys, value)
            case "type", str():
                if value != singular(value) or value.split() != [value]:
                    yield keys, f'"{value}" is no word of a type line'
            case (("power" | "toughness"), int()):
                yield from self.number((*keys[:-1], "pt"), value, -LARGEST)
            case "amount", int():
                yield from self.number(keys, value)
            case "by", str():
                yield from self.name(keys, value, PERMANENT)
            case "attacker", str():
                yield from self.name(keys, value, CREATURE)
            case "target", str():
                yield from self.name(keys, value, self.target)
            case "to", str():
                recipients = (*PLAYER, *PERMANENT)
                wanted = recipients if event.operation == "prevent-combat-damage" else PLAYER
                yield from self.name(keys, value, wanted)
            case _:
                yield keys, f"{key} is no argument of {event.operation}"

    def reselect(self, event: Event, keys: Keys) -> Iterator[Finding]:
        target = str(event.details.get("target"))
        side = self.attacking_side()
        owner = self.defender(target)
        moved = any(
            other.operation == "control" and other.subject == target
            for other in self.scenario.events
        )
        if owner is None or moved:
            return
        allowed = self.attackable_players(side)
        if owner in side or (allowed is not None and owner not in allowed):
            yield keys, f'"{target}" cannot be attacked'

    def attacking_side(self) -> set[str]:
        """The active player and the teammates."""
        active = self.scenario.active
        found = {active}
        for player in self.scenario.players:
            if player.name == active and player.team is not None:
                found.add(player.team)
        members = {player.name for player in self.scenario.players if player.team in found}
        return found | members

    def attackable_players(self, side: set[str]) -> set[str] | None:
        """The one neighbor that may be attacked, or ``None`` where all opponents may be."""
        step = {"attack-left": 1, "attack-right": -1}.get(self.scenario.variant)
        names = [player.name for player in self.scenario.players]
        if step is None or self.scenario.active not in names:
            return None
        return {names[(names.index(self.scenario.active) + step) % len(names)]}

    def defender(self, target: str) -> str | None:
        """Who defends a target, as long as nothing changes it."""
        for walker in self.scenario.planeswalkers:
            if walker.name == target:
                return walker.controller
        for battle in self.scenario.battles:
            if battle.name == target:
                return battle.protector
        return target if set(self.kinds.get(target, ())) & {"player", "team"} else None


def _is_keyword(ability: Ability) -> bool:
    row = KINDS.get(ability.kind)
    if row is None or row.group != "keyword" or len(row.places) != len(ability.args):
        return False
    if any(not isinstance(argument, int | str) for argument in ability.args):
        return False
    return ability.kind != "landwalk" or keyword_land(str(ability.args[0]))


def keyword_land(words: str) -> bool:
    """Can a quality speak of this landwalk?"""
    last = words.split()[-1] if words.split() else ""
    text = f"{words}walk" if last else ""
    return keyword(text) == Ability("landwalk", (words,))
