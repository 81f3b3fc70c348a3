"""Sheets and plans: everybody answers at once before a phase boundary is crossed, and may give his orders with it."""

from typing import Any

import msgspec
from msgspec.structs import replace

from engine.core import Decision, Seat
from engine.orders import checking, own
from engine.orders.model import Sheet
from engine.orders.own import OwnAction
from engine.orders.running import AnyInner, sheets_of
from engine.orders.vocabulary import Gathering, Vocabulary


class Gatherings:
    """The gatherings of one game: whom they ask, who has answered, and what the answers leave behind."""

    def __init__(self, rules: AnyInner, vocabulary: Vocabulary[Any]) -> None:
        self.rules = rules
        self.vocabulary = vocabulary

    def find(self, state: Any) -> Gathering | None:
        """Who is asked now; None if nobody is, or everybody has answered."""
        if not self.vocabulary.gathers or not self.rules.is_advance_pending(state):
            return None
        gathering = self.vocabulary.gathering(self.rules.view(state, None))
        if gathering is None:
            return None
        is_missing = any(not is_ready(sheet_of(state, seat), gathering) for seat in gathering.seats)
        return gathering if is_missing else None

    def decisions(self, state: Any) -> list[Decision]:
        """One for each seat that is asked; prompted for those that have not answered."""
        gathering = self.find(state)
        return [] if gathering is None else _decisions(state, gathering)

    def show(self, state: Any, view: Any, seat: Seat | None) -> Any:
        """The view with what is asked; whoever has answered looks to others like one who has not."""
        gathering = self.find(state)
        if gathering is None:
            return view
        decisions = _decisions(state, gathering)
        asked = [replace(decision, prompted=True) for decision in decisions]
        mine = [own.gathering_question(gathering, decision) for decision in decisions if decision.seat == seat]
        return replace(view, asked=asked, questions=mine)

    def check(self, state: Any, seat: Seat, action: OwnAction) -> None:
        """Raises IllegalAction if the orders that come with the answer cannot be given."""
        if action.orders is not None:
            view = self.rules.view(state, seat)
            checking.check(self.vocabulary, view, sheet_of(state, seat), action.orders)

    def note(self, state: Any, decision: str, seat: Seat, action: OwnAction, *, has_looked: bool = True) -> None:
        """Keeps an answer, sealed, in place.

        Arguments:
            has_looked: the seat's player answers himself, so he has seen what was shown until now.
        """
        open_sheets(self.vocabulary, state)
        sheet, view = sheets_of(state)[seat], self.rules.view(state, seat)
        gathering = self.vocabulary.gathering(view)
        assert gathering is not None, action
        sheet.ready, sheet.period = decision, self.vocabulary.period(state)
        if has_looked:
            sheet.plays = 0
        windows = action.values.get("windows", own.QUIET)
        sheet.quiet = own.ALL if action.type == own.PLAN_NOTHING else "" if windows == own.ASK else windows
        if action.type == own.SHEET:
            sheet.ahead = gathering.next if action.values["tally"] == own.SAME else ""
        if action.orders is not None:
            sheet.orders = checking.numbered(sheet, action.orders)
            given = [replace(order, id="") for order in sheet.orders]
            if action.type == own.SHEET:
                sheet.given = given
            if action.type == own.PLAN or sheet.ahead:
                sheet.planned = given


def is_ready(sheet: Sheet, gathering: Gathering) -> bool:
    """Has the seat answered, now or before? What was said before does not count once others have shown a play."""
    if sheet.ready == gathering.id:
        return True
    holds = sheet.plays == 0 or sheet.quiet in (own.NEVER, own.ALL)
    return holds and (gathering.is_again or sheet.ahead == gathering.id)


def sheet_of(state: Any, seat: Seat) -> Sheet:
    """The orders of a seat."""
    sheets = sheets_of(state)
    return sheets[seat] if sheets else Sheet()


def open_sheets(vocabulary: Vocabulary[Any], state: Any) -> None:
    """From now on there are orders in this game."""
    if state.orders is msgspec.UNSET:
        period = vocabulary.period(state)
        state.orders = [Sheet(period=period) for _ in range(state.seats)]


def _decisions(state: Any, gathering: Gathering) -> list[Decision]:
    return [
        own.gathering_decision(gathering, seat, is_ready=is_ready(sheet_of(state, seat), gathering))
        for seat in gathering.seats
    ]
