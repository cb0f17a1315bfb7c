"""A text in YAML 1.2 or JSON as plain values, with the line that each value stands on.

The text is read event by event with a composer of our own: the core schema of YAML 1.2 (``yes`` and
``off`` are words, dates too), no tags, no double keys, and limits on size, depth and what aliases
may unfold to, so that no document costs more than it is worth.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn, TypeAlias

import yaml

from pysolver.errors import ScenarioError

__all__ = ["LARGEST_TEXT", "Document", "Keys", "path_text", "read_document", "read_text"]

#: The keys and indices that lead to a value.
Keys: TypeAlias = tuple[str | int, ...]

LARGEST_TEXT = 1_000_000
_DEEPEST = 30
_MOST_VALUES = 100_000
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_INT = re.compile(r"[-+]?[0-9]+")
_BASED = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_SPECIAL_FLOAT = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_CONSTANTS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}


@dataclass(slots=True)
class _Node:
    """A value with its line; ``weight`` counts the values in it, aliases unfolded."""

    value: Any
    line: int
    parts: dict[str | int, _Node] = field(default_factory=dict)
    key_lines: dict[str, int] = field(default_factory=dict)
    weight: int = 1


@dataclass(frozen=True, slots=True)
class Document:
    """A document as plain values: ``data`` and the ``file`` it came from.

    Keys are text as written; lines are known by :meth:`line`.
    """

    data: dict[str, Any]
    file: str
    root: _Node = field(repr=False, compare=False)

    def line(self, keys: Keys) -> int:
        """The line, from 1, of the value that keys lead to, or of the nearest one above it."""
        node, line = self.root, self.root.line
        for key in keys:
            part = node.parts.get(key)
            if part is None:
                return line
            line = node.key_lines.get(str(key), part.line)
            node = part
        return line

    def get(self, key: str) -> Any:
        """A key of the document, ``None`` where it is not given."""
        return self.data.get(key)


def path_text(keys: Keys) -> str:
    """Keys as written in messages: ``creatures.hero.pt``; odd names stand in quotes."""
    return ".".join(
        json.dumps(key, ensure_ascii=False)
        if isinstance(key, str) and (not key or re.search(r'[."\s]', key))
        else str(key)
        for key in keys
    )


def read_document(path: str | Path) -> Document:
    """Read a document from a file, or from standard input for ``-``.

    Raises :class:`ScenarioError` for what cannot be read as one.
    """
    name = str(path)
    return read_text(read_file(path), "<stdin>" if name == "-" else name)


def read_file(path: str | Path) -> str:
    """The text of a file of limited size; raises :class:`ScenarioError`."""
    name = str(path)
    try:
        if name == "-":
            stream = getattr(sys.stdin, "buffer", sys.stdin)
            raw = stream.read(LARGEST_TEXT + 1)
        else:
            with open(path, "rb") as file:
                raw = file.read(LARGEST_TEXT + 1)
    except OSError as error:
        raise ScenarioError(f"cannot be read: {error.strerror or error}", file=name) from None
    except ValueError:
        raise ScenarioError(
            "is no file name", file=name.encode().decode("utf-8", "replace")
        ) from None
    return raw if isinstance(raw, str) else _decode(raw, name)


def _decode(raw: bytes, name: str) -> str:
    if len(raw) > LARGEST_TEXT:
        raise ScenarioError(_TOO_LARGE, file=name)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ScenarioError("is not UTF-8 text", file=name, line=line) from None


_TOO_LARGE = f"is larger than {LARGEST_TEXT:,} bytes, which no scenario needs"
_UNREADABLE = re.compile("[\0\ud800-\udfff]")


def read_text(text: str, name: str) -> Document:
    """Read a document from a text; ``name`` stands in messages for its file."""
    check_text(text, name)
    node = None
    text = text.removeprefix("\ufeff")
    if name.lower().endswith(".json") or text.lstrip().startswith("{"):
        node = _Json(text, name).document()
    if node is None:
        node = _Composer(text, name).document()
    if not isinstance(node.value, dict):
        raise ScenarioError("a scenario is a mapping of keys to values", file=name, line=node.line)
    return Document(node.value, name, node)


def check_text(text: str, name: str) -> None:
    """Refuse a text that is too large or holds what no text should."""
    if len(text) > LARGEST_TEXT:
        raise ScenarioError(_TOO_LARGE, file=name)
    odd = _UNREADABLE.search(text)
    if odd:
        line = text.count("\n", 0, odd.start()) + 1
        what = "a NUL character" if odd[0] == "\0" else "half of a surrogate pair"
        raise ScenarioError(f"the text contains {what}", file=name, line=line)


class _Base:
    """What both composers share: limits, and mappings without double keys."""

    def __init__(self, text: str, name: str) -> None:
        self.text, self.name = text, name

    def fail(self, message: str, line: int) -> NoReturn:
        raise ScenarioError(message, file=self.name, line=line)

    def check_depth(self, depth: int, line: int) -> None:
        if depth > _DEEPEST:
            self.fail(f"values are nested deeper than {_DEEPEST}", line)

    def add(self, node: _Node, key: str | int, part: _Node) -> None:
        node.parts[key] = part
        if isinstance(key, int):
            node.value.append(part.value)
        else:
            node.value[key] = part.value
        node.weight += part.weight
        if node.weight > _MOST_VALUES:
            self.fail(f"there are more than {_MOST_VALUES:,} values; do aliases repeat?", node.line)

    def check_scalar(self, text: str, line: int) -> None:
        if _UNREADABLE.search(text):
            self.fail("a text contains NUL or half of a surrogate pair", line)

    def check_key(self, node: _Node, key: str, line: int) -> None:
        if key in node.parts:
            first = node.key_lines[key]
            self.fail(f'the key "{key}" is given twice, first on line {first}', line)
        node.key_lines[key] = line


class _Composer(_Base):
    """YAML events to values."""

    def __init__(self, text: str, name: str) -> None:
        super().__init__(text, name)
        self.anchors: dict[str, _Node] = {}

    def document(self) -> _Node:
        try:
            return self.stream(yaml.parse(self.text, Loader=_LOADER))
        except yaml.YAMLError as error:
            self.fail(f"is not YAML: {_reason(error)}", _line(error, self.text))

    def stream(self, events: Iterator[yaml.Event]) -> _Node:
        root: _Node | None = None
        for event in events:
            if isinstance(event, yaml.DocumentStartEvent):
                if root is not None:
                    self.fail("a file holds one document", self.at(event))
                root = self.value(next(events), events, 1)
        if root is None or (root.value is None and not root.parts):
            self.fail("the document is empty", 1)
        return root

    def at(self, event: Any) -> int:
        return int(event.start_mark.line) + 1

    def value(self, event: Any, events: Iterator[yaml.Event], depth: int) -> _Node:
        line = self.at(event)
        self.check_depth(depth, line)
        if isinstance(event, yaml.AliasEvent):
            return self.alias(str(event.anchor), line)
        if event.tag is not None:
            self.fail(f"the tag {event.tag} is not allowed", line)
        if isinstance(event, yaml.ScalarEvent):
            node = _Node(self.scalar(event), line)
        elif isinstance(event, yaml.SequenceStartEvent):
            node = self.sequence(line, events, depth)
        else:
            node = self.mapping(line, events, depth)
        if event.anchor is not None:
            self.anchors[event.anchor] = node
        return node

    def alias(self, anchor: str, line: int) -> _Node:
        if anchor not in self.anchors:
            self.fail(f"the alias *{anchor} has no anchor before it", line)
        return self.anchors[anchor]

    def sequence(self, line: int, events: Iterator[yaml.Event], depth: int) -> _Node:
        node = _Node([], line)
        for event in events:
            if isinstance(event, yaml.SequenceEndEvent):
                break
            self.add(node, len(node.parts), self.value(event, events, depth + 1))
        return node

    def mapping(self, line: int, events: Iterator[yaml.Event], depth: int) -> _Node:
        node = _Node({}, line)
        for event in events:
            if isinstance(event, yaml.MappingEndEvent):
                break
            key = self.key(event)
            self.check_key(node, key, self.at(event))
            self.add(node, key, self.value(next(events), events, depth + 1))
        return node

    def key(self, event: Any) -> str:
        line = self.at(event)
        if isinstance(event, yaml.AliasEvent):
            key = self.alias(str(event.anchor), line).value
            if isinstance(key, str):
                return key
        elif isinstance(event, yaml.ScalarEvent):
            if event.tag is not None:
                self.fail(f"the tag {event.tag} is not allowed", line)
            self.check_scalar(event.value, line)
            if event.anchor is not None:
                self.anchors[event.anchor] = _Node(event.value, line)
            return str(event.value)
        self.fail("a key must be text", line)

    def scalar(self, event: Any) -> Any:
        self.check_scalar(event.value, self.at(event))
        if event.style:
            return event.value
        return self.plain(str(event.value), self.at(event))

    def plain(self, text: str, line: int) -> Any:
        if text in _CONSTANTS:
            return _CONSTANTS[text]
        if len(text) > 40 and _FLOAT.fullmatch(text):
            self.fail("the number is too long", line)
        if _INT.fullmatch(text):
            return int(text)
        if _BASED.fullmatch(text):
            return int(text, 0)
        if _FLOAT.fullmatch(text):
            return float(text)
        if _SPECIAL_FLOAT.fullmatch(text):
            return float(text.replace(".", ""))
        return text


def _reason(error: yaml.YAMLError) -> str:
    problem = getattr(error, "problem", None) or getattr(error, "reason", None)
    context = getattr(error, "context", None)
    text = str(problem or error).splitlines()[0]
    return f"{text} ({context})" if context else text


def _line(error: yaml.YAMLError, text: str) -> int:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    if mark is not None:
        return int(mark.line) + 1
    position = getattr(error, "position", None)
    if isinstance(position, int):
        return text.encode().count(b"\n", 0, position) + 1
    return 1


class _JsonError(Exception):
    """The text is not JSON; where, and what was expected."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


_TOKEN = re.compile(
    r"""[ \t\r\n]*(?:(?P<mark>[][{}:,])
    |(?P<text>"(?:[^"\\\x00-\x1f]|\\.)*")
    |(?P<number>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)
    |(?P<word>true|false|null))(?![\w.])?""",
    re.VERBOSE,
)
_WORDS: Mapping[str, bool | None] = {"true": True, "false": False, "null": None}


class _Json(_Base):
    """JSON text to values; what is not JSON may still be YAML."""

    def document(self) -> _Node | None:
        self.at = self.counted = 0
        self.lines = 1
        try:
            node = self.value(self.token(), 1)
            if self.text[self.at :].strip(" \t\r\n"):
                raise self.error("the end")
        except _JsonError as error:
            if self.name.lower().endswith(".json"):
                self.fail(f"is not JSON: {error}", error.line)
            return None
        return node

    def line(self) -> int:
        self.lines += self.text.count("\n", self.counted, self.at)
        self.counted = self.at
        return self.lines

    def error(self, expected: str) -> _JsonError:
        return _JsonError(f"{expected} is expected here", self.line())

    def token(self) -> re.Match[str]:
        found = _TOKEN.match(self.text, self.at)
        if not found:
            raise self.error("a value or a mark")
        self.at = found.end()
        return found

    def value(self, token: re.Match[str], depth: int) -> _Node:
        line = self.line()
        self.check_depth(depth, line)
        if token["mark"] == "{":
            return self.mapping(line, depth)
        if token["mark"] == "[":
            return self.sequence(line, depth)
        if token["text"]:
            return _Node(self.string(token["text"]), line)
        if token["number"]:
            if len(token["number"]) > 40:
                self.fail("the number is too long", line)
            return _Node(json.loads(token["number"]), line)
        if token["word"]:
            return _Node(_WORDS[token["word"]], line)
        raise self.error("a value")

    def string(self, text: str) -> str:
        try:
            value = str(json.loads(text))
        except ValueError:
            raise self.error("a proper escape") from None
        self.check_scalar(value, self.line())
        return value

    def sequence(self, line: int, depth: int) -> _Node:
        node = _Node([], line)
        token = self.token()
        while token["mark"] != "]":
            self.add(node, len(node.parts), self.value(token, depth + 1))
            token = self.after_part("]")
        return node

    def mapping(self, line: int, depth: int) -> _Node:
        node = _Node({}, line)
        token = self.token()
        while token["mark"] != "}":
            if not token["text"]:
                raise self.error("a key in double quotes")
            key = self.string(token["text"])
            self.check_key(node, key, self.line())
            if self.token()["mark"] != ":":
                raise self.error('":"')
            self.add(node, key, self.value(self.token(), depth + 1))
            token = self.after_part("}")
        return node

    def after_part(self, end: str) -> re.Match[str]:
        token = self.token()
        if token["mark"] == end:
            return token
        if token["mark"] != ",":
            raise self.error(f'"," or "{end}"')
        token = self.token()
        if token["mark"] == end:
            raise self.error("a value")
        return token
