"""Security notices about an account, and the link in them that locks it: "It was not me".

The link needs no sign-in, since a thief may hold the session. It only revokes: sessions, API tokens, the password, the
calendar's address, a requested deletion. Signing in by email stays possible.
"""

import hashlib
import hmac
import secrets
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.utils.translation import gettext_noop

from games.links import is_signed, page_url, sign
from games.people import accounts
from games.people.models import AddressChange, ApiToken, Erasure, User
from notifications.channels.push import devices
from notifications.models import Notice, Recipient
from notifications.outbox import Notification, notify

SIGNED_IN, TOKEN_MADE, PASSWORD, MOVED = "signed_in", "token_made", "password_changed", "address_changed"
COPY_TAKEN, ERASURE_ASKED, SECOND_FACTOR = "copy_taken", "erasure_asked", "second_factor"
KINDS = (SIGNED_IN, TOKEN_MADE, PASSWORD, MOVED, COPY_TAKEN, ERASURE_ASKED, SECOND_FACTOR)
GOOD_FOR = timedelta(days=30)
MOVED_GOOD_FOR = timedelta(days=7)  # an account does not come back to an address that was left long ago
PASSWORDS = {  # by allauth's names for what has happened
    "password_changed": gettext_noop("Your password was changed."),
    "password_set": gettext_noop("Your account now has a password."),
    "password_reset": gettext_noop("Your password was reset."),
}
SECOND_FACTORS = {
    "set": gettext_noop("Your account now has a second factor: codes from an app, and ten recovery codes."),
    "removed": gettext_noop(
        "Your account's second factor was removed; the admin site will ask you to set up a new one."
    ),
}


def signed_in(*, user: User, browser: str, system: str, network: str, now: datetime) -> None:
    """Notifies of a sign-in from an unknown browser; once a month for the same browser and network.

    Arguments:
        browser, system: their names, "" if unknown.
        network: the first part of the network address, enough to say where but not who.
    """
    where = hmac.new(settings.LINK_KEY.encode(), f"{browser}|{system}|{network}".encode(), hashlib.sha256).hexdigest()
    key = f"{SIGNED_IN}:{user.ref}:{now:%Y-%m}:{where[:24]}"
    _tell(user, SIGNED_IN, key, {"browser": browser, "system": system, "network": network}, now)


def token_made(*, user: User, name: str, now: datetime) -> None:
    """Notifies of a new API token; of a bot's token its owner is notified."""
    data = {"name": name} | ({"bot": user.ref} if user.is_bot else {})
    _tell(user.owner or user, TOKEN_MADE, f"{TOKEN_MADE}:{secrets.token_hex(8)}", data, now)


def password_changed(*, user: User, what: str, now: datetime) -> None:
    """Notifies that the password was changed or set; `what` is a key of PASSWORDS."""
    _tell(user, PASSWORD, f"{PASSWORD}:{secrets.token_hex(8)}", {"what": what}, now)


def copy_taken(*, user: User, now: datetime) -> None:
    """Notifies that the data of the account were exported."""
    _tell(user, COPY_TAKEN, f"{COPY_TAKEN}:{secrets.token_hex(8)}", {}, now)


def erasure_asked(*, user: User, due_at: datetime, now: datetime) -> None:
    """Notifies that the account will be deleted."""
    data = {"due_at": due_at.isoformat()}
    _tell(user, ERASURE_ASKED, f"{ERASURE_ASKED}:{secrets.token_hex(8)}", data, now)


def second_factor_changed(*, user: User, what: str, now: datetime) -> None:
    """Notifies that a second factor was set or removed; `what` is a key of SECOND_FACTORS."""
    _tell(user, SECOND_FACTOR, f"{SECOND_FACTOR}:{secrets.token_hex(8)}", {"what": what}, now)


def is_open(notice: Notice, now: datetime) -> bool:
    """Returns whether the link of the notice still works: once, and for a limited time."""
    limit = MOVED_GOOD_FOR if notice.kind == MOVED else GOOD_FOR
    return notice.kind in KINDS and "disowned_at" not in notice.data and now - notice.created_at < limit


@transaction.atomic
def disown(notice: Notice, now: datetime) -> bool:
    """Locks the account: ends all sessions, revokes API tokens, removes the password, cancels a requested deletion.

    A change of address is undone. Returns whether anything was done: the link works once. Raises Conflict if a change
    of address cannot be undone.
    """
    notice = Notice.objects.select_for_update().select_related("recipient").get(pk=notice.pk)
    user = _owner(notice)
    if user is None or not is_open(notice, now):
        return False
    if notice.kind == MOVED:
        accounts.restore_address(user=user, address=notice.recipient.address, now=now)
    _lock(user, now)
    notice.data["disowned_at"] = now.isoformat()
    notice.save(update_fields=["data"])
    return True


def _lock(user: User, now: datetime) -> None:
    user.set_unusable_password()  # a new one each time: what sessions are good for changes with it
    user.save(update_fields=["password"])
    ApiToken.objects.filter(Q(user=user) | Q(user__owner=user), revoked_at=None).update(revoked_at=now)
    user.address_changes.filter(done_at=None).delete()
    user.trusted_devices.all().delete()
    devices.forget(devices.of([user.recipient_id]), now)
    Erasure.objects.filter(user=user).delete()
    Recipient.objects.filter(pk=user.recipient_id).update(feed_generation=F("feed_generation") + 1)


def _owner(notice: Notice) -> User | None:
    people = User.objects.select_for_update(of=("self",)).select_related("recipient").filter(is_active=True)
    if notice.kind == MOVED:
        change = AddressChange.objects.filter(pk=accounts.address_change_of(notice.subject)).first()
        return people.filter(pk=change.user_id).first() if change else None
    return people.filter(recipient=notice.recipient).first()


def _tell(user: User, kind: str, key: str, data: dict[str, str], now: datetime) -> None:
    notify(
        Notification(recipient=user.recipient, kind=kind, subject=f"user:{user.ref}", dedupe_key=key, data=data), now
    )


def not_me_url(notice: Notice) -> str:
    """The page where the reader of a security notice locks his account. It becomes void when his address changes."""
    return page_url("not_me", notice.ref, sign("not_me", notice.ref, notice.recipient.address))


def find_disownable(ref: str, token: str) -> Notice | None:
    """Returns the notice of such a link, however old, or None."""
    notice = Notice.objects.filter(ref=ref).select_related("recipient").first()
    facts = (ref, notice.recipient.address) if notice else (ref, "")
    return notice if is_signed(token, "not_me", *facts) and notice else None
