"""Forms of a person's settings: how to be spoken to, quiet hours, vacations, addresses, API tokens."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any, ClassVar, TypeAlias

from allauth.account.adapter import get_adapter
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login, update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone, translation
from django.utils.translation import gettext, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.errors import Forbidden, ServiceError
from games.lobby.practice import LESSON_KEPT
from games.moderation import reports
from games.moderation.models import Report
from games.people import accounts, limits, sessions, sign_in, staff, tokens
from games.people.accounts import ProfileChange
from games.people.models import ApiToken, User, everyday_scopes
from games.people.names import isolated
from games.people.sessions import is_fresh
from games.people.staff import is_moderator
from games.play import absences, clocks
from games.privacy import erasure, personal_data
from games.privacy.retention import EXPIRIES
from games.tables import audit
from games.tables.audit import ModerationEntry
from games.web.forms import NameField, ZoneField, refusals_in, sent, status_of
from games.web.reader import link_not_found, next_path, posted, private, require_user, signed_in, with_private_address
from games.web.site import page_language
from notifications import confirming
from notifications.channels.base import CHANNELS
from notifications.channels.mail import suppressions
from notifications.clock import present


class ProfileForm(forms.Form):
    """How a person is called and spoken to."""

    name = NameField(
        help_text=gettext_lazy("This is what other players see. Tables you've already joined keep your old name.")
    )
    language = forms.ChoiceField(label=gettext_lazy("Language"), choices=settings.LANGUAGES)
    zone = ZoneField()
    has_profile = forms.BooleanField(
        label=gettext_lazy("Public profile"),
        required=False,
        help_text=gettext_lazy("Shows your name and finished games. Visitors see only games they could see anyway."),
    )

    is_ranked = forms.BooleanField(
        label=gettext_lazy("Show me on the leaderboard"),
        required=False,
        help_text=gettext_lazy(
            "Shows your rating from public tables there and on your profile, which search engines may find then."
        ),
    )

    curve_shown = forms.ChoiceField(
        label=gettext_lazy("Who sees how my rating has changed"),
        required=False,
        choices=User.Audience.choices,
        help_text=gettext_lazy("Only where your rating is shown at all."),
    )
    hours_shown = forms.ChoiceField(
        label=gettext_lazy("Who sees when I usually answer"),
        required=False,
        choices=User.Audience.choices,
        help_text=gettext_lazy("In quarters of the day: often, sometimes or seldom. From finished games only."),
    )
    lends_positions = forms.BooleanField(
        label=gettext_lazy("Positions from my games may become puzzles"),
        required=False,
        help_text=gettext_lazy("From finished games, without names, and only if everyone at the table allows it."),
    )

    proposals_shown = forms.ChoiceField(
        label=gettext_lazy("Suggested moves"),
        required=False,
        choices=User.ProposalsShown.choices,
        help_text=gettext_lazy(
            "At tables with proposals, you see a suggested answer to each question and the reason for it. Nobody "
            "else sees yours."
        ),
    )

    discord_id = forms.RegexField(
        r"^\d{17,20}$",
        label=gettext_lazy("Discord user ID"),
        required=False,
        error_messages={"invalid": gettext_lazy("This is a number of 17 to 20 digits.")},
        help_text=gettext_lazy("With it, your table's Discord channel mentions you when it's your move."),
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
    )

    @staticmethod
    def initial_of(user: User) -> dict[str, object]:
        """The form as it is filled in now."""
        recipient = user.recipient
        facts = {"name": user.name, "language": recipient.language, "zone": recipient.zone}
        facts |= {"proposals_shown": user.proposals_shown, "curve_shown": user.curve_shown}
        facts |= {"hours_shown": user.hours_shown, "discord_id": user.discord_id}
        ticked = {"has_profile": user.has_profile, "is_ranked": user.is_ranked, "lends_positions": user.lends_positions}
        return {**facts, **ticked}


LEADS = [
    (60, gettext_lazy("1 hour before")),
    (180, gettext_lazy("3 hours before")),
    (720, gettext_lazy("12 hours before")),
    (1440, gettext_lazy("1 day before")),
    (2880, gettext_lazy("2 days before")),
]


def checked_leads(form: forms.Form, choice: str, ticked: list[int], others: dict[str, list[int] | None]) -> None:
    """Says at the form's field "leads" which reminders cannot be; `others` are the choices that need no tick."""
    if choice not in others and not ticked:
        form.add_error("leads", gettext("Tick at least one time, or choose another option above."))
        return
    try:
        clocks.checked_leads(others.get(choice, ticked))
    except ServiceError as error:
        form.add_error("leads", error.message)


class HoursForm(forms.Form):
    """When a person is not disturbed, and when he wants to be reminded."""

    OTHERS: ClassVar[dict[str, list[int] | None]] = {"auto": None, "never": []}
    quiet_from = forms.TimeField(
        label=gettext_lazy("Quiet from"), required=False, widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M")
    )
    quiet_until = forms.TimeField(
        label=gettext_lazy("Quiet until"),
        required=False,
        widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
    )
    remind = forms.ChoiceField(
        label=gettext_lazy("Reminders"),
        choices=[
            ("auto", gettext_lazy("once, when most of my time is gone")),
            ("chosen", gettext_lazy("at the times ticked below")),
            ("never", gettext_lazy("never")),
        ],
        widget=forms.RadioSelect,
    )
    leads = forms.TypedMultipleChoiceField(
        label=gettext_lazy("Before the deadline"),
        coerce=int,
        choices=LEADS,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy(
            "Three at most. A reminder that would fall into your quiet hours is sent before they start."
        ),
    )

    def __init__(self, data: QueryDict | None = None, *, zone: str, initial: dict[str, object] | None = None) -> None:
        super().__init__(data, initial=initial)
        self.zone = zone

    def clean(self) -> dict[str, object]:
        """Adds errors at the fields they belong to."""
        data = super().clean() or {}
        if not self.errors:
            try:
                clocks.check_quiet(data["quiet_from"], data["quiet_until"])
            except ServiceError as error:
                self.add_error("quiet_from", error.message)
            checked_leads(self, data["remind"], data["leads"], self.OTHERS)
        return data

    def hours(self) -> clocks.Hours:
        """The chosen preferences. Only for a form that is valid."""
        data = self.cleaned_data
        leads = self.OTHERS.get(data["remind"], data["leads"])
        return clocks.Hours(self.zone, data["quiet_from"], data["quiet_until"], leads)

    @staticmethod
    def initial_of(user: User) -> dict[str, object]:
        """The form as the person filled it in last."""
        chosen = user.remind_before
        return {
            "quiet_from": user.recipient.quiet_from,
            "quiet_until": user.recipient.quiet_until,
            "remind": "auto" if chosen is None else "chosen" if chosen else "never",
            "leads": chosen or [],
        }


class VacationForm(forms.Form):
    """From when until when."""

    first_day = forms.DateField(
        label=gettext_lazy("First day"),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"invalid": gettext_lazy("That isn't a valid date. Write it like 2026-12-24.")},
    )
    last_day = forms.DateField(
        label=gettext_lazy("Last day"),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"invalid": gettext_lazy("That isn't a valid date. Write it like 2026-12-24.")},
    )

    def clean(self) -> dict[str, object]:
        """The end is not before the beginning."""
        data = super().clean() or {}
        if not self.errors and data["last_day"] < data["first_day"]:
            self.add_error("last_day", gettext("The last day is before the first."))
        return data


class AddressForm(forms.Form):
    """Where mails shall go from now on."""

    email = forms.EmailField(
        label=gettext_lazy("New email address"),
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )


class LeaveForm(forms.Form):
    """The wish to delete one's account, with the address typed once more so that no slip does it."""

    address = forms.EmailField(
        label=gettext_lazy("Type your email address to confirm"),
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )
    takes_words = forms.BooleanField(
        label=gettext_lazy("Also delete my messages at tables"),
        required=False,
        help_text=gettext_lazy("Otherwise your messages stay, under “Former player”."),
    )


class TokenForm(forms.Form):
    """A name by which one knows a token again."""

    name = forms.CharField(
        label=gettext_lazy("What is it for?"),
        max_length=60,
        widget=forms.TextInput(attrs={"placeholder": gettext_lazy("my script")}),
    )
    scopes = forms.MultipleChoiceField(
        label=gettext_lazy("What may it do?"), initial=everyday_scopes, widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, data: QueryDict | None = None, *, may_moderate: bool = False) -> None:
        """`may_moderate` offers the scope of moderators, too."""
        super().__init__(data, auto_id="token_%s")  # the page has other forms
        scopes = self.fields["scopes"]
        assert isinstance(scopes, forms.MultipleChoiceField)
        choices = ApiToken.Scope.choices
        scopes.choices = [choice for choice in choices if may_moderate or choice[0] != ApiToken.Scope.MODERATE]


# Signing in by link, and a person's settings.

Data: TypeAlias = dict[str, Any]  # what a form has found valid
FORMS: dict[str, Callable[..., forms.Form]] = {
    "profile": ProfileForm,
    "address": AddressForm,
    "token": TokenForm,
    "vacation": VacationForm,
}


@require_http_methods(["GET", "HEAD", "POST"])
def sign_in_link(request: HttpRequest) -> HttpResponse:
    """The page behind a sign-in link. GET uses nothing up; POST signs in, on a new device once it is confirmed."""
    token = request.POST.get("sesame") or request.GET.get("sesame", "")
    user = sign_in.find_user_by_link(token)
    if user is None:
        return with_private_address(
            render(request, "games/accounts/sign_in_spent.html", status=200 if signed_in(request) else 410)
        )
    is_known = sessions.is_known_browser(request, user) or sessions.is_trusted(request, user)
    if request.method == "POST":
        if is_known or confirming.is_confirmed(request):
            return _sign_in(request, token)
        return with_private_address(confirming.choice_page(request, isolated(user.name)))
    context = {
        "is_known": is_known,
        "name": isolated(user.name),
        "sesame": token,
        "next": next_path(request, "my_games"),
    }
    return with_private_address(render(request, "games/accounts/sign_in_link.html", context))


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
    """Shows a person's settings; a POST here is the form with name, language and zone."""
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
    if request.method == "POST" and answer in ("yes", "no") and not confirming.is_confirmed(request):
        return with_private_address(confirming.choice_page(request, isolated(wish.change.user.name)))
    if request.method == "POST" and answer == "yes":
        wish = accounts.confirm_address_change(token=token, now=present.now())
        if wish.change.done_at and signed_in(request) == wish.change.user:
            update_session_auth_hash(request, wish.change.user)
    elif request.method == "POST" and answer == "no":
        accounts.refuse_address_change(token=token, now=present.now())
    is_missing = request.method == "POST" and answer not in ("yes", "no")
    context = {
        "wish": wish,
        "name": isolated(wish.change.user.name),
        "is_missing": is_missing,
        "is_refused": answer == "no" and not wish.change.done_at,
    }
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
    options = {"may_moderate": may_moderate(request)} if name == "token" else {}
    return FORMS[name](data, **options)


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
        "channels": [(channel.settings_template, channel.settings_context(recipient)) for channel in CHANNELS.values()],
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


# Personal data: the privacy page, a person's copy of his data, and deleting his account.


@require_safe
def privacy(request: HttpRequest, language: str = "") -> HttpResponse:
    """The privacy page: what is stored, why, how long, and who sees it.

    Arguments:
        language: of the page; without it, or where we do not speak it, the reader's.
    """
    shown = page_language(language)
    with translation.override(shown.code):
        facts = {"rules": EXPIRIES, "grace": settings.ERASURE_GRACE_DAYS, "lessons": LESSON_KEPT.days}
        context = {**facts, "missing": shown.missing}
        return render(request, "games/accounts/privacy.html", context, status=shown.status)


@login_required
@require_safe
def own_data(request: HttpRequest) -> HttpResponse:
    """The page of a person's own data."""
    return _page(request, LeaveForm())


@login_required
@require_POST
def take_copy(request: HttpRequest) -> HttpResponse:
    """Sends all personal data of the person as a file."""
    now = present.now()
    text = personal_data.give(user=require_user(request), now=now)
    response = HttpResponse(text, content_type="application/json")
    response.headers["Content-Disposition"] = f'attachment; filename="{personal_data.file_name(now)}"'
    return response


@login_required
@require_POST
def leave(request: HttpRequest) -> HttpResponse:
    """Asks for the account to be deleted: only from a sign-in of this moment, and with the address typed once more."""
    form = LeaveForm(request.POST)
    if not is_fresh(request):
        return _page(request, form, status=403)
    if form.is_valid():
        with refusals_in(form, "address"):
            erasure.ask(user=require_user(request), **form.cleaned_data, now=present.now())
            messages.success(request, _("Done. We've sent you an email. Until then you can change your mind here."))
            return redirect("own_data")
    return _page(request, form, status=status_of(form))


@login_required
@require_POST
def stay(request: HttpRequest) -> HttpResponse:
    """The account is not deleted after all."""
    if erasure.take_back(user=require_user(request)):
        messages.success(request, _("Your account stays. Nothing was deleted."))
    return redirect("own_data")


def _page(request: HttpRequest, form: LeaveForm, status: int = 200) -> HttpResponse:
    user = require_user(request)
    context = {
        "form": form,
        "wish": erasure.pending_erasure(user),
        "is_fresh": is_fresh(request),
        "grace": settings.ERASURE_GRACE_DAYS,
    }
    return render(request, "games/accounts/own_data.html", context, status=status)


# The page behind "Appeal" in an email about a moderator's decision: no session, for the account may be closed.


class AppealForm(forms.Form):
    """Why the decision is wrong."""

    text = forms.CharField(
        label=gettext_lazy("Why is it wrong?"), max_length=Report.TEXT_LENGTH, widget=forms.Textarea(attrs={"rows": 6})
    )


@csrf_exempt  # as the act links: who knows the address may act, and mail programs keep no cookies
@private
@require_http_methods(["GET", "HEAD", "OPTIONS", "POST"])
def appeal(request: HttpRequest, ref: str, token: str) -> HttpResponse:
    """GET shows the decision and the form; POST stores the appeal."""
    notice = reports.find_appealable(ref, token)
    if notice is None:
        return link_not_found(request)
    entry = ModerationEntry.objects.select_related("user__owner", "actor").get(
        pk=int(notice.subject.removeprefix(ModerationEntry.SUBJECT))
    )
    with translation.override(notice.recipient.language), timezone.override(notice.recipient.zone_info):
        form, is_done = AppealForm(sent(request)), False
        if form.is_valid():
            with refusals_in(form):
                reports.appeal(entry=entry, text=form.cleaned_data["text"], now=present.now())
                is_done = True
        context = {
            "form": form,
            "is_done": is_done,
            "is_open": reports.may_appeal(entry),
            "action": entry.get_action_display(),
            "reason": audit.in_words(entry.reason),
        }
        return render(request, "games/accounts/appeal.html", context, status=status_of(form))


# The forms of the settings page about vacations.


@login_required
@require_POST
def plan(request: HttpRequest) -> HttpResponse:
    """Plans a vacation; what is wrong with it is said at the form."""
    user = require_user(request)

    def save(data: dict[str, object]) -> str:
        absences.plan(user=user, **data, now=present.now())  # type: ignore[arg-type]  # the form's fields have its types
        return _("Enjoy! Deadlines that would have fallen into your vacation have been moved.")

    return take(request, "vacation", save)


@login_required
@require_POST
def end(request: HttpRequest, ref: str) -> HttpResponse:
    """Ends a vacation, or calls it off."""
    absences.end(user=require_user(request), ref=ref, now=present.now())
    messages.success(request, _("Vacation ended. Your clock runs again for questions from now on."))
    return redirect("settings")
