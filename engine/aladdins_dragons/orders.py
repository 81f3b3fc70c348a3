"""Standing orders of this game: what can be answered in advance, on what it may depend, and in which words."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import permutations

from msgspec.structs import replace

from engine.aladdins_dragons import order_facts, questions, waves
from engine.aladdins_dragons.actions import play_type, to_answer
from engine.aladdins_dragons.cards import windows
from engine.aladdins_dragons.cards.deck import ARTIFACTS, get_card
from engine.aladdins_dragons.events import CardPlayed
from engine.aladdins_dragons.facts import GUARD, KINDS, PIECES, rooms
from engine.aladdins_dragons.model import (
    Boundary,
    Placing,
    Play,
    Purchase,
    SeenToken,
    StartingTreasures,
    State,
    View,
    Window,
)
from engine.aladdins_dragons.order_facts import (
    MOST_PAID,
    NO_KIND,
    any_spell_options,
    default_form,
    find_form,
    is_card,
    kind_options,
    number_field,
    own,
    own_world,
    plain,
    seat_options,
    shown_plays,
    space_options,
    spell_options,
)
from engine.core import ActionForm, Amounts, Answer, Choice, Decision, Field, JsonObject, Option, Question, Seat, Text
from engine.orders.model import Entry, Gathering, Order, OrderKind, Vocabulary

# Playing cards in advance: the answers, and how a card is aimed when its time comes.

BETWEEN = ("start", "placed", "caves")  # windows that are at no space
COUNTERSPELL = "counterspell"


def counter_form() -> ActionForm:
    """Negates a spell of another, whichever is shown then."""
    cards = any_spell_options()
    return ActionForm("counter", Text("wish-counter"), [Choice("card", Text("field-card"), cards)])


def card_form(view: View) -> ActionForm:
    """Plays a card, aimed in the one way that fits then."""
    names = [*ARTIFACTS, *(view.magic.spells or [])]
    cards = [Option(name, Text("card", {"card": {"card": name}})) for name in dict.fromkeys(names)]
    return ActionForm("card", Text("wish-card"), [Choice("card", Text("field-card"), cards)])


def play_forms(view: View) -> list[ActionForm]:
    """Every way to play a card."""
    return [card_form(view), *forms_of_cards(view, Window(BETWEEN[0]))]


def forms_of_cards(view: View, window: Window) -> list[ActionForm]:
    """The seat's own cards as they could be aimed now, whether or not a lamp is lit yet."""
    state = own_world(view)
    seat = view.seat
    assert seat is not None
    cards = [*state.magic.spells[seat], *windows.unused_tiles(state, seat)]
    forms = [form for name in dict.fromkeys(cards) for form in get_card(name).forms(state, seat, window)]
    return [form for form in forms if form.fields]


def play_card(view: View, question: Question, entry: Entry) -> Answer | None:
    """The card with every field that leaves no choice; a token of one's own where it lies strongest."""
    form = find_form(question, play_type(entry["card"]))
    if form is None:
        return None
    aimed = {field.name: _only(view, field) for field in form.fields}
    return None if None in aimed.values() else {"type": form.type, **aimed}


def _only(view: View, field: Field) -> str | int | None:
    values = [option.value for option in field.options]
    if len(values) == 1 and isinstance(field, Choice):
        return values[0]
    if field.name == "token" and view.tallying:
        mine = {f"{view.tallying}:{token.number}": token.value or 0 for token in own(view, view.tallying)}
        return max((value for value in values if value in mine), key=lambda value: mine[str(value)], default=None)
    return None


def negate(view: View, question: Question, entry: Entry) -> Answer | None:
    """The first spell of another that is meant and has not been struck."""
    form = find_form(question, play_type(COUNTERSPELL))
    windows_open = [frame for frame in view.agenda if isinstance(frame, Window)]
    if form is None or not windows_open:
        return None
    for option in form.fields[0].options:
        play = windows_open[-1].plays[int(option.value)]
        if play in shown_plays(view) and is_card(play.card, entry["card"]) and not play.is_struck:
            return {"type": form.type, form.fields[0].name: option.value}
    return None


# The orders of this game: kinds of decision, every answer to them, and how it becomes exact in its time.

WINDOW_LINES = 4  # of a form: where cards are played, or where to be asked


def order_kinds(view: View) -> list[OrderKind]:
    """The decisions of this version; the treasures of the beginning are chosen before any order can be given."""
    if view.seat is None:
        return []
    spaces = space_options(view.spaces)
    tokens = len(view.hand or PIECES.tokens)
    kinds = [
        OrderKind(
            "place",
            Text("order-place"),
            placement_forms(view),
            lines=tokens,
            line="place",
            is_steady=view.has_magic,
            is_main=True,
        ),
        OrderKind("market", Text("order-market"), exchange_forms(), is_once=True, lines=1),
        OrderKind("camel", Text("order-camel"), camel_forms(view), is_once=True, lines=1),
        OrderKind("bribe", Text("order-bribe"), bribe_forms(view), lines=1, line="bribe_up_to", is_main=True),
        _buying(view),
    ]
    if not view.has_magic:
        return kinds
    between = [Option(name, Text(f"place-{name}")) for name in BETWEEN]
    plays = play_forms(view)
    return [
        *kinds,
        OrderKind(
            "window",
            Text("order-window"),
            [plain("pass", "do-pass"), *plays, counter_form()],
            [*between, *spaces],
            lines=WINDOW_LINES,
        ),
        OrderKind("declare", Text("order-declare"), plays, is_unasked=True),
        OrderKind("tent", Text("order-tent"), [tent_form(), default_form()], is_once=True, lines=1, line="keep_spell"),
        OrderKind("ask", Text("order-ask"), [default_form()], lines=1, lasts=True),
    ]


def _buying(view: View) -> OrderKind:
    """One line of a form speaks for all rooms that have artifacts left."""
    palace, left = space_options(rooms(view.seats)), [room for room, count in view.offers.items() if count]
    forms = purchase_forms(view)
    return OrderKind(
        "buy", Text("order-buy"), forms, palace, is_once=True, everywhere=left, line="buy_up_to", is_main=True
    )


# Placing


def with_token(view: View, value: int, space: str) -> View:
    """The view once its seat has placed that token from its hand."""
    seat = view.seat
    assert seat is not None
    assert view.hand is not None
    spaces = {**view.spaces, space: [*view.spaces[space], SeenToken(seat, value)]}
    hand = [token for token in view.hand if token != value]
    counts, turns = list(view.hand_counts), list(view.turns)
    counts[seat] -= 1
    turns[seat] += 1
    return replace(view, hand=hand, hand_counts=counts, turns=turns, spaces=spaces)


def placement_forms(view: View) -> list[ActionForm]:
    """A certain token, or the lowest or highest one left."""
    is_placing = any(isinstance(frame, Placing) for frame in view.agenda)
    values = (view.hand if is_placing else None) or PIECES.tokens  # with none left the next round is meant
    tokens = [Option(value, Text("token", {"value": value})) for value in values]
    space = Choice("space", Text("field-space"), space_options(view.spaces))
    exact = ActionForm("place", Text("do-place"), [Choice("token", Text("field-token"), tokens), space])
    return [
        exact,
        ActionForm("place_low", Text("wish-place-low"), [space]),
        ActionForm("place_high", Text("wish-place-high"), [space]),
    ]


def place_low(view: View, question: Question, entry: Entry) -> Answer | None:
    """The lowest token."""
    return {"type": "place", "token": min(view.hand or [0]), "space": entry["space"]}


def place_high(view: View, question: Question, entry: Entry) -> Answer | None:
    """The highest token."""
    return {"type": "place", "token": max(view.hand or [0]), "space": entry["space"]}


# Market, caravanserai, tent, and what cards ask


def exchange_forms() -> list[ActionForm]:
    """At the market."""
    give = Choice("give", Text("field-give"), kind_options())
    limits = [replace(option, limit=3) for option in kind_options()]
    take = Amounts("take", Text("field-take"), limits, 3)
    of_a_kind = Choice("kind", Text("field-kind"), kind_options())
    return [
        ActionForm("exchange", Text("do-exchange"), [give, take]),
        ActionForm("exchange_for", Text("wish-exchange"), [of_a_kind]),
        plain("keep", "do-keep"),
    ]


def camel_forms(view: View) -> list[ActionForm]:
    """Whoever has the camel then cannot be given it; the order does not fit in that case."""
    seats = [*seat_options(view), Option(view.seat or 0, Text("seat", {"seat": {"seat": view.seat}}))]
    give = ActionForm("give_camel", Text("do-pass-camel"), [Choice("seat", Text("field-seat"), seats)])
    return [give, plain("leave_camel", "do-leave-camel")]


def tent_form() -> ActionForm:
    """In the tent."""
    cards = spell_options()
    return ActionForm("keep_spell", Text("do-keep-spell"), [Choice("card", Text("field-card"), cards)])


def exchange_for(view: View, question: Question, entry: Entry) -> Answer | None:
    """Gives the kind of which there is most, another than the one wanted; takes three, or as many as there are."""
    form = find_form(question, "exchange")
    if form is None:
        return None
    give, take = form.fields
    hoard = view.hoards[view.seat or 0] or {}
    kinds = [str(option.value) for option in give.options if option.value != entry["kind"]]
    total = take.total if isinstance(take, Amounts) else 0
    if not kinds:
        return None
    return {"type": "exchange", "give": max(kinds, key=lambda kind: hoard[kind]), "take": {entry["kind"]: total}}


def do_default(view: View, question: Question, entry: Entry) -> Answer | None:
    """Returns what the deadline would answer; it depends on what the seat has, which its own world shows."""
    try:
        return to_answer(questions.default(own_world(view), question.decision))
    except KeyError:
        return None


# Bribes and purchases: up to which price, and with which kinds


def _preferred() -> list[Field]:
    """Which kinds are paid with first, which next, and which last of all."""
    return [_of_kinds("first", "paying-first"), _of_kinds("next", "paying-next"), _of_kinds("spare", "sparing")]


def _of_kinds(name: str, said: str) -> Choice:
    kinds = [Option(kind, Text(said, {"kind": {"kind": kind}})) for kind in KINDS]
    return Choice(name, Text(f"field-{name}"), [Option(NO_KIND, Text(f"{said}-none")), *kinds], unsaid=NO_KIND)


def bribe_forms(view: View) -> list[ActionForm]:
    """At the guard."""
    limit = number_field("limit", 1, max(PIECES.guards))
    bribe = ActionForm("bribe_up_to", Text("wish-bribe"), [limit, *_preferred()])
    plays = forms_of_cards(view, Window(GUARD, windows.ENTRY)) if view.has_magic else []
    return [bribe, *plays, *([card_form(view)] if view.has_magic else []), plain("stay_out", "do-stay-out")]


def purchase_forms(view: View) -> list[ActionForm]:
    """In a room."""
    limit = number_field("limit", 1, MOST_PAID)
    buy = ActionForm("buy_up_to", Text("wish-buy"), [limit, *_preferred()])
    return [buy, *([card_form(view)] if view.has_magic else []), plain("decline", "do-decline")]


def bribe_up_to(view: View, question: Question, entry: Entry) -> Answer | None:
    """Unit by unit from the kind that is preferred, else from the one of which there is most."""
    form = find_form(question, "bribe")
    pay = form.fields[0] if form else None
    if not isinstance(pay, Amounts) or pay.total > entry["limit"]:
        return None
    left = {str(option.value): option.limit or 0 for option in pay.options}
    paid: dict[str, int] = {}
    for _ in range(pay.total):
        kind = max((kind for kind in left if left[kind]), key=lambda kind: (_liking(entry, kind), left[kind]))
        left[kind] -= 1
        paid[kind] = paid.get(kind, 0) + 1
    return {"type": "bribe", "pay": paid}


def _liking(entry: Entry, kind: str) -> int:
    """How gladly the seat pays with a kind."""
    names = ("spare", "", "next", "first")
    return next((rank for rank, name in enumerate(names) if name and entry.get(name) == kind), names.index(""))


def has_two_ranks(entry: Entry) -> bool:
    """Is one kind named more than once among those that are paid with first, next and last?"""
    named = [entry[name] for name in ("first", "next", "spare") if entry.get(name, NO_KIND) != NO_KIND]
    is_payment = entry["type"] in ("bribe_up_to", "buy_up_to")
    return is_payment and len(set(named)) < len(named)


def buy_up_to(view: View, question: Question, entry: Entry) -> Answer | None:
    """Finds the payment that spends least of the spared kind, then most of the preferred ones, then of what
    there is most of."""
    form = find_form(question, "buy")
    if form is None:
        return None
    costs = {field.name: int(field.name.split("_")[1]) for field in form.fields}
    if sum(costs.values()) > entry["limit"]:
        return None
    hoard = view.hoards[view.seat or 0] or {}
    ways = list(_payments(form.fields))
    if not ways:
        return None

    def spent(way: JsonObject, on: str) -> int:
        return sum(costs[name] for name, kind in way.items() if kind == entry.get(on))

    def painful(way: JsonObject) -> tuple[int, int, int, int]:
        left = min((hoard[kind] - costs[name] for name, kind in way.items()), default=0)
        return spent(way, "spare"), -spent(way, "first"), -spent(way, "next"), -left

    least: JsonObject = min(ways, key=painful)
    return {"type": "buy", **least}


def _payments(fields: Iterable[Field]) -> Iterable[JsonObject]:
    fields = list(fields)
    allowed = [{option.value for option in field.options} for field in fields]
    for chosen in permutations(KINDS, len(fields)):
        if all(kind in options for kind, options in zip(chosen, allowed, strict=True)):
            yield {field.name: kind for field, kind in zip(fields, chosen, strict=True)}


MAKERS: dict[str, Callable[[View, Question, Entry], Answer | None]] = {
    "place_low": place_low,
    "place_high": place_high,
    "exchange_for": exchange_for,
    "bribe_up_to": bribe_up_to,
    "buy_up_to": buy_up_to,
    "card": play_card,
    "counter": negate,
    "default": do_default,
}
"""How the answers that depend on the moment become exact."""


# The vocabulary


class DragonsVocabulary(Vocabulary[State, View]):
    """Methods as in `Vocabulary`."""

    quiet: Mapping[str, Entry] = {"window": {"type": "pass"}}  # never changed
    brings: Mapping[str, str] = {"place": "place"}  # never changed
    gathers = True
    weighs = frozenset({"window", "declare", "bribe", "buy"})
    about_plays = frozenset({order_facts.SHOWN, order_facts.HITS})

    def kinds(self, view: View) -> list[OrderKind]:
        """The decisions of this version; the treasures of the beginning are chosen before any order can be given."""
        return order_kinds(view)

    def facts(self, view: View) -> list[ActionForm]:
        """Tokens, strengths, treasure, guard, camel, round and what has just been shown."""
        return order_facts.facts(view)

    def holds(self, view: View, fact: Entry, topic: str) -> bool | None:
        """Is it so, as far as the seat can see?"""
        return order_facts.holds(view, fact, topic)

    def answer(self, view: View, question: Question, entry: Entry) -> Answer | None:
        """The exact answer, or None if there is none. The question still decides whether it is legal."""
        make = MAKERS.get(entry["type"])
        return entry if make is None else make(view, question, entry)

    def piece(self, entry: Entry) -> object:
        """The token; of the lowest or highest one left nobody knows which."""
        return entry.get("token")

    def topic(self, shown: View | State, decision: Decision) -> str:
        """The space, or which window."""
        frame = shown.agenda[-1] if shown.agenda else None
        if decision.kind in ("window", "buy") and isinstance(frame, Window | Purchase):
            return frame.where if isinstance(frame, Window) else frame.room
        return ""

    def player_of(self, event: object) -> Seat | None:
        """Every card that is declared, artifact or spell."""
        return event.seat if isinstance(event, CardPlayed) else None

    def touched(self, before: View, after: State, event: object, seat: Seat) -> Iterable[str]:
        """Returns what the card says, and the place of the window in which it can be answered."""
        if not isinstance(event, CardPlayed):
            return ()
        play = Play(event.seat, event.card, dict(event.targets))
        touched = list(get_card(event.card).touches(before, play, seat))
        window = next((frame for frame in reversed(after.agenda) if isinstance(frame, Window)), None)
        return [*touched, window.where] if touched and window else touched

    def period(self, shown: View | State) -> int:
        """The round."""
        return shown.round

    def lapse(self, view: View, decision: Decision) -> Entry | None:
        """Windows are passed. At the guard only who has tokens there is asked: a stop elsewhere would show a Key."""
        if decision.kind == "bribe" and not order_facts.own(view, GUARD):
            return {"type": "stay_out"}
        return self.quiet.get(decision.kind)

    def ahead(self, shown: View | State, topic: str) -> list[Option]:
        """The spaces that are tallied later in this round."""
        ahead = [space for space in shown.spaces if not topic or order_facts.is_before(topic, space)]
        return space_options(ahead)

    def before(self, place: str) -> Entry:
        """The fact that the space has not been reached yet."""
        return {"type": order_facts.BEFORE, "space": place}

    def gathering(self, view: View) -> Gathering | None:
        """Where the table plans: a sheet as the round begins, a plan before the tally, and one after each play then."""
        frame = view.agenda[-2 if self.gathers_beside(view) else -1] if view.agenda else None
        if not view.is_planned or not isinstance(frame, Boundary):
            return None
        plan, seats, number = f"{view.round_id}-plan", view.sequence(), {"round": view.round}
        if frame.after == "start":
            title = Text("ask-sheet", number)
            return Gathering(f"{view.round_id}-sheet", "sheet", seats, title, next=plan, has_windows=view.has_magic)
        if frame.after == "placing":
            hint = Text("hint-plan-key") if view.has_magic else None
            return Gathering(plan, "plan", seats, Text("ask-plan", number), hint, has_windows=view.has_magic)
        if frame.after == "shown":
            window = next(frame for frame in reversed(view.agenda) if isinstance(frame, Window))
            title = Text("ask-plan-again", {**number, "plays": questions.shown(window)})
            return Gathering(f"{plan}-{window.number}", "plan", seats, title, Text("hint-plan-key"), is_again=True)
        return None

    def gathers_beside(self, shown: View | State) -> bool:
        """Treasures are chosen beside the first sheet."""
        match shown.agenda:
            case [*_, Boundary("start"), StartingTreasures()]:
                return shown.outcome is None
        return False

    def written(self, view: View, kind: str) -> list[OrderKind]:
        """Every kind for a sheet, which may be a plan; for a plan all but placing; with a placement what follows it."""
        if view.seat is None:
            return []
        placing, *tally = self.kinds(view)
        if kind == "plan":
            return tally
        if kind != "place":
            return [placing, *tally]
        further = replace(placing, lines=placing.lines - 1)
        later = [] if view.is_planned else [order_kind for order_kind in tally if order_kind.name not in self.quiet]
        return [further, *later]  # where plans are asked they will be, and then with more to go by

    def foresee(self, view: View, kind: str) -> Question | None:
        """The next placement, as long as the seat has tokens to place this round."""
        placing = next((frame for frame in view.agenda if isinstance(frame, Placing)), None)
        if kind != "place" or placing is None or view.seat is None or not view.hand:
            return None
        state = waves.as_seen(own_world(view), view.seat)
        state.agenda.append(Placing(view.seat))
        decision = Decision(f"{view.round_id}-place-{view.seat}-{view.turns[view.seat] + 1}", view.seat, "place")
        return questions.question(state, decision)

    def after(self, view: View, action: Answer) -> View | None:
        """With the token placed; everything else depends on what others do."""
        return with_token(view, action["token"], action["space"]) if action["type"] == "place" else None

    def contradiction(self, view: View, orders: Sequence[Order]) -> Text | None:
        """A token can be placed once a round: two orders for it must not both come to pass. No kind has two ranks."""
        for number, order in enumerate(orders, start=1):
            if any(has_two_ranks(answer) for answer in order.answers):
                return Text("order-kind-twice", {"number": number})
        named: dict[int, int] = {}
        for number, order in enumerate(orders, start=1):
            tokens = [answer["token"] for answer in order.answers if answer["type"] == "place"]
            if order.kind != "place" or order.conditions or len(order.answers) != 1 or not tokens:
                continue
            if tokens[0] in named:
                return Text("order-token-twice", {"first": named[tokens[0]], "second": number})
            named[tokens[0]] = number
        return None
