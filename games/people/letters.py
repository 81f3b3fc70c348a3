"""Emails about an account and its people; the frame, the words and the topics that all emails share."""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import QuerySet
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop, pgettext, pgettext_lazy

from games.links import page_url
from games.people import accounts, alerts, friends, notification_preferences
from games.people.models import AddressChange, Friendship, User
from games.people.names import isolated
from games.people.notification_preferences import NO_GAME
from notifications.channels.mail.letter import one_line
from notifications.channels.mail.suppressions import never_write_url
from notifications.composers import Topic, composes, declare_topic, topic_of
from notifications.database.compiled_query import compiled
from notifications.messages import Form, MailMessage, PushMessage
from notifications.models import Notice, Recipient
from notifications.reasons import declare

CHANGE_SETTLED = declare("change_settled", gettext_noop("the change was made or dropped"))
INVITATION_CLOSED = declare("invitation_closed", gettext_noop("the invitation is no longer open"))
REQUEST_CLOSED = declare("request_closed", gettext_noop("the request was answered or taken back"))
SUBJECT_GONE = declare("subject_gone", gettext_noop("what it was about no longer exists"))

LETTER, ANNOUNCEMENT = (Form.LETTER,), (Form.ANNOUNCEMENT,)

TURNS = declare_topic(Topic("turns", gettext_lazy("Your moves, and what happens if you miss one"), is_needed=True))
REMINDERS = declare_topic(Topic("reminders", gettext_lazy("Reminders before your time ends")))
TABLES = declare_topic(Topic("tables", gettext_lazy("Your tables: started, paused, closed, deadlines moved")))
MOVES = declare_topic(Topic("moves", gettext_lazy("What happened, as a moving board")))
"""No kind of its own: whether the picture of a board in the mails of `TURNS` moves."""
RESULTS = declare_topic(Topic("results", gettext_lazy("How a game ended"), is_alone=True))
ORDERS = declare_topic(Topic("orders", gettext_lazy("What your orders did")))
TALK = declare_topic(Topic("talk", gettext_lazy("Mentions in table talk")))
INVITATIONS = declare_topic(Topic("invitations", gettext_lazy("Invitations to new games"), is_by_thread=False))
PEOPLE = declare_topic(
    Topic("people", gettext_lazy("Friend requests and club invitations"), is_alone=True, is_by_thread=False)
)
TOURNAMENTS = declare_topic(
    Topic(
        "tournaments",
        gettext_lazy("Tournaments: entered, called off, final standings"),
        is_alone=True,
        is_by_thread=False,
    )
)
WEEKLY = declare_topic(
    Topic(
        "weekly",
        gettext_lazy("Your week, on Mondays: open moves, results, ratings, clubs"),
        is_alone=True,
        is_by_thread=False,
        is_weekly=True,
    )
)
PUZZLES = declare_topic(
    Topic("puzzles", gettext_lazy("The puzzle of the day, if you asked for it"), is_alone=True, is_by_thread=False)
)


# The frame of every email: the context of its layout, and how its reader stops such emails.

BLANK_LINES = re.compile(r"\n[ \t]*\n(?:[ \t]*\n)+")


@dataclass(frozen=True)
class Exit:
    """The link at the foot of an email to stop such emails.

    Arguments:
        url: where one chooses what is written.
        is_stranger: the reader has no account, and what he stops is everything.
        has_one_click: the mail program itself may offer it without asking back (RFC 8058).
    """

    url: str
    is_stranger: bool
    has_one_click: bool


def frame(subject: str, preview: str) -> dict[str, object]:
    """Returns the template context that the layout of every email uses."""
    return {
        "subject": subject,
        "preview": preview,
        "language": translation.get_language(),
        "site_name": settings.SITE_NAME,
        "site_url": settings.SITE_URL,
        "settings_url": page_url("settings"),
    }


def exit_of(notice: Notice, game: str = NO_GAME) -> Exit:
    """Returns how the reader of a notice stops such emails: a member by topic and game (its ref), a stranger all."""
    user = user_of(notice.recipient)
    topic = topic_of(notice.kind) or (topic_of("due") if user else None)  # what answers a move is stopped with moves
    if user is None or topic is None:
        return Exit(never_write_url(notice.recipient.address), is_stranger=True, has_one_click=True)
    url = notification_preferences.mails_url(user, topic.name, game if topic.is_by_thread else NO_GAME)
    return Exit(url, is_stranger=False, has_one_click=not topic.is_needed)


def user_of(recipient: Recipient) -> User | None:
    """Returns the user of a recipient, or None."""
    return next(iter(_users(recipient.pk)), None)


@compiled()
def _users(recipient: int) -> QuerySet[User]:
    return User.objects.filter(recipient_id=recipient)


@contextmanager
def reading(recipient: Recipient, language: str) -> Iterator[None]:
    """Activates the reader's language and time zone; UTC for a zone that this machine does not know."""
    with translation.override(language), timezone.override(recipient.zone_info):
        yield


def render(template: str, context: Mapping[str, object]) -> str:
    """Renders one part of a letter, without consecutive blank lines."""
    return BLANK_LINES.sub("\n\n", render_to_string(template, dict(context))).strip() + "\n"


# What people call a time zone, where they speak a language of ours and have an abbreviation of their own for it.
LETTERS = {
    "WET": pgettext_lazy("time zone", "WET"),
    "WEST": pgettext_lazy("time zone", "WEST"),
    "CET": pgettext_lazy("time zone", "CET"),
    "CEST": pgettext_lazy("time zone", "CEST"),
    "EET": pgettext_lazy("time zone", "EET"),
    "EEST": pgettext_lazy("time zone", "EEST"),
}


UNLINKED = str.maketrans({"/": "\u2044"})


INNER_AT = re.compile(r"(?<=\S)@")  # who is spoken to as "@Ben" is no address


INNER_DOT = re.compile(r"[.\u3002\uff0e\uff61](?=\w)")


def moment(at: datetime) -> str:
    """Formats a time in full, whenever it is read: "Saturday 21 November 2026, 18:30 CET (UTC+1)"."""
    local = timezone.localtime(at)
    # Translators: date and time of a deadline, in the letters of Django's date filter
    day_and_time = date_format(local, pgettext("date format", "l j F Y, H:i"))
    name, offset = zone_letters(local.tzname() or ""), _offset(local.utcoffset() or timedelta(0))
    # Where a zone has no letters of its own its name is only the offset again.
    return f"{day_and_time} {offset}" if name in ("", "UTC") or name[0] in "+-" else f"{day_and_time} {name} ({offset})"


def short_moment(at: datetime) -> str:
    """An instant of the next days for a subject line: "Sat 18:30"."""
    # Translators: day of the week and time of a deadline, in the letters of Django's date filter
    return date_format(timezone.localtime(at), pgettext("short date format", "D H:i"))


def zone_letters(abbreviation: str) -> str:
    """Returns what the abbreviation of a zone is in the active language: "MEZ" in German for "CET"."""
    return str(LETTERS.get(abbreviation, abbreviation))


def _offset(offset: timedelta) -> str:
    minutes = int(offset.total_seconds()) // 60
    if not minutes:
        return "UTC"
    hours, rest = divmod(abs(minutes), 60)
    return f"UTC{'+' if minutes > 0 else '-'}{hours}" + (f":{rest:02}" if rest else "")


def unlinked(words: str) -> str:
    """Formats a name so that no mail program turns it into a link or an address."""
    return INNER_AT.sub("\uff20", INNER_DOT.sub("\u2024", words)).translate(UNLINKED)


class EmailOnly(ABC):
    """A composer of a kind of notice whose only form is a letter; a device may be told of it beside."""

    is_security = False

    @abstractmethod
    def mail(self, notice: Notice) -> MailMessage | None:
        """Composes the email in the reader's language and time zone, which are active; None if its object is gone."""

    def compose(self, notice: Notice, language: str, form: Form) -> MailMessage | None:
        """Return the email, or None for another form."""
        if form != Form.LETTER:
            return None
        with reading(notice.recipient, language):
            return self.mail(notice)


@composes("address_asked", gettext_lazy("Change of your account's address"), forms=LETTER)
class AddressAsked(EmailOnly):
    """Asks one of the two addresses of a change whether it is right."""

    is_security = True

    def is_current(self, notice: Notice) -> str:
        """Stale once the change is made, refused or too old."""
        change, _side = _address_change(notice.subject)
        is_open = change is not None and change.done_at is None
        return "" if is_open else CHANGE_SETTLED

    def mail(self, notice: Notice) -> MailMessage | None:
        """The mail with the link that shows the question."""
        change, side = _address_change(notice.subject)
        if change is None:
            return None
        context = {"change": change, "is_old": side == accounts.OLD, "link": accounts.address_change_link(change, side)}
        return account_mail("address_asked", context)


@composes("address_changed", gettext_lazy("Your account has moved to another address"), forms=LETTER)
class AddressChanged(EmailOnly):
    """Tells the old address that the account has left it."""

    is_security = True

    def is_current(self, notice: Notice) -> str:
        """Stale when the change of address no longer exists."""
        return "" if _address_change(notice.subject)[0] else CHANGE_SETTLED

    def mail(self, notice: Notice) -> MailMessage | None:
        """The mail."""
        change = _address_change(notice.subject)[0]
        assert change is not None, notice.subject
        # Who has just been taken back cannot be fetched once more: two addresses would go on for ever.
        is_agreed = change.old_confirmed_at is not None
        not_me_url = alerts.not_me_url(notice) if is_agreed else ""
        return account_mail("address_changed", {"change": change, "is_agreed": is_agreed, "not_me_url": not_me_url})


@composes("mail_test", gettext_lazy("Test email"), forms=LETTER)
class MailTest(EmailOnly):
    """A test that somebody sends to himself, by mail alone."""

    is_security = True

    def is_current(self, notice: Notice) -> str:
        """Never stale: the person has just pressed the button."""
        return ""

    def mail(self, notice: Notice) -> MailMessage | None:
        """The mail, which says when the button was pressed."""
        return account_mail("mail_test", {"pressed": moment(notice.created_at)})


def _address_change(subject: str) -> tuple[AddressChange | None, str]:
    pk, side = accounts.address_change_of(subject), subject.rpartition(":")[2]
    return AddressChange.objects.filter(pk=pk).select_related("user").first(), side


def account_mail(template: str, context: Mapping[str, object], subject: str = "") -> MailMessage:
    """A mail about an account: `<template>.html` and `.txt`; without a subject it is in `<template>_subject.txt`."""
    context = {**context, **frame("", ""), "mail_settings_url": page_url("mail_settings")}
    subject = one_line(subject or render(f"games/letters/{template}_subject.txt", context), 150)
    context["subject"] = context["heading"] = subject
    return MailMessage(
        subject=subject,
        text=render(f"games/letters/{template}.txt", context),
        html=render(f"games/letters/{template}.html", context),
        list_id=f"account.{settings.MAIL_DOMAIN}",
    )


LONGEST_NAME = 60


@composes("signed_in", gettext_lazy("New sign-in to your account"), forms=LETTER)
@composes("token_made", gettext_lazy("A new API token"), forms=LETTER)
@composes("password_changed", gettext_lazy("Your password"), forms=LETTER)
@composes("second_factor", gettext_lazy("Your second factor"), forms=LETTER)
@composes("copy_taken", gettext_lazy("Your data was downloaded"), forms=LETTER)
@composes("erasure_asked", gettext_lazy("Your account will be deleted"), forms=LETTER)
class Security(EmailOnly):
    """One letter for the kinds of `games.people.alerts`: what has happened, when, and the way to stop it."""

    is_security = True

    def is_current(self, notice: Notice) -> str:
        """Never stale."""
        return ""

    def mail(self, notice: Notice) -> MailMessage | None:
        """Composes the email; there is no webhook."""
        subject, happened = _told(notice)
        context = {
            "happened": happened,
            "at": moment(notice.created_at),
            "not_me_url": alerts.not_me_url(notice),
        }
        return account_mail("security", context, subject % {"site": settings.SITE_NAME})


def _told(notice: Notice) -> tuple[str, str]:
    """The subject and the first sentences."""
    match notice.kind:
        case alerts.SIGNED_IN:
            return _("New sign-in to your account at %(site)s"), _sign_in(notice.data)
        case alerts.TOKEN_MADE:
            return _token(notice.data)
        case alerts.COPY_TAKEN:
            return _("A copy of your data at %(site)s"), _("Somebody has downloaded everything we store about you.")
        case alerts.ERASURE_ASKED:
            return _("Your account at %(site)s will be deleted"), _erasure(notice.data)
        case alerts.SECOND_FACTOR:
            return _("The second factor of your account at %(site)s"), _(alerts.SECOND_FACTORS[notice.data["what"]])
    return _("The password of your account at %(site)s"), _(alerts.PASSWORDS[notice.data["what"]])


def _token(data: Mapping[str, str]) -> tuple[str, str]:
    name = unlinked(one_line(str(data.get("name", "")), LONGEST_NAME))
    if "bot" in data:
        sentence = _("Your bot %(name)s has a new API token. Programs that have it can play in its name.")
        return _("A new API token of your bot at %(site)s"), sentence % {"name": name}
    sentence = _("There is a new API token, “%(name)s”. Programs that have it can play in your name.")
    return _("A new API token of your account at %(site)s"), sentence % {"name": name}


def _erasure(data: Mapping[str, str]) -> str:
    when = moment(datetime.fromisoformat(data["due_at"]))
    said = _("As you asked, your account and your data will be deleted on %(when)s.") % {"when": when}
    return said + " " + _("Your games go on without you. Until then you can change your mind in your settings.")


def _sign_in(data: Mapping[str, str]) -> str:
    browser, system, network = (data.get(name, "") for name in ("browser", "system", "network"))
    facts = {"browser": browser or _("an unknown browser"), "system": system or _("an unknown system")}
    said = _("Somebody has signed in to your account with %(browser)s on %(system)s.") % facts
    where = _("The network address begins with %(network)s") % {"network": network} if network else ""
    return f"{said} {where}".strip()


@composes("friend_asked", gettext_lazy("Friend request"), forms=LETTER, topic=PEOPLE)
class FriendAsked(EmailOnly):
    """Somebody would like to be friends."""

    def is_current(self, notice: Notice) -> str:
        """Stale once it is answered or taken back, or its asker's account is closed."""
        row = _request(notice)
        is_open = row is not None and row.status == Friendship.Status.ASKED and row.asker.is_active
        return "" if is_open else REQUEST_CLOSED

    def mail(self, notice: Notice) -> MailMessage | None:
        """The mail, with the link to the question."""
        row = _request(notice)
        if row is None:
            return None
        return people_mail("friend_asked", notice, _asked(row), {"link": friends.friend_request_url(row)})

    def compose_push(self, notice: Notice, language: str) -> PushMessage | None:
        """Tells who asks, on the screen of a device."""
        row = _request(notice)
        with translation.override(language):
            return on_screen(_asked(row)) if row else None


def people_mail(template: str, notice: Notice, heading: str, context: Mapping[str, object]) -> MailMessage:
    """A mail that belongs to no table, in the active language: `<template>.html` and `.txt`, and how to stop it."""
    out = exit_of(notice)
    whole = {
        **frame(heading, ""),
        "heading": heading,
        "stop_url": out.url,
        "is_stranger": out.is_stranger,
        **context,
    }
    return MailMessage(
        subject=heading,
        text=render(f"games/letters/{template}.txt", whole),
        html=render(f"games/letters/{template}.html", whole),
        list_id=f"people.games.{settings.MAIL_DOMAIN}",
        unsubscribe_url=out.url,
        has_one_click=out.has_one_click,
    )


def on_screen(text: str) -> PushMessage:
    """A tap leads to where requests and invitations are answered, for who is signed in."""
    return PushMessage(settings.SITE_NAME, text, page_url("people"))


def _asked(row: Friendship) -> str:
    return _("%(name)s would like to be friends") % {"name": safe_name(row.asker.name)}


def safe_name(name: str) -> str:
    return isolated(unlinked(one_line(name, LONGEST))) or "?"


def _request(notice: Notice) -> Friendship | None:
    rows = Friendship.objects.filter(ref=notice.subject.removeprefix("friendship:"))
    return rows.select_related("asker", "asked").first()


LONGEST = 60
