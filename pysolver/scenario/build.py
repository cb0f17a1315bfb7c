"""From a document to a :class:`Scenario`, with everything that is wrong with it in one error."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import PurePath
from typing import Any, cast

from pysolver.errors import Problem, ScenarioError
from pysolver.frozen import FrozenDict
from pysolver.scenario.abilities import Ability, Anything, Filter
from pysolver.scenario.document import Document, Keys, path_text
from pysolver.scenario.editions import EDITIONS, READINGS, in_force, parse_edition, parse_readings
from pysolver.scenario.filters import parse_filter
from pysolver.scenario.model import (
    AllAttack,
    Attack,
    AttackTax,
    Battle,
    Blocks,
    Creature,
    Damage,
    DamageChooser,
    Edition,
    Effect,
    Event,
    Gives,
    MaxAttackers,
    MaxBlockers,
    MustAttackWith,
    Planeswalker,
    Player,
    Scenario,
    Step,
    Team,
)
from pysolver.scenario.phrases import keyword, parse_abilities, parse_quality
from pysolver.scenario.rules import (
    PERMANENT,
    PLAYER,
    find_problems,
    names_of,
    scenario_kinds,
    wrong_name,
)
from pysolver.scenario.schema import OPERATIONS, RawCreature, RawEvent, RawScenario, validate
from pysolver.scenario.words import LARGEST, singular

__all__ = ["build_scenario"]

_PT = re.compile(r"([+-]?\d{1,6})/([+-]?\d{1,6})")
#: What stands between the words of a type line, and the one word that goes without saying.
_NO_TYPES = ("-", "\u2013", "\u2014", "//", "creature", "creatures")


def build_scenario(document: Document, readings: Mapping[str, str] | None = None) -> Scenario:
    """The scenario of a document; ``readings`` win over those that it gives.

    Raises :class:`ScenarioError` with every problem that was found.
    """
    raw, problems = validate(document)
    if raw is None:
        raise ScenarioError(problems=problems, file=document.file)
    builder = _Builder(document, raw)
    scenario = builder.scenario(readings or {})
    problems = builder.problems(find_problems(scenario))
    if problems:
        raise ScenarioError(problems=problems, file=document.file)
    return scenario


class _Builder:
    """Builds the parts of a scenario and notes what cannot be built."""

    def __init__(self, document: Document, raw: RawScenario) -> None:
        self.document, self.raw = document, raw
        self.found: list[tuple[Keys, str, Keys]] = []
        self.kept: list[Event] = []
        #: Where a creature that ``count`` made, or an effect, stands in the document.
        self.origin: dict[Keys, Keys] = {}
        self.creature_names = {name: self.copies(name) for name in raw.creatures}
        self.edition = self.read_edition()
        self.shared = raw.variant == "two-headed-giant"
        switches = in_force(self.edition.date)
        self.kinds = scenario_kinds(
            raw.players,
            dict.fromkeys(player.team for player in raw.players.values() if player.team),
            (copy for copies in self.creature_names.values() for copy in copies),
            raw.planeswalkers,
            raw.battles,
        )
        attacked = self.shared and "team_attacked" in switches
        self.names = names_of(self.kinds, team_attacked=attacked)

    def note(self, keys: Keys, message: str, line_keys: Keys = ()) -> None:
        """Remember a problem; ``line_keys`` lead to its line where they say more than ``keys``."""
        self.found.append((keys, message, line_keys or keys))

    def problems(self, more: Iterable[tuple[Keys, str]]) -> list[Problem]:
        """All problems with their lines, in the order of the document."""
        for keys, message in more:
            self.note(self.written(keys), message)
        found = [
            Problem(message, path_text(keys), self.document.line(line_keys))
            for keys, message, line_keys in self.found
        ]
        return sorted(dict.fromkeys(found), key=lambda problem: problem.line or 0)

    def written(self, keys: Keys) -> Keys:
        """The keys of the document for the keys of a scenario."""
        return self.origin.get(keys[:2], keys[:2]) + keys[2:]

    def attempt(self, keys: Keys, function: Any, *arguments: Any, line_keys: Keys = ()) -> Any:
        """A call whose :class:`ScenarioError` is noted under ``keys``; then ``None``."""
        try:
            return function(*arguments)
        except ScenarioError as error:
            inner: Keys = (error.path,) if error.path else ()
            self.note(keys + inner, error.message, line_keys)
            return None

    def known(self, keys: Keys, name: str, wanted: tuple[str, ...]) -> None:
        """Note a name that is wrong and that no part of the scenario will hold."""
        problem = wrong_name(name, self.kinds, wanted)
        if problem:
            self.note(keys, problem)

    def unique(self, keys: Keys, names: list[str]) -> tuple[str, ...]:
        """A list in which nothing may stand twice."""
        for index, name in enumerate(names):
            if name in names[:index]:
                self.note(keys, f'"{name}" is named twice', (*keys, index))
        return tuple(sorted(set(names)))

    # The whole

    def scenario(self, readings: Mapping[str, str]) -> Scenario:
        raw = self.raw
        return Scenario(
            title=self.title(),
            edition=self.edition,
            readings=self.readings(readings),
            variant=raw.variant,
            players=tuple(self.player(name) for name in raw.players),
            active=raw.active,
            creatures=tuple(one for name in raw.creatures for one in self.creatures(name)),
            teams=self.teams(),
            planeswalkers=tuple(
                Planeswalker(name, walker.controller, walker.loyalty)
                for name, walker in raw.planeswalkers.items()
            ),
            battles=tuple(
                Battle(name, battle.controller, battle.protector, battle.defense)
                for name, battle in raw.battles.items()
            ),
            effects=self.effects(),
            attack=self.attack(),
            order=self.order(),
            blocks=self.blocks(),
            damage=self.damage(),
            events=tuple(self.events()),
        )

    def title(self) -> str:
        if self.raw.title is None:
            name = self.document.file
            return "" if name.startswith("<") else PurePath(name).stem
        title = self.raw.title.strip()
        if any(ord(character) < 32 for character in title):
            self.note(("title",), "a title is one line")
        return title

    def read_edition(self) -> Edition:
        edition = self.attempt(("edition",), parse_edition, self.raw.edition)
        return cast(Edition, edition or Edition("current", EDITIONS["current"]))

    def readings(self, more: Mapping[str, str]) -> FrozenDict[str, str]:
        found = self.attempt(("readings",), parse_readings, {**self.raw.readings, **more})
        return found or FrozenDict({name: values[0] for name, values in READINGS.items()})

    # Players and permanents

    def player(self, name: str) -> Player:
        raw = self.raw.players[name]
        keys: Keys = ("players", name)
        if self.shared and raw.life is not None:
            self.note((*keys, "life"), "with two-headed-giant life is the team's; give it there")
        lands = []
        for index, text in enumerate(raw.lands):
            place: Keys = (*keys, "lands")
            words = self.attempt(place, parse_quality, text, line_keys=(*place, index))
            lands.append(tuple((words or "").split()))
        life = 20 if self.shared or raw.life is None else raw.life
        return Player(name, life, raw.team, tuple(filter(None, lands)), raw.mana, raw.poison)

    def teams(self) -> tuple[Team, ...]:
        given = self.raw.teams
        if not self.shared:
            return tuple(Team(name, team.life) for name, team in given.items())
        names = dict.fromkeys(player.team for player in self.raw.players.values() if player.team)
        every = [*names, *(name for name in given if name not in names)]
        return tuple(Team(name, given[name].life if name in given else 30) for name in every)

    def copies(self, name: str) -> list[str]:
        count = self.raw.creatures[name].count
        copies = [name] if count is None else [f"{name}-{index + 1}" for index in range(count)]
        for copy in copies:
            self.origin["creatures", copy] = ("creatures", name)
        return copies

    def creatures(self, name: str) -> list[Creature]:
        raw = self.raw.creatures[name]
        keys: Keys = ("creatures", name)
        power, toughness = self.power_toughness(keys, raw)
        one = Creature(
            name=name,
            controller=raw.controller or "",
            power=power,
            toughness=toughness,
            abilities=self.abilities((*keys, "abilities"), raw.abilities),
            types=self.types(keys, raw.types),
            colors=tuple(dict.fromkeys(raw.colors)),
            damage=raw.damage,
            tapped=raw.tapped,
            sick=raw.sick,
            shields=raw.shields,
            goaded_by=tuple(raw.goaded_by),
            named=raw.named,
        )
        if self.missing(keys, raw):
            controller = next(iter(self.raw.players))
            one = replace(one, controller=controller, damage=0)
        return [replace(one, name=copy) for copy in self.creature_names[name]]

    def missing(self, keys: Keys, raw: RawCreature) -> bool:
        if raw.card is not None:
            message = f'there is no card index to look up "{raw.card}" in; give the keys instead'
            self.note((*keys, "card"), message)
            return True
        for key in ("controller", "pt"):
            if getattr(raw, key) is None:
                self.note((*keys, key), "this key is needed")
        return raw.controller is None or raw.pt is None

    def power_toughness(self, keys: Keys, raw: RawCreature) -> tuple[int, int]:
        if raw.pt is None:
            return 1, 1
        return self.pair((*keys, "pt"), raw.pt) or (1, raw.damage + 1)

    def pair(self, keys: Keys, text: str) -> tuple[int, int] | None:
        found = _PT.fullmatch(text.strip())
        if not found:
            self.note(keys, f'"{text}" is not power/toughness, such as "2/3"')
            return None
        for part in found.groups():
            if abs(int(part)) > LARGEST:
                self.note(keys, f"{part} is too large; at most {LARGEST}")
                return None
        return int(found[1]), int(found[2])

    def abilities(self, keys: Keys, texts: list[str]) -> tuple[Ability, ...]:
        found: list[Ability] = []
        for index, text in enumerate(texts):
            line_keys = (*keys, index)
            found += (
                self.attempt(keys, parse_abilities, text, self.names, line_keys=line_keys) or ()
            )
        return tuple(found)

    def types(self, keys: Keys, texts: list[str]) -> tuple[str, ...]:
        words = [word for text in texts for word in text.split() if word.lower() not in _NO_TYPES]
        return tuple(dict.fromkeys(singular(word) for word in words))

    # Effects

    def effects(self) -> tuple[Effect, ...]:
        found: list[Effect] = []
        for index in range(len(self.raw.effects)):
            for effect in self.effect(index):
                self.origin["effects", len(found)] = ("effects", index)
                found.append(effect)
        return tuple(found)

    def effect(self, index: int) -> Iterable[Effect]:
        raw = self.raw.effects[index]
        given = [key for key in type(raw).model_fields if getattr(raw, key) is not None]
        if len(given) != 1:
            known = [field.alias or key for key, field in type(raw).model_fields.items()]
            self.note(("effects", index), f"an effect has one of these keys: {', '.join(known)}")
        elif raw.attack_tax:
            tax = raw.attack_tax
            yield AttackTax(tax.protects, tax.mana, tax.planeswalkers)
        elif raw.max_attackers:
            yield MaxAttackers(raw.max_attackers.count, raw.max_attackers.attacking)
        elif raw.max_blockers:
            yield MaxBlockers(raw.max_blockers.count)
        elif raw.all_attack:
            yield AllAttack(raw.all_attack.controller)
        elif raw.must_attack_with:
            must = raw.must_attack_with
            yield MustAttackWith(must.defender, must.count, must.planeswalkers)
        elif raw.damage_chooser:
            chooser = raw.damage_chooser
            yield DamageChooser(chooser.of, chooser.by, chooser.attacking)
        elif raw.gives:
            yield from self.gives(("effects", index, "gives"), raw.gives.to, raw.gives.abilities)

    def gives(self, keys: Keys, to: str, texts: list[str]) -> Iterable[Effect]:
        """One effect for each ability, so that the same ability twice counts twice."""
        found = self.attempt((*keys, "to"), parse_filter, to, self.names, keyword)
        creatures: Filter = found or Anything()
        for ability in self.abilities((*keys, "abilities"), texts):
            yield Gives(creatures, (ability,))

    # What is fixed

    def attack(self) -> Attack | None:
        raw = self.raw.attack
        if raw is None:
            return None
        bands = []
        for index, members in enumerate(raw.bands):
            keys: Keys = ("attack", "bands", index)
            if not members:
                self.note(keys, "a band without members")
            band = self.unique(keys, members)
            if len(band) > 1:
                bands.append(band)
            for name in band if len(band) == 1 else ():
                self.known(keys, name, PERMANENT)
        return Attack(FrozenDict(raw.attackers), tuple(sorted(bands)))

    def order(self) -> FrozenDict[str, tuple[str, ...]] | None:
        raw = self.raw.order
        if raw is None:
            return None
        for name, others in raw.items():
            self.unique(("order", name), others)
        found = {name: tuple(dict.fromkeys(others)) for name, others in raw.items() if others}
        for name in raw.keys() - found.keys():
            self.known(("order", name), name, PERMANENT)
        if not found and "dao" not in in_force(self.edition.date):
            self.note(("order",), "this edition has no damage assignment order")
        return FrozenDict(found) if found else None

    def blocks(self) -> Blocks | None:
        raw = self.raw.blocks
        if raw is None:
            return None
        blocks = {name: self.unique(("blocks", name), names) for name, names in raw.items()}
        for name, attackers in blocks.items():
            if not attackers:
                self.known(("blocks", name), name, PERMANENT)
        return Blocks(FrozenDict({name: names for name, names in blocks.items() if names}))

    def damage(self) -> Damage | None:
        steps: dict[Step, FrozenDict[str, FrozenDict[str, int]]] = {}
        for step, sources in (self.raw.damage or {}).items():
            for source, split in sources.items():
                for name, amount in split.items():
                    if amount == 0:
                        self.known(("damage", step, source, name), name, (*PLAYER, *PERMANENT))
            if sources:
                steps[step] = FrozenDict(
                    {source: _without_zeros(split) for source, split in sources.items()}
                )
        return Damage(FrozenDict(steps)) if steps else None

    # Events

    def events(self) -> Iterable[Event]:
        for index, raw in enumerate(self.raw.events):
            keys: Keys = ("events", index)
            given = [key for key in OPERATIONS if getattr(raw, key.replace("-", "_")) is not None]
            if len(given) == 1:
                event = self.event((*keys, given[0]), given[0], raw)
                if event is not None:
                    self.origin["events", len(self.kept)] = keys
                    self.kept.append(event)
            elif given:
                self.note(keys, f"{given[0]} and {given[1]} are two events")
            else:
                self.note(keys, f"an event has one of these keys: {', '.join(OPERATIONS)}")
        return self.kept

    def event(self, keys: Keys, operation: str, raw: RawEvent) -> Event | None:
        value: Any = getattr(raw, operation.replace("-", "_"))
        if isinstance(value, str):
            return Event(raw.at, operation, value, may=raw.may)
        details = self.details(keys, operation, value)
        if details is None:
            return None
        subject = value.by or value.to if operation == "prevent-combat-damage" else value.creature
        return Event(raw.at, operation, subject, FrozenDict(details), raw.may)

    def details(
        self, keys: Keys, operation: str, value: Any
    ) -> dict[str, int | str | Ability] | None:
        match operation:
            case "pump":
                pair = self.pair((*keys, "pt"), value.pt)
                return None if pair is None else {"power": pair[0], "toughness": pair[1]}
            case "gain" | "lose":
                return self.change(keys, value)
            case "prevent-combat-damage":
                if (value.by is None) == (value.to is None):
                    self.note(keys, 'give "by" or "to"')
                    return None
                return {"by": value.by} if value.to is None else {"to": value.to}
            case _:
                given = value.model_dump()
                return {key: given[key] for key in given if key != "creature"}

    def change(self, keys: Keys, value: Any) -> dict[str, int | str | Ability] | None:
        if (value.ability is None) == (value.type is None):
            self.note(keys, 'give "ability" or "type"')
            return None
        if value.type is not None:
            words = [singular(word) for word in value.type.split()]
            if len(words) != 1:
                self.note((*keys, "type"), f'"{value.type}" is not one word of a type line')
                return None
            return {"type": words[0]}
        found = self.abilities((*keys, "ability"), [value.ability])
        if len(found) > 1:
            self.note((*keys, "ability"), "these are two abilities; write an event for each")
        return {"ability": found[0]} if len(found) == 1 else None


def _without_zeros(split: Mapping[str, int]) -> FrozenDict[str, int]:
    return FrozenDict({name: amount for name, amount in split.items() if amount})
