"""What a broken rule is called in the reader's words."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["CAUSED", "OF_A_BAND", "message", "no_attack_fits", "short_of_maximum"]

#: Rules that a band breaks as a whole.
OF_A_BAND = frozenset({"banding.form", "banding.same_target"})

#: Rules that many phrases and positions break: what breaks them here is said, too.
CAUSED = frozenset({"attack.choose", "attack.restrict", "block.choose", "block.restrict"})

#: The sentence for each slug; ``{0}``, ``{1}`` are the names of those who break the rule,
#: ``{all}`` is all of them in a row.
SENTENCES: dict[str, str] = {
    "attack.choose": "{0} cannot be chosen as an attacker",
    "attack.summoning_sick": "{0} came under its controller's control this turn and has no haste",
    "attack.target": "{0} cannot attack {1}",
    "attack.restrict": "a restriction on {all} forbids this attack",
    "kw.defender": "{0} has defender and cannot attack",
    "banding.form": "{all} cannot be one band",
    "banding.form.partition": "{0} is in two bands, or in a band without attacking",
    "banding.same_target": "{all} are one band and must attack the same player or permanent",
    "block.choose": "{0} cannot be chosen to block{like_this}",
    "block.restrict": "a restriction on {all} forbids this block",
    "kw.flying": "{0} cannot block {1}, which has flying: {0} has neither flying nor reach",
    "kw.landwalk": "{0} cannot block {1}, which walks on a land of the defending player",
    "kw.menace": "{0} has menace and cannot be blocked by one creature alone",
    "attack.cost.pay": "{0} cannot pay the costs of this attack",
    "block.cost.pay": "{0} cannot pay the costs of this block",
    "kw.shadow": "{0} cannot block {1}: creatures with shadow and creatures without it "
    "do not block each other",
    "kw.horsemanship": "{0} cannot block {1}, which has horsemanship: {0} has none",
    "kw.fear": "{0} cannot block {1}, which has fear: {0} is neither an artifact nor black",
    "kw.intimidate": "{0} cannot block {1}, which has intimidate: {0} is no artifact and "
    "shares no color with it",
    "kw.skulk": "{0} cannot block {1}, which has skulk: the power of {0} is greater",
    "kw.protection.block": "{0} cannot block {1}, which has protection from it",
    "kw.decayed": "{0} has decayed and cannot block",
    "damage.assign.amount": "{0} step: {1} must assign all its damage",
    "damage.assign.check_total": "{0} step: {1} may assign no damage in this step",
    "damage.assign.unblocked": "{0} step: {1} is unblocked and assigns to what it attacks only, "
    "not to {2}",
    "damage.assign.blocked": "{0} step: {1} is blocked and cannot assign damage to {2}",
    "damage.assign.blocker": "{0} step: {1} can assign damage to the creatures that it blocks "
    "only, not to {2}",
    "kw.trample.assign": "{0} step: {1} tramples over before every blocker is assigned lethal "
    "damage",
    "kw.trample.over_pw": "{0} step: {1} tramples over {2} before {2} is assigned damage equal to "
    "its loyalty",
}


def message(slug: str, names: tuple[str, ...]) -> str:
    """A sentence that says what is wrong, naming the creatures."""
    like_this = f" {names[1]}" if len(names) > 1 else " like this"
    return SENTENCES[slug].format(*names, all=" and ".join(names), like_this=like_this)


def short_of_maximum(
    declaration: str, obeyed: int, most: int, required: int, missed: Iterable[str] = ()
) -> str:
    """What to say of a declaration that obeys too few requirements; ``missed`` are the others."""
    what = "attack" if declaration == "attackers" else "block"
    return (
        f"this {what} obeys {obeyed} of {required} requirements; {most} can be obeyed without "
        f"breaking a restriction; not obeyed: {', '.join(missed)}"
    )


def no_attack_fits() -> str:
    """What to say of fixed blocks that are too few whatever the attack."""
    return "under every legal attack, some other block obeys more requirements than this one"
