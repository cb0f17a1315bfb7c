"""Random boards with most decisions open: ``force`` and ``best`` find what plain minimax finds.

``PYSOLVER_BOARDS=20`` takes 20 times as many boards, as in ``test_differential.py``; a failure
names the topic and the seed of its board, and :func:`wish` makes it again.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

import pytest

from pysolver import questions
from pysolver.scenario.abilities import Ability, HasType
from pysolver.scenario.facts import facts
from pysolver.scenario.model import Creature, Player, Scenario

from . import reference
from .reference.minimax import TooLarge, best, force, forcing
from .reference.state import Board
from .reference.statements import (
    Statement,
    Term,
    random_number,
    random_statement,
    text,
)
from .strategies import FAMILIES, HEADS, ability, board, fix_attack, fix_blocks, heads
from .strategies import random_scenario as random_board

TIMES = int(os.environ.get("PYSOLVER_BOARDS", "1"))
BOARDS = 5
#: Every family, and boards on which banding hands divisions over.
TOPICS = [*FAMILIES, "handed"]
#: How many moves the reference looks at, at most; with more, more of the combat is fixed.
LIMIT = 3000
TRIES = 8
SIDE = 3  # creatures on each side

ASKED: Any = questions


# Boards


def hander(rng: random.Random, name: str, owner: str) -> Creature:
    """A creature of a board on which it matters who divides."""
    found = []
    if rng.random() < 0.4:
        found.append(rng.choice((ability("banding"), ability("bands_with_other", HasType("wolf")))))
    found += [Ability(kind) for kind in ("trample", "deathtouch") if rng.random() < 0.15]
    found += [Ability(kind) for kind in ("first_strike", "double_strike") if rng.random() < 0.12]
    if name.startswith("b") and rng.random() < 0.4:
        found.append(ability("extra_blocks", 1))
    types = ("wolf",) if rng.random() < 0.7 else ()
    pt = f"{rng.randint(1, 3)}/{rng.randint(1, 3)}"
    return replace(board_creature(name, owner, pt), abilities=tuple(found), types=types)


def board_creature(name: str, owner: str, pt: str) -> Creature:
    """A creature without anything."""
    power, toughness = map(int, pt.split("/"))
    return Creature(name, owner, power, toughness)


def handed(rng: random.Random) -> Scenario:
    """Few creatures, many of them with banding on both sides; now and then in teams of two."""
    names = [f"a{n}" for n in range(1, rng.randint(1, SIDE) + 1)]
    names += [f"b{n}" for n in range(1, rng.randint(2, 5 - min(3, len(names))) + 1)]
    if rng.random() < 0.2:
        red, blue = ("ann", "al"), ("bob", "bea")
        readings = {"team_authority": rng.choice(("team", "attacked", "bander"))}
        return heads(
            *(hander(rng, name, rng.choice(red if name[0] == "a" else blue)) for name in names),
            players=HEADS,
            readings=readings,
        )
    return board(
        *(hander(rng, name, "ann" if name[0] == "a" else "bob") for name in names),
        players=(Player("ann"), Player("bob", life=rng.choice((20, 3)))),
    )


def small(scenario: Scenario) -> bool:
    """Whether neither side has too many creatures for the reference."""
    sides = Counter(card.name[0] for card in scenario.creatures)
    return all(count <= SIDE for count in sides.values())


def game(rng: random.Random, topic: str) -> Scenario:
    """A board of the topic, with most of its decisions open, and events that anybody may stop."""
    if topic == "handed":
        scenario = handed(rng)
    else:
        drawn = iter(lambda: random_board(rng, topic), None)
        scenario = next(scenario for scenario in drawn if small(scenario))
    deciders = [None, *(player.name for player in scenario.players)]
    events = tuple(replace(event, may=rng.choice(deciders)) for event in scenario.events)
    scenario = replace(scenario, events=events)
    closed = rng.random()
    if closed < 0.65:
        return replace(scenario, attack=None, blocks=None)
    return replace(scenario, blocks=None) if closed < 0.9 else scenario


def narrower(rng: random.Random, scenario: Scenario) -> Iterator[Scenario]:
    """The scenario, then with its attack fixed, then with its blocks fixed, too."""
    yield scenario
    if scenario.attack is None:
        scenario = fix_attack(rng, replace(scenario, blocks=None), banded=rng.random() < 0.5)
        yield scenario
    if scenario.blocks is None:
        yield fix_blocks(rng, scenario)


@dataclass(frozen=True)
class Wish:
    """What a player wants of a combat: that a statement holds, or the most or least of a number."""

    scenario: Scenario
    player: str
    wanted: Statement | Term
    least: bool = False

    def __str__(self) -> str:
        kind = "" if not isinstance(self.wanted, Term) else "least " if self.least else "most "
        return f"{self.player} wants {kind}{text(self.wanted)}\n{facts(self.scenario)}"

    def answer(self) -> int | bool | None:
        """The reference's answer."""
        if isinstance(self.wanted, Term):
            return best(self.scenario, self.player, self.wanted, self.least, LIMIT)
        return force(self.scenario, self.player, self.wanted, LIMIT)

    def narrowed(self, rng: random.Random) -> tuple[Wish, int | bool | None] | None:
        """As much of the combat open as the reference has time for, and its answer."""
        for scenario in narrower(rng, self.scenario):
            tried = replace(self, scenario=scenario)
            with suppress(TooLarge):
                return tried, tried.answer()
        return None


def effort(scenario: Scenario, player: str, statement: Statement) -> int:
    """How many moves it takes to see whether the player can have his way."""
    played = forcing(scenario, player, statement, LIMIT // 3)
    with suppress(TooLarge):
        played.value()
    return played.moves


def contested(rng: random.Random, scenario: Scenario) -> Wish:
    """Of a few random statements the one that is hardest to decide: many are settled at once."""
    players = [player.name for player in scenario.players]
    drawn = [(rng.choice(players), random_statement(rng, scenario)) for _ in range(TRIES)]
    player, statement = max(drawn, key=lambda pair: effort(scenario, *pair))
    return Wish(scenario, player, statement)


def wish(seed: int, topic: str, kind: str) -> tuple[Wish, int | bool | None] | None:
    """A wish about a board of the topic with the reference's answer, if it can be found in time."""
    rng = random.Random(seed)
    scenario = game(rng, topic)
    if kind == "force":
        return contested(rng, scenario).narrowed(rng)
    player, term = rng.choice(scenario.players).name, random_number(rng, scenario)
    return Wish(scenario, player, term, rng.random() < 0.5).narrowed(rng)


# Strategies


def undecided(decision: Any, decides: Callable[[str], bool]) -> list[str]:
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


def mistake(wish: Wish, expected: int | bool | None) -> str:
    """What is wrong with the solver's answer, in words; nothing where it is right."""
    words = text(wish.wanted)
    mine = on_side(wish.scenario, wish.player)
    if isinstance(wish.wanted, Term):
        found = ASKED.best(wish.scenario, wish.player, words, least=wish.least)
        given, right = str(found.value), str(expected)
    else:
        found = ASKED.force(wish.scenario, wish.player, words)
        given, right = found.answer, WORDS[None if expected is None else bool(expected)]
    if given != right:
        return f"{given} instead of {right}"
    wins = isinstance(wish.wanted, Term) or bool(expected)
    return "; ".join(undecided(found.strategy, lambda name: mine(name) == wins))


@pytest.mark.skipif(not hasattr(questions, "force"), reason="not there yet")
@pytest.mark.parametrize(
    ("kind", "topic", "start"),
    [
        pytest.param(kind, topic, start, id=f"{kind}-{topic}-{start}")
        for kind in ("force", "best")
        for topic in TOPICS
        for start in range(0, BOARDS * TIMES, BOARDS)
    ],
)
def test_solver_and_minimax_agree(kind: str, topic: str, start: int) -> None:
    for seed in range(start, start + BOARDS):
        if (drawn := wish(seed, topic, kind)) is not None:
            found = mistake(*drawn)
            assert not found, f"{kind}, topic {topic}, seed {seed}: {found}; {drawn[0]}"


# The boards are what they are said to be


def test_banding_hands_divisions_over() -> None:
    found: Counter[tuple[str, bool]] = Counter()
    for seed in range(2 * BOARDS):
        rng = random.Random(seed)
        scenario = game(rng, "handed")
        if scenario.attack is None:
            scenario = fix_attack(rng, scenario, banded=True)
        lines = reference.authority(scenario)
        found.update({(slug, len(recipients) > 1) for _, _, _, recipients, slug in lines})
    for side in ("attacker", "blocker"):
        assert found[f"banding.authority.vs_{side}", True] >= 3


def test_it_matters_who_divides(monkeypatch: pytest.MonkeyPatch) -> None:
    wishes = [drawn for seed in range(4 * BOARDS) if (drawn := wish(seed, "handed", "force"))]
    monkeypatch.setattr(
        import_module("tests.reference.damage"), "banders_among", lambda combat, names: []
    )
    assert any(wanted.answer() != expected for wanted, expected in wishes)
