"""The waiting room of a table before its game."""

from collections.abc import Mapping

from django.http import HttpRequest

from engine.registry import AnyRules
from games.clubs import clubs
from games.lobby import bot_accounts, hosting
from games.people.models import User
from games.play.queries import Access
from games.tables import pace, table_links
from games.tables.models import Game
from games.tables.seats import Invitation, Seat
from games.tables.settings import Group, told_settings
from games.web.opening import InviteForm, JoinForm, bots_in_words, in_words
from games.web.play.timing import steward_context
from games.web.reader import signed_in


def waiting_context(request: HttpRequest, access: Access) -> dict[str, object]:
    """Returns what "games/tables/waiting_room.html" needs; invitations and the link are for the host and his guests.

    Arguments:
        access: an open (or closed) table as this person may see it.
    """
    game = access.game
    user = signed_in(request)
    is_host = user is not None and game.host_id == user.pk
    seats = game.seated()
    may_join = bool(is_host or access.seat or game.is_listed or clubs.is_member(game.club_id, user))
    undecided = hosting.seats_undecided(game)
    return {
        "game": game,
        "access": access,
        "is_host": is_host,
        "is_guest": access.seat is not None and not is_host,
        "seats": seats,
        "free": range(game.seat_count - len(seats)),
        "is_full": len(seats) == game.seat_count,
        "undecided": undecided,
        **_asked(access, user, undecided),
        "invitations": _invitations(game) if is_host else [],
        "join_url": table_links.join_url(game) if may_join else "",
        "bots": bots_in_words(game.rules),
        "own_bots": _own_bots(game, seats) if is_host else [],
        "invite_form": InviteForm(),
        "join_form": JoinForm(),
        **steward_context(access),
        **about(game),
    }


def _asked(access: Access, user: User | None, undecided: list[Seat]) -> dict[str, object]:
    """Returns what waits for this person: changed settings to agree to, and the host's role."""
    seat = access.seat
    offer = hosting.offer_of(access.game) if seat is not None and user is not None else None
    is_asked = seat is not None and any(other.pk == seat.pk for other in undecided)
    return {
        "seat": seat if is_asked else None,
        "differences": hosting.settings_differences(seat) if seat is not None and is_asked else [],
        "offer_url": hosting.host_offer_url(offer) if offer and user and offer.user_id == user.pk else "",
    }


def _own_bots(game: Game, seats: list[Seat]) -> list[str]:
    """Names of the host's bots that do not sit here yet and could."""
    if not game.allows_own_bots:
        return []
    taken = {seat.user_id for seat in seats}
    able = bot_accounts.own(game.host).filter(is_active=True, paused_at=None)
    return [bot.name for bot in able if bot.pk not in taken]


def about(game: Game) -> dict[str, object]:
    """A table in words: rules, options, pace, what happens at a missed deadline."""
    return {
        "rules_title": in_words(game.rules, game.rules.title),
        "options": options_in_words(game.rules, game.options),
        "pace_label": dict(pace.paces()).get(game.pace, game.pace),
        "rests": rests_in_words(game),
        "length": pace.days_in_words(days) if (days := pace.days(game)) is not None else "",
    }


def rests_in_words(game: Game) -> list[str]:
    """When clocks stand still at this table."""
    if pace.is_live(game.pace):
        return []
    return told_settings(game, Group.CLOCKS)


def options_in_words(rules: AnyRules, chosen: Mapping[str, str]) -> list[tuple[str, str]]:
    """(label, value) of each option of the rules.

    Arguments:
        chosen: what the host has chosen, by option.
    """
    words = []
    for option in rules.options:
        labels = dict(option.values)
        value = chosen.get(option.name, option.default)
        if value in labels:
            words.append((in_words(rules, option.label), in_words(rules, labels[value])))
    return words


def _invitations(game: Game) -> list[Invitation]:
    hidden = (Invitation.Status.JOINED, Invitation.Status.WITHDRAWN)
    return list(game.invitations.exclude(status__in=hidden).order_by("created_at"))
