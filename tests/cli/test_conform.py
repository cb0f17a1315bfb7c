"""The conformance runner: every promise can be kept and can be broken."""

from __future__ import annotations

from pathlib import Path

import pytest

from pysolver.conform import PROMISES, Report, run_file
from tests.cli.boards import ATTACK, BAND, BLOCKS, ILLEGAL, board, lines, run

FIXED = BAND + ATTACK + BLOCKS

BANDED = "{attackers: {wraith: bob, drake: bob}, bands: [[wraith, drake]]}"
LOOSE = "{attackers: {drake: bob, wraith: bob}}"
DAMAGE = "{regular: {bat: {drake: 1, wraith: 0}, drake: {bat: 2}, wraith: {bat: 3}}}"

CASES = [
    # document, promises that are kept, promises that are broken
    (BAND, "attacks: {count: 5}", "attacks: {count: 4}"),
    (
        BAND,
        f"attacks: {{includes: [{BANDED}, {LOOSE}]}}",
        "attacks: {includes: [{attackers: {bat: bob}}]}",
    ),
    (BAND, "attacks: {excludes: [{attackers: {bat: bob}}]}", f"attacks: {{excludes: [{BANDED}]}}"),
    (BAND + ATTACK, f"attacks: {{equals: [{BANDED}]}}", f"attacks: {{equals: [{LOOSE}]}}"),
    (
        BAND + ATTACK,
        f"attacks: {{equals: [{BANDED}]}}",
        f"attacks: {{equals: [{BANDED}, {LOOSE}]}}",
    ),
    (BAND + ATTACK, "blocks: {count: 2}", "blocks: {count: 3}"),
    (BAND + ATTACK, "blocks: {equals: [{}, {bat: [drake]}]}", "blocks: {equals: [{bat: [drake]}]}"),
    (BAND + ATTACK, "blocks: {excludes: [{bat: [wraith]}]}", "blocks: {excludes: [{}]}"),
    (FIXED, "blocked_by: {wraith: [bat], drake: [bat]}", "blocked_by: {drake: [bat]}"),
    (FIXED, "unblocked: []", "unblocked: [wraith]"),
    (BAND + ATTACK + "blocks: {}\n", "unblocked: [wraith, drake]", "unblocked: [drake]"),
    (FIXED, "authority: {bat: ann}", "authority: {bat: bob}"),
    (FIXED, "authority: {regular: {bat: ann}}", "authority: {first-strike: {bat: ann}}"),
    (FIXED, "damage: {count: 2}", "damage: {count: 1}"),
    (FIXED, f"damage: {{includes: [{DAMAGE}]}}", f"damage: {{excludes: [{DAMAGE}]}}"),
    (FIXED, "outcomes: {equals: [{died: [bat]}]}", "outcomes: {equals: [{died: []}]}"),
    (
        FIXED,
        "outcomes: {includes: [{life: {ann: 20, bob: 20}}]}",
        "outcomes: {includes: [{life: {bob: 20}}]}",
    ),
    (FIXED, "outcomes: {excludes: [{died: [drake]}]}", "outcomes: {excludes: [{regenerated: []}]}"),
    (FIXED, "outcomes: {includes: [{poison: {}}]}", "outcomes: {includes: [{poison: {bob: 1}}]}"),
    (FIXED, 'ask: {"died(bat)": always}', 'ask: {"died(bat)": sometimes}'),
    (FIXED, "legal: true", "legal: false"),
    (ILLEGAL, "violations: [attack.choose]", "violations: []"),
    (ILLEGAL, "violations: [attack.choose]", "violations: [attack.choose, kw.defender]"),
    (ILLEGAL, "attacks: {count: 0}", "attacks: {count: 1}"),
    (BAND + "attack: 3\n", "error: attack", "error: blocks"),
    (BAND, "legal: true", "error: attack"),
]


def report(folder: Path, document: str, promises: str) -> Report:
    (only,) = run_file(board(folder, f"{document}\nexpect: {{{promises}}}\n"))
    return only


@pytest.mark.parametrize(("document", "kept", "broken"), CASES)
def test_promises(tmp_path: Path, document: str, kept: str, broken: str) -> None:
    found = report(tmp_path, document, kept)
    assert (found.result, found.broken, found.message) == ("kept", (), None)
    found = report(tmp_path, document, broken)
    assert (found.result, found.message) == ("broken", None)
    assert found.broken[0].promise.startswith(broken.split(":")[0])


def test_every_promise_is_tried() -> None:
    tried = {kept.split(":")[0] for _, kept, _ in CASES}
    assert tried == {*PROMISES, "error"}


@pytest.mark.parametrize(
    "promises",
    [
        "",
        "atacks: {count: 1}",
        "attacks: {number: 1}",
        "attacks: {}",
        "attacks: {count: many}",
        "attacks: {count: true}",
        "attacks: {includes: {}}",
        "attacks: {includes: [{attacker: {}}]}",
        "blocks: {count: 1}",
        "blocked_by: {}",
        "outcomes: {equals: [{dead: [bat]}]}",
        "legal: perhaps",
        'ask: {"died(bat)": maybe}',
        'ask: {"died(nobody)": never}',
        "error: attack, legal: true",
    ],
)
def test_promises_that_cannot_be_read(tmp_path: Path, promises: str) -> None:
    found = report(tmp_path, BAND, promises)
    assert found.result == "malformed"
    assert found.message


@pytest.mark.parametrize(
    "end", ["", "expect: 3\n", "expect: {legal: true}\nexpect_by_reading: {}\n"]
)
def test_files_that_are_no_cases(tmp_path: Path, end: str) -> None:
    assert [run.result for run in run_file(board(tmp_path, BAND + end))] == ["malformed"]


def test_each_reading_is_a_run(tmp_path: Path) -> None:
    readings = (
        "{trample_vs_banding: {dp_may_spill: {legal: true}, dp_never_spills: {legal: false}}}"
    )
    runs = list(run_file(board(tmp_path, f"{BAND}expect_by_reading: {readings}\n")))
    assert [(run.reading, run.result) for run in runs] == [
        (("trample_vs_banding", "dp_may_spill"), "kept"),
        (("trample_vs_banding", "dp_never_spills"), "broken"),
    ]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "deep").mkdir()
    board(tmp_path, BAND + "expect: {legal: true}\n", "kept.yaml")
    return tmp_path


def test_exit_codes(folder: Path) -> None:
    assert run("conform", str(folder)).exit_code == 0
    board(folder / "deep", BAND + "expect: {legal: false}\n", "broken.yml")
    assert run("conform", str(folder)).exit_code == 1
    board(folder, "[]", "malformed.json")
    result = run("conform", str(folder), "--json")
    assert result.exit_code == 2
    assert [(Path(line["case"]).name, line["result"]) for line in lines(result)] == [
        ("broken.yml", "broken"),
        ("kept.yaml", "kept"),
        ("malformed.json", "malformed"),
    ]
    text = run("conform", str(folder)).stdout
    assert "1 kept, 1 broken, 0 not covered, 1 malformed" in text
    assert "legal: expected false, got " in text


def test_what_is_not_covered(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from pysolver import questions
    from pysolver.errors import NotCovered

    def refuse(scenario: object) -> None:
        raise NotCovered("phasing", "creatures.bat.abilities")

    monkeypatch.setattr(questions, "check", refuse)
    result = run("conform", str(folder), "--json")
    assert result.exit_code == 1
    assert [(line["result"], line["word"]) for line in lines(result)] == [
        ("not covered", "phasing")
    ]
    result = run("conform", str(folder), "--skip-unknown")
    assert result.exit_code == 0
    assert "phasing (1)" in result.stdout


def test_a_fault_of_the_solver_does_not_stop_the_others(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pysolver import questions

    board(folder, BAND + "expect: {attacks: {count: 5}}\n", "other.yaml")
    monkeypatch.setattr(questions, "check", lambda scenario: 1 / 0)
    result = run("conform", str(folder), "--json")
    assert result.exit_code == 1
    assert [line["result"] for line in lines(result)] == ["broken", "kept"]


def test_nothing_to_run(tmp_path: Path) -> None:
    assert run("conform").exit_code == 2
    result = run("conform", str(tmp_path))
    assert result.exit_code == 2
    assert "no case in this directory" in result.stderr
