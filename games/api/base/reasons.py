"""Stored reasons in answers of the API: in words for people, as a code for programs."""

from rest_framework import serializers

from notifications import reasons


class ReasonWordsField(serializers.CharField):
    """A stored reason in the reader's language, or what another server said, as it came."""

    def to_representation(self, value: str) -> str:
        """Returns the words."""
        return reasons.in_words(value)


class ReasonCodeField(serializers.CharField):
    """The code of a stored reason; "" for none."""

    def __init__(self, source: str | None = None, *, allow_null: bool = False) -> None:
        help_text = "The reason for programs: a code of docs/api.md, or empty. New ones may come."
        super().__init__(source=source, allow_null=allow_null, help_text=help_text)

    def to_representation(self, value: str) -> str:
        """Returns the code."""
        return reasons.code_of(value)
