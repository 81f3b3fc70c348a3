"""What moderators look at before they act, and smaller acts: looks, dry runs, mails again, silence, replacements."""

import datetime as dt
from random import Random

import pytest
from django.contrib.auth.models import Permission

from games.errors import Conflict, Forbidden, Illegal, NotFound, ServiceError
from games.models import Game, ModerationEntry, Seat, User
from games.moderation import people, tables
from games.people import staff
from games.play import queries, table_talk
from notifications.models import DeliveryState, Notice
from tests.games.conftest import answer, deliveries, fresh, open_rows, running, seat_of, settle, some_answer, to_placing

WHY = "A report"


@pytest.fixture
def eva(db: None) -> User:
    """A moderator without the right to look at hands."""
    return staff.make_moderator("eva@example.org")


@pytest.fixture
def frida(db: None) -> User:
    """A moderator with it."""
    user = staff.make_moderator("frida@example.org")
    user.user_permissions.add(Permission.objects.get(codename="look_at_hands"))
    return User.objects.get(pk=user.pk)


@pytest.fixture
def placing(game: Game, now: dt.datetime) -> Game:
    to_placing(game, now)
    return fresh(game)


def book() -> list[str]:
    return list(ModerationEntry.objects.order_by("pk").values_list("action", flat=True))


# Looks


def test_a_look_shows_one_hand_and_is_written_down(placing: Game, frida: User, now: dt.datetime) -> None:
    seen = tables.reveal_hand(game=placing, seat=1, by=frida, reason=WHY, now=now)
    assert "Your hand" in seen.board
    entry = ModerationEntry.objects.get()
    assert (entry.action, entry.seat, entry.reason, entry.actor) == ("look", 1, WHY, frida)
    with pytest.raises(ValueError, match="final"):
        entry.delete()


def test_a_look_does_not_tell_who_has_answered_a_sealed_question(
    game: Game, ben: User, frida: User, now: dt.datetime
) -> None:
    others = [seat.number for seat in game.seats.exclude(user=ben)]
    before = [tables.reveal_hand(game=game, seat=number, by=frida, reason=WHY, now=now) for number in others]
    answer(game, next(row for row in open_rows(game) if row.seat.user == ben), now)
    after = [tables.reveal_hand(game=fresh(game), seat=number, by=frida, reason=WHY, now=now) for number in others]
    assert [(one.board, one.lines) for one in before] == [(one.board, one.lines) for one in after]


def test_nobody_looks_without_the_right_a_reason_or_where_he_plays_or_has_played(
    placing: Game, eva: User, frida: User, ben: User, now: dt.datetime
) -> None:
    for by, reason, error in ((eva, WHY, Forbidden), (frida, " ", Illegal)):
        with pytest.raises(error):
            tables.reveal_hand(game=placing, seat=0, by=by, reason=reason, now=now)
    with pytest.raises(NotFound):
        tables.reveal_hand(game=placing, seat=9, by=frida, reason=WHY, now=now)
    chair = seat_of(placing, ben)
    for user in (frida, ben):  # she sits there, then she has sat there
        seat = placing.seats.get(pk=chair.pk)
        tables.replace_player(seat=seat, address=user.email, by=eva, reason=WHY, now=now)
        with pytest.raises(Conflict):
            tables.reveal_hand(game=fresh(placing), seat=0, by=frida, reason=WHY, now=now)
    assert book() == ["replace", "replace"]


# The dry run


def test_what_is_forecast_happens(placing: Game, eva: User, now: dt.datetime) -> None:
    seen = tables.forecast(placing)
    assert [name for name, _words in seen.defaults] == [row.seat.display_name for row in open_rows(placing)]
    assert all(words for _name, words in seen.defaults)
    before = placing.seq
    tables.force(game=placing, by=eva, reason=WHY, now=now)
    rules = placing.rules
    events = [
        event for move in placing.moves.filter(seq__gt=before) for event in rules.load_events(move.events.encode())
    ]
    told = [words for event in events if (words := rules.say(rules.redact(event, None), "en", placing.seat_names()))]
    assert seen.lines
    assert told[: len(seen.lines)] == seen.lines


def test_a_forecast_changes_nothing_and_knows_nothing_hidden(
    anna: User, ben: User, carla: User, now: dt.datetime
) -> None:
    game = running(anna, [ben, carla], now, options={"open_hoards": "off"})
    for dice in range(14):
        settle(now)
        answer(game, open_rows(game)[0], now, some_answer(fresh(game), open_rows(game)[0], dice))
    settle(now)
    game = fresh(game)
    seen = tables.forecast(game)
    assert fresh(game).state == game.state
    view = game.rules.view(game.load_state(), None)
    for dice in range(3):
        game.state = game.rules.dump(game.rules.determinise(view, Random(dice))).decode()
        assert tables.forecast(game) == seen


def test_what_is_asked_is_read_in_the_order_of_asking_whoever_has_answered(game: Game, now: dt.datetime) -> None:
    """PostgreSQL may return rows without an order as they were last written, which tells who has answered."""
    before = [name for name, _default in tables.forecast(game).defaults]
    answer(game, open_rows(game)[0], now)
    assert [name for name, _default in tables.forecast(fresh(game)).defaults] == before
    assert queries.asked_rows(game).query.order_by == ("pk",)


def test_where_nothing_is_open_nothing_is_forecast(placing: Game, eva: User, now: dt.datetime) -> None:
    tables.cancel(game=placing, by=eva, reason=WHY, now=now)
    with pytest.raises(Conflict):
        tables.forecast(fresh(placing))


# Mails again


def test_a_player_is_sent_again_what_he_is_asked_once_an_hour(
    game: Game, ben: User, eva: User, now: dt.datetime
) -> None:
    seat = seat_of(game, ben)
    (row,) = [row for row in open_rows(game) if row.seat.user == ben]
    tables.mail_again(game=game, seat=seat.number, by=eva, reason=WHY, now=now)
    rows = deliveries().filter(notice__kind="due", notice__subject=row.subject, channel="mail")
    assert rows.count() == 2
    with pytest.raises(Conflict):
        tables.mail_again(game=game, seat=seat.number, by=eva, reason=WHY, now=now)
    answer(game, row, now)
    later = now + dt.timedelta(hours=2)
    tables.mail_again(game=game, seat=seat.number, by=eva, reason=WHY, now=later)
    assert rows.count() == 2, "he has answered; the moderator is told the same"
    assert book() == ["mail_again", "mail_again"]


def test_to_a_seat_that_no_mail_is_for_nothing_is_sent_again_and_that_is_said(
    game: Game, ben: User, anna: User, eva: User, now: dt.datetime
) -> None:
    seat = seat_of(game, ben)
    rows = game.seats.filter(pk=seat.pk)
    for changes, words in (
        ({"bot": "greedy"}, "A bot plays in this seat"),
        ({"bot": "", "owner": anna}, "A bot plays in this seat"),
        ({"owner": None, "status": Seat.Status.ABSENT}, "The game isn't waiting for this seat"),
        ({"status": Seat.Status.RESIGNED}, "The game isn't waiting for this seat"),
    ):
        rows.update(**changes)
        with pytest.raises(Conflict, match=words):
            tables.mail_again(game=game, seat=seat.number, by=eva, reason=WHY, now=now)
    assert book() == []


def test_what_was_given_up_is_tried_again_once(game: Game, eva: User, now: dt.datetime) -> None:
    row = deliveries().filter(notice__kind="started").first()
    assert row is not None
    deliveries().filter(pk=row.pk).update(state=DeliveryState.QUARANTINED, attempt_after=None, tries=5)
    people.retry_delivery(delivery=row, by=eva, reason=WHY, now=now)
    row.refresh_from_db()
    assert (row.state, row.attempt_after, row.tries) == (DeliveryState.WAITING, now, 0)
    with pytest.raises(Conflict):
        people.retry_delivery(delivery=row, by=eva, reason=WHY, now=now)
    assert book() == ["try_again"]


# Silence


def test_who_is_silenced_says_nothing_until_then_and_is_told(
    game: Game, ben: User, eva: User, now: dt.datetime
) -> None:
    until = now + dt.timedelta(days=2)
    people.mute(user=ben, by=eva, until=until, reason=WHY, now=now)
    with pytest.raises(Forbidden):
        table_talk.say(game_id=game.pk, user=ben, text="Hello", now=now)
    assert table_talk.say(game_id=game.pk, user=ben, text="Hello", now=until).text == "Hello"
    assert Notice.objects.filter(kind="moderated", recipient=ben.recipient).exists()
    people.unmute(user=ben, by=eva, reason=WHY, now=now)
    assert table_talk.say(game_id=game.pk, user=ben, text="Again", now=now).text == "Again"
    for act in (
        lambda: people.unmute(user=ben, by=eva, reason=WHY, now=now),
        lambda: people.mute(user=ben, by=eva, until=now, reason=WHY, now=now),
        lambda: people.mute(user=ben, by=ben, until=until, reason=WHY, now=now),
    ):
        with pytest.raises(ServiceError):
            act()
