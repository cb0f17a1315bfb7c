"""Why an atom holds in a model, and why it does not: by which rule, and from what.

The rules of the encodings are read once more, with the atoms of the model as facts, and each is
turned into one that says where it applies: ``because(R,H,B)`` says that rule R derives the head H
from the atoms B. So every aggregate, condition and interval means here what it means in the
encodings. What supports an atom is chosen so that no atom supports itself: atoms have ranks, an
atom a higher one than all that it is derived from, and of several rules the lowest is taken.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count

from pysolver.solver import Program
from pysolver.syntax import (
    Literal,
    Rule,
    Signature,
    Symbol,
    SymbolType,
    parse_symbol,
    rules,
)

__all__ = ["ANY", "Derivation", "Failure", "Support"]

#: Stands for whatever there may be, in an atom that does not hold.
ANY = parse_symbol("any")

_STRING = re.compile(r'"(?:\\.|[^"\\])*"')
_VARIABLE = re.compile(r"\b_*[A-Z][A-Za-z0-9_]*'*")
_TOKEN = re.compile(rf"(?P<string>{_STRING.pattern})|(?P<variable>{_VARIABLE.pattern}|\b_\b)")


@dataclass(frozen=True, slots=True)
class Support:
    """A rule that applies: what it derives, from atoms that hold and from others that do not."""

    rule: Rule
    holding: tuple[Symbol, ...]
    missing: tuple[Symbol, ...]


@dataclass(frozen=True, slots=True)
class Failure:
    """A rule that does not apply, though part of its body holds.

    ``holding`` is that part, ``missing`` the atoms that would have to hold, and ``wrongly`` those
    that hold and must not.
    """

    rule: Rule
    holding: tuple[Symbol, ...]
    missing: tuple[Symbol, ...]
    wrongly: tuple[Symbol, ...]


@dataclass
class Derivation:
    """A model of the encodings ``files``, given as all its atoms, to be explained."""

    files: tuple[str, ...]
    model: Iterable[Symbol]
    _numbers: count[int] = field(default_factory=count)

    def __post_init__(self) -> None:
        self._rules = rules(self.files)
        self.true: dict[Signature, set[Symbol]] = defaultdict(set)
        for atom in self.model:
            self._add(atom)
        facts = "".join(f"{atom}.\n" for atoms in self.true.values() for atom in atoms)
        self._program = Program((), facts + "\n".join(map(_applies, self._rules)))
        self._supports = self._read()
        self._rank = self._ranked()

    def _add(self, atom: Symbol) -> None:
        self.true[atom.name, len(atom.arguments)].add(atom)

    def holds(self, atom: Symbol) -> bool:
        """Is the atom in the model?"""
        return atom in self.true[atom.name, len(atom.arguments)]

    def matching(self, pattern: Symbol) -> list[Symbol]:
        """The atoms of the model that a pattern with ``any`` stands for, sorted."""
        same = self.true[pattern.name, len(pattern.arguments)]
        return sorted(atom for atom in same if _matches(pattern, atom))

    def select(self, atom: str, condition: str = "") -> list[Symbol]:
        """The atoms of the model like ``atom`` where a ``condition`` holds, both program text."""
        name = f"selected{next(self._numbers)}"
        self._program.add(f"{name}({atom}) :- {', '.join(filter(None, [condition, atom]))}.")
        return sorted(parse_symbol(text).arguments[0] for text in self._program.atoms(name, 1))

    def support(self, atom: Symbol) -> Support | None:
        """What makes the atom true; None for a fact of the scenario."""
        possible = self._supports.get(atom, [])
        return min(possible, key=lambda s: (self._height(s), s.rule.number), default=None)

    def failures(self, pattern: Symbol) -> Iterator[Failure]:
        """Why no rule derives what the pattern stands for: how far each of them gets."""
        attempts = [
            _Attempt(f"fails{next(self._numbers)}", rule, *head)
            for rule in self._rules
            if rule.predicate == (pattern.name, len(pattern.arguments)) and not rule.chosen
            for head in [_head(rule, pattern)]
            if head is not None
        ]
        self._program.add("\n".join(attempt.text() for attempt in attempts))
        for attempt in attempts:
            yield from self._failure(attempt)

    # Supports

    def _read(self) -> dict[Symbol, list[Support]]:
        parts: dict[tuple[Symbol, Symbol, Symbol], set[Symbol]] = defaultdict(set)
        for text in self._program.atoms("element", 4):
            number, head, body, element = parse_symbol(text).arguments
            parts[number, head, body] |= set(element.arguments)
        found: dict[Symbol, list[Support]] = defaultdict(list)
        for text in self._program.atoms("because", 3):
            number, head, body = key = tuple(parse_symbol(text).arguments)
            rule = self._rules[number.number]
            atoms = [*body.arguments, *sorted(parts[key])]  # type: ignore[index]
            if self.holds(head):
                found[head].append(Support(rule, *_divided(atoms)))
        return found

    def _ranked(self) -> dict[Symbol, int]:
        """The rank of each atom that is derived; what is not derived has rank 0."""
        waiting = {atom: set(supports) for atom, supports in self._supports.items()}
        ranks: dict[Symbol, int] = {}
        rank = 0
        while waiting:
            rank += 1
            ready = [
                atom
                for atom, supports in waiting.items()
                if any(not waiting.keys() & set(support.holding) for support in supports)
            ]
            for atom in ready or list(waiting):
                ranks[atom] = rank
            for atom in ready or list(waiting):
                del waiting[atom]
        return ranks

    def _height(self, support: Support) -> int:
        return max((self._rank.get(atom, 0) for atom in support.holding), default=0)

    # Failures

    def _failure(self, attempt: _Attempt) -> Iterator[Failure]:
        """How far a rule gets: the longest part of its body that holds, and what comes next."""
        stages = self._stages(attempt)
        furthest = max(stages, default=-1)
        if not 0 <= furthest < len(attempt.body):
            return
        literal, known = attempt.body[furthest], attempt.known[furthest]
        for values, atoms in sorted(stages[furthest].items()):
            holding, missing = _divided(sorted(atoms))
            wrongly: tuple[Symbol, ...] = ()
            if literal.term is not None:
                following = _filled(literal, dict(zip(known, values.arguments, strict=True)))
                if literal.negated:
                    wrongly = tuple(self.matching(following)[:1])
                else:
                    missing = (*missing, following)
            yield Failure(attempt.rule, holding, missing, wrongly)

    def _stages(self, attempt: _Attempt) -> dict[int, dict[Symbol, set[Symbol]]]:
        """For each length at which the body's beginning holds: the values of the variables known
        there, and the atoms of that beginning, with those that decide what comes next."""
        stages: dict[int, dict[Symbol, set[Symbol]]] = defaultdict(lambda: defaultdict(set))
        for arity in (3, 4):
            for text in self._program.atoms(attempt.name, arity):
                number, values, atoms, *_ = parse_symbol(text).arguments
                stages[number.number][values] |= set(atoms.arguments)
        return stages


class _Attempt:
    """A rule that does not derive something, to be tried literal by literal.

    ``first`` and ``last`` are what its head asks of the variables, at once and in the end, and
    ``bound`` the variables that it binds.
    """

    def __init__(
        self, name: str, rule: Rule, first: list[str], last: list[str], bound: set[str]
    ) -> None:
        self.name, self.rule = name, rule
        self._first, self._last = first, last
        self.body = list(_ordered(rule.body, bound))
        self.known = [sorted(bound)]
        for literal in self.body:
            self.known.append(sorted({*self.known[-1], *literal.variables}))

    def text(self) -> str:
        """Rules for ``name(K,V,B)``: with values V for the variables the first K literals hold, by
        the atoms B; and with a fourth argument for the atoms that decide about the next literal."""
        lines = []
        for k in range(len(self.body) + 1):
            holding = [*self._first, *(literal.text for literal in self.body[:k])]
            if k == len(self.body):
                holding += self._last
            key = f"{self.name}({k},({_tuple(self.known[k])})"
            lines.append(_rule(f"{key},({_tuple(_terms(self.body[:k]))}))", holding))
            for element in self.body[k].elements if k < len(self.body) else ():
                parts = _own(element, self.body)
                parts = _denied(parts) if self.body[k].conditional else parts
                conditions = [*holding, *(part.text for part in parts)]
                lines.append(_rule(f"{key},({_tuple(_terms(parts))}),next)", conditions))
        return "\n".join(lines)


def _applies(rule: Rule) -> str:
    """The rule that says where a rule applies, and one for each aggregate or condition in it."""
    body = [literal.text for literal in rule.body]
    key = f"{rule.number},{rule.head},({_tuple(_terms(rule.body))})"
    lines = [_rule(f"because({key})", body)]
    for literal in rule.body:
        for element in literal.elements:
            own = _own(element, rule.body)
            conditions = [*body, *(part.text for part in own)]
            lines.append(_rule(f"element({key},({_tuple(_terms(own))}))", conditions))
    return "\n".join(lines)


def _own(element: tuple[Literal, ...], body: Iterable[Literal]) -> tuple[Literal, ...]:
    """The element with names of its own for the variables that the rest of the body lacks: in the
    body of a rule they would mean one and the same value inside the aggregate, too."""
    shared = {name for literal in body for name in literal.variables}
    names = {name for part in element for name in part.variables} - shared
    renamed = {name: f"Own_{name}" for name in names} | {"_": "_"}
    return tuple(
        Literal(
            _replaced(part.text, renamed),
            None if part.term is None else _replaced(part.term, renamed),
            part.negated,
            part.variables,
        )
        for part in element
    )


def _rule(head: str, body: list[str]) -> str:
    return f"{head} :- {'; '.join(body)}." if body else f"{head}."


def _denied(element: tuple[Literal, ...]) -> tuple[Literal, ...]:
    """Where a condition is met and what it asks for is not so."""
    asked, *conditions = element
    if asked.term is None:
        return element
    text = asked.term if asked.negated else f"not {asked.term}"
    denied = Literal(text, asked.term, not asked.negated, asked.variables)
    return (denied, *conditions)


def _terms(literals: Iterable[Literal]) -> list[str]:
    """The atoms of the literals as terms; those that must not hold inside ``absent``."""
    return [
        f"absent({_replaced(literal.term, {})})" if literal.negated else literal.term
        for literal in literals
        if literal.term is not None
    ]


def _replaced(term: str, values: Mapping[str, str]) -> str:
    """The term with values for its variables, and ``any`` for anonymous ones."""
    with_all = {"_": str(ANY), **values}
    return _TOKEN.sub(
        lambda found: found["string"] or with_all.get(found["variable"], found["variable"]), term
    )


def _tuple(terms: Iterable[str]) -> str:
    """The inside of a tuple, of whatever length."""
    return "".join(f"{term}," for term in terms)


def _divided(atoms: Iterable[Symbol]) -> tuple[tuple[Symbol, ...], tuple[Symbol, ...]]:
    """The atoms that hold, and those that do not, each once."""
    holding = dict.fromkeys(atom for atom in atoms if atom.name != "absent")
    missing = dict.fromkeys(atom.arguments[0] for atom in atoms if atom.name == "absent")
    return tuple(holding), tuple(missing)


def _head(rule: Rule, pattern: Symbol) -> tuple[list[str], list[str], set[str]] | None:
    """What the head's arguments must be: what can be said first, what last, the variables bound.

    None where the head is never what the pattern stands for.
    """
    first, last, bound = [], [], set()
    for argument, value in zip(rule.arguments, pattern.arguments, strict=True):
        if value == ANY or argument == "_":
            continue
        if _VARIABLE.fullmatch(argument):
            first.append(f"{argument} = {value}")
            bound.add(argument)
        elif _VARIABLE.search(_STRING.sub("", argument)):
            last.append(f"{value} = {argument}")
        elif ".." not in argument and not _matches(value, parse_symbol(argument)):
            return None
    return first, last, bound


def _ordered(body: Iterable[Literal], bound: set[str]) -> Iterator[Literal]:
    """The literals, each where all its variables are bound: atoms that must hold in their order,
    comparisons and others as soon as they can be decided, aggregates and conditions at the end."""
    waiting, known = [], set(bound)
    for literal in sorted(body, key=_is_not_next):
        if literal.term is not None and not literal.negated:
            yield literal
            known |= literal.variables
        else:
            waiting.append(literal)
        for other in [*waiting]:
            if other.is_simple and other.variables <= known:
                waiting.remove(other)
                yield other
    yield from waiting


def _is_not_next(literal: Literal) -> bool:
    """Moments come first: a rule is about one of them, and the one before it."""
    return literal.negated or not (literal.term or "").startswith("next(")


def _filled(literal: Literal, values: Mapping[str, Symbol]) -> Symbol:
    """The literal's atom with values for its variables, and ``any`` for those that have none."""
    assert literal.term is not None
    texts = dict.fromkeys(literal.variables, str(ANY))
    texts |= {name: str(value) for name, value in values.items()}
    try:
        return parse_symbol(_replaced(literal.term, texts))
    except RuntimeError:  # a sum of what is not known
        like = parse_symbol(_replaced(literal.term, dict.fromkeys(texts, "0")))
        return parse_symbol(f"{like.name}({','.join([str(ANY)] * len(like.arguments))})")


def _matches(pattern: Symbol, symbol: Symbol) -> bool:
    """Is the symbol what the pattern stands for?"""
    if pattern in (ANY, symbol):
        return True
    if not (_is_call(pattern) and _is_call(symbol)) or pattern.name != symbol.name:
        return False
    pairs = zip(pattern.arguments, symbol.arguments, strict=False)
    same = len(pattern.arguments) == len(symbol.arguments)
    return same and all(_matches(part, other) for part, other in pairs)


def _is_call(symbol: Symbol) -> bool:
    return symbol.type is SymbolType.Function and bool(symbol.arguments)
