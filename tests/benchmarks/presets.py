"""Presets: an encoding that clingo's configurations do not agree on has a cliff somewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import median
from typing import Any

import clingo

from pysolver.questions import attacks, blocks, check, damage, outcomes

from .boards import asked_for, banders, exact_cover, mixed, must_attack, one_of_each, splits
from .maximum import MENACE, THREE
from .measure import Row, Settings, repeated

__all__ = ["presets"]

CONFIGURATIONS = ("tweety", "crafty")
MOST = 5.0
"""How many times as long one configuration may take as the other, by processor."""

NOTHING = 0.02
"""Seconds that are added to both, so that times too short to matter do not decide."""


@contextmanager
def configuration(name: str) -> Iterator[None]:
    """Every control that is made meanwhile has this configuration of clingo."""
    original = clingo.Control

    def control(arguments: list[str], *rest: Any, **more: Any) -> clingo.Control:
        return original([*arguments, f"--configuration={name}"], *rest, **more)

    clingo.Control = control  # type: ignore[misc, assignment]
    try:
        yield
    finally:
        clingo.Control = original  # type: ignore[misc]


def families(tiny: bool) -> dict[str, Callable[[], object]]:
    """A question of each family, small enough to be asked often."""
    size = 2 if tiny else 0
    made = {
        "attacks: banders": attacks(banders(size or 8)).count,
        "blocks: no requirements": blocks(mixed(size or 6, size or 6)).count,
        "blocks: any attack": blocks(one_of_each(size or 3), each_attack=True).count,
        "damage: a band of tramplers": damage(splits(size or 9, size or 3)).count,
        "outcomes: everything open": outcomes(one_of_each(size or 3)).count,
    }
    judged = {
        "check: must attack": must_attack(size or 10),
        "check: must be blocked": asked_for(size or 12, 1 if tiny else 11),
        "check: must be blocked, menace": asked_for(size or 6, 2 if tiny else 10, MENACE),
        "check: must be blocked, three": asked_for(size or 5, 3 if tiny else 12, THREE),
        "check: exact cover": exact_cover(6 if tiny else 12, 5 if tiny else 14, coverable=True),
        "check: no exact cover": exact_cover(6 if tiny else 12, 5 if tiny else 14, coverable=False),
    }
    return {**made, **{k: lambda board=board: check(board) for k, board in judged.items()}}  # type: ignore[misc]


def presets(settings: Settings) -> Iterator[Row]:
    """Each family under both configurations."""
    for family, question in families(settings.tiny).items():
        seconds = []
        for name in CONFIGURATIONS:
            with configuration(name):
                seconds.append(median(repeated(question, settings.runs).processor))
        low, high = sorted(one + NOTHING for one in seconds)
        figure = ", ".join(f"{n} {s:.3f} s" for n, s in zip(CONFIGURATIONS, seconds, strict=True))
        yield Row(family, figure, f"within {MOST:g} x", high / low <= MOST)
