"""Text to plain values: YAML 1.2 and JSON, and what is refused."""

from __future__ import annotations

import io
import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pysolver.errors import ScenarioError
from pysolver.scenario.document import LARGEST_TEXT, path_text, read_document, read_text


@pytest.mark.parametrize("word", ["yes", "no", "on", "off", "Yes", "y", "2009-07-11", "12:30:45"])
def test_words_of_yaml_1_1_are_text(word: str) -> None:
    assert read_text(f"{word}: {word}", "x").data == {word: word}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", 1),
        ("-12", -12),
        ("+3", 3),
        ("007", 7),
        ("0x1F", 31),
        ("0o17", 15),
        ("1.5", 1.5),
        ("1e3", 1000.0),
        ("true", True),
        ("False", False),
        ("null", None),
        ("~", None),
        ("", None),
        ("'1'", "1"),
        ('"\\u00e9\\n"', "é\n"),
        ("2/3", "2/3"),
        ("+2/+0", "+2/+0"),
        ("1_000", "1_000"),
        ("|\n  two\n  lines\n", "two\nlines\n"),
        ("[a, 1, [b]]", ["a", 1, ["b"]]),
    ],
)
def test_core_schema(text: str, value: object) -> None:
    assert read_text(f"key: {text}", "x").data == {"key": value}


def test_keys_are_text_as_written() -> None:
    assert read_text("1: a\ntrue: b\nnull: c", "x").data == {"1": "a", "true": "b", "null": "c"}


def test_lines() -> None:
    document = read_text("a: 1\nb:\n  c: [x,\n    y]\n  d:\n    - {e: 1,\n       f: 2}\n", "x")
    lines = {
        (): 1,
        ("a",): 1,
        ("b",): 2,
        ("b", "c"): 3,
        ("b", "c", 1): 4,
        ("b", "d", 0): 6,
        ("b", "d", 0, "f"): 7,
        ("b", "d", 0, "g"): 6,
    }
    assert {keys: document.line(keys) for keys in lines} == lines


def test_aliases_share_values() -> None:
    assert read_text("a: &x {b: [1]}\nc: *x", "x").data == {"a": {"b": [1]}, "c": {"b": [1]}}


json_values: st.SearchStrategy[object] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**9), 10**9)
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text('ab"é\U0001f600\u2028'), inner)
    ),
    max_leaves=6,
)


@given(st.dictionaries(st.text("xyz\\\n"), json_values), st.booleans(), st.sampled_from([None, 1]))
def test_json_is_read_as_json_reads_it(
    value: dict[str, object], ascii_only: bool, indent: int | None
) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    assert read_text(text, "x.json").data == value
    assert read_text(text, "x").data == value


def test_flow_yaml_is_not_mistaken_for_json() -> None:
    assert read_text("{a: b, c: [d,]}", "x").data == {"a": "b", "c": ["d"]}


def bomb(levels: int) -> str:
    lines = ["a0: &a0 [x,x,x,x,x,x,x,x,x]"]
    for level in range(1, levels):
        lines.append(f"a{level}: &a{level} [{','.join([f'*a{level - 1}'] * 9)}]")
    return "\n".join(lines)


REFUSED = {
    "empty": ("", 1, "empty"),
    "only a comment": ("# nothing", 1, "empty"),
    "a list": ("- a", 1, "mapping"),
    "a text": ("word", 1, "mapping"),
    "double key": ("a: 1\nb: 2\na: 3", 3, "twice, first on line 1"),
    "double key in JSON": ('{"a": 1,\n"a": 2}', 2, "twice"),
    "double key once in quotes": ("a: 1\n'a': 3", 2, "twice"),
    "two documents": ("a: 1\n---\nb: 2", 2, "one document"),
    "tag": ("a: 1\nb: !!str 3", 2, "tag"),
    "local tag": ("a: !x 3", 1, "tag"),
    "Python tag": ("a: !!python/object/apply:os.system [ls]", 1, "tag"),
    "tag on a key": ("!!str a: 3", 1, "tag"),
    "no anchor": ("a: *x", 1, "anchor"),
    "alias in itself": ("a: &x [*x]", 1, "anchor"),
    "aliases that unfold": (bomb(12), 6, "aliases"),
    "deep list": (f"a: {'[' * 25}\n{'[' * 25}", 2, "deeper than 30"),
    "deep JSON": (f'{{"a": {"[" * 50000}', 1, "deeper than 30"),
    "key that is a list": ("? [a]\n: b", 1, "key"),
    "NUL": ("a: 1\nb: \0", 2, "NUL"),
    "escaped NUL": ('a: "\\0"', 1, "NUL"),
    "half a pair": ("a: \ud800", 1, "surrogate"),
    "half an escaped pair": ('{"a": "\\ud800"}', 1, "surrogate"),
    "long number": ("a: " + "9" * 5000, 1, "too long"),
    "long number in JSON": ('{"a": ' + "9" * 5000 + "}", 1, "too long"),
    "open list": ("a: [1,\n", 2, "is not YAML"),
    "open string": ('a: 1\nb: "x', 2, "is not YAML"),
    "tab": ("a:\n\tb: 1", 2, "is not YAML"),
    "two values": ("a: b: c", 1, "is not YAML"),
}


@pytest.mark.parametrize("case", REFUSED, ids=str)
def test_refused(case: str) -> None:
    text, line, message = REFUSED[case]
    with pytest.raises(ScenarioError) as caught:
        read_text(text, "board.yaml")
    assert message in caught.value.message
    assert (caught.value.file, caught.value.line) == ("board.yaml", line)
    assert str(caught.value).startswith(f"board.yaml:{line}: ")


@pytest.mark.parametrize("text", ['{"a": 1,}', '{"a" 1}', '{"a": 01}', "{a: 1}", '{"a": 1} x', "{"])
def test_json_files_hold_json(text: str) -> None:
    with pytest.raises(ScenarioError, match="is not JSON"):
        read_text(text, "board.json")


def test_size_is_limited_before_reading() -> None:
    with pytest.raises(ScenarioError, match="larger than"):
        read_text("a" * (LARGEST_TEXT + 1), "x")


def test_large_bomb_is_refused_by_its_size(tmp_path: Path) -> None:
    path = tmp_path / "bomb.yaml"
    path.write_text((bomb(12) + "\n") * 9500, encoding="utf-8")
    assert path.stat().st_size > 5 * LARGEST_TEXT
    with pytest.raises(ScenarioError, match="larger than") as caught:
        read_document(path)
    assert caught.value.file == str(path)


@pytest.mark.parametrize("raw", [b"\xff\xfea\0", b"a: 1\nb: \xe9\n"])
def test_other_encodings_are_refused(tmp_path: Path, raw: bytes) -> None:
    path = tmp_path / "x.yaml"
    path.write_bytes(raw)
    with pytest.raises(ScenarioError, match="is not UTF-8"):
        read_document(path)


def test_byte_order_mark_is_read_over(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_bytes(b"\xef\xbb\xbfa: 1\r\nb: 2\r\n")
    assert read_document(path).data == {"a": 1, "b": 2}
    path.write_bytes(b'\xef\xbb\xbf{"a": 1}')
    assert read_document(path).data == {"a": 1}


def test_what_is_no_file(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing.yaml", "a\0b"):
        with pytest.raises(ScenarioError):
            read_document(path)


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"a: 1")))
    document = read_document("-")
    assert (document.data, document.file) == ({"a": 1}, "<stdin>")


def test_paths() -> None:
    assert path_text(("creatures", "hero", "abilities")) == "creatures.hero.abilities"
    assert path_text(("events", 0, "at")) == "events.0.at"
    assert path_text(("creatures", "a.b\n", "pt")) == 'creatures."a.b\\n".pt'
