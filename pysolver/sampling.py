"""Random samples from listings that may be too long to go through."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from contextlib import closing
from itertools import islice
from typing import TypeVar

from pysolver.errors import SolverLimit
from pysolver.solver import Program, Shape

__all__ = ["sample"]

T = TypeVar("T")

LISTED = 50_000
"""A listing with so many answers or fewer is gone through, and sampled exactly."""


def sample(
    ground: Callable[[], Program], shape: Shape[T], n: int, seed: int, time_limit: float | None
) -> list[T]:
    """``n`` different answers of the programs that ``ground`` makes; all where there are fewer.

    From a listing of no more than :data:`LISTED` answers every set of ``n`` is equally likely. From
    a longer one answers are drawn by a solver that decides at random: all can come, but some are
    likelier than others. The same seed gives the same sample. Raises :class:`SolverLimit` after
    ``time_limit`` seconds.
    """
    rng = random.Random(seed)
    end = None if time_limit is None else time.monotonic() + time_limit
    with closing(ground().models(shape, time_limit=time_limit)) as answers:
        listed = list(islice(answers, max(LISTED, n) + 1))
    if len(listed) <= max(LISTED, n):
        return rng.sample(listed, min(n, len(listed)))
    program, drawn = ground(), dict[T, None]()
    while len(drawn) < n:
        if end is not None and time.monotonic() > end:
            raise SolverLimit("stopped at the time limit", found=len(drawn))
        drawn[program.random(shape, rng.randrange(2**31))] = None
    return list(drawn)
