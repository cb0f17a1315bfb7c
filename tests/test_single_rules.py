"""Rules that no conformance case is about and that random boards seldom meet, one board each."""

from __future__ import annotations

import pytest

from pysolver import questions
from pysolver.frozen import FrozenDict
from pysolver.scenario.abilities import HasType
from pysolver.scenario.model import Battle, Event, Planeswalker, Player, Point, Team, Variant

from .strategies import ability, board, creature, heads


@pytest.mark.parametrize(("abilities", "blocks"), [((), 1), (("vigilance",), 2)])
def test_an_attacker_is_tapped(abilities: tuple[str, ...], blocks: int) -> None:
    """508.1f, 702.20b: taken over by the defending player, it can block another if untapped."""
    scenario = board(
        creature("a1", "ann", "1/1", *abilities),
        creature("a2", "ann", "1/1"),
        attack=["a1", "a2"],
        events=(Event("attackers", "control", "a1", FrozenDict({"to": "bob"})),),
    )
    assert questions.blocks(scenario).count() == blocks


@pytest.mark.parametrize(("lost", "chooser"), [(False, "bob"), (True, "ann")])
def test_who_loses_banding_loses_bands_with_other(lost: bool, chooser: str) -> None:
    """702.22b: and with it the division of the attacker's damage."""
    wolves = ability("bands_with_other", HasType("wolf"))
    event = Event("blockers", "lose", "b1", FrozenDict({"ability": ability("banding")}))
    scenario = board(
        creature("a1", "ann", "4/4"),
        creature("b1", "bob", "1/1", wolves, types=("wolf",)),
        creature("b2", "bob", "1/1", types=("wolf",)),
        attack=["a1"],
        blocks={"b1": ["a1"], "b2": ["a1"]},
        events=(event,) if lost else (),
    )
    (line,) = (line for line in questions.authority(scenario) if line.source == "a1")
    assert line.chooser == chooser


@pytest.mark.parametrize(("controller", "protector"), [("ann", "bob"), ("bob", "bob")])
def test_a_battle_is_attacked_where_its_protector_defends(controller: str, protector: str) -> None:
    """310.9b, 310.9d: whoever controls it."""
    siege = Battle("siege", controller, protector, 3)
    scenario = board(creature("a1", "ann", "1/1"), battles=(siege,))
    targets = [dict(attack.attackers) for attack in questions.attacks(scenario)]
    assert {"a1": "siege"} in targets
    assert len(targets) == 3


@pytest.mark.parametrize(("name", "life"), [("a2", 17), ("b1", 19)])
def test_only_the_attacking_side_is_put_attacking(name: str, life: int) -> None:
    """506.3b: a creature of the defending player stays out of combat."""
    scenario = board(
        creature("a1", "ann", "1/1"),
        creature("a2", "ann", "2/2"),
        creature("b1", "bob", "2/2"),
        attack=["a1"],
        blocks={},
        events=(Event("attackers", "put-attacking", name, FrozenDict({"target": "bob"})),),
    )
    assert {outcome.life["bob"] for outcome in questions.outcomes(scenario)} == {life}


@pytest.mark.parametrize(("ability_of_it", "blocks"), [("reach", 2), ("haste", 1)])
def test_reach_blocks_flying(ability_of_it: str, blocks: int) -> None:
    """702.17b."""
    scenario = board(
        creature("a1", "ann", "1/1", "flying"),
        creature("b1", "bob", "1/1", ability_of_it),
        attack=["a1"],
    )
    assert questions.blocks(scenario).count() == blocks


@pytest.mark.parametrize(
    ("kind", "life"), [("trample_over_planeswalkers", {17}), ("trample", {20}), ("flying", {20})]
)
def test_trample_over_a_planeswalker_that_is_gone(kind: str, life: set[int]) -> None:
    """702.19e, 506.4c."""
    scenario = board(
        creature("a1", "ann", "3/3", kind),
        planeswalkers=(Planeswalker("jace", "bob", 2),),
        attack={"a1": "jace"},
        blocks={},
        events=(Event("blockers", "destroy", "jace"),),
    )
    assert {outcome.life["bob"] for outcome in questions.outcomes(scenario)} == life


THREE = (Player("ann"), Player("bob"), Player("cat"))


@pytest.mark.parametrize(
    ("variant", "targets"),
    [
        ("attack-left", {"bob"}),
        ("attack-right", {"cat"}),
        ("attack-multiple", {"bob", "cat"}),
    ],
)
def test_who_sits_where_an_attack_may_go(variant: Variant, targets: set[str]) -> None:
    """803.1a-b, 802.2."""
    scenario = board(creature("a1", "ann", "1/1"), players=THREE, variant=variant)
    attacks = [attack.attackers for attack in questions.attacks(scenario)]
    assert {attack["a1"] for attack in attacks if attack} == targets


@pytest.mark.parametrize("left", [0, 1])
def test_what_has_no_counters_left_is_gone_in_the_second_step(left: int) -> None:
    """704.5i, 704.5v: who attacks it then deals no damage."""
    for target in ("jace", "siege"):
        scenario = board(
            creature("a1", "ann", "2/2", "first_strike"),
            creature("a2", "ann", "1/1"),
            planeswalkers=(Planeswalker("jace", "bob", 2 + left),),
            battles=(Battle("siege", "ann", "bob", 2 + left),),
            attack={"a1": target, "a2": target},
            blocks={},
        )
        (damage,) = questions.damage(scenario)
        assert bool(damage.to_json()["regular"]) is bool(left)


@pytest.mark.parametrize(
    ("player", "kind", "over"),
    [
        (Player("bob", life=1), "flying", True),
        (Player("bob", life=2), "flying", False),
        (Player("bob", poison=9), "infect", True),
        (Player("bob", poison=8), "infect", False),
    ],
)
def test_who_loses_in_the_first_step_ends_the_game(player: Player, kind: str, over: bool) -> None:
    """704.5a, 704.5c: there is no second step."""
    scenario = board(
        creature("a1", "ann", "1/1", "first_strike", kind),
        players=(Player("ann"), player),
        attack=["a1"],
        blocks={},
    )
    (damage,) = questions.damage(scenario)
    assert ("regular" not in damage.to_json()) is over


@pytest.mark.parametrize(("life", "over"), [(1, True), (2, False)])
def test_a_team_without_life_loses(life: int, over: bool) -> None:
    """704.6a."""
    scenario = heads(
        creature("a1", "ann", "1/1", "first_strike"),
        teams=(Team("red"), Team("blue", life=life)),
        attack={"a1": "bob"},
        blocks={},
    )
    (damage,) = questions.damage(scenario)
    assert ("regular" not in damage.to_json()) is over


def test_lethal_damage_and_deathtouch_take_one_shield() -> None:
    """704.7."""
    scenario = board(
        creature("a1", "ann", "2/2", "deathtouch"),
        creature("b1", "bob", "0/2", shields=1),
        attack=["a1"],
        blocks={"b1": ["a1"]},
    )
    (outcome,) = questions.outcomes(scenario)
    assert (outcome.died, outcome.regenerated) == ((), ("b1",))


@pytest.mark.parametrize(("abilities", "attacks"), [((), 1), (("haste",), 2), (("trample",), 1)])
def test_haste_attacks_at_once(abilities: tuple[str, ...], attacks: int) -> None:
    """302.6, 702.10b."""
    scenario = board(creature("a1", "ann", "1/1", *abilities, sick=True))
    assert questions.attacks(scenario).count() == attacks


@pytest.mark.parametrize("active", ["ann", "bob", "cat"])
def test_the_active_player_attacks_all_others(active: str) -> None:
    """506.2a, 802.2: and nobody else attacks, or is attacked."""
    names = [player.name for player in THREE]
    scenario = board(
        *(creature(f"{name}'s", name, "1/1") for name in names),
        players=THREE,
        variant="attack-multiple",
        active=active,
    )
    attacks = {attack.attackers for attack in questions.attacks(scenario)}
    attacker = f"{active}'s"
    assert attacks - {FrozenDict()} == {
        FrozenDict({attacker: name}) for name in names if name != active
    }


def test_heads_share_their_turn_and_their_life() -> None:
    """810.7: both attack in the one turn, and what either takes is taken from the team."""
    scenario = heads(
        creature("a1", "ann", "1/1"),
        creature("a2", "al", "2/2"),
        attack={"a1": "bob", "a2": "bea"},
        blocks={},
    )
    (outcome,) = questions.outcomes(scenario)
    assert outcome.life["blue"] == 27


def test_the_protector_blocks_what_attacks_a_battle() -> None:
    """310.9c: not whoever controls it, and not a third player."""
    scenario = board(
        creature("a1", "ann", "1/1"),
        creature("b1", "bob", "1/1"),
        creature("c1", "cat", "1/1"),
        players=THREE,
        variant="attack-multiple",
        battles=(Battle("siege", "bob", "cat", 3),),
        attack={"a1": "siege"},
    )
    blocks = [dict(answer.blocks.blocks) for answer in questions.blocks(scenario)]
    assert sorted(map(list, blocks)) == [[], ["c1"]]


def test_who_comes_late_to_the_attack_is_unblocked() -> None:
    """506.3d: its damage gets through to the player."""
    scenario = board(
        creature("a1", "ann", "1/1"),
        creature("a2", "ann", "2/2"),
        creature("b1", "bob", "0/4"),
        attack=["a1"],
        blocks={"b1": ["a1"]},
        events=(Event("blockers", "put-attacking", "a2", FrozenDict({"target": "bob"})),),
    )
    assert [outcome.life["bob"] for outcome in questions.outcomes(scenario)] == [18]


@pytest.mark.parametrize(
    ("lost", "died", "left"),
    [(None, ("a1", "jace"), 0), ("creature", (), 2), ("planeswalker", ("a1",), 5)],
)
def test_a_planeswalker_that_blocks_stops_being_one_of_both(
    lost: str | None, died: tuple[str, ...], left: int
) -> None:
    """506.4d: it goes on to block, or goes on to be attacked."""
    events: tuple[Event, ...] = ()
    if lost is not None:
        events = (Event("blockers", "lose", "jace", FrozenDict({"type": lost})),)
    scenario = board(
        creature("a1", "ann", "1/1"),
        creature("a2", "ann", "3/3"),
        creature("jace", "bob", "1/4", types=("planeswalker",)),
        planeswalkers=(Planeswalker("jace", "bob", 5),),
        attack={"a1": "bob", "a2": "jace"},
        blocks={"jace": ["a1"]},
        events=events,
    )
    (outcome,) = questions.outcomes(scenario)
    assert outcome.died == died
    assert outcome.loyalty.get("jace", 5) == left


@pytest.mark.parametrize("power", [-1, 0, 1])
def test_damage_of_nothing_is_no_damage(power: int) -> None:
    """120.8: nobody divides it, and it poisons nobody."""
    scenario = board(
        creature("a1", "ann", f"{power}/1", ability("toxic", 1)), attack=["a1"], blocks={}
    )
    assert [line.source for line in questions.authority(scenario)] == ["a1"] * (power == 1)
    (outcome,) = questions.outcomes(scenario)
    assert dict(outcome.poison) == ({"bob": 1} if power == 1 else {})


@pytest.mark.parametrize("prevented", [None, ("a1", "by"), ("bob", "to")])
def test_damage_that_is_prevented_has_no_results(prevented: tuple[str, str] | None) -> None:
    """120.4: no loss of life, no gain of life, no poison."""
    events: tuple[Event, ...] = ()
    if prevented is not None:
        name, side = prevented
        events = (Event("blockers", "prevent-combat-damage", name, FrozenDict({side: name})),)
    scenario = board(
        creature("a1", "ann", "2/2", "lifelink", ability("toxic", 1)),
        attack=["a1"],
        blocks={},
        events=events,
    )
    (outcome,) = questions.outcomes(scenario)
    lost = 0 if prevented else 2
    assert dict(outcome.life) == {"ann": 20 + lost, "bob": 20 - lost}
    assert bool(outcome.poison) is bool(lost)


@pytest.mark.parametrize(
    ("reading", "trampler", "lost"),
    [
        ("joint", "a1", {0, 1, 2, 3, 4}),
        ("per_player", "a1", {0, 1}),
        ("per_player", "a2", {0, 1, 2, 3}),
    ],
)
def test_the_active_player_announces_first(reading: str, trampler: str, lost: set[int]) -> None:
    """101.4: ann divides the damage of a1, then bob that of a2, which a bander blocks.

    To let damage through takes 3 on b1, whoever assigns them, and 1 on b2.
    """
    scenario = board(
        *(
            creature(name, "ann", "4/4", *(["trample"] if name == trampler else []))
            for name in ("a1", "a2")
        ),
        creature("b1", "bob", "0/3", ability("extra_blocks", 1)),
        creature("b2", "bob", "0/1", "banding"),
        attack=["a1", "a2"],
        blocks={"b1": ["a1", "a2"], "b2": ["a2"]},
        readings={"damage_legality": reading},
    )
    outcomes = questions.outcomes(scenario)
    assert {20 - outcome.life["bob"] for outcome in outcomes} == lost


@pytest.mark.parametrize(("shields", "died"), [(0, ("a1",)), (1, ())])
@pytest.mark.parametrize("at", ["first-strike", "end"])
def test_damage_kills_what_is_indestructible_no_more(
    at: Point, shields: int, died: tuple[str, ...]
) -> None:
    """704.5g, after every event: the damage stayed marked while the creature was indestructible."""
    scenario = board(
        creature("a1", "ann", "2/2", "indestructible", shields=shields),
        creature("b1", "bob", "3/3", "first_strike"),
        attack=["a1"],
        blocks={"b1": ["a1"]},
        events=(Event(at, "lose", "a1", FrozenDict({"ability": ability("indestructible")})),),
    )
    (outcome,) = questions.outcomes(scenario)
    assert outcome.died == died
    assert outcome.regenerated == (("a1",) if shields else ())


@pytest.mark.parametrize("operation", ["destroy", "exile"])
def test_who_has_left_the_battlefield_need_not_block(operation: str) -> None:
    """509.1b: all creatures that the defending player controls are those that are still there."""
    scenario = board(
        creature("a1", "ann", "2/2", "unblockable_unless_all_block"),
        creature("b1", "bob", "2/2"),
        creature("b2", "bob", "2/2"),
        attack=["a1"],
        events=(Event("attackers", operation, "b2"),),
    )
    assert questions.blocks(scenario).count() == 2
