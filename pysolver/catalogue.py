"""The rules by slug: what each says, which number it had in each edition, where it is encoded.

The table ``catalogue.json`` holds one rule a line: its slug, its number in the edition of
2026-09-25 (null where there is no such rule any more), the dates on which its number changed, the
letter that a citation of a keyword adds, what the rule says in our own words, and an excuse where
no encoding states it. The encodings name the rules that they state in comments ``%# slug number``.
"""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

__all__ = ["Excuse", "ExcuseKind", "Place", "Rule", "citation", "encoded", "rules"]

CURRENT = datetime.date(2026, 9, 25)

#: ``out_of_scope``: not asked of this solver; ``implied``: it holds without a rule of its own, or
#: under another slug; ``planned``: it belongs into the encodings and is not there yet.
ExcuseKind: TypeAlias = Literal["out_of_scope", "implied", "planned"]


@dataclass(frozen=True, slots=True)
class Excuse:
    """Why no encoding states a rule."""

    kind: ExcuseKind
    reason: str

    def __str__(self) -> str:
        return f"{self.kind.replace('_', ' ')}: {self.reason}"


class Place(NamedTuple):
    """A line of an encoding."""

    file: str
    line: int
    number: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: its stable slug, what it says, and its numbers with the day from which each held."""

    slug: str
    current: str | None
    numbers: tuple[tuple[datetime.date, str | None], ...]
    subrule: str
    paraphrase: str
    excuse: Excuse | None

    def number(self, date: datetime.date) -> str | None:
        """The number in the edition in force on a day.

        None where there was no such rule, or where it is not known which number it had.
        """
        if date >= CURRENT:
            return None if self.current is None else self.current + self.subrule
        known = [number for start, number in self.numbers if start <= date]
        if not known or known[-1] is None:
            return None
        return known[-1] + (self.subrule if known[-1] == self.current else "")


@lru_cache(maxsize=1)
def rules() -> Mapping[str, Rule]:
    """The whole catalogue, by slug."""
    rows = json.loads((Path(__file__).parent / "catalogue.json").read_text(encoding="utf-8"))
    return {
        row["slug"]: Rule(
            row["slug"],
            row["current"],
            tuple((datetime.date.fromisoformat(day), number) for day, number in row["numbers"]),
            row.get("subrule", ""),
            row["paraphrase"],
            next((Excuse(*excuse) for excuse in row.get("excuse", {}).items()), None),
        )
        for row in rows
    }


_SLUG = re.compile(r"^%# ([a-z0-9_.]+) (\d\S*)$")


@lru_cache(maxsize=1)
def encoded() -> Mapping[str, tuple[Place, ...]]:
    """Where the encodings state each rule that they state, in the order of the combat phase."""
    from pysolver.solver import _root  # what is imported there takes time

    root = _root()
    found: dict[str, list[Place]] = {}
    for path in sorted(root.rglob("*.lp")):
        name = path.relative_to(root).as_posix()
        for line, text in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if match := _SLUG.match(text):
                found.setdefault(match[1], []).append(Place(name, line, match[2]))
    return {slug: tuple(places) for slug, places in found.items()}


def citation(slug: str, date: datetime.date) -> str:
    """The number to cite for a slug on a day, such as ``702.22k``; "-" where there is none."""
    rule = rules().get(slug)
    return (rule.number(date) if rule else None) or "-"
