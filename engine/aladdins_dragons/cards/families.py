"""Spells that send home the face-up tokens of a space whose numbers are odd, or even."""

from collections.abc import Iterable, Sequence
from typing import ClassVar

from engine.aladdins_dragons.actions import Action, Reply, answer_type
from engine.aladdins_dragons.board import Board
from engine.aladdins_dragons.cards.card import (
    TREASURE,
    Shown,
    Spell,
    all_tokens,
    amounts_field,
    at,
    find_token,
    space_field,
    spaces_of,
    text,
    token_name,
    untallied,
)
from engine.aladdins_dragons.facts import KINDS
from engine.aladdins_dragons.judging import Case
from engine.aladdins_dragons.model import Ask, Play, State, Window
from engine.core import ActionForm, Amounts, Field, Seat, Text
from engine.core.language import _


class Eclipse(Spell):
    """The face-up tokens of a space whose value has that parity go home, everybody's (S10, S16).

    Arguments:
        parity: 1 for odd values, 0 for even ones.
    """

    parity: ClassVar[int]

    def targets(self, state: State, seat: Seat, window: Window) -> list[Field] | None:
        """A space with face-up tokens, but not the guard (A66)."""
        spaces = dict.fromkeys(space for space, token in all_tokens(state, guard=False) if token.face_up)
        return [*space_field(spaces)] or None

    def resolve(self, board: Board, play: Play) -> None:
        """On a tallied space nothing follows."""
        board.eclipse(play, text(play, "space"), self.parity)

    def touches(self, shown: Shown, play: Play, seat: Seat) -> Iterable[str]:
        """The space."""
        return at(text(play, "space"))

    def judge(self, case: Case) -> float:
        """If the tokens that go are mostly in the way."""
        return case.gain(
            case.outlook.with_row(
                case.text("space"),
                lambda row: tuple(piece for piece in row if not piece.face_up or piece.value % 2 != self.parity),
            )
        )


# Spells for which everybody, the caster too, returns treasure to the bank.

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
        choosers = [seat for seat in state.sequence() if not state.open_hoards or self._can_choose(state, seat)]
        for seat in state.sequence():
            if seat not in choosers:
                self._return(board, seat, largest(state.hoards[seat], self.price))
        if choosers:
            state.agenda.append(Ask(self.name, play, choosers, [0] * state.seats))

    def _can_choose(self, state: State, seat: Seat) -> bool:
        amounts = [amount for amount in state.hoards[seat].values() if amount]
        return len(amounts) > 1 and sum(amounts) > self.price

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
        """Takes what the seat has most of (A99)."""
        amounts = largest(state.hoards[seat], self.price)
        return Reply(FORM, {"pay": amounts} if amounts else {})


def largest(hoard: dict[str, int], price: int) -> dict[str, int]:
    """The price one by one from the kind with most left; all of a hoard that has less."""
    left = dict(hoard)
    for _step in range(min(price, sum(hoard.values()))):
        left[max(KINDS, key=lambda kind: left.get(kind, 0))] -= 1
    return {kind: amount - left[kind] for kind, amount in hoard.items() if amount > left[kind]}


# Spells that tax the tokens of all others: they pay for them, or take them back.

PAY, REMOVE = "pay", "remove"


class Tax(Spell):
    """The others pay for their tokens in some spaces, or take them back unseen; carpets and doubles count (S5, S18).

    Tokens in tallied spaces are left alone. All may answer at once, since each decides about his own (A93). Who cannot
    pay is not asked, unless hoards are hidden: then everybody is, for who is not would show how rich he is (A46, A63).

    Arguments:
        spaces: the taxed ones.
        rate: value to be paid for each token.
        is_piecemeal: each token is decided on by itself, in tally order; else all of a seat's together.
    """

    spaces: ClassVar[Sequence[str]]
    rate: ClassVar[int]
    is_piecemeal: ClassVar[bool]

    def resolve(self, board: Board, play: Play) -> None:
        """Asks everybody who can pay, as far as all can see; who cannot has no choice."""
        state = board.state
        ask = Ask(self.name, play, [], [0] * state.seats, self._taxed(state, play.seat))
        if not any(ask.left):
            board.fizzle(play)
            return
        for seat in state.sequence():
            self._go_on(board, ask, seat)
        if ask.waiting:
            state.agenda.append(ask)

    def _taxed(self, state: State, caster: Seat) -> list[list[str]]:
        names: list[list[str]] = [[] for _ in range(state.seats)]
        for space in self.spaces:
            if space in state.spaces and space not in state.tallied:
                for token in state.spaces[space]:
                    if token.seat != caster:
                        names[token.seat].append(token_name(space, token))
        return names

    def _go_on(self, board: Board, ask: Ask, seat: Seat) -> None:
        """Asks the seat about what it has next to answer for, or takes back what it cannot pay for."""
        while ask.left[seat]:
            if not board.state.open_hoards or self._can_pay(board.state, ask, seat):
                ask.waiting.append(seat)
                return
            self._remove(board, ask, seat)

    def _next(self, ask: Ask, seat: Seat) -> list[str]:
        return ask.left[seat][:1] if self.is_piecemeal else ask.left[seat]

    def _price(self, ask: Ask, seat: Seat) -> int:
        return self.rate * len(self._next(ask, seat))

    def _can_pay(self, state: State, ask: Ask, seat: Seat) -> bool:
        return sum(state.hoards[seat].values()) >= self._price(ask, seat)

    def _remove(self, board: Board, ask: Ask, seat: Seat) -> None:
        for name in self._next(ask, seat):
            if match := find_token(board.state, name):
                board.remove_token(match[1], match[0])
        self._settle(ask, seat)

    def _settle(self, ask: Ask, seat: Seat) -> None:
        ask.left[seat] = ask.left[seat][len(self._next(ask, seat)) :]

    def touches(self, shown: Shown, play: Play, seat: Seat) -> Iterable[str]:
        """The taxed spaces in which others have tokens, and the treasure of those others."""
        taxed = set(self.spaces).intersection(untallied(shown))
        others = [other for other in range(shown.seats) if other != play.seat]
        pays = seat in others and spaces_of(shown, [seat], taxed)
        return [*at(*spaces_of(shown, others, sorted(taxed))), *(TREASURE if pays else ())]

    def judge(self, case: Case) -> float:
        """Every rival who can pays; the others take back what lies there."""
        outlook = case.outlook
        spaces = [space for space in self.spaces if space in outlook.rows and space not in outlook.view.tallied]
        for seat in range(outlook.view.seats):
            names = [p.name for space in spaces for p in outlook.rows[space] if p.seat == seat != case.caster]
            price = self.rate * len(names)
            can_pay = price <= case.outlook.hoard(seat)
            outlook = outlook.with_gain(seat, -price) if can_pay else outlook.without(names)
        return case.gain(outlook)

    def question(self, state: State, ask: Ask, seat: Seat) -> tuple[Text, list[ActionForm]]:
        """Pay in any kinds, if the seat can, or take back."""
        price = self._price(ask, seat)
        forms = [ActionForm(answer_type(REMOVE), Text(f"{self.name}-remove"))]
        if self._can_pay(state, ask, seat):
            pay = amounts_field(PAY, state.hoards[seat], price)
            forms.insert(0, ActionForm(answer_type(PAY), Text(f"{self.name}-pay", {"price": price}), [*pay]))
        return self.title_of(state, self._next(ask, seat), price), forms

    def title_of(self, state: State, names: Sequence[str], price: int) -> Text:
        """Returns what is asked about these tokens of the seat."""
        raise AssertionError(self.name)

    def answer(self, board: Board, ask: Ask, seat: Seat, reply: Reply) -> None:
        """Paid to the bank (A45), or taken back into the hand (A30)."""
        if reply.form == PAY:
            amounts = reply.values[PAY]
            assert isinstance(amounts, dict), reply
            board.pay(seat, amounts, self.name)
            self._settle(ask, seat)
        else:
            self._remove(board, ask, seat)
        self._go_on(board, ask, seat)

    def default(self, state: State, ask: Ask, seat: Seat) -> Action:
        """Takes back what is taxed (A99)."""
        return Reply(REMOVE)
