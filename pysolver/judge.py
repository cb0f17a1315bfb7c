"""Is what a scenario fixes legal? Every broken rule, and requirements short of the maximum."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from pysolver import decode
from pysolver.catalogue import citation
from pysolver.coverage import require_covered
from pysolver.frozen import FrozenDict
from pysolver.maximum import Declaration, Rivals, program
from pysolver.messages import no_attack_fits, short_of_maximum
from pysolver.programs import ATTACK, BLOCK, ENCODINGS, JUDGING, grounded
from pysolver.results import Attack, Blocks, Verdict, Violation
from pysolver.scenario.model import Scenario
from pysolver.scenario.phrases import ability_text
from pysolver.solver import Term

__all__ = ["PARTS", "verdict"]

#: What a scenario may fix, in the order in which it is judged.
PARTS = ("attack", "blocks", "damage")

#: How a declaration is named in the encodings, by its key in the document.
DECLARATIONS: dict[str, Declaration] = {"attack": "attackers", "blocks": "blockers"}

SHOWN: dict[Declaration, tuple[str, ...]] = {
    "attackers": ("show/attacks.lp",),
    "blockers": ("show/blocks.lp",),
}


def verdict(scenario: Scenario, *parts: str) -> Verdict | None:
    """The verdict on the first of the fixed ``parts`` that is illegal, or None.

    Raises :class:`NotCovered` for a scenario with words that the encodings do not cover.
    """
    require_covered(scenario)
    for part in parts:
        if getattr(scenario, part) is not None:
            found = _broken(scenario, part)
            if found and part == "blocks":
                return _with_others(scenario, found)
            found = found or _short(scenario, part)
            if found:
                return found
    return None


def _with_others(scenario: Scenario, found: Verdict) -> Verdict:
    """Each defending player is judged alone (802.4b): one may break a restriction, another miss a
    requirement."""
    if scenario.variant in ("two-player", "two-headed-giant") or scenario.blocks is None:
        return found
    more: list[Violation] = []
    for player in scenario.players:
        alone = _declared_by(scenario, player.name)
        if player.name != scenario.active and not _broken(alone, "blocks"):
            short = _short(alone, "blocks")
            more += short.violations if short else ()
    return replace(found, violations=found.violations + tuple(more))


def _declared_by(scenario: Scenario, player: str) -> Scenario:
    """The scenario as if of the defending side only what ``player`` controls were there."""
    creatures = tuple(
        creature
        for creature in scenario.creatures
        if creature.controller in (player, scenario.active)
    )
    names = {creature.name for creature in creatures}
    blocks = scenario.blocks.blocks if scenario.blocks is not None else FrozenDict()
    own = FrozenDict((name, blocks[name]) for name in blocks if name in names)
    return replace(scenario, creatures=creatures, blocks=Blocks(own))


def _broken(scenario: Scenario, part: str) -> Verdict | None:
    """Restrictions and rules of procedure that the part breaks, whatever is still open."""
    judged = grounded((*ENCODINGS[f"check {part}"], "show/fewest.lp"), scenario)
    model = judged.truths()
    if model is None or not any(atom.name == "violation" for atom in model):
        return None
    from pysolver.derivation import Derivation  # what is legal needs no reasons
    from pysolver.teller import Teller

    teller = Teller(Derivation(JUDGING, model), scenario)
    broken = sorted(teller.violation(atom) for atom in model if atom.name == "violation")
    return Verdict(False, tuple(_violation(scenario, *violation) for violation in broken))


def _short(scenario: Scenario, part: str) -> Verdict | None:
    """Requirements: does another declaration obey more? (508.1d, 509.1c)"""
    declaration = DECLARATIONS.get(part)
    if declaration is None:
        return None
    if scenario.attack is None:
        # Fixed blocks answer some attack or none; no attack can be named to compare them under.
        possible = program(scenario, "blocks --each-attack").first(decode.BLOCK_WITH_ATTACK)
        return None if possible else _too_few(scenario, declaration, (), no_attack_fits(), None)
    files = ATTACK if declaration == "attackers" else BLOCK
    judged = grounded((*files, "show/requirements.lp"), scenario)
    nothing: tuple[decode.Requirements, decode.Requirements] = ((), ())
    if not (judged.first(decode.REQUIREMENTS[declaration]) or nothing)[0]:
        return None
    rivals = Rivals(declaration, (*files, "legal.lp", *SHOWN[declaration]), scenario)
    classes = grounded((*files, "legal.lp", f"show/classes_of_{declaration}.lp"), scenario)
    for chosen in classes.texts():  # one for each course of optional events
        course = rivals.course(chosen, judged)
        found = judged.first(decode.REQUIREMENTS[declaration], assuming=course)
        required, obeyed = found or nothing
        most = rivals.most(chosen)
        if len(obeyed) == most:
            return None
    missed = sorted(set(required) - set(obeyed), key=str)
    neglected = tuple(sorted({name for name, _ in missed}))
    texts = [_requirement(scenario, cast("tuple[Term, ...]", term)) for _, term in missed]
    text = short_of_maximum(declaration, len(obeyed), most, len(required), texts)
    better: Attack | Blocks | None
    if declaration == "attackers":
        better = rivals.best(chosen, decode.ATTACK)
    else:
        block = rivals.best(chosen, decode.BLOCK)
        better = None if block is None else block.blocks
    return _too_few(scenario, declaration, neglected, text, better)


def _requirement(scenario: Scenario, term: tuple[Term, ...]) -> str:
    """What asks for something, by the term that names the requirement."""
    who, source, *bound = term
    creature = next((each for each in scenario.creatures if each.name == who), None)
    match source:
        case int() if creature is not None:
            asked = f'{who} "{ability_text(creature.abilities[source])}"'
        case ("goad", str(player), _):
            asked = f"{who} is goaded by {player}"
        case _:
            asked = f"an effect on {who}"
    return " ".join([asked, *(f"(for {name})" for name in bound)])


def _too_few(
    scenario: Scenario,
    declaration: Declaration,
    neglected: tuple[str, ...],
    text: str,
    better: Attack | Blocks | None,
) -> Verdict:
    slug = "attack.require.max" if declaration == "attackers" else "block.require.max"
    return Verdict(False, (_violation(scenario, slug, neglected, text),), better)


def _violation(scenario: Scenario, slug: str, names: tuple[str, ...], text: str) -> Violation:
    return Violation(slug, citation(slug, scenario.edition.date), names, text)
