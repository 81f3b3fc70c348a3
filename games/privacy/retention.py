"""Deletes old data once a day: any worker does it, a few rows at a time.

settings.KEEP_DAYS says how long each kind is kept. Games, moves and table talk are kept for good.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.db import transaction
from django.db.models import Exists, Model, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Concat
from django.utils.translation import gettext_lazy as _

from games.archive.models import GameReview, Import
from games.clubs.models import ClubInvitation
from games.lobby import guests
from games.lobby.models import HostOffer
from games.moderation.models import ModeratorNote, Report
from games.people.idempotency import Keyed
from games.people.models import (
    AddressChange,
    AnonymousRequest,
    ApiToken,
    Friendship,
    Session,
    SignIn,
    TrustedDevice,
    User,
)
from games.play.models import SUBJECT, Decision, Heartbeat, Look, SealedProposal, Vacation
from games.tables.models import Game
from games.tables.seats import Invitation
from games.tournaments.models import Tournament
from notifications.database.compiled_query import compiled_exists
from notifications.database.key_of_time import first_key_since
from notifications.models import (
    Attempt,
    Bounce,
    Delivery,
    Inbound,
    Notice,
    PushService,
    PushSubscription,
    Recipient,
    StoredMail,
)

HEART = "housekeeping"  # beats when a day's work is done
HOUR = 3  # of the day in UTC, when most people here sleep
MOST = 200  # rows of each kind in one transaction: nobody waits long for it
NEVER = datetime(1970, 1, 1, tzinfo=UTC)
Rows = QuerySet[Model]
Row = TypeVar("Row", bound=Model)


@dataclass(frozen=True)
class Rule:
    """A kind of data that is deleted when it is old.

    Arguments:
        name: its key in settings.KEEP_DAYS.
        words: its name for people.
        find: returns the rows that have not been needed since a given time.
        clear: what to do with rows, given their keys; None to delete them.
    """

    name: str
    words: object
    find: Callable[[datetime], Rows]
    clear: Callable[[list[int]], object] | None = None

    @property
    def days(self) -> int:
        """For how many days the rows are kept."""
        return settings.KEEP_DAYS[self.name]

    def apply(self, now: datetime) -> int:
        """Clears some rows; returns how many."""
        rows = self.find(now - timedelta(days=self.days))
        keys = list(rows.order_by("pk").values_list("pk", flat=True)[:MOST])
        if keys and self.clear is not None:
            self.clear(keys)
        elif keys:
            rows.model._default_manager.filter(pk__in=keys).delete()
        return len(keys)


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
        if sum(rule.apply(now) for rule in RULES) or _clear_sessions(now):
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
    return old.filter(~Exists(asked.filter(key=OuterRef("subject"))), ~Exists(waiting))


def _webhook_calls(before: datetime) -> Rows:
    """Old webhook deliveries that still have a body or the excerpt of an answer."""
    answered = Attempt.objects.filter(delivery=OuterRef("pk")).exclude(excerpt="")
    old = _before(Delivery, "notice__created_at", before)
    old = old.filter(attempt_after=None, notice__created_at__lt=before)
    return old.filter(~Q(body="") | Exists(answered))


def _empty_calls(keys: list[int]) -> None:
    Delivery.objects.filter(pk__in=keys).update(body="")
    Attempt.objects.filter(delivery__in=keys).update(excerpt="")


def _invitations(before: datetime) -> Rows:
    return Invitation.objects.filter(created_at__lt=before).exclude(game__status=Game.Status.OPEN)


def _club_invitations(before: datetime) -> Rows:
    return ClubInvitation.objects.filter(created_at__lt=before)


def _requests_to_be_friends(before: datetime) -> Rows:
    return Friendship.objects.filter(created_at__lt=before).exclude(status=Friendship.Status.FRIENDS)


def _strangers(before: datetime) -> Rows:
    """Recipients without an account: once invited, or at an address that an account has left."""
    lately = Notice.objects.filter(recipient=OuterRef("pk"))
    lately = lately.filter(Q(created_at__gte=before) | Q(deliveries__attempt_after__isnull=False))
    strangers = Recipient.objects.filter(~Exists(lately), created_at__lt=before, user=None)
    return strangers.filter(invitations=None, club_invitations=None, blocks=None)


def _unconfirmed(before: datetime) -> Rows:
    """Accounts that never confirmed their address, and never joined a table."""
    proved = EmailAddress.objects.filter(user=OuterRef("pk"), verified=True)
    fresh = User.objects.filter(~Exists(proved), date_joined__lt=before, last_login=None, erased_at=None)
    fresh = fresh.filter(owner=None, bots=None)
    plain = fresh.filter(is_staff=False, api_tokens=None, moderation=None)
    plain = plain.filter(clubs_owned=None, memberships=None, recipient__club_invitations=None)
    plain = plain.filter(hosted_tournaments=None, tournament_entries=None)
    return plain.filter(seats=None, hosted_games=None, recipient__invitations=None)


def _forget_accounts(keys: list[int]) -> None:
    recipients = list(User.objects.filter(pk__in=keys).values_list("recipient", flat=True))
    User.objects.filter(pk__in=keys).delete()
    Recipient.objects.filter(pk__in=recipients).delete()


def _clear_sessions(now: datetime) -> int:
    keys = list(Session.objects.filter(expire_date__lt=now).values_list("pk", flat=True)[:MOST])
    Session.objects.filter(pk__in=keys).delete()
    return len(keys)


RULES = (
    Rule("told", _("the notifications we sent you, through which channel, and whether they arrived"), _told),
    Rule(
        "answers_by_mail",
        _("the line you answered by email, and our reply to it"),
        lambda before: Inbound.objects.filter(received_at__lt=before).exclude(state=Inbound.State.WAITING),
    ),
    Rule("webhook_calls", _("what we sent to your webhooks, and how they responded"), _webhook_calls, _empty_calls),
    Rule(
        "returned_mails",
        _("that email to your address bounced; the address itself only as a keyed hash"),
        lambda before: Bounce.objects.filter(created_at__lt=before),
    ),
    Rule("invitations", _("invitations to tables that have started or closed"), _invitations),
    Rule("invitations", _("invitations to clubs"), _club_invitations),
    Rule("invitations", _("requests to be friends that were not accepted"), _requests_to_be_friends),
    Rule(
        "invitations",
        _("offers of the host role that nobody answered, after the game"),
        lambda before: HostOffer.objects.filter(game__finished_at__lt=before),
    ),
    Rule("invitations", _("the address of someone who was invited and has no account"), _strangers),
    Rule(
        "tournaments",
        _("tournaments that were called off before they started, and who had entered them"),
        lambda before: Tournament.objects.filter(
            status=Tournament.Status.CALLED_OFF, started_at=None, finished_at__lt=before
        ),
    ),
    Rule(
        "proposals",
        _("suggestions made to you, after the question was closed"),
        lambda before: SealedProposal.objects.filter(decision__closed_at__lt=before),
    ),
    Rule(
        "looks",
        _("how far you've read in a finished game"),
        lambda before: Look.objects.filter(game__finished_at__lt=before),
    ),
    Rule("vacations", _("your vacations, after they end"), lambda before: Vacation.objects.filter(ends_at__lt=before)),
    Rule(
        "sign_ins",
        _("which networks and kinds of browsers you've signed in from, as keyed hashes"),
        lambda before: SignIn.objects.filter(at__lt=before),
    ),
    Rule(
        "anonymous_requests",
        _("sign-in emails and passwords that were asked for or tried, as keyed hashes of address and network"),
        lambda before: AnonymousRequest.objects.filter(at__lt=before),
    ),
    Rule(
        "trusted_devices",
        _("the devices where one tap is enough, since you last used them"),
        lambda before: TrustedDevice.objects.filter(used_on__lt=before.date()),
    ),
    Rule(
        "push_devices",
        _("the devices that show our notifications, since they last took one"),
        lambda before: PushSubscription.objects.filter(used_at__lt=before),
    ),
    Rule(
        "push_devices",
        _("which push services did not answer"),
        lambda before: PushService.objects.filter(failed_at__lt=before),
    ),
    Rule(
        "revoked_tokens",
        _("the names of revoked API tokens"),
        lambda before: ApiToken.objects.filter(revoked_at__lt=before),
    ),
    Rule(
        "request_keys",
        _("the idempotency keys your programs used, as hashes"),
        lambda before: Keyed.objects.filter(created_at__lt=before),
    ),
    Rule(
        "request_keys",
        _("that you have asked for a game's review"),
        lambda before: GameReview.objects.filter(asked_by__isnull=False, requested_at__lt=before),
        lambda keys: GameReview.objects.filter(pk__in=keys).update(asked_by=None),
    ),
    Rule(
        "imports",
        _("the game records you imported, and the result"),
        lambda before: Import.objects.filter(settled_at__lt=before),
    ),
    Rule(
        "address_changes",
        _("changes of your account's email address"),
        lambda before: AddressChange.objects.filter(created_at__lt=before),
    ),
    Rule(
        "reports",
        _("your reports to the moderators, after they were resolved"),
        lambda before: Report.objects.filter(settled_at__lt=before),
    ),
    Rule(
        "reports",
        _("notes of the moderators"),
        lambda before: ModeratorNote.objects.filter(created_at__lt=before),
    ),
    Rule(
        "admin_log",
        _("changes staff made on the admin site"),
        lambda before: LogEntry.objects.filter(action_time__lt=before),
    ),
    Rule(
        "unconfirmed_accounts",
        _("accounts whose email address was never confirmed"),
        _unconfirmed,
        _forget_accounts,
    ),
    Rule("guests", _("guests and their tables, after their last visit"), guests.to_clear, guests.delete),
    Rule(
        "stored_mails",
        _("emails kept in the mailbox of a server that sends none"),
        lambda before: StoredMail.objects.filter(sent_at__lt=before),
    ),
)
