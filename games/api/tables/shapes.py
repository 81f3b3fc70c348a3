"""Serializers of open tables."""

from typing import Any

from django.conf import settings
from rest_framework import serializers

from games.api.base.paging import NEXT, PageQuery
from games.api.base.parsing import AnyField, Body, DataSerializer, WordField
from games.api.play.serializers import TakenSeatShape
from games.tables.pace import paces
from games.tables.seats import LONGEST_WORDS, Invitation
from games.tables.settings import OWN_BOTS, SETTINGS, TableSetting

SEEN = "Of the settings that you have read: if the host has changed them since, you are not seated."


class PaceField(WordField):
    """The name of a pace that hosts may choose: EXTRA_PACE, too, where there is one."""

    def __init__(self, **options: Any) -> None:
        super().__init__([name for name, _label in paces()], **options)


class TablesQuery(PageQuery):
    """Which of the listed tables; what is left out is all the same to you."""

    rules = serializers.CharField(max_length=40, allow_blank=True, default="", help_text="The name of a rule set.")
    free = serializers.IntegerField(min_value=1, max_value=20, default=1, help_text="So many free seats at least.")
    pace = PaceField(required=False)
    language = WordField(settings.LANGUAGES, required=False, help_text="The host's.")
    has_bots = serializers.BooleanField(required=False)


class OptionValueShape(DataSerializer):
    """One choice of an option."""

    value = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # the API's word


class TableOptionShape(DataSerializer):
    """What a host may choose."""

    name = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # the API's word
    hint = serializers.CharField(allow_null=True)
    default = serializers.CharField()
    suggested = serializers.CharField(help_text="What suits a game that is played over days.")
    values = OptionValueShape(many=True)


class RulesShape(DataSerializer):
    """A game of this service."""

    name = serializers.CharField()
    version = serializers.IntegerField()
    schema_url = serializers.URLField(help_text="JSON Schema of this version's views, events and actions.")
    title = serializers.CharField()
    seat_counts = serializers.ListField(child=serializers.IntegerField())
    bots = serializers.ListField(child=serializers.CharField())
    options = TableOptionShape(many=True)


class TableShape(DataSerializer):
    """A table that waits for players."""

    ref = serializers.CharField()
    title = serializers.CharField()
    host = serializers.CharField(source="host.get_short_name")
    rules = serializers.CharField(source="rules_name")
    options = serializers.DictField(child=serializers.CharField())
    pace = serializers.CharField()
    allows_own_bots = serializers.BooleanField(help_text=OWN_BOTS)
    seat_count = serializers.IntegerField()
    seats = TakenSeatShape(many=True, source="seated", help_text="Those that are taken.")
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField(help_text="When it is closed if it has not begun.")


class TablesShape(DataSerializer):
    """A part of the listed tables."""

    tables = TableShape(many=True)
    next = serializers.CharField(allow_null=True, help_text=NEXT)


class TableBody(Body):
    """A table as its host wants it."""

    example = {
        "seats": 4,
        "club": "",
        "options": {"open_hoards": "off"},
        "proposals": "on",
        "missed": "proposal",
        "absent_after": 3,
    }
    rules = serializers.CharField(max_length=40, help_text="The name of a rule set.")
    seats = serializers.IntegerField(min_value=1, max_value=20, help_text="How many play.")
    title = serializers.CharField(max_length=60, allow_blank=True, default="", help_text="Named after you if empty.")
    options = serializers.DictField(
        child=serializers.CharField(max_length=40), default=dict, help_text="Of the rules; left out, their defaults."
    )
    pace = PaceField(default="daily")
    club = serializers.CharField(
        max_length=12, allow_blank=True, default="", help_text="Of yours, whose members alone may join; empty: none."
    )
    bots = serializers.ListField(
        child=serializers.CharField(max_length=40),
        default=list,
        max_length=20,
        help_text="One name for each bot: of the rules, or of a bot account that you may seat.",
    )

    def get_fields(self) -> dict[str, AnyField]:
        """The fields above, and one for each setting."""
        return {**super().get_fields(), **{setting.name: setting_field(setting) for setting in SETTINGS}}


def setting_field(setting: TableSetting, *, is_required: bool = True) -> AnyField:
    """Returns the field of a setting.

    Arguments:
        is_required: whether one that is left out is as usual; else it is as it was.
    """
    about = setting.about
    given: dict[str, Any] = {"default": setting.default} if is_required else {"required": False}
    if about.choices is not None:
        words = f"{about.api_hint}{' Empty: as usual.' if about.usual else ''}"
        return WordField(
            about.choices.choices, allow_blank=about.usual is not None, help_text=words or None, **_as_text(given)
        )
    if about.bounds is not None:
        least, largest = about.bounds
        return serializers.IntegerField(min_value=least, max_value=largest, help_text=about.api_hint, **given)
    return serializers.BooleanField(help_text=about.api_hint or None, **given)


def _as_text(given: dict[str, Any]) -> dict[str, Any]:
    return {name: str(value) if name == "default" else value for name, value in given.items()}


class JoinBody(Body):
    """Sitting down."""

    example = {"steward_hours": 6, "link": ..., "settings_version": ...}
    entropy = serializers.CharField(
        max_length=64, allow_blank=True, default="", help_text="Words of your own that are mixed into the shuffling."
    )
    steward_hours = serializers.IntegerField(
        allow_null=True,
        default=None,
        help_text="After so many of your waking hours what is proposed is played for you.",
    )
    link = serializers.CharField(
        max_length=40, allow_blank=True, default="", help_text="The last part of the link that you were sent."
    )
    settings_version = serializers.IntegerField(default=None, allow_null=True, min_value=0, help_text=SEEN)


class InvitationBody(Body):
    """Whom to invite."""

    example = {"address": "david@example.org", "words": "Shall we play on Thursdays?"}
    address = serializers.CharField(max_length=254, help_text="An email address.")
    words = serializers.CharField(
        max_length=LONGEST_WORDS, allow_blank=True, default="", help_text="A line of your own, which the email quotes."
    )


class InvitationShape(DataSerializer):
    """A chair that is offered."""

    ref = serializers.CharField()
    address = serializers.CharField()
    status = serializers.CharField(help_text=f"One of {', '.join(Invitation.Status.values)}.")
    seat = serializers.IntegerField(
        source="seat.number",
        default=None,
        allow_null=True,
        help_text="Of an absent player in a running game; else null.",
    )
    created_at = serializers.DateTimeField()
