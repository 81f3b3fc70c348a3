"""The form to which a record is given."""

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy


class ImportForm(forms.Form):
    """One file."""

    record = forms.FileField(label=gettext_lazy("Record of a game"), allow_empty_file=True)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["record"].error_messages["required"] = _("Choose a file of %(most)s MB at the most.") % _most()

    def clean_record(self) -> Any:
        """The file, if a record can be as large."""
        file = self.cleaned_data["record"]
        if (file.size or 0) > settings.LARGEST_RECORD:
            raise forms.ValidationError(_("This file is too large: %(most)s MB at the most.") % _most())
        return file


def _most() -> dict[str, int]:
    return {"most": settings.LARGEST_RECORD // 2**20}
