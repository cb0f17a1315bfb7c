"""Explanations: trees from the encodings that hold what is so, and say by which rule."""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pysolver import QueryError, questions
from pysolver.conform import case_files
from pysolver.errors import NotCovered
from pysolver.frozen import FrozenDict
from pysolver.results import Reason
from pysolver.scenario import load, loads
from pysolver.scenario.model import Event, MaxAttackers

from .strategies import FAMILIES, ability, board, creature, random_scenario

BOARDS = int(os.environ.get("PYSOLVER_BOARDS", "1"))
CASES = Path(__file__).parent / "conformance"
BAND = load(Path(__file__).parent.parent / "instances" / "flyer_and_swampwalker.yaml")


def nodes(reason: Reason) -> Iterator[Reason]:
    """The node and all below it."""
    yield reason
    for part in reason.because:
        yield from nodes(part)


def facts(reason: Reason) -> list[str]:
    return [node.fact for node in nodes(reason)]


def slugs(reason: Reason) -> set[str]:
    return {node.slug for node in nodes(reason) if node.slug is not None}


def leaves(reason: Reason) -> list[str]:
    return [node.fact for node in nodes(reason) if not node.because]


# Authority


DIVIDED = [
    path
    for path in case_files([str(CASES)])
    if "authority:" in Path(path).read_text(encoding="utf-8")
]
BY_BANDING = {"banding.authority.vs_attacker", "banding.authority.vs_blocker"}


@pytest.mark.parametrize("path", DIVIDED, ids=[Path(path).stem for path in DIVIDED])
def test_who_divides_is_traced_to_the_abilities(path: str) -> None:
    try:
        scenario = load(path)
        every = list(questions.authority(scenario))
    except NotCovered:
        pytest.skip("an older edition")
    for line in {line.slug: line for line in every}.values():
        # Over the steps and courses one creature's damage may fall to one player by several rules.
        same = {o.slug for o in every if (o.source, o.chooser) == (line.source, line.chooser)}
        found = questions.explain(scenario, f'divides("{line.chooser}", "{line.source}")')
        assert found.holds
        assert same & slugs(found.reason)
        if same <= BY_BANDING:
            ends = r"banding is printed|bands with other .* is printed|says that|gains"
            assert any(re.search(ends, leaf) for leaf in leaves(found.reason))


# The trees, read


def test_a_block_that_goes_through_a_band() -> None:
    reason = questions.explain(BAND, "blocked_by(wraith, bat)").reason
    assert reason.fact == "wraith is blocked by bat"
    assert {"banding.propagate.creature", "block.become", "block.procedure"} <= slugs(reason)
    assert "bat is declared as a blocker of drake" in leaves(reason)
    assert "wraith is declared as a member of a band" in leaves(reason)


def test_the_numbers_are_those_of_the_edition() -> None:
    assert questions.explain(BAND, "divides(ann, bat)").reason.rule == "702.22k"


def test_what_does_not_die_says_why() -> None:
    reason = questions.explain(BAND, "survived(wraith)").reason
    assert reason.fact == "wraith survives"
    assert "in the combat damage step bat deals 1 damage to wraith" in facts(reason)
    assert any("toughness of wraith is 3" in fact for fact in facts(reason))


def test_regeneration_and_indestructible_save() -> None:
    text = (
        "players: {ann: {}, bob: {}}\nactive: ann\n"
        "creatures:\n"
        "  troll: {controller: ann, pt: 2/2, shields: 1}\n"
        "  golem: {controller: ann, pt: 2/2, abilities: [indestructible]}\n"
        "  giant: {controller: bob, pt: 3/3}\n  ogre: {controller: bob, pt: 3/3}\n"
        "attack: {attackers: {troll: bob, golem: bob}}\nblocks: {giant: [troll], ogre: [golem]}\n"
    )
    scenario = loads(text)
    troll = questions.explain(scenario, "survived(troll)").reason
    assert "regen.shield" in slugs(troll)
    golem = questions.explain(scenario, "survived(golem)").reason
    assert "indestructible is printed on golem" in leaves(golem)


def test_damage_that_tramples_through_counts_all_that_is_assigned() -> None:
    scenario = load(
        Path(__file__).parent.parent / "instances" / "trample_shares_lethal_damage.yaml"
    )
    reason = questions.explain(scenario, "damage(boar, bob)").reason
    assert "in the combat damage step guard is assigned lethal damage" in facts(reason)
    assert "in the combat damage step hero assigns 1 damage to guard" in facts(reason)
    assert "trample is printed on boar" in leaves(reason)


@pytest.mark.parametrize(
    ("statement", "holds", "slug", "leaf"),
    [
        ("can_block(ogre, drake)", False, "kw.flying", "flying is printed on drake"),
        ("can_block(bat, wraith)", False, "kw.landwalk", "swampwalk is printed on wraith"),
        ("can_block(bat, drake)", True, None, "flying is printed on bat"),
        ("can_block(drake, wraith)", False, "block.choose", None),
        ("can_attack(ogre)", False, "attack.choose", None),
        ("can_attack(drake, bob)", True, None, None),
        ("can_attack(drake, ann)", False, "attack.target", None),
        ("can_band(drake, wraith)", True, "banding.form.banding", "banding is printed on drake"),
        ("not can_block(ogre, drake)", True, "kw.flying", None),
    ],
)
def test_what_is_possible(statement: str, holds: bool, slug: str | None, leaf: str | None) -> None:
    found = questions.explain(BAND, statement)
    assert found.holds is holds
    assert slug is None or slug in slugs(found.reason)
    assert leaf is None or leaf in leaves(found.reason)


def test_a_block_that_obeys_too_little() -> None:
    text = (
        "players: {ann: {}, bob: {}}\nactive: ann\n"
        "creatures:\n"
        "  bear: {controller: ann, pt: 2/2, abilities: [all creatures able to block it do so]}\n"
        "  wolf: {controller: ann, pt: 2/2}\n  elf: {controller: bob, pt: 1/1}\n"
        "attack: {attackers: {bear: bob, wolf: bob}}\n"
    )
    found = questions.explain(loads(text), "can_block(elf, wolf)")
    assert not found.holds
    assert slugs(found.reason) == {"block.require.max"}
    assert questions.explain(loads(text), "can_block(elf, bear)").holds


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("died(bat) and died(drake)", "one fact at a time"),
        ("can_block(bat)", "2 different names"),
        ("can_attack(bat, bob, drake)", "1 or 2 different names"),
        ("can_band(bat)", "2 or more different names"),
        ("can_band(drake, drake)", "2 or more different names"),
        ("can_block(bat, nobody)", "not in the scenario"),
        ("can_attack(bob)", "no creature"),
        ("flies(bat)", r"there are: attacks\(creature\), .* can_band, can_block"),
        ("died(bat, drake)", "no such statement"),
    ],
)
def test_what_cannot_be_explained_is_said(statement: str, message: str) -> None:
    with pytest.raises(QueryError, match=message):
        questions.explain(BAND, statement)


def told(reason: Reason, fact: str) -> Reason:
    """The node that says so."""
    return next(node for node in nodes(reason) if node.fact == fact)


def test_a_comparison_tells_the_number_that_there_is() -> None:
    striker = board(
        creature("a", "ann", "2/2", "first_strike"),
        creature("b", "bob", "2/2"),
        attack=["a"],
        blocks={"b": ["a"]},
    )
    found = questions.explain(striker, "damage(a, b) = 3")
    assert (found.holds, found.reason.fact) == (False, "not so: damage(a, b) = 3")
    assert "in the first-strike damage step a assigns 2 damage to b" in facts(found.reason)
    gone = questions.explain(striker, "divides(bob, b)").reason
    assert any("b is put into the graveyard" in fact for fact in facts(gone))


def test_what_happens_twice_is_told_as_twice() -> None:
    scenario = board(
        creature("a", "ann", "1/1"),
        creature("helper", "ann", "1/1", "exalted", "exalted"),
        attack=["a"],
        blocks={},
    )
    reason = questions.explain(scenario, "damage(a, bob)").reason
    assert "at the declaration of attackers a gets +1/+1, 2 times" in facts(reason)
    withering = board(
        creature("a", "ann", "3/3", "wither"),
        creature("b", "bob", "2/2"),
        attack=["a"],
        blocks={"b": ["a"]},
    )
    reason = questions.explain(withering, "died(b)").reason
    assert "at the combat damage step b gets -1/-1, 3 times" in facts(reason)
    assert "in the combat damage step a deals 3 damage to b" in facts(reason)


def test_what_never_holds_names_the_rule_in_the_way() -> None:
    folder = Path(__file__).parent.parent / "instances"
    camel = load(folder / "camel_stops_the_colossus.yaml")
    found = questions.explain(camel, "damage(colossus, bob) > 10")
    assert (found.answer, found.reason.because[0].slug) == ("never", "kw.trample.assign")
    tramplers = load(folder / "two_tramplers_one_wall.yaml")
    found = questions.explain(tramplers, "life(bob) < 17")
    assert found.reason.because[0].slug == "kw.trample.assign"
    flyer = board(creature("a", "ann", "1/1", "flying"), creature("b", "bob", "1/1"), attack=["a"])
    assert "kw.flying" in slugs(questions.explain(flyer, "blocked(a)").reason)


def test_a_requirement_is_the_reason() -> None:
    bear = board(creature("a", "ann", "1/1", "must_attack"), creature("b", "bob", "1/1"))
    for statement, answer in (("attacks(a)", "always"), ("not attacks(a)", "never")):
        found = questions.explain(bear, statement)
        assert found.answer == answer
        assert "attack.require.max" in slugs(found.reason)


def test_deathtouch_is_not_lethal_damage() -> None:
    scenario = board(
        creature("a", "ann", "1/1", "deathtouch"),
        creature("b", "bob", "4/4"),
        attack=["a"],
        blocks={"b": ["a"]},
    )
    reason = questions.explain(scenario, "died(b)").reason
    assert "in the combat damage step a source with deathtouch deals damage to b" in facts(reason)
    assert not any("lethal" in fact for fact in facts(reason))


def test_what_ended_is_traced_to_what_ended_it() -> None:
    scenario = board(
        creature("a", "ann", "2/5"),
        creature("b", "bob", "4/4"),
        attack=["a"],
        blocks={"b": ["a"]},
        events=(Event("blockers", "exile", "b"),),
    )
    reason = questions.explain(scenario, "damage(a, b)").reason
    assert 'at the event "exile: b" b is exiled' in leaves(reason)
    assert not any("never becomes blocked by b" in fact for fact in facts(reason))


def test_a_band_that_an_effect_blocks() -> None:
    scenario = board(
        creature("a1", "ann", "1/1", "banding"),
        creature("a2", "ann", "1/1"),
        attack=["a1", "a2"],
        bands=[["a1", "a2"]],
        blocks={},
        events=(Event("blockers", "become-blocked", "a2"),),
    )
    reason = questions.explain(scenario, "blocked(a1)").reason
    assert "banding.propagate.effect" in slugs(reason)
    assert not any(" not " in fact for fact in facts(reason))


def test_all_ways_around_are_closed() -> None:
    pair = board(
        creature("a", "ann", "1/1", "menace", ability("max_blockers", 1)),
        creature("b1", "bob", "1/1"),
        creature("b2", "bob", "1/1"),
        attack=["a"],
    )
    reason = questions.explain(pair, "blocked_by(a, b1)").reason
    assert slugs(reason) == {"kw.menace", "block.restrict"}
    limited = board(
        creature("a1", "ann", "1/1", "banding"),
        creature("a2", "ann", "1/1", "banding"),
        creature("b", "bob", "1/1"),
        effects=(MaxAttackers(1),),
    )
    reason = questions.explain(limited, "can_band(a1, a2)").reason
    assert "an effect says that no more than 1 creatures can attack" in leaves(reason)[0]


def test_why_it_never_attacks() -> None:
    wall = board(creature("a", "ann", "1/1", "defender"), creature("b", "bob", "1/1"))
    reason = questions.explain(wall, "attacks(a)").reason
    assert "kw.defender" in slugs(reason)


def test_numbers_of_events_belong_to_the_rules_that_say_so() -> None:
    scenario = board(
        creature("a", "ann", "1/1"),
        creature("b", "bob", "2/2"),
        attack=["a"],
        blocks={"b": ["a"]},
        events=(
            Event("blockers", "pump", "a", FrozenDict({"power": 3, "toughness": 3})),
            Event("blockers", "destroy", "b"),
        ),
    )
    alive = questions.explain(scenario, "damage(a, b)").reason
    assert not {"banding.bwo.is_banding", "banding.bwo"} & slugs(alive)
    dead = questions.explain(scenario, "died(b)").reason
    assert told(dead, 'at the event "destroy: b" an effect destroys b').slug is None
    assert "kw.indestructible" not in slugs(dead)


@pytest.mark.parametrize("statement", ["can_attack(drake) = 0", "not life(bob)"])
def test_comparisons_that_mean_nothing(statement: str) -> None:
    with pytest.raises(QueryError, match="cannot be"):
        questions.explain(BAND, statement)


@pytest.mark.parametrize("odd", ["A", "is", "at any time", "x : y", "{0}", 'a"b\\c', "anything"])
def test_odd_names_stay_whole(odd: str) -> None:
    scenario = board(
        creature(odd, "ann", "2/2", "flying"),
        creature("M", "bob", "1/1"),
        creature("bat", "bob", "1/1", "flying"),
        attack=[odd],
        blocks={"bat": [odd]},
    )
    name = json.dumps(odd)
    blocked = questions.explain(scenario, f"blocked_by({name}, bat)").reason
    assert blocked.fact == f"{odd} is blocked by bat"
    assert f"bat is declared as a blocker of {odd}" in facts(blocked)
    unable = questions.explain(scenario, f"can_block(M, {name})").reason
    assert unable.fact == f"M cannot block {odd}"
    assert "M does not have reach at the declaration of blockers" in facts(unable)
    alive = questions.explain(scenario, f"survived({name})").reason
    assert f"the damage marked on {odd} is never lethal" in facts(alive)


# What check says, in the reader's terms


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            "attack: {attackers: {drake: bob, wraith: bob}, bands: [[drake, wraith]]}",
            "drake and wraith cannot be one band: neither has banding, and they share no quality "
            "that one of them bands with",
        ),
        ("attack: {attackers: {ogre: bob}}", "ogre is not a creature of the attacking side"),
        ("attack: {attackers: {cat: bob}}", "cat is tapped"),
        ("attack: {attackers: {coward: bob}}", 'coward has "can\'t attack alone"'),
        ("attack: {attackers: {drake: bob}}\nblocks: {ogre: [drake]}", "neither flying nor reach"),
        ("attack: {attackers: {drake: bob}}\nblocks: {wraith: [drake]}", "the defending side"),
        (
            "attack: {attackers: {wraith: bob, coward: bob}}\nblocks: {ogre: [wraith, coward]}",
            "ogre can block 1 creatures at most",
        ),
        (
            "attack: {attackers: {wraith: bob}}\nblocks: {ogre: [wraith]}\n"
            "effects: [{max-blockers: {count: 0}}]",
            "an effect says that no more than 0 creatures can block",
        ),
    ],
)
def test_check_says_what_breaks_the_rule(change: str, said: str) -> None:
    text = (
        "players: {ann: {}, bob: {}}\nactive: ann\n"
        "creatures:\n"
        "  drake: {controller: ann, pt: 2/2, abilities: [flying]}\n"
        "  wraith: {controller: ann, pt: 3/3}\n"
        "  cat: {controller: ann, pt: 1/1, tapped: true}\n"
        "  coward: {controller: ann, pt: 1/1, abilities: [can't attack alone]}\n"
        "  ogre: {controller: bob, pt: 3/3}\n" + change + "\n"
    )
    verdict = questions.check(loads(text))
    assert not verdict.legal
    assert any(said in violation.message for violation in verdict.violations)


# Agreement with the listings

WORDS = ("died", "survived", "regenerated", "blocked", "unblocked", "attacks")


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_explanations_agree_with_the_answers(family: str) -> None:
    for seed in range(BOARDS):
        chance = random.Random(f"explain {family} {seed}")
        scenario = random_scenario(chance, family)
        creatures = [creature.name for creature in scenario.creatures]
        one, other = chance.choice(creatures), chance.choice(creatures)
        for statement in (
            f"{chance.choice(WORDS)}({one})",
            f"not {chance.choice(WORDS)}({one})",
            f"blocked_by({one}, {other})",
            f"damage({one}, {other})",
            f"divides({scenario.active}, {one})",
        ):
            asked = statement if "damage" not in statement else f"{statement} > 0"
            answer = questions.ask(scenario, asked).answer
            found = questions.explain(scenario, statement)
            assert found.holds == (answer in ("always", "sometimes")), statement
            for node in nodes(found.reason):
                assert not re.search(r"\b[A-Z]'?\b|\bany(?! band| damage)\b", node.fact), node.fact


@pytest.mark.parametrize("family", ["plain", "bands", "requirements", "costs", "walkers", "teams"])
def test_what_is_possible_agrees_with_the_listings(family: str) -> None:
    for seed in range(BOARDS):
        chance = random.Random(f"possible {family} {seed}")
        scenario = random_scenario(chance, family)
        creatures = [creature.name for creature in scenario.creatures]
        one, other = chance.sample(creatures, 2) if len(creatures) > 1 else creatures * 2
        if one == other or not questions.check(scenario).legal:
            continue
        attacks = list(questions.attacks(scenario)) if scenario.attack is None else None
        if attacks is not None:
            can = any(one in attack.attackers for attack in attacks)
            assert questions.explain(scenario, f"can_attack({one})").holds == can
            band = tuple(sorted((one, other)))
            can = any(band in attack.bands for attack in attacks)
            assert questions.explain(scenario, f"can_band({one}, {other})").holds == can
        blocks = questions.blocks(scenario, each_attack=scenario.attack is None)
        if scenario.blocks is None:
            can = any(other in block.blocks.blocks.get(one, ()) for block in blocks)
            assert questions.explain(scenario, f"can_block({one}, {other})").holds == can
