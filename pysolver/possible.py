"""What can be declared: can a creature attack, can it block another, can these be one band?

If some legal declaration has it in it, it is possible. If none has, the declaration is made all the
same, with as few broken rules as can be, and those rules are the reasons; where no rule is broken,
every declaration with it obeys too few requirements.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar, TypeAlias

from pysolver import decode
from pysolver.catalogue import citation
from pysolver.derivation import Derivation
from pysolver.errors import QueryError
from pysolver.frozen import FrozenDict
from pysolver.judge import verdict
from pysolver.maximum import Asked, Declaration, Rivals
from pysolver.messages import no_attack_fits
from pysolver.programs import ATTACK, BLOCK, ENCODINGS, grounded
from pysolver.query import CREATURE, Term, check_names, known_names
from pysolver.results import Attack, BlockDeclaration, Blocks, Explanation, Reason, Truth
from pysolver.scenario.facts import quoted
from pysolver.scenario.model import Scenario
from pysolver.solver import Shape, read
from pysolver.syntax import parse_symbol
from pysolver.teller import Teller

__all__ = ["POSSIBILITIES", "possible"]


#: Atoms, each with the condition under which it matters.
Grounds: TypeAlias = tuple[tuple[str, str], ...]


WAYS = 5
"""How many ways around broken rules are told of."""


class Possibility(ABC):
    """Something that a player may be able to declare."""

    declaration: ClassVar[Declaration]
    part: ClassVar[str]
    question: ClassVar[str]
    shape: ClassVar[Shape[Any]]
    files: ClassVar[tuple[str, ...]]
    names: ClassVar[tuple[int, int]] = (2, 2)

    @abstractmethod
    def sentence(self, names: Sequence[str], can: str) -> str:
        """What is possible, in words; ``can`` is "can" or "cannot"."""

    @abstractmethod
    def declared(self, names: Sequence[str]) -> str:
        """The body of a rule that says that it is declared; the names are quoted."""

    @abstractmethod
    def alone(self, board: Scenario, names: Sequence[str], target: str) -> Scenario:
        """The board with this declared alone, against ``target`` unless the names say whom."""

    def offered(self, names: Sequence[str]) -> str:
        """A constraint that only lets through what may be chosen at all; the names are quoted."""
        return ""

    @abstractmethod
    def grounds(self, names: Sequence[str]) -> Grounds:
        """The atoms that it rests on where it is possible, with conditions; names are quoted."""


class _Attacking(Possibility):
    declaration = "attackers"
    part = "attack"
    question = "attacks"
    shape = decode.ATTACK
    files = (*ATTACK, "legal.lp", "show/attacks.lp")


class CanAttack(_Attacking):
    """``can_attack(x)``, ``can_attack(x, target)``."""

    names = (1, 2)

    def sentence(self, names: Sequence[str], can: str) -> str:
        """Who can attack, and whom."""
        return " ".join([names[0], can, "attack", *names[1:]])

    def declared(self, names: Sequence[str]) -> str:
        """The creature is declared as an attacker."""
        return f"declared_attack({names[0]},{(*names, '_')[1]})"

    def alone(self, board: Scenario, names: Sequence[str], target: str) -> Scenario:
        """Only this creature attacks."""
        return replace(board, attack=Attack(FrozenDict({names[0]: (*names, target)[1]}), ()))

    def grounds(self, names: Sequence[str]) -> Grounds:
        """It has haste, if that matters."""
        return ((f"has({names[0]},haste,attackers)", f"summoning_sick({names[0]})"),)


class CanBand(_Attacking):
    """``can_band(x, y, ...)``: these and no others are a band."""

    names = (2, 99)

    def sentence(self, names: Sequence[str], can: str) -> str:
        """Who can be one band."""
        return f"{' and '.join(names)} {can} be one band"

    def declared(self, names: Sequence[str]) -> str:
        """They are the members of one band."""
        members = ", ".join(f"in_band({name},L), declared_attack({name},_)" for name in names)
        return f"{members}, #count {{ C : in_band(C,L) }} = {len(names)}"

    def alone(self, board: Scenario, names: Sequence[str], target: str) -> Scenario:
        """They attack as a band, and nothing else attacks."""
        attackers = FrozenDict(dict.fromkeys(sorted(names), target))
        return replace(board, attack=Attack(attackers, (tuple(sorted(names)),)))

    def grounds(self, names: Sequence[str]) -> Grounds:
        """The way in which they are a band, and the banding of its members."""
        band = f"in_band({names[0]},L)"
        return (
            ("banded_by_banding(L)", band),
            ("banded_by_quality(L)", band),
            ("has(C,banding,attackers)", f"{band}, in_band(C,L)"),
        )


class CanBlock(Possibility):
    """``can_block(x, y)``."""

    declaration = "blockers"
    part = "blocks"
    question = "blocks --each-attack"
    shape = decode.BLOCK_WITH_ATTACK
    files = (*BLOCK, "legal.lp", "show/attacks.lp", "show/blocks.lp")

    def sentence(self, names: Sequence[str], can: str) -> str:
        """Who can block whom."""
        return f"{names[0]} {can} block {names[1]}"

    def offered(self, names: Sequence[str]) -> str:
        """The attacker attacks somebody for whom the creature may block."""
        return f":- not may_be_chosen({names[0]},{names[1]})."

    def declared(self, names: Sequence[str]) -> str:
        """It is declared as a blocker of the other."""
        return f"declared_block({names[0]},{names[1]})"

    def alone(self, board: Scenario, names: Sequence[str], target: str) -> Scenario:
        """Only this creature blocks."""
        return replace(board, blocks=Blocks(FrozenDict({names[0]: (names[1],)})))

    def grounds(self, names: Sequence[str]) -> Grounds:
        """It may be chosen, and has what the attacker's evasion asks for."""
        return (
            (f"may_be_chosen({names[0]},{names[1]})", ""),
            (f"has({names[0]},A,blockers)", f"has({names[1]},flying,blockers), A = (flying;reach)"),
        )


POSSIBILITIES: dict[str, Possibility] = {
    "can_attack": CanAttack(),
    "can_band": CanBand(),
    "can_block": CanBlock(),
}


def possible(scenario: Scenario, query: str, term: Term, positive: bool) -> Explanation:
    """Whether a term of :data:`POSSIBILITIES` is so, or its denial if not ``positive``, and why.

    What the scenario fixes of the declaration itself is set aside.
    """
    asked = POSSIBILITIES[term.word]
    least, most = asked.names
    if not least <= len(set(term.names)) == len(term.names) <= most:
        wanted = str(least) if least == most else f"{least} or {'more' if most > 2 else most}"
        raise QueryError(f'"{term.word}" takes {wanted} different names (column {term.column})')
    kinds = [CREATURE, None] if isinstance(asked, CanAttack) else [CREATURE] * len(term.names)
    check_names(term, kinds[: len(term.names)], known_names(scenario))
    board = replace(scenario, blocks=None, damage=None)
    if asked.part == "attack":
        board = replace(board, attack=None)
    problem = verdict(board, "attack")
    if problem is not None:
        reasons = (Reason(v.message, v.slug, v.rule) for v in problem.violations)
        reason = Reason(asked.sentence(term.names, "cannot"), because=tuple(reasons))
        return Explanation(query, not positive, reason)
    names = tuple(map(quoted, term.names))
    declared = f"declared :- {asked.declared(names)}."
    program = Asked(board, asked.question, declared)
    model = program.truths({"declared": True})
    if model is not None:
        teller = Teller(Derivation(ENCODINGS[asked.question], model), board)
        atoms = [a for ground in asked.grounds(names) for a in teller.derivation.select(*ground)]
        reason = Reason(asked.sentence(term.names, "can"), because=teller.all(atoms))
        answer: Truth = "sometimes" if positive else "never"
        return Explanation(query, positive, reason, read(asked.shape, model), answer)
    fact = asked.sentence(term.names, "cannot")
    reason = Reason(fact, because=_broken(asked, board, term.names, declared))
    return Explanation(query, not positive, reason, answer="never" if positive else "always")


def _broken(
    asked: Possibility, board: Scenario, names: Sequence[str], declared: str
) -> tuple[Reason, ...]:
    """The rules that are broken where it is declared all the same."""
    files = (*ENCODINGS[f"check {asked.part}"], "show/fewest.lp")
    judged = grounded(files, board, f"{declared} :- not declared.")
    if asked.part == "blocks" and judged.possible():
        # Where it is open, an attack that the creature may block tells more than another.
        able = grounded(
            files, board, f"{declared} :- not declared. {asked.offered(tuple(map(quoted, names)))}"
        )
        judged = able if able.possible() else judged
    elif not judged.possible():  # it is not even offered
        targets = [target for player, target in judged.facts("defends", 2) if player == target]
        board = asked.alone(board, names, str(targets[0]) if targets else board.active)
        judged = grounded(files, board)
    reasons: dict[str, Reason] = {}
    for _ in range(WAYS):
        model = judged.truths()
        if model is None:
            break
        teller = Teller(Derivation(ENCODINGS[f"check {asked.part}"], model), board)
        broken = teller.derivation.matching(parse_symbol("violation(any,any)"))
        reasons |= {reason.fact: reason for reason in teller.all(broken)}
        if not broken:
            reasons |= {reason.fact: reason for reason in _too_few(asked, board, declared)}
            break
        # Is there a way around what is broken here? Then that way breaks something else.
        judged.add("".join(f":- {violation}.\n" for violation in broken))
    else:
        reasons["more"] = Reason("every other way breaks a rule, too")
    return tuple(reasons.values())


def _too_few(asked: Possibility, board: Scenario, declared: str) -> tuple[Reason, ...]:
    """That every declaration with it obeys too few requirements."""
    slug = f"{asked.part.removesuffix('s')}.require.max"
    if asked.part == "blocks" and board.attack is None:
        return (Reason(no_attack_fits(), slug, citation(slug, board.edition.date)),)
    rivals = Rivals(asked.declaration, asked.files, board)
    rivals.program.add(declared)
    best: Attack | BlockDeclaration | None = rivals.program.best(
        asked.shape, assuming={"declared": True}
    )
    if isinstance(best, BlockDeclaration):
        found = verdict(replace(board, blocks=best.blocks), "blocks")
    else:
        found = verdict(replace(board, attack=best), "attack")
    return tuple(Reason(v.message, v.slug, v.rule) for v in found.violations) if found else ()
