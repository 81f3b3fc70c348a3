"""Webhooks on the admin site: how they fare, by their host: the rest of an address lets anybody write to it.

What was sent is not here either, only when, and what was answered: what is confidential now is left out.
"""

from django.contrib import admin
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.admin.acts import ON_WEBHOOKS
from games.admin.moderation import ModeratedAdmin
from games.moderation.entries import MODERATE_USER
from games.moderation.models import ModerationEntry
from games.people import webhooks
from games.people.models import User
from notifications.models import Attempt, Endpoint
from notifications.privacy import confidential
from notifications.reasons import in_words

Action = ModerationEntry.Action
ABOUT_WEBHOOKS = (Action.RESEND, Action.HOOK_OFF, Action.HOOK_ON)
TRIES_SHOWN = 20
STATES = {"off": _("switched off"), "failing": _("not accepting messages"), "working": _("works")}


@admin.register(Endpoint)
class EndpointAdmin(ModeratedAdmin[Endpoint]):
    """Webhooks. Moderators act on a page of its own."""

    acts, right = ON_WEBHOOKS, MODERATE_USER
    list_display = ("host", "recipient", "state", "failing_since", "disabled_at", "why", "created_at")
    list_filter = ("is_enabled", ("failing_since", admin.EmptyFieldListFilter), "shape")
    list_select_related = ("recipient",)
    search_fields = ("recipient__address__exact", "recipient__user__name__begins", "thread__exact")
    search_help_text = _("An email address, how an account's name begins, or a thread")
    ordering = ("-pk",)
    fields = (
        *("host", "recipient", "thread", "shape", "moderating"),
        *("state", "failing_since", "disabled_at", "why", "created_at", "tries"),
    )

    @admin.display(description=_("action"))
    def moderating(self, webhook: Endpoint) -> SafeString:
        """The way to the page on which moderators act."""
        page = reverse("admin:notifications_endpoint_moderate", args=[webhook.pk])
        return format_html('<a href="{}">{}</a>', page, gettext("Moderate"))

    @admin.display(description=_("state"))
    def state(self, webhook: Endpoint) -> object:
        """How it fares."""
        return STATES[webhooks.state_of(webhook)]

    @admin.display(description=_("why"))
    def why(self, webhook: Endpoint) -> str:
        """Why it was switched off."""
        return in_words(webhook.disabled_reason) or "-"

    @admin.display(description=_("last attempts"))
    def tries(self, webhook: Endpoint) -> SafeString:
        """When, and what came of it."""
        lines = ((f"{row.started_at:%Y-%m-%d %H:%M:%S}", _outcome(row)) for row in _tries(webhook)[:TRIES_SHOWN])
        return format_html_join("", "{} UTC: {}<br>", lines) or SafeString("-")

    def entries(self, row: Endpoint) -> QuerySet[ModerationEntry]:
        """What was done to webhooks of its owner, newest first."""
        done = ModerationEntry.objects.filter(action__in=ABOUT_WEBHOOKS, user__recipient=row.recipient_id)
        return done.select_related("actor", "user").order_by("-pk")

    def facts(self, row: Endpoint, by: User) -> list[tuple[object, object]]:
        """How it fares."""
        return [
            (_("host"), row.host),
            (_("owner"), row.recipient),
            (_("state"), self.state(row)),
            (_("failing since"), row.failing_since or "-"),
            (_("why"), self.why(row)),
            (_("last attempts"), self.tries(row)),
        ]


def _tries(webhook: Endpoint) -> QuerySet[Attempt]:
    rows = Attempt.objects.filter(delivery__endpoint=webhook).order_by("-pk")
    return confidential.without_outcomes(rows, "delivery__notice__")


def _outcome(row: Attempt) -> str:
    words = [row.code, in_words(row.detail) if row.detail != row.code else ""]
    return " ".join(word for word in words if word) or row.get_outcome_display() or "-"
