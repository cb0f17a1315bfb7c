"""``python -m tests.mutants``: the survivors, and how many mutants there were."""

from __future__ import annotations

import itertools
from collections import Counter

import click

from .mutate import RULE_FILES, mutants
from .portfolio import portfolio
from .run import equivalent, try_all


@click.command()
@click.option("--file", "files", multiple=True, type=click.Choice(RULE_FILES))
@click.option("--jobs", default=2, show_default=True, help="Processes at a time.")
@click.option("--boards", "most", type=int, help="Boards that a mutant must survive; all.")
def main(files: tuple[str, ...], jobs: int, most: int | None) -> None:
    """Try every mutant of the encodings, or of some files; list those that nothing notices."""
    boards, known = portfolio(), equivalent()
    tried = [mutant for file in files or RULE_FILES for mutant in mutants(file)]
    totals: dict[str, Counter[str]] = {}
    trials = try_all(tried, boards, jobs, most)
    for file, of_file in itertools.groupby(trials, key=lambda trial: trial.mutant.file):
        counts = totals[file] = Counter()
        for trial in of_file:
            mutant, result = trial.mutant, str(trial.result)
            if result == "survived":
                if (mutant.file, mutant.before, mutant.after) in known:
                    result = "equivalent"
                else:
                    click.echo(f"{mutant}\n    survived {trial.boards} boards")
            counts[result] += 1
        click.echo(f"{file}: {_summary(counts)}")
    every = sum(totals.values(), Counter[str]())
    click.echo(f"{len(boards)} boards; {_summary(every)}")
    if every["survived"]:
        raise SystemExit(1)


def _summary(counts: Counter[str]) -> str:
    return f"{counts.total()} mutants: " + ", ".join(
        f"{number} {result}" for result, number in sorted(counts.items())
    )


if __name__ == "__main__":
    main()
