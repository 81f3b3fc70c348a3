"""Forms of the host tools."""

from collections.abc import Sequence

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from games.lobby.models import LONGEST_NAME
from games.tables.seats import Seat


class HandOverForm(forms.Form):
    """Who shall be the host."""

    seat = forms.TypedChoiceField(label=_("New host"), coerce=int)

    def __init__(self, data: QueryDict | None, *, prefix: str, seats: Sequence[Seat]) -> None:
        super().__init__(data, prefix=prefix)
        field = self.fields["seat"]
        assert isinstance(field, forms.TypedChoiceField)
        field.choices = [(seat.number, seat.display_name) for seat in seats]


class PresetForm(forms.Form):
    """Under which name the table's settings are saved."""

    name = forms.CharField(
        label=_("Name of the preset"),
        max_length=LONGEST_NAME,
        help_text=_("A preset with the same name is replaced."),
    )

    def __init__(self, data: QueryDict | None, *, prefix: str, title: str) -> None:
        super().__init__(data, prefix=prefix, initial={"name": title})
