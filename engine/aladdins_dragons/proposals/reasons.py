"""Why a proposal is made: a line of short sentences, each read from what the proposal was made of."""

from engine.aladdins_dragons import actions
from engine.aladdins_dragons.board.facts import GUARD, KINDS, PIECES, cave_kind
from engine.aladdins_dragons.board.view_model import View
from engine.aladdins_dragons.proposals.deciding import Decided
from engine.aladdins_dragons.proposals.placing import Layout
from engine.aladdins_dragons.proposals.tally import bribe_limit, has_key, prices
from engine.core import JsonObject, Question, Seat, Text

Part = tuple[str, JsonObject]
"""A sentence: its code and its parameters."""

KEY = "key"


def line(*parts: Part) -> Text:
    """The sentences as one."""
    return Text("why", {"why": {"why": [list(part) for part in parts]}})


def why_sheet(layout: Layout) -> Text:
    """What the strongest token is for, how the palace is entered, what is bought, and a rival to know of."""
    strongest = [_purpose(layout, max(layout.plan))] if layout.plan else []
    return line(*strongest, *_palace(layout), *_rivals(layout.view, layout.seat))


def why_place(layout: Layout, token: int) -> Text:
    """What this token is for, and a rival to know of."""
    return line(_purpose(layout, token), *_rivals(layout.view, layout.seat))


def _purpose(layout: Layout, token: int) -> Part:
    """What the token helps to get where it goes, with the seat's others there."""
    space = layout.plan[token]
    strength = sum(layout.rows[space])
    params: JsonObject = {"token": token, "strength": strength, "at": {"at": space}}
    if space == GUARD:
        return "why-guard", {**params, "count": sum(guard <= strength for guard in PIECES.guards)}
    if space.startswith("room-"):
        return "why-room", params
    rank = layout.rank(space)
    if not space.startswith("cave-"):
        return ("why-city" if rank == 0 else "why-city-behind"), params
    shelves = layout.view.caves[cave_kind(space)]
    if rank >= len(shelves):
        return "why-cave-behind", params
    return "why-cave", {**params, "amounts": {"amounts": {cave_kind(space): shelves[rank]}}}


def _palace(layout: Layout) -> list[Part]:
    """How it is entered, and what is bought for how much."""
    found = prices(layout.view, layout.rows)
    if not found:
        return [("why-no-buy", {})]
    return [("why-buy", {"sales": {"sales": found}}), *_entry(layout)]


def _entry(layout: Layout) -> list[Part]:
    if has_key(layout.view, layout.seat):
        return [("why-key", {})]
    strength, limit = sum(layout.rows[GUARD]), bribe_limit(layout)
    if not strength:
        return []
    return [("why-bribe" if limit else "why-strength", {"strength": strength, "limit": limit})]


def _rivals(view: View, seat: Seat) -> list[Part]:
    """Who has nobody at the guard and no Key that everybody knows of; before anybody has placed, who is rich."""
    others = [other for other in range(view.seats) if other != seat and other not in view.resigned]
    if not any(view.spaces.values()):
        return _rich(view, seat, others)
    guards = {token.seat for token in view.spaces[GUARD]}
    weak = [other for other in others if other not in guards and not _is_known_to_have_key(view, other)]
    if not weak:
        return []
    is_over = not any(view.hand_counts[other] - view.forfeits[other] for other in weak)
    return [("why-weak" if is_over else "why-weak-yet", {"seats": {"seats": weak}})]


def _is_known_to_have_key(view: View, seat: Seat) -> bool:
    return view.has_magic and KEY in view.magic.tiles[seat]


def _rich(view: View, seat: Seat, others: list[Seat]) -> list[Part]:
    """Who has most treasure, if one has; who can enter with a Key."""
    keys = [other for other in others if _is_known_to_have_key(view, other)]
    found: list[Part] = [("why-keys", {"seats": {"seats": keys}})] if keys else []
    hoards = [sum(hoard[kind] for kind in KINDS) if hoard else 0 for hoard in view.hoards]
    most = max(hoards)
    rich = [owner for owner, amount in enumerate(hoards) if amount == most]
    if len(rich) == 1 and rich != [seat] and view.open_hoards:
        found.append(("why-rich", {"seat": {"seat": rich[0]}, "total": most}))
    return found


def why_answer(question: Question, decided: Decided) -> Text:
    """Of a single decision in which nothing is placed."""
    action, gain = decided
    params: JsonObject = {} if gain is None else {"gain": max(1, round(gain))}
    code = _PLAIN.get(type(action), "why-reply")
    match action:
        case actions.PlayCard(card):
            code, params = "why-card", {**params, "card": {"card": card}}
        case actions.Bribe(pay):
            params["price"] = sum(pay.values())
        case actions.KeepSpell(card):
            params = {"card": {"card": card}}
        case actions.Exchange(give, take):
            params = {"given": {"amounts": {give: 1}}, "taken": {"amounts": take}}
        case actions.Buy():
            params = {"price": sum(action.payment().values())}
        case actions.Decline() if all(form.type != "buy" for form in question.actions):
            code = "why-cannot-pay"
    return line((code, params))


_PLAIN: dict[type, str] = {
    actions.TakeTreasures: "why-start",
    actions.Bribe: "why-enter",
    actions.KeepSpell: "why-keep",
    actions.Exchange: "why-exchange",
    actions.Buy: "why-artifact",
    actions.Keep: "why-nothing",
    actions.GiveCamel: "why-camel",
    actions.LeaveCamel: "why-camel",
    actions.StayOut: "why-stay-out",
    actions.Decline: "why-decline",
    actions.Pass: "why-pass",
}
