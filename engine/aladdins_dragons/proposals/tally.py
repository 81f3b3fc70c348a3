"""What a seat does in the tally, as orders that hold for the round: bribe, Key, purchases, market, camel, tent.

Each can be said in a line of a sheet or in words, so that whoever is proposed it can read it there and change it.
"""

from collections.abc import Mapping, Sequence

from engine.aladdins_dragons.board.facts import GUARD, KINDS, LAMP, PIECES, rooms
from engine.aladdins_dragons.board.view_model import View
from engine.aladdins_dragons.cards.deck import SPELLS, get_card
from engine.aladdins_dragons.judging.worth import ARTIFACT
from engine.aladdins_dragons.proposals.placing import Layout
from engine.core import Seat
from engine.orders.model import Entry

KEY_FROM = 3  # what the guard must cost before a Key is used
MARKET_GIVES = 3  # for one treasure (A58)
SPELLS_NAMED = 3  # cards that are kept in the tent before others
OUT: Entry = {"type": "stay_out"}


def tally_orders(layout: Layout) -> list[Entry]:
    """Orders for every decision of the seat in the tally."""
    view, seat = layout.view, layout.seat
    orders = [*_guard(layout), *_purchases(view, layout.rows), _market(layout), _camel(view, seat)]
    if view.has_magic:
        orders += [_order("tent", *_kept_spells()), {**_order("ask", {"type": "default"}), "stays": True}]
    return orders


def prices(view: View, rows: Mapping[str, Sequence[int]]) -> dict[str, int]:
    """What the artifacts cost for which the seat has placed tokens, by room."""
    return {room: sum(rows[room]) for room in rooms(view.seats) if rows[room] and view.offers[room]}


def has_key(view: View, seat: Seat) -> bool:
    """Could the seat use a Key this round?"""
    if not view.has_magic:
        return False
    used = view.magic.used[seat]
    return "key" in (view.magic.artifacts or []) and "key" not in used and len(used) < view.magic.allowance[seat]


def has_plays(view: View) -> bool:
    """Has the seat a card that it could show in some window of this round?"""
    if not view.has_magic:
        return False
    tools = {*(view.magic.artifacts or [])} - {LAMP, "scroll", "key"}
    return bool(tools or view.magic.spells)


def bribe_limit(layout: Layout) -> int:
    """The most that is worth paying the guard: up to there it brings more than to stay out."""
    prices = range(1, max(PIECES.guards) - sum(layout.rows[GUARD]) + 1)
    stakes = layout.harvest.stakes(layout.rows)
    worth = [sum(layout.harvest.bribing(stakes, world, price) for world in layout.worlds) for price in prices]
    return max((price for price, gain in zip(prices, worth, strict=True) if gain > 0), default=0)


def _guard(layout: Layout) -> list[Entry]:
    """In with the Key where the guard is dear, else by a bribe, if what can be bought inside is worth it."""
    view, rows, orders = layout.view, layout.rows, []
    if has_key(view, layout.seat) and prices(view, rows):
        strength = sum(rows[GUARD])
        dear = max(min(PIECES.guards), strength + KEY_FROM if strength else 0)
        if dear <= max(PIECES.guards):
            strong = {"type": "guard", "is": "at_least", "value": dear}
            orders.append({**_order("bribe", {"type": "card", "card": "key"}), "conditions": [strong]})
    limit = bribe_limit(layout) if rows[GUARD] else 0
    bribe = [{"type": "bribe_up_to", "limit": limit}] if limit else []
    return [*orders, _order("bribe", *bribe, OUT)]


def _purchases(view: View, rows: Mapping[str, Sequence[int]]) -> list[Entry]:
    """Whatever the seat has tokens for, and whatever a card may bring it to: only artifacts win. One limit for all."""
    limit = max(int(ARTIFACT), *(sum(rows[room]) for room in rooms(view.seats)))
    buy = {"type": "buy_up_to", "limit": limit}
    order = _order("buy", buy, {"type": "decline"})
    return [{**order, "topic": room} for room in rooms(view.seats) if view.offers[room]]


def _market(layout: Layout) -> Entry:
    """Three of the kind of which there will be least, of those that the bank has enough of."""
    view, held = layout.view, layout.treasure()
    kinds = [kind for kind in KINDS if view.bank[kind] >= MARKET_GIVES]
    wanted = min(kinds, key=lambda kind: held[kind], default=None)
    return _order("market", {"type": "keep"} if wanted is None else {"type": "exchange_for", "kind": wanted})


def _camel(view: View, seat: Seat) -> Entry:
    """To the seat itself, if it has not got it."""
    return _order("camel", {"type": "leave_camel"} if view.camel == seat else {"type": "give_camel", "seat": seat})


def _kept_spells() -> list[Entry]:
    """The most useful cards first."""
    order = sorted(SPELLS, key=lambda card: -get_card(card).keep)
    return [*({"type": "keep_spell", "card": card} for card in order[:SPELLS_NAMED]), {"type": "default"}]


def _order(kind: str, *answers: Entry) -> Entry:
    return {"kind": kind, "answers": list(answers), "until": "round"}
