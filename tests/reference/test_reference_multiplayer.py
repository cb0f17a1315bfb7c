"""Several defending players, teams that share a turn, and planeswalkers that are creatures."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import Any

import pytest

from pysolver.frozen import FrozenDict
from pysolver.scenario.model import (
    AttackTax,
    Battle,
    DamageChooser,
    Event,
    MaxAttackers,
    MaxBlockers,
    MustAttackWith,
    Planeswalker,
    Player,
    Scenario,
    Team,
)
from tests import reference
from tests.strategies import ability, board, creature, heads, random_scenario

ANN, BOB, CARL = Player("ann"), Player("bob"), Player("carl")


def free(*creatures: Any, players: tuple[Player, ...] = (ANN, BOB, CARL), **rest: Any) -> Scenario:
    """Ann attacks everybody else, who defend each for himself (802)."""
    return board(*creatures, players=players, **{"variant": "attack-multiple", **rest})


def results(scenario: Scenario) -> list[dict[str, Any]]:
    """Every result."""
    return [json.loads(text) for text in sorted(reference.outcomes(scenario))]


def declared(scenario: Scenario) -> set[tuple[tuple[str, str], ...]]:
    """The legal block declarations, as sorted pairs."""
    return {tuple(sorted(key[0])) for key in reference.blocks(scenario)}


def targets(scenario: Scenario) -> set[tuple[tuple[str, str], ...]]:
    """The legal choices of attackers and targets, bands left out."""
    return {tuple(sorted(key[0])) for key in reference.attacks(scenario)}


def choosers(scenario: Scenario) -> dict[str, str]:
    """Who divides each creature's damage in the regular step."""
    return {
        source: who for step, source, who, _, _ in reference.authority(scenario) if step[0] == "r"
    }


def event(at: Any, operation: str, subject: str, **details: Any) -> Event:
    """An event without ``may``."""
    return Event(at, operation, subject, FrozenDict(details))


# Attacks


def at_six_targets(kind: tuple[str, ...]) -> Scenario:
    """Four attackers; three defending players, two planeswalkers and a battle."""
    return free(
        *(creature(f"a{n}", "ann", "1/1", *kind) for n in range(4)),
        players=(ANN, BOB, CARL, Player("dan")),
        planeswalkers=(Planeswalker("w1", "bob", 3), Planeswalker("w2", "carl", 3)),
        battles=(Battle("siege", "ann", "dan", 4),),
    )


def test_attackers_of_six_targets() -> None:
    assert len(reference.attacks(at_six_targets(()))) == 7**4


def test_bands_at_six_targets() -> None:
    # m banders that attack fall into groups at one of six targets: 1, 6, 42, 330, 2850 ways for
    # m = 0 .. 4 (the sum over k of 6**k times the ways to make k groups)
    groups = (1, 6, 42, 330, 2850)
    expected = sum(c * ways for c, ways in zip((1, 4, 6, 4, 1), groups, strict=True))
    assert len(reference.attacks(at_six_targets(("banding",)))) == expected == 4447


@pytest.mark.parametrize(
    ("variant", "expected"),
    [
        ("attack-multiple", {"bob", "carl", "dan", "walker", "siege"}),
        ("attack-left", {"bob", "siege"}),
        ("attack-right", {"dan"}),
    ],
)
def test_whom_the_options_let_attack(variant: str, expected: set[str]) -> None:
    scenario = free(
        creature("a1", "ann", "1/1"),
        players=(ANN, BOB, CARL, Player("dan")),
        planeswalkers=(Planeswalker("walker", "carl", 3), Planeswalker("own", "ann", 3)),
        battles=(Battle("siege", "dan", "bob", 3), Battle("mine", "dan", "ann", 3)),
        variant=variant,
    )
    assert {target for key in targets(scenario) for _, target in key} == expected
    assert len(targets(scenario)) == len(expected) + 1


def test_a_neighbor_of_the_same_team_is_not_attacked() -> None:
    players = (Player("ann", team="x"), Player("al", team="x"), BOB)
    for variant, count in (("attack-left", 1), ("attack-right", 2), ("attack-multiple", 2)):
        scenario = free(creature("a1", "ann", "1/1"), players=players, variant=variant)
        assert len(targets(scenario)) == count


def test_a_limit_protects_one_player() -> None:
    scenario = free(
        creature("a1", "ann", "1/1"),
        creature("a2", "ann", "1/1"),
        effects=(MaxAttackers(1, "bob"),),
    )
    assert len(targets(scenario)) == 9 - 1


def test_goaded_by_one_of_two() -> None:
    scenario = free(creature("a1", "ann", "1/1", goaded_by=("bob",)))
    assert targets(scenario) == {(("a1", "carl"),)}


# Blocks


def test_blocks_are_the_product_over_defenders() -> None:
    attack = {"a1": "bob", "a2": "bob", "a3": "carl"}
    attackers = [creature(name, "ann", "1/1") for name in attack]
    bobs = [creature(f"b{n}", "bob", "1/1") for n in range(2)]
    carls = [creature(f"c{n}", "carl", "1/1") for n in range(3)]
    everybody = free(*attackers, *bobs, *carls, attack=attack)
    assert len(declared(free(*attackers, *bobs, attack=attack))) == 3**2
    assert len(declared(free(*attackers, *carls, attack=attack))) == 2**3
    assert len(declared(everybody)) == 3**2 * 2**3


def one_blocker_each(make: Any) -> Scenario:
    """At most one creature can block; two attackers, and a blocker at each attacked player."""
    return make(  # type: ignore[no-any-return]
        creature("a1", "ann", "1/1"),
        creature("a2", "ann", "1/1"),
        creature("b", "bob", "1/1"),
        creature("c", "carl" if make is free else "bea", "1/1"),
        attack={"a1": "bob", "a2": "carl" if make is free else "bea"},
        effects=(MaxBlockers(1),),
    )


def test_one_blocker_binds_each_player_or_the_team() -> None:
    assert len(declared(one_blocker_each(free))) == 4
    # in a team either creature may block either attacker, but only one of them
    assert len(declared(one_blocker_each(heads))) == 5


def test_blocking_alone_is_judged_for_each_player() -> None:
    def scenario(make: Any, other: str) -> Scenario:
        return make(  # type: ignore[no-any-return]
            creature("a1", "ann", "1/1"),
            creature("a2", "ann", "1/1"),
            creature("b", "bob", "1/1", "cant_block_alone"),
            creature("c", other, "1/1"),
            attack={"a1": "bob", "a2": other},
        )

    assert declared(scenario(free, "carl")) == {(), (("c", "a2"),)}
    # b and c block one of two each, c alone blocks one of two, or nobody blocks
    assert len(declared(scenario(heads, "bea"))) == 4 + 2 + 1


def test_each_players_requirements_are_his_own() -> None:
    scenario = free(
        creature("a1", "ann", "1/1", "lure"),
        creature("a2", "ann", "1/1"),
        creature("b", "bob", "1/1"),
        creature("c", "carl", "1/1"),
        attack={"a1": "bob", "a2": "carl"},
        blocks={"c": ["a2"]},
    )
    assert reference.check(scenario) == (False, {"block.require.max"})
    assert declared(replace(scenario, blocks=None)) == {
        (("b", "a1"),),
        (("b", "a1"), ("c", "a2")),
    }


def test_a_member_that_was_moved_to_another_player() -> None:
    scenario = free(
        creature("a1", "ann", "1/1", "banding"),
        creature("a2", "ann", "3/3"),
        creature("b", "bob", "2/2", "banding"),
        creature("c", "carl", "2/2"),
        attack={"a1": "bob", "a2": "bob"},
        bands=[("a1", "a2")],
        events=(event("attackers", "reselect", "a2", target="carl"),),
    )
    assert len(declared(scenario)) == 4
    only_b = replace(scenario, blocks=board(blocks={"b": ["a1"]}).blocks)
    # bob's bander blocks a2 as well, but the defending player of a2 is carl
    assert choosers(only_b) == {"a1": "bob", "a2": "carl", "b": "ann"}
    gone = replace(only_b, readings=FrozenDict({"reselect_in_band": "leaves"}))
    assert choosers(gone) == {"a1": "bob", "a2": "ann", "b": "ann"}


# Players who leave


def test_a_loser_leaves_between_the_steps() -> None:
    scenario = free(
        creature("a1", "ann", "2/2", "double_strike"),
        creature("a2", "ann", "4/4", "trample"),
        creature("a3", "ann", "3/3"),
        creature("a4", "ann", "5/5", "trample_over_planeswalkers"),
        creature("b1", "bob", "5/5"),
        creature("b2", "bob", "1/1"),
        planeswalkers=(Planeswalker("walker", "bob", 4),),
        players=(ANN, Player("bob", life=2), CARL),
        attack={"a1": "bob", "a2": "bob", "a3": "carl", "a4": "walker"},
        blocks={"b1": ["a2"]},
    )
    [result] = results(scenario)
    assert result == {
        "died": [],
        "regenerated": [],
        "life": {"ann": 20, "bob": 0, "carl": 17},
        "loyalty": {"walker": 0},
    }
    [(steps, assigned)] = reference.damage(scenario)
    assert steps == ("first-strike", "regular")
    assert {source for step, source, _, _ in assigned if step == "regular"} == {"a3"}


def test_a_battle_stays_when_its_protector_leaves() -> None:
    scenario = free(
        creature("a1", "ann", "2/2", "first_strike"),
        creature("a2", "ann", "1/1"),
        creature("a3", "ann", "1/1"),
        battles=(Battle("siege", "ann", "bob", 3), Battle("bobs", "bob", "carl", 3)),
        players=(ANN, Player("bob", life=2), CARL),
        attack={"a1": "bob", "a2": "siege", "a3": "bobs"},
        blocks={},
    )
    [result] = results(scenario)
    assert result["defense"] == {"siege": 2, "bobs": 0}


def test_the_game_ends_when_one_side_is_left() -> None:
    fighters = [
        creature("a1", "ann", "3/3", "first_strike"),
        creature("a2", "ann", "3/3", "first_strike"),
        creature("a3", "ann", "3/3"),
    ]
    scenario = free(
        *fighters,
        players=(ANN, Player("bob", life=3), Player("carl", life=3)),
        attack={"a1": "bob", "a2": "carl", "a3": "carl"},
        blocks={},
        events=(event("first-strike", "destroy", "a3"),),
    )
    [(steps, _)] = reference.damage(scenario)
    assert steps == ("first-strike",)
    [result] = results(scenario)
    assert result["died"] == []
    assert result["life"] == {"ann": 20, "bob": 0, "carl": 0}


def test_a_creature_that_dies_with_its_loser() -> None:
    scenario = free(
        creature("a1", "ann", "3/3"),
        creature("a2", "ann", "3/3"),
        creature("b1", "bob", "2/2"),
        players=(ANN, Player("bob", life=3), CARL),
        attack={"a1": "bob", "a2": "bob"},
        blocks={"b1": ["a1"]},
    )
    [result] = results(scenario)
    assert result["died"] == ["b1"]


# Teams


def test_shared_life_and_poison() -> None:
    scenario = heads(
        creature("a1", "ann", "4/4", "infect"),
        creature("a2", "al", "3/3"),
        creature("a3", "al", "2/2", "lifelink", ability("toxic", 1)),
        attack={"a1": "bob", "a2": "bea", "a3": "bea"},
        blocks={},
        teams=(Team("red", 10), Team("blue", 12)),
    )
    [result] = results(scenario)
    assert result["life"] == {"red": 12, "blue": 7}
    assert result["poison"] == {"blue": 5}


@pytest.mark.parametrize(("poison", "steps"), [(4, 2), (5, 1)])
def test_fifteen_poison_for_a_team(poison: int, steps: int) -> None:
    scenario = heads(
        creature("a1", "ann", "5/5", "infect", "double_strike"),
        players=(
            Player("ann", team="red"),
            Player("al", team="red"),
            Player("bob", team="blue", poison=5),
            Player("bea", team="blue", poison=poison),
        ),
        attack={"a1": "bob"},
        blocks={},
    )
    [(made, _)] = reference.damage(scenario)
    assert len(made) == steps
    [result] = results(scenario)
    assert result["poison"] == {"blue": 5 + poison + 5 * steps}


@pytest.mark.parametrize(
    ("reading", "expected"),
    [
        ("team", {"a1": "blue", "a2": "blue", "b1": "red", "b2": "red"}),
        ("attacked", {"a1": "bob", "a2": "bea", "b1": "al", "b2": "al"}),
        ("bander", {"a1": "bea", "a2": "blue", "b1": "al", "b2": "al"}),
    ],
)
def test_which_head_divides(reading: str, expected: dict[str, str]) -> None:
    scenario = heads(
        creature("a1", "ann", "3/3"),
        creature("a2", "al", "3/3", "banding"),
        creature("b1", "bea", "1/1", "banding", "blocks_any_number"),
        creature("b2", "bob", "1/1", "banding"),
        attack={"a1": "bob", "a2": "bea"},
        blocks={"b1": ["a1", "a2"], "b2": ["a2"]},
        readings={"team_authority": reading},
    )
    assert choosers(scenario) == expected


def test_banders_of_both_attacking_heads() -> None:
    scenario = heads(
        creature("a1", "ann", "3/3", "banding"),
        creature("a2", "al", "3/3", "banding"),
        creature("b1", "bea", "2/2"),
        attack={"a1": "bob", "a2": "bob"},
        bands=[("a1", "a2")],
        blocks={"b1": ["a1"]},
        readings={"team_authority": "bander"},
    )
    assert choosers(scenario) == {"a1": "ann", "a2": "al", "b1": "red"}
    apart = replace(scenario, readings=FrozenDict({"cross_team_bands": "no"}))
    assert reference.check(apart) == (False, {"banding.form"})


def test_an_effect_lets_a_head_divide() -> None:
    scenario = heads(
        creature("a1", "ann", "3/3"),
        creature("b1", "bea", "2/2"),
        attack={"a1": "bob"},
        blocks={"b1": ["a1"]},
        effects=(DamageChooser("attackers", "bea"),),
    )
    assert choosers(scenario) == {"a1": "blue", "b1": "blue"}


def test_each_head_pays_for_its_own() -> None:
    players = (
        Player("ann", team="red"),
        Player("al", team="red", mana=2),
        Player("bob", team="blue"),
        Player("bea", team="blue"),
    )
    scenario = heads(
        creature("a1", "ann", "1/1"),
        creature("a2", "al", "1/1"),
        players=players,
        effects=(AttackTax("bob", 2),),
    )
    # a1 attacks nobody or bea; a2 nobody, bob or bea
    assert len(targets(scenario)) == 2 * 3


def test_a_limit_for_one_head() -> None:
    scenario = heads(
        creature("a1", "ann", "1/1"),
        creature("a2", "al", "1/1"),
        effects=(MaxAttackers(1, "bea"),),
    )
    assert len(targets(scenario)) == 9 - 1


def test_both_attacking_heads_must_attack_bob() -> None:
    scenario = heads(
        creature("a1", "ann", "1/1"),
        creature("a2", "al", "1/1"),
        creature("a3", "al", "1/1"),
        effects=(MustAttackWith("bob", 1),),
    )
    # a1 and one of al's at least attack bob
    assert len(targets(scenario)) == 9 - 4


def test_defended_by_either_head() -> None:
    scenario = heads(
        creature("a1", "ann", "1/1"),
        creature("b", "bea", "1/1"),
        planeswalkers=(Planeswalker("walker", "bob", 3),),
        battles=(Battle("siege", "al", "bob", 3),),
    )
    assert len(targets(scenario)) == 5
    for target in ("bob", "walker", "siege"):
        fixed = replace(scenario, attack=board(attack={"a1": target}).attack)
        assert declared(fixed) == {(), (("b", "a1"),)}


def test_all_creatures_of_the_attacked_head() -> None:
    scenario = heads(
        creature("a1", "ann", "1/1", "unblockable_unless_all_block"),
        creature("b", "bob", "1/1"),
        creature("c", "bea", "1/1"),
        attack={"a1": "bob"},
    )
    assert declared(scenario) == {(), (("b", "a1"),), (("b", "a1"), ("c", "a1"))}


def test_a_teammate_takes_an_attacker_over() -> None:
    scenario = heads(
        creature("a1", "ann", "3/3", "decayed"),
        attack={"a1": "bob"},
        blocks={},
        events=(event("attackers", "control", "a1", to="al"),),
    )
    [result] = results(scenario)
    assert result == {"died": [], "regenerated": [], "life": {"red": 30, "blue": 30}}


def test_three_against_one() -> None:
    players = (
        Player("villain", team="dark"),
        *(Player(name, team="light") for name in ("bob", "bea", "ben")),
    )
    scenario = heads(
        creature("a1", "villain", "7/7", "menace"),
        creature("b", "bea", "2/2"),
        creature("c", "ben", "2/2"),
        players=players,
        teams=(Team("dark", 40), Team("light", 60)),
    )
    scenario = replace(scenario, active="dark")
    assert len(targets(scenario)) == 4
    fixed = replace(scenario, attack=board(attack={"a1": "bob"}).attack)
    assert declared(fixed) == {(), (("b", "a1"), ("c", "a1"))}
    assert {result["life"]["light"] for result in results(fixed)} == {53, 60}


# Planeswalkers that are creatures


def living_walker(*rest: Any, pt: str = "2/3", loyalty: int = 4, **more: Any) -> Scenario:
    """Bob's planeswalker is a creature, and is attacked."""
    return board(
        creature("w", "bob", pt, types=("planeswalker",)),
        *rest,
        planeswalkers=(Planeswalker("w", "bob", loyalty),),
        **more,
    )


def test_it_blocks_what_attacks_it() -> None:
    scenario = living_walker(creature("a1", "ann", "2/2"), attack={"a1": "w"})
    assert declared(scenario) == {(), (("w", "a1"),)}
    # two damage either way: 4 - 2 loyalty; blocked, a1 dies
    assert [(r["died"], r["loyalty"]) for r in results(scenario)] == [
        (["a1"], {"w": 2}),
        ([], {"w": 2}),
    ]


@pytest.mark.parametrize(("pt", "loyalty"), [("0/2", 9), ("0/9", 2)])
def test_it_dies_of_damage_or_without_loyalty(pt: str, loyalty: int) -> None:
    scenario = living_walker(
        creature("a1", "ann", "2/2"), pt=pt, loyalty=loyalty, attack={"a1": "w"}, blocks={}
    )
    [result] = results(scenario)
    assert result["died"] == ["w"]
    assert result["loyalty"] == {"w": 0}


def test_it_keeps_the_half_that_still_applies() -> None:
    scenario = living_walker(
        creature("a1", "ann", "2/2"),
        creature("a2", "ann", "1/1"),
        attack={"a1": "bob", "a2": "w"},
        blocks={"w": ["a1"]},
    )
    no_creature = event("blockers", "lose", "w", type="creature")
    [result] = results(replace(scenario, events=(no_creature,)))
    # a1 stays blocked and deals nothing; w is still attacked
    assert (result["died"], result["life"]["bob"], result["loyalty"]) == ([], 20, {"w": 3})
    no_walker = event("blockers", "lose", "w", type="planeswalker")
    [result] = results(replace(scenario, events=(no_walker,)))
    # a2 attacks nothing; w still blocks a1 and kills it
    assert (result["died"], result["life"]["bob"]) == (["a1"], 20)
    assert "loyalty" not in result


def test_trample_over_a_planeswalker_that_blocks() -> None:
    scenario = living_walker(
        creature("a1", "ann", "6/6", "trample_over_planeswalkers"),
        attack={"a1": "w"},
        blocks={"w": ["a1"]},
    )
    # it needs lethal damage 3 and loyalty 4
    assert {result["life"]["bob"] for result in results(scenario)} == {18, 19, 20}


def test_a_living_planeswalker_attacks() -> None:
    scenario = board(
        creature("w", "ann", "3/3", types=("planeswalker",)),
        creature("b", "bob", "2/2"),
        planeswalkers=(Planeswalker("w", "ann", 1),),
        attack={"w": "bob"},
        blocks={"b": ["w"]},
    )
    [result] = results(scenario)
    assert result["died"] == ["b", "w"]


# The parts agree with each other


@pytest.mark.parametrize("family", ["multiplayer", "teams", "walkers"])
def test_parts_agree(family: str) -> None:
    for seed in range(25):
        scenario = random_scenario(random.Random(seed), family)
        legal, slugs = reference.check(scenario)
        assert legal == (not slugs)
        assert bool(reference.outcomes(scenario)) == legal
        if scenario.attack is not None and scenario.blocks is None:
            for key in list(reference.blocks(scenario))[:20]:
                chosen: dict[str, list[str]] = {}
                for blocker, attacker in key[0]:
                    chosen.setdefault(blocker, []).append(attacker)
                fixed = replace(scenario, blocks=board(blocks=chosen).blocks)
                assert not reference.block_violations(fixed)
