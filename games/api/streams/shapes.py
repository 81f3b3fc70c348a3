"""What the events of an account's stream hold."""

from rest_framework import serializers

from games.api.base.parsing import DataSerializer
from games.api.play.serializers import LogLineShape, TakenSeatShape, WaitingShape
from games.api.play.talk import CommentShape
from games.api.tables.seats import InvitedShape
from games.tables.models import Game


class GameStateShape(DataSerializer):
    """A game of yours as it is now: sent first, and whenever any of this changes."""

    game = serializers.CharField(source="game.ref")
    title = serializers.CharField(source="game.title")
    rules = serializers.CharField(source="game.rules_name")
    rules_version = serializers.IntegerField(source="game.rules_version")
    status = serializers.ChoiceField(Game.Status.choices, source="game.status")
    seat = serializers.IntegerField(source="seat.number", help_text="The number of your seat.")
    seats = TakenSeatShape(source="game.seated", many=True)
    paused_at = serializers.DateTimeField(
        source="game.paused_at", allow_null=True, help_text="Since when all clocks stand still."
    )
    pause_ends_at = serializers.DateTimeField(
        source="game.pause_ends_at", allow_null=True, help_text="When it goes on by itself."
    )
    waiting = WaitingShape(many=True, help_text="What the game waits for you to decide.")


class GameLogShape(LogLineShape):
    """A public line of the log of one of your games, as you may know it."""

    game = serializers.CharField()


class GameTalkShape(CommentShape):
    """A line of the talk at one of your tables."""

    game = serializers.CharField()


class InvitationsShape(DataSerializer):
    """The invitations that wait for your answer."""

    invitations = InvitedShape(many=True)


class GoneShape(DataSerializer):
    """A game in which you no longer have a seat."""

    game = serializers.CharField()


class EventShape(DataSerializer):
    """One event."""

    event = serializers.ChoiceField(["game", "log", "talk", "invitations", "gone", "ready"])
    data = serializers.DictField(  # type: ignore[assignment]  # the member's name
        help_text="What the event of the same type holds in the stream."
    )


class EventsShape(DataSerializer):
    """What has changed."""

    events = EventShape(many=True)
    last_id = serializers.CharField(help_text="Send it as Last-Event-ID to get what comes after these.")
    is_complete = serializers.BooleanField(help_text="False if there is more to tell: ask again at once.")
