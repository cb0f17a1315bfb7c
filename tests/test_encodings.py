"""The encodings as a document: every file says what it reads and gives, every rule its slug."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pysolver.catalogue import rules
from pysolver.programs import ENCODINGS

ROOT = Path(__file__).parents[1] / "encodings"
FILES = sorted(ROOT.rglob("*.lp"))
RULE_FILES = [path for path in FILES if path.parent.name[0].isdigit()]
SLUG = re.compile(r"^%# ([a-z0-9_.]+) (\S+)$", re.MULTILINE)


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_every_encoding_is_part_of_some_question() -> None:
    used = {file for files in ENCODINGS.values() for file in files}
    beside = {
        "fold.lp",
        "show/fewest.lp", "show/requirements.lp",
        "show/classes_of_attackers.lp", "show/classes_of_blockers.lp",
        "508_attackers/score.lp", "508_attackers/maximum.lp",
        "509_blockers/score.lp", "509_blockers/maximum.lp",
    }  # fmt: skip
    assert {name(path) for path in FILES} == used | beside


@pytest.mark.parametrize("path", FILES, ids=name)
def test_layout(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").split("\n")
    assert lines[0].startswith("% "), "a file begins with its purpose"
    assert lines[-1] == "", "a file ends with a line break"
    for number, line in enumerate(lines, start=1):
        assert len(line) <= 100, f"line {number} is too long"
        assert line == line.rstrip(), f"line {number} ends in blanks"
        assert "\t" not in line, f"line {number} has a tab"


@pytest.mark.parametrize("path", FILES, ids=name)
def test_no_scripts_and_shows_only_in_show_files(path: Path) -> None:
    code = re.sub(r"%\*.*?\*%|%[^\n]*", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert "#script" not in code
    assert "#include" not in code
    if path.parent.name != "show":
        assert "#show" not in code


@pytest.mark.parametrize("path", RULE_FILES, ids=name)
def test_header_names_the_rules_that_the_file_encodes(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    header = re.search(r"^% Rules:((?:.*\n%(?:   ).*)*.*)$", text, re.MULTILINE)
    encoded = {slug for slug, _ in SLUG.findall(text)}
    if not encoded:
        return
    assert header, "the header lists the rules"
    listed = set(re.findall(r"[a-z0-9_]+(?:\.[a-z0-9_]+)+", header.group(1)))
    assert encoded <= listed, f"not in the header: {sorted(encoded - listed)}"


@pytest.mark.parametrize("path", FILES, ids=name)
def test_slugs_are_in_the_catalogue_with_their_numbers(path: Path) -> None:
    for slug, number in SLUG.findall(path.read_text(encoding="utf-8")):
        rule = rules().get(slug)
        assert rule is not None, f"{slug} is not in the catalogue"
        assert rule.current is not None
        assert number.startswith(rule.current), f"{slug} is {rule.current}, not {number}"


def test_every_violation_has_the_slug_of_a_rule() -> None:
    for path in RULE_FILES:
        for slug in re.findall(r'violation\("([^"]+)"', path.read_text(encoding="utf-8")):
            assert slug in rules(), f"{name(path)}: {slug}"


def test_inputs_are_defined_in_one_place() -> None:
    for path in FILES:
        if path.name != "defined.lp":
            defined = re.findall(r"#defined (\w+)/(\d)", path.read_text(encoding="utf-8"))
            given = (ROOT / "defined.lp").read_text(encoding="utf-8")
            for predicate, arity in defined:
                assert f"#defined {predicate}/{arity}." not in given


README = (ROOT / "README.md").read_text(encoding="utf-8")


def rows(title: str) -> list[list[str]]:
    """The rows of the tables of a chapter of the README, each a list of cells."""
    chapter = re.search(rf"^## {title}\n(.*?)(?=^## )", README, re.MULTILINE | re.DOTALL)
    assert chapter, f"there is a chapter {title}"
    return [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in chapter[1].splitlines()
        if line.startswith("| `")
    ]


def test_every_file_is_in_the_map_with_the_numbers_of_its_rules() -> None:
    mapped = {
        file.strip("`"): set(filter(None, rules.split(", "))) for file, _, rules in rows("Map")
    }
    assert len(mapped) == len(rows("Map")), "no file is there twice"
    assert mapped == {
        name(path): {number for _, number in SLUG.findall(path.read_text(encoding="utf-8"))}
        for path in FILES
    }


def test_the_predicates_of_the_map_are_described_where_it_says() -> None:
    for predicate, meaning, file in rows("Predicates"):
        text = (ROOT / file.strip("`")).read_text(encoding="utf-8")
        assert f"%*! {predicate.strip('`')}\n" in text
        assert meaning


def test_the_commands_for_clingo_have_the_files_of_the_questions() -> None:
    words: dict[str, list[str]] = {}
    for variable, value in re.findall(r'^(\w+)="(.*)"$', README, re.MULTILINE):
        words[variable] = []
        for word in value.replace("$(echo ", "").replace(")", "").split():
            folder, brace, names = word.removesuffix("}.lp").partition("{")
            if word.startswith("$"):
                words[variable] += words[word[1:]]
            elif brace:
                words[variable] += [f"{folder}{file}.lp" for file in names.split(",")]
            else:
                words[variable].append(word)
    for variable, question in (("attack", "attacks"), ("block", "blocks"), ("damage", "damage")):
        assert sorted(words[variable]) == sorted(ENCODINGS[question][:-2])
