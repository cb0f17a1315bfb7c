"""``pysolver rules``: the table, its parts, its exit codes."""

from __future__ import annotations

import pytest

from pysolver import catalogue, rulebook
from pysolver.catalogue import rules
from tests.cli.boards import lines, run


def test_every_rule_is_a_line() -> None:
    listed = lines(run("rules", "--json"))
    assert [line["slug"] for line in listed] == list(rules())
    for line in listed:
        assert line["encoded"] or {"implied", "out_of_scope", "planned"} & line.keys()


def test_numbers_are_those_of_the_edition() -> None:
    (line,) = lines(run("rules", "--json", "--slug", "banding.form.bwo", "--edition", "m10"))
    assert line["rule"] == "702.19c"
    (line,) = lines(run("rules", "--json", "--slug", "dao.blocker_order"))
    assert line["rule"] is None


def test_the_table() -> None:
    result = run("rules", "--slug", "kw.flying")
    assert result.exit_code == 0
    assert "702.9b" in result.stdout
    assert "509_blockers/evasion.lp:" in result.stdout
    assert result.stdout.splitlines()[-1].endswith("planned")


def test_unusable_options() -> None:
    for options in (("--slug", "banding.nothing"), ("--edition", "m9")):
        result = run("rules", *options)
        assert result.exit_code == 2
        assert options[1] in result.stderr
        assert not result.stdout


def test_nothing_is_uncovered() -> None:
    result = run("rules", "--uncovered", "--json")
    assert (result.exit_code, result.stdout) == (0, "")


def test_a_rule_without_encoding_or_excuse_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    without = {slug: places for slug, places in catalogue.encoded().items() if slug != "kw.fear"}
    monkeypatch.setattr(rulebook, "encoded", lambda: without)
    result = run("rules", "--uncovered", "--json")
    assert result.exit_code == 1
    assert [line["slug"] for line in lines(result)] == ["kw.fear"]


def test_without_the_tests_nothing_is_said_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rulebook, "tested", lambda: None)
    assert all("cases" not in line for line in lines(run("rules", "--json")))
    assert "cases" not in run("rules", "--slug", "banding").stdout.splitlines()[0]
