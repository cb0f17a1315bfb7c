"""Texts and tables for people."""

from __future__ import annotations

import pytest

from pysolver.frozen import FrozenDict
from pysolver.output import visible
from pysolver.render import Rows, attack_text, blocks_text, cells, damage_text, verdict_text
from pysolver.results import Attack, Blocks, Damage, Outcome, Verdict, Violation


def outcome(bob: int, poison: dict[str, int] | None = None) -> Outcome:
    return Outcome((), (), FrozenDict({"ann": 20, "bob": bob}), FrozenDict(poison or {}))


def attacking(**targets: str) -> FrozenDict[str, str]:
    return FrozenDict(targets)


def test_bands_are_visible() -> None:
    attackers = attacking(drake="bob", ogre="bob", wraith="bob", yeti="jace")
    attack = Attack(attackers, (("drake", "wraith"),))
    assert attack_text(attack) == "(drake + wraith), ogre → bob; yeti → jace"
    assert attack_text(Attack(FrozenDict())) == "nobody attacks"


def test_blocks_and_damage() -> None:
    assert blocks_text(Blocks(FrozenDict({"wall": ("ogre", "yeti"), "bat": ("drake",)}))) == (
        "bat → drake; wall → ogre, yeti"
    )
    assert blocks_text(Blocks(FrozenDict())) == "nobody blocks"
    step = FrozenDict({"bat": FrozenDict({"drake": 1, "ogre": 2})})
    damage = Damage(FrozenDict([("first-strike", FrozenDict()), ("regular", step)]))
    assert damage_text(damage) == ("first strike: no damage | regular: bat → drake 1, ogre 2")
    assert damage_text(Damage(FrozenDict())) == "none"


def test_a_verdict_names_what_would_be_legal() -> None:
    violation = Violation("attack.require.max", "508.1d", ("ogre",), "too\nfew")
    verdict = Verdict(False, (violation,), Attack(attacking(ogre="bob")))
    assert verdict_text(verdict) == (
        "ILLEGAL\n  508.1d attack.require.max: too\\nfew\n  obeys more: ogre → bob\n"
    )


def test_a_table_goes_on_under_its_heading() -> None:
    rows = Rows()
    first = rows.render([outcome(20), outcome(19)]).splitlines()
    assert first[0].split() == ["#", "died", "life"]
    assert [line.split()[0] for line in first[2:]] == ["1", "2"]
    second = rows.render([outcome(9)]).splitlines()
    assert [line.split()[0] for line in second] == ["3"]
    assert second[0].index("nobody") == first[0].index("died")


def test_a_new_column_repeats_the_heading() -> None:
    rows = Rows()
    rows.render([outcome(20)])
    third = rows.render([outcome(20, poison={"bob": 2})]).splitlines()
    assert third[0].split() == ["#", "died", "life", "poison"]
    assert third[2].split() == ["2", "nobody", "ann", "20,", "bob", "20", "bob", "2"]


def test_every_row_keeps_its_text_in_a_wide_table() -> None:
    name = "x" * 500
    assert name in Rows().render([Attack(FrozenDict({name: "bob"}))])


def test_only_results_have_rows() -> None:
    with pytest.raises(TypeError):
        cells("a text")


@pytest.mark.parametrize(
    ("text", "shown"),
    [("a b", "a b"), ("a\tb\n", "a\\tb\\n"), ("\x1b[0m", "\\x1b[0m"), ("\u202e", "\\u202e")],
)
def test_what_steers_a_terminal_is_shown(text: str, shown: str) -> None:
    assert visible(text) == shown
