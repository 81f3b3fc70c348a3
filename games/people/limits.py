"""How often somebody without a session may cause an email to an address, or try a password: one table for all doors.

Counted are requests by address and network together, by network, and by address. What strangers use up never binds the
owner of an account: a browser in which he has signed in before is counted by itself and fills nobody's limit; a letter
that was used is counted no more; and once no further letter goes out, the link of the latest one stays good.

Addresses and networks are kept as keyed hashes, for two days.
"""

import ipaddress
from dataclasses import dataclass
from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import connection, transaction
from django.http import HttpRequest
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from games.errors import TooMany
from games.people import sessions
from games.people.models import AnonymousRequest, User, normal_address
from notifications.channels.mail.suppressions import hash_address

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
LETTER, PASSWORD = AnonymousRequest.Kind.LETTER, AnonymousRequest.Kind.PASSWORD
ADDRESS, NETWORK, BOTH = ("address",), ("source",), ("address", "source")


@dataclass(frozen=True)
class Limit:
    """A limit: so many requests of one kind, alike in these columns, within this time."""

    by: tuple[str, ...]
    most: int
    within: timedelta


# Of one address from one network always less than of one address altogether: one network alone leaves the others some.
LIMITS = {
    LETTER: (
        Limit(BOTH, 3, MINUTE), Limit(BOTH, 5, HOUR), Limit(BOTH, 7, DAY),
        Limit(NETWORK, 20, MINUTE), Limit(NETWORK, 50, HOUR), Limit(NETWORK, 100, DAY),
        Limit(ADDRESS, 10, DAY),
    ),
    PASSWORD: (
        Limit(BOTH, 5, 5 * MINUTE), Limit(BOTH, 20, HOUR),
        Limit(NETWORK, 10, MINUTE), Limit(NETWORK, 100, HOUR),
        Limit(ADDRESS, 50, HOUR),
    ),
}  # fmt: skip
LONGEST = DAY


def take_letter(request: HttpRequest, address: str, now: datetime) -> AnonymousRequest:
    """Counts a letter to this address, once for each request. Raises TooMany, whether or not there is an account.

    The row says by `is_sent` whether the letter goes out: to an address without an account there is one a day.
    """
    row: AnonymousRequest | None = getattr(request, "counted_letter", None)
    if row is not None and row.address == mailbox_hash(address):
        return row
    user = User.objects.filter(email=normal_address(address), is_active=True).first()
    row = _take(LETTER, request, address, user, now)
    lately = AnonymousRequest.objects.filter(kind=LETTER, address=row.address, is_sent=True, at__gt=now - DAY)
    if not (user is not None and is_owned(user)) and lately.exclude(pk=row.pk).exists():
        row.is_sent = False
        row.save(update_fields=["is_sent"])
        _keep_latest(row.address, now, now + DAY)
    request.counted_letter = row  # type: ignore[attr-defined]
    return row


def take_password(request: HttpRequest, address: str, now: datetime) -> None:
    """Counts a try of a password; the right one is counted no more (`on_sign_in`). Raises TooMany."""
    user = User.objects.filter(email=normal_address(address), is_active=True).first()
    request.counted_password = _take(PASSWORD, request, address, user, now)  # type: ignore[attr-defined]


def on_sign_in(sender: object, request: HttpRequest, **_kwargs: object) -> None:
    """Forgets the try of a password that was right."""
    row: AnonymousRequest | None = getattr(request, "counted_password", None)
    if row is not None and row.pk is not None:
        row.delete()


def forget_used_letter(user: User) -> None:
    """A letter with which its reader has signed in was wanted: it is counted no more."""
    letters = AnonymousRequest.objects.filter(kind=LETTER, address=mailbox_hash(user.email), is_sent=True)
    latest = letters.order_by("-at", "-pk").first()
    if latest is not None:
        latest.delete()


def note_link(row: AnonymousRequest, token: str) -> None:
    """Remembers which sign-in link the letter has."""
    row.link = _hashed("link", token)
    row.save(update_fields=["link"])


def keeps(token: str, now: datetime) -> bool:
    """Whether a sign-in link is the latest of an address to which no further one goes for now."""
    return AnonymousRequest.objects.filter(kind=LETTER, link=_hashed("link", token), good_until__gt=now).exists()


def is_owned(user: User) -> bool:
    """Whether somebody has shown that this account's address is his; an invitation by mail has shown it too.

    An account that nobody has confirmed may have been made by a stranger.
    """
    unconfirmed = EmailAddress.objects.filter(user=user, verified=False)
    return user.last_login is not None or not unconfirmed.exists() or user.seats.exists()


def mailbox_hash(address: str) -> str:
    """The keyed hash under which an address is counted: with most providers "anna+two" is the mailbox of "anna"."""
    name, at, domain = normal_address(address).rpartition("@")
    return hash_address(name.partition("+")[0] + at + domain)


def network_of(address: str) -> str:
    """The network that one subscriber has: an IPv4 address, or the /56 of an IPv6 address; "" for what is neither."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return ""
    mapped = getattr(parsed, "ipv4_mapped", None) or parsed
    if mapped.version == 4:
        return str(mapped)
    return str(ipaddress.ip_network((mapped, settings.ALLAUTH_RATE_LIMIT_IPV6_PREFIX), strict=False))


def _take(
    kind: AnonymousRequest.Kind, request: HttpRequest, address: str, user: User | None, now: datetime
) -> AnonymousRequest:
    where, is_known = network_of(sessions.address_of(request)), False
    if user is not None and (sessions.is_known_browser(request, user) or sessions.is_trusted(request, user)):
        where, is_known = f"account {user.pk}", True
    facts = {"address": mailbox_hash(address), "source": _hashed("source", where)}
    row = AnonymousRequest(kind=kind, is_known=is_known, at=now, **facts)
    kept = [limit for limit in LIMITS[kind] if not is_known or limit.by == BOTH]
    with transaction.atomic():
        _one_at_a_time(*facts.values())
        wait = max(_wait(limit, row, now) for limit in kept)
        if not wait:
            row.save()
            return row
        if kind == LETTER:
            _keep_latest(row.address, now, now + wait)
    raise TooMany(_("Too many attempts. Please wait a while; the latest email you have still works."), wait)


def _one_at_a_time(*hashes: str) -> None:
    """Locks an address and a network until the end of the transaction; on SQLite only one writes in any case."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            for key in sorted(int(text[:15], 16) for text in hashes):
                cursor.execute("SELECT pg_advisory_xact_lock(%s)", [key])


def _wait(limit: Limit, row: AnonymousRequest, now: datetime) -> timedelta:
    """How long until this limit has room for a row that is not stored yet; nothing if it has now."""
    alike = {name: getattr(row, name) for name in limit.by}
    rows = AnonymousRequest.objects.filter(**alike, kind=row.kind, is_known=row.is_known, at__gt=now - limit.within)
    times = list(rows.order_by("-at").values_list("at", flat=True)[: limit.most])
    return times[-1] + limit.within - now if len(times) >= limit.most else timedelta(0)


def _keep_latest(address: str, now: datetime, until: datetime) -> None:
    """Keeps the link of the latest letter to this address good until another one may go out."""
    letters = AnonymousRequest.objects.filter(kind=LETTER, address=address, at__gt=now - LONGEST)
    latest = letters.exclude(link="").order_by("-at", "-pk").first()
    if latest is not None and (latest.good_until is None or latest.good_until < until):
        AnonymousRequest.objects.filter(pk=latest.pk).update(good_until=until)


def _hashed(purpose: str, value: str) -> str:
    salt = f"games.anonymous_requests.{purpose}"
    return salted_hmac(salt, value, secret=settings.SUPPRESSION_KEY, algorithm="sha256").hexdigest()
