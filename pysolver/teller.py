"""Explanations: why something is so in a combat, or why it is not, rule by rule.

A statement names atoms of the encodings; :mod:`pysolver.derivation` says from what each is derived.
Here that becomes a tree of sentences. The sentence of a predicate is the one that its encoding
documents it with, and the number at a node is that of the rule of the game whose slug stands above
the statement. What only keeps the books (which moment follows which, what is still on the
battlefield) is left out, and what goes on from moment to moment is traced back to its beginning.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from itertools import groupby

from pysolver.catalogue import citation
from pysolver.decode import STEPS
from pysolver.derivation import ANY, Derivation, Failure, Support
from pysolver.messages import CAUSED, OF_A_BAND, message
from pysolver.results import Reason
from pysolver.scenario.model import Scenario
from pysolver.syntax import Symbol, SymbolType, parse_symbol
from pysolver.wording import Wording, signature

__all__ = ["Teller"]


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: Documented predicates that are not told themselves: what they rest on is told in their place.
UNTOLD = _names(
    "has_instance own_instance has_printed simply_matches matches_printed on_side attacker "
    "destroyed reaches blocker ordinarily_divides banding_gives bander_of recipient strikes "
    "blocked_by hurt marked "
    "changes_power changes_toughness final_life final_poison final_loyalty final_defense "
    "pays final_counters new_pair newly_blocked serves counts_as_blocker blocks_beside able "
    "may_be_hurt life_change poisoned defends has_land forbidden falls_to ordinary_rule withers "
    "occurs"
)

#: Predicates that only keep the books: nothing is told of them, nor of what they rest on.
MUTE = _names(
    "player creature planeswalker turn_order variant active team filter quality_word given "
    "edition in_force next between done moment damage_step account on_battlefield is_creature "
    "in_combat is_blocking attacking_side defending_side attacking_player defending_player "
    "opponent turn_from_active acts_with may_block_for announces in_place_of assigns reached "
    "has_total event happens takes_place is_attack rank attackable creature_type may_share_band "
    "pair band_quality shared_turn controls controller budget wants_blockers needs_company"
)

#: What is told where it is missing; of most predicates it says nothing that they do not hold.
TOLD_MISSING = frozenset({"lethal", "banded_by_banding", "banded_by_quality"})

#: What is looked into where it is missing: what had to happen for it, and did not.
ASKED = _names(
    "died dies destroyed lethally_damaged may_be_hurt regenerates "
    "shield_count in_combat is_blocking dealt at_least amount strikes "
    "blocked becomes_blocked becomes_blocked_by blocks_at blocking attacking in_same_band in_band "
    "divides falls_to banding_gives bander_of banding_divides_attacker banding_divides_blocker "
    "ordinarily_divides ordinary_rule recipient reaches tramples lethal spills able may_be_chosen "
    "forbidden banded_by_banding banded_by_quality has has_instance own_instance matches "
    "share_color has_land counts_as_blocker serves blocks_beside violation"
)

#: Rules with these heads judge or allow: for them it is told, too, what a creature does not have.
JUDGING = frozenset({"violation", "forbidden", "banded_by_banding", "banded_by_quality"})
QUALITIES = _names(
    "has has_type color share_color matches has_land attacker attacking_side defending_side "
    "may_be_chosen attacking"
)

#: Whether banding gives a division to somebody else, where anything has banding.
BANDING = frozenset({"banding_divides_attacker", "banding_divides_blocker"})

#: What a declaration says, which need not be repeated where it is judged.
DECLARED = frozenset({"declared_attack", "declared_block", "attacker", "blocker", "in_band"})

#: Predicates whose last argument N says "N or more": the largest says it all.
AT_LEAST = frozenset({("at_least", 4), ("dealt", 4)})


@dataclass
class Teller:
    """Tells why atoms of a model hold, or why nothing like them does."""

    derivation: Derivation
    scenario: Scenario
    _told: dict[Symbol, tuple[Reason, ...]] = field(default_factory=dict)
    _asked: set[Symbol] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._wording = Wording(self.derivation, self.scenario)

    # Trees

    def all(self, atoms: Iterable[Symbol]) -> tuple[Reason, ...]:
        """Several atoms, each with its reasons; of atoms that are not told only the reasons."""
        told = dict.fromkeys(self._whole(f) for atom in atoms for f in self._visible(atom))
        times = Counter(map(self._sentence, told))
        return _distinct(
            replace(reason, fact=_times(reason.fact, times[reason.fact]))
            for atom in told
            for reason in self.why(atom)
        )

    def why(self, atom: Symbol) -> tuple[Reason, ...]:
        """An atom with its reasons."""
        if not self._is_told(atom):
            return self.all([atom])
        if atom not in self._told:
            self._told[atom] = ()  # no atom is a reason of its own
            fact, because = self._sentence(atom), self._because(atom)
            self._told[atom] = (self._reason(fact, self._slug(atom), because),)
        return self._told[atom]

    def why_not(self, pattern: Symbol) -> tuple[Reason, ...]:
        """That nothing is as the pattern says, with what is missing for it."""
        because, _ = self._missing(pattern)
        if not self._is_told_missing(pattern):
            return because
        return (self._denial(pattern, because),)

    def _missing(self, pattern: Symbol) -> tuple[tuple[Reason, ...], bool]:
        """What is missing for a pattern, and whether some rule that would derive it comes near:
        whether something that can be told of holds for it already."""
        if pattern in self._asked or pattern.name not in ASKED:
            return (), False
        self._asked.add(pattern)
        near: list[list[Reason]] = []
        far: list[list[Reason]] = []
        failures = list(self.derivation.failures(pattern))
        begun = [f for f in failures if all(signature(m) != signature(pattern) for m in f.missing)]
        if len(begun) < len(failures):  # something that goes on, once it has begun
            ended = self._ended(pattern)
            if ended:
                self._asked.discard(pattern)
                return ended, True
            begun = [replace(f, missing=tuple(map(self._at_any_time, f.missing))) for f in begun]
        for failure in self._together(begun):
            told, is_near = self._failed(failure)
            (near if is_near else far).append(told)
        self._asked.discard(pattern)
        if not near and pattern.name in QUALITIES:
            return (), False
        return _distinct(reason for told in near or far for reason in told), bool(near)

    def _at_any_time(self, atom: Symbol) -> Symbol:
        """The atom with ``any`` for the moments in it."""
        moments = {moment for pair in self.derivation.true["next", 2] for moment in pair.arguments}
        return _changed(atom, dict.fromkeys(moments, ANY))

    def _ended(self, pattern: Symbol) -> tuple[Reason, ...]:
        """What has ended something that was as the pattern says at an earlier moment."""
        chain = self.derivation.true["next", 2]
        following = {pair.arguments[0]: pair.arguments[1] for pair in chain}
        before = self.derivation.matching(self._at_any_time(pattern))
        after = (_changed(atom, following) for atom in before)
        ends = (
            wrong
            for atom in after
            if not self.derivation.holds(atom)
            for failure in self.derivation.failures(atom)
            for wrong in failure.wrongly
        )
        return self.all(ends)

    def _together(self, failures: Iterable[Failure]) -> Iterator[Failure]:
        """The failures of each rule; as one, where nothing that can be told of tells them apart."""
        for _, found in groupby(failures, key=lambda failure: failure.rule.number):
            group = list(found)
            plain = not any(self.all((*f.holding, *f.wrongly)) for f in group)
            if len(group) > 1 and plain and all(failure.missing for failure in group):
                missing = reduce(_general, (failure.missing[-1] for failure in group))
                yield Failure(group[0].rule, (), (missing,), ())
            else:
                yield from group

    def _failed(self, failure: Failure) -> tuple[list[Reason], bool]:
        told = [*self.all(failure.holding), *self.all(failure.wrongly)]
        is_near = bool(told)
        for pattern in failure.missing:
            because, comes_near = self._missing(pattern)
            is_near |= comes_near
            if self._is_told_missing(pattern):
                told.append(self._denial(pattern, because))
            else:
                told += because
        return told, is_near

    def _because(self, atom: Symbol) -> tuple[Reason, ...]:
        """The reasons of an atom that is told."""
        reasons = self._all_reasons(atom)
        if atom.name == "violation" and atom.arguments[0].string in CAUSED:
            return tuple(reason for reason in reasons if reason.because)  # the others it names
        return reasons

    def _all_reasons(self, atom: Symbol) -> tuple[Reason, ...]:
        holding, missing = self._grounds(atom)
        reasons = list(self.all(holding))
        for pattern in missing:
            if pattern.name == "blocked":  # that nobody blocked it needs no reasons
                reasons.append(self._denial(pattern, ()))
            else:
                reasons += self.why_not(pattern)
        return _distinct(reasons)

    def _grounds(self, atom: Symbol) -> tuple[list[Symbol], list[Symbol]]:
        """What an atom rests on that can be told of, and what is missing and worth telling."""
        support = self._origin(atom)
        if support is None:
            return [], []
        if atom.name == "in_band":
            return [other for other in support.holding if other.name == "given_band"], []
        judged = atom.name == "violation"
        worth = TOLD_MISSING | (QUALITIES if atom.name in JUDGING else frozenset())
        worth |= {"blocked"} if atom.name in ("recipient", "ordinary_rule") else frozenset()
        worth |= DECLARED if judged else frozenset()
        worth |= BANDING if atom.name == "ordinary_rule" and self._is_banding else frozenset()
        holding, missing = [], [other for other in support.missing if other.name in worth]
        for other in map(self._whole, support.holding):
            if other.name in MUTE:
                continue
            if self._is_told(other):
                holding.append(other)
            else:
                more_holding, more_missing = self._grounds(other)
                holding += more_holding
                missing += more_missing
        if judged:
            holding = [other for other in holding if other.name not in DECLARED]
        return holding, missing

    def _origin(self, atom: Symbol) -> Support | None:
        """What made the atom true in the beginning, if since then it only goes on."""
        support = self.derivation.support(atom)
        if support is None:
            return None
        before = [other for other in support.holding if signature(other) == signature(atom)]
        if len(before) == 1 and _differences(atom, before[0]) == 1:
            return self._origin(before[0])
        return support

    @cached_property
    def _is_banding(self) -> bool:
        """Has anything banding, or bands with other, at some moment?"""
        patterns = ("has(any,banding,any)", "has(any,bands_with_other(any),any)")
        return any(self.derivation.matching(parse_symbol(pattern)) for pattern in patterns)

    def _whole(self, atom: Symbol) -> Symbol:
        """The atom, or of those that say "N or more" the one that says how much it is."""
        if signature(atom) not in AT_LEAST:
            return atom
        inside = ",".join(map(str, atom.arguments[:-1]))
        return max(self.derivation.matching(parse_symbol(f"{atom.name}({inside},any)")))

    def _visible(self, atom: Symbol) -> list[Symbol]:
        if atom.name in MUTE:
            return []
        return [atom] if self._is_told(atom) else self._grounds(atom)[0]

    def _denial(self, pattern: Symbol, because: Iterable[Reason]) -> Reason:
        fact = self._wording.sentence(pattern, denied=True)
        return self._reason(fact, self._wording.slug(pattern), because)

    def _reason(self, fact: str, slug: str | None, because: Iterable[Reason]) -> Reason:
        number = None if slug is None else citation(slug, self.scenario.edition.date)
        return Reason(fact, slug, number, _distinct(because, but=fact))

    def _is_told(self, atom: Symbol) -> bool:
        return atom.name not in UNTOLD | MUTE and self._wording.knows(atom)

    def _is_told_missing(self, pattern: Symbol) -> bool:
        told = pattern.name in QUALITIES | DECLARED | ASKED - UNTOLD
        return told and self._wording.knows(pattern)

    def _slug(self, atom: Symbol) -> str | None:
        if atom.name == "has":
            return None  # the rule there is about having banding twice
        if atom.name == "at_least":  # what allows it is said of the recipient
            step, source, recipient, _ = map(str, atom.arguments)
            atom = parse_symbol(f"recipient({step},{source},{recipient})")
        support = self._origin(atom)
        return self._wording.slug(atom) or (None if support is None else support.rule.slug)

    def _sentence(self, atom: Symbol) -> str:
        return self.violation(atom)[2] if atom.name == "violation" else self._wording.sentence(atom)

    # Broken rules

    def violation(self, atom: Symbol) -> tuple[str, tuple[str, ...], str]:
        """A broken rule: its slug, the names of those who break it, and what is wrong."""
        slug, subjects = atom.arguments
        of_a_band = slug.string in OF_A_BAND
        subject = self._wording.members(subjects) if of_a_band else list(_flat(subjects))
        names = tuple(STEPS.get(str(name)) or self._wording.words(name) for name in subject)
        text = message(slug.string, names)
        if slug.string == "banding.form":
            text += f": {self._no_band(subjects, names)}"
        elif detail := self._detail(slug.string, subjects):
            text += f": {detail}"
        elif slug.string in CAUSED:
            text += "".join(f": {cause}" for cause in [self._causes(atom)] if cause)
        return slug.string, names, text

    def _detail(self, slug: str, subjects: Symbol) -> str:
        """The numbers that matter where a rule is about numbers."""
        found = self.derivation.select
        if slug.endswith("cost.pay"):
            declaration = "attackers" if slug.startswith("attack") else "blockers"
            paid = found(f"pays({declaration},(C,I),N)", f"controls({subjects},C,{declaration})")
            total = sum(atom.arguments[2].number for atom in paid)
            (budget,) = self.derivation.matching(parse_symbol(f"budget({subjects},any)"))
            return f"they are {total} in all, and there is {budget.arguments[1]} mana"
        if slug == "damage.assign.amount":
            step, source = map(str, subjects.arguments)
            (due,) = self.derivation.matching(parse_symbol(f"amount({source},any,{step})"))
            given = len(
                self.derivation.matching(parse_symbol(f"at_least({step},{source},any,any)"))
            )
            return f"that is {due.arguments[1]}, not {given}"
        return ""

    def _causes(self, atom: Symbol) -> str:
        """What an atom rests on, in one line."""
        holding, missing = self._grounds(atom)
        say = self._wording.sentence
        told = [say(cause, timed=False) for cause in dict.fromkeys(holding)]
        told += [say(p, denied=True, timed=False) for p in missing if self._is_told_missing(p)]
        return ", ".join(told)

    def _no_band(self, band: Symbol, names: tuple[str, ...]) -> str:
        """Why a group of attackers is no band."""
        missing = self._grounds(parse_symbol(f'violation("banding.form",{band})'))[1]
        if not {"banded_by_banding", "banded_by_quality"} & {pattern.name for pattern in missing}:
            return "creatures of teammates are read as no band"
        lacking = [
            name
            for name, member in zip(names, self._wording.members(band), strict=True)
            if not self.derivation.holds(parse_symbol(f"has({member},banding,attackers)"))
        ]
        if len(lacking) == len(names):
            who = "neither" if len(names) == 2 else "none of them"
            return f"{who} has banding, and they share no quality that one of them bands with"
        return (
            f"{' and '.join(lacking)} have no banding, of which there may be one only, and they "
            "share no quality that one of them bands with"
        )


def _differences(atom: Symbol, other: Symbol) -> int:
    return sum(a != b for a, b in zip(atom.arguments, other.arguments, strict=True))


def _general(atom: Symbol, other: Symbol) -> Symbol:
    """A pattern for both of two atoms of one predicate."""
    pairs = zip(atom.arguments, other.arguments, strict=True)
    arguments = (str(a if a == b else ANY) for a, b in pairs)
    return parse_symbol(f"{atom.name}({','.join(arguments)})")


def _changed(atom: Symbol, changes: Mapping[Symbol, Symbol]) -> Symbol:
    """The atom with some arguments changed."""
    arguments = (str(changes.get(argument, argument)) for argument in atom.arguments)
    return parse_symbol(f"{atom.name}({','.join(arguments)})")


def _times(fact: str, number: int) -> str:
    return fact if number < 2 else f"{fact}, {number} times"


def _distinct(reasons: Iterable[Reason], but: str = "") -> tuple[Reason, ...]:
    """Each reason once, in its longest telling; without what says the same as ``but``, and without
    what another of them rests on."""
    found: dict[str, Reason] = {}
    for reason in reasons:
        if reason.fact != but and not (reason.fact in found and found[reason.fact].because):
            found[reason.fact] = reason
    below = {fact for reason in found.values() for part in reason.because for fact in _facts(part)}
    return tuple(reason for reason in found.values() if reason.fact not in below)


def _facts(reason: Reason) -> Iterator[str]:
    yield reason.fact
    for part in reason.because:
        yield from _facts(part)


def _flat(symbol: Symbol) -> Iterator[Symbol]:
    """The names in a term that may be a tuple."""
    if symbol.type is SymbolType.Function and not symbol.name:
        for argument in symbol.arguments:
            yield from _flat(argument)
    else:
        yield symbol
