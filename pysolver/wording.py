"""The words for atoms: the sentences with which the encodings document their predicates.

``%*! blocking(B,A,M)  B is blocking A at M: ... *%`` is a template: the letters are the arguments,
and the sentence ends at the colon. A denial is made of the template, before the names are put in.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from pysolver.decode import event_as_written
from pysolver.derivation import ANY, Derivation
from pysolver.programs import DAMAGE
from pysolver.scenario.abilities import Ability
from pysolver.scenario.facts import abilities, ability_term, filter_term, filters
from pysolver.scenario.model import Scenario
from pysolver.scenario.phrases import KINDS, ability_text, quality_text
from pysolver.syntax import Signature, Symbol, SymbolType, parse_symbol, sentences

__all__ = ["Wording"]

MOMENTS = {
    "attackers": "the declaration of attackers",
    "blockers": "the declaration of blockers",
    "first_strike": "the first-strike damage step",
    "regular": "the regular damage step",
    "end": "the end of combat",
    "over": "the end",
}
#: The letters of moments and steps.
TIMES = ("M", "M'", "S")

#: Continuous effects, as they are told.
EFFECTS = {
    ("gives", 2): "{0} have {1}",
    ("attack_tax", 2): "each attacker of {0} costs {1} mana",
    ("attack_tax_planeswalkers", 2): "each attacker of {0} and his planeswalkers costs {1} mana",
    ("max_attackers", 1): "no more than {0} creatures can attack",
    ("max_attackers", 2): "no more than {0} creatures can attack {1}",
    ("max_blockers", 1): "no more than {0} creatures can block",
    ("all_attack", 1): "all creatures of {0} attack if able",
    ("must_attack_with", 2): "{1} creatures attack {0} if able",
    ("must_attack_with_planeswalkers", 2): "{1} creatures attack {0} or his planeswalkers if able",
    ("damage_chooser", 2): "{1} divides the damage of {0}",
    ("damage_chooser", 3): "{1} divides the damage of {0} where {2} is attacked",
}

#: Third persons and their plain forms, as the sentences of the encodings use them.
PLAIN = {
    "has": "have",
    "becomes": "become",
    "gives": "give",
    "deals": "deal",
    "assigns": "assign",
    "matches": "match",
    "divides": "divide",
    "begins": "begin",
    "gets": "get",
    "went": "go",
    "controls": "control",
    "replaces": "replace",
    "attacks": "attack",
}

_LETTER = r"[A-Z]'*(?![a-z'])"
_VARIABLE = re.compile(rf"\b{_LETTER}")
_KIND = re.compile(
    r"\b[Tt]he (?:creature|attacker|blocked creature|blocker|player or team|player|permanent|"
    rf"planeswalker or battle) (?={_LETTER})"
)
_TIME = re.compile(rf"(?:^| )(?:[Aa]t|[Ii]n|[Aa]fter) (?:the (?:damage )?step )?({_LETTER})(?: |$)")
_WHEN = re.compile(rf"(?:At|In|After) {_LETTER} ")
_STEP = re.compile(rf"\bthe (?:damage )?step (?={_LETTER})")
_SIGNED = re.compile(r"\+([XY])")
_VERB = re.compile(rf"\b(is|are|may|can|would|share|{'|'.join(PLAIN)})\b")


@dataclass
class Wording:
    """Says what atoms of a model of ``scenario`` mean, or that nothing is like them."""

    derivation: Derivation
    scenario: Scenario

    def __post_init__(self) -> None:
        self._sentences = sentences(DAMAGE)
        self._texts = {
            **{filter_term(part): quality_text(part) for part in filters(self.scenario)},
            **{ability_term(known): _printed(known) for known in abilities(self.scenario)},
        }
        self._moments = dict(MOMENTS)
        if not self.derivation.holds(parse_symbol("takes_place(first_strike)")):
            self._moments |= dict.fromkeys(("first_strike", "regular"), "the combat damage step")

    def knows(self, atom: Symbol) -> bool:
        """Is the atom's predicate documented?"""
        return signature(atom) in self._sentences

    def slug(self, atom: Symbol) -> str | None:
        """The slug that an atom names itself."""
        found = self._arguments(atom).get("G")
        return found.string if found is not None and found.type is SymbolType.String else None

    def sentence(self, atom: Symbol, *, denied: bool = False, timed: bool = True) -> str:
        """What the atom says, or its denial; without ``timed`` it does not say when.

        A denied atom may be a pattern: that nothing is like it, or that it never is so.
        """
        text = self._sentences[signature(atom)][1]
        arguments = self._arguments(atom)
        anytime = any(arguments.get(letter) == ANY for letter in TIMES)
        if anytime or not timed:
            text = _TIME.sub(" ", text).strip()
        text = _STEP.sub("", _KIND.sub("", text))
        words = {letter: self._word(letter, value) for letter, value in arguments.items()}
        if denied and atom.name in ("dealt", "at_least"):
            words["N"] = "any"
        if denied:
            unknown = {letter for letter, value in arguments.items() if value == ANY}
            text = _denied(text, unknown, "never" if anytime else "not")
        if not _VARIABLE.match(text):
            text = text[0].lower() + text[1:]
        text = _SIGNED.sub(lambda found: found[1] if words[found[1]][0] == "-" else found[0], text)
        return _VARIABLE.sub(lambda found: words.get(found[0], found[0]), text)

    def _arguments(self, atom: Symbol) -> dict[str, Symbol]:
        letters, _ = self._sentences.get(signature(atom), ((), ""))
        return dict(zip(letters, atom.arguments, strict=bool(letters)))

    def _word(self, letter: str, symbol: Symbol) -> str:
        if letter in TIMES:
            return self._moment(symbol)
        if letter == "N" and symbol == ANY:
            return "any"
        if letter == "L" and symbol != ANY:
            return " + ".join(map(self.words, self.members(symbol)))
        return self.words(symbol)

    def members(self, band: Symbol) -> list[Symbol]:
        """Who is in a band, sorted."""
        found = self.derivation.matching(parse_symbol(f"in_band(any,{band})"))
        return [member.arguments[0] for member in found]

    def words(self, symbol: Symbol) -> str:
        """A name, a number, an ability or a filter, as people write it."""
        if symbol.type is SymbolType.String:
            return symbol.string
        if symbol.type is SymbolType.Number:
            return str(symbol.number)
        if symbol == ANY:
            return "anything"
        if known := self._texts.get(str(symbol)):
            return known
        arguments = tuple(map(self.words, symbol.arguments))
        if effect := EFFECTS.get((symbol.name, len(arguments))):
            return effect.format(*arguments)
        if symbol.name in KINDS:
            return _kind(symbol.name)
        return " ".join([symbol.name.replace("_", " "), *arguments]).strip()

    def _moment(self, symbol: Symbol) -> str:
        if symbol.type is SymbolType.Function and symbol.name == "triggers":
            return f"the triggers of {self._moment(symbol.arguments[0])}"
        if symbol.type is SymbolType.Function and symbol.name == "event":
            event = self.scenario.events[symbol.arguments[0].number]
            written = event_as_written(event)
            operation = next(key for key in written if key != "at")
            value = written[operation]
            details = value.values() if isinstance(value, Mapping) else [value]
            return f'the event "{operation}: {", ".join(map(str, details))}"'
        return self._moments.get(symbol.name, str(symbol))


def _kind(kind: str) -> str:
    """An ability that nothing on the board has, whatever its arguments."""
    row = KINDS[kind]
    text = re.sub(r"\{\w+\}", "...", row.text)
    return text if row.group == "keyword" else f'"{text}"'


def _printed(ability: Ability) -> str:
    """An ability as printed, in quotation marks if it is more than a keyword."""
    text = ability_text(ability)
    return text if KINDS[ability.kind].group == "keyword" else f'"{text}"'


def _denied(text: str, unknown: set[str], word: str) -> str:
    """A template, denied: by "nothing" for an ``unknown`` letter at its beginning, or else at its
    verb, with "not" or "never" as the ``word``."""
    if "L" in unknown:
        text = text.replace("the band L", "any band")
    when = _WHEN.match(text)
    first = _VARIABLE.match(text, when.end() if when else 0)
    if first is not None and first[0] in unknown:
        return f"{text[: first.start()]}nothing{text[first.end() :]}"
    if text.startswith("No "):
        return text.removeprefix("No ")
    verb = _VERB.search(text)
    if verb is None:
        return f"it is not so that {text}"
    before, after = text[: verb.start()], text[verb.end() :]
    if verb[0] == "share":
        return f"{before}do not share{after}"
    if verb[0] not in PLAIN:
        return f"{before}{verb[0]} {word}{after}"
    return (
        f"{before}never {verb[0]}{after}"
        if word == "never"
        else (f"{before}does not {PLAIN[verb[0]]}{after}")
    )


def signature(atom: Symbol) -> Signature:
    """The predicate of an atom."""
    return atom.name, len(atom.arguments)
