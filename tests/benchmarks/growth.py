"""Growth: the time of ``check`` as the board grows, plotted if wanted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import click

from pysolver.questions import check
from pysolver.scenario.model import Scenario

from .boards import asked_for, idle, must_attack
from .measure import Row, Settings, Times, repeated

__all__ = ["growth"]

FAMILIES: dict[str, Callable[[int], Scenario]] = {
    "nothing required": idle,
    "must attack": must_attack,
    "must be blocked": lambda n: asked_for(n, n - 1),
}


def growth(settings: Settings) -> Iterator[Row]:
    """Creatures a side against time, one line a family."""
    sizes = (2, 3) if settings.tiny else (2, 5, 10, 15, 20, 25, 30, 35, 40)
    measured: dict[str, dict[int, Times]] = {}
    for family, made in FAMILIES.items():
        measured[family] = {}
        for n in sizes:
            scenario = made(n)
            times = repeated(lambda: check(scenario), settings.runs)  # noqa: B023
            measured[family][n] = times
            yield Row(f"{family}, {n} a side", str(times))
    if settings.plot is not None:
        plot(measured, settings.plot)
        yield Row("plotted", str(settings.plot))


def plot(measured: dict[str, dict[int, Times]], path: Path) -> None:
    """Write the picture: medians as lines, the spread as bands."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise click.ClickException(
            "plotting needs matplotlib: pip install 'pysolver[bench]'"
        ) from None
    figure = Figure(figsize=(7, 4.5), layout="constrained")
    axes = figure.add_subplot()
    for family, times in measured.items():
        sizes = list(times)
        (line,) = axes.plot(sizes, [t.median for t in times.values()], marker="o", label=family)
        low = [min(t.seconds) for t in times.values()]
        high = [max(t.seconds) for t in times.values()]
        axes.fill_between(sizes, low, high, color=line.get_color(), alpha=0.2, linewidth=0)
    axes.set(xlabel="creatures a side", ylabel="seconds for check", ylim=(0, None))
    axes.set_title("Is the declaration legal? Median, least and most of several runs", fontsize=11)
    axes.legend(frameon=False)
    axes.grid(alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=150)
