"""What creatures can do, as data: abilities and the filters that they speak of.

An :class:`Ability` is a kind and its arguments; the phrases that are read into abilities stand in
:mod:`pysolver.scenario.phrases`, the rules that give them meaning in the encodings.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

__all__ = [
    "Ability",
    "AllOf",
    "AnyOf",
    "Anything",
    "Argument",
    "ControlledBy",
    "Filter",
    "HasColor",
    "HasType",
    "Named",
    "Not",
    "PowerAtLeast",
    "PowerAtMost",
    "WithAbility",
]


@dataclass(frozen=True, slots=True)
class Anything:
    """Every creature: ``creatures``, ``everything``."""


@dataclass(frozen=True, slots=True)
class HasType:
    """Creatures with a word in their type line; ``word`` is lower case and singular."""

    word: str


@dataclass(frozen=True, slots=True)
class HasColor:
    """Creatures of a color."""

    color: Literal["white", "blue", "black", "red", "green", "colorless", "multicolored"]


@dataclass(frozen=True, slots=True)
class WithAbility:
    """Creatures that have an ability of this kind: ``creatures with flying``."""

    ability: Ability


@dataclass(frozen=True, slots=True)
class PowerAtLeast:
    """``power N or greater``."""

    amount: int


@dataclass(frozen=True, slots=True)
class PowerAtMost:
    """``power N or less``."""

    amount: int


@dataclass(frozen=True, slots=True)
class Named:
    """One permanent of the scenario by its name, or every creature whose card is named so."""

    name: str


@dataclass(frozen=True, slots=True)
class ControlledBy:
    """Creatures that a player controls: ``protection from ann``, ``ann's creatures``."""

    player: str


@dataclass(frozen=True, slots=True)
class AllOf:
    """Creatures that both filters match."""

    left: Filter
    right: Filter


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Creatures that one of the filters matches, or both."""

    left: Filter
    right: Filter


@dataclass(frozen=True, slots=True)
class Not:
    """Creatures that the filter does not match: ``non-wall``."""

    inner: Filter


Filter: TypeAlias = (
    Anything
    | HasType
    | HasColor
    | WithAbility
    | PowerAtLeast
    | PowerAtMost
    | Named
    | ControlledBy
    | AllOf
    | AnyOf
    | Not
)

Argument: TypeAlias = int | str | Filter


@dataclass(frozen=True, slots=True)
class Ability:
    """A keyword or phrase: its kind and its arguments, in the order of the phrase.

    ``Ability("banding")``, ``Ability("rampage", (2,))``,
    ``Ability("bands_with_other", (HasType("wolf"),))``.
    """

    kind: str
    args: tuple[Argument, ...] = ()
