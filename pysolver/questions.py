"""The questions, and the encodings that answer each: the one way from a scenario to results.

The command line, the methods of :class:`pysolver.Scenario` and every other face call these
functions. A listing is lazy: it is grounded and solved when it is iterated or counted.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pysolver import decode, sampling
from pysolver.coverage import require_covered
from pysolver.errors import ScenarioError, SolverLimit
from pysolver.judge import PARTS, verdict
from pysolver.maximum import Asked, program
from pysolver.results import (
    Answer,
    Attack,
    AuthorityLine,
    Best,
    BlockDeclaration,
    Damage,
    Explanation,
    Force,
    History,
    Outcome,
    Verdict,
)
from pysolver.scenario.facts import quoted
from pysolver.scenario.model import Scenario
from pysolver.solver import Program, Shape, encoding_text
from pysolver.symmetry import D, Pattern, Symmetry

__all__ = [
    "Declarations",
    "Listing",
    "Patterns",
    "ask",
    "attacks",
    "authority",
    "best",
    "blocks",
    "check",
    "damage",
    "explain",
    "force",
    "histories",
    "outcomes",
]

T = TypeVar("T")


@dataclass(frozen=True)
class Listing(Generic[T]):
    """Every answer to a question, found one by one.

    Iterable as often as wanted; each time the question is solved anew, so nothing is kept.
    ``problem`` is the verdict on the fixed part that makes the listing empty, if there is one.
    """

    scenario: Scenario
    question: str
    shape: Shape[T]
    problem: Verdict | None = None
    json: Shape[str] | None = None

    def program(self, end: float | None = None) -> Program:
        """The grounded program behind the listing; see :func:`pysolver.maximum.program`."""
        return program(self.scenario, self.question, end=end)

    def _timed(self, time_limit: float | None) -> tuple[Program, float | None]:
        """The program, and what its making has left of the time limit."""
        if time_limit is None:
            return self.program(), None
        end = time.monotonic() + time_limit
        return self.program(end), max(0.0, end - time.monotonic())

    def iterate(self, *, time_limit: float | None = None) -> Iterator[T]:
        """Every answer; raises :class:`SolverLimit` once ``time_limit`` seconds have passed."""
        if self.problem is None:
            grounded, left = self._timed(time_limit)
            yield from grounded.models(self.shape, time_limit=left)

    def __iter__(self) -> Iterator[T]:
        return self.iterate()

    def __contains__(self, item: object) -> bool:
        return any(item == answer for answer in self)

    def json_lines(self, *, time_limit: float | None = None) -> Iterator[str]:
        """Every answer as one line of JSON, keys sorted."""
        if self.json is None:
            yield from map(_line, self.iterate(time_limit=time_limit))
        elif self.problem is None:
            grounded, left = self._timed(time_limit)
            yield from grounded.models(self.json, time_limit=left)

    def count(self, *, time_limit: float | None = None) -> int:
        """How many answers there are; as :meth:`iterate` otherwise."""
        if self.problem is not None:
            return 0
        grounded, left = self._timed(time_limit)
        return grounded.count(time_limit=left)

    def sample(self, n: int, seed: int, *, time_limit: float | None = None) -> list[T]:
        """``n`` different answers, each about equally likely; all where there are fewer.

        The same seed gives the same sample; see :mod:`pysolver.sampling`.
        """
        if self.problem is not None:
            return []
        return sampling.sample(self.program, self.shape, n, seed, time_limit)


def _line(answer: Any) -> str:
    return json.dumps(answer.to_json(), sort_keys=True, ensure_ascii=False)


@dataclass(frozen=True)
class Declarations(Listing[D]):
    """Declarations of attackers or blockers, which can be folded."""

    def up_to_symmetry(self) -> Patterns[D]:
        """One declaration of all that differ only by interchangeable creatures, and how many."""
        return Patterns(self.scenario, self.question, self.shape, self.problem)


class Patterns(Listing[Any], Generic[D]):
    """The declarations that no exchange of interchangeable creatures turns into each other.

    ``fold.lp`` leaves few of the others in the program. Where both sides have doubles it leaves
    some, so the patterns that were found are remembered.
    """

    def program(self, end: float | None = None) -> Program:
        """The program behind the listing, with few declarations for each pattern."""
        folded = super().program(end)
        folded.add(f"{encoding_text('fold.lp')}\n{Symmetry(self.scenario).facts()}")
        return folded

    def __iter__(self) -> Iterator[Pattern[D]]:
        return self.iterate()

    def iterate(self, *, time_limit: float | None = None) -> Iterator[Pattern[D]]:
        """Every pattern; raises :class:`SolverLimit` once ``time_limit`` seconds have passed."""
        symmetry, seen = Symmetry(self.scenario), set[str]()
        for declaration in super().iterate(time_limit=time_limit):
            text, number = symmetry.pattern(declaration)
            if text not in seen:
                seen.add(text)
                yield Pattern(declaration, number)

    def count(self, *, time_limit: float | None = None) -> int:
        """How many patterns there are."""
        return _counted(self.iterate(time_limit=time_limit))

    def sample(self, n: int, seed: int, *, time_limit: float | None = None) -> list[Any]:
        """``n`` different patterns, each equally likely."""
        return _sampled(self.iterate(time_limit=time_limit), n, seed)


def attacks(scenario: Scenario) -> Declarations[Attack]:
    """Every legal declaration of attackers, bands included (508.1, 702.22c)."""
    problem = verdict(scenario, "attack")
    return Declarations(scenario, "attacks", decode.ATTACK, problem, decode.ATTACK_JSON)


def blocks(scenario: Scenario, *, each_attack: bool = False) -> Declarations[BlockDeclaration]:
    """Every legal declaration of blockers (509.1), for the fixed attack or for each legal one.

    Raises :class:`ScenarioError` where the attack is open and ``each_attack`` is not asked for.
    """
    if not each_attack:
        _require(scenario, "attack")
    problem = verdict(scenario, "attack", "blocks")
    if each_attack:
        shape, line = decode.BLOCK_WITH_ATTACK, decode.BLOCK_WITH_ATTACK_JSON
        return Declarations(scenario, "blocks --each-attack", shape, problem, line)
    return Declarations(scenario, "blocks", decode.BLOCK, problem, decode.BLOCK_JSON)


def authority(scenario: Scenario) -> Listing[AuthorityLine]:
    """Who divides each creature's damage in each damage step (510.1, 702.22j-k).

    Where something is open, the distinct lines over all courses. Raises :class:`ScenarioError`
    where the attack or the blocks are open.
    """
    _require(scenario, "attack", "blocks")
    problem = verdict(scenario, "attack", "blocks", "damage")
    return _Lines(scenario, "authority", decode.authority(scenario.edition.date), problem)


class _Lines(Listing[Any]):
    """A listing whose models hold several answers each: the different ones, as they are found."""

    def iterate(self, *, time_limit: float | None = None) -> Iterator[Any]:
        seen = set()
        for lines in super().iterate(time_limit=time_limit):
            for line in lines:
                if line not in seen:
                    seen.add(line)
                    yield line

    def count(self, *, time_limit: float | None = None) -> int:
        return _counted(self.iterate(time_limit=time_limit))

    def sample(self, n: int, seed: int, *, time_limit: float | None = None) -> list[Any]:
        return _sampled(self.iterate(time_limit=time_limit), n, seed)


def _counted(answers: Iterator[Any]) -> int:
    found = 0
    try:
        for _ in answers:
            found += 1
    except SolverLimit as stopped:
        raise SolverLimit(str(stopped), found=found) from None
    return found


def _sampled(answers: Iterator[Any], n: int, seed: int) -> list[Any]:
    listed = list(answers)
    return random.Random(seed).sample(listed, min(n, len(listed)))


def damage(scenario: Scenario) -> Listing[Damage]:
    """Every legal assignment of combat damage over all damage steps (510.1).

    Raises :class:`ScenarioError` where the attack or the blocks are open.
    """
    _require(scenario, "attack", "blocks")
    return Listing(scenario, "damage", decode.DAMAGE, verdict(scenario, *PARTS))


def outcomes(scenario: Scenario, *, witness: bool = False) -> Listing[Outcome]:
    """Every distinct result over all that is left open; with ``witness`` one way to each."""
    question = "outcomes --witness" if witness else "outcomes"
    shape = decode.outcomes(scenario, witness=witness)
    return Listing(scenario, question, shape, verdict(scenario, *PARTS))


def histories(scenario: Scenario) -> Listing[History]:
    """Every complete legal combat, choice by choice."""
    return Listing(scenario, "histories", decode.histories(scenario), verdict(scenario, *PARTS))


def check(scenario: Scenario) -> Verdict:
    """Is what the scenario fixes legal? The attack is judged first, then blocks, then damage."""
    return verdict(scenario, *PARTS) or Verdict(legal=True)


def ask(scenario: Scenario, query: str) -> Answer:
    """Does a statement hold always, sometimes or never, over all that the scenario leaves open?

    Raises :class:`QueryError` for a statement that cannot be read.
    """
    from pysolver.query import compile_query  # its parser takes a while to load

    statement = compile_query(query, scenario, quoted)
    if verdict(scenario, *PARTS):
        return Answer(query, "none")
    asked = Asked(scenario, "ask", statement)
    witness = asked.first(decode.witness(scenario), assuming={"statement": True})
    counterexample = asked.first(decode.witness(scenario), assuming={"statement": False})
    match witness, counterexample:
        case None, None:
            return Answer(query, "none")
        case _, None:
            return Answer(query, "always", witness)
        case None, _:
            return Answer(query, "never", None, counterexample)
        case _:
            return Answer(query, "sometimes", witness, counterexample)


def explain(scenario: Scenario, query: str) -> Explanation:
    """Why a statement holds, in a combat where it does, or why not, if there is none.

    The statements are those of :func:`ask`, one fact at a time, and ``can_attack``, ``can_block``
    and ``can_band``. Raises :class:`QueryError` for a statement that cannot be read.
    """
    from pysolver import explain as explanations  # parsing encodings takes a while to load

    require_covered(scenario)
    return explanations.explain(scenario, query)


def force(scenario: Scenario, player: str, query: str) -> Force:
    """Can a player make sure of a statement, whatever the others legally do?

    His side, with shared team turns his team, plays against all others together; everybody knows
    what was decided before. Raises :class:`QueryError` for a statement that cannot be read, and for
    who is no player.
    """
    from pysolver.force import Contest, check_player
    from pysolver.query import compile_query

    check_player(scenario, player)
    statement = compile_query(query, scenario, quoted)
    if verdict(scenario, *PARTS):
        return Force(query, player, "none")
    contest = Contest(scenario, player, f"{statement}\nwanted(0) :- statement.")
    if not contest.possible():
        return Force(query, player, "none")
    won, strategy = contest.settle()
    return Force(query, player, "yes" if won else "no", strategy)


def best(scenario: Scenario, player: str, query: str, *, least: bool = False) -> Best:
    """The largest value of a number, or the ``least``, that a player can make sure of.

    The value is found by halving what is possible, each half a question as in :func:`force`. Raises
    :class:`QueryError` for what is no number, and for who is no player.
    """
    from pysolver.force import Contest, check_player
    from pysolver.query import compile_number

    check_player(scenario, player)
    number = compile_number(query, scenario, quoted)
    if verdict(scenario, *PARTS):
        return Best(query, player, least, None)
    contest = Contest(scenario, player, number)
    if not contest.possible():
        return Best(query, player, least, None)
    return Best(query, player, least, *contest.best(least=least))


def _require(scenario: Scenario, *parts: str) -> None:
    for part in parts:
        if getattr(scenario, part) is None:
            raise ScenarioError(
                f'this question needs the scenario to fix "{part}"; it is left open', path=part
            )
