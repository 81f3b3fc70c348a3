"""Acts that concern a table or one of its seats.

They treat everybody alike: who has answered a sealed question stays hidden.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import takewhile
from random import Random
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from msgspec.structs import replace

from engine.registry import AnyRules
from games.errors import Conflict, Illegal, NotFound, Quarantined, TooMany, check_rate
from games.lobby import invitations
from games.moderation import repair
from games.moderation.entries import check_host_is_impartial, check_host_or_moderator, check_moderator, is_host
from games.people import blocks
from games.people.models import User, normal_address
from games.people.staff import LOOK
from games.play import absences, clocks, game_moves, history, notify, pauses, queries
from games.play.history import LogLine
from games.play.models import Decision, Extension, Move
from games.tables import seats
from games.tables.audit import ModerationEntry, record_entry
from games.tables.models import Game
from games.tables.seats import Invitation, Seat

Action = ModerationEntry.Action
MOST_HOURS = 14 * 24
MOST_HOURS_OF_HOST = 3 * 24  # for one question, all together, and for all questions of a day
EXTENSIONS_A_DAY = 6  # of one table, by its host
NUDGES_A_DAY = 6  # of one table, by its host
DAY = timedelta(days=1)
MAIL_EVERY = timedelta(hours=1)  # to one seat


@transaction.atomic
def pause(*, game: Game, by: User, reason: str, now: datetime, until: datetime | None = None) -> None:
    """Stops the clocks until a moderator lets them go on or the time has come. Raises Conflict."""
    check_moderator(by, game)
    pauses.pause_by_moderator(game_id=game.pk, now=now, until=until)
    record_entry(Action.PAUSE, by=by, game=game, reason=reason, until=until, now=now)


@transaction.atomic
def resume(*, game: Game, by: User, reason: str, now: datetime) -> None:
    """The clocks go on, whoever stopped them. Raises Conflict if they run."""
    check_moderator(by, game)
    pauses.resume_by_moderator(game_id=game.pk, now=now)
    record_entry(Action.RESUME, by=by, game=game, reason=reason, now=now)


@transaction.atomic
def extend(*, game: Game, by: User, hours: int, reason: str, now: datetime) -> datetime | None:
    """Gives everybody who is asked so much more time, host and moderators alike.

    Returns the last deadline; None while the game is paused. Raises Conflict if nobody is waited for, Illegal for more
    hours than may be given; for a host TooMany past the limits of a question and of a day, Conflict while the game is
    paused, where he plays in the table's tournament, and in a rated game for a question to nobody but himself.
    """
    check_host_or_moderator(by, game)
    check_host_is_impartial(by, game)
    most = MOST_HOURS_OF_HOST if is_host(by, game) else MOST_HOURS
    if not 1 <= hours <= most:
        raise Illegal(_("Enter between 1 and %(most)s hours.") % {"most": most}, code="out-of-range", field="hours")
    game = Game.objects.select_for_update().get(pk=game.pk)
    rows = [row for row in clocks.asked(game).filter(is_automatic=False) if row.due_at or row.left is not None]
    if game.status != Game.Status.RUNNING or not rows:
        raise Conflict(_("This table isn't waiting for anyone."))
    if is_host(by, game):
        _check_extension(game, by, rows, timedelta(hours=hours), now)
    _lengthen(game, rows, timedelta(hours=hours), now, Extension.Reason.HOST if is_host(by, game) else "moderator")
    record_entry(Action.EXTEND, by=by, game=game, reason=reason, now=now)
    return max((row.due_at for row in rows if row.due_at), default=None)


def _check_extension(game: Game, host: User, rows: list[Decision], more: timedelta, now: datetime) -> None:
    """Raises what `extend` does for a host alone: else one who plays would give himself time without end."""
    if game.paused_at:
        raise Conflict(_("The game is paused: nobody's time runs out."))
    others = [row for row in rows if row.seat.user is not None and host.pk not in (row.seat.user_id, row.seat.owner_id)]
    if game.is_for_ratings and not others:
        raise Conflict(_("This game is rated, and it waits for you alone: only a moderator can give you more time."))
    message = _("You've given this table a lot of time today. Please wait until tomorrow.")
    by_host = game.moderation.filter(action=Action.EXTEND, actor=host)
    check_rate(by_host, most=EXTENSIONS_A_DAY, within=DAY, now=now, message=message)
    extensions = Extension.objects.filter(decision__game=game, reason=Extension.Reason.HOST)
    most = timedelta(hours=MOST_HOURS_OF_HOST)
    if more + _sum_of(extensions.filter(created_at__gt=now - DAY)) > most:
        raise TooMany(message, DAY)
    if any(more + _sum_of(extensions.filter(decision=row)) > most for row in rows):
        message = _("You've given as much time to this question as a host can: %(most)s hours.")
        raise TooMany(message % {"most": MOST_HOURS_OF_HOST}, DAY)


def _sum_of(extensions: "QuerySet[Extension]") -> timedelta:
    """How much time they gave together; what several seats were given at once counts once."""
    longest: dict[datetime, timedelta] = {}
    for at, old, new in extensions.values_list("created_at", "old_due_at", "new_due_at"):
        longest[at] = max(new - old, longest.get(at, new - old))
    return sum(longest.values(), timedelta())


def _lengthen(game: Game, rows: list[Decision], more: timedelta, now: datetime, reason: str) -> None:
    old = {row.pk: row.due_at for row in rows}
    for row in rows:
        if row.left is not None:
            row.left += more
        if row.due_at is not None:
            row.due_at += more
            row.allowed_until = row.allowed_until + more if row.allowed_until else None
    people = {row.seat.user for row in rows if row.seat.user is not None}
    clocks.finish(rows, clocks.calendars(game, people, now), now)
    for row in rows:
        row.save(update_fields=clocks.FIELDS)
        before = old[row.pk]
        if before is not None:
            clocks.record_extension(row, reason, before, now)
            notify.extended(row, now, by_host=True)


@transaction.atomic
def nudge(*, game: Game, by: User, reason: str, now: datetime) -> None:
    """Reminds everybody who has not answered; nobody is told who. Each question is reminded of once.

    Raises Conflict if nothing has been asked since the last reminder, TooMany for a host past the limit of a day.
    """
    check_host_or_moderator(by, game)
    game = Game.objects.select_for_update().get(pk=game.pk)
    rows = clocks.asked(game).filter(is_automatic=False)
    if game.status != Game.Status.RUNNING or not rows:
        raise Conflict(_("This table isn't waiting for anyone."))
    if not may_nudge(game):
        raise Conflict(_("Everyone has already been reminded of this question."))
    if is_host(by, game):
        message = _("You've reminded this table very often today. Please wait until tomorrow.")
        nudges = game.moderation.filter(action=Action.NUDGE, actor=by)
        check_rate(nudges, most=NUDGES_A_DAY, within=DAY, now=now, message=message)
    for row in rows.filter(status=Decision.Status.OPEN):
        notify.nudge(row, now)
    record_entry(Action.NUDGE, by=by, game=game, reason=reason, now=now)


def may_nudge(game: Game) -> bool:
    """Whether anything is asked, by public facts, that nobody has been reminded of by host or moderator."""
    last = game.moderation.filter(action=Action.NUDGE).last()
    people = {"seat__user__isnull": False, "seat__bot": "", "seat__status": Seat.Status.ACTIVE}
    rows = clocks.asked(game).filter(**people)
    rows = rows.filter(opened_at__gt=last.created_at) if last else rows
    return game.status == Game.Status.RUNNING and rows.exists()


@transaction.atomic
def mail_again(*, game: Game, seat: int, by: User, reason: str, now: datetime) -> None:
    """Sends a player by mail once more what he is asked; whether he is asked anything, nobody is told.

    Raises Conflict for the second time within an hour, and for a seat from which nobody is asked by mail.
    """
    check_moderator(by, game)
    game = Game.objects.select_for_update().get(pk=game.pk)
    chair = game.seats.filter(number=seat).first()
    if chair is None:
        raise NotFound(_("There's no such seat."))
    if chair.is_bot:
        raise Conflict(_("A bot plays in this seat, and bots get no email."))
    if not chair.is_person:
        raise Conflict(_("The game isn't waiting for this seat: its player is absent or has left."))
    lately = game.moderation.filter(action=Action.MAIL_AGAIN, seat=seat, created_at__gt=now - MAIL_EVERY)
    if lately.exists():
        raise Conflict(_("This was already resent in the last hour."))
    for row in clocks.asked(game).filter(status=Decision.Status.OPEN, is_automatic=False, seat__number=seat):
        notify.ask_again(row, now)
    record_entry(Action.MAIL_AGAIN, by=by, game=game, seat=seat, reason=reason, now=now)


def force(*, game: Game, by: User, reason: str, now: datetime) -> None:
    """Answers what is open by the rules' default, as the deadline would, but nobody has missed anything.

    Raises Conflict if nothing is open, Quarantined if the rules break.
    """
    check_moderator(by, game)
    rows = list(game.decisions.filter(status=Decision.Status.OPEN).select_related("seat").order_by("pk"))
    if game.status != Game.Status.RUNNING or not rows:
        raise Conflict(_("There are no open questions at this table."))
    record_entry(Action.FORCE, by=by, game=game, reason=reason, now=now)
    for row in rows:
        try:
            game_moves.submit(
                game_id=game.pk,
                seat=row.seat.number,
                decision=row.code,
                action=None,
                source=Move.Source.MODERATOR,
                actor=by,
                received_at=now,
            )
        except Quarantined:
            raise
        except Conflict:
            continue  # its player was faster, or an answer before it has settled it


@transaction.atomic
def cancel(*, game: Game, by: User, reason: str, now: datetime) -> None:
    """Ends a running game without a result; everybody is told why. Raises Conflict if it is not running."""
    check_moderator(by, game)
    game = game_moves.lock_running(game.pk)
    record_entry(Action.CANCEL, by=by, game=game, reason=reason, now=now)
    game_moves.close_game(game, now)


def release_game(*, game: Game, by: User, reason: str, now: datetime) -> int:
    """Takes a game out of quarantine; returns how many kept answers count now. Raises as `repair.release`."""
    check_moderator(by, game)
    count = repair.release(game_id=game.pk, now=now)
    record_entry(Action.RELEASE, by=by, game=game, reason=reason, now=now)
    return count


@transaction.atomic
def hand_to_bot(*, seat: Seat, bot: str, by: User, reason: str, now: datetime) -> None:
    """A bot plays the seat until its player comes back, which one click does. Raises Conflict and Illegal."""
    check_moderator(by, seat.game)
    seat = of_a_person(seat)
    if bot not in seat.game.rules.bots:
        raise Illegal(_("There's no bot with that name."), code="no-such-bot", field="bot")
    absences.leave(seat, now, stand_in=bot)
    notify.absent(seat, f"{seat.pk}:{now.isoformat()}", now)
    record_entry(Action.TO_BOT, by=by, game=seat.game, seat=seat.number, user=seat.user, reason=reason, now=now)


@transaction.atomic
def give_back(*, seat: Seat, by: User, reason: str, now: datetime) -> None:
    """The player is waited for again. Raises Conflict if he is already."""
    check_moderator(by, seat.game)
    seat = of_a_person(seat)
    if seat.status != Seat.Status.ABSENT:
        raise Conflict(_("The game is already waiting for this player."))
    absences.come_back(seat_id=seat.pk, now=now)
    record_entry(Action.GIVE_BACK, by=by, game=seat.game, seat=seat.number, user=seat.user, reason=reason, now=now)


@transaction.atomic
def replace_player(*, seat: Seat, address: str, by: User, reason: str, now: datetime) -> Invitation | None:
    """Somebody else sits down; the former player is told, and his links are void.

    An address without an account is invited to the seat, which is absent until somebody sits there; the invitation is
    returned. A host offers the seat in that way alone: `offer_seat`. Raises NotFound for a closed account, Conflict if
    he sits there already, SameOwner if his bot sits there and the table does not allow that.
    """
    check_moderator(by, seat.game)
    user = User.objects.filter(email=normal_address(address)).first()
    if user is not None and not user.is_active:
        raise NotFound(_("There's no open account with this address."))
    seat = of_a_person(seat)
    if user is None:
        return _invite_to(seat, address, by, reason, now)
    if seat.game.seats.filter(user=user).exists():
        raise Conflict(_("%(name)s is already at this table.") % {"name": user.name})
    former, had_left = seat.user, seat.status == Seat.Status.ABSENT
    absences.leave(seat, now)  # whoever sits down is asked anew, with a clock of his own
    absences.hand_over(seat, user, now, is_by_absence=had_left)
    record_entry(Action.REPLACE, by=by, game=seat.game, seat=seat.number, user=former, reason=reason, now=now)
    return None


def _invite_to(seat: Seat, address: str, by: User, reason: str, now: datetime) -> Invitation:
    """Invites an address to a locked seat; its player is absent until he comes back or somebody sits there."""
    if seat.status != Seat.Status.ABSENT:
        absences.leave(seat, now)
        notify.absent(seat, f"{seat.pk}:{now.isoformat()}", now)
    invitation = invitations.send(seat.game, seat, host=by, address=address, now=now)
    record_entry(Action.OFFER, by=by, game=seat.game, seat=seat.number, user=seat.user, reason=reason, now=now)
    return invitation


def seat_at(game: Game, number: int) -> Seat:
    """Loads a seat of a table. Raises NotFound."""
    seat = game.seats.select_related("game", "user__recipient").filter(number=number).first()
    if seat is None:
        raise NotFound(_("There's no such seat."))
    return seat


def of_a_person(seat: Seat) -> Seat:
    """The seat, locked. Raises Conflict unless a person plays there in a running game."""
    seat = absences.locked_seat(seat.pk)
    if seat.game.status != Game.Status.RUNNING:
        raise Conflict(_("This game is over.") if seat.game.is_over else _("This game hasn't started yet."))
    if seat.user is None or seat.status == Seat.Status.RESIGNED:
        raise Conflict(_("Nobody is playing this seat."))
    return seat


# Offers of an absent player's seat


@transaction.atomic
def offer_seat(*, seat: Seat, address: str, by: User, reason: str, now: datetime) -> Invitation:
    """Invites an address to the seat. Does not reveal whether the address has an account.

    Raises NotFound for who is not the host, Conflict for a seat that somebody is waited for at, at a table that hides
    names, and for a host who plays in the tournament of this table, and what `invitations.send` raises.
    """
    if not is_host(by, seat.game):
        raise NotFound(_("Only the host of a table can do that."))
    check_host_is_impartial(by, seat.game)
    seat = of_a_person(seat)
    if seat.hides_name:  # the host would learn who sits there
        raise Conflict(_("Names are hidden at this table, so its seats can't be offered to a certain person."))
    if seat.status != Seat.Status.ABSENT:
        raise Conflict(_("Hosts can only give away the seats of absent players."))
    invitation = invitations.send(seat.game, seat, host=by, address=address, now=now)
    if invitation.created_at == now:
        record_entry(Action.OFFER, by=by, game=seat.game, seat=seat.number, reason=reason, now=now)
    return invitation


@transaction.atomic
def accept_seat(*, invitation: Invitation, name: str, now: datetime, zone: str = "") -> Seat:
    """Whoever was invited sits down; the former player is told, and his links are void.

    Raises Conflict if the player is back or the seat is another's, SameOwner as `absences.hand_over`.
    """
    assert invitation.seat_id is not None
    seat = absences.locked_seat(invitation.seat_id)
    invitation = invitations.locked(invitation)
    if not invitation.is_open or not invitations.is_acceptable(invitation):
        raise Conflict(_("This invitation is no longer open."))
    user, former = invitations.person_of(invitation, name, zone), seat.user
    if seat.game.seats.filter(user=user).exists():
        raise Conflict(_("You're already at this table."))
    seats.check_club_seat(seat.game, user)
    blocks.check_host(seat.game.host, user)
    offered = seat.game.moderation.filter(action=Action.OFFER, seat=seat.number).last()
    absences.hand_over(seat, user, now)
    Invitation.objects.filter(pk=invitation.pk).update(status=Invitation.Status.JOINED)
    reason = offered.reason if offered else ""
    record_entry(
        Action.REPLACE, by=invitation.inviter, game=seat.game, seat=seat.number, user=former, reason=reason, now=now
    )
    return seat


# A player's hand, for a moderator: logged before anything is shown; players are not notified

LINES = 100


@dataclass(frozen=True)
class Hand:
    """The view of a seat: the board as text, and the newest lines of its log. Open questions are left out."""

    seat: Seat
    board: str
    lines: list[LogLine]


@transaction.atomic
def reveal_hand(*, game: Game, seat: int, by: User, reason: str, now: datetime) -> Hand:
    """Logs the access and returns what one seat sees. Needs its own right; never of a game he plays or has played.

    Raises Forbidden, Conflict for a game that has not begun, NotFound for a seat there is not.
    """
    check_moderator(by, game, LOOK)
    if not game.started_at:
        raise Conflict(_("This game hasn't started yet."))
    chair = game.seats.filter(number=seat).first()
    if chair is None:
        raise NotFound(_("There's no such seat at this table."))
    chair.game = game
    record_entry(ModerationEntry.Action.LOOK, by=by, game=game, seat=seat, user=chair.user, reason=reason, now=now)
    access = queries.Access(game, chair, speaks_to=queries.NOBODY)
    view = replace(queries.view_of(access), questions=[])  # who has answered a sealed question is for nobody to know
    return Hand(chair, queries.describe(access, view), history.recent_lines(access, LINES))


# The forecast of `force`, as far as a spectator could work it out.

WORLDS = 5


@dataclass(frozen=True)
class Forecast:
    """The outcome of a dry run.

    Arguments:
        defaults: name of each seat that is asked, and what its default answer does.
        lines: the log lines everybody would read, in order.
        is_whole: False if what follows depends on what is hidden.
    """

    defaults: list[tuple[str, str]]
    lines: list[str]
    is_whole: bool


def forecast(game: Game) -> Forecast:
    """The dry run of `table.force`. Raises Conflict if nothing is open."""
    decisions = list(queries.asked_rows(game)) if game.status == Game.Status.RUNNING else []
    if not decisions:
        raise Conflict(_("There are no open questions at this table."))
    rules, view = game.rules, queries.view_of(queries.Access(game, None))
    worlds = [rules.determinise(view, Random(number)) for number in range(WORLDS)]  # noqa: S311  # guesses
    outcomes = [[queries.say(game, event) for event in _forced(rules, world)] for world in worlds]
    same = takewhile(lambda lines: len(set(lines)) == 1, zip(*outcomes, strict=False))
    lines = [lines[0] for lines in same]
    return Forecast(
        defaults=[(row.seat.spoken_name, _silence(game, row.code, row.seat.number, worlds)) for row in decisions],
        lines=[line for line in lines if line],
        is_whole=all(len(outcome) == len(lines) for outcome in outcomes),
    )


def _silence(game: Game, code: str, seat: int, worlds: list[object]) -> str:
    """Describes the default answer of a seat, from the first world in which it is asked."""
    for world in worlds:
        for question in game.rules.questions(game.rules.view(world, seat)):
            if question.decision.id == code:
                return queries.say(game, question.default)
    return ""


def _forced(rules: AnyRules, state: object) -> list[Any]:
    """The public events of what `force` does, up to the end of the phase."""
    events: list[Any] = []
    for decision in [candidate for candidate in rules.decisions(state) if candidate.prompted]:
        still = [
            candidate
            for candidate in rules.decisions(state)
            if (candidate.id, candidate.seat) == (decision.id, decision.seat)
        ]
        if still and still[0].prompted:
            opened = rules.open(state, decision.id, decision.seat)
            state, new = opened.apply(rules.default(state, decision), by_player=False)
            events += new
    if rules.is_advance_pending(state):
        events += rules.advance(state)[1]
    return [visible for event in events if (visible := rules.redact(event, None)) is not None]
