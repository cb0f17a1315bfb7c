"""Documents to scenarios, and every mistake under its key."""

from __future__ import annotations

import datetime
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from pysolver.errors import NotCovered, PysolverError, QueryError, ScenarioError, SolverLimit
from pysolver.frozen import FrozenDict
from pysolver.scenario import build_scenario, check_scenario, json_schema, load, loads
from pysolver.scenario.abilities import Ability, AllOf, ControlledBy, HasType
from pysolver.scenario.document import read_text
from pysolver.scenario.editions import EDITIONS, READINGS, SWITCHES, in_force
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
    Event,
    Gives,
    MaxAttackers,
    MaxBlockers,
    MustAttackWith,
    Planeswalker,
    Player,
    Team,
)

BOARD = """\
players: {ann: {}, bob: {}}
active: ann
creatures:
  hero: {controller: ann, pt: 1/1}
  bat: {controller: bob, pt: 1/1}
"""

FULL = """\
title: Everything
edition: m10
readings: {unblocking: band}
variant: attack-multiple
players:
  ann: {life: 7, team: red, lands: [Swamp, snow-covered island], mana: 3, poison: 2}
  bob: {}
  carl: {}
active: ann
creatures:
  hero:
    {controller: ann, pt: 1/2, abilities: [Banding, can't attack or block], colors: [white],
     types: [Legendary Elves], damage: 1, tapped: true, sick: true, shields: 2,
     goaded_by: [bob], named: Hero}
  wolf: {controller: bob, pt: "-1/+1", count: 2}
planeswalkers: {jace: {controller: bob, loyalty: 3}}
effects:
  - attack-tax: {protects: bob, mana: 2}
  - attack-tax: {protects: bob, mana: 2, planeswalkers: true}
  - max-attackers: {count: 2, attacking: bob}
  - max-attackers: {count: 1}
  - max-blockers: {count: 1}
  - all-attack: {controller: ann}
  - gives: {to: "ann's walls", abilities: [banding, flying]}
  - must-attack-with: {defender: bob, count: 1, planeswalkers: true}
  - damage-chooser: {of: attackers, attacking: bob, by: bob}
  - damage-chooser: {of: blockers, by: ann}
attack:
  attackers: {hero: jace}
  bands: [[wolf-2, wolf-1], [hero]]
order: {hero: [wolf-2, wolf-1]}
blocks: {wolf-2: [hero], wolf-1: []}
damage: {first-strike: {hero: {wolf-1: 1, wolf-2: 0}}, regular: {wolf-1: {}}}
events:
  - {at: attackers, remove: hero}
  - {at: blockers, regenerate: hero, may: ann}
  - {at: blockers, destroy: jace}
  - {at: blockers, sacrifice: hero}
  - {at: blockers, exile: hero}
  - {at: first-strike, lose: {creature: hero, ability: banding}}
  - {at: blockers, gain: {creature: hero, type: Wolves}}
  - {at: blockers, damage: {creature: jace, amount: 1}}
  - {at: blockers, pump: {creature: hero, pt: +2/-0}}
  - {at: blockers, tap: hero}
  - {at: blockers, untap: hero}
  - {at: blockers, become-blocked: hero}
  - {at: blockers, become-unblocked: hero}
  - {at: end, control: {creature: hero, to: bob}}
  - {at: attackers, put-attacking: {creature: wolf-1, target: bob}}
  - {at: blockers, put-blocking: {creature: wolf-1, attacker: hero}}
  - {at: attackers, reselect: {creature: hero, target: carl}}
  - {at: blockers, prevent-combat-damage: {by: hero}}
  - {at: blockers, prevent-combat-damage: {to: bob}}
expect: {legal: true}
source: [{kind: derived, title: x}]
confidence: derived
rules: ["702.22c"]
point: A-01
expect_by_reading: {unblocking: {band: {legal: true}}}
"""


def test_everything() -> None:
    scenario = loads(FULL)
    assert scenario.title == "Everything"
    assert scenario.edition == Edition("m10", datetime.date(2009, 7, 11))
    assert scenario.readings == {
        **{name: values[0] for name, values in READINGS.items()},
        "unblocking": "band",
    }
    assert scenario.players[0] == Player("ann", 7, "red", (("swamp",), ("snow", "island")), 3, 2)
    assert scenario.players[1:] == (Player("bob"), Player("carl"))
    abilities = (Ability("banding"), Ability("cant_attack"), Ability("cant_block"))
    assert scenario.creatures == (
        Creature(
            *("hero", "ann", 1, 2, abilities, ("legendary", "elf"), ("white",), 1, True, True, 2),
            *(("bob",), "Hero"),
        ),
        Creature("wolf-1", "bob", -1, 1),
        Creature("wolf-2", "bob", -1, 1),
    )
    assert scenario.planeswalkers == (Planeswalker("jace", "bob", 3),)
    walls = AllOf(ControlledBy("ann"), HasType("wall"))
    assert scenario.effects == (
        AttackTax("bob", 2),
        AttackTax("bob", 2, True),
        MaxAttackers(2, "bob"),
        MaxAttackers(1),
        MaxBlockers(1),
        AllAttack("ann"),
        Gives(walls, (Ability("banding"),)),
        Gives(walls, (Ability("flying"),)),
        MustAttackWith("bob", 1, True),
        DamageChooser("attackers", "bob", "bob"),
        DamageChooser("blockers", "ann"),
    )
    assert scenario.attack == Attack(FrozenDict({"hero": "jace"}), (("wolf-1", "wolf-2"),))
    assert scenario.order == {"hero": ("wolf-2", "wolf-1")}
    assert scenario.blocks == Blocks(FrozenDict({"wolf-2": ("hero",)}))
    assert scenario.damage == Damage(
        FrozenDict(
            (
                ("first-strike", FrozenDict({"hero": FrozenDict({"wolf-1": 1})})),
                ("regular", FrozenDict({"wolf-1": FrozenDict[str, int]()})),
            )
        )
    )
    operations = [
        (event.operation, event.subject, dict(event.details)) for event in scenario.events
    ]
    assert operations == [
        ("remove", "hero", {}),
        ("regenerate", "hero", {}),
        ("destroy", "jace", {}),
        ("sacrifice", "hero", {}),
        ("exile", "hero", {}),
        ("lose", "hero", {"ability": Ability("banding")}),
        ("gain", "hero", {"type": "wolf"}),
        ("damage", "jace", {"amount": 1}),
        ("pump", "hero", {"power": 2, "toughness": 0}),
        ("tap", "hero", {}),
        ("untap", "hero", {}),
        ("become-blocked", "hero", {}),
        ("become-unblocked", "hero", {}),
        ("control", "hero", {"to": "bob"}),
        ("put-attacking", "wolf-1", {"target": "bob"}),
        ("put-blocking", "wolf-1", {"attacker": "hero"}),
        ("reselect", "hero", {"target": "carl"}),
        ("prevent-combat-damage", "hero", {"by": "hero"}),
        ("prevent-combat-damage", "bob", {"to": "bob"}),
    ]
    assert scenario.events[1] == Event("blockers", "regenerate", "hero", may="ann")


def test_defaults() -> None:
    scenario = loads(BOARD)
    assert scenario.edition == Edition("current", datetime.date(2026, 9, 25))
    assert scenario.variant == "two-player"
    assert scenario.players == (Player("ann"), Player("bob"))
    assert (scenario.attack, scenario.blocks, scenario.damage, scenario.order) == (None,) * 4
    assert scenario.readings["trample_vs_banding"] == "dp_may_spill"


def test_nothing_declared_is_not_open() -> None:
    scenario = loads(BOARD + "attack: {}\nblocks: {}\ndamage: {}")
    assert scenario.attack == Attack()
    assert scenario.blocks == Blocks()
    assert scenario.damage is None


def test_title_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "a bat.yaml"
    path.write_text(BOARD, encoding="utf-8")
    assert load(path).title == "a bat"
    assert load(str(path)) == load(path)


def test_teams() -> None:
    scenario = loads(TEAMS + "teams: {blue: {life: 5}}")
    assert scenario.teams == (Team("red", 30), Team("blue", 5))
    assert scenario.active == "red"


def test_readings_that_win() -> None:
    document = read_text(BOARD + "readings: {unblocking: member}", "x")
    assert build_scenario(document, {"unblocking": "band"}).readings["unblocking"] == "band"
    with pytest.raises(ScenarioError) as caught:
        build_scenario(document, {"unblocking": "bnd"})
    assert caught.value.path == "readings.unblocking"


def test_a_creature_may_be_a_planeswalker_or_a_battle_too() -> None:
    scenario = loads(
        BOARD
        + "planeswalkers: {bat: {controller: bob, loyalty: 3}}\n"
        + "battles: {hero: {controller: ann, protector: bob, defense: 3}}"
    )
    assert scenario.planeswalkers == (Planeswalker("bat", "bob", 3),)
    assert scenario.battles == (Battle("hero", "ann", "bob", 3),)


def test_what_the_rules_judge_is_no_mistake_of_the_document() -> None:
    loads(
        BOARD
        + "attack: {attackers: {bat: bob, hero: ann}, bands: [[hero, bat], [bat, hero]]}\n"
        + "blocks: {hero: [hero]}\ndamage: {regular: {bat: {bat: 7}}}"
    )


TEAMS = """\
variant: two-headed-giant
players: {ann: {team: red}, al: {team: red}, bob: {team: blue}, bea: {team: blue}}
active: red
creatures: {hero: {controller: ann, pt: 1/1}}
"""

#: What is added to the board, the path and the line of the mistake, a part of the message.
MISTAKES: list[tuple[str, str, int, str]] = [
    # Shape
    ("creture: {}", "creture", 6, 'did you mean "creatures"'),
    ("  x: {controler: ann, pt: 1/1}", "creatures.x.controler", 6, 'did you mean "controller"'),
    ("  x: {pt: 1/1}", "creatures.x.controller", 6, "needed"),
    ("  x: {controller: ann}", "creatures.x.pt", 6, "needed"),
    ("  x: {controller: ann, pt: 1}", "creatures.x.pt", 6, "2/3"),
    ("  x: {controller: ann, pt: two/3}", "creatures.x.pt", 6, "2/3"),
    ("  x: {controller: ann, pt: 1/1, tapped: yes}", "creatures.x.tapped", 6, "true or false"),
    ("  x: {controller: ann, pt: 1/1, damage: '1'}", "creatures.x.damage", 6, "whole number"),
    ("  x: {controller: ann, pt: 1/1, damage: 1.0}", "creatures.x.damage", 6, "whole number"),
    ("  x: {controller: ann, pt: 1/1, damage: true}", "creatures.x.damage", 6, "whole number"),
    ("  x: {controller: ann, pt: 1/1, abilities: reach}", "creatures.x.abilities", 6, "[reach]"),
    ("  x: {controller: ann, pt: 1/1, abilities: [1]}", "creatures.x.abilities", 6, "text"),
    ("  x: {controller: ann, pt: 1/1, colors: [pink]}", "creatures.x.colors", 6, "white"),
    ("  x: {controller: ann, pt: 1/1, count: 0}", "creatures.x.count", 6, "at least 1"),
    ("  x:", "creatures.x", 6, "nothing stands here"),
    ("  x: {card: Bat}", "creatures.x.card", 6, "no card index"),
    ("variant: two-palyer", "variant", 6, 'did you mean "two-player"'),
    ("attack:", "attack", 6, "nothing"),
    ("attack: {attackers: [hero]}", "attack.attackers", 6, "a mapping"),
    ("blocks: {bat: hero}", "blocks.bat", 6, "[hero]"),
    ("effects: [{attack_tax: {}}]", "effects.0.attack_tax", 6, 'did you mean "attack-tax"'),
    ("effects: [{}]", "effects.0", 6, "one of these keys"),
    ("effects: [{max-blockers: {count: 1}, gives: {to: walls, abilities: [reach]}}]",
     "effects.0", 6, "one of these keys"),
    ("effects: [x]", "effects.0", 6, "a mapping"),
    ("events: [{at: blockers}]", "events.0", 6, "one of these keys"),
    ("events: [{at: blockers, tap: hero, untap: hero}]", "events.0", 6, "two events"),
    ("events: [{tap: hero}]", "events.0.at", 6, "needed"),
    ("events: [{at: blokers, tap: hero}]", "events.0.at", 6, 'did you mean "blockers"'),
    ("title: |\n  two\n  lines", "title", 6, "one line"),
    # Editions and readings
    ("edition: m1o", "edition", 6, 'did you mean "m1'),
    ("edition: 2009-02-30", "edition", 6, "calendar"),
    ("edition: 2001-07-22", "edition", 6, "2001-07-23"),
    ("edition: 2009", "edition", 6, '"2009"'),
    ("readings: {unbloking: band}", "readings.unbloking", 6, 'did you mean "unblocking"'),
    ("readings: {unblocking: bnd}", "readings.unblocking", 6, "member or band"),
    ("readings: {cross_team_bands: true}", "readings.cross_team_bands", 6, "text"),
    ("order: {hero: [bat]}", "order", 6, "no damage assignment order"),
    ("edition: 2007-09-30\nplaneswalkers: {j: {controller: bob, loyalty: 1}}",
     "planeswalkers", 7, "2007-10-01"),
    ("edition: foundations\nedition: m10", "", 7, "twice"),
    ("edition: 2023-04-13\nbattles: {s: {controller: ann, protector: bob, defense: 1}}",
     "battles", 7, "2023-04-14"),
    ("  x: {controller: ann, pt: 1/1, abilities: [trample over planeswalkers]}\nedition: m10",
     "creatures.x.abilities", 6, "2021-06-18"),
    ("events: [{at: damage-assigned, tap: hero}]", "events.0.at", 6, "2009-07-11"),
    # Names
    ("  x: {controller: an, pt: 1/1}", "creatures.x.controller", 6, 'did you mean "ann"'),
    ("  x: {controller: bat, pt: 1/1}", "creatures.x.controller", 6, "is a creature"),
    ("  ann: {controller: ann, pt: 1/1}", "creatures.ann", 6, "one thing"),
    ("  bat-1: {controller: ann, pt: 1/1}\n  x: {controller: ann, pt: 1/1, count: 2}\n"
     "  x-2: {controller: ann, pt: 1/1}", "creatures.x-2", 8, "two creatures"),
    ("  x: {controller: ann, pt: 1/1, count: 2}\nattack: {attackers: {x: bob}}",
     "attack.attackers.x", 7, "x-1"),
    ('  "": {controller: ann, pt: 1/1}', 'creatures.""', 6, "empty"),
    ('  "a\\x1b": {controller: ann, pt: 1/1}', "creatures.a\x1b", 6, "U+001B"),
    ("  x: {controller: ann, pt: 1/1, goaded_by: [bbo]}", "creatures.x.goaded_by", 6, "bob"),
    ("  x: {controller: ann, pt: 1/1, goaded_by: [bob, bob]}", "creatures.x.goaded_by", 6, "twice"),
    ("planeswalkers: {ann: {controller: ann, loyalty: 1}}", "planeswalkers.ann", 6, "one thing"),
    ("planeswalkers: {bat: {controller: ann, loyalty: 1}}",
     "planeswalkers.bat.controller", 6, "another controller"),
    ("battles: {s: {controller: ann, protector: b, defense: 1}}",
     "battles.s.protector", 6, "no player"),
    ("attack: {attackers: {heroo: bob}}", "attack.attackers.heroo", 6, 'did you mean "hero"'),
    ("attack: {attackers: {hero: bat}}", "attack.attackers.hero", 6, "is a creature"),
    ("attack: {attackers: {ann: bob}}", "attack.attackers.ann", 6, "is a player"),
    ("attack: {attackers: {hero: bob, hero: bob}}", "", 6, "twice"),
    ("attack: {attackers: {hero: bob}, bands: [[hero, heroo]]}", "attack.bands.0", 6, "hero"),
    ("attack: {attackers: {hero: bob}, bands: [[heroo]]}", "attack.bands.0", 6, "hero"),
    ("attack: {attackers: {hero: bob}, bands: [[hero, hero]]}", "attack.bands.0", 6, "twice"),
    ("attack: {attackers: {hero: bob}, bands: [[]]}", "attack.bands.0", 6, "without members"),
    ("blocks: {bta: [hero]}", "blocks.bta", 6, 'did you mean "bat"'),
    ("blocks: {bta: []}", "blocks.bta", 6, 'did you mean "bat"'),
    ("blocks: {bat: [heroo]}", "blocks.bat", 6, 'did you mean "hero"'),
    ("blocks: {bat: [hero, hero]}", "blocks.bat", 6, "twice"),
    ("edition: isd\norder: {hero: [bat, bat]}", "order.hero", 7, "twice"),
    ("edition: isd\norder: {hero: [bta]}", "order.hero", 7, 'did you mean "bat"'),
    ("damage: {regular: {heroo: {bat: 1}}}", "damage.regular.heroo", 6, "hero"),
    ("damage: {regular: {hero: {bta: 1}}}", "damage.regular.hero.bta", 6, "bat"),
    ("damage: {regular: {hero: {bta: 0}}}", "damage.regular.hero.bta", 6, "bat"),
    ("damage: {regular: {hero: {bat: -1}}}", "damage.regular.hero.bat", 6, "at least 0"),
    ("damage: {third: {hero: {bat: 1}}}", "damage.third", 6, "first-strike"),
    ("effects: [{attack-tax: {protects: bbo, mana: 1}}]",
     "effects.0.attack-tax.protects", 6, "bob"),
    ("effects: [{max-attackers: {count: 1, attacking: bat}}]",
     "effects.0.max-attackers.attacking", 6, "is a creature"),
    ("effects: [{all-attack: {controller: x}}]", "effects.0.all-attack.controller", 6, "no player"),
    ("effects: [{must-attack-with: {defender: x, count: 1}}]",
     "effects.0.must-attack-with.defender", 6, "no player"),
    ("effects: [{damage-chooser: {of: attackers, by: x}}]",
     "effects.0.damage-chooser.by", 6, "no player"),
    ("effects:\n- gives: {to: walls, abilities: [reach, flying]}\n"
     "- gives: {to: an's walls, abilities: [reach]}",
     "effects.1.gives.to", 8, 'did you mean "ann"'),
    ("effects: [{gives: {to: walls, abilities: [banidng]}}]",
     "effects.0.gives.abilities", 6, 'did you mean "banding"'),
    ("events: [{at: blockers, tap: heroo}]", "events.0.tap", 6, 'did you mean "hero"'),
    ("events: [{at: blockers, tap: hero, may: x}]", "events.0.may", 6, "no player"),
    ("events: [{at: blockers, destroy: bob}]", "events.0.destroy", 6, "is a player"),
    ("events: [{at: blockers, control: {creature: hero, to: bat}}]",
     "events.0.control.to", 6, "is a creature"),
    ("events: [{at: blockers, put-blocking: {creature: bat, attacker: x}}]",
     "events.0.put-blocking.attacker", 6, "no creature"),
    ("events: [{at: blockers, prevent-combat-damage: {by: bob}}]",
     "events.0.prevent-combat-damage.by", 6, "is a player"),
    ("events: [{at: blockers, prevent-combat-damage: {}}]",
     "events.0.prevent-combat-damage", 6, '"by" or "to"'),
    ("events: [{at: blockers, gain: {creature: hero}}]", "events.0.gain", 6, '"ability" or "type"'),
    ("events: [{at: blockers, gain: {creature: hero, ability: banidng}}]",
     "events.0.gain.ability", 6, 'did you mean "banding"'),
    ("events: [{at: blockers, gain: {creature: hero, ability: can't attack or block}}]",
     "events.0.gain.ability", 6, "two abilities"),
    ("events: [{at: blockers, gain: {creature: hero, type: big wolf}}]",
     "events.0.gain.type", 6, "one word"),
    ("events: [{at: blockers, pump: {creature: hero, pt: +1}}]", "events.0.pump.pt", 6, "2/3"),
    # Events with no sense
    ("events: [{at: attackers, become-blocked: hero}]", "events.0.at", 6, "no sense"),
    ("events: [{at: attackers, become-unblocked: hero}]", "events.0.at", 6, "no sense"),
    ("events: [{at: attackers, put-blocking: {creature: bat, attacker: hero}}]",
     "events.0.at", 6, "no sense"),
    ("events: [{at: blockers, reselect: {creature: hero, target: ann}}]",
     "events.0.reselect.target", 6, "cannot be attacked"),
    # Abilities
    ("  x: {controller: ann, pt: 1/1, abilities: [\n    banding,\n    banidng]}",
     "creatures.x.abilities", 8, 'unknown ability "banidng"; did you mean "banding"?'),
    ("  x: {controller: ann, pt: 1/1, abilities: [can't attack bbo]}",
     "creatures.x.abilities", 6, 'did you mean "bob"'),
    ("  x: {controller: ann, pt: 1/1, abilities: [attacks hero each combat if able]}",
     "creatures.x.abilities", 6, "is a creature"),
    # Positions and numbers
    ("  x: {controller: ann, pt: 1/0}", "creatures.x.pt", 6, "died"),
    ("  x: {controller: ann, pt: 1/-1}", "creatures.x.pt", 6, "died"),
    ("  x: {controller: ann, pt: 1/2, damage: 2}", "creatures.x.damage", 6, "lethal"),
    ("  x: {controller: ann, pt: 10000/1}", "creatures.x.pt", 6, "too large"),
    ("  x: {controller: ann, pt: 1/1, shields: 10000}", "creatures.x.shields", 6, "too large"),
    ("planeswalkers: {j: {controller: bob, loyalty: 0}}",
     "planeswalkers.j.loyalty", 6, "at least 1"),
    ("battles: {s: {controller: ann, protector: bob, defense: 0}}",
     "battles.s.defense", 6, "at least 1"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "path", "line", "message"), MISTAKES)
def test_mistakes(text: str, path: str, line: int, message: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        loads(BOARD + text, "board.yaml")
    error = caught.value
    assert (error.path, error.line, error.file) == (path, line, "board.yaml")
    assert message in error.message
    assert str(error).splitlines()[0].startswith(f"board.yaml:{line}: {path}")


PLAYER_MISTAKES: list[tuple[str, str, str]] = [
    ("players: {ann: {}}", "players", "at least 2"),
    ("players: {ann: {}, bob: {}, carl: {}}", "players", "two players"),
    ("players: [ann, bob]", "players", "a mapping"),
    ("players: {ann: , bob: {}}", "players.ann", "nothing"),
    ("players: {ann: {life: 0}, bob: {}}", "players.ann.life", "lost"),
    ("players: {ann: {poison: 10}, bob: {}}", "players.ann.poison", "lost"),
    ("players: {ann: {life: 10000}, bob: {}}", "players.ann.life", "too large"),
    ("players: {ann: {mana: -1}, bob: {}}", "players.ann.mana", "too small"),
    ("players: {ann: {lands: swamp}, bob: {}}", "players.ann.lands", "[swamp]"),
    ("players: {ann: {lands: ['?']}, bob: {}}", "players.ann.lands", "?"),
    ("players: {ann: {team: x}, bob: {team: x}}", "players", "nobody"),
    ("players: {ann: {team: bob}, bob: {}}", "players", "one thing"),
    ("players: {ann: {}, bob: {}}\nteams: {x: {}}", "teams", "two-headed-giant"),
]


@pytest.mark.parametrize(("players", "path", "message"), PLAYER_MISTAKES)
def test_mistakes_about_players(players: str, path: str, message: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        loads(f"{players}\nactive: ann\ncreatures: {{}}")
    assert caught.value.path == path
    assert message in caught.value.message


@pytest.mark.parametrize(
    ("old", "new", "path"),
    [
        ("active: red", "active: ann", "active"),
        ("active: red", "active: rde", "active"),
        ("bea: {team: blue}", "bea: {}", "players.bea.team"),
        ("bea: {team: blue}", "bea: {team: red}", "players"),
        ("bea: {team: blue}", "bea: {team: blue, life: 20}", "players.bea.life"),
        ("bob: {team: blue}", "bob: {team: blue, poison: 15}", "players.bea.poison"),
        ("active: red", "active: red\nteams: {bleu: {life: 30}}", "teams.bleu"),
        ("active: red", "active: red\nteams: {blue: {life: 0}}", "teams.blue.life"),
        ("active: red", "active: red\nattack: {attackers: {hero: blue}}", "attack.attackers.hero"),
    ],
)
def test_mistakes_about_teams(old: str, new: str, path: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        loads(TEAMS.replace(old, new))
    assert path in {problem.path for problem in caught.value.problems}


def test_every_mistake_is_reported() -> None:
    text = BOARD.replace("ann, pt: 1/1", "anne, pt: 1/0, abilities: [banidng, flyng]")
    with pytest.raises(ScenarioError) as caught:
        loads(text + "blocks: {bat: [x]}", "b.yaml")
    assert [(problem.path, problem.line) for problem in caught.value.problems] == [
        ("creatures.hero.abilities", 4),
        ("creatures.hero.abilities", 4),
        ("creatures.hero.controller", 4),
        ("creatures.hero.pt", 4),
        ("blocks.bat", 6),
    ]
    assert len(str(caught.value).splitlines()) == 5


def test_attack_left_has_one_target_for_reselection() -> None:
    text = (
        "variant: attack-left\nplayers: {ann: {}, bob: {}, carl: {}}\nactive: ann\n"
        "creatures: {hero: {controller: ann, pt: 1/1}}\n"
        "events: [{at: blockers, reselect: {creature: hero, target: TARGET}}]"
    )
    loads(text.replace("TARGET", "bob"))
    with pytest.raises(ScenarioError, match="cannot be attacked"):
        loads(text.replace("TARGET", "carl"))
    loads(text.replace("TARGET", "carl").replace("left", "right"))


@pytest.mark.parametrize(
    "name", ['"', "\\", "%*", "#script", "x.y", "Ünï", "a\nb", "\t", "😀", "a b"]
)
def test_odd_names(name: str) -> None:
    document = {
        "players": {"ann": {}, name: {}},
        "active": "ann",
        "creatures": {f"{name}x": {"controller": name, "pt": "1/1"}},
    }
    scenario = loads(json.dumps(document))
    assert scenario.players[1].name == name
    assert scenario.creatures[0].name == f"{name}x"


def test_indestructible_creatures_may_have_lethal_damage() -> None:
    loads(BOARD + "  x: {controller: ann, pt: 1/1, damage: 3, abilities: [indestructible]}")


def test_scenarios_by_hand_are_judged_too() -> None:
    scenario = loads(BOARD)
    check_scenario(scenario)
    with pytest.raises(ScenarioError) as caught:
        check_scenario(replace(scenario, blocks=Blocks(FrozenDict({"bta": ("hero",)}))))
    assert (caught.value.path, caught.value.line) == ("blocks.bta", None)


@pytest.mark.parametrize(
    ("date", "on", "off"),
    [
        (
            "2001-07-23",
            {"damage_on_stack", "walls_cant_attack", "old_bwo"},
            {"planeswalkers", "dao"},
        ),
        ("2009-07-10", {"damage_on_stack", "lifelink_trigger", "planeswalkers"}, {"dao"}),
        ("2009-07-11", {"dao", "double_strike_gap", "deathtouch_free_split"}, {"damage_on_stack"}),
        ("2010-07-16", {"dao", "deathtouch_lethal_one", "team_attacked"}, {"dao_joint_check"}),
        ("2024-11-07", {"dao", "dao_joint_check", "battles"}, {"team_attacked"}),
        ("2024-11-08", {"battles", "trample_over_planeswalkers"}, {"dao", "old_bwo"}),
    ],
)
def test_switches(date: str, on: set[str], off: set[str]) -> None:
    found = in_force(datetime.date.fromisoformat(date))
    assert on <= found
    assert not off & found
    assert found <= SWITCHES.keys()


@pytest.mark.parametrize("label", EDITIONS)
def test_named_editions(label: str) -> None:
    edition = loads(f"{BOARD}edition: {label}").edition
    assert edition == Edition(label, EDITIONS[label])


def _undescribed(schema: object, path: str = "") -> list[str]:
    found = []
    if isinstance(schema, dict):
        for name, part in schema.get("properties", {}).items():
            if "description" not in part:
                found.append(f"{path}.{name}")
        for name, part in schema.get("$defs", {}).items():
            found += _undescribed(part, name)
    return found


def test_json_schema() -> None:
    schema = json_schema()
    assert _undescribed(schema) == []
    keys = set(read_text(FULL, "x").data)
    assert keys | {"teams", "battles"} == set(schema["properties"])
    assert set(schema["required"]) == {"players", "active", "creatures"}
    assert schema["additionalProperties"] is False
    assert '"null"' not in str(schema)


def test_errors_are_one_family() -> None:
    for kind in (ScenarioError, NotCovered, SolverLimit, QueryError):
        assert issubclass(kind, PysolverError)
    assert (NotCovered("melee", "creatures.x").word, SolverLimit("x", found=3).found) == (
        "melee",
        3,
    )
    assert str(ScenarioError("is wrong", path="a.b", line=3, file="f")) == "f:3: a.b: is wrong"
    assert str(ScenarioError("is wrong", path="a.b", line=3)) == "line 3: a.b: is wrong"
    assert str(ScenarioError("is wrong")) == "is wrong"


def test_reading_needs_no_solver() -> None:
    root = Path(__file__).parents[2]
    code = (
        "import sys, types; package = types.ModuleType('pysolver');"
        f"package.__path__ = [{str(root / 'pysolver')!r}]; sys.modules['pysolver'] = package;"
        "import pysolver.scenario; print('clingo' in sys.modules, 'pydantic' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
