"""Rows about people: what others may not know of yet, and what a person may have copied or erased."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Generic, TypeVar

from django.db.models import Exists, Model, OuterRef, Q, QuerySet

from notifications.channels.mail import suppressions
from notifications.models import (
    TO_EVERYBODY,
    Attempt,
    Bounce,
    Conversation,
    Delivery,
    Endpoint,
    Inbound,
    Notice,
    PushSubscription,
    Recipient,
    StoredMail,
    Suppression,
)

# What nobody but its recipient may know of yet: notices, what became of them, and answers by mail.

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


# What is kept of a person, table by table: one list for the copy he may have, and for what is erased with him.

ALL = "*"  # in `withheld`: every column that is not shown
OURS = "says nothing about a person"
POWER = "whoever has it could act or write in his place"
TRIES_TO_EVERYBODY = Q(delivery__target__isnull=False, delivery__recipient=None)  # as TO_EVERYBODY


Person = TypeVar("Person")


@dataclass(frozen=True)
class PersonalData(Generic[Person]):
    """The rows of one table that are about a person.

    Arguments:
        name: of the part of his copy.
        find: gives the rows of one person.
        shown: columns in his copy, or lookups through them; () for rows of which his copy says nothing at all.
        withheld: the other columns, each with the reason; ALL for all others.
        is_erased: whether the rows are deleted when he goes; others lose his name and address, or never had them.
        as_data: shown columns that hold JSON as text.
        order: what its rows are sorted by.
        elsewhere: gives further rows of one person, older ones, which are not in the table any more.
    """

    name: str
    find: Callable[[Person], "QuerySet[Any]"]
    shown: Sequence[str]
    withheld: Mapping[str, str] = field(default_factory=dict)
    is_erased: bool = True
    as_data: Sequence[str] = ()
    order: Sequence[str] = ("pk",)
    elsewhere: Callable[[Person], Iterable[Mapping[str, Any]]] = lambda person: ()

    def rows(self, person: Person) -> list[dict[str, object]]:
        """What the copy says, oldest first."""
        rows = self.find(person).order_by(*self.order).values(*self.shown)
        return [self._row(row) for row in (*self.elsewhere(person), *rows.iterator())]

    def _row(self, row: Mapping[str, Any]) -> dict[str, Any]:
        told = {name.removesuffix("__ref").replace("__", "_"): value for name, value in row.items()}
        return told | {name: json.loads(told[name]) if told[name] else None for name in self.as_data}

    def columns(self, model: type[Model]) -> set[str]:
        """The columns of its table that it accounts for."""
        everything = {column.name for column in model._meta.concrete_fields}
        return everything if ALL in self.withheld else {name.split("__")[0] for name in (*self.shown, *self.withheld)}


def _of_address(model: type[Model]) -> Callable[[Recipient], "QuerySet[Any]"]:
    """Rows that know an address by its keyed hash."""

    def find(person: Recipient) -> "QuerySet[Any]":
        hashed = suppressions.hash_address(person.address) if person.address else ""
        return model._default_manager.filter(address_hash=hashed)

    return find


NO_MAILS = StoredMail.objects.none()

PERSONAL_DATA: tuple[PersonalData[Recipient], ...] = (
    PersonalData(
        "mail_settings",
        lambda person: Recipient.objects.filter(pk=person.pk),
        ("address", "name", "language", "zone", "quiet_from", "quiet_until", "rhythm", "daily_at", "weekly_at",
         "quiet_holds_all", "snoozed_until", "ways", "muted", "created_at"),
        {"id": OURS, "feed_generation": OURS},
        is_erased=False,
    ),
    PersonalData(
        "table_mail_settings",
        lambda person: Conversation.objects.filter(recipient=person),
        ("thread", "rhythm", "ways", "snoozed_until", "muted", "seen_at"),
        {"id": OURS, "recipient": OURS},
    ),
    PersonalData(
        "webhooks",
        lambda person: Endpoint.objects.filter(recipient=person),
        ("ref", "thread", "name", "shape", "muted", "is_enabled", "disabled_reason", "disabled_at", "failing_since",
         "refusals", "created_at"),
        {"id": OURS, "recipient": OURS, "url": POWER, "secret": POWER, "old_secret": POWER,
         "old_secret_until": OURS, "target": OURS},
    ),
    PersonalData(
        "push_devices",
        lambda person: PushSubscription.objects.filter(recipient=person),
        ("ref", "name", "host", "muted", "refusals", "used_at", "created_at"),
        {"id": OURS, "recipient": OURS, "url": POWER, "target": OURS, "public_key": POWER, "auth_secret": POWER,
         "group": OURS},
    ),
    PersonalData(
        "answers_by_mail",
        lambda person: Inbound.objects.filter(recipient=person),
        ("ref", "subject", "line", "is_authentic", "is_confirmed", "state", "message_id", "answer", "received_at",
         "handled_at"),
        {"id": OURS, "recipient": OURS, "key": OURS, "tries": OURS},
    ),
    PersonalData(
        "tries_to_tell",
        lambda person: Attempt.objects.filter(~TRIES_TO_EVERYBODY, delivery__notice__recipient=person),
        ("delivery__notice__ref", "started_at", "ended_at", "outcome", "code", "detail", "excerpt"),
        {"id": OURS},
        order=("delivery", "pk"),  # not as they were made: what others were sent meanwhile decides about that
    ),
    PersonalData(
        "ways_told",
        lambda person: Delivery.objects.filter(~TO_EVERYBODY, notice__recipient=person),
        ("notice__ref", "channel", "state", "reason", "message_id", "provider_id", "tries", "accepted_at", "body"),
        {ALL: OURS},
    ),
    PersonalData(
        "told",
        lambda person: Notice.objects.filter(recipient=person),
        ("ref", "kind", "subject", "thread", "data", "created_at", "not_before"),
        {"id": OURS, "recipient": OURS, "dedupe_key": OURS},
    ),
    PersonalData(
        "returned_mails", _of_address(Bounce), ("kind", "detail", "is_final", "created_at"),
        {"id": OURS, "address_hash": OURS, "event": OURS},
    ),
    PersonalData(
        "why_no_mail", _of_address(Suppression), ("reason", "created_at"), {"id": OURS, "address_hash": OURS},
        is_erased=False,  # so that nobody writes to him by mistake
    ),
    PersonalData(
        "stored_mails",
        lambda person: StoredMail.objects.filter(to__icontains=person.address) if person.address else NO_MAILS,
        ("to", "subject", "text", "sent_at"),
        {"id": OURS, "html": "the same as text", "headers": OURS},
    ),
)  # fmt: skip


def is_being_told(person: Recipient, now: datetime) -> bool:
    """Whether a worker is sending him something at this moment."""
    return Delivery.objects.filter(notice__recipient=person, lease_until__gt=now).exists()


def erase(person: Recipient) -> None:
    """Deletes all that is kept about somebody, and leaves a record without address, name and preferences.

    Nobody writes to his address again by mistake: its keyed hash stays. Call it in a transaction.
    """
    if person.address:
        suppressions.suppress(person.address, suppressions.ERASED)
    for holding in PERSONAL_DATA:
        if holding.is_erased:
            holding.find(person).delete()
    fresh = Recipient(pk=person.pk, language=person.language, created_at=person.created_at)
    fresh.feed_generation = person.feed_generation + 1
    fresh.save(force_update=True)
