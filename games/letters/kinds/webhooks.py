"""Letters about a webhook: its test, that it fails, that it was switched off."""

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.letters import reasons
from games.letters.base import EmailOnly
from games.letters.kinds.account import account_mail
from games.letters.phrases import moment
from games.page_urls import page_url
from games.people import webhooks
from notifications.composers import events
from notifications.messages import Form, MailMessage, WebhookMessage
from notifications.models import Endpoint, Notice
from notifications.reasons import in_words

EVENTS = {
    "decision.due": gettext_lazy("Somebody is to move"),
    "decision.reminder": gettext_lazy("Somebody is still to move"),
    "decision.excused": gettext_lazy("Somebody's time ran out and is given once more"),
    "decision.extended": gettext_lazy("A deadline was moved"),
    "decision.passed": gettext_lazy("Somebody's time ran out, and the move was made"),
    "seat.absent": gettext_lazy("Nobody waits any more for a player"),
    "seat.taken_over": gettext_lazy("Somebody takes a seat over"),
    "game.started": gettext_lazy("A game begins"),
    "game.paused": gettext_lazy("A game is paused"),
    "game.resumed": gettext_lazy("A game goes on"),
    "game.rolled_back": gettext_lazy("A game is taken back to an earlier step"),
    "table.closed": gettext_lazy("A table is closed"),
    "game.over": gettext_lazy("A game is over"),
}
"""What people call the events of webhooks."""


def event_choices() -> list[tuple[str, object]]:
    """Lists the events of webhooks, with their names for people."""
    return [(event, EVENTS.get(event, event)) for event in events()]


class Ping:
    """A test that only a webhook gets."""

    is_security = True

    def is_current(self, notice: Notice) -> str:
        """Stale when the webhook is gone."""
        return "" if _find(notice) else reasons.WEBHOOK_GONE

    def compose(self, notice: Notice, language: str, form: Form) -> MailMessage | WebhookMessage | None:
        """The payload, which says nothing but that it came from here."""
        if form != Form.ANNOUNCEMENT:
            return None
        text = _("This is a test. What is told here will look like this.")
        site = settings.SITE_URL
        return WebhookMessage("ping", notice.created_at, {"site": site}, title=settings.SITE_NAME, text=text, url=site)


class Failing(EmailOnly):
    """Warns its owner, long before it is switched off."""

    is_security = False
    template = "webhook_failing"

    def is_current(self, notice: Notice) -> str:
        """Stale once it works again."""
        row = _find(notice)
        return "" if row is not None and self.is_true(row) else reasons.WEBHOOK_WORKS

    def is_true(self, endpoint: Endpoint) -> bool:
        """Whether what the letter says still holds."""
        return endpoint.is_enabled and endpoint.failing_since is not None

    def mail(self, notice: Notice) -> MailMessage | None:
        """Only its name and host stand in the mail: the rest of the address is a secret."""
        row = _find(notice)
        if row is None:
            return None
        game = webhooks.game_of(row)
        context = {
            "name": row.name or row.host,
            "host": row.host,
            "table": game.spoken_title if game else "",
            "since": moment(row.failing_since) if row.failing_since else "",
            "reason": in_words(row.disabled_reason),
            "link": page_url("webhook_page", row.ref),
        }
        return account_mail(self.template, context)


class SwitchedOff(Failing):
    """Says which webhook was switched off and why, as long as it is off."""

    template = "webhook_off"

    def is_true(self, endpoint: Endpoint) -> bool:
        """Whether it is off."""
        return not endpoint.is_enabled


def _find(notice: Notice) -> Endpoint | None:
    pk = notice.subject.partition(":")[2]
    return Endpoint.objects.filter(pk=pk).first() if pk.isdecimal() else None
