"""The solver as a library: a combat that can be asked, the same questions as the commands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from pysolver import questions
from pysolver.frozen import FrozenDict
from pysolver.questions import Declarations, Listing
from pysolver.results import (
    Answer,
    Attack,
    AuthorityLine,
    Best,
    BlockDeclaration,
    Blocks,
    Damage,
    Explanation,
    Force,
    History,
    Outcome,
    Verdict,
)
from pysolver.scenario import check_scenario
from pysolver.scenario import load as load_scenario
from pysolver.scenario import loads as loads_scenario
from pysolver.scenario.facts import facts
from pysolver.scenario.model import Scenario, Step

__all__ = ["Combat", "load", "loads"]


@dataclass(frozen=True)
class Combat:
    """A scenario that can be asked. Immutable: ``with_attack`` and the others give a new one.

    Listings are lazy: they can be iterated, counted (``count()``), sampled and asked for an item
    (``in``), and are solved only then.
    """

    scenario: Scenario

    def with_attack(
        self, attack: Attack | Mapping[str, str], bands: Iterable[Iterable[str]] = ()
    ) -> Combat:
        """The same board with this attack fixed: who attacks whom, and the bands."""
        if not isinstance(attack, Attack):
            groups = sorted(tuple(sorted(band)) for band in bands)
            attack = Attack(FrozenDict(attack), tuple(band for band in groups if len(band) > 1))
        return self._fixed(attack=attack)

    def with_blocks(
        self, blocks: BlockDeclaration | Blocks | Mapping[str, Iterable[str]]
    ) -> Combat:
        """The same board with these declared blocks fixed: blocker to attackers."""
        if isinstance(blocks, BlockDeclaration):
            blocks = blocks.blocks
        if not isinstance(blocks, Blocks):
            blocks = Blocks(FrozenDict((name, tuple(sorted(blocks[name]))) for name in blocks))
        return self._fixed(blocks=blocks)

    def with_damage(
        self, damage: Damage | Mapping[Step, Mapping[str, Mapping[str, int]]]
    ) -> Combat:
        """The same board with this damage fixed: step, source, recipient, amount."""
        if not isinstance(damage, Damage):
            damage = Damage(
                FrozenDict(
                    (step, FrozenDict((name, FrozenDict(split)) for name, split in sources.items()))
                    for step, sources in damage.items()
                )
            )
        return self._fixed(damage=damage)

    def _fixed(self, **parts: Attack | Blocks | Damage) -> Combat:
        changed = replace(self.scenario, **parts)  # type: ignore[arg-type]
        check_scenario(changed)
        return Combat(changed)

    def attacks(self) -> Declarations[Attack]:
        """Every legal attack; see :func:`pysolver.questions.attacks`."""
        return questions.attacks(self.scenario)

    def blocks(self, *, each_attack: bool = False) -> Declarations[BlockDeclaration]:
        """Every legal block; see :func:`pysolver.questions.blocks`."""
        return questions.blocks(self.scenario, each_attack=each_attack)

    def authority(self) -> Listing[AuthorityLine]:
        """Who divides whose damage; see :func:`pysolver.questions.authority`."""
        return questions.authority(self.scenario)

    def damage(self) -> Listing[Damage]:
        """Every legal assignment of damage; see :func:`pysolver.questions.damage`."""
        return questions.damage(self.scenario)

    def outcomes(self, *, witness: bool = False) -> Listing[Outcome]:
        """Every distinct result; see :func:`pysolver.questions.outcomes`."""
        return questions.outcomes(self.scenario, witness=witness)

    def histories(self) -> Listing[History]:
        """Every complete combat; see :func:`pysolver.questions.histories`."""
        return questions.histories(self.scenario)

    def check(self) -> Verdict:
        """Is what is fixed legal? See :func:`pysolver.questions.check`."""
        return questions.check(self.scenario)

    def ask(self, query: str) -> Answer:
        """Does a statement hold always, sometimes, never? See :func:`pysolver.questions.ask`."""
        return questions.ask(self.scenario, query)

    def explain(self, query: str) -> Explanation:
        """Why does a statement hold, or why not? See :func:`pysolver.questions.explain`."""
        return questions.explain(self.scenario, query)

    def force(self, player: str, query: str) -> Force:
        """Can a player make sure of a statement? See :func:`pysolver.questions.force`."""
        return questions.force(self.scenario, player, query)

    def best(self, player: str, query: str, *, least: bool = False) -> Best:
        """The best number that a player can make sure of; see :func:`pysolver.questions.best`."""
        return questions.best(self.scenario, player, query, least=least)

    def facts(self) -> str:
        """The scenario as ASP facts."""
        return facts(self.scenario)


def load(source: str | Path) -> Combat:
    """Read a scenario from a file; raises :class:`pysolver.ScenarioError`."""
    return Combat(load_scenario(source))


def loads(text: str) -> Combat:
    """Read a scenario from a text; raises :class:`pysolver.ScenarioError`."""
    return Combat(loads_scenario(text))
