"""Abracadabra."""

from collections.abc import Iterable

from engine.aladdins_dragons.actions import Reply, answer_type
from engine.aladdins_dragons.board import Board, hidden_count, hidden_types
from engine.aladdins_dragons.cards.card import CARDS, Shown, Spell, at, card_field
from engine.aladdins_dragons.effects import pay_fields, payment
from engine.aladdins_dragons.judging import Case
from engine.aladdins_dragons.model import Ask, Play, State, Window
from engine.core import ActionForm, Field, Seat, Text
from engine.core.language import _

OFFER, HIDDEN = "take_offer", "take_hidden"
BEST = 3.0  # how useful the best artifact of a stack may be


class Abracadabra(Spell):
    """A purchase whose buyer looks through the whole stack and takes any artifact of it, at the same price (S2).

    Negated, it is a purchase like any other. What is taken face down is not shown; the face-up one stays then.
    """

    name = "abracadabra"
    title = _("Abracadabra")
    rule = _("When you buy: look through all artifacts in the room and take the one you like, for the same price.")
    sentences = {
        "abracadabra-ask": _("Abracadabra: which artifact do you take {at}?"),
        "abracadabra-offer": _("Take the one that lies face up: {card}"),
        "abracadabra-hidden": _("Take a face-down one, unseen"),
        "abracadabra-default": _("You take the one that lies face up."),
    }
    moments = frozenset({"purchase"})
    keep = 2.0

    def targets(self, state: State, seat: Seat, window: Window) -> list[Field] | None:
        """How the tokens in the room are paid for."""
        return pay_fields(state, seat, window.where)

    def declared(self, board: Board, play: Play) -> None:
        """The price is paid at once."""
        board.pay(play.seat, payment(play.targets), board.state.tallying)

    def struck(self, board: Board, play: Play) -> None:
        """The purchase stands, of what lies face up."""
        board.sell_offer(play.seat, board.state.tallying)

    def resolve(self, board: Board, play: Play) -> None:
        """The buyer looks; of a single one there is nothing to choose."""
        state, room = board.state, board.state.tallying
        board.search_stack(play.seat, room)
        if hidden_count(state, room):
            state.agenda.append(Ask(self.name, play, [play.seat], [0] * state.seats))
        else:
            board.sell_offer(play.seat, room)

    def question(self, state: State, ask: Ask, seat: Seat) -> tuple[Text, list[ActionForm]]:
        """The face-up one, or one of the types that lie face down."""
        room = state.tallying
        face_up = Text("abracadabra-offer", {"card": {"card": state.stacks[room][-1]}})
        forms = [
            ActionForm(answer_type(OFFER), face_up),
            ActionForm(answer_type(HIDDEN), Text("abracadabra-hidden"), [*card_field(hidden_types(state, room))]),
        ]
        return Text("abracadabra-ask", {"at": {"at": room}}), forms

    def answer(self, board: Board, ask: Ask, seat: Seat, reply: Reply) -> None:
        """It is the seat's."""
        if reply.form == HIDDEN:
            board.take_hidden(seat, board.state.tallying, str(reply.values["card"]))
        else:
            board.sell_offer(seat, board.state.tallying)

    def default(self, state: State, ask: Ask, seat: Seat) -> Reply:
        """The first in stack order (A99)."""
        return Reply(OFFER)

    def touches(self, shown: Shown, play: Play, seat: Seat) -> Iterable[str]:
        """The room in which it buys."""
        return at(shown.tallying)

    def judge(self, case: Case) -> float:
        """For whoever buys anyway, if what lies face up is of little use."""
        view = case.outlook.view
        offer = view.magic.offers.get(view.tallying)
        return BEST - (CARDS[offer].keep if offer else 0.0)
