"""Parts that forms share: the name others see, the time zone, and what a service refuses."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from http import HTTPStatus

from django import forms
from django.forms import Form, ValidationError
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext_lazy as _

from games.errors import Illegal, ServiceError
from games.people import names
from notifications.clock import calendar


class ServiceRefusal(ValidationError):
    """An error in a form that comes from a service; the page that shows it has the service's status."""

    def __init__(self, error: ServiceError) -> None:
        super().__init__(error.message, code=error.code)
        self.status = error.status


def sent(request: HttpRequest) -> QueryDict | None:
    """Returns what a form is bound to: the data of a POST, None for a page that is only looked at."""
    return request.POST if request.method == "POST" else None


@contextmanager
def refusals_in(form: Form, field: str | None = None) -> Iterator[None]:
    """Ends the block at a ServiceError, and shows its message in the form: beside a field, or above all of them."""
    try:
        yield
    except ServiceError as error:
        form.add_error(field, ServiceRefusal(error))


def status_of(form: Form) -> int:
    """Returns the status of a page that shows a form: that of a refusal, 422 for other errors, 200 without any."""
    errors = [error for group in form.errors.as_data().values() for error in group]
    refused = (error.status for error in errors if isinstance(error, ServiceRefusal))
    return next(refused, HTTPStatus.UNPROCESSABLE_ENTITY.value) if errors else HTTPStatus.OK.value


# Fields about a person.

NAME_LENGTH = 40


class NameField(forms.CharField):
    """The name other players see, as `names.checked` allows it."""

    def __init__(self, **kwargs: object) -> None:
        defaults: dict[str, object] = {
            "label": _("Your name"),
            "max_length": NAME_LENGTH,
            "help_text": _("This is what other players see."),
            "widget": forms.TextInput(attrs={"autocomplete": "nickname"}),
        }
        super().__init__(**(defaults | kwargs))  # type: ignore[arg-type]  # a keyword for each, which mypy cannot see

    def clean(self, value: object) -> str:
        """The name on one line."""
        written = super().clean(value)
        try:
            return names.checked(written) if written else ""
        except Illegal as error:
            raise forms.ValidationError(error.message) from error


REGIONS = {
    "Africa": _("Africa"),
    "America": _("America"),
    "Antarctica": _("Antarctica"),
    "Arctic": _("Arctic"),
    "Asia": _("Asia"),
    "Atlantic": _("Atlantic"),
    "Australia": _("Australia"),
    "Europe": _("Europe"),
    "Indian": _("Indian Ocean"),
    "Pacific": _("Pacific"),
}
"""How players call the regions of IANA's names. Older names, such as US/Eastern, stand below their own first part."""


@cache
def zone_choices() -> list[tuple[object, object]]:
    """Every time zone in the group of its region: Europe has Berlin and Madrid. UTC is first."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for name in sorted(calendar.known()):
        region, _slash, place = name.partition("/")
        if place and region not in ("Etc", "SystemV"):
            groups.setdefault(region, []).append((name, place.replace("_", " ")))
    return [("UTC", "UTC"), *((REGIONS.get(region, region), places) for region, places in groups.items())]


class ZoneField(forms.ChoiceField):
    """A time zone, by region. The page's script adds a search, and asks whether the browser's zone is right."""

    def __init__(self, **kwargs: object) -> None:
        attrs = {
            "data-seems": _("You seem to be in {zone} – is that right? If not, choose another."),
            "data-search": _("Search by city or region"),
            "data-none": _("No time zone has that in its name."),
        }
        is_required = kwargs.get("required", True)
        defaults: dict[str, object] = {
            "label": _("Time zone"),
            "choices": zone_choices if is_required else lambda: [("", _("Choose later")), *zone_choices()],
            "help_text": _("We show deadlines in this time zone, on pages and in emails."),
            "widget": forms.Select(attrs=attrs),
        }
        super().__init__(**(defaults | kwargs))  # type: ignore[arg-type]  # a keyword for each, which mypy cannot see
