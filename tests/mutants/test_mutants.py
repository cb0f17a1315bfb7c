"""The machinery of the mutation run, on one small encoding; the run itself is a command."""

from __future__ import annotations

import random

import pytest

from .. import boards as written
from ..strategies import random_scenario
from .mutate import RULE_FILES, Mutant, mutants, text
from .portfolio import Board, portfolio
from .run import equivalent, try_all

FILE = "510_damage/trample.lp"


def boards() -> list[Board]:
    """A few boards with trample."""
    instances = [(path.stem, written.instance(path)) for path in written.INSTANCES]
    random_boards = [
        (f"{seed}", random_scenario(random.Random(seed), "bands")) for seed in range(2)
    ]
    return portfolio([*instances, *random_boards])


def changed(change: str) -> Mutant:
    """The first mutant of the encoding with that change."""
    return next(mutant for mutant in mutants(FILE) if mutant.change == change)


def test_the_encoding_as_it_is_survives() -> None:
    first = mutants(FILE)[0]
    same = Mutant(FILE, first.line, first.index, "nothing", first.before, first.before, first.needs)
    (trial,) = try_all([same], boards())
    assert trial.result == "survived"
    assert trial.boards > 0


@pytest.mark.parametrize("change", ["drop not lethal(S,B)", "flip not lethal(S,B)", "drop rule"])
def test_a_change_of_what_is_lethal_is_noticed(change: str) -> None:
    (trial,) = try_all([changed(change)], boards())
    assert trial.result == "killed"


def test_a_mutant_differs_in_one_statement() -> None:
    before = text(FILE).split("\n")
    for mutant in mutants(FILE):
        after = text(FILE, mutant).split("\n")
        assert [k for k, line in enumerate(after) if line != before[k]] == [mutant.index]
        assert mutant.before == before[mutant.index]


def test_there_is_one_mutant_of_a_kind() -> None:
    for file in RULE_FILES:
        made = [(mutant.index, mutant.after) for mutant in mutants(file)]
        assert len(made) == len(set(made))


def test_the_equivalent_mutants_are_mutants() -> None:
    known = {(m.file, m.before, m.after) for file in RULE_FILES for m in mutants(file)}
    assert set(equivalent()) <= known
