"""The moderation log: its entries, which hosts and moderators write, and ready-made reasons.

A ready-made reason is stored as it stands here, and read in its reader's language."""

from datetime import datetime
from typing import Any

from django.db import models
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from games.errors import Illegal
from games.people.letters import moment
from games.people.models import User
from games.tables.models import Game
from notifications.clock import present
from notifications.outbox import Notification, notify

PEOPLE = (
    gettext_noop("Please keep the table talk friendly. Insults have no place here."),
    gettext_noop("Please don't talk about the game with other players outside the table."),
    gettext_noop("Please don't stop answering when a game goes badly for you; resign instead."),
    gettext_noop("You seem to use several accounts at one table. Each person plays one seat."),
    gettext_noop("Please don't use the table talk for advertising."),
)
TABLES = (
    gettext_noop("A player has asked us for help with this game."),
    gettext_noop("The game has been waiting for a long time."),
    gettext_noop("We're looking into what happened in this game."),
    gettext_noop("Everyone who is still playing has asked us for this."),
    gettext_noop("A fault of ours has disturbed this game. We're sorry."),
)
REPORTS = (
    gettext_noop("Thank you for telling us. We've spoken with the people involved."),
    gettext_noop("We've looked at the game and found nothing against the rules."),
    gettext_noop("We've looked at this again and see it as before."),
    gettext_noop("You were right, and we're sorry."),
)
BY_OUTCOME = {"acted": REPORTS[0], "no_breach": REPORTS[1], "upheld": REPORTS[2], "revised": REPORTS[3]}
HOSTS = (
    gettext_noop("We'd like to go on."),
    gettext_noop("Somebody has asked for more time."),
    gettext_noop("The player hasn't answered for a long time."),
)
ACCEPTED = gettext_noop("The new host has accepted.")  # of the host's role that changes hands
TAKEN = gettext_noop("The host had not been here for a week.")  # of the same
ALL = frozenset((*PEOPLE, *TABLES, *REPORTS, *HOSTS, ACCEPTED, TAKEN))
SEPARATOR = " – "  # between a ready-made reason and the writer's own words


def combined(ready: str, own: str) -> str:
    """Returns the reason that is stored: a ready-made one, own words, or both."""
    return SEPARATOR.join(part for part in (ready, own.strip()) if part)


def in_words(reason: str) -> str:
    """Returns a stored reason as its reader reads it: what is ready-made in the active language."""
    ready, separator, own = reason.partition(SEPARATOR)
    if ready in ALL:
        return gettext(ready) + separator + own
    return reason


REASON_LENGTH = 300


class ModerationEntry(models.Model):
    """An act of a host or moderator: who did what to whom, why and when. Only ever added, never changed."""

    class Action(models.TextChoices):
        PAUSE = "pause", _("paused the game")
        RESUME = "resume", _("resumed the game")
        EXTEND = "extend", _("gave more time")
        NUDGE = "nudge", _("reminded everyone the game was waiting for")
        FORCE = "force", _("answered the open questions by default")
        TO_BOT = "to_bot", _("gave the seat to a bot")
        GIVE_BACK = "give_back", _("gave the seat back to its player")
        OFFER = "offer", _("offered the seat to someone else")
        REPLACE = "replace", _("gave the seat to someone else")
        HAND_OVER = "hand_over", _("handed over the host role")
        ROLL_BACK = "roll_back", _("rolled the game back")
        SANDBOX = "sandbox", _("copied the game to a sandbox")
        CANCEL = "cancel", _("ended the game without a result")
        RELEASE = "release", _("released the game from quarantine")
        LOOK = "look", _("viewed a hand")
        WARN = "warn", _("warned")
        MUTE = "mute", _("muted")
        UNMUTE = "unmute", _("unmuted")
        SUSPEND = "suspend", _("closed the account")
        LIFT = "lift", _("reopened the account")
        SETTLE = "settle", _("resolved a report")
        MAIL_AGAIN = "mail_again", _("resent a player's question")
        TRY_AGAIN = "try_again", _("retried a message that had been given up")
        RESEND = "resend", _("resent a webhook message")
        HOOK_OFF = "hook_off", _("turned a webhook off")
        HOOK_ON = "hook_on", _("turned a webhook on")
        HIDE_CLUB = "hide_club", _("hid a club's name and description")
        SHOW_CLUB = "show_club", _("showed a club's name and description again")
        HIDE_CUP = "hide_cup", _("hid a tournament's title and description")
        SHOW_CUP = "show_cup", _("showed a tournament's title and description again")
        CALL_OFF = "call_off", _("called a tournament off")
        TAKE_OUT = "take_out", _("removed from a tournament")

    SUBJECT = "moderation:"  # how the subject of a notice or reply about one begins

    action = models.CharField(_("what"), max_length=12, choices=Action)
    actor = models.ForeignKey(User, on_delete=models.PROTECT, related_name="moderated", verbose_name=_("who"))
    game = models.ForeignKey(Game, on_delete=models.PROTECT, null=True, blank=True, related_name="moderation")
    seat = models.PositiveSmallIntegerField(_("seat"), null=True, blank=True)
    user = models.ForeignKey(User, on_delete=models.PROTECT, null=True, blank=True, related_name="moderation")
    reason = models.CharField(_("why"), max_length=REASON_LENGTH)
    until = models.DateTimeField(_("until"), null=True, blank=True)
    created_at = models.DateTimeField(_("when"), default=present.now)

    class Meta:
        verbose_name = _("moderation entry")
        verbose_name_plural = _("moderation entries")
        permissions = (
            ("moderate_game", "Can moderate games"),
            ("moderate_user", "Can warn people and close accounts"),
            ("look_at_hands", "Can look at what players hide, which is written down"),
        )

    def __str__(self) -> str:
        return f"{self.actor} {self.get_action_display()}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Adds the entry. Raises ValueError for one that is stored already."""
        if not self._state.adding:
            raise ValueError("An entry is final: it is added once and never changed.")
        super().save(*args, **kwargs)

    def delete(self, *args: object, **kwargs: object) -> tuple[int, dict[str, int]]:
        """Refused: what was done stays written."""
        raise ValueError("An entry is final: it is never deleted.")

    @property
    def subject(self) -> str:
        """The key of notices and replies about it."""
        return f"{self.SUBJECT}{self.pk}"

    @property
    def in_words(self) -> str:
        """Who did what to whom, in one sentence without the reason: "Thursday: Eva gave Ben's seat to a bot"."""
        is_hidden = self.game is not None and self.game.hides_names and not self.game.is_over
        user = None if is_hidden and self.seat is not None else self.user
        names = self.game.seat_names() if self.game and self.seat is not None and user is None else []
        name = user.name if user else names[self.seat] if self.seat is not None and self.seat < len(names) else ""
        sentence = f"{self.actor.name} {self.get_action_display()}"
        if name:
            form = OF_SOMEBODY.get(self.Action(self.action))
            people = {"actor": self.actor.name, "name": name}
            sentence = str(form) % people if form else f"{sentence} ({name})"
        if self.until:
            sentence = f"{sentence}, " + gettext("until %(until)s") % {"until": moment(self.until)}
        return f"{self.game.title}: {sentence}" if self.game else sentence

    @property
    def reason_in_words(self) -> str:
        """Why, as its reader reads it."""
        return in_words(self.reason)


Action = ModerationEntry.Action
OF_SOMEBODY = {
    Action.TO_BOT: _("%(actor)s gave the seat of %(name)s to a bot"),
    Action.GIVE_BACK: _("%(actor)s gave %(name)s the seat back"),
    Action.OFFER: _("%(actor)s offered the seat of %(name)s to someone else"),
    Action.REPLACE: _("%(actor)s gave the seat of %(name)s to someone else"),
    Action.HAND_OVER: _("%(actor)s made %(name)s the host"),
    Action.LOOK: _("%(actor)s viewed the hand of %(name)s"),
    Action.WARN: _("%(actor)s warned %(name)s"),
    Action.MUTE: _("%(actor)s muted %(name)s"),
    Action.UNMUTE: _("%(actor)s unmuted %(name)s"),
    Action.SUSPEND: _("%(actor)s closed the account of %(name)s"),
    Action.LIFT: _("%(actor)s reopened the account of %(name)s"),
    Action.SETTLE: _("%(actor)s resolved a report by %(name)s"),
    Action.MAIL_AGAIN: _("%(actor)s sent %(name)s the question again"),
    Action.TRY_AGAIN: _("%(actor)s retried a message to %(name)s that had been given up"),
    Action.RESEND: _("%(actor)s resent a webhook message of %(name)s"),
    Action.HOOK_OFF: _("%(actor)s turned a webhook of %(name)s off"),
    Action.HOOK_ON: _("%(actor)s turned a webhook of %(name)s on"),
    Action.HIDE_CLUB: _("%(actor)s hid the name and description of a club of %(name)s"),
    Action.SHOW_CLUB: _("%(actor)s showed the name and description of a club of %(name)s again"),
    Action.HIDE_CUP: _("%(actor)s hid the title and description of a tournament of %(name)s"),
    Action.SHOW_CUP: _("%(actor)s showed the title and description of a tournament of %(name)s again"),
    Action.TAKE_OUT: _("%(actor)s removed %(name)s from a tournament"),
}
"""The sentences about acts that concern one person."""


def record_entry(  # each is one fact of an entry
    action: ModerationEntry.Action,
    *,
    by: User,
    reason: str,
    now: datetime,
    game: Game | None = None,
    seat: int | None = None,
    user: User | None = None,
    until: datetime | None = None,
) -> ModerationEntry:
    """Adds an entry to the moderation log. Raises Illegal without a reason: the people concerned will read it."""
    reason = reason.strip()
    if not reason:
        raise Illegal(gettext("Give a reason. The people affected will see it."), code="missing", field="reason")
    if len(reason) > REASON_LENGTH:
        raise Illegal(
            gettext("The reason is too long. The limit is %(count)s characters.") % {"count": REASON_LENGTH},
            code="too-long",
            field="reason",
        )
    return ModerationEntry.objects.create(
        action=action, actor=by, game=game, seat=seat, user=user, reason=reason, until=until, created_at=now
    )


def notify_moderated(entry: ModerationEntry, now: datetime) -> None:
    """Emails the person the entry is about; the owner, if it is about a bot."""
    assert entry.user is not None
    notify(
        Notification(
            recipient=(entry.user.owner or entry.user).recipient,
            kind="moderated",
            subject=entry.subject,
            dedupe_key=f"moderated:{entry.pk}",
        ),
        now,
    )
