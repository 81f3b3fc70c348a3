"""A game, its log and its questions in answers of the API: the serializers, and the data they take.

`games.play.queries` and the rules' `view` and `redact` decide what a viewer may see."""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _
from msgspec import to_builtins
from rest_framework import serializers
from rest_framework.request import Request

from engine.core import Choice, Ending, JsonObject, Text
from engine.registry import AnyRules
from games import links
from games.api.parsing import AnyField, Body, ComputedField, DataSerializer, PlainField, RulesTextField, WordField
from games.api.resource import PageQuery, person
from games.people import speech
from games.play import absences, deadlines, history, queries, roll_backs, stored_moves
from games.play.history import LogLine
from games.play.models import Decision
from games.play.proposals import stored_proposal
from games.play.queries import Access
from games.play.standing_orders import say_for
from games.tables import table_links
from games.tables.models import Game
from games.tables.pace import paces
from games.tables.seats import Seat
from games.tables.settings import SETTINGS, TableSetting
from games.tournaments import tournaments
from notifications.clock import present


class PaceField(WordField):
    """The name of a pace that hosts may choose: EXTRA_PACE, too, where there is one."""

    def __init__(self, **options: Any) -> None:
        super().__init__([name for name, _label in paces()], **options)


class TakenSeatShape(DataSerializer):
    """A chair at a table."""

    number = serializers.IntegerField(help_text="From 0, clockwise; drawn when the game starts.")
    name = serializers.CharField(source="display_name")
    bot = serializers.CharField(help_text="Which bot of the rules plays here; empty for an account.")
    owner = serializers.CharField(
        source="owner_name", allow_null=True, help_text="Whose bot account plays here; null for a person."
    )
    status = serializers.ChoiceField(Seat.Status.choices)
    wants_pause = serializers.BooleanField()
    wants_end = serializers.BooleanField(help_text="Of the game, without a result.")


class SeatShape(TakenSeatShape):
    """A chair at a table, and whether its player is away."""

    away_until = serializers.DateTimeField(allow_null=True, help_text="The end of its player's vacation.")
    has_agreed = serializers.BooleanField(help_text="To the settings; the game starts when all have.")
    agrees_to_hour = serializers.BooleanField(help_text="To the hour together of the table.")
    absent_wish = serializers.CharField(help_text='What its player wants to become of absent seats; "": as it is.')
    seeks_successor = serializers.BooleanField(help_text="Its player plays on until somebody takes the seat.")


EXTENDED = ["excused", "service", "vacation", "pause", "hour", "host", "moderator"]


class ExtensionShape(DataSerializer):
    """A deadline that moved."""

    code = serializers.ChoiceField(EXTENDED, help_text="Why.")
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
    waits_for = ComputedField(
        lambda row: [seat.number for seat in queries.waiting(row.game, row.seat, row.asked)[0]],
        serializers.ListField(child=serializers.IntegerField(), help_text="The seats that are to answer."),
    )
    unread_talk = serializers.IntegerField(source="unread", help_text="Messages at the table since you read them.")
    created_at = serializers.DateTimeField(source="game.created_at")
    finished_at = serializers.DateTimeField(source="game.finished_at", allow_null=True)


class GamesQuery(PageQuery):
    """Which of your games."""

    is_waiting = serializers.BooleanField(
        required=False, help_text="Only those that wait for you to decide, or only the others."
    )
    status = WordField(Game.Status.choices, required=False, help_text="Only those with it.")


class PlaceShape(DataSerializer):
    """A player's place."""

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
    """The proof that the dice were not loaded; all but the commitment is null until the game is over."""

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


class HourShape(DataSerializer):
    """An hour at which the table plays live together."""

    starts_at = serializers.DateTimeField(source="hour_at", help_text="When it begins.")
    status = serializers.ChoiceField(Game.Hour.choices, source="hour_state", help_text="How far it is.")
    seat = serializers.IntegerField(source="hour_seat", allow_null=True, help_text="Who has proposed it.")


class GameShape(DataSerializer):
    """A game as your seat (or, if you have none, a spectator) may see it."""

    ref = serializers.CharField()
    title = serializers.CharField()
    rules = serializers.CharField()
    rules_version = serializers.IntegerField()
    options = serializers.DictField(child=serializers.CharField(), help_text="What the host chose, by option.")
    status = serializers.ChoiceField(Game.Status.choices)
    pace = PaceField()
    host = serializers.CharField(allow_null=True, help_text="Null: of a match whose owner has no profile.")
    club_ref = serializers.CharField(
        allow_null=True, help_text="Whose members alone may sit down there; null: no club's."
    )
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
    paused_by = serializers.ChoiceField(Game.PausedBy.choices, allow_blank=True, help_text="Empty unless it is paused.")
    pause_ends_at = serializers.DateTimeField(allow_null=True, help_text="When it goes on by itself.")
    hour = HourShape(allow_null=True, help_text="null where no hour together is proposed, agreed or going on.")
    is_asleep = serializers.BooleanField(help_text="All its people are away; it waits until one comes back.")
    bank_seconds = serializers.IntegerField(allow_null=True, help_text="What is left in your seat's time bank.")
    steward_hours = serializers.IntegerField(
        allow_null=True, help_text="After how many waking hours your seat's steward acts; null for never."
    )
    last_number = serializers.IntegerField(help_text="Of the last public line of the log.")
    retractable = serializers.IntegerField(
        allow_null=True, help_text="The number of the first line of your last answer, if you can take that back."
    )
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
    event = PlainField(help_text="As data; what you may not know is null in it.")
    is_taken_back = serializers.BooleanField(help_text="True if a moderator took the game back behind it.")


class LogShape(DataSerializer):
    """A piece of the log, oldest first."""

    items = LogLineShape(source="lines", many=True)
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
    label = RulesTextField()  # type: ignore[assignment]  # the API's word
    hint = RulesTextField(allow_null=True)
    limit = serializers.IntegerField(allow_null=True, help_text="In a field of amounts, the most of this option.")
    group = RulesTextField(allow_null=True)
    bars = serializers.ListField(
        child=serializers.JSONField(), help_text="Values of other fields that cannot be chosen together with this one."
    )


class FieldShape(DataSerializer):
    """A field of an action: exactly one option, or amounts of the options that add up to `least` .. `total`."""

    name = serializers.CharField()
    kind = ComputedField(
        lambda field: "choice" if isinstance(field, Choice) else "amounts",
        serializers.ChoiceField(["choice", "amounts"]),
    )
    label = RulesTextField()  # type: ignore[assignment]  # the API's word
    total = serializers.IntegerField(allow_null=True, help_text="The most that the amounts make together.")
    least = serializers.IntegerField(
        source="fewest", allow_null=True, help_text="The fewest; the same as `total` for an exact sum."
    )
    same_as = ComputedField(
        lambda field: getattr(field, "same_as", "") or None,
        serializers.CharField(allow_null=True, help_text="The field of amounts whose sum this one's must be equal to."),
    )
    distinct = ComputedField(
        lambda field: field.distinct or None,
        serializers.CharField(
            allow_null=True, help_text="Fields of an action with the same word here must choose different values."
        ),
    )
    options = OptionShape(many=True)


class ActionShape(DataSerializer):
    """One way to answer: send {"type": type, field name: value or {value: amount}}."""

    type = serializers.CharField()
    label = RulesTextField()  # type: ignore[assignment]  # the API's word
    hint = RulesTextField(allow_null=True)
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

    code = serializers.CharField(source="question.decision.id")
    kind = serializers.CharField(source="question.decision.kind")
    title = RulesTextField(source="question.title")
    hint = RulesTextField(source="question.hint", allow_null=True)
    is_sealed = serializers.BooleanField(
        source="question.decision.sealed",
        help_text="Others see nothing of it, and you may replace it, until it closes.",
    )
    is_waiting = ComputedField(
        lambda row: row["decision"] is not None,
        serializers.BooleanField(help_text="The game waits for it; false for what you may do or change."),
    )
    opened_at = serializers.DateTimeField(source="decision.opened_at", allow_null=True)
    allowed_until = serializers.DateTimeField(
        source="decision.allowed_until", allow_null=True, help_text="When your time bank begins to run."
    )
    due_at = serializers.DateTimeField(source="decision.due_at", allow_null=True)
    steward_at = serializers.DateTimeField(
        source="decision.steward_at",
        allow_null=True,
        help_text="From when on your steward may play what is proposed.",
    )
    default = serializers.CharField(help_text="What happens at the deadline.")
    default_code = serializers.CharField(
        help_text="The same in every language: a code of the rules, or proposal where what they propose is played."
    )
    proposal = ProposalShape(
        allow_null=True, help_text="null where there is none, and for a moment after the question was asked."
    )
    actions = ActionShape(source="question.actions", many=True)


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


class HappenedShape(DataSerializer):
    """The events of an answer, and the questions that are open to you now."""

    happened = LogLineShape(many=True)
    status = serializers.ChoiceField(Game.Status.choices)
    decisions = QuestionShape(many=True)


# The data of these shapes

Data = JsonObject
PIECE = 100  # moves read at once
FACTS = (
    "ref",
    "title",
    "rules_version",
    "options",
    "status",
    "pace",
    "seat_count",
    "settings_version",
    "is_lesson",
    *(setting.name for setting in SETTINGS),
)
TIMES = ("created_at", "expires_at", "started_at", "finished_at", "paused_at", "paused_by", "pause_ends_at")


def rules_data(rules: AnyRules) -> Data:
    """Returns a rule set with its options."""

    def say(text: Text) -> str:
        return rules.say(text, speech.current_language(), [])

    return {
        "name": rules.name,
        "version": rules.version,
        "schema_url": links.rules_schema_url(rules.name, rules.version),
        "title": say(rules.title),
        "seat_counts": list(rules.seat_counts),
        "bots": list(rules.bots),
        "options": [
            {
                "name": option.name,
                "label": say(option.label),
                "hint": say(option.hint) if option.hint else None,
                "default": option.default,
                "suggested": option.suggested,
                "values": [{"value": value, "label": say(label)} for value, label in option.values],
            }
            for option in rules.options
        ],
    }


def shown_game(request: Request, ref: str) -> Data:
    """Returns a game as the caller may see it."""
    return game_data(queries.access_game(person(request), ref))


A_GAME: dict[str, Any] = {"answer": GameShape, "shows": shown_game}
"""The description of an answer with the game."""


def own_seat(request: Request, ref: str) -> Seat:
    """Loads the caller's seat in a game."""
    seat = queries.access_seat(person(request), ref).seat
    assert seat is not None
    return seat


def game_data(access: Access) -> Data:
    """Returns a game as this viewer may see it."""
    game = access.game
    view = queries.view_of(access) if game.started_at else None
    waited, due_at = queries.waiting(game, access.seat)
    bank = access.seat.bank if access.seat and access.seat.is_person else None
    answer = roll_backs.find_retractable(game, access.seat)
    return {
        **{name: getattr(game, name) for name in (*FACTS, *TIMES)},
        "rules": game.rules_name,
        "host": game.host_name,
        "club_ref": game.club.ref if game.club else None,
        "tournament": _tournament(game),
        "join_url": _join_url(access),
        "seat": access.seat.number if access.seat else None,
        "seats": _seats(game),
        "extensions": _extensions(game),
        "waits_for": [seat.number for seat in waited],
        "due_at": due_at,
        "hour": game if game.hour_state else None,
        "is_asleep": queries.is_asleep(game),
        "bank_seconds": None if bank is None else int(bank.total_seconds()),
        "steward_hours": access.seat.steward_hours if access.seat else None,
        "last_number": game.public_events,
        "retractable": None if answer is None else answer.first_public,
        "view": to_builtins(view),
        "board": queries.describe(access, view) if view else "",
        "outcome": _outcome(game),
        "fairness": _fairness(game),
    }


def _tournament(game: Game) -> Data | None:
    """Returns where in which tournament a game is played, as everybody may know it."""
    table = tournaments.table_of(game) if game.is_listed else None  # those of tournaments are
    if table is None:
        return None
    tournament = table.round.tournament
    facts = {"ref": tournament.ref, "title": tournament.display_title}
    return {**facts, "round": table.round.number, "table": table.number}


def _join_url(access: Access) -> str | None:
    """Returns the join link for viewers who may send it, while a seat is free or offered."""
    game = access.game
    may_send = access.seat is not None or access.is_host
    if game.status == Game.Status.OPEN:
        return table_links.join_url(game) if may_send or game.is_listed else None
    is_offered = access.seat is not None and any(map(absences.is_offered, game.seated()))
    return table_links.join_url(game) if is_offered else None


def _seats(game: Game) -> list[Data]:
    away = queries.on_vacation(game, present.now())
    wishes = ("wants_pause", "wants_end", "agrees_to_hour", "absent_wish", "seeks_successor")
    facts = ("number", "display_name", "bot", "owner_name", "status", *wishes, "has_agreed")
    rows = game.seated()
    return [{**{name: getattr(seat, name) for name in facts}, "away_until": away.get(seat.number)} for seat in rows]


def _extensions(game: Game) -> list[Data]:
    """Returns why deadlines moved, as everybody may know it."""
    rows = queries.extensions(game) if game.status == Game.Status.RUNNING else []
    return [{"code": row.public_code, "reason": row.get_reason_display(), "due_at": row.new_due_at} for row in rows]


def _outcome(game: Game) -> Data | None:
    result = queries.result(game)
    if result is None or game.outcome is None:
        return None
    return {
        "ending": game.outcome["ending"],
        "code": game.outcome["reason"]["code"],
        "reason": result.reason,
        "winners": [seat.number for seat in result.winners],
        "places": [{"place": place, "seat": seat.number, "score": score} for place, seat, score in result.places],
    }


def _fairness(game: Game) -> Data:
    """Returns the proof of fairness. Seed and chain only after the end: the chain changes with every sealed answer."""
    is_shown = game.status == Game.Status.FINISHED
    seats = game.seated()
    return {
        "commitment": game.commitment,
        "server_seed": game.server_seed if is_shown else None,
        "entropies": [seat.entropy for seat in seats] if is_shown else None,
        "chain": game.chain if is_shown else None,
    }


def log_data(access: Access, *, after: int, limit: int) -> Data:
    """Returns the log behind public number `after` up to its next `limit` public lines, and whether that is all.

    The viewer's private lines come along uncounted: they have no number to go on behind, and however many there are,
    the next piece begins behind this one.
    """
    return _piece(log_behind(access, after), after, limit)


def public_log_data(access: Access, *, after: int, limit: int) -> Data:
    """Like `log_data`, without the viewer's private lines."""
    lines = log_behind(access, after)
    return _piece((line for line in lines if line.number is not None and line.number > after), after, limit)


def _piece(log: Iterator[LogLine], after: int, limit: int) -> Data:
    """Lines up to the one that fills the limit; those without an own number, as a steward's has none, are uncounted."""
    lines: list[LogLine] = []
    last, counted = after, 0
    for line in log:
        lines.append(line)
        if line.number is not None and not line.is_stewards:
            last, counted = line.number, counted + 1
        if counted == limit:
            break
    return {"lines": lines, "last": last, "is_complete": next(log, None) is None}


def log_behind(access: Access, after: int) -> Iterator[LogLine]:
    """Yields all lines behind the one with public number `after`, and the viewer's private ones among them, reading
    some moves at a time. A steward's line, which has the first number of its move, comes with what is behind it."""
    game, is_behind = access.game, not after
    first = stored_moves.begin_behind(game, after - 1) if after else 1
    for seq in range(first, game.seq + 1, PIECE):
        moves = stored_moves.between(game, seq, seq + PIECE - 1)
        for line in history.events_of(access, moves, has_stewards=True):
            number = None if line.is_stewards else line.number
            if is_behind or (number is not None and number > after):
                is_behind = True
                yield line
            elif number is not None:
                is_behind = number == after


def questions_data(access: Access, *, is_new: bool = False) -> list[Data]:
    """Returns the open questions of the viewer's seat, in the order of the rules.

    Arguments:
        is_new: it has just been asked: nothing is proposed yet.
    """
    say = say_for(access.game)
    rows = [
        {
            "question": item.question,
            "decision": item.decision,
            "default": deadlines.say_missed(access.game, item.question, say),
            "default_code": deadlines.silence_of(access.game, item.question).code,
            "proposal": None if is_new else stored_proposal(access, item),
        }
        for item in queries.open_questions(access)
    ]
    return list(QuestionShape(rows, many=True, context={"say": say}).data)


def closed_data(decision: Decision) -> list[Data]:
    """Returns the public facts of a closed decision."""
    return [{"number": line.number, "at": line.at, "text": line.text} for line in history.lines_of_answer(decision)]
