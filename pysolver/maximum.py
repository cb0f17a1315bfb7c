"""The largest number of requirements that a legal declaration obeys (508.1d, 509.1c).

A declaration without a broken restriction is legal if no other obeys more requirements. A rival
counts only if every cost that it pays is paid by the declaration that is judged, too (A-20), so
there is one maximum for each set of costs paid; and blocks have maxima of their own for each
attack. Declarations with one and the same maximum are a *class*.

:func:`enforce` finds the classes and their maxima with programs of the declaration alone and adds
them to a program as constraints, after which every question about it (a listing, a count, a
statement) is exact. A board without requirements pays nothing: nothing is added.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, TypeAlias, TypeVar

from pysolver.scenario.facts import facts
from pysolver.scenario.model import Scenario
from pysolver.solver import Program, Shape

__all__ = ["Declaration", "Rivals", "enforce", "has_requirements"]

Declaration: TypeAlias = Literal["attackers", "blockers"]

R = TypeVar("R")

FOLDERS: dict[Declaration, str] = {"attackers": "508_attackers", "blockers": "509_blockers"}


def has_requirements(program: Program, declaration: Declaration) -> bool:
    """Does anything on the board ask for attackers, or blockers, to be declared?"""
    return any(atom.startswith(f"required({declaration},") for atom in program.atoms("required", 2))


class Rivals:
    """The declarations that break no restriction, to be compared by requirements obeyed.

    ``encodings`` are those of the declaration and of everything before it, legality included. What
    the scenario fixes of the declaration is left open here: rivals may do anything else.
    """

    def __init__(
        self, declaration: Declaration, encodings: Sequence[str], scenario: Scenario
    ) -> None:
        if declaration == "attackers":
            scenario = replace(scenario, attack=None)
        board = facts(replace(scenario, blocks=None, damage=None))
        self.declaration = declaration
        self.program = Program([*encodings, f"{FOLDERS[declaration]}/maximum.lp"], board)
        self.costs = [
            atom
            for atom in self.program.atoms("pays", 3)
            if atom.startswith(f"pays({declaration},")
        ]
        self.attacks = (
            self.program.atoms("declared_attack", 2) if declaration == "blockers" else []
        )

    def most(self, chosen: frozenset[str]) -> int:
        """The maximum of a class: ``chosen`` is its attack, and the costs that it pays.

        A rival may leave costs of the class unpaid, but pays no other.
        """
        return -(self.program.optimum(self._assuming(chosen)) or 0)

    def _assuming(self, chosen: frozenset[str]) -> dict[str, bool]:
        assuming = {atom: False for atom in self.costs if atom not in chosen}
        return assuming | {atom: atom in chosen for atom in self.attacks}

    def best(self, chosen: frozenset[str], shape: Shape[R]) -> R | None:
        """A declaration of the class that obeys the most, read by ``shape``."""
        return self.program.best(shape, assuming=self._assuming(chosen))

    def constraint(self, chosen: frozenset[str], program: Program) -> str:
        """The rule that forbids declarations of a class in ``program`` to obey less."""
        possible = {*program.atoms("declared_attack", 2), *program.atoms("pays", 3)}
        described = [
            atom if atom in chosen else f"not {atom}"
            for atom in (*self.attacks, *self.costs)
            if atom in possible
        ]
        obeyed = f"#count {{ R : obeyed({self.declaration},R) }} < {self.most(chosen)}"
        return f":- {', '.join([*described, obeyed])}."


def enforce(
    program: Program, declaration: Declaration, encodings: Sequence[str], scenario: Scenario
) -> None:
    """Add to ``program`` the maximum of every class of the declaration, as a constraint.

    ``encodings`` are those of the declaration and of everything before it, legality included.
    """
    if not has_requirements(program, declaration):
        return
    rivals = Rivals(declaration, encodings, scenario)
    classes = Program([*encodings, f"show/classes_of_{declaration}.lp"], facts(scenario))
    if declaration == "blockers":
        enforce(classes, "attackers", encodings, scenario)
    for chosen in classes.texts():
        program.add(rivals.constraint(chosen, program))
