"""What players do between the turn-based actions, as events of the scenario."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pysolver.scenario.abilities import Ability
from pysolver.scenario.model import Event, Point

from . import sba, triggers
from .state import (
    BANDING,
    Combat,
    attackable,
    band_of,
    blocked_by,
    change,
    defender_for,
    defends,
    is_creature,
    is_mine,
    is_player,
    leave_band,
    leave_battlefield,
    on_battlefield,
    put,
    remove_creature,
    remove_from_combat,
    stop_attacks_on,
    without,
)


def text(event: Event, key: str) -> str:
    """An argument of the event that is a name or a word."""
    value = event.details[key]
    assert isinstance(value, str)
    return value


def number(event: Event, key: str) -> int:
    """An argument of the event that is a number."""
    value = event.details[key]
    assert isinstance(value, int)
    return value


def at(combat: Combat, point: Point) -> Iterator[tuple[tuple[Event, ...], Combat]]:
    """Every course of the events at one point: what happened, and the state after it."""
    listed = [event for event in combat.board.scenario.events if event.at == point]
    yield from in_turn(combat, listed)


def in_turn(combat: Combat, listed: list[Event]) -> Iterator[tuple[tuple[Event, ...], Combat]]:
    """The events in their order; an optional one branches."""
    if not listed or combat.over:
        yield (), combat
        return
    event, rest = listed[0], listed[1:]
    if event.may is not None:
        yield from in_turn(combat, rest)
    for state in happen(combat, event):
        for later, after in in_turn(state, rest):
            yield (event, *later), after


def happen(combat: Combat, event: Event) -> set[Combat]:
    """One event, its state-based actions, and the triggers of what it made happen."""
    after = sba.check(apply(combat, event))
    newly = after.blocked - combat.blocked
    pairs = after.blocking - combat.blocking
    if after.board.reading("propagated_triggers", "all") == "declared":
        named = {event.subject, event.details.get("attacker")}
        newly &= named
        pairs = frozenset((blocker, attacker) for blocker, attacker in pairs if attacker in named)
    if after.over or not (newly or pairs):
        return {after}
    waiting = triggers.flanking(after, pairs) + triggers.becomes_blocked(after, newly)
    return triggers.resolve_sides(after, [waiting])


def apply(combat: Combat, event: Event) -> Combat:
    """The event itself; on something that is not there it does nothing."""
    name = event.subject
    if event.operation == "prevent-combat-damage":
        if "by" in event.details:
            return replace(combat, prevented_by=combat.prevented_by | {text(event, "by")})
        return replace(combat, prevented_to=combat.prevented_to | {text(event, "to")})
    if not on_battlefield(combat, name):
        return combat
    match event.operation:
        case "remove":
            return remove_from_combat(combat, name)
        case "destroy":
            return sba.destroy(combat, [name])
        case "sacrifice":
            return leave_battlefield(combat, [name], died=True)
        case "exile":
            return leave_battlefield(combat, [name], died=False)
        case "damage":
            return hurt(combat, name, number(event, "amount"))
        case "control":
            return control(combat, name, text(event, "to"))
    return to_creature(combat, event) if name in combat.bodies else combat


def to_creature(combat: Combat, event: Event) -> Combat:
    """The events that only creatures take part in."""
    name = event.subject
    body = combat.bodies[name]
    match event.operation:
        case "regenerate":
            return change(combat, name, shields=body.shields + 1)
        case "pump":
            return triggers.pump(combat, name, number(event, "power"), number(event, "toughness"))
        case "gain":
            return gain(combat, event)
        case "lose":
            return lose(combat, event)
        case "tap":
            return change(combat, name, tapped=True)
        case "untap":
            return change(combat, name, tapped=False)
        case "become-blocked":
            return become_blocked(combat, name)
        case "become-unblocked":
            return become_unblocked(combat, name)
        case "put-attacking":
            return put_attacking(combat, name, text(event, "target"), event.at)
        case "put-blocking":
            return put_blocking(combat, name, text(event, "attacker"))
        case "reselect":
            return reselect(combat, name, text(event, "target"))
    raise ValueError(event.operation)


def hurt(combat: Combat, name: str, amount: int) -> Combat:
    """Damage that is no combat damage, from a source without qualities."""
    if is_creature(combat, name):
        combat = change(combat, name, marked=combat.bodies[name].marked + amount)
    if name in combat.walkers:
        left = max(0, combat.loyalty[name] - amount)
        combat = replace(combat, loyalty=put(combat.loyalty, name, left))
    if name in combat.battles:
        left = max(0, combat.defense[name] - amount)
        combat = replace(combat, defense=put(combat.defense, name, left))
    return combat


def control(combat: Combat, name: str, player: str) -> Combat:
    """506.4 combat.remove: a new controller, or a new protector of a battle.

    Nothing comes under the control of a player who has left (800.4b).
    """
    if not is_player(combat, player):
        return combat
    if name in combat.bodies and combat.bodies[name].controller != player:
        combat = change(remove_from_combat(combat, name), name, controller=player)
    if name in combat.walkers and combat.walkers[name] != player:
        combat = remove_from_combat(combat, name)
        combat = replace(combat, walkers=put(combat.walkers, name, player))
    if name in combat.battles and combat.battles[name] != player:
        combat = remove_from_combat(combat, name)
        combat = replace(combat, battles=put(combat.battles, name, player))
    return combat


def gain(combat: Combat, event: Event) -> Combat:
    """A creature gains an ability or a type."""
    name = event.subject
    body = combat.bodies[name]
    if "type" in event.details:
        word = text(event, "type")
        if word == "planeswalker" and name in combat.loyalty:
            combat = replace(combat, walkers=put(combat.walkers, name, body.controller))
        return change(
            combat,
            name,
            gained_types=body.gained_types | {word},
            lost_types=body.lost_types - {word},
        )
    ability = event.details["ability"]
    assert isinstance(ability, Ability)
    return change(combat, name, gained=(*body.gained, ability))


def lose(combat: Combat, event: Event) -> Combat:
    """A creature loses an ability or a type; 702.22b banding.bwo.is_banding."""
    name = event.subject
    body = combat.bodies[name]
    if "type" in event.details:
        word = text(event, "type")
        combat = change(
            combat,
            name,
            gained_types=body.gained_types - {word},
            lost_types=body.lost_types | {word},
        )
        if word == "planeswalker" and name in combat.walkers:  # 506.4d combat.remove.blocking_pw
            combat = stop_attacks_on(combat, name)
            combat = replace(combat, walkers=without(combat.walkers, [name]))
        return combat if is_creature(combat, name) else remove_creature(combat, name)
    ability = event.details["ability"]
    assert isinstance(ability, Ability)
    kept = tuple(
        other
        for other in body.gained
        if other != ability and not (ability == BANDING and other.kind == "bands_with_other")
    )
    return change(combat, name, gained=kept, lost=body.lost | {ability})


def become_blocked(combat: Combat, name: str) -> Combat:
    """509.1h block.status; 702.22i banding.propagate.effect: every member becomes blocked."""
    if name not in combat.attacking or name in combat.blocked:
        return combat
    return replace(combat, blocked=combat.blocked | band_of(combat, name))


def become_unblocked(combat: Combat, name: str) -> Combat:
    """509.1h block.status: nothing while creatures block it (decision 28); A-19 for bands."""
    if name not in combat.attacking:
        return combat
    band = combat.board.reading("unblocking", "member") == "band"
    group = band_of(combat, name) if band else {name}
    free = {member for member in group if not blocked_by(combat, member)}
    return replace(combat, blocked=combat.blocked - free) if name in free else combat


def put_attacking(combat: Combat, name: str, target: str, point: Point) -> Combat:
    """508.4 attack.put_attacking: not declared, not tapped, in no band, unblocked."""
    mine = is_mine(combat, name)
    free = name not in combat.attacking and name not in combat.battles
    if not (mine and free and target in attackable(combat) and is_creature(combat, name)):
        return combat
    return replace(
        combat,
        attacking=put(combat.attacking, name, target),
        defender_of=put(combat.defender_of, name, str(defender_for(combat, target))),
        had_attackers=combat.had_attackers or point == "attackers",
    )


def put_blocking(combat: Combat, name: str, attacker: str) -> Combat:
    """509.4 block.put_blocking; the whole band becomes blocked (702.22h)."""
    if attacker not in combat.attacking or name in combat.battles:
        return combat
    if not defends(combat, combat.bodies[name].controller, attacker):
        return combat
    if not is_creature(combat, name):
        return combat
    band = band_of(combat, attacker)
    return replace(
        combat,
        blockers=combat.blockers | {name},
        blocking=combat.blocking | {(name, member) for member in band},
        blocked=combat.blocked | band,
    )


def reselect(combat: Combat, name: str, target: str) -> Combat:
    """508.7 attack.reselect: stays in combat; A-14 for its band."""
    if name not in combat.attacking or target not in attackable(combat):
        return combat
    if combat.attacking[name] == target:
        return combat
    if combat.board.reading("reselect_in_band", "stays") == "leaves":
        combat = leave_band(combat, name)
    return replace(
        combat,
        attacking=put(combat.attacking, name, target),
        defender_of=put(combat.defender_of, name, str(defender_for(combat, target))),
        walker_gone=combat.walker_gone - {name},
    )


def end_of_combat(combat: Combat) -> Combat:
    """702.147 kw.decayed: sacrificed at end of combat, if its controller did not change."""
    doomed = [
        name
        for name in sorted(combat.doomed)
        if name in combat.bodies
        and combat.bodies[name].controller == combat.board.cards[name].controller
    ]
    return sba.check(leave_battlefield(combat, doomed, died=True))


__all__ = ["at", "end_of_combat", "happen"]
