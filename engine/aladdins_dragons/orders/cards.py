"""Playing cards in advance: the answers, and how a card is aimed when its time comes."""

from engine.aladdins_dragons.actions import play_type
from engine.aladdins_dragons.board.model import Window
from engine.aladdins_dragons.board.view_model import View
from engine.aladdins_dragons.cards import windows
from engine.aladdins_dragons.cards.deck import ARTIFACTS, get_card
from engine.aladdins_dragons.orders.facts import is_card, own, shown_plays
from engine.aladdins_dragons.orders.fields import (
    any_spell_options,
    find_form,
    own_world,
)
from engine.core import ActionForm, Answer, Choice, Field, Option, Question, Text
from engine.orders.model import Entry

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
