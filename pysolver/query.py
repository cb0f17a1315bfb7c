"""Statements about a combat: ``died(bat) and not life(bob) <= 0``.

A statement is parsed by a small grammar and compiled to rules over the predicates of the
encodings, so that the solver answers it as a question and nothing is listed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from lark import Lark, Token, Transformer, v_args
from lark.exceptions import UnexpectedInput, VisitError

from pysolver.errors import QueryError
from pysolver.scenario.model import Scenario
from pysolver.scenario.words import suggestion

__all__ = ["compile_number", "compile_query", "parse_query"]

GRAMMAR = r"""
?statement: either
?either: both | either "or"i both -> disjunction
?both: plain | both "and"i plain -> conjunction
?plain: "not"i plain -> negation
      | "(" statement ")"
      | term COMPARE number -> comparison
      | term -> fact
term: WORD "(" name ("," name)* ")"
name: STRING -> quoted | BARE -> bare
number: SIGNED_INT
COMPARE: "<=" | ">=" | "!=" | "==" | "<" | ">" | "="
WORD: /(?!(?:not|and|or)\b)[a-z_]+(?=\s*\()/i
STRING: /"(\\.|[^"\\])*"/
BARE: /[^\s"(),][^"(),]*/
%import common.SIGNED_INT
%import common.WS
%ignore WS
"""


@dataclass(frozen=True, slots=True)
class Term:
    """``died(bat)``, ``life(bob)``: a word, the names in it, and its column (from 1)."""

    word: str
    names: tuple[str, ...]
    column: int


@dataclass(frozen=True, slots=True)
class Fact:
    """A term that holds or does not."""

    term: Term


@dataclass(frozen=True, slots=True)
class Comparison:
    """A number of the result against another."""

    term: Term
    operator: str
    number: int


@dataclass(frozen=True, slots=True)
class Both:
    """Both statements hold."""

    left: Statement
    right: Statement


@dataclass(frozen=True, slots=True)
class Either:
    """One of the statements holds, or both."""

    left: Statement
    right: Statement


@dataclass(frozen=True, slots=True)
class Negation:
    """The statement does not hold."""

    inner: Statement


Statement: TypeAlias = Fact | Comparison | Both | Either | Negation


@v_args(inline=True)
class _Builder(Transformer[Token, Statement]):
    def term(self, word: Token, *names: str) -> Term:
        return Term(word.lower(), names, word.column or 1)

    def quoted(self, token: Token) -> str:
        return ESCAPE.sub(lambda found: ESCAPES.get(found[1], found[1]), token[1:-1])

    def bare(self, token: Token) -> str:
        return token.strip()

    def number(self, token: Token) -> int:
        return int(token)

    def fact(self, term: Term) -> Statement:
        return Fact(term)

    def comparison(self, term: Term, operator: Token, number: int) -> Statement:
        return Comparison(term, {"==": "="}.get(operator, str(operator)), number)

    def conjunction(self, left: Statement, right: Statement) -> Statement:
        return Both(left, right)

    def disjunction(self, left: Statement, right: Statement) -> Statement:
        return Either(left, right)

    def negation(self, inner: Statement) -> Statement:
        return Negation(inner)


@lru_cache(maxsize=1)
def _parser() -> Lark:
    return Lark(GRAMMAR, start="statement", parser="lalr")


def parse_query(text: str) -> Statement:
    """Read a statement; :class:`QueryError` points at the place where it cannot be read."""
    try:
        return _Builder().transform(_parser().parse(text))
    except UnexpectedInput as error:
        token = getattr(error, "token", None)
        ended = token is not None and token.type == "$END"  # lark points at the last token then
        column = len(text) + 1 if ended or error.column < 1 else error.column
        place = f"{text}\n{' ' * (column - 1)}^"
        raise QueryError(f"cannot read the statement at column {column}:\n{place}") from None
    except VisitError as error:  # pragma: no cover - no builder method fails
        raise QueryError(str(error.orig_exc)) from None


#: What each name of a scenario stands for.
Known: TypeAlias = Mapping[str, set[str]]
#: Rule bodies by word and number of names.
Table: TypeAlias = dict[tuple[str, int], str]

#: What a word of the query language means: how many names it takes, and the rule body for it.
#: ``{0}`` and ``{1}`` are the names as ASP strings, ``N`` is the number of a numeric term.
FACTS: Table = {
    ("died", 1): "died({0})",
    ("survived", 1): "not died({0})",
    ("regenerated", 1): "regenerated({0})",
    ("blocked", 1): "blocked({0},first_strike)",
    ("unblocked", 1): "attacking({0},_,first_strike), not blocked({0},first_strike)",
    ("blocked_by", 2): "blocking({1},{0},first_strike)",
    ("attacks", 1): "declared_attack({0},_)",
    ("attacks", 2): "declared_attack({0},{1})",
    ("banded", 2): "in_band({0},L), in_band({1},L)",
    ("divides", 2): "divides(_,{1},{0},_)",
}
NUMBERS: Table = {
    ("life", 1): "has_total({0},X), final_life(X,N)",
    ("poison", 1): "has_total({0},X), final_poison(X,N)",
    ("loyalty", 1): "final_loyalty({0},N)",
    ("defense", 1): "final_defense({0},N)",
    ("damage", 2): "N = #sum {{ K,S : assigned(S,{0},{1},K) }}",
}


#: Words for what can be declared; they are no facts of one combat.
POSSIBLE = ("can_attack", "can_band", "can_block")

#: Every term of a statement as it is written.
FORMS = (
    *("attacks(creature)", "attacks(creature, target)", "banded(creature, creature)"),
    *("blocked(creature)", "unblocked(creature)", "blocked_by(attacker, blocker)"),
    *("divides(player, creature)", "died(creature)", "survived(creature)"),
    *("regenerated(creature)", "damage(source, recipient)", "life(player)", "poison(player)"),
    *("loyalty(planeswalker)", "defense(battle)"),
)

#: The kinds of names: a creature, and whoever has a life total.
CREATURE, SIDE = frozenset({"creature"}), frozenset({"player", "team"})
#: What the names of each term stand for; None is anything.
KINDS: dict[tuple[str, int], tuple[frozenset[str] | None, ...]] = {
    ("died", 1): (CREATURE,),
    ("survived", 1): (CREATURE,),
    ("regenerated", 1): (CREATURE,),
    ("blocked", 1): (CREATURE,),
    ("unblocked", 1): (CREATURE,),
    ("blocked_by", 2): (CREATURE, CREATURE),
    ("attacks", 1): (CREATURE,),
    ("attacks", 2): (CREATURE, None),
    ("banded", 2): (CREATURE, CREATURE),
    ("divides", 2): (SIDE, CREATURE),
    ("life", 1): (SIDE,),
    ("poison", 1): (SIDE,),
    ("loyalty", 1): (frozenset({"planeswalker"}),),
    ("defense", 1): (frozenset({"battle"}),),
    ("damage", 2): (CREATURE, None),
}

#: Every total is smaller, so that a larger number of a statement may stand for itself; clingo's
#: numbers have 32 bits.
LARGEST = 2**30

ESCAPE = re.compile(r"\\(.)", re.DOTALL)
ESCAPES = {"n": "\n", "t": "\t"}


def compile_query(text: str, scenario: Scenario, quote: Callable[[str], str]) -> str:
    """Rules that derive ``statement`` exactly where the statement holds.

    ``quote`` writes a name as an ASP string. Raises :class:`QueryError` for words that the
    language does not have and names that the scenario does not have.
    """
    known = known_names(scenario)
    rules: list[str] = []

    def compiled(statement: Statement) -> str:
        match statement:
            case Fact(term):
                text = _body(term, FACTS, known, quote)
            case Comparison(term, operator, number):
                text = _body(term, NUMBERS, known, quote)
                text += f", N {operator} {max(-LARGEST, min(LARGEST, number))}"
            case Both(left, right):
                text = f"{compiled(left)}, {compiled(right)}"
            case Either(left, right):
                atom = f"part({len(rules)},either)"
                rules.append("")
                first, second = compiled(left), compiled(right)
                rules.append(f"{atom} :- {first}.\n{atom} :- {second}.")
                return atom
            case Negation(inner):
                text = f"not {compiled(inner)}"
        atom = f"part({len(rules)},holds)"
        rules.append(f"{atom} :- {text}.")
        return atom

    top = compiled(parse_query(text))
    return "\n".join([*filter(None, rules), f"statement :- {top}."])


def compile_number(text: str, scenario: Scenario, quote: Callable[[str], str]) -> str:
    """A rule that derives ``value(N)`` for the number that a term such as ``life(bob)`` has.

    Raises :class:`QueryError` as :func:`compile_query` does, and for what is no number.
    """
    match parse_query(text):
        case Fact(term):
            return f"value(N) :- {_body(term, NUMBERS, known_names(scenario), quote)}."
        case Comparison(term):
            wanted = f"{term.word}({', '.join(term.names)})"
            raise QueryError(f"a comparison is no number: ask for {wanted} alone")
        case _:
            raise QueryError("this is a statement and no number: ask for one, as in life(bob)")


def _body(term: Term, table: Table, known: Known, quote: Callable[[str], str]) -> str:
    """The rule body for a term, which must be one of the table and speak of what there is."""
    key = (term.word, len(term.names))
    if key not in table:
        if key in FACTS or key in NUMBERS:
            raise QueryError(f'"{term.word}" at column {term.column} {HINTS[key in NUMBERS]}')
        if term.word in POSSIBLE:
            raise QueryError(f'"{term.word}" (column {term.column}) is a question for "explain"')
        raise QueryError(
            f'no statement "{term.word}" with {len(term.names)} name(s) '
            f"(column {term.column}); there are: {', '.join(FORMS)}"
        )
    check_names(term, KINDS[key], known)
    return table[key].format(*map(quote, term.names))


#: What is wrong with a term that stands where it cannot: one that is no number, and one that is.
HINTS = ("is no number, as life(bob) is one", "is a number: compare it, as in life(bob) <= 0")


def check_names(term: Term, kinds: Iterable[frozenset[str] | None], known: Known) -> None:
    """Raise :class:`QueryError` unless each name of a term is in the scenario and of its kind."""
    for name, wanted in zip(term.names, kinds, strict=True):
        if name not in known:
            hint = suggestion(name, known)
            raise QueryError(f'"{name}" is not in the scenario (column {term.column}){hint}')
        if wanted is not None and not known[name] & wanted:
            raise QueryError(
                f'"{name}" is no {" or ".join(sorted(wanted))}, as "{term.word}" needs '
                f"(column {term.column})"
            )


def known_names(scenario: Scenario) -> dict[str, set[str]]:
    """What each name of the scenario stands for; a creature may be a planeswalker, too."""
    known: dict[str, set[str]] = {}
    for kind, names in (
        ("player", [player.name for player in scenario.players]),
        ("team", [team.name for team in scenario.teams]),
        ("creature", [creature.name for creature in scenario.creatures]),
        ("planeswalker", [walker.name for walker in scenario.planeswalkers]),
        ("battle", [battle.name for battle in scenario.battles]),
    ):
        for name in names:
            known.setdefault(name, set()).add(kind)
    return known
