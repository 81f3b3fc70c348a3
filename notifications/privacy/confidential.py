"""What nobody but its recipient may know of yet: notices, what became of them, and answers by mail.

The product says which, at start-up. That somebody was reminded can give away what he has not done, and a delivery that
was no longer needed what he has; a mail that waited with another one tells of that one, and a mail that was held that
its reader was looking. What is confidential now is asked anew each time: when it no longer is, the whole ledger shows.
"""

from collections.abc import Callable
from typing import TypeVar

from django.db.models import Model, QuerySet

from notifications.models import Inbound

Row = TypeVar("Row", bound=Model)
Values = Callable[[], QuerySet[Model, str]]

_subjects: dict[str, Values] = {}
_kinds: dict[str, Values] = {}
_outcomes: dict[str, Values] = {}
_answers: dict[str, Values] = {}


def register(name: str, subjects: Values) -> None:
    """Enter a source of confidential subjects; a second registration of a name replaces the first.

    Arguments:
        subjects: returns a query of one column, the `Notice.subject`s that are confidential now; never NULL.
    """
    _subjects[name] = subjects


def register_kind(kind: str, threads: Values) -> None:
    """Keep notices of one kind confidential in some threads; a second registration of a kind replaces the first.

    Arguments:
        threads: returns a query of one column, the `Notice.thread`s in which nobody else may know of such notices now.
    """
    _kinds[kind] = threads


def register_outcomes(name: str, threads: Values) -> None:
    """Keep confidential what became of notices in some threads, on which channel and when.

    Arguments:
        threads: returns a query of one column, the `Notice.thread`s of which nobody else may know that now.
    """
    _outcomes[name] = threads


def register_answers(name: str, subjects: Values) -> None:
    """Keep answers by mail confidential.

    Arguments:
        subjects: returns a query of one column, the `Inbound.subject`s about which nobody else may know of any now.
    """
    _answers[name] = subjects


def without(rows: QuerySet[Row], notice: str = "") -> QuerySet[Row]:
    """Leave out notices that are confidential now.

    Arguments:
        rows: notices, or what hangs on them.
        notice: the way from a row to its notice, such as "notice__".
    """
    for subjects in _subjects.values():
        rows = rows.exclude(**{f"{notice}subject__in": subjects()})
    for kind, threads in _kinds.items():
        rows = rows.exclude(**{f"{notice}kind": kind, f"{notice}thread__in": threads()})
    return rows


def without_outcomes(rows: QuerySet[Row], notice: str) -> QuerySet[Row]:
    """Leave out deliveries, or tries at them, that are confidential now; `notice` as of `without`."""
    for threads in _outcomes.values():
        rows = rows.exclude(**{f"{notice}thread__in": threads()})
    return without(rows, notice)


def without_answers(rows: QuerySet[Inbound]) -> QuerySet[Inbound]:
    """Leave out answers by mail that are confidential now."""
    for subjects in _answers.values():
        rows = rows.exclude(subject__in=subjects())
    return rows
