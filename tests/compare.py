"""The solver's answers in the reference's terms, so that the two can be compared as sets."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any, TypeAlias

from pysolver import questions
from pysolver.results import AuthorityLine, BlockDeclaration, Damage
from pysolver.scenario.facts import facts
from pysolver.scenario.model import Attack, Scenario

from . import reference

__all__ = ["QUESTIONS", "answers", "asked", "attack_key", "blocks_key", "damage_key", "difference"]

Key: TypeAlias = Hashable


def attack_key(attack: Attack) -> reference.AttackKey:
    """Who attacks what, and the bands."""
    return frozenset(attack.attackers.items()), frozenset(map(frozenset, attack.bands))


def blocks_key(answer: BlockDeclaration) -> reference.BlocksKey:
    """The declared blocks, and who is blocked by whom."""
    return (
        frozenset((b, a) for b, attackers in answer.blocks.blocks.items() for a in attackers),
        frozenset((a, b) for a, blockers in answer.blocked_by.items() for b in blockers),
    )


def each_attack_key(answer: BlockDeclaration) -> Key:
    """The same with the attack that is answered."""
    assert answer.attack is not None
    return attack_key(answer.attack), blocks_key(answer)


def line_key(line: AuthorityLine) -> reference.Line:
    """Who divides what among whom, and by which rule."""
    return line.step, line.source, line.chooser, frozenset(line.recipients), line.slug


def damage_key(damage: Damage) -> reference.DamageKey:
    """The steps that took place, and the damage dealt in them."""
    return tuple(damage.steps), frozenset(
        (step, source, recipient, amount)
        for step, sources in damage.steps.items()
        for source, split in sources.items()
        for recipient, amount in split.items()
    )


def canonical(answer: Any) -> str:
    """A result as one line of JSON."""
    return json.dumps(answer.to_json(), sort_keys=True)


def _check(scenario: Scenario) -> Iterator[Key]:
    verdict = questions.check(scenario)
    yield verdict.legal, frozenset(violation.slug for violation in verdict.violations)


def _reference_check(scenario: Scenario) -> Iterator[Key]:
    legal, slugs = reference.check(scenario)
    yield legal, frozenset(slugs)


def _open(scenario: Scenario) -> bool:
    return scenario.attack is None


def _fixed(scenario: Scenario) -> bool:
    return scenario.attack is not None and scenario.blocks is not None


Solver: TypeAlias = Callable[[Scenario], Iterable[Key]]

#: Each question: when it can be asked, the solver's answers, and the reference's.
QUESTIONS: dict[str, tuple[Callable[[Scenario], bool], Solver, Solver]] = {
    "check": (lambda _: True, _check, _reference_check),
    "attacks": (
        lambda _: True,
        lambda scenario: map(attack_key, questions.attacks(scenario)),
        reference.attacks,
    ),
    "blocks": (
        lambda scenario: not _open(scenario),
        lambda scenario: map(blocks_key, questions.blocks(scenario)),
        reference.blocks,
    ),
    "blocks --each-attack": (
        _open,
        lambda scenario: map(each_attack_key, questions.blocks(scenario, each_attack=True)),
        reference.blocks_each_attack,
    ),
    "authority": (
        _fixed,
        lambda scenario: map(line_key, questions.authority(scenario)),
        reference.authority,
    ),
    "damage": (
        _fixed,
        lambda scenario: map(damage_key, questions.damage(scenario)),
        reference.damage,
    ),
    "outcomes": (
        lambda _: True,
        lambda scenario: map(canonical, questions.outcomes(scenario)),
        reference.outcomes,
    ),
    "histories": (
        lambda _: True,
        lambda scenario: map(canonical, questions.histories(scenario)),
        reference.histories,
    ),
}


def asked(scenario: Scenario) -> list[str]:
    """The questions that can be asked of the scenario."""
    return [question for question, (possible, _, _) in QUESTIONS.items() if possible(scenario)]


def answers(scenario: Scenario, question: str) -> list[Key]:
    """The solver's answers, comparable with the reference's."""
    return list(QUESTIONS[question][1](scenario))


def difference(scenario: Scenario, question: str) -> str:
    """What solver and reference disagree about, in words; nothing where they agree."""
    found = answers(scenario, question)
    expected = set(QUESTIONS[question][2](scenario))
    parts = []
    if len(found) != len(set(found)):
        parts.append(f"the solver repeats {len(found) - len(set(found))} answers")
    for title, keys in (
        ("only the solver", set(found) - expected),
        ("only the reference", expected - set(found)),
    ):
        if keys:
            parts.append(f"{title} ({len(keys)} of {len(expected)}):")
            parts += [f"  {text}" for text in sorted(map(_readable, keys))[:3]]
    return "\n".join([f"{question}:", *parts, facts(scenario)]) if parts else ""


def _readable(key: Any) -> str:
    """The same text in every run: sets are sorted."""
    if isinstance(key, frozenset):
        return "{" + ", ".join(sorted(map(_readable, key))) + "}"
    if isinstance(key, tuple):
        return "(" + ", ".join(map(_readable, key)) + ")"
    return str(key)
