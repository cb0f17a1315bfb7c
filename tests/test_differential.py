"""Random boards, every question: the solver's answers are exactly the reference's.

``PYSOLVER_BOARDS=20 pytest tests/test_differential.py -n 2`` compares 20 times as many boards;
the first ones are always the same. A failure names the family and the seed of its board:
``random_scenario(random.Random(seed), family)`` makes it again.
"""

from __future__ import annotations

import os
import random

import pytest

from pysolver.coverage import uncovered
from pysolver.scenario.model import Scenario
from pysolver.scenario.rules import find_problems

from .compare import asked, difference
from .rare import RARE
from .strategies import random_scenario

TIMES = int(os.environ.get("PYSOLVER_BOARDS", "1"))
CHUNK = 25

#: How many chunks of boards each family has; families that the encodings treat in part have their
#: other boards left out.
CHUNKS = {
    "plain": 2,
    "bands": 2,
    "damage": 2,
    "requirements": 2,
    "costs": 2,
    "keywords": 4,
    "events": 2,
    "multiplayer": 2,
    "teams": 2,
    "walkers": 2,
}


@pytest.mark.parametrize(
    ("family", "start"),
    [
        pytest.param(family, start, id=f"{family}-{start}")
        for family, chunks in CHUNKS.items()
        for start in range(0, chunks * CHUNK * TIMES, CHUNK)
    ],
)
def test_solver_and_reference_agree(family: str, start: int) -> None:
    for seed in range(start, start + CHUNK):
        scenario = random_scenario(random.Random(seed), family)
        if next(uncovered(scenario), None):
            continue
        for question in asked(scenario):
            found = difference(scenario, question)
            assert not found, f"family {family}, seed {seed}, {found}"


@pytest.mark.parametrize("scenario", RARE.values(), ids=RARE)
def test_solver_and_reference_agree_on_rare_boards(scenario: Scenario) -> None:
    assert not list(find_problems(scenario))  # it could be written as a document
    for question in asked(scenario):
        assert not (found := difference(scenario, question)), found


@pytest.mark.parametrize("family", CHUNKS)
def test_random_boards_could_be_written_as_documents(family: str) -> None:
    for seed in range(CHUNK):
        assert not list(find_problems(random_scenario(random.Random(seed), family)))
