"""The form to which a record is given."""

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.http import QueryDict
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy


class ImportForm(forms.Form):
    """One file."""

    record = forms.FileField(label=gettext_lazy("Record of a game"), allow_empty_file=True)

    def __init__(
        self, data: QueryDict | None = None, files: "MultiValueDict[str, UploadedFile[bytes]] | None" = None
    ) -> None:
        super().__init__(data, files)
        self.fields["record"].error_messages["required"] = _("Choose a file of at most %(most)s MB.") % _most()

    def clean_record(self) -> "UploadedFile[bytes]":
        """The file, if a record can be as large."""
        file: UploadedFile[bytes] = self.cleaned_data["record"]
        if (file.size or 0) > settings.LARGEST_RECORD:
            raise forms.ValidationError(_("This file is too large. The limit is %(most)s MB.") % _most())
        return file


def _most() -> dict[str, int]:
    return {"most": settings.LARGEST_RECORD // 2**20}
