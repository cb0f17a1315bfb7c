"""Bands: forming them as attackers are declared (702.22c-d)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from .state import BANDING, Band, Combat, abilities, filters, matches


def has_banding(combat: Combat, name: str) -> bool:
    """Banding itself; bands with other does not count here (702.22b)."""
    return BANDING in abilities(combat, name)


def formed_by_banding(combat: Combat, members: Iterable[str]) -> bool:
    """702.22c banding.form.banding: at least one with banding, at most one without."""
    found = [has_banding(combat, name) for name in members]
    return any(found) and found.count(False) <= 1


def formed_by_quality(combat: Combat, members: Iterable[str]) -> bool:
    """702.22c banding.form.bwo: all have a quality that one of them bands with."""
    group = list(members)
    qualities = [f for name in group for f in filters(combat, name, "bands_with_other")]
    return any(all(matches(combat, quality, name) for name in group) for quality in qualities)


def can_form(combat: Combat, members: Iterable[str]) -> bool:
    """702.22c banding.form: one way or the other, never a mixture (A-08); A-10 for teams."""
    group = list(members)
    if combat.board.reading("cross_team_bands", "yes") == "no":
        controllers = {combat.bodies[name].controller for name in group}
        if len(controllers) > 1:
            return False
    return formed_by_banding(combat, group) or formed_by_quality(combat, group)


def partitions(names: list[str]) -> Iterator[list[list[str]]]:
    """Every way to split creatures into groups."""
    if not names:
        yield []
        return
    first, rest = names[0], names[1:]
    for smaller in partitions(rest):
        yield [[first], *smaller]
        for index, group in enumerate(smaller):
            yield [*smaller[:index], [first, *group], *smaller[index + 1 :]]


def choices(combat: Combat, attack: Mapping[str, str]) -> Iterator[frozenset[Band]]:
    """508.1e attack.band.announce: every legal announcement of bands for these attackers."""
    for groups in partitions(sorted(attack)):
        bands = [group for group in groups if len(group) > 1]
        if all(len({attack[name] for name in band}) == 1 for band in bands) and all(
            can_form(combat, band) for band in bands
        ):
            yield frozenset(frozenset(band) for band in bands)


def slugs(
    combat: Combat, attack: Mapping[str, str], announced: Iterable[Iterable[str]]
) -> set[str]:
    """What is wrong with announced bands; a band of one is dropped first (A-07)."""
    found = set()
    seen: set[str] = set()
    for band in (set(group) for group in announced if len(set(group)) > 1):
        if band & seen or not band <= attack.keys():
            found.add("banding.form.partition")
        if len({attack[name] for name in band if name in attack}) > 1:
            found.add("banding.same_target")
        if not all(name in combat.bodies for name in band) or not can_form(combat, band):
            found.add("banding.form")
        seen |= band
    return found
