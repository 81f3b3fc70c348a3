"""Email settings by API: a person's own, and those for one table."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games import links
from games.api.access import Scope
from games.api.game_shapes import NoBody
from games.api.parsing import Body, DataSerializer, ReasonCodeField, ReasonWordsField, checked, checked_query
from games.api.resource import NEXT, Cursor, PageQuery, Resource, person
from games.api.schema import CHANGING, LISTING, OPENING, READING, problems
from games.people import notification_preferences
from games.people.models import User
from games.play import clocks, queries
from games.play.notify import thread_of
from games.tables.seats import Seat
from notifications import conversations, ledger, preferences
from notifications.channels.mail import suppressions
from notifications.clock import present
from notifications.composers import topics
from notifications.models import DeliveryState, Rhythm, Ways

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
    """What you want by mail, in all games."""

    address = serializers.EmailField()
    trouble = ReasonWordsField(allow_null=True, help_text="Why we don't write to your address; null: we do.")
    trouble_code = ReasonCodeField("trouble", allow_null=True)
    rhythm = serializers.ChoiceField(Rhythm.choices)
    daily_at = HourField(help_text="When the daily email goes out, in your zone.")
    quiet_holds_all = serializers.BooleanField(help_text="Quiet hours also hold emails that ask for your moves.")
    ways = serializers.ChoiceField(Ways.choices, help_text="How you are told what your own webhooks could tell too.")
    muted = serializers.ListField(child=serializers.CharField(), help_text="Names of topics.")
    wants_weekly = serializers.BooleanField(help_text="Whether you get a summary of your week, on Mondays.")
    snoozed_until = serializers.DateTimeField(allow_null=True)
    topics = TopicShape(many=True)
    calendar_url = serializers.CharField(help_text="Your deadlines as iCalendar; whoever knows it can read them.")


class MailBody(Body):
    """What you want from now on; the first five always. It counts for what is waiting already."""

    example = {"muted": ["talk"]}
    rhythm = serializers.ChoiceField(Rhythm.choices)
    daily_at = HourField(help_text="Such as 08:00, in your zone.")
    quiet_holds_all = serializers.BooleanField()
    ways = serializers.ChoiceField(Ways.choices, help_text="With webhook only: by email while it fails.")
    muted = serializers.ListField(child=serializers.CharField(max_length=40), max_length=40)
    wants_weekly = serializers.BooleanField(
        required=False, allow_null=True, default=None, help_text="null, or left out: as it is."
    )

    def validate_muted(self, names: list[str]) -> list[str]:
        """Refuses topics that do not exist or cannot be muted."""
        return _mutable(names)


class SnoozeBody(Body):
    """Until when you want no mail, but for what you must know of to answer in time."""

    until = serializers.DateTimeField(allow_null=True, help_text="At most three days on; null: write to me again.")


class TableMailShape(DataSerializer):
    """What you want to hear of one table, and how."""

    rhythm = serializers.CharField(allow_blank=True, help_text='As in all games if "".')
    ways = serializers.CharField(allow_blank=True, help_text='As in all games if "".')
    remind_before = serializers.ListField(
        child=serializers.IntegerField(),
        allow_null=True,
        help_text="Minutes before a deadline; [] for never; null: as in all games.",
    )
    snoozed_until = serializers.DateTimeField(allow_null=True, help_text="No mail of this table before.")
    muted = serializers.ListField(child=serializers.CharField(), help_text="Beside what is muted in all games.")


class TableMailBody(Body):
    """What you want of this table from now on; all four."""

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

    def validate_muted(self, names: list[str]) -> list[str]:
        """Refuses topics that do not exist or cannot be muted at one table."""
        return _mutable(names, by_thread=True)


class Mail(Resource):
    """A person's email settings."""

    scope = Scope.ACCOUNT

    @extend_schema(operation_id="read_mail", responses={200: MailShape, **problems(*LISTING)})
    def get(self, request: Request) -> Response:
        """What you get by mail and when, whether we write to your address, and the address of your calendar."""
        return Response(_mail(person(request)))

    @extend_schema(operation_id="change_mail", request=MailBody, responses={200: MailShape, **problems(*OPENING)})
    def put(self, request: Request) -> Response:
        """Changes it, for what is waiting already as well."""
        wanted = checked(MailBody, request)
        weekly = wanted.pop("wants_weekly")
        preferences.choose(person(request).recipient, **wanted, weekly=weekly, now=present.now())
        return Response(_mail(person(request)))


class Snooze(Resource):
    """Pausing all email."""

    scope = Scope.ACCOUNT

    @extend_schema(operation_id="snooze_mail", request=SnoozeBody, responses={200: MailShape, **problems(*OPENING)})
    def post(self, request: Request) -> Response:
        """Holds all mail, at most for three days, or ends that. Your clocks do not stand still meanwhile."""
        notification_preferences.snooze(
            user=person(request), until=checked(SnoozeBody, request)["until"], now=present.now()
        )
        return Response(_mail(person(request)))


class TestMail(Resource):
    """Sending a test email."""

    scope = Scope.ACCOUNT

    @extend_schema(operation_id="send_test_mail", request=NoBody, responses={202: None, **problems(*OPENING)})
    def post(self, request: Request) -> Response:
        """Sends you a test mail, once a minute; `me/told/` says what became of it."""
        checked(NoBody, request)
        notification_preferences.send_test_mail(user=person(request), now=present.now())
        return Response(status=202)


class Reopen(Resource):
    """Reopening an address that was given up after bounces."""

    scope = Scope.ACCOUNT

    @extend_schema(operation_id="reopen_address", request=NoBody, responses={200: MailShape, **problems(*OPENING)})
    def post(self, request: Request) -> Response:
        """Says that your address works again: we write to it as before. Harmless when we do."""
        checked(NoBody, request)
        notification_preferences.use_address_again(user=person(request))
        return Response(_mail(person(request)))


class RenewCalendar(Resource):
    """A new secret for the calendar."""

    scope = Scope.ACCOUNT

    @extend_schema(operation_id="renew_calendar", request=NoBody, responses={200: MailShape, **problems(*OPENING)})
    def post(self, request: Request) -> Response:
        """Makes the address of your calendar void and gives you a new one."""
        checked(NoBody, request)
        notification_preferences.renew_calendar(user=person(request))
        person(request).recipient.refresh_from_db()
        return Response(_mail(person(request)))


class TableMail(Resource):
    """Email settings for one table."""

    scope = Scope.ACCOUNT

    @extend_schema(operation_id="read_table_mail", responses={200: TableMailShape, **problems(*READING)})
    def get(self, request: Request, ref: str) -> Response:
        """What differs here from what you want in all games."""
        return Response(_table_mail(_seat(person(request), ref)))

    @extend_schema(
        operation_id="change_table_mail", request=TableMailBody, responses={200: TableMailShape, **problems(*CHANGING)}
    )
    def put(self, request: Request, ref: str) -> Response:
        """Changes it, for what is waiting already as well."""
        seat = _seat(person(request), ref)
        preferences = notification_preferences.TablePreferences(**checked(TableMailBody, request))
        notification_preferences.choose_for_table(seat=seat, chosen=preferences, now=present.now())
        return Response(_table_mail(seat))


class SnoozeTable(Resource):
    """Pausing email about one table."""

    scope = Scope.ACCOUNT

    @extend_schema(
        operation_id="snooze_table", request=SnoozeBody, responses={200: TableMailShape, **problems(*CHANGING)}
    )
    def post(self, request: Request, ref: str) -> Response:
        """Holds all mail about this table, at most for three days, or ends that. Your clock does not stand still."""
        seat, until = _seat(person(request), ref), checked(SnoozeBody, request)["until"]
        notification_preferences.snooze(user=person(request), until=until, now=present.now(), game=seat.game)
        return Response(_table_mail(seat))


def _mutable(names: list[str], *, by_thread: bool = False) -> list[str]:
    known = [topic.name for topic in preferences.optional(by_thread=by_thread) if not topic.is_weekly]
    unknown = [name for name in names if name not in known]
    if unknown:
        facts = {"names": ", ".join(unknown), "known": ", ".join(known)}
        raise serializers.ValidationError(_("%(names)s cannot be muted; %(known)s can.") % facts)
    return preferences.allowed(names, by_thread=by_thread)


def _mail(user: User) -> Mapping[str, object]:
    recipient = user.recipient
    names = ("address", "rhythm", "daily_at", "quiet_holds_all", "ways", "muted")
    return MailShape(
        {
            **{name: getattr(recipient, name) for name in names},
            "trouble": suppressions.why_suppressed(recipient.address) or None,
            "snoozed_until": _ahead(recipient.snoozed_until),
            "wants_weekly": recipient.weekly_at is not None,
            "topics": [topic for topic in topics() if not topic.is_weekly],
            "calendar_url": links.calendar_url(user),
        }
    ).data


def _ahead(instant: datetime | None) -> datetime | None:
    return instant if instant is not None and instant > present.now() else None


def _seat(user: User, ref: str) -> Seat:
    seat = queries.access_seat(user, ref).seat
    assert seat is not None
    return seat


def _table_mail(seat: Seat) -> Mapping[str, object]:
    assert seat.user is not None
    side = conversations.find_conversation(seat.user.recipient, thread_of(seat.game))
    return TableMailShape(
        {
            "rhythm": side.rhythm if side else "",
            "ways": side.ways if side else "",
            "remind_before": seat.remind_before,
            "snoozed_until": _ahead(side.snoozed_until if side else None),
            "muted": side.muted if side else [],
        }
    ).data


# The ledger: a person's notices, their channels and deliveries

THREAD = "game:"  # what the thread of a game's notices begins with


class TryShape(DataSerializer):
    """One try to deliver something."""

    at = serializers.DateTimeField(source="started_at")
    outcome = serializers.CharField(allow_blank=True, help_text="Empty while it runs, and if the process died in it.")
    code = serializers.CharField(allow_blank=True, help_text="The other side's own.")
    detail = ReasonWordsField(help_text="What came of it, in words.")
    reason_code = ReasonCodeField("detail")


class ToldLineShape(DataSerializer):
    """One channel of a notice."""

    channel = serializers.CharField(source="via")
    state = serializers.ChoiceField(DeliveryState.choices)
    words = serializers.CharField(help_text="What became of it.")
    reason = serializers.CharField(allow_blank=True, help_text="Why, in words.")
    reason_code = ReasonCodeField()
    at = serializers.DateTimeField(allow_null=True, help_text="When it was taken, or will be tried next.")
    tries = TryShape(many=True)


class ToldShape(DataSerializer):
    """One notice."""

    kind = serializers.CharField()
    name = serializers.CharField()
    created_at = serializers.DateTimeField()
    game = serializers.CharField(allow_null=True, help_text="Reference of the game it is about.")
    channels = ToldLineShape(many=True)


class LedgerShape(DataSerializer):
    """A part of what you were told, newest first."""

    notices = ToldShape(many=True)
    next = serializers.CharField(allow_null=True, help_text=NEXT)


class ToldQuery(PageQuery):
    """Which part of what you were told."""

    game = serializers.CharField(
        max_length=40, allow_blank=True, default="", help_text="Reference of a game: only what is about it."
    )


class Told(Resource):
    """The ledger of notices."""

    scope = Scope.ACCOUNT
    is_for_bots = True

    @extend_schema(
        operation_id="list_told",
        parameters=[ToldQuery],
        responses={200: LedgerShape, **problems(*READING, 422)},
    )
    def get(self, request: Request) -> Response:
        """Everything you were told, newest first: by which channel, when, and what became of it."""
        page = checked_query(ToldQuery, request)
        game = queries.access_game(person(request), page["game"]).game if page["game"] else None
        notices = ledger.notices_of(person(request).recipient, thread_of(game) if game else "")
        part, following = Cursor.of_rows(notices, "ref", page)
        rows = [_entry_data(entry) for entry in ledger.entries(part)]
        return Response(LedgerShape({"notices": rows, "next": following}).data)


def _entry_data(entry: ledger.Entry) -> dict[str, object]:
    notice = entry.notice
    return {
        "kind": notice.kind,
        "name": entry.name,
        "created_at": notice.created_at,
        "game": notice.thread.removeprefix(THREAD) if notice.thread.startswith(THREAD) else None,
        "channels": entry.lines,
    }
