"""The question "why?": a combat in which a statement holds, or does not, and the reasons.

The statements are those of :mod:`pysolver.query`, one at a time, and three more that are about what
is possible: ``can_attack(x)``, ``can_block(x, y)`` and ``can_band(x, y, ...)``. Where a possibility
is denied, the declaration is made all the same, and the rules that it breaks are the reasons.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from pysolver import decode
from pysolver.derivation import ANY, Derivation
from pysolver.errors import QueryError
from pysolver.judge import PARTS, verdict
from pysolver.maximum import Asked
from pysolver.possible import POSSIBILITIES, possible
from pysolver.programs import DAMAGE, ENCODINGS, grounded
from pysolver.query import (
    FORMS,
    LARGEST,
    POSSIBLE,
    Comparison,
    Fact,
    Negation,
    Term,
    compile_query,
    parse_query,
)
from pysolver.results import Explanation, Reason, Truth, Verdict
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
        denied="recipient(S,{1},R)",
    ),
    ("damage", 2): Word(
        "{0} assigns damage to {1}",
        "{0} assigns no damage to {1}",
        (
            "at_least(S,{0},{1},N)",
            "lethal(S,B) : at_least(S,{0},{1},1), spills(S,{0}), tramples_over(S,{0},B), "
            "not blocking({1},{0},S)",
        ),
        denied="recipient(S,{0},{1})",
    ),
    ("life", 1): Word("the life total of {0}", "", ("life(X,N,over) : has_total({0},X)",)),
    ("poison", 1): Word("the poison of {0}", "", ("poison(X,N,over) : has_total({0},X)",)),
    ("loyalty", 1): Word("the loyalty of {0}", "", ("counters({0},N,over)",)),
    ("defense", 1): Word("the defense of {0}", "", ("counters({0},N,over)",)),
}

#: Words for numbers: what is explained is the number, whatever it is compared with.
NUMBERS = frozenset({"life", "poison", "loyalty", "defense"})

#: What comes near to a fact, from the nearest on.
_IN_COMBAT = ("dealt(_,_,{0},1)", "declared_block({0},_)", "declared_attack({0},_)")
NEAR: dict[str, tuple[str, ...]] = {
    "died": ("lethally_damaged({0},_)", "is_touched_by_deathtouch({0},_)", *_IN_COMBAT),
    "regenerated": ("destroyed({0},_)", *_IN_COMBAT),
    "blocked": ("declared_attack({0},_)",),
    "unblocked": ("declared_attack({0},_)",),
    "divides": ("divides(_,{1},_,_)", "declared_block({1},_)", "declared_attack({1},_)"),
    "damage": ("recipient(_,{0},_)", "declared_block({0},_)", "declared_attack({0},_)"),
}

_VARIABLE = re.compile(r"\b[A-Z]\b")


def explain(scenario: Scenario, query: str) -> Explanation:
    """Why a statement holds, in a combat where it does, or why not, if there is none.

    Raises :class:`QueryError` for a statement that cannot be read, or that is not about one fact.
    """
    asked = _Asked.read(query)
    if asked.term.word in POSSIBILITIES:
        return possible(scenario, query, asked.term, asked.positive)
    if (asked.term.word, len(asked.term.names)) not in WORDS:
        forms = ", ".join((*FORMS, *POSSIBLE))
        raise QueryError(f"no such statement (column {asked.term.column}); there are: {forms}")
    statement = compile_query(asked.text, scenario, quoted)
    problem = verdict(scenario, *PARTS)
    if problem is not None:
        return Explanation(query, False, _illegal(problem))
    near = _near(asked.term)
    program = Asked(scenario, "ask", "\n".join([statement, *near]))
    model = program.truths({"statement": True})
    if model is not None:
        always = program.truths({"statement": False}) is None
        found = _explained(scenario, asked, model, holds=True)
        required = _forbidden(scenario, statement, False)[1] if always else ()
        otherwise = (Reason("it cannot be otherwise", because=required),) if required else ()
        because = (*found.reason.because, *otherwise)
        answer: Truth = "always" if always else "sometimes"
        return replace(found, reason=replace(found.reason, because=because), answer=answer)
    instead = _impossible(scenario, asked)
    if instead is not None:
        return instead
    broken = sum(_forbidden(scenario, statement, True), ())
    if broken:
        return Explanation(query, False, Reason(_fact(asked, holds=False), because=broken))
    for k in range(len(near) + 1):  # the combat that comes nearest says most
        model = program.truths({"statement": False, f"near({k})": True} if k < len(near) else {})
        if model is not None:
            return _explained(scenario, asked, model, holds=False)
    return Explanation(query, False, Reason("there is no legal combat"))


@dataclass(frozen=True, slots=True)
class _Asked:
    """A statement about one fact.

    ``text`` is what is asked of the solver, ``positive`` whether the term is affirmed in it, and
    ``compared`` whether it is a number's comparison, or a number alone.
    """

    query: str
    text: str
    term: Term
    positive: bool
    compared: bool

    @classmethod
    def read(cls, query: str) -> _Asked:
        """The one term that a statement is about; :class:`QueryError` where there are more."""
        statement, positive = parse_query(query), True
        while isinstance(statement, Negation):
            statement, positive = statement.inner, not positive
        if isinstance(statement, Comparison) and statement.term.word not in POSSIBILITIES:
            return cls(query, query, statement.term, positive, compared=True)
        if isinstance(statement, Comparison):
            raise QueryError(f'"{statement.term.word}" is no number, it cannot be compared')
        if not isinstance(statement, Fact):
            raise QueryError('one fact at a time can be explained: leave out "and" and "or"')
        term = statement.term
        if term.word in NUMBERS and not positive:
            raise QueryError(f'"{term.word}" is a number, it cannot be denied')
        if term.word in NUMBERS:
            return cls(query, f"{query} > {-LARGEST}", term, positive, compared=True)
        if term.word == "damage":
            return cls(query, f"{query} > 0", term, positive, compared=False)
        if term.word == "survived":
            return cls(query, query, replace(term, word="died"), not positive, compared=False)
        return cls(query, query, term, positive, compared=False)


#: Nobody thinks of assigning too much or too little: some other rule stands in the way, or none.
SENSIBLE = ':- violation("damage.assign.amount",_).'


def _fact(asked: _Asked, *, holds: bool) -> str:
    """The statement in words, or its denial."""
    if asked.compared:
        return asked.query if holds else f"not so: {asked.query}"
    word = WORDS[asked.term.word, len(asked.term.names)]
    affirmed = word.sentence if holds == asked.positive else word.denial
    return affirmed.format(*asked.term.names)


def _forbidden(
    scenario: Scenario, statement: str, wanted: bool
) -> tuple[tuple[Reason, ...], tuple[Reason, ...]]:
    """The rules that a combat breaks in which the statement has a truth that it never has: those
    that are broken, or if there are none the requirements that are not obeyed."""
    forced = f"{statement}\n:- {'not ' if wanted else ''}statement.\n{SENSIBLE}"
    model = grounded((*DAMAGE, "show/fewest.lp"), scenario, forced).truths()
    if model is None:
        return (), ()
    teller = Teller(Derivation(DAMAGE, model), scenario)
    broken = teller.all(teller.derivation.matching(parse_symbol("violation(any,any)")))
    if broken:
        return broken, ()
    combat = read(decode.witness(scenario), model)
    declared = replace(scenario, attack=combat.attack, blocks=combat.blocks)
    found = verdict(declared, "attack", "blocks")
    violations = () if found is None else found.violations
    return (), tuple(Reason(v.message, v.slug, v.rule) for v in violations)


def _explained(
    scenario: Scenario, asked: _Asked, model: Sequence[Symbol], *, holds: bool
) -> Explanation:
    """The reasons for the statement in a model, or against it."""
    teller = Teller(Derivation(ENCODINGS["ask"], model), scenario)
    term = asked.term
    if asked.compared:
        word = WORDS[term.word, len(term.names)]
        because = _why(teller, term, word.atoms) or _why_not(teller, term, word)
        reason = Reason(_fact(asked, holds=holds), because=because)
    else:
        reason = _told(teller, term, holds == asked.positive)
    combat = None if _is_fixed(scenario) else read(decode.witness(scenario), model)
    return Explanation(asked.query, holds, reason, combat)


#: What can be declared where a statement never holds that says that it is.
DECLARABLE: dict[str, tuple[str, str]] = {
    "attacks": ("can_attack", "attack"),
    "banded": ("can_band", "attack"),
    "blocked_by": ("can_block", "blocks"),
}


def _impossible(scenario: Scenario, asked: _Asked) -> Explanation | None:
    """Why it cannot be declared, where a statement about a declaration never holds."""
    word, part = DECLARABLE.get(asked.term.word, ("", ""))
    names = asked.term.names
    if not word or not asked.positive or getattr(scenario, part) is not None:
        return None
    if len(set(names)) < len(names):
        return None
    turned = names[::-1] if word == "can_block" else names
    found = possible(scenario, asked.query, replace(asked.term, word=word, names=turned), True)
    return None if found.holds else found


def _near(term: Term) -> list[str]:
    """Rules for ``near(K)``: that a combat comes near to what a term says, the nearest first."""
    names = tuple(map(quoted, term.names))
    conditions = NEAR.get(term.word, ())
    return [f"near({k}) :- {text.format(*names)}." for k, text in enumerate(conditions)]


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
    if positive and len(because) == 1 and not because[0].fact.startswith("at "):
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
