"""Forms about the mail a person gets: when, what, and what of one table."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import ClassVar, cast

from django import forms
from django.http import QueryDict
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.play.clocks import TablePreferences
from games.tables.seats import Seat
from games.web.accounts.forms import LEADS, checked_leads
from notifications import preferences
from notifications.clock.calendar import DAY, on_the_wall
from notifications.models import Conversation, Recipient, Rhythm, Ways

MORNING_HOUR = 8


def switchable() -> list[tuple[str, str | Promise]]:
    """The topics that can be switched off, with their labels."""
    return [(topic.name, topic.label) for topic in preferences.optional()]


def switchable_here() -> list[tuple[str, str | Promise]]:
    """The topics that can be switched off at one table, with their labels."""
    return [(topic.name, topic.label) for topic in preferences.optional(by_thread=True)]


class WaysForm(forms.Form):
    """A form that asks by which channels only where there is more than one; it says what is meant otherwise."""

    usual: ClassVar[tuple[tuple[str, str | Promise], ...]] = ()  # chosen where somebody has chosen nothing

    def __init__(
        self, data: QueryDict | None = None, *, ways: Collection[Ways], initial: dict[str, object] | None = None
    ) -> None:
        super().__init__(data, initial=initial)
        if ways:
            field = cast(forms.ChoiceField, self.fields["ways"])
            field.choices = [*self.usual, *((way.value, way.label) for way in ways)]
        else:
            del self.fields["ways"]


class MailForm(WaysForm):
    """When and what we write, in all games."""

    ways = forms.ChoiceField(label=_("How we notify you"), choices=Ways.choices, widget=forms.RadioSelect)
    rhythm = forms.ChoiceField(label=_("When we email you"), choices=Rhythm.choices, widget=forms.RadioSelect)
    daily_at = forms.TimeField(
        label=_("Time of the daily email"),
        widget=forms.TimeInput(format="%H:%M", attrs={"type": "time"}),
        help_text=_("In your own time zone."),
    )
    quiet_holds_all = forms.BooleanField(
        label=_("During my quiet hours, also hold emails that ask for my moves"),
        required=False,
        help_text=_("Reminders and news are never sent during your quiet hours."),
    )
    wanted = forms.MultipleChoiceField(
        label=_("What we email you about"), choices=switchable, required=False, widget=forms.CheckboxSelectMultiple
    )

    @classmethod
    def of(cls, recipient: Recipient, *, ways: Collection[Ways]) -> "MailForm":
        """The form as it is filled in now."""
        off = preferences.switched_off(recipient)
        wanted = [name for name, _label in switchable() if name not in off]
        return cls(
            ways=ways,
            initial={
                "ways": recipient.ways,
                "rhythm": recipient.rhythm,
                "daily_at": recipient.daily_at,
                "quiet_holds_all": recipient.quiet_holds_all,
                "wanted": wanted,
            },
        )

    def muted(self) -> list[str]:
        """The topics that are switched off. Only for a form that is valid."""
        return _left_out(switchable(), self.cleaned_data["wanted"])

    def wants_weekly(self) -> bool:
        """Whether the weekly summary is wanted. Only for a form that is valid."""
        weekly = {topic.name for topic in preferences.optional() if topic.is_weekly}
        return bool(weekly & set(self.cleaned_data["wanted"]))


class TableMailForm(WaysForm):
    """How, when and about what a player is told about one table, and when he is reminded there."""

    usual = (("", _("same as for all games")),)
    OTHERS: ClassVar[dict[str, list[int] | None]] = {"": None, "never": []}
    ways = forms.ChoiceField(
        label=_("How we notify you about this table"),
        choices=[("", _("same as for all games")), *Ways.choices],
        required=False,
        widget=forms.RadioSelect,
    )
    rhythm = forms.ChoiceField(
        label=_("When we email you about this table"),
        choices=[("", _("same as for all games")), *Rhythm.choices],
        required=False,
        widget=forms.RadioSelect,
    )
    wanted = forms.MultipleChoiceField(
        label=_("What we email you about"), choices=switchable_here, required=False, widget=forms.CheckboxSelectMultiple
    )

    remind = forms.ChoiceField(
        label=_("Reminders for this table"),
        choices=[
            ("", _("same as for all games")),
            ("chosen", _("at the times ticked below")),
            ("never", _("never")),
        ],
        required=False,
        widget=forms.RadioSelect,
    )
    leads = forms.TypedMultipleChoiceField(
        label=_("Before the deadline"),
        coerce=int,
        choices=LEADS,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Three at most. A reminder that would fall into your quiet hours is sent before they start."),
    )

    @classmethod
    def of(cls, seat: Seat, side: Conversation | None, *, ways: Collection[Ways]) -> "TableMailForm":
        """The form as it is filled in now."""
        muted, leads = side.muted if side else [], seat.remind_before
        return cls(
            ways=ways,
            initial={
                "ways": side.ways if side else "",
                "rhythm": side.rhythm if side else "",
                "wanted": [name for name, _label in switchable_here() if name not in muted],
                "remind": "" if leads is None else "chosen" if leads else "never",
                "leads": leads or [],
            },
        )

    def clean(self) -> dict[str, object]:
        """Reminders that cannot be are said at their field."""
        data = super().clean() or {}
        if not self.errors:
            checked_leads(self, data["remind"], data["leads"], self.OTHERS)
        return data

    def to_preferences(self) -> TablePreferences:
        """The preferences for this table. Only for a form that is valid."""
        data = self.cleaned_data
        leads = self.OTHERS.get(data["remind"], data["leads"])
        return TablePreferences(
            data["rhythm"], data.get("ways", ""), _left_out(switchable_here(), data["wanted"]), leads
        )


def _left_out(offered: list[tuple[str, str | Promise]], wanted: list[str]) -> list[str]:
    """The names of the offered boxes that were not ticked."""
    return [name for name, _label in offered if name not in wanted]


class SnoozeForm(forms.Form):
    """For how long there shall be no mail but what cannot wait."""

    length = forms.ChoiceField(
        label=_("No email"),
        choices=[
            ("hour", _("for an hour")),
            ("morning", _("until 8 am tomorrow")),
            ("days", _("for three days")),
            ("end", _("email me again now")),
        ],
        widget=forms.RadioSelect,
        help_text=_(
            "You'll still get an email if you need it to answer in time. If you're going away, plan a vacation "
            "instead: then your clock stops."
        ),
    )

    def until(self, recipient: Recipient, now: datetime) -> datetime | None:
        """The instant that was chosen; None to end it."""
        zone = recipient.zone_info
        morning = datetime.min.time().replace(hour=MORNING_HOUR)
        return {
            "hour": now + timedelta(hours=1),
            "morning": on_the_wall(timezone.localtime(now, zone).date() + DAY, morning, zone),
            "days": now + timedelta(days=3),
        }.get(self.cleaned_data["length"])
