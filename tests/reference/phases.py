"""The combat phase from step to step: every choice at each, and the state that follows.

Each stage takes one state to the notes and states that can follow it. A stage that does not take
place, or a game that is over, passes the state on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pysolver.scenario.model import Event, Point, Step

from . import attackers, blockers, damage, events, triggers
from .attackers import AttackKey
from .blockers import BlocksKey
from .damage import Assignment
from .state import Combat


@dataclass(frozen=True)
class Note:
    """What happened in one stage."""

    attack: AttackKey | None = None
    blocks: BlocksKey | None = None
    events: tuple[Event, ...] = ()
    damage: tuple[Step, Assignment] | None = None


Stage = Callable[[Combat], Iterator[tuple[Note, Combat]]]
NOTHING = Note()


def declare_attackers(combat: Combat) -> Iterator[tuple[Note, Combat]]:
    """508.1 attack.procedure."""
    for key in attackers.declarations(combat):
        yield Note(attack=key), attackers.declare(combat, key)


def attack_triggers(combat: Combat) -> Iterator[tuple[Note, Combat]]:
    """508.2 attack.trigger."""
    yield NOTHING, triggers.attack_triggers(combat)


def events_at(point: Point) -> Stage:
    """What players do at one point."""

    def stage(combat: Combat) -> Iterator[tuple[Note, Combat]]:
        if not takes_place(combat, point):
            yield NOTHING, combat
            return
        for happened, after in events.at(combat, point):
            yield Note(events=happened), after

    return stage


def takes_place(combat: Combat, point: Point) -> bool:
    """508.8 attack.none_skip; first-strike events need a first step (decision 25)."""
    if point == "blockers":
        return combat.had_attackers
    if point == "first-strike":
        return combat.first_step
    return True


def declare_blockers(combat: Combat) -> Iterator[tuple[Note, Combat]]:
    """509.1 block.procedure; skipped where nothing attacked (508.8)."""
    if not combat.had_attackers or combat.over:
        if not blockers.fixed_pairs(combat):
            yield Note(blocks=(frozenset(), frozenset())), combat
        return
    for key in blockers.declarations(combat):
        yield Note(blocks=key), blockers.declare(combat, key)


def block_triggers(combat: Combat) -> Iterator[tuple[Note, Combat]]:
    """509.2 block.trigger, in every order."""
    for after in triggers.resolve_sides(combat, triggers.of_declaration(combat)):
        yield NOTHING, after


def has_step(combat: Combat, step: Step) -> bool:
    """Whether a damage step takes place (506.1, 508.8, 510.4)."""
    if combat.over or not combat.had_attackers:
        return False
    return step == "regular" or damage.has_first_step(combat)


def damage_step(step: Step) -> Stage:
    """510 combat damage."""

    def stage(combat: Combat) -> Iterator[tuple[Note, Combat]]:
        if not has_step(combat, step):
            if not any(damage.fixed_splits(combat, step).values()):
                yield NOTHING, combat
            return
        begun = damage.begin_step(combat, step)
        for assignment in damage.assignments(begun, step):
            yield Note(damage=(step, assignment)), damage.deal(begun, assignment)

    return stage


def end_of_combat(combat: Combat) -> Iterator[tuple[Note, Combat]]:
    """511 combat.end."""
    yield NOTHING, combat if combat.over else events.end_of_combat(combat)


TO_BLOCKS: tuple[Stage, ...] = (
    declare_attackers,
    attack_triggers,
    events_at("attackers"),
)
TO_DAMAGE: tuple[Stage, ...] = (
    *TO_BLOCKS,
    declare_blockers,
    block_triggers,
    events_at("blockers"),
)
TO_SECOND_STEP: tuple[Stage, ...] = (
    *TO_DAMAGE,
    damage_step("first-strike"),
    events_at("first-strike"),
)
WHOLE: tuple[Stage, ...] = (
    *TO_SECOND_STEP,
    damage_step("regular"),
    end_of_combat,
    events_at("end"),
)


def states(combat: Combat, stages: tuple[Stage, ...]) -> set[Combat]:
    """Every state that the stages can lead to."""
    frontier = {combat}
    for stage in stages:
        frontier = {after for state in frontier for _, after in stage(state)}
    return frontier


def courses(combat: Combat, stages: tuple[Stage, ...]) -> Iterator[tuple[tuple[Note, ...], Combat]]:
    """Every course of the stages, choice by choice."""
    if not stages:
        yield (), combat
        return
    for note, after in stages[0](combat):
        for later, final in courses(after, stages[1:]):
            yield (note, *later), final
