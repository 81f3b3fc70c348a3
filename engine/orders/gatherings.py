"""Sheets and plans: everybody answers at once before a phase boundary is crossed, and may give his orders with it."""

from copy import copy
from random import Random

from msgspec.structs import replace

from engine.core import ActionForm, Bot, Choice, Decision, Field, Option, Question, Seat, Text
from engine.orders import actions, checking, firing
from engine.orders.actions import (
    ALL,
    ASK,
    GATHERINGS,
    LATER,
    NEVER,
    PLAN,
    PLAN_NOTHING,
    QUIET,
    SAME,
    SHEET,
    SHEET_NOTHING,
    CommonAction,
    InnerRules,
)
from engine.orders.model import OrderedState, SeatView, Sheet, open_sheets, sheet_of
from engine.orders.vocabulary import AnyVocabulary, Gathering


def is_gathering(decision: Decision) -> bool:
    """Is it a sheet or a plan, of which the game itself knows nothing?"""
    return decision.kind in GATHERINGS


def gathering_decision(gathering: Gathering, seat: Seat, *, is_ready: bool) -> Decision:
    """What everybody is asked at once before the boundary is crossed."""
    return Decision(gathering.id, seat, gathering.kind, sealed=True, prompted=not is_ready)


def gathering_question(gathering: Gathering, decision: Decision) -> Question:
    """The orders, if they are to come with the answer, and what to do where none of them speaks."""
    kind = gathering.kind
    fields: list[Field] = [_windows()] if gathering.has_windows else []
    if kind == SHEET:
        forms = [ActionForm(SHEET, Text("orders.do-sheet"), [*fields, _tally()], gathering.hint, takes_orders=True)]
    else:
        forms = [
            ActionForm(PLAN, Text("orders.do-plan"), fields, gathering.hint, takes_orders=True),
            ActionForm(PLAN_NOTHING, Text("orders.do-plan-nothing")),
        ]
    hint, hint_given, default = _WORDS[kind]
    return Question(decision, gathering.title, forms, Text(default), Text(hint if decision.prompted else hint_given))


_WORDS = {
    SHEET: ("orders.hint-sheet", "orders.hint-sheet-given", "orders.default-sheet"),
    PLAN: ("orders.hint-plan", "orders.hint-plan-given", "orders.default-plan"),
}


def _windows() -> Choice:
    rest = [
        Option(QUIET, Text("orders.windows-quiet")),
        Option(NEVER, Text("orders.windows-never")),
        Option(ASK, Text("orders.windows-ask")),
    ]
    return Choice("windows", Text("orders.field-windows"), rest, unsaid=QUIET)


def _tally() -> Choice:
    options = [Option(LATER, Text("orders.tally-later")), Option(SAME, Text("orders.tally-same"))]
    return Choice("tally", Text("orders.field-tally"), options, unsaid=LATER)


def silence(gathering: Gathering) -> CommonAction:
    """What the deadline answers: an empty sheet, by which placing is asked as the round goes on; an empty tally."""
    if gathering.kind == PLAN:
        return CommonAction(PLAN_NOTHING)
    return CommonAction(SHEET, {**({"windows": QUIET} if gathering.has_windows else {}), "tally": LATER})


def forfeit(gathering: Gathering) -> CommonAction:
    """What leaves the rest of the round, or of the tally, to the defaults: nothing more is asked in it."""
    return CommonAction(PLAN_NOTHING if gathering.kind == PLAN else SHEET_NOTHING)


def bot_answer(question: Question) -> CommonAction:
    """What a bot answers. It is never late, so it writes nothing in advance, and is asked wherever it may act."""
    wanted = {"windows": ASK, "tally": LATER}
    form = question.actions[0]
    return CommonAction(form.type, {field.name: wanted[field.name] for field in form.fields})


class Gatherings:
    """The gatherings of one game: whom they ask, who has answered, and what the answers leave behind."""

    def __init__(self, rules: InnerRules, vocabulary: AnyVocabulary) -> None:
        self.rules = rules
        self.vocabulary = vocabulary

    def find(self, state: OrderedState) -> Gathering | None:
        """Who is asked now; None if nobody is, or everybody has answered and nothing else is missing."""
        if not self.vocabulary.gathers:
            return None
        is_beside = self.vocabulary.gathers_beside(state)
        if not is_beside and not self.rules.is_advance_pending(state):
            return None
        gathering = self.vocabulary.gathering(self.rules.view(state, None))
        if gathering is None or is_beside:
            return gathering
        return gathering if any(not self.is_ready(state, seat, gathering) for seat in gathering.seats) else None

    def decisions(self, state: OrderedState) -> list[Decision]:
        """One for each seat that is asked; prompted for those that have not answered."""
        gathering = self.find(state)
        return [] if gathering is None else self._decisions(state, gathering)

    def show(self, state: OrderedState, view: SeatView, seat: Seat | None) -> SeatView:
        """The view with what is asked; whoever has answered looks to others like one who has not."""
        gathering = self.find(state)
        if gathering is None:
            return view
        decisions = self._decisions(state, gathering)
        asked = [one if one.seat == seat else replace(one, prompted=True) for one in decisions]
        mine = [gathering_question(gathering, decision) for decision in decisions if decision.seat == seat]
        shown = copy(view)
        shown.asked, shown.questions = [*view.asked, *asked], [*view.questions, *mine]
        return shown

    def check(self, state: OrderedState, seat: Seat, action: CommonAction) -> None:
        """Raises IllegalAction if the orders that come with the answer cannot be given."""
        if action.orders is not None:
            view = self.rules.view(state, seat)
            checking.check(self.vocabulary, view, sheet_of(state, seat), action.orders)

    def record_answer(
        self, state: OrderedState, decision: str, seat: Seat, action: CommonAction, *, has_looked: bool = True
    ) -> None:
        """Keeps an answer, sealed, in place.

        Arguments:
            has_looked: the seat's player answers himself, so he has seen what was shown until now.
        """
        gathering = self.vocabulary.gathering(self.rules.view(state, seat))
        assert gathering is not None, action
        period = self.vocabulary.period(state)
        sheet = open_sheets(state, period)[seat]
        sheet.ready, sheet.period = decision, period
        if has_looked or action.orders is not None:  # orders that come now were given in view of all that was shown
            sheet.forget_plays()
        windows = action.values.get("windows", QUIET)
        is_nothing = action.type in (PLAN_NOTHING, SHEET_NOTHING)
        sheet.quiet = ALL if is_nothing else "" if windows == ASK else windows
        if gathering.kind == SHEET:
            sheet.ahead = gathering.next if is_nothing or action.values["tally"] == SAME else ""
        if action.orders is not None:
            sheet.orders = checking.numbered(sheet, action.orders)
            given = [replace(order, id="") for order in sheet.orders]
            if action.type == SHEET:
                sheet.given = given
            if action.type == PLAN or sheet.ahead:
                sheet.planned = given

    def is_ready(self, state: OrderedState, seat: Seat, gathering: Gathering) -> bool:
        """Has the seat answered, now or before? What was said before does not count once a play touches it."""
        sheet = sheet_of(state, seat)
        if sheet.ready == gathering.id:
            return True
        return (gathering.is_again or sheet.ahead == gathering.id) and self._holds(sheet, gathering)

    def _holds(self, sheet: Sheet, gathering: Gathering) -> bool:
        """Does what was said before hold after the plays that have been shown since? A plan that is asked again answers
        the window it is asked in as well, which any play in it touches."""
        if not sheet.plays or sheet.quiet in (NEVER, ALL):
            return True
        if not self.vocabulary.weighs:
            return False
        if gathering.is_again:
            return not sheet.touched and not any(order.any_play for order in sheet.orders)
        return not any(firing.is_suspended(self.vocabulary, order, order.topic, sheet) for order in sheet.orders)

    def _decisions(self, state: OrderedState, gathering: Gathering) -> list[Decision]:
        return [
            gathering_decision(gathering, seat, is_ready=self.is_ready(state, seat, gathering))
            for seat in gathering.seats
        ]


class PlanningBot:
    """A bot that is asked what its game asks, a moment after it has come up: it leaves sheets and plans empty."""

    def __init__(self, bot: Bot[SeatView]) -> None:
        self.inner = bot
        self.name, self.title = bot.name, bot.title

    def choose(self, view: SeatView, question: Question, random: Random) -> object:
        """The action to answer the question with."""
        if is_gathering(question.decision):
            return bot_answer(question)
        forms = [form for form in question.actions if form.type not in actions.TYPES]
        return self.inner.choose(view, replace(question, actions=forms), random)
