"""Boards for what random ones seldom meet: each shows one guard of one rule at work.

The solver must agree with the reference on them (``test_differential.py``), and mutants of the
encodings are tried on them first of all.
"""

from __future__ import annotations

from pysolver.frozen import FrozenDict
from pysolver.scenario.abilities import (
    Ability,
    AllOf,
    AnyOf,
    ControlledBy,
    Filter,
    HasColor,
    HasType,
    Named,
    Not,
    WithAbility,
)
from pysolver.scenario.model import (
    AttackTax,
    Battle,
    Creature,
    Event,
    Gives,
    MustAttackWith,
    Planeswalker,
    Player,
    Point,
    Scenario,
    Variant,
)

from .strategies import ability, board, creature, heads

__all__ = ["RARE"]

RARE: dict[str, Scenario] = {}


def event(at: Point, operation: str, subject: str, **details: int | str | Ability) -> Event:
    """An event without ``may``."""
    return Event(at, operation, subject, FrozenDict(details))


def pair(*events: Event, **rest: object) -> Scenario:
    """A bander and a guest attack as a band, and one of two creatures blocks the bander."""
    return board(
        creature("a1", "ann", "2/2", "banding"),
        creature("a2", "ann", "3/3"),
        creature("b1", "bob", "2/3", shields=1),
        creature("b2", "bob", "2/2"),
        attack=["a1", "a2"],
        bands=[["a1", "a2"]],
        blocks={"b1": ["a1"]},
        events=tuple(events),
        **rest,  # type: ignore[arg-type]
    )


def walked(*events: Event) -> Scenario:
    """A planeswalker is attacked, and nobody blocks."""
    return board(
        creature("a1", "ann", "1/1"),
        creature("a2", "ann", "3/3"),
        creature("b1", "bob", "2/3"),
        attack={"a1": "walker", "a2": "bob"},
        blocks={},
        planeswalkers=(Planeswalker("walker", "bob", 4),),
        events=events,
    )


# What effects give, and who gets it

FLYERS = Gives(WithAbility(Ability("flying")), (Ability("banding"),))


def flyers(*events: Event) -> Scenario:
    """Flyers have banding from an effect."""
    return board(
        creature("a1", "ann", "2/2", "flying"),
        creature("a2", "ann", "3/3"),
        creature("b1", "bob", "2/3", "flying"),
        attack=["a1", "a2"],
        bands=[["a1", "a2"]],
        blocks={"b1": ["a1"]},
        effects=(FLYERS,),
        events=events,
    )


RARE["given and kept"] = flyers()
RARE["given and lost at once"] = flyers(event("blockers", "lose", "a1", ability=Ability("banding")))
RARE["given and lost long ago"] = flyers(
    event("attackers", "lose", "a1", ability=Ability("banding")),
    event("blockers", "tap", "b1"),
)
RARE["the reason to be given it is lost"] = flyers(
    event("blockers", "lose", "a1", ability=Ability("flying"))
)
RARE["given to what is every type"] = board(
    creature("a1", "ann", "2/2", "changeling"),
    creature("a2", "ann", "3/3"),
    creature("b1", "bob", "2/3"),
    attack=["a1", "a2"],
    effects=(Gives(HasType("wall"), (Ability("banding"),)),),
    bands=[["a1", "a2"]],
)
RARE["banding lost, bands with other with it"] = board(
    creature("a1", "ann", "2/2", ability("bands_with_other", HasType("wall")), types=("wall",)),
    creature("a2", "ann", "3/3", types=("wall",)),
    creature("b1", "bob", "2/3"),
    attack=["a1", "a2"],
    bands=[["a1", "a2"]],
    blocks={"b1": ["a1"]},
    events=(event("blockers", "lose", "a1", ability=Ability("banding")),),
)


def chosen(quality: Filter) -> Scenario:
    """Creatures of a quality cannot block."""
    kinds: dict[str, Creature] = {
        "gold": creature("gold", "bob", "1/1", colors=("white", "black")),
        "white": creature("white", "bob", "1/1", "flying", colors=("white",), types=("wall",)),
        "plain": creature("plain", "bob", "1/1", "changeling", named="Grizzly Bears"),
    }
    evader = creature("a", "ann", "2/2", ability("cant_be_blocked_by", quality))
    return board(evader, *kinds.values(), attack=["a"])


QUALITIES: dict[str, Filter] = {
    "multicolored": HasColor("multicolored"),
    "colorless": HasColor("colorless"),
    "not multicolored": Not(HasColor("multicolored")),
    "a card's name": Named("Grizzly Bears"),
    "a creature's own name": Named("white"),
    "not so named": Not(Named("gold")),
    "bob's walls": AllOf(ControlledBy("bob"), HasType("wall")),
    "walls of ann": AllOf(ControlledBy("ann"), HasType("wall")),
    "white or flying": AnyOf(HasColor("white"), WithAbility(Ability("flying"))),
    "no flyer": Not(WithAbility(Ability("flying"))),
}
for name, quality in QUALITIES.items():
    RARE[f"filter: {name}"] = chosen(quality)

for name, quality in {"legendary": HasType("legendary"), "artifact": HasType("artifact")}.items():
    RARE[f"every creature type is not {name}"] = chosen(quality)
GIVEN_TO: dict[str, Filter] = {
    "white walls": AllOf(HasColor("white"), HasType("wall")),
    "walls that are white": AllOf(HasType("wall"), HasColor("white")),
    "white or walls": AnyOf(HasColor("white"), HasType("wall")),
    "walls or white": AnyOf(HasType("wall"), HasColor("white")),
    "no walls": Not(HasType("wall")),
}
for name, given in GIVEN_TO.items():
    RARE[f"given to {name}"] = board(
        creature("a1", "ann", "2/2", colors=("white",), types=("wall",)),
        creature("a2", "ann", "2/2", colors=("white",)),
        creature("a3", "ann", "2/2", types=("wall",)),
        creature("b1", "bob", "2/2"),
        effects=(Gives(given, (Ability("banding"),)),),
        blocks={},
    )

# Events

for keeps in ("vigilance", "haste"):
    RARE[f"an attacker changes sides, and may block: {keeps}"] = board(
        creature("a1", "ann", "2/2"),
        creature("a2", "ann", "2/2", keeps),
        creature("b1", "bob", "2/2"),
        attack=["a1", "a2"],
        events=(event("attackers", "control", "a2", to="bob"),),
    )
RARE["regenerated and given away"] = pair(
    event("blockers", "destroy", "b1"), event("first-strike", "control", "a1", to="bob")
)
RARE["reselected and removed at once"] = walked(
    event("blockers", "reselect", "a2", target="walker"), event("blockers", "remove", "a2")
)
RARE["an optional event beside one that is not"] = pair(
    event("blockers", "pump", "a1", power=1, toughness=1),
    Event("blockers", "destroy", "b1", FrozenDict(), "bob"),
)
RARE["a blocker is untapped in time"] = board(
    creature("a", "ann", "2/2"),
    creature("b", "bob", "2/2", tapped=True),
    attack=["a"],
    events=(event("attackers", "untap", "b"),),
)
RARE["a blocker is tapped in time"] = board(
    creature("a", "ann", "2/2"),
    creature("b", "bob", "2/2"),
    attack=["a"],
    events=(event("attackers", "tap", "b"),),
)
RARE["destroyed once it is exiled"] = pair(
    event("blockers", "exile", "b1"), event("blockers", "destroy", "b1")
)
RARE["a creature no more"] = pair(event("blockers", "lose", "b1", type="creature"))
RARE["put attacking: another's creature"] = pair(
    event("blockers", "put-attacking", "b2", target="bob")
)
RARE["put attacking: already there"] = pair(event("blockers", "put-attacking", "a1", target="bob"))
RARE["put blocking: what is exiled"] = pair(
    event("blockers", "exile", "b2"), event("blockers", "put-blocking", "b2", attacker="a2")
)
RARE["put blocking: the attacker's own"] = board(
    creature("a1", "ann", "2/2"),
    creature("a2", "ann", "3/3"),
    creature("b1", "bob", "2/3"),
    attack=["a1"],
    blocks={},
    events=(event("blockers", "put-blocking", "a2", attacker="a1"),),
)
RARE["put attacking: what is exiled"] = board(
    creature("a1", "ann", "2/2"),
    creature("a2", "ann", "3/3"),
    creature("b1", "bob", "2/3"),
    attack=["a1"],
    blocks={},
    events=(
        event("blockers", "exile", "a2"),
        event("blockers", "put-attacking", "a2", target="bob"),
    ),
)
RARE["become blocked: no attacker"] = pair(event("blockers", "become-blocked", "b2"))
RARE["become blocked twice"] = board(
    creature("a1", "ann", "2/2", ability("bushido", 2)),
    creature("b1", "bob", "2/3"),
    attack=["a1"],
    blocks={},
    events=(
        event("blockers", "become-blocked", "a1"),
        event("blockers", "become-blocked", "a1"),
    ),
)
for reading in ("creature", "band"):
    RARE[f"unblocked again, read of the {reading}"] = board(
        creature("a1", "ann", "2/2", "banding"),
        creature("a2", "ann", "3/3"),
        creature("b1", "bob", "2/3"),
        attack=["a1", "a2"],
        bands=[["a1", "a2"]],
        blocks={},
        events=(
            event("blockers", "become-blocked", "a1"),
            event("blockers", "become-unblocked", "a1"),
        ),
        readings={"unblocking": reading} if reading == "band" else {},
    )
    RARE[f"unblocked while one still blocks, read of the {reading}"] = pair(
        event("blockers", "put-blocking", "b2", attacker="a2"),
        event("blockers", "remove", "b1"),
        event("blockers", "become-unblocked", "a1"),
        readings={"unblocking": reading} if reading == "band" else {},
    )

# The end of the game

POINTS: tuple[Point, ...] = ("first-strike", "end")
for at in POINTS:
    RARE[f"no event after the end of the game: {at}"] = board(
        creature("a1", "ann", "2/2", "first_strike"),
        creature("a2", "ann", "2/2"),
        creature("b1", "bob", "2/2"),
        attack=["a1", "a2"],
        blocks={"b1": ["a2"]},
        players=(Player("ann"), Player("bob", life=2)),
        events=(
            event(at, "destroy", "b1"),
            Event(at, "destroy", "a2", FrozenDict(), "bob"),
        ),
    )
RARE["no event after a game that ends with the combat"] = board(
    creature("a1", "ann", "2/2"),
    creature("b1", "bob", "2/2"),
    attack=["a1"],
    blocks={},
    players=(Player("ann"), Player("bob", life=2)),
    events=(event("end", "destroy", "b1"), event("end", "exile", "a1")),
)

# Planeswalkers


RARE["a planeswalker is destroyed"] = walked(event("blockers", "destroy", "walker"))
RARE["a planeswalker changes sides"] = walked(event("blockers", "control", "walker", to="ann"))
RARE["a planeswalker that is a creature is removed"] = board(
    creature("a1", "ann", "1/1"),
    creature("b1", "bob", "2/5", types=("planeswalker",)),
    attack={"a1": "b1"},
    blocks={},
    planeswalkers=(Planeswalker("b1", "bob", 4),),
    events=(event("blockers", "remove", "b1"),),
)
for word in ("planeswalker", "creature"):
    RARE[f"no {word} for a while"] = board(
        creature("a1", "ann", "1/1"),
        creature("b1", "bob", "2/5", types=("planeswalker",)),
        attack={"a1": "b1"},
        blocks={},
        planeswalkers=(Planeswalker("b1", "bob", 4),),
        events=(
            event("blockers", "lose", "b1", type=word),
            event("blockers", "damage", "b1", amount=1),
            event("blockers", "gain", "b1", type=word),
            event("blockers", "damage", "b1", amount=2),
        ),
    )
RARE["put attacking a planeswalker that is gone"] = walked(
    event("blockers", "exile", "walker"),
    event("blockers", "remove", "a2"),
    event("blockers", "put-attacking", "a2", target="walker"),
)
RARE["made to attack a planeswalker that is gone"] = walked(
    event("blockers", "exile", "walker"), event("blockers", "reselect", "a2", target="walker")
)
# Tables

SEATS = ("ann", "bob", "carl", "dora")
VARIANTS: tuple[Variant, ...] = ("attack-multiple", "attack-left", "attack-right")
for variant in VARIANTS:
    for active in ("ann", "dora"):
        RARE[f"four players, {variant}, {active} attacks"] = board(
            *(creature(f"{name}'s", name, "2/2") for name in SEATS),
            creature("another", active, "1/1", "banding"),
            variant=variant,
            players=tuple(map(Player, SEATS)),
            active=active,
        )
RARE["teammates without shared turns"] = board(
    *(creature(f"{name}'s", name, "2/2") for name in SEATS),
    variant="attack-multiple",
    players=tuple(Player(name, team="red" if name in ("ann", "carl") else None) for name in SEATS),
)

for taken in ("walker", "other"):
    RARE[f"who leaves takes along what he controls: {taken}"] = board(
        creature("a1", "ann", "2/2", "first_strike"),
        creature("b1", "bob", "2/3"),
        attack={"a1": "carl"},
        blocks={},
        variant="attack-multiple",
        players=(Player("ann"), Player("bob"), Player("carl", life=2)),
        planeswalkers=(Planeswalker("walker", "carl", 2), Planeswalker("other", "bob", 3)),
        events=(event("blockers", "control", taken, to="carl" if taken == "other" else "ann"),),
    )

# Requirements and costs of players

RARE["nothing is asked for but goad"] = board(
    creature("a1", "ann", "2/2", goaded_by=("bob",)),
    creature("b1", "bob", "2/2"),
)
for walkers in (False, True):
    asks = MustAttackWith("bob", 1, walkers)
    tax = AttackTax("bob", 1, walkers)
    words = "or his planeswalkers" if walkers else "himself"
    RARE[f"each head must attack bob {words}"] = heads(
        creature("a1", "ann", "2/2"),
        creature("a2", "al", "2/2"),
        creature("b1", "bea", "2/2"),
        effects=(asks,),
        planeswalkers=(Planeswalker("walker", "bob", 4),),
        blocks={},
    )
    for name, wanted in (("must attack", asks), ("pays for", tax)):
        RARE[f"ann {name} bob {words}"] = board(
            creature("a1", "ann", "2/2"),
            creature("b1", "bob", "2/2"),
            variant="attack-multiple",
            players=(Player("ann", mana=1), Player("bob"), Player("carl")),
            planeswalkers=(Planeswalker("bobs", "bob", 4), Planeswalker("carls", "carl", 4)),
            battles=(Battle("siege", "carl", "bob", 2),),
            effects=(wanted,),
        )
RARE["control passes to one who has left"] = board(
    creature("a1", "ann", "2/2", "first_strike"),
    creature("a2", "ann", "3/3"),
    creature("b1", "bob", "2/3"),
    creature("c1", "carl", "2/2"),
    attack={"a1": "carl", "a2": "bob"},
    blocks={},
    variant="attack-multiple",
    players=(Player("ann"), Player("bob"), Player("carl", life=2)),
    planeswalkers=(Planeswalker("walker", "bob", 4),),
    events=(
        event("first-strike", "control", "a2", to="carl"),
        event("first-strike", "control", "walker", to="carl"),
    ),
)
