"""What only the magic version has, as data: the part of a state, and what one seat may see of it."""

import msgspec

from engine.core import Seat


class Effect(msgspec.Struct):
    """Something a card has changed for the rest of the round; `space` is "" if it holds everywhere."""

    name: str
    seat: Seat
    space: str = ""


class PassedSpell(msgspec.Struct):
    """A spell card that one seat gave another: both know it (A54)."""

    card: str
    giver: Seat
    owner: Seat


class BuriedSpell(msgspec.Struct):
    """A spell card that a seat discarded unseen (A54)."""

    card: str
    seat: Seat


EVERYBODY = -1
"""Among those who know a tile of a stack: the whole table, spectators too."""


class Magic(msgspec.Struct):
    """What only the magic version has.

    Arguments:
        last_first: "reverse" or "swap19" (S3).
        spell_deck: cards not yet drawn, the next one last.
        spells: cards in hand, by seat, in the order in which they came.
        passed: what givers know of the hands of others.
        played: cards played, in order; they are out of the game (A55).
        buried: cards discarded at the tent.
        used: artifact types used this round, by seat; their tiles lie before their owners (A82).
        allowance: artifact uses this round, by seat (A57).
        unknown: artifact types by seat that only their owner knows he has (A47).
        offers: rooms whose top tile lies face up and is for sale.
        known: by room and tile, bottom first, the seats that know a face-down tile; or `EVERYBODY`.
        effects: what cards have changed for the rest of the round.
        arrivals: tokens that have come to each space this round; their numbers count on from it.
        declared: declarations made outside windows this round; part of the decision ids.
    """

    last_first: str
    spell_deck: list[str]
    spells: list[list[str]]
    used: list[list[str]]
    allowance: list[int]
    unknown: list[list[str]]
    offers: list[str]
    known: dict[str, list[list[Seat]]]
    arrivals: dict[str, int]
    passed: list[PassedSpell] = []
    played: list[str] = []
    buried: list[BuriedSpell] = []
    effects: list[Effect] = []
    declared: int = 0


class MagicView(msgspec.Struct):
    """What one seat may see of `Magic`. Fields are those of `Magic` where they share a name.

    Arguments:
        spell_deck_count: spell cards not yet drawn.
        spells: the viewer's own cards; None for a spectator.
        spell_counts: cards in hand, by seat.
        passed: cards the viewer knows others hold because he gave them, and his own that he was given.
        buried: those the viewer discarded.
        buried_count: all discarded unseen.
        artifacts: the viewer's own tiles by type; None for a spectator.
        tiles: by seat the types everybody knows it has.
        offers: the artifact type that lies face up, by room.
        stacks: by room and tile, bottom first, the type where the viewer knows it.
        last_first: "reverse" or "swap19" (S3).
        played: cards played, in order; they are out of the game (A55).
        used: artifact types used this round, by seat (A82).
        allowance: artifact uses this round, by seat (A57).
        effects: what cards have changed for the rest of the round.
        arrivals: tokens that have come to each space this round; their numbers count on from it.
        declared: declarations made outside windows this round; part of the decision ids.
    """

    last_first: str
    spell_deck_count: int
    spells: list[str] | None
    spell_counts: list[int]
    passed: list[PassedSpell]
    played: list[str]
    buried: list[BuriedSpell]
    buried_count: int
    used: list[list[str]]
    allowance: list[int]
    artifacts: list[str] | None
    tiles: list[list[str]]
    offers: dict[str, str]
    stacks: dict[str, list[str | None]]
    effects: list[Effect]
    arrivals: dict[str, int]
    declared: int
