"""Offering chairs by mail: limited for each host and day, and never to those who said never again."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from games.clubs.models import Club, Membership
from games.errors import Conflict, NotFound
from games.lobby import lifecycle
from games.people import speech
from games.people.inviting import person_at, record_invitation
from games.people.models import User, normal_address
from games.play import notify
from games.tables.models import Game
from games.tables.seats import LONGEST_WORDS, Invitation, Seat
from notifications.channels.mail.letter import one_line
from notifications.models import Recipient


@transaction.atomic
def invite(*, game_id: int, host: User, address: str, now: datetime, name: str = "", words: str = "") -> Invitation:
    """Invites a mail address to an open table. Inviting it again changes nothing and sends nothing.

    Arguments:
        name: what the host is shown instead of an address that he does not know.
        words: a line of the host's own, cleaned as table talk is.

    Whoever declined, or whose invitation was withdrawn, can be invited anew the next day. See `record_invitation` for
    what the host learns by it, and what is raised; for words of a host who is muted that is Forbidden, for too many
    Illegal.
    """
    game = lifecycle.lock_open(game_id, host)
    return send(game, None, host=host, address=address, now=now, name=name, words=words)


def send(
    game: Game, seat: Seat | None, *, host: User, address: str, now: datetime, name: str = "", words: str = ""
) -> Invitation:
    """Invites as `invite` does, to a game that is locked.

    Arguments:
        seat: of an absent player, in a running game.
    """
    if name:
        check_club_invitation(game, address, name)
    invitation: Invitation
    invitation, is_written = record_invitation(
        game.invitations,
        by=host,
        address=address,
        name=name,
        is_there=lambda: seat is None and game.seats.filter(user__email=normal_address(address)).exists(),
        already=_("%(name)s is already at this table."),
        now=now,
        seat=seat,
        words=_checked(words, host, now),
    )
    if is_written:
        notify.invited(invitation, now)
    return invitation


@transaction.atomic
def accept(
    *,
    invitation: Invitation,
    name: str,
    entropy: str = "",
    steward_hours: int | None = None,
    now: datetime,
    zone: str = "",
    seen: int | None = None,
) -> Seat:
    """The person behind an invitation sits down. Whoever holds the link owns the address: no account is needed before.

    A new account gets `name`, and `zone` unless that is ""; `steward_hours` and `seen` are those of
    `lifecycle.join`.

    Raises Conflict if the invitation is withdrawn, the table full or changed.
    """
    invitation = locked(invitation)
    if not is_acceptable(invitation):
        raise Conflict(_("This invitation is no longer open."))
    user = person_of(invitation, name, zone)
    return lifecycle.join(
        game_id=invitation.game_id,
        user=user,
        entropy=entropy,
        steward_hours=steward_hours,
        seen=seen,
        is_invited=True,
        now=now,
    )


def person_of(invitation: Invitation, name: str, zone: str) -> User:
    """The account of the invited address; a new one where there is none. Raises Conflict for one that is closed."""
    return person_at(invitation.address, invitation.recipient, name, zone)


@transaction.atomic
def decline(*, invitation: Invitation) -> None:
    """Says no. Harmless when said twice; raises Conflict once the person has sat down."""
    changed = Invitation.objects.filter(
        pk=invitation.pk, status__in=(Invitation.Status.SENT, Invitation.Status.DECLINED)
    ).update(status=Invitation.Status.DECLINED)
    if not changed:
        raise Conflict(_("This invitation is no longer open."))


@transaction.atomic
def withdraw(*, ref: str, game_id: int, host: User) -> None:
    """The host takes an invitation back."""
    offers = Invitation.objects.filter(game_id=game_id, game__host=host, ref=ref, seat__isnull=False)
    running = Game.objects.select_for_update().defer("state")
    game = running.get(pk=game_id) if offers.exists() else lifecycle.lock_open(game_id, host)
    if not game.invitations.filter(ref=ref, status=Invitation.Status.SENT).update(status=Invitation.Status.WITHDRAWN):
        raise NotFound(_("There's no such invitation."))


def locked(invitation: Invitation) -> Invitation:
    """The invitation as it is now. Its game and its recipient are locked: two clicks at once make one account."""
    Game.objects.select_for_update().get(pk=invitation.game_id)
    Recipient.objects.select_for_update(no_key=True).get(pk=invitation.recipient_id)
    return Invitation.objects.select_related("recipient").get(pk=invitation.pk)


def is_acceptable(invitation: Invitation) -> bool:
    """False for one that is over, and for one in the mailbox of an address that its account has left."""
    is_over = invitation.status in (Invitation.Status.WITHDRAWN, Invitation.Status.DECLINED)
    moved = User.objects.filter(recipient=invitation.recipient).exclude(email=invitation.address)
    return not is_over and not moved.exists()


def _checked(words: str, host: User, now: datetime) -> str:
    """The host's own line, which goes to somebody who may know neither him nor us."""
    line = one_line(speech.checked(words, LONGEST_WORDS), LONGEST_WORDS)
    if line:
        speech.refuse_muted(host, now)
    return line


def check_club_invitation(game: Game, address: str, label: str) -> None:
    """Raises Conflict for an address that is no member's, at a table of a club.

    Arguments:
        label: what the host calls the person.
    """
    if game.club_id is None or Membership.objects.filter(club=game.club_id, user__email=address).exists():
        return
    club = Club.objects.get(pk=game.club_id)
    raise Conflict(
        _("%(name)s is not a member of %(club)s. Invite them to the club first.")
        % {"name": label, "club": club.display_name}
    )
