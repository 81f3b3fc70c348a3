"""The questions, and every way to answer: the one source of what is legal.

`decisions` depends on public facts only; a question may show its seat what it owns.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from msgspec.structs import replace

from engine.aladdins_dragons import actions, effects, model, waves
from engine.aladdins_dragons.actions import Action
from engine.aladdins_dragons.cards.card import rule_text
from engine.aladdins_dragons.cards.deck import get_card
from engine.aladdins_dragons.cards.windows import ENTRY, PURCHASE, could_act, play_forms
from engine.aladdins_dragons.effects import pay_fields, price
from engine.aladdins_dragons.facts import GUARD, KINDS, PIECES, cave_kind
from engine.aladdins_dragons.model import Play, State, Window
from engine.aladdins_dragons.tally import can_exchange, missing_at_guard
from engine.core import (
    ActionForm,
    Amounts,
    Choice,
    Decision,
    JsonObject,
    Option,
    Question,
    Seat,
    Text,
)
from engine.core.games import branch_mark
from engine.core.questions import START_OVER

NOT_NOW = Text("button-not-now")
DEFAULTS = {
    "take_treasures": Text("default-take"),
    "place": Text("default-forfeit"),
    "market": Text("default-keep"),
    "camel": Text("default-leave"),
    "bribe": Text("default-stay-out"),
    "buy": Text("default-decline"),
    "window": Text("default-pass"),
    "declare": Text("default-pass"),
    "tent": Text("default-keep-first"),
}
"""The default answers by kind of decision (A99), in words; as actions below."""

DEFAULT_ACTIONS: Mapping[str, Action] = {
    "take_treasures": actions.TakeTreasures(dict.fromkeys(KINDS[: PIECES.starting_treasures], 1)),
    "place": actions.Forfeit(),  # A21
    "market": actions.Keep(),
    "camel": actions.LeaveCamel(),
    "bribe": actions.StayOut(),
    "buy": actions.Decline(),
    "window": actions.Pass(),
}


def default(state: State, decision: Decision) -> Action:
    """Returns what the deadline answers (A99). Raises KeyError for what a seat may do unasked."""
    frame = state.agenda[-1]
    if isinstance(frame, model.Tent | model.Ask):
        return default_of_magic(state, frame, decision.seat)
    return DEFAULT_ACTIONS[decision.kind]


def default_of_magic(state: State, frame: model.Tent | model.Ask, seat: Seat) -> Action:
    """Returns what the deadline answers: at the tent the first card stays (A99)."""
    if isinstance(frame, model.Tent):
        return actions.KeepSpell(frame.cards[0])
    return get_card(frame.card).default(state, frame, seat)


def decisions(state: State) -> Iterator[Decision]:
    """Everything the game waits on. A sealed answer may be replaced, unasked, until all have answered (A6).

    One after the other: who looks for one need not know who may do something unasked, which comes last.
    """
    frame = None if state.outcome is not None else state.agenda[-1]
    match frame:
        case model.StartingTreasures(chosen):
            name = f"{branch_mark(state.branch)}start-treasures"
            for seat, choice in enumerate(chosen):
                yield Decision(name, seat, "take_treasures", sealed=True, prompted=choice is None)
        case model.Placing():
            yield from waves.placements(state, frame)
            if state.has_magic:  # seats may declare unasked (A92)
                window = _next_declaration(state)
                able = [seat for seat in state.sequence() if could_act(state, seat, window)]
                yield from (
                    Decision(f"{state.round_id}-{window.where}", seat, "declare", prompted=False) for seat in able
                )
        case model.Market(seat):
            yield Decision(f"{state.round_id}-market", seat, "market")
        case model.Camel(seat):
            yield Decision(f"{state.round_id}-camel", seat, "camel")
        case model.Bribes(waiting):
            tries = f"-{state.magic.declared + 1}" if state.has_magic else ""  # a borrowed key may be struck (S13)
            yield Decision(f"{state.round_id}-guard{tries}", waiting[0], "bribe")
        case model.Purchase(room, waiting):
            yield Decision(f"{state.round_id}-{room}-buy", waiting[0], "buy")
        case model.Window(where, kind, number, entitled, answers):
            name = f"{kind}-{state.magic.declared}" if kind == "reply" else where
            for seat, answer in zip(entitled, answers, strict=True):
                yield Decision(f"{state.round_id}-window-{name}-{number}", seat, "window", True, answer is None)
        case model.Tent(seat):
            yield Decision(f"{state.round_id}-tent", seat, "tent")
        case model.Ask(card, _, waiting, turns):
            for seat in waiting:
                yield Decision(f"{state.round_id}-ask-{card}-{turns[seat] + 1}", seat, "ask")


def _next_declaration(state: State) -> Window:
    return Window(f"declared-{state.magic.declared + 1}")


def question(state: State, decision: Decision) -> Question:
    """The decision as its own seat sees it."""
    seat = decision.seat
    match state.agenda[-1]:
        case model.StartingTreasures(chosen):
            result = _treasures(state, decision, chosen[seat])
        case model.Placing() if decision.kind == "declare":
            forms = play_forms(state, seat, _next_declaration(state))  # possibly none, which only its owner knows
            result = _ask(decision, Text("ask-declare"), *forms, hint=Text("hint-declare"))
        case model.Wave() as frame:
            result = _wave(state, decision, frame)
        case model.Placing():
            result = _ask(decision, Text("ask-place", {"round": state.round}), _place_form(state, seat))
        case model.Market():
            keep = ActionForm("keep", Text("do-keep"), button=NOT_NOW)
            result = _ask(decision, Text("ask-market"), *_exchange_forms(state, seat), keep)
        case model.Camel():
            is_own = seat == state.camel
            kept = "keep" if is_own else "leave"
            leave = ActionForm("leave_camel", Text(f"do-{kept}-camel"), button=Text(f"button-{kept}-camel"))
            hint = Text("hint-camel-you" if is_own else "hint-camel", {"seat": {"seat": state.camel}})
            result = _ask(decision, Text("ask-camel"), _camel_form(state, seat), leave, hint=hint)
        case model.Bribes():
            stay = ActionForm("stay_out", Text("do-stay-out"), button=Text("button-stay-out"))
            plays = play_forms(state, seat, Window(GUARD, ENTRY)) if state.has_magic else []
            bribes = _bribe_forms(state, seat)
            title, hint = _bribe_words(state, seat, can_pay=bool(bribes))
            result = _ask(decision, title, *bribes, *plays, stay, hint=hint)
        case model.Purchase(room, waiting):
            decline = ActionForm("decline", Text("do-decline"), button=NOT_NOW)
            plays = play_forms(state, seat, Window(room, PURCHASE)) if state.has_magic else []
            buys = _buy_forms(state, seat, room)
            hint = _buy_hint(state, seat, waiting[1:], can_pay=bool(buys))
            result = _ask(decision, _buy_title(state, seat, room), *buys, *plays, decline, hint=hint)
        case model.Window() as frame:
            forms = [ActionForm("pass", Text("do-pass")), *play_forms(state, seat, frame)]  # most answers are a pass
            result = _ask(decision, _window_title(frame), *forms, hint=_window_hint(frame, seat))
        case model.Tent(_, cards, to):
            title = Text("ask-tent", {"to": {"seat": to}}) if to is not None else Text("ask-tent-alone")
            last_first = state.magic.last_first
            options = [
                Option(card, Text("card", {"card": {"card": card}}), rule_text(card, last_first)) for card in cards
            ]
            field = Choice("card", Text("field-card"), options)
            result = _ask(decision, title, ActionForm("keep_spell", Text("do-keep-spell"), [field]))
        case model.Ask(card) as frame:
            title, forms = get_card(card).question(state, frame, seat)
            result = Question(decision, title, forms, get_card(card).default_text(state, frame, seat))
        case frame:
            raise AssertionError(frame)
    return result


def _ask(decision: Decision, title: Text, *forms: ActionForm, hint: Text | None = None) -> Question:
    return Question(decision, title, list(forms), DEFAULTS[decision.kind], hint)


def _window_title(window: Window) -> Text:
    if window.kind == "reply":
        return Text("ask-reply", {"plays": shown(window)})
    if window.plays:
        return Text("ask-respond", {"plays": shown(window)})
    if window.where in ("start", "placed", "caves"):
        return Text(f"ask-window-{window.where}")
    return Text("ask-window-space", {"at": {"at": window.where}})


def shown(window: Window) -> JsonObject:
    """Returns what has been shown in the window, for a sentence."""
    return _in_words(window.plays, window)


def _in_words(plays: list[Play], window: Window) -> JsonObject:
    """Plays for a sentence; those of the window are named to what is aimed at them."""
    shown = [play.card for play in window.plays]
    return {"plays": [[play.seat, play.card, play.targets, shown] for play in plays]}


def _window_hint(window: Window, seat: Seat) -> Text:
    answer = window.answers[window.entitled.index(seat)]
    if answer is None:
        return Text("hint-window")
    if not answer:
        return Text("hint-passed")
    return Text("hint-played", {"plays": _in_words(answer, window)})


def _kind(kind: str, limit: int | None = None, hint: Text | None = None) -> Option:
    return Option(kind, Text("kind", {"kind": {"kind": kind}}), hint, limit)


def _treasures(state: State, decision: Decision, chosen: dict[str, int] | None) -> Question:
    total = PIECES.starting_treasures
    options = [_kind(kind, min(total, state.bank[kind])) for kind in KINDS]
    form = ActionForm("take_treasures", Text("do-take"), [Amounts("amounts", Text("field-amounts"), options, total)])
    hint = Text("hint-chosen", {"amounts": {"amounts": chosen}}) if chosen else Text("hint-sealed")
    return _ask(decision, Text("ask-take", {"total": total}), form, hint=hint)


FOR_NEWCOMERS = ("hint-wave-first", "hint-wave-second", "hint-wave-third", "hint-wave-fourth")  # token by token


def _wave(state: State, decision: Decision, wave: model.Wave) -> Question:
    """One token after the other; what has been chosen can be taken back until the wave is complete."""
    seat = decision.seat
    chosen = wave.chosen[wave.seats.index(seat)]
    left = waves.quota(state, seat) - len(chosen)
    forms = [_place_form(waves.as_seen(state, seat), seat)] if left else []
    if chosen:
        forms.append(ActionForm(START_OVER, Text("do-start-over")))
    title, hint = Text("ask-place-wave", {"round": state.round, "count": left}), None
    if not left:
        title, hint = Text("ask-place", {"round": state.round}), Text("hint-wave-chosen")
    elif state.round == 1 and not state.turns[seat] and len(chosen) < len(FOR_NEWCOMERS) and not state.has_magic:
        hint = Text(FOR_NEWCOMERS[len(chosen)])
    elif len(wave.seats) > 1 and not chosen:
        hint = Text("hint-wave-sealed")
    return _ask(decision, title, *forms, hint=hint)


def without_taking_back(question: Question) -> Question:
    """The question without taking back, unless there is nothing else: whoever answers at random gets to the end."""
    forms = [form for form in question.actions if form.type != START_OVER]
    return replace(question, actions=forms) if forms else question


def _place_form(state: State, seat: Seat) -> ActionForm:
    tokens = [_token_option(value) for value in state.hands[seat]]
    spaces = [
        _cave_option(space, tuple(state.caves[cave_kind(space)])) if space.startswith("cave-")
        else _place_option(space, len(state.stacks.get(space, ())))
        for space in effects.may_be_entered(state, seat)
    ]  # fmt: skip
    token, space = Choice("token", Text("field-token"), tokens), Choice("space", Text("field-space"), spaces)
    code = "do-place-face-up" if effects.places_face_up(state, seat) else "do-place"
    return ActionForm("place", Text(code), [token, space], button=Text("button-place", {"token": "{token}"}))


@cache
def _token_option(value: int) -> Option:
    return Option(value, Text("token", {"value": value}))


@cache
def _cave_option(space: str, shelves: tuple[int, ...]) -> Option:
    hint = Text("hint-shelves", {"shelves": {"numbers": list(shelves)}})
    return Option(space, Text("space", {"space": {"space": space}}), hint, group=Text("group-caves"))


@cache
def _place_option(space: str, artifacts: int) -> Option:
    """A space of the city, the guard, or a room with so many artifacts left."""
    group = Text("group-palace" if space == GUARD or space.startswith("room-") else "group-city")
    hint = Text("hint-artifacts", {"count": artifacts}) if space.startswith("room-") else None
    return Option(space, Text("space", {"space": {"space": space}}), hint, group=group)


def _exchange_forms(state: State, seat: Seat) -> list[ActionForm]:
    """One piece for three of the bank (A44, A58); what is given is not among what is taken."""
    if not can_exchange(state, seat):
        return []
    kinds = [_kind(kind, hint=_held_hint(amount)) for kind, amount in state.hoards[seat].items() if amount]
    total = min(3, sum(state.bank.values()))
    taken = [_kind(kind, min(total, amount)) for kind, amount in state.bank.items() if amount]
    give, take = Choice("give", Text("field-give"), kinds), Amounts("take", Text("field-take"), taken, total)
    return [ActionForm("exchange", Text("do-exchange"), [give, take], button=Text("button-exchange"))]


def _held_hint(amount: int) -> Text:
    return Text("hint-held", {"amount": amount})


def _camel_form(state: State, chooser: Seat) -> ActionForm:
    """Says who may get the camel."""
    seats = [seat for seat in range(state.seats) if seat != state.camel]
    own = Text("take-camel")
    options = [Option(seat, own if seat == chooser else Text("seat", {"seat": {"seat": seat}})) for seat in seats]
    given = "pass" if chooser == state.camel else "give"
    field = Choice("seat", Text("field-seat"), options)
    return ActionForm("give_camel", Text(f"do-{given}-camel"), [field], button=Text(f"button-{given}-camel"))


def strength_at_guard(state: State, seat: Seat) -> int:
    """Returns what a seat has at the guard."""
    return sum(token.value for token in state.spaces[GUARD] if token.seat == seat)


def _bribe_forms(state: State, seat: Seat) -> list[ActionForm]:
    """The exact difference in any kinds, for whoever has a token there (A42, A62)."""
    price, hoard = missing_at_guard(state, seat), state.hoards[seat]
    if sum(hoard.values()) < price or not effects.own_tokens(state, seat, GUARD):
        return []
    options = [_kind(kind, min(price, amount), _held_hint(amount)) for kind, amount in hoard.items() if amount]
    pay = Amounts("pay", Text("field-pay"), options, price)
    return [ActionForm("bribe", Text("do-bribe", {"price": price}), [pay], button=Text("button-pay", {"price": price}))]


def _bribe_words(state: State, seat: Seat, *, can_pay: bool) -> tuple[Text, Text]:
    """The title, from public facts alone, and what the seat owns. Only a seat with a token there can pay (A62)."""
    has_tokens = bool(effects.own_tokens(state, seat, GUARD))
    facts = {
        "guard": state.guard,
        "strength": strength_at_guard(state, seat),
        "price": missing_at_guard(state, seat),
        "amounts": {"amounts": state.hoards[seat]},
    }
    title = Text("ask-bribe", {"price": facts["price"]}) if has_tokens else Text("ask-enter")
    return title, Text("hint-bribe" if can_pay or not has_tokens else "hint-bribe-too-much", facts)


def _buy_title(state: State, seat: Seat, room: str) -> Text:
    """Returns what is for sale, and its price: public facts alone."""
    facts = {"at": {"at": room}, "price": price(state, seat, room)}
    if not state.has_magic or room not in state.magic.offers:
        return Text("ask-buy", facts)
    card = state.stacks[room][-1]
    return Text("ask-buy-lamp" if card == "lamp" else "ask-buy-card", {**facts, "card": {"card": card}})


def _buy_hint(state: State, seat: Seat, others: Sequence[Seat], *, can_pay: bool) -> Text:
    """Returns what the seat owns, whether it can pay (A69), and who may buy after it (A70)."""
    facts = {"amounts": {"amounts": state.hoards[seat]}, "seats": {"seats": list(others)}}
    return Text(f"hint-{'buy' if can_pay else 'too-dear'}{'-next' if others else ''}", facts)


def _buy_forms(state: State, seat: Seat, room: str) -> list[ActionForm]:
    """One kind for each own token (A69), if the seat can pay."""
    fields = pay_fields(state, seat, room)
    if fields is None:
        return []
    button = Text("button-buy", {"fields": {"blanks": [field.name for field in fields]}})
    return [ActionForm("buy", Text("do-buy", {"price": price(state, seat, room)}), fields, button=button)]
