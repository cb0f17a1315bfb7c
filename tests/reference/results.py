"""Results in the shapes that the commands print, as canonical text."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from pysolver.scenario.abilities import Ability
from pysolver.scenario.model import Event
from pysolver.scenario.phrases import ability_text

from .attackers import AttackKey
from .blockers import Declared
from .damage import Assignment
from .phases import Note
from .state import Combat, starting_poison


def canonical(value: Any) -> str:
    """One text for one value."""
    return json.dumps(value, sort_keys=True)


def attack_json(key: AttackKey) -> dict[str, Any]:
    """An attack, with members and bands sorted."""
    return {"attackers": dict(sorted(key[0])), "bands": sorted(sorted(band) for band in key[1])}


def pairs_json(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Pairs as a mapping from the first to every second."""
    found: dict[str, list[str]] = {}
    for first, second in sorted(pairs):
        found.setdefault(first, []).append(second)
    return found


def event_json(event: Event) -> dict[str, Any]:
    """An event as written, without ``may``."""
    details = {key: shown(value) for key, value in event.details.items()}
    if event.operation == "prevent-combat-damage":
        return {"at": event.at, event.operation: details}
    if event.operation == "pump":
        pt = f"{event.details['power']:+}/{event.details['toughness']:+}"
        details = {"pt": pt}
    subject = {"creature": event.subject, **details} if details else event.subject
    return {"at": event.at, event.operation: subject}


def shown(value: int | str | Ability) -> Any:
    """An argument of an event."""
    if isinstance(value, Ability):
        return ability_text(value)
    return value


def damage_json(steps: Iterable[tuple[str, Assignment]]) -> dict[str, Any]:
    """An assignment: step, source, recipient, amount."""
    return {
        step: {source: dict(sorted(split.items())) for source, split in assignment.items()}
        for step, assignment in steps
    }


def outcome_json(combat: Combat) -> dict[str, Any]:
    """The result of a combat (decision 8)."""
    scenario = combat.board.scenario
    found: dict[str, Any] = {
        "died": sorted(combat.died),
        "regenerated": sorted(combat.regenerated),
        "life": dict(sorted(combat.life.items())),
    }
    changed = {
        "poison": {
            who: n
            for who, before in starting_poison(combat.board).items()
            if (n := combat.poison[who]) != before
        },
        "loyalty": {
            w.name: n for w in scenario.planeswalkers if (n := combat.loyalty[w.name]) != w.loyalty
        },
        "defense": {
            b.name: n for b in scenario.battles if (n := combat.defense[b.name]) != b.defense
        },
        "counters": {n: {"-1/-1": b.counters} for n, b in combat.bodies.items() if b.counters},
    }
    return found | {key: value for key, value in changed.items() if value}


def history_json(notes: Iterable[Note], final: Combat) -> dict[str, Any]:
    """One complete combat, choice by choice."""
    attack: AttackKey = (frozenset(), frozenset())
    declared: Declared = frozenset()
    events: list[Event] = []
    steps = []
    for note in notes:
        attack = note.attack or attack
        declared = note.blocks[0] if note.blocks else declared
        events += note.events
        if note.damage:
            steps.append(note.damage)
    return {
        "attack": attack_json(attack),
        "blocks": pairs_json(declared),
        "events": [event_json(event) for event in events],
        "damage": damage_json(steps),
        "outcome": outcome_json(final),
    }
