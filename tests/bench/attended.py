"""What `memory` keeps busy: tables whose steps between two answers are the workers', with a bot at each."""

import time
from collections.abc import Sequence

from django.db.models import Q

from games.models import Decision, Game, Move
from notifications.models import Delivery, DeliveryState
from tests.bench.answered import Request, Supply, by_page

TABLES = 6
BOT = "sultan"  # the one that thinks
PATIENCE = 120  # seconds
PAUSE = 0.1
NOT_DONE = Q(advance_at__isnull=False) | Q(decisions__status=Decision.Status.OPEN, decisions__is_automatic=True)


class Attended(Supply):
    """Tables of four people and a bot."""

    def __init__(self) -> None:
        super().__init__(size=TABLES, bots=(BOT,))

    def round(self) -> Sequence[Request]:
        """An answer for every table, by the form on its page."""
        return self.requests(by_page)

    def _settle(self) -> None:
        stop = time.monotonic() + PATIENCE
        while Game.objects.filter(NOT_DONE, pk__in=self.games).exists():
            if time.monotonic() > stop:
                raise TimeoutError("the workers do not work")
            time.sleep(PAUSE)


def done() -> str:
    """What was done so far, in words."""
    answers = Move.objects.filter(source__in=Move.PEOPLE).count()
    bots = Move.objects.filter(source=Move.Source.BOT).count()
    steps = Move.objects.filter(source=Move.Source.ADVANCE).count()
    mails = Delivery.objects.filter(state=DeliveryState.ACCEPTED).count()
    return f"after {answers} answers of people, {bots} of bots, {steps} steps of workers, {mails} mails"
