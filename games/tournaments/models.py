"""A tournament, who has entered it, and the tables of its rounds; and matches of bots."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.ids import random_ref
from games.people import names
from games.people.models import User
from games.tables.models import Game
from notifications.clock import present

LONGEST_ABOUT = 500  # of what its host says about it
LONGEST_REASON = 300
MOST_ENTRANTS = 256
MOST_ROUNDS = 12
MOST_DAYS = 365  # of one round


class Tournament(models.Model):
    """Rounds of tables of equal size. People enter until `closes_at`; then the service seats, starts and ranks them."""

    class Status(models.TextChoices):
        OPEN = "open", _("open for entries")
        RUNNING = "running", _("running")
        FINISHED = "finished", _("finished")
        CALLED_OFF = "called_off", _("called off")

    class Why(models.TextChoices):
        HOST = "host", _("The host has called it off.")
        MODERATOR = "moderator", _("A moderator has called it off.")
        TOO_FEW = "too_few", _("Too few people had entered when entries closed.")
        GONE = "gone", _("Its host has deleted the account.")

    ref = models.CharField(max_length=12, unique=True, default=random_ref, editable=False)
    title = models.CharField(_("name"), max_length=60)
    about = models.CharField(max_length=LONGEST_ABOUT, blank=True, default="")
    host = models.ForeignKey(User, on_delete=models.PROTECT, related_name="hosted_tournaments")
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    called_off_by = models.CharField(max_length=10, choices=Why, blank=True, default="")
    reason = models.CharField(max_length=LONGEST_REASON, blank=True, default="")  # of who has called it off

    rules_name = models.CharField(max_length=40)
    options = models.JSONField(default=dict)  # of the rules: {TableOption.name: value}
    table_size = models.PositiveSmallIntegerField()
    round_count = models.PositiveSmallIntegerField()
    round_days = models.PositiveSmallIntegerField()  # after so many the tables that still play are drawn
    fewest = models.PositiveSmallIntegerField()  # with fewer entrants it does not take place
    most = models.PositiveSmallIntegerField()  # so many can enter
    allows_bots = models.BooleanField(default=False)  # its host may enter bot accounts

    pace = models.CharField(max_length=20)
    stops_at_night = models.BooleanField(default=True)
    stops_on_weekends = models.BooleanField(default=False)
    allows_vacation = models.BooleanField(default=True)

    created_at = models.DateTimeField(default=present.now)
    closes_at = models.DateTimeField()  # when entries close and the first round is drawn
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    hidden_at = models.DateTimeField(null=True, blank=True)  # since when a moderator hides its title and what it says
    retry_at = models.DateTimeField(null=True, blank=True, editable=False)  # left alone until then: a step broke

    class Meta:
        indexes = (
            # ticks and lists: the few that are not over
            models.Index(fields=["closes_at"], name="tournament_alive", condition=Q(status__in=("open", "running"))),
            # lists: those that are, newest first
            models.Index(fields=["-finished_at"], name="tournament_over", condition=Q(finished_at__isnull=False)),
        )

    taken: int = 0  # how many are in, where that was counted

    def __str__(self) -> str:
        return self.display_title

    @property
    def thread(self) -> str:
        """Returns the thread of its notices, and of the news of all its tables, to which its webhooks listen."""
        return f"tournament:{self.ref}"

    @property
    def display_title(self) -> str:
        """Its title as everybody sees it."""
        if self.is_weekly:
            return gettext("Weekly bot tournament")
        return gettext("Tournament %(ref)s") % {"ref": self.ref} if self.hidden_at else self.title

    @property
    def spoken_title(self) -> str:
        """The same as it stands in a sentence."""
        return names.isolated(self.display_title)

    @property
    def display_about(self) -> str:
        """Returns the host's description as everybody sees it."""
        if self.is_weekly:
            return gettext("Enter alone if you like: our bots fill the tables. A new one opens each week.")
        return "" if self.hidden_at else self.about

    @property
    def is_weekly(self) -> bool:
        """True for the house's own, whose title is in the reader's language; a host's always has one."""
        return not self.title

    @property
    def is_over(self) -> bool:
        """True when nothing can change any more."""
        return self.status in (self.Status.FINISHED, self.Status.CALLED_OFF)

    @property
    def is_open(self) -> bool:
        """True while people can enter, if there is room."""
        return self.status == self.Status.OPEN

    def is_played_by(self, user: User) -> bool:
        """True for who has entered, or whose bot has, also if he has left or was removed since."""
        return self.entrants.filter(Q(user=user) | Q(user__owner=user)).exists()


class Entrant(models.Model):
    """Somebody who has entered a tournament. Who has left or was removed is seated no more, and stays in the list."""

    class Status(models.TextChoices):
        ENTERED = "entered", _("entered")
        LEFT = "left", _("left")
        REMOVED = "removed", _("removed")

    ref = models.CharField(max_length=12, unique=True, default=random_ref, editable=False)
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entrants", db_index=False)
    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="tournament_entries")
    name = models.CharField(max_length=40, blank=True)  # empty when the account was deleted
    is_bot = models.BooleanField(default=False)
    status = models.CharField(max_length=10, choices=Status, default=Status.ENTERED)
    reason = models.CharField(max_length=LONGEST_REASON, blank=True, default="")  # why somebody was removed
    lot = models.PositiveSmallIntegerField(default=0)  # drawn as the tournament starts; decides who sits where
    entered_at = models.DateTimeField(default=present.now)
    left_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["tournament", "user"], name="one_entry_per_person"),)

    def __str__(self) -> str:
        return f"{self.display_name} ({self.tournament})"

    @property
    def display_name(self) -> str:
        """The name in the lists of the tournament."""
        return self.name or gettext("Former player")

    @property
    def spoken_name(self) -> str:
        """The same as it stands in a sentence."""
        return names.isolated(self.display_name)

    @property
    def is_in(self) -> bool:
        """True for whom the next round seats."""
        return self.status == self.Status.ENTERED


class TournamentRound(models.Model):
    """A round: drawn at once, and over when all its tables are, or at `ends_at`."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="rounds", db_index=False)
    number = models.PositiveSmallIntegerField()  # from 1
    started_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["tournament", "number"], name="one_round_per_number"),)

    def __str__(self) -> str:
        return f"{self.tournament} {self.number}"


class TournamentTable(models.Model):
    """A table of a round: drawn first, then opened by a worker, who takes its places when its game is over."""

    class State(models.TextChoices):
        DRAWN = "drawn", _("about to start")
        PLAYING = "playing", _("running")
        DONE = "done", _("finished")
        UNDECIDED = (
            "undecided",
            _("without a result"),
        )  # called off, or not finished in time: those who stayed are level
        BYE = "bye", _("sits out")

    round = models.ForeignKey(TournamentRound, on_delete=models.CASCADE, related_name="tables", db_index=False)
    number = models.PositiveSmallIntegerField()  # from 1, the leaders' first; who sits out comes last
    state = models.CharField(max_length=10, choices=State, default=State.DRAWN)
    game = models.OneToOneField(
        Game, on_delete=models.PROTECT, null=True, blank=True, related_name="tournament_table"
    )  # null before it is opened, for who sits out, and where too few were left

    class Meta:
        constraints = (models.UniqueConstraint(fields=["round", "number"], name="one_table_per_number"),)
        indexes = (
            # ticks: the tables that are to be opened or watched
            models.Index(fields=["state"], name="tournament_table_alive", condition=Q(state__in=("drawn", "playing"))),
        )

    def __str__(self) -> str:
        return f"{self.round}: {self.number}"

    @property
    def is_over(self) -> bool:
        """True when its places stand."""
        return self.state not in (self.State.DRAWN, self.State.PLAYING)


class TournamentSeat(models.Model):
    """Somebody at a table of a round, and his place once it is over."""

    table = models.ForeignKey(TournamentTable, on_delete=models.CASCADE, related_name="seats", db_index=False)
    entrant = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="seats")
    place = models.PositiveSmallIntegerField(null=True, blank=True)  # 1 for the first; equal for who is level

    class Meta:
        constraints = (models.UniqueConstraint(fields=["table", "entrant"], name="one_tournament_seat_each"),)

    def __str__(self) -> str:
        return f"{self.entrant} {self.table}"


class Match(models.Model):
    """A number of games of the same bot accounts, without people. Opened by somebody who owns one of them."""

    class Status(models.TextChoices):
        RUNNING = "running", _("running")
        FINISHED = "finished", _("finished")
        CALLED_OFF = "called_off", _("called off")

    ref = models.CharField(max_length=12, unique=True, default=random_ref, editable=False)
    owner = models.ForeignKey(User, on_delete=models.PROTECT, related_name="matches")
    bots = models.ManyToManyField(User, related_name="matches_played")
    games = models.ManyToManyField(Game, related_name="matches")
    rules_name = models.CharField(max_length=40)
    options = models.JSONField(default=dict)  # of the rules: {TableOption.name: value}
    pace = models.CharField(max_length=20)
    game_count = models.PositiveSmallIntegerField()
    status = models.CharField(max_length=10, choices=Status, default=Status.RUNNING)
    created_at = models.DateTimeField(default=present.now)
    finished_at = models.DateTimeField(null=True, blank=True)
    look_at = models.DateTimeField(null=True, blank=True)  # when the tick looks next; null once it is over

    class Meta:
        indexes = (
            # ticks: the few that are not over
            models.Index(fields=["look_at"], name="match_to_look_at", condition=Q(look_at__isnull=False)),
        )

    def __str__(self) -> str:
        return f"{self.rules_name} {self.ref}"
