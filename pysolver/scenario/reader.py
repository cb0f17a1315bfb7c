"""Facts as a scenario again: the way back from :mod:`pysolver.scenario.facts`.

The text is read with a grammar of ground facts and never by clingo, so that nothing in it can run
or reach another file. Whatever is not a ground fact of the vocabulary is refused with its line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import PurePath
from typing import Any, NoReturn, TypeAlias, TypeVar, cast

from lark import Lark, Token, Transformer, v_args
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken, VisitError

from pysolver.errors import Problem, ScenarioError
from pysolver.frozen import FrozenDict
from pysolver.scenario.abilities import (
    Ability,
    AllOf,
    AnyOf,
    Anything,
    Argument,
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
from pysolver.scenario.document import Keys, check_text, path_text
from pysolver.scenario.editions import EDITIONS, parse_edition, parse_readings
from pysolver.scenario.facts import EVENT_DETAILS, facts
from pysolver.scenario.model import (
    AllAttack,
    Attack,
    AttackTax,
    Battle,
    Blocks,
    Creature,
    Damage,
    DamageChooser,
    Edition,
    Effect,
    Event,
    Gives,
    MaxAttackers,
    MaxBlockers,
    MustAttackWith,
    Planeswalker,
    Player,
    Point,
    Scenario,
    Step,
    Team,
    Variant,
)
from pysolver.scenario.phrases import KINDS
from pysolver.scenario.rules import find_problems
from pysolver.scenario.words import COLORS, suggestion

__all__ = ["SIGNATURES", "read_facts"]

#: Every predicate and the sorts of its arguments: s a name in quotes, i an integer, c a word,
#: t a term. ``given_damage`` has two forms.
SIGNATURES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("player", "creature", "planeswalker", "battle", "active"), ("s",)),
    **dict.fromkeys(("tapped", "summoning_sick"), ("s",)),
    **dict.fromkeys(("variant", "in_force", "given"), ("c",)),
    **dict.fromkeys(("turn_order", "life", "poison", "mana", "loyalty", "defense"), ("si",)),
    **dict.fromkeys(("printed_power", "printed_toughness", "marked_damage", "shields"), ("si",)),
    **dict.fromkeys(("team", "controller", "protector", "type", "color", "named"), ("ss",)),
    **dict.fromkeys(("goaded", "edition", "reading", "quality_word"), ("ss",)),
    **dict.fromkeys(("given_attack", "given_block"), ("ss",)),
    "land": ("sis",),
    "ability": ("sit",),
    "effect": ("it",),
    "filter": ("t",),
    "given_band": ("is",),
    "given_damage": ("cs", "cssi"),
    "given_order": ("sis",),
    "event": ("ict",),
    "may": ("is",),
}
_SORTS = {"s": "a name in quotes", "i": "an integer", "c": "a word", "t": "a term"}
_DEEPEST = 64

#: What follows from the other facts; it may be given, but not otherwise than it follows.
_DERIVED = ("filter", "quality_word", "in_force")

_GRAMMAR = r"""
start: (fact ".")*
fact: NAME ["(" terms ")"]
terms: term ("," term)*
?term: NUMBER | STRING | call
call: NAME ["(" terms ")"]
NAME: /(?!not[^A-Za-z0-9_])[a-z][A-Za-z0-9_]*/
NUMBER: /-?(0|[1-9][0-9]*)(?![A-Za-z0-9_])/
STRING: /"(?:[^"\\\n]|\\[\\n"])*"/
COMMENT: /%(?!\*)[^\n]*/
BLOCK: /%\*(?:[^*]|\*(?!%))*\*%/
BLANK: /[ \t\r\n]+/
%ignore BLOCK
%ignore COMMENT
%ignore BLANK
"""


@dataclass(frozen=True, slots=True)
class Call:
    """A constant, or a function with arguments."""

    name: str
    args: tuple[Term, ...] = ()
    depth: int = field(default=1, compare=False)


Term: TypeAlias = int | str | Call


@dataclass(frozen=True, slots=True)
class _Fact:
    name: str
    args: tuple[Term, ...]
    line: int


@v_args(inline=True)
class _Terms(Transformer[Token, Any]):
    """Builds terms while the text is read."""

    def start(self, *facts: _Fact) -> list[_Fact]:
        return list(facts)

    def fact(self, name: Token, terms: tuple[Term, ...] | None) -> _Fact:
        return _Fact(str(name), terms or (), name.line or 1)

    def terms(self, *terms: Term) -> tuple[Term, ...]:
        return terms

    def call(self, name: Token, terms: tuple[Term, ...] | None) -> Call:
        depth = 1 + max((term.depth for term in terms or () if isinstance(term, Call)), default=0)
        if depth > _DEEPEST:
            raise ScenarioError("the term is nested too deep", line=name.line)
        return Call(str(name), terms or (), depth)

    def NUMBER(self, token: Token) -> int:
        if len(token) > 12:
            raise ScenarioError("the number is too large", line=token.line)
        return int(token)

    def STRING(self, token: Token) -> str:
        return re.sub(r"\\(.)", lambda found: "\n" if found[1] == "n" else found[1], token[1:-1])


@cache
def _parser() -> Lark:
    return Lark(_GRAMMAR, parser="lalr", transformer=_Terms(), maybe_placeholders=True)


def read_facts(text: str, file: str = "<facts>") -> Scenario:
    """The scenario that a text of facts gives; raises :class:`ScenarioError`.

    The text holds ground facts of the vocabulary and comments, nothing else.
    """
    check_text(text, file)
    try:
        reader = _Facts(_read(text), "" if file.startswith("<") else PurePath(file).stem)
        scenario = reader.scenario()
        reader.check_derived(scenario)
    except ScenarioError as error:
        raise ScenarioError(problems=error.problems, file=file) from None
    problems = [
        Problem(message, path_text(keys), reader.line_of(keys))
        for keys, message in find_problems(scenario)
    ]
    if problems:
        raise ScenarioError(problems=problems, file=file)
    return scenario


def _read(text: str) -> list[_Fact]:
    try:
        return cast(list[_Fact], _parser().parse(text))
    except VisitError as error:
        if isinstance(error.orig_exc, ScenarioError):
            raise error.orig_exc from None
        raise
    except UnexpectedInput as error:
        line = error.line if error.line and error.line > 0 else text.count("\n") + 1
        raise ScenarioError(_refusal(error, text), line=line) from None


def _refusal(error: UnexpectedInput, text: str) -> str:
    """What a text holds that is no ground fact, in words."""
    at = error.pos_in_stream if error.pos_in_stream is not None else len(text)
    if isinstance(error, UnexpectedToken) and error.token.type == "$END":
        return 'the last fact does not end: "." is missing'
    rest = text[at:]
    for pattern, message in _REFUSALS:
        if re.match(pattern, rest):
            return message
    word = re.match(r"\S{1,20}", rest)
    kind = (
        "cannot be read as a fact" if isinstance(error, UnexpectedCharacters) else "is unexpected"
    )
    return f'"{word[0] if word else rest[:1]}" {kind}'


_REFUSALS = (
    (r"#(?:inf|sup)\b", "#inf and #sup are refused: only integers, names and terms may be given"),
    (r"#\w+", "directives such as #include, #script, #external and #show are refused"),
    (r":-|:~|<-", "rules and constraints are refused: only facts may be given"),
    (r"not\b", "negation is refused: only facts may be given"),
    (r"_*[A-Z]|_", "variables are refused: only ground facts may be given"),
    (r"\.\.|[-+*/\\^&?~]", "arithmetic and intervals are refused: only integers may be given"),
    (
        r"[|{};:<>=!]",
        "choices, pools and conditions are refused: only facts may be given",
    ),
    (r'"', 'the string does not end, or has an escape other than \\\\, \\" and \\n'),
    (r"%\*", "the comment does not end"),
)

V = TypeVar("V")


class _Facts:
    """Facts by predicate, and the scenario that they make."""

    def __init__(self, found: list[_Fact], title: str) -> None:
        self.title = title
        self.facts: dict[str, list[_Fact]] = {}
        self.keyed: dict[tuple[str, Term], list[_Fact]] = {}
        self.lines: dict[tuple[str, Term], int] = {}
        seen: set[tuple[str, tuple[Term, ...]]] = set()
        for fact in found:
            _check_signature(fact)
            if (fact.name, fact.args) not in seen:
                seen.add((fact.name, fact.args))
                self.facts.setdefault(fact.name, []).append(fact)
                self.keyed.setdefault((fact.name, fact.args[0]), []).append(fact)
                self.lines.setdefault((fact.name, fact.args[0]), fact.line)

    # Access

    def rows(self, name: str) -> list[_Fact]:
        return self.facts.get(name, [])

    def one(self, name: str, default: Term | None = None) -> Any:
        """The only argument of a predicate that is given once."""
        rows = self.rows(name)
        if len(rows) > 1:
            _fail(f"{name} is given twice", rows[1].line)
        if not rows and default is None:
            _fail(f"{name} is not given", None)
        return rows[0].args[0] if rows else default

    def value(self, name: str, key: str, default: Any = None) -> Any:
        """The second argument of a predicate for its first."""
        rows = self.keyed.get((name, key), [])
        if len(rows) > 1:
            _fail(f'{name} is given twice for "{key}"', rows[1].line)
        return rows[0].args[1] if rows else default

    def needed(self, name: str, key: str, owner: str) -> Any:
        found = self.value(name, key)
        if found is None:
            _fail(f'{name} is not given for "{key}"', self.lines[owner, key])
        return found

    def values(self, name: str, key: str) -> tuple[Any, ...]:
        return tuple(fact.args[1] for fact in self.keyed.get((name, key), []))

    def has(self, name: str, key: str) -> bool:
        return (name, key) in self.lines

    def listed(self, name: str, key: str) -> list[_Fact]:
        """Facts with an index in second place, in its order."""
        rows = self.keyed.get((name, key), [])
        return sorted(rows, key=lambda fact: cast(int, fact.args[1]))

    def line_of(self, keys: Keys) -> int | None:
        """The line of the fact that a problem under these keys belongs to, as far as is known."""
        for predicate in _PREDICATES.get(str(keys[0]), ()):
            for key in reversed(keys):
                if (predicate, key) in self.lines:
                    return self.lines[predicate, key]
            if len(keys) == 1 and self.rows(predicate):
                return self.rows(predicate)[0].line
        return None

    # The whole

    def scenario(self) -> Scenario:
        self.check_owners()
        word = cast(Call, self.one("variant", Call("two_player"))).name
        variant = word.replace("_", "-")
        if variant not in _VARIANTS:
            hint = suggestion(word, [known.replace("-", "_") for known in _VARIANTS])
            _fail(f"unknown variant {word}{hint}", self.rows("variant")[0].line)
        return Scenario(
            title=self.title,
            edition=self.edition(),
            readings=self.readings(),
            variant=cast(Variant, variant),
            players=self.players(),
            active=self.one("active"),
            creatures=tuple(self.creature(fact) for fact in self.rows("creature")),
            teams=self.teams(variant),
            planeswalkers=tuple(
                Planeswalker(name, *self.controlled(name, "planeswalker", "loyalty"))
                for name in self.names("planeswalker")
            ),
            battles=tuple(self.battle(name) for name in self.names("battle")),
            effects=tuple(self.effects()),
            attack=self.attack(),
            order=self.order(),
            blocks=self.blocks(),
            damage=self.damage(),
            events=tuple(self.events()),
        )

    def names(self, predicate: str) -> list[str]:
        return [cast(str, fact.args[0]) for fact in self.rows(predicate)]

    def check_owners(self) -> None:
        """What is said of something must be said of what there is."""
        for owner, predicates in _OWNERS.items():
            kinds = owner.split()
            known = {name for kind in kinds for name in self.names(kind)}
            for predicate in predicates:
                for fact in self.rows(predicate):
                    if fact.args[0] not in known:
                        hint = suggestion(str(fact.args[0]), known)
                        _fail(
                            f'no {" or ".join(kinds)} is called "{fact.args[0]}"{hint}', fact.line
                        )

    def edition(self) -> Edition:
        rows = self.rows("edition")
        if not rows:
            return Edition("current", EDITIONS["current"])
        if len(rows) > 1:
            _fail("edition is given twice", rows[1].line)
        label, day = map(str, rows[0].args)
        edition = _located(parse_edition, label, rows[0].line)
        if edition.date.isoformat() != day:
            _fail(f"the edition {label} is that of {edition.date}, not {day}", rows[0].line)
        return edition

    def readings(self) -> FrozenDict[str, str]:
        given: dict[str, str] = {}
        for fact in self.rows("reading"):
            name, value = map(str, fact.args)
            if name in given:
                _fail(f'reading is given twice for "{name}"', fact.line)
            given[name] = value
            _located(parse_readings, {name: value}, fact.line)
        return parse_readings(given)

    def players(self) -> tuple[Player, ...]:
        seats: dict[int, str] = {}
        for name in self.names("player"):
            seat = self.needed("turn_order", name, "player")
            if seat in seats:
                _fail(
                    f'"{name}" and "{seats[seat]}" have the same turn', self.lines["player", name]
                )
            seats[seat] = name
        if sorted(seats) != list(range(len(seats))):
            _fail("turn_order counts from 0 without gaps", self.rows("turn_order")[0].line)
        return tuple(self.player(seats[seat]) for seat in sorted(seats))

    def player(self, name: str) -> Player:
        lands: dict[int, list[str]] = {}
        for fact in self.listed("land", name):
            lands.setdefault(cast(int, fact.args[1]), []).append(cast(str, fact.args[2]))
        return Player(
            name,
            life=self.value("life", name, 20),
            team=self.value("team", name),
            lands=tuple(tuple(words) for words in lands.values()),
            mana=self.value("mana", name, 0),
            poison=self.value("poison", name, 0),
        )

    def teams(self, variant: str) -> tuple[Team, ...]:
        players = set(self.names("player"))
        members = dict.fromkeys(cast(str, fact.args[1]) for fact in self.rows("team"))
        for fact in self.rows("life"):
            name = cast(str, fact.args[0])
            shared = variant == "two-headed-giant"
            if name not in players and name not in members:
                hint = suggestion(name, [*players, *members])
                _fail(f'no player or team is called "{name}"{hint}', fact.line)
            if (name in players) == shared:
                _fail("life is that of teams with two_headed_giant, of players without", fact.line)
        if variant != "two-headed-giant":
            return ()
        given = {name: self.value("life", name) for name in self.names("life")}
        rest = {name: 30 for name in members if name not in given}
        return tuple(Team(name, life) for name, life in {**given, **rest}.items())

    def creature(self, fact: _Fact) -> Creature:
        name = cast(str, fact.args[0])
        return Creature(
            name,
            self.needed("controller", name, "creature"),
            self.needed("printed_power", name, "creature"),
            self.needed("printed_toughness", name, "creature"),
            self.abilities(name),
            self.values("type", name),
            self.values("color", name),
            self.value("marked_damage", name, 0),
            self.has("tapped", name),
            self.has("summoning_sick", name),
            self.value("shields", name, 0),
            self.values("goaded", name),
            self.value("named", name),
        )

    def abilities(self, name: str) -> tuple[Ability, ...]:
        rows = self.listed("ability", name)
        for before, after in pairwise(rows):
            if before.args[1] == after.args[1]:
                _fail(f'"{name}" has two abilities numbered {after.args[1]}', after.line)
        return tuple(_Decoder(fact.line).ability(fact.args[2]) for fact in rows)

    def controlled(self, name: str, owner: str, number: str) -> tuple[str, int]:
        return self.needed("controller", name, owner), self.needed(number, name, owner)

    def battle(self, name: str) -> Battle:
        controller, defense = self.controlled(name, "battle", "defense")
        return Battle(name, controller, self.needed("protector", name, "battle"), defense)

    def effects(self) -> Iterator[Effect]:
        rows = sorted(self.rows("effect"), key=lambda fact: cast(int, fact.args[0]))
        for fact in rows:
            yield _Decoder(fact.line).effect(fact.args[1])

    # What is fixed

    def given(self, what: str, predicates: tuple[str, ...]) -> bool:
        known = [cast(Call, fact.args[0]).name for fact in self.rows("given")]
        for name, fact in zip(known, self.rows("given"), strict=True):
            if name not in ("attack", "blocks"):
                _fail(f"given is attack or blocks, not {name}", fact.line)
        for predicate in predicates:
            if what not in known and self.rows(predicate):
                _fail(f"{predicate} needs given({what})", self.rows(predicate)[0].line)
        return what in known

    def attack(self) -> Attack | None:
        if not self.given("attack", ("given_attack", "given_band")):
            return None
        attackers: dict[str, str] = {}
        for fact in self.rows("given_attack"):
            name, target = map(str, fact.args)
            if name in attackers:
                _fail(f'"{name}" attacks twice', fact.line)
            attackers[name] = target
        bands: dict[Term, list[str]] = {}
        for fact in self.rows("given_band"):
            bands.setdefault(fact.args[0], []).append(cast(str, fact.args[1]))
        groups = sorted(tuple(sorted(band)) for band in bands.values() if len(band) > 1)
        return Attack(FrozenDict(attackers), tuple(groups))

    def order(self) -> FrozenDict[str, tuple[str, ...]] | None:
        found: dict[str, tuple[str, ...]] = {}
        for fact in self.rows("given_order"):
            name = cast(str, fact.args[0])
            if name in found:
                continue
            rows = self.listed("given_order", name)
            if [row.args[1] for row in rows] != list(range(len(rows))):
                _fail(f'the order of "{name}" does not count from 0 without gaps', fact.line)
            found[name] = tuple(cast(str, row.args[2]) for row in rows)
        return FrozenDict(found) if found else None

    def blocks(self) -> Blocks | None:
        if not self.given("blocks", ("given_block",)):
            return None
        found: dict[str, list[str]] = {}
        for fact in self.rows("given_block"):
            name, attacker = map(str, fact.args)
            found.setdefault(name, []).append(attacker)
        return Blocks(FrozenDict({name: tuple(sorted(names)) for name, names in found.items()}))

    def damage(self) -> Damage | None:
        steps: dict[str, dict[str, dict[str, int]]] = {}
        fixed = {fact.args for fact in self.rows("given_damage") if len(fact.args) == 2}
        for fact in self.rows("given_damage"):
            word, source, *rest = cast(tuple[Call, str, *tuple[Any, ...]], fact.args)
            step = word.name.replace("_", "-")
            if step not in ("first-strike", "regular"):
                _fail("a damage step is first_strike or regular", fact.line)
            split = steps.setdefault(step, {}).setdefault(source, {})
            if rest and (word, source) not in fixed:
                _fail(f'given_damage({word.name},"{source}") is not given', fact.line)
            if rest:
                recipient, amount = rest
                if recipient in split:
                    _fail(f'"{source}" deals damage to "{recipient}" twice', fact.line)
                split[recipient] = amount
        found = {
            cast(Step, step): FrozenDict(
                {
                    source: FrozenDict({name: amount for name, amount in split.items() if amount})
                    for source, split in sources.items()
                }
            )
            for step, sources in steps.items()
        }
        return Damage(FrozenDict(found)) if found else None

    def events(self) -> Iterator[Event]:
        rows = sorted(self.rows("event"), key=lambda fact: cast(int, fact.args[0]))
        deciders = {}
        for fact in self.rows("may"):
            if fact.args[0] in deciders:
                _fail(f"may is given twice for event {fact.args[0]}", fact.line)
            deciders[fact.args[0]] = cast(str, fact.args[1])
            if ("event", fact.args[0]) not in self.keyed:
                _fail(f"there is no event {fact.args[0]}", fact.line)
        for before, after in pairwise(rows):
            if before.args[0] == after.args[0]:
                _fail(f"two events are numbered {after.args[0]}", after.line)
        for fact in rows:
            at = cast(Call, fact.args[1]).name.replace("_", "-")
            if at not in _POINTS:
                _fail(f"there is no point {cast(Call, fact.args[1]).name}", fact.line)
            decoder = _Decoder(fact.line)
            yield decoder.event(cast(Point, at), fact.args[2], deciders.get(fact.args[0]))

    def check_derived(self, scenario: Scenario) -> None:
        """Refuse facts that contradict what follows from the others."""
        given = [fact for name in _DERIVED for fact in self.rows(name)]
        if not given:
            return
        expected = {
            (fact.name, fact.args) for fact in _read(facts(scenario)) if fact.name in _DERIVED
        }
        for fact in given:
            if (fact.name, fact.args) not in expected:
                _fail(f"this {fact.name} does not follow from the other facts", fact.line)


_VARIANTS = ("two-player", "attack-multiple", "attack-left", "attack-right", "two-headed-giant")
_POINTS = ("attackers", "blockers", "damage-assigned", "first-strike", "end")
_OWNERS = {
    "player": ("turn_order", "poison", "mana", "land", "team"),
    "creature": (
        *("printed_power", "printed_toughness", "ability", "type", "color", "named"),
        *("marked_damage", "tapped", "summoning_sick", "shields", "goaded"),
    ),
    "creature planeswalker battle": ("controller",),
    "planeswalker": ("loyalty",),
    "battle": ("protector", "defense"),
}
#: Where the facts stand that a problem under a key of the document belongs to.
_PREDICATES = {
    "players": ("player", "team"),
    "teams": ("life",),
    "active": ("active",),
    "creatures": ("creature",),
    "planeswalkers": ("planeswalker",),
    "battles": ("battle",),
    "effects": ("effect",),
    "attack": ("given_attack", "given_band", "given"),
    "order": ("given_order",),
    "blocks": ("given_block", "given"),
    "damage": ("given_damage",),
    "events": ("event",),
    "readings": ("reading",),
}


def _fail(message: str, line: int | None) -> NoReturn:
    raise ScenarioError(message, line=line)


def _located(function: Callable[[Any], V], argument: Any, line: int) -> V:
    try:
        return function(argument)
    except ScenarioError as error:
        _fail(error.message, line)


def _check_signature(fact: _Fact) -> None:
    forms = SIGNATURES.get(fact.name)
    if forms is None:
        _fail(f"unknown predicate {fact.name}{suggestion(fact.name, SIGNATURES)}", fact.line)
    form = next((form for form in forms if len(form) == len(fact.args)), None)
    if form is None:
        counts = " or ".join(str(len(form)) for form in forms)
        what = "argument" if counts == "1" else "arguments"
        _fail(f"{fact.name} has {counts} {what}, not {len(fact.args)}", fact.line)
    for index, (sort, term) in enumerate(zip(form, fact.args, strict=True)):
        if _sort(term) != sort and not (sort == "t" and isinstance(term, Call)):
            _fail(f"argument {index + 1} of {fact.name} is {_SORTS[sort]}", fact.line)


def _sort(term: Term) -> str:
    if isinstance(term, int):
        return "i"
    return "s" if isinstance(term, str) else "t" if term.args else "c"


class _Decoder:
    """Terms to abilities, filters, effects and events; mistakes belong to one line."""

    def __init__(self, line: int) -> None:
        self.line = line

    def fail(self, what: str, term: Term) -> NoReturn:
        name = term.name if isinstance(term, Call) else repr(term)
        _fail(f"{name} is no {what}, or has other arguments", self.line)

    def call(self, term: Term, what: str) -> Call:
        return term if isinstance(term, Call) else self.fail(what, term)

    def ability(self, term: Term) -> Ability:
        call = self.call(term, "ability")
        row = KINDS.get(call.name)
        if row is None:
            _fail(f"unknown ability {call.name}{suggestion(call.name, KINDS)}", self.line)
        if len(row.places) != len(call.args):
            self.fail("ability", term)
        arguments = zip(row.places, call.args, strict=True)
        return Ability(call.name, tuple(self.argument(*pair, call) for pair in arguments))

    def argument(self, place: str, term: Term, call: Call) -> Argument:
        match place, term:
            case "number", int():
                return term
            case "filter", Call():
                return self.filter(term)
            case (("target" | "creature" | "land"), str()):
                return term
            case _:
                self.fail("ability", call)

    def filter(self, term: Term) -> Filter:
        match self.call(term, "filter"):
            case Call("anything", ()):
                return Anything()
            case Call("type", (str(word),)):
                return HasType(word)
            case Call("color", (str(color),)) if color in (*COLORS, "colorless", "multicolored"):
                return HasColor(cast(Any, color))
            case Call("named", (str(name),)):
                return Named(name)
            case Call("controlled_by", (str(player),)):
                return ControlledBy(player)
            case Call("with", (ability,)):
                return WithAbility(self.ability(ability))
            case Call("power_at_least", (int(amount),)):
                return PowerAtLeast(amount)
            case Call("power_at_most", (int(amount),)):
                return PowerAtMost(amount)
            case Call("non", (inner,)):
                return Not(self.filter(inner))
            case Call("all_of", (left, right)):
                return AllOf(self.filter(left), self.filter(right))
            case Call("any_of", (left, right)):
                return AnyOf(self.filter(left), self.filter(right))
            case _:
                self.fail("filter", term)

    def effect(self, term: Term) -> Effect:
        match self.call(term, "effect"):
            case Call(
                ("attack_tax" | "attack_tax_planeswalkers") as name, (str(player), int(mana))
            ):
                return AttackTax(player, mana, name.endswith("planeswalkers"))
            case Call("max_attackers", (int(count),)):
                return MaxAttackers(count)
            case Call("max_attackers", (int(count), str(player))):
                return MaxAttackers(count, player)
            case Call("max_blockers", (int(count),)):
                return MaxBlockers(count)
            case Call("all_attack", (str(player),)):
                return AllAttack(player)
            case Call("gives", (to, ability)):
                return Gives(self.filter(to), (self.ability(ability),))
            case Call(
                ("must_attack_with" | "must_attack_with_planeswalkers") as name,
                (str(player), int(count)),
            ):
                return MustAttackWith(player, count, name.endswith("planeswalkers"))
            case Call("damage_chooser", (Call(side, ()), str(by))) if side in _SIDES:
                return DamageChooser(cast(Any, side), by)
            case Call("damage_chooser", (Call(side, ()), str(by), str(to))) if side in _SIDES:
                return DamageChooser(cast(Any, side), by, to)
            case _:
                self.fail("effect", term)

    def event(self, at: Point, term: Term, may: str | None) -> Event:
        call = self.call(term, "event")
        if not call.args or not isinstance(call.args[0], str):
            self.fail("event", term)
        subject, rest = call.args[0], call.args[1:]
        name = call.name.replace("_", "-")
        details = self.details(name, subject, rest)
        if details is None:
            self.fail("event", term)
        return Event(at, _SHORT.get(name, name), subject, FrozenDict(details), may)

    def details(
        self, name: str, subject: str, rest: tuple[Term, ...]
    ) -> dict[str, int | str | Ability] | None:
        match name, rest:
            case (("gain" | "lose"), (Call() as ability,)):
                return {"ability": self.ability(ability)}
            case (("gain-type" | "lose-type"), (str(word),)):
                return {"type": word}
            case "prevent-combat-damage-by", ():
                return {"by": subject}
            case "prevent-combat-damage-to", ():
                return {"to": subject}
            case "damage", (int(amount),):
                return {"amount": amount}
            case "pump", (int(power), int(toughness)):
                return {"power": power, "toughness": toughness}
            case (("control" | "put-attacking" | "put-blocking" | "reselect"), (str(other),)):
                return {EVENT_DETAILS[name][0]: other}
            case _:
                return {} if name in _PLAIN and not rest else None


_SIDES = ("attackers", "blockers")
_SHORT = {
    "gain-type": "gain",
    "lose-type": "lose",
    "prevent-combat-damage-by": "prevent-combat-damage",
    "prevent-combat-damage-to": "prevent-combat-damage",
}
_PLAIN = (
    *("remove", "destroy", "sacrifice", "exile", "regenerate", "tap", "untap"),
    *("become-blocked", "become-unblocked"),
)
