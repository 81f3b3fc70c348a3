"""Spells for which everybody, the caster too, returns treasure to the bank."""

from typing import ClassVar

from engine.aladdins_dragons.actions import Action, Reply, answer_type
from engine.aladdins_dragons.board import Board
from engine.aladdins_dragons.cards import Spell
from engine.aladdins_dragons.facts import KINDS
from engine.aladdins_dragons.model import Ask, Play, State
from engine.aladdins_dragons.targets import amounts_field
from engine.aladdins_dragons.text import _
from engine.core import ActionForm, Amounts, Seat, Text

FORM = "donate"

GIVING = {
    "giving-ask": _("{card}: which treasure do you return to the bank?"),
    "giving-do": _("Return treasure worth {price}"),
    "giving-default": _("You return what you have most of."),
}
"""The sentences of these spells; each puts its own name before the codes."""


class Giving(Spell):
    """Everybody returns `price`, whoever has less all he has (S6, S14). All choose at once (A93)."""

    price: ClassVar[int]

    def resolve(self, board: Board, play: Play) -> None:
        """Asks whoever can choose; for the others it is done."""
        state = board.state
        choosers: list[Seat] = []
        has_paid = False
        for seat in state.sequence():
            held = {kind: amount for kind, amount in state.hoards[seat].items() if amount}
            if len(held) > 1 and sum(held.values()) > self.price:
                choosers.append(seat)
            elif held:
                board.pay(seat, largest(held, self.price), self.name)
                has_paid = True
        if choosers:
            state.agenda.append(Ask(self.name, play, choosers, [0] * state.seats))
        elif not has_paid:
            board.fizzle(play)

    def question(self, state: State, ask: Ask, seat: Seat) -> tuple[Text, list[ActionForm]]:
        """Any kinds, in all exactly the price."""
        fields: list[Amounts] = amounts_field("pay", state.hoards[seat], self.price)
        form = ActionForm(answer_type(FORM), Text(f"{self.name}-giving-do", {"price": self.price}), [*fields])
        return Text(f"{self.name}-giving-ask", {"card": {"card": self.name}}), [form]

    def answer(self, board: Board, ask: Ask, seat: Seat, reply: Reply) -> None:
        """Paid to the bank (A45)."""
        amounts = reply.values["pay"]
        assert isinstance(amounts, dict), reply
        board.pay(seat, amounts, self.name)

    def default(self, state: State, ask: Ask, seat: Seat) -> Action:
        """Of what the seat has most (A99)."""
        return Reply(FORM, {"pay": largest(state.hoards[seat], self.price)})

    def default_text(self, state: State, ask: Ask, seat: Seat) -> Text:
        """The same in words."""
        return Text(f"{self.name}-giving-default")


def largest(hoard: dict[str, int], price: int) -> dict[str, int]:
    """The price one by one from the kind with most left; all of a hoard that has less."""
    left = dict(hoard)
    for _step in range(min(price, sum(hoard.values()))):
        left[max(KINDS, key=lambda kind: left.get(kind, 0))] -= 1
    return {kind: amount - left[kind] for kind, amount in hoard.items() if amount > left[kind]}
