"""Whose seats are whose: a player and that player's bots share only a table that was opened for it."""

from django.db.models import Q
from django.utils.translation import gettext as _

from games.errors import SameOwner
from games.models import Game, Seat, User


def check(game: Game, newcomer: User, left: Seat | None = None) -> None:
    """Raises SameOwner if the owner of a bot that sits down plays here, a bot of the person who sits down, or another
    bot of the same owner; a table that allows it takes them all. Called with the game locked.

    Arguments:
        left: the seat that the newcomer is to have, whose former player does not count.
    """
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
