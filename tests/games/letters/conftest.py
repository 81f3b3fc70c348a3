"""Letters as they are composed at this moment, and a table with one question to write about."""

import datetime as dt
import re

import pytest

from games.models import Decision, Game, User
from games.play import game_moves, notify
from notifications.composers import composer_for
from notifications.messages import Form, MailMessage, WebhookMessage
from notifications.models import Notice, Recipient
from tests.conftest import NOON
from tests.games.conftest import Keep, answer, fresh, named, open_rows, settle
from tests.games.kept import Stage

ACT_LINK = re.compile(r"/act/\w+/\w+/")


def newest(kind: str, reader: User | Recipient) -> Notice:
    """The last notice of a kind that was written for this person."""
    recipient = reader.recipient if isinstance(reader, User) else reader
    notice = Notice.objects.filter(kind=kind, recipient=recipient).order_by("-pk").first()
    assert notice is not None, kind
    notice.recipient.refresh_from_db()
    return notice


def mail(kind: str, reader: User | Recipient) -> MailMessage:
    """The mail that would be sent now; its notice must be current."""
    assert stale(kind, reader) == ""
    return composed(kind, reader)


def composed(kind: str, reader: User | Recipient) -> MailMessage:
    """The mail as it would be sent, current or not."""
    notice = newest(kind, reader)
    message = composer_for(kind).compose(notice, notice.recipient.language, Form.LETTER)
    assert isinstance(message, MailMessage)
    return message


def hook(kind: str, reader: User | Recipient) -> WebhookMessage | None:
    """The webhook that would be sent now."""
    notice = newest(kind, reader)
    message = composer_for(kind).compose(notice, notice.recipient.language, Form.ANNOUNCEMENT)
    assert message is None or isinstance(message, WebhookMessage)
    return message


def stale(kind: str, reader: User | Recipient) -> str:
    """Why the newest notice of the kind would not be sent any more, or ""."""
    return composer_for(kind).is_current(newest(kind, reader))


def to_turn_of(game: Game, user: User, now: dt.datetime, most: int = 200) -> Decision:
    """Plays on until this person places a token for at least the second time; returns what he is asked."""
    placed = 0
    for _step in range(most):
        settle(now)
        row = open_rows(game)[0]
        if row.seat.user == user and row.kind == "place":
            if placed:
                return row
            placed += 1
        answer(fresh(game), row, now)
    raise AssertionError("this person is never asked")


def asked_again(kind: str, row: Decision, now: dt.datetime) -> None:
    """Writes a further notice about an open decision: "reminder", "excused" or "passed"."""
    row = Decision.objects.select_related("game", "seat__user__recipient", "seat__game").get(pk=row.pk)
    notify.about_decision(kind, row, now)


def let_pass(row: Decision, now: dt.datetime) -> None:
    """Does what a deadline does with a decision, and tells its player."""
    game_moves.submit(
        game_id=row.game_id,
        seat=row.seat.number,
        decision=row.code,
        action=None,
        source="deadline",
        received_at=now,
    )
    asked_again("passed", row, now)


def end_soon(game: Game, winner: User, now: dt.datetime) -> Game:
    """Everybody but one resigns, and that one ends the game and wins (A99)."""
    seats = list(game.seats.all())
    for seat in seats:
        if seat.user != winner:
            game_moves.resign(game_id=game.pk, seat=seat.number, actor=seat.user, source="web", now=now)
    last = next(seat for seat in seats if seat.user == winner)
    game_moves.end_by_wish(game_id=game.pk, seat=last.number, actor=winner, source="web", now=now)
    return fresh(game)


@pytest.fixture(scope="session")
def kept_turn(kept_here: Keep, kept_three: list[Stage], kept_game: Stage) -> Stage:
    """The game up to Ben's second token."""
    return kept_here(lambda: to_turn_of(Game.objects.get(), named("Ben"), NOON), *kept_three, kept_game)


@pytest.fixture
def turn(game: Game, kept_turn: Stage) -> Decision:
    """Ben is to place his second token; the others have placed some as well."""
    return kept_turn.bring()
