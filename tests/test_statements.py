"""Random statements about random boards: ``ask`` says what all courses of the reference say.

``PYSOLVER_BOARDS=20`` takes 20 times as many boards, as in ``test_differential.py``.
"""

from __future__ import annotations

import os
import random

import pytest

from pysolver import questions
from pysolver.results import Answer, History
from pysolver.scenario.facts import facts
from pysolver.scenario.model import Scenario

from .reference.results import canonical
from .reference.statements import Fact, Statement, Term, random_statement, text, verdicts
from .strategies import FAMILIES, board, creature, random_scenario

TIMES = int(os.environ.get("PYSOLVER_BOARDS", "1"))
BOARDS = 8
STATEMENTS = 6

#: A history without its result, and how the statement turns out in it: a history may have two
#: results, where somebody orders triggers.
Truths = dict[str, set[bool]]


def truths(scenario: Scenario, statements: list[Statement]) -> list[Truths]:
    """For each statement every history of the reference, and whether the statement holds."""
    found: list[Truths] = [{} for _ in statements]
    for history, held in verdicts(scenario, statements):
        del history["outcome"]
        for shown, truth in zip(found, held, strict=True):
            shown.setdefault(canonical(history), set()).add(truth)
    return found


def expected(shown: Truths) -> str:
    """The answer to a statement."""
    both = set().union(*shown.values())
    if not both:
        return "none"
    return "sometimes" if len(both) > 1 else "always" if both == {True} else "never"


def mistake(answer: Answer, shown: Truths) -> str:
    """What is wrong with an answer, in words; nothing where it is right."""
    wanted = expected(shown)
    if answer.answer != wanted:
        return f"{answer.answer} instead of {wanted}"
    for title, history, truth in (
        ("witness", answer.witness, True),
        ("counterexample", answer.counterexample, False),
    ):
        if found := wrong_example(history, truth, shown):
            return f"{title}: {found}"
    return ""


def wrong_example(history: History | None, truth: bool, shown: Truths) -> str:
    """What is wrong with the history that is to show that a statement can be true, or false."""
    possible = any(truth in found for found in shown.values())
    if history is None:
        return "missing" if possible else ""
    line = canonical(history.to_json())
    if line not in shown:
        return f"no history of the reference: {line}"
    return "" if truth in shown[line] else f"shows the opposite: {line}"


@pytest.mark.parametrize(
    ("family", "start"),
    [
        pytest.param(family, start, id=f"{family}-{start}")
        for family in FAMILIES
        for start in range(0, BOARDS * TIMES, BOARDS)
    ],
)
def test_statements_are_judged_as_by_the_reference(family: str, start: int) -> None:
    for seed in range(start, start + BOARDS):
        rng = random.Random(seed)
        scenario = random_scenario(rng, family)
        statements = [random_statement(rng, scenario) for _ in range(STATEMENTS)]
        for statement, shown in zip(statements, truths(scenario, statements), strict=True):
            words = text(statement)
            found = mistake(questions.ask(scenario, words), shown)
            assert not found, f"family {family}, seed {seed}, {words}: {found}\n{facts(scenario)}"


def test_no_legal_combat() -> None:
    scenario = board(creature("a", "ann", "2/2", "defender"), attack=["a"])
    statement = Fact(Term("died", ("a",)))
    [shown] = truths(scenario, [statement])
    assert expected(shown) == "none"
    assert not mistake(questions.ask(scenario, text(statement)), shown)
