"""Statements about a combat, judged for one course at a time.

A statement is a tree; :func:`text` writes it in the words of the query language, so that a random
one (:func:`random_statement`) can be asked of the solver. What a course has shown so far of the
terms that look back (who was blocked, who divided, who dealt damage) is kept beside the state of
the combat: :func:`observe`. All the other terms are read from the state at the end.
"""

from __future__ import annotations

import operator
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from pysolver.frozen import FrozenDict
from pysolver.scenario.model import Scenario

from . import phases
from .damage import authority, begin_step
from .phases import Note, Stage
from .results import history_json
from .state import Combat, blocks_now, start

__all__ = [
    "Both",
    "Comparison",
    "Either",
    "Fact",
    "Negation",
    "Seen",
    "Statement",
    "Term",
    "holds",
    "look_back",
    "number",
    "observe",
    "random_number",
    "random_statement",
    "text",
    "verdicts",
]


@dataclass(frozen=True, slots=True)
class Term:
    """``died(bat)``, ``damage(drake, bob)``."""

    word: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Fact:
    """A term that holds or does not."""

    term: Term


@dataclass(frozen=True, slots=True)
class Comparison:
    """A number against another."""

    term: Term
    sign: str
    number: int


@dataclass(frozen=True, slots=True)
class Both:
    """Both statements hold."""

    left: Statement
    right: Statement


@dataclass(frozen=True, slots=True)
class Either:
    """At least one of the statements holds."""

    left: Statement
    right: Statement


@dataclass(frozen=True, slots=True)
class Negation:
    """The statement does not hold."""

    inner: Statement


Statement: TypeAlias = Fact | Comparison | Both | Either | Negation
#: What a course has shown so far of the terms that look back: 0 or 1, or an amount.
Seen: TypeAlias = FrozenDict[Term, int]

SIGNS: dict[str, Callable[[int, int], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "!=": operator.ne,
    "==": operator.eq,
    "=": operator.eq,
    "<": operator.lt,
    ">": operator.gt,
}


# In words


def text(statement: Statement | Term, loose: bool = True) -> str:
    """The statement as it is asked; ``loose`` where it may begin with an ``or`` or ``and``."""
    match statement:
        case Term(word, names):
            return f"{word}({', '.join(names)})"
        case Fact(term):
            return text(term)
        case Comparison(term, sign, amount):
            return f"{text(term)} {sign} {amount}"
        case Negation(inner):
            return f"not {text(inner, loose=False)}"
        case Both(left, right):
            words = " and ".join(text(part, isinstance(part, Both)) for part in (left, right))
        case Either(left, right):
            words = f"{text(left)} or {text(right)}"
    return words if loose else f"({words})"


# What a course has shown


def terms(statement: Statement | Term) -> frozenset[Term]:
    """Every term in the statement."""
    match statement:
        case Term():
            return frozenset((statement,))
        case Fact(term) | Comparison(term, _, _):
            return frozenset((term,))
        case Negation(inner):
            return terms(inner)
        case Both(left, right) | Either(left, right):
            return terms(left) | terms(right)


def look_back(statements: Iterable[Statement | Term]) -> Seen:
    """The terms whose truth the last state does not tell, before anything has happened."""
    found = {term for statement in statements for term in terms(statement)}
    return FrozenDict({term: 0 for term in found if term.word in LOOK_BACK})


LOOK_BACK = ("banded", "blocked", "unblocked", "blocked_by", "divides", "damage")


def observe(seen: Seen, before: Combat, note: Note) -> Seen:
    """What is known after one more stage, from the state before it and what happened."""
    if not seen:
        return seen
    if note.attack is not None:
        bands = note.attack[1]
        return FrozenDict({term: kept or in_band(bands, term) for term, kept in seen.items()})
    if note.damage is None:
        return seen
    step, assignment = note.damage
    first = before.blocked_at_damage is None
    begun = begin_step(before, step)
    divided = {(source, chooser) for _, source, chooser, _, _ in authority(begun, step)}
    found = dict(seen)
    for term in seen:
        match term:
            case Term("divides", (player, source)):
                found[term] |= (source, player) in divided
            case Term("damage", (source, recipient)) if source in assignment:
                found[term] += assignment[source].get(recipient, 0)
            case _ if first and term.word in ("blocked", "unblocked", "blocked_by"):
                found[term] = int(is_so(begun, term))
    return FrozenDict(found)


def in_band(bands: Iterable[frozenset[str]], term: Term) -> int:
    """Whether the term says that two creatures are in one band, and they are."""
    return int(term.word == "banded" and any(band >= set(term.names) for band in bands))


def is_so(combat: Combat, term: Term) -> bool:
    """What holds of blocking as the first damage step begins."""
    name = term.names[0]
    match term.word:
        case "blocked":
            return name in combat.blocked
        case "unblocked":
            return name in combat.attacking and name not in combat.blocked
        case "blocked_by":
            return name in blocks_now(combat, term.names[1])
    raise ValueError(term.word)


# At the end


def fact(term: Term, final: Combat, seen: Seen) -> bool:
    """Whether a term holds of a course that has ended."""
    if term in seen:
        return bool(seen[term])
    match term:
        case Term("died", (name,)):
            return name in final.died
        case Term("survived", (name,)):
            return name not in final.died
        case Term("regenerated", (name,)):
            return name in final.regenerated
        case Term("attacks", (name,)):
            return name in final.declared_attack
        case Term("attacks", (name, target)):
            return final.declared_attack.get(name) == target
    raise ValueError(term)


def number(term: Term, final: Combat, seen: Seen) -> int:
    """The number that a term stands for in a course that has ended."""
    if term in seen:
        return seen[term]
    name = term.names[0]
    match term.word:
        case "life":
            return final.life[final.board.account(name)]
        case "poison":
            return final.poison[final.board.account(name)]
        case "loyalty":
            return final.loyalty[name]
        case "defense":
            return final.defense[name]
    raise ValueError(term)


def holds(statement: Statement, final: Combat, seen: Seen) -> bool:
    """Whether a statement holds of a course that has ended."""
    match statement:
        case Fact(term):
            return fact(term, final, seen)
        case Comparison(term, sign, amount):
            return SIGNS[sign](number(term, final, seen), amount)
        case Negation(inner):
            return not holds(inner, final, seen)
        case Both(left, right):
            return holds(left, final, seen) and holds(right, final, seen)
        case Either(left, right):
            return holds(left, final, seen) or holds(right, final, seen)


# Over all courses


def walk(
    combat: Combat, stages: tuple[Stage, ...], seen: Seen
) -> Iterator[tuple[tuple[Note, ...], Combat, Seen]]:
    """Every course of the stages, and what it shows."""
    if not stages:
        yield (), combat, seen
        return
    for note, after in stages[0](combat):
        for later, final, shown in walk(after, stages[1:], observe(seen, combat, note)):
            yield (note, *later), final, shown


def verdicts(
    scenario: Scenario, statements: Iterable[Statement]
) -> Iterator[tuple[dict[str, Any], tuple[bool, ...]]]:
    """Every complete combat as its history, and which of the statements hold of it."""
    asked = tuple(statements)
    for notes, final, seen in walk(start(scenario), phases.WHOLE, look_back(asked)):
        truth = tuple(holds(statement, final, seen) for statement in asked)
        yield history_json(notes, final), truth


# At random

WORDS = (
    "died died died survived regenerated blocked unblocked blocked_by attacks attacks banded "
    "divides divides"
)
FACTS = WORDS.split()


def random_fact(rng: random.Random, scenario: Scenario) -> Term:
    """A term that holds or does not; of every word that the language has."""
    creatures = [card.name for card in scenario.creatures]
    sides = [player.name for player in scenario.players] + [team.name for team in scenario.teams]
    word = rng.choice(FACTS)
    one, other = rng.choice(creatures), rng.choice(creatures)
    match word:
        case "attacks" if rng.random() < 0.5:
            return Term(word, (one, rng.choice([*sides, *permanents(scenario)])))
        case "blocked_by" | "banded":
            return Term(word, (one, other))
        case "divides":
            return Term(word, (rng.choice(sides), one))
    return Term(word, (one,))


def permanents(scenario: Scenario) -> list[str]:
    """What is no player and may be attacked or dealt damage; a creature may be a walker, too."""
    names = [creature.name for creature in scenario.creatures]
    names += [walker.name for walker in scenario.planeswalkers]
    names += [battle.name for battle in scenario.battles]
    return list(dict.fromkeys(names))


def random_number(rng: random.Random, scenario: Scenario) -> Term:
    """A term that stands for a number."""
    sides = [player.name for player in scenario.players] + [team.name for team in scenario.teams]
    walkers = [walker.name for walker in scenario.planeswalkers]
    battles = [battle.name for battle in scenario.battles]
    choices = [("life", sides), ("life", sides), ("poison", sides)]
    choices += [("loyalty", walkers)] * bool(walkers) + [("defense", battles)] * bool(battles)
    if rng.random() < 0.3:
        source = rng.choice(scenario.creatures).name
        return Term("damage", (source, rng.choice([*sides, *permanents(scenario)])))
    word, names = rng.choice(choices)
    return Term(word, (rng.choice(names),))


def usual(scenario: Scenario, term: Term) -> int:
    """What the number of a term is before anything has happened."""
    combat = start(scenario)
    return number(term, combat, look_back([term]))


def random_statement(rng: random.Random, scenario: Scenario, depth: int = 2) -> Statement:
    """A statement with names of the scenario, and numbers that it may come to."""
    kind = rng.random()
    if depth and kind < 0.5:
        left = random_statement(rng, scenario, depth - 1)
        if kind < 0.1:
            return Negation(left)
        return (Both if kind < 0.3 else Either)(left, random_statement(rng, scenario, depth - 1))
    if kind < 0.8:
        return Fact(random_fact(rng, scenario))
    term = random_number(rng, scenario)
    away = rng.choice((-6, -4, -3, -2, -2, -1, -1, 0, 1))
    if term.word in ("damage", "poison"):
        away = rng.choice((0, 0, 1, 1, 2, 3))
    return Comparison(term, rng.choice(list(SIGNS)), usual(scenario, term) + away)
