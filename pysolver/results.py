"""What the solver answers: frozen values, each with the JSON shape of the command that lists it.

:class:`Attack`, :class:`Blocks` and :class:`Damage` are the shapes of the scenario document, so
that a result can be pasted into one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from pysolver.frozen import FrozenDict
from pysolver.scenario.model import Attack, Blocks, Damage, Step

__all__ = [
    "Answer",
    "Attack",
    "AuthorityLine",
    "Best",
    "BlockDeclaration",
    "Blocks",
    "Choice",
    "Damage",
    "Decision",
    "DecisionName",
    "Explanation",
    "Force",
    "History",
    "Outcome",
    "Reason",
    "Truth",
    "Verdict",
    "Violation",
]

Names: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BlockDeclaration:
    """A declaration of blockers, and who is blocked by whom once bands have passed it on.

    ``attack`` is the attack that is blocked, where it was left open (``each_attack``).
    """

    blocks: Blocks
    blocked_by: FrozenDict[str, Names]
    attack: Attack | None = None

    def to_json(self) -> dict[str, Any]:
        """One line of ``pysolver blocks --json``."""
        line: dict[str, Any] = {
            "blocks": self.blocks.to_json(),
            "blocked_by": {name: list(self.blocked_by[name]) for name in sorted(self.blocked_by)},
        }
        return line if self.attack is None else {"attack": self.attack.to_json(), **line}


@dataclass(frozen=True, slots=True)
class AuthorityLine:
    """Who divides one creature's damage in one step, among whom, and by which rule."""

    step: Step
    source: str
    chooser: str
    recipients: Names
    slug: str
    rule: str

    def to_json(self) -> dict[str, Any]:
        """One line of ``pysolver authority --json``."""
        return {
            "step": self.step,
            "source": self.source,
            "chooser": self.chooser,
            "recipients": list(self.recipients),
            "rule": self.rule,
            "slug": self.slug,
        }


@dataclass(frozen=True, slots=True)
class Outcome:
    """A result of the combat. The later mappings hold only what changed."""

    died: Names
    regenerated: Names
    life: FrozenDict[str, int]
    poison: FrozenDict[str, int] = field(default_factory=FrozenDict)
    loyalty: FrozenDict[str, int] = field(default_factory=FrozenDict)
    defense: FrozenDict[str, int] = field(default_factory=FrozenDict)
    counters: FrozenDict[str, FrozenDict[str, int]] = field(default_factory=FrozenDict)
    history: History | None = field(default=None, compare=False)

    def to_json(self) -> dict[str, Any]:
        """One line of ``pysolver outcomes --json``."""
        line: dict[str, Any] = {
            "died": list(self.died),
            "regenerated": list(self.regenerated),
            "life": dict(self.life),
        }
        for key in ("poison", "loyalty", "defense"):
            if changed := getattr(self, key):
                line[key] = dict(changed)
        if self.counters:
            line["counters"] = {name: dict(kinds) for name, kinds in self.counters.items()}
        if self.history is not None:
            line["history"] = self.history.to_json()
        return line


def _plain(value: Any) -> Any:
    """The value with ordinary mappings and lists, for JSON."""
    if isinstance(value, FrozenDict):
        return {key: _plain(inner) for key, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, tuple) else value


@dataclass(frozen=True, slots=True)
class History:
    """One complete legal combat, choice by choice. A witness has no outcome of its own.

    ``order`` is the damage assignment order, in the editions that have one.
    """

    attack: Attack
    blocks: Blocks
    damage: Damage
    events: tuple[FrozenDict[str, Any], ...] = ()
    order: FrozenDict[str, Names] | None = None
    outcome: Outcome | None = None

    def to_json(self) -> dict[str, Any]:
        """One line of ``pysolver histories --json``."""
        line: dict[str, Any] = {
            "attack": self.attack.to_json(),
            "blocks": self.blocks.to_json(),
            "events": [_plain(event) for event in self.events],
            "damage": self.damage.to_json(),
        }
        if self.order is not None:
            line["order"] = {name: list(self.order[name]) for name in sorted(self.order)}
        if self.outcome is not None:
            line["outcome"] = self.outcome.to_json()
        return line


@dataclass(frozen=True, slots=True)
class Violation:
    """A broken rule: its stable slug, its number in the edition in force, and who breaks it."""

    slug: str
    rule: str
    subjects: Names
    message: str

    def to_json(self) -> dict[str, Any]:
        """One of the violations of ``pysolver check --json``."""
        return {
            "slug": self.slug,
            "rule": self.rule,
            "subjects": list(self.subjects),
            "message": self.message,
        }


@dataclass(frozen=True, slots=True)
class Verdict:
    """Is what the scenario fixes legal? If not, every broken rule.

    ``better`` is a legal declaration that obeys more requirements, where that is what is wrong.
    """

    legal: bool
    violations: tuple[Violation, ...] = ()
    better: Attack | Blocks | None = None

    def to_json(self) -> dict[str, Any]:
        """The line of ``pysolver check --json``."""
        line: dict[str, Any] = {
            "legal": self.legal,
            "violations": [violation.to_json() for violation in self.violations],
        }
        if self.better is not None:
            line["better"] = self.better.to_json()
        return line


@dataclass(frozen=True, slots=True)
class Answer:
    """Does a statement about the result hold always, sometimes or never?

    ``none``: there is no legal history at all.
    """

    query: str
    answer: Literal["always", "sometimes", "never", "none"]
    witness: History | None = None
    counterexample: History | None = None

    def to_json(self) -> dict[str, Any]:
        """The line of ``pysolver ask --json``."""
        line: dict[str, Any] = {"query": self.query, "answer": self.answer}
        if self.witness is not None:
            line["witness"] = self.witness.to_json()
        if self.counterexample is not None:
            line["counterexample"] = self.counterexample.to_json()
        return line


@dataclass(frozen=True, slots=True)
class Reason:
    """A fact in plain words, the rule by which it holds, and what it rests on.

    ``slug`` and ``rule`` are None for what the scenario says or a player chooses.
    """

    fact: str
    slug: str | None = None
    rule: str | None = None
    because: tuple[Reason, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """A node of ``pysolver explain --json``."""
        return {
            "fact": self.fact,
            "slug": self.slug,
            "rule": self.rule,
            "because": [reason.to_json() for reason in self.because],
        }


#: How often a statement holds.
Truth: TypeAlias = Literal["always", "sometimes", "never"]


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a statement holds in a combat, or why it holds in none.

    ``answer`` says whether it holds always, sometimes or never; ``combat`` is the combat of the
    reasons where the scenario leaves it open, or a declaration that is possible.
    """

    query: str
    holds: bool
    reason: Reason
    combat: History | Attack | BlockDeclaration | None = None
    answer: Truth = "never"

    def to_json(self) -> dict[str, Any]:
        """The line of ``pysolver explain --json``: the tree, and beside its root what was asked."""
        line = {
            "query": self.query,
            "holds": self.holds,
            "answer": self.answer,
            **self.reason.to_json(),
        }
        if self.combat is not None:
            line["combat"] = self.combat.to_json()
        return line


#: The decisions of a combat, in their order.
DecisionName: TypeAlias = Literal[
    "attack", "event", "blocks", "order", "first-strike damage", "regular damage"
]


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing that may be chosen, in the document's shape, and the decision that matters then.

    ``then`` is None where the question is settled, whatever follows.
    """

    choice: FrozenDict[str, Any]
    then: Decision | None = None

    def to_json(self) -> dict[str, Any]:
        """One of the choices of a decision."""
        then = None if self.then is None else self.then.to_json()
        return {"choice": _plain(self.choice), "then": then}


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision of a combat, and who makes it: a player, or a team that decides together.

    Where the side decides that gets its way (``wins``), there is one choice, the one to make. Where
    the other side decides there is every choice that is not lost anyway, whatever follows.
    """

    decision: DecisionName
    player: str
    choices: tuple[Choice, ...]
    wins: bool = field(default=True, compare=False)

    def to_json(self) -> dict[str, Any]:
        """A strategy, or what follows a choice in one."""
        return {
            "decision": self.decision,
            "player": self.player,
            "choices": [choice.to_json() for choice in self.choices],
        }


@dataclass(frozen=True, slots=True)
class Force:
    """Can a player make sure of a statement, whatever the others do?

    ``strategy`` says how, or how the others prevent it; it is None where nobody needs to do
    anything. ``none``: there is no legal combat at all.
    """

    query: str
    player: str
    answer: Literal["yes", "no", "none"]
    strategy: Decision | None = None

    def to_json(self) -> dict[str, Any]:
        """The line of ``pysolver force --json``."""
        return {
            "query": self.query,
            "player": self.player,
            "answer": self.answer,
            "strategy": None if self.strategy is None else self.strategy.to_json(),
        }


@dataclass(frozen=True, slots=True)
class Best:
    """The best value of a number that a player can make sure of, whatever the others do.

    ``value`` is the largest, or with ``least`` the smallest; None where there is no legal combat.
    """

    query: str
    player: str
    least: bool
    value: int | None
    strategy: Decision | None = None

    def to_json(self) -> dict[str, Any]:
        """The line of ``pysolver best --json``."""
        return {
            "query": self.query,
            "player": self.player,
            "least": self.least,
            "value": self.value,
            "strategy": None if self.strategy is None else self.strategy.to_json(),
        }
