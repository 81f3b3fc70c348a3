"""Bot accounts: the pages of their owners, the directory of those that every host may seat, and matches of bots."""

from http import HTTPStatus

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from engine.registry import newest
from games.archive.ratings import ListedBot, listed_bots
from games.errors import Forbidden, NotFound, ServiceError
from games.lobby import bot_accounts
from games.lobby.lifecycle import LONGEST_BOT_NAME, terms_of
from games.people.models import ApiToken, User
from games.people.sessions import is_fresh
from games.tables import pace, webhooks
from games.tables.models import Game
from games.tables.settings import rules_named
from games.tournaments import matches
from games.tournaments.models import Match
from games.web.forms import NameField, refusals_in, sent, status_of
from games.web.opening import in_words
from games.web.reader import require_user, signed_in
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


def game_choices() -> list[tuple[str, str]]:
    """The games by name, each with its title."""
    return [(rules.name, in_words(rules, rules.title)) for rules in newest()]


class TakesForm(forms.Form):
    """The games that a bot takes."""

    takes_rules = forms.MultipleChoiceField(
        label=gettext_lazy("Games"),
        choices=game_choices,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy("Choose none for any."),
    )
    takes_paces = forms.MultipleChoiceField(
        label=gettext_lazy("Paces"),
        choices=pace.paces,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy("Choose none for any."),
    )
    takes_seat_counts = forms.TypedMultipleChoiceField(
        label=gettext_lazy("Seats at the table"),
        choices=lambda: [(count, str(count)) for count in sorted({n for rules in newest() for n in rules.seat_counts})],
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy("Choose none for any."),
    )
    takes_games = forms.IntegerField(
        label=gettext_lazy("Games at a time"),
        min_value=1,
        max_value=bot_accounts.MOST_GAMES,
        required=False,
        help_text=gettext_lazy("Leave it empty for any number."),
    )
    answers_invitations = forms.BooleanField(
        label=gettext_lazy("It answers invitations itself"),
        required=False,
        help_text=gettext_lazy("Its program accepts or declines. Otherwise it sits down when a host asks."),
    )

    @staticmethod
    def initial_of(bot: User) -> dict[str, object]:
        """The form as it is filled in now."""
        terms = terms_of(bot)
        return {name: getattr(terms, name) for name in TakesForm.base_fields}


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
            account = bot_accounts.create(owner=user, **form.cleaned_data, now=present.now())
            messages.success(request, _("Your bot is ready. Now it needs a token."))
            return redirect("bot", ref=account.ref)
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
        case "takes":
            return _save_takes(request, row)
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


def _save_takes(request: HttpRequest, row: User) -> HttpResponse:
    form = TakesForm(request.POST)
    if form.is_valid():
        with refusals_in(form):
            bot_accounts.set_terms(bot=row, **form.cleaned_data)
            messages.success(request, _("Saved."))
            return redirect("bot", ref=row.ref)
    return _page(request, row, status=status_of(form), takes_form=form)


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
        "takes_form": TakesForm(initial=TakesForm.initial_of(row)),
        "token_form": BotTokenForm(),
        "is_fresh": is_fresh(request),
        **changes,
    }
    return render(request, "games/accounts/bot.html", context, status=status)


# The directory, for everybody


@require_safe
def directory(request: HttpRequest) -> HttpResponse:
    """The bots that every host may seat, with their ratings among bots, and the latest matches."""
    games = game_choices()
    name = request.GET.get("game", "")
    name = name if name in dict(games) else games[0][0]
    rows = [(bot, _takes_in_words(bot), _rating(bot, name)) for bot in listed_bots(name)]
    shown = [(row, dict(games).get(row.rules_name, row.rules_name)) for row in matches.latest()]
    context = {"games": games, "name": name, "rows": rows, "matches": shown}
    return render(request, "games/accounts/bot_directory.html", context)


def _rating(bot: ListedBot, name: str) -> object:
    return next((row for row in bot.ratings if row.rules_name == name), None)


def _takes_in_words(bot: ListedBot) -> list[str]:
    """Returns what else than the game a host should know."""
    terms, labels = bot.terms, {speed.name: speed.title or speed.label for speed in pace.all_paces()}
    words = []
    if terms.takes_paces:
        words.append(", ".join(str(labels.get(name, name)) for name in terms.takes_paces))
    if terms.takes_seat_counts:
        counts = ", ".join(map(str, terms.takes_seat_counts))
        words.append(_("%(counts)s seats") % {"counts": counts})
    if terms.takes_games:
        words.append(_("games at a time: %(count)s") % {"count": terms.takes_games})
    if terms.answers_invitations:
        words.append(_("answers invitations itself"))
    return words


# Matches


class MatchForm(forms.Form):
    """A match of bots."""

    rules_name = forms.ChoiceField(label=gettext_lazy("Game"), choices=game_choices)
    bots = forms.MultipleChoiceField(
        label=gettext_lazy("Bots"),
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy(
            "All play in each game. One of them must be yours. A match is public: a bot that only you can seat is "
            "named there, too."
        ),
    )
    games = forms.IntegerField(
        label=gettext_lazy("Number of games"), min_value=1, max_value=matches.MOST_GAMES, initial=10
    )
    pace = forms.ChoiceField(label=gettext_lazy("Pace"), choices=pace.paces, initial="live")

    def __init__(self, owner: User, data: QueryDict | None = None) -> None:
        super().__init__(data)
        names = [bot.name for bot in bot_accounts.own(owner).filter(paused_at=None, is_active=True)]
        names += [bot.name for bot in bot_accounts.listed() if bot.name not in names]
        self.fields["bots"].choices = [(name, name) for name in names]  # type: ignore[attr-defined]  # of this field


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_match(request: HttpRequest) -> HttpResponse:
    """Shows and takes the form of a match."""
    user = require_user(request)
    form = MatchForm(user, sent(request))
    if form.is_valid():
        with refusals_in(form):
            plan = matches.MatchPlan(**form.cleaned_data)
            made = matches.open_match(owner=user, plan=plan, now=present.now())
            messages.success(request, _("The match is open. Its games start by themselves."))
            return redirect("match", ref=made.ref)
    return render(request, "games/accounts/new_match.html", {"form": form}, status=status_of(form))


@require_http_methods(["GET", "HEAD", "POST"])
def match(request: HttpRequest, ref: str) -> HttpResponse:
    """A match with its results, for everybody; who has opened it may end it."""
    row, user = _match(ref), signed_in(request)
    if request.method == "POST" and user is not None:
        try:
            matches.call_off(match=row, by=user, now=present.now())
        except ServiceError as error:
            messages.error(request, error.message)
        return redirect("match", ref=ref)
    games = matches.games_of(row)
    rules = rules_named(row.rules_name)
    context = {
        "match": row,
        "rules": in_words(rules, rules.title),
        "results": matches.results(row, games),
        "games": games,
        "may_end": user is not None and user.pk == row.owner_id and row.status == Match.Status.RUNNING,
    }
    return render(request, "games/accounts/match.html", context)


@require_safe
def match_csv(request: HttpRequest, ref: str) -> HttpResponse:
    """The results of a match as a file for spreadsheets."""
    row = _match(ref)
    named = {"Content-Disposition": f'attachment; filename="match-{row.ref}.csv"'}
    return HttpResponse(matches.as_csv(row), content_type="text/csv; charset=utf-8", headers=named)


def _match(ref: str) -> Match:
    try:
        return matches.find(ref)
    except NotFound as error:
        raise Http404(error.message) from error
