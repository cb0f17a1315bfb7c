"""Editions of the rules, what they switch on, and the readings of disputed points."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping

from pysolver.errors import ScenarioError
from pysolver.frozen import FrozenDict
from pysolver.scenario.model import Edition
from pysolver.scenario.words import suggestion

__all__ = [
    "EARLIEST",
    "EDITIONS",
    "READINGS",
    "SWITCHES",
    "in_force",
    "parse_edition",
    "parse_readings",
]

#: Banding has rules of its own since this day; no older edition is read.
EARLIEST = datetime.date(2001, 7, 23)

#: The named rulesets and the day each one means.
EDITIONS: Mapping[str, datetime.date] = {
    "pre-m10": datetime.date(2009, 5, 1),
    "m10": datetime.date(2009, 7, 11),
    "m11": datetime.date(2010, 7, 16),
    "isd": datetime.date(2011, 9, 30),
    "dao-modern": datetime.date(2024, 9, 20),
    "foundations": datetime.date(2024, 11, 8),
    "current": datetime.date(2026, 9, 25),
}

#: What an edition switches on: the first and the last day, ``None`` where it is open.
SWITCHES: Mapping[str, tuple[str | None, str | None]] = {
    # Damage is assigned, waits on the stack, and is dealt as assigned.
    "damage_on_stack": (None, "2009-07-10"),
    # Damage assignment order: the next in line only after lethal damage to the one before.
    "dao": ("2009-07-11", "2024-11-07"),
    # Lethal damage counts what all creatures assign together.
    "dao_joint_check": ("2011-07-15", None),
    # Bands with other: its holders band with each other, not with the quality.
    "old_bwo": (None, "2009-07-10"),
    # The controller of the banding creature divides, not the defending or active player.
    "bander_chooses": (None, "2009-07-10"),
    # Deathtouch destroys by a trigger; lifelink gains life by one.
    "deathtouch_trigger": (None, "2009-07-10"),
    "lifelink_trigger": (None, "2009-07-10"),
    # Deathtouch divides without regard to the order, but one damage is not lethal yet.
    "deathtouch_free_split": ("2009-07-11", "2010-07-15"),
    # Any damage by a source with deathtouch is lethal.
    "deathtouch_lethal_one": ("2010-07-16", None),
    # A creature that lost double strike between the steps assigns again.
    "double_strike_gap": ("2009-07-11", "2009-09-30"),
    # A creature without a requirement need not act so that another's can be obeyed.
    "local_requirements": (None, "2007-04-30"),
    # Two-Headed Giant: creatures attack the team, not a head.
    "team_attacked": (None, "2018-04-26"),
    # Walls cannot attack by a rule of their type.
    "walls_cant_attack": (None, "2004-09-30"),
    "planeswalkers": ("2007-10-01", None),
    "trample_over_planeswalkers": ("2021-06-18", None),
    "battles": ("2023-04-14", None),
    # Phasing out removes from combat.
    "phasing_leaves_combat": ("2010-07-16", None),
    # A creature put onto the battlefield attacking after blocks is unblocked, in so many words.
    "late_attacker_unblocked": ("2026-02-27", None),
}

#: Disputed points: the values of each reading, the default first.
READINGS: Mapping[str, tuple[str, ...]] = {
    "trample_vs_banding": ("dp_may_spill", "dp_never_spills"),
    "cross_team_bands": ("yes", "no"),
    "restriction_scope": ("declared", "resulting"),
    "requirement_scope": ("declared", "resulting"),
    "team_authority": ("team", "attacked", "bander"),
    "damage_legality": ("joint", "per_player"),
    "propagated_triggers": ("all", "declared"),
    "unblocking": ("member", "band"),
    "reselect_in_band": ("stays", "leaves"),
}

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


def parse_edition(text: str) -> Edition:
    """The edition that a ruleset's name or a date means; raises :class:`ScenarioError`."""
    if text in EDITIONS:
        return Edition(text, EDITIONS[text])
    if not _DATE.fullmatch(text):
        hint = suggestion(text, EDITIONS) or f"; known are {', '.join(EDITIONS)} and dates"
        raise ScenarioError(f'unknown edition "{text}"{hint}')
    try:
        date = datetime.date.fromisoformat(text)
    except ValueError:
        raise ScenarioError(f"{text} is not a day of the calendar") from None
    if date < EARLIEST:
        raise ScenarioError(f"the rules are known from {EARLIEST} on, {text} is before that")
    return Edition(text, date)


def in_force(date: datetime.date) -> frozenset[str]:
    """The switches that are on at a date."""
    day = date.isoformat()
    return frozenset(
        switch
        for switch, (first, last) in SWITCHES.items()
        if (first is None or first <= day) and (last is None or day <= last)
    )


def parse_readings(given: Mapping[str, str]) -> FrozenDict[str, str]:
    """Every reading, those that are not given by default; raises :class:`ScenarioError`."""
    for name, value in given.items():
        if name not in READINGS:
            raise ScenarioError(f'unknown reading "{name}"{suggestion(name, READINGS)}', path=name)
        if value not in READINGS[name]:
            known = " or ".join(READINGS[name])
            raise ScenarioError(f'"{value}" is no reading of {name}: it is {known}', path=name)
    return FrozenDict({name: given.get(name, values[0]) for name, values in READINGS.items()})
