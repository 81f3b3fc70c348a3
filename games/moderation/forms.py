"""Forms of moderators and hosts: each has the fields of one action, and always a reason."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.db.models import Model
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from games.moderation.models import ModeratorNote, Report
from games.moderation.tables import MOST_HOURS, MOST_HOURS_OF_HOST
from games.people.models import User
from games.play import queries
from games.tables import audit, webhooks
from games.tables.models import Game
from games.tables.seats import Seat
from games.tournaments import tournaments
from games.tournaments.models import Tournament
from notifications import ledger, privacy
from notifications.ledger import Call
from notifications.models import Endpoint

Facts = Mapping[str, Any]  # the cleaned data of one of these forms
OWN_WORDS = 200  # characters beside a ready-made reason, which is no longer than 97
MESSAGES_SHOWN = 50  # of a webhook, to send one of them again


class ReasonForm(forms.Form):
    """Asks for a reason, which the people concerned will read: a ready-made one, own words, or both."""

    ready = forms.ChoiceField(label=_("Ready-made reason"), required=False)
    reason = forms.CharField(label=_("Why"), max_length=OWN_WORDS, required=False)
    ready_made: tuple[str, ...] | None = None  # None: those about a game or about a person

    def __init__(
        self,
        data: QueryDict | None = None,
        *,
        prefix: str | None = None,
        about: Model | None = None,
        by: User | None = None,
    ) -> None:
        """`about` is what is acted on: a game, an account, a webhook; `by` is the moderator who is asked."""
        super().__init__(data, prefix=prefix)
        self.about = about
        self.by = by
        self.game = about if isinstance(about, Game) else None
        self._offer_reasons()
        self.fill()
        self.order_fields([name for name in self.fields if name not in ("ready", "reason")])

    def _offer_reasons(self) -> None:
        texts = self.ready_made
        if texts is None:
            texts = audit.TABLES if self.game else audit.PEOPLE if isinstance(self.about, User) else ()
        field = self.fields["ready"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", _("none")), *((text, audit.in_words(text)) for text in texts)]
        if not texts:
            del self.fields["ready"]

    def clean(self) -> dict[str, Any]:
        """Puts both together; one of them is needed."""
        data = super().clean() or {}
        reason = audit.combined(data.get("ready", ""), data.get("reason", ""))
        if not reason and "reason" not in self.errors:
            self.add_error("reason", self.fields["reason"].error_messages["required"])
        return {**data, "reason": reason}

    def fill(self) -> None:
        """Sets the choices of fields that depend on what is acted on."""

    def seats(self, status: str = "") -> list[tuple[int, str]]:
        """The seats of people who have not resigned, for a choice."""
        rows = self.game.seats.filter(user__isnull=False) if self.game else Seat.objects.none()
        rows = rows.filter(status=status) if status else rows.exclude(status=Seat.Status.RESIGNED)
        return [(seat.number, seat.display_name) for seat in rows.order_by("number")]


class UntilForm(ReasonForm):
    """Asks for an end too, which may be left open."""

    until = forms.DateTimeField(
        label=_("Until"),
        required=False,
        help_text=_("Leave empty for no end date."),
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
    )


class NoteForm(ReasonForm):
    """Asks for a note, which moderators alone will read."""

    reason = forms.CharField(
        label=_("Note, for moderators only"), max_length=ModeratorNote.TEXT_LENGTH, widget=forms.Textarea({"rows": 3})
    )
    ready_made = ()


class DateForm(UntilForm):
    """Asks for an end too, which is required."""

    until = forms.DateTimeField(
        label=_("Until"), widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
    )


class ExtensionForm(ReasonForm):
    """Asks for a number of hours too."""

    hours = forms.IntegerField(label=_("Hours"), min_value=1, max_value=MOST_HOURS, initial=24)


class HostReasonForm(ReasonForm):
    """Asks a host for a reason."""

    ready_made = audit.HOSTS


class HostExtensionForm(ExtensionForm):
    """Asks a host, who may give fewer hours than a moderator."""

    ready_made = audit.HOSTS
    hours = forms.IntegerField(label=_("Hours"), min_value=1, max_value=MOST_HOURS_OF_HOST, initial=24)


class SeatForm(ReasonForm):
    """Asks for a seat of a person too."""

    seat = forms.TypedChoiceField(label=_("Seat"), coerce=int)
    status = ""

    def fill(self) -> None:
        """Offers the seats of people; the one that most likely needs it is chosen: an absent one, or who is asked."""
        self._field("seat").choices = self.seats(self.status)
        rows = self.game.seats.filter(user__isnull=False) if self.game else Seat.objects.none()
        absent = rows.filter(status=Seat.Status.ABSENT).values_list("number", flat=True).first()
        seat = queries.asked_rows(self.game).values_list("seat__number", flat=True).first() if self.game else None
        self._field("seat").initial = seat if absent is None else absent

    def _field(self, name: str) -> forms.TypedChoiceField:
        field = self.fields[name]
        assert isinstance(field, forms.TypedChoiceField)
        return field


class AskedForm(SeatForm):
    """Asks for a seat whose player can be sent an email with what he is asked."""

    def seats(self, status: str = "") -> list[tuple[int, str]]:
        """The seats of people who are waited for."""
        rows = self.game.seated() if self.game else []
        return [(seat.number, seat.display_name) for seat in rows if seat.is_person and not seat.is_bot]


class AwayForm(SeatForm):
    """Asks for the seat of an absent player."""

    status = Seat.Status.ABSENT


class SeatBotForm(SeatForm):
    """Asks for a seat, and the bot that is to play it."""

    bot = forms.TypedChoiceField(label=_("Bot"))

    def fill(self) -> None:
        """Offers the seats of people, and the bots of the rules."""
        super().fill()
        self._field("bot").choices = [(name, name) for name in self.game.rules.bots] if self.game else []


class ReplaceForm(SeatForm):
    """Asks for a seat, and the account of its new player."""

    address = forms.EmailField(label=_("Email address of the new player"))


class AbsentForm(ReplaceForm):
    """Asks for the seat of an absent player, which a host may offer, and whom to invite."""

    ready_made = audit.HOSTS
    status = Seat.Status.ABSENT
    address = forms.EmailField(label=_("Email address to invite"))


class NumberForm(ReasonForm):
    """Asks for any seat, also a bot's, by its number."""

    seat = forms.TypedChoiceField(label=_("Seat"), coerce=int)

    def fill(self) -> None:
        """Offers every seat."""
        field = self.fields["seat"]
        assert isinstance(field, forms.TypedChoiceField)
        names = enumerate(self.game.seat_names()) if self.game else ()
        field.choices = [(number, name) for number, name in names]


class SandboxForm(NumberForm):
    """Asks for the seat of the moderator in a sandbox."""

    seat = forms.TypedChoiceField(label=_("Your seat"), coerce=int)


class MessageForm(ReasonForm):
    """Asks for one of the last messages of a webhook."""

    message_id = forms.ChoiceField(label=_("Message"))

    def fill(self) -> None:
        """Offers the last messages."""
        assert isinstance(self.about, Endpoint)
        field = self.fields["message_id"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(call.message_id, _in_words(call)) for call in _closed(self.about, self.by)]


def _closed(webhook: Endpoint, by: User | None) -> list[Call]:
    """Returns the messages that may be sent again, newest first; confidential ones are left out."""
    rows = privacy.without(webhooks.deliveries(webhook), by, "notice__")
    return [call for call in ledger.calls(rows[:MESSAGES_SHOWN]) if call.is_closed]


def _in_words(call: Call) -> str:
    return f"{call.created_at:%Y-%m-%d %H:%M} UTC, {call.event}: {call.words}"


class SureForm(ReasonForm):
    """Asks for a confirmation too, against a slip of the finger."""

    sure = forms.BooleanField(label=_("Yes, I'm sure. This can't be undone."))


class RemoveForm(ReasonForm):
    """Asks who is removed from a tournament, and why."""

    entrant = forms.ChoiceField(label=_("Player"))

    def fill(self) -> None:
        """Offers those who are in."""
        field = self.fields["entrant"]
        assert isinstance(field, forms.ChoiceField)
        if isinstance(self.about, Tournament):
            field.choices = [(entrant.ref, entrant.display_name) for entrant in tournaments.entrants(self.about)]


class SettleForm(ReasonForm):
    """Asks what came of a report. The reason is the answer to its writer."""

    ready_made = audit.REPORTS
    outcome = forms.ChoiceField(label=_("Outcome"), choices=Report.Outcome.choices)
    reason = forms.CharField(label=_("Your answer to the player"), max_length=OWN_WORDS, required=False)

    def clean(self) -> dict[str, Any]:
        """Without an answer the ready-made one that fits the outcome is sent."""
        data = self.cleaned_data
        if not data.get("ready") and not data.get("reason", "").strip():
            self.cleaned_data = {**data, "ready": audit.BY_OUTCOME.get(data.get("outcome", ""), "")}
        return super().clean()

    def fill(self) -> None:
        """Offers the outcomes of a report, or of an appeal."""
        field = self.fields["outcome"]
        assert isinstance(field, forms.ChoiceField)
        if isinstance(self.about, Report):
            field.choices = [("", _("choose")), *self.about.outcomes]


class ReportForm(forms.Form):
    """The report of a player to the moderators."""

    seat = forms.TypedChoiceField(label=_("About whom"), coerce=int, empty_value=None, required=False)
    text = forms.CharField(label=_("What happened"), max_length=Report.TEXT_LENGTH, widget=forms.Textarea({"rows": 4}))

    def __init__(self, data: QueryDict | None, *, prefix: str, game: Game, own: int) -> None:
        super().__init__(data, prefix=prefix)
        others = [seat for seat in game.seats.order_by("number") if seat.number != own]
        field = self.fields["seat"]
        assert isinstance(field, forms.TypedChoiceField)
        field.choices = [("", _("no one in particular")), *((seat.number, seat.display_name) for seat in others)]
