"""Emails from moderators to a person, and reports of players to moderators."""

from dataclasses import replace

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop, ngettext

from games.links import page_url
from games.moderation import reports
from games.moderation.models import Report
from games.people.letters import (
    LETTER,
    SUBJECT_GONE,
    EmailOnly,
    account_mail,
    moment,
    people_mail,
    unlinked,
    user_of,
)
from games.tables.audit import ModerationEntry
from notifications.clock import present
from notifications.composers import composes
from notifications.messages import MailMessage, PushMessage
from notifications.models import Notice
from notifications.reasons import declare

REPORT_SETTLED = declare("report_settled", gettext_noop("the report has been resolved"))
DESK_CLEARED = declare("desk_cleared", gettext_noop("it no longer waits on the desk"))
LISTED = 12  # of what waits; the desk has the rest


@composes("moderated", gettext_lazy("Message from the moderators"), forms=LETTER)
class Moderated(EmailOnly):
    """A warning, an account that was closed, or that it is open again."""

    is_security = True

    def is_current(self, notice: Notice) -> str:
        """Stale only when the entry of the moderation log is gone."""
        return "" if _entry(notice) else SUBJECT_GONE

    def mail(self, notice: Notice) -> MailMessage | None:
        """The mail: what was done, and the reason in the moderator's own words."""
        entry = _entry(notice)
        if entry is None:
            return None
        until = moment(entry.until) if entry.until else ""
        about = entry.user
        bot = unlinked(about.name) if about is not None and about.is_bot else ""
        facts: dict[str, object] = {
            "action": entry.action,
            "reason": unlinked(entry.reason_in_words),
            "until": until,
            "bot": bot,
        }
        may_appeal = bool(notice.ref) and reports.may_appeal(entry)
        reply_to = reports.appeal_address(entry) if may_appeal else ""
        facts |= {"appeal_url": reports.appeal_url(notice) if may_appeal else "", "is_answered": bool(reply_to)}
        mail = account_mail("moderated", facts)
        return replace(mail, headers={"Reply-To": reply_to}) if reply_to else mail


class OpenReport(EmailOnly):
    """About a report or an appeal that nobody has settled."""

    is_security = True

    def is_current(self, notice: Notice) -> str:
        """Stale once it is settled, of which another email tells."""
        report = _report(notice)
        return REPORT_SETTLED if report is None or report.settled_at else ""


@composes("reported", gettext_lazy("A player asks for a moderator"), forms=LETTER)
class Reported(OpenReport):
    """A player asks the moderators to look at his table."""

    def mail(self, notice: Notice) -> MailMessage | None:
        """The mail, with the player's words and the way to the queue."""
        report = _report(notice)
        if report is None:
            return None
        queue_url = page_url("admin:games_report_moderate", report.pk)
        title = report.game.spoken_title if report.game else ""
        cup = report.tournament.display_title if report.tournament else ""
        words = {"name": report.reporter.name, "title": title, "club": _club(report), "cup": cup, "said": report.text}
        context: dict[str, object] = {name: unlinked(text) for name, text in words.items()}
        appealed = report.against.get_action_display() if report.against else ""
        return account_mail("reported", {**context, "appealed": appealed, "queue_url": queue_url})


@composes("report_settled", gettext_lazy("What came of your report"), forms=LETTER)
class ReportSettled(EmailOnly):
    """Tells the writer of a report or an appeal what came of it."""

    is_security = True

    def is_current(self, notice: Notice) -> str:
        """Stale only when the report is gone."""
        return "" if _report(notice) else SUBJECT_GONE

    def mail(self, notice: Notice) -> MailMessage | None:
        """The mail: the outcome, and the moderator's answer."""
        report = _report(notice)
        if report is None:
            return None
        return account_mail(
            "report_settled",
            {
                "is_appeal": report.against_id is not None,
                "about": unlinked(_about(report)),
                "outcome": report.get_outcome_display(),
                "answer": unlinked(report.answer_in_words),
                "said": unlinked(report.text),
            },
        )


@composes("appeal_received", gettext_lazy("We have your appeal"), forms=LETTER)
class AppealReceived(OpenReport):
    """Confirms that an appeal has come, and says what happens next."""

    def mail(self, notice: Notice) -> MailMessage | None:
        """The mail, with what was written."""
        report = _report(notice)
        if report is None:
            return None
        return account_mail("appeal_received", {"said": unlinked(report.text)})


@composes("desk_waits", gettext_lazy("Something waits on the desk"), forms=LETTER, topic=reports.DESK)
class DeskWaits(EmailOnly):
    """Tells a moderator what waits longer than he chose. It names things and no more: the desk has the words."""

    def is_current(self, notice: Notice) -> str:
        """Stale once all of it is dealt with, or its reader moderates no more."""
        return "" if _waiting(notice) else DESK_CLEARED

    def mail(self, notice: Notice) -> MailMessage | None:
        """The mail, with the way to the desk."""
        waiting = _waiting(notice)
        if not waiting:
            return None
        lines = [
            (need.label, unlinked(need.title), moment(need.since) if need.since else "") for need in waiting[:LISTED]
        ]
        context = {"lines": lines, "left_out": max(0, len(waiting) - LISTED), "link": page_url("admin:index")}
        return people_mail("desk_waits", notice, _heading(len(waiting)), context)

    def compose_push(self, notice: Notice, language: str) -> PushMessage | None:
        """Tells how much waits, on the screen of a device."""
        count = len(_waiting(notice))
        with translation.override(language):
            return PushMessage(settings.SITE_NAME, _heading(count), page_url("admin:index")) if count else None


def _waiting(notice: Notice) -> list[reports.Need]:
    user = user_of(notice.recipient)
    return reports.still_waiting(user, notice.data["keys"], present.now()) if user else []


def _heading(count: int) -> str:
    return ngettext("%(n)d thing waits on the desk", "%(n)d things wait on the desk", count) % {"n": count}


def _entry(notice: Notice) -> ModerationEntry | None:
    rows = ModerationEntry.objects.filter(pk=int(notice.subject.removeprefix(ModerationEntry.SUBJECT)))
    return rows.select_related("user__owner", "actor").first()


def _report(notice: Notice) -> Report | None:
    rows = Report.objects.filter(ref=notice.subject.removeprefix("report:"))
    return rows.select_related("game", "club", "tournament", "reporter", "against").first()


def _club(report: Report) -> str:
    """Describes the club in the email to the moderators, "" for a report about something else."""
    if report.against is not None:
        return _("Appeal")
    if report.club is not None:
        return report.club.display_name
    return "" if report.game or report.tournament else _("A club that was closed")


def _about(report: Report) -> str:
    """Describes the subject of a report as its writer reads it."""
    if report.game is not None:
        return report.game.spoken_title
    if report.tournament is not None:
        return report.tournament.spoken_title
    return report.club.display_name if report.club else ""
