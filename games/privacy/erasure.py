"""Deleting an account: requested by its owner, cancelled within some days if he likes, then done by a worker.

Games are not changed: seats of the account become absent, moves and hashes stay, and names are removed. What is deleted
and what is only made anonymous is listed in `personal_data`.
"""

import logging
import re
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from functools import partial

from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import F, Model, Q, QuerySet
from django.utils.translation import gettext as _

from games.clubs import clubs
from games.clubs.models import Club
from games.errors import Conflict, Illegal, ServiceError
from games.lobby import lifecycle, puzzles
from games.people import alerts
from games.people.models import AddressChange, Erasure, Session, User, normal_address
from games.play import absences, game_moves, standing_orders
from games.play.models import Comment
from games.privacy.personal_data import PERSONAL_DATA
from games.tables.models import PRACTICE, Game
from games.tables.seats import Seat
from games.tables.settings import rules_named
from games.tournaments.models import Entrant, Tournament
from notifications import privacy
from notifications.database.compiled_query import compiled
from notifications.models import Delivery, Recipient

logger = logging.getLogger(__name__)
AGAIN_AFTER = timedelta(minutes=10)  # when something hinders it
NOBODY = "erased.invalid"  # no mail goes there (RFC 2606)


@transaction.atomic
def ask(*, user: User, address: str, takes_words: bool, now: datetime) -> Erasure:
    """Requests the deletion of an account. An email says when it will happen, and that it can be cancelled until then.

    Arguments:
        address: the account's email address, typed again.
        takes_words: comments at tables are deleted too.
    Raises Illegal for another address, Conflict for staff and for a second request.
    """
    user = User.objects.select_for_update(of=("self",)).select_related("recipient").get(pk=user.pk)
    if normal_address(address) != user.email:
        raise Illegal(
            _("That isn't the email address of your account. Nothing was changed."), code="no-address", field="address"
        )
    if user.is_staff:
        raise Conflict(_("Staff accounts can't be deleted. Ask an administrator to remove your staff role first."))
    if Erasure.objects.filter(user=user).exists():
        raise Conflict(_("You've already asked for this."))
    due = now + timedelta(days=settings.ERASURE_GRACE_DAYS)
    erasure = Erasure.objects.create(user=user, takes_words=takes_words, asked_at=now, due_at=due)
    alerts.erasure_asked(user=user, due_at=due, now=now)
    return erasure


def pending_erasure(user: User) -> Erasure | None:
    """Returns the erasure a user has requested, if it is not done yet."""
    return Erasure.objects.filter(user=user).first()


def take_back(*, user: User) -> bool:
    """Cancels a requested deletion. Returns whether there was one."""
    return bool(Erasure.objects.filter(user=user).delete()[0])


def erase_one(now: datetime) -> bool:
    """Deletes one account whose deletion is due. Returns whether there was one."""
    erasure = next(iter(_due(now)), None)
    if erasure is None:
        return False
    try:
        is_done = erase(erasure.user, takes_words=erasure.takes_words, now=now)
    except Exception:  # one that cannot be must not hinder the others; it is logged, and tried again
        logger.exception("Account %s could not be deleted", erasure.user.ref)
        is_done = False
    if not is_done:
        Erasure.objects.filter(pk=erasure.pk).update(due_at=now + AGAIN_AFTER)
    return True


@compiled("user", "user__recipient")
def _due(now: datetime) -> QuerySet[Erasure]:
    return Erasure.objects.filter(due_at__lte=now).order_by("due_at")[:1]


def erase(user: User, *, takes_words: bool, now: datetime) -> bool:
    """Deletes an account at once. Each step is idempotent, so that a crash in between does no harm.

    Returns False, with the account closed, while an email to the account or to one of its bots is being sent.
    """
    User.objects.filter(pk=user.pk).update(is_active=False, closed_until=None)  # nobody acts for him any more
    if not all(erase(bot, takes_words=takes_words, now=now) for bot in user.bots.filter(erased_at=None)):
        return False
    if privacy.is_being_told(user.recipient, now):
        return False
    for game in Game.objects.filter(host=user, status=Game.Status.OPEN):
        _skip_if_refused(partial(lifecycle.close, game_id=game.pk, host=user, now=now))
    for game in Game.objects.filter(seats__user=user, status=Game.Status.OPEN):
        _skip_if_refused(partial(lifecycle.leave, game_id=game.pk, user=user))
    for game in Game.objects.filter(PRACTICE | ~Q(recorded_as=""), host=user):
        game.delete()  # nobody else sees them
    for seat in Seat.objects.filter(user=user, game__status=Game.Status.RUNNING):
        _vacate(seat, now)
    _erase_data(user, now, takes_words=takes_words)
    logger.info("Account %s was deleted", user.ref)
    return True


def _skip_if_refused(act: Callable[[], object]) -> None:
    """Calls `act`; a refusal, because the table has begun or is closed by now, is only logged."""
    try:
        act()
    except ServiceError as error:
        logger.info("While an account was deleted: %s", error)


@transaction.atomic
def _vacate(seat: Seat, now: datetime) -> None:
    """Makes a seat absent, ends its orders, and voids its links. Closes a game in which only bots are left."""
    seat = absences.locked_seat(seat.pk)
    if seat.game.quarantined_at is None:  # of another the state may be what is broken
        _skip_if_refused(partial(standing_orders.seat_changed_hands, game_id=seat.game_id, seat=seat.number, now=now))
    if seat.status == Seat.Status.ACTIVE:
        absences.leave(seat, now)
    Seat.objects.filter(pk=seat.pk).update(link_generation=F("link_generation") + 1, remind_before=None)
    game = Game.objects.get(pk=seat.game_id)  # as the end of his orders has left it
    left = _who_is_left(game, seat.user_id)
    if left is None:
        game_moves.close_game(game, now)  # only bots would play
    elif game.host_id == seat.user_id:
        Game.objects.filter(pk=game.pk).update(host=left.user_id)


def _who_is_left(game: Game, user: int | None) -> Seat | None:
    """The first seat of somebody else who plays, or at least is expected back; None if there is nobody."""
    others = Seat.objects.filter(game=game, user__erased_at=None, user__isnull=False, owner=None)
    return others.exclude(user=user).exclude(status=Seat.Status.RESIGNED).order_by("status", "number").first()


def _pass_on(game: Game) -> None:
    """Makes somebody who plays the host, so that the others can be reminded and given time; harmless when repeated."""
    left = _who_is_left(game, game.host_id)
    if left is not None:
        Game.objects.filter(pk=game.pk, host=game.host_id).update(host=left.user_id)


@transaction.atomic
def _erase_data(user: User, now: datetime, *, takes_words: bool) -> None:
    user = User.objects.select_for_update(of=("self",)).select_related("recipient").get(pk=user.pk)
    seats = list(Seat.objects.filter(user=user).select_related("game").defer("game__state"))
    names = {user.name, *(seat.name for seat in seats)} - {""}
    _unname_clubs(user, names)
    clubs.pass_on(user)
    _unname_tables(user, seats, names)
    for game in Game.objects.filter(host=user, status=Game.Status.RUNNING):
        _pass_on(game)  # a host who does not sit there, such as a tournament's
    _unname_tournaments(user, names, now)
    _erase_comments(user, takes_words=takes_words, now=now)
    _erase_admin_log(user, seats)
    _erase_unfinished_sign_ins(user.email)
    _erase_other_addresses(user)
    puzzles.withdraw(user=user)
    for holding in PERSONAL_DATA:
        if holding.is_erased:
            holding.find(user).delete()
    privacy.erase(user.recipient)
    user.reviews_asked.update(asked_by=None)
    user.groups.clear()
    user.user_permissions.clear()
    user.set_unusable_password()
    User.objects.filter(pk=user.pk).update(
        email=f"{user.pk}@{NOBODY}",
        name="",
        password=user.password,
        remind_before=None,
        has_profile=False,
        is_ranked=False,
        hours_shown=User.Audience.NOBODY,
        curve_shown=User.Audience.NOBODY,
        lends_positions=False,
        discord_id="",
        is_for_all=False,
        paused_at=None,
        silent_until=None,
        last_login=None,
        erased_at=now,
    )


def _unname_tables(user: User, seats: list[Seat], names: set[str]) -> None:
    """Removes the account's names from seats, mentions, titles of tables and stored webhook calls."""
    for seat in seats:
        _unname_talk(seat)
    Seat.objects.filter(user=user).update(name="")
    games = {seat.game_id: seat.game for seat in seats} | {game.pk: game for game in user.hosted_games.defer("state")}
    for game in games.values():
        if any(_named(name).search(game.title) for name in names):
            title = game.rules.say(game.rules.title, "en", [])
            Game.objects.filter(pk=game.pk).update(title=title)
    threads = [game.thread for game in games.values()]
    for name in names:
        told = Delivery.objects.filter(notice__thread__in=threads, attempt_after=None, body__contains=name)
        told.update(body="")


def _unname_clubs(user: User, names: set[str]) -> None:
    """Removes the account's names from what the clubs of its owner are called and say about themselves."""
    for club in Club.objects.filter(memberships__user=user):
        for name in names:
            club.name, club.about = _named(name).sub("…", club.name), _named(name).sub("…", club.about)
        club.save(update_fields=["name", "about"])


def _unname_tournaments(user: User, names: set[str], now: datetime) -> None:
    """Removes the account's names from tournaments, and takes it out of those that are not over.

    One of its own that can still be entered is called off by a worker.
    """
    entries = Entrant.objects.filter(user=user)
    entries.filter(status=Entrant.Status.ENTERED).update(status=Entrant.Status.LEFT, left_at=now)
    entries.update(name="", reason="")
    own = Tournament.objects.filter(host=user)
    own.update(about="", reason="")
    for row in own:
        if any(_named(name).search(row.title) for name in names):
            rules = rules_named(row.rules_name)
            own.filter(pk=row.pk).update(title=rules.say(rules.title, "en", []))


def _unname_talk(seat: Seat) -> None:
    """Removes mentions (@name) of a seat's player from comments."""
    if not seat.name:
        return
    for comment in Comment.objects.filter(game=seat.game_id, text__icontains=f"@{seat.name}"):
        text = _named(f"@{seat.name}").sub("@…", comment.text)
        Comment.objects.filter(pk=comment.pk).update(text=text)


def _named(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)


def _erase_comments(user: User, *, takes_words: bool, now: datetime) -> None:
    comments = Comment.objects.filter(author=user)
    if takes_words:
        comments.filter(hidden_at=None).update(hidden_at=now)
        comments.update(text="")
    comments.update(name="")


def _erase_admin_log(user: User, seats: Iterable[Seat]) -> None:
    """Removes names from the log of the admin site, which stores what a changed object was called."""
    about: tuple[Model, ...] = (user, user.recipient, *seats)
    for thing in about:
        kind = ContentType.objects.get_for_model(thing)
        LogEntry.objects.filter(content_type=kind, object_id=str(thing.pk)).update(object_repr="")
    LogEntry.objects.filter(object_repr__icontains=user.email).update(object_repr="")


def _erase_unfinished_sign_ins(address: str) -> None:
    """Deletes sessions without a user that hold the address; the account's own are among its personal data."""
    unfinished = Session.objects.filter(user=None).iterator()
    keys = [session.pk for session in unfinished if address in str(session.get_decoded()).lower()]
    Session.objects.filter(pk__in=keys).delete()


def _erase_other_addresses(user: User) -> None:
    """Deletes recipients for former or requested addresses of the account, unless they are needed otherwise."""
    subjects = [
        f"address:{pk}{side}"
        for pk in AddressChange.objects.filter(user=user).values_list("pk", flat=True)
        for side in ("", ":old", ":new")
    ]
    strangers = Recipient.objects.filter(notices__subject__in=subjects, user=None).distinct()
    for stranger in strangers:
        stranger.notices.filter(subject__in=subjects).delete()
        is_invited = stranger.invitations.exists() or stranger.club_invitations.exists()
        if not (stranger.notices.exists() or is_invited):
            stranger.delete()
