"""Accounts and their webhooks on the admin site: no passwords, no tokens, of an address of a webhook only the host."""

from collections.abc import Iterable

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.admin.moderation import ModeratedAdmin, local
from games.moderation import people
from games.moderation.acts import PERSON, WEBHOOK, acts_on
from games.moderation.people import find_hints
from games.people.models import AddressChange, ApiToken, User
from games.people.staff import MODERATE_USER
from games.tables import webhooks
from games.tables.audit import ModerationEntry
from games.tables.models import Game
from games.web.reader import require_user
from notifications import privacy
from notifications.admin.base import ReadOnly
from notifications.clock import present
from notifications.models import Attempt, Endpoint
from notifications.reasons import in_words

RIGHTS = ("is_staff", "is_superuser", "groups")


@admin.register(User)
class UserAdmin(ModeratedAdmin[User]):
    """People. Moderators act on a page of its own; only administrators make others moderators."""

    acts, right = acts_on(PERSON), MODERATE_USER
    list_display = ("name", "address", "owner", "is_active", "is_staff", "date_joined")
    list_select_related = ("owner",)
    list_filter = ("is_active", "is_staff", ("owner", admin.EmptyFieldListFilter), "groups")
    search_fields = ("email__exact", "ref__exact", "name__begins")
    search_help_text = _("An email address, a reference, or how the name begins")
    unbounded_filters = ("is_staff__exact", "groups__id__exact")
    ordering = ("-pk",)
    fields = ("ref", "name", "address", "owner", "moderating", "is_active", "closed_until", *RIGHTS, "date_joined")
    filter_horizontal = ("groups",)

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:  # type: ignore[override]  # of people only
        """Administrators, and for people without rights of their own those who were given the right."""
        is_allowed = admin.ModelAdmin.has_change_permission(self, request)
        return is_allowed and (request.user.is_superuser or obj is None or not (obj.is_staff or obj.is_superuser))

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> tuple[str, ...]:
        """Locks every field but whether the account is open; its rights are for administrators alone."""
        facts = ("ref", "name", "address", "owner", "moderating", "is_active", "closed_until", "date_joined")
        return facts if request.user.is_superuser else facts + RIGHTS

    @admin.display(description=_("email address"), ordering="email", empty_value="-")
    def address(self, user: User) -> str | None:
        """Where mail goes; a bot account has none."""
        return user.address

    @admin.display(description=_("action"))
    def moderating(self, user: User) -> SafeString:
        """The way to the page on which moderators act."""
        return format_html('<a href="{}">{}</a>', reverse("admin:games_user_moderate", args=[user.pk]), _("Moderate"))

    def bar(self, request: HttpRequest, row: User) -> str:
        """Nobody moderates his own account, and only administrators moderate staff."""
        return people.why_barred(require_user(request), row)

    def facts(self, row: User, by: User) -> list[tuple[object, object]]:
        """Whether the account is open, and how many games it plays."""
        state = _("open") if row.is_active else _("closed")
        playing = row.seats.filter(game__status=Game.Status.RUNNING).count()
        return [
            (_("account"), state),
            (_("reopens"), local(row.closed_until)),
            (_("muted until"), local(row.silent_until)),
            (_("playing now"), playing),
            *_bots(row),
            (_("possible duplicate accounts"), _alike(row)),
        ]


def _bots(user: User) -> list[tuple[object, object]]:
    """Returns the owner of a bot, or the bots it owns."""
    if user.owner is not None:
        return [(_("bot of"), _links([user.owner]))]
    return [(_("bots owned"), _links(user.bots.filter(erased_at=None).order_by("pk")) or "-")]


def _links(people: Iterable[User]) -> SafeString:
    rows = [(reverse("admin:games_user_moderate", args=[person.pk]), person.name) for person in people]
    return format_html_join(", ", '<a href="{}">{}</a>', rows)


def _alike(user: User) -> SafeString:
    """Other accounts with what they have in common: a question to a moderator, never an answer."""
    found = [
        (reverse("admin:games_user_moderate", args=[hint.user.pk]), hint.user.name, ", ".join(hint.signs))
        for hint in find_hints(user, present.now())
    ]
    return format_html_join("", '<div><a href="{}">{}</a>: {}</div>', found) or SafeString("-")


@admin.register(AddressChange)
class AddressChangeAdmin(ReadOnly):
    """Wishes to move an account to another address."""

    list_display = ("user", "new_address", "created_at", "old_confirmed_at", "new_confirmed_at", "done_at")
    list_select_related = ("user",)
    search_fields = ("user__email__exact",)
    recent_search_fields = ("new_address__exact",)
    search_help_text = _("An email address; a new one among those listed")
    fields = ("user", "new_address", "created_at", "old_confirmed_at", "new_confirmed_at", "done_at")
    ordering = ("-created_at",)


@admin.register(ApiToken)
class ApiTokenAdmin(ReadOnly):
    """The admin pages of API tokens; the tokens themselves nobody has but their owners."""

    list_display = ("user", "name", "created_at", "revoked_at")
    list_filter = (("revoked_at", admin.EmptyFieldListFilter),)
    list_select_related = ("user",)
    search_fields = ("user__email__exact",)
    recent_search_fields = ("name__icontains",)
    search_help_text = _("An email address; a token's name among those listed")
    fields = ("user", "name", "created_at", "revoked_at")
    ordering = ("-created_at",)


# Webhooks. What was sent is not shown, only when, and what was answered.

Action = ModerationEntry.Action
ABOUT_WEBHOOKS = (Action.RESEND, Action.HOOK_OFF, Action.HOOK_ON)
TRIES_SHOWN = 20
STATES = {"off": _("switched off"), "failing": _("not accepting messages"), "working": _("works")}


@admin.register(Endpoint)
class EndpointAdmin(ModeratedAdmin[Endpoint]):
    """Webhooks. Moderators act on a page of its own."""

    acts, right = acts_on(WEBHOOK), MODERATE_USER
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
        """Returns the moderation entries about webhooks of its owner, newest first."""
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
    return privacy.without_outcomes(rows, "delivery__notice__")


def _outcome(row: Attempt) -> str:
    words = [row.code, in_words(row.detail) if row.detail != row.code else ""]
    return " ".join(word for word in words if word) or row.get_outcome_display() or "-"
