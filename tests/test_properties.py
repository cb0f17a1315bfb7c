"""Laws that hold on every board, whatever the rules say in detail."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pysolver import questions
from pysolver.frozen import FrozenDict
from pysolver.results import Outcome
from pysolver.scenario.abilities import Ability
from pysolver.scenario.model import Attack, Creature, Scenario

from .compare import attack_key
from .strategies import ATTACKER, board, creature, scenarios

V = TypeVar("V")

few = settings(
    max_examples=8,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def renamed(value: V, names: Mapping[str, str]) -> V:
    """The value with other names wherever a name stands."""
    made: Any = value
    if isinstance(value, str):
        made = names.get(value, value)
    elif isinstance(value, FrozenDict):
        made = FrozenDict((renamed(k, names), renamed(v, names)) for k, v in value.items())
    elif isinstance(value, tuple):
        made = tuple(renamed(item, names) for item in value)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = (field.name for field in dataclasses.fields(value))
        made = replace(value, **{name: renamed(getattr(value, name), names) for name in fields})
    if isinstance(made, Attack):
        made = replace(made, bands=tuple(sorted(tuple(sorted(band)) for band in made.bands)))
    return cast(V, made)


def outcome_key(outcome: Outcome) -> tuple[object, ...]:
    """The outcome without an order."""
    totals = (outcome.life, outcome.poison, outcome.loyalty, outcome.defense)
    return (
        frozenset(outcome.died),
        frozenset(outcome.regenerated),
        *(frozenset(total.items()) for total in totals),
        frozenset((name, frozenset(kinds.items())) for name, kinds in outcome.counters.items()),
    )


@pytest.mark.parametrize("family", ["plain", "bands", "requirements", "damage"])
@few
@given(st.data())
def test_names_do_not_matter(family: str, data: st.DataObject) -> None:
    scenario = data.draw(scenarios(family))
    old = [made.name for made in scenario.creatures]
    names = dict(zip(old, data.draw(st.permutations(old)), strict=True))
    other = renamed(scenario, names)
    shuffled = data.draw(st.permutations(other.creatures))
    other = replace(other, creatures=tuple(shuffled))
    assert {attack_key(renamed(attack, names)) for attack in questions.attacks(scenario)} == {
        attack_key(attack) for attack in questions.attacks(other)
    }
    assert {outcome_key(renamed(outcome, names)) for outcome in questions.outcomes(scenario)} == {
        outcome_key(outcome) for outcome in questions.outcomes(other)
    }


@pytest.mark.parametrize("family", ["plain", "bands", "requirements", "costs", "multiplayer"])
@few
@given(st.data())
def test_a_tapped_creature_changes_no_attack(family: str, data: st.DataObject) -> None:
    scenario = data.draw(scenarios(family))
    controller = next(made.controller for made in scenario.creatures if made.name == "a1")
    idle = creature("idle", controller, "9/9", "banding", tapped=True)
    more = replace(scenario, creatures=(*scenario.creatures, idle))
    assert set(questions.attacks(more)) == set(questions.attacks(scenario))


RESTRICTIONS = (
    Ability("cant_attack"),
    Ability("cant_attack_alone"),
    Ability("attacks_only_alone"),
    Ability("cant_attack_unless_others", (1,)),
    Ability("cant_attack_unless_others", (2,)),
    Ability("cant_attack_unless_land", ("swamp",)),
    Ability("cant_attack_unless_greater_power"),
    Ability("cant_attack_target", ("bob",)),
    Ability("defender"),
)


@st.composite
def restricted(draw: st.DrawFn) -> Scenario:
    """Creatures that may attack, with banding and restrictions, and nothing that must."""

    def made(number: int) -> Creature:
        kept = draw(st.lists(st.sampled_from(RESTRICTIONS), max_size=2, unique=True))
        banding = [Ability("banding")] * draw(st.booleans())
        return creature(f"a{number}", ATTACKER, f"{draw(st.integers(0, 2))}/1", *banding, *kept)

    return board(*(made(number) for number in range(draw(st.integers(1, 4)))))


@few
@given(restricted(), st.data())
def test_a_restriction_less_takes_no_attack_away(scenario: Scenario, data: st.DataObject) -> None:
    number = data.draw(st.integers(0, len(scenario.creatures) - 1))
    chosen = scenario.creatures[number]
    restrictions = [ability for ability in chosen.abilities if ability in RESTRICTIONS]
    if not restrictions:
        return
    dropped = data.draw(st.sampled_from(restrictions))
    freer = replace(chosen, abilities=tuple(a for a in chosen.abilities if a != dropped))
    creatures = tuple(freer if made is chosen else made for made in scenario.creatures)
    after = set(questions.attacks(replace(scenario, creatures=creatures)))
    assert set(questions.attacks(scenario)) <= after


@few
@given(restricted())
def test_nobody_must_attack_where_nothing_is_required(scenario: Scenario) -> None:
    assert Attack(FrozenDict()) in questions.attacks(scenario)


OPPOSITE = {"always": "never", "never": "always", "sometimes": "sometimes", "none": "none"}


@pytest.mark.parametrize("family", ["plain", "bands", "damage", "events"])
@few
@given(st.data())
def test_a_statement_and_its_negation_are_opposites(family: str, data: st.DataObject) -> None:
    scenario = data.draw(scenarios(family))
    name = data.draw(st.sampled_from([made.name for made in scenario.creatures]))
    life = data.draw(st.integers(10, 20))
    fact = data.draw(st.sampled_from(["died", "blocked", "unblocked", "attacks", "regenerated"]))
    text = f"{fact}({name}) {data.draw(st.sampled_from(['and', 'or']))} life(bob) >= {life}"
    answer, opposite = questions.ask(scenario, text), questions.ask(scenario, f"not ({text})")
    assert opposite.answer == OPPOSITE[answer.answer]
    assert (answer.witness is None) == (opposite.counterexample is None)
