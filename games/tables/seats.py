"""The seats at a table, and the invitations to sit there."""

from typing import Any

from django.db import models
from django.db.models import Q
from django.utils.functional import cached_property
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.clubs.clubs import is_member
from games.clubs.models import Club
from games.errors import Conflict, SameOwner
from games.people import names
from games.people.characters import CHARACTERS, OTHERS_PORTRAIT
from games.people.models import AddressInvitation, User
from games.tables.models import Game
from notifications.clock import present
from notifications.database.compiled_query import compiled


class Seat(models.Model):
    """A chair at a table. Numbered in order of joining until the game starts, then as the seats were drawn (A4)."""

    class Status(models.TextChoices):
        ACTIVE = "active", _("playing")
        ABSENT = "absent", _("absent")
        RESIGNED = "resigned", _("resigned")

    # a unique index below begins with it
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="seats", db_index=False)
    number = models.PositiveSmallIntegerField()
    user = models.ForeignKey(User, on_delete=models.PROTECT, null=True, blank=True, related_name="seats")
    owner = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, blank=True, related_name="+", db_index=False
    )  # whose bot account sits here; null for a person, and for a bot of the rules
    name = models.CharField(max_length=40, blank=True)  # empty when its player has deleted his account
    bot = models.CharField(max_length=20, blank=True, default="")  # name of the bot that answers, "" for a person
    status = models.CharField(max_length=10, choices=Status, default=Status.ACTIVE)
    stand_in = models.CharField(max_length=20, blank=True, default="")  # the bot a moderator gave an absent seat to
    entropy = models.CharField(max_length=64, blank=True, default="")  # what the player added to the seed
    misses = models.PositiveSmallIntegerField(default=0)  # deadlines missed in a row
    is_excused = models.BooleanField(default=False)  # the one excused miss has been used
    bank = models.DurationField(null=True, blank=True)  # what is left in its time bank; null where the pace has none
    remind_before = models.JSONField(null=True, blank=True)  # as the player's own, for this table; None: as elsewhere
    hears_all_talk = models.BooleanField(
        default=False, db_default=False
    )  # told of every message, not of mentions alone
    hears_next = models.BooleanField(default=False, db_default=False)  # told when the seat before it is asked
    steward_hours = models.PositiveSmallIntegerField(
        null=True, blank=True
    )  # waking hours after which what is proposed is played for its player; null for never. His secret
    wants_pause = models.BooleanField(default=False)
    wants_end = models.BooleanField(default=False)  # of the game, without a result
    agrees_to_hour = models.BooleanField(default=False, db_default=False)  # to the hour its table may play live
    absent_wish = models.CharField(
        max_length=10, choices=Game.AbsentSeats, blank=True, default="", db_default=""
    )  # what its player would have become of absent seats; "" for as it is
    seeks_successor = models.BooleanField(default=False, db_default=False)  # its player plays on until there is one
    hides_name = models.BooleanField(
        default=False, db_default=False
    )  # its player is called by its number: his game hides names, and is not over
    agreed_version = models.PositiveSmallIntegerField(default=0, db_default=0)  # of the settings it has agreed to
    link_generation = models.PositiveIntegerField(default=0)  # raised to make every link sent so far void
    joined_at = models.DateTimeField(default=present.now)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["game", "number"], name="one_seat_per_number"),
            models.UniqueConstraint(
                fields=["game", "user"], name="one_seat_per_person", condition=Q(user__isnull=False)
            ),
        )
        indexes = (
            # an account that is deleted: the seats of its bots
            models.Index(fields=["owner"], name="seat_of_bot", condition=Q(owner__isnull=False)),
            # the lobby: the seats that are offered, of all at such a table
            models.Index(fields=["game"], name="seat_absent", condition=Q(status="absent")),
            # the lobby: the seats whose players look for somebody
            models.Index(fields=["game"], name="seat_sought", condition=Q(seeks_successor=True)),
        )

    def __str__(self) -> str:
        return f"{self.display_name} ({self.game})"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Saves like Django; an account's seat begins its tenure."""
        is_new = self._state.adding
        super().save(*args, **kwargs)
        if is_new and self.user_id is not None:
            self.tenures.create(user_id=self.user_id, began_at=self.joined_at)

    @cached_property
    def played_since(self) -> int:
        """Number of the move after which its present player has played it; 0 from the beginning."""
        if not self.link_generation:  # it has never changed hands
            return 0
        return self.tenures.filter(ended_at=None).values_list("since_seq", flat=True).first() or 0

    @property
    def display_name(self) -> str:
        """The name on the board. Who has deleted his account is told from others like him by the seat."""
        if self.hides_name and not self.bot:
            return names.of_hidden(self.number + 1)
        name = names.of_bot(self.name, self.bot) if self.bot else self.name
        return name or gettext("Former player %(number)s") % {"number": self.number + 1}

    @property
    def portrait(self) -> str:
        """The name of the drawing of its bot; "" for a person."""
        if self.bot in CHARACTERS:
            return CHARACTERS[self.bot].portrait
        return OTHERS_PORTRAIT if self.is_bot else ""

    @property
    def spoken_name(self) -> str:
        """The same as it stands in a sentence."""
        return names.isolated(self.display_name)

    @property
    def is_person(self) -> bool:
        """True if somebody with an account, which may be a bot's, is asked and waited for."""
        return self.user_id is not None and not self.bot and self.status == self.Status.ACTIVE

    @property
    def is_proposed_to(self) -> bool:
        """True if the rules propose answers to its player. A bot account thinks for itself."""
        return self.is_person and self.owner_id is None and self.game.has_proposals

    @property
    def has_agreed(self) -> bool:
        """True if its player has agreed to the settings of the table as they are. A bot plays at any."""
        return self.is_bot or self.agreed_version == self.game.settings_version

    @property
    def has_a_say(self) -> bool:
        """True if its player decides with the others about a pause and the end: a bot account does not."""
        return self.is_person and self.owner_id is None

    @property
    def is_bot(self) -> bool:
        """True if a program plays here: a bot of the rules, or the account of somebody's bot."""
        return bool(self.bot) or self.owner_id is not None

    @property
    def owner_name(self) -> str | None:
        """Returns the name of the bot account's owner; None where no bot account sits, and while names are hidden. In
        a match, which all the world may read, `User.public_name` of that person."""
        if self.owner is None or self.hides_name:
            return None
        return self.owner.public_name if self.game.is_between_bots else self.owner.get_short_name()


class SeatTenure(models.Model):
    """From when to when an account has held a seat.

    Ratings, who may take a seat, and who may moderate a game ask these rows. A guest's become those of who adopts him.
    """

    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="tenures")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="tenures")
    since_seq = models.PositiveIntegerField(default=0)  # number of the game's last move when it began
    began_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)  # null as long as it lasts
    is_by_absence = models.BooleanField(default=False)  # it ended because the game waited for its player no more

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["seat"], name="one_tenure_at_a_time", condition=Q(ended_at__isnull=True)),
        )

    def __str__(self) -> str:
        return f"{self.user}: {self.seat}"

    @classmethod
    def of_person(cls, person: User, path: str = "") -> Q:
        """Matches the tenures of a person and of his bots; of a bot, of its owner and his other bots.

        Arguments:
            path: from the rows that are asked for to tenures, such as "seats__tenures__".
        """
        key = person.owner_id or person.pk
        return Q(**{f"{path}user": key}) | Q(**{f"{path}user__owner": key})


LONGEST_WORDS = 200  # of a line that comes with an invitation


class Invitation(AddressInvitation):
    """A chair offered to a mail address: any free one before the game, in a game that of an absent player."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="invitations")
    inviter = models.ForeignKey(User, on_delete=models.CASCADE, related_name="invitations_sent")
    recipient = models.ForeignKey("notifications.Recipient", on_delete=models.PROTECT, related_name="invitations")
    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, null=True, blank=True, related_name="offers")
    words = models.CharField(max_length=LONGEST_WORDS, blank=True, default="", db_default="")  # of the host's own

    class Meta:
        constraints = (models.UniqueConstraint(fields=["game", "address"], name="one_invitation_per_address"),)
        indexes = (
            # how many a host has sent today
            models.Index(fields=["inviter", "created_at"], name="invitations_of_a_day"),
        )

    def __str__(self) -> str:
        return f"{self.address} -> {self.game}"

    @property
    def is_open(self) -> bool:
        """Whether the person may still sit down there."""
        if self.status != Invitation.Status.SENT:
            return False
        if self.seat is None:
            return self.game.status == Game.Status.OPEN
        return self.game.status == Game.Status.RUNNING and self.seat.status == Seat.Status.ABSENT


def hide_names(game: Game, *, until_the_end: bool) -> None:
    """Begins or ends that the seats of a game, and who speaks there, are called by numbers. Called with it locked."""
    game.seats.update(hides_name=until_the_end)
    if not until_the_end:
        game.comments.exclude(hidden_seat=None).update(hidden_seat=None)
    for seat in game.seated():
        seat.hides_name = until_the_end


def read_seats(game: Game) -> None:
    """Reads the seats of a game once, for all that asks for them."""
    game.know_seats(_seats_of(game.pk))


@compiled()
def _seats_of(game: int) -> models.QuerySet[Seat]:
    return Seat.objects.filter(game_id=game).order_by("number")


def check_club_seat(game: Game, user: User) -> None:
    """Raises Conflict for a person who is not a member, at a table of a club. Bots may be seated there."""
    if game.club_id is not None and not user.is_bot and not is_member(game.club_id, user):
        club = Club.objects.get(pk=game.club_id)
        raise Conflict(gettext("Only members of %(club)s can take a seat at this table.") % {"club": club.display_name})


# Whose seats are whose: a player and that player's bots share only a table that was opened for it, and who has held a


def check_owners(game: Game, newcomer: User, left: Seat | None = None) -> None:
    """Raises SameOwner if the owner of a bot that sits down plays here, a bot of the person who sits down, or another
    bot of the same owner; a table that allows it takes them all. Raises Conflict for who has held another seat of this
    game, or whose bot or owner has: they know what it knew. Called with the game locked.

    Arguments:
        left: the seat that the newcomer is to have, whose former player does not count.
    """
    if left is not None:
        former = SeatTenure.objects.filter(SeatTenure.of_person(newcomer), seat__game=game, ended_at__isnull=False)
        if former.exclude(seat=left).exists():
            raise Conflict(
                gettext("%(name)s has held another seat in this game, and can't take a second one.")
                % {"name": newcomer.name}
            )
    if game.allows_own_bots:
        return
    person = newcomer.owner_id or newcomer.pk
    seats = game.seats.filter(Q(user=person) | Q(user__owner=person)).exclude(user=newcomer)
    if left is not None:
        seats = seats.exclude(pk=left.pk)
    seated = seats.select_related("user").order_by("number").first()
    if seated is not None:
        raise SameOwner(_same_owner_refusal(newcomer, seated))


def _same_owner_refusal(newcomer: User, seated: Seat) -> str:
    words = {"newcomer": newcomer.name, "seated": seated.spoken_name}
    if seated.hides_name:  # it would tell who sits there
        reason = gettext("At this table players can't share a game with their own bots.")
    elif not newcomer.is_bot:
        reason = gettext("%(seated)s, a bot owned by %(newcomer)s, is already playing here.") % words
    elif seated.is_bot:
        reason = gettext("%(seated)s, another bot of the same owner, is already playing here.") % words
    else:
        reason = gettext("%(seated)s, who owns the bot %(newcomer)s, is already playing here.") % words
    remedy = gettext("To play together, ask the host to open a table that allows players and their own bots.")
    return f"{reason} {remedy}"
