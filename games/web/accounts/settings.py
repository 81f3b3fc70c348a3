"""Signing in by link, and a person's settings."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any, TypeAlias

from allauth.account.adapter import get_adapter
from django import forms
from django.contrib import messages
from django.contrib.auth import login, update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from games.errors import Forbidden
from games.people import accounts, limits, sessions, sign_in, staff, tokens
from games.people.accounts import ProfileChange
from games.people.models import User
from games.people.sessions import is_fresh
from games.people.staff import is_moderator
from games.play import absences, clocks
from games.privacy import erasure
from games.web.accounts.forms import AddressForm, HoursForm, ProfileForm, TokenForm, VacationForm
from games.web.forms import refusals_in, status_of
from games.web.reader import next_path, posted, require_user, signed_in, with_private_address
from notifications.channels.base import CHANNELS
from notifications.channels.mail import suppressions
from notifications.clock import present

Data: TypeAlias = dict[str, Any]  # what a form has found valid
FORMS: dict[str, Callable[..., forms.Form]] = {
    "profile": ProfileForm,
    "address": AddressForm,
    "token": TokenForm,
    "vacation": VacationForm,
}


@require_http_methods(["GET", "HEAD", "POST"])
def sign_in_link(request: HttpRequest) -> HttpResponse:
    """The page behind a sign-in link. GET uses nothing up; POST signs in, on a new device with a tick."""
    token = request.POST.get("sesame") or request.GET.get("sesame", "")
    user = sign_in.find_user_by_link(token)
    if user is None:
        return with_private_address(
            render(request, "games/accounts/sign_in_spent.html", status=200 if signed_in(request) else 410)
        )
    # A scanner presses single buttons, but it has no cookie of this person's.
    is_known = sessions.is_known_browser(request, user) or sessions.is_trusted(request, user)
    if request.method == "POST" and (is_known or request.POST.get("sure") == "yes"):
        return _sign_in(request, token)
    context = {
        "is_known": is_known,
        "person": user,
        "sesame": token,
        "next": next_path(request, "my_games"),
        "is_missing": request.method == "POST",
    }
    return with_private_address(
        render(
            request,
            "games/accounts/sign_in_link.html",
            context,
            status=HTTPStatus.UNPROCESSABLE_ENTITY if request.method == "POST" else 200,
        )
    )


def _sign_in(request: HttpRequest, token: str) -> HttpResponse:
    user = sign_in.redeem_link(token)
    if user is None:
        return with_private_address(render(request, "games/accounts/sign_in_spent.html", status=410))
    login(request, user)
    messages.success(request, _("Welcome, %(name)s!") % {"name": user.name})
    return HttpResponseRedirect(next_path(request, "my_games"))


@require_safe
def begin_sign_up(request: HttpRequest, token: str) -> HttpResponse:
    """Leads from the letter to an address without an account to the form of a new one, whose address is confirmed.

    Where somebody has begun one meanwhile, it leads to its sign-in link.
    """
    address = sign_in.address_of_sign_up(token, present.now())
    if address is None:
        return with_private_address(render(request, "games/accounts/sign_in_spent.html", status=410))
    begun = User.objects.filter(email=address, is_active=True).first()
    if begun is not None and not limits.is_owned(begun):
        return HttpResponseRedirect(sign_in.sign_in_link(begun))
    get_adapter(request).stash_verified_email(request, address)
    return redirect("account_signup")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def settings_page(request: HttpRequest) -> HttpResponse:
    """All settings of a person; a POST here is the form with name, language and zone."""
    if request.method != "POST":
        return _settings(request)

    def save(data: Data) -> str:
        accounts.change_profile(user=require_user(request), wanted=ProfileChange(**data))
        return _("Saved.")

    return take(request, "profile", save)


@login_required
@require_safe
def to_settings(request: HttpRequest) -> HttpResponse:
    """The page for several addresses that sign-in programs have: here a person has one, among the settings."""
    return redirect("settings")


@login_required
@require_http_methods(["POST"])
def change_hours(request: HttpRequest) -> HttpResponse:
    """Stores quiet hours and reminders."""
    user = require_user(request)
    form = HoursForm(request.POST, zone=user.recipient.zone)
    if not form.is_valid():
        return _settings(request, status=HTTPStatus.UNPROCESSABLE_ENTITY, hours=form)
    clocks.change_hours(user=user, hours=form.hours(), now=present.now())
    messages.success(request, _("Saved. Your new hours apply to questions from now on; reminders change right away."))
    return redirect("settings")


@login_required
@require_http_methods(["POST"])
def change_zone(request: HttpRequest) -> HttpResponse:
    """Stores the time zone that the browser named and the person confirmed; leads back to where it was asked."""
    zone = posted(request, "zone")
    clocks.change_zone(user=require_user(request), zone=zone, now=present.now())
    messages.success(request, _("Times are now shown for %(zone)s.") % {"zone": zone.replace("_", " ")})
    return HttpResponseRedirect(next_path(request, "settings"))


@login_required
@require_http_methods(["POST"])
def change_address(request: HttpRequest) -> HttpResponse:
    """Asks both addresses whether the account shall move."""

    def ask(data: Data) -> str:
        accounts.request_address_change(user=require_user(request), new_address=data["email"], now=present.now())
        return _("We've written to both addresses. The change takes effect once both have confirmed it.")

    return take(request, "address", ask)


# The link in the mail is the credential, and it may be opened in a browser without any cookie of ours.
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def confirm_address(request: HttpRequest, token: str) -> HttpResponse:
    """The page behind the links of an address change. GET changes nothing; POST says yes or no."""
    wish = accounts.find_address_change(token, present.now())
    answer = request.POST.get("answer", "")
    if request.method == "POST" and answer == "yes":
        wish = accounts.confirm_address_change(token=token, now=present.now())
        if wish.change.done_at and signed_in(request) == wish.change.user:
            update_session_auth_hash(request, wish.change.user)
    elif request.method == "POST" and answer == "no":
        accounts.refuse_address_change(token=token, now=present.now())
    is_missing = request.method == "POST" and answer not in ("yes", "no")
    context = {"wish": wish, "is_missing": is_missing, "is_refused": answer == "no" and not wish.change.done_at}
    return with_private_address(
        render(
            request,
            "games/accounts/confirm_address.html",
            context,
            status=HTTPStatus.UNPROCESSABLE_ENTITY if is_missing else 200,
        )
    )


@login_required
@require_http_methods(["POST"])
def tokens_page(request: HttpRequest) -> HttpResponse:
    """Makes an API token, or revokes one."""
    user = require_user(request)
    if revoked := posted(request, "revoke"):
        tokens.revoke(user=user, ref=revoked[:40], now=present.now())
        messages.success(request, _("The token is revoked. Programs that use it no longer have access."))
        return redirect("settings")

    def create(data: Data) -> HttpResponse:
        if not is_fresh(request):
            raise Forbidden(_("Please sign in again before you do this."))
        is_shown = may_moderate(request)
        _row, token = tokens.create_token(user=user, **data, has_shown_factor=is_shown, now=present.now())
        return _settings(request, new_token=token)

    return take(request, "token", create)


def may_moderate(request: HttpRequest) -> bool:
    """Whether a moderator sits there who has shown his second factor."""
    return is_moderator(require_user(request)) and staff.has_shown_second_factor(request, present.now())


def take(request: HttpRequest, name: str, act: Callable[[Data], str | HttpResponse]) -> HttpResponse:
    """One form of the settings page: what is wrong with it is shown beside it, and nothing has changed."""
    form = _form(request, name, request.POST)
    if form.is_valid():
        with refusals_in(form, next(iter(form.fields))):
            done = act(form.cleaned_data)
            if isinstance(done, HttpResponse):
                return done
            messages.success(request, done)
            return redirect("settings")
    return _settings(request, status=status_of(form), **{name: form})


def _form(request: HttpRequest, name: str, data: QueryDict | None = None) -> forms.Form:
    given = {"may_moderate": may_moderate(request)} if name == "token" else {}
    return FORMS[name](data, **given)


def _settings(request: HttpRequest, *, status: int = 200, **changes: object) -> HttpResponse:
    user = require_user(request)
    recipient = user.recipient
    filled: dict[str, forms.Form] = {
        "profile": ProfileForm(initial=ProfileForm.initial_of(user)),
        "hours": HoursForm(initial=HoursForm.initial_of(user), zone=recipient.zone),
        "address": AddressForm(),
        "token": _form(request, "token"),
        "vacation": VacationForm(),
    }
    context = {
        **filled,
        "channels": [(one.settings_template, one.settings_context(recipient)) for one in CHANNELS.values()],
        "mail_trouble": suppressions.why_suppressed(recipient.address),
        **_vacations(user),
        "pending": accounts.find_pending_address_change(user, present.now()),
        "tokens": user.api_tokens.filter(revoked_at=None).order_by("-created_at"),
        "has_password": user.has_usable_password(),
        "leaving": erasure.pending_erasure(user),
        "is_fresh": is_fresh(request),
        **changes,
    }
    return render(request, "games/accounts/settings.html", context, status=status)


def _vacations(user: User) -> dict[str, object]:
    now = present.now()
    year = now.astimezone(user.recipient.zone_info).year
    return {"vacations": absences.upcoming(user, now), "year": year, "days_left": absences.days_left(user, year)}
