"""Guests: accounts without an address, each in the session of one browser, for lessons and games against bots.

A guest gets no email and meets nobody: `games.web.reader` says which pages he has. When somebody signs in in the same
browser, the guest's tables become his. After a week without a visit the guest and his tables are deleted, after an hour
if he has never made a move. Where there are as many guests as the service takes, the idlest makes room for a new one.
"""

import secrets
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, OuterRef, QuerySet
from django.utils.translation import gettext as _

from games.errors import TooMany
from games.lobby.models import PuzzleSolver
from games.people.models import User
from games.play.models import Look, Move, Note, PackedActor
from games.tables.audit import ModerationEntry
from games.tables.models import Game
from games.tables.seats import Seat, SeatTenure
from notifications.clock import present
from notifications.database.compiled_query import compiled_exists
from notifications.models import Recipient

CLOSED_FOR = timedelta(days=1)  # in the same browser
NEVER_MOVED = timedelta(hours=1)  # without a visit
VISIT = timedelta(minutes=10)  # so long somebody is taken to be here
MOST = 20  # deleted in one step
NOWHERE = "guests.invalid"  # no mail goes there (RFC 2606)
CITIES = ("Aden", "Balkh", "Basra", "Bukhara", "Herat", "Khiva", "Merv", "Petra", "Shiraz", "Tabriz", "Tyre", "Yazd")


@transaction.atomic
def create(*, language: str, now: datetime) -> User:
    """Makes a guest. Raises TooMany when there are as many as the service takes, and all of them are here now."""
    count = User.objects.filter(is_guest=True, is_active=True).count()
    if count >= settings.GUESTS_AT_ONCE and not (settings.GUESTS_AT_ONCE and _delete_idlest(now)):
        raise TooMany(
            _("Too many guests are playing right now. Create an account: it takes a minute and is free."),
            timedelta(hours=1),
        )
    name = _("Guest %(city)s") % {"city": secrets.choice(CITIES)}
    guest = User(email=f"{secrets.token_hex(12)}@{NOWHERE}", name=name, is_guest=True, has_profile=False)
    guest.date_joined = guest.last_login = now
    guest.set_unusable_password()
    guest.recipient = Recipient.objects.create(name=name, language=language, created_at=now)
    guest.save()
    return guest


# What a game begins with is answered for him, at the moment it starts.
HAS_MOVED = (
    Exists(Move.objects.filter(actor=OuterRef("pk"), received_at__gt=F("game__started_at")))
    | Exists(PackedActor.objects.filter(user=OuterRef("pk")))
    | Exists(PuzzleSolver.objects.filter(recipient=OuterRef("recipient"), tried__gt=0))
)


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
    """Stores that a guest is here, every ten minutes at most. Returns whether it did."""
    if guest.last_login is not None and guest.last_login > now - VISIT:
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
    known = set(user.beaten_bots.values_list("rules_name", "bot"))
    for rung in guest.beaten_bots.all():
        if (rung.rules_name, rung.bot) not in known:
            rung.user = user
            rung.save(update_fields=["user"])
    User.objects.filter(pk=guest.pk).update(is_active=guest.seats.exists())
    return len(keys)


def unseen_since(before: datetime) -> QuerySet[User]:
    """Guests without a visit since then; what moderators have done about one, or about his tables, keeps him."""
    unseen = User.objects.filter(is_guest=True, last_login__lt=before, moderation=None)
    return unseen.exclude(hosted_games__moderation__isnull=False)


def delete_idle(now: datetime) -> bool:
    """Deletes some guests who never moved and have not been here for an hour. Returns whether there were any."""
    if not _is_any_idle(now):
        return False
    delete(list(_idle(now).values_list("pk", flat=True)[:MOST]))
    return True


def _idle(now: datetime) -> QuerySet[User]:
    """Guests whose hour is over. Whom no worker has looked at for another hour, the nightly clearing finds."""
    since = unseen_since(now - NEVER_MOVED).filter(last_login__gte=now - 2 * NEVER_MOVED)
    return since.filter(~HAS_MOVED).order_by("last_login")


_is_any_idle = compiled_exists(_idle)


def to_clear(before: datetime) -> QuerySet[User]:
    """Guests without a visit since then, and who never moved and were not here for an hour."""
    return unseen_since(before) | unseen_since(present.now() - NEVER_MOVED).filter(~HAS_MOVED)


def _delete_idlest(now: datetime) -> bool:
    """Deletes the guest who is missed least: who never moved before who did, then whose last visit is longest ago."""
    idle = unseen_since(now - VISIT).filter(is_active=True).annotate(has_moved=HAS_MOVED)
    key = idle.order_by("has_moved", "last_login").values_list("pk", flat=True).first()
    if key is not None:
        delete([key])
    return key is not None


def delete(keys: list[int]) -> None:
    """Deletes guests with their tables."""
    Game.objects.filter(host__in=keys).delete()
    recipients = list(User.objects.filter(pk__in=keys).values_list("recipient", flat=True))
    User.objects.filter(pk__in=keys).delete()
    Recipient.objects.filter(pk__in=recipients).delete()
