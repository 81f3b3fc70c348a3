"""What the magic version adds to the picture of the board, and the viewer's cards beside it."""

from collections import Counter
from collections.abc import Iterable

from engine.aladdins_dragons.board.effects import CLOSED, FIRST
from engine.aladdins_dragons.board.view_model import View
from engine.aladdins_dragons.cards.card import rule_text
from engine.aladdins_dragons.text.summary import situation
from engine.aladdins_dragons.text.words import Words
from engine.core import JsonObject, Seat


def notes(view: View, words: Words) -> list[JsonObject]:
    """What everybody should know now, as `situation` says it."""
    return [{"kind": note.kind, "text": note.text, "seat": note.seat} for note in situation(view, words)]


def marks(view: View, space: str) -> list[JsonObject]:
    """What lasts on a space: {"id": "closed"} or {"id": "first", "seat": who counts as the strongest}."""
    if not view.has_magic:
        return []
    shown = [effect for effect in view.magic.effects if effect.space == space and effect.name in (CLOSED, FIRST)]
    return [{"id": effect.name, "seat": effect.seat} for effect in shown]


def player_cards(view: View, words: Words, seat: Seat) -> JsonObject:
    """A player's spells and tiles; the keys are those of `picture.picture`."""
    if not view.has_magic:
        return {"spells": None, "spells_label": "", "tiles": [], "uses_label": ""}
    magic = view.magic
    left = max(0, magic.allowance[seat] - len(magic.used[seat]))
    return {
        "spells": magic.spell_counts[seat],
        "spells_label": words.sentence("spells-in-hand", count=magic.spell_counts[seat]),
        "tiles": _tiles(view, words, seat),
        "uses_label": words.sentence("uses-left", count=left),
    }


def _tiles(view: View, words: Words, seat: Seat) -> list[JsonObject]:
    """Every tile: one's own and those everybody knows of by type (A47); then the others."""
    magic = view.magic
    own = magic.artifacts if seat == view.seat and magic.artifacts is not None else magic.tiles[seat]
    known = list((Counter(own) | Counter(magic.used[seat])).elements())
    used = Counter(magic.used[seat])
    tiles = []
    for name in known:
        rule = card_rule(view, words, name)
        tiles.append({"id": name, "label": f"{words.card(name)}: {rule}", "is_used": used[name] > 0})
        used[name] -= 1
    hidden = view.artifact_counts[seat] - len(known)
    unknown = {"id": "hidden", "label": words.sentence("tile-hidden"), "is_used": False}
    return [*tiles, *(unknown for _ in range(hidden))]


def own_spells(view: View, words: Words) -> list[dict[str, str]]:
    """The viewer's spells: name and rule."""
    names = (view.magic.spells or []) if view.has_magic else []
    return [{"name": words.card(name), "rule": card_rule(view, words, name)} for name in names]


def card_rule(view: View, words: Words, card: str) -> str:
    """What a card does at this table."""
    return words.say(rule_text(card, view.magic.last_first))


def card_lists(view: View, words: Words) -> list[JsonObject]:
    """Cards with what they do, in groups: those of the viewer, what is for sale, and what has been played."""
    if not view.has_magic:
        return []
    magic, seat = view.magic, view.seat
    lists: list[tuple[str, list[str], list[str]]]
    lists = [("cards-for-sale", list(magic.offers.values()), []), ("cards-played", magic.played, [])]
    if seat is not None:
        used = magic.used[seat]
        lists = [("own-spells", magic.spells or [], []), ("own-artifacts", magic.artifacts or [], used), *lists]
    return [
        {"label": words.sentence(code), "cards": _cards(view, words, names, marked)}
        for code, names, marked in lists
        if names
    ]


def _cards(view: View, words: Words, names: Iterable[str], used: Iterable[str]) -> list[JsonObject]:
    spent = Counter(used)
    return [
        {
            "name": words.card(name),
            "count": count,
            "rule": card_rule(view, words, name),
            "note": words.sentence("used-mark") if spent[name] else "",
        }
        for name, count in Counter(names).items()
    ]
