"""The models of a running game: questions, answers, and why a deadline moved."""

import hashlib
from datetime import datetime
from typing import Any

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from engine.records.model import PLAYER
from games.ids import random_ref
from games.people import names
from games.people.models import User
from games.tables.models import Game
from games.tables.seats import Seat
from notifications.clock import present
from notifications.clock.calendar import Span

SUBJECT = "decision:"  # before a decision's reference, in the subjects of notices about it


class Decision(models.Model):
    """A question the game waits on, with its clock. Made and closed by `games.play.game_moves` only."""

    class Status(models.TextChoices):
        OPEN = "open", _("open")
        ANSWERED = "answered", _("answered")
        WITHDRAWN = "withdrawn", _("no longer asked")

    ref = models.CharField(max_length=12, unique=True, default=random_ref, editable=False)
    # a unique index below begins with it; beside one for the game alone PostgreSQL would look at all it has ever asked
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="decisions", db_index=False)
    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="decisions")
    code = models.CharField(max_length=80)  # the engine's id: public facts only
    kind = models.CharField(max_length=40)
    is_sealed = models.BooleanField(default=False)
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    is_automatic = models.BooleanField(default=False)  # a bot, or a seat nobody waits for: answered at once
    opened_at = models.DateTimeField()
    due_at = models.DateTimeField(null=True, blank=True)
    allowed_until = models.DateTimeField(null=True, blank=True)  # then the seat's time bank runs, until due_at
    hours = models.CharField(
        max_length=100, blank=True, default=""
    )  # its player's, as they were when its clock started
    left = models.DurationField(null=True, blank=True)  # what its clock still shows while the game is paused
    hour_left = models.DurationField(
        null=True, blank=True
    )  # what its clock showed by the table's own pace when an hour together began
    remind_at = models.DateTimeField(null=True, blank=True)
    steward_at = models.DateTimeField(null=True, blank=True)  # when its seat's steward may act; null for never
    steward_before = models.DurationField(null=True, blank=True)  # how long before the deadline, by the same clock
    closed_at = models.DateTimeField(null=True, blank=True)
    kept_answer = models.TextField(blank=True, default="")  # an answer the rules broke on, until the game is repaired
    wants_proposal = models.BooleanField(default=False, db_default=False)  # until a worker has made one
    held_until = models.DateTimeField(null=True, blank=True)  # a worker is on it: see `games.play.locking`

    class Meta:
        constraints = (models.UniqueConstraint(fields=["game", "code", "seat"], name="asked_once"),)
        indexes = (
            # every move and page: what a game waits on, however much it has asked before; the desk counts by it
            models.Index(fields=["game", "code"], name="decision_open", condition=Q(status="open")),
            # ticks: deadlines that have passed
            models.Index(fields=["due_at"], name="decision_overdue", condition=Q(status="open", is_automatic=False)),
            # ticks: reminders to write
            models.Index(fields=["remind_at"], name="decision_to_remind", condition=Q(remind_at__isnull=False)),
            # ticks: stewards that may act
            models.Index(
                fields=["steward_at"],
                name="decision_of_steward",
                condition=Q(status="open", steward_at__isnull=False),
            ),
            # ticks: what bots and absent seats are asked
            models.Index(
                fields=["opened_at"], name="decision_automatic", condition=Q(status="open", is_automatic=True)
            ),
            # ticks: questions to propose an answer to
            models.Index(
                fields=["opened_at"], name="decision_to_propose", condition=Q(status="open", wants_proposal=True)
            ),
        )

    def __str__(self) -> str:
        return f"{self.code} of {self.seat}"

    @property
    def is_open(self) -> bool:
        """True while the game waits for it."""
        return self.status == self.Status.OPEN

    @property
    def subject(self) -> str:
        """The key by which notices about this decision are found."""
        return f"{SUBJECT}{self.ref}"

    @property
    def due_key(self) -> str:
        """The dedupe key of the notice that asks it: each time it is opened once for each person who holds the seat."""
        return f"due:{self.ref}:{self.seat.link_generation}:{self.opened_at.timestamp():.0f}"

    @property
    def is_on_bank(self) -> bool:
        """True if this decision may use its seat's time bank. A sealed one may not: what is left would tell when it was
        answered, and so would every deadline after it."""
        return not self.is_sealed


class SealedProposal(models.Model):
    """The answer that the rules propose to one question: its player's secret. See `games.play.proposals`.

    It was made for the question as it was asked then: of that player, on that branch of the game.
    """

    decision = models.OneToOneField(Decision, on_delete=models.CASCADE, related_name="proposal")
    opened_at = models.DateTimeField()  # of the decision
    link_generation = models.PositiveIntegerField()  # of its seat
    branch = models.PositiveSmallIntegerField()  # of the game
    answer = models.TextField(blank=True, default="")  # {"type": ..., fields} as JSON; "" if the rules found none
    reason = models.TextField(blank=True, default="")  # a text of the rules as JSON
    is_first = models.BooleanField(
        default=True, db_default=True
    )  # nothing else was ever proposed to this decision: whoever says "yes" can have seen no other
    made_at = models.DateTimeField(default=present.now)

    def __str__(self) -> str:
        return f"a proposal for {self.decision}"

    def is_for(self, row: Decision) -> bool:
        """True if the decision is still asked as it was then; `game` and `seat` are read of it."""
        made_for = (self.opened_at, self.link_generation, self.branch)
        return made_for == (row.opened_at, row.seat.link_generation, row.game.branch)

    @property
    def mark(self) -> str:
        """Names this proposal among those of its question: who accepts it says which one he was shown.

        Made of what its player may know: the key of a row would tell how many there are.
        """
        facts = (self.decision.code, self.opened_at, self.link_generation, self.branch, self.answer, self.reason)
        return hashlib.sha256(repr(facts).encode()).hexdigest()[:16]


class Receipt(models.Model):
    """An answer has reached us and is being dealt with. Shown to nobody; see `games.play.game_moves`."""

    decision = models.ForeignKey(Decision, on_delete=models.CASCADE, related_name="receipts")
    received_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"an answer to {self.decision}"


class Move(models.Model):
    """An action that was accepted, or a step the service took. Only ever added, never changed."""

    class Source(models.TextChoices):
        WEB = "web", _("web page")
        LINK = "link", _("link in an email")
        MAIL = "mail", _("reply by email")
        API = "api", _("API")
        BOT = "bot", _("bot")
        DEADLINE = "deadline", _("deadline")
        STEWARD = "steward", _("steward")
        ABSENT = "absent", _("no active player")
        ADVANCE = "advance", _("the service")
        MODERATOR = "moderator", _("moderator")
        RECORD = "record", _("a player elsewhere")

    PEOPLE = frozenset({Source.WEB, Source.LINK, Source.MAIL, Source.API, Source.RECORD})
    BY = {str(source): PLAYER for source in PEOPLE} | {"advance": "service"}  # never changed

    class Kind(models.TextChoices):
        START = "start", _("start")
        ANSWER = "answer", _("answer")
        ADVANCE = "advance", _("next phase")
        RESIGN = "resign", _("resignation")
        END = "end", _("end")
        ORDERS = "orders", _("orders")
        BRANCH = "branch", _("roll-back")

    # a unique index below begins with it
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="moves", db_index=False)
    seq = models.PositiveIntegerField()
    kind = models.CharField(max_length=10, choices=Kind)
    seat = models.PositiveSmallIntegerField(null=True, blank=True)
    decision = models.CharField(max_length=80, blank=True, default="")
    action = models.TextField(blank=True, default="")
    events = models.TextField(default="[]")
    first_public = models.PositiveIntegerField()  # number of its first public event; what others see has no gaps
    source = models.CharField(max_length=10, choices=Source)
    actor = models.ForeignKey(  # with an index of its own below, which finds all moves of a person, too
        User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", db_index=False
    )
    received_at = models.DateTimeField()  # when the answer reached us: what a deadline is compared with
    made_at = models.DateTimeField(default=present.now)  # when it was stored, after the wait for the game's row
    idempotency_key = models.CharField(max_length=80, blank=True, default="")
    chain = models.CharField(max_length=64)
    is_repeated = False  # whether its answer came again, under the same key
    held_until: datetime | None = None  # of what it asks bots: until then whoever makes it goes on with that

    class Meta:
        ordering = ("game", "seq")
        constraints = (
            models.UniqueConstraint(fields=["game", "seq"], name="moves_in_sequence"),
            models.UniqueConstraint(
                fields=["game", "idempotency_key"], name="one_move_per_key", condition=~Q(idempotency_key="")
            ),
        )
        indexes = (
            # an open page: the last move of whoever looks, however many he has made elsewhere
            models.Index(fields=["actor", "game", "seq"], name="move_of_actor", condition=Q(actor__isnull=False)),
        )

    def __str__(self) -> str:
        return f"move {self.seq} of {self.game}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Adds the move. Raises ValueError for one that is stored already."""
        if not self._state.adding:
            raise ValueError("A move is final: it is added once and never changed.")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        """Refused: the log only grows."""
        raise ValueError("A move is final: it is never deleted.")

    @property
    def by(self) -> str:
        """Returns who made it, for hash chain and record: the channel an answer came by is in neither."""
        return self.BY.get(self.source, self.source)

    @property
    def is_by_person(self) -> bool:
        """False for what was answered in somebody's place."""
        return self.source in self.PEOPLE


class OrderDate(models.Model):
    """The date on which an order ends: a fact of the service, for the rules know no dates."""

    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="order_dates")
    order = models.CharField(max_length=12)  # its id among the seat's orders
    ends_at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["seat", "order"], name="one_date_per_order"),)
        indexes = (
            # ticks: orders whose date has come
            models.Index(fields=["ends_at"], name="order_to_end"),
        )

    def __str__(self) -> str:
        return f"{self.order} of {self.seat}"


class Extension(models.Model):
    """Why a deadline moved. Public, and it never names a cause that belongs to one person."""

    class Reason(models.TextChoices):
        EXCUSED = "excused", _("the first missed deadline is excused")
        # One sentence for two reasons: what everybody reads must not tell whose mail does not arrive.
        OUTAGE = "outage", _("the service gave more time")
        NOT_TOLD = "not_told", _("the service gave more time")
        VACATION = "vacation", _("a player is on vacation")
        PAUSE = "pause", _("the game was paused")
        HOUR = "hour", _("the players agreed on an hour together")
        HOST = "host", _("the host gave more time")
        MODERATOR = "moderator", _("a moderator gave more time")

    decision = models.ForeignKey(Decision, on_delete=models.CASCADE, related_name="extensions")
    reason = models.CharField(max_length=10, choices=Reason)
    old_due_at = models.DateTimeField()
    new_due_at = models.DateTimeField()
    created_at = models.DateTimeField(default=present.now)

    def __str__(self) -> str:
        return f"{self.decision}: {self.reason}"

    @property
    def public_code(self) -> str:
        """The reason for programs: like the sentence, one word for what must not be told apart."""
        return "service" if self.reason in (self.Reason.OUTAGE, self.Reason.NOT_TOLD) else self.reason


class Outage(models.Model):
    """A time in which nobody looked after deadlines, and how far it has been given back."""

    began_at = models.DateTimeField()
    ended_at = models.DateTimeField()
    upto = models.BigIntegerField(default=0)  # key of the last game whose players have it back
    settled_at = models.DateTimeField(null=True, blank=True)  # when all had

    class Meta:
        indexes = (
            # every tick, and every answer that comes late: what is being given back now
            models.Index(fields=["settled_at"], name="outage_unsettled", condition=Q(settled_at__isnull=True)),
        )

    def __str__(self) -> str:
        return f"{self.began_at:%Y-%m-%d %H:%M} .. {self.ended_at:%Y-%m-%d %H:%M}"


class Heartbeat(models.Model):
    """When a part of the service last did its work; a gap in it is an outage."""

    name = models.CharField(max_length=40, unique=True)
    beat_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name


# The packed log of a game that is over: one row in the place of hundreds.


class PackedLog(models.Model):
    """The moves of a game that is over, and what was asked there. Written and read by `games.play.stored_moves` and
    `games.play.stored_moves` only.

    Its parts are made by `games.play.stored_moves`. It names no account: see `PackedActor`.
    """

    game = models.OneToOneField(Game, on_delete=models.CASCADE, primary_key=True, related_name="packed_log")
    format = models.PositiveSmallIntegerField(default=1)
    facts = models.BinaryField()  # of the moves, what is short: number, kind, seat, when, by which way
    texts = models.BinaryField()  # of the moves, what is long: answers, events, hashes
    questions = models.BinaryField()  # the decisions but the newest of each seat, which still stand in rows
    extensions = models.BinaryField()  # why deadlines of those decisions moved
    packed_at = models.DateTimeField(default=present.now)

    def __str__(self) -> str:
        return f"log of {self.game}"


class PackedActor(models.Model):
    """The account that a number in a packed log stands for; nobody's any more once the account is gone."""

    # a unique index below begins with it
    log = models.ForeignKey(PackedLog, on_delete=models.CASCADE, related_name="actors", db_index=False)
    number = models.PositiveSmallIntegerField()
    user = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+", db_index=False)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["log", "number"], name="one_actor_per_number"),)
        indexes = (
            # the copy of a person's data
            models.Index(fields=["user", "log"], name="packed_logs_of_actor", condition=Q(user__isnull=False)),
        )

    def __str__(self) -> str:
        return f"actor {self.number} of {self.log}"


# Planned absences.


class Vacation(models.Model):
    """Days on which nobody waits for a person: his clocks stand still at every table that allows it."""

    ref = models.CharField(max_length=12, unique=True, default=random_ref, editable=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="vacations")
    first_day = models.DateField()  # both days included, in the zone he had when he planned it
    last_day = models.DateField()  # the days that count against his budget
    begins_at = models.DateTimeField()
    ends_at = models.DateTimeField()  # earlier than the last day if he came back earlier
    created_at = models.DateTimeField(default=present.now)

    class Meta:
        indexes = (
            # whose clocks stand still now, or will
            models.Index(fields=["user", "ends_at"], name="vacation_of_a_person"),
        )

    def __str__(self) -> str:
        return f"{self.user}: {self.first_day} - {self.last_day}"

    @property
    def span(self) -> Span:
        """The time in which the clocks stand still."""
        return Span(self.begins_at, self.ends_at)

    @property
    def days(self) -> int:
        """How many days it takes from the budget."""
        return (self.last_day - self.first_day).days + 1


# Table talk, private notes, read markers, and snapshots of games.

LONGEST_COMMENT = 1000
LONGEST_NOTE = 4000


class Comment(models.Model):
    """A line of table talk. Everybody who may see the table reads it, unless it was hidden."""

    ref = models.CharField(max_length=12, unique=True, default=random_ref, editable=False)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="comments")
    author = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="comments")
    name = models.CharField(max_length=40, blank=True)  # the author's at this table, when it was written
    hidden_seat = models.PositiveSmallIntegerField(
        null=True, blank=True
    )  # its author is called by it until the end, if names are hidden: its number from 1; 0 before the game
    text = models.CharField(max_length=LONGEST_COMMENT)
    created_at = models.DateTimeField(default=present.now)
    hidden_at = models.DateTimeField(null=True, blank=True)
    hidden_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")

    is_folded = False  # for its reader, who has blocked its author: set by `games.play.table_talk.fold`

    class Meta:
        ordering = ("pk",)
        indexes = (
            # how much one person has written lately
            models.Index(fields=["author", "created_at"], name="comments_of_a_day"),
        )

    def __str__(self) -> str:
        return f"{self.speaker} ({self.game})"

    @property
    def speaker(self) -> str:
        """Returns the author's name as everybody sees it."""
        if self.hidden_seat is not None:
            return names.of_hidden(self.hidden_seat)
        return self.name or gettext("Former player")

    @property
    def is_hidden(self) -> bool:
        """True if its text is hidden from everybody."""
        return self.hidden_at is not None


class Note(models.Model):
    """A player's private note about a game. It belongs to the person, not to the seat."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="notes")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="notes")
    text = models.TextField(max_length=LONGEST_NOTE, blank=True, default="")
    changed_at = models.DateTimeField(default=present.now)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["game", "user"], name="one_note_per_person"),)

    def __str__(self) -> str:
        return f"{self.user} ({self.game})"


class Look(models.Model):
    """A read marker: how far a user has read a game. Later events are shown as new."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="looks")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="looks")
    since = models.PositiveIntegerField(default=0)  # public events he had seen when this visit began
    until = models.PositiveIntegerField(default=0)  # and has been shown by now
    looked_at = models.DateTimeField()
    talk_read_at = models.DateTimeField(null=True, blank=True)  # he has read what was said until then; null: nothing

    class Meta:
        constraints = (models.UniqueConstraint(fields=["game", "user"], name="one_look_per_person"),)

    def __str__(self) -> str:
        return f"{self.user} ({self.game})"


class Snapshot(models.Model):
    """The state after a move: history is replayed from here, not from the beginning. Can be made again at any time."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="snapshots")
    seq = models.PositiveIntegerField()
    state = models.TextField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["game", "seq"], name="one_snapshot_per_move"),)

    def __str__(self) -> str:
        return f"{self.game} after move {self.seq}"
