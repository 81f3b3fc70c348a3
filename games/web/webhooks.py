"""Webhooks: a person's own, those of a table, club or tournament of his, and what was sent to one of them."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from games.clubs import clubs
from games.errors import NotFound, ServiceError
from games.play import queries
from games.play.letters import event_choices
from games.tables import webhooks
from games.tables.webhooks import WebhookSettings
from games.tournaments import tournaments
from games.web.forms import refusals_in, sent, status_of
from games.web.reader import posted, require_user
from notifications import ledger
from notifications.channels.webhook.models import NAME_LENGTH
from notifications.clock import present
from notifications.models import Endpoint

# The form of a webhook.


class WebhookForm(forms.Form):
    """Where notices go, in which shape, and which."""

    url = forms.URLField(
        label=gettext_lazy("Address"),
        max_length=webhooks.LONGEST_ADDRESS,
        assume_scheme="https",
        widget=forms.URLInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        help_text=gettext_lazy("Starts with https://. We store it encrypted and don't show it again."),
    )
    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=NAME_LENGTH,
        required=False,
        help_text=gettext_lazy("To help you recognise it, such as “our channel”."),
    )
    shape = forms.ChoiceField(
        label=gettext_lazy("Format"),
        choices=webhooks.shapes,
        widget=forms.RadioSelect,
        initial=webhooks.AUTO,
        help_text=gettext_lazy("Discord and Slack addresses are detected automatically."),
    )
    events = forms.MultipleChoiceField(
        label=gettext_lazy("Events"),
        choices=event_choices,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": gettext_lazy("Choose at least one event, or delete the webhook.")},
    )

    def __init__(self, data: QueryDict | None = None, *, endpoint: Endpoint | None = None) -> None:
        """The form of a webhook, or of a new one."""
        super().__init__(data, initial=initial_of(endpoint))
        if endpoint is not None:
            self.fields["url"].required = False
            self.fields["url"].label = gettext_lazy("New address")
            self.fields["url"].help_text = gettext_lazy("Leave empty to keep the current one.")

    def clean_url(self) -> str:
        """The address, if anything would ever be sent to it."""
        url: str = self.cleaned_data["url"]
        if url and (words := webhooks.why_not(url)):
            raise forms.ValidationError(words)
        return url

    def to_settings(self) -> WebhookSettings:
        """The webhook as it was filled in. Only for a form that is valid."""
        data = self.cleaned_data
        is_all = len(data["events"]) == len(event_choices())
        return WebhookSettings(data["url"], data["name"], data["shape"], None if is_all else data["events"])


def initial_of(endpoint: Endpoint | None) -> dict[str, object]:
    """The form as it is filled in now; everything is wanted of a new one."""
    if endpoint is None:
        return {"shape": webhooks.AUTO, "events": [event for event, _label in event_choices()]}
    return {"name": endpoint.name, "shape": endpoint.shape, "events": webhooks.events_of(endpoint)}


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


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def club_webhooks(request: HttpRequest, ref: str) -> HttpResponse:
    """Lists the webhooks of a club for its owner, with the form of a new one."""
    return _list(request, clubs.find_club(require_user(request), ref))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def tournament_webhooks(request: HttpRequest, ref: str) -> HttpResponse:
    """Lists the webhooks of a tournament for its host, with the form of a new one."""
    return _list(request, tournaments.find_tournament(ref))


PAGES = {"game": "table", "club": "club", "tournament": "tournament"}


def _source(row: Endpoint) -> dict[str, str] | None:
    """Returns the table, club or tournament of a webhook, with its pages; None for a person's own."""
    if (source := webhooks.source_of(row)) is None:
        return None
    kind, ref, title = source
    page = PAGES[kind]
    return {
        "kind": kind,
        "title": title,
        "url": reverse(page, args=[ref]),
        "webhooks_url": reverse(f"{page}_webhooks", args=[ref]),
    }


def _list(request: HttpRequest, source: Any) -> HttpResponse:
    user = require_user(request)
    rows = webhooks.of_source(user, source) if source else webhooks.own(user)
    form = WebhookForm(sent(request))
    if form.is_valid():
        with refusals_in(form, "url"):
            webhook = webhooks.create(user=user, wanted=form.to_settings(), source=source, now=present.now())
            return _page(request, webhook, secret=webhook.secret)
    shown = [(row, webhooks.state_of(row), _source(row)) for row in rows]
    context = {"form": form, "rows": shown, "source": _source(Endpoint(thread=source.thread)) if source else None}
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
    source = _source(row)
    webhooks.remove(endpoint=row, now=present.now())
    messages.success(request, _("The webhook is deleted."))
    return redirect(source["webhooks_url"] if source else "webhooks")


def _page(request: HttpRequest, row: Endpoint, *, status: int = 200, **changes: object) -> HttpResponse:
    page = Paginator(webhooks.deliveries(row), PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "endpoint": row,
        "state": webhooks.state_of(row),
        "source": _source(row),
        "form": WebhookForm(endpoint=row),
        "page": page,
        "sent": ledger.calls(page.object_list),
        **changes,
    }
    return render(request, "games/mail/webhook.html", context, status=status)
