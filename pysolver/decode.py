"""From the shown atoms of a model to a typed result."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import cast

from pysolver.catalogue import citation
from pysolver.frozen import FrozenDict
from pysolver.results import (
    Attack,
    AuthorityLine,
    BlockDeclaration,
    Blocks,
    Damage,
    History,
    Outcome,
)
from pysolver.scenario.model import Scenario, Step
from pysolver.solver import Atom, Term

__all__ = [
    "attack",
    "authority",
    "block",
    "block_with_attack",
    "damage",
    "history",
    "outcome",
    "outcome_with_history",
    "violations",
    "witness",
]

STEPS: dict[Term, Step] = {"first_strike": "first-strike", "regular": "regular"}


def attack(atoms: Iterable[Atom]) -> Attack:
    """A declaration of attackers: bands of two or more, members and bands sorted."""
    attackers: dict[str, str] = {}
    members: defaultdict[Term, set[str]] = defaultdict(set)
    for atom in atoms:
        if atom.name == "declared_attack":
            creature, target = cast("tuple[str, str]", atom.args)
            attackers[creature] = target
        elif atom.name == "in_band":
            creature, band = atom.args
            members[band].add(cast(str, creature))
    bands = sorted(tuple(sorted(band)) for band in members.values())
    return Attack(FrozenDict(attackers), tuple(bands))


def block(atoms: Iterable[Atom]) -> BlockDeclaration:
    """A declaration of blockers, and what bands make of it."""
    return _block(list(atoms), None)


def block_with_attack(atoms: Iterable[Atom]) -> BlockDeclaration:
    """A declaration of blockers with the attack that it answers."""
    atoms = list(atoms)
    return _block(atoms, attack(atoms))


def _block(atoms: list[Atom], blocked: Attack | None) -> BlockDeclaration:
    blocks = _grouped(atoms, "declared_block")
    return BlockDeclaration(Blocks(blocks), _grouped(atoms, "blocked_by"), blocked)


def _grouped(atoms: Iterable[Atom], name: str) -> FrozenDict[str, tuple[str, ...]]:
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for atom in atoms:
        if atom.name == name:
            key, value = cast("tuple[str, str]", atom.args)
            groups[key].append(value)
    return FrozenDict((key, tuple(sorted(values))) for key, values in groups.items())


def damage(atoms: Iterable[Atom]) -> Damage:
    """An assignment of damage in every step that takes place."""
    steps: dict[Step, defaultdict[str, dict[str, int]]] = {}
    atoms = list(atoms)
    taking_place = {atom.args[0] for atom in atoms if atom.name == "takes_place"}
    for name, step in STEPS.items():
        if name in taking_place:
            steps[step] = defaultdict(dict)
    for atom in atoms:
        if atom.name == "assigned":
            name, source, recipient, amount = cast("tuple[str, str, str, int]", atom.args)
            steps[STEPS[name]][source][recipient] = amount
    return Damage(
        FrozenDict(
            (step, FrozenDict((source, FrozenDict(split)) for source, split in sources.items()))
            for step, sources in steps.items()
        )
    )


def authority(atoms: Iterable[Atom], date: datetime.date) -> tuple[AuthorityLine, ...]:
    """The table of who divides what, steps in order, sources sorted."""
    recipients: defaultdict[tuple[Term, Term], list[str]] = defaultdict(list)
    choosers: dict[tuple[Term, Term], tuple[str, str]] = {}
    for atom in atoms:
        if atom.name == "recipient":
            recipients[atom.args[0], atom.args[1]].append(cast(str, atom.args[2]))
        elif atom.name == "divides":
            step, source, chooser, slug = atom.args
            choosers[step, source] = cast("tuple[str, str]", (chooser, slug))
    return tuple(
        AuthorityLine(
            STEPS[step],
            cast(str, source),
            chooser,
            tuple(sorted(recipients[step, source])),
            slug,
            citation(slug, date),
        )
        for (step, source), (chooser, slug) in sorted(choosers.items(), key=str)
    )


def _outcome(
    atoms: Iterable[Atom], order: tuple[str, ...], history: History | None = None
) -> Outcome:
    died: list[str] = []
    life: dict[str, int] = {}
    for atom in atoms:
        if atom.name == "died":
            died.append(cast(str, atom.args[0]))
        elif atom.name == "final_life":
            player, total = cast("tuple[str, int]", atom.args)
            life[player] = total
    return Outcome(
        died=tuple(sorted(died)),
        regenerated=(),
        life=FrozenDict((player, life[player]) for player in order),
        history=history,
    )


def _order(scenario: Scenario) -> tuple[str, ...]:
    return tuple(player.name for player in scenario.players)


def outcome(scenario: Scenario) -> Callable[[list[Atom]], Outcome]:
    """A reader of results; life totals stand in turn order."""
    order = _order(scenario)
    return lambda atoms: _outcome(atoms, order)


def witness(scenario: Scenario) -> Callable[[list[Atom]], History]:
    """A reader of histories without their result."""
    return _history


def _history(atoms: list[Atom], result: Outcome | None = None) -> History:
    return History(
        attack=attack(atoms),
        blocks=Blocks(_grouped(atoms, "declared_block")),
        damage=damage(atoms),
        outcome=result,
    )


def outcome_with_history(scenario: Scenario) -> Callable[[list[Atom]], Outcome]:
    """A reader of results, each with one history that leads to it."""
    order = _order(scenario)
    return lambda atoms: _outcome(atoms, order, _history(atoms))


def history(scenario: Scenario) -> Callable[[list[Atom]], History]:
    """A reader of whole histories with their results."""
    order = _order(scenario)
    return lambda atoms: _history(atoms, _outcome(atoms, order))


def violations(atoms: Iterable[Atom]) -> list[tuple[str, tuple[str, ...]]]:
    """Broken rules: the slug, and the names of those who break it."""
    found = {
        (cast(str, atom.args[0]), tuple(_names(atom.args[1])))
        for atom in atoms
        if atom.name == "violation"
    }
    return sorted(found)


def _names(term: Term) -> Iterable[str]:
    if isinstance(term, tuple):
        for part in term:
            yield from _names(part)
    else:
        yield str(STEPS.get(term, term))
