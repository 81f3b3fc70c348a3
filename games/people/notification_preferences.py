"""A user's choices about notifications: which emails, on which devices, by which channels, for all tables or one."""

import secrets
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import NamedTuple

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.db.models import F
from django.http import HttpRequest
from django.utils.translation import gettext as _

from games.errors import LimitReached, NotFound, ServiceError, check_rate
from games.links import is_signed, page_url, sign
from games.people import sessions
from games.people.models import User
from notifications import preferences
from notifications.channels.mail import bounces
from notifications.channels.push import devices
from notifications.channels.push.devices import BrowserKeys
from notifications.clock import present
from notifications.composers import Topic, pushed_topics
from notifications.models import Endpoint, Notice, PushSubscription, Recipient, Ways
from notifications.outbox import Notification, notify
from notifications.reasons import in_words


class SeenBrowser(NamedTuple):
    """The browser that sent a request: what people call it, and the sign-in whose end ends its notifications."""

    name: str
    session: str


def browser_of(request: HttpRequest) -> SeenBrowser:
    """Returns the browser that sends a request."""
    browser, system = sessions.device_of(request)
    name = " · ".join(filter(None, (browser, system)))  # alike in all languages
    return SeenBrowser(name, str(request.session.get(sessions.REF, "")))


def push_devices_of(user: User) -> list[PushSubscription]:
    """Returns the devices of a person, oldest first."""
    return devices.of([user.recipient_id])


@transaction.atomic
def switch_on_push(*, user: User, keys: BrowserKeys, browser: SeenBrowser, now: datetime) -> PushSubscription:
    """Shows a person's notifications in a browser from now on; done twice it is one device.

    Raises ServiceError for what no push service gave out, LimitReached.
    """
    if not settings.PUSH_ENABLED:
        raise ServiceError(_("This site doesn't send notifications to devices."), code="no-devices")
    if why := devices.why_not(keys):
        raise ServiceError(_("We can't notify this browser: %(why)s.") % {"why": in_words(why)}, code="device-refused")
    user.one_at_a_time()
    if not devices.has_room(user.recipient, keys.url):
        raise LimitReached(_("You have too many devices. Remove one first."))
    return devices.remember(user.recipient, keys, browser.name, browser.session, now)


@transaction.atomic
def record_push_use(*, user: User, url: str, browser: SeenBrowser, now: datetime) -> PushSubscription:
    """Notes that a browser is still this person's. Raises NotFound if it was switched off, or is another's."""
    mine = PushSubscription.objects.filter(recipient=user.recipient, target=devices.target_of(url))
    row = mine.select_for_update().first()  # a worker may be about to forget it
    if row is None:
        raise NotFound(_("Notifications are off on this device."))
    row.name, row.group, row.used_at = browser.name or row.name, browser.session, now
    row.save(update_fields=["name", "group", "used_at"])
    return row


def switch_off_push(*, user: User, ref: str, now: datetime) -> None:
    """Shows nothing on a device any more. Raises NotFound for "none" and "not yours" alike."""
    devices.forget([_find_push_device(user, ref)], now)


def choose_push_topics(*, user: User, ref: str, wanted: Collection[str]) -> None:
    """Stores of which topics a device shows something. Raises NotFound, and ServiceError for none at all."""
    row, topics = _find_push_device(user, ref), {topic.name for topic in pushed_topics()}
    if unknown := sorted(set(wanted) - topics):
        raise ServiceError(
            _("%(value)s is not one of the choices.") % {"value": unknown[0][:40]}, code="no-such-choice", field="ways"
        )
    if not wanted:
        raise ServiceError(_("Choose at least one, or remove the device."), code="nothing-chosen", field="ways")
    devices.choose(row, [name for name in topics if name not in wanted])


def switch_off_all_push(*, user: User, now: datetime, but_session: str = "") -> None:
    """Shows nothing on any device of a person any more, but for those of one sign-in."""
    rows = push_devices_of(user)
    devices.forget([row for row in rows if not but_session or row.group != but_session], now)


def switch_off_push_of_session(*, user: User, session: str, now: datetime) -> None:
    """Shows nothing any more where a sign-in has ended."""
    devices.forget([row for row in push_devices_of(user) if session and row.group == session], now)


def on_sign_out(
    sender: object, request: HttpRequest | None, user: User | AnonymousUser | None, **_more: object
) -> None:
    """Ends notifications in a browser that signs out; a session that has merely lasted its time keeps them."""
    if request is None or not isinstance(user, User) or getattr(request, "has_expired", False):
        return
    switch_off_push_of_session(user=user, session=str(request.session.get(sessions.REF, "")), now=present.now())


def on_password_change(sender: object, request: HttpRequest, user: User, **_more: object) -> None:
    """A new password ends all other sign-ins, and what is shown there."""
    switch_off_all_push(user=user, now=present.now(), but_session=str(request.session.get(sessions.REF, "")))


def _find_push_device(user: User, ref: str) -> PushSubscription:
    row = PushSubscription.objects.filter(recipient=user.recipient, ref=ref).first()
    if row is None:
        raise NotFound(_("There's no such device, or it isn't yours."))
    return row


# Emails

ALL_NEWS = "news"  # in a link, in the place of a topic: all that can be switched off
TEST_EVERY = timedelta(minutes=1)
LONGEST_SNOOZE = timedelta(days=3)


def optional_topics(name: str, thread: str) -> list[Topic]:
    """The topics a link is about that can be switched off, of one thread or ("") of all; none if it is needed."""
    topics = preferences.optional(by_thread=bool(thread))
    return [topic for topic in topics if name == topic.name or (name == ALL_NEWS and topic.is_listed)]


def channel_choices(user: User) -> list[Ways]:
    """Returns between which channels a user can choose; none where there is email alone."""
    webhook = [Ways.WEBHOOK] if Endpoint.objects.filter(recipient=user.recipient, thread="").exists() else []
    own = [*webhook, Ways.PUSH] if push_devices_of(user) else webhook
    return [Ways.BOTH, Ways.MAIL, *own] if own else []


def mute_topic(*, user: User, topic: str, thread: str = "") -> None:
    """Switches emails of a topic off, of one thread or of all."""
    preferences.mute(user.recipient, [entry.name for entry in optional_topics(topic, thread)], thread=thread)


def unmute_topic(*, user: User, topic: str, thread: str = "") -> None:
    """Switches them on again, wherever they were off; what comes once a week only if it alone is meant."""
    topics = optional_topics(topic, "")
    names = [entry.name for entry in topics if topic != ALL_NEWS or not entry.is_weekly]
    preferences.unmute(user.recipient, names)
    if thread:
        preferences.unmute(user.recipient, [row.name for row in optional_topics(topic, thread)], thread=thread)


def snooze(*, user: User, until: datetime | None, now: datetime, thread: str = "") -> None:
    """Holds all mail, or that of one thread, until an instant, at most three days on; None ends it.

    Raises ServiceError for an instant that is over.
    """
    if until is not None and until <= now:
        raise ServiceError(_("That time has already passed."), code="in-the-past", field="until")
    preferences.snooze(user.recipient, until and min(until, now + LONGEST_SNOOZE), now, thread=thread)


@transaction.atomic
def send_test_mail(*, user: User, now: datetime) -> Notice:
    """Sends a test mail. Raises TooMany within a minute of the last one."""
    user.one_at_a_time()
    message = _("A test email is on its way. Please wait a minute before sending another.")
    check_rate(user.recipient.notices.filter(kind="mail_test"), most=1, within=TEST_EVERY, now=now, message=message)
    key = f"mail_test:{secrets.token_hex(8)}"
    return notify(
        Notification(recipient=user.recipient, kind="mail_test", subject=f"user:{user.ref}", dedupe_key=key), now
    )


def use_address_again(*, user: User) -> None:
    """Writes to the person's address again, which was given up: he says that it works."""
    bounces.reopen_address(user.recipient.address)


def renew_calendar(*, user: User) -> None:
    """Makes the address of the person's calendar void; there is a new one at once."""
    Recipient.objects.filter(pk=user.recipient_id).update(feed_generation=F("feed_generation") + 1)


NO_GAME = "all"  # in the place of a game's reference, which is longer


def mails_url(user: User, topic: str, ref: str = NO_GAME) -> str:
    """The page where a member stops emails of a topic, without signing in: of the game of this reference, or of all."""
    token = sign("mails", user.pk, user.email, ref, topic)
    return page_url("mails", user.ref, ref, topic, token)


def find_reader(ref: str, game_ref: str, topic: str, token: str) -> User | None:
    """Returns the member of such a link, or None. It becomes void when his address changes."""
    user = User.objects.filter(ref=ref, is_active=True).select_related("recipient").first()
    facts = (user.pk, user.email) if user else ()
    return user if is_signed(token, "mails", *facts, game_ref, topic) and user else None


def calendar_url(user: User) -> str:
    """The calendar feed of a person's deadlines; valid until he asks for a new address."""
    token = sign("calendar", user.pk, user.recipient.feed_generation)
    return page_url("calendar", user.ref, token)


def find_calendar(ref: str, token: str) -> User | None:
    """Returns the person of a calendar feed, or None."""
    user = User.objects.filter(ref=ref, is_active=True).select_related("recipient").first()
    facts = (user.pk, user.recipient.feed_generation) if user else ()
    return user if is_signed(token, "calendar", *facts) and user else None
