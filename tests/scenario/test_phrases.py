"""Every phrase is read, printed and read again."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

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
    HasType,
    Named,
    Not,
    PowerAtLeast,
    PowerAtMost,
    WithAbility,
)
from pysolver.scenario.filters import negate
from pysolver.scenario.phrases import KINDS, PHRASES, Names, ability_text, parse_abilities
from pysolver.scenario.words import plural, singular

from .strategies import PLAYERS, abilities

NAMES = Names(
    frozenset({"ann", "bob", *PLAYERS}),
    frozenset({"hero", "m", "a", "huntwolf", "Fire and Ice"}),
    frozenset({"jace"}),
)

FLYING, REACH = WithAbility(Ability("flying")), WithAbility(Ability("reach"))

KEYWORDS = (
    *("banding", "flying", "reach", "shadow", "horsemanship", "fear", "intimidate", "skulk"),
    *("menace", "defender", "haste", "vigilance", "trample", "deathtouch", "lifelink", "wither"),
    *("infect", "indestructible", "flanking", "exalted", "melee", "decayed", "changeling"),
)

TABLE: list[tuple[str, str, tuple[Argument, ...]]] = [
    ("first strike", "first_strike", ()),
    ("double strike", "double_strike", ()),
    ("battle cry", "battle_cry", ()),
    ("trample over planeswalkers", "trample_over_planeswalkers", ()),
    ("bands with other wolves", "bands_with_other", (HasType("wolf"),)),
    ("bands with other legends", "bands_with_other", (HasType("legendary"),)),
    ("bands with other legendary creatures", "bands_with_other", (HasType("legendary"),)),
    (
        "bands with other creatures named Wolves of the Hunt",
        "bands_with_other",
        (Named("Wolves of the Hunt"),),
    ),
    ("swampwalk", "landwalk", ("swamp",)),
    ("Plainswalk", "landwalk", ("plains",)),
    ("nonbasic landwalk", "landwalk", ("nonbasic",)),
    ("legendary landwalk", "landwalk", ("legendary",)),
    ("snow islandwalk", "landwalk", ("snow island",)),
    ("snow-covered swampwalk", "landwalk", ("snow swamp",)),
    ("protection from black", "protection", (HasColor("black"),)),
    ("protection from everything", "protection", (Anything(),)),
    ("protection from creatures", "protection", (Anything(),)),
    ("protection from ann", "protection", (ControlledBy("ann"),)),
    ("protection from hero", "protection", (Named("hero"),)),
    ("toxic 2", "toxic", (2,)),
    ("rampage 2", "rampage", (2,)),
    ("bushido 1", "bushido", (1,)),
    ("can't attack", "cant_attack", ()),
    ("can\u2019t attack alone", "cant_attack_alone", ()),
    ("can only attack alone", "attacks_only_alone", ()),
    ("can't attack unless two other creatures attack", "cant_attack_unless_others", (2,)),
    ("can't attack unless at least 2 other creatures attack", "cant_attack_unless_others", (2,)),
    ("can't attack unless one other creature attacks", "cant_attack_unless_others", (1,)),
    (
        "can't attack unless defending player controls an Island",
        "cant_attack_unless_land",
        ("island",),
    ),
    ("can't attack bob", "cant_attack_target", ("bob",)),
    ("can't attack jace", "cant_attack_target", ("jace",)),
    ("can attack as though it didn't have defender", "attacks_despite_defender", ()),
    ("attacks each combat if able", "must_attack", ()),
    ("attacks bob each combat if able", "must_attack_target", ("bob",)),
    ("attacks jace each combat if able", "must_attack_target", ("jace",)),
    ("can't attack unless you pay 3", "attack_cost", (3,)),
    ("can't attack unless you pay {3}", "attack_cost", (3,)),
    (
        "can't attack unless a creature with greater power also attacks",
        "cant_attack_unless_greater_power",
        (),
    ),
    ("can't be blocked as long as it's attacking alone", "unblockable_alone", ()),
    ("can't block", "cant_block", ()),
    ("can't block alone", "cant_block_alone", ()),
    ("can block only creatures with flying", "blocks_only", (FLYING,)),
    ("can't block hero", "cant_block_filter", (Named("hero"),)),
    ("can't block creatures with power 2 or less", "cant_block_filter", (PowerAtMost(2),)),
    ("can block an additional creature", "extra_blocks", (1,)),
    ("can block an additional creature each combat", "extra_blocks", (1,)),
    ("can block 7 additional creatures", "extra_blocks", (7,)),
    ("can block seven additional creatures", "extra_blocks", (7,)),
    ("can block any number of creatures", "blocks_any_number", ()),
    ("can't be blocked", "unblockable", ()),
    ("can't be blocked by power 3 or greater", "cant_be_blocked_by", (PowerAtLeast(3),)),
    (
        "can't be blocked except by artifact creatures and/or walls",
        "blocked_only_by",
        (AnyOf(HasType("artifact"), HasType("wall")),),
    ),
    ("can't be blocked except by two or more creatures", "min_blockers", (2,)),
    ("can't be blocked by more than one creature", "max_blockers", (1,)),
    ("can't be blocked by more than 2 creatures", "max_blockers", (2,)),
    (
        "can't be blocked unless all creatures defending player controls block it",
        "unblockable_unless_all_block",
        (),
    ),
    (
        "can't block unless a creature with greater power also blocks",
        "cant_block_unless_greater_power",
        (),
    ),
    ("can't be blocked unless its controller pays 1 for each", "cost_to_be_blocked", (1,)),
    ("can't be blocked unless bob pays 1 for each", "cost_to_be_blocked", (1,)),
    ("blocks each combat if able", "must_block", ()),
    ("must be blocked if able", "must_be_blocked", ()),
    ("must be blocked by two or more creatures if able", "must_be_blocked_by_number", (2,)),
    ("must be blocked by exactly one creature if able", "must_be_blocked_by_one", ()),
    ("must be blocked by an Eldrazi if able", "must_be_blocked_by", (HasType("eldrazi"),)),
    ("must be blocked by a wolf if able", "must_be_blocked_by", (HasType("wolf"),)),
    ("all creatures able to block this creature do so", "lure", ()),
    ("blocks m if able", "must_block_creature", ("m",)),
    ("can't block unless you pay 3", "block_cost", (3,)),
    ("assigns no combat damage", "no_combat_damage", ()),
    ("assigns combat damage equal to its toughness", "damage_by_toughness", ()),
    ("may assign combat damage as though it weren't blocked", "as_though_unblocked", ()),
    ("can't be regenerated", "cant_regenerate", ()),
    *((word, word, ()) for word in KEYWORDS),
]


@pytest.mark.parametrize(("text", "kind", "arguments"), TABLE, ids=[row[0] for row in TABLE])
def test_phrase(text: str, kind: str, arguments: tuple[Argument, ...]) -> None:
    ability = Ability(kind, arguments)
    assert parse_abilities(text, NAMES) == (ability,)
    printed = ability_text(ability, NAMES)
    assert parse_abilities(printed, NAMES) == (ability,)


@pytest.mark.parametrize(
    ("text", "kind", "arguments"),
    [row for row in TABLE if "hero" not in row[0] and "Hunt" not in row[0]],
)
def test_case_does_not_matter(text: str, kind: str, arguments: tuple[Argument, ...]) -> None:
    shouted = text.upper()
    for name in ("bob", "ann", "jace", "m"):
        shouted = " ".join(
            word.lower() if word == name.upper() else word for word in shouted.split(" ")
        )
    assert parse_abilities(shouted, NAMES) == (Ability(kind, arguments),)


def test_every_row_is_in_the_table_and_documented() -> None:
    assert {kind for _, kind, _ in TABLE} == set(KINDS)
    assert len(KINDS) == len(PHRASES)
    assert all(row.meaning for row in PHRASES)


@settings(max_examples=300, deadline=None)
@given(abilities(sorted(NAMES.creatures), sorted(NAMES.targets)))
def test_printing_and_reading(ability: Ability) -> None:
    assert parse_abilities(ability_text(ability, NAMES), NAMES) == (ability,)


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("can't attack or block", ["cant_attack", "cant_block"]),
        ("can't attack or block alone", ["cant_attack_alone", "cant_block_alone"]),
        ("can't attack or block unless you pay 2", ["attack_cost", "block_cost"]),
    ],
)
def test_two_abilities_in_one_phrase(text: str, kinds: list[str]) -> None:
    assert [ability.kind for ability in parse_abilities(text, NAMES)] == kinds


WOLF, WALL, ELF = HasType("wolf"), HasType("wall"), HasType("elf")
QUALITIES: list[tuple[str, Filter]] = [
    ("wolf", WOLF),
    ("Wolves", WOLF),
    ("elves", ELF),
    ("dwarves", HasType("dwarf")),
    ("creatures", Anything()),
    ("everything", Anything()),
    ("black wolves", AllOf(HasColor("black"), WOLF)),
    ("legendary goblins", AllOf(HasType("legendary"), HasType("goblin"))),
    ("non-wall", Not(WALL)),
    ("nonartifact creatures", Not(HasType("artifact"))),
    ("wolves and/or walls", AnyOf(WOLF, WALL)),
    ("wolves, walls, or elves", AnyOf(AnyOf(WOLF, WALL), ELF)),
    ("wolves and walls or elves", AnyOf(AllOf(WOLF, WALL), ELF)),
    ("wolves and (walls or elves)", AllOf(WOLF, AnyOf(WALL, ELF))),
    ("not (walls or elves)", AllOf(Not(WALL), Not(ELF))),
    ("creatures with flying", FLYING),
    ("creatures with flying or reach", AnyOf(FLYING, REACH)),
    ("creatures with flying and reach", AllOf(FLYING, REACH)),
    ("creatures with flying or walls", AnyOf(FLYING, WALL)),
    ("wolves with flying", AllOf(WOLF, FLYING)),
    ("creatures without flying", Not(FLYING)),
    ("creatures with first strike", WithAbility(Ability("first_strike"))),
    ("creatures with islandwalk", WithAbility(Ability("landwalk", ("island",)))),
    ("creatures with power 2 or less", PowerAtMost(2)),
    ("power 4 or greater", PowerAtLeast(4)),
    ("ann's creatures", ControlledBy("ann")),
    ("ann\u2019s walls", AllOf(ControlledBy("ann"), WALL)),
    ("bob's friend's walls", AllOf(ControlledBy("bob's friend"), WALL)),
    ("huntwolf", Named("huntwolf")),
    ("huntwolves", HasType("huntwolf")),
    ("Fire and Ice", Named("Fire and Ice")),
    ("walls or Fire and Ice", AnyOf(WALL, Named("Fire and Ice"))),
    ("creatures named X or Y", Named("X or Y")),
    ('creatures named "X" or walls', AnyOf(Named("X"), WALL)),
    ("multicolored creatures", HasColor("multicolored")),
    ("cyclops", HasType("cyclops")),
    ("zombies", HasType("zombie")),
]


@pytest.mark.parametrize(("text", "quality"), QUALITIES, ids=[row[0] for row in QUALITIES])
def test_quality(text: str, quality: Filter) -> None:
    assert parse_abilities(f"can't be blocked by {text}", NAMES) == (
        Ability("cant_be_blocked_by", (quality,)),
    )


MISTAKES = [
    ("banidng", 'did you mean "banding"'),
    ("fist strike", 'did you mean "first strike"'),
    ("swampwlk", 'did you mean "swampwalk"'),
    ("rampage", 'did you mean "rampage 1"'),
    ("rampage x", 'did you mean "rampage 1"'),
    ("landwalk", "no kind of land"),
    ("can't attack bbo", 'did you mean "bob"'),
    ("attacks jac each combat if able", 'did you mean "jace"'),
    ("can't attack hero", "is a creature"),
    ("blocks heo if able", 'did you mean "hero"'),
    ("can't block flying creatures", 'write "creatures with flying"'),
    ("can't block creatures with flyng", "not a keyword"),
    ("can't be blocked by bbo's walls", 'did you mean "bob"'),
    ("can't be blocked by more than tow creatures", "more than two creatures"),
    ("can't attack unless two ohter creatures attack", "two other creatures attack"),
    ("can't be blocked by wolves and", "quality is missing"),
    ("can't be blocked by (wolves", "missing"),
    ("can't be blocked by power 99999 or less", "too large"),
    ("toxic 123456", "too large"),
    ("protection from " + " or ".join(["wolves"] * 40), "parts"),
    ("", "unknown ability"),
]


@pytest.mark.parametrize(("text", "message"), MISTAKES, ids=[row[0][:40] for row in MISTAKES])
def test_mistakes(text: str, message: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        parse_abilities(text, NAMES)
    assert message in str(caught.value)


def test_quoted_names() -> None:
    names = Names(frozenset({"alone"}), frozenset({"x"}))
    ability = Ability("cant_attack_target", ("alone",))
    assert parse_abilities("can't attack alone", names) == (Ability("cant_attack_alone"),)
    assert ability_text(ability, names) == 'can\'t attack "alone"'
    assert parse_abilities('can\'t attack "alone"', names) == (ability,)


@pytest.mark.parametrize(
    "word", ["wolf", "elf", "wall", "cyclops", "faerie", "ox", "mouse", "ally"]
)
def test_plurals(word: str) -> None:
    many = plural(word)
    assert singular(word) == word
    assert many is None or singular(many) == word


def test_opposites() -> None:
    assert negate(Not(WALL)) == WALL
    assert negate(AnyOf(WALL, Not(ELF))) == AllOf(Not(WALL), ELF)
