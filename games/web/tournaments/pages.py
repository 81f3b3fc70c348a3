"""The list of tournaments, the page of one, and the form of a new one."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from engine.registry import newest
from games.errors import NotFound
from games.moderation.forms import ReasonForm
from games.people.models import User
from games.tables import pace
from games.tables.plans import rules_named
from games.tournaments import opening, queries
from games.tournaments.models import Entrant, Tournament
from games.web.clubs.forms import ClubReportForm
from games.web.form_errors import refusals_in, sent, status_of
from games.web.people import require_user, signed_in
from games.web.tables.game_form import find_rules, in_words
from games.web.tables.waiting_room import options_in_words
from games.web.tournaments.forms import CLOCKS, EnterBotForm, RemoveForm, TournamentForm
from notifications.clock import present


@require_safe
def tournaments(request: HttpRequest) -> HttpResponse:
    """The tournaments that can be entered, that are being played, and the last that are over."""
    groups = [
        (_("Open for entries"), queries.open_for_entries(signed_in(request))),
        (_("Running"), queries.running()),
        (_("Finished"), queries.over()),
    ]
    shown = [(label, [card(row) for row in rows]) for label, rows in groups if rows]
    return render(request, "games/tournaments/tournaments.html", {"groups": shown})


def card(row: Tournament) -> dict[str, object]:
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
    if form.is_valid():
        with refusals_in(form):
            row = opening.open_tournament(host=require_user(request), plan=form.plan(), now=present.now())
            told = _("Your tournament is open for entries. Send people its address, and enter it if you play too.")
            messages.success(request, told)
            return redirect("tournament", ref=row.ref)
    games = [(known.name, in_words(known, known.title)) for known in newest()]
    context = {"form": form, "games": games, "chosen": rules.name, "rules_title": in_words(rules, rules.title)}
    return render(request, "games/tournaments/new_tournament.html", context, status=status_of(form))


@require_safe
def tournament(request: HttpRequest, ref: str) -> HttpResponse:
    """A tournament: its rules, who has entered, its rounds and standings; for its host also his tools."""
    row, user = find(ref), signed_in(request)
    rules = rules_named(row.rules_name)
    entered = queries.entrants(row)
    context = {
        **card(row),
        "options": options_in_words(rules, row.options),
        "clocks": [str(one.about.told) for one in CLOCKS if one.about.told and getattr(row, one.name)],
        "entry": (entry := queries.entry_of(row, user)),
        "own_table": queries.own_table(entry) if entry else None,
        "is_full": len(entered) >= row.most,
        "entrants": entered,
        "standings": queries.standings(row),
        "rounds": queries.rounds_of(row),
        "may_report": user is not None and user.pk != row.host_id and not (user.is_bot or user.is_guest),
        "report_form": ClubReportForm(),
        **_host_tools(row, user, entered),
    }
    return render(request, "games/tournaments/tournament.html", context)


def find(ref: str) -> Tournament:
    """The tournament; 404 if there is none."""
    try:
        return queries.find(ref)
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
