"""The maximum: ``check`` of a declaration that obeys too few requirements, or just enough."""

from __future__ import annotations

from collections.abc import Iterator

from pysolver.scenario.model import Scenario
from tests.strategies import ability

from .boards import asked_for, exact_cover
from .measure import Row, Settings, Times, fact_file, inside, under, whole_process

__all__ = ["maximum"]

MENACE, THREE = ability("menace"), ability("min_blockers", 3)


def boards(settings: Settings) -> Iterator[tuple[str, Scenario, float | None]]:
    """Title, board and the aim in seconds, if there is one."""
    tiny = settings.tiny
    for n in (3,) if tiny else (10, 20, 30, 40):
        yield f"{n} must be blocked, {n - 1} blockers", asked_for(n, n - 1), 0.5
    for n in (2,) if tiny else (5, 10, 16):
        title = f"{n} with menace must be blocked, {2 * (n - 1)} blockers"
        yield title, asked_for(n, 2 * (n - 1), MENACE), 0.5
    for n in (2,) if tiny else (4, 8, 12):
        title = f"{n} by three or more must be blocked, {3 * (n - 1)}"
        yield title, asked_for(n, 3 * (n - 1), THREE), 0.5
    sizes = ((6, 6),) if tiny else ((15, 20), (18, 24), (21, 27), (24, 30), (30, 40))
    for elements, sets in sizes:
        for coverable in (True, False):
            title = f"{elements} elements, {sets} sets, {'a' if coverable else 'no'} cover"
            aim = 5.0 if elements <= 15 else None
            yield title, exact_cover(elements, sets, coverable=coverable), aim


def maximum(settings: Settings) -> Iterator[Row]:
    """Each board in a process of its own, and again within one process."""
    stopped: set[str] = set()
    for title, scenario, aim in boards(settings):
        kind = title.partition(", ")[2].split()[-2] if "sets" in title else title
        if kind in stopped:
            yield Row(title, "not tried, the smaller one took too long")
            continue
        with fact_file(scenario) as path:
            whole = whole_process(["-m", "pysolver", "check", path], settings)
            warm = inside(path, settings) if whole.seconds else whole
        if not whole.seconds:
            stopped.add(kind)
        yield row(f"{title}: whole process", whole, aim)
        yield row(f"{title}: in process", warm, aim)


def row(title: str, times: Times, aim: float | None) -> Row:
    """A row, with the aim if there is one."""
    return Row(title, str(times)) if aim is None else under(aim, title, times)
