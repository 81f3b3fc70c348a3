"""Actions of moderators on the admin site: a name, a form, and the service to call."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar

from django.db.models import Model
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games.moderation import deliveries, forms, notes, people
from games.moderation.forms import Facts
from games.moderation.games import earlier_steps, tables
from games.people.models import User
from games.play import clocks, history
from games.tables.models import Game
from games.tables.seats import Seat
from notifications.clock import present
from notifications.models import Endpoint

Row = TypeVar("Row", bound=Model)


@dataclass(frozen=True)
class ModeratorAction(Generic[Row]):
    """An action of a moderator.

    Arguments:
        name: value of `act` in the posted form.
        label: text of the button.
        form: the fields it needs.
        run: calls the service with the row, the moderator, the cleaned data and the present time.
        fits: whether to offer it for a row; the service decides in the end.
        leads: the address to redirect to, from the result of `run`; None to stay.
    """

    name: str
    label: object
    form: type[forms.ReasonForm]
    run: Callable[[Row, User, Facts, datetime], object]
    fits: Callable[[Row], bool]
    leads: Callable[[Any], str] | None = None


def _seat(facts: Facts) -> Seat:
    return Seat.objects.select_related("game", "user__recipient").get(pk=facts["seat"])


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


ON_GAMES: tuple[ModeratorAction[Game], ...] = (
    ModeratorAction("note", _("Leave a note for moderators"), forms.NoteForm,
        lambda game, by, facts, now: notes.add(about=game, by=by, text=facts["reason"], now=now), lambda game: True),
    ModeratorAction("nudge", _("Remind everyone"), forms.ReasonForm,
        lambda game, by, facts, now: tables.nudge(game=game, by=by, reason=facts["reason"], now=now),
        lambda game: _is_awake(game) and tables.may_nudge(game)),
    ModeratorAction("extend", _("Give more time"), forms.ExtensionForm,
        lambda game, by, facts, now: tables.extend(
            game=game, by=by, hours=facts["hours"], reason=facts["reason"], now=now), _is_asked),
    ModeratorAction("pause", _("Pause"), forms.UntilForm,
        lambda game, by, facts, now: tables.pause(
            game=game, by=by, until=facts["until"], reason=facts["reason"], now=now), _is_running),
    ModeratorAction("resume", _("Resume"), forms.ReasonForm,
        lambda game, by, facts, now: tables.resume(game=game, by=by, reason=facts["reason"], now=now),
        lambda game: _is_running(game) and game.paused_at is not None),
    ModeratorAction("to_bot", _("Give a seat to a bot"), forms.SeatBotForm,
        lambda game, by, facts, now: tables.hand_to_bot(
            seat=_seat(facts), bot=facts["bot"], by=by, reason=facts["reason"], now=now), _has_seat),
    ModeratorAction("give_back", _("Give a seat back to its player"), forms.AwayForm,
        lambda game, by, facts, now: tables.give_back(seat=_seat(facts), by=by, reason=facts["reason"], now=now),
        lambda game: _has_seat(game, is_absent=True)),
    ModeratorAction("replace", _("Give a seat to someone else"), forms.ReplaceForm,
        lambda game, by, facts, now: tables.replace(
            seat=_seat(facts), address=facts["address"], by=by, reason=facts["reason"], now=now), _has_seat),
    ModeratorAction("release", _("Release from quarantine"), forms.ReasonForm,
        lambda game, by, facts, now: tables.release(game=game, by=by, reason=facts["reason"], now=now),
        lambda game: _is_running(game) and game.quarantined_at is not None),
    ModeratorAction("mail_again", _("Resend a player's question"), forms.AskedForm,
        lambda game, by, facts, now: tables.mail_again(
            game=game, seat=_seat(facts).number, by=by, reason=facts["reason"], now=now), _has_reader),
    ModeratorAction("cancel", _("End without a result"), forms.SureForm,
        lambda game, by, facts, now: tables.cancel(game=game, by=by, reason=facts["reason"], now=now), _is_running),
)  # fmt: skip


FORCE: ModeratorAction[Game] = ModeratorAction("force", _("Answer open questions by default"), forms.SureForm,
    lambda game, by, facts, now: tables.force(game=game, by=by, reason=facts["reason"], now=now), _is_awake,
    lambda _made: "../moderate/")  # fmt: skip


def _is_end(game: Game, number: int) -> bool:
    """Whether the game was over at this step: there is nothing to try out."""
    return game.status == Game.Status.FINISHED and number >= history.count_steps(game)


def on_step(number: int) -> tuple[ModeratorAction[Game], ...]:
    """Returns the actions on one step of a game."""
    return (
        ModeratorAction("roll_back", _("Roll back to this step"), forms.SureForm,
            lambda game, by, facts, now: earlier_steps.roll_back(
                game=game, step=number, by=by, reason=facts["reason"], now=now),
            _is_running, lambda move: reverse("admin:games_game_moderate", args=[move.game_id])),
        ModeratorAction("sandbox", _("Copy to a sandbox"), forms.SandboxForm,
            lambda game, by, facts, now: earlier_steps.copy_to_sandbox(
                game=game, step=number, seat=facts["seat"], by=by, reason=facts["reason"], now=now),
            lambda game: bool(game.started_at) and not _is_end(game, number),
            lambda table: reverse("table", args=[table.ref])),
    )  # fmt: skip


ON_PEOPLE: tuple[ModeratorAction[User], ...] = (
    ModeratorAction("note", _("Leave a note for moderators"), forms.NoteForm,
        lambda user, by, facts, now: notes.add(about=user, by=by, text=facts["reason"], now=now), lambda user: True),
    ModeratorAction("warn", _("Warn"), forms.ReasonForm,
        lambda user, by, facts, now: people.warn(user=user, by=by, reason=facts["reason"], now=now),
        lambda user: user.is_active),
    ModeratorAction("mute", _("Mute at all tables"), forms.DateForm,
        lambda user, by, facts, now: people.mute(
            user=user, by=by, until=facts["until"], reason=facts["reason"], now=now),
        lambda user: user.is_active),
    ModeratorAction("unmute", _("Unmute"), forms.ReasonForm,
        lambda user, by, facts, now: people.unmute(user=user, by=by, reason=facts["reason"], now=now),
        lambda user: people.is_silent(user, present.now())),
    ModeratorAction("suspend", _("Close the account"), forms.UntilForm,
        lambda user, by, facts, now: people.suspend(
            user=user, by=by, until=facts["until"], reason=facts["reason"], now=now),
        lambda user: user.is_active),
    ModeratorAction("lift", _("Reopen the account"), forms.ReasonForm,
        lambda user, by, facts, now: people.lift(user=user, by=by, reason=facts["reason"], now=now),
        lambda user: not user.is_active and user.erased_at is None),
)  # fmt: skip

ON_WEBHOOKS: tuple[ModeratorAction[Endpoint], ...] = (
    ModeratorAction("again", _("Resend a message"), forms.MessageForm,
        lambda webhook, by, facts, now: deliveries.send_again(
            webhook=webhook, message_id=facts["message"], by=by, reason=facts["reason"], now=now),
        lambda webhook: webhook.is_enabled),
    ModeratorAction("off", _("Turn off"), forms.ReasonForm,
        lambda webhook, by, facts, now: deliveries.switch_off(webhook=webhook, by=by, reason=facts["reason"], now=now),
        lambda webhook: webhook.is_enabled),
    ModeratorAction("on", _("Turn on"), forms.ReasonForm,
        lambda webhook, by, facts, now: deliveries.switch_on(webhook=webhook, by=by, reason=facts["reason"], now=now),
        lambda webhook: not webhook.is_enabled),
)  # fmt: skip
