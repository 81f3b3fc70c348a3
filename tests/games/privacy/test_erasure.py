"""Who deletes his account is gone from every table, and no game is changed by it."""

import datetime as dt
import re

import pytest
from django.test import RequestFactory

from games.errors import Conflict, Illegal, ServiceError
from games.lobby import invitations, lifecycle
from games.models import Comment, Erasure, Game, Invitation, Seat, User
from games.people import alerts, sign_in, tokens
from games.people.sessions import on_sign_in
from games.play import absences, history, queries
from games.play.replay import replay
from games.privacy import erasure
from notifications.channels.mail.suppressions import is_suppressed
from notifications.models import Notice, Recipient
from tests.games.conftest import answer, deliveries, fresh, make_user, new_table, open_rows, seat_of, settle
from tests.games.privacy.conftest import whole_database

pytestmark = [pytest.mark.slow, pytest.mark.both]
DAY = dt.timedelta(days=1)


def ask(user: User, now: dt.datetime, *, takes_words: bool = False) -> Erasure:
    return erasure.ask(user=user, address=user.email, takes_words=takes_words, now=now)


def test_it_is_done_after_its_days_and_not_before(ben: User, now: dt.datetime) -> None:
    User.objects.filter(pk=ben.pk).update(is_ranked=True)
    ask(ben, now)
    assert not erasure.erase_one(now + 7 * DAY - dt.timedelta(seconds=1))
    assert erasure.erase_one(now + 7 * DAY)
    assert not erasure.erase_one(now + 8 * DAY)
    ben.refresh_from_db()
    assert (ben.name, ben.is_active, ben.erased_at) == ("", False, now + 7 * DAY)
    assert not (ben.is_ranked or ben.has_profile)


def test_until_then_it_can_be_taken_back(ben: User, now: dt.datetime) -> None:
    ask(ben, now)
    assert erasure.take_back(user=ben)
    assert not erasure.take_back(user=ben)
    assert not erasure.erase_one(now + 9 * DAY)


def test_the_mail_tells_of_it_and_its_link_stops_it(ben: User, now: dt.datetime) -> None:
    ask(ben, now)
    notice = ben.recipient.notices.get(kind="erasure_asked")
    assert alerts.disown(notice, now + DAY)
    assert not Erasure.objects.exists()


def test_only_who_knows_the_address_and_no_staff_may_ask_and_once(ben: User, now: dt.datetime) -> None:
    with pytest.raises(Illegal):
        erasure.ask(user=ben, address="anna@example.org", takes_words=False, now=now)
    erasure.ask(user=ben, address=" BEN@example.org ", takes_words=False, now=now)
    with pytest.raises(Conflict):
        ask(ben, now)
    staff = User.objects.create_user("eve@example.org", is_staff=True)
    with pytest.raises(Conflict):
        ask(staff, now)
    assert Erasure.objects.count() == 1


def test_neither_address_nor_name_is_left_in_the_whole_database(busy_ben: User, now: dt.datetime) -> None:
    ask(busy_ben, now)
    assert "ben@example.org" in whole_database()
    erasure.erase_one(now + 8 * DAY)
    text = whole_database()
    assert "ben@" not in text
    Comment.objects.update(text="")  # what people write themselves stays, but for names behind an @
    assert not re.search(r'"ben(?![a-z2-9]{9}")', whole_database())  # a reference drawn by lot may begin so


def test_the_game_goes_on_with_a_vacant_seat_and_replays_to_the_same_hash(
    placing: Game, anna: User, busy_ben: User, now: dt.datetime
) -> None:
    chain = list(placing.moves.values_list("seq", "chain", "action", "events"))
    erasure.erase(busy_ben, takes_words=False, now=now)
    assert list(placing.moves.values_list("seq", "chain", "action", "events")) == chain
    assert fresh(placing).status == Game.Status.RUNNING
    seat = seat_of(placing, busy_ben)
    assert (seat.status, seat.name, seat.display_name) == ("absent", "", f"Former player {seat.number + 1}")
    for dice in range(6):
        settle(now)
        assert all(row.seat.user != busy_ben for row in open_rows(placing)), dice
        answer(placing, open_rows(placing)[0], now)
    replay(fresh(placing))
    assert "Former player" in " ".join(line.text for line in history.log_lines(queries.access_game(anna, placing.ref)))


def test_his_seat_can_be_taken_over_and_his_links_are_dead(
    anna: User, ben: User, carla: User, david: User, now: dt.datetime
) -> None:
    game = new_table(anna, now, absent_seats="takeover")
    for guest in (ben, carla):
        lifecycle.join(game_id=game.pk, user=guest, now=now)
    lifecycle.start(game_id=game.pk, host=anna, now=now)
    generation = seat_of(game, ben).link_generation
    erasure.erase(ben, takes_words=False, now=now)
    seat = seat_of(game, ben)
    assert seat.link_generation > generation
    absences.take_over(seat_id=seat.pk, user=david, now=now)
    assert seat_of(game, david).display_name == "David"


def test_a_table_he_hosts_gets_another_host_and_one_that_has_not_begun_is_closed(
    game: Game, anna: User, ben: User, now: dt.datetime
) -> None:
    opened = new_table(anna, now)
    guest_of = new_table(ben, now)
    lifecycle.join(game_id=guest_of.pk, user=anna, now=now)
    erasure.erase(anna, takes_words=False, now=now)
    assert fresh(game).host != anna
    assert fresh(game).status == Game.Status.RUNNING
    assert fresh(opened).status == Game.Status.CLOSED
    assert list(guest_of.seats.values_list("user", flat=True)) == [ben.pk]


def test_a_game_that_all_its_people_have_left_ends(
    game: Game, anna: User, ben: User, carla: User, now: dt.datetime
) -> None:
    for user in (anna, ben):
        erasure.erase(user, takes_words=False, now=now)
        assert fresh(game).status == Game.Status.RUNNING
    erasure.erase(carla, takes_words=False, now=now)
    assert fresh(game).status == Game.Status.CLOSED


def test_a_game_in_quarantine_does_not_hold_him(game: Game, ben: User, now: dt.datetime) -> None:
    Game.objects.update(quarantined_at=now, state="broken")
    assert erasure.erase(ben, takes_words=False, now=now)
    assert seat_of(game, ben).status == Seat.Status.ABSENT


def test_his_words_stay_as_a_former_players_or_go_as_he_wishes(
    placing: Game, busy_ben: User, carla: User, now: dt.datetime
) -> None:
    Comment.objects.create(game=placing, author=carla, name="Carla", text="I go too")
    erasure.erase(busy_ben, takes_words=False, now=now)
    said = [(one.speaker, one.text) for one in placing.comments.all()]
    assert said[0] == ("Former player", "I am Ben and I say so")
    assert said[1] == ("Anna", "@…, your move! @Benno is nobody")
    erasure.erase(carla, takes_words=True, now=now)
    last = placing.comments.last()
    assert last is not None
    assert (last.is_hidden, last.text) == (True, "")


def test_nobody_writes_to_him_again_unless_he_comes_back(ben: User, anna: User, table: Game, now: dt.datetime) -> None:
    address = ben.email
    erasure.erase(ben, takes_words=False, now=now)
    assert is_suppressed(address)
    with pytest.raises(ServiceError, match="can't send an invitation"):
        invitations.invite(game_id=table.pk, host=anna, address=address, now=now)
    again = make_user("Ben")
    assert again.pk != ben.pk

    on_sign_in(None, request=RequestFactory().get("/"), user=again)
    assert not is_suppressed(address)


def test_his_keys_are_dead(ben: User, now: dt.datetime) -> None:
    _row, token = tokens.create_token(user=ben, name="script", now=now)
    link = sign_in.sign_in_link(ben).split("sesame=", 1)[1]
    erasure.erase(ben, takes_words=False, now=now)
    assert tokens.find(token, now) is None
    assert sign_in.find_user_by_link(link) is None


def test_while_a_mail_is_on_its_way_to_him_it_waits(ben: User, now: dt.datetime) -> None:
    ask(ben, now)
    due = now + 7 * DAY
    deliveries().update(lease_until=due + dt.timedelta(seconds=30))
    assert erasure.erase_one(due)
    assert Notice.objects.exists()
    assert not erasure.erase_one(due + dt.timedelta(minutes=1))
    assert erasure.erase_one(due + erasure.AGAIN_AFTER)
    assert not Notice.objects.filter(recipient=ben.recipient).exists()


def test_one_that_fails_is_tried_again_and_hinders_no_other(
    anna: User, ben: User, now: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(anna, now)
    ask(ben, now + DAY)
    erase_data = erasure._erase_data

    def broken(user: User, *args: object, **facts: object) -> None:
        if user == anna:
            raise ZeroDivisionError
        erase_data(user, *args, **facts)  # type: ignore[arg-type]

    monkeypatch.setattr(erasure, "_erase_data", broken)
    later = now + 9 * DAY
    assert erasure.erase_one(later)
    assert erasure.erase_one(later)
    assert not erasure.erase_one(later)
    monkeypatch.undo()
    assert erasure.erase_one(later + erasure.AGAIN_AFTER)
    assert User.objects.filter(erased_at=None, pk__in=(anna.pk, ben.pk)).count() == 0


def test_what_others_have_with_him_stays_theirs(busy_ben: User, anna: User, now: dt.datetime) -> None:
    invitation = Invitation.objects.get(inviter=busy_ben)
    erasure.erase(busy_ben, takes_words=False, now=now)
    assert not Invitation.objects.filter(pk=invitation.pk).exists()
    assert Recipient.objects.filter(address="anna@example.org").exists()
    assert anna.recipient.notices.exists()
