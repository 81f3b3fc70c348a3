"""Which of its cards a seat plays, if any: those it can, aimed in every sensible way, judged, less what they cost."""

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from engine.aladdins_dragons.actions import PlayCard, Targets, to_action
from engine.aladdins_dragons.bots.hoard import best_gift, best_payment
from engine.aladdins_dragons.bots.judgement import judge
from engine.aladdins_dragons.bots.judgement.case import Case
from engine.aladdins_dragons.bots.outlook import Outlook
from engine.aladdins_dragons.deck import is_artifact
from engine.aladdins_dragons.facts import LAMP
from engine.aladdins_dragons.model import View
from engine.core import ActionForm, Amounts, Choice, Option, Question, Seat

USE = 2.0  # an artifact can be used but once in a round
LATE_USE = 0.5  # and in the rooms there is little left to use it for
KEY_USE = 4.0  # and whoever has a key may need the use at the guard
CARD = 1.5  # a spell is spent
MOST_AIMS = 160  # of one card that are looked at


class Idea(NamedTuple):
    """A card, aimed, and what it brings beyond its cost."""

    gain: float
    action: PlayCard


def ideas(view: View, question: Question) -> list[Idea]:
    """The best aim of each card that can be played now, best first; those that cost more than they bring as well."""
    outlook = Outlook.of(view)
    before = outlook.worth(question.decision.seat)
    found = []
    for form in question.actions:
        if not form.type.startswith("play_") or form.type == f"play_{LAMP}":
            continue  # the lamp comes with the first spell
        plays = [_play(form, targets) for targets in _aims(view, outlook, form)]
        judged = [Idea(_gain(view, outlook, before, play), play) for play in plays]
        if judged:
            found.append(max(judged, key=lambda idea: idea.gain))
    return sorted(found, key=lambda idea: -idea.gain)


def gain(view: View, seat: Seat, play: PlayCard) -> float:
    """What a play brings beyond its cost, the lamp it needs included."""
    outlook = Outlook.of(view)
    lamp = 0.0 if is_artifact(play.card) or is_lit(view, seat) else _use_cost(view)
    return _gain(view, outlook, outlook.worth(seat), play) - lamp


def _gain(view: View, outlook: Outlook, before: float, play: PlayCard) -> float:
    seat = view.seat or 0
    return judge(Case(outlook, before, seat, seat, play.card, play.targets)) - _cost(view, play.card)


def best(view: View, question: Question) -> Idea | None:
    """The card to play now. A lamp that is not lit yet must be worth it by all its spells together."""
    found = [idea for idea in ideas(view, question) if idea.gain > 0]
    if not found:
        return None
    spells = [idea for idea in found if not is_artifact(idea.action.card)]
    if is_lit(view, question.decision.seat) or sum(idea.gain for idea in spells) > _use_cost(view):
        return found[0]
    return next((idea for idea in found if is_artifact(idea.action.card)), None)


def is_lit(view: View, seat: Seat) -> bool:
    """The seat has invoked its lamp this round."""
    return LAMP in view.magic.used[seat]


def _cost(view: View, card: str) -> float:
    if card == "key":
        return USE
    return _use_cost(view) if is_artifact(card) else CARD


def _use_cost(view: View) -> float:
    """What else the use could do."""
    if view.tallying.startswith("room-"):
        return LATE_USE
    if view.seat is None or view.seat in view.admitted or "key" not in (view.magic.artifacts or []):
        return USE
    return USE if len(view.magic.used[view.seat]) + 1 < view.magic.allowance[view.seat] else KEY_USE


def _play(form: ActionForm, targets: Targets) -> PlayCard:
    action = to_action({"type": form.type, **targets})
    assert isinstance(action, PlayCard), action
    return action


def _aims(view: View, outlook: Outlook, form: ActionForm) -> Iterator[Targets]:
    """Every choice of targets, treasure chosen sensibly; of very many those that may matter."""
    hoard = dict(view.hoards[view.seat or 0] or {})
    choices = [field for field in form.fields if isinstance(field, Choice)]
    amounts: Targets = {
        field.name: best_gift(hoard, field) if field.name == "take" else best_payment(hoard, field)
        for field in form.fields
        if isinstance(field, Amounts)
    }
    options = [_narrowed(outlook, view.seat or 0, field) for field in choices]
    for count, chosen in enumerate(product(*options)):
        if count >= MOST_AIMS:
            return
        if _fits(choices, chosen):
            yield {**{field.name: option.value for field, option in zip(choices, chosen, strict=True)}, **amounts}


def _fits(fields: list[Choice], chosen: tuple[Option, ...]) -> bool:
    """Nothing twice that must differ, and nothing that another choice bars."""
    barred = {value for option in chosen for value in option.bars}
    marked = [(field.distinct, option.value) for field, option in zip(fields, chosen, strict=True) if field.distinct]
    return len(marked) == len(set(marked)) and not any(option.value in barred for option in chosen)


def _narrowed(outlook: Outlook, seat: Seat, field: Choice) -> list[Option]:
    """Of the tokens of others those that stand in the seat's way."""
    if field.name != "token":
        return field.options
    return [option for option in field.options if _matters(outlook, seat, str(option.value))]


def _matters(outlook: Outlook, seat: Seat, name: str) -> bool:
    found = outlook.find(name)
    if found is None or found[1].seat == seat:
        return True
    order = outlook.order(found[0])
    return seat in order and order.index(found[1].seat) < order.index(seat)
