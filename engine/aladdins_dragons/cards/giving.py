"""Spells for which everybody, the caster too, returns treasure to the bank."""

from collections.abc import Iterable
from typing import ClassVar

from engine.aladdins_dragons.actions import Action, Reply, answer_type
from engine.aladdins_dragons.board.facts import KINDS
from engine.aladdins_dragons.board.model import Ask, Play, State
from engine.aladdins_dragons.board.verbs import Board
from engine.aladdins_dragons.cards.card import Spell
from engine.aladdins_dragons.cards.targets import amounts_field
from engine.aladdins_dragons.cards.touching import TREASURE, Shown
from engine.aladdins_dragons.judging.case import Case
from engine.core import ActionForm, Amounts, Seat, Text
from engine.core.language import _

FORM = "donate"

GIVING = {
    "giving-ask": _("{card}: which treasure do you return to the bank?"),
    "giving-do": _("Return treasure worth {price}"),
    "default": _("You return what you have most of."),
}
"""The sentences of these spells; each puts its own name before the codes."""


class Giving(Spell):
    """Everybody returns `price`, whoever has less all he has (S6, S14). All choose at once (A93).

    Hoards are public facts where they lie open (A46), so nobody is asked who has nothing to choose. Where they are
    hidden everybody is asked: who is not would show how rich he is (A63).
    """

    price: ClassVar[int]

    def resolve(self, board: Board, play: Play) -> None:
        """Asks whoever can choose, as far as everybody can see; for the others it is done."""
        state = board.state
        if not any(any(hoard.values()) for hoard in state.hoards):
            board.fizzle(play)
            return
        asked = [seat for seat in state.sequence() if not state.open_hoards or self._can_choose(state, seat)]
        for seat in state.sequence():
            if seat not in asked:
                self._return(board, seat, largest(state.hoards[seat], self.price))
        if asked:
            state.agenda.append(Ask(self.name, play, asked, [0] * state.seats))

    def _can_choose(self, state: State, seat: Seat) -> bool:
        held = [amount for amount in state.hoards[seat].values() if amount]
        return len(held) > 1 and sum(held) > self.price

    def _return(self, board: Board, seat: Seat, amounts: dict[str, int]) -> None:
        if amounts:
            board.pay(seat, amounts, self.name)

    def touches(self, shown: Shown, play: Play, seat: Seat) -> Iterable[str]:
        """The treasure of everybody."""
        return TREASURE

    def judge(self, case: Case) -> float:
        """If the others lose more by it."""
        outlook = case.outlook
        for seat in range(outlook.view.seats):
            outlook = outlook.with_gain(seat, -min(self.price, case.outlook.hoard(seat)))
        return case.gain(outlook)

    def question(self, state: State, ask: Ask, seat: Seat) -> tuple[Text, list[ActionForm]]:
        """Any kinds, in all exactly the price, or all there is."""
        fields: list[Amounts] = amounts_field("pay", state.hoards[seat], self.price)
        price = sum(field.total for field in fields)
        form = ActionForm(answer_type(FORM), Text(f"{self.name}-giving-do", {"price": price}), [*fields])
        return Text(f"{self.name}-giving-ask", {"card": {"card": self.name}}), [form]

    def answer(self, board: Board, ask: Ask, seat: Seat, reply: Reply) -> None:
        """Paid to the bank (A45)."""
        amounts = reply.values.get("pay", {})
        assert isinstance(amounts, dict), reply
        self._return(board, seat, amounts)

    def default(self, state: State, ask: Ask, seat: Seat) -> Action:
        """Of what the seat has most (A99)."""
        amounts = largest(state.hoards[seat], self.price)
        return Reply(FORM, {"pay": amounts} if amounts else {})


def largest(hoard: dict[str, int], price: int) -> dict[str, int]:
    """The price one by one from the kind with most left; all of a hoard that has less."""
    left = dict(hoard)
    for _step in range(min(price, sum(hoard.values()))):
        left[max(KINDS, key=lambda kind: left.get(kind, 0))] -= 1
    return {kind: amount - left[kind] for kind, amount in hoard.items() if amount > left[kind]}
