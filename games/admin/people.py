"""Accounts and their webhooks on the admin site: no passwords, no tokens, of an address of a webhook only the host."""

from collections.abc import Iterable
from datetime import datetime

from django.contrib import admin
from django.db.models import F, Func, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.admin.moderation import ModeratedAdmin, PagePart, about_person, link, listed, reports_section
from games.archive import player_profile
from games.moderation import people
from games.moderation.acts import PERSON, WEBHOOK, acts_on
from games.moderation.entries import exclude_own_reports
from games.moderation.models import Report
from games.moderation.people import find_hints
from games.people.models import AddressChange, ApiToken, User
from games.people.staff import MODERATE_USER
from games.tables import webhooks
from games.tables.audit import ModerationEntry
from games.web.reader import require_user
from notifications import ledger, privacy
from notifications.admin.base import BoundedList, HasFilter, ReadOnly, moment, moment_in_words, titled
from notifications.channels.mail import suppressions
from notifications.clock import present
from notifications.delivery import health
from notifications.models import Attempt, Endpoint
from notifications.reasons import in_words


class PeopleList(BoundedList):
    """People, each with the share of questions answered in time."""

    def get_results(self, request: HttpRequest) -> None:
        """Reads one page, and the figures of its people at once."""
        super().get_results(request)
        figures = player_profile.reliabilities([user.pk for user in self.result_list], present.now())
        for user in self.result_list:
            user.reliability = figures.get(user.pk)


class ReportedFilter(admin.SimpleListFilter):
    """People about whom there are reports."""

    title = _("reports about them")
    parameter_name = "reported"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:
        """The one choice beside "all"."""
        return [("yes", gettext("yes"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> QuerySet[User]:
        """The people in question."""
        return queryset.filter(Q(("reported__gt", 0))) if self.value() == "yes" else queryset


RIGHTS = ("is_staff", "is_superuser", "groups")


@admin.register(User)
class UserAdmin(ModeratedAdmin[User]):
    """People. Moderators act on a page of its own; only administrators make others moderators."""

    acts, right = acts_on(PERSON), MODERATE_USER
    heading = _("People")
    list_display = ("name", "address", "account", "reliable", "reported", "date_joined")
    list_select_related = ("owner",)
    list_per_page = 20  # each line is a figure of as many games as its person has finished lately
    list_filter = (
        *(ReportedFilter, ("is_active", titled(_("account open"), admin.BooleanFieldListFilter))),
        *(("is_staff", titled(_("staff"), admin.BooleanFieldListFilter)), ("owner", titled(_("bot"), HasFilter))),
    )
    search_fields = ("email__exact", "ref__exact", "name__begins")
    search_help_text = _("An email address, a reference, or how the name begins")
    unbounded_filters = ("is_staff__exact",)
    ordering = ("-pk",)
    fields = ("ref", "name", "address", "owner", "account", "closed", *RIGHTS, "since")
    filter_horizontal = ("groups",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        """People, each with how many reports there are about him that this moderator may read."""
        about = Report.objects.filter(game__seats__user=OuterRef("pk"), game__seats__number=F("seat"))
        readable = exclude_own_reports(about, require_user(request)).order_by()
        count = readable.annotate(count=Func(F("pk"), function="COUNT")).values("count")
        rows: QuerySet[User] = super().get_queryset(request)
        return rows.annotate(reported=Subquery(count, output_field=IntegerField()))

    @admin.display(description=_("account"))
    def account(self, user: User) -> str:
        """Whether it is open, muted, a bot or staff."""
        words = [gettext("open") if user.is_active else gettext("closed")]
        words += [gettext("muted")] if user.silent_until and user.silent_until > present.now() else []
        words += [gettext("guest")] if user.is_guest else []
        words += [gettext("bot of %(name)s") % {"name": user.owner.name}] if user.owner else []
        words += [gettext("staff")] if user.is_staff else []
        return ", ".join(words)

    @admin.display(description=_("closed until"))
    def closed(self, user: User) -> object:
        """Until when the account is closed."""
        return moment(user.closed_until)

    @admin.display(description=_("since"))
    def since(self, user: User) -> object:
        """Since when there is this account."""
        return moment(user.date_joined)

    @admin.display(description=_("answers in time"))
    def reliable(self, user: User) -> str:
        """The share of questions answered in time, as everybody reads it on the profile."""
        figure: player_profile.Reliability | None = getattr(user, "reliability", None)
        return f"{figure.percent} %" if figure else "-"

    def get_changelist(self, request: HttpRequest, **kwargs: object) -> type[BoundedList]:
        """The list, each of its people with the figure of the last games."""
        return PeopleList

    @admin.display(description=_("reports about"))
    def reported(self, user: User) -> object:
        """How many reports are about this person."""
        return getattr(user, "reported", 0) or "-"

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:  # type: ignore[override]  # of people only
        """Administrators, and for people without rights of their own those who were given the right."""
        is_allowed = admin.ModelAdmin.has_change_permission(self, request)
        return is_allowed and (request.user.is_superuser or obj is None or not (obj.is_staff or obj.is_superuser))

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> tuple[str, ...]:
        """Locks every field but whether the account is open; its rights are for administrators alone."""
        facts = ("ref", "name", "address", "owner", "account", "closed", "since")
        return facts if request.user.is_superuser else facts + RIGHTS

    @admin.display(description=_("email address"), ordering="email", empty_value="-")
    def address(self, user: User) -> str | None:
        """Where mail goes; a bot account has none."""
        return user.address

    def bar(self, request: HttpRequest, row: User) -> str:
        """Nobody moderates his own account, and only administrators moderate staff."""
        return people.why_barred(require_user(request), row)

    def facts(self, row: User, by: User) -> list[tuple[object, object]]:
        """Returns who this is to others, how reliably he plays, and what he chose about being told."""
        now = present.now()
        reliability = player_profile.reliability(row, now)
        known = _("%(percent)s %% of %(asked)s questions answered in time")
        facts = {"percent": reliability.percent, "asked": f"{reliability.asked:,}"} if reliability else {}
        return [
            (_("profile"), link(reverse("player", args=[row.ref]), row.name)),
            (_("account"), self.account(row)),
            (_("email"), row.address or "-"),
            (_("since"), moment(row.date_joined)),
            (_("reliability"), known % facts if facts else _("too few finished games")),
            (_("gets email"), _mail_state(row, now)),
            *_bots(row),
            *_alike(row),
        ]

    def sections(self, row: User, by: User) -> list[PagePart]:
        """Returns the tables of a person, reports by and about him, and what he was told."""
        return [
            PagePart("tables", _("Tables"), _tables(row)),
            *reports_section(Report.objects.filter(about_person(row)), by, _("Reports about this person")),
            *reports_section(Report.objects.filter(reporter=row), by, _("Reports by this person")),
            PagePart("told", _("What we've told this person"), _told(row, by)),
        ]


TABLES_SHOWN, TOLD_SHOWN = 20, 20


def _tables(user: User) -> SafeString:
    seats = user.seats.select_related("game").defer("game__state").order_by("-game__pk")[:TABLES_SHOWN]
    rows = (
        (reverse("admin:games_game_moderate", args=[seat.game_id]), seat.game.title, seat.game.get_status_display())
        for seat in seats
    )
    return listed(rows, '<a href="{}">{}</a>, {}')


def _mail_state(user: User, now: datetime) -> str:
    """Why no email goes to somebody at all, or that it does."""
    recipient = user.recipient
    if closed := suppressions.why_suppressed(recipient.address):
        return gettext("no: %(why)s") % {"why": in_words(closed)}
    if recipient.snoozed_until and recipient.snoozed_until > now:
        return gettext("paused until %(until)s") % {"until": moment_in_words(recipient.snoozed_until)}
    if resting := health.rests(now).get("mail"):
        return gettext("our email rests until %(until)s") % {"until": moment_in_words(resting)}
    return gettext("yes, %(rhythm)s") % {"rhythm": recipient.get_rhythm_display()}


def _told(user: User, by: User) -> SafeString:
    """Notifications with what became of them; nothing of games that run, which would tell who has answered."""
    notices = privacy.without_outcomes(ledger.notices_of(user.recipient), by, "")
    rows = [
        (entry.name, moment(entry.notice.created_at), "; ".join(_fate(line) for line in entry.lines) or "-")
        for entry in ledger.entries(notices[:TOLD_SHOWN])
    ]
    hint = gettext("Of games that still run, the operator reads it with: caravanserai told ADDRESS")
    return format_html('{}<p class="quiet">{}</p>', listed(rows, "<strong>{}</strong> {}<br>{}"), hint)


def _fate(line: ledger.ChannelLine) -> str:
    why = f": {line.reason}" if line.reason else ""
    return f"{line.channel} {line.words}{why}"


def _bots(user: User) -> list[tuple[object, object]]:
    """Returns the owner of a bot, or the bots it owns."""
    if user.owner is not None:
        return [(_("bot of"), _links([user.owner]))]
    bots = _links(user.bots.filter(erased_at=None).order_by("pk"))
    return [(_("bots owned"), bots)] if bots else []


def _links(people: Iterable[User]) -> SafeString:
    rows = [(reverse("admin:games_user_moderate", args=[person.pk]), person.name) for person in people]
    return format_html_join(", ", '<a href="{}">{}</a>', rows)


def _alike(user: User) -> list[tuple[object, object]]:
    """Other accounts with what they have in common: a question to a moderator, never an answer."""
    found = [
        (reverse("admin:games_user_moderate", args=[hint.user.pk]), hint.user.name, ", ".join(hint.signs))
        for hint in find_hints(user, present.now())
    ]
    lines = format_html_join("", '<div><a href="{}">{}</a>: {}</div>', found)
    return [(_("possible duplicate accounts"), lines)] if lines else []


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
    list_filter = (("revoked_at", HasFilter),)
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
    list_filter = ("is_enabled", ("failing_since", HasFilter), "shape")
    list_select_related = ("recipient",)
    search_fields = ("recipient__address__exact", "recipient__user__name__begins", "thread__exact")
    search_help_text = _("An email address, how an account's name begins, or a thread")
    ordering = ("-pk",)
    fields = (
        *("host", "recipient", "thread", "shape"),
        *("state", "failing_since", "disabled_at", "why", "created_at", "tries"),
    )

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
        lines = ((moment(row.started_at), _outcome(row)) for row in _tries(webhook)[:TRIES_SHOWN])
        return format_html_join("", "{}: {}<br>", lines) or SafeString("-")

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
            (_("failing since"), moment(row.failing_since)),
            (_("why"), self.why(row)),
            (_("last attempts"), self.tries(row)),
        ]


def _tries(webhook: Endpoint) -> QuerySet[Attempt]:
    rows = Attempt.objects.filter(delivery__endpoint=webhook).order_by("-pk")
    return privacy.without_outcomes(rows, None, "delivery__notice__")


def _outcome(row: Attempt) -> str:
    words = [row.code, in_words(row.detail) if row.detail != row.code else ""]
    return " ".join(word for word in words if word) or row.get_outcome_display() or "-"
