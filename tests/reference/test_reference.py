"""The reference against counts and rulings worked out by hand."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from dataclasses import replace
from math import comb

import pytest
from hypothesis import given, settings

from pysolver.frozen import FrozenDict
from pysolver.scenario.abilities import Ability, HasColor, HasType
from pysolver.scenario.model import (
    AttackTax,
    Creature,
    Damage,
    Event,
    MaxAttackers,
    Planeswalker,
    Player,
    Scenario,
    Step,
)
from tests import reference
from tests.strategies import FAMILIES, ability, board, creature, random_scenario, scenarios


def life(scenario: Scenario, player: str = "bob") -> set[int]:
    """The life totals that a player can end with."""
    return {json.loads(text)["life"][player] for text in reference.outcomes(scenario)}


def dead(scenario: Scenario) -> set[tuple[str, ...]]:
    """The sets of creatures that can die."""
    return {tuple(json.loads(text)["died"]) for text in reference.outcomes(scenario)}


def declared(scenario: Scenario) -> set[tuple[tuple[str, str], ...]]:
    """The legal block declarations, as sorted pairs."""
    return {tuple(sorted(key[0])) for key in reference.blocks(scenario)}


def attackers(scenario: Scenario) -> set[str]:
    """The legal sets of attackers, as words."""
    return {" ".join(sorted(name for name, _ in key[0])) for key in reference.attacks(scenario)}


def splits(scenario: Scenario, source: str) -> set[tuple[tuple[str, int], ...]]:
    """The ways in which one creature's damage can be divided."""
    return {
        tuple(sorted((to, n) for _, name, to, n in assigned if name == source))
        for _, assigned in reference.damage(scenario)
    }


def chooser(scenario: Scenario) -> dict[tuple[str, str], str]:
    """Who divides, by step and creature."""
    return {(step, source): who for step, source, who, _, _ in reference.authority(scenario)}


# Bands


@pytest.mark.parametrize(("count", "bell"), [(1, 2), (2, 5), (3, 15), (4, 52), (5, 203), (6, 877)])
def test_banders_make_bell_numbers(count: int, bell: int) -> None:
    scenario = board(*(creature(f"a{n}", "ann", "1/1", "banding") for n in range(count)))
    assert len(reference.attacks(scenario)) == bell


def test_two_banders_and_two_others() -> None:
    scenario = board(
        *(creature(f"a{n}", "ann", "1/1", "banding") for n in (1, 2)),
        *(creature(f"a{n}", "ann", "1/1") for n in (3, 4)),
    )
    assert len(reference.attacks(scenario)) == 42


def test_bands_with_other_need_the_quality() -> None:
    pack = ability("bands_with_other", HasType("wolf"))
    scenario = board(
        creature("a1", "ann", "1/1", pack, types=("wolf",)),
        creature("a2", "ann", "1/1", types=("wolf",)),
        creature("a3", "ann", "1/1", types=("wolf",)),
        creature("a4", "ann", "1/1", pack),
    )
    bands = {band for _, group in reference.attacks(scenario) for band in group}
    assert {"".join(sorted(band)) for band in bands} == {"a1a2", "a1a3", "a1a2a3"}


def test_flyer_and_swampwalker() -> None:
    scenario = board(
        creature("drake", "ann", "2/2", "flying", "banding"),
        creature("wraith", "ann", "3/3", ability("landwalk", "swamp")),
        creature("bat", "bob", "1/1", "flying"),
        players=(Player("ann"), Player("bob", lands=(("swamp",),))),
        attack=("drake", "wraith"),
        bands=[("drake", "wraith")],
    )
    assert reference.blocks(scenario) == {
        (frozenset(), frozenset()),
        (frozenset({("bat", "drake")}), frozenset({("drake", "bat"), ("wraith", "bat")})),
    }
    blocked = replace(scenario, blocks=board(blocks={"bat": ["drake"]}).blocks)
    assert chooser(blocked)["regular", "bat"] == "ann"
    assert splits(blocked, "bat") == {(("drake", 1),), (("wraith", 1),)}


def test_authority_ends_with_the_bander() -> None:
    scenario = board(
        creature("a1", "ann", "4/4", "double_strike"),
        creature("b1", "bob", "1/1", "banding"),
        creature("b2", "bob", "1/5"),
        attack=["a1"],
        blocks={"b1": ["a1"], "b2": ["a1"]},
        damage=Damage(FrozenDict([("first-strike", FrozenDict({"a1": FrozenDict({"b1": 4})}))])),
    )
    assert chooser(scenario) == {
        ("first-strike", "a1"): "bob",
        ("regular", "a1"): "ann",
        ("regular", "b2"): "bob",
    }


# Attacks


def test_one_attacker_at_most_and_one_must() -> None:
    scenario = board(
        creature("a1", "ann", "1/1", "must_attack"),
        creature("a2", "ann", "1/1"),
        effects=(MaxAttackers(1),),
    )
    assert attackers(scenario) == {"a1"}
    assert reference.check(replace(scenario, attack=board(attack=["a2"]).attack)) == (
        False,
        {"attack.require.max"},
    )


def test_two_that_cannot_attack_alone() -> None:
    scenario = board(*(creature(n, "ann", "1/1", "cant_attack_alone") for n in ("a1", "a2")))
    assert attackers(scenario) == {"", "a1 a2"}


def test_nobody_has_to_pay() -> None:
    scenario = board(
        creature("a1", "ann", "1/1", "must_attack"),
        creature("a2", "ann", "1/1"),
        players=(Player("ann", mana=2), Player("bob")),
        effects=(AttackTax("bob", 2),),
    )
    assert attackers(scenario) == {"", "a1", "a2"}
    poor = replace(scenario, players=(Player("ann", mana=1), Player("bob")))
    assert attackers(poor) == {""}


def test_goad_asks_for_someone_else() -> None:
    walker = Planeswalker("walker", "bob", 3)
    scenario = board(creature("a1", "ann", "1/1", goaded_by=("bob",)), planeswalkers=(walker,))
    targets = {target for key in reference.attacks(scenario) for _, target in key[0]}
    assert targets == {"bob", "walker"}
    assert "" not in attackers(scenario)


# Blocks


def test_must_block_and_menace() -> None:
    scenario = board(
        creature("a1", "ann", "2/2", "menace"),
        creature("p", "bob", "1/1", "must_block"),
        creature("q", "bob", "1/1"),
        attack=["a1"],
    )
    assert declared(scenario) == {(("p", "a1"), ("q", "a1"))}


@pytest.mark.parametrize(("reading", "legal"), [("declared", False), ("resulting", True)])
def test_menace_in_a_band(reading: str, legal: bool) -> None:
    scenario = board(
        creature("brute", "ann", "3/3", "menace"),
        creature("hero", "ann", "1/1", "banding"),
        creature("x", "bob", "2/2"),
        creature("y", "bob", "2/2"),
        attack=("brute", "hero"),
        bands=[("brute", "hero")],
        blocks={"x": ["brute"], "y": ["hero"]},
        readings={"restriction_scope": reading},
    )
    assert reference.check(scenario) == (legal, set() if legal else {"kw.menace"})


def test_flying_with_shadow() -> None:
    scenario = board(
        creature("a1", "ann", "1/1", "flying", "shadow"),
        creature("b1", "bob", "1/1", "flying"),
        attack=["a1"],
        blocks={"b1": ["a1"]},
    )
    assert reference.check(scenario) == (False, {"kw.shadow"})


# Damage


@pytest.mark.parametrize("ways", [1, 2, 3])
@pytest.mark.parametrize("power", [0, 1, 4])
def test_splits(power: int, ways: int) -> None:
    names = [f"b{n}" for n in range(ways)]
    scenario = board(
        creature("a1", "ann", f"{power}/9"),
        *(creature(name, "bob", "0/9") for name in names),
        attack=["a1"],
        blocks={name: ["a1"] for name in names},
    )
    assert len(reference.damage(scenario)) == comb(power + ways - 1, ways - 1)


def test_lethal_damage_is_shared() -> None:
    scenario = board(
        creature("a1", "ann", "1/1", "banding"),
        creature("a2", "ann", "3/3", "trample"),
        creature("b1", "bob", "2/2"),
        attack=("a1", "a2"),
        bands=[("a1", "a2")],
        blocks={"b1": ["a1"]},
    )
    assert life(scenario) == {20, 19, 18}


def test_protection_counts_for_lethal_damage() -> None:
    scenario = board(
        creature("a1", "ann", "6/6", "trample", colors=("green",)),
        creature("b1", "bob", "2/2", ability("protection", HasColor("green"))),
        attack=["a1"],
        blocks={"b1": ["a1"]},
    )
    assert life(scenario) == set(range(16, 21))
    assert dead(scenario) == {()}


def test_trampler_against_a_bander() -> None:
    scenario = board(
        creature("a1", "ann", "11/11", "trample"),
        creature("b1", "bob", "0/1", "banding"),
        attack=["a1"],
        blocks={"b1": ["a1"]},
    )
    assert len(reference.damage(scenario)) == 11
    assert life(scenario) == set(range(10, 21))
    assert chooser(scenario) == {("regular", "a1"): "bob"}
    never = replace(scenario, readings=FrozenDict({"trample_vs_banding": "dp_never_spills"}))
    assert life(never) == {20}


def test_two_tramplers_in_a_band() -> None:
    scenario = board(
        creature("a1", "ann", "3/3", "trample", "banding"),
        creature("a2", "ann", "3/3", "trample"),
        creature("b1", "bob", "0/3"),
        attack=("a1", "a2"),
        bands=[("a1", "a2")],
        blocks={"b1": ["a1"]},
    )
    assert len(reference.damage(scenario)) == 10


def test_deathtouch_and_trample() -> None:
    scenario = board(
        creature("a1", "ann", "4/4", "trample", "deathtouch"),
        creature("b1", "bob", "0/3"),
        creature("b2", "bob", "0/3"),
        attack=["a1"],
        blocks={"b1": ["a1"], "b2": ["a1"]},
    )
    assert min(life(scenario)) == 18


def test_trample_over_planeswalkers() -> None:
    scenario = board(
        creature("a1", "ann", "1/1", "trample_over_planeswalkers"),
        creature("a2", "ann", "7/7", "trample_over_planeswalkers"),
        planeswalkers=(Planeswalker("walker", "bob", 3),),
        attack={"a1": "walker", "a2": "walker"},
    )
    assert min(life(scenario)) == 15
    assert (("bob", 5), ("walker", 2)) in splits(scenario, "a2")


def test_blocked_without_blockers() -> None:
    event = Event("blockers", "remove", "b1")
    for abilities, expected in [((), 20), (("trample",), 17)]:
        scenario = board(
            creature("a1", "ann", "3/3", *abilities),
            creature("b1", "bob", "1/1"),
            attack=["a1"],
            blocks={"b1": ["a1"]},
            events=(event,),
        )
        assert life(scenario) == {expected}


def test_first_strike_kills_first() -> None:
    scenario = board(
        creature("a1", "ann", "2/2", "first_strike"),
        creature("b1", "bob", "2/2"),
        attack=["a1"],
        blocks={"b1": ["a1"]},
    )
    assert dead(scenario) == {("b1",)}
    [(steps, _)] = reference.damage(scenario)
    assert steps == ("first-strike", "regular")


def test_double_strike_lost_between_the_steps() -> None:
    scenario = board(
        creature("a1", "ann", "2/2", "double_strike"),
        attack=["a1"],
        blocks={},
        events=(
            Event(
                "first-strike",
                "lose",
                "a1",
                FrozenDict({"ability": Ability("double_strike")}),
                may="bob",
            ),
        ),
    )
    assert life(scenario) == {16, 18}


# Regeneration, triggers, events


def test_regenerated_attacker_leaves_its_band() -> None:
    scenario = board(
        creature("a1", "ann", "1/1", "banding", shields=1),
        creature("a2", "ann", "1/1"),
        creature("b1", "bob", "3/3", "first_strike"),
        attack=("a1", "a2"),
        bands=[("a1", "a2")],
        blocks={"b1": ["a1"]},
    )
    found = [json.loads(text) for text in reference.outcomes(scenario)]
    assert all(result["life"]["bob"] == 20 for result in found)
    assert {(tuple(r["died"]), tuple(r["regenerated"])) for r in found} == {
        ((), ("a1",)),
        (("a2",), ("a1",)),
        (("a2",), ()),
    }


def test_flanking_and_rampage_in_either_order() -> None:
    scenario = board(
        creature("a1", "ann", "1/9", "flanking", ability("rampage", 2)),
        creature("b1", "bob", "0/1"),
        creature("b2", "bob", "0/5"),
        attack=["a1"],
        blocks={"b1": ["a1"], "b2": ["a1"]},
    )
    amounts = {sum(n for *_, n in assigned) for _, assigned in reference.damage(scenario)}
    assert amounts == {1, 3}


def test_a_band_of_two_is_not_alone() -> None:
    lone = creature("a1", "ann", "1/1", "exalted", "banding")
    assert life(board(lone, attack=["a1"], blocks={})) == {18}
    pair = board(
        lone,
        creature("a2", "ann", "1/1"),
        attack=("a1", "a2"),
        bands=[("a1", "a2")],
        blocks={},
    )
    assert life(pair) == {18}


def test_put_blocking_blocks_the_band() -> None:
    scenario = board(
        creature("a1", "ann", "2/2", "banding"),
        creature("a2", "ann", "2/2", "flying"),
        creature("b1", "bob", "1/1"),
        attack=("a1", "a2"),
        bands=[("a1", "a2")],
        blocks={},
        events=(Event("blockers", "put-blocking", "b1", FrozenDict({"attacker": "a1"})),),
    )
    assert life(scenario) == {20}


def test_infect_and_lifelink() -> None:
    scenario = board(
        creature("a1", "ann", "2/2", "infect", "lifelink", ability("toxic", 1)),
        attack=["a1"],
        blocks={},
    )
    [result] = map(json.loads, reference.outcomes(scenario))
    assert result["life"] == {"ann": 22, "bob": 20}
    assert result["poison"] == {"bob": 3}


def test_nothing_attacks() -> None:
    scenario = board(Creature("a1", "ann", 1, 1), attack=[])
    assert reference.blocks(scenario) == {(frozenset(), frozenset())}
    assert reference.damage(scenario) == {((), frozenset())}


# The parts agree with each other


@pytest.mark.parametrize("family", FAMILIES)
def test_parts_agree(family: str) -> None:
    for seed in range(8):
        scenario = random_scenario(random.Random(seed), family)
        if scenario.attack is None:
            for key in reference.attacks(scenario):
                fixed = board(attack=dict(key[0]), bands=key[1]).attack
                assert not reference.attack_violations(replace(scenario, attack=fixed))
        legal, slugs = reference.check(scenario)
        assert legal == (not slugs)
        assert bool(reference.outcomes(scenario)) == legal


@settings(max_examples=25, deadline=None)
@given(scenarios("damage"))
def test_outcomes_are_those_of_each_division(scenario: Scenario) -> None:
    every = reference.damage(scenario)
    sample = sorted(every, key=lambda key: sorted(key[1]))[:5]
    for steps, assigned in sample:
        named = {(step, source) for _, made in every for step, source, _, _ in made}
        fixed = replace(scenario, damage=fixed_damage(steps, assigned, named))
        assert reference.damage(fixed) == {(steps, assigned)}
        assert reference.outcomes(fixed) <= reference.outcomes(scenario)


def fixed_damage(
    steps: Iterable[Step],
    assigned: Iterable[tuple[Step, str, str, int]],
    named: Iterable[tuple[Step, str]],
) -> Damage:
    """An assignment in the scenario's shape; every source is named, also with nothing."""
    made: dict[Step, dict[str, dict[str, int]]] = {step: {} for step in steps}
    for step, source in named:
        made.setdefault(step, {})[source] = {}
    for step, source, recipient, amount in assigned:
        made[step].setdefault(source, {})[recipient] = amount
    return Damage(
        FrozenDict(
            {
                step: FrozenDict({name: FrozenDict(split) for name, split in sources.items()})
                for step, sources in made.items()
            }
        )
    )
