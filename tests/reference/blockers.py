"""Declaring blockers (509), and what being blocked means for a band (702.22h-i)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations, product

from pysolver.scenario.model import MaxBlockers

from .maximum import Maximum
from .state import (
    Combat,
    Pair,
    abilities,
    band_of,
    controls_land,
    creatures_of,
    defends,
    filters,
    has,
    has_color,
    has_type,
    is_creature,
    matches,
    numbers,
    of_kind,
    power,
    words,
)

Declared = frozenset[Pair]
BlocksKey = tuple[Declared, frozenset[Pair]]


def can_be_chosen(combat: Combat, blocker: str) -> bool:
    """509.1a block.choose: an untapped creature of a defending player, no battle."""
    return (
        is_creature(combat, blocker)
        and not combat.bodies[blocker].tapped
        and blocker not in combat.battles
        and combat.bodies[blocker].controller in combat.board.defenders
    )


def can_choose(combat: Combat, blocker: str, attacker: str) -> bool:
    """509.1a block.choose: the attacker attacks its controller, or something he defends."""
    return attacker in combat.attacking and defends(
        combat, combat.bodies[blocker].controller, attacker
    )


def groups(combat: Combat) -> list[list[str]]:
    """Those who declare together: each defending player (802.4), or the team (805.10d)."""
    defenders = [player for player in combat.board.turn_order if player in combat.board.defenders]
    if not combat.board.shared:
        return [[player] for player in defenders]
    sides = dict.fromkeys(combat.board.side(player) for player in defenders)
    return [[p for p in defenders if combat.board.side(p) == side] for side in sides]


def capacity(combat: Combat, blocker: str) -> int:
    """509.1a: one attacker, and as many more as effects allow (A-24)."""
    if has(combat, blocker, "blocks_any_number"):
        return len(combat.attacking)
    return 1 + sum(numbers(combat, blocker, "extra_blocks"))


def is_colored_like(combat: Combat, one: str, other: str) -> bool:
    """Whether two creatures share a color."""
    cards = combat.board.cards
    return any(has_color(combat, other, color) for color in cards[one].colors)


def is_artifact(combat: Combat, name: str) -> bool:
    """Whether the creature is an artifact creature."""
    return has_type(combat, name, "artifact", changeling=False)


def evasion_slugs(combat: Combat, blocker: str, attacker: str) -> set[str]:
    """509.1b block.restrict: the evasion keywords, judged for one declared pair."""
    found = set()
    if has(combat, attacker, "flying") and not (
        has(combat, blocker, "flying") or has(combat, blocker, "reach")
    ):
        found.add("kw.flying")
    if has(combat, attacker, "shadow") != has(combat, blocker, "shadow"):
        found.add("kw.shadow")
    if has(combat, attacker, "horsemanship") and not has(combat, blocker, "horsemanship"):
        found.add("kw.horsemanship")
    black = has_color(combat, blocker, "black")
    if has(combat, attacker, "fear") and not (black or is_artifact(combat, blocker)):
        found.add("kw.fear")
    shared = is_colored_like(combat, attacker, blocker)
    if has(combat, attacker, "intimidate") and not (shared or is_artifact(combat, blocker)):
        found.add("kw.intimidate")
    defender = combat.defender_of[attacker]
    if any(controls_land(combat, defender, land) for land in words(combat, attacker, "landwalk")):
        found.add("kw.landwalk")
    if any(
        matches(combat, quality, blocker) for quality in filters(combat, attacker, "protection")
    ):
        found.add("kw.protection.block")
    if has(combat, attacker, "skulk") and power(combat, blocker) > power(combat, attacker):
        found.add("kw.skulk")
    return found


def breaks_pair_phrase(combat: Combat, blocker: str, attacker: str) -> bool:
    """509.1b block.restrict: phrases of the attacker and of the blocker about one pair."""
    alone = len(combat.attacking) == 1
    return (
        has(combat, attacker, "unblockable")
        or (alone and has(combat, attacker, "unblockable_alone"))
        or any(matches(combat, f, blocker) for f in filters(combat, attacker, "cant_be_blocked_by"))
        or not all(
            matches(combat, f, blocker) for f in filters(combat, attacker, "blocked_only_by")
        )
        or not all(matches(combat, f, attacker) for f in filters(combat, blocker, "blocks_only"))
        or any(matches(combat, f, attacker) for f in filters(combat, blocker, "cant_block_filter"))
    )


def pair_slugs(combat: Combat, blocker: str, attacker: str) -> set[str]:
    """Every restriction that one declared pair breaks by itself."""
    found = evasion_slugs(combat, blocker, attacker)
    if breaks_pair_phrase(combat, blocker, attacker):
        found.add("block.restrict")
    if has(combat, blocker, "cant_block"):
        found.add("block.restrict")
    if has(combat, blocker, "decayed"):
        found.add("kw.decayed")
    return found


def resulting(combat: Combat, declared: Iterable[Pair]) -> frozenset[Pair]:
    """702.22h banding.propagate.creature: who blocks whom after the declaration."""
    return frozenset(
        (blocker, member) for blocker, attacker in declared for member in band_of(combat, attacker)
    )


def own_pairs(combat: Combat, declared: Declared) -> frozenset[Pair]:
    """The resulting pairs, without attackers of other defending players (802.4b, A-41)."""
    return frozenset(
        (blocker, attacker)
        for blocker, attacker in resulting(combat, declared)
        if can_choose(combat, blocker, attacker)
    )


def count_slugs(combat: Combat, declared: Declared) -> set[str]:
    """509.1b block.restrict: restrictions on the number of creatures that block an attacker."""
    scope = combat.board.reading("restriction_scope", "declared")
    counted = declared if scope == "declared" else resulting(combat, declared)
    counts = Counter(attacker for _, attacker in counted)
    found = set()
    for attacker in {attacker for _, attacker in declared}:
        count = counts[attacker]
        if count < 2 and has(combat, attacker, "menace"):
            found.add("kw.menace")
        if any(count < number for number in numbers(combat, attacker, "min_blockers")):
            found.add("block.restrict")
        if any(count > number for number in numbers(combat, attacker, "max_blockers")):
            found.add("block.restrict")
        if has(combat, attacker, "unblockable_unless_all_block"):
            everyone = creatures_of(combat, [combat.defender_of[attacker]])
            if not all((name, attacker) in declared for name in everyone):
                found.add("block.restrict")
    return found


def set_slugs(combat: Combat, declared: Declared) -> set[str]:
    """509.1b block.restrict: restrictions that look at the whole declaration of a player."""
    found = count_slugs(combat, declared)
    blockers = {blocker for blocker, _ in declared}
    for blocker in blockers:
        others = blockers - {blocker}
        if not others and has(combat, blocker, "cant_block_alone"):
            found.add("block.restrict")
        if has(combat, blocker, "cant_block_unless_greater_power") and not any(
            power(combat, other) > power(combat, blocker) for other in others
        ):
            found.add("block.restrict")
    for effect in combat.board.scenario.effects:
        if isinstance(effect, MaxBlockers) and len(blockers) > effect.count:
            found.add("block.restrict")
    return found


def requirements_met(combat: Combat, declared: Declared) -> int:
    """509.1c block.require.max: how many requirements the declaration obeys."""
    scope = combat.board.reading("requirement_scope", "declared")
    pairs = declared if scope == "declared" else own_pairs(combat, declared)
    met = sum(
        len(of_kind(combat, blocker, "must_block")) for blocker in {name for name, _ in declared}
    )
    for blocker, attacker in pairs:
        met += words(combat, blocker, "must_block_creature").count(attacker)
        met += len(of_kind(combat, attacker, "lure"))
    for attacker in {attacker for _, attacker in pairs}:
        met += must_be_blocked_met(combat, attacker, [b for b, a in pairs if a == attacker])
    return met


def must_be_blocked_met(combat: Combat, attacker: str, by: list[str]) -> int:
    """The requirements on an attacker that these blockers meet; ``by`` is not empty."""
    met = 0
    for ability in abilities(combat, attacker):
        argument = ability.args[0] if ability.args else None
        match ability.kind:
            case "must_be_blocked":
                met += 1
            case "must_be_blocked_by_one":
                met += len(by) == 1
            case "must_be_blocked_by_number":
                met += len(by) >= int(str(argument))
            case "must_be_blocked_by":
                assert not isinstance(argument, int | str | None)
                met += any(matches(combat, argument, name) for name in by)
    return met


def costs(combat: Combat, declared: Declared) -> dict[tuple[str, ...], int]:
    """509.1d block.cost.total: what each blocker costs, by the source of the cost."""
    found: dict[tuple[str, ...], int] = {}
    for blocker, attacker in declared:
        for index, amount in enumerate(numbers(combat, blocker, "block_cost")):
            found[blocker, "itself", str(index)] = amount
        for index, amount in enumerate(numbers(combat, attacker, "cost_to_be_blocked")):
            found[blocker, "attacker", attacker, str(index)] = amount
    return found


def payable(combat: Combat, due: dict[tuple[str, ...], int]) -> bool:
    """509.1f block.cost.pay: each defending player pays for his own creatures."""
    bill: Counter[str] = Counter()
    for key, amount in due.items():
        bill[combat.bodies[key[0]].controller] += amount
    return all(total <= combat.board.mana[player] for player, total in bill.items())


def options(combat: Combat, blocker: str) -> list[tuple[str, ...]]:
    """The sets of attackers that one creature may be declared to block."""
    possible = [
        attacker
        for attacker in combat.attacking
        if can_choose(combat, blocker, attacker) and not pair_slugs(combat, blocker, attacker)
    ]
    most = min(capacity(combat, blocker), len(possible))
    return [chosen for size in range(most + 1) for chosen in combinations(possible, size)]


def candidates(combat: Combat, group: Iterable[str]) -> list[Declared]:
    """Every declaration of those players that keeps each restriction (509.1a-b)."""
    names = [name for name in creatures_of(combat, group) if can_be_chosen(combat, name)]
    found = []
    for chosen in product(*(options(combat, name) for name in names)):
        pairs = frozenset((n, a) for n, group in zip(names, chosen, strict=True) for a in group)
        if not set_slugs(combat, pairs):
            found.append(pairs)
    return found


def maximum(combat: Combat, declarations: Iterable[Declared]) -> Maximum[Declared]:
    """The yardstick of 509.1c for this attack."""
    return Maximum(
        (requirements_met(combat, declared), frozenset(costs(combat, declared)))
        for declared in declarations
    )


def legal(combat: Combat) -> Iterator[Declared]:
    """802.4b mp.multi: each one declares for himself; what is legal together is the product."""
    for chosen in product(*(list(legal_for(combat, group)) for group in groups(combat))):
        yield frozenset().union(*chosen)


def legal_for(combat: Combat, group: Iterable[str]) -> Iterator[Declared]:
    """509.1a-c and f: the legal declarations of those who declare together."""
    found = candidates(combat, group)
    yardstick = maximum(combat, found)
    for declared in found:
        due = costs(combat, declared)
        met = requirements_met(combat, declared)
        if payable(combat, due) and yardstick.reached(met, frozenset(due)):
            yield declared


def fixed_pairs(combat: Combat) -> Declared | None:
    """The declaration that the scenario fixes, if any."""
    fixed = combat.board.scenario.blocks
    if fixed is None:
        return None
    return frozenset((blocker, a) for blocker, group in fixed.blocks.items() for a in group)


def violations(combat: Combat) -> set[str]:
    """Every rule that the scenario's fixed blocks break against the present attack."""
    pairs = fixed_pairs(combat)
    if pairs is None:
        return set()
    found: set[str] = set()
    rest = pairs
    for group in groups(combat):
        own = frozenset(pair for pair in pairs if pair[0] in creatures_of(combat, group))
        found |= violations_of(combat, group, own)
        rest -= own
    return found | {"block.choose"} if rest else found


def violations_of(combat: Combat, group: Iterable[str], pairs: Declared) -> set[str]:
    """The rules that the declaration of those who declare together breaks."""
    found: set[str] = set()
    judged = set()
    for blocker, attacker in pairs:
        if not can_be_chosen(combat, blocker):
            found.add("block.choose")
        if not can_choose(combat, blocker, attacker):
            found.add("block.choose")
        else:
            found |= pair_slugs(combat, blocker, attacker)
            judged.add((blocker, attacker))
        if sum(name == blocker for name, _ in pairs) > capacity(combat, blocker):
            found.add("block.choose")
    declared = frozenset(judged)
    found |= set_slugs(combat, declared)
    due = costs(combat, declared)
    if not payable(combat, due):
        found.add("block.cost.pay")
    met = requirements_met(combat, declared)
    if not found and not maximum(combat, candidates(combat, group)).reached(met, frozenset(due)):
        found.add("block.require.max")
    return found


def declarations(combat: Combat) -> Iterator[BlocksKey]:
    """509.1 block.procedure: every legal declaration, or the fixed one if it is legal."""
    pairs = fixed_pairs(combat)
    if pairs is None:
        chosen: Iterable[Declared] = legal(combat)
    else:
        chosen = [] if violations(combat) else [pairs]
    for declared in chosen:
        resulted = resulting(combat, declared)
        yield declared, frozenset((attacker, blocker) for blocker, attacker in resulted)


def declare(combat: Combat, key: BlocksKey) -> Combat:
    """509.1g block.become and 509.1h block.status, with 702.22h for bands."""
    blocking = frozenset((blocker, attacker) for attacker, blocker in key[1])
    return replace(
        combat,
        declared_blocks=key[0],
        blockers=frozenset(blocker for blocker, _ in key[0]),
        blocking=blocking,
        blocked=frozenset(attacker for _, attacker in blocking),
    )
