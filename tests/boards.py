"""Boards that are written down once and used by several tests."""

from __future__ import annotations

from pathlib import Path

from pysolver.scenario import load
from pysolver.scenario.model import Scenario

from .strategies import ATTACKER, DEFENDER, board, creature

__all__ = ["INSTANCES", "banders", "crowd", "divided", "instance"]

INSTANCES = sorted((Path(__file__).parents[1] / "instances").glob("*.yaml"))


def instance(path: Path) -> Scenario:
    """One of the scenarios worth reading."""
    return load(path)


def banders(count: int, guests: int = 0) -> Scenario:
    """Creatures with banding, and some without: nothing else is on the board."""
    heroes = [creature(f"hero {n}", ATTACKER, "1/1", "banding") for n in range(count)]
    others = [creature(f"guest {n}", ATTACKER, "2/2") for n in range(guests)]
    return board(*heroes, *others)


def crowd(attackers: int, blockers: int) -> Scenario:
    """Plain creatures on both sides."""
    return board(
        *(creature(f"a{n}", ATTACKER, "2/2") for n in range(attackers)),
        *(creature(f"b{n}", DEFENDER, "2/2") for n in range(blockers)),
    )


def divided(damage: int, blockers: int) -> Scenario:
    """One attacker, blocked by everyone: its damage is divided freely."""
    names = [f"wall {n}" for n in range(blockers)]
    return board(
        creature("giant", ATTACKER, f"{damage}/9"),
        *(creature(name, DEFENDER, "0/9") for name in names),
        attack=["giant"],
        blocks={name: ["giant"] for name in names},
    )
