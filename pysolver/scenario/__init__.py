"""From a document to an immutable :class:`Scenario`, and from there to facts and back."""

from pysolver.scenario.facts import facts
from pysolver.scenario.load import (
    build_scenario,
    check_scenario,
    json_schema,
    load,
    loads,
    read_document,
    read_facts,
)
from pysolver.scenario.model import Scenario

__all__ = [
    "Scenario",
    "build_scenario",
    "check_scenario",
    "facts",
    "json_schema",
    "load",
    "loads",
    "read_document",
    "read_facts",
]
