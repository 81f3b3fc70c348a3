"""What a seat is proposed as an answer, from what everybody sees, and why."""

import msgspec

from engine.cave_of_wonders.actions import Action, PlaceGenie
from engine.cave_of_wonders.board.model import View
from engine.cave_of_wonders.bots.sultan import SultanBot
from engine.cave_of_wonders.gains import gain_at, gain_on, seen_at
from engine.core import Proposal, Question, Seat, Text
from engine.core.proposals import dice_of

BOT = SultanBot()


def propose(view: View, question: Question) -> Proposal:
    """The answer to a question of the seat whose view this is, and why."""
    action = BOT.choose(view, question, dice_of(view))
    return Proposal(msgspec.to_builtins(action), _reason(view, question.decision.seat, action))


def _reason(view: View, seat: Seat, action: Action) -> Text:
    if isinstance(action, PlaceGenie):
        assert view.held is not None
        gain = gain_on(view, seat, view.held, action.square)
        return Text("why-sure", {"gain": {"gain": gain}}) if gain > 0 else Text("why-later")
    if not seen_at(view, action.to).face_up:
        return Text("why-hidden")
    return Text("why-sure", {"gain": {"gain": gain_at(view, seat, action.to)}})
