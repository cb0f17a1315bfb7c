"""Conformance cases: scenarios with promises, and whether the solver keeps them.

A case is a scenario with ``expect``, or with ``expect_by_reading``: then each value of a reading is
a run of its own. Each promise is a small function that yields what is broken.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, TypeAlias

from pysolver import questions
from pysolver.errors import NotCovered, PysolverError, ScenarioError
from pysolver.output import visible
from pysolver.questions import Listing
from pysolver.results import Outcome, Verdict
from pysolver.scenario import build_scenario, read_document
from pysolver.scenario.model import Attack, Damage, Scenario

__all__ = ["Broken", "CaseError", "Report", "Tally", "case_files", "run_file"]

Result: TypeAlias = Literal["kept", "broken", "not covered", "malformed"]

SUFFIXES = frozenset({".yaml", ".yml", ".json"})

FIRST = 5
"""How many missing or unexpected items are shown."""


class CaseError(PysolverError):
    """A file that is not a conformance case, or a promise that cannot be read."""


@dataclass(frozen=True, slots=True)
class Broken:
    """A promise that was not kept."""

    promise: str
    expected: Any
    got: Any

    def to_json(self) -> dict[str, Any]:
        """Part of a line of ``pysolver conform --json``."""
        return {"promise": self.promise, "expected": self.expected, "got": self.got}

    def __str__(self) -> str:
        return f"{self.promise}: expected {_short(self.expected)}, got {_short(self.got)}"


@dataclass(frozen=True, slots=True)
class Report:
    """How one run of one case ended.

    ``word`` is what the encodings do not cover, ``message`` why a file is not a case.
    """

    case: str
    result: Result
    reading: tuple[str, str] | None = None
    broken: tuple[Broken, ...] = ()
    word: str | None = None
    message: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The line of ``pysolver conform --json``."""
        line: dict[str, Any] = {"case": self.case, "result": self.result}
        if self.reading is not None:
            line["reading"] = dict([self.reading])
        if self.broken:
            line["broken"] = [broken.to_json() for broken in self.broken]
        if self.word is not None:
            line["word"] = self.word
        if self.message is not None:
            line["message"] = self.message
        return line

    def __str__(self) -> str:
        reading = f" [{self.reading[0]}: {self.reading[1]}]" if self.reading else ""
        why = f": {visible(self.word or self.message or '')}" if self.word or self.message else ""
        return "\n".join(
            [
                f"{self.result:<12}{visible(self.case)}{reading}{why}",
                *(f"    {visible(str(broken))}" for broken in self.broken),
            ]
        )


@dataclass
class Tally:
    """How many runs ended how, and which words were missing."""

    results: dict[str, int] = field(
        default_factory=lambda: dict.fromkeys(("kept", "broken", "not covered", "malformed"), 0)
    )
    words: dict[str, int] = field(default_factory=dict)

    def add(self, report: Report) -> None:
        """Count a run."""
        self.results[report.result] += 1
        if report.word is not None:
            self.words[report.word] = self.words.get(report.word, 0) + 1

    def exit_code(self, *, skip_unknown: bool) -> int:
        """2 where a file is no case; 1 where a promise is broken, or one could not be tried."""
        if self.results["malformed"]:
            return 2
        missing = self.results["not covered"] and not skip_unknown
        return 1 if self.results["broken"] or missing else 0

    def __str__(self) -> str:
        counts = ", ".join(f"{number} {result}" for result, number in self.results.items())
        if not self.words:
            return counts
        words = sorted(self.words, key=lambda word: (-self.words[word], word))
        return f"{counts}\nnot covered: " + ", ".join(
            f"{visible(word)} ({self.words[word]})" for word in words
        )


def case_files(paths: Iterable[str]) -> list[str]:
    """The files named, and those below the directories named; each once."""
    files: dict[str, None] = {}
    for path in paths:
        if path == "-" or not Path(path).is_dir():
            files[path] = None
            continue
        below = sorted(str(file) for file in Path(path).rglob("*") if file.suffix in SUFFIXES)
        if not below:
            raise CaseError(f"{path}: no case in this directory (.yaml, .yml or .json)")
        files.update(dict.fromkeys(below))
    return list(files)


def run_file(path: str) -> Iterator[Report]:
    """Run a case, once for each reading that it speaks of."""
    try:
        document = read_document(path)
        runs = list(_runs(document.data))
    except (PysolverError, OSError) as failure:
        yield Report(path, "malformed", message=_message(failure))
        return
    for reading, promises in runs:
        yield _run(path, document, reading, promises)


def _runs(data: Mapping[str, Any]) -> Iterator[tuple[tuple[str, str] | None, Any]]:
    """The runs of a case: the reading, if it matters, and the promises."""
    if ("expect" in data) == ("expect_by_reading" in data):
        raise CaseError('a case has either "expect" or "expect_by_reading"')
    if "expect" in data:
        yield None, _promises(data["expect"], "expect")
        return
    for switch, values in _mapping(data["expect_by_reading"], "expect_by_reading").items():
        for value, promises in _mapping(values, f"expect_by_reading.{switch}").items():
            place = f"expect_by_reading.{switch}.{value}"
            yield (switch, value), _promises(promises, place)


def _promises(data: Any, place: str) -> Mapping[str, Any]:
    promises = _mapping(data, place)
    if not promises:
        raise CaseError(f"{place}: promises nothing")
    for name in promises:
        if name != "error" and name not in PROMISES:
            raise CaseError(f"{place}.{name}: there is no such promise")
    if "error" in promises and len(promises) > 1:
        raise CaseError(f"{place}.error: what is refused cannot promise anything else")
    return promises


def _run(
    path: str, document: Any, reading: tuple[str, str] | None, promises: Mapping[str, Any]
) -> Report:
    try:
        readings = dict([reading]) if reading else {}
        if "error" in promises:
            broken = list(_refused(document, readings, promises["error"]))
        else:
            case = _Case(build_scenario(document, readings=readings))
            broken = [
                fault
                for name, expected in promises.items()
                for fault in PROMISES[name](case, expected)
            ]
    except NotCovered as missing:
        return Report(path, "not covered", reading, word=missing.word)
    except PysolverError as failure:
        return Report(path, "malformed", reading, message=_message(failure))
    except Exception as failure:  # a fault of the solver: it is reported, and the others still run
        broken = [Broken("to be answered", "an answer", f"{type(failure).__name__}: {failure}")]
    return Report(path, "broken" if broken else "kept", reading, tuple(broken))


def _refused(document: Any, readings: dict[str, str], path: Any) -> Iterator[Broken]:
    try:
        build_scenario(document, readings=readings)
    except ScenarioError as refusal:
        paths = [problem.path for problem in refusal.problems]
        if path not in paths:
            yield Broken("error", path, paths)
    else:
        yield Broken("error", path, "accepted")


@dataclass(frozen=True)
class _Case:
    """The scenario of a case; what several promises ask is answered once."""

    scenario: Scenario

    @cached_property
    def verdict(self) -> Verdict:
        return questions.check(self.scenario)


# Promises about listings -----------------------------------------------------------------


Item: TypeAlias = dict[str, Any]
Same: TypeAlias = Callable[[Item, Item], bool]


def _alike(item: Item, result: Item) -> bool:
    return item == result


def _agrees(item: Item, result: Item) -> bool:
    """Does an outcome have what the item names?"""
    return all(result.get(key, {}) == value for key, value in item.items())


def _whole_or_agrees(item: Item, result: Item) -> bool:
    """An item that names all that is always printed stands for the whole outcome."""
    return item == result if item.keys() >= WHOLE else _agrees(item, result)


WHOLE = {"died", "regenerated", "life"}


@dataclass(frozen=True)
class _Shape:
    """A listing, and how its items are compared: promised ones (``read``) with results (``got``).

    ``within`` decides for ``includes`` and ``excludes``, ``same`` for ``equals``.
    """

    ask: Callable[[Scenario], Listing[Any]]
    read: Callable[[Any, str], Item]
    got: Callable[[Any], Item]
    within: Same = _alike
    same: Same = _alike


def _listing(name: str, shape: _Shape) -> Callable[[_Case, Any], Iterator[Broken]]:
    """The promise about a listing."""

    def promise(case: _Case, promised: Any) -> Iterator[Broken]:
        wanted = _mapping(promised, name)
        count, items = _wanted(name, shape, wanted)
        listing = shape.ask(case.scenario)
        illegal = _illegal(listing.problem)
        results = [shape.got(result) for result in listing] if items else []
        number = len(results) if items else listing.count()
        if count is not None and count != number:
            yield Broken(f"{name}.count", count, illegal or number)
        for key, chosen in items.items():
            for expected, got in COMPARE[key](shape, chosen, results):
                yield Broken(f"{name}.{key}", expected, illegal or got)

    return promise


def _wanted(
    name: str, shape: _Shape, wanted: Mapping[str, Any]
) -> tuple[int | None, dict[str, list[Item]]]:
    """The count, and the items under each other key."""
    count = None
    items: dict[str, list[Item]] = {}
    for key, value in wanted.items():
        place = f"{name}.{key}"
        if key == "count":
            count = _natural(value, place)
        elif key in COMPARE:
            listed = enumerate(_sequence(value, place))
            items[key] = [shape.read(item, f"{place}.{number}") for number, item in listed]
        else:
            raise CaseError(f"{place}: there is no such promise")
    if not wanted:
        raise CaseError(f"{name}: promises nothing")
    return count, items


Fault: TypeAlias = tuple[Any, Any]


def _includes(shape: _Shape, chosen: list[Item], results: list[Item]) -> Iterator[Fault]:
    for item in chosen:
        if not any(shape.within(item, result) for result in results):
            yield item, f"not among {len(results)}"


def _excludes(shape: _Shape, chosen: list[Item], results: list[Item]) -> Iterator[Fault]:
    for item in chosen:
        for result in results:
            if shape.within(item, result):
                yield {"none like": item}, result
                break


def _equals(shape: _Shape, chosen: list[Item], results: list[Item]) -> Iterator[Fault]:
    missing = [item for item in chosen if not any(shape.same(item, got) for got in results)]
    beside = [got for got in results if not any(shape.same(item, got) for item in chosen)]
    if missing or beside:
        yield (
            {"number": len(chosen), "missing": missing[:FIRST]},
            {"number": len(results), "unexpected": beside[:FIRST]},
        )


COMPARE = {"includes": _includes, "excludes": _excludes, "equals": _equals}


def _illegal(problem: Verdict | None) -> str | None:
    if problem is None:
        return None
    return "what is fixed is illegal: " + ", ".join(
        f"{violation.rule} {violation.slug}" for violation in problem.violations
    )


def _read_attack(item: Any, place: str) -> Item:
    data = _mapping(item, place)
    _known(data, {"attackers", "bands"}, place)
    bands = [sorted(band) for band in _sequence(data.get("bands", []), f"{place}.bands")]
    return {
        "attackers": dict(_mapping(data.get("attackers"), f"{place}.attackers")),
        "bands": sorted(band for band in bands if len(band) > 1),
    }


def _read_blocks(item: Any, place: str) -> Item:
    return {
        name: sorted(chosen)
        for name, chosen in _mapping(item, place).items()
        if _sequence(chosen, f"{place}.{name}")
    }


def _read_damage(item: Any, place: str) -> Item:
    steps: Item = {}
    for step, sources in _mapping(item, place).items():
        splits = {
            source: {
                name: amount
                for name, amount in _mapping(split, f"{place}.{step}.{source}").items()
                if amount
            }
            for source, split in _mapping(sources, f"{place}.{step}").items()
        }
        steps[step] = {source: split for source, split in splits.items() if split}
    return steps


def _read_outcome(item: Any, place: str) -> Item:
    data = _mapping(item, place)
    _known(data, {*WHOLE, "poison", "loyalty", "defense", "counters"}, place)
    return {
        key: sorted(_sequence(value, f"{place}.{key}"))
        if key in {"died", "regenerated"}
        else _mapping(value, f"{place}.{key}")
        for key, value in data.items()
    }


# The other promises ----------------------------------------------------------------------


def _blocked_by(case: _Case, promised: Any) -> Iterator[Broken]:
    _fixed(case.scenario, "blocked_by")
    expected = _read_blocks(promised, "blocked_by")
    lines = questions.blocks(case.scenario)
    got = [line.to_json()["blocked_by"] for line in lines]
    if any(line != expected for line in got) or not got:
        yield Broken("blocked_by", expected, _illegal(lines.problem) or got[:FIRST])


def _unblocked(case: _Case, promised: Any) -> Iterator[Broken]:
    scenario = case.scenario
    _fixed(scenario, "unblocked")
    expected = sorted(_sequence(promised, "unblocked"))
    # Whether a creature is blocked changes by events only; without the later ones a statement
    # about the damage step speaks of the moment after the declaration.
    before = tuple(event for event in scenario.events if event.at == "attackers")
    then = replace(scenario, events=before, damage=None)
    arrived = {event.subject for event in before if event.operation == "put-attacking"}
    attackers = set(scenario.attack.attackers if scenario.attack else ()) | arrived
    got = [name for name in sorted(attackers) if _holds(then, f"unblocked({_quoted(name)})")]
    if got != expected:
        illegal = None if got else _illegal(questions.blocks(scenario).problem)
        yield Broken("unblocked", expected, illegal or got)


def _holds(scenario: Scenario, statement: str) -> bool:
    return questions.ask(scenario, statement).answer == "always"


def _quoted(name: str) -> str:
    return json.dumps(name, ensure_ascii=False)


def _authority(case: _Case, promised: Any) -> Iterator[Broken]:
    expected = _mapping(promised, "authority")
    lines = list(questions.authority(case.scenario))
    by_step = bool(expected) and expected.keys() <= {"first-strike", "regular"}
    by_step = by_step and all(isinstance(value, Mapping) for value in expected.values())
    for step, choosers in expected.items() if by_step else [(None, expected)]:
        for source, chooser in choosers.items():
            got = sorted(
                {
                    line.chooser
                    for line in lines
                    if line.source == source and step in (None, line.step)
                }
            )
            if got != [chooser]:
                place = ".".join(part for part in ("authority", step, source) if part)
                yield Broken(place, chooser, got or "assigns no damage")


def _ask(case: _Case, promised: Any) -> Iterator[Broken]:
    for statement, expected in _mapping(promised, "ask").items():
        if expected not in {"always", "sometimes", "never", "none"}:
            raise CaseError(f"ask: {statement}: {expected!r} is no answer")
        got = questions.ask(case.scenario, statement).answer
        if got != expected:
            yield Broken(f"ask: {statement}", expected, got)


def _legal(case: _Case, promised: Any) -> Iterator[Broken]:
    if not isinstance(promised, bool):
        raise CaseError("legal: expected true or false")
    if case.verdict.legal != promised:
        yield Broken("legal", promised, case.verdict.to_json())


def _violations(case: _Case, promised: Any) -> Iterator[Broken]:
    expected = sorted(_sequence(promised, "violations"))
    got = sorted({violation.slug for violation in case.verdict.violations})
    if got != expected:
        yield Broken("violations", expected, got)


PROMISES: dict[str, Callable[[_Case, Any], Iterator[Broken]]] = {
    "attacks": _listing("attacks", _Shape(questions.attacks, _read_attack, Attack.to_json)),
    "blocks": _listing(
        "blocks", _Shape(questions.blocks, _read_blocks, lambda line: line.blocks.to_json())
    ),
    "damage": _listing("damage", _Shape(questions.damage, _read_damage, Damage.to_json)),
    "outcomes": _listing(
        "outcomes",
        _Shape(questions.outcomes, _read_outcome, Outcome.to_json, _agrees, _whole_or_agrees),
    ),
    "blocked_by": _blocked_by,
    "unblocked": _unblocked,
    "authority": _authority,
    "ask": _ask,
    "legal": _legal,
    "violations": _violations,
}


# Reading a case --------------------------------------------------------------------------


def _fixed(scenario: Scenario, promise: str) -> None:
    for part in ("attack", "blocks"):
        if getattr(scenario, part) is None:
            raise CaseError(f'{promise}: needs a scenario that fixes "{part}"')


def _mapping(value: Any, place: str) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise CaseError(f"{place}: expected a mapping, got {value!r}")
    return dict(value)


def _sequence(value: Any, place: str) -> Sequence[Any]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise CaseError(f"{place}: expected a list, got {value!r}")
    return value


def _natural(value: Any, place: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise CaseError(f"{place}: expected a number, got {value!r}")
    return value


def _known(data: Mapping[str, Any], keys: set[str], place: str) -> None:
    for key in data:
        if key not in keys:
            raise CaseError(f"{place}.{key}: unknown key")


def _message(failure: BaseException) -> str:
    if isinstance(failure, OSError) and failure.strerror:
        return failure.strerror
    return "; ".join(str(failure).splitlines())


def _short(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
