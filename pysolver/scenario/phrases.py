"""The phrases that abilities are written in, one row each; and abilities as phrases again.

A row's ``text`` is what a card prints, with places for what changes:

``{n}`` a number, in words; ``{N}`` a number, in digits; ``{filter}`` a quality; ``{target}`` a
player, planeswalker or battle; ``{creature}`` a creature's name; ``{land}`` words of a land's type
line; ``{landwalk}`` the same before "walk"; ``{s}`` an ending that the number decides.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache, lru_cache
from typing import Literal, TypeAlias

from pysolver.errors import ScenarioError
from pysolver.scenario.abilities import (
    Ability,
    AllOf,
    AnyOf,
    Anything,
    Argument,
    ControlledBy,
    Filter,
    HasColor,
    Not,
)
from pysolver.scenario.filters import filter_text, is_type_word, parse_filter
from pysolver.scenario.words import LARGEST, NUMBERS, Names, number_text, suggestion

__all__ = [
    "KINDS",
    "PHRASES",
    "Names",
    "Phrase",
    "ability_text",
    "keyword",
    "known_word",
    "parse_abilities",
    "parse_quality",
    "quality_text",
]

Place: TypeAlias = Literal["number", "filter", "target", "creature", "land", "payer"]
Group: TypeAlias = Literal["keyword", "attacking", "blocking", "damage"]

_PLACES: dict[str, Place] = {
    "n": "number",
    "N": "number",
    "filter": "filter",
    "target": "target",
    "creature": "creature",
    "land": "land",
    "landwalk": "land",
    "payer": "payer",
}
_PLACE = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Phrase:
    """One ability: its kind, its printed text, other spellings of it, and what it means."""

    kind: str
    group: Group
    text: str
    meaning: str
    also: tuple[str, ...] = ()

    @property
    def places(self) -> tuple[Place, ...]:
        """The kinds of its arguments, in order."""
        return tuple(_PLACES[name] for name in _PLACE.findall(self.text) if name in _PLACES)


def _keywords(group: Group, **rows: str) -> Iterator[Phrase]:
    for kind, meaning in rows.items():
        yield Phrase(kind, group, kind.replace("_", " "), meaning)


#: Every ability that a scenario may name.
PHRASES: tuple[Phrase, ...] = (
    *_keywords(
        "keyword",
        banding="may attack in a band, and its side divides damage among it and others (702.22)",
        flying="is blocked only by flying or reach (702.9)",
        reach="may block creatures with flying (702.17)",
        shadow="blocks and is blocked by shadow only (702.28)",
        horsemanship="is blocked only by horsemanship (702.31)",
        fear="is blocked only by artifact or black creatures (702.36)",
        intimidate="is blocked only by artifact creatures or ones that share a color (702.13)",
        skulk="is not blocked by creatures with greater power (702.118)",
        menace="is blocked only by two or more creatures (702.111)",
        defender="cannot attack (702.3)",
        haste="may attack in the turn in which it came (702.10)",
        vigilance="is not tapped by attacking (702.20)",
        first_strike="deals its damage in the first step (702.7)",
        double_strike="deals damage in both steps (702.4)",
        trample="may assign to its target what its blockers do not need (702.19)",
        trample_over_planeswalkers="tramples past a planeswalker to its controller (702.19c)",
        deathtouch="any damage it deals to a creature is lethal (702.2)",
        lifelink="its controller gains the life that its damage takes (702.15)",
        wither="damages creatures by -1/-1 counters (702.80)",
        infect="damages creatures by -1/-1 counters and players by poison (702.90)",
        indestructible="is not destroyed (702.12)",
        changeling="is every creature type (702.73)",
        flanking="its blockers without flanking get -1/-1 (702.25)",
        exalted="a creature of its side that attacks alone gets +1/+1 (702.83)",
        battle_cry="other attackers get +1/+0 as it attacks (702.91)",
        melee="gets +1/+1 for each opponent attacked (702.121)",
        decayed="cannot block, and is sacrificed after it attacked (702.147)",
    ),
    Phrase(
        "bands_with_other",
        "keyword",
        "bands with other {filter}",
        "may attack in a band of creatures of the quality (702.22b)",
    ),
    Phrase(
        "landwalk",
        "keyword",
        "{landwalk}walk",
        "is not blocked while the defending player controls such a land (702.14)",
    ),
    Phrase(
        "protection",
        "keyword",
        "protection from {filter}",
        "is not blocked by the quality, and takes no damage from it (702.16)",
    ),
    Phrase("toxic", "keyword", "toxic {N}", "players it damages get N poison counters (702.164)"),
    Phrase(
        "rampage", "keyword", "rampage {N}", "gets +N/+N for each blocker beyond the first (702.23)"
    ),
    Phrase("bushido", "keyword", "bushido {N}", "gets +N/+N when it blocks or is blocked (702.45)"),
    # Attacking
    Phrase("cant_attack", "attacking", "can't attack", "is never declared as an attacker"),
    Phrase(
        "cant_attack_alone",
        "attacking",
        "can't attack alone",
        "attacks only if another creature does",
    ),
    Phrase(
        "attacks_only_alone",
        "attacking",
        "can only attack alone",
        "attacks only if no other creature does",
        ("can attack only alone",),
    ),
    Phrase(
        "cant_attack_unless_others",
        "attacking",
        "can't attack unless {n} other creature{s} attack",
        "attacks only with so many others",
        (
            "can't attack unless at least {n} other creature{s} attack",
            "can't attack unless {n} other creature{s} attacks",
            "can't attack unless at least {n} other creature{s} attacks",
        ),
    ),
    Phrase(
        "cant_attack_unless_land",
        "attacking",
        "can't attack unless defending player controls {land}",
        "attacks only a player with such a land",
        ("can't attack unless the defending player controls {land}",),
    ),
    Phrase(
        "cant_attack_target",
        "attacking",
        "can't attack {target}",
        "does not attack this player, planeswalker or battle",
    ),
    Phrase(
        "attacks_despite_defender",
        "attacking",
        "can attack as though it didn't have defender",
        "defender does not keep it from attacking",
    ),
    Phrase(
        "must_attack",
        "attacking",
        "attacks each combat if able",
        "a requirement to attack",
        ("attacks each turn if able", "attacks this turn if able", "attacks this combat if able"),
    ),
    Phrase(
        "must_attack_target",
        "attacking",
        "attacks {target} each combat if able",
        "a requirement to attack this player or permanent",
        (
            "attacks {target} each turn if able",
            "attacks {target} this turn if able",
            "attacks {target} this combat if able",
            "attacks {target} if able",
        ),
    ),
    Phrase(
        "attack_cost",
        "attacking",
        "can't attack unless you pay {N}",
        "attacking costs mana (508.1h)",
    ),
    Phrase(
        "cant_attack_unless_greater_power",
        "attacking",
        "can't attack unless a creature with greater power also attacks",
        "attacks only with a stronger creature",
    ),
    Phrase(
        "unblockable_alone",
        "attacking",
        "can't be blocked as long as it's attacking alone",
        "is not blocked where no other creature attacks",
        ("can't be blocked as long as it is attacking alone",),
    ),
    # Blocking
    Phrase("cant_block", "blocking", "can't block", "is never declared as a blocker"),
    Phrase(
        "cant_block_alone", "blocking", "can't block alone", "blocks only if another creature does"
    ),
    Phrase("blocks_only", "blocking", "can block only {filter}", "blocks nothing else"),
    Phrase("cant_block_filter", "blocking", "can't block {filter}", "does not block these"),
    Phrase(
        "extra_blocks",
        "blocking",
        "can block {n} additional creature{s}",
        "may block more than one attacker",
        (
            "can block {n} additional creature{s} each combat",
            "can block {n} additional creature{s} this turn",
        ),
    ),
    Phrase(
        "blocks_any_number",
        "blocking",
        "can block any number of creatures",
        "may block every attacker at once",
    ),
    Phrase("unblockable", "blocking", "can't be blocked", "is blocked by nothing"),
    Phrase(
        "cant_be_blocked_by", "blocking", "can't be blocked by {filter}", "is not blocked by these"
    ),
    Phrase(
        "blocked_only_by",
        "blocking",
        "can't be blocked except by {filter}",
        "is blocked by nothing else",
    ),
    Phrase(
        "min_blockers",
        "blocking",
        "can't be blocked except by {n} or more creatures",
        "is blocked by so many or not at all",
    ),
    Phrase(
        "max_blockers",
        "blocking",
        "can't be blocked by more than {n} creature{s}",
        "is blocked by at most so many",
    ),
    Phrase(
        "unblockable_unless_all_block",
        "blocking",
        "can't be blocked unless all creatures defending player controls block it",
        "is blocked by all of them or not at all",
        (
            "can't be blocked unless all creatures the defending player controls block it",
            "can't be blocked unless all creatures defending player controls block this creature",
        ),
    ),
    Phrase(
        "cant_block_unless_greater_power",
        "blocking",
        "can't block unless a creature with greater power also blocks",
        "blocks only with a stronger creature",
    ),
    Phrase(
        "cost_to_be_blocked",
        "blocking",
        "can't be blocked unless its controller pays {N} for each",
        "each creature that blocks it costs its controller mana",
        (
            "can't be blocked unless {payer} pays {N} for each",
            "can't be blocked unless {payer} pays {N} for each blocker",
            "can't be blocked unless {payer} pays {N} for each of those creatures",
        ),
    ),
    Phrase(
        "must_block",
        "blocking",
        "blocks each combat if able",
        "a requirement to block",
        ("blocks each turn if able", "blocks this turn if able", "blocks this combat if able"),
    ),
    Phrase(
        "must_be_blocked",
        "blocking",
        "must be blocked if able",
        "a requirement that something blocks it",
        ("must be blocked this turn if able", "must be blocked each combat if able"),
    ),
    Phrase(
        "must_be_blocked_by_number",
        "blocking",
        "must be blocked by {n} or more creatures if able",
        "a requirement that so many block it",
    ),
    Phrase(
        "must_be_blocked_by_one",
        "blocking",
        "must be blocked by exactly one creature if able",
        "a requirement that one creature blocks it and no other",
    ),
    Phrase(
        "must_be_blocked_by",
        "blocking",
        "must be blocked by {filter} if able",
        "a requirement that one of these blocks it",
    ),
    Phrase(
        "lure",
        "blocking",
        "all creatures able to block this creature do so",
        "a requirement on every creature to block it",
        ("all creatures able to block it do so",),
    ),
    Phrase(
        "must_block_creature",
        "blocking",
        "blocks {creature} if able",
        "a requirement to block this creature",
        (
            "blocks {creature} each combat if able",
            "blocks {creature} this turn if able",
            "blocks {creature} this combat if able",
        ),
    ),
    Phrase("block_cost", "blocking", "can't block unless you pay {N}", "blocking costs mana"),
    # Damage
    Phrase("no_combat_damage", "damage", "assigns no combat damage", "assigns nothing"),
    Phrase(
        "damage_by_toughness",
        "damage",
        "assigns combat damage equal to its toughness",
        "assigns by its toughness instead of its power",
        ("assigns combat damage equal to its toughness rather than its power",),
    ),
    Phrase(
        "as_though_unblocked",
        "damage",
        "may assign combat damage as though it weren't blocked",
        "its damage may all go to what it attacks",
        ("may assign its combat damage as though it weren't blocked",),
    ),
    Phrase("cant_regenerate", "damage", "can't be regenerated", "its shields do nothing"),
)

#: Phrases that print two abilities.
_PAIRS: tuple[tuple[str, tuple[str, str]], ...] = (
    ("can't attack or block", ("can't attack", "can't block")),
    ("can't attack or block alone", ("can't attack alone", "can't block alone")),
    (
        "can't attack or block unless you pay {N}",
        ("can't attack unless you pay {N}", "can't block unless you pay {N}"),
    ),
)

#: Every kind of ability and its row.
KINDS: dict[str, Phrase] = {phrase.kind: phrase for phrase in PHRASES}

_NUMBER = r"\{?(?:\d{1,6}|an?|" + "|".join(NUMBERS) + r")\}?"
_PATTERNS = {
    "number": _NUMBER,
    "land": r"\S.*?",
    "payer": r".+?",
    "filter": r".+",
    "target": r".+",
    "creature": r".+",
}
_PAYERS = re.compile(r"(?:its|their|(?:the )?blocker['\u2019]s) controller|defending player", re.I)
_LAND_WORD = re.compile(r"[^\W\d_][\w'-]*")
_SUPERTYPES = ("basic", "nonbasic", "legendary", "snow", "artifact", "world")


@cache
def _compiled(template: str) -> tuple[re.Pattern[str], tuple[Place, ...]]:
    places: list[Place] = []
    pattern = ""
    for index, part in enumerate(_PLACE.split(template)):
        if index % 2 == 0:
            literal = re.escape(part).replace(r"\ ", r"\s+").replace("'", "['\u2019\u02bc]")
            pattern += re.sub(r"creatures(?!\w)", "creatures?", literal)
        elif part == "s":
            pattern += "s?"
        else:
            places.append(_PLACES[part])
            pattern += f"({_PATTERNS[_PLACES[part]]})"
    return re.compile(pattern, re.IGNORECASE | re.DOTALL), tuple(places)


@cache
def _templates() -> tuple[tuple[str, Phrase], ...]:
    """Every spelling with its row; those that say most in their own words come first."""
    spellings = [(text, row) for row in PHRASES for text in (row.text, *row.also)]
    return tuple(sorted(spellings, key=lambda pair: -len(_PLACE.sub("", pair[0]))))


def parse_abilities(text: str, names: Names) -> tuple[Ability, ...]:
    """The abilities that a phrase prints: one, or two for "can't attack or block".

    Raises :class:`ScenarioError`, without a path, for what is no ability.
    """
    phrase = re.sub(r"\s*\Z", "", text).lstrip()
    phrase = re.sub(r"\A(?:this|the) creature (?=\w)", "", phrase, flags=re.IGNORECASE)
    for template, both in _PAIRS:
        found = _compiled(template)[0].fullmatch(phrase)
        if found:
            number = found.groups()[0] if found.groups() else ""
            singles = (single.replace("{N}", number) for single in both)
            return tuple(ability for one in singles for ability in parse_abilities(one, names))
    return (_parse(phrase, text, names),)


def _parse(phrase: str, text: str, names: Names) -> Ability:
    failure: ScenarioError | None = None
    for spelling in dict.fromkeys((phrase, phrase.removesuffix("."))):
        for template, row in _templates():
            pattern, places = _compiled(template)
            found = pattern.fullmatch(spelling)
            if not found:
                continue
            try:
                return Ability(row.kind, _arguments(places, found.groups(), names))
            except ScenarioError as error:
                failure = failure or error
    if failure is not None and re.search(r"did you mean| is a ", failure.message):
        raise ScenarioError(f'unknown ability "{text}": {failure.message}')
    hint = _closest(phrase, 0.72 if failure is None else 0.88)
    if failure is None or hint:
        raise ScenarioError(f'unknown ability "{text}"{hint}')
    raise ScenarioError(f'unknown ability "{text}": {failure.message}')


#: What stands in the places of a phrase that is suggested.
_SAMPLES = {
    "n": "two",
    "N": "1",
    "s": "s",
    "filter": "goblins",
    "target": "a player",
    "creature": "a creature",
    "land": "an island",
    "landwalk": "swamp",
    "payer": "its controller",
}


def _closest(phrase: str, least: float) -> str:
    """``; did you mean ...`` for the phrase that is nearly this one."""
    words = phrase.lower()
    best, score = "", least
    for template, _ in _templates():
        printed = _PLACE.sub(lambda place: _SAMPLES[place[1]], template)
        matcher = SequenceMatcher(None, words, printed)
        if matcher.real_quick_ratio() > score and matcher.ratio() > score:
            best, score = printed, matcher.ratio()
    return f'; did you mean "{best}"?' if best else ""


def _arguments(
    places: tuple[Place, ...], texts: tuple[str, ...], names: Names
) -> tuple[Argument, ...]:
    found = []
    for place, text in zip(places, texts, strict=True):
        value = _argument(place, text, names)
        if value is not None:
            found.append(value)
    return tuple(found)


def _argument(place: Place, text: str, names: Names) -> Argument | None:
    match place:
        case "number":
            return _number(text)
        case "filter":
            return parse_filter(text, names, keyword)
        case "land":
            return parse_quality(text)
        case "target" if text in names.creatures - names.targets:
            raise ScenarioError(f'"{text}" is a creature, not a player, planeswalker or battle')
        case "target":
            return _name(text, names.targets, "player, planeswalker or battle")
        case "creature":
            return _name(text, names.creatures, "creature")
        case "payer":
            if not _PAYERS.fullmatch(text):
                _name(text, names.players, "player")
            return None


def _number(text: str) -> int:
    word = text.strip("{}").lower()
    number = int(word) if word.isdigit() else 1 if word in ("a", "an") else NUMBERS.index(word)
    if number > LARGEST:
        raise ScenarioError(f"{number} is too large; numbers go up to {LARGEST}")
    return number


def _name(text: str, known: frozenset[str], what: str) -> str:
    if text in known:
        return text
    if text.startswith('"') and text.endswith('"') and len(text) > 1:
        try:
            name = json.loads(text, strict=False)
        except ValueError:
            name = None
        if name in known:
            return str(name)
    raise ScenarioError(f'no {what} is called "{text}"{suggestion(text, known)}')


def parse_quality(text: str) -> str:
    """The words of a land's type line, such as ``snow island``; raises :class:`ScenarioError`."""
    words = text.lower().replace("\u2019", "'").split()
    if words and words[0] in ("a", "an", "the"):
        del words[0]
    words = [word.removesuffix("-covered") if word == "snow-covered" else word for word in words]
    if len(words) > 1 and words[-1] in ("land", "lands"):
        del words[-1]
    if not words or words == ["land"] or len(words) > 4:
        raise ScenarioError(f'"{text}" is no kind of land')
    for word in words:
        if not _LAND_WORD.fullmatch(word):
            raise ScenarioError(f'"{word}" is no word of a land\'s type line')
    return " ".join(dict.fromkeys(words))


@lru_cache(maxsize=1024)
def keyword(text: str) -> Ability | None:
    """The keyword ability that a text is, if it is one without a quality of creatures."""
    for template, row in _templates():
        if row.group == "keyword" and "filter" not in row.places:
            pattern, places = _compiled(template)
            found = pattern.fullmatch(text)
            if found:
                try:
                    return Ability(row.kind, _arguments(places, found.groups(), Names()))
                except ScenarioError:
                    return None
    return None


def known_word(word: str) -> bool:
    """Is this a type word as filters hold it: lower case, singular, no keyword?"""
    return is_type_word(word, keyword)


def ability_text(ability: Ability, names: Names | None = None) -> str:
    """An ability as printed; :func:`parse_abilities` reads it back where ``names`` are known."""
    context = _mentioned(ability, names or Names())
    for plain in (False, True):
        text = _text(ability, plain)
        if plain or _reads_back(text, ability, context):
            break
    return text


def quality_text(filter: Filter) -> str:
    """A filter as it stands after "bands with other"."""
    return ability_text(Ability("bands_with_other", (filter,))).removeprefix("bands with other ")


def _reads_back(text: str, ability: Ability, names: Names) -> bool:
    try:
        return parse_abilities(text, names) == (ability,)
    except ScenarioError:
        return False


def _mentioned(ability: Ability, names: Names) -> Names:
    """The names, with those that the ability itself speaks of."""
    players, creatures, others = set(names.players), set(names.creatures), set(names.others)
    for place, argument in zip(KINDS[ability.kind].places, ability.args, strict=True):
        if place == "target" and argument not in names.targets:
            others.add(str(argument))
        elif place == "creature":
            creatures.add(str(argument))
        elif place == "filter" and not isinstance(argument, int | str):
            players.update(_owners(argument))
    return Names(frozenset(players), frozenset(creatures), frozenset(others))


def _owners(filter: Filter) -> Iterator[str]:
    match filter:
        case ControlledBy(player):
            yield player
        case AllOf(left, right) | AnyOf(left, right):
            yield from _owners(left)
            yield from _owners(right)
        case Not(inner):
            yield from _owners(inner)
        case _:
            return


#: Abilities that a card prints in other words than their row does.
_IRREGULAR = {
    Ability("extra_blocks", (1,)): "can block an additional creature",
    Ability("protection", (Anything(),)): "protection from everything",
    Ability("cant_attack_unless_others", (1,)): "can't attack unless one other creature attacks",
}


def _text(ability: Ability, plain: bool) -> str:
    row = KINDS[ability.kind]
    places = iter(ability.args)
    number = next((argument for argument in ability.args if isinstance(argument, int)), 0)

    def fill(place: re.Match[str]) -> str:
        if place[1] == "s":
            return "" if number == 1 else "s"
        return _place_text(place[1], next(places), plain)

    if row.kind == "protection" and isinstance(ability.args[0], HasColor) and not plain:
        return f"protection from {ability.args[0].color}"
    return _IRREGULAR.get(ability) or _PLACE.sub(fill, row.text)


def _place_text(place: str, argument: Argument, plain: bool) -> str:
    if isinstance(argument, int):
        return number_text(argument) if place == "n" else str(argument)
    if not isinstance(argument, str):
        return filter_text(argument, _keyword_text, plain=plain)
    if place == "landwalk":
        return f"{argument} land" if argument.split()[-1] in _SUPERTYPES else argument
    if place == "land":
        return f"{'an' if argument[0] in 'aeiou' else 'a'} {argument}"
    return json.dumps(argument, ensure_ascii=False) if plain else argument


def _keyword_text(ability: Ability) -> str:
    return _text(ability, plain=False)
