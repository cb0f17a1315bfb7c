"""The table of all rules: where each is encoded, why it is not, and which tests touch it.

Tests are counted where the folder ``tests`` is there, beside the package in a checkout: a case of
``tests/conformance`` touches the rules whose numbers it lists and whose slugs it expects to be
violated; ``tests/exercised.yaml`` names a property for the rules that no case is about.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from pysolver.catalogue import Excuse, Place, Rule, encoded, rules
from pysolver.render import cells
from pysolver.scenario.model import Edition

__all__ = ["Entry", "Touched", "entries", "holes", "summary", "tested"]


@dataclass(frozen=True, slots=True)
class Touched:
    """What touches the rules, by slug."""

    cases: Mapping[str, tuple[str, ...]]
    properties: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the table; ``cases`` is None where the tests are not there to be counted."""

    slug: str
    rule: str | None
    paraphrase: str
    encoded: tuple[Place, ...]
    excuse: Excuse | None
    cases: tuple[str, ...] | None
    property: str | None
    hole: str | None

    def to_json(self) -> dict[str, Any]:
        """The line of ``pysolver rules --json``."""
        line: dict[str, Any] = {
            "slug": self.slug,
            "rule": self.rule,
            "paraphrase": self.paraphrase,
            "encoded": [str(place) for place in self.encoded],
        }
        if self.excuse is not None and not self.encoded:
            line[self.excuse.kind] = self.excuse.reason
        if self.cases is not None:
            line["cases"] = list(self.cases)
            if self.property is not None:
                line["property"] = self.property
        if self.hole is not None:
            line["hole"] = self.hole
        return line


@cells.register
def _(result: Entry) -> dict[str, str]:
    where = "\n".join(map(str, result.encoded)) or str(result.excuse or "nowhere")
    return {
        "slug": result.slug,
        "rule": result.rule or "-",
        "says": result.paraphrase,
        "where": where,
        "cases": "" if result.cases is None else str(len(result.cases)),
        "property": result.property or "",
        "missing": result.hole or "",
    }


#: What can be missing, the first so bad that the command fails.
MISSING = "neither encoded nor excused"
UNTESTED = "encoded, but neither a case nor a property is about it"
STALE = "encoded, and excused all the same"


def entries(edition: Edition, slug: str | None = None) -> Iterator[Entry]:
    """The table, or the part of it that is about a slug and what is below it."""
    places, touched = encoded(), tested()
    for rule in rules().values():
        if slug is None or rule.slug == slug or rule.slug.startswith(f"{slug}."):
            yield _entry(rule, edition, places.get(rule.slug, ()), touched)


def holes(edition: Edition, slug: str | None = None) -> Iterator[Entry]:
    """The lines of the table in which something is missing."""
    return (entry for entry in entries(edition, slug) if entry.hole is not None)


def summary() -> str:
    """How many rules there are, and what has become of them."""
    known, places = rules(), encoded()
    counts = {"encoded": sum(slug in places for slug in known)}
    for slug, rule in known.items():
        if slug not in places:
            kind = rule.excuse.kind.replace("_", " ") if rule.excuse else MISSING
            counts[kind] = counts.get(kind, 0) + 1
    return f"{len(known)} rules: " + ", ".join(f"{n} {kind}" for kind, n in counts.items())


def _entry(
    rule: Rule, edition: Edition, places: tuple[Place, ...], touched: Touched | None
) -> Entry:
    cases = None if touched is None else touched.cases.get(rule.slug, ())
    tested_by = None if touched is None else touched.properties.get(rule.slug)
    hole = None
    if not places and rule.excuse is None:
        hole = MISSING
    elif places and cases == () and tested_by is None:
        hole = UNTESTED
    elif places and rule.excuse is not None:
        hole = STALE
    number = rule.number(edition.date)
    return Entry(rule.slug, number, rule.paraphrase, places, rule.excuse, cases, tested_by, hole)


@lru_cache(maxsize=1)
def tested() -> Touched | None:
    """What the tests beside the package touch; None where they are not there."""
    root = Path(__file__).parents[1] / "tests"
    folder, properties = root / "conformance", root / "exercised.yaml"
    if not folder.is_dir() or not properties.is_file():
        return None
    touched: dict[str, list[str]] = {}
    for path in sorted(folder.rglob("*.yaml")):
        document = _read(path)
        slugs = set(_violations(document))
        for number in document.get("rules", ()):
            slugs |= _about(number)
        for slug in slugs:
            touched.setdefault(slug, []).append(path.relative_to(folder).as_posix())
    cases = {slug: tuple(paths) for slug, paths in touched.items()}
    return Touched(cases, {slug: str(test) for slug, test in _read(properties).items()})


def _read(path: Path) -> dict[str, Any]:
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # every scalar is a text
    read = yaml.load(path.read_text(encoding="utf-8"), Loader=loader)
    return read if isinstance(read, dict) else {}


def _violations(document: Any) -> Iterator[str]:
    """Every slug that some promise of a case expects to be violated."""
    if isinstance(document, dict):
        for key, value in document.items():
            if key == "violations" and isinstance(value, list):
                yield from value
            else:
                yield from _violations(value)


def _about(number: str) -> frozenset[str]:
    """The rules that a number of the current edition cites, or whose part it cites."""
    known = _numbers()
    return known.get(number) or known.get(number.rstrip("abcdefghijklmnopqrstuvwxyz"), frozenset())


@lru_cache(maxsize=1)
def _numbers() -> Mapping[str, frozenset[str]]:
    """The slugs of each number of the current edition."""
    known: dict[str, set[str]] = {}
    for slug, rule in rules().items():
        if rule.current is not None:
            numbers = {rule.current, rule.current + rule.subrule}
            numbers |= {place.number for place in encoded().get(slug, ())}
            for number in numbers:
                known.setdefault(number, set()).add(slug)
    return {number: frozenset(slugs) for number, slugs in known.items()}
