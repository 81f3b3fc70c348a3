"""Proposals: an answer to each question from the seat's own view alone, for a sheet all of it with its plan, and why.

`python -m tests.lab.duel` plays them against greedy and greedy's sheet: with four at a planned table, magic version,
they won 99.9 % of 1,000 games (95 % interval from 99.4 %), in the basic version all of 40. A sheet costs 19 ms of
processor time on average, 83 ms at most. No card but the Key is planned: when to play the others is for the player to
say.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

from msgspec.structs import replace

from engine.aladdins_dragons import actions, lookahead, waves
from engine.aladdins_dragons.actions import PlayCard, PlayerAction, to_answer
from engine.aladdins_dragons.cards.deck import SPELLS, get_card
from engine.aladdins_dragons.effects import may_be_entered
from engine.aladdins_dragons.facts import CAVES, GUARD, KINDS, LAMP, PIECES, cave_kind, rooms
from engine.aladdins_dragons.greedy import CardChoice, GreedyBot
from engine.aladdins_dragons.judging import ARTIFACT
from engine.aladdins_dragons.lookahead import PlacingSearch, Plan, World
from engine.aladdins_dragons.model import StartingTreasures, View, Wave
from engine.aladdins_dragons.worlds import determinise
from engine.core import Answer, JsonObject, Proposal, Question, Seat, Text
from engine.core.games import dice_of
from engine.orders.answers import GATHERINGS, PASS_ROUND, SAME, SHEET
from engine.orders.model import NEVER, QUIET, Entry

# Single decisions beside placing: the answer that does best in rounds played on, and by how much.

GREEDY = GreedyBot()


class Decided(NamedTuple):
    """An answer.

    Arguments:
        gain: what it brings more than to do nothing, in treasure; None where that was not asked.
    """

    action: PlayerAction
    gain: float | None = None


def decide(view: View, question: Question, random: Random) -> Decided:
    """The answer to a question in which nothing is placed."""
    greedy = GREEDY.decide(view, question, random)
    answers = lookahead.candidates(view, question, greedy)
    nothing = lookahead.NOTHING.get(question.decision.kind)
    if len(answers) == 1 or nothing is None:
        return Decided(greedy, _gain_of_card(view, question, greedy))
    averages = lookahead.means(view, question, answers, lookahead.DEEP_PLAYOUTS, random)
    best = averages.index(max(averages))
    return Decided(answers[best], averages[best] - averages[answers.index(nothing)])


def _gain_of_card(view: View, question: Question, action: PlayerAction) -> float | None:
    return CardChoice(view, question.decision.seat).gain(action) if isinstance(action, PlayCard) else None


# Where the tokens go that a seat has in hand, as orders that hold for the round.


class Layout:
    """How the seat's tokens should lie at the end of placing, and the worlds in which that did best.

    Arguments:
        plan: the space of each token in hand.
        rows: the seat's tokens by space once the plan is carried out.
    """

    def __init__(self, view: View, seat: Seat, random: Random, *, is_placing: bool = True) -> None:
        world = waves.as_seen(determinise(view, Random(0)), seat)  # only what the seat sees is read from it
        spaces, tokens = may_be_entered(world, seat), (view.hand or []) if is_placing else []
        search = PlacingSearch(view, seat, tokens, spaces, lookahead.DEEP_TRIALS, random)
        self.view, self.seat = view, seat
        self.plan: Plan = search.plan() if tokens else {}
        self.worlds: list[World] = search.worlds
        self.harvest = search.harvest
        self.rows = {
            space: [token.value for token in view.spaces[space] if token.seat == seat and token.value is not None]
            for space in view.spaces
        }
        for token, space in self.plan.items():
            self.rows[space].append(token)

    def rank(self, space: str) -> int:
        """How many rivals are mostly before the seat there."""
        strength = sum(self.rows[space])
        ranks = sorted(sum(bar > strength for bar in world.bars[space]) for world in self.worlds)
        return ranks[len(ranks) // 2]

    def treasure(self) -> dict[str, int]:
        """Returns what the seat will mostly hold by kind once the caves are tallied."""
        amounts = dict(self.view.hoards[self.seat] or {})
        for space in CAVES:
            shelves = self.view.caves[cave_kind(space)]
            if self.rows[space] and space not in self.view.tallied and self.rank(space) < len(shelves):
                amounts[cave_kind(space)] += shelves[self.rank(space)]
        return amounts


def placing_orders(view: View, plan: Plan) -> list[Entry]:
    """The plan as orders, the weakest token first: the strong ones tell most."""
    steady = {"even_so": True} if view.has_magic else {}
    return [
        {
            "kind": "place",
            "answers": [{"type": "place", "token": token, "space": plan[token]}],
            "until": "round",
            **steady,
        }
        for token in sorted(plan)
    ]


# The tally, as orders that hold for the round: bribe, Key, purchases, market, camel, tent.

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
    """Returns what the artifacts cost for which the seat has placed tokens, by room."""
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
    view, amounts = layout.view, layout.treasure()
    kinds = [kind for kind in KINDS if view.bank[kind] >= MARKET_GIVES]
    wanted = min(kinds, key=lambda kind: amounts[kind], default=None)
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


# Why a proposal is made: a line of short sentences, each read from what the proposal was made of.

Part = tuple[str, JsonObject]
"""A sentence: its code and its parameters."""

KEY = "key"


def line(*parts: Part) -> Text:
    """The sentences as one."""
    return Text("why", {"why": {"why": [list(part) for part in parts]}})


def why_sheet(layout: Layout) -> Text:
    """Returns what the strongest token is for, how the palace is entered, what is bought, and a rival to know of."""
    strongest = [_purpose(layout, max(layout.plan))] if layout.plan else []
    return line(*strongest, *_palace(layout), *_rivals(layout.view, layout.seat))


def why_place(layout: Layout, token: int) -> Text:
    """Returns what this token is for, and a rival to know of."""
    return line(_purpose(layout, token), *_rivals(layout.view, layout.seat))


def _purpose(layout: Layout, token: int) -> Part:
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
    costs = prices(layout.view, layout.rows)
    if not costs:
        return [("why-no-buy", {})]
    return [("why-buy", {"sales": {"sales": costs}}), *_entry(layout)]


def _entry(layout: Layout) -> list[Part]:
    if has_key(layout.view, layout.seat):
        return [("why-key", {})]
    strength, limit = sum(layout.rows[GUARD]), bribe_limit(layout)
    if not strength:
        return []
    return [("why-bribe" if limit else "why-strength", {"strength": strength, "limit": limit})]


def _rivals(view: View, seat: Seat) -> list[Part]:
    """Says who has nobody at the guard and no Key that everybody knows of; before anybody has placed, who is rich."""
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
    """Says who has most treasure, if one has; who can enter with a Key."""
    keys = [other for other in others if _is_known_to_have_key(view, other)]
    parts: list[Part] = [("why-keys", {"seats": {"seats": keys}})] if keys else []
    hoards = [sum(hoard[kind] for kind in KINDS) if hoard else 0 for hoard in view.hoards]
    most = max(hoards)
    rich = [owner for owner, amount in enumerate(hoards) if amount == most]
    if len(rich) == 1 and rich != [seat] and view.open_hoards:
        parts.append(("why-rich", {"seat": {"seat": rich[0]}, "total": most}))
    return parts


def why_answer(question: Question, decided: Decided) -> Text:
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


# One proposal: by kind of question who thinks about it.


def propose(view: View, question: Question) -> Proposal:
    """The answer to a question of the seat whose view this is, and why."""
    kind, random = question.decision.kind, dice_of(view)
    if kind in GATHERINGS:
        return _sheet(view, question, random)
    if kind == "declare":
        return _declaration(view, question)
    if kind == "place":
        return _placement(view, question, random)
    if not has_plays(view) and any(form.type == PASS_ROUND for form in question.actions):
        return Proposal({"type": PASS_ROUND}, line(("why-no-card", {})))
    decided = decide(view, question, random)
    return Proposal(to_answer(decided.action), why_answer(question, decided))


def _sheet(view: View, question: Question, random: Random) -> Proposal:
    """A sheet with its plan, or the plan alone."""
    form = question.actions[0]
    layout = Layout(_with_treasures(view), question.decision.seat, random, is_placing=form.type == SHEET)
    said = {"windows": QUIET if has_plays(view) else NEVER, "tally": SAME}
    answer: Answer = {"type": form.type, **{field.name: said[field.name] for field in form.fields}}
    orders = [*placing_orders(view, layout.plan), *tally_orders(layout)]
    return Proposal({**answer, "orders": orders}, why_sheet(layout))


def _with_treasures(view: View) -> View:
    """The view once starting treasures have been taken, if they are chosen beside this sheet: what the seat has chosen,
    else what silence takes."""
    frame = view.agenda[-1]
    if not isinstance(frame, StartingTreasures):
        return view
    usual = dict.fromkeys(KINDS[: PIECES.starting_treasures], 1)
    hoards = [
        hoard and {kind: amount + (chosen or usual).get(kind, 0) for kind, amount in hoard.items()}
        for hoard, chosen in zip(view.hoards, frame.chosen, strict=True)
    ]
    return replace(view, hoards=hoards)


def _declaration(view: View, question: Question) -> Proposal:
    """Nobody is asked for one: only a card that helps at once is proposed."""
    idea = CardChoice(view, question.decision.seat).best(question)
    if idea is None:
        return Proposal({}, line(("why-pass", {})))
    return Proposal(to_answer(idea.action), why_answer(question, Decided(idea.action, idea.gain)))


def _placement(view: View, question: Question, random: Random) -> Proposal:
    """The weakest token; where it saves questions, the rest of the round goes with it."""
    if question.actions[0].type != "place":
        return Proposal({}, line(("why-chosen", {})))
    layout = Layout(view, question.decision.seat, random)
    token, *rest = sorted(layout.plan)
    answer: Answer = {"type": "place", "token": token, "space": layout.plan[token]}
    if not rest or not (view.is_planned or isinstance(view.agenda[-1], Wave)):
        return Proposal(answer, why_place(layout, token))
    orders = [*placing_orders(view, {other: layout.plan[other] for other in rest}), *tally_orders(layout)]
    return Proposal({**answer, "orders": orders}, why_sheet(layout))
