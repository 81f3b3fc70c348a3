"""Eye for an Eye."""

from collections.abc import Iterable

from engine.aladdins_dragons.actions import Action, Reply, answer_type
from engine.aladdins_dragons.board import Board
from engine.aladdins_dragons.cards.card import (
    Found,
    Shown,
    Spell,
    all_tokens,
    at,
    find_token,
    number,
    space_of,
    spaces_of,
    text,
    token_field,
    token_name,
    without_guard,
)
from engine.aladdins_dragons.facts import GUARD
from engine.aladdins_dragons.judging import Case
from engine.aladdins_dragons.model import Ask, Play, State, Window
from engine.core import ActionForm, Field, Seat, Text
from engine.core.language import _

OWNER = "owner"
TAKE = "take_back"


class EyeForAnEye(Spell):
    """A token of an opponent goes back to him, and he sends one of the caster's back (S9).

    From any space but the guard, face up or down. If the token has left its place by then, the opponent chooses all the
    same; if the caster has none, nothing more happens.
    """

    name = "eye_for_an_eye"
    title = _("Eye for an Eye")
    rule = _("Send a token of another player back to its owner; that player then sends back one of yours.")
    sentences = {
        "eye_for_an_eye-ask": _("Eye for an Eye: which token of {seat} goes back?"),
        "eye_for_an_eye-do": _("Send this token back"),
        "eye_for_an_eye-default": _("The first of them goes back."),
    }
    keep = 2.0

    def targets(self, state: State, seat: Seat, window: Window) -> list[Field] | None:
        """A token, and with it its owner."""
        others = [match for match in all_tokens(state, guard=False) if match[1].seat != seat]
        return [*token_field(seat, others)] or None

    def declared(self, board: Board, play: Play) -> None:
        """Finds its owner, who stays known when the token has left its place."""
        match = find_token(board.state, text(play, "token"))
        if match:
            play.targets[OWNER] = match[1].seat

    def resolve(self, board: Board, play: Play) -> None:
        """The token goes, if it still lies there; then its owner chooses among those of the caster."""
        state = board.state
        if match := find_token(state, text(play, "token")):
            board.remove_token(match[1], match[0])
        mine = _tokens_of(state, play.seat)
        if len(mine) > 1:
            state.agenda.append(Ask(self.name, play, [number(play, OWNER)], [0] * state.seats))
        elif mine:
            board.remove_token(mine[0][1], mine[0][0])
        elif not match:
            board.fizzle(play)

    def question(self, state: State, ask: Ask, seat: Seat) -> tuple[Text, list[ActionForm]]:
        """Any token of the caster but those at the guard."""
        fields = token_field(seat, _tokens_of(state, ask.play.seat))
        form = ActionForm(answer_type(TAKE), Text("eye_for_an_eye-do"), [*fields])
        return Text("eye_for_an_eye-ask", {"seat": {"seat": ask.play.seat}}), [form]

    def answer(self, board: Board, ask: Ask, seat: Seat, reply: Reply) -> None:
        """It goes back as well."""
        match = find_token(board.state, str(reply.values["token"]))
        assert match, reply
        board.remove_token(match[1], match[0])

    def default(self, state: State, ask: Ask, seat: Seat) -> Action:
        """The first in board order: a value that lies face down must not decide (A99)."""
        space, token = _tokens_of(state, ask.play.seat)[0]
        return Reply(TAKE, {"token": token_name(space, token)})

    def touches(self, shown: Shown, play: Play, seat: Seat) -> Iterable[str]:
        """The space of the named token, and each from which one of the caster's may go."""
        return at(space_of(play), *spaces_of(shown, [play.seat], without_guard(shown)))

    def judge(self, case: Case) -> float:
        """If a rival's token is worth more than the own one that goes with it."""
        outlook, gone = case.outlook, case.outlook.find(case.text("token"))
        if gone is None:
            return 0.0
        without = outlook.without([gone[1].name])
        own = [p for space, row in outlook.rows.items() if space != GUARD for p in row if p.seat == case.caster]
        after = [case.gain(without.without([piece.name])) for piece in own]
        return min(after, default=case.gain(without))


def _tokens_of(state: State, seat: Seat) -> list[Found]:
    return [match for match in all_tokens(state, guard=False) if match[1].seat == seat]
