"""The encodings as data: every rule with its slug, and what each predicate says in words.

The only module that parses encodings; :mod:`pysolver.solver` is the only one that solves them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import Any, TypeAlias

import clingo
from clingo import ast

from pysolver.solver import encoding_text

__all__ = [
    "Literal",
    "Rule",
    "Signature",
    "Symbol",
    "SymbolType",
    "parse_symbol",
    "rules",
    "sentences",
]

Symbol: TypeAlias = clingo.Symbol
Signature: TypeAlias = tuple[str, int]

SymbolType = clingo.SymbolType
parse_symbol = clingo.parse_term


@dataclass(frozen=True, slots=True)
class Literal:
    """A part of a rule's body.

    ``term`` is the atom, written so that it can stand as a term, and None where the literal is a
    comparison, an aggregate or a condition; ``variables`` are those that it shares with the rule.
    ``elements`` are the conjunctions that an aggregate counts, or that a ``conditional`` literal
    goes through, what it asks for first.
    """

    text: str
    term: str | None
    negated: bool
    variables: frozenset[str]
    elements: tuple[tuple[Literal, ...], ...] = ()
    conditional: bool = False

    @property
    def is_simple(self) -> bool:
        """Is it an atom, or a comparison of its variables?"""
        return not self.elements and not _BINDS.search(self.text)


_BINDS = re.compile(r"#(count|sum|min|max)|\.\.")


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of an encoding: its head, written as a term, and its body.

    ``chosen`` says that the head is one that the rule allows and does not derive; ``slug`` is the
    rule of the game that it states, where the encoding names one.
    """

    number: int
    place: str
    slug: str | None
    predicate: Signature
    head: str
    arguments: tuple[str, ...]
    body: tuple[Literal, ...]
    chosen: bool


@cache
def rules(files: tuple[str, ...]) -> tuple[Rule, ...]:
    """Every rule of the encodings, in their order; constraints and directives are left out."""
    numbers = count()
    return tuple(
        Rule(next(numbers), f"{name}:{line}", slug, *parts)
        for name in files
        for line, slug, parts in _parsed(name)
    )


@cache
def _parsed(name: str) -> tuple[tuple[int, str | None, Any], ...]:
    text = encoding_text(name)
    slugs = _slugs(text)
    statements: list[Any] = []
    ast.parse_string(text, statements.append)
    return tuple(
        (line, slugs.get(line), parts)
        for statement in statements
        if statement.ast_type == ast.ASTType.Rule
        for line in [statement.location.begin.line]
        for parts in _heads(statement)
    )


_SLUG = re.compile(r"^%# ([a-z0-9_.]+) \d")


def _slugs(text: str) -> dict[int, str]:
    """The slug that each line stands under: of several in a row the first, up to an empty line."""
    found: dict[int, str] = {}
    current, fresh = None, True
    for line, content in enumerate(text.splitlines(), start=1):
        if match := _SLUG.match(content):
            current, fresh = match[1] if fresh else current, False
        elif not content:
            current, fresh = None, True
        else:
            fresh = True
            if current is not None:
                found[line] = current
    return found


def _heads(rule: Any) -> Iterator[tuple[Signature, str, tuple[str, ...], Any, bool]]:
    """Each atom that the rule can make true, with the body, and whether it is chosen."""
    body = [_literal(part) for part in rule.body]
    if rule.head.ast_type == ast.ASTType.Aggregate:
        for element in rule.head.elements:
            conditions = [_literal(part) for part in element.condition]
            yield (*_atom(element.literal.atom.symbol), (*body, *conditions), True)
    elif rule.head.atom.ast_type == ast.ASTType.SymbolicAtom:
        yield (*_atom(rule.head.atom.symbol), tuple(body), False)


def _atom(term: Any) -> tuple[Signature, str, tuple[str, ...]]:
    if term.ast_type == ast.ASTType.Pool:
        (name, arity), _, _ = _atom(term.arguments[0])
        return (name, arity), str(term), ("_",) * arity
    arguments = tuple(map(str, term.arguments))
    return (term.name, len(arguments)), str(term), arguments


class _Namer(ast.Transformer):
    """Gives anonymous variables names, each one of its own, so that they can be read."""

    numbers = count()

    def visit_Variable(self, variable: Any) -> Any:
        if variable.name != "_":
            return variable
        return variable.update(name=f"Some{next(self.numbers)}")


class _Variables(ast.Transformer):
    def __init__(self) -> None:
        self.found: set[str] = set()

    def visit_Variable(self, variable: Any) -> Any:
        if variable.name != "_":
            self.found.add(variable.name)
        return variable


def _variables(node: Any) -> frozenset[str]:
    visitor = _Variables()
    visitor.visit(node)
    return frozenset(visitor.found)


def _literal(node: Any) -> Literal:
    if node.ast_type == ast.ASTType.ConditionalLiteral:
        parts = (node.literal, *node.condition)
        return Literal(str(node), None, False, frozenset(), (_all(parts),), conditional=True)
    atom, negated = node.atom, node.sign != ast.Sign.NoSign
    if atom.ast_type == ast.ASTType.BodyAggregate:
        elements = tuple(_all(element.condition) for element in atom.elements)
        return Literal(str(node), None, negated, frozenset(), elements)
    if atom.ast_type != ast.ASTType.SymbolicAtom:
        return Literal(str(node), None, negated, _variables(node))
    if negated:
        return Literal(str(node), str(atom.symbol), True, _variables(node))
    named = _Namer().visit(atom.symbol)
    return Literal(str(named), str(named), False, _variables(named))


def _all(nodes: Iterable[Any]) -> tuple[Literal, ...]:
    return tuple(map(_literal, nodes))


_DOCUMENTED = re.compile(r"^%\*! (\w+)\(([^)\n]*)\)\n(.*?)\*%", re.MULTILINE | re.DOTALL)


@cache
def sentences(files: tuple[str, ...]) -> dict[Signature, tuple[tuple[str, ...], str]]:
    """What each documented predicate says: its arguments, and the sentence about them.

    The sentence of a doc comment ends with its first full stop, colon or semicolon.
    """
    found: dict[Signature, tuple[tuple[str, ...], str]] = {}
    for name in files:
        for predicate, listed, text in _DOCUMENTED.findall(encoding_text(name)):
            arguments = tuple(argument.strip() for argument in listed.split(","))
            sentence = re.split(r"[;:]|\.(?:\s|$)", " ".join(text.split()))[0]
            found.setdefault((predicate, len(arguments)), (arguments, sentence))
    return found
