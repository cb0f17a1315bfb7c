"""Declaring attackers (508)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product

from pysolver.frozen import FrozenDict
from pysolver.scenario.model import AllAttack, AttackTax, MaxAttackers, MustAttackWith

from . import bands
from .maximum import Costs, Maximum
from .state import (
    Band,
    Combat,
    abilities,
    attackable,
    change,
    controls_land,
    creatures_of,
    defender_for,
    entries,
    has,
    is_creature,
    is_mine,
    is_player,
    numbers,
    of_kind,
    power,
    words,
)

Targets = Mapping[str, str]
AttackKey = tuple[frozenset[tuple[str, str]], frozenset[Band]]


def choose_slugs(combat: Combat, name: str) -> set[str]:
    """508.1a attack.choose: an untapped creature of the active side that is not sick."""
    found: set[str] = set()
    if not is_creature(combat, name):
        return {"attack.choose"}
    body = combat.bodies[name]
    if body.tapped or name in combat.battles or not is_mine(combat, name):
        found.add("attack.choose")
    if combat.board.cards[name].sick and not has(combat, name, "haste"):
        found.add("attack.summoning_sick")
    return found


def restriction_slugs(combat: Combat, attack: Targets) -> set[str]:
    """508.1c attack.restrict: every restriction that the declaration breaks."""
    found = set()
    for name, target in attack.items():
        if has(combat, name, "defender") and not has(combat, name, "attacks_despite_defender"):
            found.add("kw.defender")
        if breaks_phrase(combat, attack, name, target):
            found.add("attack.restrict")
    for effect in combat.board.scenario.effects:
        if isinstance(effect, MaxAttackers):
            aimed = [t for t in attack.values() if effect.attacking in (None, t)]
            if len(aimed) > effect.count:
                found.add("attack.restrict")
    return found


def breaks_phrase(combat: Combat, attack: Targets, name: str, target: str) -> bool:
    """The creature's own phrases; "alone" looks at the whole attack (decision 16)."""
    others = [other for other in attack if other != name]
    defender = defender_for(combat, target)
    for ability in abilities(combat, name):
        argument = ability.args[0] if ability.args else None
        match ability.kind:
            case "cant_attack":
                return True
            case "cant_attack_alone" if not others:
                return True
            case "attacks_only_alone" if others:
                return True
            case "cant_attack_unless_others" if len(others) < int(str(argument)):
                return True
            case "cant_attack_unless_land":
                if defender is None or not controls_land(combat, defender, str(argument)):
                    return True
            case "cant_attack_target" if argument == target:
                return True
            case "cant_attack_unless_greater_power":
                if not any(power(combat, other) > power(combat, name) for other in others):
                    return True
    return False


def requirements_met(combat: Combat, attack: Targets) -> int:
    """508.1d attack.require.max: how many requirements the declaration obeys."""
    met = sum(own_requirements(combat, name, target) for name, target in attack.items())
    for effect in combat.board.scenario.effects:
        if isinstance(effect, AllAttack):
            met += sum(combat.bodies[name].controller == effect.controller for name in attack)
        if isinstance(effect, MustAttackWith):
            met += sum(
                sends_enough(combat, attack, effect, player)
                for player in combat.board.active_players
            )
    return met


def sends_enough(combat: Combat, attack: Targets, effect: MustAttackWith, player: str) -> bool:
    """Whether an attacking player obeys the effect; it counts for each of them (decision 36)."""
    aimed = [
        name
        for name, target in attack.items()
        if combat.bodies[name].controller == player and is_aimed(combat, effect, target)
    ]
    return len(aimed) >= effect.count


def own_requirements(combat: Combat, name: str, target: str) -> int:
    """Those of one attacking creature: its phrases, and two for each goader (701.15)."""
    met = len(of_kind(combat, name, "must_attack"))
    met += words(combat, name, "must_attack_target").count(target)
    for goader in set(combat.board.cards[name].goaded_by):
        met += 1
        met += is_player(combat, target) and target != goader
    return met


def is_aimed(combat: Combat, effect: MustAttackWith, target: str) -> bool:
    """Whether an attack on the target is one that the effect asks for."""
    if target == effect.defender:
        return True
    return effect.planeswalkers and combat.walkers.get(target) == effect.defender


def costs(combat: Combat, attack: Targets) -> dict[tuple[str, ...], int]:
    """508.1h attack.cost.total: what each attacker costs, by the source of the cost."""
    found: dict[tuple[str, ...], int] = {}
    for name, target in attack.items():
        for index, amount in enumerate(numbers(combat, name, "attack_cost")):
            found[name, "itself", str(index)] = amount
        for index, effect in enumerate(combat.board.scenario.effects):
            if isinstance(effect, AttackTax) and is_taxed(combat, effect, target):
                found[name, "effect", str(index)] = effect.mana
    return found


def is_taxed(combat: Combat, effect: AttackTax, target: str) -> bool:
    """Attacks on the player, and on planeswalkers only where the effect says so."""
    if target == effect.protects:
        return True
    return effect.planeswalkers and combat.walkers.get(target) == effect.protects


def payable(combat: Combat, due: Mapping[tuple[str, ...], int]) -> bool:
    """508.1j attack.cost.pay: each attacking player pays for his own creatures."""
    bill: Counter[str] = Counter()
    for key, amount in due.items():
        bill[combat.bodies[key[0]].controller] += amount
    return all(total <= combat.board.mana[player] for player, total in bill.items())


def candidates(combat: Combat) -> Iterator[dict[str, str]]:
    """Every choice of attackers and targets that keeps each restriction (508.1a-c)."""
    mine = creatures_of(combat, combat.board.active_players)
    names = [name for name in mine if not choose_slugs(combat, name)]
    targets: list[str | None] = [None, *attackable(combat)]
    for chosen in product(targets, repeat=len(names)):
        attack = {n: t for n, t in zip(names, chosen, strict=True) if t is not None}
        if not restriction_slugs(combat, attack):
            yield attack


def maximum(combat: Combat) -> Maximum[Targets]:
    """The yardstick of 508.1d for this board."""
    return Maximum(
        (requirements_met(combat, attack), frozenset(costs(combat, attack)))
        for attack in candidates(combat)
    )


def legal(combat: Combat) -> Iterator[dict[str, str]]:
    """508.1a-d and j: the legal choices of attackers, before bands are announced."""
    yardstick = maximum(combat)
    for attack in candidates(combat):
        due = costs(combat, attack)
        paid: Costs = frozenset(due)
        if payable(combat, due) and yardstick.reached(requirements_met(combat, attack), paid):
            yield attack


def violations(combat: Combat) -> set[str]:
    """Every rule that the scenario's fixed attack breaks."""
    fixed = combat.board.scenario.attack
    if fixed is None:
        return set()
    attack = dict(fixed.attackers)
    found: set[str] = set()
    for name, target in attack.items():
        found |= choose_slugs(combat, name)
        if target not in attackable(combat):
            found.add("attack.target")
    present = {name: t for name, t in attack.items() if name in combat.bodies}
    found |= restriction_slugs(combat, present)
    due = costs(combat, present)
    if not payable(combat, due):
        found.add("attack.cost.pay")
    met = requirements_met(combat, present)
    if not found and not maximum(combat).reached(met, frozenset(due)):
        found.add("attack.require.max")
    return found | bands.slugs(combat, attack, fixed.bands)


def declarations(combat: Combat) -> Iterator[AttackKey]:
    """508.1 attack.procedure: every legal attack, or the fixed one if it is legal."""
    fixed = combat.board.scenario.attack
    if fixed is not None:
        if not violations(combat):
            groups = frozenset(frozenset(band) for band in fixed.bands if len(set(band)) > 1)
            yield entries(fixed.attackers), groups
        return
    for attack in legal(combat):
        for announced in bands.choices(combat, attack):
            yield entries(attack), announced


def declare(combat: Combat, key: AttackKey) -> Combat:
    """508.1f attack.tap and 508.1k attack.become."""
    attack = dict(sorted(key[0]))
    for name in attack:
        if not has(combat, name, "vigilance"):
            combat = change(combat, name, tapped=True)
    aimed: dict[str, str | None] = dict(attack)
    defenders = {name: str(defender_for(combat, target)) for name, target in attack.items()}
    return replace(
        combat,
        attacking=FrozenDict(aimed),
        defender_of=FrozenDict(defenders),
        bands=key[1],
        declared_attack=FrozenDict(attack),
        had_attackers=bool(attack),
        doomed=frozenset(name for name in attack if has(combat, name, "decayed")),
    )
