"""Signing in: with a password, for those who have set one; with a code of a mail, which is not guessed at for long."""

from collections.abc import Callable
from copy import deepcopy
from functools import wraps
from typing import Any

import segno
from allauth.account.adapter import get_adapter
from allauth.account.forms import (
    BaseConfirmCodeForm,
    ConfirmEmailVerificationCodeForm,
    ConfirmLoginCodeForm,
    LoginForm,
    RequestLoginCodeForm,
    ResetPasswordForm,
)
from allauth.core import context, ratelimit
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.forms import Form, ValidationError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render, resolve_url
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.http import urlencode
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from games.errors import Conflict, NotFound, ServiceError, TooMany
from games.people import alerts, limits, sessions, sign_in, staff
from games.people.models import User
from games.people.sessions import hash_session_key, is_fresh
from games.web.reader import link_not_found, next_path, posted, private, require_user
from notifications import confirming
from notifications.clock import present


class PasswordForm(LoginForm):  # type: ignore[misc]  # allauth ships no types
    """allauth asks for a password only where one is set at signing up; here it is set later, if at all."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password"] = deepcopy(self.base_fields["password"])
        self.fields["password"].help_text = ""
        self.fields["login"].label = gettext_lazy("Email address")


class CountedLetter(Form):
    """A form that sends a letter to an address: says beside the field that none goes out for now."""

    def clean_email(self) -> str:
        """The address. Raises ValidationError at the limits."""
        address = str(super().clean_email())  # type: ignore[misc]  # of allauth's form
        try:
            limits.take_letter(context.request, address, present.now())
        except TooMany as error:
            raise ValidationError(error.message) from error
        return address


class RequestCodeForm(CountedLetter, RequestLoginCodeForm):  # type: ignore[misc]
    """Where one asks for a sign-in mail."""


class ResetForm(CountedLetter, ResetPasswordForm):  # type: ignore[misc]
    """Where one asks for a new password."""


class CountedGuess(BaseConfirmCodeForm):  # type: ignore[misc]
    """allauth counts wrong codes in the session, which many requests at once read before one of them has written it.

    This count is taken behind a lock, one for each session: nobody is shut out by the guesses of somebody else.
    """

    def clean_code(self) -> str:
        """The code, if it is right. Raises ValidationError for a wrong one, and for a guess too many."""
        request = context.request
        if not ratelimit.consume(request, action="guess_code", key=request.session.session_key):
            raise get_adapter().validation_error("too_many_login_attempts")
        return str(super().clean_code())


class LoginCodeForm(CountedGuess, ConfirmLoginCodeForm):  # type: ignore[misc]
    """The code of a sign-in mail."""


class AddressCodeForm(CountedGuess, ConfirmEmailVerificationCodeForm):  # type: ignore[misc]
    """The code of the first mail to a new account."""


# Pages that ask for a fresh sign-in: a browser that was left open is not its owner.

BACK_TO = {"own_data": "own_data", "settings": "settings", "bots": "bots"}
View = Callable[[HttpRequest], HttpResponse]


def required(view: View) -> View:
    """A page of the sign-in program, for who has signed in just now; others are led back to the settings."""

    @login_required
    @wraps(view)
    def wrapped(request: HttpRequest) -> HttpResponse:
        if is_fresh(request):
            return view(request)
        messages.warning(request, _("Please sign in again before you do this."))
        return redirect("settings")

    return wrapped


@login_required
@require_POST
def sign_in_again(request: HttpRequest) -> HttpResponse:
    """Signs out, and back in to the page from which one came."""
    page = BACK_TO.get(request.POST.get("page", ""), "own_data")
    logout(request)
    return redirect(f"{resolve_url(settings.LOGIN_URL)}?{urlencode({'next': reverse(page)})}")


# The page behind "It was not me" in a mail about an account: no session, for a thief may hold it.


@csrf_exempt  # as the act links: who knows the address may act, and mail programs keep no cookies
@private
@require_http_methods(["GET", "HEAD", "OPTIONS", "POST"])
def not_me(request: HttpRequest, ref: str, token: str) -> HttpResponse:
    """GET shows what can be done and changes nothing; POST does it, if a person has confirmed it."""
    notice = alerts.find_disownable(ref, token)
    if notice is None:
        return link_not_found(request)
    now, is_done, trouble = present.now(), False, ""
    was_open = alerts.is_open(notice, now)
    if request.method == "POST" and was_open and not confirming.is_confirmed(request):
        with translation.override(notice.recipient.language):
            return confirming.choice_page(request)
    if request.method == "POST" and was_open:
        try:
            is_done = alerts.disown(notice, now)
        except Conflict as error:
            trouble = error.message
    context = {
        "is_open": was_open,
        "is_done": is_done or "disowned_at" in notice.data,
        "has_moved": notice.kind == alerts.MOVED,
        "address": notice.recipient.address,
        "trouble": trouble,
    }
    status = Conflict.status if trouble else 200
    with translation.override(notice.recipient.language), timezone.override(notice.recipient.zone_info):
        return render(request, "games/accounts/not_me.html", context, status=status)


# Where staff sets its second factor up, and shows it.


class CodeForm(forms.Form):
    """A code of the app, or one that was written down."""

    code = forms.CharField(
        label=gettext_lazy("Code"),
        max_length=20,
        widget=forms.TextInput({"autocomplete": "one-time-code", "autofocus": True, "spellcheck": "false"}),
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest) -> HttpResponse:
    """Asks for a code; who has no second factor yet is shown the key for his app first. For staff alone."""
    user = require_user(request)
    if not user.is_staff:
        raise Http404
    wanted = next_path(request, "admin:index")
    has_one = staff.has_second_factor(user)
    form = CodeForm(request.POST or None)
    if form.is_valid():
        try:
            codes = _shown(user, form.cleaned_data["code"], request, has_one=has_one)
        except ServiceError as error:
            form.add_error("code", error.message)
            sign_in.log_second_factor(user, request, is_right=False)
        else:
            sign_in.log_second_factor(user, request, is_right=True)
            if not codes:
                return HttpResponseRedirect(wanted)
            return render(request, "games/accounts/second_factor.html", {"codes": codes, "onward": wanted})
    context = {"form": form, "onward": wanted, **({} if has_one else _key(user))}
    return render(request, "games/accounts/second_factor.html", context, status=400 if form.errors else 200)


def _shown(user: User, code: str, request: HttpRequest, *, has_one: bool) -> list[str]:
    """The codes to write down, the first time."""
    now = present.now()
    if not has_one:
        return staff.confirm_second_factor(user=user, code=code, request=request, now=now)
    staff.show_second_factor(user=user, code=code, request=request, now=now)
    return []


def _key(user: User) -> dict[str, object]:
    """The key as a picture and in letters, in groups of four."""
    address = staff.begin_second_factor(user).config_url
    secret = address.split("secret=", 1)[1].split("&", 1)[0]
    picture = segno.make(address).svg_inline(scale=5, border=2, light="#fff", dark="#000")
    return {
        "picture": mark_safe(picture),  # noqa: S308  # drawn here, of a key of ours
        "address": address,
        "key": " ".join(secret[at : at + 4] for at in range(0, len(secret), 4)),
    }


# Where somebody is signed in, and the end of a session that he has left open somewhere.


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def signed_in_page(request: HttpRequest) -> HttpResponse:
    """Shows a person's sessions and trusted devices; a POST ends the one that it names. Raises NotFound."""
    user = require_user(request)
    if request.method == "POST" and "forget" in request.POST:
        if not sessions.revoke_device(user, request.POST["forget"].replace("\0", "")):
            raise NotFound(_("This device is no longer on your list."))
        messages.success(request, _("Links on that device will ask for confirmation again."))
        return redirect("signed_in")
    if request.method == "POST":
        if not sessions.end_session(user, posted(request, "end"), present.now()):
            raise NotFound(_("This session has already ended."))
        messages.success(request, _("You've been signed out there."))
        return redirect("signed_in")
    context = {
        "sessions": sessions.sessions_of(user, present.now()),
        "here": hash_session_key(request.session.session_key or ""),
        "devices": sessions.trusted_devices_of(user),
    }
    return render(request, "games/accounts/signed_in.html", context)
