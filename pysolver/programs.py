"""Which encodings make up which question, and how a scenario becomes a grounded program."""

from __future__ import annotations

from pysolver.maximum import enforce
from pysolver.scenario.facts import facts
from pysolver.scenario.model import Scenario
from pysolver.solver import Program

__all__ = ["ATTACK", "BLOCK", "ENCODINGS", "program"]

ATTACK = (
    "defined.lp",
    "506_combat/moments.lp",
    "506_combat/creatures.lp",
    "506_combat/filters.lp",
    "506_combat/sides.lp",
    "508_attackers/declare.lp",
    "508_attackers/restrict.lp",
    "508_attackers/cost.lp",
    "508_attackers/require.lp",
    "508_attackers/bands.lp",
)
BLOCK = (
    *ATTACK,
    "506_combat/status.lp",
    "506_combat/events.lp",
    "508_attackers/triggers.lp",
    "509_blockers/declare.lp",
    "509_blockers/evasion.lp",
    "509_blockers/restrict.lp",
    "509_blockers/cost.lp",
    "509_blockers/require.lp",
    "509_blockers/become.lp",
    "510_damage/state_based.lp",
)
DAMAGE = (
    *BLOCK,
    "509_blockers/triggers.lp",
    "510_damage/steps.lp",
    "510_damage/authority.lp",
    "510_damage/assign.lp",
    "510_damage/trample.lp",
    "510_damage/results.lp",
    "510_damage/final.lp",
)
HISTORY = (*DAMAGE, "show/attacks.lp", "show/events.lp", "show/blocks.lp", "show/damage.lp")

#: Which encodings make up which question, in the order of the combat phase.
ENCODINGS: dict[str, tuple[str, ...]] = {
    "attacks": (*ATTACK, "legal.lp", "show/attacks.lp"),
    "blocks": (*BLOCK, "legal.lp", "show/blocks.lp"),
    "blocks --each-attack": (*BLOCK, "legal.lp", "show/attacks.lp", "show/blocks.lp"),
    "authority": (*DAMAGE, "legal.lp", "show/authority.lp"),
    "damage": (*DAMAGE, "legal.lp", "show/damage.lp"),
    "outcomes": (*DAMAGE, "legal.lp", "show/outcomes.lp"),
    "outcomes --witness": (*HISTORY, "legal.lp", "show/outcomes.lp", "show/one_history.lp"),
    "histories": (*HISTORY, "legal.lp", "show/outcomes.lp"),
    "ask": (*HISTORY, "legal.lp"),
    "check attack": (*ATTACK, "show/violations.lp"),
    "check blocks": (*BLOCK, "show/violations.lp"),
    "check damage": (*DAMAGE, "show/violations.lp"),
}


def program(scenario: Scenario, question: str, more: str = "") -> Program:
    """The grounded program of a question, with the maxima of its declarations in force.

    ``more`` is program text that the driver wrote, such as a statement to decide.
    """
    encodings = ENCODINGS[question]
    grounded = Program(encodings, facts(scenario) + more)
    enforce(grounded, "attackers", (*ATTACK, "legal.lp"), scenario)
    if "509_blockers/require.lp" in encodings:
        enforce(grounded, "blockers", (*BLOCK, "legal.lp"), scenario)
    return grounded
