"""Email settings of a person and of one table, a test email, and the list of notices with their fate."""

from datetime import datetime
from http import HTTPStatus

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from games import links
from games.people import notification_preferences
from games.people.models import User
from games.play import queries
from games.play.notify import thread_of
from games.tables import lists
from games.web.mail.forms import MailForm, SnoozeForm, TableMailForm
from games.web.reader import require_user
from notifications import conversations, ledger, preferences
from notifications.channels.mail import suppressions
from notifications.clock import present

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
        "snoozed_until": _ahead(recipient.snoozed_until, now),
        "trouble": suppressions.why_suppressed(recipient.address),
        "quiet": recipient.quiet,
        "calendar_url": links.calendar_url(user),
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
    notices = ledger.notices_of(user.recipient, thread_of(game) if game else "")
    page = Paginator(notices, PER_PAGE).get_page(request.GET.get("page"))
    entries = ledger.entries(page.object_list)
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
    side = conversations.find_conversation(user.recipient, thread_of(seat.game))
    form, snooze, status = TableMailForm.of(seat, side, ways=ways), SnoozeForm(), 200
    if request.method == "POST" and request.POST.get("do") == "snooze":
        snooze, status = SnoozeForm(request.POST), HTTPStatus.UNPROCESSABLE_ENTITY
        if snooze.is_valid():
            notification_preferences.snooze(user=user, until=snooze.until(user.recipient, now), now=now, game=seat.game)
            return _saved(request, ref)
    elif request.method == "POST":
        form, status = TableMailForm(request.POST, ways=ways), HTTPStatus.UNPROCESSABLE_ENTITY
        if form.is_valid():
            notification_preferences.choose_for_table(seat=seat, chosen=form.to_preferences(), now=now)
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
