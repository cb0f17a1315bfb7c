"""Small words: numbers as printed, singular and plural, what counts as a name."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import lru_cache

import inflection

__all__ = [
    "COLORS",
    "LARGEST",
    "NUMBERS",
    "Names",
    "name_problem",
    "number_text",
    "plural",
    "singular",
    "suggestion",
]

COLORS = ("white", "blue", "black", "red", "green")

#: No number of a scenario is larger: sums must stay far inside the solver's 32 bits.
LARGEST = 9999

NUMBERS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    *("nineteen", "twenty"),
)

_IRREGULAR = {
    "faeries": "faerie",
    "zombies": "zombie",
    "genies": "genie",
    "pixies": "pixie",
    "thieves": "thief",
    "octopuses": "octopus",
    "homunculi": "homunculus",
    "homunculuses": "homunculus",
    "pegasi": "pegasus",
    "axes": "axe",
    "legend": "legendary",
    "legends": "legendary",
    "elves": "elf",
    "dwarves": "dwarf",
    "dwarfs": "dwarf",
    "wolves": "wolf",
    "werewolves": "werewolf",
    "cyclopes": "cyclops",
    "heroes": "hero",
    "plains": "plains",
    "locus": "locus",
    "loci": "locus",
}
#: Words that look like plurals and are none.
_SINGULAR = frozenset(
    (
        *("cephalopus", "colossus", "cyclops", "fungus", "hippopotamus", "homunculus"),
        *("locus", "lotus", "nautilus", "octopus", "pegasus", "plains", "platypus"),
        *("thalakos", "walrus"),
    )
)


#: Words whose plural is the same.
_UNCHANGED = frozenset(("eldrazi", "samurai", "djinn", "elk", "sheep", "fish", "myr", "jellyfish"))


@lru_cache(maxsize=4096)
def singular(word: str) -> str:
    """A type word in lower case and singular, the same for every spelling of it."""
    word = word.lower().replace("\u2019", "'")
    for _ in range(4):  # until nothing changes, so that a singular word is its own singular
        once = word if word in _SINGULAR else _IRREGULAR.get(word) or inflection.singularize(word)
        if once == word:
            break
        word = once
    return word


@lru_cache(maxsize=4096)
def plural(word: str) -> str | None:
    """The plural of a type word, if :func:`singular` reads it back."""
    if word.endswith(("folk", "kin")) or word in _UNCHANGED:
        return word
    text = inflection.pluralize(word)
    return text if text != word and singular(text) == word else None


def number_text(number: int) -> str:
    """A number as a card prints it: in words up to ten."""
    return NUMBERS[number] if 1 <= number <= 10 else str(number)


def suggestion(word: str, known: Iterable[str]) -> str:
    """``; did you mean "banding"?`` for the known word that is closest, or nothing."""
    lower = {name.lower(): name for name in known}
    close = get_close_matches(word.lower(), lower, n=1, cutoff=0.6)
    return f'; did you mean "{lower[close[0]]}"?' if close else ""


def name_problem(name: str) -> str | None:
    """What keeps a text from being a name, or ``None``."""
    if not name:
        return "a name cannot be empty"
    for character in name:
        if character not in "\t\n" and unicodedata.category(character) in ("Cc", "Cs"):
            return f"a name cannot contain the control character U+{ord(character):04X}"
    return None


@dataclass(frozen=True, slots=True)
class Names:
    """The names of a scenario that phrases may speak of."""

    players: frozenset[str] = field(default=frozenset())
    creatures: frozenset[str] = field(default=frozenset())
    #: Planeswalkers and battles; in editions that attack teams also the teams.
    others: frozenset[str] = field(default=frozenset())

    @property
    def targets(self) -> frozenset[str]:
        """What can be attacked."""
        return self.players | self.others
