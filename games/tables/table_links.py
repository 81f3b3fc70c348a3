"""Addresses of a table's pages, and signed links to its seats and to joining it."""

from games.links import is_signed, page_url, sign
from games.tables import rulebooks
from games.tables.models import Game
from games.tables.seats import Invitation, Seat


def game_url(game: Game) -> str:
    """The table's page, for signed-in users."""
    return page_url("table", game.ref)


def history_url(game: Game) -> str:
    """The history page of a game."""
    return page_url("history", game.ref) + "?step=0"


def review_url(game: Game) -> str:
    """The page of its review."""
    return page_url("review", game.ref)


def rules_url(game: Game, language: str) -> str:
    """The rules of the game, in this language if there is a translation; "" if there are none."""
    name = game.rules_name
    written = rulebooks.languages_of(name)
    if not written:
        return ""
    return page_url("rules_in", name, language) if language in written else page_url("rules", name)


def seat_facts(seat: Seat) -> tuple[object, ...]:
    return (seat.pk, seat.user_id, seat.link_generation)


def seat_url(name: str, seat: Seat) -> str:
    """A link for one seat: "back" for an absent player, "agree_to_hour" for one who is asked."""
    return page_url(name, seat.game.ref, seat.number, sign(name, *seat_facts(seat)))


def find_seat(name: str, game_ref: str, number: int, token: str) -> Seat | None:
    """Returns the seat of such a link, or None."""
    seat = Seat.objects.filter(game__ref=game_ref, number=number).select_related("game", "user__recipient").first()
    facts = seat_facts(seat) if seat else ()
    return seat if is_signed(token, name, *facts) and seat else None


def invitation_url(invitation: Invitation) -> str:
    """The page where an invited person joins, declines or unsubscribes."""
    return page_url("invitation", invitation.ref, sign("invitation", invitation.ref))


def find_invitation(ref: str, token: str) -> Invitation | None:
    """Returns the invitation of a link, or None."""
    if not is_signed(token, "invitation", ref):
        return None
    return Invitation.objects.filter(ref=ref).select_related("game__host", "inviter", "recipient", "seat").first()


def agreement_url(seat: Seat) -> str:
    """The page where a player agrees to changed settings, without signing in. It ends when the seat changes hands."""
    assert seat.user is not None
    token = sign("agreement", seat.user.ref, *seat_facts(seat))
    return page_url("agreement", seat.game.ref, seat.user.ref, token)


def find_agreement(game_ref: str, user_ref: str, token: str) -> Seat | None:
    """Returns the seat of such a link, or None."""
    rows = Seat.objects.filter(game__ref=game_ref, user__ref=user_ref)
    seat = rows.select_related("game__host", "user__recipient").first()
    facts = seat_facts(seat) if seat else ()
    return seat if is_signed(token, "agreement", user_ref, *facts) and seat else None


def join_url(game: Game) -> str:
    """The link that a host may send to anybody: whoever opens it and signs in may join."""
    return page_url("join", game.ref, sign("join", game.ref))


def find_table(ref: str, token: str) -> Game | None:
    """Returns the table of a join link, or None."""
    if not is_signed(token, "join", ref):
        return None
    return Game.objects.filter(ref=ref).select_related("host").first()
