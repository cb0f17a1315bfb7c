"""How many answers there are: closed forms, and a table of the instances (``counts.yaml``)."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from math import comb, perm
from pathlib import Path
from typing import Any

import pytest
import yaml

from pysolver import questions
from pysolver.questions import Listing
from pysolver.scenario.model import Planeswalker, Scenario

from .boards import INSTANCES, banders, crowd, divided, instance
from .strategies import DEFENDER, board, creature, random_scenario

COUNTS: dict[str, dict[str, int]] = yaml.safe_load(
    Path(__file__).with_name("counts.yaml").read_text(encoding="utf-8")
)
BELL = [2, 5, 15, 52, 203, 877, 4140, 21147, 115975, 678570]
LISTINGS: dict[str, Callable[[Scenario], Listing[Any]]] = {
    "attacks": questions.attacks,
    "blocks": questions.blocks,
    "blocks --each-attack": lambda scenario: questions.blocks(scenario, each_attack=True),
    "authority": questions.authority,
    "damage": questions.damage,
    "outcomes": questions.outcomes,
    "histories": questions.histories,
}


def stirling(n: int, k: int) -> int:
    """In how many ways n things make k groups."""
    if n == 0 or k == 0:
        return int(n == k)
    return k * stirling(n - 1, k) + stirling(n - 1, k - 1)


def bands(heroes: int, guests: int, targets: int = 1) -> int:
    """Attacks of creatures with banding and others: groups of heroes, a guest in each at most."""
    return sum(
        comb(heroes, h) * comb(guests, g)
        * sum(
            stirling(h, k) * comb(g, i) * perm(k, i) * targets ** (k + g - i)
            for k in range(h + 1)
            for i in range(min(g, k) + 1)
        )
        for h in range(heroes + 1)
        for g in range(guests + 1)
    )  # fmt: skip


@pytest.mark.parametrize(("n", "number"), list(enumerate(BELL, start=1)))
def test_creatures_with_banding_make_bell_numbers(n: int, number: int) -> None:
    assert questions.attacks(banders(n)).count() == number == bands(n, 0)


@pytest.mark.parametrize(
    ("heroes", "guests", "number"), [(0, 3, 8), (1, 1, 5), (2, 2, 42), (3, 1, 52), (3, 3, 498)]
)
def test_a_band_takes_one_guest_along(heroes: int, guests: int, number: int) -> None:
    assert questions.attacks(banders(heroes, guests)).count() == number == bands(heroes, guests)


@pytest.mark.parametrize(("heroes", "guests"), [(1, 1), (2, 1), (3, 2)])
def test_each_band_attacks_one_target(heroes: int, guests: int) -> None:
    scenario = replace(
        banders(heroes, guests), planeswalkers=(Planeswalker("walker", DEFENDER, 3),)
    )
    assert questions.attacks(scenario).count() == bands(heroes, guests, targets=2)


@pytest.mark.parametrize("attackers", range(4))
@pytest.mark.parametrize("blockers", range(4))
def test_every_blocker_has_its_choice(attackers: int, blockers: int) -> None:
    scenario = crowd(attackers, blockers)
    assert questions.attacks(scenario).count() == 2**attackers
    # With no attackers, no blockers are declared at all.
    assert questions.blocks(scenario, each_attack=True).count() == sum(
        comb(attackers, k) * (k + 1) ** blockers for k in range(attackers + 1)
    )


@pytest.mark.parametrize("blockers", range(1, 5))
def test_menace_forbids_single_blockers(blockers: int) -> None:
    names = [f"b{n}" for n in range(blockers)]
    scenario = board(
        creature("raider", "ann", "2/2", "menace"),
        *(creature(name, DEFENDER, "1/1") for name in names),
        attack=["raider"],
    )
    assert questions.blocks(scenario).count() == 2**blockers - blockers


@pytest.mark.parametrize("damage", range(1, 6))
@pytest.mark.parametrize("blockers", range(1, 5))
def test_damage_is_divided_freely(damage: int, blockers: int) -> None:
    expected = comb(damage + blockers - 1, blockers - 1)
    assert questions.damage(divided(damage, blockers)).count() == expected


def test_the_table_names_every_instance() -> None:
    assert list(COUNTS) == [path.stem for path in INSTANCES]


@pytest.mark.parametrize("path", INSTANCES, ids=lambda path: path.stem)
def test_instance(path: Path) -> None:
    scenario = instance(path)
    counted = {question: LISTINGS[question](scenario).count() for question in COUNTS[path.stem]}
    assert counted == COUNTS[path.stem]


@pytest.mark.parametrize("path", INSTANCES, ids=lambda path: path.stem)
def test_as_many_are_counted_as_listed(path: Path) -> None:
    for question, number in COUNTS[path.stem].items():
        assert sum(1 for _ in LISTINGS[question](instance(path))) == number


def written(scenario: Scenario) -> list[tuple[str, list[str], list[str]]]:
    """Each question's lines of JSON, and those of its results."""
    found = []
    for question in ("attacks", "blocks", "blocks --each-attack"):
        if question != "blocks" or scenario.attack is not None:
            listing = LISTINGS[question](scenario)
            results = [
                json.dumps(answer.to_json(), sort_keys=True, ensure_ascii=False)
                for answer in listing
            ]
            found.append((question, sorted(listing.json_lines()), sorted(results)))
    return found


@pytest.mark.parametrize("path", INSTANCES, ids=lambda path: path.stem)
def test_json_lines_of_instances_are_those_of_the_results(path: Path) -> None:
    for question, lines, results in written(instance(path)):
        assert lines == results, question


@pytest.mark.parametrize("seed", range(20))
def test_json_lines_of_random_boards_are_those_of_the_results(seed: int) -> None:
    for question, lines, results in written(random_scenario(random.Random(seed), "bands")):
        assert lines == results, question
