"""The document's shape: every key, its type and what it means.

:func:`validate` judges the shape only; what names mean is judged by
:mod:`pysolver.scenario.build` and :mod:`pysolver.scenario.rules`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pysolver.errors import Problem
from pysolver.scenario.document import Document, Keys, path_text
from pysolver.scenario.words import LARGEST, suggestion

__all__ = ["RawCreature", "RawEffect", "RawEvent", "RawScenario", "json_schema", "validate"]

Text = Annotated[str, Field(min_length=1)]
Count = Annotated[int, Field(ge=0, le=LARGEST)]
Positive = Annotated[int, Field(ge=1, le=LARGEST)]
Integer = Annotated[int, Field(ge=-LARGEST, le=LARGEST)]
ColorName = Literal["white", "blue", "black", "red", "green"]
VariantName = Literal[
    "two-player", "attack-multiple", "attack-left", "attack-right", "two-headed-giant"
]
PointName = Literal["attackers", "blockers", "damage-assigned", "first-strike", "end"]


class _Raw(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


def _key(meaning: str, default: Any = ..., **rest: Any) -> Any:
    return Field(default, description=meaning, **rest)


def _exactly_one(*keys: str) -> dict[str, Any]:
    return {"oneOf": [{"required": [key]} for key in keys]}


class RawPlayer(_Raw):
    """A player; the keys that are left out have their defaults."""

    life: Integer | None = _key("Life total; with two-headed-giant it is the team's.", None)
    team: Text | None = _key("The team this player is on.", None)
    lands: list[Text] = _key(
        'Lands by the words of their type lines, such as "snow island".', default_factory=list
    )
    mana: Count = _key("What may be spent on costs to attack and block.", 0)
    poison: Count = _key("Poison counters.", 0)


class RawTeam(_Raw):
    """A team that shares a life total."""

    life: Integer = _key("The team's life total.", 30)


class RawCreature(_Raw):
    """A creature as attackers are about to be declared."""

    controller: Text | None = _key("The player who controls it.", None)
    pt: Text | None = _key(
        'Power and toughness, such as "2/3".',
        None,
        json_schema_extra={"pattern": r"^[+-]?\d+/[+-]?\d+$"},
    )
    abilities: list[Text] = _key("Keywords and phrases, as printed.", default_factory=list)
    types: list[Text] = _key("The words of its type line.", default_factory=list)
    colors: list[ColorName] = _key("Its colors.", default_factory=list)
    damage: Count = _key("Damage marked on it.", 0)
    tapped: bool = _key("Whether it is tapped.", False)
    sick: bool = _key("Under its controller's control only since this turn.", False)
    shields: Count = _key("Regeneration shields.", 0)
    goaded_by: list[Text] = _key("The players who goaded it.", default_factory=list)
    count: Annotated[int, Field(ge=1, le=200)] | None = _key(
        "How many there are: 3 makes name-1, name-2 and name-3.", None
    )
    named: Text | None = _key("The card's name, for abilities that speak of one.", None)
    card: Text | None = _key("A card's name, to be looked up in a card index.", None)


class RawPlaneswalker(_Raw):
    """A planeswalker; one of the same name may be a creature too."""

    controller: Text = _key("The player who controls it.")
    loyalty: Positive = _key("Loyalty counters.")


class RawBattle(_Raw):
    """A battle."""

    controller: Text = _key("The player who controls it.")
    protector: Text = _key("The player who defends it.")
    defense: Positive = _key("Defense counters.")


class RawAttackTax(_Raw):
    """Each creature that attacks costs mana."""

    protects: Text = _key("The player whom attacking costs.")
    mana: Count = _key("What each attacking creature costs.")
    planeswalkers: bool = _key("Whether attacks on his planeswalkers cost too.", False)


class RawMaxAttackers(_Raw):
    """At most so many creatures attack."""

    count: Count = _key("How many may attack.")
    attacking: Text | None = _key("Only attacks on this player count.", None)


class RawMaxBlockers(_Raw):
    """At most so many creatures of each defending player block."""

    count: Count = _key("How many may block.")


class RawAllAttack(_Raw):
    """Every creature of a player attacks each combat if able."""

    controller: Text = _key("The player whose creatures must attack.")


class RawGives(_Raw):
    """Creatures have abilities."""

    to: Text = _key('Which creatures, such as "ann\'s walls".')
    abilities: Annotated[list[Text], Field(min_length=1)] = _key("What they have.")


class RawMustAttackWith(_Raw):
    """The attacking player attacks a player with so many creatures if able."""

    defender: Text = _key("The player to attack.")
    count: Count = _key("At least so many creatures.")
    planeswalkers: bool = _key("Whether attacks on his planeswalkers count.", False)


class RawDamageChooser(_Raw):
    """Someone else divides combat damage, without banding."""

    of: Literal["attackers", "blockers"] = _key("Whose damage is divided.")
    by: Text = _key("The player who divides it.")
    attacking: Text | None = _key("Only creatures that attack this player.", None)


EFFECTS = (
    *("attack-tax", "max-attackers", "max-blockers", "all-attack", "gives", "must-attack-with"),
    "damage-chooser",
)


class RawEffect(_Raw):
    """A continuous effect: exactly one of these keys."""

    model_config = ConfigDict(json_schema_extra=_exactly_one(*EFFECTS))

    attack_tax: RawAttackTax | None = _key("Attacking costs mana.", None, alias="attack-tax")
    max_attackers: RawMaxAttackers | None = _key(
        "A limit of attackers.", None, alias="max-attackers"
    )
    max_blockers: RawMaxBlockers | None = _key("A limit of blockers.", None, alias="max-blockers")
    all_attack: RawAllAttack | None = _key("All must attack.", None, alias="all-attack")
    gives: RawGives | None = _key("Creatures have abilities.", None)
    must_attack_with: RawMustAttackWith | None = _key(
        "A requirement on the attacking player.", None, alias="must-attack-with"
    )
    damage_chooser: RawDamageChooser | None = _key(
        "Someone else divides.", None, alias="damage-chooser"
    )


class RawDamageEvent(_Raw):
    """Damage that is dealt to a permanent."""

    creature: Text = _key("What is dealt damage.")
    amount: Count = _key("How much.")


class RawPump(_Raw):
    """A change of power and toughness."""

    creature: Text = _key("The creature.")
    pt: Text = _key(
        'The change, such as "+2/+0".', json_schema_extra={"pattern": r"^[+-]?\d+/[+-]?\d+$"}
    )


class RawChange(_Raw):
    """An ability or a type that comes or goes."""

    model_config = ConfigDict(json_schema_extra=_exactly_one("ability", "type"))

    creature: Text = _key("The creature.")
    ability: Text | None = _key("The ability.", None)
    type: Text | None = _key("The word of its type line.", None)


class RawControl(_Raw):
    """A change of control."""

    creature: Text = _key("The permanent; a battle changes its protector.")
    to: Text = _key("The player who controls it from now on.")


class RawAim(_Raw):
    """A creature and what it attacks from now on."""

    creature: Text = _key("The creature.")
    target: Text = _key("The player, planeswalker or battle it attacks.")


class RawPutBlocking(_Raw):
    """A creature that comes in blocking."""

    creature: Text = _key("The creature.")
    attacker: Text = _key("The attacker it blocks.")


class RawPrevention(_Raw):
    """Combat damage by or to something that is prevented."""

    model_config = ConfigDict(json_schema_extra=_exactly_one("by", "to"))

    by: Text | None = _key("The creature that deals none.", None)
    to: Text | None = _key("The player or permanent that is dealt none.", None)


OPERATIONS = (
    *("remove", "destroy", "sacrifice", "exile", "regenerate", "damage", "pump", "gain", "lose"),
    *("tap", "untap", "become-blocked", "become-unblocked", "control", "put-attacking"),
    *("put-blocking", "reselect", "prevent-combat-damage"),
)


class RawEvent(_Raw):
    """Something that happens between the turn-based actions: one operation and its point."""

    model_config = ConfigDict(json_schema_extra=_exactly_one(*OPERATIONS))

    at: PointName = _key("After which part of the combat it happens.")
    may: Text | None = _key("The player who decides whether it happens.", None)
    remove: Text | None = _key("Remove a creature from combat.", None)
    destroy: Text | None = _key("Destroy a permanent.", None)
    sacrifice: Text | None = _key("Sacrifice a creature.", None)
    exile: Text | None = _key("Exile a permanent.", None)
    regenerate: Text | None = _key("Give a creature a regeneration shield.", None)
    damage: RawDamageEvent | None = _key("Deal damage to a permanent.", None)
    pump: RawPump | None = _key("Change power and toughness.", None)
    gain: RawChange | None = _key("Give an ability or a type.", None)
    lose: RawChange | None = _key("Take an ability or a type.", None)
    tap: Text | None = _key("Tap a creature.", None)
    untap: Text | None = _key("Untap a creature.", None)
    become_blocked: Text | None = _key("An attacker becomes blocked.", None, alias="become-blocked")
    become_unblocked: Text | None = _key(
        "An attacker becomes unblocked.", None, alias="become-unblocked"
    )
    control: RawControl | None = _key("Change control.", None)
    put_attacking: RawAim | None = _key("A creature is attacking now.", None, alias="put-attacking")
    put_blocking: RawPutBlocking | None = _key(
        "A creature is blocking now.", None, alias="put-blocking"
    )
    reselect: RawAim | None = _key("An attacker attacks something else.", None)
    prevent_combat_damage: RawPrevention | None = _key(
        "Prevent combat damage.", None, alias="prevent-combat-damage"
    )


class RawAttack(_Raw):
    """A declaration of attackers."""

    attackers: dict[str, Text] = _key(
        "Each attacking creature and what it attacks.", default_factory=dict
    )
    bands: list[list[Text]] = _key("The bands, each a list of attackers.", default_factory=list)


class RawScenario(_Raw):
    """One combat phase: the board, and as much of the combat as its author wants to fix."""

    model_config = ConfigDict(title="pysolver scenario")

    title: str | None = _key("One line.", None)
    edition: Text = _key("The rules in force: a ruleset's name or a date.", "current")
    readings: dict[str, Text] = _key(
        "How disputed points are read: switch to value.", default_factory=dict
    )
    variant: VariantName = _key("The multiplayer option in use.", "two-player")
    players: Annotated[dict[str, RawPlayer], Field(min_length=2)] = _key(
        "The players by name, in turn order."
    )
    teams: dict[str, RawTeam] = _key(
        "Teams by name, with two-headed-giant only.", default_factory=dict
    )
    active: Text = _key("The active player; with two-headed-giant the active team.")
    creatures: dict[str, RawCreature] = _key("The creatures by name.")
    planeswalkers: dict[str, RawPlaneswalker] = _key(
        "The planeswalkers by name.", default_factory=dict
    )
    battles: dict[str, RawBattle] = _key("The battles by name.", default_factory=dict)
    effects: list[RawEffect] = _key(
        "Continuous effects that are not one creature's ability.", default_factory=list
    )
    attack: RawAttack | None = _key("The declared attack; open where it is left out.", None)
    order: dict[str, list[Text]] | None = _key(
        "Damage assignment orders, in editions that have them.", None
    )
    blocks: dict[str, list[Text]] | None = _key(
        "Each blocker and the attackers it is declared to block; {} is no blocks.", None
    )
    damage: dict[Literal["first-strike", "regular"], dict[str, dict[str, Count]]] | None = _key(
        "Damage that is assigned: step, source, recipient, amount.", None
    )
    events: list[RawEvent] = _key(
        "What happens between the turn-based actions.", default_factory=list
    )
    expect: dict[str, Any] | None = _key("What a conformance case promises.", None)
    expect_by_reading: dict[str, Any] | None = _key(
        "What a conformance case promises for each reading.", None
    )
    source: Any = _key("Where a conformance case comes from.", None)
    confidence: Any = _key("How well a conformance case is known.", None)
    rules: Any = _key("The numbers of the rules of a conformance case.", None)
    point: Any = _key("The disputed point of a conformance case.", None)


def json_schema() -> dict[str, Any]:
    """The JSON Schema of the scenario document."""
    schema: dict[str, Any] = _without_nulls(RawScenario.model_json_schema(by_alias=True))
    creature = schema["$defs"]["RawCreature"]
    creature["anyOf"] = [{"required": ["controller", "pt"]}, {"required": ["card"]}]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def _without_nulls(schema: Any) -> Any:
    """The schema without the nulls by which a key is left out; a document leaves it out."""
    if isinstance(schema, list):
        return [_without_nulls(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: _without_nulls(value) for key, value in schema.items()}
    choices = found.get("anyOf")
    if isinstance(choices, list) and {"type": "null"} in choices and len(choices) == 2:
        del found["anyOf"]
        found.pop("default", None)
        found |= next(choice for choice in choices if choice != {"type": "null"})
    return found


def validate(document: Document) -> tuple[RawScenario | None, list[Problem]]:
    """The document in its shape, or what is wrong with that."""
    problems = [
        _problem(document, keys, "nothing stands here; leave the key out, or give it a value")
        for keys in _nulls(document.data)
    ]
    if problems:
        return None, problems
    try:
        return RawScenario.model_validate(document.data), []
    except ValidationError as error:
        found = [_translated(document, details) for details in error.errors(include_url=False)]
        return None, sorted(dict.fromkeys(found), key=lambda problem: problem.line or 0)


#: Keys of a conformance case; what they hold is not judged here.
_NOT_JUDGED = ("expect", "expect_by_reading", "source", "confidence", "rules", "point")


def _nulls(data: Mapping[str, Any]) -> Iterable[Keys]:
    waiting: list[tuple[Keys, Any]] = [
        ((key,), value) for key, value in data.items() if key not in _NOT_JUDGED
    ]
    while waiting:
        keys, value = waiting.pop(0)
        if value is None:
            yield keys
        elif isinstance(value, dict):
            waiting += [((*keys, key), part) for key, part in value.items()]
        elif isinstance(value, list):
            waiting += [((*keys, index), part) for index, part in enumerate(value)]


def _problem(document: Document, keys: Keys, message: str) -> Problem:
    return Problem(message, path_text(_shown(document, keys)), document.line(keys))


def _shown(document: Document, keys: Keys) -> Keys:
    """The keys of a message: a list of plain values is named as a whole."""
    plain = not isinstance(_at(document, keys), dict | list)
    if plain and isinstance(keys[-1], int) and keys[0] not in ("effects", "events"):
        return keys[:-1]
    return keys


def _at(document: Document, keys: Keys) -> Any:
    value: Any = document.data
    for key in keys:
        try:
            value = value[key]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def _translated(document: Document, details: Any) -> Problem:
    keys = tuple(key for key in details["loc"] if key != "[key]")
    kind, context = details["type"], details.get("ctx", {})
    match kind:
        case "extra_forbidden":
            message = f'unknown key "{keys[-1]}"{suggestion(str(keys[-1]), _known_keys(keys))}'
        case "missing":
            message = "this key is needed"
        case "literal_error":
            message = _no_choice(details["input"], str(context["expected"]))
        case "greater_than_equal":
            message = f"{_describe(details['input'])} is too small; at least {context['ge']}"
        case "less_than_equal":
            message = f"{_describe(details['input'])} is too large; at most {context['le']}"
        case "string_too_short":
            message = "the text is empty"
        case "too_short":
            message = f"at least {context['min_length']} must be given"
        case "string_type" if keys[-1] == "pt":
            message = f'{_describe(details["input"])} is not power/toughness, such as "2/3"'
        case _:
            message = f"{_expected(kind)} is expected, not {_describe(details['input'], kind)}"
    return _problem(document, keys, message)


def _expected(kind: str) -> str:
    return {
        "string_type": "text",
        "int_type": "a whole number",
        "bool_type": "true or false",
        "list_type": "a list",
        "dict_type": "a mapping",
        "model_type": "a mapping",
        "model_attributes_type": "a mapping",
    }.get(kind, "something else")


def _describe(value: Any, kind: str = "") -> str:
    shown = json.dumps(value, ensure_ascii=False, default=str)
    shown = shown if len(shown) < 60 else shown[:57] + "..."
    match value:
        case dict():
            return "a mapping"
        case list():
            return "a list"
        case str() if kind == "list_type":
            return f"the text {shown}; write [{shown[1:-1]}]"
        case str():
            return f"the text {shown}"
        case int() | float() if kind == "string_type" and not isinstance(value, bool):
            return f'{shown}; write "{shown}" if text is meant'
        case _:
            return shown


def _no_choice(value: Any, expected: str) -> str:
    known = [word.strip("'") for word in expected.replace(" or ", ", ").split(", ")]
    hint = suggestion(str(value), known)
    return f"{_describe(value)} is none of {', '.join(known)}{hint}"


def _known_keys(keys: Keys) -> list[str]:
    """The keys that may stand where these keys lead."""
    model: Any = RawScenario
    for key in keys[:-1]:
        model = _inner(model, key)
        if model is None:
            return []
    return [info.alias or name for name, info in model.model_fields.items()] if _is(model) else []


def _is(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)


def _inner(annotation: Any, key: str | int) -> Any:
    """The type of what stands under a key, with ``None`` and containers stepped into."""
    if _is(annotation):
        for name, info in annotation.model_fields.items():
            if key in (name, info.alias):
                return _model_of(info.annotation, 0)
        return None
    arguments = getattr(annotation, "__args__", ())
    return _model_of(arguments[-1], 0) if arguments else None


def _model_of(annotation: Any, depth: int) -> Any:
    """A union without ``None``, an annotated type without its notes."""
    arguments = getattr(annotation, "__args__", ())
    if type(None) in arguments and depth < 3:
        return _model_of(next(part for part in arguments if part is not type(None)), depth + 1)
    if hasattr(annotation, "__metadata__"):
        return _model_of(annotation.__origin__, depth + 1)
    return annotation
