"""Tournaments: the list, the page of one with its buttons, and the form of a new one."""

from collections.abc import Callable
from datetime import timedelta
from functools import wraps

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from engine.registry import AnyRules
from games.errors import NotFound, ServiceError
from games.moderation import reports
from games.moderation.forms import ReasonForm, RemoveForm
from games.people.models import User
from games.tables import pace
from games.tables.settings import SETTINGS, Group, rules_named
from games.tournaments import tournaments
from games.tournaments.models import LONGEST_ABOUT, MOST_DAYS, MOST_ENTRANTS, MOST_ROUNDS, Entrant, Tournament
from games.tournaments.tournaments import TournamentPlan
from games.web.clubs.forms import ClubReportForm
from games.web.forms import refusals_in, sent, status_of
from games.web.opening import USUAL, GameForm, find_rules, in_words, pictured_games, setting_field
from games.web.reader import posted, require_user, signed_in
from games.web.waiting_room import options_in_words
from notifications.clock import present

# Forms.

AT = "%Y-%m-%dT%H:%M"  # as browsers send a local time
IN_A_WEEK, EVENING = timedelta(days=7), 20  # o'clock
CLOCKS = [setting for setting in SETTINGS if setting.about.group == Group.CLOCKS]


class TournamentForm(GameForm):
    """A tournament, in the words a host would use."""

    size = "table_size"
    title = forms.CharField(
        label=gettext_lazy("Tournament name"),
        required=False,
        max_length=60,
        help_text=gettext_lazy("For example “Winter Cup”. If you leave it empty, the tournament is named after you."),
    )
    about = forms.CharField(
        label=gettext_lazy("What players should know (optional)"),
        required=False,
        max_length=LONGEST_ABOUT,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    table_size = forms.TypedChoiceField(
        label=gettext_lazy("Players per table"),
        coerce=int,
        widget=forms.RadioSelect,
    )
    rounds = forms.IntegerField(label=gettext_lazy("Rounds"), min_value=1, max_value=MOST_ROUNDS, initial=3)
    round_days = forms.IntegerField(
        label=gettext_lazy("Days per round at most"),
        min_value=1,
        max_value=MOST_DAYS,
        initial=60,
        help_text=gettext_lazy(
            "A round ends when all its tables have finished. Tables that take longer than this count as a tie."
        ),
    )
    closes_at = forms.DateTimeField(
        label=gettext_lazy("Entries close"),
        input_formats=[AT],
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format=AT),
        help_text=gettext_lazy("In your time zone. The first round starts right then."),
    )
    fewest = forms.IntegerField(
        label=gettext_lazy("Players at least"),
        min_value=2,
        max_value=MOST_ENTRANTS,
        initial=USUAL,
        help_text=gettext_lazy("If fewer have entered by then, the tournament is called off and everyone is told."),
    )
    most = forms.IntegerField(label=gettext_lazy("Players at most"), min_value=2, max_value=MOST_ENTRANTS, initial=64)
    allows_bots = forms.BooleanField(
        label=gettext_lazy("Allow bot accounts"),
        required=False,
        help_text=gettext_lazy("You enter them by name. Everyone sees that they're bots."),
    )

    def __init__(self, rules: AnyRules, data: QueryDict | None = None) -> None:
        super().__init__(rules, data)
        counts = list(rules.seat_counts)
        self.choose(
            "table_size", [(count, str(count)) for count in counts], initial=USUAL if USUAL in counts else max(counts)
        )
        for setting in CLOCKS:
            self.fields[setting.name] = setting_field(setting)
        evening = timezone.localtime(present.now() + IN_A_WEEK).replace(hour=EVENING, minute=0, second=0, microsecond=0)
        self.fields["closes_at"].initial = evening

    def plan(self) -> TournamentPlan:
        """The plan of the tournament. Only for a form that is valid."""
        named = (*PLAIN, *(setting.name for setting in CLOCKS))
        facts = {name: self.cleaned_data[name] for name in named}
        return TournamentPlan(rules_name=self.rules.name, options=self.chosen_options(), **facts)

    def has_more_errors(self) -> bool:
        """Whether something is wrong among the options that are folded away."""
        return any(name not in ("table_size", "rounds", "closes_at", "__all__") for name in self.errors)

    def clock_fields(self) -> list[forms.BoundField]:
        """The fields about when clocks stop."""
        return [self[setting.name] for setting in CLOCKS]


PLAIN = (
    "title", "about", "table_size", "rounds", "round_days", "closes_at", "fewest", "most", "allows_bots", "pace",
)  # fmt: skip


class EnterBotForm(forms.Form):
    """Asks for the name of a bot account."""

    name = forms.CharField(label=gettext_lazy("Name of the bot account"), max_length=40)


# Pages.


@require_safe
def list_tournaments(request: HttpRequest) -> HttpResponse:
    """The tournaments that can be entered, that are being played, and the last that are over."""
    groups = [
        (_("Open for entries"), tournaments.open_for_entries(signed_in(request))),
        (_("Running"), tournaments.running()),
        (_("Finished"), tournaments.over()),
    ]
    shown = [(label, [tournament_card(row) for row in rows]) for label, rows in groups if rows]
    return render(request, "games/tournaments/tournaments.html", {"groups": shown})


def tournament_card(row: Tournament) -> dict[str, object]:
    """A tournament in a list."""
    rules = rules_named(row.rules_name)
    return {
        "tournament": row,
        "rules": in_words(rules, rules.title),
        "pace": dict(pace.paces()).get(row.pace, row.pace),
    }


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_tournament(request: HttpRequest) -> HttpResponse:
    """Opens a tournament. Another game than the first is chosen by `?game=`."""
    rules = find_rules(request.GET.get("game"))
    form = TournamentForm(rules, sent(request))
    form.begin_with(request.GET)
    if form.is_valid():
        with refusals_in(form):
            row = tournaments.open_tournament(host=require_user(request), plan=form.plan(), now=present.now())
            notice = _("Your tournament is open for entries. Send people its address, and enter it if you play too.")
            messages.success(request, notice)
            return redirect("tournament", ref=row.ref)
    query = f"game={rules.name}"
    context = {"form": form, "games": pictured_games(lambda name: f"game={name}"), "chosen": rules.name, "query": query}
    return render(request, "games/tournaments/new_tournament.html", context, status=status_of(form))


@require_safe
def tournament(request: HttpRequest, ref: str) -> HttpResponse:
    """A tournament: its rules, who has entered, its rounds and standings; for its host also his tools."""
    row, user = find_tournament(ref), signed_in(request)
    rules = rules_named(row.rules_name)
    entered = tournaments.entrants(row)
    context = {
        **tournament_card(row),
        "options": options_in_words(rules, row.options),
        "clocks": [str(clock.about.told) for clock in CLOCKS if clock.about.told and getattr(row, clock.name)],
        "entry": (entry := tournaments.entry_of(row, user)),
        "own_table": tournaments.own_table(entry) if entry else None,
        "is_full": len(entered) >= row.most,
        "entrants": entered,
        "standings": tournaments.standings(row),
        "rounds": tournaments.rounds_of(row),
        "may_report": user is not None and user.pk != row.host_id and not (user.is_bot or user.is_guest),
        "report_form": ClubReportForm(),
        **_host_tools(row, user, entered),
    }
    return render(request, "games/tournaments/tournament.html", context)


def find_tournament(ref: str) -> Tournament:
    """The tournament; 404 if there is none."""
    try:
        return tournaments.find_tournament(ref)
    except NotFound as error:
        raise Http404(str(error)) from error


def _host_tools(row: Tournament, user: User | None, entered: list[Entrant]) -> dict[str, object]:
    """The forms of the host of a tournament that is not over; {} for others."""
    if user is None or row.host_id != user.pk or row.is_over:
        return {}
    plays = row.is_played_by(user)
    return {
        "is_host": True,
        "plays": plays,
        "remove_form": RemoveForm(about=row) if entered and not plays else None,
        "call_off_form": ReasonForm(prefix="off") if row.is_open or not plays else None,
        "bot_form": EnterBotForm() if row.allows_bots and row.is_open else None,
    }


# Buttons: each calls one service, says what came of it, and returns to the page.

Button = Callable[..., str]


def button(act: Button) -> Callable[..., HttpResponse]:
    """Makes a page of `act(user, tournament, request)`, which returns what to say; refusals are said there, too."""

    @wraps(act)
    def page(request: HttpRequest, ref: str) -> HttpResponse:
        row = find_tournament(ref)
        try:
            messages.success(request, act(require_user(request), row, request))
        except ServiceError as error:
            messages.error(request, error.message)
        return redirect("tournament", ref=row.ref)

    return login_required(require_POST(page))


@button
def enter(user: User, row: Tournament, request: HttpRequest) -> str:
    """Enters the reader."""
    tournaments.enter(tournament_id=row.pk, user=user, now=present.now())
    return _("You've entered. We'll email you when your first game starts.")


@button
def leave(user: User, row: Tournament, request: HttpRequest) -> str:
    """Takes the reader out."""
    tournaments.leave(tournament_id=row.pk, user=user, now=present.now())
    return _("You've left the tournament.")


@button
def enter_bot(user: User, row: Tournament, request: HttpRequest) -> str:
    """Enters a bot account."""
    name = posted(request, "name")
    entrant = tournaments.enter_bot(tournament_id=row.pk, host=user, name=name, now=present.now())
    return _("%(name)s has entered.") % {"name": entrant.spoken_name}


@button
def start(user: User, row: Tournament, request: HttpRequest) -> str:
    """Closes the entries now."""
    tournaments.start_now(tournament_id=row.pk, by=user, now=present.now())
    return _("Entries are closed and the first round is drawn. The games start in a moment.")


@button
def end_round(user: User, row: Tournament, request: HttpRequest) -> str:
    """Ends the round of the form, if it is still the one that is played."""
    tournaments.end_round(tournament_id=row.pk, by=user, number=_round(posted(request, "round")), now=present.now())
    return _("The round is over.")


@button
def call_off(user: User, row: Tournament, request: HttpRequest) -> str:
    """Calls it off."""
    reason = posted(request, "off-reason")
    tournaments.call_off(tournament_id=row.pk, by=user, reason=reason, now=present.now())
    return _("The tournament is called off. Everyone who had entered will be told.")


@button
def remove_entrant(user: User, row: Tournament, request: HttpRequest) -> str:
    """Removes a player."""
    entrant, reason = posted(request, "entrant"), posted(request, "reason")
    tournaments.remove_entrant(tournament_id=row.pk, by=user, entrant=entrant, reason=reason, now=present.now())
    return _("The player was removed, and will be told why.")


@button
def report(user: User, row: Tournament, request: HttpRequest) -> str:
    """Reports it to the moderators."""
    reports.report_tournament(tournament=row, by=user, text=posted(request, "text"), now=present.now())
    return _("Thank you. A moderator will look at it.")


def _round(text: str) -> int:
    """The number of a round; 0, which is none, for what cannot be one."""
    return int(text) if text.isdecimal() and len(text) <= len(str(MOST_ROUNDS)) else 0
