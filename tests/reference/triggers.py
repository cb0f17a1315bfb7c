"""Triggered abilities of attacking and blocking (508.1m, 509.1i), resolved one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from . import sba
from .state import (
    Combat,
    Pair,
    blocked_by,
    change,
    creatures_of,
    has,
    is_player,
    numbers,
    of_kind,
)

# What the trigger is, the creature that has it, and its number or the creature it hits.
Trigger = tuple[str, str, str | int]


def pump(combat: Combat, name: str, power: int, toughness: int) -> Combat:
    """Change power and toughness until end of turn; nothing if the creature is gone."""
    body = combat.bodies.get(name)
    if body is None:
        return combat
    return change(combat, name, power=body.power + power, toughness=body.toughness + toughness)


def opponents_attacked(combat: Combat, player: str) -> set[str]:
    """The opponents whom the player's own creatures were declared to attack (702.121)."""
    return {
        target
        for name, target in combat.declared_attack.items()
        if is_player(combat, target) and combat.bodies[name].controller == player
    }


def attack_triggers(combat: Combat) -> Combat:
    """Exalted (702.83), battle cry (702.91), melee (702.121): no order matters here."""
    attackers = list(combat.declared_attack)
    before = combat
    if len(attackers) == 1:
        mine = creatures_of(combat, [combat.bodies[attackers[0]].controller])
        bonus = sum(len(of_kind(before, name, "exalted")) for name in mine)
        combat = pump(combat, attackers[0], bonus, bonus)
    for name in attackers:
        opponents = len(opponents_attacked(before, before.bodies[name].controller))
        for other in attackers:
            if other != name:
                combat = pump(combat, other, len(of_kind(before, name, "battle_cry")), 0)
        melee = opponents * len(of_kind(before, name, "melee"))
        combat = pump(combat, name, melee, melee)
    return sba.check(combat)


def flanking(combat: Combat, pairs: Iterable[Pair]) -> list[Trigger]:
    """702.25 kw.flanking: for each creature without flanking that blocks it."""
    return [
        ("flanking", attacker, blocker)
        for blocker, attacker in pairs
        if not has(combat, blocker, "flanking")
        for _ in of_kind(combat, attacker, "flanking")
    ]


def becomes_blocked(combat: Combat, attackers: Iterable[str]) -> list[Trigger]:
    """702.23 kw.rampage and 702.45 kw.bushido, on becoming blocked: once each."""
    return [
        (kind, attacker, number)
        for attacker in attackers
        for kind in ("rampage", "bushido")
        for number in numbers(combat, attacker, kind)
    ]


def blocks(combat: Combat, blockers: Iterable[str]) -> list[Trigger]:
    """702.45 kw.bushido, on blocking: once for each creature."""
    return [("bushido", name, n) for name in blockers for n in numbers(combat, name, "bushido")]


def of_declaration(combat: Combat) -> list[list[Trigger]]:
    """The triggers of the block declaration: the defending side's, then the active side's."""
    if combat.board.reading("propagated_triggers", "all") == "all":
        pairs = combat.blocking
    else:
        pairs = combat.declared_blocks
    blocked = {attacker for _, attacker in pairs}
    return [
        blocks(combat, combat.blockers),
        flanking(combat, pairs) + becomes_blocked(combat, blocked),
    ]


def resolve(combat: Combat, trigger: Trigger) -> Combat:
    """One trigger resolves; rampage counts the blockers now (702.23b)."""
    kind, name, value = trigger
    if kind == "flanking":
        return sba.check(pump(combat, str(value), -1, -1))
    number = int(value)
    if kind == "rampage":
        number *= max(0, len(blocked_by(combat, name)) - 1)
    return sba.check(pump(combat, name, number, number))


def in_every_order(combat: Combat, waiting: list[Trigger]) -> set[Combat]:
    """A side's triggers resolve in an order of its choice: every state that can result."""
    frontier = {(combat, frozenset(Counter(waiting).items()))}
    for _ in waiting:
        following = set()
        for state, left in frontier:
            for trigger, count in left:
                rest = dict(left)
                rest[trigger] = count - 1
                remaining = frozenset(item for item in rest.items() if item[1])
                following.add((state if state.over else resolve(state, trigger), remaining))
        frontier = following
    return {state for state, _ in frontier}


def resolve_sides(combat: Combat, sides: list[list[Trigger]]) -> set[Combat]:
    """One side's triggers after the other's (decision 22)."""
    states = {combat}
    for waiting in sides:
        states = {after for state in states for after in in_every_order(state, waiting)}
    return states
