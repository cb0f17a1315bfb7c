"""Combat damage (510): who divides, every division, and dealing it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product

from pysolver.frozen import FrozenDict
from pysolver.scenario.model import DamageChooser, Step

from . import sba
from .state import (
    BANDING,
    Combat,
    abilities,
    blocked_by,
    blocks_now,
    change,
    filters,
    has,
    in_combat,
    in_game,
    is_creature,
    is_player,
    matches,
    numbers,
    power,
    put,
    toughness,
)

Split = FrozenDict[str, int]
Assignment = FrozenDict[str, Split]
Line = tuple[str, str, str, frozenset[str], str]


@dataclass(frozen=True)
class Division:
    """One creature's damage in a step: its amount, who divides it, and among whom.

    ``ground`` are the creatures in its way, ``beyond`` what trample lets it reach, ``free`` what
    it reaches as though it weren't blocked (or because it is not).
    """

    source: str
    chooser: str
    slug: str
    amount: int
    ground: tuple[str, ...] = ()
    beyond: tuple[str, ...] = ()
    free: tuple[str, ...] = ()

    @property
    def recipients(self) -> frozenset[str]:
        """Everything that may be among the recipients."""
        return frozenset(self.ground) | frozenset(self.beyond) | frozenset(self.free)


# Which creatures assign


def strikes_early(combat: Combat, name: str) -> bool:
    """702.7 kw.first_strike or 702.4 kw.double_strike."""
    return has(combat, name, "first_strike") or has(combat, name, "double_strike")


def has_first_step(combat: Combat) -> bool:
    """510.4 damage.two_steps: tested as the step begins, whatever the power."""
    return any(strikes_early(combat, name) for name in in_combat(combat))


def assigns_in(combat: Combat, name: str, step: Step) -> bool:
    """510.4 damage.two_steps: who assigns in which step (decision 27)."""
    if step == "first-strike":
        return strikes_early(combat, name)
    if not combat.first_step:
        return True
    return name not in combat.struck_first or has(combat, name, "double_strike")


def amount(combat: Combat, name: str) -> int:
    """510.1a damage.assign.amount."""
    if has(combat, name, "no_combat_damage"):
        return 0
    by_toughness = has(combat, name, "damage_by_toughness")
    return max(0, toughness(combat, name) if by_toughness else power(combat, name))


# Authority


def banders_among(combat: Combat, names: list[str]) -> list[str]:
    """702.22j-k: those that have banding, or that band with another of their quality (A-09)."""
    return [
        name
        for name in names
        if BANDING in abilities(combat, name)
        or any(
            matches(combat, quality, name)
            and any(other != name and matches(combat, quality, other) for other in names)
            for quality in filters(combat, name, "bands_with_other")
        )
    ]


def decides(combat: Combat, player: str) -> str:
    """Who announces what is the player's: A-05 team_authority; 800.4h if he left."""
    board = combat.board
    if board.shared and board.reading("team_authority", "team") == "team":
        return board.side(player)
    return in_game(combat, player) if player in board.players else player


def controller_of(combat: Combat, banders: list[str]) -> str:
    """The controller of the banding creatures; the team if both heads have one (decision 5)."""
    controllers = {combat.bodies[name].controller for name in banders}
    if len(controllers) > 1:
        return combat.board.side(min(controllers))
    return min(controllers)


def other_chooser(combat: Combat, side: str, attacked: str | None) -> str | None:
    """An effect that lets someone else divide, without banding."""
    for effect in combat.board.scenario.effects:
        if isinstance(effect, DamageChooser) and effect.of == side:
            if side == "attackers" and effect.attacking not in (None, attacked):
                continue
            return effect.by
    return None


def attacker_division(combat: Combat, name: str) -> Division:
    """510.1b-c; 702.22j banding.authority.vs_attacker."""
    target = combat.attacking[name]
    owner = other_chooser(combat, "attackers", target) or combat.bodies[name].controller
    chooser = decides(combat, owner)
    total = amount(combat, name)
    free = unblocked_recipients(combat, name)
    if name not in combat.blocked:
        return Division(name, chooser, "damage.assign.unblocked", total, free=free)
    ground = blocked_by(combat, name)
    slug = "damage.assign.blocked"
    beyond = trample_recipients(combat, name)
    if banders := banders_among(combat, ground):
        slug = "banding.authority.vs_attacker"
        bander = combat.board.reading("team_authority", "team") == "bander"
        literal = combat.defender_of[name]
        by = combat.board.shared and bander
        chooser = decides(combat, controller_of(combat, banders) if by else literal)
        if combat.board.reading("trample_vs_banding", "dp_may_spill") == "dp_never_spills":
            beyond = ()
    if not has(combat, name, "as_though_unblocked"):
        free = ()
    return Division(name, chooser, slug, total, tuple(ground), beyond, free)


def unblocked_recipients(combat: Combat, name: str) -> tuple[str, ...]:
    """510.1b damage.assign.unblocked; 702.19c and e for trample over planeswalkers."""
    target = combat.attacking[name]
    over = has(combat, name, "trample_over_planeswalkers")
    if target is None:
        defender = combat.defender_of[name]
        reaches = over and name in combat.walker_gone and is_player(combat, defender)
        return (defender,) if reaches else ()
    if target in combat.board.players and not is_player(combat, target):
        return ()  # 800.4e mp.left_game.damage
    if over and target in combat.walkers:
        return target, combat.walkers[target]
    return (target,)


def trample_recipients(combat: Combat, name: str) -> tuple[str, ...]:
    """702.19b kw.trample.assign: what lies beyond the blockers."""
    if has(combat, name, "trample_over_planeswalkers") or has(combat, name, "trample"):
        return unblocked_recipients(combat, name)
    return ()


def blocker_division(combat: Combat, name: str) -> Division:
    """510.1d damage.assign.blocker; 702.22k banding.authority.vs_blocker."""
    faced = blocks_now(combat, name)
    owner = other_chooser(combat, "blockers", None) or combat.bodies[name].controller
    chooser = decides(combat, owner)
    slug = "damage.assign.blocker"
    if banders := banders_among(combat, faced):
        slug = "banding.authority.vs_blocker"
        chooser = decides(combat, controller_of(combat, banders))
    return Division(name, chooser, slug, amount(combat, name), tuple(faced))


def divisions(combat: Combat, step: Step) -> list[Division]:
    """510.1 damage.assign.order: the creatures that assign damage in the step."""
    found = []
    for name in in_combat(combat):
        if assigns_in(combat, name, step):
            attacks = name in combat.attacking
            division = (attacker_division if attacks else blocker_division)(combat, name)
            if division.amount and division.recipients:
                found.append(division)
    return found


def authority(combat: Combat, step: Step) -> set[Line]:
    """Who divides whose damage among whom, and by which rule."""
    return {(step, d.source, d.chooser, d.recipients, d.slug) for d in divisions(combat, step)}


# Every division


def shares(total: int, names: tuple[str, ...]) -> Iterator[dict[str, int]]:
    """Every way to divide a number among recipients, zeros left out."""
    if len(names) <= 1:
        if names:
            yield {names[0]: total} if total else {}
        elif not total:
            yield {}
        return
    for first in range(total + 1):
        for rest in shares(total - first, names[1:]):
            yield {names[0]: first, **rest} if first else rest


def splits(division: Division) -> set[Split]:
    """Every division that could be legal, whatever the others assign."""
    ways = tuple(dict.fromkeys(division.ground + division.beyond))
    found = {FrozenDict(split) for split in shares(division.amount, ways)}
    found |= {FrozenDict(split) for split in shares(division.amount, division.free)}
    if not division.ground and not division.beyond and division.slug != "damage.assign.unblocked":
        found.add(FrozenDict())  # as though it weren't blocked is an option (decision 23)
    return found


class Joint:
    """510.1e damage.assign.check_total: the whole assignment of a step, judged together."""

    def __init__(self, combat: Combat, made: Mapping[Division, Split]) -> None:
        self.combat = combat
        self.made = made

    def counted(self, division: Division) -> list[tuple[str, Split]]:
        """The splits that count for this creature's lethal damage (A-30)."""
        board = self.combat.board
        if board.reading("damage_legality", "joint") == "joint":
            return [(other.source, split) for other, split in self.made.items()]
        rank = board.rank
        return [
            (other.source, split)
            for other, split in self.made.items()
            if rank(other.chooser) <= rank(division.chooser)
        ]

    def lethal(self, division: Division, blocker: str) -> bool:
        """damage.lethal.for_assignment; one is enough from deathtouch (702.2c, A-25)."""
        combat = self.combat
        counted = self.counted(division)
        if any(blocker in split and has(combat, name, "deathtouch") for name, split in counted):
            return True
        total = sum(split.get(blocker, 0) for _, split in counted)
        return total + combat.bodies[blocker].marked >= toughness(combat, blocker)

    def walker_filled(self, division: Division) -> bool:
        """702.19c kw.trample.over_pw: loyalty-many to the planeswalker before its controller."""
        target = self.combat.attacking.get(division.source)
        if target is None or target not in self.combat.walkers:
            return True
        total = sum(split.get(target, 0) for _, split in self.counted(division))
        return total >= self.combat.loyalty[target]

    def slug(self, division: Division) -> str | None:
        """The rule that one creature's division breaks, if any."""
        split = self.made[division]
        past = [name for name in split if name not in division.ground]
        if not past:
            return None
        second = unblocked_recipients(self.combat, division.source)[1:]
        if any(name in second for name in past) and not self.walker_filled(division):
            return "kw.trample.over_pw"
        if set(split) <= set(division.free):
            return None
        if not all(self.lethal(division, blocker) for blocker in division.ground):
            return "kw.trample.assign"
        return None

    def slugs(self) -> set[str]:
        """Every rule that the assignment breaks."""
        return {slug for division in self.made if (slug := self.slug(division)) is not None}


def fixed_splits(combat: Combat, step: Step) -> dict[str, Split]:
    """What the scenario fixes for a step, zeros left out (decision 7)."""
    fixed = combat.board.scenario.damage
    if fixed is None or step not in fixed.steps:
        return {}
    return {
        source: FrozenDict({name: n for name, n in split.items() if n})
        for source, split in fixed.steps[step].items()
    }


def assignments(combat: Combat, step: Step) -> Iterator[Assignment]:
    """510.1: every legal assignment of a step that agrees with what is fixed."""
    found = divisions(combat, step)
    fixed = fixed_splits(combat, step)
    sources = {division.source for division in found}
    if any(split for source, split in fixed.items() if source not in sources):
        return
    choices = [
        [s for s in splits(division) if s == fixed.get(division.source, s)] for division in found
    ]
    for chosen in product(*choices):
        if not Joint(combat, dict(zip(found, chosen, strict=True))).slugs():
            yield FrozenDict(
                {d.source: split for d, split in zip(found, chosen, strict=True) if split}
            )


def fixed_slugs(combat: Combat, step: Step) -> set[str]:
    """What is wrong with the fixed damage of a step that takes place."""
    found = {division.source: division for division in divisions(combat, step)}
    fixed = fixed_splits(combat, step)
    slugs = set()
    for source, split in fixed.items():
        if source in found:
            slugs |= own_slugs(found[source], split)
        elif split:
            slugs.add(nothing_to_assign(combat, source, step))
    if not slugs and not any(True for _ in assignments(combat, step)):
        slugs = joint_slugs(combat, found, fixed)
    return slugs


def own_slugs(division: Division, split: Split) -> set[str]:
    """What is wrong with one creature's division, whatever the others assign."""
    if split in splits(division):
        return set()
    slugs = set()
    if not set(split) <= division.recipients:
        slugs.add(plain_slug(division))
    if sum(split.values()) != division.amount:
        slugs.add("damage.assign.amount")
    return slugs or {plain_slug(division)}


def plain_slug(division: Division) -> str:
    """The slug for recipients that are none."""
    return {
        "banding.authority.vs_attacker": "damage.assign.blocked",
        "banding.authority.vs_blocker": "damage.assign.blocker",
    }.get(division.slug, division.slug)


def nothing_to_assign(combat: Combat, source: str, step: Step) -> str:
    """The slug for a source that assigns nothing in the step."""
    if source not in in_combat(combat) or not assigns_in(combat, source, step):
        return "damage.assign.check_total"
    if amount(combat, source) == 0:
        return "damage.assign.amount"
    if source in combat.blockers:
        return "damage.assign.blocker"
    return "damage.assign." + ("blocked" if source in combat.blocked else "unblocked")


def joint_slugs(
    combat: Combat, found: Mapping[str, Division], fixed: Mapping[str, Split]
) -> set[str]:
    """The fewest rules that the fixed divisions break together, over all that is open."""
    choices = [
        [s for s in splits(division) if s == fixed.get(division.source, s)]
        for division in found.values()
    ]
    judged = [
        Joint(combat, dict(zip(found.values(), chosen, strict=True))).slugs()
        for chosen in product(*choices)
    ]
    return min(judged, key=lambda slugs: (len(slugs), sorted(slugs)))


# Dealing


def begin_step(combat: Combat, step: Step) -> Combat:
    """510.4: what is remembered as a damage step begins."""
    if combat.blocked_at_damage is None:
        unblocked = frozenset(combat.attacking) - combat.blocked
        combat = replace(combat, blocked_at_damage=(combat.blocked, unblocked))
    if step == "first-strike":
        early = frozenset(n for n in in_combat(combat) if strikes_early(combat, n))
        combat = replace(combat, first_step=True, struck_first=early)
    return combat


def is_prevented(combat: Combat, source: str, recipient: str) -> bool:
    """702.16e kw.protection.damage, and effects that prevent combat damage."""
    if source in combat.prevented_by or recipient in combat.prevented_to:
        return True
    return recipient in combat.bodies and any(
        matches(combat, quality, source) for quality in filters(combat, recipient, "protection")
    )


@dataclass(frozen=True)
class Harm:
    """What all sources together do to one recipient: 120.3 damage.result."""

    damage: int = 0
    withering: int = 0
    poison: int = 0
    deathtouch: bool = False

    def plus(self, other: Harm) -> Harm:
        """Both together."""
        return Harm(
            self.damage + other.damage,
            self.withering + other.withering,
            self.poison + other.poison,
            self.deathtouch or other.deathtouch,
        )


@lru_cache(maxsize=100_000)
def harm(combat: Combat, source: str, recipient: str, dealt: int) -> Harm:
    """What one source does to a recipient: wither and infect, toxic, deathtouch, prevention."""
    if is_prevented(combat, source, recipient):
        return Harm()
    infect = has(combat, source, "infect")
    toxic = sum(numbers(combat, source, "toxic"))
    if is_player(combat, recipient):
        return Harm(0 if infect else dealt, 0, toxic + (dealt if infect else 0))
    withers = infect or has(combat, source, "wither")
    return Harm(dealt, dealt if withers else 0, 0, has(combat, source, "deathtouch"))


Tally = tuple[FrozenDict[str, Harm], FrozenDict[str, int]]


def tally(combat: Combat, assignment: Assignment) -> Tally:
    """The harm done to each recipient, and the life that each player gains from lifelink."""
    harms: dict[str, Harm] = {}
    gains: Counter[str] = Counter()
    for source, split in assignment.items():
        for recipient, dealt in split.items():
            harms[recipient] = harm(combat, source, recipient, dealt).plus(
                harms.get(recipient, Harm())
            )
            if has(combat, source, "lifelink") and not is_prevented(combat, source, recipient):
                gains[combat.board.account(combat.bodies[source].controller)] += dealt
    return FrozenDict(harms), FrozenDict(gains)


@lru_cache(maxsize=100_000)
def results(combat: Combat, done: Tally) -> Combat:
    """120.3 damage.result, all at once, and the state-based actions after it."""
    harms, gains = done
    for recipient, suffered in harms.items():
        combat = suffer(combat, recipient, suffered)
    for who, life in gains.items():
        combat = replace(combat, life=put(combat.life, who, combat.life[who] + life))
    return sba.check(combat)


def deal(combat: Combat, assignment: Assignment) -> Combat:
    """510.2 damage.deal.simultaneous."""
    return results(combat, tally(combat, assignment))


def suffer(combat: Combat, name: str, suffered: Harm) -> Combat:
    """One recipient: life or poison, damage or counters, loyalty, defense."""
    if is_player(combat, name):
        who = combat.board.account(name)  # 810.9: dealt to one head, applied to the team
        left = combat.life[who] - suffered.damage
        poison = combat.poison[who] + suffered.poison
        return replace(
            combat,
            life=put(combat.life, who, left),
            poison=put(combat.poison, who, poison),
        )
    if is_creature(combat, name):
        body = combat.bodies[name]
        marked = body.marked + suffered.damage - suffered.withering
        combat = change(combat, name, marked=marked, counters=body.counters + suffered.withering)
        if suffered.deathtouch:
            combat = replace(combat, deathtouched=combat.deathtouched | {name})
    if name in combat.walkers:
        left = max(0, combat.loyalty[name] - suffered.damage)
        combat = replace(combat, loyalty=put(combat.loyalty, name, left))
    if name in combat.battles:
        left = max(0, combat.defense[name] - suffered.damage)
        combat = replace(combat, defense=put(combat.defense, name, left))
    return combat
