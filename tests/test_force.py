"""What a player can make sure of: small boards where the rules leave no doubt about the answer."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pysolver import Combat, QueryError, load, questions
from pysolver.frozen import FrozenDict
from pysolver.maximum import program
from pysolver.programs import ENCODINGS
from pysolver.results import Attack, Blocks, Choice, Damage, Decision, Force
from pysolver.scenario.model import Event, Player, Point, Scenario, Step
from tests.boards import INSTANCES
from tests.cli.boards import board as document
from tests.cli.boards import lines, run
from tests.strategies import FAMILIES, ability, board, creature, heads, random_scenario


def strategy(answer: Force) -> list[Any]:
    """A strategy as nested lists: who decides what, and for each choice what follows."""

    def told(decision: Decision | None) -> Any:
        if decision is None:
            return None
        choices = [(plain(each.choice), told(each.then)) for each in decision.choices]
        return [decision.player, decision.decision, *choices]

    return told(answer.strategy)  # type: ignore[no-any-return]


def plain(choice: Any) -> Any:
    """A choice as JSON has it."""
    return Choice(choice).to_json()["choice"]


def asked(scenario: Scenario, player: str, statement: str) -> tuple[str, Any]:
    answer = questions.force(scenario, player, statement)
    return answer.answer, strategy(answer)


OGRE, BEAR = creature("ogre", "ann", "3/3"), creature("bear", "bob", "2/2")
LONE = board(OGRE, BEAR, attack=["ogre"])


def test_a_lone_blocker_saves_itself_by_not_blocking() -> None:
    stays: list[Any] = ["bob", "blocks", ({}, None)]
    assert asked(LONE, "bob", "survived(bear)") == ("yes", stays)
    assert asked(LONE, "ann", "died(bear)") == ("no", stays)
    # Nothing that bob does kills the ogre, so none of his choices is worth a line.
    assert asked(LONE, "bob", "died(ogre)") == ("no", None)


def test_every_choice_of_the_loser_has_its_answer() -> None:
    open_attack = board(OGRE, creature("wolf", "ann", "1/1"), BEAR)
    answer, tree = asked(open_attack, "bob", "blocked(ogre) or not attacks(ogre)")
    assert answer == "yes"
    attacks = [
        {"attackers": {"ogre": "bob", "wolf": "bob"}, "bands": []},
        {"attackers": {"ogre": "bob"}, "bands": []},
    ]
    blocks = ["bob", "blocks", ({"bear": ["ogre"]}, None)]
    assert tree == ["ann", "attack", *((attack, blocks) for attack in attacks)]


@pytest.mark.parametrize(("abilities", "player"), [((), "ann"), (("banding",), "bob")])
def test_banding_hands_the_division_to_the_other_side(
    abilities: tuple[str, ...], player: str
) -> None:
    giant = creature("giant", "ann", "4/9")
    hero, wall = creature("hero", "bob", "1/4", *abilities), creature("wall", "bob", "0/4")
    joined = {"hero": ["giant"], "wall": ["giant"]}
    fixed = board(giant, hero, wall, attack=["giant"], blocks=joined)
    for name in ("hero", "wall"):
        expected = "yes" if player == "ann" else "no"
        answer, tree = asked(fixed, "ann", f"died({name})")
        assert answer == expected
        assert tree[:2] == [player, "regular damage"]
        expected = "no" if player == "ann" else "yes"
        assert asked(fixed, "bob", f"survived({name})")[0] == expected


def test_two_blockers_cannot_both_be_saved_by_dividing() -> None:
    giant = creature("giant", "ann", "4/9")
    walls = [creature(f"wall{n}", "bob", "0/4") for n in (1, 2)]
    fixed = board(giant, *walls, attack=["giant"], blocks={wall.name: ["giant"] for wall in walls})
    assert asked(fixed, "bob", "survived(wall1) or survived(wall2)") == ("yes", None)
    answer, tree = asked(fixed, "bob", "survived(wall1)")
    assert (answer, tree) == ("no", ["ann", "regular damage", ({"giant": {"wall1": 4}}, None)])
    # The loser's choices: only a block leaves the wall in danger.
    open_blocks = replace(fixed, blocks=None)
    answer, tree = asked(open_blocks, "bob", "blocked(giant) and survived(wall1)")
    assert (answer, tree[:2]) == ("yes", ["bob", "blocks"])


REGENERATE = Event("blockers", "regenerate", "bear", may="bob")


def test_an_optional_regeneration() -> None:
    fixed = replace(LONE, blocks=Blocks(FrozenDict({"bear": ("ogre",)})))
    assert asked(fixed, "bob", "survived(bear)") == ("no", None)
    helped = replace(fixed, events=(REGENERATE,))
    event = {"at": "blockers", "regenerate": "bear"}
    used = ["bob", "event", ({**event, "happens": True}, None)]
    assert asked(helped, "bob", "survived(bear)") == ("yes", used)
    kept = ["bob", "event", ({**event, "happens": False}, None)]
    assert asked(helped, "ann", "regenerated(bear)") == ("no", kept)
    forced = replace(fixed, events=(replace(REGENERATE, may=None),))
    assert asked(forced, "ann", "survived(bear)") == ("yes", None)


@pytest.mark.parametrize(("point", "expected"), [("attackers", "no"), ("blockers", "yes")])
def test_an_event_comes_before_what_follows_it(point: Point, expected: str) -> None:
    tap = Event(point, "tap", "bear", may="ann")
    answer, tree = asked(replace(LONE, events=(tap,)), "bob", "blocked(ogre)")
    assert answer == expected
    if point == "attackers":
        event = {"at": "attackers", "tap": "bear", "happens": True}
        assert tree == ["ann", "event", (event, None)]
    else:
        assert tree == ["bob", "blocks", ({"bear": ["ogre"]}, None)]


def test_lure_leaves_no_choice() -> None:
    elk = creature("elk", "ann", "3/3", "lure")
    plain_elk = creature("elk", "ann", "3/3")
    assert asked(board(elk, BEAR, attack=["elk"]), "ann", "died(bear)") == ("yes", None)
    assert asked(board(plain_elk, BEAR, attack=["elk"]), "ann", "died(bear)")[0] == "no"
    attack = ({"attackers": {"elk": "bob"}, "bands": []}, None)
    assert asked(board(elk, BEAR), "ann", "died(bear)") == ("yes", ["ann", "attack", attack])


def test_who_must_attack_attacks() -> None:
    raider = creature("raider", "ann", "3/3", "must_attack")
    assert asked(board(raider, BEAR), "ann", "not attacks(raider)") == ("no", None)
    assert asked(board(raider, BEAR), "ann", "attacks(raider)") == ("yes", None)
    assert asked(board(OGRE, BEAR), "ann", "not attacks(ogre)")[0] == "yes"


def test_first_strike_is_divided_before_the_rest() -> None:
    knight = creature("knight", "ann", "3/3", "double_strike")
    guards = [creature(f"guard{n}", "bob", "0/3") for n in (1, 2)]
    fixed = board(
        knight, *guards, attack=["knight"], blocks={guard.name: ["knight"] for guard in guards}
    )
    answer, tree = asked(fixed, "ann", "died(guard1) and died(guard2)")
    assert answer == "yes"
    player, decision, (choice, then) = tree
    assert (player, decision) == ("ann", "first-strike damage")
    (full,) = choice["knight"].items()
    assert full[1] == 3
    # What is left of the blockers takes the rest: there is nothing more to decide.
    assert then is None


def test_rampage_may_count_what_flanking_kills() -> None:
    knight = creature("knight", "ann", "1/4", "flanking", ability("rampage", 1))
    pawn, wall = creature("pawn", "bob", "1/1"), creature("wall", "bob", "0/3")
    blocks = {"pawn": ["knight"], "wall": ["knight"]}
    fixed = board(knight, pawn, wall, attack=["knight"], blocks=blocks)
    counted = {"rampage": [{"creature": "knight", "counts": ["pawn", "wall"]}]}
    assert asked(fixed, "ann", "died(wall)") == ("yes", ["ann", "order", (counted, None)])
    uncounted = {"rampage": [{"creature": "knight", "counts": ["wall"]}]}
    assert asked(fixed, "ann", "survived(wall)") == ("yes", ["ann", "order", (uncounted, None)])


THREE = (Player("ann"), Player("bob"), Player("carl"))


def test_defending_players_block_in_turn_order() -> None:
    creatures = (
        creature("wolf", "ann", "1/1"),
        creature("lion", "ann", "1/1"),
        creature("guard", "bob", "1/1"),
        creature("sentry", "carl", "1/1"),
    )
    scenario = board(
        *creatures,
        attack={"wolf": "bob", "lion": "carl"},
        players=THREE,
        variant="attack-multiple",
    )
    one = "blocked(wolf) and not blocked(lion) or blocked(lion) and not blocked(wolf)"
    answer, tree = asked(scenario, "carl", one)
    assert answer == "yes"  # he has seen what bob did
    assert tree == [
        "bob",
        "blocks",
        ({"guard": ["wolf"]}, ["carl", "blocks", ({}, None)]),
        ({}, ["carl", "blocks", ({"sentry": ["lion"]}, None)]),
    ]
    answer, tree = asked(scenario, "bob", one)
    assert answer == "no"
    assert tree == [
        "bob",
        "blocks",
        ({"guard": ["wolf"]}, ["carl", "blocks", ({"sentry": ["lion"]}, None)]),
        ({}, ["carl", "blocks", ({}, None)]),
    ]
    # All others are one side against the player who is asked about.
    assert asked(scenario, "ann", "survived(wolf)")[0] == "no"


def test_a_team_decides_together() -> None:
    ogre, guard = creature("ogre", "al", "3/3"), creature("guard", "bea", "1/1")
    scenario = heads(ogre, guard, attack={"ogre": "bob"})
    block = ["blue", "blocks", ({"guard": ["ogre"]}, None)]
    for player in ("bob", "bea", "blue"):
        assert asked(scenario, player, "blocked(ogre)") == ("yes", block)
    assert asked(scenario, "red", "not blocked(ogre)") == ("no", block)
    assert asked(replace(scenario, attack=None), "ann", "attacks(ogre)")[0] == "yes"


def test_no_legal_combat() -> None:
    illegal = replace(LONE, attack=Attack(FrozenDict({"bear": "bob"})))
    assert asked(illegal, "bob", "survived(bear)") == ("none", None)
    assert questions.best(illegal, "bob", "life(bob)").value is None


@pytest.mark.parametrize("player", ["ann", "bob"])
def test_what_holds_anyway_needs_nobody(player: str) -> None:
    assert asked(LONE, player, "survived(ogre)") == ("yes", None)
    assert asked(LONE, player, "died(ogre)") == ("no", None)


# The best number


def test_the_best_number() -> None:
    best = questions.best(LONE, "bob", "life(bob)")
    assert best.value == 20
    assert best.strategy == Decision("blocks", "bob", (Choice(FrozenDict({"bear": ("ogre",)})),))
    assert questions.best(LONE, "ann", "life(bob)", least=True).value == 20
    assert questions.best(LONE, "ann", "life(bob)").value == 17
    assert questions.best(LONE, "bob", "life(bob)", least=True).value == 17
    assert questions.best(LONE, "ann", "life(ann)").strategy is None


def test_the_best_damage() -> None:
    assert questions.best(LONE, "bob", "damage(ogre, bear)").value == 3
    assert questions.best(LONE, "ann", "damage(ogre, bear)").value == 0


@pytest.mark.parametrize("path", INSTANCES, ids=lambda path: path.stem)
def test_what_one_gets_the_other_cannot_prevent(path: Path) -> None:
    """In a game of two, the most that one is sure of is the least that the other is sure of."""
    combat = load(path)
    most, least = combat.best("bob", "life(bob)"), combat.best("ann", "life(bob)", least=True)
    assert most.value == least.value
    if most.value is not None:
        assert combat.force("bob", f"life(bob) >= {most.value}").answer == "yes"
        assert combat.force("bob", f"life(bob) > {most.value}").answer == "no"


# Strategies


def followed(combat: Combat, decision: Decision | None, query: str, expected: str) -> int:
    """Fix what a strategy says: where it ends the statement holds always, or never.

    Of very many choices a few are followed.
    """
    if decision is None:
        assert combat.ask(query).answer == expected
        return 1
    return sum(
        followed(fixed(combat, decision, each.choice), each.then, query, expected)
        for each in decision.choices[:: 1 + len(decision.choices) // 12]
    )


def fixed(combat: Combat, decision: Decision, choice: Mapping[str, Any]) -> Combat:
    match decision.decision:
        case "attack":
            return combat.with_attack(choice["attackers"], choice["bands"])
        case "blocks":
            return combat.with_blocks(choice)
    step: Step = "first-strike" if decision.decision == "first-strike damage" else "regular"
    steps = dict((combat.scenario.damage or Damage()).steps)
    steps[step] = FrozenDict({**steps.get(step, {}), **choice})
    return combat.with_damage(steps)


STATEMENTS = {
    "everything_open": "life(bob) >= 5",
    "plain_attack": "survived(grizzly) and survived(runeclaw)",
    "first_strike_and_trample": "life(bob) <= 1",
    "menace_in_a_band": "life(bob) >= 20",
    "trample_shares_lethal_damage": "life(bob) <= 18",
    "two_tramplers_one_wall": "life(bob) > 17",
}


@pytest.mark.parametrize("name", STATEMENTS)
@pytest.mark.parametrize("player", ["ann", "bob"])
def test_a_strategy_does_what_it_promises(name: str, player: str) -> None:
    combat = load(next(path for path in INSTANCES if path.stem == name))
    query = STATEMENTS[name]
    answer = combat.force(player, query)
    expected = "always" if answer.answer == "yes" else "never"
    assert followed(combat, answer.strategy, query, expected)


# The decisions


def paths(scenario: Scenario) -> list[tuple[list[tuple[Any, Any, frozenset[Any]]], frozenset[Any]]]:
    """For each history: what is chosen, decision by decision, and which decisions are open."""
    grounded = program(scenario, "force")
    made, opened = grounded.literals("made", 3), grounded.literals("open", 2)
    following: dict[Any, Any] = dict(grounded.facts("next", 2))  # type: ignore[arg-type]
    moments: list[Any] = ["attackers"]
    while moments[-1] in following:
        moments.append(following[moments[-1]])
    turns = [(moment, rank) for moment, rank, _, _ in grounded.facts("decides", 4)]
    assert {(moment, rank) for moment, rank, _ in made} <= set(turns)
    turns.sort(key=lambda turn: (moments.index(turn[0]), turn[1]))
    literals = (*made.values(), *opened.values())
    grounded.project(literals)
    found = []
    for true in grounded.each((), literals):
        chosen: dict[tuple[Any, Any], set[Any]] = {turn: set() for turn in turns}
        for (moment, rank, atom), literal in made.items():
            if literal in true:
                chosen[moment, rank].add(atom)
        path = [(*turn, frozenset(chosen[turn])) for turn in turns]
        found.append((path, frozenset(turn for turn, n in opened.items() if n in true)))
    return found


def some_boards() -> dict[str, Scenario]:
    knight = creature("knight", "ann", "2/4", "flanking", ability("rampage", 1))
    pawns = [creature(f"pawn{n}", "bob", "1/1") for n in (1, 2)]
    sneak = creature("sneak", "ann", "2/2", "as_though_unblocked")
    bander, guard = creature("bander", "ann", "2/2", "banding"), creature("guard", "bob", "2/2")
    hero = creature("hero", "bob", "1/1", "banding", ability("extra_blocks", 1))
    events = (
        Event("attackers", "tap", "guard", may="ann"),
        Event("blockers", "remove", "guard", may="bob"),
        Event("first-strike", "pump", "sneak", FrozenDict({"power": 1, "toughness": 0}), "ann"),
        Event("end", "destroy", "hero", may="ann"),
    )
    step: Step = "regular"
    split = Damage(FrozenDict({step: FrozenDict({"bander": FrozenDict({"guard": 2})})}))
    return {
        "rampage and flanking": board(knight, *pawns),
        "as though unblocked": board(sneak, guard, *pawns[:1]),
        "banding on both sides": board(bander, sneak, guard, hero),
        "events": board(sneak, guard, hero, attack=["sneak"], events=events),
        "damage fixed in part": board(
            bander, sneak, guard, hero, attack=["bander", "sneak"],
            blocks={"guard": ["bander"], "hero": ["bander", "sneak"]},
            damage=split,
        ),
        "three players": board(
            sneak, creature("lion", "ann", "2/2"), guard, creature("sentry", "carl", "1/1"),
            players=THREE, variant="attack-multiple",
        ),
        "teams": heads(bander, creature("ogre", "al", "2/3"), guard, creature("imp", "bea", "1/1")),
    }  # fmt: skip


BOARDS = some_boards() | {
    f"{family} {seed}": random_scenario(random.Random(seed), family)
    for family in FAMILIES
    for seed in range(4)
}


@pytest.mark.parametrize("name", BOARDS)
def test_what_is_made_is_the_whole_history(name: str) -> None:
    """And where a decision is not open, what was chosen before leaves one choice only."""
    histories = paths(BOARDS[name])
    assert len({tuple(path) for path, _ in histories}) == len(histories)
    # A history does not show the order of triggers.
    more = "#show counts_for_rampage/4."
    assert len(histories) == program(BOARDS[name], "histories", more).count()
    for position in range(len(histories[0][0]) if histories else 0):
        after: dict[Any, set[Any]] = {}
        closed = set()
        for path, opened in histories:
            moment, rank, chosen = path[position]
            before = tuple(path[:position])
            after.setdefault(before, set()).add(chosen)
            if (moment, rank) not in opened:
                closed.add(before)
        assert all(len(after[before]) == 1 for before in closed)


def test_force_is_asked_of_what_ask_is_asked_of() -> None:
    assert set(ENCODINGS["force"]) == {*ENCODINGS["ask"], "decisions.lp"}


# What cannot be asked


@pytest.mark.parametrize(
    ("player", "statement", "message"),
    [
        ("dan", "died(bear)", '"dan" is no player of the scenario; there are: ann, bob'),
        ("bear", "died(bear)", '"bear" is no player'),
        ("ann", "life(bob)", "is a number: compare it"),
        ("ann", "died(wolf)", '"wolf" is not in the scenario'),
        ("ann", "died(bear", "cannot read the statement"),
    ],
)
def test_what_cannot_be_forced(player: str, statement: str, message: str) -> None:
    with pytest.raises(QueryError, match=message):
        questions.force(LONE, player, statement)


@pytest.mark.parametrize(
    ("player", "number", "message"),
    [
        ("dan", "life(bob)", '"dan" is no player'),
        ("ann", "life(bob) <= 3", r"a comparison is no number: ask for life\(bob\) alone"),
        ("ann", "died(bear)", "is no number"),
        ("ann", "not life(bob) = 1", "no number"),
        ("ann", "life(bear)", '"bear" is no player or team'),
    ],
)
def test_what_is_no_number(player: str, number: str, message: str) -> None:
    with pytest.raises(QueryError, match=message):
        questions.best(LONE, player, number)


def test_a_team_that_does_not_share_its_turns() -> None:
    players = (Player("ann", team="red"), Player("al", team="red"), Player("bob"))
    scenario = board(OGRE, BEAR, players=players, variant="attack-multiple")
    scenario = replace(scenario, teams=heads().teams[:1])
    with pytest.raises(QueryError, match='"red" is a team; its players decide each for himself'):
        questions.force(scenario, "red", "attacks(ogre)")


# The commands

BOARD = """
players: {ann: {}, bob: {}}
active: ann
creatures:
  ogre: {controller: ann, pt: 3/3}
  bear: {controller: bob, pt: 2/2}
  elk: {controller: bob, pt: 2/2}
attack: {attackers: {ogre: bob}}
"""


def test_the_command_force(tmp_path: Path) -> None:
    path = document(tmp_path, BOARD)
    yes = run("force", path, "blocked(ogre) and survived(elk)", "--player", "bob", "--json")
    assert yes.exit_code == 0
    assert lines(yes) == [
        {
            "query": "blocked(ogre) and survived(elk)",
            "player": "bob",
            "answer": "yes",
            "strategy": {
                "decision": "blocks",
                "player": "bob",
                "choices": [{"choice": {"bear": ["ogre"]}, "then": None}],
            },
        }
    ]
    no = run("force", path, "survived(bear) and died(ogre)", "--player", "bob")
    assert no.exit_code == 1
    assert no.stdout == (
        "NO: bob cannot make sure of survived(bear) and died(ogre)\n"
        "  bob blocks: bear → ogre; elk → ogre; defeated by ann, who divides regular damage: "
        f"{no.stdout.split('regular damage: ')[1]}"
    )
    assert run("force", path, "survived(ogre) or died(ogre)", "--player", "bob").stdout == (
        "YES: bob can make sure of survived(ogre) or died(ogre)\n  whatever anybody does\n"
    )


def test_the_command_best(tmp_path: Path) -> None:
    path = document(tmp_path, BOARD)
    best = run("best", path, "life(bob)", "--player", "ann", "--least", "--json")
    assert best.exit_code == 0
    assert lines(best) == [
        {"query": "life(bob)", "player": "ann", "least": True, "value": 20, "strategy": None}
    ]
    told = run("best", path, "life(bob)", "--player", "bob")
    head, strategy = told.stdout.splitlines()
    assert head == "20: bob can make sure that life(bob) is 20 at least"
    assert strategy.startswith("  bob blocks: ")


def test_a_combat_that_cannot_be(tmp_path: Path) -> None:
    path = document(tmp_path, BOARD.replace("attackers: {ogre: bob}", "attackers: {bear: bob}"))
    for command in (("force", path, "died(bear)"), ("best", path, "life(bob)")):
        result = run(*command, "--player", "bob", "--json")
        assert result.exit_code == 1
        assert "illegal: 508.1a attack.choose" in result.stderr
    assert lines(run("force", path, "died(bear)", "--player", "bob", "--json")) == [
        {"query": "died(bear)", "player": "bob", "answer": "none", "strategy": None}
    ]


@pytest.mark.parametrize(
    "arguments",
    [
        ("force", "died(bear)"),
        ("force", "died(bear)", "--player", "carl"),
        ("force", "life(bob)", "--player", "bob"),
        ("best", "life(bob) < 3", "--player", "bob"),
    ],
)
def test_unusable_input(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    command, statement, *rest = arguments
    result = run(command, document(tmp_path, BOARD), statement, *rest)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr


def test_many_choices_are_shown_in_part(tmp_path: Path) -> None:
    creatures = "".join(f"  a{n}: {{controller: ann, pt: 1/1}}\n" for n in range(4))
    path = document(tmp_path, BOARD.partition("attack:")[0] + creatures)
    result = run("force", path, "blocked(a0) or not attacks(a0)", "--player", "bob")
    assert result.exit_code == 0
    shown = result.stdout.splitlines()
    assert sum(line.startswith("  if ann attacks: ") for line in shown) == 8
    assert shown[-2] == "  and so on: 8 more choices of ann, all of them with --json"
    assert shown[-1] == "  whatever else ann chooses, it holds"
    whole = json.loads(
        run("force", path, "blocked(a0) or not attacks(a0)", "--player", "bob", "--json").stdout
    )
    assert len(whole["strategy"]["choices"]) == 16
