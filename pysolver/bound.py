"""An upper bound on the requirements that a declaration can obey, by a flow.

Every creature that is declared may be put somewhere: a blocker on an attacker, an attacker on
somebody to attack. Forget all restrictions but who may be put where, how often, and how many each
place takes; let a requirement that asks for n creatures at a place be obeyed in n parts. What can
be obeyed then is a flow of largest weight, found exactly by augmenting paths (weights fall along
each place and each creature, so the successive best paths are optimal: Ford and Fulkerson, "Flows
in Networks", 1962). Creatures and places of one kind are put together, so that large boards stay
small here.

The bound is close or exact on the boards that make a search explode (too many attackers that must
be blocked for too few blockers), so that a search begins where it ends.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from fractions import Fraction
from math import floor
from typing import Any, TypeAlias

__all__ = ["Placement", "upper_bound"]


@dataclass
class Placement:
    """What the bound looks at. Creatures and places are any hashable names.

    ``capacity`` is how many places a creature may take; ``own`` what it obeys by taking any;
    ``gains`` has an entry for each place that it may take: what it obeys there. ``asks`` lists for
    a place how many creatures each of its requirements takes; ``room`` is how many creatures it
    holds, ``total`` how many are placed in all (None: no limit).
    """

    capacity: dict[str, int] = field(default_factory=dict)
    own: dict[str, int] = field(default_factory=dict)
    gains: dict[tuple[str, str], int] = field(default_factory=dict)
    asks: dict[str, list[int]] = field(default_factory=dict)
    room: dict[str, int] = field(default_factory=dict)
    total: int | None = None


Node: TypeAlias = tuple[str, int]
SOURCE: Node = ("source", 0)
SINK: Node = ("sink", 0)


class _Network:
    """Arcs with capacities and weights, and the flow of largest weight from source to sink."""

    def __init__(self) -> None:
        self.ends: list[Node] = []
        self.free: list[int] = []
        self.weight: list[Fraction] = []
        self.out: defaultdict[Node, list[int]] = defaultdict(list)

    def arc(self, start: Node, end: Node, capacity: int, weight: Fraction) -> None:
        if capacity > 0:
            for node, to, free, sign in ((start, end, capacity, 1), (end, start, 0, -1)):
                self.out[node].append(len(self.ends))
                self.ends.append(to)
                self.free.append(free)
                self.weight.append(sign * weight)

    def best(self, limit: int | None) -> Fraction:
        total, sent = Fraction(0), 0
        while limit is None or sent < limit:
            value, path = self._path()
            if value <= 0:
                break
            amount = min(self.free[arc] for arc in path)
            if limit is not None:
                amount = min(amount, limit - sent)
            for arc in path:
                self.free[arc] -= amount
                self.free[arc ^ 1] += amount
            total += value * amount
            sent += amount
        return total

    def _path(self) -> tuple[Fraction, list[int]]:
        value: dict[Node, Fraction] = {SOURCE: Fraction(0)}
        via: dict[Node, int] = {}
        queue = [SOURCE]
        while queue:
            later: list[Node] = []
            for node in queue:
                for arc in self.out[node]:
                    end = self.ends[arc]
                    if self.free[arc] and (
                        end not in value or value[node] + self.weight[arc] > value[end]
                    ):
                        value[end] = value[node] + self.weight[arc]
                        via[end] = arc
                        later.append(end)
            queue = later
        if SINK not in value:
            return Fraction(0), []
        path, node = [], SINK
        while node != SOURCE:
            path.append(via[node])
            node = self.ends[via[node] ^ 1]
        return value[SINK], path


def upper_bound(placement: Placement) -> tuple[int, list[tuple[str, str]]]:
    """How many requirements are obeyed at most, and the placement that the flow suggests.

    The number is never too small. The suggestion, pairs of creature and place, is where to look
    first; it may break restrictions that the flow does not know.
    """
    gains: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for (creature, place), gain in placement.gains.items():
        gains[creature][place] = gain
    # Creatures of one kind obey the same everywhere.
    creatures: defaultdict[Any, list[str]] = defaultdict(list)
    for name, capacity in placement.capacity.items():
        if name in gains:
            own = placement.own.get(name, 0)
            creatures[capacity, own, frozenset(gains[name].items())].append(name)
    taken_by: defaultdict[str, dict[int, int]] = defaultdict(dict)
    for kind, (_, _, somewhere) in enumerate(creatures):
        for place, gain in somewhere:
            taken_by[place][kind] = gain
    # Places of one kind ask for the same and take the same creatures.
    places: defaultdict[Any, list[str]] = defaultdict(list)
    for place, kinds in taken_by.items():
        asks = tuple(sorted(placement.asks.get(place, ())))
        places[asks, placement.room.get(place), frozenset(kinds.items())].append(place)

    network = _Network()
    members = list(creatures.values())
    between: list[tuple[int, list[str], list[str]]] = []
    for kind, ((capacity, own, _), names) in enumerate(creatures.items()):
        network.arc(SOURCE, ("creatures", kind), len(names), Fraction(own))
        network.arc(SOURCE, ("creatures", kind), len(names) * (capacity - 1), Fraction(0))
    for k, ((asks, room, kinds), names) in enumerate(places.items()):
        node = ("places", k)
        for kind, gain in kinds:
            between.append((len(network.free), members[kind], names))
            pairs = len(members[kind]) * len(names)
            network.arc(("creatures", kind), node, pairs, Fraction(gain))
        held = sum(len(members[kind]) for kind, _ in kinds)
        held = held if room is None else min(held, room)
        asked = min(held, max(asks, default=0))
        for part in range(1, asked + 1):
            worth = sum((Fraction(1, ask) for ask in asks if ask >= part), Fraction(0))
            network.arc(node, SINK, len(names), worth)
        network.arc(node, SINK, len(names) * (held - asked), Fraction(0))
    value = floor(network.best(placement.total))
    amounts = [(network.free[arc + 1], some, there) for arc, some, there in between]
    return value, _suggested(amounts, placement)


def _suggested(
    amounts: list[tuple[int, list[str], list[str]]], placement: Placement
) -> list[tuple[str, str]]:
    """A flow between kinds, dealt out to creatures: one place is filled, then the next."""
    pairs: list[tuple[str, str]] = []
    left = dict(placement.capacity)
    wanting = {place: max(asks) for place, asks in placement.asks.items()}
    for amount, creatures, places in amounts:
        taken = 0
        for place in places:
            for creature in creatures:
                if taken == amount or (wanting.get(place, 1) <= 0 and place != places[-1]):
                    break
                if left[creature] and (creature, place) not in pairs:
                    pairs.append((creature, place))
                    left[creature] -= 1
                    wanting[place] = wanting.get(place, 1) - 1
                    taken += 1
    return pairs
