"""The host hands his role to somebody at the table, who accepts or declines."""

import datetime as dt
from itertools import islice, pairwise

import pytest
from django.test import Client
from django.urls import reverse

from games.errors import Conflict, LimitReached, NotFound, TooMany
from games.lobby import bot_accounts, hosting, lifecycle
from games.models import Game, HostOffer, Look, ModerationEntry, Seat, User
from games.moderation import tables
from games.play import queries, table_talk
from notifications.clock import present
from notifications.composers import composer_for
from notifications.messages import Form, MailMessage
from notifications.models import Notice
from tests.games.conftest import fresh, new_table, seat_of
from tests.games.web.filling import pressed, soup_of, words


@pytest.fixture
def asked(game: Game, anna: User, ben: User, now: dt.datetime) -> HostOffer:
    """Anna has asked Ben, in a running game."""
    return hosting.offer_role(game_id=game.pk, host=anna, seat=seat_of(game, ben).number, now=now)


def test_the_role_changes_hands_when_it_is_accepted_and_not_before(
    game: Game, asked: HostOffer, anna: User, ben: User, now: dt.datetime
) -> None:
    assert fresh(game).host == anna
    hosting.accept_offer(offer=asked, now=now)
    assert fresh(game).host == ben
    assert seat_of(game, anna).status == Seat.Status.ACTIVE, "she plays on"
    with pytest.raises(Conflict, match="no longer open"):
        hosting.accept_offer(offer=asked, now=now)


def test_all_at_the_table_are_told_and_the_log_says_it(
    game: Game, asked: HostOffer, carla: User, now: dt.datetime
) -> None:
    hosting.accept_offer(offer=asked, now=now)
    told = Notice.objects.filter(kind="host_changed")
    assert {row.recipient.name for row in told} == {"Anna", "Carla"}
    mail = composer_for("host_changed").compose(told.get(recipient=carla.recipient), "en", Form.LETTER)
    assert isinstance(mail, MailMessage) and mail.subject == "Ben is now the host of Thursday"
    entry = queries.moderation(queries.access_game(carla, game.ref))[0]
    assert entry.action == ModerationEntry.Action.HAND_OVER and entry.reason_in_words == "The new host has accepted."


def test_who_declines_is_asked_no_more_and_somebody_else_can_be(
    game: Game, asked: HostOffer, anna: User, carla: User, now: dt.datetime
) -> None:
    with pytest.raises(Conflict, match="Withdraw that offer first"):
        hosting.offer_role(game_id=game.pk, host=anna, seat=seat_of(game, carla).number, now=now)
    hosting.decline_offer(offer=asked)
    hosting.decline_offer(offer=asked)
    assert hosting.offer_role(game_id=game.pk, host=anna, seat=seat_of(game, carla).number, now=now).user == carla
    assert fresh(game).host == anna


def test_an_offer_is_withdrawn_by_its_host_alone(game: Game, asked: HostOffer, anna: User, ben: User) -> None:
    with pytest.raises(NotFound):
        hosting.withdraw_offer(game_id=game.pk, host=ben)
    hosting.withdraw_offer(game_id=game.pk, host=anna)
    assert hosting.offer_of(game) is None
    with pytest.raises(NotFound):
        hosting.withdraw_offer(game_id=game.pk, host=anna)


def test_only_a_person_who_plays_there_can_be_asked_and_only_by_the_host(
    anna: User, ben: User, now: dt.datetime
) -> None:
    game = new_table(anna, now, seat_count=4)
    lifecycle.add_bot(game_id=game.pk, host=anna, bot="greedy", now=now)
    robo = bot_accounts.create(owner=anna, name="Robo", is_for_all=True, now=now)
    Game.objects.filter(pk=game.pk).update(allows_own_bots=True)
    lifecycle.add_bot(game_id=game.pk, host=anna, bot=robo.name, now=now)
    lifecycle.join(game_id=game.pk, user=ben, now=now)
    assert [seat.name for seat in hosting.host_candidates(fresh(game))] == ["Ben"]
    for number in (0, 1, 2, 9):
        with pytest.raises(Conflict):
            hosting.offer_role(game_id=game.pk, host=anna, seat=number, now=now)
    with pytest.raises(NotFound):
        hosting.offer_role(game_id=game.pk, host=ben, seat=0, now=now)


def test_who_has_resigned_since_cannot_accept(game: Game, asked: HostOffer, ben: User, now: dt.datetime) -> None:
    game.seats.filter(user=ben).update(status=Seat.Status.RESIGNED)
    with pytest.raises(Conflict, match="no longer open"):
        hosting.accept_offer(offer=asked, now=now)


def test_asking_the_same_person_again_writes_no_second_email(
    game: Game, asked: HostOffer, anna: User, ben: User, now: dt.datetime
) -> None:
    number = seat_of(game, ben).number
    assert hosting.offer_role(game_id=game.pk, host=anna, seat=number, now=now) == asked
    hosting.withdraw_offer(game_id=game.pk, host=anna)
    hosting.offer_role(game_id=game.pk, host=anna, seat=number, now=now)
    assert Notice.objects.filter(kind="host_offered").count() == 1


def test_the_new_host_of_a_waiting_table_may_do_what_hosts_do(
    table: Game, anna: User, ben: User, now: dt.datetime
) -> None:
    lifecycle.join(game_id=table.pk, user=ben, now=now)
    hosting.accept_offer(offer=hosting.offer_role(game_id=table.pk, host=anna, seat=1, now=now), now=now)
    lifecycle.add_bot(game_id=table.pk, host=ben, bot="greedy", now=now)
    lifecycle.leave(game_id=table.pk, user=anna)
    with pytest.raises(NotFound):
        lifecycle.close(game_id=table.pk, host=anna, now=now)


def test_a_host_of_too_many_open_tables_takes_no_more(
    table: Game, anna: User, ben: User, now: dt.datetime, settings: object
) -> None:
    settings.OPEN_TABLES_PER_HOST = 1  # type: ignore[attr-defined]
    lifecycle.join(game_id=table.pk, user=ben, now=now)
    made = hosting.offer_role(game_id=table.pk, host=anna, seat=1, now=now)
    new_table(ben, now)
    with pytest.raises(LimitReached):
        hosting.accept_offer(offer=made, now=now)
    assert fresh(table).host == anna


def test_the_role_does_not_go_to_and_fro_all_day(game: Game, anna: User, ben: User, now: dt.datetime) -> None:
    hosts = [anna, ben] * hosting.HOST_CHANGES_A_DAY
    for host, other in islice(pairwise(hosts), hosting.HOST_CHANGES_A_DAY):
        made = hosting.offer_role(game_id=game.pk, host=host, seat=seat_of(game, other).number, now=now)
        hosting.accept_offer(offer=made, now=now)
    host, other = hosts[hosting.HOST_CHANGES_A_DAY : hosting.HOST_CHANGES_A_DAY + 2]
    with pytest.raises(TooMany, match="several times today"):
        hosting.offer_role(game_id=game.pk, host=host, seat=seat_of(game, other).number, now=now)
    tomorrow = now + dt.timedelta(days=1, seconds=1)
    hosting.offer_role(game_id=game.pk, host=host, seat=seat_of(game, other).number, now=tomorrow)


def vanish(game: Game, host: User) -> None:
    """The host has missed too much."""
    game.seats.filter(user=host).update(status=Seat.Status.ABSENT)


def test_a_player_takes_the_role_of_a_host_who_has_vanished_for_a_week(
    game: Game, anna: User, ben: User, carla: User, now: dt.datetime
) -> None:
    late = now + hosting.VANISHED_AFTER + dt.timedelta(minutes=1)
    with pytest.raises(Conflict, match="was lately"):
        hosting.take_role(game_id=game.pk, user=ben, now=late)
    vanish(game, anna)
    with pytest.raises(Conflict, match="was lately"):
        hosting.take_role(game_id=game.pk, user=ben, now=now + hosting.VANISHED_AFTER - dt.timedelta(minutes=1))
    hosting.take_role(game_id=game.pk, user=ben, now=late)
    assert hosting.take_role(game_id=game.pk, user=ben, now=late).host == ben, "pressing twice is harmless"
    assert fresh(game).host == ben
    told = Notice.objects.filter(kind="host_changed")
    assert {row.recipient.name for row in told} == {"Anna", "Carla"}
    mail = composer_for("host_changed").compose(told.get(recipient=carla.recipient), "en", Form.LETTER)
    assert isinstance(mail, MailMessage) and "another player has taken the role" in mail.text
    entry = queries.moderation(queries.access_game(carla, game.ref))[0]
    assert (entry.actor, entry.action) == (ben, ModerationEntry.Action.HAND_OVER)


@pytest.mark.parametrize("sign", ["looks", "talks", "extends"])
def test_a_host_who_does_anything_at_the_table_has_not_vanished(
    game: Game, anna: User, ben: User, now: dt.datetime, sign: str
) -> None:
    vanish(game, anna)
    late = now + hosting.VANISHED_AFTER + dt.timedelta(minutes=1)
    if sign == "looks":
        Look.objects.create(game=game, user=anna, looked_at=late)
    elif sign == "talks":
        table_talk.say(game_id=game.pk, user=anna, text="I am here.", now=late)
    else:
        tables.extend(game=game, by=anna, hours=1, reason="We'd like to go on.", now=late)
    assert not hosting.has_vanished(fresh(game), late)
    assert hosting.has_vanished(fresh(game), late + hosting.VANISHED_AFTER + dt.timedelta(minutes=1))


def test_only_who_plays_there_can_take_the_role(
    game: Game, anna: User, carla: User, david: User, now: dt.datetime
) -> None:
    vanish(game, anna)
    game.seats.filter(user=carla).update(status=Seat.Status.RESIGNED)
    late = now + hosting.VANISHED_AFTER + dt.timedelta(minutes=1)
    for nobody in (carla, david):
        with pytest.raises(NotFound):
            hosting.take_role(game_id=game.pk, user=nobody, now=late)


# By email and page


def test_the_role_is_offered_on_the_page_once_its_host_has_vanished(
    game: Game, anna: User, ben: User, client: Client, now: dt.datetime
) -> None:
    client.force_login(ben)
    address = reverse("care", args=[game.ref])
    vanish(game, anna)
    with present.going_by(lambda: now):
        assert "Become the host" not in words(client.get(address))
    with present.going_by(lambda: now + hosting.VANISHED_AFTER + dt.timedelta(minutes=1)):
        assert "Become the host" in words(client.get(address))
        assert "You are the host now." in words(client.post(reverse("take_host_role", args=[game.ref]), follow=True))
    assert fresh(game).host == ben


def test_the_link_in_the_email_asks_and_a_button_answers(
    game: Game, asked: HostOffer, ben: User, client: Client
) -> None:
    notice = Notice.objects.get(kind="host_offered")
    mail = composer_for("host_offered").compose(notice, "en", Form.LETTER)
    assert isinstance(mail, MailMessage)
    url = hosting.host_offer_url(asked)
    assert url in mail.text and mail.subject == "Thursday: would you be the host?"
    page = client.get(url)
    assert "Anna asks you to be the host" in words(page)
    asked_who = client.post(url, {"answer": "accept"})
    assert soup_of(asked_who).select_one("form.who") and fresh(game).host != ben, (
        "a scanner that presses buttons is nobody"
    )
    nothing = client.post(url, pressed())
    assert nothing.status_code == 422 and "Please choose whether you accept." in words(nothing)
    done = client.post(url, {"answer": "accept", **pressed()})
    assert "You are the host now." in words(done)
    assert fresh(game).host == ben
    assert client.get(url).status_code == 404, "the link has done its work"


def test_the_host_asks_and_takes_back_on_the_page_of_his_tools(
    game: Game, anna: User, ben: User, client: Client
) -> None:
    client.force_login(anna)
    address = reverse("care", args=[game.ref])
    number = seat_of(game, ben).number
    page = client.post(address, {"act": "hand_over", "hand_over-seat": str(number)}, follow=True)
    assert "Ben has been asked. You stay the host until they accept." in words(page)
    assert "Ben has been asked and hasn't answered yet." in words(page)
    assert not soup_of(page).select("[name=hand_over-seat]")
    page = client.post(reverse("withdraw_host_offer", args=[game.ref]), follow=True)
    assert "The offer is withdrawn." in words(page)
    wrong = client.post(address, {"act": "hand_over", "hand_over-seat": "77"})
    assert wrong.status_code == 400 and not HostOffer.objects.exists()


def test_who_is_asked_before_the_game_finds_it_in_the_waiting_room(
    table: Game, anna: User, ben: User, now: dt.datetime, client: Client
) -> None:
    lifecycle.join(game_id=table.pk, user=ben, now=now)
    made = hosting.offer_role(game_id=table.pk, host=anna, seat=1, now=now)
    client.force_login(ben)
    page = soup_of(client.get(reverse("table", args=[table.ref])))
    assert page.select_one(f"a[href='{hosting.host_offer_url(made)}']")
    client.force_login(anna)
    page = soup_of(client.get(reverse("table", args=[table.ref])))
    assert not page.select(f"a[href='{hosting.host_offer_url(made)}']")
