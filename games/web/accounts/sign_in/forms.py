"""Signing in: with a password, for those who have set one; with a code of a mail, which is not guessed at for long."""

from copy import deepcopy
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.forms import BaseConfirmCodeForm, ConfirmEmailVerificationCodeForm, ConfirmLoginCodeForm, LoginForm
from allauth.core import context, ratelimit
from django.utils.translation import gettext_lazy as _


class PasswordForm(LoginForm):  # type: ignore[misc]  # allauth ships no types
    """allauth asks for a password only where one is set at signing up; here it is set later, if at all."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password"] = deepcopy(self.base_fields["password"])
        self.fields["password"].help_text = ""
        self.fields["login"].label = _("Email address")


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
