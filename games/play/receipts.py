"""Receipts: when an answer reached us, stored before the game is locked.

A move waits for the lock of its game, and the process that waits may be killed. Near a deadline a receipt is therefore
committed first: the player is not passed while the answer is being handled, and if our failure makes him send it again,
the first receipt decides whether he was in time.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Exists, Min, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Concat

from games.errors import ServiceError
from games.play.models import SUBJECT, Decision, Receipt
from notifications.database.compiled_query import compiled
from notifications.models import Inbound

NEAR = timedelta(minutes=15)  # before a deadline; earlier than that no receipt is needed
LONGEST = timedelta(minutes=10)  # an answer that we lost delays its deadline by this at most


@dataclass(frozen=True)
class AnsweredDecision:
    """The decision that is being answered.

    Arguments:
        code: the engine's id of the decision.
        due_at: its deadline, or an earlier one of the game, as it was read a moment ago; None to find out.
    """

    game_id: int
    seat: int
    code: str
    due_at: datetime | None = None


@contextmanager
def keep_receipt(question: AnsweredDecision, received_at: datetime) -> Iterator[datetime]:
    """Keeps a receipt while the answer is handled; yields when the first attempt reached us.

    The receipt stays if the block ends with an error that is not a refusal, or the process dies. Enter it outside
    of any transaction: it must be committed at once.
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
    delete_for(row.pk)


@compiled()
def _due_before(game: int, seat: int, code: str, at: datetime) -> QuerySet[Decision]:
    rows = Decision.objects.filter(game_id=game, seat__number=seat, code=code, due_at__lte=at)
    return rows.filter(status=Decision.Status.OPEN)


def delete_for(decision_id: int) -> None:
    """Deletes the receipts of a decision that has been answered or passed."""
    Receipt.objects.filter(decision=decision_id).delete()


def is_being_answered(after: datetime) -> Q:
    """Matches decisions with an answer that has arrived and is not handled yet.

    Arguments:
        after: older receipts are ignored; `LONGEST` ago.
    """
    here = Receipt.objects.filter(decision=OuterRef("pk"), received_at__gt=after)
    mailed = Inbound.objects.filter(state=Inbound.State.WAITING, subject=Concat(Value(SUBJECT), OuterRef("ref")))
    return Q(Exists(here)) | Q(Exists(mailed))
