"""A table and its game."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from django.db import models
from django.db.models import Q
from django.utils.functional import cached_property
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from engine.core import Decision as Asked
from engine.registry import RULES, AnyRules, get_rules
from games.clubs.models import Club
from games.errors import Newer
from games.ids import random_ref
from games.people import names
from games.people.models import User
from notifications.clock import present
from notifications.database.prefix import Folded

if TYPE_CHECKING:
    from games.tables.seats import Seat

ALIVE = Q(status__in=("open", "running"))  # a table that is not over yet
THREAD = "game:"  # how the thread of a game's notices begins
PRACTICE = Q(is_lesson=True) | Q(sandbox_of__isnull=False)  # `is_practice`


def by_known_rules(path: str = "") -> Q:
    """Games whose rules this process has: while a new version takes its place, that one may have opened others.

    Arguments:
        path: from the rows that are asked for to their game, such as "game__".
    """
    condition = Q()
    for name, version in RULES:
        condition |= Q(**{f"{path}rules_name": name, f"{path}rules_version": version})
    return condition


class Game(models.Model):
    """One playing of some rules, from the opening of the table to its end.

    `state`, `server_seed` and `seed` never leave the process except through the rules' `view` and `redact`.
    """

    class Status(models.TextChoices):
        OPEN = "open", _("waiting for players")
        RUNNING = "running", _("running")
        FINISHED = "finished", _("finished")
        CLOSED = "closed", _("closed without a result")

    class Missed(models.TextChoices):
        PROPOSAL = "proposal", _("the proposal is played")
        DEFAULT = "default", _("the default is played; for a round plan, for the whole round")
        ASK = "ask", _("the default is played; after a missed round plan the player is asked token by token")

    class Proposals(models.TextChoices):
        ON = "on", _("on")
        OFF = "off", _("off")

    class PausedBy(models.TextChoices):
        VOTE = "vote", _("the players")
        MODERATOR = "moderator", _("a moderator")
        LESSON = "lesson", _("nobody: lessons have no clock")
        SANDBOX = "sandbox", _("nobody: sandboxes have no clock")

    class Hour(models.TextChoices):
        PROPOSED = "proposed", _("proposed")
        AGREED = "agreed", _("agreed")
        REMINDED = "reminded", _("agreed, and everyone is reminded")
        LIVE = "live", _("going on")
        MISSED = "missed", _("ended early: an answer took too long")

    class AbsentSeats(models.TextChoices):
        PASS = "pass", _("passed right away")
        EASY_BOT = "easy_bot", _("played by an easy bot")
        BOT = "bot", _("played by a bot")
        STRONG_BOT = "strong_bot", _("played by a strong bot")
        TAKEOVER = "takeover", _("passed, and open to others")

    class Company(models.TextChoices):
        ALL = "all", _("everyone")
        HALF = "50", _("who gives half of the answers in time")
        MOST = "75", _("who gives 75 % of the answers in time")
        NEARLY_ALL = "90", _("who gives 90 % of the answers in time")

    ref = models.CharField(max_length=12, unique=True, default=random_ref, editable=False)
    recorded_as = models.CharField(
        max_length=12, blank=True, default="", editable=False
    )  # its reference where it was played, if it was imported; "" for games of this service
    title = models.CharField(_("table name"), max_length=60)
    host = models.ForeignKey(User, on_delete=models.PROTECT, related_name="hosted_games")
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    is_listed = models.BooleanField(default=False)  # in the lobby: anybody may sit down, and watch
    is_watchable = models.BooleanField(default=False)  # whoever has its address may watch; nothing but public facts
    club = models.ForeignKey(
        Club, on_delete=models.SET_NULL, null=True, blank=True, related_name="games", db_index=False
    )  # whose members alone find it in the lobby, may watch it and take its seats; null for other tables
    allows_own_bots = models.BooleanField(
        default=False, db_default=False
    )  # a player and that player's bot, or two bots of one player, may sit here; the game is not rated
    is_between_bots = models.BooleanField(
        default=False, db_default=False, editable=False
    )  # of a match: it is in no archive, and counts for the ratings of bots
    again_of = models.ForeignKey(
        "self", on_delete=models.SET_NULL, null=True, blank=True, related_name="sequels", db_index=False
    )
    is_lesson = models.BooleanField(default=False)  # of a beginner against bots
    is_guided = models.BooleanField(default=True, db_default=True)  # a lesson: beside its board stands what to do
    sandbox_of = models.ForeignKey(
        "self", on_delete=models.CASCADE, null=True, blank=True, related_name="sandboxes", db_index=False
    )  # a moderator's copy of a position, to try things out on
    rules_name = models.CharField(max_length=40)
    rules_version = models.PositiveIntegerField()
    options = models.JSONField(default=dict)  # of the rules: {TableOption.name: value}
    seat_count = models.PositiveSmallIntegerField()

    pace = models.CharField(max_length=20)
    stops_at_night = models.BooleanField(default=True)  # clocks stand still in their players' quiet hours
    stops_on_weekends = models.BooleanField(default=False)  # and from Saturday to Sunday, where each player is
    allows_vacation = models.BooleanField(default=True)
    proposals = models.CharField(
        max_length=3, choices=Proposals, default=Proposals.OFF, db_default=Proposals.OFF
    )  # whether each player is shown an answer that the rules propose to him
    missed = models.CharField(max_length=10, choices=Missed, default=Missed.ASK)
    is_first_miss_excused = models.BooleanField(default=True)
    absent_after = models.PositiveSmallIntegerField(default=3)  # misses in a row
    absent_seats = models.CharField(max_length=10, choices=AbsentSeats, default=AbsentSeats.PASS)
    company = models.CharField(
        max_length=3, choices=Company, default=Company.ALL, db_default="all"
    )  # who may sit down without being invited
    welcomes_newcomers = models.BooleanField(
        default=True, db_default=True
    )  # those may, too, who were asked too little for a share
    hides_names = models.BooleanField(default=False, db_default=False)  # of who plays, until its end
    settings_version = models.PositiveSmallIntegerField(
        default=0, db_default=0
    )  # how often the host has changed what is agreed at the table, before its game

    state = models.TextField(blank=True, default="")  # compact JSON; text, because jsonb costs a third of the speed
    seq = models.PositiveIntegerField(default=0)  # number of the last move
    branch = models.PositiveSmallIntegerField(default=0)  # how often the game was taken back
    public_events = models.PositiveIntegerField(default=0)  # how many events everybody has been shown
    chain = models.CharField(max_length=64, blank=True, default="")  # hash of the last move
    commitment = models.CharField(max_length=64)  # SHA-256 of server_seed, public from the start
    server_seed = models.CharField(max_length=64)  # hexadecimal; published when the game is over
    advance_at = models.DateTimeField(null=True, blank=True)  # when a worker takes it over the phase boundary
    failures = models.PositiveSmallIntegerField(default=0)  # engine errors in a row
    paused_at = models.DateTimeField(null=True, blank=True)  # since when all clocks stand still
    paused_by = models.CharField(max_length=10, choices=PausedBy, blank=True, default="")
    pause_ends_at = models.DateTimeField(null=True, blank=True)  # when it goes on by itself; never by itself if null
    paused_for = models.DurationField(
        default=timedelta(), db_default=timedelta()
    )  # how long the players have paused it by vote, all together
    hour_at = models.DateTimeField(null=True, blank=True)  # when its players want to play live together
    hour_state = models.CharField(
        max_length=10, choices=Hour, blank=True, default="", db_default=""
    )  # of that hour; "" for none
    hour_seat = models.PositiveSmallIntegerField(null=True, blank=True)  # who has proposed it
    hour_step_at = models.DateTimeField(
        null=True, blank=True, editable=False
    )  # when it lapses, is told, begins or ends
    quarantined_at = models.DateTimeField(null=True, blank=True)  # after too many: left alone until someone looks
    outcome = models.JSONField(null=True, blank=True)

    created_at = models.DateTimeField(default=present.now)
    expires_at = models.DateTimeField()  # an open table that has not begun by then is closed
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    rated_at = models.DateTimeField(null=True, blank=True, editable=False)  # when the ratings took note of it
    pack_at = models.DateTimeField(
        null=True, blank=True, editable=False
    )  # when `games.play.stored_moves` packs its log
    is_packed = models.BooleanField(default=False, db_default=False, editable=False)  # its log is a `PackedLog`

    class Meta:
        indexes = (
            # ticks: the games to take over a phase boundary
            models.Index(
                fields=["advance_at"],
                name="game_to_advance",
                condition=Q(advance_at__isnull=False, quarantined_at__isnull=True),
            ),
            # ticks: pauses that have lasted long enough
            models.Index(fields=["pause_ends_at"], name="pause_to_end", condition=Q(pause_ends_at__isnull=False)),
            # ticks: hours together that lapse, are told, begin or end
            models.Index(fields=["hour_step_at"], name="hour_to_step", condition=Q(hour_step_at__isnull=False)),
            # lists and vitals: the few that are not over, among the many that are; the newest first
            models.Index(fields=["status", "id"], name="game_not_over", condition=ALIVE),
            # ticks: the lessons and sandboxes whose time is over
            models.Index(fields=["expires_at"], name="practice_to_remove", condition=PRACTICE),
            # what few games have: a club, one that they repeat, one that they are a copy of
            models.Index(fields=["club"], name="game_of_club", condition=Q(club__isnull=False)),
            models.Index(fields=["again_of"], name="game_again_of", condition=Q(again_of__isnull=False)),
            models.Index(fields=["sandbox_of"], name="game_sandbox_of", condition=Q(sandbox_of__isnull=False)),
            # the admin site: tables by how their name begins
            models.Index(Folded("title"), name="game_by_title"),
            # moderators: the games on which the rules failed
            models.Index(fields=["quarantined_at"], name="game_quarantined", condition=Q(quarantined_at__isnull=False)),
            # the archive
            models.Index(fields=["finished_at"], name="game_archived", condition=Q(status="finished", is_listed=True)),
            # ticks: the games to rate
            models.Index(
                fields=["finished_at"],
                name="game_to_rate",
                condition=Q(status="finished", is_listed=True, rated_at__isnull=True),
            ),
            # ticks: the games whose logs are to be packed
            models.Index(fields=["pack_at"], name="game_to_pack", condition=Q(pack_at__isnull=False)),
            # the lobby: running tables whose absent players may be replaced
            models.Index(
                fields=["started_at"],
                name="game_with_offers",
                condition=Q(status="running", is_listed=True, absent_seats="takeover"),
            ),
            # ticks: the tables that never started
            models.Index(fields=["expires_at"], name="table_to_expire", condition=Q(status="open")),
        )

    next_due_at: datetime | None = None  # the earliest of its deadlines, where that was read
    packed_moves: Any = None  # its packed log, once `games.play.stored_moves` has read it
    _known_seats: "list[Seat] | None" = None
    _kept_state: "tuple[str, Any] | None" = None  # of which text it was made, and the state
    _kept_asked: "tuple[str, list[Asked]] | None" = None  # of which text, and what the rules ask there

    def __str__(self) -> str:
        return self.title

    @cached_property
    def rules(self) -> AnyRules:
        """The rule set this game is played by. Raises Newer if this process does not know it."""
        try:
            return get_rules(self.rules_name, self.rules_version)
        except KeyError as error:
            raise Newer(gettext("A new version is being installed. Please come back in a minute.")) from error

    def load_state(self, read: "Game | None" = None) -> Any:
        """The engine's state, which is the caller's own. Only services and queries call this.

        Arguments:
            read: the same game as it was read a moment ago: what it keeps is taken if nothing has changed since.
        """
        keeper = read or self
        kept, keeper._kept_state = keeper._kept_state, None  # noqa: SLF001  of a game, too
        if kept is not None and kept[0] == self.state:
            return kept[1]
        return self.rules.load(self.state.encode())

    def look_at_state(self) -> Any:
        """The same, for who only looks at it, and keeps nothing of it: whoever comes next has it, too."""
        state = self.load_state()
        self.keep_state(state)
        return state

    def keep_state(self, state: object, asked: "list[Asked] | None" = None) -> None:
        """Keeps this game's state for who loads it next; the caller has no more to do with it.

        What the rules have just changed may hold a part of itself twice: it is to be looked at, and not to be handed to
        another move (`read`).

        Arguments:
            asked: all that the rules ask there, where it is known.
        """
        self._kept_state = (self.state, state)
        if asked is not None:
            self._kept_asked = (self.state, asked)

    def look_at_asked(self) -> "list[Asked]":
        """Returns the rules' questions in the game's state."""
        if self._kept_asked is not None and self._kept_asked[0] == self.state:
            return self._kept_asked[1]
        return self.rules.decisions(self.look_at_state())

    def know_seats(self, seats: "Iterable[Seat]") -> None:
        """Keeps all its seats, which were read: they know their game, and `seated` asks nobody."""
        self._known_seats = list(seats)
        for seat in self._known_seats:
            seat.game = self

    def seated(self) -> "list[Seat]":
        """Its seats by number; those that were read before, if they were."""
        rows = self.seats.all() if self._known_seats is None else self._known_seats
        return sorted(rows, key=attrgetter("number"))

    def refresh_from_db(
        self,
        using: str | None = None,
        fields: Iterable[str] | None = None,
        from_queryset: "models.QuerySet[Game] | None" = None,
    ) -> None:
        """Reads the row like Django; a whole refresh reads the seats anew, too."""
        if fields is None:
            self._known_seats = None
        super().refresh_from_db(using, fields, from_queryset)

    @property
    def thread(self) -> str:
        """Returns the thread of the game's notices: they are one conversation."""
        return f"{THREAD}{self.ref}"

    @property
    def spoken_title(self) -> str:
        """Its title as it stands in a sentence."""
        return names.isolated(self.title)

    @property
    def host_name(self) -> str | None:
        """Returns its host's name; None at a match's table, which all the world may read, for who has no profile."""
        return self.host.public_name if self.is_between_bots else self.host.get_short_name()

    def seat_names(self) -> list[str]:
        """The players' names by seat number."""
        return [seat.display_name for seat in self.seated()]

    def spoken_names(self) -> list[str]:
        """The same as they stand in sentences."""
        return [seat.spoken_name for seat in self.seated()]

    @property
    def is_practice(self) -> bool:
        """True for lessons and sandboxes: no clock runs, no mail is written, and they count for nothing."""
        return self.is_lesson or self.sandbox_of_id is not None

    @property
    def is_for_ratings(self) -> bool:
        """True if its result will count for the ratings of who plays here."""
        return self.is_listed and not (self.allows_own_bots or self.is_practice or self.is_imported)

    @property
    def has_proposals(self) -> bool:
        """True if the rules propose an answer to each question of a person."""
        return self.proposals == self.Proposals.ON

    @property
    def may_propose(self) -> bool:
        """True if a proposal may be made here, shown to its player or played when he has missed the deadline."""
        return self.has_proposals or self.missed == self.Missed.PROPOSAL

    @property
    def is_live_hour(self) -> bool:
        """True while its players play live together, as they have agreed."""
        return self.hour_state == self.Hour.LIVE

    @property
    def has_hour_ahead(self) -> bool:
        """True while an hour together is proposed or agreed and has not begun."""
        return self.hour_state in (self.Hour.PROPOSED, self.Hour.AGREED, self.Hour.REMINDED)

    @property
    def is_imported(self) -> bool:
        """True for a game that was played elsewhere: its names are what its record says, and it counts for nothing."""
        return bool(self.recorded_as)

    @property
    def is_over(self) -> bool:
        """True when nothing can change any more."""
        return self.status in (self.Status.FINISHED, self.Status.CLOSED)
