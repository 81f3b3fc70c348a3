"""Sentences of Django and allauth that players meet on our pages.

Marked here once more, so that they are in our catalogues, which are asked first: theirs address a stranger in Spanish
("usted"), ours a friend ("tú").
"""

from django.utils.translation import gettext_noop as _
from django.utils.translation import ngettext_lazy

SENTENCES = (
    _("Enter a valid email address."),
    _("Enter a valid URL."),
    _("Enter a whole number."),
    _("Ensure this value is less than or equal to %(limit_value)s."),
    _("Ensure this value is greater than or equal to %(limit_value)s."),
    _("Select a valid choice. %(value)s is not one of the available choices."),
    _("Your password can’t be too similar to your other personal information."),
    _("Your password can’t be a commonly used password."),
    _("Please type your current password."),
    _("You must type the same password each time."),
    _("Forgot Password?"),
)
PLURALS = (
    ngettext_lazy(
        "Ensure this value has at most %(limit_value)d character (it has %(show_value)d).",
        "Ensure this value has at most %(limit_value)d characters (it has %(show_value)d).",
        "limit_value",
    ),
    ngettext_lazy(
        "Your password must contain at least %(min_length)d character.",
        "Your password must contain at least %(min_length)d characters.",
        "min_length",
    ),
)
