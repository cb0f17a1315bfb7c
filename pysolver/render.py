"""Results for people: short texts, and tables that are printed while more rows are found."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import singledispatch
from typing import TYPE_CHECKING, Any

from pysolver.frozen import FrozenDict
from pysolver.output import is_terminal, visible
from pysolver.results import (
    Answer,
    Attack,
    AuthorityLine,
    Best,
    BlockDeclaration,
    Blocks,
    Damage,
    Decision,
    Explanation,
    Force,
    History,
    Outcome,
    Reason,
    Verdict,
    Violation,
)
from pysolver.symmetry import Pattern

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

__all__ = [
    "Rows",
    "answer_text",
    "attack_text",
    "best_text",
    "blocks_text",
    "cells",
    "choice_text",
    "damage_text",
    "explanation_text",
    "force_text",
    "outcome_text",
    "verdict_text",
    "violation_text",
]

STEPS = {"first-strike": "first strike", "regular": "regular"}


def names_text(names: Iterable[str]) -> str:
    """``ann, bob``."""
    return ", ".join(map(visible, names))


def numbers_text(numbers: Mapping[str, int]) -> str:
    """``ann 20, bob 17``."""
    return ", ".join(f"{visible(name)} {number}" for name, number in numbers.items())


def attack_text(attack: Attack) -> str:
    """``(drake + wraith), ogre → bob``: bands in parentheses."""
    if not attack.attackers:
        return "nobody attacks"
    band_of = {name: band for band in attack.bands for name in band}
    groups: dict[str, dict[str, None]] = {}
    for name in sorted(attack.attackers):
        band = band_of.get(name)
        text = f"({' + '.join(map(visible, band))})" if band else visible(name)
        groups.setdefault(attack.attackers[name], {})[text] = None
    return "; ".join(f"{', '.join(texts)} → {visible(to)}" for to, texts in groups.items())


def blocks_text(blocks: Blocks) -> str:
    """``bat → drake; wall → ogre, wraith``."""
    pairs = blocks.to_json()
    if not pairs:
        return "nobody blocks"
    return "; ".join(f"{visible(name)} → {names_text(pairs[name])}" for name in pairs)


def _blocked_by_text(blocked_by: Mapping[str, Sequence[str]]) -> str:
    return "; ".join(
        f"{visible(name)} ← {names_text(blocked_by[name])}" for name in sorted(blocked_by)
    )


def _division_text(sources: Mapping[str, Mapping[str, int]]) -> str:
    if not sources:
        return "no damage"
    return "; ".join(f"{visible(name)} → {numbers_text(split)}" for name, split in sources.items())


def damage_text(damage: Damage) -> str:
    """``first strike: bat → drake 1 | regular: drake → bat 2``."""
    steps = damage.to_json()
    return " | ".join(f"{STEPS[step]}: {_division_text(steps[step])}" for step in steps) or "none"


def outcome_text(outcome: Outcome) -> str:
    """``died: bat; life: ann 20, bob 17``, and what else changed."""
    shown = {name: text for name, text in cells(outcome).items() if text and name != "history"}
    return "; ".join(f"{name}: {text}" for name, text in shown.items())


def _history_lines(history: History) -> dict[str, str]:
    order: Mapping[str, Sequence[str]] = history.order or {}
    return {
        "attack": attack_text(history.attack),
        "blocks": blocks_text(history.blocks),
        "events": "; ".join(map(_event_text, history.events)),
        "order": "; ".join(f"{visible(name)}: {names_text(order[name])}" for name in sorted(order)),
        "damage": damage_text(history.damage),
        "outcome": outcome_text(history.outcome) if history.outcome is not None else "",
    }


def _event_text(event: Any) -> str:
    if isinstance(event, Mapping):
        return " ".join(
            _event_text(value) if key == "at" else f"{visible(str(key))} {_event_text(value)}"
            for key, value in event.items()
        )
    return visible(str(event))


def _history_block(history: History, indent: str = "") -> str:
    lines = _history_lines(history)
    return "\n".join(f"{indent}{key:<8}{text}" for key, text in lines.items() if text)


@singledispatch
def cells(result: Any) -> dict[str, str]:
    """A result as the row of a table: heading to text."""
    raise TypeError(f"no table shows {result!r}")


@cells.register
def _(result: Attack) -> dict[str, str]:
    return {"attack": attack_text(result)}


@cells.register
def _(result: BlockDeclaration) -> dict[str, str]:
    row = {"blocks": blocks_text(result.blocks), "blocked by": _blocked_by_text(result.blocked_by)}
    return row if result.attack is None else {"attack": attack_text(result.attack), **row}


@cells.register(Pattern)
def _(result: Pattern[Any]) -> dict[str, str]:
    return {**cells(result.declaration), "stands for": str(result.stands_for)}


@cells.register
def _(result: AuthorityLine) -> dict[str, str]:
    return {
        "step": STEPS[result.step],
        "damage of": visible(result.source),
        "divided by": visible(result.chooser),
        "among": names_text(result.recipients),
        "rule": f"{result.rule} {result.slug}",
    }


@cells.register
def _(result: Damage) -> dict[str, str]:
    steps = result.to_json()
    return {
        shown: _division_text(steps[step]) if step in steps else "" for step, shown in STEPS.items()
    }


@cells.register
def _(result: Outcome) -> dict[str, str]:
    row = {
        "died": names_text(result.died) or "nobody",
        "regenerated": names_text(result.regenerated),
        "life": numbers_text(result.life),
        "poison": numbers_text(result.poison),
        "loyalty": numbers_text(result.loyalty),
        "defense": numbers_text(result.defense),
        "counters": "; ".join(
            f"{visible(name)}: {numbers_text(kinds)}" for name, kinds in result.counters.items()
        ),
    }
    if result.history is not None:
        row["history"] = _history_block(result.history)
    return row


@cells.register
def _(result: History) -> dict[str, str]:
    return {"history": _history_block(result)}


def violation_text(violation: Violation) -> str:
    """``508.1c attack.restrict: what is wrong``."""
    return f"{violation.rule} {violation.slug}: {visible(violation.message)}"


def verdict_text(verdict: Verdict) -> str:
    """LEGAL, or ILLEGAL and each broken rule."""
    lines = [
        "LEGAL" if verdict.legal else "ILLEGAL",
        *(f"  {violation_text(violation)}" for violation in verdict.violations),
    ]
    if verdict.better is not None:
        shown = attack_text if isinstance(verdict.better, Attack) else blocks_text
        lines.append(f"  obeys more: {shown(verdict.better)}")  # type: ignore[arg-type]
    return "\n".join(lines) + "\n"


def answer_text(answer: Answer) -> str:
    """The answer, and the combats that show it."""
    word = "no legal combat" if answer.answer == "none" else answer.answer.upper()
    text = f"{word}: {visible(answer.query)}\n"
    if answer.witness is not None:
        text += f"\nIt holds in\n{_history_block(answer.witness, '  ')}\n"
    if answer.counterexample is not None:
        text += f"\nIt does not hold in\n{_history_block(answer.counterexample, '  ')}\n"
    return text


def explanation_text(explanation: Explanation) -> str:
    """The tree of reasons, and the combat in which they hold."""
    from rich.tree import Tree

    def grow(tree: Tree, reasons: Iterable[Reason]) -> None:
        for reason in reasons:
            grow(tree.add(_reason_line(reason)), reason.because)

    tree = Tree(_reason_line(explanation.reason))
    grow(tree, explanation.reason.because)
    text = _to_text(tree)
    if isinstance(explanation.combat, History):
        others = {
            "always": "in this combat, and in every other",
            "sometimes": "in this combat, but not in every one",
            "never": "in this combat, as in every other",
        }
        shown = _history_block(explanation.combat, "  ")
        text += f"\n{others[explanation.answer]}\n{shown}\n"
    elif explanation.combat is not None:
        parts = (f"{key}: {value}" for key, value in cells(explanation.combat).items() if value)
        text += f"\nfor example {'; '.join(parts)}\n"
    return text


def _reason_line(reason: Reason) -> Text:
    from rich.text import Text

    line = Text(visible(reason.fact))
    if reason.rule is not None:
        line.append(f"  {reason.rule} {reason.slug}", style="dim")
    return line


def force_text(answer: Force) -> str:
    """Yes and what to do, or no and what defeats each attempt."""
    who, what = visible(answer.player), visible(answer.query)
    match answer.answer:
        case "none":
            return f"no legal combat: {what}\n"
        case "yes":
            lines = [f"YES: {who} can make sure of {what}"]
        case _:
            lines = [f"NO: {who} cannot make sure of {what}"]
    if answer.strategy is None:
        lines.append("  whatever anybody does")
    lines += _strategy_lines(answer.strategy, won=answer.answer == "yes")
    return "\n".join(lines) + "\n"


def best_text(answer: Best) -> str:
    """The value and how it is reached."""
    who, what = visible(answer.player), visible(answer.query)
    if answer.value is None:
        return f"no legal combat: {what}\n"
    word = "most" if answer.least else "least"
    lines = [f"{answer.value}: {who} can make sure that {what} is {answer.value} at {word}"]
    if answer.strategy is None:
        lines.append("  whatever anybody does")
    lines += _strategy_lines(answer.strategy, won=True)
    return "\n".join(lines) + "\n"


FEW = 8
"""How many choices of one decision are shown."""

VERBS = {
    "attack": "attacks",
    "event": "decides",
    "blocks": "blocks",
    "order": "orders triggers",
    "first-strike damage": "divides first-strike damage",
    "regular damage": "divides regular damage",
}


def _strategy_lines(decision: Decision | None, *, won: bool, indent: str = "  ") -> Iterator[str]:
    """One line for each choice of the side that has to act, the answer to it on the same line.

    ``won``: the player who is asked about gets his way, so the choices of others are an "if";
    otherwise what others choose is what defeats him.
    """
    if decision is None:
        return
    who, verb = visible(decision.player), VERBS[decision.decision]
    for choice in decision.choices[:FEW]:
        what = choice_text(decision.decision, choice.choice)
        line = f"{who} {verb}: {what}"
        if won and not decision.wins:
            line = f"if {line}"
        elif decision.wins and not won:
            line = f"defeated by {who}, who {verb}: {what}"
        after = list(_strategy_lines(choice.then, won=won, indent=indent + "  "))
        if not won and not decision.wins and choice.then is not None and choice.then.wins:
            line += f"; {after.pop(0).strip()}"
        yield f"{indent}{line}"
        yield from after
    if more := len(decision.choices[FEW:]):
        word = "choice" if more == 1 else "choices"
        yield f"{indent}and so on: {more} more {word} of {who}, all of them with --json"
    if not decision.wins and won:
        yield f"{indent}whatever else {who} chooses, it holds"
    elif not decision.wins:
        yield f"{indent}nothing else that {who} can choose leads there"


def choice_text(decision: str, choice: Mapping[str, Any]) -> str:
    """What is chosen: ``bat → drake``, ``ogre → bear 3``."""
    match decision:
        case "attack":
            return attack_text(Attack(choice["attackers"], choice["bands"]))
        case "blocks":
            return blocks_text(Blocks(FrozenDict(choice)))
        case "event":
            what = {key: value for key, value in choice.items() if key not in ("at", "happens")}
            answer = "yes" if choice["happens"] else "no"
            return f"{_event_text(what)} (at {choice['at']}): {answer}"
        case "order":
            return "; ".join(
                f"the rampage of {visible(each['creature'])} counts "
                f"{names_text(each['counts']) or 'nobody'}"
                for each in choice["rampage"]
            )
    return _division_text(choice)


class Rows:
    """A numbered table, printed in parts: the columns of the first part go on.

    Columns without any text are left out; should one appear later, the heading is repeated.
    """

    def __init__(self) -> None:
        self._number = 0
        self._columns: list[str] = []
        self._widths: dict[str, int] = {}

    def render(self, results: Sequence[Any]) -> str:
        """The next rows of the table, as text."""
        from rich import box
        from rich.table import Table
        from rich.text import Text

        rows = [cells(result) for result in results]
        fresh = self._extend(rows)
        table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, show_header=fresh)
        table.add_column(Text("#"), justify="right", no_wrap=True, min_width=3, style="dim")
        for column in self._columns:
            table.add_column(Text(column), overflow="fold", min_width=self._widths.get(column))
        for row in rows:
            self._number += 1
            table.add_row(str(self._number), *(Text(row.get(name, "")) for name in self._columns))
        return _to_text(table)

    def _extend(self, rows: list[dict[str, str]]) -> bool:
        """Learn the columns and their widths; are there new columns?"""
        limit = 10_000 if not is_terminal(sys.stdout) else 24
        known = len(self._columns)
        filled = set(self._columns)
        for row in rows:
            for name, text in row.items():
                if text:
                    filled.add(name)
                    width = max(map(len, text.splitlines()))
                    self._widths[name] = min(limit, max(self._widths.get(name, 0), width))
        order = dict.fromkeys(name for row in rows for name in row)
        self._columns = [name for name in (*order, *filled - set(order)) if name in filled]
        return len(self._columns) > known or not self._number


def _to_text(renderable: Any) -> str:
    console = _console()
    with console.capture() as capture:
        console.print(renderable)
    text = capture.get()
    if is_terminal(sys.stdout):
        return text
    return "".join(f"{line.rstrip()}\n" for line in text.splitlines())


def _console() -> Console:
    from rich.console import Console

    if is_terminal(sys.stdout):
        return Console(highlight=False)
    return Console(
        file=io.StringIO(), width=100_000, force_terminal=False, color_system=None, highlight=False
    )
