"""Rows about people: what others may not know of yet, and what a person may have copied or erased."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Generic, TypeVar

from django.conf import settings
from django.db.models import Exists, Model, OuterRef, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from notifications import ledger
from notifications.channels.mail import suppressions
from notifications.models import (
    TO_EVERYBODY,
    Attempt,
    Bounce,
    Conversation,
    Delivery,
    Endpoint,
    FoldedNotices,
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
_by_reader: dict[str, Callable[[Any, str], Q]] = {}


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


def register_for_reader(name: str, condition: Callable[[Any, str], Q]) -> None:
    """Keep notices confidential from some readers; a second registration of a name replaces the first.

    Arguments:
        condition: given an account and the way from a row to its notice, matches what this reader may not know of.
    """
    _by_reader[name] = condition


def without(rows: QuerySet[Row], reader: object, notice: str = "") -> QuerySet[Row]:
    """Leave out notices that are confidential now.

    Arguments:
        rows: notices, or what hangs on them.
        reader: the account to which they are shown; None where nothing is.
        notice: the way from a row to its notice, such as "notice__".
    """
    if reader is not None:
        for condition in _by_reader.values():
            rows = rows.filter(~condition(reader, notice))
    for subjects in _subjects.values():
        rows = rows.filter(~Exists(subjects(OuterRef(f"{notice}subject"))))
    for kind, threads in _kinds.items():
        rows = rows.filter(~Q(**{f"{notice}kind": kind}) | ~Exists(threads(OuterRef(f"{notice}thread"))))
    return rows


def without_outcomes(rows: QuerySet[Row], reader: object, notice: str) -> QuerySet[Row]:
    """Leave out deliveries, or tries at them, that are confidential now; `reader` and `notice` as of `without`."""
    for threads in _outcomes.values():
        rows = rows.filter(~Exists(threads(OuterRef(f"{notice}thread"))))
    return without(rows, reader, notice)


def without_answers(rows: QuerySet[Inbound]) -> QuerySet[Inbound]:
    """Leave out answers by mail that are confidential now."""
    for subjects in _answers.values():
        rows = rows.filter(~Exists(subjects(OuterRef("subject"))))
    return rows


# What is kept of a person, table by table: one list for the copy he may have, and for what is erased with him.

MOST_AT_ONCE = 200  # old rows that are cleared in one transaction: nobody waits long for it
ALL = "*"  # in `withheld`: every column that is not shown
OURS = "says nothing about a person"
POWER = "whoever has it could act or write in his place"
TRIES_TO_EVERYBODY = Q(delivery__target__isnull=False, delivery__recipient=None)  # as TO_EVERYBODY


Person = TypeVar("Person")


@dataclass(frozen=True)
class Expiry:
    """For how long rows are kept.

    Arguments:
        name: the key of the number of days in settings.KEEP_DAYS; several kinds of rows may share one.
        words: what people call the rows; lazily translated.
        old: the column that says since when a row is not needed, or a function that finds the rows not needed since.
        clear: is called with the keys of such rows; None to delete them.
        model: the table of the column; PersonalData fills it in.
    """

    name: str
    words: object
    old: str | Callable[[datetime], "QuerySet[Any]"]
    clear: Callable[[list[int]], object] | None = None
    model: type[Model] | None = None

    def find(self, before: datetime) -> "QuerySet[Any]":
        """Returns the rows that have not been needed since a time."""
        if callable(self.old):
            return self.old(before)
        assert self.model is not None, self.name
        return self.model._default_manager.filter(**{f"{self.old}__lt": before})

    @property
    def days(self) -> int:
        """For how many days the rows are kept."""
        return int(settings.KEEP_DAYS[self.name])

    def apply(self, now: datetime) -> int:
        """Clears some rows that are old by now; returns how many."""
        rows = self.find(now - timedelta(days=self.days))
        ordered = rows if rows.ordered else rows.order_by("pk")
        keys = list(ordered.values_list("pk", flat=True)[:MOST_AT_ONCE])
        if keys and self.clear is not None:
            self.clear(keys)
        elif keys:
            rows.model._default_manager.filter(pk__in=keys).delete()
        return len(keys)


@dataclass(frozen=True)
class PersonalData(Generic[Person]):
    """The rows of one table that are about a person: what his copy shows, what is erased, for how long it is kept.

    Arguments:
        name: of the part of his copy.
        of: the lookup that leads from a row to its person, or a function that returns the condition.
        shown: columns in his copy, or lookups through them; () for rows of which his copy says nothing at all.
        withheld: the other columns, each with the reason; ALL for all others.
        is_erased: whether the rows are deleted when he goes; others lose his name and address, or never had them.
        kept: for how long; None for as long as the account, or the table it belongs to.
        as_data: shown columns that hold JSON as text.
        order: what its rows are sorted by.
        elsewhere: gives further rows of one person, older ones, which are not in the table any more.
    """

    name: str
    model: type[Model]
    of: str | Callable[[Person], Q]
    shown: Sequence[str]
    withheld: Mapping[str, str] = field(default_factory=dict)
    is_erased: bool = True
    kept: Expiry | None = None
    as_data: Sequence[str] = ()
    order: Sequence[str] = ("pk",)
    elsewhere: Callable[[Person], Iterable[Mapping[str, Any]]] = lambda person: ()

    def find(self, person: Person) -> "QuerySet[Any]":
        """Returns the rows of one person."""
        condition = self.of(person) if callable(self.of) else Q(**{self.of: person})
        return self.model._default_manager.filter(condition)

    @property
    def expiry(self) -> Expiry | None:
        """Returns for how long the rows are kept, with their table filled in."""
        return replace(self.kept, model=self.model) if self.kept else None

    def rows(self, person: Person) -> list[dict[str, object]]:
        """Returns the rows of the copy, oldest first."""
        rows = self.find(person).order_by(*self.order).values(*self.shown)
        return [self._row(row) for row in (*self.elsewhere(person), *rows.iterator())]

    def _row(self, row: Mapping[str, Any]) -> dict[str, Any]:
        values = {name.removesuffix("__ref").replace("__", "_"): value for name, value in row.items()}
        return values | {name: json.loads(values[name]) if values[name] else None for name in self.as_data}

    def columns(self) -> set[str]:
        """The columns of its table that it accounts for."""
        everything = {column.name for column in self.model._meta.concrete_fields}
        return everything if ALL in self.withheld else {name.split("__")[0] for name in (*self.shown, *self.withheld)}


def _by_hash(person: Recipient) -> Q:
    return Q(address_hash=suppressions.hash_address(person.address)) if person.address else NOTHING


def _is_answered(before: datetime) -> "QuerySet[Inbound]":
    return Inbound.objects.filter(received_at__lt=before).exclude(state=Inbound.State.WAITING)


NOTHING = Q(pk=None)
PERSONAL_DATA: tuple[PersonalData[Recipient], ...] = (
    PersonalData(
        "mail_settings", Recipient, lambda person: Q(pk=person.pk),
        ("address", "name", "language", "zone", "quiet_from", "quiet_until", "rhythm", "daily_at", "weekly_at",
         "quiet_holds_all", "snoozed_until", "ways", "muted", "created_at"),
        {"id": OURS, "feed_generation": OURS, "is_kept": OURS},
        is_erased=False,
    ),
    PersonalData(
        "table_mail_settings", Conversation, "recipient",
        ("thread", "rhythm", "ways", "snoozed_until", "muted", "seen_at"),
        {"id": OURS, "recipient": OURS},
    ),
    PersonalData(
        "webhooks", Endpoint, "recipient",
        ("ref", "thread", "name", "shape", "muted", "is_enabled", "disabled_reason", "disabled_at", "failing_since",
         "refusals", "created_at"),
        {"id": OURS, "recipient": OURS, "url": POWER, "secret": POWER, "old_secret": POWER,
         "old_secret_until": OURS, "target": OURS},
    ),
    PersonalData(
        "push_devices", PushSubscription, "recipient",
        ("ref", "name", "host", "muted", "refusals", "used_at", "created_at"),
        {"id": OURS, "recipient": OURS, "url": POWER, "target": OURS, "public_key": POWER, "auth_secret": POWER,
         "group": OURS},
        kept=Expiry("push_devices", _("the devices that show our notifications, since they last took one"), "used_at"),
    ),
    PersonalData(
        "answers_by_mail", Inbound, "recipient",
        ("ref", "subject", "line", "is_authentic", "is_confirmed", "state", "message_id", "answer", "received_at",
         "handled_at"),
        {"id": OURS, "recipient": OURS, "key": OURS, "tries": OURS},
        kept=Expiry("answers_by_mail", _("the line you answered by email, and our reply to it"), _is_answered),
    ),
    PersonalData(
        "tries_to_tell", Attempt, lambda person: ~TRIES_TO_EVERYBODY & Q(delivery__notice__recipient=person),
        ("delivery__notice__ref", "started_at", "ended_at", "outcome", "code", "detail", "excerpt"),
        {"id": OURS},
        order=("delivery", "pk"),  # not as they were made: what others were sent meanwhile decides about that
        elsewhere=ledger.folded_tries,
    ),
    PersonalData(
        "ways_told", Delivery, lambda person: ~TO_EVERYBODY & Q(notice__recipient=person),
        ("notice__ref", "channel", "state", "reason", "message_id", "provider_id", "tries", "accepted_at", "body"),
        {ALL: OURS},
        elsewhere=ledger.folded_ways,
    ),
    PersonalData(
        "told", Notice, "recipient",
        ("ref", "kind", "subject", "thread", "data", "created_at", "not_before"),
        {"id": OURS, "recipient": OURS, "dedupe_key": OURS, "pending": OURS},
        elsewhere=ledger.folded_notices,
    ),
    PersonalData(
        "told_of_what_is_over", FoldedNotices, "recipient", ("thread", "number", "newest_at"),
        {"id": OURS, "recipient": OURS, "packed": "stands in told, ways_told and tries_to_tell"},
    ),
    PersonalData(
        "returned_mails", Bounce, _by_hash, ("kind", "detail", "is_final", "created_at"),
        {"id": OURS, "address_hash": OURS, "event": OURS},
        kept=Expiry("returned_mails", _("that email to your address bounced; the address itself only as a keyed hash"),
                    "created_at"),
    ),
    PersonalData(
        "why_no_mail", Suppression, _by_hash, ("reason", "created_at"), {"id": OURS, "address_hash": OURS},
        is_erased=False,  # so that nobody writes to him by mistake
    ),
    PersonalData(
        "stored_mails", StoredMail,
        lambda person: Q(to__icontains=person.address) if person.address else NOTHING,
        ("to", "subject", "text", "sent_at"),
        {"id": OURS, "html": "the same as text", "headers": OURS},
        kept=Expiry("stored_mails", _("emails kept in the mailbox of a server that sends none"), "sent_at"),
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
