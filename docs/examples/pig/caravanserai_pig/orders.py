"""What can be said in advance: at which sum one holds."""

from caravanserai_pig.model import State, View
from caravanserai_pig.questions import hold_form
from engine.core import ActionForm, Answer, Decision, Question, Text
from engine.orders.model import Entry
from engine.orders.vocabulary import OrderKind, Vocabulary


class PigVocabulary(Vocabulary[State, View]):
    """Methods as in `Vocabulary`."""

    def kinds(self, view: View) -> list[OrderKind]:
        """The one decision there is."""
        return [] if view.seat is None else [OrderKind("roll", Text("order-roll"), [hold_form(view.goal)])]

    def facts(self, view: View) -> list[ActionForm]:
        """An order depends on nothing."""
        return []

    def holds(self, view: View, fact: Entry, topic: str) -> bool | None:
        """There are no facts."""
        raise AssertionError(fact)

    def answer(self, view: View, question: Question, entry: Entry) -> Answer | None:
        """The entry is the answer."""
        return entry

    def topic(self, shown: View | State, decision: Decision) -> str:
        """There is only one place."""
        return ""

    def period(self, shown: View | State) -> int:
        """The round: as many turns as there are seats."""
        return (shown.turn - 1) // shown.seats + 1
