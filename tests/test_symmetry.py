"""Patterns against plain listings: nothing is lost or told twice, and the numbers are right."""

from __future__ import annotations

import itertools
import random
from collections.abc import Mapping
from dataclasses import replace
from math import comb
from pathlib import Path
from typing import Any

import pytest

from pysolver.questions import Declarations, attacks, blocks
from pysolver.results import Attack, BlockDeclaration
from pysolver.scenario.abilities import Ability, Named
from pysolver.scenario.facts import facts
from pysolver.scenario.model import Creature, Event, Scenario
from pysolver.symmetry import interchangeable
from tests.cli.boards import lines, run
from tests.strategies import ability, board, creature, fix_attack, random_scenario

FAMILIES = ("plain", "bands", "requirements", "costs", "events", "multiplayer")


def key(declaration: Attack | BlockDeclaration, names: Mapping[str, str]) -> Any:
    """A declaration after its creatures have been renamed, as a value to compare."""
    attack = declaration if isinstance(declaration, Attack) else declaration.attack
    renamed: list[Any] = []
    if attack is not None:
        renamed.append(frozenset((names.get(c, c), t) for c, t in attack.attackers.items()))
        renamed.append(frozenset(frozenset(names.get(c, c) for c in b) for b in attack.bands))
    if isinstance(declaration, BlockDeclaration):
        for groups in (declaration.blocks.blocks, declaration.blocked_by):
            pairs = ((left, right) for left, others in groups.items() for right in others)
            renamed.append(frozenset((names.get(x, x), names.get(y, y)) for x, y in pairs))
    return tuple(renamed)


def renamings(classes: tuple[tuple[str, ...], ...]) -> list[dict[str, str]]:
    """Every way in which interchangeable creatures can change places."""
    every = itertools.product(*(itertools.permutations(names) for names in classes))
    return [
        {name: new for old, fresh in zip(classes, one, strict=True)
         for name, new in zip(old, fresh, strict=True)}
        for one in every
    ]  # fmt: skip


def agrees(listing: Declarations[Any]) -> int:
    """Compare the patterns with the plain listing; how many declarations they save."""
    plain = {key(declaration, {}) for declaration in listing}
    ways = renamings(interchangeable(listing.scenario))
    told: set[Any] = set()
    patterns = list(listing.up_to_symmetry())
    for pattern in patterns:
        images = {key(pattern.declaration, names) for names in ways}
        assert images <= plain, "the declarations that it stands for are legal"
        assert not images & told, "no pattern is told twice"
        assert pattern.stands_for == len(images)
        told |= images
    assert told == plain
    return len(plain) - len(patterns)


def with_doubles(rng: random.Random, scenario: Scenario) -> Scenario:
    """The scenario with some of its creatures made equal to others of the same side."""
    creatures = list(scenario.creatures)
    walkers = {walker.name for walker in scenario.planeswalkers}
    for index, one in enumerate(creatures):
        models = [other for other in creatures if other.controller == one.controller]
        model = rng.choice(models)
        if rng.random() < 0.7 and not {one.name, model.name} & walkers:
            creatures[index] = replace(model, name=one.name)
    return replace(scenario, creatures=tuple(creatures), attack=None, blocks=None, damage=None)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("seed", range(8))
def test_random_boards(family: str, seed: int) -> None:
    rng = random.Random(f"{family} {seed}")
    scenario = with_doubles(rng, random_scenario(rng, family))
    agrees(attacks(scenario))
    agrees(blocks(scenario, each_attack=True))
    agrees(blocks(fix_attack(rng, scenario)))


def army(attackers: int, blockers: int, *abilities: str | Ability) -> Scenario:
    """Attackers that all attack and blockers with the abilities: every one like the others."""
    names = [f"a{n}" for n in range(attackers)]
    return board(
        *(creature(name, "ann", "2/2") for name in names),
        *(creature(f"b{n}", "bob", "2/2", *abilities) for n in range(blockers)),
        attack=names,
    )


@pytest.mark.parametrize(("attackers", "blockers"), [(0, 2), (1, 4), (2, 3), (3, 4)])
def test_armies(attackers: int, blockers: int) -> None:
    agrees(blocks(army(attackers, blockers)))


def test_blockers_of_several_attackers() -> None:
    assert agrees(blocks(army(3, 3, ability("extra_blocks", 1)))) > 0
    assert agrees(blocks(army(3, 3, "blocks_any_number"))) > 0


def test_bipartite_graphs_are_counted() -> None:
    """Three blockers of any of three attackers: graphs with 3 + 3 vertices, sides told apart."""
    assert blocks(army(3, 3, "blocks_any_number")).up_to_symmetry().count() == 36


@pytest.mark.parametrize("banders", range(1, 8))
def test_banders_attack_in_partitions(banders: int) -> None:
    """Which of them attack does not matter, only in bands of which sizes: partitions of 0 to n."""
    partitions = [1, 1, 2, 3, 5, 7, 11, 15]
    scenario = board(*(creature(f"a{n}", "ann", "1/1", "banding") for n in range(banders)))
    patterns = list(attacks(scenario).up_to_symmetry())
    assert len(patterns) == sum(partitions[: banders + 1])
    assert sum(pattern.stands_for for pattern in patterns) == attacks(scenario).count()


def test_far_more_declarations_than_could_be_listed() -> None:
    patterns = list(blocks(army(1, 40)).up_to_symmetry())
    assert sorted(p.stands_for for p in patterns) == sorted(comb(40, k) for k in range(41))


def lured() -> Scenario:
    """Four Soldiers, a lured Bear that must also be blocked, two Zombies that must be blocked."""
    return board(
        creature("bear", "ann", "2/2", "lure", "must_be_blocked"),
        *(creature(f"zombie-{n}", "ann", "2/2", "must_be_blocked") for n in (1, 2)),
        *(creature(f"soldier-{n}", "bob", "1/1") for n in (1, 2, 3, 4)),
        attack=["bear", "zombie-1", "zombie-2"],
    )


def test_soldiers_against_a_lured_bear() -> None:
    assert blocks(lured()).count() == 21
    patterns = list(blocks(lured()).up_to_symmetry())
    assert sorted(pattern.stands_for for pattern in patterns) == [1, 8, 12]
    agrees(blocks(lured()))


def test_the_command(tmp_path: Path) -> None:
    path = tmp_path / "lured.lp"
    path.write_text(facts(lured()), encoding="utf-8")
    told = run("blocks", str(path), "--up-to-symmetry", "--json")
    assert told.exit_code == 0
    assert sorted(line["stands_for"] for line in lines(told)) == [1, 8, 12]
    assert all({"blocks", "blocked_by", "stands_for"} == set(line) for line in lines(told))
    table = run("blocks", str(path), "--up-to-symmetry").stdout
    assert "stands for" in table
    assert table.endswith("3 patterns\n")
    assert run("attacks", str(path), "--up-to-symmetry", "--count").stdout == "1\n"


def test_what_tells_creatures_apart() -> None:
    def alike(*creatures: Creature, **more: Any) -> set[tuple[str, ...]]:
        return set(interchangeable(board(*creatures, **more)))

    a, b = (creature(name, "ann", "2/2", "flying", "menace") for name in "ab")
    c = creature("c", "bob", "2/2")
    d = creature("d", "bob", "2/2")
    assert alike(a, b, c, d) == {("a", "b"), ("c", "d")}
    assert alike(a, replace(b, abilities=b.abilities[::-1])) == {("a", "b")}
    for change in (
        {"power": 3}, {"toughness": 3}, {"controller": "bob"}, {"tapped": True}, {"damage": 1},
        {"sick": True}, {"shields": 1}, {"types": ("wall",)}, {"colors": ("red",)},
        {"named": "Bear"}, {"goaded_by": ("bob",)}, {"abilities": ()},
    ):  # fmt: skip
        assert not alike(a, replace(b, **change)), change
    must = creature("c", "bob", "2/2", ability("must_block_creature", "a"))
    assert not alike(a, b, must)
    assert not alike(a, b, creature("c", "bob", "2/2", ability("protection", Named("b"))))
    assert not alike(a, b, c, events=(Event("attackers", "tap", "a"),))
    assert not alike(a, b, c, attack=["a"])
    assert alike(a, b, c, attack=["a", "b"]) == {("a", "b")}
    assert alike(a, b, c, attack=["a", "b"], bands=[["a", "b"]]) == {("a", "b")}
    assert not alike(a, b, c, attack=["a", "b"], bands=[["a", "c"]])
    assert alike(a, b, c, d, attack=["a", "b"], blocks={"c": ["a"]}) == set()
    assert alike(a, b, c, d, attack=["a", "b"], blocks={"c": ["a"], "d": ["a"]}) == {("c", "d")}


def test_names_that_are_hard_to_tell_apart() -> None:
    """A name with anything in it is one name, in the text of a pattern too."""
    odd = ["a", "a' blocks 'b", "0", "\\", '"', "\n", "[a]", " "]
    attackers, blockers = odd[:4], odd[4:]
    scenario = board(
        *(creature(name, "ann", "1/1", *["menace"] * (k // 2)) for k, name in enumerate(attackers)),
        *(creature(name, "bob", f"{k // 2}/1") for k, name in enumerate(blockers)),
        attack=attackers,
    )
    agrees(blocks(scenario))
