"""Reading scenarios from files and texts. What is heavy to import is imported on use."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pysolver.errors import Problem, ScenarioError
from pysolver.scenario.model import Scenario

if TYPE_CHECKING:
    from pysolver.scenario.document import Document

__all__ = [
    "build_scenario",
    "check_scenario",
    "json_schema",
    "load",
    "loads",
    "read_document",
    "read_facts",
]

#: How facts begin, unlike YAML and JSON: with a comment of clingo's, or a predicate.
FACTS = re.compile(r"\s*(?:%(?!YAML)|[a-z_]+\()")


def load(path: str | Path) -> Scenario:
    """The scenario in a file: YAML, JSON, or facts in a ``.lp`` file; ``-`` is standard input.

    Raises :class:`ScenarioError` with everything that is wrong.
    """
    if str(path).lower().endswith(".lp"):
        from pysolver.scenario.document import read_file

        return read_facts(read_file(path), str(path))
    if str(path) == "-":
        from pysolver.scenario.document import read_file, read_text

        text = read_file(path)
        if FACTS.match(text):
            return read_facts(text, "<stdin>")
        return build_scenario(read_text(text, "<stdin>"))
    return build_scenario(read_document(path))


def loads(text: str, name: str = "<text>") -> Scenario:
    """The scenario in a text; raises :class:`ScenarioError`.

    ``name`` stands for the file in messages; a name that ends in ``.lp`` means facts.
    """
    if name.lower().endswith(".lp"):
        return read_facts(text, name)
    from pysolver.scenario.document import read_text

    return build_scenario(read_text(text, name))


def read_document(path: str | Path) -> Document:
    """A file as plain values with lines; see :func:`pysolver.scenario.document.read_document`."""
    from pysolver.scenario import document

    return document.read_document(path)


def build_scenario(document: Document, readings: Mapping[str, str] | None = None) -> Scenario:
    """The scenario of a document; ``readings`` win over its own. Raises :class:`ScenarioError`."""
    from pysolver.scenario import build

    return build.build_scenario(document, readings)


def read_facts(text: str, file: str = "<facts>") -> Scenario:
    """The scenario of a text of facts; see :func:`pysolver.scenario.reader.read_facts`."""
    from pysolver.scenario import reader

    return reader.read_facts(text, file)


def check_scenario(scenario: Scenario) -> None:
    """Judge a scenario made by hand as a document is judged; raises :class:`ScenarioError`."""
    from pysolver.scenario.document import path_text
    from pysolver.scenario.rules import find_problems

    problems = [Problem(message, path_text(keys)) for keys, message in find_problems(scenario)]
    if problems:
        raise ScenarioError(problems=problems)


def json_schema() -> dict[str, Any]:
    """The JSON Schema of the scenario document."""
    from pysolver.scenario import schema

    return schema.json_schema()
