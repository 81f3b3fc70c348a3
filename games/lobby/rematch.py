"""Rematches: a new table with the options and players of a game that is over."""

from dataclasses import dataclass, field, replace
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from games.clubs import clubs
from games.errors import Conflict, NotFound, ServiceError
from games.lobby import invitations, lifecycle
from games.people.models import User
from games.tables.models import Game
from games.tables.seats import Seat
from games.tables.settings import TablePlan, known_options, repeated_settings


@dataclass(frozen=True)
class Rematch:
    """The new table. `is_new` if it was opened now; `missing` are players who could not be invited."""

    table: Game
    is_new: bool
    missing: list[str] = field(default_factory=list)


@transaction.atomic
def open_rematch(*, game_id: int, user: User, now: datetime) -> Rematch:
    """Opens a table like that of a game that is over, and invites whoever played; the next of them sits down there.

    Raises NotFound for who did not play, Conflict while the game is on, and what opening and joining a table raise.
    """
    game = Game.objects.select_for_update().get(pk=game_id)
    seats = list(game.seats.select_related("user__recipient").order_by("number"))
    if all(seat.user_id != user.pk for seat in seats):
        raise NotFound(_("You're not at this table."))
    if not (game.is_over and game.started_at) or game.is_practice:
        raise Conflict(_("This game isn't over yet."))
    existing = _known(game, user)
    if existing is not None:
        return Rematch(existing, is_new=False)
    waiting = game.sequels.filter(status=Game.Status.OPEN).order_by("pk").last()
    if waiting is not None:
        lifecycle.join(game_id=waiting.pk, user=user, now=now)
        # What its host has changed since it was opened the player has not seen.
        waiting.seats.filter(user=user).update(agreed_version=0)
        return Rematch(waiting, is_new=False)
    table = lifecycle.open_table(host=user, plan=_plan(game, seats, user), now=now)
    Game.objects.filter(pk=table.pk).update(again_of=game)
    others = [seat for seat in seats if seat.user_id not in (None, user.pk) and not seat.bot]
    return Rematch(
        table, is_new=True, missing=[seat.name for seat in others if not _is_invited(table, seat, user, now)]
    )


def _known(game: Game, user: User) -> Game | None:
    """The table at which this person has sat down already."""
    alive = (Game.Status.OPEN, Game.Status.RUNNING)
    return game.sequels.filter(status__in=alive, seats__user=user).order_by("pk").last()


def _plan(game: Game, seats: list[Seat], user: User) -> TablePlan:
    """Returns the former table's settings, as far as the rules still know them."""
    plan = TablePlan(
        title=game.title,
        rules_name=game.rules_name,
        seat_count=game.seat_count,
        pace=game.pace,
        options=known_options(game.rules, game.options),
        bots=tuple(seat.bot for seat in seats if seat.bot),
        club=game.club.ref if game.club and clubs.is_member(game.club_id, user) else "",
    )
    return replace(plan, **repeated_settings(game))


def _is_invited(table: Game, seat: Seat, host: User, now: datetime) -> bool:
    """Invites the player of a seat, whose address the host need not know, or seats his bot; False if it cannot be."""
    user = seat.user
    if user is None or not user.is_active:
        return False
    try:
        if user.is_bot:
            lifecycle.add_bot(game_id=table.pk, host=host, bot=user.name, now=now)
            return True
        invitations.invite(game_id=table.pk, host=host, address=user.email, name=seat.name, now=now)
    except ServiceError:
        return False
    return True
