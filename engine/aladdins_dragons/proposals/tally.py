"""What a seat does in the tally, as orders that hold for the round: bribe, Key, purchases, market, camel, tent."""

from collections.abc import Mapping, Sequence

from engine.aladdins_dragons.board.facts import GUARD, KINDS, LAMP, rooms
from engine.aladdins_dragons.board.view_model import View
from engine.aladdins_dragons.cards.deck import SPELLS, get_card
from engine.aladdins_dragons.proposals.placing import Layout
from engine.core import Seat
from engine.orders.model import MOST_ANSWERS, Entry

BRIBES = (2, 4, 6, 8, 10)  # what is paid at most, each if enough is left to buy with
KEY_FROM = 3  # what the guard must cost before a Key is used
MOST_PRICE = 45  # all tokens of a seat together


def tally_orders(layout: Layout) -> list[Entry]:
    """Orders for every decision of the seat in the tally."""
    view, seat = layout.view, layout.seat
    orders = [
        *_guard(view, layout.rows),
        _order("buy", [{"type": "buy_up_to", "limit": MOST_PRICE}, {"type": "decline"}]),
        _order("market", [*_wanted(view, seat), {"type": "keep"}]),
        _order("camel", [{"type": "give_camel", "seat": seat}, {"type": "leave_camel"}]),
    ]
    if view.has_magic:
        orders += [_order("tent", _kept_spells()), _order("ask", [{"type": "default"}])]
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


def _guard(view: View, rows: Mapping[str, Sequence[int]]) -> list[Entry]:
    """In by what is cheapest, if anything can be bought inside."""
    found = prices(view, rows)
    if not found:
        return [_order("bribe", [{"type": "stay_out"}])]
    out: Entry = {"type": "stay_out"}
    use: Entry = {"type": "card", "card": "key"}
    if not rows[GUARD]:
        return [_order("bribe", [use, out] if has_key(view, view.seat or 0) else [out])]
    least, orders = min(found.values()), []
    if has_key(view, view.seat or 0):
        dear = {"type": "bribe_up_to", "limit": BRIBES[-1]}  # if the Key is gone
        orders.append(_order("bribe", [use, dear, out], _at_least("lack", KEY_FROM)))
    for limit in BRIBES:
        bribe = {"type": "bribe_up_to", "limit": limit}
        costs = {"type": "lack", "is": "at_most", "value": limit}
        orders.append(_order("bribe", [bribe, out], costs, _at_least("all_treasure", limit + least)))
    return [*orders, _order("bribe", [out])]


def _wanted(view: View, seat: Seat) -> list[Entry]:
    """Three of the kind of which there is least; if the bank is short of it, of the next."""
    hoard = view.hoards[seat] or {}
    return [{"type": "exchange_for", "kind": kind} for kind in sorted(KINDS, key=lambda kind: hoard.get(kind, 0))]


def _kept_spells() -> list[Entry]:
    """The most useful cards first."""
    order = sorted(SPELLS, key=lambda card: -get_card(card).keep)
    return [*({"type": "keep_spell", "card": card} for card in order[: MOST_ANSWERS - 1]), {"type": "default"}]


def _at_least(fact: str, value: int) -> Entry:
    return {"type": fact, "is": "at_least", "value": value}


def _order(kind: str, answers: Sequence[Entry], *conditions: Entry) -> Entry:
    order: Entry = {"kind": kind, "answers": list(answers), "stays": True, "even_so": True, "until": "round"}
    return {**order, "conditions": list(conditions)} if conditions else order
