"""The minimax against boards whose answer is clear from the rules."""

from __future__ import annotations

import random

import pytest

from pysolver.frozen import FrozenDict
from pysolver.scenario.model import (
    Damage,
    DamageChooser,
    Event,
    Player,
    Point,
    Scenario,
    Step,
)
from tests.reference import phases
from tests.reference.minimax import STAGES, TooLarge, best, force
from tests.reference.state import start
from tests.reference.statements import (
    Both,
    Comparison,
    Either,
    Fact,
    Negation,
    Statement,
    Term,
    text,
    verdicts,
)
from tests.strategies import FAMILIES, ability, board, creature, heads, random_scenario


def fact(word: str, *names: str) -> Fact:
    """A term as a statement."""
    return Fact(Term(word, names))


def same(left: Statement, right: Statement) -> Statement:
    """Both or neither."""
    return Either(Both(left, right), Both(Negation(left), Negation(right)))


def may(at: Point, operation: str, subject: str, player: str | None, **details: str) -> Event:
    """An optional event."""
    return Event(at, operation, subject, FrozenDict(details), player)


def forced(scenario: Scenario, statement: Statement) -> list[str]:
    """The players who can make the statement true."""
    players = [player.name for player in scenario.players]
    return [player for player in players if force(scenario, player, statement)]


LIFE = Term("life", ("bob",))


# Statements


def test_statements_in_words() -> None:
    died, lives = fact("died", "b"), Comparison(LIFE, "<=", -1)
    assert text(Both(Either(died, lives), Negation(died))) == (
        "(died(b) or life(bob) <= -1) and not died(b)"
    )
    assert text(Both(died, Both(died, lives))) == "died(b) and died(b) and life(bob) <= -1"
    assert text(Negation(Both(died, lives))) == "not (died(b) and life(bob) <= -1)"
    assert text(Either(Both(died, lives), fact("attacks", "a", "bob"))) == (
        "died(b) and life(bob) <= -1 or attacks(a, bob)"
    )


def test_what_a_course_shows() -> None:
    scenario = board(
        creature("a1", "ann", "2/2", "first_strike"),
        creature("a2", "ann", "3/3", "banding"),
        creature("b", "bob", "2/2"),
        attack=["a1", "a2"],
        bands=[("a1", "a2")],
        blocks={"b": ["a1"]},
    )
    statements: list[Statement] = [
        fact("banded", "a2", "a1"),
        fact("blocked_by", "a2", "b"),
        fact("unblocked", "a1"),
        fact("blocked", "b"),
        fact("attacks", "a1", "bob"),
        fact("attacks", "b"),
        fact("divides", "ann", "b"),
        fact("divides", "bob", "b"),
        Comparison(Term("damage", ("a1", "b")), "=", 2),
        fact("survived", "b"),
    ]
    [(_, truth)] = verdicts(scenario, statements)
    # a1 kills b before b divides anything; b was there as the first step began
    assert truth == (True, True, False, False, True, False, False, False, True, False)


def test_no_damage_step_no_blocks() -> None:
    scenario = board(creature("a", "ann", "2/2"), creature("b", "bob", "2/2"), attack=[])
    [(_, truth)] = verdicts(scenario, [fact("blocked", "a"), fact("unblocked", "a")])
    assert truth == (False, False)


# Who decides


def test_nobody_must_attack_or_block() -> None:
    scenario = board(creature("a", "ann", "2/2"), creature("b", "bob", "2/2"))
    assert forced(scenario, fact("died", "a")) == []
    assert forced(scenario, fact("survived", "a")) == ["ann", "bob"]
    assert forced(scenario, fact("survived", "b")) == ["ann", "bob"]
    unhurt = Comparison(LIFE, ">=", 20)
    assert forced(scenario, Either(fact("died", "b"), Negation(unhurt))) == ["ann"]
    assert forced(scenario, unhurt) == ["ann", "bob"]


def test_the_defender_answers_a_declared_attack() -> None:
    scenario = board(creature("a", "ann", "2/2"), creature("b", "bob", "2/2"), attack=["a"])
    assert forced(scenario, fact("died", "a")) == ["bob"]
    assert forced(scenario, fact("survived", "a")) == ["bob"]
    assert best(scenario, "ann", LIFE, least=True) == 20
    assert best(scenario, "bob", LIFE) == 20
    assert best(scenario, "bob", LIFE, least=True) == 18
    assert best(scenario, "ann", LIFE) == 18


def test_no_legal_combat() -> None:
    scenario = board(creature("a", "ann", "2/2", "defender"), attack=["a"])
    assert force(scenario, "ann", fact("died", "a")) is None
    assert best(scenario, "bob", LIFE) is None


def test_no_choice_without_a_legal_end() -> None:
    scenario = board(
        creature("a1", "ann", "2/2"),
        creature("a2", "ann", "2/2"),
        creature("b", "bob", "1/1"),
        blocks={"b": ["a1"]},
    )
    # a1 has to attack, because b blocks it
    assert best(scenario, "bob", Term("damage", ("a1", "b"))) == 2
    assert best(scenario, "ann", LIFE) == 20
    assert best(scenario, "ann", LIFE, least=True) == 18


def test_a_limit_on_the_search() -> None:
    scenario = board(creature("a", "ann", "2/2"), creature("b", "bob", "2/2"))
    with pytest.raises(TooLarge):
        force(scenario, "ann", fact("died", "a"), limit=3)


# Damage


def blocked_by_two(*abilities: str) -> Scenario:
    """A 3/9 blocked by a 1/1 and a 3/3; the abilities are the first one's."""
    return board(
        creature("a", "ann", "3/9"),
        creature("b1", "bob", "1/1", *abilities),
        creature("b2", "bob", "3/3"),
        attack=["a"],
        blocks={"b1": ["a"], "b2": ["a"]},
    )


def test_banding_hands_the_division_over() -> None:
    assert forced(blocked_by_two(), fact("died", "b2")) == ["ann"]
    assert forced(blocked_by_two("banding"), fact("died", "b2")) == ["bob"]
    assert forced(blocked_by_two("banding"), fact("divides", "bob", "a")) == ["ann", "bob"]
    assert best(blocked_by_two(), "bob", Term("damage", ("a", "b1")), least=True) == 3
    assert best(blocked_by_two("banding"), "bob", Term("damage", ("a", "b1")), least=True) == 0


def test_a_band_takes_the_damage_where_it_likes() -> None:
    scenario = board(
        creature("a1", "ann", "3/3"),
        creature("a2", "ann", "1/1", "banding"),
        creature("b", "bob", "3/9"),
        attack=["a1", "a2"],
        blocks={"b": ["a1"]},
    )
    assert forced(scenario, fact("survived", "a1")) == []
    banded = board(
        *scenario.creatures,
        attack=["a1", "a2"],
        bands=[("a1", "a2")],
        blocks={"b": ["a1"]},
    )
    assert forced(banded, fact("survived", "a1")) == ["ann"]
    assert forced(banded, fact("died", "a1")) == ["ann"]


def test_whether_to_band_is_decided_before_the_blocks() -> None:
    scenario = board(
        creature("a1", "ann", "3/3"),
        creature("a2", "ann", "1/1", "banding"),
        creature("b", "bob", "3/9"),
        blocks={"b": ["a1"]},
    )
    assert forced(scenario, Both(fact("survived", "a1"), fact("attacks", "a2"))) == ["ann"]
    alone = Negation(fact("banded", "a1", "a2"))
    assert forced(scenario, Both(fact("survived", "a1"), alone)) == []


def shared_lethal(reading: str) -> Scenario:
    """B1 is in the way of both; bob divides the damage of a2, ann that of a1, which tramples."""
    return board(
        creature("a1", "ann", "3/3", "trample"),
        creature("a2", "ann", "2/2"),
        creature("b1", "bob", "0/3", ability("extra_blocks", 1)),
        creature("b2", "bob", "0/9", "banding"),
        attack=["a1", "a2"],
        blocks={"b1": ["a1", "a2"], "b2": ["a2"]},
        readings={"damage_legality": reading},
    )


def test_the_second_chooser_completes_what_the_first_announced() -> None:
    # ann announces two to bob and one to b1: bob has to put the other two on b1
    assert best(shared_lethal("joint"), "ann", LIFE, least=True) == 18
    assert force(shared_lethal("joint"), "ann", fact("died", "b1")) is True
    # what bob announces later does not count: she has three for b1 at most
    assert best(shared_lethal("per_player"), "ann", LIFE, least=True) == 20


def test_the_active_player_announces_first() -> None:
    scenario = board(
        creature("a1", "ann", "1/9"),
        creature("a2", "ann", "1/9", ability("bushido", 1)),
        creature("b1", "bob", "1/9", ability("extra_blocks", 1)),
        creature("b2", "bob", "0/9"),
        attack=["a1", "a2"],
        blocks={"b1": ["a1", "a2"], "b2": ["a1"]},
    )
    [a_hits, b_hits] = [
        Comparison(Term("damage", pair), ">=", 1) for pair in (("a1", "b1"), ("b1", "a1"))
    ]
    # bob divides the damage of b1, and knows by then how ann divided that of a1
    assert forced(scenario, same(a_hits, b_hits)) == ["bob"]
    assert forced(scenario, Negation(same(a_hits, b_hits))) == ["bob"]


def test_the_second_step_knows_the_first() -> None:
    scenario = board(
        creature("a", "ann", "2/9", "double_strike"),
        creature("b1", "bob", "0/2"),
        creature("b2", "bob", "0/2"),
        attack=["a"],
        blocks={"b1": ["a"], "b2": ["a"]},
    )
    both = Both(fact("died", "b1"), fact("died", "b2"))
    assert forced(scenario, both) == ["ann"]
    step: Step = "first-strike"
    first = FrozenDict({step: FrozenDict({"a": FrozenDict({"b1": 1, "b2": 1})})})
    fixed = board(
        *scenario.creatures,
        attack=["a"],
        blocks={"b1": ["a"], "b2": ["a"]},
        damage=Damage(first),
    )
    assert forced(fixed, both) == ["ann"]
    assert forced(fixed, Either(fact("survived", "b1"), fact("survived", "b2"))) == ["ann"]


def test_an_effect_hands_the_division_over() -> None:
    scenario = blocked_by_two()
    taken = board(
        *scenario.creatures,
        attack=["a"],
        blocks={"b1": ["a"], "b2": ["a"]},
        effects=(DamageChooser("attackers", "bob"),),
    )
    assert forced(taken, fact("died", "b2")) == ["bob"]


# Events and triggers


@pytest.mark.parametrize("decider", ["ann", "bob"])
def test_whoever_may_decides(decider: str) -> None:
    scenario = board(
        creature("a", "ann", "2/2"),
        attack=["a"],
        events=(may("blockers", "remove", "a", decider),),
    )
    assert forced(scenario, Comparison(LIFE, "=", 18)) == [decider]
    assert forced(scenario, Comparison(LIFE, "=", 20)) == [decider]


@pytest.mark.parametrize(("first", "second"), [("ann", "bob"), ("bob", "ann")])
def test_one_event_after_the_other(first: str, second: str) -> None:
    scenario = board(
        creature("a", "ann", "1/1"),
        creature("b", "bob", "1/1"),
        attack=[],
        events=(may("attackers", "destroy", "a", first), may("attackers", "destroy", "b", second)),
    )
    assert forced(scenario, same(fact("died", "a"), fact("died", "b"))) == [second]


def test_removal_before_blocks_and_after() -> None:
    def scenario(at: Point) -> Scenario:
        return board(
            creature("a", "ann", "2/2"),
            creature("b", "bob", "2/2"),
            attack=["a"],
            events=(may(at, "destroy", "b", "ann"),),
        )

    # with b dead before blocks a is unblocked; after blocks bob has blocked, and a stays blocked
    assert best(scenario("attackers"), "ann", LIFE, least=True) == 18
    assert best(scenario("blockers"), "ann", LIFE, least=True) == 20
    assert force(scenario("blockers"), "ann", fact("survived", "a")) is True


def test_the_attacker_orders_flanking_and_rampage() -> None:
    scenario = board(
        creature("a", "ann", "1/4", "flanking", ability("rampage", 2)),
        creature("b1", "bob", "1/1"),
        creature("b2", "bob", "0/5"),
        attack=["a"],
        blocks={"b1": ["a"], "b2": ["a"]},
    )
    # rampage first: two blockers, +2/+2; flanking first: b1 is dead, nothing
    dealt = Term("damage", ("a", "b2"))
    assert best(scenario, "ann", dealt) == 3
    assert best(scenario, "bob", dealt) == 1
    assert best(scenario, "ann", dealt, least=True) == 1
    assert best(scenario, "bob", dealt, least=True) == 3


# More than two sides


def matching(**rest: object) -> Scenario:
    """Bob and carl are attacked by one creature each, and may block it."""
    return board(
        creature("a1", "ann", "1/1"),
        creature("a2", "ann", "1/1"),
        creature("b", "bob", "1/1"),
        creature("c", "carl", "1/1"),
        attack={"a1": "bob", "a2": "carl"},
        variant="attack-multiple",
        **rest,  # type: ignore[arg-type]
    )


@pytest.mark.parametrize(("order", "last"), [("ann bob carl", "carl"), ("ann carl bob", "bob")])
def test_the_later_defender_sees_the_earlier_blocks(order: str, last: str) -> None:
    scenario = matching(players=tuple(map(Player, order.split())))
    assert forced(scenario, same(fact("blocked", "a1"), fact("blocked", "a2"))) == [last]


def test_everybody_else_is_against_you() -> None:
    scenario = matching(players=tuple(map(Player, ("ann", "bob", "carl"))))
    assert forced(scenario, fact("died", "a1")) == ["bob"]
    assert forced(scenario, fact("died", "a2")) == ["carl"]
    assert forced(scenario, Either(fact("died", "a1"), fact("died", "a2"))) == ["bob", "carl"]
    assert forced(scenario, Both(fact("died", "a1"), fact("died", "a2"))) == []


def test_a_team_decides_together() -> None:
    scenario = heads(
        creature("a1", "ann", "1/1"),
        creature("a2", "al", "1/1"),
        creature("b", "bob", "1/1"),
        creature("c", "bea", "1/1"),
        attack={"a1": "bob", "a2": "bea"},
    )
    both = Both(fact("died", "a1"), fact("died", "a2"))
    assert forced(scenario, both) == ["bob", "bea"]
    assert best(scenario, "al", LIFE, least=True) == 30
    assert best(scenario, "bea", Term("life", ("blue",)), least=True) == 28


# The stages


@pytest.mark.parametrize("family", FAMILIES)
def test_moves_are_what_the_phases_allow(family: str) -> None:
    for seed in range(4):
        frontier = {start(random_scenario(random.Random(seed), family))}
        for moves, stage in zip(STAGES, phases.WHOLE, strict=True):
            following = set()
            for state in sorted(frontier, key=repr)[:5]:
                found = [(move.note, move.after) for move in moves(state)]
                expected = list(stage(state))
                assert len(found) == len(expected)
                assert set(found) == set(expected)
                following |= {after for _, after in found}
            frontier = following
