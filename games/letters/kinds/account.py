"""Emails about an account: confirming a change of address, the change itself, a test."""

from collections.abc import Mapping

from django.conf import settings

from games import links
from games.letters import reasons
from games.letters.base import EmailOnly
from games.letters.frame import frame, render
from games.letters.phrases import moment
from games.page_urls import page_url
from games.people import accounts
from games.people.models import AddressChange
from notifications.channels.mail.letter import one_line
from notifications.messages import MailMessage
from notifications.models import Notice


class AddressAsked(EmailOnly):
    """Asks one of the two addresses of a change whether it is right."""

    is_security = True

    def is_current(self, notice: Notice) -> str:
        """Stale once the change is made, refused or too old."""
        change, _side = _find(notice.subject)
        is_open = change is not None and change.done_at is None
        return "" if is_open else reasons.CHANGE_SETTLED

    def mail(self, notice: Notice) -> MailMessage | None:
        """The mail with the link that shows the question."""
        change, side = _find(notice.subject)
        if change is None:
            return None
        context = {"change": change, "is_old": side == accounts.OLD, "link": accounts.address_change_link(change, side)}
        return account_mail("address_asked", context)


class AddressChanged(EmailOnly):
    """Tells the old address that the account has left it."""

    is_security = True

    def is_current(self, notice: Notice) -> str:
        """Stale when the change of address no longer exists."""
        return "" if _find(notice.subject)[0] else reasons.CHANGE_SETTLED

    def mail(self, notice: Notice) -> MailMessage | None:
        """The mail."""
        change = _find(notice.subject)[0]
        assert change is not None, notice.subject
        # Who has just been taken back cannot be fetched once more: two addresses would go on for ever.
        is_agreed = change.old_confirmed_at is not None
        not_me_url = links.not_me_url(notice) if is_agreed else ""
        return account_mail("address_changed", {"change": change, "is_agreed": is_agreed, "not_me_url": not_me_url})


class MailTest(EmailOnly):
    """A test that somebody sends to himself, by mail alone."""

    is_security = True

    def is_current(self, notice: Notice) -> str:
        """Never stale: the person has just pressed the button."""
        return ""

    def mail(self, notice: Notice) -> MailMessage | None:
        """The mail, which says when the button was pressed."""
        return account_mail("mail_test", {"pressed": moment(notice.created_at)})


def _find(subject: str) -> tuple[AddressChange | None, str]:
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
