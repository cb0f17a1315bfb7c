"""Small boards as documents, and the command line as a function."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from pysolver.cli import cli

BAND = """
players: {ann: {}, bob: {lands: [swamp]}}
active: ann
creatures:
  drake: {controller: ann, pt: 2/2, abilities: [flying, banding]}
  wraith: {controller: ann, pt: 3/3, abilities: [swampwalk]}
  bat: {controller: bob, pt: 1/1, abilities: [flying]}
"""

ATTACK = "attack: {attackers: {drake: bob, wraith: bob}, bands: [[drake, wraith]]}\n"

BLOCKS = "blocks: {bat: [drake]}\n"

ILLEGAL = BAND + "attack: {attackers: {wraith: bob, bat: bob}}\n"


def run(*arguments: str, stdin: str | None = None) -> Result:
    """The command line, in this process."""
    return CliRunner().invoke(cli, arguments, input=stdin)


def lines(result: Result) -> list[Any]:
    """The JSON objects of a result."""
    return [json.loads(line) for line in result.stdout.splitlines()]


def board(folder: Path, text: str, name: str = "board.yaml") -> str:
    """A document in a file."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def large(attackers: int = 9) -> str:
    """A board with far more histories than any test waits for."""
    creatures = [f"  a{n}: {{controller: ann, pt: 3/3}}" for n in range(attackers)]
    creatures += [f"  b{n}: {{controller: bob, pt: 3/3}}" for n in range(attackers)]
    return "\n".join(["players: {ann: {}, bob: {}}", "active: ann", "creatures:", *creatures, ""])
