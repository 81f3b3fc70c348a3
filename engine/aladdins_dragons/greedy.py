"""A player who takes what looks best at the moment, from what it can see."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice, product
from math import exp
from random import Random
from typing import NamedTuple

from engine.aladdins_dragons import actions
from engine.aladdins_dragons.actions import PlayCard, PlayerAction, Reply, Targets, to_action
from engine.aladdins_dragons.cards.deck import get_card, is_artifact
from engine.aladdins_dragons.cards.families import Tax
from engine.aladdins_dragons.effects import payment
from engine.aladdins_dragons.facts import CAVES, GUARD, KINDS, LAMP, PIECES, cave_kind, rooms
from engine.aladdins_dragons.judging import (
    ARTIFACT,
    CAMEL,
    DJINN,
    EXCHANGE,
    MEAN_TOKEN,
    SPELL,
    Case,
    Outlook,
    best_gift,
    best_payment,
    change,
    evened,
    greed,
    usefulness,
)
from engine.aladdins_dragons.model import Ask, View
from engine.core import ActionForm, Amounts, Choice, Option, Question, Seat, Text
from engine.core.answers import every_answer
from engine.rules import Bot

# The ways to aim a card that are worth a look: every choice of spaces and tokens, treasure chosen sensibly.

MOST = 160  # ways of one card


def aims(view: View, outlook: Outlook, seat: Seat, form: ActionForm) -> list[PlayCard]:
    """At most `MOST` legal ways to play the card of a form."""
    hoard = dict(view.hoards[seat] or {})
    choices = [field for field in form.fields if isinstance(field, Choice)]
    treasure = _treasure(hoard, [field for field in form.fields if isinstance(field, Amounts)])
    if treasure is None:
        return []
    aimed = []
    for chosen in islice(_chosen(outlook, seat, choices), MOST):
        named = {field.name: option.value for field, option in zip(choices, chosen, strict=True)}
        action = to_action({"type": form.type, **named, **treasure})
        assert isinstance(action, PlayCard), action
        aimed.append(action)
    return aimed


def _treasure(hoard: dict[str, int], fields: list[Amounts]) -> Targets | None:
    """Returns what is given and taken; None if nothing sensible can be."""
    if any(field.same_as for field in fields):
        return evened(hoard, *fields)
    return {
        field.name: best_gift(hoard, field) if field.name == "take" else best_payment(hoard, field) for field in fields
    }


def _chosen(outlook: Outlook, seat: Seat, fields: list[Choice]) -> Iterator[tuple[Option, ...]]:
    """Nothing twice that must differ, and nothing that another choice bars."""
    for chosen in product(*(_narrowed(outlook, seat, field) for field in fields)):
        barred = {value for option in chosen for value in option.bars}
        marked = [(field.distinct, opt.value) for field, opt in zip(fields, chosen, strict=True) if field.distinct]
        if len(marked) == len(set(marked)) and not any(option.value in barred for option in chosen):
            yield chosen


def _narrowed(outlook: Outlook, seat: Seat, field: Choice) -> list[Option]:
    """Returns the tokens of others that stand in the seat's way."""
    if field.name != "token":
        return field.options
    return [option for option in field.options if _matters(outlook, seat, str(option.value))]


def _matters(outlook: Outlook, seat: Seat, name: str) -> bool:
    token = outlook.find(name)
    if token is None or token[1].seat == seat:
        return True
    order = outlook.order(token[0])
    return seat in order and order.index(token[1].seat) < order.index(seat)


# Which of its cards a seat plays, if any: those it can, aimed in every sensible way, judged, less what they cost.

USE = 2.0  # an artifact can be used but once in a round
LATE_USE = 0.5  # and in the rooms there is little left to use it for
KEY_USE = 4.0  # and whoever has a key may need the use at the guard
CARD = 1.5  # a spell is spent


class Idea(NamedTuple):
    """A card, aimed, and what it brings beyond its cost."""

    gain: float
    action: PlayCard


class CardChoice:
    """The cards of one seat in one view of a magic game."""

    def __init__(self, view: View, seat: Seat) -> None:
        self._view, self._seat = view, seat
        self._outlook = Outlook.of(view)
        self._before = self._outlook.worth(seat)
        self._is_lit = LAMP in view.magic.used[seat]

    def ideas(self, question: Question) -> list[Idea]:
        """The best aim of each card that can be played now, best first; also of those that cost more than they bring.

        The lamp alone is none of them: it comes with the first spell.
        """
        ideas = []
        for form in question.actions:
            if form.type.startswith("play_") and form.type != f"play_{LAMP}":
                plays = [Idea(self._gain(play), play) for play in aims(self._view, self._outlook, self._seat, form)]
                ideas += [max(plays, key=lambda idea: idea.gain)] if plays else []
        return sorted(ideas, key=lambda idea: -idea.gain)

    def best(self, question: Question) -> Idea | None:
        """The card to play now. A lamp that is not lit yet must be worth it by all its spells together."""
        ideas = [idea for idea in self.ideas(question) if idea.gain > 0]
        spells = sum(idea.gain for idea in ideas if not is_artifact(idea.action.card))
        if not self._is_lit and spells <= self._use_cost():
            ideas = [idea for idea in ideas if is_artifact(idea.action.card)]
        return ideas[0] if ideas else None

    def gain(self, play: PlayCard) -> float:
        """Returns what a play brings beyond its cost, the lamp it needs included."""
        needs_lamp = not self._is_lit and not is_artifact(play.card)
        return self._gain(play) - (self._use_cost() if needs_lamp else 0.0)

    def _gain(self, play: PlayCard) -> float:
        case = Case(self._outlook, self._before, self._seat, self._seat, play.targets)
        return get_card(play.card).judge(case) - self._cost(play.card)

    def _cost(self, card: str) -> float:
        if card == "key":
            return USE
        return self._use_cost() if is_artifact(card) else CARD

    def _use_cost(self) -> float:
        view, seat = self._view, self._seat
        if view.tallying.startswith("room-"):
            return LATE_USE
        if seat in view.admitted or "key" not in (view.magic.artifacts or []):
            return USE
        return USE if len(view.magic.used[seat]) + 1 < view.magic.allowance[seat] else KEY_USE


# What a seat can expect from the tokens it has placed, judged from what it sees. Values are in treasure.

SPREAD = 3.0  # how unsure a guess at a face-down strength is
STILL_TO_COME = 0.25  # strength that each token in an opponent's hand may yet add to a given space
BARE_CHANCE = 0.5  # of entering the palace for a seat that has no token at the guard yet but some in hand
KEY_COST = 2.0  # what else the use of a key in hand could do
PRIZES = {"market": EXCHANGE, "caravanserai": CAMEL}

Rows = Mapping[str, Sequence[int]]
"""The seat's own tokens by space."""


class Estimate:
    """The opponents as one seat sees them, and what its own tokens are worth against them."""

    def __init__(self, view: View, seat: Seat) -> None:
        self._view = view
        self._seat = seat
        self._rivals = {space: self._strengths(space) for space in view.spaces}
        self._hoard = dict(view.hoards[seat] or {})
        self._greed = greed(sum(self._hoard.values()))
        self._prizes = city_prizes(view)
        self._has_key = view.has_magic and "key" in (view.magic.artifacts or []) and not view.magic.used[seat]

    def _strengths(self, space: str) -> list[float]:
        """Returns what each opponent may bring to a space; those who are not there yet count with little."""
        view = self._view
        strengths = []
        for seat in range(view.seats):
            if seat != self._seat:
                tokens = [token for token in view.spaces[space] if token.seat == seat]
                total = sum(MEAN_TOKEN if token.value is None else token.value for token in tokens)
                strengths.append(total + STILL_TO_COME * view.hand_counts[seat])
        return strengths

    def own_rows(self) -> dict[str, list[int]]:
        """The seat's own tokens by space."""
        return {
            space: [token.value for token in row if token.seat == self._seat and token.value is not None]
            for space, row in self._view.spaces.items()
        }

    def value(self, rows: Rows, in_hand: int) -> float:
        """Returns what the rows can be expected to bring, with so many tokens still in hand."""
        caves = {space: self._cave(space, sum(rows[space])) for space in CAVES}
        city = sum(prize * self._first(space, rows) for space, prize in self._prizes.items())
        return self._greed * (sum(caves.values()) + city) + self._palace(rows, in_hand, caves)

    def _beaten(self, space: str, strength: int) -> list[float]:
        """For each opponent the chance that he is stronger."""
        return [1 / (1 + exp((strength - rival) / SPREAD)) for rival in self._rivals[space]]

    def _first(self, space: str, rows: Rows) -> float:
        if not rows[space]:
            return 0.0
        chance = 1.0
        for beaten in self._beaten(space, sum(rows[space])):
            chance *= 1 - beaten
        return chance

    def _cave(self, space: str, strength: int) -> float:
        """The shelf at the expected rank, between two shelves in proportion."""
        shelves = [*self._view.caves[cave_kind(space)], 0, 0]
        if strength == 0:
            return 0.0
        rank = min(sum(self._beaten(space, strength)), len(shelves) - 2)
        upper = int(rank)
        return shelves[upper] + (shelves[upper + 1] - shelves[upper]) * (rank - upper)

    def _palace(self, rows: Rows, in_hand: int, caves: Mapping[str, float]) -> float:
        """The chance to enter times what the rooms bring, less the bribe to be expected."""
        holdings = {kind: self._hoard[kind] + caves[f"cave-{kind}"] * 0.7 for kind in self._hoard}
        goods = sum(self._room(room, rows, holdings) for room in rooms(self._view.seats))
        if self._has_key:
            return max(0.0, goods - KEY_COST)
        if not rows[GUARD]:
            return goods * BARE_CHANCE if in_hand else 0.0
        missing = [max(0, guard - sum(rows[GUARD])) for guard in PIECES.guards]
        spare = max(0.0, sum(holdings.values()) - 5)  # a purchase costs about five
        enter = sum(bribe <= spare for bribe in missing) / len(missing)
        bribe = sum(min(bribe, spare) for bribe in missing) / len(missing)
        if not goods and in_hand:
            goods = 5.0 if spare else 0.0
        return enter * goods - (self._greed * bribe if goods else 0.0)

    def _room(self, room: str, rows: Rows, holdings: Mapping[str, float]) -> float:
        tokens = sorted(rows[room], reverse=True)
        kinds = sorted(holdings.values(), reverse=True)
        if not tokens or any(token > kind for token, kind in zip(tokens, kinds, strict=False)):
            return 0.0
        return (ARTIFACT - self._greed * sum(tokens)) * self._first(room, rows)


def city_prizes(view: View) -> dict[str, float]:
    """Returns what the strongest gets: spells while there are any, a second artifact if the viewer has two to use."""
    if not view.has_magic:
        return dict(PRIZES)
    tools = sum(tile not in ("scroll", "lamp") for tile in view.magic.artifacts or [])
    return {
        **PRIZES,
        "tent": SPELL if view.magic.spell_deck_count else 0.0,
        "djinn": DJINN if tools + bool(view.magic.spells) > 1 else 0.0,
    }


NUANCE = 0.1  # which kinds are paid matters less than how much is
TOKEN_COST = 0.25  # what a unit of strength might bring elsewhere


class GreedyBot(Bot[View]):
    """Places each token where it adds most, plays a card when it helps at once, and buys whenever it can."""

    name = "greedy"
    title = Text("bot-greedy")

    def decide(self, view: View, question: Question, random: Random) -> PlayerAction:
        """The answer with the best score; among equals the first one."""
        match question.decision.kind:
            case "take_treasures":
                return _start(random)
            case "window":
                idea = CardChoice(view, question.decision.seat).best(question)
                return idea.action if idea else actions.Pass()
        seat = question.decision.seat
        if answer := ANSWERS.get(question.decision.kind):
            return answer(view, seat, question)
        answers = [to_action(answer) for answer in every_answer(question)]
        return max(answers, key=lambda action: _score(view, seat, action))


def _start(random: Random) -> PlayerAction:
    """Two of one kind and one of another pay for more tokens than one each of three."""
    first, second = random.sample(KINDS, 2)
    return actions.TakeTreasures({first: 2, second: 1})


def _best_placement(view: View, seat: Seat, question: Question) -> PlayerAction:
    estimate = Estimate(view, seat)
    rows, in_hand = estimate.own_rows(), len(view.hand or []) - 1
    tokens, spaces = [field for field in question.actions[0].fields if isinstance(field, Choice)]

    def gain(action: actions.Place) -> float:
        extended = {**rows, action.space: [*rows[action.space], action.token]}
        return estimate.value(extended, in_hand) - TOKEN_COST * action.token

    return max(
        (actions.Place(int(t.value), str(s.value)) for s in spaces.options for t in tokens.options),
        key=gain,
    )


def _camel(view: View, seat: Seat, _question: Question) -> PlayerAction:
    """Always to itself."""
    return actions.LeaveCamel() if view.camel == seat else actions.GiveCamel(seat)


def _form(question: Question, kind: str) -> ActionForm | None:
    return next((form for form in question.actions if form.type == kind), None)


def _exchange(view: View, seat: Seat, question: Question) -> PlayerAction:
    """One of what there is most of, for three of what there is least of."""
    form = _form(question, "exchange")
    if form is None:
        return actions.Keep()
    hoard = dict(view.hoards[seat] or {})
    give = max((str(option.value) for field in form.fields[:1] for option in field.options), key=lambda k: hoard[k])
    change(hoard, {give: 1}, -1)
    (take,) = (best_gift(hoard, field) for field in form.fields if isinstance(field, Amounts))
    return actions.Exchange(give, take)


def _enter(view: View, seat: Seat, question: Question) -> PlayerAction:
    """By what is cheapest, if what can be bought inside is worth it."""
    options: list[tuple[float, PlayerAction]] = [(0.0, actions.StayOut())]
    if view.has_magic:
        options += [(idea.gain, idea.action) for idea in CardChoice(view, seat).ideas(question)]
    if bribe := best_bribe(view, seat, question):
        hoard = dict(view.hoards[seat] or {})
        change(hoard, bribe.pay, -1)
        loss = greed(sum(hoard.values())) * sum(bribe.pay.values())
        options.append((_inside(view, seat, hoard) - loss, bribe))
    return max(options, key=lambda option: option[0])[1]


def best_bribe(view: View, seat: Seat, question: Question) -> actions.Bribe | None:
    """A bribe from what there is most of, if the seat can pay one."""
    form = _form(question, "bribe")
    fields = [field for field in form.fields if isinstance(field, Amounts)] if form else []
    return actions.Bribe(best_payment(view.hoards[seat] or {}, fields[0])) if fields else None


def _inside(view: View, seat: Seat, hoard: Mapping[str, int]) -> float:
    outlook = Outlook.of(view)
    paid = replace(outlook, hoards=[hoard if owner == seat else other for owner, other in enumerate(outlook.hoards)])
    return replace(paid, inside=paid.inside | {seat}).fares()[seat] - paid.fares()[seat]


def _score(view: View, seat: Seat, action: PlayerAction) -> float:
    match action:
        case actions.Buy():
            return ARTIFACT - _loss(view, seat, action.payment())
        case PlayCard(_, targets):  # another way to buy
            return ARTIFACT - _loss(view, seat, payment(targets)) + CardChoice(view, seat).gain(action)
        case actions.KeepSpell(card):
            return get_card(card).keep
        case Reply(_, values):
            return _reply(view, seat, values)
    return 0.0


def _reply(view: View, seat: Seat, values: Targets) -> float:
    """An artifact that is chosen, treasure or a token that is given up."""
    card, pay, token = values.get("card"), values.get("pay"), values.get("token")
    if isinstance(card, str):
        return get_card(card).keep
    if isinstance(pay, dict):
        price = greed(sum((view.hoards[seat] or {}).values())) * sum(pay.values())
        return -price - NUANCE * _loss(view, seat, pay)
    outlook, frame = Outlook.of(view), view.agenda[-1]
    if isinstance(token, str):
        return outlook.without([token]).worth(seat) - outlook.worth(seat)
    if isinstance(frame, Ask) and frame.left:
        return outlook.without(taxed(frame, seat)).worth(seat) - outlook.worth(seat)
    return get_card(view.magic.offers[view.tallying]).keep if view.tallying in view.magic.offers else 0.0


def taxed(frame: Ask, seat: Seat) -> list[str]:
    """The tokens the seat is asked about: one by one, or all together."""
    card, left = get_card(frame.card), frame.left[seat]
    return left if isinstance(card, Tax) and not card.is_piecemeal else left[:1]


def _loss(view: View, seat: Seat, payment: Mapping[str, int]) -> float:
    """How much less useful a hoard is without what is paid, in treasure."""
    hoard = dict(view.hoards[seat] or {})
    before = usefulness(hoard)
    change(hoard, payment, -1)
    return before - usefulness(hoard)


ANSWERS: Mapping[str, Callable[[View, Seat, Question], PlayerAction]] = {
    "place": _best_placement,
    "camel": _camel,
    "market": _exchange,
    "bribe": _enter,
}
"""By kind of decision how it is answered; of all others every answer is scored."""
