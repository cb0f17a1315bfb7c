"""The command line: reads options and files, asks :mod:`pysolver.questions`, prints the answers.

Exit codes: 0 done, 1 illegal, or no, or a broken promise, 2 unusable input, 3 stopped at a limit,
130 interrupted.
"""

from __future__ import annotations

import itertools
import json
import math
import sys
from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from typing import TYPE_CHECKING, Any, NoReturn

import click

from pysolver.errors import PysolverError, SolverLimit
from pysolver.output import Output, error, is_terminal, leave_on_interrupt, note

if TYPE_CHECKING:
    from pysolver.questions import Declarations, Listing
    from pysolver.results import Verdict
    from pysolver.scenario.model import Scenario

__all__ = ["cli", "main"]

DONE, NO, UNUSABLE, STOPPED, INTERRUPTED = 0, 1, 2, 3, 130

NOUNS = {
    "attacks": ("attack", "attacks"),
    "blocks": ("declaration of blockers", "declarations of blockers"),
    "patterns": ("pattern", "patterns"),
    "authority": ("division of damage", "divisions of damage"),
    "damage": ("damage assignment", "damage assignments"),
    "outcomes": ("outcome", "outcomes"),
    "histories": ("history", "histories"),
}


def finite(ctx: click.Context, param: click.Parameter, value: float | None) -> float | None:
    """Refuse nan and inf, which are numbers to Python."""
    if value is not None and not math.isfinite(value):
        raise click.BadParameter("not a finite number of seconds", ctx, param)
    return value


class Commands(click.Group):
    """The commands, with one place where what went wrong becomes a message and an exit code."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; a command's value is its exit code."""
        try:
            code = super().invoke(ctx)
        except BrokenPipeError:  # the reader has seen enough
            code = DONE
        except SolverLimit as stop:
            note(f"{stop}, {stop.found} found")
            code = STOPPED
        except (PysolverError, OSError) as failure:
            error(failure)
            code = UNUSABLE
        except RecursionError:
            error("the input is nested too deeply")
            code = UNUSABLE
        except KeyboardInterrupt:
            code = INTERRUPTED
        ctx.exit(code if isinstance(code, int) else DONE)


def main() -> NoReturn:
    """Run the command line and leave with its exit code."""
    leave_on_interrupt(INTERRUPTED)
    try:
        cli.main(prog_name="pysolver")
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    sys.exit(DONE)


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="pysolver")
def cli() -> None:
    """Solve the combat phase of Magic: The Gathering.

    SCENARIO is a file (YAML, JSON or ASP facts), or - for standard input. Results go to standard
    output, everything else to standard error.

    Exit codes: 0 done; 1 the answer is "illegal" or "no", or a counterexample was found; 2 the
    input cannot be used; 3 stopped at a limit; 130 interrupted.
    """


scenario_argument = click.argument("path", metavar="SCENARIO")
json_option = click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")


def listing_options(command: Callable[..., int]) -> Callable[..., int]:
    """The argument and the options that every listing takes."""
    for option in (
        click.option(
            "--time-limit",
            type=click.FloatRange(min=0),
            metavar="SECONDS",
            callback=finite,
            help="Stop after so many seconds.",
        ),
        click.option("--seed", type=int, help="Which sample; 0 if not given."),
        click.option("--sample", type=click.IntRange(min=0), help="Only so many, drawn at random."),
        click.option("--limit", type=click.IntRange(min=0), help="Stop after so many."),
        click.option("--count", is_flag=True, help="Only how many there are."),
        json_option,
        scenario_argument,
    ):
        command = option(command)
    return command


symmetry_option = click.option(
    "--up-to-symmetry",
    is_flag=True,
    help="One for all that differ only by interchangeable creatures, and how many it stands for.",
)


@cli.command()
@symmetry_option
@listing_options
def attacks(path: str, up_to_symmetry: bool, **options: Any) -> int:
    """Every legal declaration of attackers, with bands."""
    from pysolver import questions

    if up_to_symmetry:
        return show_listing(
            "patterns", lambda: questions.attacks(load(path)).up_to_symmetry(), **options
        )
    return show_listing("attacks", lambda: questions.attacks(load(path)), **options)


@cli.command()
@click.option("--each-attack", is_flag=True, help="For every legal attack, not only the fixed one.")
@symmetry_option
@listing_options
def blocks(path: str, each_attack: bool, up_to_symmetry: bool, **options: Any) -> int:
    """Every legal declaration of blockers."""
    from pysolver import questions

    def every() -> Declarations[Any]:
        return questions.blocks(load(path), each_attack=each_attack)

    if up_to_symmetry:
        return show_listing("patterns", lambda: every().up_to_symmetry(), **options)
    return show_listing("blocks", every, **options)


@cli.command()
@listing_options
def authority(path: str, **options: Any) -> int:
    """Who divides whose damage, and by which rule."""
    from pysolver import questions

    return show_listing("authority", lambda: questions.authority(load(path)), **options)


@cli.command()
@listing_options
def damage(path: str, **options: Any) -> int:
    """Every legal assignment of combat damage."""
    from pysolver import questions

    return show_listing("damage", lambda: questions.damage(load(path)), **options)


@cli.command()
@click.option("--witness", is_flag=True, help="With each outcome one combat that leads to it.")
@listing_options
def outcomes(path: str, witness: bool, **options: Any) -> int:
    """Every distinct result of what is left open."""
    from pysolver import questions

    return show_listing(
        "outcomes", lambda: questions.outcomes(load(path), witness=witness), **options
    )


@cli.command()
@listing_options
def histories(path: str, **options: Any) -> int:
    """Every complete legal combat, choice by choice."""
    from pysolver import questions

    return show_listing("histories", lambda: questions.histories(load(path)), **options)


@cli.command()
@scenario_argument
@json_option
def check(path: str, as_json: bool) -> int:
    """Is what is fixed legal? Every broken rule."""
    from pysolver import questions, render

    scenario = load(path)
    verdict = show_one("checking", lambda: questions.check(scenario), as_json, render.verdict_text)
    return DONE if verdict.legal else NO


@cli.command()
@scenario_argument
@click.argument("statement")
@json_option
def ask(path: str, statement: str, as_json: bool) -> int:
    """Does STATEMENT hold always, sometimes or never?

    For example "died(bat) and life(bob) <= 0", "not blocked(wraith)". A statement is made of
    attacks(creature), attacks(creature, target), banded(creature, creature), blocked(creature),
    unblocked(creature), blocked_by(attacker, blocker), divides(player, creature), died(creature),
    survived(creature), regenerated(creature), and of the numbers damage(source, recipient),
    life(player), poison(player), loyalty(planeswalker), defense(battle), compared with = != < <= >
    >=; with and, or, not and parentheses. The exit code is 0 for always, otherwise 1: there is a
    counterexample, or no legal combat at all.
    """
    from pysolver import questions, render

    scenario = load(path)
    answer = show_one(
        "asking", lambda: questions.ask(scenario, statement), as_json, render.answer_text
    )
    if answer.answer == "none":
        explain_illegal(questions.check(scenario))
    return DONE if answer.answer == "always" else NO


player_option = click.option(
    "--player", required=True, metavar="NAME", help="Whose side: a player, or a team (two-headed)."
)


@cli.command()
@scenario_argument
@click.argument("statement")
@player_option
@json_option
def force(path: str, statement: str, player: str, as_json: bool) -> int:
    """Can a player make sure of STATEMENT, whatever the others do?

    Decisions are made in the order of the combat, each in full knowledge of those before; all that
    are not on the player's side are against him. The exit code is 0 for yes, otherwise 1: the
    others can prevent it, or there is no legal combat at all.
    """
    from pysolver import questions, render

    scenario = load(path)
    answer = show_one(
        "playing", lambda: questions.force(scenario, player, statement), as_json, render.force_text
    )
    if answer.answer == "none":
        explain_illegal(questions.check(scenario))
    return DONE if answer.answer == "yes" else NO


@cli.command()
@scenario_argument
@click.argument("number")
@player_option
@click.option("--least", is_flag=True, help="The smallest value instead of the largest.")
@json_option
def best(path: str, number: str, player: str, least: bool, as_json: bool) -> int:
    """The largest NUMBER that a player can make sure of.

    Whatever the others legally do. For example "life(bob)", "damage(bear, bob)". The exit code is 1
    if there is no legal combat.
    """
    from pysolver import questions, render

    scenario = load(path)
    answer = show_one(
        "playing",
        lambda: questions.best(scenario, player, number, least=least),
        as_json,
        render.best_text,
    )
    if answer.value is None:
        explain_illegal(questions.check(scenario))
        return NO
    return DONE


@cli.command()
@scenario_argument
@click.argument("statement")
@json_option
def explain(path: str, statement: str, as_json: bool) -> int:
    """Why does STATEMENT hold, or why not: the rules from which it follows.

    One fact of those that "ask" knows, such as "blocked_by(wraith, bat)" or "not died(bat)", or a
    possibility: "can_attack(ogre)", "can_block(bat, drake)", "can_band(drake, wraith)". The exit
    code is 1 if it does not hold in any combat.
    """
    from pysolver import questions, render

    scenario = load(path)
    explanation = show_one(
        "explaining",
        lambda: questions.explain(scenario, statement),
        as_json,
        render.explanation_text,
    )
    return DONE if explanation.holds else NO


@cli.command()
@scenario_argument
def facts(path: str) -> int:
    """The scenario as facts for stock clingo."""
    from pysolver.scenario.facts import facts as facts_of

    show_text(facts_of(load(path)))
    return DONE


@cli.command()
def schema() -> int:
    """The JSON Schema of the scenario document."""
    from pysolver.scenario.schema import json_schema

    show_text(json.dumps(json_schema(), indent=2, ensure_ascii=False))
    return DONE


@cli.command()
@click.option(
    "--edition", "named", default="current", metavar="E", help="Whose numbers: a name or a date."
)
@click.option("--slug", metavar="S", help="Only this rule and those below it.")
@click.option("--uncovered", is_flag=True, help="Only rules that lack an encoding or a test.")
@json_option
def rules(named: str, slug: str | None, uncovered: bool, as_json: bool) -> int:
    """Every rule: its number, what it says, where it is encoded or why it is not, its tests.

    With --uncovered the exit code is 1 if a rule is neither encoded nor excused. A rule that is
    planned, because it belongs to older editions, counts as excused.
    """
    from pysolver import rulebook
    from pysolver.scenario.editions import parse_edition

    edition = parse_edition(named)
    if slug is not None and not any(rulebook.entries(edition, slug)):
        raise click.UsageError(f"there is no rule with the slug {slug}")
    listed = (rulebook.holes if uncovered else rulebook.entries)(edition, slug)
    _, render = presentation(as_json)
    missing = False
    with Output(render, task="rules") as output:
        for entry in listed:
            missing |= entry.hole == rulebook.MISSING
            output.put(to_line(entry) if as_json else entry)
    if not as_json:
        show_text(rulebook.summary())
    return NO if uncovered and missing else DONE


@cli.command()
@click.argument("paths", metavar="FILES...", nargs=-1, required=True)
@click.option("--skip-unknown", is_flag=True, help="Cases that are not covered yet do not count.")
@json_option
def conform(paths: tuple[str, ...], skip_unknown: bool, as_json: bool) -> int:
    """Do scenarios with promises come out as promised?

    FILES are conformance cases, or directories of them. Exits with 1 if a promise is broken or a
    case is not covered, with 2 if a file is not a case.
    """
    from pysolver.conform import Report, Tally, case_files, run_file

    tally = Tally()
    files = case_files(paths)
    shown: Callable[[Report], str] = to_line if as_json else str
    output = Output[Report](lambda batch: as_lines(map(shown, batch)), task="cases")
    with output:
        for path in files:
            for report in run_file(path):
                tally.add(report)
                output.put(report)
    if not as_json:
        show_text(str(tally))
    return tally.exit_code(skip_unknown=skip_unknown)


def load(path: str) -> Scenario:
    """The scenario in a file, or on standard input."""
    from pysolver.scenario import load as load_scenario

    return load_scenario(path)


def show_listing(
    question: str,
    ask_for: Callable[[], Listing[Any]],
    *,
    as_json: bool,
    count: bool,
    limit: int | None,
    sample: int | None,
    seed: int | None,
    time_limit: float | None,
) -> int:
    """Print a listing as the options want it; the value is the exit code."""
    if sample is not None and (count or limit is not None):
        raise click.UsageError("--sample cannot be combined with --count or --limit")
    if seed is not None and sample is None:
        raise click.UsageError("--seed needs --sample")
    listing = ask_for()
    if listing.problem is not None:
        if count:
            show_text("0")
        return explain_illegal(listing.problem)
    if count:
        return show_count(question, listing, limit, time_limit)
    every, render = presentation(as_json)
    stop: str | None = None
    with Output(render, task=question, every=every) as output:
        try:
            with closing(found(listing, as_json, sample, seed, time_limit)) as results:
                for result in results if limit is None else itertools.islice(results, limit):
                    output.put(result)
                if limit is not None and next(results, None) is not None:
                    stop = "stopped at the limit"
        except SolverLimit as reached:
            stop = str(reached)
    number = output.found
    if not as_json:
        show_text(total(question, number, sample=sample is not None))
    if stop:
        note(f"{stop}: {counted(question, number)} shown, there may be more")
    return STOPPED if stop else DONE


def found(
    listing: Listing[Any],
    as_json: bool,
    sample: int | None,
    seed: int | None,
    time_limit: float | None,
) -> Generator[Any, None, None]:
    """The results of a listing, or a sample of them; lines of JSON if that is what is printed."""
    if sample is not None:
        drawn = listing.sample(sample, seed or 0, time_limit=time_limit)
        yield from map(to_line, drawn) if as_json else drawn
    elif as_json:
        yield from listing.json_lines(time_limit=time_limit)
    else:
        yield from listing.iterate(time_limit=time_limit)


def show_count(
    question: str, listing: Listing[Any], limit: int | None, time_limit: float | None
) -> int:
    """Print how many results there are, up to ``limit``."""
    stop: str | None = None
    with Output(as_lines, task=f"counting {question}") as output:
        try:
            if limit is None:
                number = listing.count(time_limit=time_limit)
            else:
                with closing(found(listing, False, None, None, time_limit)) as results:
                    number = sum(1 for _ in itertools.islice(results, limit + 1))
        except SolverLimit as reached:
            number, stop = reached.found, str(reached)
        if limit is not None and number > limit:
            number, stop = limit, "stopped at the limit"
        output.put(str(number))
    if stop:
        note(f"{stop}: {counted(question, number)} found, there may be more")
    return STOPPED if stop else DONE


def presentation(as_json: bool) -> tuple[float, Callable[[Any], str]]:
    """How often results are written, and how they are turned into text."""
    if as_json:
        return (0.05 if is_terminal(sys.stdout) else 0.5), as_lines
    from pysolver.render import Rows

    return 0.5, Rows().render


def show_one(
    task: str, answer: Callable[[], Any], as_json: bool, text: Callable[[Any], str]
) -> Any:
    """Work an answer out, print it, and give it back."""
    with Output("".join, task=task) as output:
        result = answer()
        output.put(f"{to_line(result)}\n" if as_json else text(result))
    return result


def show_text(text: str) -> None:
    """Print a text that is a result, as whole lines."""
    with Output(as_lines) as output:
        output.put(text.removesuffix("\n"))


def explain_illegal(verdict: Verdict) -> int:
    """Say on standard error which rules the fixed part breaks."""
    from pysolver.render import violation_text

    for violation in verdict.violations:
        note(f"illegal: {violation_text(violation)}")
    return NO


def to_line(result: Any) -> str:
    """A result as one line of JSON."""
    return json.dumps(result.to_json(), sort_keys=True, ensure_ascii=False)


def as_lines(texts: Iterable[str]) -> str:
    """Texts as lines."""
    return "".join(f"{text}\n" for text in texts)


def counted(question: str, number: int) -> str:
    """``1 attack``, ``2 attacks``."""
    one, many = NOUNS[question]
    return f"{number} {one if number == 1 else many}"


def total(question: str, number: int, *, sample: bool) -> str:
    """The last line of a table."""
    return f"a sample of {counted(question, number)}" if sample else counted(question, number)
