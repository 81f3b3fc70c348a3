"""Signed links: each is good for one purpose and one thing, and can be made again at any time.

A token is 26 characters of base32, 128 bits of HMAC-SHA256 under LINK_KEY; nothing secret is stored. It dies when
what it names closes, when the seat changes hands, or when the seat's links are made void (its generation is raised).
"""

import base64
import hmac

from django.conf import settings
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.crypto import constant_time_compare

from games.models import SUBJECT, Decision, Game, Invitation, Seat, User
from games.tables import rulebooks
from notifications.database.compiled_query import compiled
from notifications.inbound import addresses
from notifications.models import Inbound, Notice

TOKEN_LENGTH = 26
TOKEN_BYTES = 20  # of which it is made; what base32 makes of all 32 begins with the same characters
NO_GAME = "all"  # in the place of a game's reference, which is longer


def sign(purpose: str, *facts: object) -> str:
    """The token for these facts under this purpose."""
    message = "|".join([purpose, *map(str, facts)]).encode()
    digest = hmac.digest(settings.LINK_KEY.encode(), message, "sha256")
    return base64.b32encode(digest[:TOKEN_BYTES]).decode().lower()[:TOKEN_LENGTH]


def is_signed(token: str, purpose: str, *facts: object) -> bool:
    """Whether the token is the one for these facts; takes the same time for every wrong one."""
    return constant_time_compare(token, sign(purpose, *facts))


def _absolute(path: str) -> str:
    return f"{settings.SITE_URL}{path}"


def _seat_facts(seat: Seat) -> tuple[object, ...]:
    return (seat.pk, seat.user_id, seat.link_generation)


def act_url(decision: Decision) -> str:
    """Where the decision's player answers it without signing in."""
    token = sign("act", decision.ref, *_seat_facts(decision.seat))
    return _absolute(reverse("act", args=[decision.ref, token]))


def find_decision(ref: str, token: str) -> Decision | None:
    """The decision an act link is for, open or not; None for a link that was never, or is no longer, good."""
    row = next(iter(_decision(ref)), None)
    facts = _seat_facts(row.seat) if row else ()
    return row if is_signed(token, "act", ref, *facts) and row else None


@compiled("game", "seat", "seat__user", "seat__user__recipient")
def _decision(ref: str) -> QuerySet[Decision]:
    return Decision.objects.filter(ref=ref)


def reply_address(decision: Decision) -> str:
    """Where a mail about the decision is answered by mail, or "" where mails cannot be answered."""
    token = sign("reply", decision.ref, *_seat_facts(decision.seat))
    return addresses.address_of(f"{decision.ref}-{token}")


def reply_headers(decision: Decision | None) -> dict[str, str]:
    """What a mail needs so that it can be answered by a line about a decision, or about orders of its seat."""
    address = reply_address(decision) if decision else ""
    return {"Reply-To": address} if address else {}


def find_reply(token: str) -> Decision | None:
    """The decision a reply address is for, open or not; None for an address that was never, or is no longer, good."""
    ref, _dash, signed = token.rpartition("-")
    row = next(iter(_decision(ref)), None)
    facts = _seat_facts(row.seat) if row else ()
    return row if is_signed(signed, "reply", ref, *facts) and row else None


def confirm_url(inbound: Inbound, seat: Seat) -> str:
    """Where the player says that an answer by mail is his."""
    return _absolute(reverse("confirm_reply", args=[inbound.ref, sign("confirm", inbound.ref, *_seat_facts(seat))]))


def find_held(ref: str, token: str) -> tuple[Inbound, Decision] | None:
    """The answer such a link is for, held or not any more, and its decision; None for a link that is not good."""
    inbound = Inbound.objects.filter(ref=ref).select_related("recipient").first()
    rows = Decision.objects.select_related("game", "seat__user__recipient")
    row = rows.filter(ref=inbound.subject.removeprefix(SUBJECT)).first() if inbound else None
    facts = _seat_facts(row.seat) if row else ()
    good = is_signed(token, "confirm", ref, *facts)
    return (inbound, row) if good and inbound and row else None


def seat_url(name: str, seat: Seat) -> str:
    """A link for one seat: "back" for an absent player."""
    return _absolute(reverse(name, args=[seat.game.ref, seat.number, sign(name, *_seat_facts(seat))]))


def find_seat(name: str, game_ref: str, number: int, token: str) -> Seat | None:
    """The seat such a link is for, or None."""
    seat = Seat.objects.filter(game__ref=game_ref, number=number).select_related("game", "user__recipient").first()
    facts = _seat_facts(seat) if seat else ()
    return seat if is_signed(token, name, *facts) and seat else None


def mails_url(user: User, topic: str, game: Game | None = None) -> str:
    """Where a member chooses, without signing in, whether mails of a topic shall go on: of a game, or at all."""
    ref = game.ref if game else NO_GAME
    token = sign("mails", user.pk, user.email, ref, topic)
    return _absolute(reverse("mails", args=[user.ref, ref, topic, token]))


def find_reader(ref: str, game_ref: str, topic: str, token: str) -> User | None:
    """The member such a link is for, or None. It dies when his address changes."""
    user = User.objects.filter(ref=ref, is_active=True).select_related("recipient").first()
    facts = (user.pk, user.email) if user else ()
    return user if is_signed(token, "mails", *facts, game_ref, topic) and user else None


def not_me_url(notice: Notice) -> str:
    """Where the reader of a mail about his account says that it was not he. It dies when his address changes."""
    return _absolute(reverse("not_me", args=[notice.ref, sign("not_me", notice.ref, notice.recipient.address)]))


def find_disownable(ref: str, token: str) -> Notice | None:
    """The notice such a link is about, however old, or None."""
    notice = Notice.objects.filter(ref=ref).select_related("recipient").first()
    facts = (ref, notice.recipient.address) if notice else (ref, "")
    return notice if is_signed(token, "not_me", *facts) and notice else None


def calendar_url(user: User) -> str:
    """The person's deadlines as a calendar, for programs that poll it: good until he asks for a new address."""
    token = sign("calendar", user.pk, user.recipient.feed_generation)
    return _absolute(reverse("calendar", args=[user.ref, token]))


def find_calendar(ref: str, token: str) -> User | None:
    """The person whose calendar such a link is, or None."""
    user = User.objects.filter(ref=ref, is_active=True).select_related("recipient").first()
    facts = (user.pk, user.recipient.feed_generation) if user else ()
    return user if is_signed(token, "calendar", *facts) and user else None


def invitation_url(invitation: Invitation) -> str:
    """Where an invited person joins, declines, or says never again."""
    return _absolute(reverse("invitation", args=[invitation.ref, sign("invitation", invitation.ref)]))


def find_invitation(ref: str, token: str) -> Invitation | None:
    """The invitation a link is for, or None."""
    if not is_signed(token, "invitation", ref):
        return None
    return Invitation.objects.filter(ref=ref).select_related("game__host", "recipient").first()


def join_url(game: Game) -> str:
    """The link a host may send to anybody: who opens it and signs in may sit down."""
    return _absolute(reverse("join", args=[game.ref, sign("join", game.ref)]))


def find_table(ref: str, token: str) -> Game | None:
    """The table a join link is for, or None."""
    if not is_signed(token, "join", ref):
        return None
    return Game.objects.filter(ref=ref).select_related("host").first()


def game_url(game: Game) -> str:
    """The table's page, for those who are signed in."""
    return _absolute(reverse("table", args=[game.ref]))


def by_mail_url(language: str) -> str:
    """Where it is written how to play from the mail."""
    return _absolute(reverse("by_mail_in", args=[language]))


def history_url(game: Game) -> str:
    """Where a game is stepped through, from its first board to its last."""
    return _absolute(reverse("history", args=[game.ref])) + "?step=0"


def rules_url(game: Game, language: str) -> str:
    """Where the rules of the game can be read in this language, if they are written in it; "" without any."""
    name = game.rules_name
    written = rulebooks.languages_of(name)
    if not written:
        return ""
    return _absolute(
        reverse("rules_in", args=[name, language]) if language in written else reverse("rules", args=[name])
    )
