"""Webhooks: a person's own, those of a table he hosts, and what was sent to one of them."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.errors import NotFound, ServiceError
from games.people import webhooks
from games.play import queries
from games.tables.models import Game
from games.web.forms import refusals_in, sent, status_of
from games.web.mail.webhook_form import WebhookForm
from games.web.reader import posted, require_user
from notifications import ledger
from notifications.clock import present
from notifications.models import Endpoint

PER_PAGE = 20


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def own_webhooks(request: HttpRequest) -> HttpResponse:
    """Lists a person's webhooks, with the form of a new one."""
    return _list(request, None)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def table_webhooks(request: HttpRequest, ref: str) -> HttpResponse:
    """Lists the webhooks of a table for its host, with the form of a new one."""
    return _list(request, queries.access_game(require_user(request), ref).game)


def _list(request: HttpRequest, game: Game | None) -> HttpResponse:
    user = require_user(request)
    rows = webhooks.of_table(user, game) if game else webhooks.own(user)
    form = WebhookForm(sent(request))
    if form.is_valid():
        with refusals_in(form, "url"):
            made = webhooks.create(user=user, wanted=form.to_settings(), game=game, now=present.now())
            return _page(request, made, secret=made.secret)
    shown = [(row, webhooks.state_of(row), webhooks.game_of(row)) for row in rows]
    context = {"form": form, "rows": shown, "game": game}
    return render(request, "games/mail/webhooks.html", context, status=status_of(form))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def webhook(request: HttpRequest, ref: str) -> HttpResponse:
    """One webhook: how it fares, what was sent, and its buttons."""
    row = webhooks.find(require_user(request), ref)
    if request.method != "POST":
        return _page(request, row)
    match request.POST.get("do", ""):
        case "save":
            return _save(request, row)
        case "renew":
            return _page(request, row, secret=webhooks.renew_secret(endpoint=row, now=present.now()))
        case "remove":
            return _remove(request, row)
        case other:
            try:
                messages.success(request, _press(request, row, other))
            except NotFound:
                raise
            except ServiceError as error:
                messages.error(request, error.message)
            return redirect("webhook_page", ref=ref)


def _press(request: HttpRequest, row: Endpoint, button: str) -> str:
    now = present.now()
    match button:
        case "ping":
            webhooks.ping(endpoint=row, now=now)
            return _("A test is on its way.")
        case "on":
            webhooks.switch(endpoint=row, is_on=True, now=now)
            return _("The webhook is on.")
        case "off":
            webhooks.switch(endpoint=row, is_on=False, now=now)
            return _("The webhook is off.")
        case "again":
            webhooks.send_again(endpoint=row, message_id=posted(request, "message"), now=now)
            return _("Sending it again, with the same id.")
    raise NotFound(_("There's no such button."))


def _save(request: HttpRequest, row: Endpoint) -> HttpResponse:
    form = WebhookForm(request.POST, endpoint=row)
    if form.is_valid():
        with refusals_in(form, "url"):
            webhooks.change(endpoint=row, wanted=form.to_settings(), now=present.now())
            messages.success(request, _("Saved."))
            return redirect("webhook_page", ref=row.ref)
    return _page(request, row, status=status_of(form), form=form)


def _remove(request: HttpRequest, row: Endpoint) -> HttpResponse:
    if request.POST.get("sure") != "yes":
        messages.error(request, _("Tick the box to confirm that you want to delete the webhook. Nothing was changed."))
        return redirect("webhook_page", ref=row.ref)
    game = webhooks.game_of(row)
    webhooks.remove(endpoint=row, now=present.now())
    messages.success(request, _("The webhook is deleted."))
    return redirect("table_webhooks", ref=game.ref) if game else redirect("webhooks")


def _page(request: HttpRequest, row: Endpoint, *, status: int = 200, **changes: object) -> HttpResponse:
    page = Paginator(webhooks.deliveries(row), PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "endpoint": row,
        "state": webhooks.state_of(row),
        "game": webhooks.game_of(row),
        "form": WebhookForm(endpoint=row),
        "page": page,
        "sent": ledger.calls(page.object_list),
        **changes,
    }
    return render(request, "games/mail/webhook.html", context, status=status)
