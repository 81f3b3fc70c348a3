"""Whose seats are whose: a player and that player's bots share only a table that was opened for it, and who has held a
seat of a game takes no other one there."""

from django.db.models import Q
from django.utils.translation import gettext as _

from games.errors import Conflict, SameOwner
from games.people.models import User
from games.tables.models import Game
from games.tables.seats import Seat, SeatTenure


def check(game: Game, newcomer: User, left: Seat | None = None) -> None:
    """Raises SameOwner if the owner of a bot that sits down plays here, a bot of the person who sits down, or another
    bot of the same owner; a table that allows it takes them all. Raises Conflict for who has held another seat of this
    game, or whose bot or owner has: they know what it knew. Called with the game locked.

    Arguments:
        left: the seat that the newcomer is to have, whose former player does not count.
    """
    if left is not None:
        former = SeatTenure.objects.filter(SeatTenure.of_person(newcomer), seat__game=game, ended_at__isnull=False)
        if former.exclude(seat=left).exists():
            raise Conflict(
                _("%(name)s has held another seat in this game, and can't take a second one.") % {"name": newcomer.name}
            )
    if game.allows_own_bots:
        return
    person = newcomer.owner_id or newcomer.pk
    seats = game.seats.filter(Q(user=person) | Q(user__owner=person)).exclude(user=newcomer)
    if left is not None:
        seats = seats.exclude(pk=left.pk)
    seated = seats.select_related("user").order_by("number").first()
    if seated is not None:
        raise SameOwner(_refusal(newcomer, seated))


def _refusal(newcomer: User, seated: Seat) -> str:
    words = {"newcomer": newcomer.name, "seated": seated.spoken_name}
    if not newcomer.is_bot:
        reason = _("%(seated)s, a bot owned by %(newcomer)s, is already playing here.") % words
    elif seated.is_bot:
        reason = _("%(seated)s, another bot of the same owner, is already playing here.") % words
    else:
        reason = _("%(seated)s, who owns the bot %(newcomer)s, is already playing here.") % words
    remedy = _("To play together, ask the host to open a table that allows players and their own bots.")
    return f"{reason} {remedy}"
