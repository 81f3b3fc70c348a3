"""When answers reached us: stored facts, taken at the door, before anything is waited for.

A move waits for its game's row, and the process that waits may be killed. Near a deadline it is therefore written down
first that an answer has come: nobody is passed while one is dealt with, and who has to send it again because we broke
is judged by the first time.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Exists, Min, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Concat

from games.errors import ServiceError
from games.models import SUBJECT, Decision, Receipt
from notifications.database.compiled_query import compiled
from notifications.models import Inbound

NEAR = timedelta(minutes=15)  # before a deadline; earlier nobody would be passed meanwhile
LONGEST = timedelta(minutes=10)  # that an answer is waited for which we lost: its player is told to send it again


@dataclass(frozen=True)
class AnsweredDecision:
    """What is answered.

    Arguments:
        code: the engine's id of the decision.
        due_at: its deadline, or an earlier one of the game, as it was read a moment ago; None to find out.
    """

    game_id: int
    seat: int
    code: str
    due_at: datetime | None = None


@contextmanager
def kept(question: AnsweredDecision, received_at: datetime) -> Iterator[datetime]:
    """Keeps a receipt until the answer has been dealt with; gives when the first attempt reached us.

    What ends with an error of ours, or with the process, leaves the receipt behind. Must be entered outside any
    transaction to be of use; a reply by mail is stored as such already.
    """
    near = received_at + NEAR
    is_far = question.due_at is not None and question.due_at > near
    rows = () if is_far else _due_before(question.game_id, question.seat, question.code, near)
    row = next(iter(rows), None)
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


@compiled()
def _due_before(game: int, seat: int, code: str, at: datetime) -> QuerySet[Decision]:
    rows = Decision.objects.filter(game_id=game, seat__number=seat, code=code, due_at__lte=at)
    return rows.filter(status=Decision.Status.OPEN)


def forget(decision_id: int) -> None:
    """The question is dealt with."""
    Receipt.objects.filter(decision=decision_id).delete()


def is_being_answered(after: datetime) -> Q:
    """True of decisions an answer to which is here and has not been dealt with.

    Arguments:
        after: what came earlier is not waited for any more; `LONGEST` ago.
    """
    here = Receipt.objects.filter(decision=OuterRef("pk"), received_at__gt=after)
    mailed = Inbound.objects.filter(state=Inbound.State.WAITING, subject=Concat(Value(SUBJECT), OuterRef("ref")))
    return Q(Exists(here)) | Q(Exists(mailed))
