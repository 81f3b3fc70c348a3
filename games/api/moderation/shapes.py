"""Serializers of the moderators' API. Nothing in them is hidden from a spectator, except a hand that is looked at."""

from rest_framework import serializers

from games.api.base.parsing import Body, DataSerializer, WordField
from games.api.base.reasons import ReasonCodeField, ReasonWordsField
from games.api.play.serializers import GameShape
from games.api.tables.host_tools import ReasonBody
from games.moderation.models import ModerationEntry, ModeratorNote, Report


class EntryShape(DataSerializer):
    """One act: who did what to whom, when and why."""

    action = serializers.ChoiceField(ModerationEntry.Action.choices)
    actor = serializers.CharField(source="actor.name")
    game = serializers.CharField(source="game.ref", default=None, allow_null=True)
    seat = serializers.IntegerField(allow_null=True)
    person = serializers.CharField(source="user.ref", default=None, allow_null=True)
    reason = serializers.CharField(source="reason_in_words")
    until = serializers.DateTimeField(allow_null=True)
    created_at = serializers.DateTimeField()


class ModeratorNoteShape(DataSerializer):
    """A note of one moderator for the others."""

    author = serializers.CharField(source="author.name")
    text = serializers.CharField()
    created_at = serializers.DateTimeField()


class QueuedReportShape(DataSerializer):
    """What a player has written."""

    ref = serializers.CharField()
    game = serializers.CharField(
        source="game.ref", allow_null=True, help_text="null for a report about something else."
    )
    club = serializers.CharField(
        source="club.ref", allow_null=True, help_text="null for a report about something else."
    )
    tournament = serializers.CharField(
        source="tournament.ref", allow_null=True, help_text="null for a report about something else."
    )
    reporter = serializers.CharField(source="reporter.name")
    person = serializers.CharField(source="reporter.ref", help_text="The reporter's reference.")
    seat = serializers.IntegerField(allow_null=True, help_text="About whom.")
    appeal_against = serializers.CharField(
        source="against.action", default=None, allow_null=True, help_text="Of an appeal, what was decided; else null."
    )
    text = serializers.CharField()
    created_at = serializers.DateTimeField()


class QueuedGameShape(DataSerializer):
    """A game that needs somebody."""

    ref = serializers.CharField()
    title = serializers.CharField()
    host = serializers.CharField(source="host.name")
    quarantined_at = serializers.DateTimeField(allow_null=True)


class QueuedSeatShape(DataSerializer):
    """A player to whom no mail goes."""

    game = serializers.CharField(source="game.ref")
    seat = serializers.IntegerField(source="number")
    name = serializers.CharField()
    person = serializers.CharField(source="user.ref")


class QueuedMessageShape(DataSerializer):
    """A message that was given up."""

    message_id = serializers.CharField(source="name")
    kind = serializers.CharField(source="notice.kind")
    channel = serializers.CharField()
    to = serializers.CharField(source="notice.recipient.name")
    reason = ReasonWordsField()
    reason_code = ReasonCodeField("reason")


class QueueShape(DataSerializer):
    """What needs somebody; at most fifty of each."""

    reports = QueuedReportShape(many=True)
    quarantined = QueuedGameShape(many=True, help_text="Their rules broke: they stand still.")
    overdue = QueuedGameShape(many=True, help_text="They should have gone on by themselves.")
    unreachable = QueuedSeatShape(many=True)
    given_up = QueuedMessageShape(many=True)


class ModeratedGameShape(DataSerializer):
    """A game as everybody may see it, and what was done to it."""

    game = GameShape()
    quarantined_at = serializers.DateTimeField(allow_null=True)
    steps = serializers.IntegerField(help_text="How many there are by now.")
    entries = EntryShape(many=True, help_text="The newest hundred, newest first.")
    notes = ModeratorNoteShape(many=True, help_text="Of moderators for each other, newest first.")


class DefaultShape(DataSerializer):
    """What silence does for one seat."""

    seat = serializers.CharField(help_text="The name on it.")
    default = serializers.CharField(allow_blank=True)


class ForecastShape(DataSerializer):
    """What answering by default would do."""

    defaults = DefaultShape(many=True)
    lines = serializers.ListField(child=serializers.CharField(), help_text="What everybody would read.")
    is_whole = serializers.BooleanField(help_text="False if what follows depends on what is hidden.")


class StepLineShape(DataSerializer):
    """A step a game can be taken back to."""

    number = serializers.IntegerField()
    at = serializers.DateTimeField()
    text = serializers.CharField(allow_blank=True, help_text="What everybody was told of it.")


class SeenShape(DataSerializer):
    """Who has seen more than everybody while he held a seat."""

    seat = serializers.IntegerField()
    name = serializers.CharField()
    lines = serializers.ListField(child=serializers.CharField(), help_text="Of which lines, in the public words.")


class LearnedShape(DataSerializer):
    """What came after a step."""

    lines = serializers.ListField(child=serializers.CharField(), help_text="What everybody has been shown since.")
    by_seat = SeenShape(many=True)
    told = serializers.ListField(child=serializers.IntegerField(), help_text="Seats whose players would be told.")


class HandShape(DataSerializer):
    """What a seat sees. What it is asked is left out."""

    seat = serializers.IntegerField()
    board = serializers.CharField()
    lines = serializers.ListField(child=serializers.CharField())


class SettleBody(ReasonBody):
    """What came of it. The reason is the answer to who wrote it."""

    example = {"outcome": "acted"}
    outcome = WordField(Report.Outcome.values, help_text="`revised` and `upheld` of an appeal, the others of a report.")


class ModeratorNoteBody(Body):
    """What other moderators should know."""

    text = serializers.CharField(max_length=ModeratorNote.TEXT_LENGTH)


class UntilBody(ReasonBody):
    """Why, and until when if that is known."""

    until = serializers.DateTimeField(default=None, allow_null=True, help_text="null: not before a moderator says so.")


class DateBody(ReasonBody):
    """Why, and until when."""

    until = serializers.DateTimeField()


class SeatBody(ReasonBody):
    """Why, and which seat."""

    seat = serializers.IntegerField(min_value=0, max_value=20)


class StandInBody(SeatBody):
    """And which bot."""

    bot = serializers.CharField(max_length=20, help_text="One of the `bots` of the rules.")


class ReplaceSeatBody(SeatBody):
    """And who sits down."""

    example = {"address": "david@example.org"}
    address = serializers.EmailField(help_text="The email address of an account.")


class SandboxBody(SeatBody):
    """Why, and on which seat you sit."""


class MessageBody(ReasonBody):
    """Why, and which message."""

    example = {"message": "msg_2NqXwVfRk8aM4tYc"}
    message = serializers.CharField(max_length=80, help_text="The `id` of a call.")


class HintShape(DataSerializer):
    """Another account, and what it has in common with this one: a question, never an answer."""

    person = serializers.CharField(source="user.ref")
    name = serializers.CharField(source="user.name")
    signs = serializers.ListField(child=serializers.CharField())


class HookShape(DataSerializer):
    """A webhook of somebody, without its address."""

    ref = serializers.CharField()
    name = serializers.CharField(allow_blank=True)
    host = serializers.CharField()
    state = serializers.CharField(help_text="working, failing or off.")


class FoundShape(DataSerializer):
    """An account that was found."""

    ref = serializers.CharField()
    name = serializers.CharField()
    address = serializers.EmailField(allow_null=True, help_text="null for a bot account.")
    is_open = serializers.BooleanField(source="is_active")


class PersonFactsShape(FoundShape):
    """An account as a moderator sees it."""

    closed_until = serializers.DateTimeField(allow_null=True)
    silent_until = serializers.DateTimeField(allow_null=True)
    owner = serializers.CharField(allow_null=True, help_text="Of a bot account, by reference.")
    bots = serializers.ListField(child=serializers.CharField(), help_text="References of the bots it owns.")
    playing = serializers.IntegerField(help_text="In how many running games.")
    entries = EntryShape(many=True, help_text="The newest hundred, newest first.")
    notes = ModeratorNoteShape(many=True, help_text="Of moderators for each other, newest first.")
    hints = HintShape(many=True)
    webhooks = HookShape(many=True)


class FindQuery(Body):
    """Whom."""

    q = serializers.CharField(max_length=254, help_text="An email address, a reference, or a part of a name.")
