"""Bot accounts: owned by people, seated by hosts, treated as players, never taken for people."""

import datetime as dt

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from games.errors import Conflict, Illegal, LimitReached, NotFound, ServiceError, TooMany
from games.lobby import bot_accounts, lifecycle, rematch
from games.models import ApiToken, Game, Seat, User
from games.moderation import people
from games.people import alerts, sessions, tokens
from games.play import absences, deadlines, game_moves, lists, pauses, queries, table_talk
from games.privacy import erasure, retention
from notifications.models import Notice
from tests.games.conftest import deliveries, fresh, make_user, new_table, open_rows, seat_of, settle, to_placing

DAY = dt.timedelta(days=1)


@pytest.fixture
def robo(ben: User, now: dt.datetime) -> User:
    """Ben's bot, which every host may seat."""
    return bot_accounts.create(owner=ben, name="Robo", is_for_all=True, now=now)


@pytest.fixture
def playing(anna: User, carla: User, robo: User, now: dt.datetime) -> Game:
    """Anna hosts, Carla and Robo play; a miss makes a seat absent."""
    table = new_table(anna, now, is_first_miss_excused=False, absent_after=1)
    lifecycle.add_bot(game_id=table.pk, host=anna, bot="robo", now=now)
    lifecycle.join(game_id=table.pk, user=carla, now=now)
    lifecycle.start(game_id=table.pk, host=anna, now=now)
    return to_placing(fresh(table), now)


def miss(game: Game, user: User, now: dt.datetime) -> None:
    """Lets the time of this player's next question run out; everybody else answers."""
    for _turn in range(20):
        settle(now)
        row = open_rows(game)[0]
        if row.seat.user == user:
            assert row.due_at is not None
            assert deadlines.expire_one(row.due_at)
            return
        game_moves.submit(game_id=game.pk, seat=row.seat.number, decision=row.code, action=None, source="deadline",
                    received_at=now)  # fmt: skip
    raise AssertionError("he is never asked")


def suspend(user: User, now: dt.datetime) -> None:
    """A moderator closes somebody's account."""
    moderator = User.objects.create_superuser("eve@example.org", name="Eve")
    people.suspend(user=user, by=moderator, reason="storm", now=now)


def test_a_host_seats_it_by_its_name_and_everybody_sees_that_it_is_a_bot(
    anna: User, robo: User, table: Game, now: dt.datetime
) -> None:
    seat = lifecycle.add_bot(game_id=table.pk, host=anna, bot="ROBO", now=now)
    assert (seat.user, seat.name, seat.bot, seat.owner_name) == (robo, "Bot Robo", "", "Ben")
    assert (seat.is_person, seat.is_bot, seat.has_a_say) == (True, True, False)
    with pytest.raises(Conflict):
        lifecycle.add_bot(game_id=table.pk, host=anna, bot="Robo", now=now)
    assert not lists.listed_tables(lists.TableFilter(has_bots=False)).exists()
    lifecycle.remove_seat(game_id=table.pk, host=anna, number=seat.number)
    assert not table.seats.filter(user=robo).exists()


def test_one_that_is_its_owners_alone_is_to_other_hosts_as_if_there_were_none(
    anna: User, ben: User, robo: User, table: Game, now: dt.datetime
) -> None:
    bot_accounts.change(bot=robo, name="Robo", is_for_all=False)
    with pytest.raises(ServiceError) as hidden:
        lifecycle.add_bot(game_id=table.pk, host=anna, bot="Robo", now=now)
    with pytest.raises(ServiceError) as unknown:
        lifecycle.add_bot(game_id=table.pk, host=anna, bot="Nobody", now=now)
    assert str(hidden.value) == str(unknown.value)
    own = new_table(ben, now, bots=("Robo", "greedy"), allows_own_bots=True)
    assert own.seats.filter(user=robo, owner=ben).exists()


def test_no_person_is_seated_as_a_bot(anna: User, carla: User, table: Game, now: dt.datetime) -> None:
    for name in ("Carla", "", "\x00", "Anna"):
        with pytest.raises(ServiceError):
            lifecycle.add_bot(game_id=table.pk, host=anna, bot=name, now=now)


@pytest.mark.parametrize(
    ("name", "error"),
    [("ROBO", Conflict), ("greedy", Illegal), ("Greedy", Illegal), (" \t\x00", Illegal), ("x" * 31, Illegal)],
)
def test_names_are_each_of_one_bot(carla: User, robo: User, name: str, error: type, now: dt.datetime) -> None:
    with pytest.raises(error):
        bot_accounts.create(owner=carla, name=name, is_for_all=False, now=now)
    other = bot_accounts.create(owner=carla, name="Carlo", is_for_all=False, now=now)
    with pytest.raises(error):
        bot_accounts.change(bot=other, name=name, is_for_all=False)
    assert User.objects.get(pk=other.pk).name == "Carlo"


def test_an_owner_has_few_and_makes_few_in_a_day(anna: User, now: dt.datetime) -> None:
    for number in range(bot_accounts.MOST):
        made = bot_accounts.create(owner=anna, name=f"Robo {number}", is_for_all=False, now=now)
    with pytest.raises(LimitReached):
        bot_accounts.create(owner=anna, name="One more", is_for_all=False, now=now)
    for number in range(bot_accounts.MOST, bot_accounts.MOST_A_DAY):
        bot_accounts.close(bot=made, now=now)
        made = bot_accounts.create(owner=anna, name=f"Robo {number}", is_for_all=False, now=now)
    bot_accounts.close(bot=made, now=now)
    with pytest.raises(TooMany):
        bot_accounts.create(owner=anna, name="One more", is_for_all=False, now=now)
    assert bot_accounts.create(owner=anna, name="One more", is_for_all=False, now=now + 2 * DAY)


def test_only_its_owner_finds_it(anna: User, ben: User, robo: User) -> None:
    assert bot_accounts.find(ben, robo.ref) == robo
    for stranger in (anna, robo):
        with pytest.raises(NotFound):
            bot_accounts.find(stranger, robo.ref)


def test_it_has_one_token_and_its_owner_is_told_of_it(ben: User, robo: User, now: dt.datetime) -> None:
    assert bot_accounts.state_of(robo) == "silent"
    first, second = (bot_accounts.renew_token(bot=robo, now=now) for _time in range(2))
    assert tokens.find(first, now) is None
    found = tokens.find(second, now)
    assert found is not None and found.user == robo and bot_accounts.state_of(robo) == "ready"
    told = Notice.objects.filter(kind="token_made")
    assert {notice.recipient_id for notice in told} == {ben.recipient_id} and len(told) == 2
    bot_accounts.revoke_token(bot=robo, now=now)
    assert tokens.find(second, now) is None


def test_it_was_not_i_voids_the_tokens_of_ones_bots_too(ben: User, robo: User, now: dt.datetime) -> None:
    token = bot_accounts.renew_token(bot=robo, now=now)
    assert alerts.disown(Notice.objects.get(kind="token_made"), now)
    assert tokens.find(token, now) is None


def test_nobody_signs_in_as_a_bot_and_no_mail_goes_to_it(
    robo: User, playing: Game, client: Client, mailoutbox: list[object]
) -> None:
    cache.clear()
    for name, field in (("account_request_login_code", "email"), ("account_reset_password", "email")):
        client.post(reverse(name), {field: robo.email})
    assert mailoutbox == []
    assert not deliveries().filter(recipient=robo.recipient).exists()
    assert Notice.objects.filter(recipient=robo.recipient, kind="started").exists()
    assert (robo.address, robo.recipient.address, robo.has_usable_password()) == (None, "", False)


def test_its_deadline_counts_though_no_mail_told_it_and_its_owner_hears_once_a_day(
    ben: User, robo: User, playing: Game, now: dt.datetime
) -> None:
    miss(playing, robo, now)
    seat = seat_of(playing, robo)
    assert seat.status == Seat.Status.ABSENT
    absences.come_back(seat_id=seat.pk, now=now + DAY)
    absences.make_absent(seat_of(playing, robo), open_rows(playing)[0], now + DAY)
    told = Notice.objects.get(kind="bot_absent")
    assert told.recipient == ben.recipient
    assert deliveries().get(notice=told).channel == "mail"


def test_it_votes_on_nothing(anna: User, carla: User, robo: User, playing: Game, now: dt.datetime) -> None:
    numbers = {user: seat_of(playing, user).number for user in (anna, carla, robo)}
    for wish in (pauses.set_wish, game_moves.set_end_wish):
        with pytest.raises(Conflict):
            wish(game_id=playing.pk, seat=numbers[robo], is_wanted=True, now=now)
    for user in (anna, carla):
        game_moves.set_end_wish(game_id=playing.pk, seat=numbers[user], is_wanted=True, now=now)
    assert fresh(playing).status == Game.Status.CLOSED


def test_a_game_sleeps_when_all_its_people_are_away_though_a_bot_is_there(
    anna: User, carla: User, playing: Game, now: dt.datetime
) -> None:
    for user in (anna, carla):
        absences.leave(absences.locked_seat(seat_of(playing, user).pk), now)
    assert queries.is_asleep(fresh(playing))
    before = fresh(playing).seq
    settle(now)
    assert fresh(playing).seq == before


def test_the_last_person_ends_a_game_with_a_bot_in_it(anna: User, carla: User, playing: Game, now: dt.datetime) -> None:
    game_moves.resign(game_id=playing.pk, seat=seat_of(playing, carla).number, actor=carla, source="web", now=now)
    game_moves.end_by_wish(game_id=playing.pk, seat=seat_of(playing, anna).number, actor=anna, source="web", now=now)
    assert fresh(playing).status == Game.Status.FINISHED


def test_while_it_rests_nobody_waits_for_it_seats_it_or_hears_its_token(
    anna: User, robo: User, playing: Game, table: Game, now: dt.datetime
) -> None:
    token = bot_accounts.renew_token(bot=robo, now=now)
    lifecycle.add_bot(game_id=table.pk, host=anna, bot="Robo", now=now)
    bot_accounts.switch(bot=robo, is_on=False, now=now)
    bot_accounts.switch(bot=robo, is_on=False, now=now + DAY)
    assert robo.paused_at == now and bot_accounts.state_of(robo) == "paused"
    assert seat_of(playing, robo).status == Seat.Status.ABSENT
    assert not table.seats.filter(user=robo).exists() and tokens.find(token, now) is None
    with pytest.raises(ServiceError):
        lifecycle.add_bot(game_id=table.pk, host=anna, bot="Robo", now=now)
    bot_accounts.switch(bot=robo, is_on=True, now=now)
    assert tokens.find(token, now) is not None
    assert lifecycle.add_bot(game_id=table.pk, host=anna, bot="Robo", now=now)
    assert absences.come_back(seat_id=seat_of(playing, robo).pk, now=now).status == Seat.Status.ACTIVE


def test_with_its_owners_account_it_is_closed(
    anna: User, ben: User, robo: User, playing: Game, table: Game, now: dt.datetime
) -> None:
    token = bot_accounts.renew_token(bot=robo, now=now)
    suspend(ben, now)
    assert seat_of(playing, robo).status == Seat.Status.ABSENT and tokens.find(token, now) is None
    with pytest.raises(ServiceError):
        lifecycle.add_bot(game_id=table.pk, host=anna, bot="Robo", now=now)


def test_what_moderators_do_to_it_its_owner_reads(ben: User, robo: User, playing: Game, now: dt.datetime) -> None:
    suspend(robo, now)
    assert seat_of(playing, robo).status == Seat.Status.ABSENT and bot_accounts.state_of(robo) == "silent"
    robo.refresh_from_db()
    assert bot_accounts.state_of(robo) == "closed" and User.objects.get(pk=ben.pk).is_active
    assert Notice.objects.get(kind="moderated").recipient == ben.recipient


def test_who_is_silenced_does_not_speak_through_his_bot(ben: User, robo: User, playing: Game, now: dt.datetime) -> None:
    assert table_talk.say(game_id=playing.pk, user=robo, text="beep", now=now).name == "Bot Robo"
    User.objects.filter(pk=ben.pk).update(silent_until=now + DAY)
    with pytest.raises(ServiceError):
        table_talk.say(game_id=playing.pk, user=robo, text="beep beep", now=now)


def test_closed_it_leaves_its_seats_and_its_name_is_free(
    carla: User, robo: User, playing: Game, now: dt.datetime
) -> None:
    bot_accounts.renew_token(bot=robo, now=now)
    bot_accounts.close(bot=robo, now=now)
    assert not bot_accounts.own(robo.owner).exists() and not ApiToken.objects.filter(revoked_at=None).exists()  # type: ignore[arg-type]  # it has one
    assert erasure.erase_one(now) and not erasure.erase_one(now)
    seat = seat_of(playing, robo)
    assert (seat.status, seat.name, seat.is_bot, seat.owner_name) == ("absent", "", True, "Ben")
    assert fresh(playing).status == Game.Status.RUNNING
    assert bot_accounts.create(owner=carla, name="Robo", is_for_all=False, now=now)


def test_who_deletes_his_account_takes_his_bots_with_him(
    ben: User, robo: User, playing: Game, now: dt.datetime
) -> None:
    assert erasure.erase(ben, takes_words=False, now=now)
    robo.refresh_from_db()
    assert (robo.name, robo.is_active, robo.erased_at, robo.owner) == ("", False, now, ben)
    assert seat_of(playing, robo).status == Seat.Status.ABSENT and fresh(playing).status == Game.Status.RUNNING


def test_a_game_is_closed_when_only_bots_are_left(anna: User, robo: User, now: dt.datetime) -> None:
    table = new_table(anna, now, bots=("Robo", "greedy"))
    lifecycle.start(game_id=table.pk, host=anna, now=now)
    erasure.erase(anna, takes_words=False, now=now)
    assert fresh(table).status == Game.Status.CLOSED and fresh(table).host == anna


def test_an_owner_and_his_bot_do_not_look_like_two_accounts_of_one_person(
    ben: User, robo: User, now: dt.datetime
) -> None:
    sessions.record_sign_in(user=ben, address="192.0.2.7", browser="Firefox", now=now)
    for _game in range(people.FEW_GAMES):
        new_table(ben, now, bots=("Robo",), allows_own_bots=True)
    assert people.find_hints(ben, now) == [] == people.find_hints(robo, now)


def test_once_more_it_is_seated_again_or_missed(
    anna: User, carla: User, robo: User, playing: Game, now: dt.datetime
) -> None:
    game_moves.close_game(fresh(playing), now)
    first = rematch.open_rematch(game_id=playing.pk, user=anna, now=now)
    assert first.missing == [] and first.table.seats.filter(user=robo, name="Bot Robo").exists()
    lifecycle.close(game_id=first.table.pk, host=anna, now=now)
    bot_accounts.change(bot=robo, name="Robo", is_for_all=False)
    assert rematch.open_rematch(game_id=playing.pk, user=anna, now=now).missing == ["Bot Robo"]


def test_it_stays_though_no_address_of_it_was_ever_confirmed(robo: User, now: dt.datetime) -> None:
    stranger = make_user("Gil")
    User.objects.filter(pk=stranger.pk).update(date_joined=now)
    while retention.clear_some(now + 90 * DAY):
        pass
    assert not User.objects.filter(pk=stranger.pk).exists()
    assert User.objects.filter(pk__in=(robo.pk, robo.owner_id)).count() == 2
