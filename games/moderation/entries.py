"""Who may moderate what, and the moderation log."""

from datetime import datetime
from typing import TypeVar

from django.db.models import Exists, Model, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from games.clubs.clubs import is_member
from games.clubs.models import Club, Membership
from games.errors import Conflict, Forbidden, Illegal, ServiceError
from games.moderation.models import REASON_LENGTH, ModerationEntry, Report
from games.people.models import User
from games.tables.models import Game
from games.tables.seats import SeatTenure
from games.tournaments.models import Tournament, TournamentTable
from notifications.outbox import Notification, notify

MODERATE_GAME, MODERATE_USER, LOOK = "games.moderate_game", "games.moderate_user", "games.look_at_hands"

Row = TypeVar("Row", bound=Model)


def check_moderator(by: User, game: Game, right: str = MODERATE_GAME) -> None:
    """Raises Forbidden without the right, Conflict for a moderator who plays or has played at this table, or
    whose bot does, and for one who has entered the tournament that it belongs to."""
    if not (by.is_active and by.has_perm(right)):
        raise Forbidden(_("Only a moderator can do that."))
    if game.is_practice:
        raise Conflict(_("This is a lesson and can't be moderated."))
    own = SeatTenure.objects.filter(SeatTenure.of_person(by), seat__game=game)
    if own.filter(ended_at=None).exists():
        raise Conflict(_("You're playing at this table, so another moderator must do this."))
    if own.exists():
        raise Conflict(_("You've played at this table, so another moderator must do this."))
    if plays_in_tournament_of(by, game):
        raise Conflict(_("You've entered this tournament, so another moderator must do this."))


def may_moderate_club(by: User, club: Club) -> bool:
    """True for moderators who are no members of the club."""
    return by.is_active and by.has_perm(MODERATE_GAME) and not is_member(club.pk, by)


def may_moderate_tournament(by: User, tournament: Tournament) -> bool:
    """True for moderators who have neither entered the tournament nor host it."""
    is_own = tournament.host_id == by.pk or tournament.is_played_by(by)
    return by.is_active and by.has_perm(MODERATE_GAME) and not is_own


def plays_in_tournament_of(by: User, game: Game) -> bool:
    """True if this is a table of a tournament that he, or his bot, has entered: its result is one of his rivals'."""
    cup = Tournament.objects.filter(rounds__tables__game=game).first()
    return cup is not None and cup.is_played_by(by)


def why_barred(by: User, game: Game) -> str:
    """Returns why this moderator may not act on this game, or ""."""
    try:
        check_moderator(by, game)
    except ServiceError as error:
        return error.message
    return ""


def exclude_own_games(rows: QuerySet[Row], by: User) -> QuerySet[Row]:
    """Excludes rows whose `game` is a table at which this moderator, or his bot, plays or has played, or one of a
    tournament that he has entered."""
    held = SeatTenure.objects.filter(SeatTenure.of_person(by), seat__game=OuterRef("game"))
    entered = SeatTenure.of_person(by, "round__tournament__entrants__")
    return rows.filter(~Exists(held), ~Exists(TournamentTable.objects.filter(entered, game=OuterRef("game"))))


def readable_entries(book: QuerySet[ModerationEntry], by: User) -> QuerySet[ModerationEntry]:
    """Returns the entries a moderator may read: of his own tables none about revealed hands or settled reports."""
    quiet = book.filter(action__in=(ModerationEntry.Action.LOOK, ModerationEntry.Action.SETTLE))
    return book.exclude(pk__in=quiet.exclude(pk__in=exclude_own_games(quiet, by)))


def exclude_own_reports(rows: QuerySet[Report], by: User) -> QuerySet[Report]:
    """Excludes reports from tables at which this moderator plays or has played, and about his clubs and tournaments."""
    own = exclude_own_games(rows.filter(game__isnull=False), by)
    own_clubs = Membership.objects.filter(user=by).values("club")
    others = Q(game__isnull=True) & (Q(club__isnull=True) | ~Q(club__in=own_clubs))
    own_cups = Tournament.objects.filter(Q(host=by) | Q(entrants__user=by) | Q(entrants__user__owner=by)).values("pk")
    others &= Q(tournament__isnull=True) | ~Q(tournament__in=own_cups)
    return rows.filter(Q(pk__in=own.values("pk")) | others)


def is_moderator(user: User) -> bool:
    """True if this user may moderate games or users."""
    return user.is_active and (user.has_perm(MODERATE_GAME) or user.has_perm(MODERATE_USER))


def check_host_or_moderator(by: User, game: Game) -> None:
    """Raises Forbidden for anybody but the table's host and moderators; a host may play at his table."""
    if game.host_id != by.pk:
        check_moderator(by, game)


def check_host_is_impartial(by: User, game: Game) -> None:
    """Raises Conflict for the host of a tournament's table who plays in that tournament, at this table or another."""
    if plays_in_tournament_of(by, game):
        raise Conflict(_("You play in this tournament, so you can't do this as its host. A moderator can help."))


def is_host(by: User, game: Game) -> bool:
    """True if he acts as the table's host; a moderator who hosts a table does so too."""
    return game.host_id == by.pk


def record_entry(  # each is one fact of an entry
    action: ModerationEntry.Action,
    *,
    by: User,
    reason: str,
    now: datetime,
    game: Game | None = None,
    seat: int | None = None,
    user: User | None = None,
    until: datetime | None = None,
) -> ModerationEntry:
    """Adds an entry to the moderation log. Raises Illegal without a reason: the people concerned will read it."""
    reason = reason.strip()
    if not reason:
        raise Illegal(_("Give a reason. The people affected will see it."))
    if len(reason) > REASON_LENGTH:
        raise Illegal(_("The reason is too long. The limit is %(count)s characters.") % {"count": REASON_LENGTH})
    return ModerationEntry.objects.create(
        action=action, actor=by, game=game, seat=seat, user=user, reason=reason, until=until, created_at=now
    )


def notify_moderated(entry: ModerationEntry, now: datetime) -> None:
    """Emails the person the entry is about; the owner, if it is about a bot."""
    assert entry.user is not None
    notify(
        Notification(
            recipient=(entry.user.owner or entry.user).recipient,
            kind="moderated",
            subject=entry.subject,
            dedupe_key=f"moderated:{entry.pk}",
        ),
        now,
    )
