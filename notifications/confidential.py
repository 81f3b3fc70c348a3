"""Notices that nobody but their recipients may know of yet. The product says which, at start-up.

That somebody was reminded can give away what he has not done, and a delivery that was no longer needed what he has.
What is confidential now is asked anew each time: when it no longer is, the whole ledger shows.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from django.db.models import Model, QuerySet

from notifications.models import Notice

Row = TypeVar("Row", bound=Model)
Subjects = Callable[[], QuerySet[Any, Any]]

_subjects: dict[str, Subjects] = {}
_threads: dict[str, Subjects] = {}


def register(name: str, subjects: Subjects) -> None:
    """Enter a source of confidential subjects; a second registration of a name replaces the first.

    Arguments:
        subjects: returns a query of one column, the `Notice.subject`s that are confidential now; never NULL.
    """
    _subjects[name] = subjects


def register_kind(kind: str, threads: Subjects) -> None:
    """Keep notices of one kind confidential in some threads; a second registration of a kind replaces the first.

    Arguments:
        threads: returns a query of one column, the `Notice.thread`s in which nobody else may know of such notices now.
    """
    _threads[kind] = threads


def without(rows: QuerySet[Row], subject: str = "subject") -> QuerySet[Row]:
    """Leave out what is confidential now.

    Arguments:
        rows: notices, or what hangs on them.
        subject: the way from a row to its notice's subject, such as "notice__subject".
    """
    for subjects in _subjects.values():
        rows = rows.exclude(**{f"{subject}__in": subjects()})
    notice = subject.removesuffix("subject")
    if notice or rows.model is Notice:
        for kind, threads in _threads.items():
            rows = rows.exclude(**{f"{notice}kind": kind, f"{notice}thread__in": threads()})
    return rows
