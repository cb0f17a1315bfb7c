"""The rules by slug, and the number that each had in each edition.

The table ``catalogue.json`` holds one rule a line: its slug, its number in the edition of
2026-09-25 (null where there is no such rule any more), the dates on which its number changed, and
the letter that a citation of a keyword adds.
"""

from __future__ import annotations

import datetime
import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

__all__ = ["Rule", "citation", "rules"]

CURRENT = datetime.date(2026, 9, 25)


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: its stable slug and its numbers, each with the day from which it held."""

    slug: str
    current: str | None
    numbers: tuple[tuple[datetime.date, str], ...]
    subrule: str

    def number(self, date: datetime.date) -> str | None:
        """The number in the edition in force on a day; None where there was no such rule."""
        if date >= CURRENT or not self.numbers:
            return None if self.current is None else self.current + self.subrule
        known = [number for start, number in self.numbers if start <= date]
        if not known or known[-1] == "-":
            return None
        return known[-1] + (self.subrule if known[-1] == self.current else "")


@lru_cache(maxsize=1)
def rules() -> dict[str, Rule]:
    """The whole catalogue, by slug."""
    rows = json.loads((Path(__file__).parent / "catalogue.json").read_text(encoding="utf-8"))
    return {
        row["slug"]: Rule(
            row["slug"],
            row["current"],
            tuple((datetime.date.fromisoformat(day), number) for day, number in row["numbers"]),
            row.get("subrule", ""),
        )
        for row in rows
    }


def citation(slug: str, date: datetime.date) -> str:
    """The number to cite for a slug on a day, such as ``702.22k``; "-" where there is none."""
    rule = rules().get(slug)
    return (rule.number(date) if rule else None) or "-"
