"""Why a proposal is made: a line of short sentences, each read from what the proposal was made of."""

from collections.abc import Mapping, Sequence

from engine.aladdins_dragons import actions
from engine.aladdins_dragons.actions import Action
from engine.aladdins_dragons.board.facts import GUARD, cave_kind
from engine.aladdins_dragons.board.model import View
from engine.aladdins_dragons.bots.lookahead.placing import Plan
from engine.aladdins_dragons.proposals.tally import has_key, prices
from engine.core import JsonObject, Text

Part = tuple[str, JsonObject]
"""A sentence: its code and its parameters."""


def line(*parts: Part) -> Text:
    """The sentences as one."""
    return Text("why", {"why": {"why": [list(part) for part in parts]}})


def why_plan(view: View, plan: Plan, rows: Mapping[str, Sequence[int]]) -> Text:
    """What the strongest token is for, and what is bought."""
    strongest = [_strongest(view, max(plan), plan[max(plan)])] if plan else []
    return line(*strongest, *_purchases(view, rows))


def _strongest(view: View, token: int, space: str) -> Part:
    if space.startswith("cave-"):
        kind = cave_kind(space)
        return "why-strong-cave", {"token": token, "amounts": {"amounts": {kind: view.caves[kind][0]}}}
    if space == GUARD:
        return "why-strong-guard", {"token": token}
    code = "why-strong-room" if space.startswith("room-") else "why-strong-city"
    return code, {"token": token, "at": {"at": space}}


def _purchases(view: View, rows: Mapping[str, Sequence[int]]) -> list[Part]:
    found: list[Part] = [
        ("why-buy", {"at": {"at": room}, "price": price}) for room, price in prices(view, rows).items()
    ]
    if not found:
        return [("why-no-buy", {})]
    return [*found, *([("why-key", {})] if has_key(view) and not rows[GUARD] else [])]


def why_place(token: int, space: str, *, is_last: bool) -> Text:
    """Where one token goes."""
    return line(("why-last-place" if is_last else "why-place", {"token": token, "at": {"at": space}}))


def why_answer(action: Action) -> Text:
    """Of a single decision in which nothing is placed."""
    match action:
        case actions.PlayCard(card):
            return line(("why-card", {"card": {"card": card}}))
        case actions.KeepSpell(card):
            return line(("why-keep", {"card": {"card": card}}))
    return line((_PLAIN.get(type(action), "why-reply"), {}))


_PLAIN: dict[type, str] = {
    actions.TakeTreasures: "why-start",
    actions.Exchange: "why-exchange",
    actions.Keep: "why-nothing",
    actions.GiveCamel: "why-camel",
    actions.LeaveCamel: "why-camel",
    actions.Bribe: "why-enter",
    actions.StayOut: "why-stay-out",
    actions.Buy: "why-artifact",
    actions.Decline: "why-decline",
    actions.Pass: "why-pass",
}
