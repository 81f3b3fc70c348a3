"""Forms about the mail a person gets: when, what, and what of one table."""

from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from notifications.clock.calendar import DAY, on_the_wall
from notifications.composers import topics
from notifications.models import Conversation, Recipient, Rhythm

MORNING_HOUR = 8


def switchable() -> list[tuple[str, Any]]:
    """The topics one can do without."""
    return [(topic.name, topic.label) for topic in topics() if not topic.is_needed]


class MailForm(forms.Form):
    """When and what we write, in all games."""

    rhythm = forms.ChoiceField(label=_("When we write"), choices=Rhythm.choices, widget=forms.RadioSelect)
    daily_at = forms.TimeField(
        label=_("Time of the daily mail"),
        widget=forms.TimeInput(format="%H:%M", attrs={"type": "time"}),
        help_text=_("In your own time zone."),
    )
    quiet_holds_all = forms.BooleanField(
        label=_("In my quiet hours hold the mails that wait for me as well"),
        required=False,
        help_text=_("Reminders and news are never sent in your quiet hours."),
    )
    wanted = forms.MultipleChoiceField(
        label=_("What we write about"), choices=switchable, required=False, widget=forms.CheckboxSelectMultiple
    )

    @classmethod
    def of(cls, recipient: Recipient) -> "MailForm":
        """The form as it is filled in now."""
        wanted = [name for name, _label in switchable() if name not in recipient.muted]
        return cls(
            initial={
                "rhythm": recipient.rhythm,
                "daily_at": recipient.daily_at,
                "quiet_holds_all": recipient.quiet_holds_all,
                "wanted": wanted,
            }
        )


class TableMailForm(forms.Form):
    """The same for one table."""

    rhythm = forms.ChoiceField(
        label=_("When we write about this table"),
        choices=[("", _("as in all games")), *Rhythm.choices],
        required=False,
        widget=forms.RadioSelect,
    )
    wanted = forms.MultipleChoiceField(
        label=_("What we write about"), choices=switchable, required=False, widget=forms.CheckboxSelectMultiple
    )

    @classmethod
    def of(cls, side: Conversation | None) -> "TableMailForm":
        """The form as it is filled in now."""
        muted = side.muted if side else []
        wanted = [name for name, _label in switchable() if name not in muted]
        return cls(initial={"rhythm": side.rhythm if side else "", "wanted": wanted})


def muted_by(wanted: list[str]) -> list[str]:
    """What was left out of what one could have ticked."""
    return [name for name, _label in switchable() if name not in wanted]


class SnoozeForm(forms.Form):
    """For how long there shall be no mail at all."""

    length = forms.ChoiceField(
        label=_("No mail at all"),
        choices=[
            ("hour", _("for an hour")),
            ("morning", _("until tomorrow at 8 in the morning")),
            ("days", _("for three days")),
            ("end", _("write to me again now")),
        ],
        widget=forms.RadioSelect,
        help_text=_("Your clocks do not stand still meanwhile: for that plan days off."),
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
