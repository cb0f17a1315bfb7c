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

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal, TypeAlias, TypeVar, cast

from pysolver.bound import Placement, upper_bound
from pysolver.errors import SolverLimit
from pysolver.programs import ATTACK, BLOCK, ENCODINGS, grounded
from pysolver.scenario.facts import quoted
from pysolver.scenario.model import MaxAttackers, Scenario
from pysolver.solver import Program, Shape

__all__ = ["Asked", "Declaration", "Rivals", "program"]

Declaration: TypeAlias = Literal["attackers", "blockers"]

R = TypeVar("R")

FOLDERS: dict[Declaration, str] = {"attackers": "508_attackers", "blockers": "509_blockers"}
DECLARED: dict[Declaration, str] = {"attackers": "declared_attack", "blockers": "declared_block"}


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
        self.declaration = declaration
        self.tried: set[int] = set()
        folder = FOLDERS[declaration]
        self.program = grounded(
            [*encodings, f"{folder}/score.lp", f"{folder}/maximum.lp"],
            replace(scenario, blocks=None, damage=None),
            heuristic="Domain",
        )
        self.costs = [
            atom
            for atom in self.program.atoms("pays", 3)
            if atom.startswith(f"pays({declaration},")
        ]
        self.courses = self._courses(scenario) if declaration == "blockers" else []
        # The bound reads facts: who can block whom is open as long as the attack is.
        known = declaration == "attackers" or scenario.attack is not None
        found = _bound(self.program, declaration, scenario) if known else None
        self.bound = None if found is None else found[0]
        for creature, place in found[1] if found else ():
            atom = f"{DECLARED[declaration]}({quoted(creature)},{quoted(place)})"
            self.program.add(f"#heuristic {atom}. [1,true]")

    def _courses(self, scenario: Scenario) -> list[str]:
        """The atoms that tell the courses up to the declaration of blockers apart."""
        atoms = self.program.atoms("declared_attack", 2)
        if "resulting" in scenario.readings.values():
            atoms += self.program.atoms("in_band", 2)
        optional = {
            f"happens({i})"
            for i, event in enumerate(scenario.events)
            if event.may is not None and event.at == "attackers"
        }
        return atoms + [atom for atom in self.program.atoms("happens", 1) if atom in optional]

    def most(self, chosen: frozenset[str]) -> int:
        """The maximum of a class: ``chosen`` is its course so far, and the costs that it pays.

        A rival may leave costs of the class unpaid, but pays no other.
        """
        assuming = self._assuming(chosen)
        if self.bound is None:
            return -(self.program.optimum(assuming) or 0)
        return self._search(self.bound, assuming)

    def _search(self, most: int, assuming: dict[str, bool]) -> int:
        """The largest number that some rival obeys; none obeys more than ``most``.

        The bound is close, so the search begins there and goes down in growing steps: to show
        that a number can be reached is easy, and that it cannot is easier the larger it is.
        """
        reached, step = 0, 1
        while reached < most:
            tried = max(most - step + 1, reached + 1)
            if self.program.possible({**assuming, self._reached(tried): True}):
                reached, step = tried, 1
            else:
                most, step = tried - 1, 2 * step
        return reached

    def _reached(self, number: int) -> str:
        """The atom that says that so many requirements are obeyed."""
        if number not in self.tried:
            self.tried.add(number)
            self.program.add(
                f"reaches({number}) :- #count {{ X : score({self.declaration},X) }} >= {number}."
            )
        return f"reaches({number})"

    def course(self, chosen: frozenset[str], program: Program) -> dict[str, bool]:
        """The course of a class, as what ``program`` is to assume."""
        possible = self.possible(program)
        return {atom: atom in chosen for atom in self.courses if atom in possible}

    def _assuming(self, chosen: frozenset[str]) -> dict[str, bool]:
        assuming = {atom: False for atom in self.costs if atom not in chosen}
        return assuming | {atom: atom in chosen for atom in self.courses}

    def best(self, chosen: frozenset[str], shape: Shape[R]) -> R | None:
        """A declaration of the class that obeys the most, read by ``shape``."""
        assuming = self._assuming(chosen)
        if self.bound is None:
            return self.program.best(shape, assuming=assuming)
        reached = self._reached(self.most(chosen))
        return self.program.first(shape, assuming={**assuming, reached: True})

    @staticmethod
    def possible(program: Program) -> set[str]:
        """The atoms that can tell classes apart in a program."""
        return {
            atom
            for name, arity in (("declared_attack", 2), ("pays", 3), ("in_band", 2), ("happens", 1))
            for atom in program.atoms(name, arity)
        }

    def constraint(self, chosen: frozenset[str], program: Program, most: int) -> str:
        """The rule that forbids declarations of a class to obey less than ``most``."""
        possible = self.possible(program)
        described = [
            atom if atom in chosen else f"not {atom}"
            for atom in (*self.courses, *self.costs)
            if atom in possible
        ]
        obeyed = f"#count {{ R : obeyed({self.declaration},R) }} < {most}"
        return f":- {', '.join([*described, obeyed])}."


def _bound(
    program: Program, declaration: Declaration, scenario: Scenario
) -> tuple[int, list[tuple[str, str]]] | None:
    """What :func:`pysolver.bound.upper_bound` says; None where the board leaves its terms open."""
    read = ["own_gain", "pair_gain", "ask"] + ["able", "block_limit"] * (declaration == "blockers")
    arity = {"own_gain": 2, "pair_gain": 3, "ask": 3, "able": 2, "block_limit": 2}
    if any(len(program.facts(p, arity[p])) < len(program.atoms(p, arity[p])) for p in read):
        return None
    if scenario.readings.get("requirement_scope") == "resulting":
        return None  # a blocker may serve a whole band
    own, gains, asks, able, limits = (
        cast("list[tuple[Any, ...]]", program.facts(p, arity[p])) for p in arity
    )
    limits_on_attackers = [e for e in scenario.effects if isinstance(e, MaxAttackers)]
    if declaration == "blockers":
        placement = Placement(
            capacity=dict.fromkeys((b for b, _ in able), len(able)) | dict(limits),
            gains=dict.fromkeys(able, 0),
        )
    else:
        places = {cast(str, target) for _, target in program.facts("defends", 2)}
        placement = Placement(
            capacity=dict.fromkeys((c for c, _ in own), 1),
            gains={(c, place): 0 for c, _ in own for place in places},
            room={e.attacking: e.count for e in limits_on_attackers if e.attacking is not None},
            total=min((e.count for e in limits_on_attackers if e.attacking is None), default=None),
        )
    placement.own.update(own)
    placement.gains.update({(c, place): n for c, place, n in gains})
    anywhere = 0
    for place, _, n in asks:
        if place == "any":
            anywhere += 1
        else:
            placement.asks.setdefault(place, []).append(n)
    value, suggested = upper_bound(placement)
    return value + anywhere, suggested


def enforce(
    program: Program,
    declaration: Declaration,
    encodings: Sequence[str],
    scenario: Scenario,
    end: float | None = None,
) -> None:
    """Add to ``program`` the maximum of every class of the declaration, as a constraint.

    ``encodings`` are those of the declaration and of everything before it, legality included.
    Raises :class:`SolverLimit` once the clock (``time.monotonic``) has passed ``end``.
    """
    if not has_requirements(program, declaration):
        return
    rivals = Rivals(declaration, encodings, scenario)
    classes = grounded([*encodings, f"show/classes_of_{declaration}.lp"], scenario)
    if declaration == "blockers":
        enforce(classes, "attackers", encodings, scenario, end)
    for chosen in classes.texts():
        if end is not None and time.monotonic() > end:
            raise SolverLimit("stopped at the time limit", found=0)
        program.add(rivals.constraint(chosen, program, rivals.most(chosen)))


def program(
    scenario: Scenario, question: str, more: str = "", *, end: float | None = None
) -> Program:
    """The grounded program of a question, with the maxima of its declarations in force.

    Raises :class:`SolverLimit` where finding them lasts beyond ``end`` (``time.monotonic``).
    """
    encodings = ENCODINGS[question]
    asked = grounded(encodings, scenario, more)
    enforce(asked, "attackers", (*ATTACK, "legal.lp"), scenario, end)
    if "509_blockers/require.lp" in encodings:
        enforce(asked, "blockers", (*BLOCK, "legal.lp"), scenario, end)
    return asked


class Asked:
    """The program of a question that is asked for single models.

    With the attack open there may be very many classes, and a model comes from one: here a class
    gets its constraint when a model of it comes up that obeys too few requirements.
    """

    def __init__(self, scenario: Scenario, question: str, more: str = "") -> None:
        self.program = grounded(ENCODINGS[question], scenario, more)
        self._rivals: list[tuple[Rivals, list[str], dict[frozenset[str], int]]] = []
        for declaration, files in (("attackers", ATTACK), ("blockers", BLOCK)):
            declared = cast(Declaration, declaration)
            if has_requirements(self.program, declared):
                rivals = Rivals(declared, (*files, "legal.lp"), scenario)
                possible = Rivals.possible(self.program)
                known = [atom for atom in (*rivals.courses, *rivals.costs) if atom in possible]
                self._rivals.append((rivals, known, {}))

    def first(self, shape: Shape[R], *, assuming: dict[str, bool]) -> R | None:
        """Some model, or None."""
        exact = self._maximal(assuming)
        return None if exact is None else self.program.first(shape, assuming=exact)

    def truths(self, assuming: dict[str, bool]) -> list[Any] | None:
        """Every atom of some model, or None; see :meth:`pysolver.solver.Program.truths`."""
        exact = self._maximal(assuming)
        return None if exact is None else self.program.truths(exact)

    def _maximal(self, assuming: dict[str, bool]) -> dict[str, bool] | None:
        """What to assume so that every model is one that is asked for; None if there is none."""
        if not self._rivals:
            return assuming
        obeyed = self.program.atoms("obeyed", 2)
        watched = {*obeyed, *(atom for _, known, _ in self._rivals for atom in known)}
        while (true := self.program.first_true(assuming, watched)) is not None:
            if all(self._is_maximal(*judged, true) for judged in self._rivals):
                return assuming | {atom: atom in true for atom in watched}
        return None

    def _is_maximal(
        self, rivals: Rivals, known: list[str], most: dict[frozenset[str], int], true: set[str]
    ) -> bool:
        """Does a model obey the maximum of its class? If not, no further one falls short of it."""
        chosen = frozenset(atom for atom in known if atom in true)
        prefix = f"obeyed({rivals.declaration},"
        count = sum(atom.startswith(prefix) for atom in true)
        if chosen not in most:
            most[chosen] = rivals.most(chosen)
        if count >= most[chosen]:
            return True
        self.program.add(rivals.constraint(chosen, self.program, most[chosen]))
        return False
