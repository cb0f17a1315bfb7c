"""What a player can make sure of, whatever the others do: the decisions of a combat as a game.

``decisions.lp`` says of each atom of a combat whose decision it is part of. A position of the game
is a *prefix*: what has been chosen so far, as assumptions under which the program is solved. Its
models are the combats that can still come of it, so that two answers of clingo often settle it:
where no model has the statement false the player gets his way, where none has it true the others
do. A position is settled, too, where some model gives a side its way while every decision of the
other side in it has one choice only (``open/2`` says so): that side follows the model. Only where
neither holds are the choices of the next decision tried, and of these only the ones from which the
side that decides may still get its way.

The choices of a decision come from a second program, projected on the decision, while the first
answers questions about positions; the search goes down one decision at a time, so there is one
such program for each and nothing is ever added to it.

How other ways compare, on boards of n creatures a side with everything open (evasion, trample and
banding mixed), in time of this one. To list every history and to work the answer out from the list
takes 10 times as long at n = 4 and more than 500 times at n = 5. To exclude the choices that were
tried by rules, each with a guard of its own in the one program, is as fast at n = 4, and at n = 5
takes up to 100 times as long: every rule that is added is a step to clingo, and makes the later
answers cost more. Without the models in which one side alone decides the search takes from half to
8 times as long at n = 6: they spare much where the player gets his way, and cost a little where he
does not. Unsatisfiable cores do not help: a choice is tried only if some combat after it is still
won, so that no core speaks against it before the other side has chosen; after that a core is about
one reply, which another choice may not allow. Where much is open, half of the time goes into
telling the strategy, which has an entry for every choice of the loser that is not lost anyway.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, TypeAlias, cast

from pysolver import decode
from pysolver.errors import QueryError
from pysolver.frozen import FrozenDict
from pysolver.maximum import program
from pysolver.results import Choice, Decision, DecisionName
from pysolver.scenario.model import Scenario
from pysolver.solver import Atom, Program, Term

__all__ = ["Contest", "check_player"]

#: What has been chosen: literals of the program, true.
Prefix: TypeAlias = tuple[int, ...]
#: What is chosen in one decision: its atoms that are true.
Chosen: TypeAlias = frozenset[Term]


@dataclass(frozen=True)
class Turn:
    """One decision: when it is made, by the side of which rank, and what can be part of it.

    ``opened`` is the literal that holds where there may be more than one choice.
    """

    decision: DecisionName
    moment: Term
    rank: int
    player: str
    atoms: dict[Term, int]
    opened: int

    def literals(self, chosen: Chosen) -> Prefix:
        """The choice as assumptions."""
        return tuple(
            literal if atom in chosen else -literal for atom, literal in self.atoms.items()
        )


@dataclass(frozen=True)
class Tried:
    """The choices of a decision that were tried, and how each of them is settled."""

    turn: int
    choices: list[tuple[Chosen, Tree]] = field(default_factory=list)


@dataclass(frozen=True)
class Alone:
    """From this decision on the winner gets its way without any decision of the other side."""

    turn: int


#: How a position is won; None where the winner needs nothing more.
Tree: TypeAlias = "Tried | Alone | None"


def check_player(scenario: Scenario, player: str) -> None:
    """Raises :class:`QueryError` unless ``player`` is one, or a team that decides together."""
    players = [each.name for each in scenario.players]
    if scenario.variant == "two-headed-giant":
        players += [team.name for team in scenario.teams]
    elif player in (team.name for team in scenario.teams):
        raise QueryError(f'"{player}" is a team; its players decide each for himself in this game')
    if player not in players:
        raise QueryError(
            f'"{player}" is no player of the scenario; there are: {", ".join(players)}'
        )


class Projected:
    """A copy of the program whose models are different only if one decision is.

    A copy numbers its literals as it likes: what comes in is translated.
    """

    def __init__(self, program: Program, turns: Sequence[Turn], k: int) -> None:
        self._program = program
        made, never = program.literals("made", 3), program.never()
        self._own: dict[int, int] = {}
        for turn in turns:
            for atom, literal in turn.atoms.items():
                self._own[literal] = made.get((turn.moment, turn.rank, atom), never)
        self._atoms = {atom: self._own[literal] for atom, literal in turns[k].atoms.items()}
        program.project(self._atoms.values())

    def choices(self, prefix: Prefix, *goal: tuple[int, bool]) -> Generator[Chosen, None, None]:
        """What may be chosen after a prefix so that each ``goal`` has a truth."""
        assuming = [self._own[abs(n)] if n > 0 else -self._own[abs(n)] for n in prefix]
        for number, truth in goal:
            literal = _wanted(self._program, number)
            assuming.append(literal if truth else -literal)
        with closing(self._program.each(assuming, tuple(self._atoms.values()))) as models:
            for true in models:
                yield frozenset(atom for atom, literal in self._atoms.items() if literal in true)


def _wanted(program: Program, number: int) -> int:
    """The literal of ``wanted(number)``."""
    return program.literals("wanted", 1).get((number,)) or program.never()


class Contest:
    """A player's side against all others, over one grounded program.

    ``text`` is program text that derives ``wanted(0)``, or that derives ``value(N)`` where the best
    of several values is asked for.
    """

    def __init__(self, scenario: Scenario, player: str, text: str) -> None:
        self._program = program(scenario, "force", text)
        self._scenario = scenario
        self._rank = next(rank for who, rank in self._program.facts("rank", 2) if who == player)
        self._turns = _turns(self._program)
        self._projected: dict[int, Projected] = {}
        self._number = self._goal = 0

    def possible(self) -> bool:
        """Is there any legal combat?"""
        return self._holds(())

    def settle(self) -> tuple[bool, Decision | None]:
        """Can the player make sure of ``wanted(0)``? And how does the side that gets its way do it?

        There must be a legal combat.
        """
        self._aim(0)
        won, tree = self._play((), 0)
        return won, self._told(tree, (), won)

    def best(self, *, least: bool) -> tuple[int, Decision | None]:
        """The largest or the least value that the player can make sure of, and how he does it.

        There must be a legal combat.
        """
        known = (cast(int, n) for (n,) in self._program.literals("value", 1))
        values = sorted(known, reverse=least)
        compared = "<=" if least else ">="
        self._program.add("".join(f"wanted({n}) :- value(N), N {compared} {n}.\n" for n in values))
        reached, unknown = 0, len(values)
        how: Tree = None
        while unknown - reached > 1:
            middle = (reached + unknown) // 2
            self._aim(values[middle])
            won, tree = self._play((), 0)
            if won:
                reached, how = middle, tree
            else:
                unknown = middle
        self._aim(values[reached])
        return values[reached], self._told(how, (), True)

    def _aim(self, number: int) -> None:
        self._number, self._goal = number, _wanted(self._program, number)

    def _wanted(self, mine: bool) -> int:
        return self._goal if mine else -self._goal

    def _holds(self, prefix: Prefix, *more: int) -> bool:
        return self._program.solved((*prefix, *more)) is not None

    def _is_mine(self, turn: Turn) -> bool:
        return turn.rank == self._rank

    def _play(self, prefix: Prefix, k: int, can: bool | None = None) -> tuple[bool, Tree]:
        """Does the player's side win from the k-th decision on, and how does the winner do it?

        ``can`` is a side, true for the player's, that is known to win some of the combats.
        """
        sides = (not can, bool(can))  # the side that has not just chosen is tried first
        for mine in sides:
            if self._holds(prefix, self._wanted(mine), *self._closed(k, not mine)):
                return mine, Alone(k)
        for mine in sides:
            if mine != can and not self._holds(prefix, self._wanted(mine)):
                return not mine, None
        while not self._holds(prefix, self._turns[k].opened):
            k += 1
        turn = self._turns[k]
        mine = self._is_mine(turn)
        tried = Tried(k)
        with closing(self._choices(k, prefix, (self._number, mine))) as choices:
            for chosen in choices:
                won, tree = self._play((*prefix, *turn.literals(chosen)), k + 1, mine)
                if won == mine:
                    return won, Tried(k, [(chosen, tree)])
                tried.choices.append((chosen, tree))
        return not mine, tried

    def _closed(self, k: int, mine: bool) -> Prefix:
        """The assumptions that a side has no choice any more, from the k-th decision on."""
        return tuple(-turn.opened for turn in self._turns[k:] if self._is_mine(turn) == mine)

    def _choices(
        self, k: int, prefix: Prefix, *goal: tuple[int, bool]
    ) -> Generator[Chosen, None, None]:
        """What can be chosen in the k-th decision."""
        if k not in self._projected:
            self._projected[k] = Projected(self._program.copy(), self._turns, k)
        return self._projected[k].choices(prefix, *goal)

    def _told(
        self, tree: Tree, prefix: Prefix, won: bool, *, contested: bool = False
    ) -> Decision | None:
        """The strategy of the winner, without the decisions in which there is one choice only.

        ``contested``: the loser is known to win some of the combats.
        """
        if tree is None:
            return None
        if isinstance(tree, Alone):
            return self._line(tree.turn, prefix, won, contested=contested)
        turn = self._turns[tree.turn]
        lost = self._is_mine(turn) != won
        choices = []
        for chosen, after in tree.choices:
            later = (*prefix, *turn.literals(chosen))
            choices.append((chosen, self._told(after, later, won, contested=lost)))
        return self._decision(tree.turn, prefix, won, choices)

    def _line(
        self, k: int, prefix: Prefix, won: bool, *, contested: bool = False
    ) -> Decision | None:
        """The same where only the winner decides: one combat, as far as it matters."""
        if not contested and not self._holds(prefix, self._wanted(not won)):
            return None
        assuming = (*prefix, self._wanted(won), *self._closed(k, not won))
        while True:
            turn = self._turns[k]
            if self._is_mine(turn) == won:
                true = self._program.solved((*assuming, turn.opened), turn.atoms.values())
                if true is not None:
                    break
            k += 1
        chosen = frozenset(atom for atom, literal in turn.atoms.items() if literal in true)
        then = self._line(k + 1, (*prefix, *turn.literals(chosen)), won)
        return self._decision(k, prefix, won, [(chosen, then)])

    def _decision(
        self, k: int, prefix: Prefix, won: bool, choices: list[tuple[Chosen, Decision | None]]
    ) -> Decision | None:
        """A decision as it is told; where one choice only is possible, what comes after it."""
        turn = self._turns[k]
        wins = self._is_mine(turn) == won
        (_, then), *others = choices
        # A choice that takes away all that the loser could win is not the only one.
        if not others and not (wins and then is None) and self._is_only(k, prefix):
            return then
        read = [Choice(self._read(turn, chosen), then) for chosen, then in choices]
        return Decision(turn.decision, turn.player, tuple(sorted(read, key=_order)), wins)

    def _is_only(self, k: int, prefix: Prefix) -> bool:
        """Is there one choice only in the k-th decision?"""
        with closing(self._choices(k, prefix)) as possible:
            return len(list(islice(possible, 2))) == 1

    def _read(self, turn: Turn, chosen: Chosen) -> FrozenDict[str, Any]:
        terms = cast("frozenset[tuple[str, *tuple[Term, ...]]]", chosen)
        atoms = [Atom(name, tuple(args)) for name, *args in terms]
        return decode.choice(self._scenario, turn.decision, turn.moment, atoms)


def _order(choice: Choice) -> str:
    return json.dumps(choice.to_json()["choice"], sort_keys=True)


def _turns(program: Program) -> list[Turn]:
    """The decisions of a program in their order, without those that nobody can ever make."""
    following = dict(cast("list[tuple[Term, Term]]", program.facts("next", 2)))
    moments: list[Term] = ["attackers"]
    while moments[-1] in following:
        moments.append(following[moments[-1]])
    made: defaultdict[tuple[Term, ...], dict[Term, int]] = defaultdict(dict)
    for (*when, atom), literal in program.literals("made", 3).items():
        made[tuple(when)][atom] = literal
    opened = program.literals("open", 2)
    turns = [
        Turn(
            _name(decision, moment),
            moment,
            cast(int, rank),
            cast(str, player),
            made[moment, rank],
            opened[moment, rank],
        )
        for moment, rank, player, decision in program.facts("decides", 4)
        if (moment, rank) in opened
    ]
    return sorted(turns, key=lambda turn: (moments.index(turn.moment), turn.rank))


def _name(decision: Term, moment: Term) -> DecisionName:
    if decision == "damage":
        return "first-strike damage" if moment == "first_strike" else "regular damage"
    return cast(DecisionName, decision)
