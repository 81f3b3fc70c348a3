"""Signing in: with a password, for those who have set one; with a code of a mail, which is not guessed at for long."""

from copy import deepcopy
from typing import Any

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
from django.forms import Form, ValidationError
from django.utils.translation import gettext_lazy as _

from games.errors import TooMany
from games.people import limits
from notifications.clock import present


class PasswordForm(LoginForm):  # type: ignore[misc]  # allauth ships no types
    """allauth asks for a password only where one is set at signing up; here it is set later, if at all."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password"] = deepcopy(self.base_fields["password"])
        self.fields["password"].help_text = ""
        self.fields["login"].label = _("Email address")


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
