"""Deletes old data once a day: any worker does it, a few rows at a time.

settings.KEEP_DAYS says how long each kind is kept. Games, moves and table talk are kept for good.
"""

from collections import defaultdict
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

from allauth.account.models import EmailAddress
from django.apps import apps
from django.conf import settings
from django.core import checks
from django.db import transaction
from django.db.models import Exists, Model, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Concat
from django.utils.translation import gettext_lazy as _

from games.clubs.models import ClubInvitation
from games.lobby import guests
from games.moderation.reports import MODERATED
from games.people.models import Block, Session, User
from games.play.models import SUBJECT, Decision, Heartbeat
from games.privacy.personal_data import PERSONAL_DATA
from games.tables.models import THREAD, Game
from games.tables.seats import Invitation, Seat
from notifications import ledger, privacy
from notifications.database.compiled_query import compiled_exists
from notifications.database.key_of_time import first_key_since
from notifications.models import (
    Attempt,
    ChatMessage,
    Delivery,
    DeliveryState,
    FoldedNotices,
    Notice,
    PushService,
    Recipient,
)
from notifications.privacy import MOST_AT_ONCE, Expiry

HEART = "housekeeping"  # beats when a day's work is done
HOUR = 3  # of the day in UTC, when most people here sleep
NEVER = datetime(1970, 1, 1, tzinfo=UTC)
Rows = QuerySet[Model]
Row = TypeVar("Row", bound=Model)


def clear_some(now: datetime) -> bool:
    """Clears some rows of each kind. Returns whether some are left. Several workers may call it at once."""
    night = now.replace(hour=HOUR, minute=0, second=0, microsecond=0)
    night -= timedelta(days=1) if night > now else timedelta(0)
    if _is_done_since(night):
        return False
    Heartbeat.objects.get_or_create(name=HEART, defaults={"beat_at": NEVER})
    with transaction.atomic():
        heart = Heartbeat.objects.select_for_update(skip_locked=True).filter(name=HEART, beat_at__lt=night).first()
        if heart is None:
            return False
        others = (_clear_sessions, _clear_folded, lambda now: ledger.fold_some(_of_packed(now)))
        if sum(expiry.apply(now) for expiry in EXPIRIES) or any(clear(now) for clear in others):
            return True
        Heartbeat.objects.filter(pk=heart.pk).update(beat_at=now)
        return False


@compiled_exists
def _is_done_since(night: datetime) -> QuerySet[Heartbeat]:
    return Heartbeat.objects.filter(name=HEART, beat_at__gte=night)


def _before(model: type[Row], at: str, before: datetime) -> QuerySet[Row]:
    """The rows that are older, without a look at those that are not: there is no index on their time."""
    rows = model._default_manager.all()
    return rows.filter(pk__lt=first_key_since(rows, at, before))


def _told(before: datetime) -> Rows:
    """Old notices, except those of open questions: their deliveries decide whether a missed deadline counts."""
    asked = Decision.objects.filter(status=Decision.Status.OPEN).annotate(key=Concat(Value(SUBJECT), "ref"))
    waiting = Delivery.objects.filter(notice=OuterRef("pk"), attempt_after__isnull=False)
    old = _before(Notice, "created_at", before).filter(created_at__lt=before)
    return old.filter(~Exists(asked.filter(key=OuterRef("subject"))), ~Exists(waiting), pending__isnull=True)


def _of_packed(now: datetime) -> QuerySet[Notice]:
    """Notices that can be folded: of games whose logs are packed, and as old.

    Not what somebody may still appeal against or send again, nor what a webhook was sent lately.
    """
    before = now - timedelta(days=settings.PACK_AFTER_DAYS)
    packed = Game.objects.filter(is_packed=True).annotate(key=Concat(Value(THREAD), "ref"))
    sent = Delivery.objects.filter(notice=OuterRef("pk"))
    tried = Attempt.objects.filter(delivery__notice=OuterRef("pk")).exclude(excerpt="")
    old = _before(Notice, "created_at", before).filter(created_at__lt=before, pending__isnull=True)
    old = old.filter(Exists(packed.filter(key=OuterRef("thread")))).exclude(kind=MODERATED)
    kept = Q(attempt_after__isnull=False) | Q(state__in=(DeliveryState.QUARANTINED, DeliveryState.JOINED)) | ~Q(body="")
    return old.filter(~Exists(sent.filter(kept)), ~Exists(tried))


def _webhook_calls(before: datetime) -> Rows:
    """Old webhook deliveries that still have a body or the excerpt of an answer."""
    answered = Attempt.objects.filter(delivery=OuterRef("pk")).exclude(excerpt="")
    old = _before(Delivery, "notice__created_at", before)
    old = old.filter(attempt_after=None, notice__created_at__lt=before)
    return old.filter(~Q(body="") | Exists(answered))


def _empty_calls(keys: list[int]) -> None:
    Delivery.objects.filter(pk__in=keys).update(body="")
    Attempt.objects.filter(delivery__in=keys).update(excerpt="")


def _recipients(before: datetime) -> Rows:
    """Recipients that are not known to have an account, once they have one or are needed no more.

    Without an account are people who were once invited, and addresses that an account has left.
    """
    lately = Notice.objects.filter(recipient=OuterRef("pk"))
    lately = lately.filter(Q(created_at__gte=before) | Q(deliveries__attempt_after__isnull=False))
    blocks = Block.objects.filter(recipient=OuterRef("pk"))
    is_needed = Exists(lately) | Exists(blocks) | _is_invited("pk")
    rows = Recipient.objects.filter(is_kept=False, created_at__lt=before)
    return rows.filter(Q(user__isnull=False) | ~is_needed).order_by("created_at")


def _is_invited(recipient: str) -> Any:
    tables, clubs = (
        Exists(model.objects.filter(recipient=OuterRef(recipient))) for model in (Invitation, ClubInvitation)
    )
    return tables | clubs


def _forget_strangers(keys: list[int]) -> None:
    rows = Recipient.objects.filter(pk__in=keys)
    rows.filter(user=None).delete()
    rows.update(is_kept=True)


def _accounts(before: datetime) -> Rows:
    """Accounts that are old and were not looked at since, but those that may yet accept their first invitation."""
    rows = User.objects.filter(is_kept=False, date_joined__lt=before)
    sits = Seat.objects.filter(user=OuterRef("pk"))
    return rows.filter(Q(last_login__isnull=False) | Exists(sits) | ~_is_invited("recipient")).order_by("date_joined")


def _forget_accounts(keys: list[int]) -> None:
    """Deletes those that never confirmed their address, and never joined a table. The others are kept for good."""
    proved = EmailAddress.objects.filter(user=OuterRef("pk"), verified=True)
    fresh = User.objects.filter(~Exists(proved), pk__in=keys, last_login=None, erased_at=None)
    fresh = fresh.filter(owner=None, bots=None)
    plain = fresh.filter(is_staff=False, api_tokens=None, moderation=None)
    plain = plain.filter(clubs_owned=None, memberships=None)
    plain = plain.filter(hosted_tournaments=None, tournament_entries=None)
    unused = dict(plain.filter(seats=None, hosted_games=None).values_list("pk", "recipient"))
    User.objects.filter(pk__in=unused).delete()
    Recipient.objects.filter(pk__in=unused.values()).delete()
    User.objects.filter(pk__in=keys).update(is_kept=True)


def _clear_folded(now: datetime) -> int:
    """Deletes what was told so long ago that its rows would be gone."""
    old = FoldedNotices.objects.filter(newest_at__lt=now - timedelta(days=settings.KEEP_DAYS["told"]))
    keys = list(old.values_list("pk", flat=True)[:MOST_AT_ONCE])
    FoldedNotices.objects.filter(pk__in=keys).delete()
    return len(keys)


def _clear_sessions(now: datetime) -> int:
    keys = list(Session.objects.filter(expire_date__lt=now).values_list("pk", flat=True)[:MOST_AT_ONCE])
    Session.objects.filter(pk__in=keys).delete()
    return len(keys)


OTHERS = (
    Expiry("told", _("the notifications we sent you, through which channel, and whether they arrived"), _told),
    Expiry("webhook_calls", _("what we sent to your webhooks, and how they responded"), _webhook_calls, _empty_calls),
    Expiry("webhook_calls", _("which message in a chat shows a table's latest news"), "told_at", model=ChatMessage),
    Expiry(
        "invitations", _("the address of someone who was invited and has no account"), _recipients, _forget_strangers
    ),
    Expiry(
        "unconfirmed_accounts",
        _("accounts whose email address was never confirmed"),
        _accounts,
        _forget_accounts,
    ),
    Expiry("guests", _("guests and their tables, after their last visit"), guests.to_clear, guests.delete),
    Expiry("push_devices", _("which push services did not answer"), "failed_at", model=PushService),
)
"""Rows that are not of one person alone, or whose age is not all that counts."""

TABLES: tuple[privacy.PersonalData[Any], ...] = (*PERSONAL_DATA, *privacy.PERSONAL_DATA)
EXPIRIES = (*(table.expiry for table in TABLES if table.expiry), *OTHERS)

NOBODYS = {
    "admin.LogEntry": "",  # told under changes_on_the_admin_site, by whom
    "auth.Group": "rights of staff",
    "auth.Permission": "rights of staff",
    "account.EmailConfirmation": "keys of a kind of mail that is not sent",
    "contenttypes.ContentType": "names of tables",
    "games.Decision": "what the game asked a seat; the answers are in the copy",
    "games.Extension": "a deadline of the table that moved",
    "games.Heartbeat": "the service's own",
    "games.RequestCount": "the service's own",
    "games.Outage": "the service's own",
    "games.SettingsChange": "what was agreed at a table",
    "games.PuzzleRating": "how a puzzle fares; who answered it is in the copies",
    "games.PackedActor": "leads to his moves, which are in the copy",
    "games.PackedLog": "the log of the table; his moves are in the copy",
    "games.Receipt": "is gone when the answer is dealt with",
    "games.Snapshot": "a state of the table",
    "games.TournamentRound": "of the tournament; who sat where is in the copy",
    "games.TournamentTable": "of the tournament; who sat where is in the copy",
    "notifications.ChatMessage": "which message of a chat shows the public news of a table",
    "notifications.ChannelHealth": "the service's own",
    "notifications.MailboxPosition": "the service's own",
    "notifications.PushService": "which host of others is in trouble",
    "otp_totp.TOTPDevice": "the table of games.SealedTOTPDevice",
}
"""Tables of which nothing leads to a person, or only by a seat, whose row is in the copy."""


@checks.register("models")
def check_tables(**_options: object) -> list[checks.CheckMessage]:
    """E001: a table, or a column of one, of which it isn't said whether it is about a person and how it is erased."""
    columns: defaultdict[type[Model], set[str]] = defaultdict(set)
    for table in TABLES:
        columns[table.model] |= table.columns()
    messages = []
    for model in apps.get_models():
        label = model._meta.label
        missing = {field.name for field in model._meta.concrete_fields} - columns[model]
        if not columns[model] and label not in NOBODYS:
            messages.append(f"{label}: it isn't said what becomes of its rows")
        elif columns[model] and missing:
            messages.append(f"{label}: it isn't said what becomes of {', '.join(sorted(missing))}")
    return [checks.Error(message, hint="See games/privacy/retention.py.", id="games.E001") for message in messages]
