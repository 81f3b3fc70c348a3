"""What a seat does in the tally, as orders that hold for the round: bribe, Key, purchases, market, camel, tent."""

from collections.abc import Mapping, Sequence

from engine.aladdins_dragons.board.facts import GUARD, KINDS, LAMP, rooms
from engine.aladdins_dragons.board.model import View
from engine.aladdins_dragons.cards.deck import SPELLS, get_card
from engine.core import Seat
from engine.orders.model import MOST_ANSWERS, Entry

BRIBES = (2, 4, 6, 8, 10)  # what is paid at most, each if enough is left to buy with
KEY_ABOVE = 3  # what the guard must cost more than before a Key is used
MOST_PRICE = 45  # more than all tokens of a seat


def tally_orders(view: View, seat: Seat, rows: Mapping[str, Sequence[int]]) -> list[Entry]:
    """Orders for every decision of the seat in the tally.

    Arguments:
        rows: its tokens by space once all are placed.
    """
    orders = [*_guard(view, rows), _order("buy", [{"type": "buy_up_to", "limit": MOST_PRICE}, {"type": "decline"}])]
    orders += [
        _order("market", [*_wanted(view, seat), {"type": "keep"}]),
        _order("camel", [{"type": "give_camel", "seat": seat}, {"type": "leave_camel"}]),
    ]
    if view.has_magic:
        orders += [_order("tent", _kept_spells()), _order("ask", [{"type": "default"}])]
    return orders


def prices(view: View, rows: Mapping[str, Sequence[int]]) -> dict[str, int]:
    """What the artifacts cost for which the seat has placed tokens, by room."""
    return {room: sum(rows[room]) for room in rooms(view.seats) if rows[room] and view.offers[room]}


def has_key(view: View) -> bool:
    """Could the seat use a Key this round?"""
    if not view.has_magic or view.seat is None:
        return False
    spent = len(view.magic.used[view.seat]) >= view.magic.allowance[view.seat]
    return "key" in (view.magic.artifacts or []) and "key" not in view.magic.used[view.seat] and not spent


def has_plays(view: View) -> bool:
    """Has the seat a card that it could show in some window of this round?"""
    if not view.has_magic or view.seat is None:
        return False
    tools = {*(view.magic.artifacts or [])} - {LAMP, "scroll", "key"}
    return bool(tools or view.magic.spells)


def _guard(view: View, rows: Mapping[str, Sequence[int]]) -> list[Entry]:
    """In by what is cheapest, if anything can be bought inside."""
    found = prices(view, rows)
    if not found:
        return [_order("bribe", [{"type": "stay_out"}])]
    least = min(found.values())
    orders = []
    if has_key(view):
        above = KEY_ABOVE if rows[GUARD] else 0
        orders.append(_order("bribe", [{"type": "card", "card": "key"}], _at_least("lack", above)))
    for limit in BRIBES if rows[GUARD] else ():
        bribe = {"type": "bribe_up_to", "limit": limit}
        costs = {"type": "lack", "is": "at_most", "value": limit}
        orders.append(_order("bribe", [bribe, {"type": "stay_out"}], costs, _at_least("all_treasure", limit + least)))
    return [*orders, _order("bribe", [{"type": "stay_out"}])]


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
