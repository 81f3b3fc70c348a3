"""The acts of moderators, each declared once: the admin site, the API and docs/moderation.md are made of this table.

An act has the name under which it is logged, the service it calls, which checks the right again, and the form with its
fields. Hosts have acts of their own, on the page of their table.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar

from django.db.models import Model
from django.utils.translation import gettext_lazy as _

from games.clubs.models import Club
from games.errors import Forbidden, NotFound
from games.moderation import forms, people, repair, reports, tables
from games.moderation.forms import Facts, ReasonForm
from games.moderation.models import Report
from games.people.models import User
from games.people.staff import LOOK, MODERATE_GAME, MODERATE_USER
from games.play import clocks
from games.tables.models import Game
from games.tables.seats import Seat
from games.tournaments import tournaments
from games.tournaments.models import Entrant, Tournament
from notifications.clock import present
from notifications.models import Delivery, Endpoint

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

Row = TypeVar("Row", bound=Model)


@dataclass(frozen=True)
class ActTarget:
    """The object of an act.

    Arguments:
        name: what it is called, and how services call it.
        right: what a moderator needs.
        find: finds it by its reference.
        missing: what is said where there is none.
    """

    name: str
    right: str
    find: Callable[[str], Model | None]
    missing: "StrOrPromise"

    def load(self, ref: str) -> Any:
        """Loads it. Raises NotFound."""
        row = self.find(ref)
        if row is None:
            raise NotFound(str(self.missing))
        return row


def _find_game(ref: str) -> Game | None:
    return Game.objects.filter(ref=ref).select_related("host").prefetch_related("seats").first()


def _find_delivery(ref: str) -> Delivery | None:
    return next((row for row in reports.deliveries_given_up(None) if row.name == ref), None)


def _find_report(ref: str) -> Report | None:
    return Report.objects.select_related("game", "club", "tournament").filter(ref=ref).first()


GAME = ActTarget("game", MODERATE_GAME, _find_game, _("There's no such game."))
PERSON = ActTarget(
    "user", MODERATE_USER, lambda ref: User.people.filter(ref=ref).first(), _("There's no such account.")
)
WEBHOOK = ActTarget(
    "webhook",
    MODERATE_USER,
    lambda ref: Endpoint.objects.select_related("recipient").filter(ref=ref).first(),
    _("There's no such webhook."),
)
REPORT = ActTarget("report", MODERATE_GAME, _find_report, _("There's no such report."))
MESSAGE = ActTarget("delivery", MODERATE_GAME, _find_delivery, _("There's no such message."))
CLUB = ActTarget("club", MODERATE_GAME, lambda ref: Club.objects.filter(ref=ref).first(), _("There's no such club."))
CUP = ActTarget(
    "tournament",
    MODERATE_GAME,
    lambda ref: Tournament.objects.filter(ref=ref).first(),
    _("There's no such tournament."),
)


@dataclass(frozen=True)
class Act:
    """An act of a moderator.

    Arguments:
        name: as it is logged.
        label: on its button.
        words: what it does.
        run: the service. It gets what is acted on under the target's name, `by`, `now`, and the fields of the form.
        form: asks for these fields.
        fits: whether to offer it; the service decides in the end.
        right: what it needs beside the target's.
        is_of_step: it has a `step` of the game too.
        told: who will be told of it.
        is_tried: before it is done its page can say what would be true then, since that depends on nothing hidden.
    """

    name: str
    target: ActTarget
    label: "StrOrPromise"
    words: str
    run: Callable[..., Any]
    form: type[ReasonForm] = ReasonForm
    fits: Callable[[Any], bool] = lambda _row: True
    right: str = ""
    is_of_step: bool = False
    told: "StrOrPromise" = ""
    is_tried: bool = False

    def check(self, by: User) -> None:
        """Raises Forbidden without the rights that it needs."""
        if not (by.is_active and all(by.has_perm(right) for right in (self.target.right, self.right) if right)):
            raise Forbidden(str(_("Only a moderator can do that.")))

    def perform(self, row: Model, by: User, facts: Facts, now: datetime) -> Any:
        """Does it. Raises ServiceError."""
        self.check(by)
        arguments = {name: value for name, value in facts.items() if name not in ("ready", "sure")}
        return self.run(**{self.target.name: row}, by=by, now=now, **arguments)


def _is_running(game: Game) -> bool:
    return game.status == Game.Status.RUNNING


def _is_awake(game: Game) -> bool:
    return _is_running(game) and game.quarantined_at is None


def _is_asked(game: Game) -> bool:
    return _is_awake(game) and clocks.asked(game).filter(is_automatic=False).exists()


def _has_seat(game: Game, *, is_absent: bool = False) -> bool:
    """Whether a person's seat can be given away, or if it must be absent, back."""
    rows = game.seats.filter(user__isnull=False)
    rows = rows.filter(status=Seat.Status.ABSENT) if is_absent else rows.exclude(status=Seat.Status.RESIGNED)
    return _is_running(game) and rows.exists()


def _has_reader(game: Game) -> bool:
    return _is_awake(game) and any(seat.is_person and not seat.is_bot for seat in game.seated())


def _note(reason: str, by: User, now: datetime, **about: Game | User) -> object:
    (row,) = about.values()
    return people.add_note(about=row, by=by, text=reason, now=now)


def _of_seat(service: Callable[..., object]) -> Callable[..., object]:
    """Returns a service that takes a seat, by its number."""
    return lambda game, seat, **facts: service(seat=tables.seat_at(game, seat), **facts)


def _of_cup(service: Callable[..., object], **more: bool) -> Callable[..., object]:
    return lambda tournament, **facts: service(tournament_id=tournament.pk, **facts, **more)


ALL_ASKED = _("Everyone who is asked reads the new time, with your reason.")
APPEAL = _("They read your reason in an email, and can appeal once.")
EMAIL = _("They read your reason in an email.")
NOBODY = _("Nobody is told.")
EVERYONE = _("Everyone at the table reads this, with your reason.")

ACTS = (
    Act("note", GAME, _("Leave a note for moderators"), "Leaves a note that moderators alone read.", _note,
        forms.NoteForm,
        told=_("Only moderators read it.")),
    Act("nudge", GAME, _("Remind everyone"), "Reminds everybody who has not answered; nobody is told who that is.",
        tables.nudge, fits=lambda game: _is_awake(game) and tables.may_nudge(game),
        told=_("Everyone who hasn't answered gets a reminder; nobody learns who that is.")),
    Act("extend", GAME, _("Give more time"), "Gives everybody who is asked more time.", tables.extend,
        forms.ExtensionForm, _is_asked,
        told=ALL_ASKED, is_tried=True),
    Act("pause", GAME, _("Pause"), "All clocks are stopped.", tables.pause, forms.UntilForm, _is_running,
        told=EVERYONE, is_tried=True),
    Act("resume", GAME, _("Resume"), "The clocks run again.", tables.resume,
        fits=lambda game: _is_running(game) and game.paused_at is not None,
        told=EVERYONE, is_tried=True),
    Act("to_bot", GAME, _("Give a seat to a bot"), "A bot plays a seat until its player comes back.",
        _of_seat(tables.hand_to_bot), forms.SeatBotForm, _has_seat,
        told=_("The player is told, and can take the seat back with one click. The table reads your reason.")),
    Act("give_back", GAME, _("Give a seat back to its player"), "The player of an absent seat is waited for again.",
        _of_seat(tables.give_back), forms.AwayForm, lambda game: _has_seat(game, is_absent=True),
        told=EVERYONE),
    Act("replace", GAME, _("Give a seat to someone else"),
        "Somebody else sits down on a seat; an address without an account is invited to it.",
        _of_seat(tables.replace_player), forms.ReplaceForm, _has_seat,
        told=_("The former player is told. The new one is asked at once; somebody without an account is invited.")),
    Act("release", GAME, _("Release from quarantine"), "Takes the game out of quarantine.", tables.release_game,
        fits=lambda game: _is_running(game) and game.quarantined_at is not None,
        told=_("Everyone who is asked gets fresh time and is told so.")),
    Act("mail_again", GAME, _("Resend a player's question"), "Sends a player once more what he is asked.",
        tables.mail_again, forms.AskedForm, _has_reader,
        told=_("The player gets the question once more, if there is one. You aren't told whether.")),
    Act("cancel", GAME, _("End without a result"), "Ends the game without a result.", tables.cancel, forms.SureForm,
        _is_running,
        told=EVERYONE, is_tried=True),
    Act("force", GAME, _("Answer open questions by default"), "Answers what is open by the default of the rules.",
        tables.force, forms.SureForm, _is_awake,
        told=EVERYONE),
    Act("roll_back", GAME, _("Roll back to this step"),
        "Takes a game back to a step, with fresh randomness. Everybody is told, and the log keeps what came since.",
        repair.roll_back, ReasonForm, _is_running, is_of_step=True,
        told=_("All players are told; whoever is asked gets a new email and fresh time.")),
    Act("sandbox", GAME, _("Copy to a sandbox"),
        "Copies a game as it stood after a step to a table of your own against bots. What was hidden is dealt anew.",
        repair.copy_to_sandbox, forms.SandboxForm, lambda game: bool(game.started_at), is_of_step=True,
        told=NOBODY),
    Act("look", GAME, _("View what a player sees"),
        "Shows what one seat sees, to those who were given that right. Every look is written down.",
        tables.reveal_hand, forms.NumberForm, right=LOOK,
        told=_("Players aren't told. The look is logged.")),
    Act("note_person", PERSON, _("Leave a note for moderators"), "Leaves a note that moderators alone read.", _note,
        forms.NoteForm,
        told=_("Only moderators read it.")),
    Act("warn", PERSON, _("Warn"), "Tells somebody by mail what he must not do again.", people.warn,
        fits=lambda user: user.is_active,
        told=APPEAL),
    Act("mute", PERSON, _("Mute at all tables"), "Until then he says nothing at any table; he plays on.", people.mute,
        forms.DateForm, lambda user: user.is_active,
        told=APPEAL, is_tried=True),
    Act("unmute", PERSON, _("Unmute"), "He may speak at tables again.", people.unmute,
        fits=lambda user: people.is_silent(user, present.now()),
        told=EMAIL, is_tried=True),
    Act("suspend", PERSON, _("Close the account"),
        "Closes an account, for a time or until it is opened; no table waits for it.", people.suspend,
        forms.UntilForm, lambda user: user.is_active,
        told=APPEAL, is_tried=True),
    Act("lift", PERSON, _("Reopen the account"), "Opens a closed account again.", people.lift_suspension,
        fits=lambda user: not user.is_active and user.erased_at is None,
        told=EMAIL, is_tried=True),
    Act("resend", WEBHOOK, _("Resend a message"), "Sends a message once more, under the same id.", people.send_again,
        forms.MessageForm, lambda webhook: webhook.is_enabled,
        told=NOBODY),
    Act("hook_off", WEBHOOK, _("Turn off"), "Switches a webhook off.", people.switch_webhook_off,
        fits=lambda webhook: webhook.is_enabled,
        told=_("Its owners are told.")),
    Act("hook_on", WEBHOOK, _("Turn on"), "Switches a webhook on.", people.switch_webhook_on,
        fits=lambda webhook: not webhook.is_enabled,
        told=NOBODY),
    Act("settle", REPORT, _("Resolve"), "Says what came of a report or an appeal; its writer is told both.",
        reports.settle_report, forms.SettleForm, lambda report: report.settled_at is None,
        told=_("Its writer gets an email with the outcome and your answer.")),
    Act("try_again", MESSAGE, _("Try again"), "Has a message tried again that was given up.", people.retry_delivery,
        told=_("The message goes out once more.")),
    Act("hide_club", CLUB, _("Hide name and description"), "Hides name and description of a club from everybody.",
        reports.hide_club, fits=lambda club: club.hidden_at is None,
        told=APPEAL),
    Act("show_club", CLUB, _("Show name and description again"), "Shows name and description of a club again.",
        reports.show_club, fits=lambda club: club.hidden_at is not None,
        told=EMAIL),
    Act("take_out", CUP, _("Remove a player"), "Removes a player from a tournament, who is told why.",
        _of_cup(tournaments.remove_entrant), forms.RemoveForm,
        lambda row: not row.is_over and row.entrants.filter(status=Entrant.Status.ENTERED).exists(),
        told=_("The player reads your reason in an email.")),
    Act("call_off", CUP, _("Call the tournament off"), "Calls a tournament off; games that have begun go on.",
        _of_cup(tournaments.call_off), forms.SureForm, lambda row: not row.is_over,
        told=_("Everyone who has entered is told why.")),
    Act("hide_cup", CUP, _("Hide title and description"), "Hides title and description of a tournament.",
        _of_cup(reports.set_tournament_hidden, is_hidden=True), fits=lambda row: row.hidden_at is None,
        told=APPEAL),
    Act("show_cup", CUP, _("Show title and description again"), "Shows title and description of a tournament again.",
        _of_cup(reports.set_tournament_hidden, is_hidden=False), fits=lambda row: row.hidden_at is not None,
        told=EMAIL),
)  # fmt: skip
BY_NAME = {act.name: act for act in ACTS}


def acts_on(target: ActTarget, *, without: tuple[str, ...] = ()) -> tuple[Act, ...]:
    """Returns the acts on a target, for the page on which moderators act on it.

    Arguments:
        without: names of those that have pages of their own.
    """
    return tuple(act for act in ACTS if act.target is target and act.name not in without)
