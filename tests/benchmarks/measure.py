"""Timing: several runs, in this process or in others, and the machine's noise."""

from __future__ import annotations

import gc
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pysolver.scenario.facts import facts
from pysolver.scenario.model import Scenario

__all__ = [
    "ROOT",
    "Row",
    "Settings",
    "Times",
    "calibration",
    "fact_file",
    "inside",
    "joined",
    "repeated",
    "run",
]

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Settings:
    """How thorough to be. ``tiny`` boards show that a benchmark runs, nothing else."""

    runs: int = 5
    tiny: bool = False
    patience: float = 60.0
    plot: Path | None = None


@dataclass(frozen=True)
class Times:
    """Seconds of several runs, by the clock and of the processor.

    ``stopped`` is the limit that ended them, if there are none. On a machine that others use the
    processor's seconds are the ones to compare.
    """

    seconds: tuple[float, ...]
    processor: tuple[float, ...] = ()
    stopped: float | None = None

    @property
    def median(self) -> float:
        """The middle one."""
        return statistics.median(self.seconds)

    def __str__(self) -> str:
        if not self.seconds:
            return f"more than {self.stopped:g} s"
        low, high = min(self.seconds), max(self.seconds)
        used = f", processor {statistics.median(self.processor):.3f}" if self.processor else ""
        return f"{self.median:.3f} s ({low:.3f} to {high:.3f}{used})"


@dataclass(frozen=True)
class Row:
    """A line of a report: what was measured, the figure, and what it should be."""

    what: str
    figure: str
    aim: str = ""
    met: bool | None = None

    def __str__(self) -> str:
        mark = {None: "", True: "  ok", False: "  MISSED"}[self.met]
        aim = f"aim {self.aim}" if self.aim else ""
        return f"  {self.what:<52} {self.figure:<46} {aim}{mark}".rstrip()


def under(limit: float, what: str, times: Times) -> Row:
    """A row with an aim in seconds."""
    met = bool(times.seconds) and times.median < limit
    return Row(what, str(times), f"< {limit:g} s", met)


def repeated(action: Callable[[], object], runs: int) -> Times:
    """The action, ``runs`` times over."""
    seconds, used = [], []
    for _ in range(runs):
        gc.collect()
        start, before = time.perf_counter(), processor()
        action()
        seconds.append(time.perf_counter() - start)
        used.append(processor() - before)
    return Times(tuple(seconds), tuple(used))


def joined(times: Iterable[Times]) -> Times:
    """Runs that were made in turns."""
    every = list(times)
    return Times(
        tuple(s for one in every for s in one.seconds),
        tuple(s for one in every for s in one.processor),
    )


def processor() -> float:
    """Seconds of the processor that this process and those that it waited for have used."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def calibration(runs: int = 7) -> Times:
    """A fixed piece of work: how much its times differ is the noise of the machine."""
    return repeated(lambda: sum(k * k % 7 for k in range(400_000)), runs)


@contextmanager
def fact_file(scenario: Scenario) -> Iterator[Path]:
    """The scenario as a file of facts, for as long as it is needed."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "board.lp"
        path.write_text(facts(scenario), encoding="utf-8")
        yield path


@dataclass(frozen=True)
class Run:
    """A process that has ended: its seconds, and the most memory it held, in megabytes."""

    seconds: float
    processor: float
    megabytes: float


def run(arguments: Sequence[str | Path], patience: float | None = None) -> Run | None:
    """Run Python with these arguments, output to nowhere; None if it took too long.

    Whatever the exit code: the verdict on a board that is judged may be "illegal".
    """
    start = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=ROOT,
    )
    while True:
        done, status, usage = os.wait4(process.pid, 0 if patience is None else os.WNOHANG)
        now = time.perf_counter()
        if done:
            process.returncode = os.waitstatus_to_exitcode(status)
            unit = 2**20 if sys.platform == "darwin" else 2**10
            used = usage.ru_utime + usage.ru_stime
            return Run(now - start, used, usage.ru_maxrss / unit)
        if patience is not None and now - start > patience:
            process.kill()
            process.wait()
            return None
        time.sleep(0.001)


def whole_process(arguments: Sequence[str | Path], settings: Settings) -> Times:
    """Python with these arguments, from start to exit."""
    runs: list[Run] = []
    for _ in range(settings.runs):
        found = run(arguments, settings.patience)
        if found is None:
            return Times((), stopped=settings.patience)
        runs.append(found)
    return Times(tuple(r.seconds for r in runs), tuple(r.processor for r in runs))


INSIDE = """
import sys, time
from pysolver.questions import check
from pysolver.scenario import load
scenario = load(sys.argv[1])
for _ in range(int(sys.argv[2]) + 1):
    start, before = time.perf_counter(), time.process_time()
    check(scenario)
    print(time.perf_counter() - start, time.process_time() - before, flush=True)
"""


def inside(path: Path, settings: Settings) -> Times:
    """``check`` of a file within one process that is warm: the first time does not count.

    The process is another one, so that it can be stopped when it takes too long.
    """
    command = [sys.executable, "-c", INSIDE, str(path), str(settings.runs)]
    limit = settings.patience * (settings.runs + 1)
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    try:
        out, _ = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return Times((), stopped=limit)
    both = [tuple(map(float, line.split())) for line in out.splitlines()[1:]]
    return Times(tuple(one[0] for one in both), tuple(one[1] for one in both))
