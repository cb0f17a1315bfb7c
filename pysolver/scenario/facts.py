"""A scenario as ground facts, in the vocabulary of ``encodings/defined.lp``.

:mod:`pysolver.scenario.reader` is the way back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from pysolver.scenario.abilities import (
    Ability,
    AllOf,
    AnyOf,
    Anything,
    Argument,
    ControlledBy,
    Filter,
    HasColor,
    HasType,
    Named,
    Not,
    PowerAtLeast,
    PowerAtMost,
    WithAbility,
)
from pysolver.scenario.editions import in_force
from pysolver.scenario.model import (
    AllAttack,
    AttackTax,
    Creature,
    DamageChooser,
    Effect,
    Event,
    Gives,
    MaxAttackers,
    MaxBlockers,
    MustAttackWith,
    Player,
    Scenario,
)

__all__ = [
    "abilities",
    "ability_term",
    "effect_terms",
    "event_term",
    "facts",
    "filter_term",
    "filters",
    "quoted",
]

_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n"})

#: Kinds whose only argument is the words of a land.
LAND_KINDS = ("landwalk", "cant_attack_unless_land")


def quoted(text: str) -> str:
    """A text as a clingo string."""
    return f'"{text.translate(_ESCAPES)}"'


def _call(name: str, *arguments: object) -> str:
    return f"{name}({','.join(map(str, arguments))})" if arguments else name


def filter_term(filter: Filter) -> str:
    """A filter as a term."""
    match filter:
        case Anything():
            return "anything"
        case HasType(text):
            return _call("type", quoted(text))
        case HasColor(color):
            return _call("color", quoted(color))
        case Named(text):
            return _call("named", quoted(text))
        case ControlledBy(text):
            return _call("controlled_by", quoted(text))
        case WithAbility(ability):
            return _call("with", ability_term(ability))
        case PowerAtLeast(amount):
            return _call("power_at_least", amount)
        case PowerAtMost(amount):
            return _call("power_at_most", amount)
        case Not(inner):
            return _call("non", filter_term(inner))
        case AllOf(left, right):
            return _call("all_of", filter_term(left), filter_term(right))
        case AnyOf(left, right):
            return _call("any_of", filter_term(left), filter_term(right))


def _argument(argument: Argument) -> str:
    if isinstance(argument, int):
        return str(argument)
    return quoted(argument) if isinstance(argument, str) else filter_term(argument)


def ability_term(ability: Ability) -> str:
    """An ability as a term."""
    return _call(ability.kind, *map(_argument, ability.args))


def effect_terms(effect: Effect) -> Iterator[str]:
    """An effect as terms: one, but for ``gives`` one for each ability."""
    match effect:
        case AttackTax(player, mana, walkers):
            name = "attack_tax_planeswalkers" if walkers else "attack_tax"
            yield _call(name, quoted(player), mana)
        case MaxAttackers(count, None):
            yield _call("max_attackers", count)
        case MaxAttackers(count, str(player)):
            yield _call("max_attackers", count, quoted(player))
        case MaxBlockers(count):
            yield _call("max_blockers", count)
        case AllAttack(player):
            yield _call("all_attack", quoted(player))
        case Gives(to, abilities):
            for ability in abilities:
                yield _call("gives", filter_term(to), ability_term(ability))
        case MustAttackWith(player, count, walkers):
            name = "must_attack_with_planeswalkers" if walkers else "must_attack_with"
            yield _call(name, quoted(player), count)
        case DamageChooser(side, by, None):
            yield _call("damage_chooser", side, quoted(by))
        case DamageChooser(side, by, str(player)):
            yield _call("damage_chooser", side, quoted(by), quoted(player))


#: The arguments of each operation that has more than its subject, in the order of its term.
EVENT_DETAILS: Mapping[str, tuple[str, ...]] = {
    "damage": ("amount",),
    "pump": ("power", "toughness"),
    "control": ("to",),
    "put-attacking": ("target",),
    "put-blocking": ("attacker",),
    "reselect": ("target",),
}


def event_term(event: Event) -> str:
    """What an event does, as a term."""
    name, details = event.operation.replace("-", "_"), event.details
    if event.operation in ("gain", "lose"):
        key = "type" if "type" in details else "ability"
        name = f"{name}_type" if key == "type" else name
        return _call(name, quoted(event.subject), _detail(details[key]))
    if event.operation == "prevent-combat-damage":
        return _call(f"{name}_by" if "by" in details else f"{name}_to", quoted(event.subject))
    keys = EVENT_DETAILS.get(event.operation, ())
    return _call(name, quoted(event.subject), *(_detail(details[key]) for key in keys))


def _detail(value: int | str | Ability) -> str:
    return ability_term(value) if isinstance(value, Ability) else _argument(value)


def _rules(scenario: Scenario) -> Iterator[str]:
    edition = scenario.edition
    yield _call("edition", quoted(edition.label), quoted(edition.date.isoformat()))
    for switch in sorted(in_force(edition.date)):
        yield _call("in_force", switch)
    for name in sorted(scenario.readings):
        yield _call("reading", quoted(name), quoted(scenario.readings[name]))


def _player(player: Player, seat: int, shared: bool) -> Iterator[str]:
    name = quoted(player.name)
    yield _call("player", name)
    yield _call("turn_order", name, seat)
    if player.team is not None:
        yield _call("team", name, quoted(player.team))
    if not shared:
        yield _call("life", name, player.life)
    if player.poison:
        yield _call("poison", name, player.poison)
    if player.mana:
        yield _call("mana", name, player.mana)
    for index, words in enumerate(player.lands):
        for word in words:
            yield _call("land", name, index, quoted(word))


def _players(scenario: Scenario) -> Iterator[str]:
    yield _call("variant", scenario.variant.replace("-", "_"))
    shared = scenario.variant == "two-headed-giant"
    for seat, player in enumerate(scenario.players):
        yield from _player(player, seat, shared)
    for team in scenario.teams:
        yield _call("life", quoted(team.name), team.life)
    yield _call("active", quoted(scenario.active))


def _creature(creature: Creature) -> Iterator[str]:
    name = quoted(creature.name)
    yield _call("creature", name)
    yield _call("controller", name, quoted(creature.controller))
    yield _call("printed_power", name, creature.power)
    yield _call("printed_toughness", name, creature.toughness)
    for index, ability in enumerate(creature.abilities):
        yield _call("ability", name, index, ability_term(ability))
    for word in creature.types:
        yield _call("type", name, quoted(word))
    for color in creature.colors:
        yield _call("color", name, quoted(color))
    if creature.named is not None:
        yield _call("named", name, quoted(creature.named))
    if creature.damage:
        yield _call("marked_damage", name, creature.damage)
    if creature.tapped:
        yield _call("tapped", name)
    if creature.sick:
        yield _call("summoning_sick", name)
    if creature.shields:
        yield _call("shields", name, creature.shields)
    for player in creature.goaded_by:
        yield _call("goaded", name, quoted(player))


def _permanents(scenario: Scenario) -> Iterator[str]:
    creatures = {creature.name for creature in scenario.creatures}
    for creature in scenario.creatures:
        yield from _creature(creature)
    for walker in scenario.planeswalkers:
        yield _call("planeswalker", quoted(walker.name))
        if walker.name not in creatures:
            yield _call("controller", quoted(walker.name), quoted(walker.controller))
        yield _call("loyalty", quoted(walker.name), walker.loyalty)
    for battle in scenario.battles:
        yield _call("battle", quoted(battle.name))
        if battle.name not in creatures:
            yield _call("controller", quoted(battle.name), quoted(battle.controller))
        yield _call("protector", quoted(battle.name), quoted(battle.protector))
        yield _call("defense", quoted(battle.name), battle.defense)


def _effects(scenario: Scenario) -> Iterator[str]:
    terms = (term for effect in scenario.effects for term in effect_terms(effect))
    for index, term in enumerate(terms):
        yield _call("effect", index, term)


def abilities(scenario: Scenario) -> Iterator[Ability]:
    """Every ability that the scenario speaks of: printed, given by an effect, or in an event."""
    for creature in scenario.creatures:
        yield from creature.abilities
    for effect in scenario.effects:
        if isinstance(effect, Gives):
            yield from effect.abilities
    for event in scenario.events:
        ability = event.details.get("ability")
        if isinstance(ability, Ability):
            yield ability


def _parts(filter: Filter) -> Iterator[Filter]:
    yield filter
    match filter:
        case AllOf(left, right) | AnyOf(left, right):
            yield from _parts(left)
            yield from _parts(right)
        case Not(inner):
            yield from _parts(inner)
        case WithAbility(ability):
            for argument in ability.args:
                if not isinstance(argument, int | str):
                    yield from _parts(argument)
        case _:
            pass


def filters(scenario: Scenario) -> Iterator[Filter]:
    """Every filter that the scenario speaks of, with its parts."""
    roots = [effect.to for effect in scenario.effects if isinstance(effect, Gives)]
    for ability in abilities(scenario):
        roots += [argument for argument in ability.args if not isinstance(argument, int | str)]
    for root in roots:
        yield from _parts(root)


def _spoken_of(scenario: Scenario) -> Iterator[str]:
    lands: set[Argument] = set()
    for ability in abilities(scenario):
        lands.update(ability.args if ability.kind in LAND_KINDS else ())
    for part in filters(scenario):
        yield _call("filter", filter_term(part))
        if isinstance(part, WithAbility) and part.ability.kind in LAND_KINDS:
            lands.update(part.ability.args)
    for quality in sorted(map(str, lands)):
        for word in quality.split():
            yield _call("quality_word", quoted(quality), quoted(word))


def _given(scenario: Scenario) -> Iterator[str]:
    if scenario.attack is not None:
        yield _call("given", "attack")
        attackers = scenario.attack.attackers
        for name in sorted(attackers):
            yield _call("given_attack", quoted(name), quoted(attackers[name]))
        for index, band in enumerate(scenario.attack.bands):
            for name in band:
                yield _call("given_band", index, quoted(name))
    for name, order in sorted((scenario.order or {}).items()):
        for index, other in enumerate(order):
            yield _call("given_order", quoted(name), index, quoted(other))
    if scenario.blocks is not None:
        yield _call("given", "blocks")
        for name in sorted(scenario.blocks.blocks):
            for attacker in scenario.blocks.blocks[name]:
                yield _call("given_block", quoted(name), quoted(attacker))
    yield from _given_damage(scenario)


def _given_damage(scenario: Scenario) -> Iterator[str]:
    for step, sources in sorted((scenario.damage.steps if scenario.damage else {}).items()):
        word = step.replace("-", "_")
        for source in sorted(sources):
            yield _call("given_damage", word, quoted(source))
            for recipient, amount in sorted(sources[source].items()):
                yield _call("given_damage", word, quoted(source), quoted(recipient), amount)


def _events(scenario: Scenario) -> Iterator[str]:
    for index, event in enumerate(scenario.events):
        yield _call("event", index, event.at.replace("-", "_"), event_term(event))
        if event.may is not None:
            yield _call("may", index, quoted(event.may))


_SECTIONS = (
    ("Which rules are in force", _rules),
    ("Who plays", _players),
    ("What is on the battlefield", _permanents),
    ("Continuous effects", _effects),
    ("What the abilities and effects speak of", _spoken_of),
    ("What the scenario fixes", _given),
    ("What happens in between", _events),
)


def _section(title: str, lines: Iterable[str]) -> str:
    unique = dict.fromkeys(f"{line}.\n" for line in lines)
    return f"% {title}\n{''.join(unique)}\n" if unique else ""


def facts(scenario: Scenario) -> str:
    """The scenario as facts, one a line and in a stable order, under short headings."""
    title = "% " + " ".join(scenario.title.split()) + "\n\n" if scenario.title.strip() else ""
    text = title + "".join(_section(name, part(scenario)) for name, part in _SECTIONS)
    return text.rstrip("\n") + "\n"
