"""Options, exit codes and what goes where, in one process."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pysolver import questions
from pysolver.errors import SolverLimit
from pysolver.frozen import FrozenDict
from pysolver.results import Attack, Verdict, Violation
from tests.cli.boards import ATTACK, BAND, BLOCKS, ILLEGAL, board, lines, run

ATTACKS = [Attack(FrozenDict({f"a{n}": "bob"})) for n in range(5)]


class Listing:
    """A listing without a solver, which stops at ``stop`` results if a time limit is given."""

    def __init__(self, stop: int | None = None, problem: Verdict | None = None) -> None:
        self.stop = stop
        self.problem = problem

    def iterate(self, *, time_limit: float | None = None) -> Iterator[Attack]:
        for number, attack in enumerate(ATTACKS):
            if time_limit is not None and number == self.stop:
                raise SolverLimit("stopped at the time limit", found=number)
            yield attack

    def json_lines(self, *, time_limit: float | None = None) -> Iterator[str]:
        for attack in self.iterate(time_limit=time_limit):
            yield json.dumps(attack.to_json(), sort_keys=True)

    def count(self, *, time_limit: float | None = None) -> int:
        return len(list(self.iterate(time_limit=time_limit)))

    def sample(self, n: int, seed: int, *, time_limit: float | None = None) -> list[Attack]:
        return list(self.iterate(time_limit=time_limit))[seed : seed + n]


Listings = Callable[..., None]


@pytest.fixture
def listing(monkeypatch: pytest.MonkeyPatch) -> Listings:
    def install(**options: Any) -> None:
        monkeypatch.setattr(questions, "attacks", lambda scenario: Listing(**options))

    return install


@pytest.fixture
def path(tmp_path: Path) -> str:
    return board(tmp_path, BAND)


@pytest.mark.parametrize(
    ("options", "number", "code"),
    [
        ([], 5, 0),
        (["--limit", "0"], 0, 3),
        (["--limit", "4"], 4, 3),
        (["--limit", "5"], 5, 0),
        (["--limit", "6"], 5, 0),
        (["--time-limit", "9"], 2, 3),
        (["--time-limit", "9", "--limit", "1"], 1, 3),
        (["--sample", "2"], 2, 0),
        (["--sample", "0"], 0, 0),
        (["--sample", "9"], 5, 0),
        (["--sample", "1", "--time-limit", "9"], 0, 3),
    ],
)
@pytest.mark.parametrize("as_json", [True, False])
def test_how_much_is_listed(
    listing: Listings, path: str, options: list[str], number: int, code: int, as_json: bool
) -> None:
    listing(stop=2)
    result = run("attacks", path, *options, *(["--json"] if as_json else []))
    assert result.exit_code == code
    assert ("stopped at the" in result.stderr) == (code == 3)
    if as_json:
        assert len(lines(result)) == number
    else:
        assert result.stdout.count("→ bob") == number
        noun = "attack" if number == 1 else "attacks"
        assert result.stdout.splitlines()[-1].endswith(f"{number} {noun}")


@pytest.mark.parametrize(
    ("options", "number", "code"),
    [
        ([], 5, 0),
        (["--limit", "0"], 0, 3),
        (["--limit", "4"], 4, 3),
        (["--limit", "5"], 5, 0),
        (["--time-limit", "9"], 2, 3),
        (["--time-limit", "9", "--limit", "1"], 1, 3),
        (["--json"], 5, 0),
    ],
)
def test_count_is_one_integer(
    listing: Listings, path: str, options: list[str], number: int, code: int
) -> None:
    listing(stop=2)
    result = run("attacks", path, "--count", *options)
    assert (result.stdout, result.exit_code) == (f"{number}\n", code)
    assert ("stopped at the" in result.stderr) == (code == 3)


def test_the_seed_reaches_the_sample(listing: Listings, path: str) -> None:
    listing()
    result = run("attacks", path, "--json", "--sample", "2", "--seed", "3")
    assert [line["attackers"] for line in lines(result)] == [{"a3": "bob"}, {"a4": "bob"}]


@pytest.mark.parametrize(
    "options",
    [
        ["--limit", "-1"],
        ["--sample", "-1"],
        ["--time-limit", "-1"],
        ["--time-limit", "nan"],
        ["--time-limit", "inf"],
        ["--limit", "many"],
        ["--sample", "1", "--count"],
        ["--sample", "1", "--limit", "1"],
        ["--seed", "1"],
        ["--no-such-option"],
    ],
)
def test_usage_errors(path: str, options: list[str]) -> None:
    result = run("attacks", path, *options)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "Error: " in result.stderr


def test_a_fixed_part_that_is_illegal(listing: Listings, path: str) -> None:
    violation = Violation("banding.form", "702.22c", ("drake",), "not a band")
    listing(problem=Verdict(False, (violation,)))
    result = run("attacks", path, "--json")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "702.22c banding.form: not a band" in result.stderr
    assert run("attacks", path, "--count").stdout == "0\n"


def test_an_interrupt_between_results(listing: Listings, path: str, monkeypatch: Any) -> None:
    def interrupted(self: Listing, **limits: Any) -> Iterator[str]:
        yield "{}"
        raise KeyboardInterrupt

    listing()
    monkeypatch.setattr(Listing, "json_lines", interrupted)
    result = run("attacks", path, "--json")
    assert (result.exit_code, result.stdout) == (130, "{}\n")


# With the solver


@pytest.mark.parametrize(
    ("command", "number", "first"),
    [
        (["attacks"], 1, {"attackers": {"drake": "bob", "wraith": "bob"}}),
        (["blocks"], 1, {"blocks": {"bat": ["drake"]}}),
        (["authority"], 3, {"step": "regular", "source": "bat", "chooser": "ann"}),
        (["damage"], 2, {}),
        (["outcomes"], 1, {"died": ["bat"]}),
        (["outcomes", "--witness"], 1, {"died": ["bat"]}),
        (["histories"], 2, {"events": []}),
    ],
)
def test_every_listing(tmp_path: Path, command: list[str], number: int, first: Any) -> None:
    path = board(tmp_path, BAND + ATTACK + BLOCKS)
    result = run(*command, path, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    assert len(lines(result)) == number
    assert first.items() <= lines(result)[0].items()
    assert run(*command, path, "--count").stdout == f"{number}\n"
    table = run(*command, path)
    assert (table.exit_code, table.stderr) == (0, "")
    assert table.stdout.splitlines()[-1].split()[0] == str(number)


def test_a_listing_that_needs_more(path: str) -> None:
    for command in (["blocks"], ["authority"], ["damage"]):
        result = run(*command, path)
        assert result.exit_code == 2
        assert "attack" in result.stderr
    assert run("blocks", path, "--each-attack", "--count").exit_code == 0


def test_check(tmp_path: Path) -> None:
    legal = run("check", board(tmp_path, BAND + ATTACK))
    assert (legal.exit_code, legal.stdout) == (0, "LEGAL\n")
    illegal = run("check", board(tmp_path, ILLEGAL))
    assert illegal.exit_code == 1
    assert illegal.stdout.startswith("ILLEGAL\n  508.1a attack.choose: ")
    (line,) = lines(run("check", board(tmp_path, ILLEGAL), "--json"))
    assert line["violations"][0]["slug"] == "attack.choose"


@pytest.mark.parametrize(
    ("statement", "answer", "code"),
    [("died(bat)", "always", 0), ("died(drake)", "never", 1), ("life(bob) = 20", "always", 0)],
)
def test_ask(tmp_path: Path, statement: str, answer: str, code: int) -> None:
    path = board(tmp_path, BAND + ATTACK + BLOCKS)
    result = run("ask", path, statement, "--json")
    assert result.exit_code == code
    assert lines(result)[0]["answer"] == answer
    text = run("ask", path, statement)
    assert text.exit_code == code
    assert text.stdout.startswith(f"{answer.upper()}: {statement}\n")


def test_ask_sometimes_and_none(tmp_path: Path) -> None:
    result = run("ask", board(tmp_path, BAND), "died(bat)")
    assert result.exit_code == 1
    assert "It holds in\n" in result.stdout
    assert "It does not hold in\n" in result.stdout
    nothing = run("ask", board(tmp_path, ILLEGAL), "died(bat)")
    assert nothing.exit_code == 1
    assert "508.1a attack.choose" in nothing.stderr


@pytest.mark.parametrize("statement", ["died(", "died(nobody)", "dyed(bat)", "", "died(bat) and"])
def test_a_statement_that_cannot_be_read(path: str, statement: str) -> None:
    result = run("ask", path, statement)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("pysolver: error: ")


def test_facts_and_schema(path: str) -> None:
    facts = run("facts", path)
    assert facts.exit_code == 0
    assert '"drake"' in facts.stdout
    schema = run("schema")
    assert schema.exit_code == 0
    assert "creatures" in json.loads(schema.stdout)["properties"]


def test_standard_input() -> None:
    assert run("attacks", "-", "--count", stdin=BAND).stdout == "5\n"


@pytest.mark.parametrize(
    "text",
    ["", "[]", "a: [", "players: 3", BAND + "creture: {}\n", "\x00", "&a [*a]", "- " * 3000 + "1"],
)
def test_documents_that_are_none(tmp_path: Path, text: str) -> None:
    result = run("attacks", board(tmp_path, text))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("pysolver: error: ")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    binary = tmp_path / "binary.yaml"
    binary.write_bytes(b"\xff\xfe\x00\x01\xff")
    for path in (tmp_path, tmp_path / "missing.yaml", binary):
        result = run("attacks", str(path))
        assert (result.exit_code, result.stdout) == (2, "")
        assert path.name in result.stderr
        assert len(result.stderr.splitlines()) == 1


ODD = ["[red]x[/red]", 'say "hi"', "two\nlines", "ünï:smile:", "a, b", "→"]


@pytest.mark.parametrize("name", ODD)
def test_odd_names(tmp_path: Path, name: str) -> None:
    document = {
        "players": {"ann": {}, "bob": {}},
        "active": "ann",
        "creatures": {name: {"controller": "ann", "pt": "1/1"}},
        "attack": {"attackers": {name: "bob"}},
    }
    path = board(tmp_path, json.dumps(document))
    result = run("attacks", path, "--json")
    assert lines(result) == [{"attackers": {name: "bob"}, "bands": []}]
    shown = name.replace("\n", "\\n")
    assert f"{shown} → bob" in run("attacks", path).stdout
