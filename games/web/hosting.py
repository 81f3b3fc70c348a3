"""Forms of the host tools."""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import wraps
from http import HTTPStatus

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.errors import Conflict, Forbidden, Illegal, ServiceError, TooMany
from games.lobby import hosting, invitations, lifecycle, waiting
from games.lobby.models import LONGEST_NAME, HostOffer, TablePreset
from games.moderation import reports, tables
from games.moderation.forms import AbsentForm, Facts, HostExtensionForm, HostReasonForm, ReportForm
from games.people import sessions
from games.people.models import User
from games.people.names import isolated
from games.play import queries
from games.tables import pace, table_links
from games.tables.models import Game
from games.tables.seats import Invitation, Seat
from games.tables.settings import agreed_of, rules_named
from games.web.forms import refusals_in, sent, status_of
from games.web.opening import InviteForm, TableForm, in_words
from games.web.play.table_page import access_game
from games.web.reader import as_reader, is_usable, link_not_found, private, require_user
from games.web.waiting_room import about
from notifications import confirming
from notifications.clock import present


class HandOverForm(forms.Form):
    """Chooses the next host."""

    seat = forms.TypedChoiceField(label=gettext_lazy("New host"), coerce=int)

    def __init__(self, data: QueryDict | None, *, prefix: str, seats: Sequence[Seat]) -> None:
        super().__init__(data, prefix=prefix)
        field = self.fields["seat"]
        assert isinstance(field, forms.TypedChoiceField)
        field.choices = [(seat.number, seat.display_name) for seat in seats]


class PresetForm(forms.Form):
    """Under which name the table's settings are saved."""

    name = forms.CharField(
        label=gettext_lazy("Name of the preset"),
        max_length=LONGEST_NAME,
        help_text=gettext_lazy("A preset with the same name is replaced."),
    )

    def __init__(self, data: QueryDict | None, *, prefix: str, title: str) -> None:
        super().__init__(data, prefix=prefix, initial={"name": title})


# Changing a table before its game, and agreeing to what was changed: in the waiting room, and behind a link.

ANSWERS = ("agree", "leave")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def change_table(request: HttpRequest, ref: str) -> HttpResponse:
    """The form of a table's settings, for its host and before its game."""
    user, game = require_user(request), access_game(request, ref).game
    if game.host_id != user.pk or game.is_practice:
        raise Http404(_("Only the host of a table can do that."))
    if game.status != Game.Status.OPEN:
        messages.error(request, _("The settings can't be changed once the game has started."))
        return redirect("table", ref=ref)
    form = TableForm(game.rules, sent(request), values={**agreed_of(game), "title": game.title})
    form.begin_with(request.GET)
    if form.is_valid():
        with refusals_in(form):
            hosting.change_settings(game_id=game.pk, host=user, plan=form.plan(), now=present.now())
            messages.success(request, _("The settings are saved."))
            return redirect("table", ref=ref)
    context = {
        "form": form,
        "game": game,
        "chosen": game.rules_name,
        "others": [seat for seat in game.seated() if not seat.is_bot and seat.user_id != user.pk],
    }
    return render(request, "games/tables/change_table.html", context, status=status_of(form))


@login_required
@require_POST
def agree_settings(request: HttpRequest, ref: str) -> HttpResponse:
    """The buttons in the waiting room: agree to the changed settings, or leave."""
    user, game = require_user(request), access_game(request, ref).game
    try:
        has_left = _answer_agreement(game, user, request)
    except ServiceError as error:
        messages.error(request, error.message)
        return redirect("table", ref=ref)
    if has_left:
        messages.success(request, _("You've left “%(title)s”.") % {"title": game.spoken_title})
        return redirect("my_games")
    messages.success(request, _("You've agreed to the new settings."))
    return redirect("table", ref=ref)


# The link in the mail is the credential: mail programs open it without cookies.
@csrf_exempt
@private
@require_http_methods(["GET", "HEAD", "OPTIONS", "POST"])
def agreement(request: HttpRequest, ref: str, person: str, token: str) -> HttpResponse:
    """Shows what has changed, and the buttons, which a person must press where the player is not known."""
    seat = table_links.find_agreement(ref, person, token)
    if seat is None or not is_usable(seat):
        return link_not_found(request)
    assert seat.user is not None
    user, error, status = seat.user, "", HTTPStatus.OK
    with as_reader(seat):
        has_left, is_confirmed = False, confirming.is_confirmed(request)
        if request.method == "POST":
            if not is_confirmed and not sessions.is_trusted(request, user):
                return confirming.choice_page(request, seat.spoken_name)
            try:
                has_left = _answer_agreement(seat.game, user, request)
            except ServiceError as refused:
                error, status = refused.message, HTTPStatus(refused.status)
        response = render(
            request, "games/tables/agreement.html", _context(request, seat, error, has_left), status=status
        )
        if is_confirmed and not error and confirming.REMEMBER in request.POST:
            sessions.trust_device(request, response, user, present.now())
        return response


def _context(request: HttpRequest, seat: Seat, error: str, has_left: bool) -> dict[str, object]:
    assert seat.user is not None
    has_left = has_left or not Seat.objects.filter(pk=seat.pk).exists()  # or was removed at this moment
    if not has_left:
        seat.refresh_from_db(fields=["agreed_version"])
    seat.game.refresh_from_db()
    return {
        "game": seat.game,
        "seat": seat,
        "differences": [] if has_left else hosting.settings_differences(seat),
        "error": error,
        "has_left": has_left,
        "is_trusted": sessions.is_trusted(request, seat.user),
        "action_url": request.path,
        "game_url": table_links.game_url(seat.game),
        **about(seat.game),
    }


def _answer_agreement(game: Game, user: User, request: HttpRequest) -> bool:
    """Does what the button says. Returns whether the player has left."""
    answer, version = request.POST.get("answer", ""), request.POST.get("seen", "")
    if answer not in ANSWERS or not (version.isdecimal() and len(version) <= len(str(2**15))):
        raise ServiceError(_("Please choose whether you agree. Nothing was changed."))
    if answer == "leave":
        lifecycle.leave(game_id=game.pk, user=user)
        return True
    hosting.agree_to_settings(game_id=game.pk, user=user, seen=int(version))
    return False


# The page behind a link by which somebody accepts or declines the host's role.


# The link in the mail is the credential: mail programs open it without cookies.
@csrf_exempt
@private
@require_http_methods(["GET", "HEAD", "OPTIONS", "POST"])
def host_offer(request: HttpRequest, ref: str, token: str) -> HttpResponse:
    """Shows who asks, and the buttons, which a person must press where the reader is not known."""
    offer = hosting.find_host_offer(ref, token)
    if offer is None or not offer.user.is_active:
        return link_not_found(request)
    recipient, error, status, answer = offer.user.recipient, "", HTTPStatus.OK, ""
    with translation.override(recipient.language), timezone.override(recipient.zone_info):
        is_confirmed = confirming.is_confirmed(request)
        if request.method == "POST":
            if not is_confirmed and not sessions.is_trusted(request, offer.user):
                return confirming.choice_page(request, isolated(offer.user.name))
            try:
                answer = _answer_offer(offer, request)
            except ServiceError as refused:
                error, status = refused.message, HTTPStatus(refused.status)
        context = {
            "game": offer.game,
            "answer": answer,
            "error": error,
            "name": isolated(offer.user.name),
            "is_trusted": sessions.is_trusted(request, offer.user),
            "game_url": table_links.game_url(offer.game),
        }
        response = render(request, "games/tables/host_offer.html", context, status=status)
        if answer and is_confirmed and confirming.REMEMBER in request.POST:
            sessions.trust_device(request, response, offer.user, present.now())
        return response


def _answer_offer(offer: HostOffer, request: HttpRequest) -> str:
    """Does what the button says, and returns it."""
    answer = request.POST.get("answer", "")
    if answer == "accept":
        hosting.accept_offer(offer=offer, now=present.now())
    elif answer == "decline":
        hosting.decline_offer(offer=offer)
    else:
        raise ServiceError(_("Please choose whether you accept. Nothing was changed."))
    return answer


# A host's presets: the list, renaming, deleting.


@login_required
@require_safe
def presets(request: HttpRequest) -> HttpResponse:
    """The list."""
    shown = [{"preset": preset, "words": _in_words(preset)} for preset in hosting.presets_of(require_user(request))]
    return render(request, "games/tables/presets.html", {"presets": shown})


@login_required
@require_POST
def rename_preset(request: HttpRequest, ref: str) -> HttpResponse:
    """Another name."""
    owner, name = require_user(request), request.POST.get("name", "")
    return _done(request, _("The preset is renamed."), lambda: hosting.rename_preset(owner=owner, ref=ref, name=name))


@login_required
@require_POST
def delete_preset(request: HttpRequest, ref: str) -> HttpResponse:
    """Away with it."""
    owner = require_user(request)
    return _done(request, _("The preset is deleted."), lambda: hosting.delete_preset(owner=owner, ref=ref))


def _done(request: HttpRequest, message: str, run: Callable[[], object]) -> HttpResponse:
    try:
        run()
    except ServiceError as error:
        messages.error(request, error.message)
    else:
        messages.success(request, message)
    return redirect("presets")


def _in_words(preset: TablePreset) -> str:
    rules, values = rules_named(preset.rules_name), hosting.preset_values(preset)
    speed = dict(pace.paces()).get(values["pace"], values["pace"])
    facts = {"game": in_words(rules, rules.title), "seats": values["seat_count"], "pace": speed}
    return _("%(game)s, %(seats)s seats, %(pace)s") % facts


# The buttons of a waiting room. Each calls one service, says what came of it, and returns to the table.

Button = Callable[..., str]


def button(act: Button) -> Callable[..., HttpResponse]:
    """Makes a page of `act(user, game, request, ...)`, which returns what to say.

    A table that does not exist, or is not this person's to see, is a 404 page; other refusals are said at the table.
    """

    @wraps(act)
    def page(request: HttpRequest, ref: str, **arguments: object) -> HttpResponse:
        user = require_user(request)
        game = queries.access_game(user, ref).game
        try:
            done = act(user, game, request, **arguments)
        except ServiceError as error:
            messages.error(request, error.message)
        else:
            if done:
                messages.success(request, done)
        return _back(user, game)

    return login_required(require_POST(page))


def _back(user: User, game: Game) -> HttpResponse:
    """To the table, or to the list of games for somebody who has just left it."""
    try:
        queries.access_game(user, game.ref)
    except ServiceError:
        return redirect("my_games")
    return redirect("table", ref=game.ref)


@button
def invite(user: User, game: Game, request: HttpRequest) -> str:
    """Invites several addresses; each has its own result, and one that fails does not hinder the others."""
    form = InviteForm(request.POST)
    if not form.is_valid():
        raise ServiceError(" ".join(str(error) for errors in form.errors.values() for error in errors))
    words = form.cleaned_data["words"]
    count = 0
    for address in form.cleaned_data["addresses"]:
        try:
            _invite_one(user, game, address, words)
            count += 1
        except (TooMany, Forbidden, Illegal) as error:  # the next ones would be refused, too
            messages.error(request, f"{address}: {error.message}")
            break
        except ServiceError as error:
            messages.error(request, f"{address}: {error.message}")
    text = ngettext("%(count)s invitation is on its way.", "%(count)s invitations are on their way.", count)
    return text % {"count": count} if count else ""


def _invite_one(user: User, game: Game, address: str, words: str) -> None:
    now = present.now()
    row = invitations.invite(game_id=game.pk, host=user, address=address, words=words, now=now)
    if row.created_at != now:
        raise Conflict(_("already invited"))


@button
def withdraw(user: User, game: Game, request: HttpRequest, invitation: str) -> str:
    """Takes an invitation back."""
    row = Invitation.objects.filter(game=game, ref=invitation).first()
    invitations.withdraw(ref=invitation, game_id=game.pk, host=user)
    return _("The invitation for %(address)s is withdrawn.") % {"address": row.label if row else ""}


@button
def add_bot(user: User, game: Game, request: HttpRequest) -> str:
    """Seats a bot."""
    bot = request.POST.get("name", "").strip() or request.POST.get("bot", "")
    seat = lifecycle.add_bot(game_id=game.pk, host=user, bot=bot, now=present.now())
    if seat is None:
        return _("%(name)s is invited, and decides itself.") % {"name": isolated(bot)}
    return _("%(name)s has joined.") % {"name": seat.spoken_name}


@button
def remove(user: User, game: Game, request: HttpRequest, number: int) -> str:
    """Sends a guest or a bot away. The form names whom it means: seats move up when somebody leaves."""
    seat = game.seats.filter(number=number).first()
    if seat is None or str(seat.pk) != request.POST.get("seat"):
        raise Conflict(_("The seats have changed in the meantime. Nothing was changed."))
    lifecycle.remove_seat(game_id=game.pk, host=user, number=number)
    return _("%(name)s has left the table.") % {"name": seat.spoken_name}


@button
def start(user: User, game: Game, request: HttpRequest) -> str:
    """Begins the game."""
    lifecycle.start(game_id=game.pk, host=user, now=present.now())
    return _("The game has begun. Players are asked by email and on this page.")


@button
def close(user: User, game: Game, request: HttpRequest) -> str:
    """Closes the table; its button is folded away, so that one slip does not do it."""
    lifecycle.close(game_id=game.pk, host=user, now=present.now())
    return _("The table is closed. Everyone who was invited will be notified.")


@button
def leave(user: User, game: Game, request: HttpRequest) -> str:
    """A guest gets up."""
    lifecycle.leave(game_id=game.pk, user=user)
    return _("You've left “%(title)s”.") % {"title": game.spoken_title}


# Looking after a table: its host gives time and reminds, every player may call a moderator, all see what was done.


@login_required
@require_POST
def withdraw_host_offer(request: HttpRequest, ref: str) -> HttpResponse:
    """The host takes back the offer of his role."""
    user = require_user(request)
    game = queries.access_game(user, ref).game
    try:
        hosting.withdraw_offer(game_id=game.pk, host=user)
        messages.success(request, _("The offer is withdrawn. You are still the host."))
    except ServiceError as error:
        messages.error(request, error.message)
    return redirect("care", ref=ref)


@login_required
@require_POST
def take_host_role(request: HttpRequest, ref: str) -> HttpResponse:
    """A player takes the role of a host who has vanished."""
    user = require_user(request)
    game = queries.access_game(user, ref).game
    try:
        hosting.take_role(game_id=game.pk, user=user, now=present.now())
        messages.success(request, _("You are the host now. Everyone at the table is told."))
    except ServiceError as error:
        messages.error(request, error.message)
    return redirect("care", ref=ref)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def care(request: HttpRequest, ref: str) -> HttpResponse:
    """The page, and what its forms do."""
    user = require_user(request)
    access = queries.access_game(user, ref)
    act = request.POST.get("act", "")
    by_act = _forms(access, user, request.POST if request.method == "POST" else None, act)
    if act in by_act and by_act[act].is_valid():
        try:
            messages.success(request, _ACTS[act](access.game, user, by_act[act].cleaned_data, present.now()))
            return redirect("care", ref=ref)
        except ServiceError as error:
            messages.error(request, error.message)
    game = access.game
    context = {"access": access, "game": game, "forms": by_act, "done": queries.moderation(access)}
    if game.host_id == user.pk:
        context |= {"waiting": waiting.waiting(game, access.seat), "offer": hosting.offer_of(game)}
    elif hosting.can_take_role(game, access.seat, present.now()):
        context["can_take"] = True
    if "replace" in by_act:
        context["offers"] = access.game.invitations.filter(seat__isnull=False, status=Invitation.Status.SENT)
    return render(request, "games/tables/host_tools.html", context, status=400 if request.method == "POST" else 200)


def _forms(access: queries.Access, user: User, data: QueryDict | None, act: str) -> dict[str, forms.Form]:
    game = access.game
    by_act: dict[str, forms.Form] = {}

    def data_of(name: str) -> QueryDict | None:
        return data if name == act else None

    if game.host_id == user.pk:
        if candidates := hosting.host_candidates(game):
            by_act["hand_over"] = HandOverForm(data_of("hand_over"), prefix="hand_over", seats=candidates)
        by_act["preset"] = PresetForm(data_of("preset"), prefix="preset", title=game.title)
    if game.status != Game.Status.RUNNING:
        return by_act
    if game.host_id == user.pk:
        if tables.may_nudge(game):
            by_act["nudge"] = HostReasonForm(data_of("nudge"), prefix="nudge")
        by_act["extend"] = HostExtensionForm(data_of("extend"), prefix="extend")
        if game.seats.filter(user__isnull=False, status=Seat.Status.ABSENT, hides_name=False).exists():
            by_act["replace"] = AbsentForm(data_of("replace"), prefix="replace", about=game)
    if access.seat is not None:
        by_act["report"] = ReportForm(data_of("report"), prefix="report", game=game, own=access.seat.number)
    return by_act


def _nudge(game: Game, user: User, facts: Facts, now: datetime) -> str:
    tables.nudge(game=game, by=user, reason=facts["reason"], now=now)
    return _("Everyone the game is waiting for has been reminded.")


def _extend(game: Game, user: User, facts: Facts, now: datetime) -> str:
    tables.extend(game=game, by=user, hours=facts["hours"], reason=facts["reason"], now=now)
    return _("Everyone who is being asked has more time.")


def _replace(game: Game, user: User, facts: Facts, now: datetime) -> str:
    seat = tables.seat_at(game, facts["seat"])
    tables.offer_seat(seat=seat, address=facts["address"], by=user, reason=facts["reason"], now=now)
    return _(
        "The invitation is on its way. The seat changes hands when it is accepted; until then its player may come back."
    )


def _hand_over(game: Game, user: User, facts: Facts, now: datetime) -> str:
    offer = hosting.offer_role(game_id=game.pk, host=user, seat=facts["seat"], now=now)
    return _("%(name)s has been asked. You stay the host until they accept.") % {"name": offer.user.get_short_name()}


def _preset(game: Game, user: User, facts: Facts, now: datetime) -> str:
    preset = hosting.save_preset(owner=user, name=facts["name"], game=game, now=now)
    return _("The preset “%(name)s” is saved.") % {"name": preset.name}


def _report(game: Game, user: User, facts: Facts, now: datetime) -> str:
    reports.file_report(game=game, by=user, seat=facts["seat"], text=facts["text"], now=now)
    return _("We've told the moderators, and nobody else.")


_ACTS: dict[str, Callable[[Game, User, Facts, datetime], str]] = {
    "nudge": _nudge,
    "extend": _extend,
    "replace": _replace,
    "report": _report,
    "hand_over": _hand_over,
    "preset": _preset,
}
