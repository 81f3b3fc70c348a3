"""Signing in with a password, for those who have set one."""

from copy import deepcopy
from typing import Any

from allauth.account.forms import LoginForm
from django.utils.translation import gettext_lazy as _


class PasswordForm(LoginForm):  # type: ignore[misc]  # allauth ships no types
    """allauth asks for a password only where one is set at signing up; here it is set later, if at all."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password"] = deepcopy(self.base_fields["password"])
        self.fields["password"].help_text = ""
        self.fields["login"].label = _("Mail address")
