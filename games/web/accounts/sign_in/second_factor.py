"""Where staff sets its second factor up, and shows it."""

import segno
from django import forms
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.safestring import mark_safe
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from games.errors import ServiceError
from games.people import sign_in, staff
from games.people.models import User
from games.web.reader import next_path, require_user
from notifications.clock import present


class CodeForm(forms.Form):
    """A code of the app, or one that was written down."""

    code = forms.CharField(
        label=_("Code"),
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
