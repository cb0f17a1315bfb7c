"""Filters: short phrases over what a creature has, such as ``artifact creatures and/or walls``.

``or``, ``and/or`` and commas join what may match either way, ``and`` what must match both, and
``and`` binds closer. Words side by side all match. Parentheses group; a name may be written in
double quotes where it would be read as something else.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import TypeAlias

from pysolver.errors import ScenarioError
from pysolver.scenario.abilities import (
    Ability,
    AllOf,
    AnyOf,
    Anything,
    ControlledBy,
    Filter,
    HasColor,
    HasType,
    Named,
    Not,
    PowerAtLeast,
    PowerAtMost,
    WithAbility,
)
from pysolver.scenario.words import COLORS, LARGEST, Names, plural, singular, suggestion

__all__ = ["depth", "filter_text", "is_type_word", "negate", "parse_filter"]

Keyword: TypeAlias = Callable[[str], Ability | None]
KeywordText: TypeAlias = Callable[[Ability], str]

#: Filters nested deeper than this, or of more parts, are refused.
DEEPEST = 24
_MOST_PARTS = 100

_ALL_COLORS = (*COLORS, "colorless", "multicolored")
_EVERYTHING = ("creature", "creatures", "everything", "anything")
_ADJECTIVES = (
    *("legendary", "basic", "snow", "world", "artifact", "enchantment", "land", "planeswalker"),
    *("battle", "token", "kindred", "tribal"),
)
_RESERVED = frozenset(
    (
        *("a", "able", "additional", "alone", "although", "and", "and/or", "any"),
        *("are", "as", "at", "attack", "attacking", "attacks", "be", "block"),
        *("blocked", "blocking", "blocks", "but", "by", "can", "can't", "cannot"),
        *("combat", "control", "controls", "do", "does", "each", "except", "fewer"),
        *("for", "greater", "had", "has", "have", "he", "her", "his", "if", "in", "is"),
        *("it", "it's", "its", "least", "less", "more", "most", "much", "named", "no"),
        *("not", "of", "on", "one", "only", "or", "other", "out", "pay", "pays"),
        *("player", "players", "power", "she", "since", "so", "than", "that", "the"),
        *("their", "them", "these", "they", "this", "those", "though", "to"),
        *("toughness", "turn", "under", "unless", "until", "was", "were", "when"),
        *("where", "which", "while", "who", "whose", "will", "with", "without", "you"),
        "your",
    )
)
_WORD = re.compile(r"[^\s(),\"]+")
_TYPE_WORD = re.compile(r"[^\W_][\w'+-]*")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_POWER = re.compile(
    r"power\s+(-?\d{1,6})\s+or\s+(?:(less|fewer|smaller)|(greater|more))(?!\w)", re.IGNORECASE
)
_OR = re.compile(r"(?:(?:and/or|or)(?!\w)|,(?:\s*(?:and/or|or)(?!\w))?)", re.IGNORECASE)
_AND = re.compile(r"and(?![\w/])", re.IGNORECASE)
_END_OF_NAME = re.compile(r"\s*(?:$|[),]|(?:or|and|and/or)(?!\w))", re.IGNORECASE)
_END_OF_PROPERTY = re.compile(r"\s+(?:or|and|and/or)(?!\w)|[),]|$", re.IGNORECASE)
_POSSESSIVE = re.compile(r"['\u2019]s?(?=\s)", re.IGNORECASE)


def negate(filter: Filter) -> Filter:
    """The opposite filter; ``Not`` stands before simple filters only."""
    match filter:
        case Not(inner):
            return inner
        case AllOf(left, right):
            return AnyOf(negate(left), negate(right))
        case AnyOf(left, right):
            return AllOf(negate(left), negate(right))
        case _:
            return Not(filter)


def depth(filter: Filter) -> int:
    """How deep a filter nests."""
    match filter:
        case AllOf(left, right) | AnyOf(left, right):
            return 1 + max(depth(left), depth(right))
        case Not(inner):
            return 1 + depth(inner)
        case _:
            return 1


def is_type_word(word: str, keyword: Keyword) -> bool:
    """Is this a word as :class:`HasType` holds it?"""
    try:
        return _Reader(word, Names(), keyword).word(word) == HasType(word)
    except ScenarioError:
        return False


def parse_filter(text: str, names: Names, keyword: Keyword) -> Filter:
    """Read a filter; raises :class:`ScenarioError`, without a path.

    ``keyword`` reads a keyword ability, for ``creatures with flying``.
    """
    if text in names.creatures:
        return Named(text)
    if text in names.players:
        return ControlledBy(text)
    return _Reader(text, names, keyword).whole()


class _Reader:
    """A reader by recursive descent; ``at`` is where it stands."""

    def __init__(self, text: str, names: Names, keyword: Keyword) -> None:
        self.text, self.names, self.keyword = text, names, keyword
        self.at = 0
        self.parts = 0

    def fail(self, message: str) -> ScenarioError:
        return ScenarioError(f'cannot read "{self.text}": {message}')

    def blank(self) -> None:
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        self.blank()
        found = pattern.match(self.text, self.at)
        if found:
            self.at = found.end()
        return found

    def whole(self) -> Filter:
        result = self.either()
        self.blank()
        if self.at < len(self.text):
            raise self.fail(f'"{self.text[self.at :]}" is left over')
        if depth(result) > DEEPEST:
            raise self.fail("it has too many parts")
        return result

    def either(self) -> Filter:
        left = self.both()
        while self.take(_OR):
            left = AnyOf(left, self.both())
        return left

    def both(self) -> Filter:
        left = self.unit()
        while self.take(_AND):
            left = AllOf(left, self.unit())
        return left

    def unit(self) -> Filter:
        self.parts += 1
        if self.parts > _MOST_PARTS:
            raise self.fail(f"more than {_MOST_PARTS} parts")
        if self.take(re.compile(r"\(")):
            inner = self.either()
            if not self.take(re.compile(r"\)")):
                raise self.fail('")" is missing')
            return inner
        if self.take(re.compile(r"not(?!\w)", re.IGNORECASE)):
            return negate(self.unit())
        power = self.power()
        return power or self.name() or self.owned() or self.articled()

    def articled(self) -> Filter:
        if self.take(re.compile(r"(?:an?|the|all|any)(?=\s)", re.IGNORECASE)):
            return self.name() or self.owned() or self.nouns()
        return self.nouns()

    def power(self) -> Filter | None:
        found = self.take(_POWER)
        if not found:
            return None
        amount = int(found[1])
        if abs(amount) > LARGEST:
            raise self.fail(f"{amount} is too large")
        return PowerAtMost(amount) if found[2] else PowerAtLeast(amount)

    def known(self, names: frozenset[str], end: re.Pattern[str]) -> str | None:
        """The longest of these names that stands here, plain or in quotes."""
        self.blank()
        string = _STRING.match(self.text, self.at)
        if string and end.match(self.text, string.end()):
            name = _unquote(string[0])
            if name in names:
                self.at = string.end()
                return name
        for name in sorted(names, key=len, reverse=True):
            stop = self.at + len(name)
            if self.text.startswith(name, self.at) and end.match(self.text, stop):
                self.at = stop
                return name
        return None

    def name(self) -> Filter | None:
        creature = self.known(self.names.creatures, _END_OF_NAME)
        if creature is not None:
            return Named(creature)
        player = self.known(self.names.players, _END_OF_NAME)
        return None if player is None else ControlledBy(player)

    def owned(self) -> Filter | None:
        owner = self.known(self.names.players, _POSSESSIVE)
        if owner is None:
            return None
        self.take(_POSSESSIVE)
        nouns = self.nouns()
        return ControlledBy(owner) if nouns == Anything() else AllOf(ControlledBy(owner), nouns)

    def nouns(self) -> Filter:
        start = self.at
        found = list(self.words())
        found += self.clauses()
        if self.at == start or not self.text[start : self.at].strip():
            raise self.fail("a quality is missing")
        result: Filter | None = None
        for part in found:
            if part != Anything():
                result = part if result is None else AllOf(result, part)
        return Anything() if result is None else result

    def words(self) -> Iterator[Filter]:
        while True:
            self.blank()
            word = _WORD.match(self.text, self.at)
            if not word or re.fullmatch(
                r"or|and|and/or|with|without|named|controlled", word[0], re.IGNORECASE
            ):
                return
            self.at = word.end()
            self.parts += 1
            if self.parts > _MOST_PARTS:
                raise self.fail(f"more than {_MOST_PARTS} parts")
            yield self.word(word[0])

    def word(self, word: str) -> Filter:
        lower = word.lower().replace("\u2019", "'")
        if lower in _EVERYTHING:
            return Anything()
        for color in _ALL_COLORS:
            if lower == color:
                return HasColor(color)  # type: ignore[arg-type]
        if lower.startswith("non") and len(lower) > 4:
            return negate(self.word(lower.removeprefix("non").removeprefix("-")))
        if lower.endswith("'s") and lower != "urza's":
            owner = word[:-2]
            hint = suggestion(owner, self.names.players)
            raise self.fail(f'no player is called "{owner}"{hint}')
        if lower in _RESERVED or not _TYPE_WORD.fullmatch(lower):
            raise self.fail(f'"{word}" is not a word of a quality')
        for form in (lower, singular(lower)):
            if self.keyword(form):
                raise self.fail(f'write "creatures with {form}"')
        return HasType(singular(lower))

    def clauses(self) -> Iterator[Filter]:
        while True:
            if self.take(re.compile(r"with(?!\w)", re.IGNORECASE)):
                yield self.properties()
            elif self.take(re.compile(r"without(?!\w)", re.IGNORECASE)):
                yield negate(self.properties())
            elif self.take(re.compile(r"controlled\s+by(?=\s)", re.IGNORECASE)):
                yield self.controlled()
            elif self.take(re.compile(r"named(?=\s)", re.IGNORECASE)):
                yield self.named()
            else:
                return

    def controlled(self) -> Filter:
        player = self.known(self.names.players, _END_OF_NAME)
        if player is None:
            word = self.text[self.at :].strip()
            hint = suggestion(word, self.names.players)
            raise self.fail(f'no player is called "{word}"{hint}')
        return ControlledBy(player)

    def named(self) -> Filter:
        """A card's name: in quotes, or whatever stands there to the end."""
        string = self.take(_STRING)
        if string:
            return Named(_unquote(string[0]))
        name = self.text[self.at :].strip()
        self.at = len(self.text)
        if not name:
            raise self.fail("a name is missing")
        return Named(name)

    def properties(self) -> Filter:
        left = self.property()
        if left is None:
            start = self.at
            end = _END_OF_PROPERTY.search(self.text, start)
            word = self.text[start : end.start() if end else None].strip()
            raise self.fail(f'"{word}" is not a keyword')
        while True:
            start = self.at
            both = self.take(_AND)
            right = self.property() if both or self.take(_OR) else None
            if right is None:
                self.at = start
                return left
            left = AllOf(left, right) if both else AnyOf(left, right)

    def property(self) -> Filter | None:
        power = self.power()
        if power is not None:
            return power
        self.blank()
        end = _END_OF_PROPERTY.search(self.text, self.at)
        stop = end.start() if end else len(self.text)
        ability = self.keyword(self.text[self.at : stop].strip())
        if ability is None:
            return None
        self.parts += 1
        if self.parts > _MOST_PARTS:
            raise self.fail(f"more than {_MOST_PARTS} parts")
        self.at = stop
        return WithAbility(ability)


def _unquote(text: str) -> str:
    try:
        return str(json.loads(text, strict=False))
    except ValueError:
        return text


def filter_text(filter: Filter, keyword: KeywordText, *, plain: bool = False) -> str:
    """A filter in words; ``plain`` spells it so that nothing can be misread."""
    return _Writer(keyword, plain).whole(filter)


class _Writer:
    def __init__(self, keyword: KeywordText, plain: bool) -> None:
        self.keyword, self.plain = keyword, plain

    def whole(self, filter: Filter) -> str:
        nouns = self.nouns(filter)
        if nouns is not None:
            return nouns
        match filter:
            case AllOf(left, right):
                return f"{self.part(left)} and {self.part(right)}"
            case AnyOf(left, right):
                return f"{self.part(left)} or {self.part(right)}"
            case Not(inner):
                return f"not {self.part(inner)}"
            case _:  # pragma: no cover - every leaf is a noun phrase
                raise AssertionError(filter)

    def part(self, filter: Filter) -> str:
        text = self.nouns(filter)
        if text is None or self.plain:
            return f"({text or self.whole(filter)})"
        return text

    def name(self, name: str) -> str:
        return json.dumps(name, ensure_ascii=False) if self.plain else name

    def nouns(self, filter: Filter) -> str | None:
        """As one noun phrase, if it is one."""
        match filter:
            case Anything():
                return "creatures"
            case Named(name):
                return f"creatures named {self.name(name)}"
            case ControlledBy(player):
                return f"{self.name(player)}'s creatures"
            case AllOf(ControlledBy(), Anything() | ControlledBy() | AllOf(ControlledBy(), _)):
                return None
            case AllOf(ControlledBy(player), right):
                inner = self.nouns(right)
                return None if inner is None else f"{self.name(player)}'s {inner}"
            case WithAbility() | PowerAtLeast() | PowerAtMost():
                return f"creatures {self.clause(filter)}"
            case AllOf(left, (WithAbility() | PowerAtLeast() | PowerAtMost()) as right):
                words = self.words(left)
                return f"{self.plural(words)} {self.clause(right)}" if words else None
            case _:
                words = self.words(filter)
                return self.plural(words) if words else None

    def clause(self, filter: Filter) -> str:
        match filter:
            case PowerAtLeast(amount):
                return f"with power {amount} or greater"
            case PowerAtMost(amount):
                return f"with power {amount} or less"
            case WithAbility(ability):
                return f"with {self.keyword(ability)}"
            case _:  # pragma: no cover - called for these only
                raise AssertionError(filter)

    def words(self, filter: Filter) -> list[str]:
        match filter:
            case HasType(word):
                return [word]
            case HasColor(color):
                return [color]
            case Not(HasType(word)) | Not(HasColor(word)):
                return [f"non-{word}"]
            case AllOf(left, (HasType() | HasColor() | Not()) as right):
                first, last = self.words(left), self.words(right)
                return first + last if first and last else []
            case _:
                return []

    def plural(self, words: list[str]) -> str:
        *first, last = words
        many = None if self.plain or last in (*_ADJECTIVES, *_ALL_COLORS) else plural(last)
        if last.startswith("non-"):
            many = None
        return " ".join((*first, many or f"{last} creatures"))
