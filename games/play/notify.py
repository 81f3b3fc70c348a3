"""The notifications about games: who is told what, and the key by which it is told once.

`notifications` decides when and where each is delivered.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from django.db.models import F
from django.utils.translation import gettext_noop

from engine.orders.model import OrderDropped
from games.people.models import User
from games.play import stored_moves
from games.play.models import Decision
from games.tables.models import Game
from games.tables.seats import Invitation, Seat
from notifications import outbox
from notifications.channels.webhook.channel import listening_endpoints
from notifications.messages import ALL_FORMS, Form
from notifications.models import Recipient
from notifications.outbox import Notification, notify, notify_all
from notifications.reasons import declare

EXPECTED_ENDS = ("round", "return")  # why an order ended, when it ended as its player had said
NO_REMINDERS = declare("no_reminders", gettext_noop("you've turned reminders off"))
MERGED_FOR = timedelta(hours=3)  # what orders did in this time is told in one email
MISS_WAITS = timedelta(hours=12)  # a miss is told by the email that asks next, or by one of its own after so long


def seat_subject(seat: Seat) -> str:
    """The key of a notice about a seat: game and number."""
    return f"seat:{seat.game.ref}:{seat.number}"


def after_move(
    game: Game,
    seats: Mapping[int, Seat],
    opened: Iterable[Decision],
    events: Iterable[object],
    now: datetime,
    listening: Collection[int] | None = None,
    review_until: datetime | None = None,
) -> None:
    """Notifies the players of opened decisions, of what their orders did, and of the end of the game.

    A sealed question that an order answered at once is announced to webhooks as if it were open: nobody may know.

    Arguments:
        listening: the keys of the recipients of whom a webhook is told; None to find out.
        review_until: how long the email about the end waits for the review of the game; None if it does not.
    """
    questions = [
        _asked(decision, seats[decision.seat.number], listening) for decision in opened if not decision.is_automatic
    ]
    is_over = game.status == Game.Status.FINISHED
    ended = [_game_over(seat, review_until) for seat in seats.values() if is_over]
    notifications = [*questions, *ended, *_orders(seats, events, now), *_next(game, seats)]
    notify_all([notification for notification in notifications if notification is not None], now)


def _game_over(seat: Seat, review_until: datetime | None) -> Notification | None:
    notification = _seat(seat, "game_over", _game_over_key(seat.game, seat.number))
    if notification is None or review_until is None:
        return notification
    return replace(notification, not_before=review_until)


def _game_over_key(game: Game, number: int) -> str:
    return f"game_over:{game.ref}:{number}"


def release_game_over(game: Game, now: datetime) -> None:
    """Lets the emails about the end of a game go out that waited for its review."""
    outbox.release([_game_over_key(game, number) for number in range(game.seat_count)], now)


def _asked(decision: Decision, seat: Seat, listening: Collection[int] | None) -> Notification | None:
    user = seat.user
    if user is None or decision.game.is_practice:
        return None
    if decision.is_open:
        return _due(decision, user, ALL_FORMS)
    recipient = user.recipient_id
    if listening is None:
        is_heard = listening_endpoints(recipient, decision.game.thread).exists()
    else:
        is_heard = recipient in listening
    return _due(decision, user, (Form.ANNOUNCEMENT,)) if is_heard else None


def _orders(seats: Mapping[int, Seat], events: Iterable[object], now: datetime) -> Iterator[Notification]:
    """Orders of yours were dropped: one notice for all of them until the player answers himself.

    An email that asks him something tells it too, with what his orders have answered; so the notice waits a while, and
    is dropped if he was asked. That orders have answered as they should is worth no email of its own.
    """
    dropped = (event for event in events if isinstance(event, OrderDropped) and event.why not in EXPECTED_ENDS)
    numbers = {event.seat for event in dropped}
    for number in sorted(numbers):
        seat = seats[number]
        if seat.user is None or not seat.is_person or seat.game.is_practice:
            continue
        last = next((seq for (seq,) in stored_moves.last_answer_of(seat.game_id, number)), 0)
        yield Notification(
            recipient=seat.user.recipient,
            kind="orders",
            subject=seat_subject(seat),
            dedupe_key=f"orders:{seat.game.ref}:{number}:{last}:{seat.link_generation}",
            thread=seat.game.thread,
            not_before=now + MERGED_FOR,
        )


def _next(game: Game, seats: Mapping[int, Seat]) -> Iterator[Notification]:
    """You are next: to who wants to hear that, once between two of his answers."""
    if game.status != Game.Status.RUNNING or not any(seat.hears_next for seat in seats.values()):
        return
    number = game.rules.next_seat(game.rules.view(game.look_at_state(), None))
    seat = seats.get(number) if number is not None else None
    if seat is not None and seat.hears_next and seat.is_person:
        last = next((seq for (seq,) in stored_moves.last_answer_of(game.pk, seat.number)), 0)
        notification = _seat(seat, "next", f"next:{game.ref}:{seat.number}:{last}:{seat.link_generation}")
        if notification is not None:
            yield replace(notification, forms=(Form.LETTER,))


def ask(decision: Decision, seat: Seat, now: datetime, *, is_again: bool = False) -> None:
    """Your decision is due. A sealed one that opens again goes by email only: others would learn that it is open."""
    if seat.user is not None and not decision.game.is_practice:
        notify(_due(decision, seat.user, _forms(decision) if is_again else ALL_FORMS), now)


def renew_links(sender: object, user: User, now: datetime, **_more: object) -> None:
    """Voids the links mailed so far to somebody whose address has changed, and asks what is open once more."""
    Seat.objects.filter(user=user).update(link_generation=F("link_generation") + 1)
    rows = Decision.objects.filter(seat__user=user, status=Decision.Status.OPEN, is_automatic=False)
    for row in rows.select_related("game", "seat__user__recipient"):
        ask(row, row.seat, now, is_again=True)  # what is asked there in time counts at the deadline


def _due(decision: Decision, user: User, forms: tuple[Form, ...]) -> Notification:
    return Notification(
        recipient=user.recipient,
        kind="due",
        subject=decision.subject,
        dedupe_key=decision.due_key,
        thread=decision.game.thread,
        forms=forms,
    )


def _forms(decision: Decision) -> tuple[Form, ...]:
    """Email only for a sealed question: an announcement would reveal who has not answered it."""
    return (Form.LETTER,) if decision.is_sealed else ALL_FORMS


def started(game: Game, seats: Iterable[Seat], now: datetime) -> None:
    """The game has begun."""
    _tell_seats(seats, "started", f"started:{game.ref}", now)


def nudge(decision: Decision, now: datetime) -> None:
    """A host or moderator asks you to answer; once for each time that it is asked, and once an hour at a table."""
    occasion = f"nudge:{decision.opened_at.timestamp():.0f}"
    _about_decision("reminder", decision, occasion, now, folded_by="thread")


def ask_again(decision: Decision, now: datetime) -> None:
    """A moderator sends you the question once more; by email only, since others would learn that it is open."""
    assert decision.seat.user is not None
    notification = _due(decision, decision.seat.user, (Form.LETTER,))
    notify(replace(notification, dedupe_key=f"{notification.dedupe_key}:{now.isoformat()}"), now)


def reminder(decision: Decision, now: datetime, *, is_wanted: bool = True) -> None:
    """Your decision is still due; once for each time at which its player wants to be reminded.

    If he wants no reminders, only his ledger records it, at the time at which he would have been reminded.
    """
    occasion = f"{decision.due_at}:{decision.remind_at}"
    _about_decision("reminder", decision, occasion, now, unwanted="" if is_wanted else NO_REMINDERS)


def about_decision(kind: str, decision: Decision, now: datetime, data: Mapping[str, object] | None = None) -> None:
    """A moved deadline or an excused miss, once for each deadline of a decision."""
    _about_decision(kind, decision, str(decision.due_at), now, data)


def passed(decision: Decision, now: datetime, data: Mapping[str, object]) -> None:
    """ "You were passed": webhooks at once; the player in the email that asks him next, or after a while in its own."""
    _about_decision("passed", decision, str(decision.due_at), now, data, not_before=now + MISS_WAITS)


def _about_decision(
    kind: str,
    decision: Decision,
    occasion: str,
    now: datetime,
    data: Mapping[str, object] | None = None,
    unwanted: str = "",
    not_before: datetime | None = None,
    folded_by: str = "",
) -> None:
    seat = decision.seat
    if seat.user is not None:
        notify(
            Notification(
                recipient=seat.user.recipient,
                kind=kind,
                subject=decision.subject,
                dedupe_key=f"{kind}:{decision.ref}:{occasion}",
                thread=decision.game.thread,
                data=dict(data or {}),
                not_before=not_before,
                forms=(Form.LETTER,) if unwanted else _forms(decision),
                folded_by=folded_by,
                unwanted=unwanted,
            ),
            now,
        )


def extended(decision: Decision, now: datetime, *, by_host: bool = False) -> None:
    """Your deadline was moved because the service was down, or could not reach you; once for each new deadline.

    Arguments:
        by_host: whether a host or moderator moved it: that is told once an hour.
    """
    if decision.due_at is not None:
        data, folded_by = {"due_at": decision.due_at.isoformat()}, "subject" if by_host else ""
        _about_decision("extended", decision, str(decision.due_at), now, data, folded_by=folded_by)


def absent(seat: Seat, occasion: str, now: datetime) -> None:
    """You are no longer waited for; one click brings you back. Once for each occasion.

    A bot reads no mail: its owner is told, once a day.
    """
    _tell_seats([seat], "absent", f"absent:{occasion}", now)
    if seat.owner is not None and seat.user is not None:
        key = f"bot_absent:{seat.user.ref}:{now:%Y-%m-%d}"
        notification = Notification(
            recipient=seat.owner.recipient, kind="bot_absent", subject=seat_subject(seat), dedupe_key=key
        )
        notify(notification, now)


def paused(game: Game, seats: Iterable[Seat], now: datetime) -> None:
    """Tells the players that the game is paused: its clocks stand still."""
    _tell_seats(seats, "paused", f"paused:{game.ref}:{now.isoformat()}", now, folded_by="thread")


def resumed(game: Game, seats: Iterable[Seat], began: datetime, now: datetime) -> None:
    """The game goes on; `began` is when its pause had begun."""
    _tell_seats(seats, "resumed", f"resumed:{game.ref}:{began.isoformat()}", now, folded_by="thread")


def hour(game: Game, seats: Iterable[Seat], now: datetime, off: datetime | None = None) -> None:
    """An hour together is proposed, begins soon, or is off; its letter tells which.

    Arguments:
        off: when it would have begun, if it does not take place.
    """
    starts_at = off or game.hour_at
    assert starts_at is not None, game
    folded_by = "" if game.hour_state == Game.Hour.REMINDED else "thread"  # whoever proposes may do so again and again
    data = {"at": starts_at.isoformat(), "is_off": off is not None}
    people = [seat for seat in seats if seat.has_a_say]
    notifications = (_seat(seat, "hour", f"hour:{game.ref}:{now.isoformat()}:{seat.number}") for seat in people)
    notify_all(
        [
            replace(notification, data=data, forms=(Form.LETTER,), folded_by=folded_by)
            for notification in notifications
            if notification is not None
        ],
        now,
    )


def rolled_back(game: Game, seats: Iterable[Seat], now: datetime) -> None:
    """The game goes on from an earlier step; what was sent about the steps since is void."""
    _tell_seats(seats, "rolled_back", f"rolled_back:{game.ref}:{game.branch}", now)


def taken_over(seat: Seat, former: Recipient, now: datetime, *, was_sought: bool = False) -> None:
    """Your seat was taken by somebody else."""
    notify(
        Notification(
            recipient=former,
            kind="taken_over",
            subject=seat_subject(seat),
            dedupe_key=f"taken_over:{seat.game.ref}:{seat.number}:{seat.link_generation}",
            thread=seat.game.thread,
            data={"was_sought": True} if was_sought else {},
        ),
        now,
    )


def invited(invitation: Invitation, now: datetime) -> None:
    """A chair is offered."""
    notify(
        Notification(
            recipient=invitation.recipient,
            kind="invited",
            subject=f"invitation:{invitation.ref}",
            dedupe_key=f"invited:{invitation.ref}",
            thread=invitation.game.thread,
        ),
        now,
    )


def closed(game: Game, recipients: Iterable[Recipient], now: datetime) -> None:
    """A table was closed, or expired, before the game began; or its game was ended without a result."""
    notifications = [
        Notification(
            recipient=recipient,
            kind="closed",
            subject=f"game:{game.ref}",
            dedupe_key=f"closed:{game.ref}:{recipient.pk}",
            thread=game.thread,
        )
        for recipient in recipients
    ]
    notify_all([] if game.is_practice else notifications, now)


def _tell_seats(seats: Iterable[Seat], kind: str, key: str, now: datetime, folded_by: str = "") -> None:
    """Sends one kind of notification to the people on these seats."""
    notifications = (_seat(seat, kind, f"{key}:{seat.number}") for seat in seats)
    notify_all(
        [replace(notification, folded_by=folded_by) for notification in notifications if notification is not None], now
    )


def _seat(seat: Seat, kind: str, key: str) -> Notification | None:
    """The notification for the person on a seat; None for a seat without one."""
    if seat.user is None or seat.game.is_practice:
        return None
    return Notification(
        recipient=seat.user.recipient,
        kind=kind,
        subject=seat_subject(seat),
        dedupe_key=key,
        thread=seat.game.thread,
    )
