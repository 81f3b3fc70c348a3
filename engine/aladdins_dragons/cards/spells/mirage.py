"""Mirage."""

from collections.abc import Iterable

from engine.aladdins_dragons.actions import Reply, answer_type
from engine.aladdins_dragons.board import Board, hidden_count, hidden_types
from engine.aladdins_dragons.cards.card import Shown, Spell, at, card_field, space_field, text
from engine.aladdins_dragons.facts import rooms
from engine.aladdins_dragons.judging import Case
from engine.aladdins_dragons.model import Ask, Play, State, Window
from engine.core import ActionForm, Field, Seat, Text
from engine.core.language import _

CHOOSE = "turn_up"


CHOICE = 0.5  # what it brings to choose what the others can buy as well


class Mirage(Spell):
    """Looks through a room's face-down artifacts and turns one up; what was face up goes to the bottom (S12).

    Nobody gains one, and the others keep their order. In a room that has sold already the new one waits (A17).
    """

    name = "mirage"
    title = _("Mirage")
    rule = _("Look through the face-down artifacts of a room and choose the one that lies face up there now.")
    sentences = {
        "mirage-ask": _("Mirage: which artifact lies face up {at} from now on?"),
        "mirage-do": _("Turn up this artifact"),
        "mirage-default": _("The uppermost of them is turned up."),
    }
    keep = 0.8

    def targets(self, state: State, seat: Seat, window: Window) -> list[Field] | None:
        """A room with something face down."""
        return [*space_field(room for room in state.stacks if hidden_count(state, room))] or None

    def resolve(self, board: Board, play: Play) -> None:
        """The caster looks; of a single one there is nothing to choose."""
        state, room = board.state, text(play, "space")
        if not hidden_count(state, room):
            board.fizzle(play)
            return
        board.search_stack(play.seat, room)
        if hidden_count(state, room) == 1:
            board.choose_offer(play.seat, room, hidden_types(state, room)[0])
        else:
            state.agenda.append(Ask(self.name, play, [play.seat], [0] * state.seats))

    def question(self, state: State, ask: Ask, seat: Seat) -> tuple[Text, list[ActionForm]]:
        """One of the types that lie face down."""
        room = text(ask.play, "space")
        form = ActionForm(answer_type(CHOOSE), Text("mirage-do"), [*card_field(hidden_types(state, room))])
        return Text("mirage-ask", {"at": {"at": room}}), [form]

    def answer(self, board: Board, ask: Ask, seat: Seat, reply: Reply) -> None:
        """It comes on top."""
        board.choose_offer(seat, text(ask.play, "space"), str(reply.values["card"]))

    def default(self, state: State, ask: Ask, seat: Seat) -> Reply:
        """The first in stack order (A99)."""
        return Reply(CHOOSE, {"card": hidden_types(state, text(ask.play, "space"))[0]})

    def touches(self, shown: Shown, play: Play, seat: Seat) -> Iterable[str]:
        """The room in which something else is for sale then."""
        return at(text(play, "space"))

    def judge(self, case: Case) -> float:
        """Where the seat is the first to buy."""
        room, outlook = case.text("space"), case.outlook
        return CHOICE if room in rooms(outlook.view.seats) and outlook.order(room)[:1] == [case.caster] else 0.0
