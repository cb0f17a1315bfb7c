"""Which encodings make up which question, and how a scenario becomes a grounded program."""

from __future__ import annotations

from collections.abc import Sequence

from pysolver.scenario.facts import facts
from pysolver.scenario.model import Scenario
from pysolver.solver import Program

__all__ = ["ATTACK", "BLOCK", "DAMAGE", "ENCODINGS", "JUDGING", "grounded"]

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
    "510_damage/taken.lp",
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
#: The encodings that say what breaks a rule.
JUDGING = (
    "508_attackers/declare.lp",
    "508_attackers/restrict.lp",
    "508_attackers/cost.lp",
    "508_attackers/bands.lp",
    "509_blockers/declare.lp",
    "509_blockers/evasion.lp",
    "509_blockers/restrict.lp",
    "509_blockers/cost.lp",
    "510_damage/assign.lp",
    "510_damage/trample.lp",
)
DAMAGE_ONLY = frozenset(DAMAGE).difference(BLOCK)
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
    "force": (*HISTORY, "decisions.lp", "legal.lp"),
    "check attack": (*ATTACK, "show/violations.lp"),
    "check blocks": (*BLOCK, "show/violations.lp"),
    "check damage": (*DAMAGE, "show/violations.lp"),
}


def grounded(
    encodings: Sequence[str], scenario: Scenario, more: str = "", *, heuristic: str | None = None
) -> Program:
    """The encodings and the scenario's facts as a program, without what the board has no use for.

    On a board without events nothing leaves combat before damage, and a program without the
    encodings that could make it leave keeps facts as facts. ``more`` is program text that the
    driver wrote, such as a statement to decide; ``heuristic`` is clingo's option of that name.
    """
    unused: set[str] = set()
    if not scenario.events:
        unused.add("506_combat/events.lp")
        if not DAMAGE_ONLY.intersection(encodings):
            unused |= {"510_damage/taken.lp", "510_damage/state_based.lp"}
    files = [name for name in encodings if name not in unused]
    # Declarations are shown whole, so no two models of theirs show the same; clingo needs twice
    # the time to make sure of that.
    shown = not scenario.events and not DAMAGE_ONLY.intersection(encodings)
    shown = shown and not {"show/attacks.lp", "show/blocks.lp"}.isdisjoint(encodings)
    return Program(files, facts(scenario) + more, heuristic=heuristic, project=not shown)
