"""How the models of each question are read: from shown atoms to typed results, or to JSON.

A result has parts (who attacks whom, the bands, who blocks, ...), each read from the atoms of its
own predicates; see :class:`pysolver.solver.Shape`.
"""

from __future__ import annotations

import datetime
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeAlias, cast, get_args

from pysolver.catalogue import citation
from pysolver.frozen import FrozenDict
from pysolver.results import (
    Attack,
    AuthorityLine,
    BlockDeclaration,
    Blocks,
    Damage,
    DecisionName,
    History,
    Outcome,
)
from pysolver.scenario.abilities import Ability
from pysolver.scenario.model import Event, Point, Scenario, Step
from pysolver.scenario.phrases import ability_text
from pysolver.solver import Atom, Part, Shape, Term

__all__ = [
    "ATTACK",
    "ATTACK_JSON",
    "BLOCK",
    "BLOCK_JSON",
    "BLOCK_WITH_ATTACK",
    "BLOCK_WITH_ATTACK_JSON",
    "DAMAGE",
    "REQUIREMENTS",
    "STEPS",
    "authority",
    "choice",
    "histories",
    "outcomes",
    "witness",
]

Requirements: TypeAlias = tuple[tuple[str, Term], ...]
Groups: TypeAlias = FrozenDict[str, tuple[str, ...]]
STEPS: dict[Term, Step] = {"first_strike": "first-strike", "regular": "regular"}


def _attackers(atoms: list[Atom]) -> FrozenDict[str, str]:
    return FrozenDict(sorted(cast("tuple[str, str]", atom.args) for atom in atoms))


def _bands(atoms: list[Atom]) -> tuple[tuple[str, ...], ...]:
    members: defaultdict[Term, set[str]] = defaultdict(set)
    for atom in atoms:
        creature, band = atom.args
        members[band].add(cast(str, creature))
        if isinstance(band, str):  # a band that is named by its first member
            members[band].add(band)
    return tuple(sorted(tuple(sorted(band)) for band in members.values()))


def _groups(atoms: list[Atom]) -> Groups:
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for atom in atoms:
        key, value = cast("tuple[str, str]", atom.args)
        groups[key].append(value)
    return FrozenDict((key, tuple(sorted(values))) for key, values in sorted(groups.items()))


def _damage(atoms: list[Atom]) -> Damage:
    taking_place = {atom.args[0] for atom in atoms if atom.name == "takes_place"}
    steps: dict[Step, defaultdict[str, dict[str, int]]] = {
        step: defaultdict(dict) for name, step in STEPS.items() if name in taking_place
    }
    for atom in atoms:
        if atom.name == "assigned":
            name, source, recipient, amount = cast("tuple[str, str, str, int]", atom.args)
            steps[STEPS[name]][source][recipient] = amount
    return Damage(
        FrozenDict(
            (step, FrozenDict((name, FrozenDict(split)) for name, split in sorted(sources.items())))
            for step, sources in steps.items()
        )
    )


def _names(atoms: list[Atom]) -> tuple[str, ...]:
    return tuple(sorted(cast(str, atom.args[0]) for atom in atoms))


ATTACKERS = Part(("declared_attack",), _attackers)
BANDS = Part(("in_band",), _bands)
BLOCKS = Part(("declared_block",), _groups)
BLOCKED_BY = Part(("blocked_by",), _groups)
ASSIGNED = Part(("takes_place", "assigned"), _damage)
DIED = Part(("died",), _names)
REGENERATED = Part(("regenerated",), _names)

ATTACK: Shape[Attack] = Shape(Attack, (ATTACKERS, BANDS))
BLOCK: Shape[BlockDeclaration] = Shape(
    lambda blocks, blocked_by: BlockDeclaration(Blocks(blocks), blocked_by),
    (BLOCKS, BLOCKED_BY),
)
BLOCK_WITH_ATTACK: Shape[BlockDeclaration] = Shape(
    lambda attackers, bands, blocks, blocked_by: BlockDeclaration(
        Blocks(blocks), blocked_by, Attack(attackers, bands)
    ),
    (ATTACKERS, BANDS, BLOCKS, BLOCKED_BY),
)
DAMAGE: Shape[Damage] = Shape(lambda damage: damage, (ASSIGNED,))


def _dumps(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, default=dict)


def _as_json(part: Part[Any]) -> Part[str]:
    """The part, written as JSON once and for all models that share it."""
    return Part(part.predicates, lambda atoms: _dumps(part.build(atoms)))


ATTACK_JSON: Shape[str] = Shape(
    lambda attackers, bands: f'{{"attackers": {attackers}, "bands": {bands}}}',
    (_as_json(ATTACKERS), _as_json(BANDS)),
)
BLOCK_JSON: Shape[str] = Shape(
    lambda blocks, blocked_by: f'{{"blocked_by": {blocked_by}, "blocks": {blocks}}}',
    (_as_json(BLOCKS), _as_json(BLOCKED_BY)),
)
BLOCK_WITH_ATTACK_JSON: Shape[str] = Shape(
    lambda attackers, bands, blocks, blocked_by: (
        f'{{"attack": {{"attackers": {attackers}, "bands": {bands}}}, '
        f'"blocked_by": {blocked_by}, "blocks": {blocks}}}'
    ),
    (_as_json(ATTACKERS), _as_json(BANDS), _as_json(BLOCKS), _as_json(BLOCKED_BY)),
)


def authority(date: datetime.date) -> Shape[tuple[AuthorityLine, ...]]:
    """Tables of who divides what: steps in order, sources sorted, rules cited as of ``date``."""

    def table(atoms: list[Atom]) -> tuple[AuthorityLine, ...]:
        recipients: defaultdict[tuple[Term, ...], list[str]] = defaultdict(list)
        choosers: dict[tuple[Term, ...], tuple[str, str]] = {}
        for atom in atoms:
            step, source, *rest = atom.args
            if atom.name == "recipient":
                recipients[step, source].append(cast(str, rest[0]))
            else:
                choosers[step, source] = cast("tuple[str, str]", tuple(rest))
        return tuple(
            AuthorityLine(
                step=STEPS[step],
                source=cast(str, source),
                chooser=chooser,
                recipients=tuple(sorted(recipients[step, source])),
                slug=slug,
                rule=citation(slug, date),
            )
            for (step, source), (chooser, slug) in sorted(choosers.items(), key=str)
        )

    return Shape(lambda lines: lines, (Part(("divides", "recipient"), table),))


def _accounts(scenario: Scenario) -> dict[str, int]:
    """Who has a life total, in turn order (two-headed: the teams), with the poison counters."""
    if scenario.variant != "two-headed-giant":
        return {player.name: player.poison for player in scenario.players}
    poison = dict.fromkeys((team.name for team in scenario.teams), 0)
    for player in scenario.players:
        if player.team is not None:
            poison[player.team] += player.poison
    return poison


def _life(scenario: Scenario) -> Part[FrozenDict[str, int]]:
    """Life totals in turn order."""
    accounts = _accounts(scenario)

    def totals(atoms: list[Atom]) -> FrozenDict[str, int]:
        life = dict(cast("tuple[str, int]", atom.args) for atom in atoms)
        return FrozenDict((name, life[name]) for name in accounts)

    return Part(("final_life",), totals)


def _changed(predicate: str, before: dict[str, int]) -> Part[FrozenDict[str, int]]:
    """Totals that differ from what they were before combat."""

    def totals(atoms: list[Atom]) -> FrozenDict[str, int]:
        after = sorted(cast("tuple[str, int]", atom.args) for atom in atoms)
        return FrozenDict((name, total) for name, total in after if total != before[name])

    return Part((predicate,), totals)


def _counters(atoms: list[Atom]) -> FrozenDict[str, FrozenDict[str, int]]:
    counters = sorted(cast("tuple[str, int]", atom.args) for atom in atoms)
    return FrozenDict((name, FrozenDict({"-1/-1": number})) for name, number in counters)


def _results(scenario: Scenario) -> tuple[Part[Any], ...]:
    return (
        DIED,
        REGENERATED,
        _life(scenario),
        _changed("final_poison", _accounts(scenario)),
        _changed("final_loyalty", {p.name: p.loyalty for p in scenario.planeswalkers}),
        _changed("final_defense", {b.name: b.defense for b in scenario.battles}),
        Part(("final_counters",), _counters),
    )


def _events(scenario: Scenario) -> Part[tuple[FrozenDict[str, Any], ...]]:
    """The events that happened, as written, in the order in which they happen."""
    order = {point: k for k, point in enumerate(get_args(Point))}

    def happened(atoms: list[Atom]) -> tuple[FrozenDict[str, Any], ...]:
        numbers = sorted(cast(int, atom.args[0]) for atom in atoms)
        events = sorted((scenario.events[i] for i in numbers), key=lambda event: order[event.at])
        return tuple(map(event_as_written, events))

    return Part(("occurred",), happened)


def event_as_written(event: Event) -> FrozenDict[str, Any]:
    """An event in the document's shape, without ``may``."""
    details: dict[str, Any] = {
        key: ability_text(value) if isinstance(value, Ability) else value
        for key, value in event.details.items()
    }
    if event.operation == "pump":
        details = {"pt": f"{details['power']:+}/{details['toughness']:+}"}
    value: Any = event.subject
    if event.operation == "prevent-combat-damage":
        value = FrozenDict(details)
    elif details:
        value = FrozenDict({"creature": event.subject, **details})
    return FrozenDict({"at": event.at, event.operation: value})


def _history(scenario: Scenario) -> tuple[Part[Any], ...]:
    return (ATTACKERS, BANDS, _events(scenario), BLOCKS, BLOCKED_BY, ASSIGNED)


def _made_history(
    attackers: FrozenDict[str, str], bands: tuple[tuple[str, ...], ...],
    events: tuple[FrozenDict[str, Any], ...], blocks: Groups, _: Groups, damage: Damage,
) -> History:  # fmt: skip
    return History(Attack(attackers, bands), Blocks(blocks), damage, events)


def witness(scenario: Scenario) -> Shape[History]:
    """Combats without their result."""
    return Shape(_made_history, _history(scenario))


def outcomes(scenario: Scenario, *, witness: bool) -> Shape[Outcome]:
    """Results; with ``witness`` each with a history that leads to it."""
    results = _results(scenario)
    if not witness:
        return Shape(Outcome, results)
    return Shape(
        lambda *parts: replace(
            Outcome(*parts[: len(results)]), history=_made_history(*parts[len(results) :])
        ),
        (*results, *_history(scenario)),
    )


def histories(scenario: Scenario) -> Shape[History]:
    """Whole combats with their results."""
    results = _results(scenario)
    return Shape(
        lambda *parts: replace(
            _made_history(*parts[len(results) :]), outcome=Outcome(*parts[: len(results)])
        ),
        (*results, *_history(scenario)),
    )


def choice(
    scenario: Scenario, decision: DecisionName, moment: Term, atoms: Iterable[Atom]
) -> FrozenDict[str, Any]:
    """What is chosen at a moment, in the document's shape; ``decisions.lp`` names the atoms."""
    named: defaultdict[str, list[Atom]] = defaultdict(list)
    for atom in atoms:
        named[atom.name].append(atom)
    match decision:
        case "attack":
            bands = _bands(named["in_band"])
            return FrozenDict({"attackers": _attackers(named["declared_attack"]), "bands": bands})
        case "event":
            event = scenario.events[cast("tuple[str, int]", moment)[1]]
            return FrozenDict({**event_as_written(event), "happens": bool(named["occurred"])})
        case "blocks":
            return cast("FrozenDict[str, Any]", _groups(named["declared_block"]))
        case "order":
            return _order(named)
        case _:
            return _division(named["assigned"])


def _order(named: Mapping[str, list[Atom]]) -> FrozenDict[str, Any]:
    """Which blockers each rampage counts: those that flanking has not killed before."""
    counts: dict[tuple[Term, ...], list[str]] = {
        atom.args[:2]: [] for atom in named["rampage_sees"]
    }
    for atom in named["counts_for_rampage"]:
        counts[atom.args[:2]].append(cast(str, atom.args[2]))
    listed = (
        FrozenDict({"creature": key[0], "counts": tuple(sorted(counts[key]))})
        for key in sorted(counts, key=str)
    )
    return FrozenDict({"rampage": tuple(listed)})


def _division(atoms: list[Atom]) -> FrozenDict[str, FrozenDict[str, int]]:
    """Who assigns how much to whom, in one step."""
    sources: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for atom in atoms:
        _, source, recipient, amount = cast("tuple[str, str, str, int]", atom.args)
        sources[source][recipient] = amount
    return FrozenDict(
        (name, FrozenDict(sorted(split.items()))) for name, split in sorted(sources.items())
    )


def _flat(term: Term) -> Iterable[str]:
    if isinstance(term, tuple):
        for part in term:
            yield from _flat(part)
    else:
        yield str(STEPS.get(term, term))


def _requirements(declaration: str) -> Shape[tuple[Requirements, Requirements]]:
    def named(atoms: list[Atom]) -> Requirements:
        # A requirement is a tuple: whom it binds or asks for, then which one it is.
        mine = [atom.args[1] for atom in atoms if atom.args[0] == declaration]
        return tuple((next(iter(_flat(term))), term) for term in mine)

    return Shape(
        lambda required, obeyed: (required, obeyed),
        (Part(("required",), named), Part(("obeyed",), named)),
    )


#: The requirements on a declaration, and those that it obeys, each with the name that it binds.
REQUIREMENTS = {"attackers": _requirements("attackers"), "blockers": _requirements("blockers")}
