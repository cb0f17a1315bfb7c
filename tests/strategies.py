"""Random scenarios, small enough for the reference: seeded, one family a topic.

``random_scenario(rng, family)`` makes one board; ``scenarios(family)`` is the same as a hypothesis
strategy. ``board`` is the short way to write one by hand.
"""

from __future__ import annotations

import datetime
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from hypothesis import strategies as st

from pysolver.frozen import FrozenDict
from pysolver.scenario.abilities import (
    Ability,
    AllOf,
    AnyOf,
    Anything,
    Argument,
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
from pysolver.scenario.model import (
    AllAttack,
    Attack,
    AttackTax,
    Battle,
    Blocks,
    Creature,
    DamageChooser,
    Edition,
    Effect,
    Event,
    Gives,
    MaxAttackers,
    MaxBlockers,
    MustAttackWith,
    Planeswalker,
    Player,
    Point,
    Scenario,
    Team,
    Variant,
)

from .reference import attacks, blocks

__all__ = ["FAMILIES", "ability", "board", "creature", "heads", "random_scenario", "scenarios"]

CURRENT = Edition("current", datetime.date(2026, 9, 25))
ATTACKER, DEFENDER = "ann", "bob"


# By hand


def ability(kind: str, *args: Argument) -> Ability:
    """An ability by its kind and arguments."""
    return Ability(kind, args)


def creature(
    name: str, controller: str, pt: str, *abilities: str | Ability, **rest: object
) -> Creature:
    """A creature, with abilities without arguments given by their kind."""
    power, toughness = map(int, pt.split("/"))
    listed = tuple(Ability(a) if isinstance(a, str) else a for a in abilities)
    return Creature(name, controller, power, toughness, listed, **rest)  # type: ignore[arg-type]


def board(
    *creatures: Creature,
    attack: Mapping[str, str] | Iterable[str] | None = None,
    bands: Iterable[Iterable[str]] = (),
    blocks: Mapping[str, Iterable[str]] | None = None,
    readings: Mapping[str, str] | None = None,
    players: tuple[Player, ...] = (Player(ATTACKER), Player(DEFENDER)),
    variant: Variant = "two-player",
    active: str = ATTACKER,
    **rest: object,
) -> Scenario:
    """Ann attacks bob, in the current edition."""
    fixed = None
    if attack is not None:
        aimed = attack if isinstance(attack, Mapping) else dict.fromkeys(attack, DEFENDER)
        groups = tuple(sorted(tuple(sorted(band)) for band in bands))
        fixed = Attack(FrozenDict(dict(aimed)), groups)
    declared = None
    if blocks is not None:
        declared = Blocks(FrozenDict({b: tuple(sorted(group)) for b, group in blocks.items()}))
    return Scenario(
        title="a board",
        edition=CURRENT,
        readings=FrozenDict(readings or {}),
        variant=variant,
        players=players,
        active=active,
        creatures=creatures,
        attack=fixed,
        blocks=declared,
        **rest,  # type: ignore[arg-type]
    )


HEADS = (
    Player("ann", team="red"),
    Player("al", team="red"),
    Player("bob", team="blue"),
    Player("bea", team="blue"),
)


def heads(
    *creatures: Creature,
    players: tuple[Player, ...] = HEADS,
    teams: tuple[Team, ...] = (Team("red"), Team("blue")),
    **rest: object,
) -> Scenario:
    """Ann and al, the red team, attack bob and bea, the blue team (810)."""
    return board(
        *creatures,
        players=players,
        teams=teams,
        variant="two-headed-giant",
        active="red",
        **rest,  # type: ignore[arg-type]
    )


# At random

WORDS = ("wolf", "wall", "legendary")
COLORS = ("white", "black", "red")
LANDS = ("swamp", "snow island", "nonbasic")


def random_filter(rng: random.Random, depth: int = 2) -> Filter:
    """A quality that some creature of a random board may have; some are made of others."""
    if depth and rng.random() < 0.3:
        one, other = random_filter(rng, depth - 1), random_filter(rng, depth - 1)
        return rng.choice((Not(random_filter(rng, 0)), AllOf(one, other), AnyOf(one, other)))
    choices: list[Callable[[], Filter]] = [
        lambda: rng.choice((Anything(), Named("a1"), Named("b1"))),
        lambda: ControlledBy(rng.choice((ATTACKER, DEFENDER))),
        lambda: HasColor(rng.choice(("colorless", "multicolored"))),
        lambda: WithAbility(Ability(rng.choice(("banding", "reach", "changeling")))),
        lambda: HasType(rng.choice(WORDS)),
        lambda: HasColor(rng.choice(COLORS)),  # type: ignore[arg-type]
        lambda: WithAbility(Ability("flying")),
        lambda: PowerAtLeast(rng.randint(2, 3)),
        lambda: PowerAtMost(rng.randint(1, 2)),
    ]
    return rng.choice(choices)()


PLAIN = (
    "banding flying reach first_strike double_strike trample deathtouch vigilance haste defender "
    "menace indestructible lifelink unblockable cant_attack cant_block landwalk bands_with_other"
)
BANDS = (
    "banding banding banding bands_with_other bands_with_other flying menace landwalk unblockable "
    "trample first_strike extra_blocks cant_be_blocked_by lure must_be_blocked max_blockers"
)
DAMAGE = (
    "banding bands_with_other trample trample trample_over_planeswalkers first_strike deathtouch "
    "double_strike lifelink wither as_though_unblocked damage_by_toughness no_combat_damage"
)
REQUIREMENTS = (
    "must_attack must_attack_target must_block must_be_blocked must_be_blocked_by_number "
    "must_be_blocked_by_one must_be_blocked_by lure must_block_creature cant_attack_alone "
    "attacks_only_alone cant_attack_unless_others cant_attack_unless_land cant_attack_target "
    "cant_attack_unless_greater_power cant_block_alone blocks_only cant_block_filter extra_blocks "
    "blocks_any_number min_blockers max_blockers unblockable_unless_all_block menace flying "
    "cant_block_unless_greater_power unblockable_alone blocked_only_by defender banding "
    "attacks_despite_defender must_attack must_block must_be_blocked"
)
COSTS = (
    "attack_cost attack_cost cost_to_be_blocked block_cost block_cost must_attack must_block "
    "must_be_blocked lure must_attack_target menace cant_attack_alone cant_block_alone"
)
EVENTS = (
    "banding banding trample first_strike double_strike flying flanking bushido rampage decayed "
    "deathtouch indestructible cant_regenerate vigilance extra_blocks"
)
KEYWORDS = (
    "shadow horsemanship fear intimidate skulk protection lifelink wither infect toxic deathtouch "
    "indestructible changeling flanking flanking rampage bushido exalted battle_cry melee decayed "
    "trample banding flying reach no_combat_damage damage_by_toughness as_though_unblocked"
)
MULTIPLAYER = (
    "banding banding banding banding banding banding bands_with_other flying menace trample "
    "first_strike first_strike first_strike double_strike double_strike double_strike deathtouch "
    "trample_over_planeswalkers lifelink infect landwalk lure must_block "
    "must_be_blocked must_block_creature must_attack must_attack_target cant_attack_target "
    "cant_attack_alone cant_block_alone cant_attack_unless_land extra_blocks attack_cost "
    "block_cost unblockable_unless_all_block unblockable_alone exalted melee battle_cry bushido "
    "rampage flanking toxic cant_block_unless_greater_power"
)
WALKERS = (
    "banding trample trample trample_over_planeswalkers first_strike double_strike deathtouch "
    "infect indestructible extra_blocks must_attack_target cant_attack_target lifelink flying "
    "flanking bushido must_block lure"
)
FAMILIES = {
    "plain": PLAIN.split(),
    "bands": BANDS.split(),
    "damage": DAMAGE.split(),
    "requirements": REQUIREMENTS.split(),
    "costs": COSTS.split(),
    "events": EVENTS.split(),
    "keywords": KEYWORDS.split(),
    "multiplayer": MULTIPLAYER.split(),
    "teams": MULTIPLAYER.split(),
    "walkers": WALKERS.split(),
}
NUMBERED = {
    "cant_attack_unless_others": (1, 2),
    "attack_cost": (0, 2),
    "extra_blocks": (1, 1),
    "min_blockers": (2, 3),
    "max_blockers": (1, 2),
    "cost_to_be_blocked": (0, 2),
    "must_be_blocked_by_number": (1, 3),
    "block_cost": (0, 2),
    "rampage": (1, 2),
    "bushido": (1, 2),
    "toxic": (1, 2),
}
FILTERED = (
    *("bands_with_other", "protection", "must_be_blocked_by"),
    *("blocks_only", "cant_block_filter", "cant_be_blocked_by", "blocked_only_by"),
)


def random_ability(rng: random.Random, kind: str, targets: list[str]) -> Ability:
    """An ability of the kind, with random arguments."""
    if kind in NUMBERED:
        return ability(kind, rng.randint(*NUMBERED[kind]))
    if kind in FILTERED:
        return ability(kind, random_filter(rng))
    if kind in ("landwalk", "cant_attack_unless_land"):
        return ability(kind, rng.choice(LANDS))
    if kind in ("must_attack_target", "cant_attack_target"):
        return ability(kind, rng.choice(targets))
    if kind == "must_block_creature":
        return ability(kind, rng.choice(["a1", "a2"]))
    return ability(kind)


def random_creature(
    rng: random.Random, name: str, family: str, targets: list[str], most: int = 3
) -> Creature:
    """A creature with abilities of the family."""
    kinds = [rng.choice(FAMILIES[family]) for _ in range(rng.choice((0, 1, 1, 2, 2, most)))]
    return Creature(
        name,
        ATTACKER if name.startswith("a") else DEFENDER,
        power=rng.choice((0, 1, 1, 2, 2, 3, 4)),
        toughness=(toughness := rng.randint(1, 4)),
        abilities=tuple(random_ability(rng, kind, targets) for kind in kinds),
        types=tuple(word for word in (*WORDS, "artifact") if rng.random() < 0.35),
        colors=tuple(color for color in COLORS if rng.random() < 0.4),
        damage=rng.randint(0, toughness - 1) if rng.random() < 0.2 else 0,
        tapped=rng.random() < 0.06,
        sick=rng.random() < 0.06,
        shields=int(rng.random() < (0.25 if family in ("events", "keywords", "damage") else 0.05)),
        goaded_by=(DEFENDER,) if family == "requirements" and rng.random() < 0.15 else (),
    )


def there(made: Creature, names: Iterable[str]) -> Creature:
    """The creature without abilities that speak of one that is not there."""
    absent = {ability("must_block_creature", name) for name in ("a1", "a2")}
    absent -= {ability("must_block_creature", name) for name in names}
    return replace(made, abilities=tuple(each for each in made.abilities if each not in absent))


def random_players(rng: random.Random) -> tuple[Player, ...]:
    """Ann and bob, with a few lands and some mana."""
    lands = tuple(tuple(land.split()) for land in LANDS if rng.random() < 0.4)
    life = rng.choice((20, 20, 3, 1))
    return (
        Player(ATTACKER, mana=rng.randint(0, 3)),
        Player(DEFENDER, life=life, lands=lands, mana=rng.randint(0, 3)),
    )


def random_effects(rng: random.Random, family: str) -> tuple[Effect, ...]:
    """No effect or one or two, of those that belong to the family."""
    limits: list[Callable[[], Effect]] = [
        lambda: MaxAttackers(rng.randint(1, 2), rng.choice((None, DEFENDER))),
        lambda: MaxBlockers(rng.randint(1, 2)),
        lambda: AllAttack(ATTACKER),
        lambda: MustAttackWith(DEFENDER, rng.randint(1, 2), rng.random() < 0.5),
    ]
    taxes: list[Callable[[], Effect]] = [
        lambda: AttackTax(DEFENDER, rng.randint(0, 2), rng.random() < 0.5),
        lambda: AllAttack(ATTACKER),
    ]
    gives: list[Callable[[], Effect]] = [
        lambda: Gives(random_filter(rng), (Ability(rng.choice(("banding", "trample", "flying"))),)),
    ]
    choosers: list[Callable[[], Effect]] = [
        lambda: DamageChooser("attackers", DEFENDER, rng.choice((None, DEFENDER))),
        lambda: DamageChooser("blockers", ATTACKER),
    ]
    pool = {
        "requirements": limits,
        "costs": [*limits, *taxes, *taxes],
        "bands": gives,
        "events": gives,
        "damage": [*gives, *choosers],
    }.get(family, [])
    wanted = rng.choice((0, 1, 1, 2)) if family == "costs" else rng.choice((0, 0, 1))
    return tuple(rng.choice(pool)() for _ in range(wanted)) if pool else ()


OPERATIONS = (
    *("remove", "destroy", "sacrifice", "exile", "regenerate", "damage", "pump", "gain", "lose"),
    *("tap", "untap", "control", "prevent-combat-damage", "put-attacking", "reselect"),
)
LATE_OPERATIONS = ("become-blocked", "become-unblocked", "put-blocking", "put-blocking")


#: Operations that are done to planeswalkers and battles, too.
TO_PERMANENTS = ("destroy", "exile", "control")
#: Abilities that events give and take.
FLEETING = ("banding", "trample", "first_strike", "double_strike", "flying", "indestructible")


def random_event(
    rng: random.Random, names: list[str], targets: list[str], known: Sequence[Ability] = ()
) -> Event:
    """One event, of any operation that its point allows.

    ``known`` are abilities of the board, so that something is there to lose.
    """
    points: tuple[Point, ...] = ("attackers", "blockers", "first-strike", "end")
    point = rng.choice((*points[:3], *points))
    operations = list(OPERATIONS)
    if point != "attackers":
        operations += LATE_OPERATIONS
    operation = rng.choice(operations)
    subject = rng.choice(names)
    permanents = [target for target in targets if target.startswith(("walker", "siege"))]
    if permanents and operation in TO_PERMANENTS and rng.random() < 0.4:
        subject = rng.choice(permanents)
    gained = Ability(rng.choice((*FLEETING, "banding")))
    if known and rng.random() < 0.4:
        gained = rng.choice(known)
    changed: dict[str, int | str | Ability] = {"ability": gained}
    if rng.random() < 0.15:
        changed = {"type": rng.choice(("creature", "wall") if operation == "lose" else ("wall",))}
    attacker = rng.choice([name for name in names if name.startswith("a")])
    blocker = rng.choice([name for name in names if name.startswith("b")])
    details: dict[str, int | str | Ability] = {
        "damage": {"amount": rng.randint(1, 3)},
        "pump": {"power": rng.randint(-1, 2), "toughness": rng.randint(-2, 2)},
        "gain": changed,
        "lose": changed,
        "control": {"to": rng.choice((ATTACKER, DEFENDER))},
        "prevent-combat-damage": {rng.choice(("by", "to")): subject},
        "put-attacking": {"target": rng.choice(targets)},
        "reselect": {"target": rng.choice(targets)},
        "put-blocking": {"attacker": attacker},
    }.get(operation, {})  # type: ignore[assignment]
    if operation in ("put-attacking", "reselect", "become-blocked", "become-unblocked"):
        subject = attacker
    if operation == "put-blocking":
        subject = blocker
    may = rng.choice((None, None, ATTACKER))
    return Event(point, operation, subject, FrozenDict(details), may)


POINTS = ("attackers", "blockers", "first-strike", "end")


def random_events(
    rng: random.Random, names: list[str], targets: list[str], known: Sequence[Ability]
) -> tuple[Event, ...]:
    """One to three events, in the order of their points."""
    events = [random_event(rng, names, targets, known) for _ in range(rng.randint(1, 3))]
    return tuple(sorted(events, key=lambda event: POINTS.index(event.at)))


def fix_attack(rng: random.Random, scenario: Scenario, banded: bool = False) -> Scenario:
    """The scenario with one of its legal attacks fixed, larger ones sooner.

    With ``banded`` one with bands, if there is any.
    """
    keys = sorted(attacks(scenario), key=lambda key: (len(key[0]), sorted(key[0]), str_bands(key)))
    if banded:
        keys = [key for key in keys if key[1]] or keys
    pairs, bands = keys[max(rng.randrange(len(keys)) for _ in range(3))]
    groups = tuple(sorted(tuple(sorted(band)) for band in bands))
    return replace(scenario, attack=Attack(FrozenDict(dict(sorted(pairs))), groups))


def str_bands(key: tuple[object, frozenset[frozenset[str]]]) -> list[list[str]]:
    """Bands in an order that does not change from run to run."""
    return sorted(sorted(band) for band in key[1])


def fix_blocks(rng: random.Random, scenario: Scenario) -> Scenario:
    """The scenario with one of its legal blocks fixed, larger ones sooner."""
    declared = sorted((key[0] for key in blocks(scenario)), key=lambda d: (len(d), sorted(d)))
    if not declared:
        return scenario
    pairs = declared[max(rng.randrange(len(declared)) for _ in range(3))]
    found: dict[str, tuple[str, ...]] = {}
    for blocker, attacker in sorted(pairs):
        found[blocker] = (*found.get(blocker, ()), attacker)
    return replace(scenario, blocks=Blocks(FrozenDict(found)))


def random_readings(rng: random.Random) -> FrozenDict[str, str]:
    """Every default, or one switch turned the other way."""
    other = {
        "trample_vs_banding": "dp_never_spills",
        "restriction_scope": "resulting",
        "requirement_scope": "resulting",
        "damage_legality": "per_player",
        "propagated_triggers": "declared",
        "unblocking": "band",
        "reselect_in_band": "leaves",
    }
    if rng.random() < 0.6:
        return FrozenDict()
    switch = rng.choice(sorted(other))
    return FrozenDict({switch: other[switch]})


# How many attackers and blockers a family has at most, and what is fixed to keep it small.
SIZES = {
    "plain": (3, 3),
    "bands": (4, 3),
    "damage": (3, 3),
    "requirements": (3, 3),
    "costs": (3, 3),
    "events": (3, 2),
    "keywords": (3, 3),
}
FIXED_ATTACK = ("damage", "keywords", "events")
OPEN_ATTACK, OPEN_BLOCKS = 5, 5  # creatures on the board
FIXED_BLOCKS = ("damage", "events")


def random_scenario(rng: random.Random, family: str) -> Scenario:
    """One board of the family, small enough for the reference."""
    if family in TABLES:
        return random_table_scenario(rng, family)
    most_attackers, most_blockers = SIZES[family]
    names = [f"a{n}" for n in range(1, rng.randint(1, most_attackers) + 1)]
    names += [f"b{n}" for n in range(1, rng.randint(1, most_blockers) + 1)]
    odds = 0.25 if family in ("plain", "requirements", "costs", "events", "damage") else 0.0
    walker = (Planeswalker("walker", DEFENDER, rng.randint(1, 3)),) if rng.random() < odds else ()
    siege = (Battle("siege", ATTACKER, DEFENDER, 2),) if rng.random() < odds / 3 else ()
    targets = [DEFENDER, *(w.name for w in walker), *(b.name for b in siege)]
    creatures = tuple(there(random_creature(rng, name, family, targets), names) for name in names)
    effects = random_effects(rng, family)
    known = [each for creature in creatures for each in creature.abilities]
    known += [each for effect in effects if isinstance(effect, Gives) for each in effect.abilities]
    scenario = Scenario(
        title=f"a random board, {family}",
        edition=CURRENT,
        readings=random_readings(rng),
        variant="two-player",
        players=random_players(rng),
        active=ATTACKER,
        creatures=creatures,
        planeswalkers=walker,
        battles=siege,
        effects=effects,
        events=random_events(rng, names, targets, known) if family == "events" else (),
    )
    if family in FIXED_ATTACK or len(names) > OPEN_ATTACK:
        scenario = fix_attack(rng, scenario)
    if family in FIXED_BLOCKS or (len(names) > OPEN_BLOCKS and rng.random() < 0.7):
        scenario = fix_blocks(rng, scenario)
    return scenario


# Several sides

Details = FrozenDict[str, int | str | Ability]


@dataclass(frozen=True)
class Seats:
    """Who sits at the table, and who attacks whom."""

    variant: Variant
    players: tuple[str, ...]
    active: str
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    teams: FrozenDict[str, str] = field(default_factory=FrozenDict)


PAIR = Seats("two-player", ("ann", "bob"), "ann", ("ann",), ("bob",))
THREE = ("ann", "bob", "carl")
FREE = Seats("attack-multiple", THREE, "ann", ("ann",), ("bob", "carl"))
LEFT = Seats("attack-left", THREE, "ann", ("ann",), ("bob",))
RIGHT = Seats("attack-right", THREE, "ann", ("ann",), ("carl",))
RED, BLUE = ("ann", "al"), ("bob", "bea")
TWO_TEAMS = FrozenDict({**dict.fromkeys(RED, "red"), **dict.fromkeys(BLUE, "blue")})
GIANTS = Seats("two-headed-giant", (*RED, *BLUE), "red", RED, BLUE, TWO_TEAMS)
LATE_GIANTS = Seats("two-headed-giant", (*BLUE, *RED), "red", RED, BLUE, TWO_TEAMS)
TABLES = {
    "multiplayer": (FREE, FREE, FREE, FREE, LEFT, RIGHT),
    "teams": (GIANTS, GIANTS, GIANTS, LATE_GIANTS),
    "walkers": (PAIR,),
}


def seated(rng: random.Random, seats: Seats) -> tuple[Player, ...]:
    """The players with lands and mana; some can lose to a blow or two."""
    shared = bool(seats.teams)
    return tuple(
        Player(
            name,
            life=20 if shared or name in seats.attackers else rng.choice((20, 4, 2, 1)),
            team=seats.teams.get(name),
            lands=tuple(tuple(land.split()) for land in LANDS if rng.random() < 0.3),
            mana=rng.randint(0, 3),
            poison=rng.choice((0, 0, 0, 7)) if name in seats.defenders else 0,
        )
        for name in seats.players
    )


def table_effects(rng: random.Random, seats: Seats) -> tuple[Effect, ...]:
    """No effect or one or two; those of one player are anybody's."""

    def attacker() -> str:
        return rng.choice(seats.attackers)

    def defender() -> str:
        return rng.choice(seats.defenders)

    pool: list[Callable[[], Effect]] = [
        lambda: MaxAttackers(rng.randint(1, 2), rng.choice((None, defender()))),
        lambda: MaxBlockers(1),
        lambda: MaxBlockers(rng.randint(1, 2)),
        lambda: AllAttack(attacker()),
        lambda: MustAttackWith(defender(), rng.randint(1, 2), rng.random() < 0.5),
        lambda: AttackTax(defender(), rng.randint(0, 2), rng.random() < 0.5),
        lambda: Gives(ControlledBy(rng.choice(seats.players)), (Ability("banding"),)),
        lambda: DamageChooser("attackers", defender(), rng.choice((None, defender()))),
        lambda: DamageChooser("blockers", attacker()),
    ]
    return tuple(rng.choice(pool)() for _ in range(rng.choice((0, 0, 1, 1, 2))))


def table_permanents(
    rng: random.Random, seats: Seats, names: Iterable[str]
) -> tuple[tuple[Planeswalker, ...], tuple[Battle, ...]]:
    """Planeswalkers and battles of anybody; some of the creatures are planeswalkers too."""
    walkers = [
        Planeswalker(f"walker{n}", rng.choice(seats.players), rng.randint(1, 3))
        for n in range(1, rng.choice((0, 0, 1, 2)) + 1)
    ]
    both = 0.6 if seats.variant == "two-player" else 0.12
    walkers += [Planeswalker(name, "", rng.randint(1, 4)) for name in names if rng.random() < both]
    sieges = [
        Battle("siege", rng.choice(seats.players), rng.choice(seats.defenders), rng.randint(1, 3))
        for _ in range(rng.choice((0, 0, 1)))
    ]
    return tuple(walkers), tuple(siege for siege in sieges if siege.controller != siege.protector)


def table_readings(rng: random.Random) -> FrozenDict[str, str]:
    """Those of every family, and those about teams."""
    others = [
        ("cross_team_bands", "no"),
        ("team_authority", "attacked"),
        ("team_authority", "bander"),
    ]
    return FrozenDict([rng.choice(others)]) if rng.random() < 0.3 else random_readings(rng)


def table_events(
    rng: random.Random, names: list[str], targets: list[str], seats: Seats
) -> tuple[Event, ...]:
    """None or one or two: what moves creatures and planeswalkers from one to another."""
    found = []
    for _ in range(rng.choice((0, 0, 1, 1, 2))):
        event = random_event(rng, names, targets)
        if event.operation == "control":
            event = replace(event, details=FrozenDict({"to": rng.choice(seats.players)}))
        elif rng.random() < 0.2:
            operation = rng.choice(TO_PERMANENTS)
            to: Details = FrozenDict()
            if operation == "control":
                to = FrozenDict({"to": rng.choice(seats.players)})
            permanents = [name for name in targets if name not in seats.players]
            subject = rng.choice([*permanents, rng.choice(names)])
            event = Event(event.at, operation, subject, to, event.may)
        elif seats is PAIR and rng.random() < 0.4:
            word: Details = FrozenDict({"type": rng.choice(("creature", "planeswalker"))})
            event = Event(event.at, rng.choice(("lose", "lose", "gain")), rng.choice(names), word)
        found.append(event)
    return tuple(sorted(found, key=lambda event: POINTS.index(event.at)))


def random_table_scenario(rng: random.Random, family: str) -> Scenario:
    """Three players, two teams of two, or two players with planeswalkers that are creatures."""
    seats = rng.choice(TABLES[family])
    names = [f"a{n}" for n in range(1, rng.randint(1, 3) + 1)]
    names += [f"b{n}" for n in range(1, rng.randint(1, 6 - len(names)) + 1)]
    walkers, sieges = table_permanents(rng, seats, names)
    creatures = []
    every = [*seats.defenders, *(w.name for w in walkers), *(s.name for s in sieges)]
    bystanders = [name for name in seats.players if name not in seats.attackers]
    for name in names:
        made = random_creature(rng, name, family, every)
        owner = rng.choice(seats.attackers if name.startswith("a") else bystanders)
        types = (*made.types, "planeswalker") if name in {w.name for w in walkers} else made.types
        goaders = (rng.choice(seats.players),) if rng.random() < 0.1 else ()
        made = replace(made, controller=owner, types=types, goaded_by=goaders)
        creatures.append(there(made, names))
    owners = {made.name: made.controller for made in creatures}
    walkers = tuple(replace(w, controller=owners.get(w.name, w.controller)) for w in walkers)
    targets = [
        *seats.defenders,
        *(w.name for w in walkers if w.controller in seats.defenders),
        *(s.name for s in sieges),
    ]
    scenario = Scenario(
        title=f"a random board, {family}",
        edition=CURRENT,
        readings=table_readings(rng),
        variant=seats.variant,
        players=seated(rng, seats),
        active=seats.active,
        creatures=tuple(creatures),
        teams=tuple(
            Team(side, rng.choice((30, 30, 4)) if side == "blue" else 30)
            for side in dict.fromkeys(seats.teams.values())
        ),
        planeswalkers=walkers,
        battles=sieges,
        effects=table_effects(rng, seats),
        events=table_events(rng, names, targets, seats),
    )
    if len(names) > 4 or rng.random() < 0.4:
        scenario = fix_attack(rng, scenario, banded=rng.random() < 0.7)
    if len(names) > 5 or (len(names) > 4 and rng.random() < 0.7):
        scenario = fix_blocks(rng, scenario)
    return scenario


def scenarios(family: str) -> st.SearchStrategy[Scenario]:
    """The random scenarios of a family, for hypothesis."""
    return st.integers(0, 2**32 - 1).map(lambda seed: random_scenario(random.Random(seed), family))
