"""The notifications about tournaments: who is told what, and the key by which it is told once.

That a round has begun is told by the email with which each game begins.
"""

from collections.abc import Iterable
from datetime import datetime

from games.tournaments.models import Entrant, Tournament, TournamentRound
from notifications.models import Recipient
from notifications.outbox import Notification, notify_all


def entered(entrant: Entrant, now: datetime) -> None:
    """You have entered; once for each time somebody does."""
    _tell("tournament_entered", entrant.tournament, [entrant.user.recipient], f"{entrant.ref}:{now.isoformat()}", now)


def sits_out(row: TournamentRound, entrants: Iterable[Entrant], now: datetime) -> None:
    """You sit out this round."""
    people = [entrant.user.recipient for entrant in entrants]
    _tell("tournament_bye", row.tournament, people, str(row.number), now, {"round": row.number})


def removed(entrant: Entrant, now: datetime) -> None:
    """The host has removed you."""
    _tell("tournament_removed", entrant.tournament, [entrant.user.recipient], entrant.ref, now)


def called_off(tournament: Tournament, now: datetime) -> None:
    """It was called off, and why."""
    _tell("tournament_off", tournament, _everybody(tournament), "", now)


def over(tournament: Tournament, now: datetime) -> None:
    """The final standings."""
    _tell("tournament_over", tournament, _everybody(tournament), "", now)


def _everybody(tournament: Tournament) -> list[Recipient]:
    """Returns the recipients of the entrants, and of the host."""
    rows = tournament.entrants.filter(status=Entrant.Status.ENTERED).select_related("user__recipient")
    people = {entrant.user.recipient.pk: entrant.user.recipient for entrant in rows}
    return list((people | {tournament.host.recipient.pk: tournament.host.recipient}).values())


def _tell(
    kind: str,
    tournament: Tournament,
    people: Iterable[Recipient],
    occasion: str,
    now: datetime,
    data: dict[str, object] | None = None,
) -> None:
    notifications = [
        Notification(
            recipient=person,
            kind=kind,
            subject=tournament.thread,
            dedupe_key=f"{kind}:{tournament.ref}:{occasion}:{person.pk}",
            thread=tournament.thread,
            data=dict(data or {}),
        )
        for person in people
    ]
    notify_all(notifications, now)
