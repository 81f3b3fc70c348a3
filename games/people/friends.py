"""Asking somebody to be friends, answering, and ending it; and who knows whom.

A decline is not told: who asked sees the request as before, and cannot ask again for a while.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from games.errors import Conflict, NotFound, check_rate
from games.links import is_signed, page_url, sign
from games.people import blocks
from games.people.models import Friendship, User
from notifications.outbox import Notification, notify

DAY = timedelta(days=1)
ASKED_A_DAY = 20
AGAIN_AFTER = timedelta(days=30)  # since somebody asked and was declined, or took it back
Status = Friendship.Status
BETWEEN = (Status.ASKED, Status.DECLINED)  # what the asker sees as asked


@transaction.atomic
def ask(*, user: User, other: User, now: datetime) -> Friendship:
    """Asks somebody to be friends, by email as well. If that person has asked first, they are friends at once.

    Asking twice changes nothing. Raises NotFound for a person whose profile is not public and for bots and guests,
    Conflict for oneself and for asking again within a month, TooMany past the day's limit.
    """
    if other.pk == user.pk:
        raise Conflict(_("You can't be your own friend."))
    if not can_be_asked(other):
        raise NotFound(_("There's no such profile, or its owner has made it private."))
    lock(user, other)
    if blocks.has_blocked(user.recipient_id, other):
        raise Conflict(_("You've blocked %(name)s. Unblock them first.") % _named(other))
    back = Friendship.objects.select_for_update().filter(asker=other, asked=user).first()
    if back is not None and back.status in (Status.ASKED, Status.DECLINED):
        return _become_friends(back, now)
    row = Friendship.objects.filter(asker=user, asked=other).first()
    if back is not None and back.status == Status.FRIENDS:
        return back
    if row is not None and row.status in (Status.ASKED, Status.DECLINED, Status.FRIENDS):
        return row
    if row is not None and row.created_at > now - AGAIN_AFTER:
        raise Conflict(_("You took your request back lately. You can ask %(name)s again in a month.") % _named(other))
    message = _("You've asked many people today. Please ask more of them tomorrow.")
    check_rate(user.friendships_asked.all(), most=ASKED_A_DAY, within=DAY, now=now, message=message)
    if row is not None:
        row.delete()
    row = Friendship.objects.create(asker=user, asked=other, created_at=now)
    if blocks.has_blocked(other.recipient_id, user):
        row.status = Status.DECLINED  # which its asker cannot tell from a request that waits
        row.save(update_fields=["status"])
    else:
        _notify_asked(row, now)
    return row


def can_be_asked(person: User) -> bool:
    """True for people with a public profile: bots and guests have no friends."""
    return person.is_active and person.has_profile and not person.is_bot and not person.is_guest


@transaction.atomic
def accept(*, user: User, ref: str, now: datetime) -> Friendship:
    """Says yes to a request. Harmless when said twice. Raises NotFound for one that was taken back."""
    return _become_friends(_received(user, ref, (Status.ASKED, Status.DECLINED, Status.FRIENDS)), now)


@transaction.atomic
def decline(*, user: User, ref: str, now: datetime) -> None:
    """Says no to a request, which its asker is not told. Raises NotFound for one that was taken back."""
    row = _received(user, ref, (Status.ASKED, Status.DECLINED))
    row.status, row.answered_at = Status.DECLINED, row.answered_at or now
    row.save(update_fields=["status", "answered_at"])


@transaction.atomic
def take_back(*, user: User, ref: str) -> None:
    """Takes a request back, or ends a friendship; either may do the latter. Raises NotFound for any other."""
    rows = Friendship.objects.select_for_update().filter(ref=ref)
    own = Q(asker=user, status__in=(*BETWEEN, Status.FRIENDS))
    row = rows.filter(own | Q(asked=user, status=Status.FRIENDS)).first()
    if row is None:
        raise NotFound(_("There's no such friend or request."))
    if row.status == Status.FRIENDS:
        row.delete()
    else:
        row.status = Status.WITHDRAWN
        row.save(update_fields=["status"])


def lock(user: User, other: User) -> None:
    """Locks both accounts, always in the same order: two who ask each other at once become friends."""
    pair = User.objects.select_for_update(of=("self",), no_key=True).filter(pk__in=(user.pk, other.pk))
    list(pair.order_by("pk").values_list("pk"))


def part(user: User, other: User) -> None:
    """Ends what is between two people, for the first of them: no friendship, and no request that waits.

    Called with both locked, so that nobody asks meanwhile; whoever accepts meanwhile has done so before, or too late.
    """
    rows = Friendship.objects.filter(Q(asker=user, asked=other) | Q(asker=other, asked=user))
    list(rows.select_for_update().order_by("pk").values_list("pk"))
    rows.filter(status=Status.FRIENDS).delete()
    rows.filter(asker=user, status__in=BETWEEN).update(status=Status.WITHDRAWN)
    rows.filter(asked=user, status=Status.ASKED).update(status=Status.DECLINED)


def friends_of(user: User) -> list[User]:
    """The friends of a person whose accounts are open, by name."""
    rows = Friendship.objects.filter(status=Status.FRIENDS)
    keys = rows.filter(asker=user).values("asked").union(rows.filter(asked=user).values("asker"))
    return list(User.objects.filter(pk__in=keys, is_active=True).order_by("name", "pk"))


def friendships_of(user: User) -> list[tuple[Friendship, User]]:
    """The friendships of a person, each with the friend, by name."""
    rows = _open(Friendship.objects.filter(Q(asker=user) | Q(asked=user), status=Status.FRIENDS))
    pairs = [(row, row.asked if row.asker_id == user.pk else row.asker) for row in rows]
    return sorted(pairs, key=lambda pair: (pair[1].name.casefold(), pair[1].pk))


def requests_received(user: User) -> Sequence[Friendship]:
    """Returns the requests that wait for this person's answer, the newest first."""
    return _open(user.friendships_received.filter(status=Status.ASKED))


def requests_sent(user: User) -> Sequence[Friendship]:
    """Returns the requests of this person that are not accepted yet, the newest first."""
    return _open(user.friendships_asked.filter(status__in=BETWEEN))


def between(user: User, other: User) -> Friendship | None:
    """Returns the friendship or request between two people as the first of them sees it, or None."""
    outgoing = Q(asker=user, asked=other, status__in=(*BETWEEN, Status.FRIENDS))
    received = Q(asker=other, asked=user, status__in=(Status.ASKED, Status.FRIENDS))
    return Friendship.objects.filter(outgoing | received).order_by("-status").first()


def _open(rows: QuerySet[Friendship]) -> Sequence[Friendship]:
    rows = rows.filter(asker__is_active=True, asked__is_active=True)
    return list(rows.select_related("asker", "asked").order_by("-created_at", "-pk"))


def _received(user: User, ref: str, statuses: Sequence[str]) -> Friendship:
    row = Friendship.objects.select_for_update().filter(ref=ref, asked=user, status__in=statuses).first()
    if row is None:
        raise NotFound(_("This request was taken back."))
    return row


def _become_friends(row: Friendship, now: datetime) -> Friendship:
    if row.status != Status.FRIENDS:
        row.status, row.answered_at = Status.FRIENDS, now
        row.save(update_fields=["status", "answered_at"])
    return row


def _named(other: User) -> dict[str, str]:
    return {"name": other.name}


def _notify_asked(row: Friendship, now: datetime) -> None:
    notify(
        Notification(
            recipient=row.asked.recipient,
            kind="friend_asked",
            subject=f"friendship:{row.ref}",
            dedupe_key=f"friend_asked:{row.ref}",
        ),
        now,
    )


def friend_request_url(row: Friendship) -> str:
    """The page where somebody says whether he wants to be friends. It becomes void when his address changes."""
    token = sign("friend_request", row.ref, row.asked.email)
    return page_url("friend_request", row.ref, token)


def find_friend_request(ref: str, token: str) -> Friendship | None:
    """Returns the request of such a link, answered or not, or None."""
    row = Friendship.objects.filter(ref=ref, asked__is_active=True).select_related("asker", "asked__recipient").first()
    return row if is_signed(token, "friend_request", ref, row.asked.email if row else "") and row else None
