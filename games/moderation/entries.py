"""The right to moderate, by person and game."""

from typing import TypeVar

from django.db.models import Exists, Model, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from games.clubs.clubs import is_member
from games.clubs.models import Club, Membership
from games.errors import Conflict, Forbidden, ServiceError
from games.moderation.models import Report
from games.people.models import User
from games.people.staff import MODERATE_GAME
from games.tables.audit import ModerationEntry
from games.tables.models import Game
from games.tables.seats import SeatTenure
from games.tournaments.models import Tournament, TournamentTable

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
    own_seats, own_cups = _own(by)
    return rows.filter(
        ~Exists(own_seats.filter(seat__game=OuterRef("game"))), ~Exists(own_cups.filter(game=OuterRef("game")))
    )


def _own(by: User) -> tuple[QuerySet[SeatTenure], QuerySet[TournamentTable]]:
    """Returns what bars a moderator from a table: tenures there, and its place in a tournament that he has entered."""
    cups = TournamentTable.objects.filter(SeatTenure.of_person(by, "round__tournament__entrants__"))
    return SeatTenure.objects.filter(SeatTenure.of_person(by)), cups


def nameless_games(by: User) -> QuerySet[Game]:
    """Returns the tables at which nobody may tell this moderator who sits where: his own that hide names and are not
    over."""
    own_seats, own_cups = _own(by)
    own = own_seats.values("seat__game").union(own_cups.values("game"))
    return Game.objects.filter(pk__in=own, hides_names=True, status__in=(Game.Status.OPEN, Game.Status.RUNNING))


def readable_entries(book: QuerySet[ModerationEntry], by: User) -> QuerySet[ModerationEntry]:
    """Returns the entries a moderator may read: of his own tables none about revealed hands or settled reports, nor,
    where names are hidden from him, about who sits where."""
    quiet = book.filter(action__in=(ModerationEntry.Action.LOOK, ModerationEntry.Action.SETTLE))
    book = book.exclude(pk__in=quiet.exclude(pk__in=exclude_own_games(quiet, by)))
    return book.exclude(seat__isnull=False, user__isnull=False, game__in=nameless_games(by).values("pk"))


def exclude_own_reports(rows: QuerySet[Report], by: User) -> QuerySet[Report]:
    """Excludes reports from tables at which this moderator plays or has played, and about his clubs and tournaments."""
    own_clubs = Membership.objects.filter(user=by).values("club")
    own_cups = Tournament.objects.filter(Q(host=by) | Q(entrants__user=by) | Q(entrants__user__owner=by)).values("pk")
    rows = exclude_own_games(rows, by).filter(Q(club__isnull=True) | ~Q(club__in=own_clubs))
    return rows.filter(Q(tournament__isnull=True) | ~Q(tournament__in=own_cups))


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
