"""Emails about friends and clubs: a request, and an invitation, which may go to a stranger."""

from collections.abc import Mapping

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext as _

from games import links
from games.clubs import invitations
from games.clubs.models import LONGEST_ABOUT, ClubInvitation
from games.letters import reasons
from games.letters.base import EmailOnly
from games.letters.frame import exit_of, frame, render
from games.letters.phrases import unlinked
from games.page_urls import page_url
from games.people.models import Friendship
from games.tables.names import isolated
from notifications.channels.mail.letter import one_line
from notifications.messages import MailMessage, PushMessage
from notifications.models import Notice

LONGEST = 60


class FriendAsked(EmailOnly):
    """Somebody would like to be friends."""

    def is_current(self, notice: Notice) -> str:
        """Stale once it is answered or taken back, or its asker's account is closed."""
        row = _request(notice)
        is_open = row is not None and row.status == Friendship.Status.ASKED and row.asker.is_active
        return "" if is_open else reasons.REQUEST_CLOSED

    def mail(self, notice: Notice) -> MailMessage | None:
        """The mail, with the link to the question."""
        row = _request(notice)
        if row is None:
            return None
        return people_mail("friend_asked", notice, _asked(row), {"link": links.friend_request_url(row)})

    def compose_push(self, notice: Notice, language: str) -> PushMessage | None:
        """Who asks, on the screen of a device."""
        row = _request(notice)
        with translation.override(language):
            return _on_screen(_asked(row)) if row else None


class ClubInvited(EmailOnly):
    """A member invites to a club. What people have typed makes no link: the mail may go to a stranger."""

    def is_current(self, notice: Notice) -> str:
        """Stale once it is answered or taken back, or the club is closed."""
        row = _invitation(notice)
        return "" if row is not None and invitations.is_open(row) else reasons.INVITATION_CLOSED

    def mail(self, notice: Notice) -> MailMessage | None:
        """The mail, with the link to the invitation."""
        row = _invitation(notice)
        if row is None:
            return None
        context = {
            "about": unlinked(one_line(row.club.display_about, LONGEST_ABOUT)),
            "count": row.club.memberships.count(),
            "inviter": _safe(row.inviter.name),
            "link": links.club_invitation_url(row),
        }
        return people_mail("club_invited", notice, _invited(row), context)

    def compose_push(self, notice: Notice, language: str) -> PushMessage | None:
        """Who invites to which club, on the screen of a device."""
        row = _invitation(notice)
        with translation.override(language):
            return _on_screen(_invited(row)) if row else None


def people_mail(template: str, notice: Notice, heading: str, context: Mapping[str, object]) -> MailMessage:
    """A mail that belongs to no table, in the active language: `<template>.html` and `.txt`, and how to stop it."""
    out = exit_of(notice, None)
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


def _on_screen(text: str) -> PushMessage:
    """A tap leads to where requests and invitations are answered, for who is signed in."""
    return PushMessage(settings.SITE_NAME, text, page_url("people"))


def _asked(row: Friendship) -> str:
    return _("%(name)s would like to be friends") % {"name": _safe(row.asker.name)}


def _invited(row: ClubInvitation) -> str:
    facts = {"name": _safe(row.inviter.name), "club": _safe(row.club.display_name)}
    return _("%(name)s invites you to the club %(club)s") % facts


def _safe(name: str) -> str:
    return isolated(unlinked(one_line(name, LONGEST))) or "?"


def _request(notice: Notice) -> Friendship | None:
    rows = Friendship.objects.filter(ref=notice.subject.removeprefix("friendship:"))
    return rows.select_related("asker", "asked").first()


def _invitation(notice: Notice) -> ClubInvitation | None:
    rows = ClubInvitation.objects.filter(ref=notice.subject.removeprefix("club_invitation:"))
    return rows.select_related("club", "inviter", "recipient").first()
