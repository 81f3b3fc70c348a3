"""A player who takes what looks best at the moment, from what it can see."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random

from engine.aladdins_dragons import actions
from engine.aladdins_dragons.actions import PlayCard, PlayerAction, Reply, Targets, to_action
from engine.aladdins_dragons.board.facts import KINDS
from engine.aladdins_dragons.board.model import Ask
from engine.aladdins_dragons.board.view_model import View
from engine.aladdins_dragons.bots.estimate import Estimate
from engine.aladdins_dragons.bots.hand import CardChoice
from engine.aladdins_dragons.cards.deck import get_card
from engine.aladdins_dragons.cards.tax import Tax
from engine.aladdins_dragons.judging.hoard import best_gift, best_payment, change, usefulness
from engine.aladdins_dragons.judging.outlook import Outlook
from engine.aladdins_dragons.judging.worth import ARTIFACT, greed
from engine.aladdins_dragons.tally.payments import payment
from engine.core import ActionForm, Amounts, Choice, Question, Seat, Text
from engine.core.answers import every_answer

NUANCE = 0.1  # which kinds are paid matters less than how much is
TOKEN_COST = 0.25  # what a unit of strength might bring elsewhere


class GreedyBot:
    """Places each token where it adds most, plays a card when it helps at once, and buys whenever it can."""

    name = "greedy"
    title = Text("bot-greedy")

    def choose(self, view: View, question: Question, random: Random) -> PlayerAction:
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
    found: list[tuple[float, PlayerAction]] = [(0.0, actions.StayOut())]
    if view.has_magic:
        found += [(idea.gain, idea.action) for idea in CardChoice(view, seat).ideas(question)]
    if bribe := best_bribe(view, seat, question):
        hoard = dict(view.hoards[seat] or {})
        change(hoard, bribe.pay, -1)
        loss = greed(sum(hoard.values())) * sum(bribe.pay.values())
        found.append((_inside(view, seat, hoard) - loss, bribe))
    return max(found, key=lambda option: option[0])[1]


def best_bribe(view: View, seat: Seat, question: Question) -> actions.Bribe | None:
    """A bribe from what there is most of, if the seat can pay one."""
    form = _form(question, "bribe")
    fields = [field for field in form.fields if isinstance(field, Amounts)] if form else []
    return actions.Bribe(best_payment(view.hoards[seat] or {}, fields[0])) if fields else None


def _inside(view: View, seat: Seat, hoard: Mapping[str, int]) -> float:
    """What the seat may buy in the palace with that hoard."""
    outlook = Outlook.of(view)
    paid = replace(outlook, hoards=[hoard if owner == seat else other for owner, other in enumerate(outlook.hoards)])
    return replace(paid, inside=paid.inside | {seat}).fares()[seat] - paid.fares()[seat]


def _score(view: View, seat: Seat, action: PlayerAction) -> float:
    """What an answer brings at once, less the use of what it costs."""
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
