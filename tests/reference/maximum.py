"""The maximum of requirements (508.1d, 509.1c), with costs that nobody has to pay (A-20)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, TypeVar

D = TypeVar("D")
Costs = frozenset[tuple[str, ...]]


class Maximum(Generic[D]):
    """The most requirements that a declaration of a list obeys, for each set of costs.

    A rival counts only if every cost that it pays is paid by the judged declaration as well.
    """

    def __init__(self, rivals: Iterable[tuple[int, Costs]]) -> None:
        self.best: dict[Costs, int] = {}
        for met, costs in rivals:
            self.best[costs] = max(met, self.best.get(costs, 0))

    def reached(self, met: int, costs: Costs) -> bool:
        """Whether no rival that counts obeys more."""
        return all(met >= best for paid, best in self.best.items() if paid <= costs)
