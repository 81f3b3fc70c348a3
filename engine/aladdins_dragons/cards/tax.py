"""Spells that tax the tokens of all others: they pay for them, or take them back."""

from collections.abc import Iterable, Sequence
from typing import ClassVar

from engine.aladdins_dragons.actions import Action, Reply, answer_type
from engine.aladdins_dragons.board.model import Ask, Play, State
from engine.aladdins_dragons.board.verbs import Board
from engine.aladdins_dragons.cards.card import Spell
from engine.aladdins_dragons.cards.targets import amounts_field, find_token, token_name
from engine.aladdins_dragons.cards.touching import TREASURE, Shown, at, spaces_of, untallied
from engine.aladdins_dragons.judging.case import Case
from engine.core import ActionForm, Seat, Text

PAY, REMOVE = "pay", "remove"


class Tax(Spell):
    """All others pay for their tokens in some spaces, or take them back unseen; carpets and doubles count (S5, S18).

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
            if found := find_token(board.state, name):
                board.remove_token(found[1], found[0])
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
        """What is asked about these tokens of the seat."""
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
        """What is taxed is taken back (A99)."""
        return Reply(REMOVE)
