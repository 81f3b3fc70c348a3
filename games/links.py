"""Signed links, each for one purpose and one object; they are computed, not stored.

A token is 26 characters of base32, 128 bits of HMAC-SHA256 under LINK_KEY; nothing secret is stored. It becomes
void when its object closes, when the seat gets another player, or when the seat's `link_generation` is raised.
"""

import base64
import hmac

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils.crypto import constant_time_compare

from games.clubs.models import Club, ClubInvitation
from games.lobby.models import HostOffer
from games.moderation.models import ModerationEntry
from games.page_urls import page_url
from games.people.models import Friendship, User
from games.play.models import SUBJECT, Decision
from games.tables.models import Game
from games.tables.seats import Invitation, Seat
from notifications.database.compiled_query import compiled
from notifications.inbound import addresses
from notifications.models import Inbound, Notice

TOKEN_LENGTH = 26
MOST_DECISIONS = 9999  # of moderators about one person
TOKEN_BYTES = 20  # of which it is made; what base32 makes of all 32 begins with the same characters
NO_GAME = "all"  # in the place of a game's reference, which is longer


def sign(purpose: str, *facts: object) -> str:
    """Computes the token for these facts and this purpose."""
    message = "|".join([purpose, *map(str, facts)]).encode()
    digest = hmac.digest(settings.LINK_KEY.encode(), message, "sha256")
    return base64.b32encode(digest[:TOKEN_BYTES]).decode().lower()[:TOKEN_LENGTH]


def is_signed(token: str, purpose: str, *facts: object) -> bool:
    """Checks a token for these facts, in constant time."""
    return constant_time_compare(token, sign(purpose, *facts))


def _seat_facts(seat: Seat) -> tuple[object, ...]:
    return (seat.pk, seat.user_id, seat.link_generation)


def act_url(decision: Decision) -> str:
    """The page where a decision's player answers it without signing in."""
    token = sign("act", decision.ref, *_seat_facts(decision.seat))
    return page_url("act", decision.ref, token)


def find_decision(ref: str, token: str) -> Decision | None:
    """Returns the decision of an act link, open or not; None for an invalid or void link."""
    row = next(iter(_decision(ref)), None)
    facts = _seat_facts(row.seat) if row else ()
    return row if is_signed(token, "act", ref, *facts) and row else None


@compiled("game", "seat", "seat__user", "seat__user__recipient")
def _decision(ref: str) -> QuerySet[Decision]:
    return Decision.objects.filter(ref=ref)


def reply_address(decision: Decision) -> str:
    """The reply address of emails about a decision; "" where replies are not received."""
    token = sign("reply", decision.ref, *_seat_facts(decision.seat))
    return addresses.address_of(f"{decision.ref}-{token}")


def talk_address(decision: Decision) -> str:
    """The reply address of emails that quote the table talk; "" where replies are not received.

    What is sent there is said to the table. The decision is any of the seat's.
    """
    return addresses.address_of(f"{decision.ref}-{sign('talk', decision.ref, *_seat_facts(decision.seat))}")


def reply_headers(decision: Decision | None) -> dict[str, str]:
    """The headers of an email that may be answered, about a decision or orders of its seat."""
    address = reply_address(decision) if decision else ""
    return {"Reply-To": address} if address else {}


def find_reply(token: str) -> Decision | None:
    """Returns the decision of a reply address, open or not; None for an invalid or void address."""
    return _find_address("reply", token)


def find_talk(token: str) -> Decision | None:
    """Returns the decision by which a `talk_address` was made; None for an invalid or void address."""
    return _find_address("talk", token)


def _find_address(purpose: str, token: str) -> Decision | None:
    ref, _dash, signed = token.rpartition("-")
    row = next(iter(_decision(ref)), None)
    facts = _seat_facts(row.seat) if row else ()
    return row if is_signed(signed, purpose, ref, *facts) and row else None


def confirm_url(inbound: Inbound, seat: Seat) -> str:
    """The page where a player confirms an answer by email."""
    return page_url("confirm_reply", inbound.ref, sign("confirm", inbound.ref, *_seat_facts(seat)))


def find_held(ref: str, token: str) -> tuple[Inbound, Decision] | None:
    """Returns the answer of a confirmation link, held or not, and its decision; None for an invalid link."""
    inbound = Inbound.objects.filter(ref=ref).select_related("recipient").first()
    rows = Decision.objects.select_related("game", "seat__user__recipient")
    row = rows.filter(ref=inbound.subject.removeprefix(SUBJECT)).first() if inbound else None
    facts = _seat_facts(row.seat) if row else ()
    good = is_signed(token, "confirm", ref, *facts)
    return (inbound, row) if good and inbound and row else None


def seat_url(name: str, seat: Seat) -> str:
    """A link for one seat: "back" for an absent player."""
    return page_url(name, seat.game.ref, seat.number, sign(name, *_seat_facts(seat)))


def find_seat(name: str, game_ref: str, number: int, token: str) -> Seat | None:
    """Returns the seat of such a link, or None."""
    seat = Seat.objects.filter(game__ref=game_ref, number=number).select_related("game", "user__recipient").first()
    facts = _seat_facts(seat) if seat else ()
    return seat if is_signed(token, name, *facts) and seat else None


def mails_url(user: User, topic: str, game: Game | None = None) -> str:
    """The page where a member stops emails of a topic, without signing in: of one game, or of all."""
    ref = game.ref if game else NO_GAME
    token = sign("mails", user.pk, user.email, ref, topic)
    return page_url("mails", user.ref, ref, topic, token)


def find_reader(ref: str, game_ref: str, topic: str, token: str) -> User | None:
    """Returns the member of such a link, or None. It becomes void when his address changes."""
    user = User.objects.filter(ref=ref, is_active=True).select_related("recipient").first()
    facts = (user.pk, user.email) if user else ()
    return user if is_signed(token, "mails", *facts, game_ref, topic) and user else None


def not_me_url(notice: Notice) -> str:
    """The page where the reader of a security notice locks his account. It becomes void when his address changes."""
    return page_url("not_me", notice.ref, sign("not_me", notice.ref, notice.recipient.address))


def find_disownable(ref: str, token: str) -> Notice | None:
    """Returns the notice of such a link, however old, or None."""
    notice = Notice.objects.filter(ref=ref).select_related("recipient").first()
    facts = (ref, notice.recipient.address) if notice else (ref, "")
    return notice if is_signed(token, "not_me", *facts) and notice else None


def appeal_url(notice: Notice) -> str:
    """The page where the reader of a moderator's decision appeals, without signing in."""
    return page_url("appeal", notice.ref, _appeal_token(notice))


def appeal_address(entry: ModerationEntry) -> str:
    """The reply address of an email about a moderator's decision; "" where replies are not received.

    The decision is named by its place among those about its reader, for mail servers fold letters.
    """
    reader = entry.user.owner or entry.user if entry.user else None
    if reader is None:
        return ""
    number = _decisions_about(reader).filter(pk__lte=entry.pk).count()
    return addresses.address_of(f"{reader.ref}-{number}-{sign('appeal', reader.ref, entry.pk)}")


def find_appealed(token: str) -> tuple[ModerationEntry, User] | None:
    """Returns the decision of such an address and its reader, or None."""
    ref, _dash, rest = token.partition("-")
    number, _dash, signed = rest.partition("-")
    reader = User.objects.filter(ref=ref).select_related("recipient").first() if number.isdecimal() else None
    if reader is None or not 1 <= int(number) <= MOST_DECISIONS:
        return None
    entry = next(iter(_decisions_about(reader).order_by("pk")[int(number) - 1 : int(number)]), None)
    return (entry, reader) if entry and is_signed(signed, "appeal", ref, entry.pk) else None


def _decisions_about(reader: User) -> QuerySet[ModerationEntry]:
    return ModerationEntry.objects.filter(Q(user=reader) | Q(user__owner=reader))


def _appeal_token(notice: Notice) -> str:
    return sign("appeal", notice.ref, notice.recipient.address)


def find_appealable(ref: str, token: str) -> Notice | None:
    """Returns the notice of such a link or address, or None."""
    notice = Notice.objects.filter(ref=ref, kind="moderated").select_related("recipient").first()
    facts = (ref, notice.recipient.address) if notice else (ref, "")
    return notice if is_signed(token, "appeal", *facts) and notice else None


def calendar_url(user: User) -> str:
    """The calendar feed of a person's deadlines; valid until he asks for a new address."""
    token = sign("calendar", user.pk, user.recipient.feed_generation)
    return page_url("calendar", user.ref, token)


def find_calendar(ref: str, token: str) -> User | None:
    """Returns the person of a calendar feed, or None."""
    user = User.objects.filter(ref=ref, is_active=True).select_related("recipient").first()
    facts = (user.pk, user.recipient.feed_generation) if user else ()
    return user if is_signed(token, "calendar", *facts) and user else None


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
    token = sign("agreement", seat.user.ref, *_seat_facts(seat))
    return page_url("agreement", seat.game.ref, seat.user.ref, token)


def find_agreement(game_ref: str, user_ref: str, token: str) -> Seat | None:
    """Returns the seat of such a link, or None."""
    rows = Seat.objects.filter(game__ref=game_ref, user__ref=user_ref)
    seat = rows.select_related("game__host", "user__recipient").first()
    facts = _seat_facts(seat) if seat else ()
    return seat if is_signed(token, "agreement", user_ref, *facts) and seat else None


def host_offer_url(offer: HostOffer) -> str:
    """The page where somebody accepts or declines the host's role, without signing in."""
    return page_url("host_offer", offer.ref, sign("host_offer", offer.ref))


def find_host_offer(ref: str, token: str) -> HostOffer | None:
    """Returns the offer of such a link; None if the link is invalid, or the offer answered or withdrawn."""
    if not is_signed(token, "host_offer", ref):
        return None
    return HostOffer.objects.filter(ref=ref).select_related("game__host", "user__recipient").first()


def join_url(game: Game) -> str:
    """The link that a host may send to anybody: whoever opens it and signs in may join."""
    return page_url("join", game.ref, sign("join", game.ref))


def find_table(ref: str, token: str) -> Game | None:
    """Returns the table of a join link, or None."""
    if not is_signed(token, "join", ref):
        return None
    return Game.objects.filter(ref=ref).select_related("host").first()


def club_join_url(club: Club) -> str:
    """The link that members may send to anybody: whoever opens it and signs in may join the club."""
    return page_url("join_club", club.ref, sign("club", club.ref, club.link_generation))


def find_club(ref: str, token: str) -> Club | None:
    """Returns the club of such a link, or None."""
    club = Club.objects.filter(ref=ref).select_related("owner").first()
    return club if is_signed(token, "club", ref, club.link_generation if club else 0) and club else None


def club_invitation_url(invitation: ClubInvitation) -> str:
    """The page where an invited person joins a club, declines or unsubscribes."""
    token = sign("club_invitation", invitation.ref, invitation.address)
    return page_url("club_invitation", invitation.ref, token)


def find_club_invitation(ref: str, token: str) -> ClubInvitation | None:
    """Returns the invitation of such a link, or None."""
    row = ClubInvitation.objects.filter(ref=ref).select_related("club", "inviter", "recipient").first()
    return row if is_signed(token, "club_invitation", ref, row.address if row else "") and row else None


def friend_request_url(row: Friendship) -> str:
    """The page where somebody says whether he wants to be friends. It becomes void when his address changes."""
    token = sign("friend_request", row.ref, row.asked.email)
    return page_url("friend_request", row.ref, token)


def find_friend_request(ref: str, token: str) -> Friendship | None:
    """Returns the request of such a link, answered or not, or None."""
    row = Friendship.objects.filter(ref=ref, asked__is_active=True).select_related("asker", "asked__recipient").first()
    return row if is_signed(token, "friend_request", ref, row.asked.email if row else "") and row else None
