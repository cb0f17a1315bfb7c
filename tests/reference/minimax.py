"""What a player can bring about against everybody else: plain minimax over a combat's decisions.

The decisions come in the order of the combat, and whoever makes one knows all that came before:

- the attack with its bands, as a whole: the attacking side;
- each optional event when its turn comes: the player who may let it happen;
- blocks: each defending player for his creatures, in turn order; a team as a whole;
- the order of triggers: the side whose triggers they are;
- damage, step by step: everybody for all the creatures whose damage he divides in the step, the
  attacking side first, then the others in turn order. What is announced must be part of an
  assignment that is legal as a whole.

The player's side (with shared team turns his team) wants the most, all others the least. What
cannot be completed to a legal combat is no choice.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass

from pysolver.scenario.model import Event, Point, Scenario, Step

from . import blockers, events, phases, triggers
from .damage import begin_step, divisions
from .phases import NOTHING, Note, Stage
from .state import Combat, start
from .statements import Seen, Statement, Term, holds, look_back, number, observe

__all__ = ["STAGES", "Game", "Move", "Moves", "TooLarge", "best", "force"]

#: Decisions one after the other: who makes it, and what he chooses.
Path = tuple[tuple[str, Hashable], ...]


class TooLarge(Exception):
    """The combat has more courses than were allowed."""


@dataclass(frozen=True)
class Move:
    """One way through a stage: the decisions that lead there, what happened, and the state."""

    path: Path
    note: Note
    after: Combat


Moves = Callable[[Combat], Iterator[Move]]


# The decisions of each stage


def without_choice(stage: Stage) -> Moves:
    """A stage in which nobody decides anything."""

    def moves(combat: Combat) -> Iterator[Move]:
        for note, after in stage(combat):
            yield Move((), note, after)

    return moves


def attack(combat: Combat) -> Iterator[Move]:
    """508.1: the attacking side declares the whole attack, with its bands."""
    for note, after in phases.declare_attackers(combat):
        yield Move(((combat.board.active, note.attack),), note, after)


def blocks(combat: Combat) -> Iterator[Move]:
    """802.4: one defending player after the other; 805.10d: a team together."""
    groups = blockers.groups(combat)
    for note, after in phases.declare_blockers(combat):
        assert note.blocks is not None
        path = tuple(
            (
                combat.board.account(group[0]),
                frozenset(p for p in note.blocks[0] if combat.bodies[p[0]].controller in group),
            )
            for group in groups
        )
        yield Move(path, note, after)


def orders(combat: Combat) -> Iterator[Move]:
    """509.2: the triggers of the defending side, then those of the active side.

    The order of the first makes no difference, so that nobody has to be asked about it.
    """
    theirs, mine = triggers.of_declaration(combat)
    [first] = triggers.in_every_order(combat, theirs)
    for after in triggers.in_every_order(first, mine):
        yield Move(((combat.board.active, after),), NOTHING, after)


def options(point: Point) -> Moves:
    """What players do at one point, and what they leave undone."""

    def moves(combat: Combat) -> Iterator[Move]:
        if phases.takes_place(combat, point):
            listed = [event for event in combat.board.scenario.events if event.at == point]
            yield from in_turn(combat, listed, (), ())
        else:
            yield Move((), NOTHING, combat)

    return moves


def in_turn(
    combat: Combat, listed: list[Event], path: Path, happened: tuple[Event, ...]
) -> Iterator[Move]:
    """The events one by one; triggers of what they do to attackers are the active side's."""
    if not listed or combat.over:
        yield Move(path, Note(events=happened), combat)
        return
    event, rest = listed[0], listed[1:]
    if event.may is not None:
        decider = combat.board.account(event.may)
        yield from in_turn(combat, rest, (*path, (decider, False)), happened)
        path = (*path, (decider, True))
    for after in events.happen(combat, event):
        ordered = (*path, (combat.board.active, after))
        yield from in_turn(after, rest, ordered, (*happened, event))


def damage(step: Step) -> Moves:
    """510.1, 802.5, 805.10f: one chooser after the other, each for all that he divides."""
    stage = phases.damage_step(step)

    def moves(combat: Combat) -> Iterator[Move]:
        divided: dict[str, set[str]] = {}
        if phases.has_step(combat, step):
            board = combat.board
            found = divisions(begin_step(combat, step), step)
            for division in sorted(found, key=lambda division: board.rank(division.chooser)):
                divided.setdefault(board.account(division.chooser), set()).add(division.source)
        for note, after in stage(combat):
            made = note.damage[1] if note.damage else {}
            path = tuple(
                (decider, frozenset(item for item in made.items() if item[0] in sources))
                for decider, sources in divided.items()
            )
            yield Move(path, note, after)

    return moves


#: The stages of :data:`.phases.WHOLE`, decision by decision.
STAGES: tuple[Moves, ...] = (
    attack,
    without_choice(phases.attack_triggers),
    options("attackers"),
    blocks,
    orders,
    options("blockers"),
    damage("first-strike"),
    options("first-strike"),
    damage("regular"),
    without_choice(phases.end_of_combat),
    options("end"),
)


# The value of a combat


class Game:
    """One combat as a game between a player's side and everybody else.

    ``worth`` is what a course is worth to the side, ``asked`` what it looks at. A course that is
    worth ``most`` or ``least`` needs no further search. ``limit`` bounds the moves looked at;
    ``stages`` may be others, to see what an answer depends on.
    """

    def __init__(
        self,
        scenario: Scenario,
        player: str,
        asked: Statement | Term,
        worth: Callable[[Combat, Seen], int],
        most: int | None = None,
        least: int | None = None,
        limit: int | None = None,
        stages: tuple[Moves, ...] = STAGES,
    ) -> None:
        self.start = start(scenario)
        self.side = self.start.board.account(player)
        self.seen = look_back([asked])
        self.worth = worth
        self.most = most
        self.least = least
        self.limit = limit
        self.stages = stages
        self.moves = 0
        self.known: dict[tuple[int, Combat, Seen], int | None] = {}

    def value(self) -> int | None:
        """What the side can be sure of; None where there is no legal combat."""
        return self.from_stage(0, self.start, self.seen)

    def from_stage(self, index: int, combat: Combat, seen: Seen) -> int | None:
        """The same from the beginning of a stage."""
        if index == len(self.stages):
            return self.worth(combat, seen)
        key = (index, combat, seen)
        if key not in self.known:
            moves = list(map(self.counted, self.stages[index](combat)))
            self.known[key] = self.decide(moves, 0, index, combat, seen) if moves else None
        return self.known[key]

    def counted(self, move: Move) -> Move:
        """The move, unless there have been too many."""
        self.moves += 1
        if self.limit is not None and self.moves > self.limit:
            raise TooLarge
        return move

    def decide(
        self, moves: list[Move], depth: int, index: int, combat: Combat, seen: Seen
    ) -> int | None:
        """One decision of a stage; ``moves`` are those that the decisions before it leave."""
        if len(moves) == 1:
            [move] = moves
            return self.from_stage(index + 1, move.after, observe(seen, combat, move.note))
        groups: dict[Hashable, list[Move]] = {}
        for move in moves:
            groups.setdefault(move.path[depth][1], []).append(move)
        [decider] = {move.path[depth][0] for move in moves}
        mine = decider == self.side
        found = []
        for group in groups.values():
            value = self.decide(group, depth + 1, index, combat, seen)
            if value is not None:
                found.append(value)
                if value == (self.most if mine else self.least):
                    break
        return (max if mine else min)(found, default=None)


def force(
    scenario: Scenario,
    player: str,
    statement: Statement,
    limit: int | None = None,
    stages: tuple[Moves, ...] = STAGES,
) -> bool | None:
    """Whether the player can make the statement true whatever the others do."""

    def worth(final: Combat, seen: Seen) -> int:
        return int(holds(statement, final, seen))

    value = Game(scenario, player, statement, worth, 1, 0, limit, stages).value()
    return None if value is None else bool(value)


def best(
    scenario: Scenario,
    player: str,
    term: Term,
    least: bool = False,
    limit: int | None = None,
    stages: tuple[Moves, ...] = STAGES,
) -> int | None:
    """The most (or ``least``) that the player can make of a number whatever the others do."""
    sign = -1 if least else 1

    def worth(final: Combat, seen: Seen) -> int:
        return sign * number(term, final, seen)

    value = Game(scenario, player, term, worth, None, None, limit, stages).value()
    return None if value is None else sign * value
