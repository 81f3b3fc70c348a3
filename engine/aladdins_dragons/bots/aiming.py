"""The ways to aim a card that are worth a look: every choice of spaces and tokens, treasure chosen sensibly."""

from collections.abc import Iterator
from itertools import islice, product

from engine.aladdins_dragons.actions import PlayCard, Targets, to_action
from engine.aladdins_dragons.board.view_model import View
from engine.aladdins_dragons.judging.hoard import best_gift, best_payment, evened
from engine.aladdins_dragons.judging.outlook import Outlook
from engine.core import ActionForm, Amounts, Choice, Option, Seat

MOST = 160  # ways of one card


def aims(view: View, outlook: Outlook, seat: Seat, form: ActionForm) -> list[PlayCard]:
    """At most `MOST` legal ways to play the card of a form."""
    hoard = dict(view.hoards[seat] or {})
    choices = [field for field in form.fields if isinstance(field, Choice)]
    treasure = _treasure(hoard, [field for field in form.fields if isinstance(field, Amounts)])
    if treasure is None:
        return []
    found = []
    for chosen in islice(_chosen(outlook, seat, choices), MOST):
        named = {field.name: option.value for field, option in zip(choices, chosen, strict=True)}
        action = to_action({"type": form.type, **named, **treasure})
        assert isinstance(action, PlayCard), action
        found.append(action)
    return found


def _treasure(hoard: dict[str, int], fields: list[Amounts]) -> Targets | None:
    """What is given and taken; None if nothing sensible can be."""
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
