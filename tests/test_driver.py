"""The driver: listings stream and stop, samples are fair, results can be pasted back, ``ask``."""

from __future__ import annotations

import itertools
import operator
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from pysolver import QueryError, ScenarioError, SolverLimit, decode, questions
from pysolver.api import Combat, loads
from pysolver.results import Attack
from pysolver.scenario.model import Scenario

from .boards import banders, crowd
from .strategies import ATTACKER, DEFENDER, board, creature, random_scenario

HUGE = banders(14)
"""More attacks than can be listed: Bell(15) is 1382958545."""

# Listings


def test_the_first_results_come_before_the_listing_is_complete() -> None:
    assert len(list(itertools.islice(questions.attacks(HUGE), 10))) == 10


def test_the_first_lines_come_before_the_listing_is_complete() -> None:
    assert len(list(itertools.islice(questions.attacks(HUGE).json_lines(), 10))) == 10


def test_a_closed_listing_leaves_nothing_running() -> None:
    program = questions.attacks(banders(6)).program()
    with closing(program.models(decode.ATTACK)) as models:
        next(models)
    assert program.count() == 877  # clingo refuses a second search while one is running


def test_a_listing_can_be_iterated_again() -> None:
    listing = questions.attacks(banders(3))
    assert set(listing) == set(listing)
    assert listing.count() == 15


PEAK = """
def peak():  # getrusage would count the memory of the process that started this one as well
    for line in open("/proc/self/status"):
        if line.startswith("VmHWM:"):
            return int(line.split()[1])
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak is read from /proc")
def test_long_listings_need_little_memory() -> None:
    script = PEAK + (
        "from pysolver import questions\n"
        "from tests.boards import banders\n"
        "print(sum(1 for _ in questions.attacks(banders(9)).json_lines()))\n"
        "print(peak())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    number, kilobytes = map(int, done.stdout.split())
    assert number == 115975
    assert kilobytes < 150_000


def test_a_time_limit_says_how_many_were_found() -> None:
    listed: list[Attack] = []
    with pytest.raises(SolverLimit) as stopped:
        listed.extend(questions.attacks(HUGE).iterate(time_limit=0.2))
    assert stopped.value.found == len(listed) > 0


def test_a_time_limit_stops_counting() -> None:
    # Counted one by one: everything that there is to count is different.
    with pytest.raises(SolverLimit) as stopped:
        questions.histories(crowd(9, 9)).count(time_limit=0.2)
    assert stopped.value.found >= 0


def test_contains() -> None:
    listing = questions.attacks(banders(3, 1))
    every = list(listing)
    assert all(attack in listing for attack in every[:5])
    (other,) = questions.attacks(board(creature("x", ATTACKER, "1/1"), attack=["x"]))
    assert other not in listing
    assert "attack" not in listing


# Samples


@pytest.mark.parametrize("n", [0, 1, 7, 51])
def test_a_sample_has_its_size_and_no_repetitions(n: int) -> None:
    listing = questions.attacks(banders(4))
    sample = listing.sample(n, seed=5)
    assert len(sample) == len(set(sample)) == n
    assert set(sample) <= set(listing)


@pytest.mark.parametrize("n", [52, 100])
def test_a_sample_of_everything(n: int) -> None:
    listing = questions.attacks(banders(4))
    sample = listing.sample(n, seed=5)
    assert len(sample) == 52
    assert set(sample) == set(listing)


def test_the_same_seed_gives_the_same_sample() -> None:
    listing = questions.attacks(banders(5))
    assert listing.sample(9, seed=1) == listing.sample(9, seed=1)
    assert listing.sample(9, seed=1) != listing.sample(9, seed=2)


def test_every_answer_is_equally_likely() -> None:
    listing = questions.attacks(banders(3))
    drawn = Counter(attack for seed in range(200) for attack in listing.sample(3, seed=seed))
    assert len(drawn) == 15
    expected = 200 * 3 / 15
    # 14 degrees of freedom: a fair draw exceeds 45 once in 25000 times, and the seeds are fixed.
    assert sum((number - expected) ** 2 / expected for number in drawn.values()) < 45


# Results are pasted back

FAMILIES = ("plain", "bands", "requirements", "costs", "keywords")


def some(answers: Any) -> list[Any]:
    """Five answers, not all from the beginning."""
    every = list(answers)
    return random.Random(0).sample(every, min(5, len(every)))


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("seed", range(4))
def test_an_attack_is_pasted_back(family: str, seed: int) -> None:
    combat = Combat(random_scenario(random.Random(seed), family))
    for attack in some(combat.attacks()):
        fixed = combat.with_attack(attack)
        if fixed.scenario.blocks is None:
            assert fixed.check().legal
        assert list(fixed.attacks()) == [attack]


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("seed", range(4))
def test_blocks_are_pasted_back(family: str, seed: int) -> None:
    combat = Combat(random_scenario(random.Random(seed), family))
    for declared in some(combat.blocks(each_attack=True)):
        fixed = combat.with_attack(declared.attack).with_blocks(declared)
        assert fixed.check().legal
        (again,) = fixed.blocks()
        assert (again.blocks, again.blocked_by) == (declared.blocks, declared.blocked_by)


@pytest.mark.parametrize("seed", range(8))
def test_damage_is_pasted_back(seed: int) -> None:
    combat = Combat(random_scenario(random.Random(seed), "damage"))
    for damage in some(combat.damage()):
        fixed = combat.with_damage(damage)
        assert fixed.check().legal
        assert list(fixed.damage()) == [damage]


def test_what_is_fixed_may_be_written_with_plain_mappings() -> None:
    combat = Combat(banders(2, 1)).with_attack(
        {"hero 0": DEFENDER, "guest 0": DEFENDER}, [["hero 0", "guest 0"], []]
    )
    assert list(combat.attacks()) == [combat.scenario.attack]
    assert combat.scenario.attack is not None
    assert combat.scenario.attack.bands == (("guest 0", "hero 0"),)


def test_combats_do_not_change() -> None:
    combat = Combat(banders(1))
    combat.with_attack({})
    assert combat.scenario.attack is None
    assert combat.attacks().count() == 2


# Questions that need something fixed


def test_what_must_be_fixed_is_named() -> None:
    open_board = Combat(crowd(1, 1))
    for question in (open_board.blocks, open_board.authority, open_board.damage):
        with pytest.raises(ScenarioError) as error:
            question()
        assert error.value.path == "attack"
    half = open_board.with_attack({"a0": DEFENDER})
    assert half.blocks().count() == 2
    for question in (half.authority, half.damage):
        with pytest.raises(ScenarioError) as error:
            question()
        assert error.value.path == "blocks"


# Statements

History: TypeAlias = dict[str, Any]
Holds: TypeAlias = Callable[[History], bool]
COMPARE = {
    "<": operator.lt,
    "<=": operator.le,
    "=": operator.eq,
    "!=": operator.ne,
    ">=": operator.ge,
}


def assigned(history: History, source: str, recipient: str) -> int:
    """The damage from one to the other, over all steps."""
    steps = history["damage"].values()
    return sum(step.get(source, {}).get(recipient, 0) for step in steps)


def random_statement(rng: random.Random, scenario: Scenario, depth: int = 2) -> tuple[str, Holds]:
    """A statement, and what it says about a history."""
    if depth and rng.random() < 0.7:
        left, says = random_statement(rng, scenario, depth - 1)
        right, says_too = random_statement(rng, scenario, depth - 1)
        return rng.choice(
            [
                (f"({left}) and ({right})", lambda h: says(h) and says_too(h)),
                (f"({left}) or ({right})", lambda h: says(h) or says_too(h)),
                (f"not ({left})", lambda h: not says(h)),
            ]
        )
    name, other = (rng.choice(scenario.creatures).name for _ in range(2))
    player = rng.choice(scenario.players).name
    word, compare = rng.choice(sorted(COMPARE.items()))
    life, damage = rng.randint(12, 21), rng.randint(0, 3)
    return rng.choice(
        [
            (f"died({name})", lambda h: name in h["outcome"]["died"]),
            (f"survived({name})", lambda h: name not in h["outcome"]["died"]),
            (f"regenerated({name})", lambda h: name in h["outcome"]["regenerated"]),
            (f"attacks({name})", lambda h: name in h["attack"]["attackers"]),
            (
                f"life({player}) {word} {life}",
                lambda h: compare(h["outcome"]["life"][player], life),
            ),
            (
                f"attacks({name}, {player})",
                lambda h: h["attack"]["attackers"].get(name) == player,
            ),
            (
                f"damage({name}, {other}) {word} {damage}",
                lambda h: compare(assigned(h, name, other), damage),
            ),
        ]
    )


@pytest.mark.parametrize("family", ["plain", "bands", "damage", "requirements", "events"])
@pytest.mark.parametrize("seed", range(3))
def test_answers_are_what_the_histories_say(family: str, seed: int) -> None:
    scenario = random_scenario(random.Random(seed), family)
    histories = [history.to_json() for history in questions.histories(scenario)]
    rng = random.Random(seed)
    for _ in range(4):
        text, holds = random_statement(rng, scenario)
        sort: dict[bool, list[History]] = {True: [], False: []}
        for history in histories:
            sort[holds(history)].append({k: v for k, v in history.items() if k != "outcome"})
        expected = {
            (False, False): "none",
            (True, False): "always",
            (False, True): "never",
            (True, True): "sometimes",
        }[bool(sort[True]), bool(sort[False])]
        answer = questions.ask(scenario, text)
        assert answer.answer == expected, text
        for found, where in ((answer.witness, True), (answer.counterexample, False)):
            if found is None:
                assert not sort[where]
            else:
                assert found.to_json() in sort[where]


def test_there_is_no_answer_where_there_is_no_combat() -> None:
    scenario = board(creature("wall", ATTACKER, "0/4", "defender"), attack=["wall"])
    assert questions.ask(scenario, "died(wall)").answer == "none"


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("died(a0) und died(b0)", 10),
        ("died(a0) and", 13),
        ("died(a0", 8),
        ("", 1),
    ],
)
def test_what_cannot_be_read_is_pointed_at(text: str, column: int) -> None:
    with pytest.raises(QueryError) as error:
        questions.ask(crowd(1, 1), text)
    first, shown, mark = str(error.value).split("\n")
    assert f"column {column}:" in first
    assert shown == text
    assert mark == " " * (column - 1) + "^"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("died(a0) and died(nobody)", '"nobody" is not in the scenario (column 14)'),
        ("died(a0) or life(bob)", '"life" at column 13 is a number'),
        ("died(a0) > 2", '"died" at column 1 is no number'),
        ("not exploded(a0)", 'no statement "exploded" with 1 name(s) (column 5)'),
    ],
)
def test_words_and_names_that_there_are_not(text: str, said: str) -> None:
    with pytest.raises(QueryError) as error:
        questions.ask(crowd(1, 1), text)
    assert str(error.value).startswith(said)


def test_results_are_values() -> None:
    first, second = (next(iter(questions.attacks(banders(1)))) for _ in range(2))
    assert isinstance(first, Attack)
    assert first == second
    assert hash(first) == hash(second)


@pytest.mark.parametrize(
    ("statement", "answer"),
    [
        ("life(bob) <= 2147483648", "always"),
        ("life(bob) = 4294967316", "never"),
        ("life(bob) > -99999999999999999999", "always"),
        ("not (died(a1) and not (died(a1)))", "always"),
    ],
)
def test_statements_with_large_numbers_and_negated_parentheses(statement: str, answer: str) -> None:
    assert questions.ask(board(creature("a1", "ann", "1/1")), statement).answer == answer


@pytest.mark.parametrize("statement", ["survived(bob)", "life(a1) > 0", "divides(a1, ann)"])
def test_a_name_of_the_wrong_kind_is_refused(statement: str) -> None:
    with pytest.raises(QueryError, match="needs"):
        questions.ask(board(creature("a1", "ann", "1/1")), statement)


def test_the_time_limit_covers_the_search_for_maxima() -> None:
    attackers = [creature(f"a{i}", "ann", "2/2") for i in range(13)]
    lured = creature("a", "ann", "2/2", "must_be_blocked")
    scenario = board(lured, *attackers, *(creature(f"b{i}", "bob", "2/2") for i in range(3)))
    with pytest.raises(SolverLimit):
        list(questions.outcomes(scenario).iterate(time_limit=0.2))


def test_a_creature_may_stop_being_one() -> None:
    combat = loads(
        """
        players: {ann: {}, bob: {}}
        active: ann
        creatures: {bear: {controller: ann, pt: 2/2}}
        attack: {attackers: {bear: bob}}
        blocks: {}
        events: [{at: attackers, lose: {creature: bear, type: creature}}]
        """
    )
    (outcome,) = combat.outcomes()
    assert (outcome.died, outcome.life["bob"]) == ((), 20)
