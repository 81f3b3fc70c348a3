"""The form of a bot account."""

from http import HTTPStatus

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from games.errors import Forbidden, NotFound
from games.lobby import bot_accounts
from games.lobby.lifecycle import LONGEST_BOT_NAME
from games.people.models import ApiToken, User
from games.people.sessions import is_fresh
from games.tables import webhooks
from games.tables.models import Game
from games.web.forms import NameField, refusals_in, sent, status_of
from games.web.reader import require_user
from notifications.clock import present


class BotForm(forms.Form):
    """The name of a bot, and who may seat it."""

    name = NameField(
        label=gettext_lazy("Name"),
        max_length=LONGEST_BOT_NAME,
        help_text=gettext_lazy(
            "Hosts seat it by this name, which must be unique. At the table it's shown with “Bot” in front."
        ),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    is_for_all = forms.BooleanField(
        label=gettext_lazy("Any host can seat it"),
        required=False,
        help_text=gettext_lazy("Otherwise only you can, at tables you host."),
    )

    @staticmethod
    def initial_of(bot: User) -> dict[str, object]:
        """The form as it is filled in now."""
        return {"name": bot.name, "is_for_all": bot.is_for_all}


class BotTokenForm(forms.Form):
    """The scopes of a bot's new token."""

    scopes = forms.MultipleChoiceField(
        label=gettext_lazy("What may it do?"),
        choices=[
            (ApiToken.Scope.READ.value, gettext_lazy("read its games")),
            (ApiToken.Scope.PLAY.value, gettext_lazy("read its games, play and talk")),
            (ApiToken.Scope.ACCOUNT.value, gettext_lazy("have its own webhooks")),
        ],
        initial=[ApiToken.Scope.PLAY.value, ApiToken.Scope.ACCOUNT.value],
        widget=forms.CheckboxSelectMultiple,
    )


# A person's bots: all of them, and one with its token and its buttons.


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def own_bots(request: HttpRequest) -> HttpResponse:
    """Shows a person's bots, and the form of a new one."""
    user = require_user(request)
    form = BotForm(sent(request))
    if form.is_valid():
        with refusals_in(form, "name"):
            made = bot_accounts.create(owner=user, **form.cleaned_data, now=present.now())
            messages.success(request, _("Your bot is ready. Now it needs a token."))
            return redirect("bot", ref=made.ref)
    rows = [(bot, bot_accounts.state_of(bot)) for bot in bot_accounts.own(user)]
    context = {"form": form, "rows": rows, "most": bot_accounts.MOST}
    return render(request, "games/accounts/bots.html", context, status=status_of(form))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def bot(request: HttpRequest, ref: str) -> HttpResponse:
    """One bot: how it fares, its token, its name, and its buttons."""
    row = bot_accounts.find(require_user(request), ref)
    if request.method != "POST":
        return _page(request, row)
    match request.POST.get("do", ""):
        case "save":
            return _save(request, row)
        case "renew":
            return _renew(request, row)
        case "close":
            return _close(request, row)
        case other:
            messages.success(request, _press(row, other))
            return redirect("bot", ref=ref)


def _press(row: User, button: str) -> str:
    now = present.now()
    match button:
        case "revoke":
            bot_accounts.revoke_token(bot=row, now=now)
            return _("The token is revoked. Programs that use it no longer have access.")
        case "pause":
            bot_accounts.switch(bot=row, is_on=False, now=now)
            return _("Your bot is paused. No table waits for it.")
        case "go-on":
            bot_accounts.switch(bot=row, is_on=True, now=now)
            return _("Your bot can play again. Its program must return to each table itself.")
    raise NotFound(_("There's no such button."))


def _save(request: HttpRequest, row: User) -> HttpResponse:
    form = BotForm(request.POST)
    if form.is_valid():
        with refusals_in(form, "name"):
            bot_accounts.change(bot=row, **form.cleaned_data)
            messages.success(request, _("Saved."))
            return redirect("bot", ref=row.ref)
    row.refresh_from_db()
    return _page(request, row, status=status_of(form), form=form)


def _renew(request: HttpRequest, row: User) -> HttpResponse:
    form = BotTokenForm(request.POST)
    if not form.is_valid():
        return _page(request, row, status=HTTPStatus.UNPROCESSABLE_ENTITY, token_form=form)
    if not is_fresh(request):
        messages.warning(request, _("Please sign in again before you do this."))
        return _page(request, row, status=Forbidden.status, token_form=form)
    key = bot_accounts.renew_token(bot=row, scopes=form.cleaned_data["scopes"], now=present.now())
    return _page(request, row, new_token=key)


def _close(request: HttpRequest, row: User) -> HttpResponse:
    bot_accounts.close(bot=row, now=present.now())
    messages.success(request, _("The bot's account is closed. Its games go on without it."))
    return redirect("bots")


def _page(request: HttpRequest, row: User, *, status: int = 200, **changes: object) -> HttpResponse:
    running = row.seats.filter(game__status=Game.Status.RUNNING).select_related("game").defer("game__state")
    context = {
        "bot": row,
        "state": bot_accounts.state_of(row),
        "token": bot_accounts.token_of(row),
        "seats": running.order_by("pk"),
        "hooks": [(hook.host, webhooks.state_of(hook)) for hook in webhooks.own(row)],
        "form": BotForm(initial=BotForm.initial_of(row)),
        "token_form": BotTokenForm(),
        "is_fresh": is_fresh(request),
        **changes,
    }
    return render(request, "games/accounts/bot.html", context, status=status)
