"""Is what a scenario fixes legal? Every broken rule, and requirements short of the maximum."""

from __future__ import annotations

from pysolver import decode
from pysolver.catalogue import citation
from pysolver.coverage import require_covered
from pysolver.maximum import Declaration, Rivals, program
from pysolver.messages import message, no_attack_fits, short_of_maximum
from pysolver.programs import ATTACK, BLOCK, ENCODINGS, grounded
from pysolver.results import Attack, Blocks, Verdict, Violation
from pysolver.scenario.model import Scenario

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
            found = _broken(scenario, part) or _short(scenario, part)
            if found:
                return found
    return None


def _broken(scenario: Scenario, part: str) -> Verdict | None:
    """Restrictions and rules of procedure that the part breaks, whatever is still open."""
    judged = grounded((*ENCODINGS[f"check {part}"], "show/fewest.lp"), scenario)
    broken = judged.best(decode.VIOLATIONS)
    if not broken:
        return None
    violations = (_violation(scenario, slug, names, message(slug, names)) for slug, names in broken)
    return Verdict(legal=False, violations=tuple(violations))


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
    required, obeyed = judged.first(decode.REQUIREMENTS[declaration]) or ((), ())
    if not required:
        return None
    classes = grounded((*files, f"show/classes_of_{declaration}.lp"), scenario)
    rivals = Rivals(declaration, (*files, "legal.lp", *SHOWN[declaration]), scenario)
    (chosen,) = classes.texts()
    most = rivals.most(chosen)
    if len(obeyed) == most:
        return None
    neglected = tuple(sorted({name for name, _ in set(required) - set(obeyed)}))
    text = short_of_maximum(declaration, len(obeyed), most, len(required))
    better: Attack | Blocks | None
    if declaration == "attackers":
        better = rivals.best(chosen, decode.ATTACK)
    else:
        found = rivals.best(chosen, decode.BLOCK)
        better = None if found is None else found.blocks
    return _too_few(scenario, declaration, neglected, text, better)


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
