"""Hypothesis strategies for scenarios as they come out of documents: sound, odd names included."""

from __future__ import annotations

import datetime
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

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
from pysolver.scenario.editions import READINGS
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
    Scenario,
)
from pysolver.scenario.phrases import KINDS

__all__ = ["abilities", "filters", "names", "scenarios"]

PLAYERS = ("ann", "bob's friend")
WORDS = ("wolf", "elf", "legendary", "goblin", "cyclops", "merfolk", "artifact", "faerie", "djinn")
PLAIN_KEYWORDS = [
    Ability(kind) for kind, row in KINDS.items() if row.group == "keyword" and not row.places
]
LANDS = ("swamp", "snow island", "nonbasic", "legendary desert", "plains")

#: Any text without control characters but tab and newline.
names = st.text(
    st.one_of(
        st.characters(exclude_categories=("Cc", "Cs")),
        st.sampled_from("\t\n\"\\%#'\u2019*.,;:(){}[]-/ "),
    ),
    min_size=1,
    max_size=12,
)

simple_filters: st.SearchStrategy[Filter] = st.one_of(
    st.just(Anything()),
    st.sampled_from(WORDS).map(HasType),
    st.sampled_from(
        (HasColor("white"), HasColor("black"), HasColor("colorless"), HasColor("multicolored"))
    ),
    st.sampled_from([*PLAIN_KEYWORDS, Ability("toxic", (2,)), Ability("landwalk", ("swamp",))]).map(
        WithAbility
    ),
    st.integers(-9, 99).map(PowerAtLeast),
    st.integers(-9, 99).map(PowerAtMost),
    names.map(Named),
    st.sampled_from(PLAYERS).map(ControlledBy),
)
filters: st.SearchStrategy[Filter] = st.recursive(
    st.one_of(simple_filters, simple_filters.map(Not)),
    lambda inner: st.one_of(st.builds(AllOf, inner, inner), st.builds(AnyOf, inner, inner)),
    max_leaves=5,
)


def abilities(creatures: list[str], targets: list[str]) -> st.SearchStrategy[Ability]:
    """Every ability, with names from these lists."""
    places: dict[str, st.SearchStrategy[Argument]] = {
        "number": st.integers(0, 9999),
        "filter": filters,
        "target": st.sampled_from(targets),
        "creature": st.sampled_from(creatures),
        "land": st.sampled_from(LANDS),
    }
    return st.one_of(
        *(
            st.tuples(*(places[place] for place in row.places)).map(
                lambda arguments, kind=kind: Ability(kind, arguments)  # type: ignore[misc]
            )
            for kind, row in KINDS.items()
        )
    )


def _effects(creatures: list[str]) -> st.SearchStrategy[Effect]:
    player = st.sampled_from(PLAYERS)
    count = st.integers(0, 99)
    granted = abilities(creatures, list(PLAYERS)).map(lambda ability: (ability,))
    return st.one_of(
        st.builds(AttackTax, player, count, st.booleans()),
        st.builds(MaxAttackers, count, st.none() | player),
        st.builds(MaxBlockers, count),
        st.builds(AllAttack, player),
        st.builds(Gives, filters, granted),
        st.builds(MustAttackWith, player, count, st.booleans()),
        st.builds(
            DamageChooser, st.sampled_from(("attackers", "blockers")), player, st.none() | player
        ),
    )


def _events(creatures: list[str], targets: list[str]) -> st.SearchStrategy[Event]:
    point = st.sampled_from(("attackers", "blockers", "first-strike", "end"))
    late = st.sampled_from(("blockers", "first-strike", "end"))
    subject, player = st.sampled_from(creatures), st.sampled_from(PLAYERS)
    may = st.none() | player
    number = st.integers(-9, 9)

    def event(
        operations: list[str], at: st.SearchStrategy[Any], **details: st.SearchStrategy[Any]
    ) -> st.SearchStrategy[Event]:
        made = st.fixed_dictionaries(details).map(FrozenDict[str, Any])
        return st.builds(Event, at, st.sampled_from(operations), subject, made, may)

    plain = ["remove", "destroy", "sacrifice", "exile", "regenerate", "tap", "untap"]
    changes = st.one_of(
        st.fixed_dictionaries({"ability": abilities(creatures, targets)}),
        st.fixed_dictionaries({"type": st.sampled_from(WORDS)}),
    ).map(FrozenDict)
    return st.one_of(
        event(plain, point),
        event(["become-blocked", "become-unblocked"], late),
        event(["damage"], point, amount=st.integers(0, 9)),
        event(["pump"], point, power=number, toughness=number),
        event(["control"], point, to=player),
        event(["put-attacking"], point, target=st.sampled_from(targets)),
        event(["reselect"], point, target=st.just(PLAYERS[1])),
        event(["put-blocking"], late, attacker=subject),
        st.builds(Event, point, st.sampled_from(("gain", "lose")), subject, changes, may),
        st.tuples(point, subject, st.sampled_from(("by", "to")), may).map(
            lambda found: Event(
                found[0],  # type: ignore[arg-type]
                "prevent-combat-damage",
                found[1],
                FrozenDict({found[2]: found[1]}),
                found[3],
            )
        ),
    )


@st.composite
def _creature(draw: st.DrawFn, name: str, everyone: list[str], targets: list[str]) -> Creature:
    toughness = draw(st.integers(1, 9))
    return Creature(
        name,
        draw(st.sampled_from(PLAYERS)),
        draw(st.integers(-2, 9)),
        toughness,
        draw(st.lists(abilities(everyone, targets), max_size=2).map(tuple)),
        draw(st.lists(st.sampled_from(WORDS), max_size=2, unique=True).map(tuple)),
        draw(st.lists(st.sampled_from(("white", "red")), max_size=2, unique=True).map(tuple)),
        draw(st.integers(0, toughness - 1)),
        draw(st.booleans()),
        draw(st.booleans()),
        draw(st.integers(0, 2)),
        draw(st.lists(st.sampled_from(PLAYERS), max_size=2, unique=True).map(tuple)),
        draw(st.none() | names),
    )


def _splits(creatures: list[str]) -> st.SearchStrategy[Damage | None]:
    split = st.dictionaries(st.sampled_from([*creatures, *PLAYERS]), st.integers(1, 9), max_size=2)
    sources = st.dictionaries(
        st.sampled_from(creatures), split.map(FrozenDict), min_size=1, max_size=len(creatures)
    )
    steps = st.dictionaries(
        st.sampled_from(("first-strike", "regular")), sources.map(FrozenDict), max_size=2
    )
    return steps.map(lambda found: Damage(FrozenDict(found)) if found else None)  # type: ignore[arg-type]


@st.composite
def scenarios(draw: st.DrawFn) -> Scenario:
    """Sound scenarios of two players, in the current edition."""
    taken = (*PLAYERS, "walker", "siege")
    everyone = draw(
        st.lists(names.filter(lambda name: name not in taken), min_size=1, max_size=4, unique=True)
    )
    targets = [*PLAYERS, "walker", "siege"]
    lands = st.lists(st.sampled_from(LANDS).map(lambda land: tuple(land.split())), max_size=2)
    players = tuple(
        Player(name, draw(st.integers(1, 30)), None, tuple(draw(lands)), draw(st.integers(0, 3)), 1)
        for name in PLAYERS
    )
    attackers = st.dictionaries(st.sampled_from(everyone), st.sampled_from(targets))
    bands: st.SearchStrategy[list[tuple[str, ...]]] = st.just([])
    if len(everyone) > 1:
        band = st.lists(st.sampled_from(everyone), unique=True, min_size=2, max_size=len(everyone))
        bands = st.lists(band.map(sorted).map(tuple), max_size=2)
    attack = st.builds(
        Attack, attackers.map(FrozenDict), bands.map(lambda found: tuple(sorted(found)))
    )
    chosen = st.sets(st.sampled_from(everyone), min_size=1, max_size=len(everyone))
    blocks = (
        st.dictionaries(st.sampled_from(everyone), chosen.map(sorted).map(tuple))
        .map(FrozenDict)
        .map(Blocks)
    )
    return Scenario(
        title="",
        edition=Edition("current", datetime.date(2026, 9, 25)),
        readings=FrozenDict(
            {name: draw(st.sampled_from(values)) for name, values in READINGS.items()}
        ),
        variant=draw(st.sampled_from(("two-player", "attack-multiple", "attack-left"))),
        players=players,
        active=PLAYERS[0],
        creatures=tuple(draw(_creature(name, everyone, targets)) for name in everyone),
        planeswalkers=(Planeswalker("walker", PLAYERS[1], 3),),
        battles=(Battle("siege", PLAYERS[0], PLAYERS[1], 4),),
        effects=tuple(draw(st.lists(_effects(everyone), max_size=2))),
        attack=draw(st.none() | attack),
        blocks=draw(st.none() | blocks),
        damage=draw(_splits(everyone)),
        events=tuple(draw(st.lists(_events(everyone, targets), max_size=3))),
    )


def in_order_years(scenario: Scenario, order: FrozenDict[str, tuple[str, ...]]) -> Scenario:
    """The scenario in an edition with damage assignment order, with this one."""
    edition = Edition("2024-01-01", datetime.date(2024, 1, 1))
    return replace(scenario, edition=edition, order=order)
