"""State-based actions (704) and regeneration (701.19)."""

from __future__ import annotations

from dataclasses import replace

from .state import (
    Combat,
    change,
    has,
    is_creature,
    leave_battlefield,
    leave_game,
    remove_from_combat,
    toughness,
)


def losers(combat: Combat) -> list[str]:
    """704.5a sba.life0 and 704.5c sba.poison10; a team's 704.6a-b: 0 life or 15 poison."""
    board = combat.board
    most = 15 if board.shared else 10
    return [
        player
        for player in combat.players
        if combat.life[board.account(player)] <= 0 or combat.poison[board.account(player)] >= most
    ]


def part(combat: Combat, gone: list[str]) -> Combat:
    """104.2a, 800.4: with several sides a loser leaves, until one side is left (decision 9)."""
    board = combat.board
    if gone and (board.shared or board.scenario.variant == "two-player"):
        return replace(combat, over=True)
    for player in gone:
        combat = leave_game(combat, player)
    sides = {board.side(player) for player in combat.players}
    return replace(combat, over=combat.over or bool(gone and len(sides) < 2))


def without_toughness(combat: Combat) -> list[str]:
    """704.5f sba.toughness0: graveyard, not destruction."""
    return [
        name for name in combat.bodies if is_creature(combat, name) and toughness(combat, name) <= 0
    ]


def lethally_damaged(combat: Combat) -> list[str]:
    """704.5g sba.lethal and 704.5h sba.deathtouch: both together are one destruction (704.7)."""
    return [
        name
        for name, body in combat.bodies.items()
        if is_creature(combat, name)
        and toughness(combat, name) > 0
        and (body.marked >= toughness(combat, name) or name in combat.deathtouched)
    ]


def used_up(combat: Combat) -> list[str]:
    """704.5i sba.loyalty0 and 704.5v sba.defense0."""
    walkers = [name for name in combat.walkers if combat.loyalty[name] <= 0]
    return walkers + [name for name in combat.battles if combat.defense[name] <= 0]


def can_regenerate(combat: Combat, name: str) -> bool:
    """701.19c regen.cant: the shields are not applied."""
    return combat.bodies[name].shields > 0 and not has(combat, name, "cant_regenerate")


def regenerate(combat: Combat, name: str) -> Combat:
    """701.19a regen.shield: damage off, tapped, out of combat; one shield used."""
    shields = combat.bodies[name].shields - 1
    combat = change(combat, name, marked=0, tapped=True, shields=shields)
    if name in combat.attacking or name in combat.blockers:
        combat = remove_from_combat(combat, name)
    return replace(
        combat,
        regenerated=combat.regenerated | {name},
        deathtouched=combat.deathtouched - {name},
    )


def destroy(combat: Combat, names: list[str]) -> Combat:
    """701.8: destroyed together; 702.12b kw.indestructible; 614.8 regen.replacement."""
    doomed = [name for name in names if not safe(combat, name)]
    saved = [name for name in doomed if name in combat.bodies and can_regenerate(combat, name)]
    combat = leave_battlefield(combat, [name for name in doomed if name not in saved], died=True)
    for name in saved:
        combat = regenerate(combat, name)
    return combat


def safe(combat: Combat, name: str) -> bool:
    """Whether the permanent cannot be destroyed."""
    return name in combat.bodies and has(combat, name, "indestructible")


def check(combat: Combat) -> Combat:
    """704.3: all at once, again and again until nothing happens or the game is over."""
    while True:
        before = combat
        gone = losers(combat)
        buried = list(dict.fromkeys(without_toughness(combat) + used_up(combat)))
        struck = [name for name in lethally_damaged(combat) if name not in buried]
        combat = destroy(combat, struck)
        combat = leave_battlefield(combat, buried, died=True)
        combat = part(replace(combat, deathtouched=frozenset()), gone)
        if combat.over or combat == before:
            return combat
