"""Creatures that are as good as each other, and declarations that differ only by them.

Two creatures are interchangeable if the scenario stays the same when they change places: they are
equal in everything but their names, nothing speaks of either by its name, and what the scenario
fixes treats them alike. Then every legal declaration stays legal when interchangeable creatures
change places, so that legal declarations fall into *patterns*. A pattern with many declarations is
told by one of them and by their number: of all ways to rename the creatures, those that change
nothing are counted, and the number of declarations is the quotient.

Declarations are compared as graphs. A creature is known by what it is and whom it attacks; who
blocks whom, and who is a member of which band, are the edges. A graph is taken apart until every
part is a single creature: where nothing else tells creatures apart, each of a few alike is tried as
the one to be named next.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from itertools import pairwise
from math import factorial, prod
from typing import Any, Generic, TypeAlias, TypeVar

from pysolver.results import Attack, BlockDeclaration
from pysolver.scenario.abilities import HasColor, HasType
from pysolver.scenario.facts import quoted
from pysolver.scenario.model import Creature, Scenario

__all__ = ["Pattern", "Symmetry", "interchangeable"]

D = TypeVar("D", Attack, BlockDeclaration)

#: A creature, or the number of a band; what is known of each; its edges, and what they mean.
Vertex: TypeAlias = "str | int"
Labels: TypeAlias = Mapping[Vertex, str]
Edges: TypeAlias = Mapping[Vertex, Mapping[Vertex, str]]


@dataclass(frozen=True, slots=True)
class Pattern(Generic[D]):
    """A declaration, and how many it stands for: those that differ by interchangeable creatures."""

    declaration: D
    stands_for: int

    def to_json(self) -> dict[str, Any]:
        """One line of ``--up-to-symmetry --json``."""
        return {**self.declaration.to_json(), "stands_for": self.stands_for}


def interchangeable(scenario: Scenario) -> tuple[tuple[str, ...], ...]:
    """The sets of two or more creatures that may all change places with each other."""
    named = set(_texts((scenario.effects, scenario.events, scenario.order, scenario.damage)))
    named.update(walker.name for walker in scenario.planeswalkers)
    named.update(battle.name for battle in scenario.battles)
    for creature in scenario.creatures:
        named.update(_texts(creature.abilities))
    alike: defaultdict[Any, list[str]] = defaultdict(list)
    for creature in scenario.creatures:
        if creature.name not in named:
            alike[_nature(creature), _part_played(creature.name, scenario)].append(creature.name)
    return tuple(tuple(names) for names in alike.values() if len(names) > 1)


def _texts(value: Any) -> Iterator[str]:
    """Every text within a value, but for the words of types and colors."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from _texts((*value.keys(), *value.values()))
    elif isinstance(value, tuple):
        for part in value:
            yield from _texts(part)
    elif is_dataclass(value) and not isinstance(value, HasType | HasColor):
        for field in fields(value):
            yield from _texts(getattr(value, field.name))


def _nature(creature: Creature) -> Creature:
    """All that a creature is, without its name and without an order."""
    return replace(
        creature,
        name="",
        abilities=tuple(sorted(creature.abilities, key=repr)),
        types=tuple(sorted(creature.types)),
        colors=tuple(sorted(creature.colors)),
        goaded_by=tuple(sorted(creature.goaded_by)),
    )


def _part_played(name: str, scenario: Scenario) -> tuple[Any, ...]:
    """What the fixed attack and the fixed blocks say of a creature."""
    attack, blocks = scenario.attack, scenario.blocks
    return (
        attack and attack.attackers.get(name),
        attack and next((band for band in attack.bands if name in band), None),
        blocks and frozenset(blocks.blocks.get(name, ())),
        blocks and frozenset(b for b, attackers in blocks.blocks.items() if name in attackers),
    )


class Symmetry:
    """The patterns of the declarations of one scenario."""

    def __init__(self, scenario: Scenario) -> None:
        self._classes = interchangeable(scenario)
        self._creatures = [creature.name for creature in scenario.creatures]
        self._kind = {name: f"{k}" for k, names in enumerate(self._classes) for name in names}
        self._renamings = prod(factorial(len(names)) for names in self._classes)

    def facts(self) -> str:
        """What ``fold.lp`` reads."""
        pairs = (
            f"interchangeable({quoted(name)},{quoted(other)})."
            for names in self._classes
            for name, other in pairwise(names)
        )
        places = (f"place({quoted(name)},{k})." for k, name in enumerate(self._creatures))
        return "\n".join((*pairs, *places))

    def pattern(self, declaration: Attack | BlockDeclaration) -> tuple[str, int]:
        """A text that all declarations of the pattern share and no other does; their number."""
        labels: dict[Vertex, str] = {}
        edges: defaultdict[Vertex, dict[Vertex, str]] = defaultdict(dict)
        fixed: list[str] = []

        def connect(left: Vertex, right: Vertex, meaning: str) -> None:
            """An edge; to a creature that has no double it is one more thing to know."""
            if left in labels and right in labels:
                edges[left][right] = edges[right][left] = edges[left].get(right, "") + meaning
            elif left in labels:
                labels[left] += f" {meaning} {right!r}"
            elif right in labels:
                labels[right] += f" {left!r} {meaning}"
            else:
                fixed.append(f"{left!r} {meaning} {right!r}")

        attack = declaration if isinstance(declaration, Attack) else declaration.attack
        attackers: Mapping[str, str] = attack.attackers if attack else {}
        labels.update({c: f"{kind} {attackers.get(c)!r}" for c, kind in self._kind.items()})
        fixed += (f"{c!r} > {t!r}" for c, t in attackers.items() if c not in labels)
        for number, band in enumerate(attack.bands if attack else ()):
            labels[number] = "band"
            for name in band:
                connect(number, name, "holds")
        if isinstance(declaration, BlockDeclaration):
            for blocker, blocked in sorted(declaration.blocks.blocks.items()):
                for attacker in blocked:
                    connect(blocker, attacker, "blocks")
            for attacker, blockers in sorted(declaration.blocked_by.items()):
                for blocker in blockers:
                    connect(blocker, attacker, "meets")
        name, same = _whole(labels, edges, 0)
        return f"{sorted(fixed)} {name}", self._renamings // same


def _whole(labels: Labels, edges: Edges, depth: int) -> tuple[str, int]:
    """A text for a graph up to renaming, and how many renamings of its vertices change nothing."""
    parts: list[tuple[str, int]] = []
    left = dict.fromkeys(labels)
    while left:
        reached = [next(iter(left))]
        for vertex in reached:
            if vertex in left:
                del left[vertex]
                reached += (other for other in edges.get(vertex, ()) if other in left)
        parts.append(_connected({name: labels[name] for name in reached}, edges, depth))
    times = Counter(name for name, _ in parts)
    same = prod(same for _, same in parts) * prod(map(factorial, times.values()))
    return "".join(f"{times[name]}[{name}]" for name in sorted(times)), same


def _connected(labels: Labels, edges: Edges, depth: int) -> tuple[str, int]:
    """The same for a graph in one piece: one of its vertices is named, and the rest follows."""
    if len(labels) == 1:
        return next(iter(labels.values())), 1
    near = {
        name: {other: how for other, how in edges[name].items() if other in labels}
        for name in labels
    }
    cells: defaultdict[str, list[Vertex]] = defaultdict(list)
    for name, around in near.items():
        seen = sorted((how, labels[other]) for other, how in around.items())
        cells[f"{labels[name]} {seen}"].append(name)
    cell = min(cells, key=lambda cell: (len(cells[cell]), cell))
    # Vertices with the same edges need to be tried only once.
    twins: defaultdict[frozenset[tuple[Vertex, str]], list[Vertex]] = defaultdict(list)
    for name in cells[cell]:
        twins[frozenset(near[name].items())].append(name)
    tried: list[tuple[str, int, int]] = []
    for chosen, *others in twins.values():
        rest = {name: label for name, label in labels.items() if name != chosen}
        for name, how in near[chosen].items():
            rest[name] += f" {depth}{how}"
        tried.append((*_whole(rest, near, depth + 1), 1 + len(others)))
    least, same, _ = min(tried)
    return f"{cell}({least})", same * sum(number for text, _, number in tried if text == least)
