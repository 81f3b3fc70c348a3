"""Offers of the host's role, earlier settings of tables, presets, the games that bots take, the ladder, puzzles."""

from django.db import models

from games.ids import random_ref
from games.people.models import User
from games.tables.models import Game
from notifications.clock import present
from notifications.models import Recipient

LONGEST_NAME = 60  # of a preset


class HostOffer(models.Model):
    """The host's role, offered to somebody at the table; deleted with the answer. One at a time for each table."""

    ref = models.CharField(max_length=12, unique=True, default=random_ref, editable=False)
    game = models.OneToOneField(Game, on_delete=models.CASCADE, related_name="host_offer")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="host_offers")
    created_at = models.DateTimeField(default=present.now)

    def __str__(self) -> str:
        return f"{self.game} -> {self.user}"


class SettingsChange(models.Model):
    """A table's settings before its host changed them: each player is told what differs."""

    # the unique index below begins with it
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="settings_changes", db_index=False)
    version = models.PositiveSmallIntegerField()  # of the settings that held until then: `Game.settings_version`
    before = models.JSONField()  # `games.tables.settings.AGREED`, by name
    changed_at = models.DateTimeField(default=present.now)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["game", "version"], name="one_change_per_version"),)

    def __str__(self) -> str:
        return f"{self.game}: {self.version}"


class TablePreset(models.Model):
    """The settings of a table under a name, for the next table of the same host."""

    ref = models.CharField(max_length=12, unique=True, default=random_ref, editable=False)
    # the unique index below begins with it
    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="table_presets", db_index=False)
    name = models.CharField(max_length=LONGEST_NAME)
    rules_name = models.CharField(max_length=40)
    values = models.JSONField()  # `games.tables.settings.AGREED`, by name
    created_at = models.DateTimeField(default=present.now)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["owner", "name"], name="one_preset_per_name"),)

    def __str__(self) -> str:
        return self.name


class BotTerms(models.Model):
    """The games that a bot account takes. Without a row it takes every game, and at once.

    An empty list means any.
    """

    bot = models.OneToOneField(User, on_delete=models.CASCADE, related_name="terms")
    takes_rules = models.JSONField(default=list)  # names of rule sets
    takes_paces = models.JSONField(default=list)  # names of paces
    takes_seat_counts = models.JSONField(default=list)
    takes_games = models.PositiveSmallIntegerField(null=True, blank=True)  # at once; null for any number
    answers_invitations = models.BooleanField(default=False)  # its program accepts or declines each game

    def __str__(self) -> str:
        return f"{self.bot}"


class BeatenBot(models.Model):
    """A bot of the rules that somebody has beaten: a rung of the ladder of opponents."""

    # the unique index below begins with it
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="beaten_bots", db_index=False)
    rules_name = models.CharField(max_length=40)
    bot = models.CharField(max_length=20)
    beaten_at = models.DateTimeField(default=present.now)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["user", "rules_name", "bot"], name="beaten_once"),)

    def __str__(self) -> str:
        return f"{self.user}: {self.bot}"


class PuzzleSolver(models.Model):
    """Somebody who answers puzzles: with an account, a guest, or at an address that asked for the daily email.

    Arguments:
        mu, sigma: the rating, as `Rating` has it; puzzles are rated against their solvers.
        streak: puzzles of the day that were solved day after day; the last one on `last_day`.
        wants_mail: the address was confirmed, and the puzzle of the day is sent to it.
        mail_at: when the next one is due.
    """

    recipient = models.OneToOneField(Recipient, on_delete=models.CASCADE, related_name="puzzle_solver")
    ref = models.CharField(max_length=12, unique=True, default=random_ref, editable=False)
    mu = models.FloatField()
    sigma = models.FloatField()
    tried = models.PositiveIntegerField(default=0)
    solved = models.PositiveIntegerField(default=0)
    streak = models.PositiveIntegerField(default=0)
    best_streak = models.PositiveIntegerField(default=0)
    last_day = models.DateField(null=True, blank=True)
    wants_mail = models.BooleanField(default=False)
    mail_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=present.now)

    class Meta:
        indexes = (
            # ticks: to whom the puzzle of the day is due
            models.Index(fields=["mail_at"], name="puzzle_mail_due", condition=models.Q(mail_at__isnull=False)),
        )

    def __str__(self) -> str:
        return f"{self.recipient}: {self.solved} of {self.tried}"


class PuzzleAttempt(models.Model):
    """The first answer of a solver to a puzzle, which alone counts."""

    # the unique index below begins with it
    solver = models.ForeignKey(PuzzleSolver, on_delete=models.CASCADE, related_name="attempts", db_index=False)
    puzzle = models.CharField(max_length=12)  # its reference in the file
    answer = models.PositiveSmallIntegerField()
    is_right = models.BooleanField()
    made_at = models.DateTimeField(default=present.now)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["solver", "puzzle"], name="one_attempt_per_puzzle"),)

    def __str__(self) -> str:
        return f"{self.puzzle}: {self.answer}"


class PuzzleRating(models.Model):
    """How a puzzle fares: its rating, and how many have solved it. Without a row nobody has tried it."""

    puzzle = models.CharField(max_length=12, unique=True)
    mu = models.FloatField()
    sigma = models.FloatField()
    tried = models.PositiveIntegerField(default=0)
    solved = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.puzzle}: {self.solved} of {self.tried}"


class LentPuzzle(models.Model):
    """A puzzle made of people's game, as long as each of them lends it. Nothing in it names them or their game.

    Arguments:
        grade: by its place among those that are shipped.
        data: the whole `engine.puzzles.Puzzle`.
        lenders: who sat in the game or owned a bot there, and may take it back.
    """

    ref = models.CharField(max_length=12, unique=True)
    rules = models.CharField(max_length=40)
    version = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=40)
    grade = models.PositiveSmallIntegerField()
    data = models.BinaryField()
    lenders = models.ManyToManyField(User, related_name="lent_puzzles")

    def __str__(self) -> str:
        return f"{self.ref}: {self.rules} {self.kind}"
