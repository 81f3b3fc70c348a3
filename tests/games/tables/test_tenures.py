"""Who held a seat, and from when to when: what ratings, other seats and moderators make of it."""

import datetime as dt

import pytest

from games.archive import ratings
from games.errors import Conflict, ServiceError
from games.lobby import bot_accounts, guests, invitations, lifecycle
from games.models import Game, Report, Seat, User
from games.moderation import entries, repair, reports, tables
from games.play import absences, automatic_answers, lists, queries
from notifications.composers import composer_for
from notifications.messages import Form, MailMessage
from notifications.models import Notice
from tests.games.conftest import answer, fresh, make_user, new_table, open_rows, running, seat_of, to_placing
from tests.games.play.test_roll_back import advance

WHY = "He is on a journey."
HOUR = dt.timedelta(hours=1)


@pytest.fixture
def offered(anna: User, ben: User, carla: User, now: dt.datetime) -> Game:
    """A listed game in its placing part, whose absent seats anybody may take."""
    return to_placing(running(anna, [ben, carla], now, absent_seats="takeover", is_listed=True), now)


@pytest.fixture
def eva(db: None) -> User:
    """A moderator with all rights."""
    return User.objects.create_superuser("eva@example.org", name="Eva")


def leave(game: Game, user: User, now: dt.datetime) -> Seat:
    absences.leave(absences.locked_seat(seat_of(game, user).pk), now)
    return seat_of(game, user)


def taken(game: Game, user: User, by: User, now: dt.datetime) -> Seat:
    """The seat that a player leaves by absence and another person takes."""
    return absences.take_over(seat_id=leave(game, user, now).pk, user=by, now=now + HOUR)


def finish(game: Game, order: list[int]) -> Game:
    outcome = {"ending": "complete", "winners": order[:1], "ranking": order, "scores": [0] * len(order)}
    Game.objects.filter(pk=game.pk).update(status="finished", outcome=outcome, is_listed=True)
    return fresh(game)


def test_each_tenure_is_a_row(offered: Game, ben: User, david: User, now: dt.datetime) -> None:
    seat = taken(offered, ben, david, now)
    first, second = seat.tenures.order_by("pk")
    assert (first.user, first.since_seq, first.ended_at, first.is_by_absence) == (ben, 0, now + HOUR, True)
    assert (second.user, second.since_seq, second.began_at) == (david, fresh(offered).seq, now + HOUR)
    assert second.ended_at is None and Seat.objects.get(pk=seat.pk).played_since == fresh(offered).seq


def test_who_loses_his_seat_by_absence_is_rated_as_last_and_who_took_it_not_at_all(
    offered: Game, anna: User, ben: User, carla: User, david: User, now: dt.datetime
) -> None:
    seat = taken(offered, ben, david, now)
    others = [one.number for one in offered.seats.exclude(pk=seat.pk)]
    game = finish(offered, [seat.number, *others])  # his seat wins without him
    places = ratings.places_of(game, game.seats.all())
    assert set(places) == {anna.pk, ben.pk, carla.pk} and places[ben.pk] == 3


def test_whom_a_moderator_replaces_while_he_plays_is_not_rated(
    offered: Game, ben: User, david: User, eva: User, now: dt.datetime
) -> None:
    tables.replace_player(seat=seat_of(offered, ben), address=david.email, by=eva, reason=WHY, now=now)
    game = finish(offered, [0, 1, 2])
    assert {ben.pk, david.pk}.isdisjoint(ratings.places_of(game, game.seats.all()))


def test_a_former_holder_takes_no_other_seat_by_any_way(
    offered: Game, anna: User, ben: User, carla: User, david: User, eva: User, now: dt.datetime
) -> None:
    taken(offered, ben, david, now)
    free = leave(offered, carla, now + HOUR)
    with pytest.raises(Conflict):
        absences.take_over(seat_id=free.pk, user=ben, now=now + 2 * HOUR)
    row = tables.offer_seat(seat=free, address=ben.email, by=anna, reason=WHY, now=now + 2 * HOUR)
    with pytest.raises(Conflict):
        tables.accept_seat(invitation=row, name="", now=now + 2 * HOUR)
    with pytest.raises(Conflict):
        tables.replace_player(seat=free, address=ben.email, by=eva, reason=WHY, now=now + 2 * HOUR)
    assert seat_of(offered, carla).pk == free.pk


def test_the_owner_of_a_bot_that_held_a_seat_is_a_former_holder(
    anna: User, ben: User, carla: User, david: User, now: dt.datetime
) -> None:
    robo = bot_accounts.create(owner=david, name="Robo", is_for_all=True, now=now)
    game = to_placing(running(anna, [ben], now, bots=("Robo",), absent_seats="takeover"), now)
    taken(game, robo, carla, now)
    free = leave(game, ben, now)
    with pytest.raises(Conflict):
        absences.take_over(seat_id=free.pk, user=david, now=now + 2 * HOUR)


def test_he_may_have_his_own_seat_again_when_it_is_free(
    offered: Game, ben: User, david: User, now: dt.datetime
) -> None:
    seat = taken(offered, ben, david, now)
    leave(offered, david, now + HOUR)
    again = absences.take_over(seat_id=seat.pk, user=ben, now=now + 2 * HOUR)
    assert (again.user, seat.tenures.count()) == (ben, 3)
    assert ratings.places_of(finish(offered, [0, 1, 2]), [again])[ben.pk] == 3


def test_who_adopts_a_guest_gets_no_second_seat_of_a_game(
    offered: Game, ben: User, david: User, now: dt.datetime
) -> None:
    guest = guests.create(language="en", now=now)
    taken(offered, ben, guest, now)
    assert guests.adopt(key=guest.pk, user=ben) == 0
    assert guests.adopt(key=guest.pk, user=david) == 1
    assert entries.SeatTenure.objects.filter(user=david, seat__game=offered).exists()


def test_a_moderator_who_never_moved_and_lost_his_seat_acts_no_more_there(
    game: Game, ben: User, david: User, now: dt.datetime
) -> None:
    """No move of his is stored: whoever is asked for moves finds nothing."""
    Game.objects.filter(pk=game.pk).update(absent_seats="takeover")
    User.objects.filter(pk=ben.pk).update(is_superuser=True, is_staff=True)
    report = Report.objects.create(game=game, reporter=game.host, text="He waits for ever.", created_at=now)
    taken(game, ben, david, now)
    ben = User.objects.get(pk=ben.pk)
    with pytest.raises(Conflict):
        tables.reveal_hand(game=fresh(game), seat=0, by=ben, reason=WHY, now=now)
    with pytest.raises(Conflict):
        tables.cancel(game=fresh(game), by=ben, reason=WHY, now=now)
    assert not reports.open_reports(ben) and ben not in reports.moderators_of(game)
    assert not entries.exclude_own_games(Report.objects.filter(pk=report.pk), ben).exists()


def test_a_moderator_whose_bot_plays_or_played_acts_there_as_little(
    anna: User, ben: User, carla: User, david: User, now: dt.datetime
) -> None:
    bot_accounts.create(owner=david, name="Robo", is_for_all=True, now=now)
    game = to_placing(running(anna, [ben], now, bots=("Robo",), absent_seats="takeover"), now)
    User.objects.filter(pk=david.pk).update(is_superuser=True, is_staff=True)
    david = User.objects.get(pk=david.pk)
    assert "playing at this table" in entries.why_barred(david, game)
    taken(game, david.bots.get(), carla, now)
    assert "played at this table" in entries.why_barred(david, fresh(game))


def test_who_learned_what_names_those_who_held_the_seat_then(
    offered: Game, ben: User, david: User, now: dt.datetime
) -> None:
    taken(advance(offered, 4, now), ben, david, now + HOUR)
    number = seat_of(offered, david).number
    found = repair.learned(fresh(offered), 1)
    names = [holder.display_name for holder, lines in found.by_seat if holder.number == number and lines]
    assert names == ["Ben", "David"]
    Seat.objects.filter(game=offered).update(hides_name=True)
    found = repair.learned(fresh(offered), 1)
    names = [holder.display_name for holder, lines in found.by_seat if holder.number == number and lines]
    assert names == [f"Former player {number + 1}", f"Player {number + 1}"]


def test_a_newcomer_sees_no_orders_of_the_former_player(
    offered: Game, ben: User, david: User, now: dt.datetime
) -> None:
    seat = taken(offered, ben, david, now)
    access = queries.Access(fresh(offered), Seat.objects.select_related("game").get(pk=seat.pk))
    assert access.seat is not None and access.seat.played_since == fresh(offered).seq


def test_nobody_takes_a_seat_twice_at_once(offered: Game, ben: User, david: User, now: dt.datetime) -> None:
    seat = taken(offered, ben, david, now)
    with pytest.raises(ServiceError):
        absences.take_over(seat_id=seat.pk, user=ben, now=now + HOUR)
    assert seat.tenures.filter(ended_at=None).count() == 1


# Leaving in order, and what becomes of absent seats


def test_who_seeks_a_successor_plays_on_and_leaves_in_order(
    game: Game, anna: User, ben: User, carla: User, david: User, now: dt.datetime
) -> None:
    game.is_listed = True
    game.save()
    seat = absences.seek_successor(seat_id=seat_of(game, ben).pk, is_wanted=True, now=now)
    assert seat.is_person and seat in lists.offered_seats(david), "he is still asked, and the lobby shows his seat"
    answer(game, next(row for row in open_rows(game) if row.seat.user == ben), now)
    absences.seek_successor(seat_id=seat.pk, is_wanted=False, now=now)
    with pytest.raises(Conflict):
        absences.take_over(seat_id=seat.pk, user=david, now=now)
    absences.seek_successor(seat_id=seat.pk, is_wanted=True, now=now)
    taken_seat = absences.take_over(seat_id=seat.pk, user=david, now=now + HOUR)
    with pytest.raises(Conflict):
        absences.take_over(seat_id=seat.pk, user=make_user("Gil"), now=now + HOUR)
    assert (taken_seat.user, taken_seat.status, taken_seat.seeks_successor) == (david, "active", False)
    first, second = seat.tenures.order_by("pk")
    assert (first.user, first.is_by_absence, second.user) == (ben, False, david)
    others = [one.number for one in game.seats.exclude(pk=seat.pk)]
    places = ratings.places_of(finish(game, [*others, seat.number]), game.seats.all())
    assert set(places) == {anna.pk, carla.pk}, "neither who left in order nor who came later is rated"
    notice = Notice.objects.get(kind="taken_over", recipient=ben.recipient)
    message = composer_for("taken_over").compose(notice, "en", Form.LETTER)
    assert isinstance(message, MailMessage) and "in order" in message.text and "You were away" not in message.text


def test_nobody_can_be_sought_for_a_bot_or_a_game_that_is_over(
    anna: User, ben: User, table: Game, now: dt.datetime
) -> None:
    with pytest.raises(Conflict):
        absences.seek_successor(seat_id=seat_of(table, anna).pk, is_wanted=True, now=now)
    game = running(anna, [ben], now, bots=("greedy",))
    with pytest.raises(Conflict):
        absences.seek_successor(seat_id=game.seats.get(user=None).pk, is_wanted=True, now=now)


def test_more_than_half_decide_what_becomes_of_absent_seats(
    game: Game, anna: User, ben: User, carla: User, now: dt.datetime
) -> None:
    with pytest.raises(ServiceError):
        absences.wish_for_absent(seat_id=seat_of(game, anna).pk, wish="eaten", now=now)
    absences.wish_for_absent(seat_id=seat_of(game, anna).pk, wish="strong_bot", now=now)
    absences.wish_for_absent(seat_id=seat_of(game, ben).pk, wish="takeover", now=now)
    assert fresh(game).absent_seats == "pass"
    absences.wish_for_absent(seat_id=seat_of(game, carla).pk, wish="strong_bot", now=now)
    assert fresh(game).absent_seats == "strong_bot" and not game.seats.exclude(absent_wish="").exists()
    seat = leave(game, ben, now)
    assert automatic_answers.driver(seat, fresh(game)) == "sultan"
    with pytest.raises(Conflict):
        absences.wish_for_absent(seat_id=seat.pk, wish="pass", now=now)


# Reliable company


def test_a_table_asks_for_a_share_of_answers_in_time_of_who_is_not_invited(
    anna: User, ben: User, carla: User, david: User, now: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    shares = {ben.pk: 74, carla.pk: 75}
    monkeypatch.setattr(absences, "shares_in_time", [lambda user, _now: shares.get(user.pk)])
    table = new_table(anna, now, is_listed=True, company="75", welcomes_newcomers=False, seat_count=4)
    for user in (ben, david):
        with pytest.raises(Conflict):
            lifecycle.join(game_id=table.pk, user=user, now=now)
    lifecycle.join(game_id=table.pk, user=carla, now=now)
    Game.objects.update(welcomes_newcomers=True)
    lifecycle.join(game_id=table.pk, user=david, now=now)
    invitation = invitations.invite(game_id=table.pk, host=anna, address=ben.email, now=now)
    assert invitations.accept(invitation=invitation, name="Ben", now=now).user == ben


def test_who_is_absent_where_others_play_on_returns_before_he_joins_another_table(
    game: Game, anna: User, ben: User, now: dt.datetime
) -> None:
    other = new_table(anna, now, title="Friday", is_listed=True)
    seat = leave(game, ben, now)
    with pytest.raises(Conflict, match="Thursday"):
        lifecycle.join(game_id=other.pk, user=ben, now=now)
    with pytest.raises(Conflict, match="Thursday"):
        new_table(ben, now)
    absences.come_back(seat_id=seat.pk, now=now)
    lifecycle.join(game_id=other.pk, user=ben, now=now)
    leave(game, ben, now)
    Game.objects.filter(pk=game.pk).update(status="finished")
    assert new_table(ben, now).host == ben, "the game is over: nobody plays on"
