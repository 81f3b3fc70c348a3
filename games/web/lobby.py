"""The search form of the lobby: every field is optional, and a value that cannot be is ignored."""

from dataclasses import replace
from http import HTTPStatus

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext_lazy
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from engine.registry import newest
from games.errors import Conflict, ServiceError
from games.lobby import invitations, lifecycle
from games.moderation.tables import accept_seat
from games.people import inviting, sessions
from games.people.models import User
from games.people.names import isolated
from games.play import absences, lists, queries, stewards
from games.play.lists import TableFilter
from games.tables import boards, pace, table_links
from games.tables.models import Game
from games.tables.seats import Invitation, Seat
from games.tournaments import tournaments
from games.web.clubs import blocking
from games.web.forms import refusals_in, sent, status_of
from games.web.opening import InvitationForm, JoinForm, JoinWishes, in_words
from games.web.reader import require_user, signed_in, signed_in_as_another, with_private_address
from games.web.site import names, table_card
from games.web.tournaments import tournament_card
from games.web.waiting_room import about
from notifications import confirming
from notifications.channels.mail.suppressions import never_write_url
from notifications.clock import present

ANY = ("", gettext_lazy("any"))
MOST_FREE = 4


def _games() -> list[tuple[str, str | Promise]]:
    return [ANY, *((rules.name, in_words(rules, rules.title)) for rules in newest())]


def _free_seats() -> list[tuple[str, str | Promise]]:
    words = ngettext_lazy("at least %(count)s seat", "at least %(count)s seats", "count")
    return [ANY, *((str(count), words % {"count": count}) for count in range(2, MOST_FREE + 1))]


class FindTableForm(forms.Form):
    """Which tables to show."""

    game = forms.ChoiceField(label=gettext_lazy("Game"), required=False, choices=_games)
    free = forms.ChoiceField(label=gettext_lazy("Free seats"), required=False, choices=_free_seats)
    pace = forms.ChoiceField(label=gettext_lazy("Pace"), required=False, choices=lambda: [ANY, *pace.paces()])
    language = forms.ChoiceField(
        label=gettext_lazy("The host’s language"), required=False, choices=[ANY, *settings.LANGUAGES]
    )
    bots = forms.ChoiceField(
        label=gettext_lazy("Bots"),
        required=False,
        choices=[ANY, ("no", gettext_lazy("people only")), ("yes", gettext_lazy("with bots"))],
    )

    def to_filter(self) -> TableFilter:
        """The filter; a value that is not valid is left out."""
        self.is_valid()
        data = self.cleaned_data
        return TableFilter(
            rules=data.get("game", ""),
            free=int(data.get("free") or 1),
            pace=data.get("pace", ""),
            language=data.get("language", ""),
            has_bots={"yes": True, "no": False}.get(data.get("bots", "")),
        )

    @property
    def is_empty(self) -> bool:
        """True if nothing in particular is looked for."""
        return self.to_filter() == TableFilter()


# Finding a table, opening one, and sitting down by a link or an invitation.

MOST_LISTED = 50
LONGEST_VERSION = 5  # digits
MOST_TOURNAMENTS = 5
MOST_WATCHED = 12


@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    """The listed tables that wait for players, and seats of absent players that are offered."""
    form, user = FindTableForm(request.GET), signed_in(request)
    wanted = form.to_filter()
    is_any = wanted == lists.TableFilter()
    if is_any:
        tables = lists.newest_tables(MOST_LISTED, user)
    else:
        tables = list(lists.listed_tables(replace(wanted, viewer=user))[:MOST_LISTED])
    context = {
        "form": form,
        "tables": [table_card(game) for game in tables],
        "of_clubs": [table_card(game) for game in lists.tables_of_clubs(user)] if user and is_any else [],
        "tournaments": [tournament_card(row) for row in tournaments.open_for_entries(user)[:MOST_TOURNAMENTS]],
        "running": [
            {"game": game, "rules": in_words(game.rules, game.rules.title), "players": names(game.seated())}
            for game in lists.running_tables(MOST_WATCHED)
        ],
        "offered": [{"seat": seat, "standings": _standings(seat)} for seat in lists.offered_seats(user)],
    }
    return render(request, "games/tables/lobby.html", context)


def _standings(seat: Seat) -> list[str]:
    """Where the game of an offered seat stands, as everybody may see it."""
    access = queries.Access(seat.game, None)
    return [queries.say(seat.game, text) for text in seat.game.rules.standings(queries.view_of(access))]


@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, ref: str, token: str) -> HttpResponse:
    """A table as whoever holds its link may see it, and a button to sit down for those who are signed in."""
    game = table_links.find_table(ref, token)
    if game is None:
        raise Http404
    user = signed_in(request)
    form = JoinForm(sent(request))
    _offer_steward(form, game)
    if user is not None and form.is_valid():
        with refusals_in(form):
            done = _sit_down(game, user, form.wanted(), request.POST.get("seat", ""), _seen(request))
            messages.success(request, done)
            return redirect("table", ref=game.ref)
    status = status_of(form) if user is not None or not form.is_bound else HTTPStatus.FORBIDDEN
    return with_private_address(
        render(request, "games/tables/join.html", _join_context(game, user, form), status=status)
    )


def _seen(request: HttpRequest) -> int | None:
    """The version of the settings that the form was shown with."""
    version = request.POST.get("seen", "")
    return int(version) if version.isdecimal() and len(version) <= LONGEST_VERSION else None


def _sit_down(game: Game, user: User, wanted: JoinWishes, number: str, version: int | None) -> str:
    """On a free seat before the game, on the offered seat of that number in it. Returns what to say."""
    offered = next((seat for seat in game.seated() if str(seat.number) == number), None)
    if offered is None:
        lifecycle.join(game_id=game.pk, user=user, now=present.now(), seen=version, **wanted)
        return _("You're in. We'll email you when the game starts.")
    absences.take_over(seat_id=offered.pk, user=user, now=present.now())
    return _("You've joined this table.")


def _offer_steward(form: JoinForm, game: Game) -> None:
    """Asks for a steward only where one could act."""
    if stewards.most_hours(game) < 1:
        del form.fields["steward_hours"]


def _join_context(game: Game, user: User | None, form: JoinForm) -> dict[str, object]:
    seats = list(game.seats.order_by("number"))
    return {
        "game": game,
        "form": form,
        "seats": seats,
        "is_seated": user is not None and any(seat.user_id == user.pk for seat in seats),
        "is_full": len(seats) >= game.seat_count,
        "offered": [seat for seat in seats if absences.is_offered(seat)],
        **about(game),
    }


# The link in the mail is the credential, and mail programs open it without cookies: there is no session to protect.
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, ref: str, token: str) -> HttpResponse:
    """Shows who invites, and what to. GET changes nothing; POST joins or declines. No session is begun."""
    row = table_links.find_invitation(ref, token)
    if row is None:
        raise Http404
    guest = User.objects.filter(email=row.address).first()
    is_trusted = guest is not None and sessions.is_trusted(request, guest)
    is_answered = request.POST.get("answer") in ("join", "decline", "block")
    if is_answered and not is_trusted and not confirming.is_confirmed(request):
        return with_private_address(confirming.choice_page(request, isolated(guest.name) if guest else ""))
    data = blocking.answered(request, row.recipient, row.inviter)
    form = InvitationForm(data, has_account=guest is not None)
    if row.seat is not None:  # the game runs: its shuffle is done, and a steward is chosen at the table
        del form.fields["entropy"], form.fields["steward_hours"]
    else:
        _offer_steward(form, row.game)
    if form.is_valid():
        with refusals_in(form):
            _answer(row, form, _seen(request))
            row.refresh_from_db()
    return with_private_address(
        render(
            request,
            "games/tables/invitation.html",
            _invitation_context(row, form) | signed_in_as_another(request, row.address) | {"is_trusted": is_trusted},
            status=status_of(form),
        )
    )


@login_required
@require_POST
def invitation_as_me(request: HttpRequest, ref: str, token: str) -> HttpResponse:
    """Sits down whoever is signed in, by an invitation that went to another address, which is used up by it."""
    row, user = table_links.find_invitation(ref, token), require_user(request)
    if row is None:
        raise Http404
    try:
        with transaction.atomic():
            row = invitations.locked(row)
            if not (row.is_open and invitations.is_acceptable(row)):
                raise Conflict(_("This invitation is no longer open."))
            if row.game.seats.filter(user=user).exists():
                raise Conflict(_("You're already at this table."))
            inviting.claim(row, row.game.invitations, user)
            if row.seat is not None:
                accept_seat(invitation=row, name="", now=present.now())
            else:
                invitations.accept(invitation=row, name="", now=present.now(), seen=_seen(request))
    except ServiceError as error:
        messages.error(request, error.message)
        return redirect("invitation", ref=ref, token=token)
    messages.success(request, _("You've joined this table."))
    return redirect("table", ref=row.game.ref)


def _answer(row: Invitation, form: InvitationForm, version: int | None) -> None:
    data = form.cleaned_data
    if data["answer"] in ("decline", "block"):
        invitations.decline(invitation=row)
        if data["answer"] == "block":
            blocking.take(row.recipient, row.inviter, row.inviter.name, do_block=True)
    else:
        who = {"name": data.get("name", ""), "zone": data.get("zone", "")}
        if row.seat is not None:
            accept_seat(invitation=row, **who, now=present.now())
        else:
            invitations.accept(invitation=row, **who, now=present.now(), seen=version, **form.wanted())


def _invitation_context(row: Invitation, form: InvitationForm) -> dict[str, object]:
    game = row.game
    seats = list(game.seats.order_by("number"))
    guest = User.objects.filter(email=row.address).values_list("pk", flat=True).first()
    return {
        "invitation": row,
        "is_in": row.status == Invitation.Status.JOINED or any(seat.user_id == guest for seat in seats if guest),
        "game": game,
        "form": form,
        "seats": seats,
        "is_open": row.is_open,
        "own_block": blocking.find(row.recipient, row.inviter),
        "is_full": row.seat is None and len(seats) >= game.seat_count,
        "never_write_url": never_write_url(row.address),
        "told": in_words(game.rules, game.rules.about),
        "picture": (picture := boards.static_picture(game.rules_name)),
        "size": boards.size(boards.static_svg(picture)) if picture else (),
        **about(game),
    }
