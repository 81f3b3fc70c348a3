"""Serializers of a running game: an allow-list of fields, and the source of the OpenAPI schema.

They filter nothing: `games.play.queries` decides who may see what.
"""

from django.utils.translation import gettext as _
from rest_framework import serializers

from engine.core import Ending, JsonObject
from games.api.base.paging import NEXT, PageQuery
from games.api.base.parsing import AnyField, Body, DataSerializer, WordField
from games.tables.models import Game
from games.tables.seats import Seat
from games.tables.settings import SETTINGS, TableSetting


class TakenSeatShape(DataSerializer):
    """A chair at a table."""

    number = serializers.IntegerField(help_text="From 0, clockwise; drawn when the game starts.")
    name = serializers.CharField(source="display_name")
    bot = serializers.CharField(help_text="Which bot of the rules plays here; empty for an account.")
    owner = serializers.CharField(
        source="owner_name", allow_null=True, help_text="Whose bot account plays here; null for a person."
    )
    status = serializers.CharField(help_text=f"One of {', '.join(Seat.Status.values)}.")
    wants_pause = serializers.BooleanField()
    wants_end = serializers.BooleanField(help_text="Of the game, without a result.")


class SeatShape(TakenSeatShape):
    """A chair at a table, and whether its player is away."""

    away_until = serializers.DateTimeField(allow_null=True, help_text="The end of its player's vacation.")
    has_agreed = serializers.BooleanField(help_text="To the settings; the game starts when all have.")


class ExtensionShape(DataSerializer):
    """A deadline that moved."""

    code = serializers.CharField(help_text="Why: excused, service, vacation, pause, host or moderator.")
    reason = serializers.CharField(help_text="In words; it never names a cause that belongs to one person.")
    due_at = serializers.DateTimeField(help_text="To when.")


class WaitingShape(DataSerializer):
    """A decision that waits for you, in short."""

    code = serializers.CharField()
    kind = serializers.CharField()
    is_sealed = serializers.BooleanField()
    due_at = serializers.DateTimeField(allow_null=True)


class GameInListShape(DataSerializer):
    """One of your games."""

    ref = serializers.CharField(source="game.ref")
    title = serializers.CharField(source="game.title")
    rules = serializers.CharField(source="game.rules_name")
    status = serializers.ChoiceField(Game.Status.choices, source="game.status")
    seat = serializers.IntegerField(source="seat.number", help_text="The number of your seat.")
    waiting = WaitingShape(source="decisions", many=True, help_text="What the game waits for you to decide.")
    created_at = serializers.DateTimeField(source="game.created_at")
    finished_at = serializers.DateTimeField(source="game.finished_at", allow_null=True)


class GamesShape(DataSerializer):
    """A part of your games."""

    games = GameInListShape(many=True)
    next = serializers.CharField(allow_null=True, help_text=NEXT)


class GamesQuery(PageQuery):
    """Which of your games."""

    is_waiting = serializers.BooleanField(
        required=False, help_text="Only those that wait for you to decide, or only the others."
    )
    status = WordField(Game.Status.choices, required=False, help_text="Only those with it.")


class PlaceShape(DataSerializer):
    """Who came where."""

    place = serializers.IntegerField()
    seat = serializers.IntegerField()
    score = serializers.IntegerField()


class OutcomeShape(DataSerializer):
    """How the game ended."""

    ending = serializers.ChoiceField([(ending.value, ending.name) for ending in Ending])
    winners = serializers.ListField(child=serializers.IntegerField(), help_text="Numbers of seats.")
    code = serializers.CharField(help_text="Why it ended, as the rules call it, such as won.")
    reason = serializers.CharField(help_text="The same in words.")
    places = PlaceShape(many=True)


class FairnessShape(DataSerializer):
    """What proves that the dice were not loaded; all but the commitment is null until the game is over."""

    commitment = serializers.CharField(help_text="SHA-256 of the server's seed, fixed when the table was opened.")
    server_seed = serializers.CharField(allow_null=True)
    entropies = serializers.ListField(
        child=serializers.CharField(allow_blank=True), allow_null=True, help_text="What each seat added, by number."
    )
    chain = serializers.CharField(allow_null=True, help_text="Hash of the last move, over all before it.")


class GameTournamentShape(DataSerializer):
    """The tournament that a game is played in."""

    ref = serializers.CharField()
    title = serializers.CharField()
    round = serializers.IntegerField()
    table = serializers.IntegerField(help_text="Its number in the round.")


class GameShape(DataSerializer):
    """A game as your seat (or, if you have none, a spectator) may see it."""

    ref = serializers.CharField()
    title = serializers.CharField()
    rules = serializers.CharField()
    rules_version = serializers.IntegerField()
    options = serializers.DictField(child=serializers.CharField(), help_text="What the host chose, by option.")
    status = serializers.ChoiceField(Game.Status.choices)
    pace = serializers.CharField()
    host = serializers.CharField()
    club = serializers.CharField(allow_null=True, help_text="Whose members alone may sit down there; null: no club's.")
    tournament = GameTournamentShape(allow_null=True, help_text="The tournament it is played in; null for other games.")
    is_lesson = serializers.BooleanField()
    settings_version = serializers.IntegerField(help_text="How often the host has changed the settings.")
    join_url = serializers.CharField(allow_null=True, help_text="A link to send to whom you want to sit down there.")
    seat = serializers.IntegerField(allow_null=True, help_text="The number of your seat.")
    seat_count = serializers.IntegerField()
    seats = SeatShape(many=True)
    waits_for = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="Seats; of a sealed question all who were asked, but yours only until you answer.",
    )
    due_at = serializers.DateTimeField(allow_null=True, help_text="The next deadline; null while no clock runs.")
    extensions = ExtensionShape(many=True, help_text="Why deadlines of what is asked have moved, newest first.")
    paused_at = serializers.DateTimeField(allow_null=True, help_text="Since when all clocks stand still.")
    paused_by = serializers.CharField(help_text="vote, moderator, or empty.")
    pause_ends_at = serializers.DateTimeField(allow_null=True, help_text="When it goes on by itself.")
    is_asleep = serializers.BooleanField(help_text="All its people are away; it waits until one comes back.")
    bank_seconds = serializers.IntegerField(allow_null=True, help_text="What is left in your seat's time bank.")
    steward_hours = serializers.IntegerField(
        allow_null=True, help_text="After how many waking hours your seat's steward acts; null for never."
    )
    events = serializers.IntegerField(help_text="The number of the last public event of the log.")
    view = serializers.DictField(  # any JSON the rules make of it
        allow_null=True, help_text="Everything you may see, as the rules describe it; null before the game begins."
    )
    board = serializers.CharField(help_text="The same as plain text.", allow_blank=True)
    outcome = OutcomeShape(allow_null=True)
    fairness = FairnessShape()
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField(help_text="When the table is closed if it has not begun.")
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)

    def get_fields(self) -> dict[str, AnyField]:
        """The fields above, and one for each setting of a table."""
        return {**super().get_fields(), **{setting.name: setting_shape(setting) for setting in SETTINGS}}


def setting_shape(setting: TableSetting) -> AnyField:
    """Returns the field of a setting in an answer."""
    if setting.about.choices is not None:
        return serializers.ChoiceField(setting.about.choices.choices)
    if setting.about.bounds is not None:
        return serializers.IntegerField()
    return serializers.BooleanField()


class LogLineShape(DataSerializer):
    """One thing that happened, as you may know it."""

    number = serializers.IntegerField(allow_null=True, help_text="Public number without gaps; null if only you know.")
    at = serializers.DateTimeField()
    text = serializers.CharField(allow_blank=True, help_text="In words; empty where there is nothing to say.")
    event = serializers.DictField(help_text="As data; what you may not know is null in it.")
    is_taken_back = serializers.BooleanField(help_text="True if a moderator took the game back behind it.")


class LogShape(DataSerializer):
    """A piece of the log, oldest first."""

    lines = LogLineShape(many=True)
    last = serializers.IntegerField(help_text="Go on with this as `after`.")
    is_complete = serializers.BooleanField(help_text="False if there is more after the last line.")


class LogQuery(Body):
    """Which piece of the log."""

    after = serializers.IntegerField(
        min_value=0, max_value=2**31 - 1, default=0, help_text="Lines after this public number."
    )
    limit = serializers.IntegerField(
        min_value=1,
        max_value=1000,
        default=500,
        help_text="At most so many public lines; your private ones come along.",
    )


class OptionShape(DataSerializer):
    """One value of a field."""

    value = serializers.JSONField(help_text="What the action carries: a string or a number.")
    label = serializers.CharField()  # type: ignore[assignment]  # the API's word
    hint = serializers.CharField(allow_null=True)
    limit = serializers.IntegerField(allow_null=True, help_text="In a field of amounts, the most of this option.")
    group = serializers.CharField(allow_null=True)
    bars = serializers.ListField(
        child=serializers.JSONField(), help_text="Values of other fields that cannot be chosen together with this one."
    )


class FieldShape(DataSerializer):
    """What an action needs: exactly one option, or amounts of the options that add up to `least` .. `total`."""

    name = serializers.CharField()
    kind = serializers.ChoiceField(["choice", "amounts"])
    label = serializers.CharField()  # type: ignore[assignment]  # the API's word
    total = serializers.IntegerField(allow_null=True, help_text="The most that the amounts make together.")
    least = serializers.IntegerField(allow_null=True, help_text="The fewest; the same as `total` for an exact sum.")
    same_as = serializers.CharField(
        allow_null=True, help_text="The field of amounts whose sum this one's must be equal to."
    )
    distinct = serializers.CharField(
        allow_null=True, help_text="Fields of an action with the same word here must choose different values."
    )
    options = OptionShape(many=True)


class ActionShape(DataSerializer):
    """One way to answer: send {"type": type, field name: value or {value: amount}}."""

    type = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # the API's word
    hint = serializers.CharField(allow_null=True)
    fields = FieldShape(many=True)  # type: ignore[assignment]  # the API's word
    takes_orders = serializers.BooleanField(help_text='Your orders may go with it, all of them: "orders": [...].')


class ProposalShape(DataSerializer):
    """An answer that the rules propose to you. Nobody else is shown it."""

    mark = serializers.CharField(help_text='Names it: {"proposal": mark} answers the question with it.')
    action = serializers.DictField(help_text="The answer, as you would send it yourself.")
    text = serializers.ListField(
        source="lines", child=serializers.CharField(), help_text="In words: the answer, then its orders."
    )
    reason = serializers.CharField(allow_blank=True, help_text="Why, in one line.")


class QuestionShape(DataSerializer):
    """A decision that is open to you, and every way to answer it."""

    code = serializers.CharField()
    kind = serializers.CharField()
    title = serializers.CharField()
    hint = serializers.CharField(allow_null=True)
    is_sealed = serializers.BooleanField(help_text="Others see nothing of it, and you may replace it, until it closes.")
    is_waiting = serializers.BooleanField(help_text="The game waits for it; false for what you may do or change.")
    opened_at = serializers.DateTimeField(allow_null=True)
    allowed_until = serializers.DateTimeField(allow_null=True, help_text="When your time bank begins to run.")
    due_at = serializers.DateTimeField(allow_null=True)
    steward_at = serializers.DateTimeField(
        allow_null=True, help_text="From when on your steward may play what is proposed."
    )
    default = serializers.CharField(help_text="What happens at the deadline.")
    default_code = serializers.CharField(
        help_text="The same in every language: a code of the rules, or proposal where what they propose is played."
    )
    proposal = ProposalShape(
        allow_null=True, help_text="null where there is none, and for a moment after the question was asked."
    )
    actions = ActionShape(many=True)


class AnswerBody(Body):
    """An answer to a decision."""

    example = {"proposal": ...}
    action = serializers.DictField(required=False, help_text='{"type": ..., and the fields of that action}')
    proposal = serializers.CharField(
        required=False, max_length=32, help_text="Instead: the mark of the proposal that is to be played."
    )

    def validate(self, attrs: JsonObject) -> JsonObject:
        """One of the two."""
        if len(attrs) != 1:
            raise serializers.ValidationError({"action": _("Send either an action or the reference of a proposal.")})
        return attrs


class NoBody(Body):
    """Nothing is asked for: an empty object, or no body."""


class HappenedShape(DataSerializer):
    """What an answer did, and what is asked of you now."""

    happened = LogLineShape(many=True)
    status = serializers.ChoiceField(Game.Status.choices)
    decisions = QuestionShape(many=True)
