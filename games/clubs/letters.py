"""Emails about friends and clubs: a request, and an invitation, which may go to a stranger."""

from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.clubs import invitations
from games.clubs.models import LONGEST_ABOUT, ClubInvitation
from games.people import letters
from games.people.letters import INVITATION_CLOSED, LETTER, PEOPLE, EmailOnly, unlinked
from notifications.channels.mail.letter import one_line
from notifications.composers import composes
from notifications.messages import MailMessage, PushMessage
from notifications.models import Notice


@composes("club_invited", gettext_lazy("Invitation to a club"), forms=LETTER, topic=PEOPLE)
class ClubInvited(EmailOnly):
    """A member invites to a club. What people have typed makes no link: the mail may go to a stranger."""

    def is_current(self, notice: Notice) -> str:
        """Stale once it is answered or taken back, or the club is closed."""
        row = _invitation(notice)
        return "" if row is not None and invitations.is_open(row) else INVITATION_CLOSED

    def mail(self, notice: Notice) -> MailMessage | None:
        """The mail, with the link to the invitation."""
        row = _invitation(notice)
        if row is None:
            return None
        context = {
            "about": unlinked(one_line(row.club.display_about, LONGEST_ABOUT)),
            "count": row.club.memberships.count(),
            "inviter": letters.safe_name(row.inviter.name),
            "link": invitations.invitation_url(row),
        }
        return letters.people_mail("club_invited", notice, _invited(row), context)

    def compose_push(self, notice: Notice, language: str) -> PushMessage | None:
        """Tells who invites to which club, on the screen of a device."""
        row = _invitation(notice)
        with translation.override(language):
            return letters.on_screen(_invited(row)) if row else None


def _invited(row: ClubInvitation) -> str:
    facts = {"name": letters.safe_name(row.inviter.name), "club": letters.safe_name(row.club.display_name)}
    return _("%(name)s invites you to the club %(club)s") % facts


def _invitation(notice: Notice) -> ClubInvitation | None:
    rows = ClubInvitation.objects.filter(ref=notice.subject.removeprefix("club_invitation:"))
    return rows.select_related("club", "inviter", "recipient").first()
