"""Email settings by API: a person's own, and those for one table."""

from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request

from games.api.access import Scope
from games.api.game_shapes import own_seat
from games.api.parsing import Body, ComputedField, DataSerializer, ReasonCodeField, ReasonWordsField
from games.api.resource import Cursor, ListPart, Operations, PageQuery, person
from games.people import notification_preferences
from games.play import clocks, queries
from games.tables.seats import Seat
from notifications import conversations, ledger, preferences
from notifications.channels.mail import suppressions
from notifications.clock import present
from notifications.composers import topics
from notifications.models import AttemptOutcome, DeliveryState, Rhythm, Ways

operation = Operations(Scope.ACCOUNT)

TIMES = ["%H:%M"]


@extend_schema_field({"type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$"})
class HourField(serializers.TimeField):
    """A time of day without seconds, such as 08:00; OpenAPI's "time" has seconds and a zone."""

    def __init__(self, **arguments: Any) -> None:
        super().__init__(format="%H:%M", input_formats=TIMES, **arguments)


class TopicShape(DataSerializer):
    """Kinds of mail that are chosen together."""

    name = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # the API's word
    is_needed = serializers.BooleanField(help_text="Others wait for your answer to it: it cannot be muted.")
    is_by_game = serializers.BooleanField(source="is_by_thread", help_text="It can be muted for one game, too.")


class MailShape(DataSerializer):
    """Your mail settings for all games."""

    address = serializers.EmailField(source="recipient.address")
    trouble = ComputedField(
        lambda user: suppressions.why_suppressed(user.recipient.address) or None,
        ReasonWordsField(allow_null=True, help_text="Why we don't write to your address; null: we do."),
    )
    trouble_code = ComputedField(
        lambda user: suppressions.why_suppressed(user.recipient.address) or None, ReasonCodeField(allow_null=True)
    )
    rhythm = serializers.ChoiceField(Rhythm.choices, source="recipient.rhythm")
    daily_at = HourField(source="recipient.daily_at", help_text="When the daily email goes out, in your zone.")
    quiet_holds_all = serializers.BooleanField(
        source="recipient.quiet_holds_all", help_text="Quiet hours also hold emails that ask for your moves."
    )
    ways = serializers.ChoiceField(
        Ways.choices, source="recipient.ways", help_text="How you are told what your own webhooks could tell too."
    )
    muted = serializers.ListField(child=serializers.CharField(), source="recipient.muted", help_text="Names of topics.")
    wants_weekly = ComputedField(
        lambda user: user.recipient.weekly_at is not None,
        serializers.BooleanField(help_text="Whether you get a summary of your week, on Mondays."),
    )
    snoozed_until = ComputedField(
        lambda user: _ahead(user.recipient.snoozed_until), serializers.DateTimeField(allow_null=True)
    )
    topics = ComputedField(
        lambda _user: [topic for topic in topics() if topic.is_listed and not topic.is_weekly], TopicShape(many=True)
    )
    calendar_url = ComputedField(
        notification_preferences.calendar_url,
        serializers.CharField(help_text="Your deadlines as iCalendar; whoever knows it can read them."),
    )


class MailBody(Body):
    """Your mail settings from now on; all six. They count for what is waiting already."""

    example = {"muted": ["talk"]}
    rhythm = serializers.ChoiceField(Rhythm.choices)
    daily_at = HourField(help_text="Such as 08:00, in your zone.")
    quiet_holds_all = serializers.BooleanField()
    ways = serializers.ChoiceField(Ways.choices, help_text="With webhook only: by email while it fails.")
    muted = serializers.ListField(child=serializers.CharField(max_length=40), max_length=40)
    wants_weekly = serializers.BooleanField(help_text="Whether you get a summary of your week, on Mondays.")

    def validate_muted(self, names: list[str]) -> list[str]:
        """Refuses topics that do not exist or cannot be muted."""
        return _mutable(names)


class SnoozeBody(Body):
    """Until when you want no mail, but for what you must know of to answer in time."""

    until = serializers.DateTimeField(allow_null=True, help_text="At most three days on; null: write to me again.")


class TableMailShape(DataSerializer):
    """Your mail settings for one table."""

    rhythm = serializers.ChoiceField([("", ""), *Rhythm.choices], help_text="Empty: as in all games.")
    ways = serializers.ChoiceField([("", ""), *Ways.choices], help_text="Empty: as in all games.")
    remind_before = serializers.ListField(
        child=serializers.IntegerField(),
        allow_null=True,
        help_text="Minutes before a deadline; [] for never; null: as in all games.",
    )
    snoozed_until = serializers.DateTimeField(allow_null=True, help_text="No mail of this table before.")
    muted = serializers.ListField(child=serializers.CharField(), help_text="Beside what is muted in all games.")
    hears_all_talk = serializers.BooleanField(
        help_text="You are told of every message at the table, folded to one email an hour, not of mentions alone."
    )
    hears_next = serializers.BooleanField(help_text="You are told when the seat before yours is asked.")


class TableMailBody(Body):
    """Your mail settings for this table from now on; the first four always."""

    example = {"remind_before": [60], "muted": ["talk"]}
    rhythm = serializers.ChoiceField([("", ""), *Rhythm.choices], allow_blank=True)
    ways = serializers.ChoiceField([("", ""), *Ways.choices], allow_blank=True)
    remind_before = serializers.ListField(
        child=serializers.IntegerField(),
        allow_null=True,
        max_length=clocks.MOST_REMINDERS,
        help_text="Minutes before a deadline; [] for never; null: as in all games.",
    )
    muted = serializers.ListField(child=serializers.CharField(max_length=40), max_length=40)
    hears_all_talk = serializers.BooleanField(
        required=False, allow_null=True, default=None, help_text="null, or left out: as it is."
    )
    hears_next = serializers.BooleanField(
        required=False, allow_null=True, default=None, help_text="null, or left out: as it is."
    )

    def validate_muted(self, names: list[str]) -> list[str]:
        """Refuses topics that do not exist or cannot be muted at one table."""
        return _mutable(names, by_thread=True)


@operation("GET me/mail/", answer=MailShape)
def read_mail(request: Request) -> object:
    """Reads your mail settings, whether we write to your address, and the address of your calendar."""
    return person(request)


@operation("PUT me/mail/", body=MailBody, answer=MailShape)
def change_mail(request: Request, **wanted: Any) -> object:
    """Changes it, for what is waiting already as well."""
    weekly = wanted.pop("wants_weekly")
    preferences.choose(person(request).recipient, **wanted, weekly=weekly, now=present.now())
    return person(request)


@operation("POST me/mail/snooze/", body=SnoozeBody, answer=MailShape)
def snooze_mail(request: Request, until: datetime | None) -> object:
    """Holds all mail, at most for three days, or ends that. Your clocks do not stand still meanwhile."""
    notification_preferences.snooze(user=person(request), until=until, now=present.now())
    return person(request)


@operation("POST me/mail/test/", status=202)
def send_test_mail(request: Request) -> None:
    """Sends you a test mail, once a minute; `me/told/` says what became of it."""
    notification_preferences.send_test_mail(user=person(request), now=present.now())


@operation("POST me/mail/reopen/", answer=MailShape)
def reopen_address(request: Request) -> object:
    """Says that your address works again: we write to it as before. Harmless when we do."""
    notification_preferences.use_address_again(user=person(request))
    return person(request)


@operation("POST me/calendar/renew/", answer=MailShape)
def renew_calendar(request: Request) -> object:
    """Makes the address of your calendar void and gives you a new one."""
    notification_preferences.renew_calendar(user=person(request))
    person(request).recipient.refresh_from_db()
    return person(request)


@operation("GET games/<slug:ref>/mail/", of=own_seat, answer=TableMailShape)
def read_table_mail(request: Request, seat: Seat) -> object:
    """Reads the mail settings of this table that differ from those for all games."""
    return _table_mail(seat)


@operation("PUT games/<slug:ref>/mail/", of=own_seat, body=TableMailBody, answer=TableMailShape)
def change_table_mail(request: Request, seat: Seat, **facts: Any) -> object:
    """Changes it, for what is waiting already as well."""
    chosen = clocks.TablePreferences(**facts)
    clocks.choose_for_table(seat=seat, chosen=chosen, now=present.now())
    return _table_mail(seat)


@operation("POST games/<slug:ref>/mail/snooze/", of=own_seat, body=SnoozeBody, answer=TableMailShape)
def snooze_table(request: Request, seat: Seat, until: datetime | None) -> object:
    """Holds all mail about this table, at most for three days, or ends that. Your clock does not stand still."""
    notification_preferences.snooze(user=person(request), until=until, now=present.now(), thread=seat.game.thread)
    return _table_mail(seat)


def _mutable(names: list[str], *, by_thread: bool = False) -> list[str]:
    topics = [topic.name for topic in preferences.optional(by_thread=by_thread) if not topic.is_weekly]
    unknown = [name for name in names if name not in topics]
    if unknown:
        facts = {"names": ", ".join(unknown), "known": ", ".join(topics)}
        raise serializers.ValidationError(_("%(names)s can't be muted; %(known)s can.") % facts)
    return preferences.allowed(names, by_thread=by_thread)


def _ahead(instant: datetime | None) -> datetime | None:
    return instant if instant is not None and instant > present.now() else None


def _table_mail(seat: Seat) -> dict[str, object]:
    assert seat.user is not None
    side = conversations.find_conversation(seat.user.recipient, seat.game.thread)
    return {
        "rhythm": side.rhythm if side else "",
        "ways": side.ways if side else "",
        "remind_before": seat.remind_before,
        "snoozed_until": _ahead(side.snoozed_until if side else None),
        "muted": side.muted if side else [],
        "hears_all_talk": seat.hears_all_talk,
        "hears_next": seat.hears_next,
    }


# The ledger: a person's notices, their channels and deliveries

THREAD = "game:"  # what the thread of a game's notices begins with


class TryShape(DataSerializer):
    """One try to deliver something."""

    at = serializers.DateTimeField(source="started_at")
    outcome = serializers.ChoiceField(
        AttemptOutcome.choices, allow_blank=True, help_text="Empty while it runs, and if the process died in it."
    )
    code = serializers.CharField(allow_blank=True, help_text="The other side's own.")
    detail = ReasonWordsField(help_text="What came of it, in words.")
    reason_code = ReasonCodeField("detail")


class ToldLineShape(DataSerializer):
    """One channel of a notice."""

    channel = serializers.CharField(source="via", allow_blank=True, help_text="Empty until a worker chooses channels.")
    state = serializers.ChoiceField(DeliveryState.choices)
    words = serializers.CharField(help_text="What became of it.")
    reason = serializers.CharField(allow_blank=True, help_text="Why, in words.")
    reason_code = ReasonCodeField()
    at = serializers.DateTimeField(allow_null=True, help_text="When it was taken, or will be tried next.")
    tries = TryShape(many=True)


class ToldShape(DataSerializer):
    """One notice."""

    kind = serializers.CharField(source="notice.kind")
    name = serializers.CharField()
    created_at = serializers.DateTimeField(source="notice.created_at")
    game_ref = ComputedField(
        lambda entry: entry.notice.thread.removeprefix(THREAD) if entry.notice.thread.startswith(THREAD) else None,
        serializers.CharField(allow_null=True, help_text="Reference of the game it is about."),
    )
    channels = ToldLineShape(source="lines", many=True)


FOLDED = "folded notices"  # the list behind that of those in rows


class ToldQuery(PageQuery):
    """Which part of what you were told."""

    game_ref = serializers.CharField(
        max_length=40, allow_blank=True, default="", help_text="Reference of a game: only what is about it."
    )


@operation("GET me/told/", query=ToldQuery, answer=[ToldShape], errors=[404], for_bots=True)
def list_told(request: Request, **page: Any) -> object:
    """Everything you were told, newest first: by which channel, when, and what became of it."""
    game = queries.access_game(person(request), page["game_ref"]).game if page["game_ref"] else None
    recipient, thread = person(request).recipient, game.thread if game else ""
    behind, shown = Cursor.opened(page, FOLDED), []
    if behind is None:
        part = Cursor.of_rows(ledger.notices_of(recipient, thread), "ref", page)
        shown, behind = ledger.entries(part.items), ledger.NEWEST_FOLDED
        if part.next:
            return ListPart(shown, part.next)
    folded = ledger.folded_behind(recipient, behind, page["limit"] - len(shown) + 1, thread)
    return Cursor.behind(shown, folded, page, FOLDED, behind)
