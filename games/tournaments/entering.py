"""Entering a tournament and leaving it."""

from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _

from games.errors import Conflict, Forbidden, NotFound, SameOwner, ServiceError
from games.moderation.models import ModerationEntry
from games.people import blocks
from games.people.models import User
from games.tables.plans import clean_title
from games.tournaments import notify
from games.tournaments.models import Entrant, Tournament
from games.tournaments.rounds import put_out


@transaction.atomic
def enter(*, tournament_id: int, user: User, now: datetime) -> Entrant:
    """Enters a person, who thereby agrees to play in all rounds. Entering twice changes nothing.

    Raises Forbidden for guests and bots, Conflict when entries are closed, when it is full, for who was removed, and
    for a host who has removed somebody, SameOwner when a bot of this person has been entered.
    """
    if user.is_guest or user.is_bot:
        raise Forbidden(_("Only people with an account can enter a tournament."))
    tournament = lock_open(tournament_id)
    if not tournament.entrants.filter(user=user, status=Entrant.Status.ENTERED).exists():
        blocks.check_host(tournament.host, user)
    _check_impartial(tournament, user)
    return _add(tournament, user, now)


@transaction.atomic
def enter_bot(*, tournament_id: int, host: User, name: str, now: datetime) -> Entrant:
    """The host enters a bot account that he may seat, where bots are allowed.

    Raises NotFound for who is not the host, Forbidden where no bots are allowed, ServiceError when there is none of
    that name, SameOwner when its owner or another bot of that owner has entered.
    """
    tournament = lock_open(tournament_id)
    if tournament.host_id != host.pk:
        raise NotFound(_("Only the host of a tournament can do that."))
    if not tournament.allows_bots:
        raise Forbidden(_("This tournament is for people only."))
    known = Q(is_for_all=True) | Q(owner=host)
    able = User.objects.filter(known, owner__is_active=True, is_active=True, paused_at=None, erasure=None)
    bot = able.filter(name__iexact=clean_title(name)).first()
    if bot is None:
        raise ServiceError(_("There's no bot with that name."))
    _check_impartial(tournament, bot)
    return _add(tournament, bot, now)


def _check_impartial(tournament: Tournament, user: User) -> None:
    """Raises Conflict for a host, and his bots, once he has removed somebody: nobody chooses his own rivals."""
    if tournament.host_id != (user.owner_id or user.pk):
        return
    by_moderators = ModerationEntry.objects.filter(
        action=ModerationEntry.Action.TAKE_OUT, user=OuterRef("user"), created_at=OuterRef("left_at")
    )
    if tournament.entrants.filter(~Exists(by_moderators), status=Entrant.Status.REMOVED).exists():
        raise Conflict(_("You've removed somebody from this tournament, so you can't play in it."))


def _add(tournament: Tournament, user: User, now: datetime) -> Entrant:
    known = tournament.entrants.filter(user=user).first()
    if known is not None and known.is_in:
        return known
    if known is not None and known.status == Entrant.Status.REMOVED:
        raise Conflict(_("The host has removed this player from the tournament."))
    if tournament.entrants.filter(status=Entrant.Status.ENTERED).count() >= tournament.most:
        raise Conflict(_("The tournament is full."))
    _check_owner(tournament, user)
    entrant = known or Entrant(tournament=tournament, user=user)
    entrant.name, entrant.is_bot, entrant.status = user.name, user.is_bot, Entrant.Status.ENTERED
    entrant.entered_at, entrant.left_at = now, None
    entrant.save()
    notify.entered(entrant, now)
    return entrant


def _check_owner(tournament: Tournament, user: User) -> None:
    """No table of a tournament has a player and that player's bot, or two bots of one player."""
    person = user.owner_id or user.pk
    others = tournament.entrants.filter(Q(user=person) | Q(user__owner=person), status=Entrant.Status.ENTERED)
    other = others.exclude(user=user).first()
    if other is not None:
        raise SameOwner(
            _("%(name)s has entered already. A player and their bots, or two bots of one player, can't both enter.")
            % {"name": other.spoken_name}
        )


@transaction.atomic
def leave(*, tournament_id: int, user: User, now: datetime) -> Entrant:
    """Leaves a tournament: no further round seats this player. A game that has begun goes on. Harmless when repeated.

    Raises NotFound for who has not entered, Conflict when it is over.
    """
    tournament = lock_alive(tournament_id)
    entrant = tournament.entrants.filter(user=user).first()
    if entrant is None:
        raise NotFound(_("You haven't entered this tournament."))
    if entrant.is_in:
        put_out(entrant, Entrant.Status.LEFT, now)
    return entrant


def lock_alive(tournament_id: int) -> Tournament:
    """The tournament, locked, if it is not over. Raises Conflict."""
    tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
    if tournament.is_over:
        raise Conflict(
            _("This tournament was called off.")
            if tournament.status == Tournament.Status.CALLED_OFF
            else _("This tournament is over.")
        )
    return tournament


def lock_open(tournament_id: int) -> Tournament:
    """The tournament, locked, if people can still enter. Raises Conflict."""
    tournament = lock_alive(tournament_id)
    if not tournament.is_open:
        raise Conflict(_("Entries are closed: this tournament has already started."))
    return tournament
