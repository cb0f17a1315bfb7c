"""Listing: how many attacks a second come out, against clingo on the same ground program."""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import Iterator
from pathlib import Path

from pysolver.programs import ENCODINGS
from pysolver.questions import attacks
from pysolver.scenario.facts import facts
from pysolver.scenario.model import Scenario
from pysolver.solver import encoding_text

from .boards import banders
from .measure import Row, Settings, joined, repeated, run

__all__ = ["listing"]

KINDS = ("seconds", "processor")


def ground(scenario: Scenario, folder: Path) -> Path:
    """The ground program of the attacks, in clingo's intermediate format."""
    source, target = folder / "program.lp", folder / "program.aspif"
    encodings = map(encoding_text, ENCODINGS["attacks"])
    source.write_text("\n".join((*encodings, facts(scenario))), encoding="utf-8")
    command = [sys.executable, "-m", "clingo", "--mode=gringo", str(source)]
    with target.open("wb") as file:
        subprocess.run(command, stdout=file, check=True)
    return target


def listing(settings: Settings) -> Iterator[Row]:
    """Typed results, lines of JSON and counting, as parts of clingo's own rate."""
    n = 4 if settings.tiny else 10
    scenario = banders(n)
    number = attacks(scenario).count()
    yield Row(f"{n} creatures with banding", f"{number} attacks")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        board = folder / "board.lp"
        board.write_text(facts(scenario), encoding="utf-8")
        program = ground(scenario, folder)
        arguments: list[str | Path] = ["-q", program, "0"]
        ways = {
            "clingo": lambda: run(["-m", "clingo", *arguments]),
            "clasp": lambda: run(["-m", "clingo", "--mode=clasp", *arguments]),
            "typed": lambda: deque(attacks(scenario), maxlen=0),
            "json": lambda: deque(attacks(scenario).json_lines(), maxlen=0),
            "count": lambda: attacks(scenario).count(),
            "json whole": lambda: run(["-m", "pysolver", "attacks", board, "--json"]),
            "count whole": lambda: run(["-m", "pysolver", "attacks", board, "--count"]),
        }
        # One of each in turn, so that all meet the machine in the same mood.
        rounds = [
            {way: repeated(action, 1) for way, action in ways.items()} for _ in range(settings.runs)
        ]
        memory = run(["-m", "pysolver", "attacks", board, "--json"])
    times = {way: joined(one[way] for one in rounds) for way in ways}
    titles = {
        "clingo": ("python -m clingo -q 0, whole process", None),
        "clasp": ("  with --mode=clasp, which can simplify more", None),
        "typed": ("typed listing, in process", 0.25),
        "json": ("lines of JSON, in process", 0.15),
        "json whole": ("attacks --json to nowhere, whole process", 0.15),
        "count": ("count(), in process", 0.90),
        "count whole": ("attacks --count, whole process", 0.90),
    }
    for way, (title, aim) in titles.items():
        yield Row(title, str(times[way]))
        yield Row("  rate", f"{number / times[way].median:,.0f} a second")
        if aim is not None:
            part, used = (
                statistics.median(
                    getattr(one["clingo"], k)[0] / getattr(one[way], k)[0] for one in rounds
                )
                for k in KINDS
            )
            figure = f"{part:.1%}, by processor {used:.1%}"
            yield Row("  of clingo's rate", figure, f"> {aim:.0%}", part > aim)
    if memory is not None:
        most = memory.megabytes
        yield Row("peak memory of attacks --json", f"{most:.0f} MB", "< 150 MB", most < 150)
