"""The front page and a person's list of games."""

import datetime as dt
from html import unescape

import pytest
from django.contrib.staticfiles import finders
from django.urls import reverse
from django.utils import timezone

from engine.core import Days
from engine.registry import newest
from games.lobby import lifecycle
from games.models import Game
from games.tables import pace
from notifications.channels.mail import suppressions
from notifications.clock import present
from notifications.reasons import in_words
from tests.games.conftest import (
    answer,
    cave_of_three,
    new_table,
    open_rows,
    play_to_the_end,
    running,
    settle,
    to_placing,
)
from tests.games.web.filling import soup_of, words


def test_a_stranger_reads_what_this_is_and_how_to_begin(client, db, settings):
    page = soup_of(client.get("/"))
    buttons = page.select(".hero :is(a, button)")
    assert buttons[0].text.startswith("Play now")
    assert buttons[1]["href"] == f"{reverse('account_signup')}?next={reverse('new_table')}"
    assert len(page.select("main button, main a.button:not(.quiet)")) == 1  # one that matters
    assert len(page.select_one("main").text.split()) <= 120
    assert settings.SESSION_COOKIE_NAME not in client.cookies


def test_the_front_page_shows_every_game(client, db):
    page = soup_of(client.get("/"))
    assert len(page.select(".cards .scene")) == len(newest()) + 1
    pictures = [picture["src"].removeprefix("/static/") for picture in page.select("main img")]
    assert all(finders.find(picture) for picture in pictures)


def test_what_waits_for_me_comes_first(client, game, anna):
    client.force_login(anna)
    page = words(client.get("/"))
    assert "Your move in 1 game" in page and "Thursday" in page


def test_somebody_without_a_game_is_told_what_to_do(client, david):
    client.force_login(david)
    for path in ("/", reverse("my_games")):
        assert soup_of(client.get(path)).select_one(f"main a.button[href='{reverse('new_table')}']")


def whose_turn_it_is_not(game):
    asked = {row.seat_id for row in open_rows(game)}
    return next(seat.user for seat in game.seats.select_related("user") if seat.pk not in asked)


@pytest.mark.parametrize("reason", [suppressions.BOUNCED, suppressions.COMPLAINED])
def test_whom_no_mail_reaches_reads_it_where_he_looks_for_his_turn(client, placing, reason):
    user = whose_turn_it_is_not(placing)
    suppressions.suppress(user.email, reason)
    client.force_login(user)
    said = unescape(client.get(reverse("my_games")).content.decode())
    assert f"We're not sending emails to {user.email} at the moment: {in_words(reason)}." in " ".join(said.split())
    assert f'href="{reverse("mail_settings")}"' in said and "We'll email you" not in said


def test_who_asked_for_no_more_mail_is_still_written_to_when_it_is_his_turn(client, placing):
    user = whose_turn_it_is_not(placing)
    suppressions.suppress(user.email, suppressions.ASKED)
    client.force_login(user)
    said = client.get(reverse("my_games")).content.decode()
    assert "We'll email you when it is" in said and "We're not sending emails" not in said


def test_my_games_is_for_members(client, db):
    response = client.get(reverse("my_games"))
    assert response.status_code == 302
    assert response.headers["Location"] == f"{reverse('account_request_login_code')}?next={reverse('my_games')}"


def test_a_deadline_names_the_readers_zone(client, anna, ben, carla):
    anna.recipient.zone = "Europe/Madrid"
    anna.recipient.save()
    begin = dt.datetime(timezone.now().year, 7, 1, 12, 0, tzinfo=dt.UTC)
    running(anna, [ben, carla], begin)
    client.force_login(anna)
    assert "2 Jul, 14:00 CEST" in words(client.get(reverse("my_games")))


def test_whose_turn_it_is_and_until_when(client, placing):
    asked = open_rows(placing)[0].seat
    other = next(seat for seat in placing.seats.all() if seat != asked)
    client.force_login(other.user)
    page = words(client.get(reverse("my_games")))
    assert f"Waiting for {asked.name} until" in page
    assert "It's not your turn anywhere" in page


def test_a_question_that_is_answered_does_not_wait_any_more(client, game, anna, now):
    client.force_login(anna)
    for row in open_rows(game):
        if row.seat.user == anna:
            answer(game, row, now)
    page = soup_of(client.get(reverse("my_games")))
    assert not page.select(".card.important")


@pytest.mark.slow
def test_open_and_finished_games_have_their_places(client, anna, ben, carla, now):
    finished = play_to_the_end(cave_of_three(now), now)
    new_table(anna, now, title="Next week")
    client.force_login(anna)
    page = words(client.get(reverse("my_games")))
    assert "Not started yet Next week" in page and "Finished" in page
    winners = [seat.name for seat in finished.seats.all() if seat.number in finished.outcome["winners"]]
    assert ("You won" if anna.name in winners else f"Won by {', '.join(winners)}.") in page


def test_a_closed_table_is_in_no_list(client, table, anna, now):
    lifecycle.close(game_id=table.pk, host=anna, now=now)
    client.force_login(anna)
    assert "Thursday" not in words(client.get(reverse("my_games")))


def test_the_number_of_queries_does_not_grow_with_open_tables(client, anna, now, django_assert_max_num_queries):
    client.force_login(anna)
    for number in range(6):
        new_table(anna, now, title=f"Table {number}")
    with django_assert_max_num_queries(9):
        client.get(reverse("my_games"))


def test_the_words_follow_the_members_language_and_name_it(client, anna):
    anna.recipient.language = "es"
    anna.recipient.save()
    client.force_login(anna)
    page = client.get(reverse("my_games"), headers={"accept-language": "en"})
    assert page.headers["Content-Language"] == "es"
    assert soup_of(page).html["lang"] == "es"
    client.logout()
    assert client.get("/", headers={"accept-language": "en"}).headers["Content-Language"] == "en"


def test_a_page_that_is_not_there_says_so_in_the_sites_look(client, db):
    response = client.get("/nothing/here/")
    assert response.status_code == 404
    assert "Page not found" in words(response) and soup_of(response).select_one(".site-header")


@pytest.mark.slow
def test_pages_carry_no_inline_style_and_no_inline_script(client, game, anna, settings):
    client.force_login(anna)
    for path in ("/", reverse("my_games"), reverse("lobby"), reverse("new_table"), reverse("settings")):
        page = soup_of(client.get(path))
        assert not page.select("[style], style, script:not([src]), [onclick]"), path
        assert len(page.select("h1")) == 1, path


@pytest.mark.slow
def test_every_field_of_every_form_has_a_label(client, table, anna):
    client.force_login(anna)
    for path in (reverse("new_table"), reverse("settings"), reverse("table", args=[table.ref])):
        page = soup_of(client.get(path))
        for field in page.select("main input:not([type=hidden]), main select, main textarea"):
            assert field.find_parent("label") or page.select_one(f"label[for='{field['id']}']"), (path, field)


@pytest.mark.slow
def test_a_bot_that_is_asked_is_waited_for_without_a_deadline(client, anna, ben, now):
    game = new_table(anna, now, bots=("random",))
    lifecycle.join(game_id=game.pk, user=ben, now=now)
    lifecycle.start(game_id=game.pk, host=anna, now=now)
    settle(now)
    assert Game.objects.get().status == Game.Status.RUNNING
    client.force_login(ben)
    assert client.get(reverse("my_games")).status_code == 200


@pytest.mark.slow
def test_my_games_are_sorted_by_urgency(client, anna, ben, carla, now):
    newer = now + dt.timedelta(hours=1)
    soon = to_placing(running(anna, [ben, carla], now, title="Sooner"), now)
    late = to_placing(running(anna, [ben, carla], newer, title="Later", pace="relaxed"), newer)
    asked = {game.title: open_rows(game)[0].seat for game in (late, soon)}
    for user in (anna, ben, carla):
        client.force_login(user)
        mine = [title for title in ("Sooner", "Later") if asked[title].user == user]
        others = [title for title in ("Sooner", "Later") if asked[title].user != user]
        page = soup_of(client.get(reverse("my_games")))
        assert [title.text for title in page.select(".card-title")] == mine + others


def test_a_turn_that_is_soon_over_says_so(client, placing, now):
    row = open_rows(placing)[0]
    client.force_login(row.seat.user)
    for hours, is_said in ((7, False), (5, True)):
        with present.going_by(lambda hours=hours: row.due_at - dt.timedelta(hours=hours)):
            assert ("Your turn, running out of time" in words(client.get(reverse("my_games")))) == is_said


@pytest.mark.parametrize(
    ("days", "said"),
    [
        ((0.2, 0.4), "about 1 day"),
        ((4, 6), "about 5 days"),
        ((9.5, 78), "about 4 weeks"),
        ((26, 28), "about 4 weeks"),
        ((277, 277), "about 9 months"),
    ],
)
def test_how_long_a_game_takes_is_told_in_one_number_as_people_plan(days, said):
    assert pace.days_in_words(Days(*days)) == said
