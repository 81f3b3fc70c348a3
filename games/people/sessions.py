"""Sessions, and the browsers they live in.

A session lasts a fixed time from signing in, whether used or not. Its row is useless to a reader of the database: the
key is stored as a keyed hash, the data are encrypted. A sign-in from a browser without our cookie is reported to the
account's owner, and in a trusted browser a link from an email acts with one tap."""

import ipaddress
import re
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends import db
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac
from rest_framework.request import Request

from games import links
from games.ids import random_ref
from games.people import alerts
from games.people.models import Session, SignIn, TrustedDevice, User
from notifications.channels.mail import suppressions
from notifications.channels.push import devices
from notifications.clock import present
from notifications.database.compiled_query import compiled
from notifications.database.sealed import seal, unseal

# The store in the database. The query that loads a session is compiled once, as every request begins with it.


def hash_session_key(key: str) -> str:
    """Returns the primary key of the session in a cookie (HMAC-SHA256 under SECRET_KEY)."""
    return salted_hmac("games.session", key, algorithm="sha256").hexdigest()


class SessionStore(db.SessionStore):
    """The session store that SESSION_ENGINE names. `session_key` is the value of the cookie; it is not stored."""

    @classmethod
    def get_model_class(cls) -> type[Session]:
        """Returns our model."""
        return Session

    def create_model_instance(self, data: dict[str, object]) -> Session:
        """Makes the row for these data, with the user it belongs to."""
        row = super().create_model_instance(data)
        return Session(
            session_key=hash_session_key(row.session_key),
            session_data=row.session_data,
            expire_date=row.expire_date,
            user_id=int(str(data[SESSION_KEY])) if SESSION_KEY in data else None,
        )

    def encode(self, session_dict: dict[str, object]) -> str:
        """Encrypts the data for the database."""
        return seal(self.serializer().dumps(session_dict).decode("latin-1"))

    def decode(self, session_data: bytes | str) -> dict[str, object]:
        """Returns the stored data; {} and a log line if it was not sealed with our keys."""
        sealed = session_data if isinstance(session_data, str) else session_data.decode("latin-1")
        try:
            data: dict[str, object] = self.serializer().loads(unseal(sealed).encode("latin-1"))
        except ValueError:  # as Django's: a session that holds nothing
            return {}
        return data

    def exists(self, session_key: str) -> bool:
        """Returns whether there is a session with this key."""
        return super().exists(hash_session_key(session_key))

    def load(self) -> dict[str, object]:
        """Loads the data; {} for an unknown key, which is replaced by a new one."""
        row = next(iter(_unexpired(hash_session_key(self.session_key or ""), present.now())), None)
        if row is None:
            self.flush()
            return {}
        return self.decode(row.session_data)

    def delete(self, session_key: str | None = None) -> None:
        """Deletes the session with this key, or this session."""
        key = session_key or self.session_key
        if key is not None:
            Session.objects.filter(pk=hash_session_key(key)).delete()


@compiled()
def _unexpired(key: str, now: datetime) -> QuerySet[Session]:
    return Session.objects.filter(session_key=key, expire_date__gt=now)


# Browsers from which a person has signed in before, recognised by a cookie without personal data.

BROWSER_COOKIE = "__Host-browser" if settings.IS_PRODUCTION else "browser"
BROWSER_PURPOSE = "browser"  # what the cookie's tokens are signed for
MOST_PEOPLE_PER_BROWSER = 5  # people of one browser who are remembered
YEAR = 365 * 24 * 3600
JOINED_NOW = 3600  # seconds in which a new account's first sign-ins are its owner's
SEPARATOR = "."

# What a browser says of itself begins with others' names: the first that is found counts.
BROWSERS = (
    ("Edg", "Edge"),
    ("OPR", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)
SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Mac OS", "macOS"),
    ("Linux", "Linux"),
)


def on_sign_in(sender: object, request: HttpRequest, user: User, **kwargs: object) -> None:
    """Notifies the owner of the account of a sign-in from a browser that was not used before."""
    if "REMOTE_ADDR" not in request.META:
        return  # a program's own doing, not a request
    now = present.now()
    suppressions.lift_erased(user.email)
    record_sign_in(user=user, address=address_of(request), browser=request.headers.get("User-Agent", ""), now=now)
    if not is_known_browser(request, user) and (now - user.date_joined).total_seconds() > JOINED_NOW:
        browser, system = device_of(request)
        alerts.signed_in(user=user, browser=browser, system=system, network=network_of(request), now=now)
    request.browser_of = user  # type: ignore[attr-defined]  # read by the middleware that has the answer


SIGN_INS_KEPT = timedelta(days=settings.KEEP_DAYS["sign_ins"])


def record_sign_in(*, user: User, address: str, browser: str, now: datetime) -> None:
    """Stores keyed hashes of the network and the browser of a sign-in, and deletes the expired ones.

    Arguments:
        address: of the network; "" if unknown: then nothing is stored.
        browser: the User-Agent.
    """
    SignIn.objects.filter(at__lte=now - SIGN_INS_KEPT).delete()
    if not address:
        return
    for kind, value in ((SignIn.Kind.NETWORK, address), (SignIn.Kind.BROWSER, f"{address}|{browser}")):
        SignIn.objects.update_or_create(user=user, kind=kind, mark=_sign_in_mark(kind, value), defaults={"at": now})


def _sign_in_mark(kind: str, value: str) -> str:
    return salted_hmac(f"games.{kind}", value, secret=settings.SUPPRESSION_KEY, algorithm="sha256").hexdigest()


def is_known_browser(request: HttpRequest, user: User) -> bool:
    """Returns whether the browser has our cookie for this person, set since his last change of password."""
    return any(links.is_signed(token, BROWSER_PURPOSE, *_browser_facts(user)) for token in _browser_tokens(request))


def remember_browser(request: HttpRequest, response: HttpResponse) -> None:
    """Sets the cookie of a browser after a sign-in."""
    user = getattr(request, "browser_of", None)
    if user is None:
        return
    mine = links.sign(BROWSER_PURPOSE, *_browser_facts(user))
    tokens = [mine, *(token for token in _browser_tokens(request) if token != mine)][:MOST_PEOPLE_PER_BROWSER]
    response.set_cookie(
        BROWSER_COOKIE,
        SEPARATOR.join(tokens),
        max_age=YEAR,
        secure=settings.IS_PRODUCTION,
        httponly=True,
        samesite="Lax",
    )


def device_of(request: HttpRequest) -> tuple[str, str]:
    """Returns the names of the browser and its operating system, "" where unknown."""
    agent = request.headers.get("User-Agent", "")
    return _first(BROWSERS, agent), _first(SYSTEMS, agent)


def network_of(request: HttpRequest) -> str:
    """Returns the first part of the network address of a request; "" if it is unknown."""
    return network_part(address_of(request))


def address_of(request: HttpRequest) -> str:
    """Returns the network address of a request; "" if it is unknown."""
    try:
        return str(get_adapter(request).get_client_ip(request) or "")
    except PermissionDenied:  # nobody knows it, for the proxy in front of us does not say
        return ""


def network_part(address: str) -> str:
    """Returns the first part of a network address: three of four numbers, or three of eight groups; "" for none."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return ""
    mapped = getattr(parsed, "ipv4_mapped", None) or parsed
    if mapped.version == 4:
        return ".".join(str(mapped).split(".")[:3]) + "."
    return ":".join(group.lstrip("0") or "0" for group in mapped.exploded.split(":")[:3]) + ":"


def _browser_facts(user: User) -> tuple[object, ...]:
    return (user.pk, user.get_session_auth_hash())


def _browser_tokens(request: HttpRequest) -> list[str]:
    return request.COOKIES.get(BROWSER_COOKIE, "")[: MOST_PEOPLE_PER_BROWSER * (links.TOKEN_LENGTH + 1)].split(
        SEPARATOR
    )


def _first(names: tuple[tuple[str, str], ...], agent: str) -> str:
    return next((name for mark, name in names if mark in agent), "")


SINCE = "since"  # in the session: when he signed in, in seconds since 1970
DEVICE = "device"  # the names of its browser and its system, "" if unknown
REF = "ref"  # what the session is called on its owner's page
FRESH = timedelta(minutes=10)
FRESH_AFTER_SIGN_UP = timedelta(hours=1)  # a new account is set up at leisure, and has nothing yet that could be taken


@dataclass(frozen=True)
class SignedIn:
    """A session in the list that its owner sees.

    Arguments:
        key: of its row, which is not the value of the cookie.
        browser, system: their names, "" if unknown.
        since: when its owner signed in; None if unknown.
    """

    key: str
    ref: str
    browser: str
    system: str
    since: datetime | None


def begin_session(sender: object, request: HttpRequest, **_: object) -> None:
    """Begins the fixed lifetime of a session at sign-in."""
    request.session[SINCE] = present.now().timestamp()
    request.session[DEVICE] = device_of(request)
    request.session[REF] = random_ref()


def sign_in_time(request: HttpRequest | Request) -> datetime:
    """Returns when the owner of this session signed in; long ago if unknown."""
    return datetime.fromtimestamp(float(request.session.get(SINCE, 0)), UTC)


def is_fresh(request: HttpRequest | Request) -> bool:
    """Whether the person has signed in within the last minutes, or made the account within the last hour."""
    assert isinstance(request.user, User)
    signed_in_at, joined_at = sign_in_time(request), request.user.date_joined
    return signed_in_at > present.now() - FRESH or min(signed_in_at, joined_at) > present.now() - FRESH_AFTER_SIGN_UP


def is_expired(request: HttpRequest, now: datetime) -> bool:
    """Returns whether this session has expired.

    One without a time counts from an hour ago, so that it does not count as a recent sign-in."""
    began = float(request.session.setdefault(SINCE, (now - timedelta(hours=1)).timestamp()))
    return now.timestamp() - began >= settings.SESSION_COOKIE_AGE


def sessions_of(user: User, now: datetime) -> list[SignedIn]:
    """Returns the sessions of a user, the latest first."""
    return sorted(
        _valid_sessions(user, now), key=lambda session: session.since or datetime.min.replace(tzinfo=UTC), reverse=True
    )


def _valid_sessions(user: User, now: datetime) -> Iterator[SignedIn]:
    mine = {SESSION_KEY: str(user.pk), HASH_SESSION_KEY: user.get_session_auth_hash()}
    for row in user.sessions.filter(expire_date__gt=now):
        facts = row.get_decoded()
        since = facts.get(SINCE)
        if mine.items() <= facts.items() and (since is None or now.timestamp() - since < settings.SESSION_COOKIE_AGE):
            began = None if since is None else datetime.fromtimestamp(since, UTC)
            browser, system = facts.get(DEVICE, ("", ""))
            yield SignedIn(row.session_key, facts.get(REF, ""), browser, system, began)


def end_session(user: User, ref: str, now: datetime) -> bool:
    """Ends the user's session with this key, and notifications in its browser; returns whether there was one."""
    keys = [session.key for session in sessions_of(user, now) if ref and session.ref == ref]
    if keys:
        devices.forget([device for device in devices.of([user.recipient_id]) if device.group == ref], now)
    return bool(Session.objects.filter(session_key__in=keys).delete()[0])


# Trusted browsers. A mail scanner that opens links and presses buttons has no such cookie: it cannot act for anybody.

DEVICE_COOKIE = "__Host-device" if settings.IS_PRODUCTION else "device"
DEVICE_SECRET = re.compile(r"[\w-]{43}", re.ASCII)  # what `secrets.token_urlsafe` makes of 32 bytes
DEVICE_KEPT_FOR = timedelta(days=settings.KEEP_DAYS["trusted_devices"])  # after which a device is forgotten


def is_trusted(request: HttpRequest, user: User) -> bool:
    """Returns whether this player trusts the browser, or is signed in there."""
    if request.user == user:
        return True
    secret = _device_secret(request)
    return bool(secret) and _device_rows(user, secret).exists()


def trust_device(request: HttpRequest, response: HttpResponse, user: User, now: datetime) -> None:
    """Stores the browser as trusted by this player, and sets its cookie on the response."""
    secret = _device_secret(request) or secrets.token_urlsafe(32)
    browser, system = device_of(request)
    TrustedDevice.objects.update_or_create(
        user=user,
        digest=_device_digest(secret),
        defaults={"used_on": now.date()},
        create_defaults={"browser": browser, "system": system, "trusted_at": now, "used_on": now.date()},
    )
    _set_device_cookie(response, secret)


def record_device_use(request: HttpRequest, response: HttpResponse, user: User, now: datetime) -> None:
    """Records that a trusted browser was used, at most once a day: it is kept for another year."""
    secret = _device_secret(request)
    if secret and _device_rows(user, secret).filter(used_on__lt=now.date()).update(used_on=now.date()):
        _set_device_cookie(response, secret)


def trusted_devices_of(user: User) -> list[TrustedDevice]:
    """Returns the browsers that this person trusts, the newest first."""
    return list(user.trusted_devices.order_by("-trusted_at"))


def revoke_device(user: User, ref: str) -> bool:
    """Deletes the device with that reference; returns whether there was one."""
    return bool(user.trusted_devices.filter(ref=ref).delete()[0])


def _device_rows(user: User, secret: str) -> QuerySet[TrustedDevice]:
    return TrustedDevice.objects.filter(user=user, digest=_device_digest(secret))


def _device_digest(secret: str) -> str:
    return salted_hmac("games.accounts.trusted_devices", secret, algorithm="sha256").hexdigest()


def _device_secret(request: HttpRequest) -> str:
    """Returns the secret in the browser's cookie; "" if there is none of a valid form."""
    secret = request.COOKIES.get(DEVICE_COOKIE, "")
    return secret if DEVICE_SECRET.fullmatch(secret) else ""


def _set_device_cookie(response: HttpResponse, secret: str) -> None:
    response.set_cookie(
        DEVICE_COOKIE, secret, max_age=DEVICE_KEPT_FOR, secure=settings.IS_PRODUCTION, httponly=True, samesite="Lax"
    )
