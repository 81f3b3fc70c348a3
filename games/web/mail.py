"""Forms about the mail a person gets: when, what, and what of one table."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import TYPE_CHECKING, ClassVar, cast

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import conditional_page, require_http_methods, require_POST, require_safe

from engine.registry import newest
from games.errors import NotFound, ServiceError
from games.moderation import reports
from games.people import notification_preferences, sessions
from games.people.letters import TALK
from games.people.models import User
from games.people.names import isolated
from games.people.staff import MODERATE_GAME
from games.play import clocks, decision_links, lists, pauses, queries
from games.play.clocks import TablePreferences
from games.play.models import Decision
from games.tables import table_links
from games.tables.models import Game
from games.tables.seats import Seat
from games.web.accounts import LEADS, checked_leads
from games.web.reader import (
    as_reader,
    is_usable,
    link_not_found,
    private,
    require_user,
    signed_in,
    with_private_address,
)
from games.web.samples import KINDS, sample
from notifications import confirming, conversations, ledger, preferences
from notifications.channels.mail import suppressions
from notifications.channels.mail.letter import INLINER
from notifications.channels.mail.mailbox import framed
from notifications.channels.mail.suppressions import is_one_click
from notifications.channels.push.devices import BrowserKeys
from notifications.clock import present
from notifications.clock.calendar import DAY, on_the_wall
from notifications.inbound import receiving
from notifications.messages import MailMessage
from notifications.models import Conversation, Inbound, Recipient, Rhythm, Ways

if TYPE_CHECKING:
    from icalendar import Event

MORNING_HOUR = 8


def switchable() -> list[tuple[str, str | Promise]]:
    """The topics that can be switched off, with their labels."""
    return [(topic.name, topic.label) for topic in preferences.optional() if topic.is_listed]


def switchable_here() -> list[tuple[str, str | Promise]]:
    """The topics that can be switched off at one table, with their labels; of its talk there is more to choose."""
    return [(topic.name, topic.label) for topic in preferences.optional(by_thread=True) if topic != TALK]


class WaysForm(forms.Form):
    """A form that asks by which channels only where there is more than one; it says what is meant otherwise."""

    usual: ClassVar[tuple[tuple[str, str | Promise], ...]] = ()  # chosen where somebody has chosen nothing

    def __init__(
        self, data: QueryDict | None = None, *, ways: Collection[Ways], initial: dict[str, object] | None = None
    ) -> None:
        super().__init__(data, initial=initial)
        if ways:
            field = cast(forms.ChoiceField, self.fields["ways"])
            field.choices = [*self.usual, *((way.value, way.label) for way in ways)]
        else:
            del self.fields["ways"]


class MailForm(WaysForm):
    """When and what we write, in all games."""

    ways = forms.ChoiceField(label=gettext_lazy("How we notify you"), choices=Ways.choices, widget=forms.RadioSelect)
    rhythm = forms.ChoiceField(
        label=gettext_lazy("When we email you"), choices=Rhythm.choices, widget=forms.RadioSelect
    )
    daily_at = forms.TimeField(
        label=gettext_lazy("Time of the daily email"),
        widget=forms.TimeInput(format="%H:%M", attrs={"type": "time"}),
        help_text=gettext_lazy("In your own time zone."),
    )
    quiet_holds_all = forms.BooleanField(
        label=gettext_lazy("During my quiet hours, also hold emails that ask for my moves"),
        required=False,
        help_text=gettext_lazy("Reminders and news are never sent during your quiet hours."),
    )
    wanted = forms.MultipleChoiceField(
        label=gettext_lazy("What we email you about"),
        choices=switchable,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    @classmethod
    def of(cls, recipient: Recipient, *, ways: Collection[Ways]) -> "MailForm":
        """The form as it is filled in now."""
        off = preferences.switched_off(recipient)
        wanted = [name for name, _label in switchable() if name not in off]
        return cls(
            ways=ways,
            initial={
                "ways": recipient.ways,
                "rhythm": recipient.rhythm,
                "daily_at": recipient.daily_at,
                "quiet_holds_all": recipient.quiet_holds_all,
                "wanted": wanted,
            },
        )

    def muted(self) -> list[str]:
        """The topics that are switched off. Only for a form that is valid."""
        return _left_out(switchable(), self.cleaned_data["wanted"])

    def wants_weekly(self) -> bool:
        """Whether the weekly summary is wanted. Only for a form that is valid."""
        weekly = {topic.name for topic in preferences.optional() if topic.is_weekly}
        return bool(weekly & set(self.cleaned_data["wanted"]))


class TableMailForm(WaysForm):
    """How, when and about what a player is told about one table, and when he is reminded there."""

    usual = (("", gettext_lazy("same as for all games")),)
    OTHERS: ClassVar[dict[str, list[int] | None]] = {"": None, "never": []}
    ways = forms.ChoiceField(
        label=gettext_lazy("How we notify you about this table"),
        choices=[("", gettext_lazy("same as for all games")), *Ways.choices],
        required=False,
        widget=forms.RadioSelect,
    )
    rhythm = forms.ChoiceField(
        label=gettext_lazy("When we email you about this table"),
        choices=[("", gettext_lazy("same as for all games")), *Rhythm.choices],
        required=False,
        widget=forms.RadioSelect,
    )
    wanted = forms.MultipleChoiceField(
        label=gettext_lazy("What we email you about"),
        choices=switchable_here,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    talk = forms.ChoiceField(
        label=gettext_lazy("Table talk"),
        choices=[
            ("mentions", gettext_lazy("when somebody mentions me")),
            ("every", gettext_lazy("every message, in one email an hour at most")),
            ("none", gettext_lazy("never")),
        ],
        required=False,
        widget=forms.RadioSelect,
    )
    next = forms.BooleanField(label=gettext_lazy("Tell me when I'm next, where the order is public"), required=False)
    remind = forms.ChoiceField(
        label=gettext_lazy("Reminders for this table"),
        choices=[
            ("", gettext_lazy("same as for all games")),
            ("chosen", gettext_lazy("at the times ticked below")),
            ("never", gettext_lazy("never")),
        ],
        required=False,
        widget=forms.RadioSelect,
    )
    leads = forms.TypedMultipleChoiceField(
        label=gettext_lazy("Before the deadline"),
        coerce=int,
        choices=LEADS,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy(
            "Three at most. A reminder that would fall into your quiet hours is sent before they start."
        ),
    )

    @classmethod
    def of(cls, seat: Seat, side: Conversation | None, *, ways: Collection[Ways]) -> "TableMailForm":
        """The form as it is filled in now."""
        muted, leads = side.muted if side else [], seat.remind_before
        return cls(
            ways=ways,
            initial={
                "ways": side.ways if side else "",
                "rhythm": side.rhythm if side else "",
                "wanted": [name for name, _label in switchable_here() if name not in muted],
                "talk": "none" if TALK.name in muted else "every" if seat.hears_all_talk else "mentions",
                "next": seat.hears_next,
                "remind": "" if leads is None else "chosen" if leads else "never",
                "leads": leads or [],
            },
        )

    def clean(self) -> dict[str, object]:
        """Reminders that cannot be are said at their field."""
        data = super().clean() or {}
        if not self.errors:
            checked_leads(self, data["remind"], data["leads"], self.OTHERS)
        return data

    def to_preferences(self) -> TablePreferences:
        """The preferences for this table. Only for a form that is valid."""
        data = self.cleaned_data
        leads = self.OTHERS.get(data["remind"], data["leads"])
        muted = _left_out(switchable_here(), data["wanted"]) + [TALK.name] * (data["talk"] == "none")
        return TablePreferences(
            data["rhythm"], data.get("ways", ""), muted, leads, data["talk"] == "every", data["next"]
        )


def _left_out(offered: list[tuple[str, str | Promise]], wanted: list[str]) -> list[str]:
    """The names of the offered boxes that were not ticked."""
    return [name for name, _label in offered if name not in wanted]


class SnoozeForm(forms.Form):
    """For how long there shall be no mail but what cannot wait."""

    length = forms.ChoiceField(
        label=gettext_lazy("No email"),
        choices=[
            ("hour", gettext_lazy("for an hour")),
            ("morning", gettext_lazy("until 8 am tomorrow")),
            ("days", gettext_lazy("for three days")),
            ("end", gettext_lazy("email me again now")),
        ],
        widget=forms.RadioSelect,
        help_text=gettext_lazy(
            "You'll still get an email if you need it to answer in time. If you're going away, plan a vacation "
            "instead: then your clock stops."
        ),
    )

    def until(self, recipient: Recipient, now: datetime) -> datetime | None:
        """The instant that was chosen; None to end it."""
        zone = recipient.zone_info
        morning = datetime.min.time().replace(hour=MORNING_HOUR)
        return {
            "hour": now + timedelta(hours=1),
            "morning": on_the_wall(timezone.localtime(now, zone).date() + DAY, morning, zone),
            "days": now + timedelta(days=3),
        }.get(self.cleaned_data["length"])


class DeskForm(forms.Form):
    """After how long a moderator is told of what waits on the desk."""

    hours = forms.TypedChoiceField(
        label=gettext_lazy("Tell me what waits on the desk for more than"), coerce=int, empty_value=None, required=False
    )

    def __init__(self, data: QueryDict | None = None, *, user: User) -> None:
        super().__init__(data, initial={"hours": user.desk_after or ""})
        spans = [(count, ngettext("%(n)d hour", "%(n)d hours", count) % {"n": count}) for count in reports.DESK_HOURS]
        cast(forms.TypedChoiceField, self.fields["hours"]).choices = [("", _("never tell me")), *spans]


# Mail: its settings, what was sent, devices, pages behind links in mails, the calendar, samples of every kind.

# Settings, and what was sent.

PER_PAGE = 30


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def mail_settings(request: HttpRequest) -> HttpResponse:
    """Shows and takes everything about a person's mail, by the button that was pressed."""
    user = require_user(request)
    if request.method != "POST":
        return _page(request, user)
    match request.POST.get("do", ""):
        case "choose":
            return _choose(request, user)
        case "snooze":
            return _snooze(request, user)
        case "desk":
            return _choose_desk(request, user)
        case "test":
            notification_preferences.send_test_mail(user=user, now=present.now())
            messages.success(request, _("A test email is on its way."))
        case "works":
            notification_preferences.use_address_again(user=user)
            messages.success(request, _("We'll send emails to your address again."))
        case "new_calendar":
            notification_preferences.renew_calendar(user=user)
            messages.success(request, _("Your old calendar address no longer works. Subscribe to the new one."))
        case _:
            return _page(request, user, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    return redirect("mail_settings")


def _choose(request: HttpRequest, user: User) -> HttpResponse:
    form = MailForm(request.POST, ways=notification_preferences.channel_choices(user))
    if not form.is_valid():
        return _page(request, user, status=HTTPStatus.UNPROCESSABLE_ENTITY, form=form)
    data = form.cleaned_data
    preferences.choose(
        user.recipient,
        rhythm=data["rhythm"],
        daily_at=data["daily_at"],
        quiet_holds_all=data["quiet_holds_all"],
        muted=form.muted(),
        weekly=form.wants_weekly(),
        ways=data.get("ways", user.recipient.ways),
        now=present.now(),
    )
    messages.success(request, _("Saved."))
    return redirect("mail_settings")


def _choose_desk(request: HttpRequest, user: User) -> HttpResponse:
    form = DeskForm(request.POST, user=user)
    if not form.is_valid():
        return _page(request, user, status=HTTPStatus.UNPROCESSABLE_ENTITY, desk=form)
    reports.choose_desk_hours(user=user, hours=form.cleaned_data["hours"], now=present.now())
    messages.success(request, _("Saved."))
    return redirect(f"{reverse('mail_settings')}#desk")


def _snooze(request: HttpRequest, user: User) -> HttpResponse:
    form, now = SnoozeForm(request.POST), present.now()
    if not form.is_valid():
        return _page(request, user, status=HTTPStatus.UNPROCESSABLE_ENTITY, snooze=form)
    notification_preferences.snooze(user=user, until=form.until(user.recipient, now), now=now)
    messages.success(request, _("Saved."))
    return redirect("mail_settings")


def _page(request: HttpRequest, user: User, *, status: int = 200, **changes: object) -> HttpResponse:
    recipient, now = user.recipient, present.now()
    context = {
        "form": MailForm.of(recipient, ways=notification_preferences.channel_choices(user)),
        "snooze": SnoozeForm(),
        "desk": DeskForm(user=user) if user.has_perm(MODERATE_GAME) else None,
        "snoozed_until": _ahead(recipient.snoozed_until, now),
        "trouble": suppressions.why_suppressed(recipient.address),
        "quiet": recipient.quiet,
        "calendar_url": notification_preferences.calendar_url(user),
        **changes,
    }
    return render(request, "games/mail/settings.html", context, status=status)


def _ahead(instant: datetime | None, now: datetime) -> datetime | None:
    return instant if instant is not None and instant > now else None


@login_required
@require_safe
def told(request: HttpRequest) -> HttpResponse:
    """Lists the notices of this person, newest first, with channel, time and result; of one table if one is named.

    Raises NotFound for a table that he may not see.
    """
    user = require_user(request)
    game = queries.access_game(user, ref).game if (ref := request.GET.get("table", "").replace("\0", "")) else None
    history = ledger.History(user.recipient, game.thread if game else "")
    page = Paginator(cast("Sequence[ledger.Entry]", history), PER_PAGE).get_page(request.GET.get("page"))
    entries = list(page.object_list)
    titles = lists.titles_of_threads(user, {entry.notice.thread for entry in entries})
    rows = [(entry, titles.get(entry.notice.thread)) for entry in entries]
    return render(request, "games/mail/told.html", {"page": page, "rows": rows, "game": game})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def table_mail(request: HttpRequest, ref: str) -> HttpResponse:
    """How and when a player is told about one table; takes what the button that was pressed is for."""
    user, now = require_user(request), present.now()
    seat, ways = queries.access_seat(user, ref).seat, notification_preferences.channel_choices(user)
    assert seat is not None
    side = conversations.find_conversation(user.recipient, seat.game.thread)
    form, snooze, status = TableMailForm.of(seat, side, ways=ways), SnoozeForm(), 200
    if request.method == "POST" and request.POST.get("do") == "snooze":
        snooze, status = SnoozeForm(request.POST), HTTPStatus.UNPROCESSABLE_ENTITY
        if snooze.is_valid():
            notification_preferences.snooze(
                user=user, until=snooze.until(user.recipient, now), now=now, thread=seat.game.thread
            )
            return _saved(request, ref)
    elif request.method == "POST":
        form, status = TableMailForm(request.POST, ways=ways), HTTPStatus.UNPROCESSABLE_ENTITY
        if form.is_valid():
            clocks.choose_for_table(seat=seat, chosen=form.to_preferences(), now=now)
            return _saved(request, ref)
    context = {
        "form": form,
        "snooze": snooze,
        "snoozed_until": _ahead(side.snoozed_until if side else None, now),
        "game": seat.game,
    }
    return render(request, "games/mail/table_mail.html", context, status=status)


def _saved(request: HttpRequest, ref: str) -> HttpResponse:
    messages.success(request, _("Saved."))
    return redirect("table", ref=ref)


# Notifications on devices.


@require_POST
def switch_on_device(request: HttpRequest) -> JsonResponse:
    """Takes what a browser says of itself; with `again` it only says that it is still there. Answers as JSON.

    401 if the sign-in has ended since the page was loaded: led on to the page to sign in, a script would take that for
    a yes.
    """
    user, browser, now = signed_in(request), notification_preferences.browser_of(request), present.now()
    if user is None:
        said = _("Please sign in again before you do this.")
        return JsonResponse({"message": said}, status=HTTPStatus.UNAUTHORIZED)
    posted = {name: request.POST.get(name, "").replace("\0", "") for name in ("endpoint", "p256dh", "auth")}
    try:
        if "again" in request.POST:
            row = notification_preferences.record_push_use(user=user, url=posted["endpoint"], browser=browser, now=now)
        else:
            keys = BrowserKeys(posted["endpoint"], posted["p256dh"], posted["auth"])
            row = notification_preferences.switch_on_push(user=user, keys=keys, browser=browser, now=now)
    except ServiceError as error:
        return JsonResponse({"message": error.message}, status=error.status)
    return JsonResponse({"device": row.ref}, status=HTTPStatus.OK)


@login_required
@require_POST
def device(request: HttpRequest, ref: str) -> HttpResponse:
    """Stores what a device shows, or removes it, by the button that was pressed."""
    user = require_user(request)
    try:
        match request.POST.get("do", ""):
            case "remove":
                notification_preferences.switch_off_push(user=user, ref=ref, now=present.now())
                messages.success(request, _("Notifications are off on that device."))
            case "choose":
                notification_preferences.choose_push_topics(user=user, ref=ref, wanted=request.POST.getlist("wanted"))
                messages.success(request, _("Saved."))
            case _other:
                raise NotFound(_("There's no such button."))
    except NotFound:
        raise
    except ServiceError as error:
        messages.error(request, error.message)
    return HttpResponseRedirect(reverse("settings") + "#push")


# "Fewer mails like this one".

ANSWERS = ("here", "everywhere", "again")


# Mail programs and providers post here without cookies (RFC 8058): the token alone says who asks.
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def fewer_mails(request: HttpRequest, ref: str, game_ref: str, topic: str, token: str) -> HttpResponse:
    """Shows which mails can be stopped; GET changes nothing, POST does what the choice or the one click says."""
    user = notification_preferences.find_reader(ref, game_ref, topic, token)
    if user is None:
        return with_private_address(render(request, "404.html", status=404))
    game = Game.objects.filter(ref=game_ref).first() if game_ref != notification_preferences.NO_GAME else None
    is_sure = is_one_click(request) or confirming.is_confirmed(request)
    if request.method == "POST" and request.POST.get("answer") in ANSWERS and not is_sure:
        with translation.override(user.recipient.language):
            return with_private_address(confirming.choice_page(request, isolated(user.name)))
    is_missing = request.method == "POST" and not _act(request, user, topic, game)
    user.recipient.refresh_from_db()
    context = {**_context(user, topic, game), "is_missing": is_missing, "is_trusted": False}
    with translation.override(user.recipient.language):
        return with_private_address(
            render(request, "games/mail/fewer.html", context, status=422 if is_missing else 200)
        )


def _act(request: HttpRequest, user: User, topic: str, game: Game | None) -> bool:
    """Do what was chosen. A form sent untouched, as programs that examine mails do, has chosen nothing."""
    answer = request.POST.get("answer", "")
    if answer == "here" or is_one_click(request):
        notification_preferences.mute_topic(user=user, topic=topic, thread=game.thread if game else "")
    elif answer == "everywhere":
        notification_preferences.mute_topic(user=user, topic=topic)
    elif answer == "again":
        notification_preferences.unmute_topic(user=user, topic=topic, thread=game.thread if game else "")
    else:
        return False
    return True


def _context(user: User, topic: str, game: Game | None) -> dict[str, object]:
    topics = notification_preferences.optional_topics(topic, game.thread if game else "")
    names = {entry.name for entry in topics}
    side = conversations.find_conversation(user.recipient, game.thread) if game else None
    return {
        "game": game,
        "labels": [entry.label for entry in topics],
        "is_needed": not names,
        "is_by_game": any(entry.is_by_thread for entry in topics),
        "is_off_everywhere": bool(names) and names <= set(preferences.switched_off(user.recipient)),
        "is_off_here": bool(names) and side is not None and names <= set(side.muted),
    }


# Answers by mail that wait for a confirmation.


@csrf_exempt  # as the act links: who knows the address may act, and mail programs keep no cookies
@private
@require_http_methods(["GET", "HEAD", "OPTIONS", "POST"])
def confirm_reply(request: HttpRequest, ref: str, token: str) -> HttpResponse:
    """GET shows the answer and changes nothing; POST acts, if its writer has confirmed that it is his."""
    match = decision_links.find_held(ref, token)
    if match is None or not is_usable(match[1].seat):
        return link_not_found(request)
    inbound, row = match
    user, is_confirmed = row.seat.user, confirming.is_confirmed(request)
    with as_reader(row.seat):
        is_trusted = user is not None and sessions.is_trusted(request, user)
        is_acting = request.method == "POST" and inbound.state == Inbound.State.HELD
        if is_acting and not is_confirmed and not is_trusted:
            return confirming.choice_page(request, row.seat.spoken_name)
        if is_acting:
            inbound = receiving.confirm(inbound, present.now())
        context = {
            "game": row.game,
            "inbound": inbound,
            "is_held": inbound.state == Inbound.State.HELD,
            "is_done": inbound.state == Inbound.State.DONE,
            "said": inbound.answer.splitlines(),
            "person": row.seat.spoken_name,
            "is_trusted": is_trusted,
            "game_url": table_links.game_url(row.game),
        }
        response = render(request, "games/mail/confirm_reply.html", context)
        if user is not None and is_acting and is_confirmed and confirming.REMEMBER in request.POST:
            sessions.trust_device(request, response, user, present.now())
        return response


# The calendar of deadlines (RFC 5545), at a secret address that calendar programs poll.

REFRESH = timedelta(hours=1)
LENGTH = timedelta(minutes=30)  # of an entry, which ends with the deadline


@require_safe
@conditional_page
def calendar(request: HttpRequest, ref: str, token: str) -> HttpResponse:
    """The calendar, or a page that says there is none at this address."""
    user = notification_preferences.find_calendar(ref, token)
    if user is None:
        return with_private_address(render(request, "404.html", status=404))
    with translation.override(user.recipient.language):
        events = [*map(_event, lists.deadlines(user)), *map(_hour_event, lists.hours_together(user))]
        return with_private_address(calendar_of(settings.SITE_NAME, events))


def calendar_of(name: str, events: "Iterable[Event]") -> HttpResponse:
    """A calendar that programs subscribe to (RFC 5545)."""
    from icalendar import Calendar  # here and below, because it takes three megabytes that few webs need

    calendar = Calendar()
    calendar.add("prodid", f"-//{settings.SITE_NAME}//deadlines//")
    calendar.add("version", "2.0")
    calendar.add("name", name)
    calendar.add("x-wr-calname", name)
    calendar.add("refresh-interval", REFRESH, parameters={"value": "DURATION"})
    calendar.add("x-published-ttl", "PT1H")
    for event in events:
        calendar.add_component(event)
    response = HttpResponse(calendar.to_ical(), content_type="text/calendar; charset=utf-8")
    response.headers["Content-Disposition"] = 'inline; filename="deadlines.ics"'
    return response


def _event(row: Decision) -> "Event":
    """One deadline. It names the table and leads to its page; no link that acts leaves by a calendar.

    Each time it is moved it has a higher SEQUENCE: programs keep what they know of a UID until they see one.
    """
    assert row.due_at is not None, row
    moved = [extension.created_at for extension in row.extensions.all()]
    summary = _("Your move in %(table)s is due") % {"table": row.game.spoken_title}
    event = deadline(f"decision-{row.ref}", summary, row.due_at, max([row.opened_at, *moved]))
    event.add("sequence", len(moved))
    event.add("url", table_links.game_url(row.game))
    return event


def _hour_event(game: Game) -> "Event":
    """An hour together, which takes its reader's time."""
    from icalendar import Event

    assert game.hour_at is not None, game
    event = Event()
    event.add("uid", f"hour-{game.ref}-{game.hour_at:%Y%m%d%H%M}@{settings.MAIL_DOMAIN}")
    event.add("dtstamp", game.hour_at)
    event.add("dtstart", game.hour_at)
    event.add("dtend", game.hour_at + pauses.LASTS)
    event.add("summary", _("%(table)s plays live together") % {"table": game.spoken_title})
    event.add("url", table_links.game_url(game))
    return event


def deadline(uid: str, summary: str, due_at: datetime, changed_at: datetime) -> "Event":
    """An event that ends at a deadline and takes no time of its reader's."""
    from icalendar import Event

    event = Event()
    event.add("uid", f"{uid}@{settings.MAIL_DOMAIN}")
    event.add("dtstamp", changed_at)  # in a calendar without METHOD the same as LAST-MODIFIED (RFC 5545, 3.8.7.2)
    event.add("last-modified", changed_at)
    event.add("dtstart", due_at - LENGTH)
    event.add("dtend", due_at)
    event.add("summary", summary)
    event.add("transp", "TRANSPARENT")
    return event


# Samples beside the development mailbox.


@require_safe
def samples(request: HttpRequest) -> HttpResponse:
    """One kind in one language, as HTML or as text. Raises Http404 unless the mailbox is on, and for unknown kinds."""
    if not settings.MAILBOX_ENABLED:
        raise Http404
    kind, language = request.GET.get("kind", "due"), request.GET.get("language", "en")
    rules, games = request.GET.get("rules", "aladdins-dragons"), [entry.name for entry in newest()]
    if kind not in KINDS or language not in dict(settings.LANGUAGES) or rules not in games:
        raise Http404
    message = sample(kind, language, rules)
    context = {
        "kinds": KINDS,
        "kind": kind,
        "languages": settings.LANGUAGES,
        "language": language,
        "games": games,
        "rules": rules,
        "message": message,
        "frame": framed(render_sample(message)),
    }
    if request.GET.get("only") == "html":
        response = HttpResponse(render_sample(message))
        response.headers["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
        return response
    response = render(request, "games/mail/samples.html", context)
    response.shows_mail = True  # type: ignore[attr-defined]  # read by the content security policy
    return response


def render_sample(message: MailMessage) -> str:
    """The HTML as a mail program shows it: styles in the tags, pictures in their places."""
    html: str = INLINER.inline(message.html)
    for picture in message.pictures:
        html = html.replace(f"cid:{picture.cid}", picture.in_page())
    return html
