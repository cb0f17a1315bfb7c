"""The encodings stand alone: stock clingo on them gives the driver's answers, without complaint."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import clingo
import pytest
from click.testing import CliRunner

from pysolver import decode, questions
from pysolver.cli import cli
from pysolver.maximum import program
from pysolver.programs import ENCODINGS
from pysolver.results import Attack
from pysolver.scenario.facts import facts
from pysolver.scenario.model import Scenario
from pysolver.solver import Atom

from .boards import INSTANCES, banders, crowd, divided, instance
from .compare import attack_key
from .test_counts import COUNTS

ROOT = Path(__file__).parents[1] / "encodings"

#: Rules in the ground program of named boards, as they were measured; twice as many are too many.
GROUND = {
    "banders": (banders(9), "attacks", 1047),
    "crowd": (crowd(6, 6), "blocks --each-attack", 1855),
    "divided": (divided(5, 4), "damage", 884),
}


#: Life gained by lifelink in the first damage step is a sum in the midst of a recursion over the
#: moments, which clingo translates into small loops.
LOOPS = "first_strike_and_trample"


def stock(question: str, board: Path) -> list[list[str]]:
    """The answer sets that stock clingo finds: the shown atoms as text."""
    files = [str(ROOT / name) for name in ENCODINGS[question]]
    done = subprocess.run(
        [sys.executable, "-m", "clingo", *files, str(board), "0", "--project", "--outf=2"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert not done.stderr
    (call,) = json.loads(done.stdout)["Call"]
    return [witness["Value"] for witness in call.get("Witnesses", [])]


def fact_file(document: Path, folder: Path) -> Path:
    """What ``pysolver facts`` writes for a scenario, in a file."""
    path = folder / "board.lp"
    path.write_text(CliRunner().invoke(cli, ["facts", str(document)]).output, encoding="utf-8")
    return path


def read_attack(values: list[str]) -> Attack:
    """The attack that shown atoms stand for."""
    terms = [clingo.parse_term(value) for value in values]
    parts = []
    for part in decode.ATTACK.parts:
        atoms = [term for term in terms if term.name in part.predicates]
        parts.append(
            part.build([Atom(term.name, tuple(map(_plain, term.arguments))) for term in atoms])
        )
    return decode.ATTACK.make(*parts)


def _plain(term: clingo.Symbol) -> str | int:
    return term.string if term.type is clingo.SymbolType.String else term.number


@pytest.mark.parametrize("path", INSTANCES, ids=lambda path: path.stem)
def test_stock_clingo_counts_what_the_driver_counts(path: Path, tmp_path: Path) -> None:
    board = fact_file(path, tmp_path)
    for question, number in COUNTS[path.stem].items():
        if question != "authority":  # its lines are many to an answer set
            assert len(stock(question, board)) == number, question


def test_stock_clingo_finds_the_same_attacks(tmp_path: Path) -> None:
    (path,) = (path for path in INSTANCES if path.stem == "one_guest_in_a_band")
    found = [
        attack_key(read_attack(values)) for values in stock("attacks", fact_file(path, tmp_path))
    ]
    assert len(found) == len(set(found))
    assert set(found) == {attack_key(attack) for attack in questions.attacks(instance(path))}


@pytest.mark.parametrize("path", INSTANCES, ids=lambda path: path.stem)
def test_grounding_is_silent(path: Path) -> None:
    scenario = instance(path)
    for question in ENCODINGS:
        if not question.startswith("check") or getattr(scenario, question.split()[1]) is not None:
            more = "statement :- died(_)." if question == "ask" else ""
            assert program(scenario, question, more).messages == [], question


def ground(scenario: Scenario, question: str) -> tuple[bool, int]:
    """Is the program tight, and how many rules does it have when it is ground?"""
    control = clingo.Control(["--stats=2"])
    for name in ENCODINGS[question]:
        control.load(str(ROOT / name))
    control.add("base", [], facts(scenario))
    control.ground([("base", [])])
    control.solve()
    size = control.statistics["problem"]["lp"]
    return not size["sccs"], int(size["rules"])


@pytest.mark.parametrize("path", INSTANCES, ids=lambda path: path.stem)
def test_programs_are_tight(path: Path) -> None:
    for question in ENCODINGS:
        if not question.startswith("check"):
            tight, _ = ground(instance(path), question)
            assert tight or (path.stem == LOOPS and "510_damage/results.lp" in ENCODINGS[question])


@pytest.mark.parametrize("name", GROUND)
def test_ground_programs_stay_small(name: str) -> None:
    scenario, question, measured = GROUND[name]
    assert ground(scenario, question)[1] <= 2 * measured
