"""The command: ``python -m tests.benchmarks [NAMES] [--runs N] [--plot FILE]``."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import click

from .growth import growth
from .listing import listing
from .maximum import maximum
from .measure import Row, Settings, calibration
from .ordinary import ordinary
from .presets import presets

BENCHMARKS: dict[str, Callable[[Settings], Iterator[Row]]] = {
    "listing": listing,
    "maximum": maximum,
    "ordinary": ordinary,
    "growth": growth,
    "presets": presets,
}


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("names", nargs=-1, type=click.Choice(list(BENCHMARKS)))
@click.option(
    "--runs", type=click.IntRange(min=1), default=5, help="How often each; 5 if not given."
)
@click.option("--patience", type=float, default=60.0, help="Seconds after which a run is given up.")
@click.option(
    "--plot",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Draw the growth into this file, SVG or PNG.",
)
@click.option("--tiny", is_flag=True, help="The smallest boards: does everything run?")
def main(names: tuple[str, ...], runs: int, patience: float, plot: Path | None, tiny: bool) -> None:
    """Measure; all NAMES if none is given."""
    if plot is not None:
        if plot.suffix not in (".svg", ".png"):
            raise click.BadParameter("a file that ends in .svg or .png", param_hint="--plot")
        if find_spec("matplotlib") is None:
            raise click.ClickException("plotting needs matplotlib: pip install 'pysolver[bench]'")
        names = names if "growth" in names or not names else (*names, "growth")
    settings = Settings(runs, tiny, patience, plot)
    click.echo(f"Python {sys.version.split()[0]}, {os.cpu_count()} processors, {runs} runs each")
    missed = 0
    for name in names or BENCHMARKS:
        click.echo(f"\n{name}\n  a fixed loop before: {calibration()}")
        for row in BENCHMARKS[name](settings):
            click.echo(str(row))
            missed += name == "presets" and row.met is False
        click.echo(f"  a fixed loop after:  {calibration()}")
    if missed:
        raise click.ClickException(
            f"{missed} families depend on clingo's configuration: an encoding has a cliff"
        )


if __name__ == "__main__":
    main(prog_name="python -m tests.benchmarks")
