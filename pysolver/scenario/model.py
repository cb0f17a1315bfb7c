"""The scenario: one combat phase as immutable data, after validation.

Nothing here reads files or knows the solver. The same shapes (:class:`Attack`, :class:`Blocks`,
:class:`Damage`) are what a scenario fixes and what a listing yields.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from pysolver.frozen import FrozenDict
from pysolver.scenario.abilities import Ability, Filter

__all__ = [
    "AllAttack",
    "Attack",
    "AttackTax",
    "Battle",
    "Blocks",
    "Creature",
    "Damage",
    "DamageChooser",
    "Edition",
    "Effect",
    "Event",
    "Gives",
    "MaxAttackers",
    "MaxBlockers",
    "MustAttackWith",
    "Planeswalker",
    "Player",
    "Point",
    "Scenario",
    "Step",
    "Team",
    "Variant",
]

Variant: TypeAlias = Literal[
    "two-player", "attack-multiple", "attack-left", "attack-right", "two-headed-giant"
]
Step: TypeAlias = Literal["first-strike", "regular"]
Point: TypeAlias = Literal["attackers", "blockers", "damage-assigned", "first-strike", "end"]


@dataclass(frozen=True, slots=True)
class Edition:
    """The rules in force: the name or date as written, and the day it means."""

    label: str
    date: datetime.date


@dataclass(frozen=True, slots=True)
class Player:
    """A player, in turn order. ``lands`` holds one tuple of words for each entry."""

    name: str
    life: int = 20
    team: str | None = None
    lands: tuple[tuple[str, ...], ...] = ()
    mana: int = 0
    poison: int = 0


@dataclass(frozen=True, slots=True)
class Team:
    """A team that shares its turns and its life total (810)."""

    name: str
    life: int = 30


@dataclass(frozen=True, slots=True)
class Creature:
    """A creature as attackers are about to be declared."""

    name: str
    controller: str
    power: int
    toughness: int
    abilities: tuple[Ability, ...] = ()
    types: tuple[str, ...] = ()
    colors: tuple[str, ...] = ()
    damage: int = 0
    tapped: bool = False
    sick: bool = False
    shields: int = 0
    goaded_by: tuple[str, ...] = ()
    named: str | None = None


@dataclass(frozen=True, slots=True)
class Planeswalker:
    """A planeswalker that may be attacked; one of the same name may be a creature too."""

    name: str
    controller: str
    loyalty: int


@dataclass(frozen=True, slots=True)
class Battle:
    """A battle; its protector defends it (310.9)."""

    name: str
    controller: str
    protector: str
    defense: int


@dataclass(frozen=True, slots=True)
class AttackTax:
    """Each creature that attacks ``protects`` (or his planeswalkers) costs ``mana``."""

    protects: str
    mana: int
    planeswalkers: bool = False


@dataclass(frozen=True, slots=True)
class MaxAttackers:
    """At most ``count`` creatures attack, in total or ``attacking`` one player."""

    count: int
    attacking: str | None = None


@dataclass(frozen=True, slots=True)
class MaxBlockers:
    """At most ``count`` creatures of each defending player (or team) block."""

    count: int


@dataclass(frozen=True, slots=True)
class AllAttack:
    """Every creature of ``controller`` attacks each combat if able."""

    controller: str


@dataclass(frozen=True, slots=True)
class Gives:
    """Creatures that match ``to`` have ``abilities``, for as long as they match."""

    to: Filter
    abilities: tuple[Ability, ...]


@dataclass(frozen=True, slots=True)
class MustAttackWith:
    """The attacking player attacks ``defender`` with at least ``count`` creatures if able."""

    defender: str
    count: int
    planeswalkers: bool = False


@dataclass(frozen=True, slots=True)
class DamageChooser:
    """``by`` divides the damage of creatures ``attacking`` someone, or of all ``of`` a side."""

    of: Literal["attackers", "blockers"]
    by: str
    attacking: str | None = None


Effect: TypeAlias = (
    AttackTax | MaxAttackers | MaxBlockers | AllAttack | Gives | MustAttackWith | DamageChooser
)


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happens between the turn-based actions.

    ``operation`` is the key of the document (``remove``, ``put-attacking``, ...), ``subject`` the
    permanent it happens to, ``details`` its other arguments under the document's names:
    ``amount``, ``power``, ``toughness``, ``ability``, ``type``, ``to``, ``by``, ``target``,
    ``attacker``. ``may`` is the player who decides whether it happens.
    """

    at: Point
    operation: str
    subject: str
    details: FrozenDict[str, int | str | Ability] = field(default_factory=FrozenDict)
    may: str | None = None


@dataclass(frozen=True, slots=True)
class Attack:
    """A declaration of attackers: whom each attacks, and the bands (508.1, 702.22c)."""

    attackers: FrozenDict[str, str] = field(default_factory=FrozenDict)
    bands: tuple[tuple[str, ...], ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The document's shape, members and bands sorted."""
        return {
            "attackers": {name: self.attackers[name] for name in sorted(self.attackers)},
            "bands": [list(band) for band in self.bands],
        }


@dataclass(frozen=True, slots=True)
class Blocks:
    """A declaration of blockers: the attackers each one is *declared* to block (509.1)."""

    blocks: FrozenDict[str, tuple[str, ...]] = field(default_factory=FrozenDict)

    def to_json(self) -> dict[str, Any]:
        """The document's shape."""
        return {name: list(self.blocks[name]) for name in sorted(self.blocks)}


@dataclass(frozen=True, slots=True)
class Damage:
    """An assignment of combat damage: step, source, recipient, amount (510.1)."""

    steps: FrozenDict[Step, FrozenDict[str, FrozenDict[str, int]]] = field(
        default_factory=FrozenDict
    )

    def to_json(self) -> dict[str, Any]:
        """The document's shape."""
        return {
            step: {
                source: {name: split[name] for name in sorted(split)}
                for source, split in sorted(sources.items())
            }
            for step, sources in self.steps.items()
        }


@dataclass(frozen=True, slots=True)
class Scenario:
    """One combat phase: the board, and as much of the combat as its author wants to fix.

    ``attack``, ``blocks``, ``damage`` and ``order`` are ``None`` where they are left open.
    """

    title: str
    edition: Edition
    readings: FrozenDict[str, str]
    variant: Variant
    players: tuple[Player, ...]
    active: str
    creatures: tuple[Creature, ...]
    teams: tuple[Team, ...] = ()
    planeswalkers: tuple[Planeswalker, ...] = ()
    battles: tuple[Battle, ...] = ()
    effects: tuple[Effect, ...] = ()
    attack: Attack | None = None
    order: FrozenDict[str, tuple[str, ...]] | None = None
    blocks: Blocks | None = None
    damage: Damage | None = None
    events: tuple[Event, ...] = ()
