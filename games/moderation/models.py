"""Models of moderation: reports of players, and notes of moderators."""

from typing import TYPE_CHECKING

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.clubs.models import Club
from games.ids import random_ref
from games.people.models import User
from games.tables import audit
from games.tables.audit import REASON_LENGTH, ModerationEntry
from games.tables.models import Game
from games.tables.seats import Seat
from games.tournaments.models import Tournament
from notifications.clock import present

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise


class Report(models.Model):
    """A player asks a moderator to look at something at his table, at one of his clubs, or at a tournament."""

    TEXT_LENGTH = 1000

    class Outcome(models.TextChoices):
        ACTED = "acted", _("we have acted on it")
        NO_BREACH = "no_breach", _("no rule was broken")
        UNPROVEN = "unproven", _("we couldn't find out what happened")
        KNOWN = "known", _("we knew about it already")
        REVISED = "revised", _("the decision was changed")  # of an appeal, as the next
        UPHELD = "upheld", _("the decision stands")

    OF_APPEALS = (Outcome.REVISED, Outcome.UPHELD)

    ref = models.CharField(max_length=12, unique=True, default=random_ref, editable=False)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, null=True, blank=True, related_name="reports")
    club = models.ForeignKey(
        Club, on_delete=models.SET_NULL, null=True, blank=True, related_name="reports"
    )  # what a report of a club says stays when the club is closed
    tournament = models.ForeignKey(
        Tournament, on_delete=models.CASCADE, null=True, blank=True, related_name="reports"
    )  # one that was called off is deleted some time later, with what was said about it
    reporter = models.ForeignKey(User, on_delete=models.CASCADE, related_name="reports")
    against = models.OneToOneField(
        ModerationEntry,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="appeal",
        verbose_name=_("against"),
    )  # of an appeal: what was decided about its writer, or his bot or club
    seat = models.PositiveSmallIntegerField(_("seat"), null=True, blank=True)  # null: nobody in particular
    text = models.CharField(_("what happened"), max_length=TEXT_LENGTH)
    created_at = models.DateTimeField(_("when"), default=present.now)
    settled_at = models.DateTimeField(_("resolved"), null=True, blank=True)
    outcome = models.CharField(_("outcome"), max_length=10, choices=Outcome, blank=True, default="", db_default="")
    answer = models.CharField(
        _("answer"), max_length=REASON_LENGTH, blank=True, default="", db_default=""
    )  # to its writer, in the moderator's words

    class Meta:
        verbose_name = _("report")
        verbose_name_plural = _("reports")
        indexes = (
            # the queue of moderators
            models.Index(fields=["created_at"], name="report_open", condition=Q(settled_at__isnull=True)),
        )

    def __str__(self) -> str:
        if self.against_id is not None:
            return f"{self.reporter}: {_('appeal')}"
        return f"{self.reporter}: {self.game or self.tournament or self.club or _('a club that was closed')}"

    @property
    def subject_in_words(self) -> str:
        """What it is about: the decision that is appealed against, or the table, tournament or club."""
        if self.against is not None:
            return gettext("Appeal against: %(action)s") % {"action": self.against.get_action_display()}
        if self.game is not None:
            return self.game.title
        if self.tournament is not None:
            return f"{gettext('Tournament')} {self.tournament.display_title}"
        if self.club is not None:
            return gettext("Club %(name)s") % {"name": self.club.name}
        return gettext("A club that was closed")

    @property
    def answer_in_words(self) -> str:
        """The moderator's answer, as its reader reads it."""
        return audit.in_words(self.answer)

    @property
    def outcomes(self) -> "list[tuple[str, StrPromise]]":
        """Returns the possible outcomes, for a choice."""
        return [
            (choice.value, choice.label)
            for choice in self.Outcome
            if (choice in self.OF_APPEALS) == (self.against_id is not None)
        ]

    @property
    def about(self) -> Seat | None:
        """The seat it is about, if it is about one."""
        seats = self.game.seated() if self.game else []
        return next((seat for seat in seats if seat.number == self.seat), None)


class ModeratorNote(models.Model):
    """A note for other moderators about a game or a person. Nobody else reads it."""

    TEXT_LENGTH = 1000

    game = models.ForeignKey(Game, on_delete=models.CASCADE, null=True, blank=True, related_name="moderator_notes")
    user = models.ForeignKey(
        User, on_delete=models.CASCADE, null=True, blank=True, related_name="moderator_notes"
    )  # about whom; null where it is about a game
    author = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    text = models.CharField(_("note"), max_length=TEXT_LENGTH)
    created_at = models.DateTimeField(_("when"), default=present.now)

    class Meta:
        verbose_name = _("moderators' note")
        verbose_name_plural = _("moderators' notes")

    def __str__(self) -> str:
        return f"{self.author}: {self.game or self.user}"
