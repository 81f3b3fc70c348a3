"""The devices that show a person's notifications: switched on in a browser, listed, chosen for, switched off."""

from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext as _

from games.errors import LimitReached, NotFound, ServiceError
from games.people import known_browsers, sessions
from games.people.models import User
from notifications.channels.push import devices
from notifications.channels.push.devices import BrowserKeys
from notifications.clock import present
from notifications.composers import pushed_topics
from notifications.models import PushSubscription
from notifications.reasons import in_words


class SeenBrowser(NamedTuple):
    """The browser that sent a request: what people call it, and the sign-in whose end ends its notifications."""

    name: str
    session: str


def browser_of(request: HttpRequest) -> SeenBrowser:
    """Returns the browser that sends a request."""
    browser, system = known_browsers.device_of(request)
    name = " · ".join(filter(None, (browser, system)))  # alike in all languages
    return SeenBrowser(name, str(request.session.get(sessions.REF, "")))


def own(user: User) -> list[PushSubscription]:
    """Returns the devices of a person, oldest first."""
    return devices.of([user.recipient_id])


@transaction.atomic
def switch_on(*, user: User, keys: BrowserKeys, browser: SeenBrowser, now: datetime) -> PushSubscription:
    """Shows a person's notifications in a browser from now on; done twice it is one device.

    Raises ServiceError for what no push service gave out, LimitReached.
    """
    if not settings.PUSH_ENABLED:
        raise ServiceError(_("This site doesn't send notifications to devices."))
    if why := devices.why_not(keys):
        raise ServiceError(_("We can't notify this browser: %(why)s.") % {"why": in_words(why)})
    user.one_at_a_time()
    if not devices.has_room(user.recipient, keys.url):
        raise LimitReached(_("You have too many devices. Remove one first."))
    return devices.remember(user.recipient, keys, browser.name, browser.session, now)


@transaction.atomic
def see_again(*, user: User, url: str, browser: SeenBrowser, now: datetime) -> PushSubscription:
    """Notes that a browser is still this person's. Raises NotFound if it was switched off, or is another's."""
    mine = PushSubscription.objects.filter(recipient=user.recipient, target=devices.target_of(url))
    row = mine.select_for_update().first()  # a worker may be about to forget it
    if row is None:
        raise NotFound(_("Notifications are off on this device."))
    row.name, row.group, row.used_at = browser.name or row.name, browser.session, now
    row.save(update_fields=["name", "group", "used_at"])
    return row


def switch_off(*, user: User, ref: str, now: datetime) -> None:
    """Shows nothing on a device any more. Raises NotFound for "none" and "not yours" alike."""
    devices.forget([_find(user, ref)], now)


def choose(*, user: User, ref: str, wanted: Collection[str]) -> None:
    """Stores of which topics a device shows something. Raises NotFound, and ServiceError for none at all."""
    row, known = _find(user, ref), {topic.name for topic in pushed_topics()}
    if unknown := sorted(set(wanted) - known):
        raise ServiceError(_("%(value)s is not one of the choices.") % {"value": unknown[0][:40]})
    if not wanted:
        raise ServiceError(_("Choose at least one, or remove the device."))
    devices.choose(row, [name for name in known if name not in wanted])


def switch_off_all(*, user: User, now: datetime, but_session: str = "") -> None:
    """Shows nothing on any device of a person any more, but for those of one sign-in."""
    rows = own(user)
    devices.forget([row for row in rows if not but_session or row.group != but_session], now)


def switch_off_session(*, user: User, session: str, now: datetime) -> None:
    """Shows nothing any more where a sign-in has ended."""
    devices.forget([row for row in own(user) if session and row.group == session], now)


def on_sign_out(
    sender: object, request: HttpRequest | None, user: User | AnonymousUser | None, **_more: object
) -> None:
    """Who signs out of a browser is told nothing there any more; a session that has merely lasted its time stays."""
    if request is None or not isinstance(user, User) or getattr(request, "has_expired", False):
        return
    switch_off_session(user=user, session=str(request.session.get(sessions.REF, "")), now=present.now())


def on_password_change(sender: object, request: HttpRequest, user: User, **_more: object) -> None:
    """A new password ends all other sign-ins, and what is shown there."""
    switch_off_all(user=user, now=present.now(), but_session=str(request.session.get(sessions.REF, "")))


def _find(user: User, ref: str) -> PushSubscription:
    row = PushSubscription.objects.filter(recipient=user.recipient, ref=ref).first()
    if row is None:
        raise NotFound(_("There's no such device, or it isn't yours."))
    return row
