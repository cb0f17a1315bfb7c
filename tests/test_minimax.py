"""Random boards with most decisions open: ``force`` and ``best`` find what plain minimax finds.

``PYSOLVER_BOARDS=20`` takes 20 times as many boards, as in ``test_differential.py``; a failure
names the topic and the seed of its board, and :func:`wish` makes it again.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable
from importlib import import_module

import pytest

from pysolver import questions
from pysolver.frozen import FrozenDict
from pysolver.results import Best, Choice, Decision, Force
from pysolver.scenario.model import Scenario

from . import reference
from .reference.state import Board
from .reference.statements import Fact, Term, text
from .strategies import board, creature, fix_attack
from .wishes import OTHERS, TOPICS, Value, Wish, game, wish

TIMES = int(os.environ.get("PYSOLVER_BOARDS", "1"))
BOARDS = 3
#: How many times as many boards a topic has.
CHUNKS = {"handed": 2, "crossed": 4}

# Strategies


def undecided(decision: Decision | None, decides: Callable[[str], bool]) -> list[str]:
    """The decisions of a strategy for which a side should have one choice, and has not."""
    if decision is None:
        return []
    found = []
    if decides(decision.player) and len(decision.choices) != 1:
        found.append(f"{decision.player} has {len(decision.choices)} choices: {decision.decision}")
    for choice in decision.choices:
        found += undecided(choice.then, decides)
    return found


def on_side(scenario: Scenario, player: str) -> Callable[[str], bool]:
    """Whether a name is the player's, or with shared team turns one of his team."""
    table = Board(scenario)
    return lambda name: table.account(name) == table.account(player)


# Comparing

WORDS = {True: "yes", False: "no", None: "none"}


def mistake(wish: Wish, expected: Value) -> str:
    """What is wrong with the solver's answer, in words; nothing where it is right."""
    words = text(wish.wanted)
    mine = on_side(wish.scenario, wish.player)
    found: Best | Force
    if isinstance(wish.wanted, Term):
        found = questions.best(wish.scenario, wish.player, words, least=wish.least)
        given, right = str(found.value), str(expected)
    else:
        found = questions.force(wish.scenario, wish.player, words)
        given, right = found.answer, WORDS[None if expected is None else bool(expected)]
    if given != right:
        return f"{given} instead of {right}"
    wins = isinstance(wish.wanted, Term) or bool(expected)
    return "; ".join(undecided(found.strategy, lambda name: mine(name) == wins))


@pytest.mark.parametrize(
    ("kind", "topic", "start"),
    [
        pytest.param(kind, topic, start, id=f"{kind}-{topic}-{start}")
        for kind in ("force", "best")
        for topic in TOPICS
        for start in range(0, CHUNKS.get(topic, 1) * BOARDS * TIMES, BOARDS)
    ],
)
def test_solver_and_minimax_agree(kind: str, topic: str, start: int) -> None:
    for seed in range(start, start + BOARDS):
        if (drawn := wish(seed, topic, kind)) is not None:
            found = mistake(*drawn)
            assert not found, f"{kind}, topic {topic}, seed {seed}: {found}; {drawn[0]}"


def test_no_legal_combat() -> None:
    scenario = board(creature("a", "ann", "2/2", "defender"), attack=["a"])
    died = Wish(scenario, "ann", Fact(Term("died", ("a",))))
    assert died.answer() is None
    assert not mistake(died, None)
    assert not mistake(Wish(scenario, "bob", Term("life", ("bob",))), None)


def test_a_winner_with_two_choices_is_noticed() -> None:
    leaf = Decision("blocks", "bob", (Choice(FrozenDict()),))
    twice = (Choice(FrozenDict()), Choice(FrozenDict(), leaf))
    strategy = Decision("attack", "ann", twice)
    assert undecided(strategy, lambda name: name == "ann") == ["ann has 2 choices: attack"]
    assert undecided(strategy, lambda name: name == "bob") == []


# The boards are what they are said to be


def test_banding_hands_divisions_over() -> None:
    found: Counter[str] = Counter()
    for seed in range(2 * BOARDS):
        rng = random.Random(seed)
        scenario = game(rng, "handed")
        if scenario.attack is None:
            scenario = fix_attack(rng, scenario, banded=True)
        lines = reference.authority(scenario)
        found.update(slug for _, _, _, recipients, slug in lines if len(recipients) > 1)
    assert found["banding.authority.vs_attacker"] >= 3
    assert found["banding.authority.vs_blocker"] >= 3


def test_it_matters_who_divides(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = [wish(seed, "crossed", "force") for seed in range(2 * BOARDS)]
    module = import_module("tests.reference.damage")
    monkeypatch.setattr(module, "banders_among", lambda combat, names: [])
    assert any(wanted.answer() != answer for wanted, answer in filter(None, drawn))


def test_it_matters_who_decides_and_when() -> None:
    missing = set(OTHERS)
    for seed in range(20 * BOARDS):
        for topic in ("crossed", "events"):
            if missing and (drawn := wish(seed, topic, "force")):
                missing.difference_update(drawn[0].depends_on())
    assert not missing
