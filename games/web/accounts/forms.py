"""Forms of a person's settings: how to be spoken to, quiet hours, vacations, addresses, API tokens."""

from typing import ClassVar

from django import forms
from django.conf import settings
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.errors import ServiceError
from games.people.models import ApiToken, User, everyday_scopes
from games.play import clocks
from games.web.forms import NameField, ZoneField


class ProfileForm(forms.Form):
    """How a person is called and spoken to."""

    name = NameField(help_text=_("This is what other players see. Tables you've already joined keep your old name."))
    language = forms.ChoiceField(label=_("Language"), choices=settings.LANGUAGES)
    zone = ZoneField()
    has_profile = forms.BooleanField(
        label=_("Public profile"),
        required=False,
        help_text=_("Shows your name and finished games. Visitors see only games they could see anyway."),
    )

    is_ranked = forms.BooleanField(
        label=_("Show me on the leaderboard"),
        required=False,
        help_text=_("Shows your rating from public tables on your profile and on the leaderboard."),
    )

    curve_shown = forms.ChoiceField(
        label=_("Who sees how my rating has changed"),
        required=False,
        choices=User.Audience.choices,
        help_text=_("Only where your rating is shown at all."),
    )
    hours_shown = forms.ChoiceField(
        label=_("Who sees when I usually answer"),
        required=False,
        choices=User.Audience.choices,
        help_text=_("In quarters of the day: often, sometimes or seldom. From finished games only."),
    )

    proposals_shown = forms.ChoiceField(
        label=_("Suggested moves"),
        required=False,
        choices=User.ProposalsShown.choices,
        help_text=_(
            "At tables with proposals, you see a suggested answer to each question and the reason for it. Nobody "
            "else sees yours."
        ),
    )

    @staticmethod
    def initial_of(user: User) -> dict[str, object]:
        """The form as it is filled in now."""
        recipient = user.recipient
        facts = {"name": user.name, "language": recipient.language, "zone": recipient.zone}
        facts |= {"proposals_shown": user.proposals_shown, "curve_shown": user.curve_shown}
        facts["hours_shown"] = user.hours_shown
        return {**facts, "has_profile": user.has_profile, "is_ranked": user.is_ranked}


LEADS = [
    (60, _("1 hour before")),
    (180, _("3 hours before")),
    (720, _("12 hours before")),
    (1440, _("1 day before")),
    (2880, _("2 days before")),
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
        label=_("Quiet from"), required=False, widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M")
    )
    quiet_until = forms.TimeField(
        label=_("Quiet until"), required=False, widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M")
    )
    remind = forms.ChoiceField(
        label=_("Reminders"),
        choices=[
            ("auto", _("once, when most of my time is gone")),
            ("chosen", _("at the times ticked below")),
            ("never", _("never")),
        ],
        widget=forms.RadioSelect,
    )
    leads = forms.TypedMultipleChoiceField(
        label=_("Before the deadline"),
        coerce=int,
        choices=LEADS,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Three at most. A reminder that would fall into your quiet hours is sent before they start."),
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
        label=_("First day"),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"invalid": _("That isn't a valid date. Write it like 2026-12-24.")},
    )
    last_day = forms.DateField(
        label=_("Last day"),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"invalid": _("That isn't a valid date. Write it like 2026-12-24.")},
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
        label=_("New email address"), max_length=254, widget=forms.EmailInput(attrs={"autocomplete": "email"})
    )


class LeaveForm(forms.Form):
    """The wish to delete one's account, with the address typed once more so that no slip does it."""

    address = forms.EmailField(
        label=_("Type your email address to confirm"),
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )
    takes_words = forms.BooleanField(
        label=_("Also delete my messages at tables"),
        required=False,
        help_text=_("Otherwise your messages stay, under “Former player”."),
    )


class TokenForm(forms.Form):
    """A name by which one knows a token again."""

    name = forms.CharField(
        label=_("What is it for?"), max_length=60, widget=forms.TextInput(attrs={"placeholder": _("my script")})
    )
    scopes = forms.MultipleChoiceField(
        label=_("What may it do?"), initial=everyday_scopes, widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, data: QueryDict | None = None, *, may_moderate: bool = False) -> None:
        """`may_moderate` offers the scope of moderators, too."""
        super().__init__(data, auto_id="token_%s")  # the page has other forms
        scopes = self.fields["scopes"]
        assert isinstance(scopes, forms.MultipleChoiceField)
        known = ApiToken.Scope.choices
        scopes.choices = [one for one in known if may_moderate or one[0] != ApiToken.Scope.MODERATE]
