"""The form of signing up. It is apart from other forms of signing in: allauth imports it while its own are loaded."""

from typing import Any

from allauth.core import context
from django import forms
from django.contrib.auth.base_user import AbstractBaseUser
from django.http import HttpRequest

from games.errors import TooMany
from games.people import limits
from games.web.forms import NameField, ZoneField
from notifications.clock import present


class SignUpForm(forms.Form):
    """The fields beside the email address, which allauth asks for."""

    name = NameField()
    zone = ZoneField(required=False)
    field_order = ["email", "name", "zone"]

    def clean(self) -> dict[str, Any] | None:
        """Counts the letter that confirms the address, before an account is stored. Raises ValidationError."""
        cleaned = super().clean()
        address = self.cleaned_data.get("email")
        if address:
            try:
                limits.take_letter(context.request, address, present.now())
            except TooMany as error:
                raise forms.ValidationError(error.message) from error
        return cleaned

    def signup(self, request: HttpRequest, user: AbstractBaseUser) -> None:
        """Nothing is left to do: the adapter has stored name and zone."""
