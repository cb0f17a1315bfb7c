"""The boards on which mutants are tried, and what is asked of each.

The scenarios of the conformance cases, the written instances, and random boards of every family:
a fixed list. Each is asked for as much of the combat as is quick to list, and what a scenario
fixes is judged.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from pysolver.coverage import uncovered
from pysolver.errors import ScenarioError
from pysolver.judge import PARTS, verdict
from pysolver.maximum import enforce
from pysolver.programs import ATTACK, BLOCK, ENCODINGS, HISTORY, grounded
from pysolver.scenario import load
from pysolver.scenario.model import Scenario

from ..rare import RARE
from ..strategies import FAMILIES, random_scenario

__all__ = ["Board", "portfolio"]

TESTS = Path(__file__).parents[1]
RANDOM = {"events": 80, "walkers": 40, "keywords": 30, "multiplayer": 25, "teams": 25}
"""How many random boards of a family; the more there is to meet, the more."""

FEW = 15
"""How many of every other family."""

MOST = 1500
"""How many answers a question may have to be asked."""

#: What is asked of a board, the deepest question first.
COURSES: dict[str, tuple[str, ...]] = {
    "histories": (*HISTORY, "legal.lp", "show/outcomes.lp", "show/authority.lp"),
    "outcomes": ENCODINGS["outcomes"],
    "blocks --each-attack": ENCODINGS["blocks --each-attack"],
    "attacks": ENCODINGS["attacks"],
}


SCORES = ("508_attackers/score.lp", "509_blockers/score.lp")


@dataclass(frozen=True)
class Board:
    """A scenario, and the first of its courses that is short enough."""

    name: str
    scenario: Scenario

    @cached_property
    def judged(self) -> bool:
        """Does it fix anything that can be judged?"""
        return any(getattr(self.scenario, part) is not None for part in PARTS)

    @cached_property
    def question(self) -> str:
        """The deepest question that has few enough answers."""
        for question in COURSES:
            if sum(1 for _ in itertools.islice(self._course(question), MOST + 1)) <= MOST:
                return question
        return "attacks"

    def _course(self, question: str) -> Iterator[int]:
        program = grounded(COURSES[question], self.scenario)
        enforce(program, "attackers", (*ATTACK, "legal.lp"), self.scenario)
        if question != "attacks":
            enforce(program, "blockers", (*BLOCK, "legal.lp"), self.scenario)
        return map(hash, program.texts())

    def _verdict(self) -> tuple[object, ...]:
        found = verdict(self.scenario, *PARTS)
        return (
            ()
            if found is None
            else tuple(sorted((broken.slug, broken.subjects) for broken in found.violations))
        )

    @cached_property
    def expected(self) -> tuple[tuple[object, ...], frozenset[int]]:
        """The verdict and the answers of the encodings as they are."""
        return self._verdict() if self.judged else (), frozenset(self._course(self.question))

    def notices(self, file: str) -> bool:
        """Do the encodings, of which a file was changed, answer anything else than they should?"""
        broken, answers = self.expected
        found = 0
        for answer in self._course(self.question):
            if answer not in answers:
                return True
            found += 1
        if found != len(answers):
            return True
        judges = any(
            file in (*ENCODINGS[f"check {part}"], *SCORES)
            for part in PARTS
            if getattr(self.scenario, part) is not None
        )
        return judges and self._verdict() != broken

    def possible(self, rules: str) -> set[int]:
        """For which K the rules may derive ``possible(K)`` on this board.

        In the scenario as it is, and in the declarations that are compared for requirements.
        """
        opened = replace(self.scenario, attack=None, blocks=None, damage=None)
        programs = (
            grounded(COURSES[self.question], self.scenario, rules),
            grounded((*BLOCK, *SCORES), opened, rules),
        )
        return {
            int(atom.removeprefix("possible(").removesuffix(")"))
            for program in programs
            for atom in program.atoms("possible", 1)
        }


def _scenarios() -> Iterator[tuple[str, Scenario]]:
    for path in [
        *sorted((TESTS / "conformance").rglob("*.yaml")),
        *sorted((TESTS.parent / "instances").glob("*.yaml")),
    ]:
        try:
            yield path.stem, load(path)
        except ScenarioError:
            continue
    yield from RARE.items()
    for family in FAMILIES:
        for seed in range(1000, 1000 + RANDOM.get(family, FEW)):
            yield f"{family} {seed}", random_scenario(random.Random(seed), family)


def portfolio(scenarios: Iterable[tuple[str, Scenario]] | None = None) -> list[Board]:
    """Every board of which the encodings cover every word."""
    found = _scenarios() if scenarios is None else scenarios
    return [
        Board(name, scenario) for name, scenario in found if not next(uncovered(scenario), None)
    ]
