"""The ordinary board: what does the machinery for requirements cost where nothing is required?"""

from __future__ import annotations

import statistics
from collections.abc import Iterator

from pysolver.maximum import program
from pysolver.programs import ENCODINGS, grounded

from .boards import mixed
from .measure import Row, Settings, Times, joined, repeated

__all__ = ["ordinary"]

MACHINERY = ("require.lp", "score.lp", "maximum.lp")


def ordinary(settings: Settings) -> Iterator[Row]:
    """Enumerating blocks with the encodings of requirements, and without."""
    without = [name for name in ENCODINGS["blocks"] if not name.endswith(MACHINERY)]
    for attackers, blockers in ((2, 2),) if settings.tiny else ((3, 3), (6, 6), (8, 7)):
        scenario = mixed(attackers, blockers)
        number = program(scenario, "blocks").count()
        rounds: list[tuple[Times, Times]] = []
        for turn in range(2 * settings.runs):
            ways = [
                lambda: program(scenario, "blocks").count(),  # noqa: B023
                lambda: grounded(without, scenario).count(),  # noqa: B023
            ]
            order = (0, 1) if turn % 2 else (1, 0)
            seconds = {way: repeated(ways[way], 1) for way in order}
            rounds.append((seconds[0], seconds[1]))
        full, bare = (joined([one[way] for one in rounds]) for way in (0, 1))
        more, used = (
            statistics.median(getattr(a, k)[0] / getattr(b, k)[0] for a, b in rounds) - 1
            for k in ("seconds", "processor")
        )
        title = f"{attackers} attackers, {blockers} blockers, {number} blocks"
        yield Row(title, str(full))
        yield Row("  without the encodings of requirements", str(bare))
        yield Row("  more time", f"{more:+.1%}, by processor {used:+.1%}", "< 10 %", more < 0.10)
