"""What players may want of a random combat, for ``test_minimax.py``.

Most random wishes are granted or refused whoever decides: a player just does not attack. So of a
few wishes about a board the one is taken whose answer depends the most on who decides what, and
in which order.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache

from pysolver.scenario.abilities import Ability, HasType
from pysolver.scenario.facts import facts
from pysolver.scenario.model import Creature, Player, Scenario

from .reference.minimax import STAGES, Move, Moves, Path, TooLarge, best, force
from .reference.state import Combat
from .reference.statements import (
    Both,
    Comparison,
    Either,
    Negation,
    Statement,
    Term,
    random_number,
    random_statement,
    text,
)
from .strategies import (
    FAMILIES,
    HEADS,
    ability,
    board,
    creature,
    fix_attack,
    fix_blocks,
    heads,
    random_scenario,
)

__all__ = ["OTHERS", "TOPICS", "Value", "Wish", "game", "wish"]

#: Every family; boards on which banding hands divisions over; boards on which the order matters.
TOPICS = [*FAMILIES, "handed", "crossed"]
#: How many moves the reference looks at, at most; with more, more of the combat is fixed.
LIMIT = 3000
#: How many wishes about a board are compared, and how many moves they may take.
TRIES = {"force": 24, "best": 6}
QUICK = 400
SIDE = 3  # creatures on each side

Value = int | bool | None
Stages = tuple[Moves, ...]


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
    return creature(name, owner, f"{rng.randint(1, 3)}/{rng.randint(1, 3)}", *found, types=types)


def handed(rng: random.Random) -> Scenario:
    """Few creatures, many of them with banding on both sides; now and then in teams of two."""
    attackers = rng.randint(1, SIDE)
    names = [f"a{n}" for n in range(1, attackers + 1)]
    names += [f"b{n}" for n in range(1, rng.randint(2, max(2, 5 - attackers)) + 1)]
    if rng.random() < 0.2:
        red, blue = ("ann", "al"), ("bob", "bea")
        readings = {"team_authority": rng.choice(("team", "attacked", "bander"))}
        scenario = heads(
            *(hander(rng, name, rng.choice(red if name[0] == "a" else blue)) for name in names),
            players=HEADS,
            readings=readings,
        )
    else:
        scenario = board(
            *(hander(rng, name, "ann" if name[0] == "a" else "bob") for name in names),
            players=(Player("ann"), Player("bob", life=rng.choice((20, 3)))),
        )
    return fix_attack(rng, scenario, banded=rng.random() < 0.5)


def crossed(rng: random.Random) -> Scenario:
    """Boards on which two sides decide at one moment, or one side orders its triggers."""
    return rng.choice((two_defenders, two_dividers, triggers))(rng)


def two_defenders(rng: random.Random) -> Scenario:
    """Bob and carl are attacked; either may sit next to ann."""
    names = rng.choice((("ann", "bob", "carl"), ("ann", "carl", "bob"), ("carl", "ann", "bob")))
    return board(
        hander(rng, "a1", "ann"),
        hander(rng, "a2", "ann"),
        *(hander(rng, f"a{n}", "ann") for n in [3] if rng.random() < 0.4),
        hander(rng, "b1", "bob"),
        hander(rng, "b2", "carl"),
        attack={"a1": "bob", "a2": "carl"},
        players=tuple(Player(name, life=rng.choice((20, 2))) for name in names),
        variant="attack-multiple",
    )


def two_dividers(rng: random.Random) -> Scenario:
    """A1 is blocked by two creatures, and one of them blocks two."""
    fighters = [hander(rng, name, "ann" if name[0] == "a" else "bob") for name in ("a1", "a2")]
    one, two = hander(rng, "b1", "bob"), hander(rng, "b2", "bob")
    wide = replace(one, abilities=(ability("extra_blocks", 1), *one.abilities))
    return board(
        *fighters,
        wide,
        two,
        attack=["a1", "a2"],
        blocks={"b1": ["a1", "a2"], "b2": [rng.choice(("a1", "a2"))]},
        readings={"damage_legality": rng.choice(("joint", "per_player"))},
    )


def triggers(rng: random.Random) -> Scenario:
    """Blockers may die of flanking before rampage counts them."""
    attacker = hander(rng, "a1", "ann")
    found = (*attacker.abilities, ability("flanking"), ability("rampage", rng.randint(1, 2)))
    blockers = [hander(rng, f"b{n}", "bob") for n in range(1, rng.randint(2, 3) + 1)]
    weak = replace(blockers[0], toughness=1)
    return board(
        replace(attacker, abilities=found),
        weak,
        *blockers[1:],
        attack=["a1"],
        blocks={b.name: ["a1"] for b in blockers} if rng.random() < 0.5 else None,
    )


def small(scenario: Scenario) -> bool:
    """Whether neither side has too many creatures for the reference."""
    sides = Counter(card.name[0] for card in scenario.creatures)
    return all(count <= SIDE for count in sides.values())


def game(rng: random.Random, topic: str) -> Scenario:
    """A board of the topic, with most of its decisions open, and events that anybody may stop."""
    if topic == "crossed":
        return crossed(rng)
    if topic == "handed":
        scenario = handed(rng)
    else:
        drawn = iter(lambda: random_scenario(rng, topic), None)
        scenario = next(scenario for scenario in drawn if small(scenario))
    deciders = [None, *(player.name for player in scenario.players)]
    events = tuple(replace(event, may=rng.choice(deciders)) for event in scenario.events)
    scenario = replace(scenario, events=events)
    closed = rng.random()
    if closed < 0.45:
        return replace(scenario, attack=None, blocks=None)
    if closed < 0.75:
        return replace(scenario, blocks=None)
    return fix_blocks(rng, scenario) if topic == "handed" else scenario


def narrower(rng: random.Random, scenario: Scenario) -> Iterator[Scenario]:
    """The scenario, then with its attack fixed, then with its blocks fixed, too."""
    yield scenario
    if scenario.attack is None:
        scenario = fix_attack(rng, replace(scenario, blocks=None), banded=rng.random() < 0.5)
        yield scenario
    if scenario.blocks is None:
        yield fix_blocks(rng, scenario)


# Wishes


@dataclass(frozen=True)
class Wish:
    """A player wants a statement to hold, or a number to be the most or the least."""

    scenario: Scenario
    player: str
    wanted: Statement | Term
    least: bool = False

    def __str__(self) -> str:
        kind = "" if not isinstance(self.wanted, Term) else "least " if self.least else "most "
        return f"{self.player} wants {kind}{text(self.wanted)}\n{facts(self.scenario)}"

    def answer(self, stages: Stages = STAGES, limit: int = LIMIT) -> Value:
        """What the player can be sure of."""
        if isinstance(self.wanted, Term):
            return best(self.scenario, self.player, self.wanted, self.least, limit, stages)
        return force(self.scenario, self.player, self.wanted, limit, stages)

    def depends_on(self) -> list[str]:
        """What must not be otherwise, or the answer would be another; nothing if it takes long."""
        found = []
        with suppress(TooLarge):
            answer = self.answer(limit=QUICK)
            for name, (_, stages) in OTHERS.items():
                if self.answer(stages, QUICK) != answer:
                    found.append(name)
        return found

    def delicacy(self) -> int:
        """How much the answer depends on who decides what, and in which order."""
        return sum(OTHERS[name][0] for name in self.depends_on())


def random_hit(rng: random.Random, scenario: Scenario) -> Statement:
    """One creature deals another some combat damage."""
    source, recipient = rng.sample([card.name for card in scenario.creatures], 2)
    return Comparison(Term("damage", (source, recipient)), ">=", rng.choice((1, 1, 2)))


def random_wish(rng: random.Random, scenario: Scenario, kind: str) -> Wish:
    """Anything that anybody may want; for some wishes it is good to decide last."""
    player = rng.choice(scenario.players).name
    if kind == "best":
        return Wish(scenario, player, random_number(rng, scenario), rng.random() < 0.5)
    shape = rng.random()
    if shape < 0.4:
        return Wish(scenario, player, random_statement(rng, scenario))
    if shape < 0.7 and len(scenario.creatures) > 1:
        left, right = (random_hit(rng, scenario) for _ in range(2))
    else:
        left, right = (random_statement(rng, scenario, depth=0) for _ in range(2))
    both = Either(Both(left, right), Both(Negation(left), Negation(right)))
    return Wish(scenario, player, both)


@lru_cache
def wish(seed: int, topic: str, kind: str) -> tuple[Wish, Value] | None:
    """A wish about a board of the topic with the reference's answer, if it can be found in time."""
    rng = random.Random(f"{topic} {seed}")
    for scenario in narrower(rng, game(rng, topic)):
        drawn = [random_wish(rng, scenario, kind) for _ in range(TRIES[kind])]
        chosen = max(drawn, key=Wish.delicacy)
        with suppress(TooLarge):
            return chosen, chosen.answer()
    return None


# Other games


def other(combat: Combat, decider: str) -> str:
    """Somebody of another side."""
    accounts = map(combat.board.account, combat.board.players)
    return next(account for account in accounts if account != decider)


def changed(indexes: tuple[int, ...], change: Callable[[Combat, Path], Path]) -> Stages:
    """The stages, with the decisions in some of them made by others or in another order."""

    def altered(stage: Moves) -> Moves:
        def moves(combat: Combat) -> Iterator[Move]:
            for move in stage(combat):
                yield replace(move, path=change(combat, move.path))

        return moves

    return tuple(
        altered(stage) if index in indexes else stage for index, stage in enumerate(STAGES)
    )


def by_others(combat: Combat, path: Path) -> Path:
    """Every decision is another side's."""
    return tuple((other(combat, decider), choice) for decider, choice in path)


def optional_by_others(combat: Combat, path: Path) -> Path:
    """Whether something happens is another side's decision."""
    return tuple(
        (other(combat, decider) if isinstance(choice, bool) else decider, choice)
        for decider, choice in path
    )


def backwards(combat: Combat, path: Path) -> Path:
    """The last decision comes first."""
    return path[::-1]


BLOCKS, ORDERS, EVENTS, DAMAGE = (3,), (4,), (2, 5, 7, 10), (6, 8)
#: Other games, and how much it counts if they give another answer: the rarer, the more.
OTHERS: dict[str, tuple[int, Stages]] = {
    "blocks by others": (1, changed(BLOCKS, by_others)),
    "blocks backwards": (9, changed(BLOCKS, backwards)),
    "orders by others": (9, changed(ORDERS, by_others)),
    "events by others": (4, changed(EVENTS, optional_by_others)),
    "damage by others": (4, changed(DAMAGE, by_others)),
    "damage backwards": (9, changed(DAMAGE, backwards)),
}
