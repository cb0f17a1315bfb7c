"""The boards that are measured, each a function of its size."""

from __future__ import annotations

import random
from collections.abc import Iterable
from functools import cache

from pysolver.scenario.abilities import Ability, Argument
from pysolver.scenario.model import Creature, Scenario
from tests.strategies import ability, board, creature

__all__ = [
    "asked_for",
    "banders",
    "exact_cover",
    "idle",
    "mixed",
    "must_attack",
    "one_of_each",
    "splits",
]


def banders(n: int) -> Scenario:
    """N creatures with banding and one player to attack: the Bell number of n + 1 attacks."""
    return board(*(creature(f"bander{k}", "ann", "1/1", "banding") for k in range(n)))


def army(side: str, n: int, *abilities: Ability | str) -> list[Creature]:
    """N creatures, each like the others."""
    owner = {"a": "ann", "b": "bob"}[side]
    return [creature(f"{side}{k}", owner, "2/2", *abilities) for k in range(n)]


def idle(n: int) -> Scenario:
    """N creatures attack n creatures that may block and do not."""
    return board(*army("a", n), *army("b", n), attack=_names("a", n), blocks={})


def must_attack(n: int) -> Scenario:
    """N creatures that attack each combat if able, and do; the other side has n creatures."""
    return board(*army("a", n, "must_attack"), *army("b", n), attack=_names("a", n))


def asked_for(n: int, blockers: int, *more: Ability) -> Scenario:
    """N attackers that must be blocked if able, and nobody blocks."""
    attackers = army("a", n, "must_be_blocked", *more)
    return board(*attackers, *army("b", blockers), attack=_names("a", n), blocks={})


def mixed(attackers: int, blockers: int) -> Scenario:
    """A board without requirements: some fly, some have menace or fear, some have reach."""
    evasion: list[tuple[str, ...]] = [(), ("flying",), ("menace",), ("fear",)]
    answers: list[tuple[str, ...]] = [("reach",), (), ("flying",)]
    return board(
        *(creature(f"a{k}", "ann", "2/2", *evasion[k % 4]) for k in range(attackers)),
        *(creature(f"b{k}", "bob", "1/3", *answers[k % 3]) for k in range(blockers)),
        attack=_names("a", attackers),
    )


def splits(power: int, blockers: int) -> Scenario:
    """Two tramplers in a band, blocked by several creatures: one joint division of damage."""
    return board(
        *(creature(f"a{k}", "ann", f"{power}/9", "trample", "banding") for k in range(2)),
        *(creature(f"b{k}", "bob", "0/2") for k in range(blockers)),
        attack=_names("a", 2),
        bands=[_names("a", 2)],
        blocks={name: ["a0"] for name in _names("b", blockers)},
    )


def one_of_each(n: int) -> Scenario:
    """N creatures a side, everything left open."""
    words = ("flying", "trample", "deathtouch", "banding", "menace", "lifelink", "first_strike")
    return board(
        *(creature(f"a{k}", "ann", "2/2", words[k % len(words)]) for k in range(n)),
        *(creature(f"b{k}", "bob", "2/2", words[-1 - k % len(words)]) for k in range(n)),
    )


def exact_cover(elements: int, sets: int, *, coverable: bool, seed: int = 1) -> Scenario:
    """Is there no exact cover of the elements by some of the three-sets?

    Each set is an attacker that cannot be blocked except by three or more, each member is required
    to block it. One more attacker cannot be blocked unless all block it, and all but one are
    required to. Blocking it with all is legal exactly if no exact cover exists.
    """
    chosen = _three_sets(elements, sets, coverable, seed)
    members: list[list[str]] = [[] for _ in range(elements)]
    for number, three in enumerate(chosen):
        for element in three:
            members[element].append(f"set{number}")
    attackers = [creature(f"set{k}", "ann", "1/1", _n("min_blockers", 3)) for k in range(sets)]
    attackers.append(creature("all", "ann", "1/1", "unblockable_unless_all_block"))
    blockers = [
        creature(f"e{k}", "bob", "1/1", *map(_must_block, [*names, *["all"] * (k > 0)]))
        for k, names in enumerate(members)
    ]
    return board(
        *attackers,
        *blockers,
        attack=[one.name for one in attackers],
        blocks={one.name: ["all"] for one in blockers},
    )


def _names(side: str, n: int) -> list[str]:
    return [f"{side}{k}" for k in range(n)]


def _n(kind: str, argument: Argument) -> Ability:
    return ability(kind, argument)


def _must_block(name: str) -> Ability:
    return ability("must_block_creature", name)


def _three_sets(elements: int, sets: int, coverable: bool, seed: int) -> list[tuple[int, int, int]]:
    """Random three-sets, with a cover hidden among them or without any."""
    rng = random.Random(seed)
    while True:
        found: dict[tuple[int, int, int], None] = {}
        if coverable:
            order = rng.sample(range(elements), elements)
            for k in range(0, elements, 3):
                found[_sorted(order[k : k + 3])] = None
        while len(found) < sets:
            found[_sorted(rng.sample(range(elements), 3))] = None
        chosen = list(found)
        rng.shuffle(chosen)
        if coverable or not _has_cover(frozenset(range(elements)), tuple(chosen)):
            return chosen


def _sorted(three: Iterable[int]) -> tuple[int, int, int]:
    first, second, third = sorted(three)
    return first, second, third


def _has_cover(left: frozenset[int], sets: tuple[tuple[int, int, int], ...]) -> bool:
    @cache
    def coverable(left: frozenset[int]) -> bool:
        if not left:
            return True
        least = min(left)
        return any(coverable(left - {*s}) for s in sets if least in s and left >= {*s})

    return coverable(left)
