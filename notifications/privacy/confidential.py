"""What nobody but its recipient may know of yet: notices, what became of them, and answers by mail.

The product says which, at start-up. That somebody was reminded can give away what he has not done, and a delivery that
was no longer needed what he has; a mail that waited with another one tells of that one, and a mail that was held that
its reader was looking. What is confidential now is asked anew each time: when it no longer is, the whole ledger shows.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from django.db.models import Exists, Model, OuterRef, Q, QuerySet

from notifications.models import Inbound

Row = TypeVar("Row", bound=Model)
Finder = Callable[[OuterRef], QuerySet[Any]]
"""Given a subject or a thread of an outer query, the rows that make it confidential. It is asked of each row that a
list comes to, so it finds them by an index, and does not go through all games."""

_subjects: dict[str, Finder] = {}
_kinds: dict[str, Finder] = {}
_outcomes: dict[str, Finder] = {}
_answers: dict[str, Finder] = {}


def register(name: str, subjects: Finder) -> None:
    """Enter a source of confidential subjects; a second registration of a name replaces the first.

    Arguments:
        subjects: finds rows for a `Notice.subject` that is confidential now.
    """
    _subjects[name] = subjects


def register_kind(kind: str, threads: Finder) -> None:
    """Keep notices of one kind confidential in some threads; a second registration of a kind replaces the first.

    Arguments:
        threads: finds rows for a `Notice.thread` in which nobody else may know of such notices now.
    """
    _kinds[kind] = threads


def register_outcomes(name: str, threads: Finder) -> None:
    """Keep confidential what became of notices in some threads, on which channel and when.

    Arguments:
        threads: finds rows for a `Notice.thread` of which nobody else may know that now.
    """
    _outcomes[name] = threads


def register_answers(name: str, subjects: Finder) -> None:
    """Keep answers by mail confidential.

    Arguments:
        subjects: finds rows for an `Inbound.subject` about which nobody else may know of any now.
    """
    _answers[name] = subjects


def without(rows: QuerySet[Row], notice: str = "") -> QuerySet[Row]:
    """Leave out notices that are confidential now.

    Arguments:
        rows: notices, or what hangs on them.
        notice: the way from a row to its notice, such as "notice__".
    """
    for subjects in _subjects.values():
        rows = rows.filter(~Exists(subjects(OuterRef(f"{notice}subject"))))
    for kind, threads in _kinds.items():
        rows = rows.filter(~Q(**{f"{notice}kind": kind}) | ~Exists(threads(OuterRef(f"{notice}thread"))))
    return rows


def without_outcomes(rows: QuerySet[Row], notice: str) -> QuerySet[Row]:
    """Leave out deliveries, or tries at them, that are confidential now; `notice` as of `without`."""
    for threads in _outcomes.values():
        rows = rows.filter(~Exists(threads(OuterRef(f"{notice}thread"))))
    return without(rows, notice)


def without_answers(rows: QuerySet[Inbound]) -> QuerySet[Inbound]:
    """Leave out answers by mail that are confidential now."""
    for subjects in _answers.values():
        rows = rows.filter(~Exists(subjects(OuterRef("subject"))))
    return rows
