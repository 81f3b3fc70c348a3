"""Forms about a person: signing up, how to be spoken to, addresses, webhook, API tokens."""

from functools import cache
from zoneinfo import available_timezones

from django import forms
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from games.services.tables import clean_title
from notifications.channels.webhook import refusal

NAME_LENGTH = 40


class NameField(forms.CharField):
    """The name other players see: one line, no control characters, not empty."""

    def __init__(self, **kwargs: object) -> None:
        defaults: dict[str, object] = {
            "label": _("Your name"),
            "max_length": NAME_LENGTH,
            "help_text": _("This is what the other players see."),
            "widget": forms.TextInput(attrs={"autocomplete": "nickname"}),
        }
        super().__init__(**(defaults | kwargs))  # type: ignore[arg-type]  # a keyword for each, which mypy cannot see

    def clean(self, value: object) -> str:
        """The name on one line."""
        name = clean_title(super().clean(value))
        if self.required and not name:
            raise forms.ValidationError(self.error_messages["required"], code="required")
        return name


class SignUpForm(forms.Form):
    """What we ask beside the mail address, which allauth asks."""

    name = NameField()
    field_order = ["email", "name"]

    def signup(self, request: HttpRequest, user: AbstractBaseUser) -> None:
        """Nothing is left to do: the adapter has stored the name."""


@cache
def zone_choices() -> list[tuple[str, str]]:
    """Every time zone by its name, such as Europe/Madrid; UTC first."""
    places = {name for name in available_timezones() if "/" in name and not name.startswith(("Etc/", "SystemV/"))}
    return [("UTC", "UTC"), *((name, name.replace("_", " ")) for name in sorted(places))]


class ProfileForm(forms.Form):
    """How a person is called and spoken to."""

    name = NameField(help_text=_("What the other players see. Tables that you have joined keep the name you had."))
    language = forms.ChoiceField(label=_("Language"), choices=settings.LANGUAGES)
    zone = forms.ChoiceField(
        label=_("Time zone"),
        choices=zone_choices,
        help_text=_("Deadlines are told in this zone, on the pages and in mails."),
    )


class AddressForm(forms.Form):
    """Where mails shall go from now on."""

    email = forms.EmailField(
        label=_("New mail address"), max_length=254, widget=forms.EmailInput(attrs={"autocomplete": "email"})
    )


class WebhookForm(forms.Form):
    """Where notices go beside the mails."""

    url = forms.URLField(
        label=_("Address of your webhook"),
        max_length=500,
        assume_scheme="https",
        help_text=_("It must begin with https://. We send a signed POST request there for each notice."),
    )

    def clean_url(self) -> str:
        """The address, if anything would ever be sent to it."""
        url: str = self.cleaned_data["url"]
        if refusal(url):
            raise forms.ValidationError(_("We only send to https:// addresses on the port 443 or 8443."))
        return url


class TokenForm(forms.Form):
    """A name by which one knows a token again."""

    name = forms.CharField(
        label=_("What is it for?"), max_length=60, widget=forms.TextInput(attrs={"placeholder": _("my script")})
    )
