"""The mutants of an encoding, made from clingo's syntax tree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import clingo
from clingo.ast import AST, ASTSequence, ASTType, ComparisonOperator, Sign, parse_string

from pysolver.solver import encoding_text

__all__ = ["RULE_FILES", "Mutant", "mutants", "text"]

ROOT = Path(__file__).parents[2] / "encodings"

#: The encodings that state rules; mutated are these and no others.
RULE_FILES = [
    path.relative_to(ROOT).as_posix()
    for path in sorted(ROOT.rglob("*.lp"))
    if path.parent.name[0].isdigit()
]

#: What each comparison is changed into.
OPPOSITE = {
    ComparisonOperator.Equal: ComparisonOperator.NotEqual,
    ComparisonOperator.NotEqual: ComparisonOperator.Equal,
    ComparisonOperator.LessThan: ComparisonOperator.LessEqual,
    ComparisonOperator.LessEqual: ComparisonOperator.LessThan,
    ComparisonOperator.GreaterThan: ComparisonOperator.GreaterEqual,
    ComparisonOperator.GreaterEqual: ComparisonOperator.GreaterThan,
}


@dataclass(frozen=True)
class Mutant:
    """A change of one statement: ``after`` is its new text, None where it is dropped.

    ``needs`` are what the bodies before and after ask for: where some of it can never hold, in
    both, the change makes no difference.
    """

    file: str
    line: int
    index: int
    change: str
    before: str
    after: str | None
    needs: frozenset[frozenset[str]]

    def __str__(self) -> str:
        place = f"encodings/{self.file}:{self.line}: {self.change}"
        return "\n".join(
            [place, f"    - {self.before}", *([f"    + {self.after}"] * bool(self.after))]
        )


@cache
def _statements(file: str) -> tuple[AST, ...]:
    """The statements of an encoding."""
    found: list[AST] = []
    parse_string(encoding_text(file), found.append)
    return tuple(statement for statement in found if statement.ast_type is not ASTType.Comment)


def text(file: str, mutant: Mutant | None = None) -> str:
    """The encoding, changed or as it is, without its comments."""
    lines = [str(statement) for statement in _statements(file)]
    if mutant is not None and mutant.file == file:
        lines[mutant.index] = mutant.after or ""
    return "\n".join(lines)


def _needs(rule: AST) -> frozenset[str]:
    """The atoms without which a rule says nothing, variables in them: those of its body, and where
    it chooses, those under which there is something to choose."""
    chosen = rule.head.elements if rule.head.ast_type is ASTType.Aggregate else []
    conditions = chosen[0].condition if len(chosen) == 1 else []
    return frozenset(
        str(literal)
        for literal in (*rule.body, *conditions)
        if literal.ast_type is ASTType.Literal
        and literal.atom.ast_type is ASTType.SymbolicAtom
        and not literal.sign
        and _accepted(f"possible :- {literal}.")
    )


def mutants(file: str) -> list[Mutant]:
    """Every mutant of the encoding that clingo accepts, in the order of the file."""
    found: dict[tuple[int, str | None], Mutant] = {}
    for index, statement in enumerate(_statements(file)):
        if statement.ast_type is not ASTType.Rule:
            continue
        line, before, own = statement.location.begin.line, str(statement), _needs(statement)
        found[index, None] = Mutant(file, line, index, "drop rule", before, None, frozenset({own}))
        for change, changed in _variants(statement):
            after = str(changed)
            if after != before and _accepted(after):
                excluded = _excluded(change)
                needs = frozenset({own | excluded} if excluded else {own, _needs(changed)})
                mutant = Mutant(file, line, index, change, before, after, needs)
                found.setdefault((index, after), mutant)
    return list(found.values())


def _excluded(change: str) -> frozenset[str]:
    """The atom that must not hold in what is dropped: without it nothing changes."""
    dropped = change.removeprefix("drop not ")
    known = dropped != change and _accepted(f"possible :- {dropped}.")
    return frozenset({dropped} if known else ())


@cache
def _accepted(rule: str) -> bool:
    """Is the rule safe?"""
    control = clingo.Control(logger=lambda code, message: None)
    try:
        control.add("base", [], rule)
        control.ground([("base", [])])
    except RuntimeError:
        return False
    return True


def _variants(node: AST, *, held: bool = False) -> Iterator[tuple[str, AST]]:
    """The node with one change in it or below it, and what was changed.

    ``held`` says that the node is something that a body or a condition asks for.
    """
    yield from _own_variants(node, held)
    for key in node.child_keys:
        child = getattr(node, key)
        if isinstance(child, AST):
            inner = held and node.ast_type is ASTType.ConditionalLiteral
            for change, changed in _variants(child, held=inner):
                yield change, node.update(**{key: changed})
        elif isinstance(child, ASTSequence):
            elements: list[Any] = list(child)
            asked = key in ("body", "condition")
            for place, element in enumerate(elements):
                before, after = elements[:place], elements[place + 1 :]
                if asked:
                    yield f"drop {element}", node.update(**{key: [*before, *after]})
                for change, changed in _variants(element, held=asked):
                    yield change, node.update(**{key: [*before, changed, *after]})


def _own_variants(node: AST, held: bool) -> Iterator[tuple[str, AST]]:
    match node.ast_type:
        case ASTType.Literal if held and node.atom.ast_type is not ASTType.Comparison:
            sign = Sign.NoSign if node.sign else Sign.Negation
            yield f"flip {node}", node.update(sign=sign)
        case ASTType.Guard:
            other = OPPOSITE[ComparisonOperator(node.comparison)]
            yield f"swap {str(node).strip()}", node.update(comparison=int(other))
        case ASTType.SymbolicTerm if node.symbol.type is clingo.SymbolType.Number:
            for step in (1, -1):
                number = clingo.Number(node.symbol.number + step)
                yield f"{node} to {number}", node.update(symbol=number)
