"""When answers reached us: stored facts, taken at the door, before anything is waited for.

A move waits for its game's row, and the process that waits may be killed. Near a deadline it is therefore written down
first that an answer has come: nobody is passed while one is dealt with, and who has to send it again because we broke
is judged by the first time.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.db.models import Exists, Min, OuterRef, Q, Value
from django.db.models.functions import Concat

from games.errors import ServiceError
from games.models import SUBJECT, Decision, Receipt
from notifications.models import Inbound

NEAR = timedelta(minutes=15)  # before a deadline; earlier nobody would be passed meanwhile
LONGEST = timedelta(minutes=10)  # that an answer is waited for which we lost: its player is told to send it again


@contextmanager
def kept(*, game_id: int, seat: int, code: str, received_at: datetime) -> Iterator[datetime]:
    """Keeps a receipt until the answer has been dealt with; gives when the first attempt reached us.

    What ends with an error of ours, or with the process, leaves the receipt behind. Must be entered outside any
    transaction to be of use; a reply by mail is stored as such already.
    """
    row = Decision.objects.filter(
        game_id=game_id, seat__number=seat, code=code, status=Decision.Status.OPEN, due_at__lte=received_at + NEAR
    ).first()
    if row is None:
        yield received_at
        return
    receipt = Receipt.objects.create(decision=row, received_at=received_at)
    lately = row.receipts.filter(received_at__gt=received_at - LONGEST)
    first: datetime = lately.aggregate(first=Min("received_at"))["first"] or received_at
    try:
        yield first
    except ServiceError:
        receipt.delete()
        raise
    forget(row.pk)


def forget(decision_id: int) -> None:
    """The question is dealt with."""
    Receipt.objects.filter(decision=decision_id).delete()


def is_being_answered(now: datetime) -> Q:
    """True of decisions an answer to which is here and has not been dealt with."""
    here = Receipt.objects.filter(decision=OuterRef("pk"), received_at__gt=now - LONGEST)
    mailed = Inbound.objects.filter(state=Inbound.State.WAITING, subject=Concat(Value(SUBJECT), OuterRef("ref")))
    return Q(Exists(here)) | Q(Exists(mailed))
