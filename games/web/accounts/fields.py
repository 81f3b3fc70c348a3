"""Fields about a person: the name others see, and the time zone."""

from functools import cache

from django import forms
from django.utils.translation import gettext_lazy as _

from games.errors import Illegal
from games.tables import names
from notifications.clock import zones

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
    for name in sorted(zones.known()):
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
