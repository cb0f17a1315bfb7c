"""The question "why?": a combat in which a statement holds, or does not, and the reasons.

The statements are those of :mod:`pysolver.query`, one at a time, and three more that are about what
is possible: ``can_attack(x)``, ``can_block(x, y)`` and ``can_band(x, y, ...)``. Where a possibility
is denied, the declaration is made all the same, and the rules that it breaks are the reasons.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import chain

from pysolver import decode
from pysolver.derivation import ANY, Derivation
from pysolver.errors import QueryError
from pysolver.judge import PARTS, verdict
from pysolver.maximum import Asked
from pysolver.possible import POSSIBILITIES, possible
from pysolver.programs import ENCODINGS
from pysolver.query import (
    LARGEST,
    Comparison,
    Fact,
    Negation,
    Term,
    compile_query,
    parse_query,
)
from pysolver.results import Explanation, Reason, Verdict
from pysolver.scenario.facts import quoted
from pysolver.scenario.model import Scenario
from pysolver.solver import read
from pysolver.syntax import Symbol, parse_symbol
from pysolver.teller import Teller

__all__ = ["explain"]


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a statement: its sentence, its denial, and the atoms that it is about.

    ``{0}`` and ``{1}`` are the names; each atom may have a condition after a colon. ``absent`` is
    an atom that must not hold. Of a denial the reasons are the atoms of ``instead``, and if there
    are none that nothing is like ``denied``, or like the first atom.
    """

    sentence: str
    denial: str
    atoms: tuple[str, ...]
    instead: tuple[str, ...] = ()
    denied: str | None = None
    absent: str | None = None


WORDS: dict[tuple[str, int], Word] = {
    ("died", 1): Word(
        "{0} dies",
        "{0} survives",
        ("died({0})",),
        instead=("regenerates({0},M)",),
        denied="destroyed({0},M)",
    ),
    ("regenerated", 1): Word("{0} regenerates", "{0} does not regenerate", ("regenerates({0},M)",)),
    ("blocked", 1): Word("{0} is blocked", "{0} is not blocked", ("blocked({0},first_strike)",)),
    ("unblocked", 1): Word(
        "{0} is unblocked",
        "{0} is not an unblocked attacker",
        ("attacking({0},T,first_strike)",),
        instead=("blocked({0},first_strike)",),
        absent="blocked({0},first_strike)",
    ),
    ("blocked_by", 2): Word(
        "{0} is blocked by {1}",
        "{0} is not blocked by {1}",
        ("blocking({1},{0},first_strike)",),
    ),
    ("attacks", 1): Word("{0} attacks", "{0} does not attack", ("declared_attack({0},T)",)),
    ("attacks", 2): Word(
        "{0} attacks {1}", "{0} does not attack {1}", ("declared_attack({0},{1})",)
    ),
    ("banded", 2): Word(
        "{0} and {1} are in one band",
        "{0} and {1} are not in one band",
        (
            "in_same_band({0},{1},blockers)",
            "banded_by_banding(L) : in_band({0},L), in_band({1},L)",
            "banded_by_quality(L) : in_band({0},L), in_band({1},L)",
            "has(C,banding,attackers) : in_band({0},L), in_band({1},L), in_band(C,L)",
        ),
    ),
    ("divides", 2): Word(
        "{0} divides the damage of {1}",
        "{0} does not divide the damage of {1}",
        ("divides(S,{1},{0},G)",),
        instead=("divides(S,{1},X,G)",),
    ),
    ("damage", 2): Word(
        "{0} assigns damage to {1}",
        "{0} assigns no damage to {1}",
        (
            "at_least(S,{0},{1},N)",
            "lethal(S,B) : at_least(S,{0},{1},1), spills(S,{0}), tramples_over(S,{0},B), "
            "not blocking({1},{0},S)",
        ),
    ),
    ("life", 1): Word("the life total of {0}", "", ("life(X,N,over) : has_total({0},X)",)),
    ("poison", 1): Word("the poison of {0}", "", ("poison(X,N,over) : has_total({0},X)",)),
    ("loyalty", 1): Word("the loyalty of {0}", "", ("counters({0},N,over)",)),
    ("defense", 1): Word("the defense of {0}", "", ("counters({0},N,over)",)),
}

#: Words for numbers: what is explained is the number, whatever it is compared with.
NUMBERS = frozenset({"life", "poison", "loyalty", "defense"})

_VARIABLE = re.compile(r"\b[A-Z]\b")


def explain(scenario: Scenario, query: str) -> Explanation:
    """Why a statement holds, in a combat where it does, or why not, if there is none.

    Raises :class:`QueryError` for a statement that cannot be read, or that is not about one fact.
    """
    positive, term, is_number = _the_fact(query)
    if term.word in POSSIBILITIES:
        return possible(scenario, query, term, positive)
    least = 0 if term.word == "damage" else -LARGEST
    asked = f"{query} > {least}" if is_number else query
    statement = compile_query(asked, scenario, quoted)
    problem = verdict(scenario, *PARTS)
    if problem is not None:
        return Explanation(query, False, _illegal(problem))
    program = Asked(scenario, "ask", statement)
    for holds in (True, False):
        model = program.truths({"statement": holds})
        if model is not None:
            teller = Teller(Derivation(ENCODINGS["ask"], model), scenario)
            if term.word in NUMBERS:
                fact = query if holds else f"not so: {query}"
                atoms = WORDS[term.word, len(term.names)].atoms
                reason = Reason(fact, because=_why(teller, term, atoms))
            else:
                reason = _told(teller, term, holds == positive)
            combat = None if _is_fixed(scenario) else read(decode.witness(scenario), model)
            return Explanation(query, holds, reason, combat)
    return Explanation(query, False, Reason("there is no legal combat"))


def _the_fact(query: str) -> tuple[bool, Term, bool]:
    """Is the statement affirmed, the one term that it is about, and is that a bare number?"""
    statement, positive = parse_query(query), True
    while isinstance(statement, Negation):
        statement, positive = statement.inner, not positive
    if isinstance(statement, Fact):
        term = statement.term
        if term.word == "survived":
            return not positive, replace(term, word="died"), False
        return positive, term, term.word in NUMBERS or term.word == "damage"
    if isinstance(statement, Comparison):
        return positive, statement.term, False
    raise QueryError('one fact at a time can be explained: leave out "and" and "or"')


def _is_fixed(scenario: Scenario) -> bool:
    return None not in (scenario.attack, scenario.blocks, scenario.damage)


def _illegal(problem: Verdict) -> Reason:
    """That what the scenario fixes is illegal, with the rules that it breaks."""
    broken = (Reason(v.message, v.slug, v.rule) for v in problem.violations)
    return Reason("what the scenario fixes is illegal", because=tuple(broken))


def _told(teller: Teller, term: Term, positive: bool) -> Reason:
    """The tree for a statement that holds in the teller's model, or for its denial."""
    word = WORDS[term.word, len(term.names)]
    because = _why(teller, term, word.atoms) if positive else _why_not(teller, term, word)
    if positive and word.absent is not None:
        because += teller.why_not(_pattern(word.absent, term))
    fact = (word.sentence if positive else word.denial).format(*term.names)
    if len(because) == 1 and because[0].because and not because[0].fact.startswith("at "):
        return replace(because[0], fact=fact)
    return Reason(fact, because=because)


def _why(teller: Teller, term: Term, atoms: Iterable[str]) -> tuple[Reason, ...]:
    names = tuple(map(quoted, term.names))
    parts = (atom.partition(" : ") for atom in atoms)
    selected = (
        teller.derivation.select(atom.format(*names), condition.format(*names))
        for atom, _, condition in parts
    )
    return teller.all(chain.from_iterable(selected))


def _why_not(teller: Teller, term: Term, word: Word) -> tuple[Reason, ...]:
    reasons = _why(teller, term, word.instead)
    if reasons:
        return reasons
    denied = word.denied or word.atoms[0].partition(" : ")[0]
    return teller.why_not(_pattern(denied, term))


def _pattern(atom: str, term: Term) -> Symbol:
    return parse_symbol(_VARIABLE.sub(str(ANY), atom).format(*map(quoted, term.names)))
