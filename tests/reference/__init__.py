"""A second reading of the combat rules: brute force in plain Python, for small boards.

Written from the rules and not from the encodings, so that both can be wrong only in different
ways. The current edition and every variant, with every reading of a disputed point. The files
follow the combat phase: :mod:`.attackers`, :mod:`.blockers`, :mod:`.triggers`, :mod:`.damage`,
with :mod:`.events` between them and :mod:`.phases` to lead through all of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pysolver.scenario.model import Scenario, Step

from . import attackers, blockers, phases
from . import damage as damage_rules
from .attackers import AttackKey
from .blockers import BlocksKey
from .damage import Line
from .phases import TO_BLOCKS, TO_DAMAGE, TO_SECOND_STEP, WHOLE, Note
from .results import canonical, history_json, outcome_json
from .state import Combat, start

__all__ = [
    "AttackKey",
    "BlocksKey",
    "DamageKey",
    "Line",
    "attack_violations",
    "attacks",
    "authority",
    "block_violations",
    "blocks",
    "blocks_each_attack",
    "check",
    "courses",
    "damage",
    "damage_violations",
    "histories",
    "outcomes",
]

DamageKey = tuple[tuple[Step, ...], frozenset[tuple[Step, str, str, int]]]


def attacks(scenario: Scenario) -> set[AttackKey]:
    """Every legal attack declaration; only the fixed one where one is fixed."""
    return set(attackers.declarations(start(scenario)))


def blocks_each_attack(scenario: Scenario) -> set[tuple[AttackKey, BlocksKey]]:
    """Every legal block declaration with the attack that it answers."""
    found = set()
    for note, declared in phases.declare_attackers(start(scenario)):
        assert note.attack is not None
        for state in phases.states(declared, TO_BLOCKS[1:]):
            for answer, _ in phases.declare_blockers(state):
                assert answer.blocks is not None
                found.add((note.attack, answer.blocks))
    return found


def blocks(scenario: Scenario) -> set[BlocksKey]:
    """Every legal block declaration, over all courses until then."""
    return {key for _, key in blocks_each_attack(scenario)}


def authority(scenario: Scenario) -> set[Line]:
    """Who divides whose damage: step, source, chooser, recipients, slug; over all courses."""
    found: set[Line] = set()
    combat = start(scenario)
    plan: list[tuple[Step, tuple[phases.Stage, ...]]] = [
        ("first-strike", TO_DAMAGE),
        ("regular", TO_SECOND_STEP),
    ]
    for step, stages in plan:
        for state in phases.states(combat, stages):
            if phases.has_step(state, step):
                found |= damage_rules.authority(damage_rules.begin_step(state, step), step)
    return found


def damage_key(notes: tuple[Note, ...]) -> DamageKey:
    """The damage of a course: the steps that took place, and what was assigned in each."""
    made = [note.damage for note in notes if note.damage is not None]
    return tuple(step for step, _ in made), frozenset(
        (step, source, recipient, amount)
        for step, assignment in made
        for source, split in assignment.items()
        for recipient, amount in split.items()
    )


def damage(scenario: Scenario) -> set[DamageKey]:
    """Every legal damage assignment of the whole combat."""
    frontier: set[tuple[tuple[Note, ...], Combat]] = {
        ((), state) for state in phases.states(start(scenario), TO_DAMAGE)
    }
    for stage in WHOLE[len(TO_DAMAGE) :]:
        frontier = {
            ((*notes, note) if note.damage else notes, after)
            for notes, state in frontier
            for note, after in stage(state)
        }
    return {damage_key(notes) for notes, _ in frontier}


def outcomes(scenario: Scenario) -> set[str]:
    """Every distinct result, as canonical JSON."""
    return {canonical(outcome_json(final)) for final in phases.states(start(scenario), WHOLE)}


def courses(scenario: Scenario) -> Iterator[tuple[dict[str, Any], Combat]]:
    """Every complete combat as its history, with the state it ends in."""
    for notes, final in phases.courses(start(scenario), WHOLE):
        yield history_json(notes, final), final


def histories(scenario: Scenario) -> list[str]:
    """Every distinct complete combat, choice by choice, as canonical JSON, sorted."""
    return sorted({canonical(history) for history, _ in courses(scenario)})


def attack_violations(scenario: Scenario) -> set[str]:
    """The rules that the fixed attack breaks."""
    return attackers.violations(start(scenario))


def fewest(found: list[set[str]]) -> set[str]:
    """Of the violations of every course, the fewest: one course without any is enough."""
    return min(found, key=lambda slugs: (len(slugs), sorted(slugs)), default=set())


def block_violations(scenario: Scenario) -> set[str]:
    """The rules that the fixed blocks break, if the attack is legal."""
    found = []
    for state in phases.states(start(scenario), TO_BLOCKS):
        if state.had_attackers and not state.over:
            found.append(blockers.violations(state))
        else:
            found.append({"block.choose"} if blockers.fixed_pairs(state) else set())
    return fewest(found)


def damage_violations(scenario: Scenario) -> set[str]:
    """The rules that the fixed damage breaks, if attack and blocks are legal."""
    if scenario.damage is None or phases.states(start(scenario), WHOLE):
        return set()
    found = []
    plan: list[tuple[Step, tuple[phases.Stage, ...]]] = [
        ("first-strike", TO_DAMAGE),
        ("regular", TO_SECOND_STEP),
    ]
    for step, stages in plan:
        for state in phases.states(start(scenario), stages):
            if not phases.has_step(state, step):
                slugs = {"damage.assign.check_total"}
                found.append(
                    slugs if any(damage_rules.fixed_splits(state, step).values()) else set()
                )
            else:
                begun = damage_rules.begin_step(state, step)
                found.append(damage_rules.fixed_slugs(begun, step))
    return fewest([slugs for slugs in found if slugs])


def check(scenario: Scenario) -> tuple[bool, set[str]]:
    """Whether what is fixed is legal, and the rules that it breaks (decision 12)."""
    for judge in (attack_violations, block_violations, damage_violations):
        found = judge(scenario)
        if found:
            return False, found
    return True, set()
