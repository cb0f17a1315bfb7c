"""Facts and back; and everything that is no fact."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from pysolver.errors import ScenarioError
from pysolver.frozen import FrozenDict
from pysolver.scenario import check_scenario, facts, load, loads, read_facts
from pysolver.scenario.model import Scenario
from pysolver.scenario.reader import SIGNATURES

from .strategies import in_order_years, scenarios

DEFINED = Path(__file__).parents[2] / "encodings" / "defined.lp"

BOARD = """
title: a board
players: {ann: {}, bob: {lands: [snow island], mana: 2}}
active: ann
creatures:
  hero: {controller: ann, pt: 1/1, abilities: [banding, banding, snow islandwalk], types: [human]}
  bat: {controller: bob, pt: -1/2, damage: 1, tapped: true}
attack: {attackers: {hero: bob}}
blocks: {}
"""


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(scenarios())
def test_round_trip(scenario: Scenario) -> None:
    check_scenario(scenario)
    assert read_facts(facts(scenario)) == scenario


def test_round_trip_with_an_order() -> None:
    scenario = in_order_years(loads(BOARD), FrozenDict({"hero": ("bat",), "bat": ("hero",)}))
    assert read_facts(facts(scenario)) == replace(scenario, title="")


def test_round_trip_of_teams() -> None:
    scenario = loads(
        "variant: two-headed-giant\nedition: 2010-01-01\n"
        "players: {ann: {team: red}, al: {team: red},\n"
        "  bob: {team: blue, poison: 3}, bea: {team: blue}}\n"
        "teams: {blue: {life: 5}}\nactive: red\n"
        "creatures: {hero: {controller: ann, pt: 1/1, abilities: [can't attack blue]}}\n"
        "attack: {attackers: {hero: blue}}\n"
    )
    assert read_facts(facts(scenario)) == scenario


def test_facts_are_one_a_line_and_stable() -> None:
    text = facts(loads(BOARD))
    assert text == facts(loads(BOARD))
    assert text.startswith("% a board\n")
    for line in text.splitlines():
        assert not line or line.startswith("%") or line.endswith(".")
    for fact in (
        'ability("hero",0,banding).',
        'ability("hero",1,banding).',
        'ability("hero",2,landwalk("snow island")).',
        'quality_word("snow island","snow").',
        'land("bob",0,"island").',
        'printed_power("bat",-1).',
        'given_attack("hero","bob").',
        "given(blocks).",
        'reading("unblocking","member").',
        'edition("current","2026-09-25").',
    ):
        assert f"\n{fact}\n" in text


def test_names_are_escaped() -> None:
    name = 'say "hi" \\ %* #script\nnext'
    scenario = replace(loads(BOARD), attack=None, blocks=None)
    hero = replace(scenario.creatures[0], name=name)
    text = facts(replace(scenario, creatures=(hero,)))
    assert '"say \\"hi\\" \\\\ %* #script\\nnext"' in text
    assert read_facts(text).creatures[0].name == name


def test_the_vocabulary_is_the_one_of_the_encodings() -> None:
    defined = set(re.findall(r"#defined (\w+)/(\d)", DEFINED.read_text(encoding="utf-8")))
    known = {(name, str(len(form))) for name, forms in SIGNATURES.items() for form in forms}
    assert known == defined


def test_files_of_facts(tmp_path: Path) -> None:
    path = tmp_path / "a board.lp"
    path.write_text(facts(loads(BOARD)), encoding="utf-8")
    assert load(path) == loads(BOARD) or load(path).title == "a board"


def test_what_is_left_out_has_its_default() -> None:
    text = (
        'player("ann"). player("bob"). turn_order("ann",0). turn_order("bob",1). active("ann").\n'
        'creature("x"). controller("x","ann"). printed_power("x",1). printed_toughness("x",1).'
    )
    scenario = read_facts(text)
    assert scenario.edition.label == "current"
    assert scenario.variant == "two-player"
    assert [player.life for player in scenario.players] == [20, 20]
    assert scenario.readings["unblocking"] == "member"


def lines() -> int:
    return facts(loads(BOARD)).count("\n") + 1


REFUSED = {
    "rule": ("x(1) :- y(1).", "rules"),
    "constraint": (":- y(1).", "rules"),
    "include": ('#include "/etc/passwd".', "directives"),
    "script": ("#script (python) pass #end.", "directives"),
    "external": ("#external player(1).", "directives"),
    "show": ("#show.", "directives"),
    "infinity": ("life(#inf,1).", "#inf"),
    "variable": ("player(X).", "variables"),
    "anonymous variable": ("player(_).", "variables"),
    "arithmetic": ('life("ann",1+1).', "arithmetic"),
    "interval": ('life("ann",1..2).', "arithmetic"),
    "negation": ('not player("x").', "negation"),
    "strong negation": ('-player("x").', "arithmetic"),
    "choice": ('{player("x")}.', "choices"),
    "pool": ('player("x";"y").', "choices"),
    "condition": ('player("x") : player("y").', "choices"),
    "unknown predicate": ("playr(1).", 'did you mean "player"'),
    "arity": ('player("a","b").', "1 argument"),
    "sort": ("player(1).", "a name in quotes"),
    "no end": ('player("x")', "missing"),
    "open string": ('player("x', "string"),
    "other escape": (r'player("a\tb").', "string"),
    "open comment": ("%* x", "comment"),
    "large number": ('mana("ann",99999999999999).', "too large"),
    "deep": (f"filter({'non(' * 200}anything{')' * 200}).", "too deep"),
    "owner": ('tapped("zed").', "zed"),
    "ability": ('ability("bat",0,flyng).', 'did you mean "flying"'),
    "arguments": ('ability("bat",0,rampage).', "other arguments"),
    "contradiction": ('life("ann",7).', "twice"),
    "not in force": ("in_force(dao).", "does not follow"),
    "filter": ('filter(type("x")).', "does not follow"),
    "index": ('ability("hero",0,flying).', "two abilities"),
    "point": ('event(0,later,tap("hero")).', "later"),
    "event": ('event(0,end,jump("hero")).', "jump"),
    "effect": ("effect(0,rain).", "rain"),
    "may": ('may(0,"ann").', "no event"),
    "attacks twice": ('given_attack("hero","ann").', "twice"),
    "step": ('given_damage(second,"hero").', "step"),
    "unmarked damage": ('given_damage(regular,"hero","bat",1).', "not given"),
}


@pytest.mark.parametrize("case", REFUSED, ids=str)
def test_what_is_no_fact_is_refused_with_its_line(case: str) -> None:
    text, message = REFUSED[case]
    with pytest.raises(ScenarioError, match=re.escape(message)) as caught:
        read_facts(f"{facts(loads(BOARD))}{text}", "x.lp")
    assert caught.value.file == "x.lp"
    assert caught.value.line == lines()


def test_comments_are_read_over() -> None:
    text = facts(loads(BOARD)) + "%* player(X) :- \n *%\n% #include\n"
    assert read_facts(text) == replace(loads(BOARD), title="")


def test_facts_are_judged_like_a_document() -> None:
    text = facts(loads(BOARD)).replace('toughness("hero",1)', 'toughness("hero",0)')
    with pytest.raises(ScenarioError) as caught:
        read_facts(text)
    assert caught.value.path == "creatures.hero.pt"
    assert caught.value.line is not None
