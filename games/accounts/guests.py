"""Guests: accounts without an address, each in the session of one browser, for lessons and games against bots.

A guest gets no email and meets nobody: `games.web.guests` says which pages he has. When somebody signs in in the same
browser, the guest's tables become his. After a week without a visit the guest and his tables are deleted.
"""

import secrets
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from games.errors import TooMany
from games.models import Game, Look, ModerationEntry, Move, Note, PackedActor, Seat, SeatTenure, User
from notifications.models import Recipient

CLOSED_FOR = timedelta(days=1)  # in the same browser
NOWHERE = "guests.invalid"  # no mail goes there (RFC 2606)
CITIES = ("Aden", "Balkh", "Basra", "Bukhara", "Herat", "Khiva", "Merv", "Petra", "Shiraz", "Tabriz", "Tyre", "Yazd")


@transaction.atomic
def create(*, language: str, now: datetime) -> User:
    """Makes a guest. Raises TooMany when there are as many as the service takes."""
    if User.objects.filter(is_guest=True, is_active=True).count() >= settings.GUESTS_AT_ONCE:
        raise TooMany(
            _("There are too many guests at the moment. Make an account: it takes a minute, and is free."),
            timedelta(hours=1),
        )
    name = _("Guest %(city)s") % {"city": secrets.choice(CITIES)}
    guest = User(email=f"{secrets.token_hex(12)}@{NOWHERE}", name=name, is_guest=True, has_profile=False)
    guest.date_joined = guest.last_login = now
    guest.set_unusable_password()
    guest.recipient = Recipient.objects.create(name=name, language=language, created_at=now)
    guest.save()
    return guest


def find(key: int) -> User | None:
    """Returns the guest with this primary key; None if he was deleted, or his tables have become somebody's."""
    try:
        guest = User.people.get(pk=key)
    except User.DoesNotExist:
        return None
    return guest if guest.is_guest and guest.is_active else None


def closed_until(key: int, now: datetime) -> datetime | None:
    """Until when the browser of a guest begins no other: for a day after a moderator has closed this one's account.

    None if no moderator has, or that is over.
    """
    entry = ModerationEntry.objects.filter(
        user=key, user__is_guest=True, user__is_active=False, action=ModerationEntry.Action.SUSPEND
    ).last()
    until = entry.created_at + CLOSED_FOR if entry is not None else None
    return until if until is not None and until > now else None


def record_visit(guest: User, now: datetime) -> bool:
    """Stores that a guest is here, at most once a day. Returns whether it did."""
    if guest.last_login is not None and guest.last_login > now - timedelta(days=1):
        return False
    User.objects.filter(pk=guest.pk).update(last_login=now)
    return True


@transaction.atomic
def adopt(*, key: int, user: User) -> int:
    """Gives a guest's tables to a person, with seats, moves and notes. Returns how many; 0 when called again.

    A table where that person, or a bot of his, sits or has sat stays the guest's. Only the guest's own rows change
    hands, so the person sees what the guest saw and nothing else.
    """
    guest = find(key)
    if guest is None or user.is_guest:
        return 0
    guest.one_at_a_time()
    games = Game.objects.filter(pk__in=guest.seats.values("game")).exclude(
        pk__in=SeatTenure.objects.filter(SeatTenure.of_person(user)).values("seat__game")
    )
    keys = [game.pk for game in games.select_for_update().defer("state").order_by("pk")]
    Seat.objects.filter(user=guest, game__in=keys).update(user=user, name=user.name)
    SeatTenure.objects.filter(user=guest, seat__game__in=keys).update(user=user)
    Game.objects.filter(host=guest, pk__in=keys).update(host=user)
    Move.objects.filter(actor=guest, game__in=keys).update(actor=user)
    PackedActor.objects.filter(user=guest, log__in=keys).update(user=user)
    Note.objects.filter(user=guest, game__in=keys).update(user=user)
    Look.objects.filter(user=guest, game__in=keys).update(user=user)
    User.objects.filter(pk=guest.pk).update(is_active=guest.seats.exists())
    return len(keys)


def unseen_since(before: datetime) -> QuerySet[User]:
    """Guests without a visit since then; what moderators have done about one, or about his tables, keeps him."""
    unseen = User.objects.filter(is_guest=True, last_login__lt=before, moderation=None)
    return unseen.exclude(hosted_games__moderation__isnull=False)


def delete(keys: list[int]) -> None:
    """Deletes guests with their tables."""
    Game.objects.filter(host__in=keys).delete()
    recipients = list(User.objects.filter(pk__in=keys).values_list("recipient", flat=True))
    User.objects.filter(pk__in=keys).delete()
    Recipient.objects.filter(pk__in=recipients).delete()
