"""The catalogue holds together with the encodings, the messages and the tests."""

from __future__ import annotations

import datetime
import re
from pathlib import Path

import pytest

from pysolver import rulebook
from pysolver.catalogue import CURRENT, citation, encoded, rules
from pysolver.messages import SENTENCES, message
from pysolver.rulebook import MISSING, entries, holes, summary
from pysolver.scenario.editions import EDITIONS, parse_edition
from tests.test_differential import CHUNKS

ROOT = Path(__file__).parents[1]
M10 = EDITIONS["m10"]
SLUGS = sorted(rules())
NOW = parse_edition("current")

#: One number, or a few of them where a rule was spread over several, as before M10.
NUMBER = re.compile(
    r"\d{3}(\.\d+[a-z]?)?([-,+/ ]+(BWO )?[\d.]*[a-z]?)*( *[;/] *[\d.,a-z-]+)*( \(.*\))?"
)

#: Numbers that rules of two areas have in common.
SHARED = {"602.2a", "606.7a", "802.2a", "702.19b"}

ENCODINGS = sorted((ROOT / "encodings").rglob("*.lp"))


def test_slugs_have_their_shape_and_order() -> None:
    for slug in SLUGS:
        assert re.fullmatch(r"[a-z][a-z0-9_]*(\.[a-z0-9][a-z0-9_]*)*", slug)
    assert list(rules()) == SLUGS


def test_one_rule_a_line() -> None:
    text = (ROOT / "pysolver" / "catalogue.json").read_text(encoding="utf-8")
    assert len(text.splitlines()) == len(SLUGS) + 2


@pytest.mark.parametrize("slug", SLUGS)
def test_a_sentence_says_what_the_rule_says(slug: str) -> None:
    paraphrase = rules()[slug].paraphrase
    assert paraphrase[0].isupper() or paraphrase[0] == '"'
    assert paraphrase.endswith(".")
    assert 20 < len(paraphrase) < 200
    others = [rule.paraphrase for rule in rules().values() if rule.slug != slug]
    assert paraphrase not in others


def test_every_encoded_slug_is_in_the_catalogue() -> None:
    assert set(encoded()) <= set(rules())


@pytest.mark.parametrize("slug", SLUGS)
def test_every_rule_is_encoded_or_excused(slug: str) -> None:
    rule = rules()[slug]
    assert encoded().get(slug) or rule.excuse
    if rule.excuse is not None:
        assert rule.excuse.kind in ("out_of_scope", "implied", "planned")
        assert len(rule.excuse.reason) > 10


@pytest.mark.parametrize("slug", SLUGS)
def test_excuses_name_what_there_is(slug: str) -> None:
    """Predicates, files and slugs that an excuse points to."""
    excuse = rules()[slug].excuse
    if excuse is None:
        return
    files = {path.name for path in ENCODINGS}
    text = "\n".join(path.read_text(encoding="utf-8") for path in ENCODINGS)
    for file in re.findall(r"\w+\.lp", excuse.reason):
        assert file in files
    for predicate in re.findall(r"(\w+)/\d", excuse.reason):
        assert f"{predicate}(" in text or re.search(rf"^{predicate}\b", text, re.MULTILINE)
    for named in re.findall(r"\b[a-z0-9]+(?:\.[a-z0-9_]+)+(?:\.\*)?", excuse.reason):
        if not named.endswith(".lp"):
            assert any(known.startswith(named.removesuffix(".*")) for known in SLUGS), named


@pytest.mark.parametrize("slug", SLUGS)
def test_numbers_go_with_the_editions(slug: str) -> None:
    rule = rules()[slug]
    dates = [date for date, _ in rule.numbers]
    assert dates == sorted(set(dates))
    assert all(date <= CURRENT for date in dates)
    assert rule.numbers, "at least the first day on which the number is known"
    assert rule.numbers[-1][1] == rule.current
    for date, number in rule.numbers:
        if number is None:
            continue
        assert NUMBER.fullmatch(number), number
        chapter = int(number[:3])
        if date < M10:  # combat was in chapter 3 then, keywords in 5, multiplayer in 6
            assert chapter < 700
            assert chapter not in range(506, 512)
        else:
            assert chapter < 400 or chapter in range(500, 512) or chapter > 600
    day_before_first = dates[0].replace(year=dates[0].year - 1)
    assert rule.number(day_before_first) is None
    assert rule.number(CURRENT) == (rule.current and rule.current + rule.subrule)


@pytest.mark.parametrize("date", sorted(EDITIONS.values()), ids=str)
def test_rules_that_share_a_number_belong_together(date: datetime.date) -> None:
    seen: dict[str, set[str]] = {}
    for rule in rules().values():
        number = rule.number(date)
        if number is not None:
            seen.setdefault(number, set()).add(rule.slug)
    for number, slugs in seen.items():
        areas = {slug.split(".")[0] for slug in slugs}
        assert len(areas) == 1 or number in SHARED, (number, slugs)


@pytest.mark.parametrize("slug", sorted(encoded()))
def test_encodings_cite_a_number_that_the_rule_has_or_had(slug: str) -> None:
    rule = rules()[slug]
    known = [number for _, number in rule.numbers if number is not None]
    for place in encoded()[slug]:
        assert any(place.number.startswith(number) for number in known), str(place)


def test_known_numbers() -> None:
    assert citation("banding.authority.vs_blocker", CURRENT) == "702.22k"
    assert citation("banding.authority.vs_blocker", EDITIONS["m10"]) == "702.19k"
    assert citation("dao.attacker_order", EDITIONS["dao-modern"]) == "509.2"
    assert citation("dao.attacker_order", EDITIONS["foundations"]) == "-"
    assert citation("damage.stack", EDITIONS["pre-m10"]) == "310.4"
    assert citation("kw.flying", EDITIONS["foundations"]) == "702.9b"
    assert citation("kw.protection.block", EDITIONS["m10"]) == "702.14f"
    assert citation("regen", EDITIONS["isd"]) == "701.12"


def test_every_violation_has_a_message() -> None:
    """The requirements have one of their own: it depends on how many are not obeyed."""
    heads = r'(?:violation|forbidden)\("([^"]+)"'
    used = {
        slug for path in ENCODINGS for slug in re.findall(heads, path.read_text(encoding="utf-8"))
    }
    assert used - set(SENTENCES) == set()
    assert set(SENTENCES) <= set(rules())
    for slug in used:
        assert message(slug, ("first strike", "drake", "bat")).strip()


@pytest.mark.parametrize("slug", sorted(encoded()))
def test_every_encoded_rule_is_exercised(slug: str) -> None:
    touched = rulebook.tested()
    assert touched is not None
    exercised = slug in touched.cases or slug in touched.properties
    assert exercised, "no case cites the number, and tests/exercised.yaml names no test"


def test_the_properties_that_are_named_exist() -> None:
    touched = rulebook.tested()
    assert touched is not None
    assert set(touched.properties) <= set(rules())
    for slug, test in touched.properties.items():
        file, function, parameter = re.fullmatch(r"(\S+\.py)::(\w+)(?:\[(.+)\])?", test).groups()  # type: ignore[union-attr]
        text = (ROOT / file).read_text(encoding="utf-8")
        assert re.search(rf"^def {function}\(", text, re.MULTILINE), slug
        if file.endswith("test_differential.py"):
            assert parameter.partition("-")[0] in CHUNKS


def test_no_rule_is_missing() -> None:
    assert [entry.slug for entry in holes(NOW) if entry.hole == MISSING] == []


def test_a_slug_stands_for_those_below_it() -> None:
    slugs = [entry.slug for entry in entries(NOW, "banding.form")]
    assert slugs == [
        *("banding.form", "banding.form.banding", "banding.form.bwo", "banding.form.partition")
    ]
    assert summary().startswith(f"{len(SLUGS)} rules: {len(encoded())} encoded")
