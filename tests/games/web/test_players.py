"""What others see of a person, who may watch a table, and playing once more with the same people."""

import datetime as dt

import pytest
from django.test import Client
from django.urls import reverse

from games.lobby import rematch
from games.models import Game, Invitation, User
from games.play import game_moves
from notifications.channels.mail import suppressions
from notifications.models import Notice
from tests.games.conftest import fresh, open_rows, running, seat_of
from tests.games.letters.conftest import end_soon
from tests.games.web.filling import soup_of, words

pytestmark = [pytest.mark.slow, pytest.mark.both]


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def profile(user: User) -> str:
    return reverse("player", args=[user.ref])


@pytest.fixture
def over(game: Game, anna: User, now: dt.datetime) -> Game:
    return end_soon(game, anna, now)


# The page of a person


def test_a_finished_game_stands_on_the_pages_of_its_players_with_their_places(
    over: Game, anna: User, ben: User
) -> None:
    client = signed_in(ben)
    page = words(client.get(profile(anna)))
    assert "Anna" in page and "1 game, 1 of them won" in page and "Thursday place 1 of 3 Aladdin's Dragons" in page
    assert "1 game, 0 of them won" in words(client.get(profile(ben)))
    assert anna.email not in client.get(profile(anna)).content.decode()


def test_of_games_one_may_not_see_the_page_says_nothing(over: Game, anna: User, david: User) -> None:
    for reader in (signed_in(david), Client()):
        page = words(reader.get(profile(anna)))
        assert "There are no finished games you can see." in page and "Thursday" not in page
    Game.objects.filter(pk=over.pk).update(is_watchable=True)
    for reader in (signed_in(david), Client()):
        assert "Thursday" in words(reader.get(profile(anna)))


def test_a_running_game_is_not_told(game: Game, anna: User, ben: User) -> None:
    assert "Thursday" not in words(signed_in(ben).get(profile(anna)))


def test_who_wants_no_page_has_none_but_for_himself(over: Game, anna: User, ben: User) -> None:
    mine = signed_in(anna)
    about_me = {"name": "Anna", "language": "en", "zone": "UTC"}
    mine.post(reverse("settings"), about_me)
    anna.refresh_from_db()
    assert not anna.has_profile
    assert signed_in(ben).get(profile(anna)).status_code == 404
    assert "Only you can see this page." in words(mine.get(profile(anna)))
    chair = reverse("seat_player", args=[over.ref, seat_of(over, anna).number])
    assert "Anna has no public profile." in words(signed_in(ben).get(chair, follow=True))
    mine.post(reverse("settings"), about_me | {"has_profile": "on"})
    assert signed_in(ben).get(profile(anna)).status_code == 200


def test_the_names_at_the_table_lead_there_and_nowhere_for_who_may_not_see_it(
    over: Game, anna: User, ben: User, david: User
) -> None:
    chair = reverse("seat_player", args=[over.ref, seat_of(over, anna).number])
    assert chair in signed_in(ben).get(reverse("table", args=[over.ref])).content.decode()
    assert signed_in(ben).get(chair).headers["Location"] == profile(anna)
    assert signed_in(david).get(chair).status_code == 404
    assert signed_in(ben).get(reverse("seat_player", args=[over.ref, 9])).status_code == 404


def test_a_closed_account_and_an_unknown_one_have_no_page(anna: User, ben: User) -> None:
    anna.is_active = False
    anna.save()
    assert signed_in(ben).get(profile(anna)).status_code == 404
    assert signed_in(ben).get(reverse("player", args=["nobody"])).status_code == 404


# Watching


@pytest.fixture
def watched(anna: User, ben: User, carla: User, now: dt.datetime) -> Game:
    return running(anna, [ben, carla], now, is_watchable=True)


def test_who_has_the_address_watches_and_sees_public_facts_alone(watched: Game, david: User, now: dt.datetime) -> None:
    for reader in (Client(), signed_in(david)):
        page = reader.get(reverse("table", args=[watched.ref]))
        assert page.status_code == 200 and "watching" in soup_of(page).select_one("#state").text
        assert reader.get(reverse("history", args=[watched.ref])).status_code == 200
        before = page.headers["ETag"]
        row = open_rows(watched)[0]
        game_moves.submit(
            game_id=watched.pk, seat=row.seat.number, decision=row.code, action=None, source="deadline", received_at=now
        )
        assert row.is_sealed and reader.get(reverse("table", args=[watched.ref])).headers["ETag"] == before


def test_a_table_that_nobody_may_watch_is_a_404_for_others(game: Game, david: User) -> None:
    assert signed_in(david).get(reverse("table", args=[game.ref])).status_code == 404
    assert signed_in(david).get(reverse("history", args=[game.ref])).status_code == 404


def test_who_may_only_watch_does_not_sit_down(watched: Game, anna: User, david: User) -> None:
    Game.objects.filter(pk=watched.pk).update(absent_seats="takeover")
    watched.seats.filter(user=anna).update(status="absent")
    client = signed_in(david)
    assert "Take this seat" not in words(client.get(reverse("table", args=[watched.ref])))
    number = seat_of(watched, anna).number
    assert client.post(reverse("take_seat", args=[watched.ref, number])).status_code == 404
    assert not david.seats.exists()


# Once more


def test_once_more_opens_the_same_table_and_invites_who_played_without_showing_addresses(
    over: Game, anna: User, ben: User, carla: User, now: dt.datetime
) -> None:
    Game.objects.filter(pk=over.pk).update(pace="brisk", absent_after=5)
    client = signed_in(ben)
    again = reverse("play_again", args=[over.ref])
    (form,) = soup_of(client.get(reverse("table", args=[over.ref]))).select(f"form[action='{again}']")
    assert form.select_one("button").text == "Play again"
    page = client.post(again, follow=True)
    table = Game.objects.get(again_of=over)
    assert (table.host, table.title, table.pace, table.absent_after) == (ben, over.title, "brisk", 5)
    assert (table.seat_count, table.options, table.status) == (over.seat_count, over.options, "open")
    assert set(table.invitations.values_list("address", flat=True)) == {anna.email, carla.email}
    assert Notice.objects.filter(kind="invited").count() == 2
    assert "Anna no answer yet" in words(page)
    for address in (anna.email, carla.email):
        assert address not in page.content.decode()


def test_the_next_one_sits_down_at_the_table_that_another_has_opened(
    over: Game, anna: User, ben: User, now: dt.datetime
) -> None:
    opened = rematch.open_rematch(game_id=over.pk, user=ben, now=now)
    joined = rematch.open_rematch(game_id=over.pk, user=anna, now=now)
    once_more = rematch.open_rematch(game_id=over.pk, user=anna, now=now)
    assert opened.is_new and joined.table == once_more.table == opened.table and not joined.is_new
    assert set(opened.table.seats.values_list("user__name", flat=True)) == {"Ben", "Anna"}
    assert Invitation.objects.get(address=anna.email).status == Invitation.Status.JOINED


def test_bots_are_there_again_and_who_cannot_be_written_to_is_named(anna: User, carla: User, now: dt.datetime) -> None:
    game = end_soon(running(anna, [carla], now, bots=("greedy",)), anna, now)
    suppressions.suppress(carla.email, suppressions.ASKED)
    page = signed_in(anna).post(reverse("play_again", args=[game.ref]), follow=True)
    table = Game.objects.get(again_of=game)
    assert list(table.seats.values_list("bot", flat=True)) == ["", "greedy"]
    assert "We can't invite Carla. Send them the table's link instead." in words(page)
    assert carla.email not in page.content.decode() and not table.invitations.exists()


def test_not_while_the_game_is_on_and_not_by_others(game: Game, anna: User, david: User, now: dt.datetime) -> None:
    said = words(signed_in(anna).post(reverse("play_again", args=[game.ref]), follow=True))
    assert "This game isn't over yet." in said
    over = end_soon(fresh(game), anna, now)
    Game.objects.filter(pk=over.pk).update(is_watchable=True)
    client = signed_in(david)
    assert "Play again" not in words(client.get(reverse("table", args=[over.ref])))
    assert client.post(reverse("play_again", args=[over.ref])).status_code == 404
    assert not Game.objects.filter(again_of=over).exists()
