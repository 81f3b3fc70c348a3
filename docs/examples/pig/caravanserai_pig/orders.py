"""What can be said in advance: at which sum one holds."""

from caravanserai_pig.model import State, View
from caravanserai_pig.questions import hold_form
from engine.core import Text
from engine.orders.model import OrderKind, Vocabulary


class PigVocabulary(Vocabulary[State, View]):
    """Methods as in `Vocabulary`."""

    def kinds(self, view: View) -> list[OrderKind]:
        """The one decision there is."""
        return [] if view.seat is None else [OrderKind("roll", Text("order-roll"), [hold_form(view.goal)])]

    def period(self, shown: View | State) -> int:
        """The round: as many turns as there are seats."""
        return (shown.turn - 1) // shown.seats + 1
