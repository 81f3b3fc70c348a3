"""The form of signing up. It is apart from other forms of signing in: allauth imports it while its own are loaded."""

from django import forms
from django.contrib.auth.base_user import AbstractBaseUser
from django.http import HttpRequest

from games.web.accounts.fields import NameField, ZoneField


class SignUpForm(forms.Form):
    """The fields beside the email address, which allauth asks for."""

    name = NameField()
    zone = ZoneField(required=False)
    field_order = ["email", "name", "zone"]

    def signup(self, request: HttpRequest, user: AbstractBaseUser) -> None:
        """Nothing is left to do: the adapter has stored name and zone."""
