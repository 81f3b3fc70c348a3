"""Links and reply addresses of a decision: signed for whoever sits there, until the seat changes hands."""

from django.db.models import QuerySet

from games.links import is_signed, page_url, sign
from games.play.models import SUBJECT, Decision
from games.tables.seats import Seat
from games.tables.table_links import seat_facts
from notifications.database.compiled_query import compiled
from notifications.inbound import addresses
from notifications.models import Inbound


def act_url(decision: Decision) -> str:
    """The page where a decision's player answers it without signing in."""
    token = sign("act", decision.ref, *seat_facts(decision.seat))
    return page_url("act", decision.ref, token)


def find_decision(ref: str, token: str) -> Decision | None:
    """Returns the decision of an act link, open or not; None for an invalid or void link."""
    row = next(iter(_decision(ref)), None)
    facts = seat_facts(row.seat) if row else ()
    return row if is_signed(token, "act", ref, *facts) and row else None


@compiled("game", "seat", "seat__user", "seat__user__recipient")
def _decision(ref: str) -> QuerySet[Decision]:
    return Decision.objects.filter(ref=ref)


def reply_address(decision: Decision) -> str:
    """The reply address of emails about a decision; "" where replies are not received."""
    token = sign("reply", decision.ref, *seat_facts(decision.seat))
    return addresses.address_of(f"{decision.ref}-{token}")


def talk_address(decision: Decision) -> str:
    """The reply address of emails that quote the table talk; "" where replies are not received.

    What is sent there is said to the table. The decision is any of the seat's.
    """
    return addresses.address_of(f"{decision.ref}-{sign('talk', decision.ref, *seat_facts(decision.seat))}")


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
    facts = seat_facts(row.seat) if row else ()
    return row if is_signed(signed, purpose, ref, *facts) and row else None


def confirm_url(inbound: Inbound, seat: Seat) -> str:
    """The page where a player confirms an answer by email."""
    return page_url("confirm_reply", inbound.ref, sign("confirm", inbound.ref, *seat_facts(seat)))


def find_held(ref: str, token: str) -> tuple[Inbound, Decision] | None:
    """Returns the answer of a confirmation link, held or not, and its decision; None for an invalid link."""
    inbound = Inbound.objects.filter(ref=ref).select_related("recipient").first()
    rows = Decision.objects.select_related("game", "seat__user__recipient")
    row = rows.filter(ref=inbound.subject.removeprefix(SUBJECT)).first() if inbound else None
    facts = seat_facts(row.seat) if row else ()
    good = is_signed(token, "confirm", ref, *facts)
    return (inbound, row) if good and inbound and row else None
