"""An open page that follows its game: what makes it change, what does not, and what it costs."""

import gzip
import re
from pathlib import Path
from urllib.parse import unquote

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from games.lobby import lifecycle
from games.models import Game, Look
from games.play import absences, table_talk
from games.web.play.page_etag import compute_page_etag
from notifications.clock import present
from tests.games.conftest import answer, fresh, open_rows, running, seat_of, settle, some_answer
from tests.games.web.filling import soup_of, watch

LIVE = {"HX-Request": "true"}


def member(user) -> Client:
    client = Client()
    client.force_login(user)
    return client


def parts(response) -> dict[str, str]:
    """What each part of a page says, by its name, as the digest that the browser compares."""
    return {part["id"]: part["data-live"] for part in soup_of(response).select("[data-live]")}


def path(game: Game) -> str:
    return f"/table/{game.ref}/"


@pytest.mark.slow
def test_an_open_page_asks_at_the_price_of_three_queries(placing, anna, django_assert_max_num_queries):
    seen = watch(member(anna), placing)
    with django_assert_max_num_queries(3):
        assert seen() == 304


@pytest.mark.slow
def test_it_gets_the_parts_that_the_whole_page_has_and_nothing_around_them(placing, anna):
    client = member(anna)
    client.get(path(placing))
    whole, live = client.get(path(placing)), client.get(path(placing), headers=LIVE)
    assert parts(live) == parts(whole)
    assert set(parts(live)) == {"asked", "board", "state", "about", "talk-said", "log", "words", "leave"}
    assert all(part.has_attr("data-hx-swap-oob") for part in soup_of(live).select("[data-live]"))
    assert soup_of(live).select_one("html, header, #note") is None


def test_only_what_says_something_else_changes(placing, anna, ben, now):
    client = member(anna)
    before = parts(client.get(path(placing)))
    table_talk.say(game_id=placing.pk, user=ben, text="Hello", now=now)
    after = parts(client.get(path(placing), headers=LIVE))
    assert {name for name in after if after[name] != before[name]} == {"talk-said"}


@pytest.mark.slow
def test_what_an_answer_did_is_told_once_and_at_no_other_table(placing, table, now):
    row = open_rows(placing)[0]
    client = member(row.seat.user)
    move = answer(placing, row, now, idempotency_key="a" * 40)
    with present.going_by(lambda: now):
        page = client.get(f"{path(placing)}?done={move.idempotency_key}")
        assert soup_of(page).select_one("#asked .did").text
        for other in (path(placing), path(table)):
            assert not soup_of(client.get(other)).select(".did"), other


def test_a_move_talk_and_an_absence_are_noticed(placing, anna, ben, now):
    seen = watch(member(anna), placing)
    table_talk.say(game_id=placing.pk, user=ben, text="Hello", now=now)
    assert seen() == 200
    seen = watch(member(anna), placing)
    table_talk.hide(comment=placing.comments.get(), user=anna, now=now)
    assert seen() == 200
    seen = watch(member(anna), placing)
    (row,) = open_rows(placing)
    answer(placing, row, now)
    assert seen() == 200
    seen = watch(member(anna), placing)
    seat = seat_of(placing, ben)
    seat.status = "absent"
    seat.save()
    assert seen() == 200
    seen = watch(member(anna), placing)
    absences.come_back(seat_id=seat.pk, now=now)
    assert seen() == 200


@pytest.mark.slow
def test_an_own_sealed_answer_is_noticed_in_ones_other_window_and_nowhere_else(game, now):
    row, other, _last = open_rows(game)
    mine, theirs = watch(member(row.seat.user), game), watch(member(other.seat.user), game)
    answer(game, row, now)
    assert mine() == 200
    assert theirs() == 304


@pytest.mark.slow
def test_the_face_never_depends_on_a_sealed_answer_whoever_looks(anna, ben, carla, david, now):
    game = running(anna, [ben, carla], now, is_listed=True)
    rows = open_rows(game)

    def faces(but) -> list[str | None]:
        return [compute_page_etag(user, game.ref) for user in (anna, ben, carla, david, None) if user != but]

    for row in rows[:2]:
        before = faces(row.seat.user)
        answer(game, row, now)
        assert faces(row.seat.user) == before
        answer(game, row, now, some_answer(fresh(game), row, 5))  # and another one instead
        assert faces(row.seat.user) == before


def test_who_may_not_see_a_game_learns_nothing_from_its_face(game, david):
    assert compute_page_etag(david, game.ref) is None
    assert compute_page_etag(None, game.ref) is None
    assert compute_page_etag(david, "nothing12345") is None


def test_two_readers_have_different_faces_of_one_game(placing, anna, ben):
    assert compute_page_etag(anna, placing.ref) != compute_page_etag(ben, placing.ref)


@pytest.mark.slow
def test_what_happened_since_the_last_visit_is_said_and_own_moves_are_none_of_it(placing, now, monkeypatch):
    (row,) = open_rows(placing)
    reader = member(row.seat.user)
    first = soup_of(reader.get(path(placing)))
    assert not first.select(".log li.new") and "data-play" not in first.body.attrs  # to a first look nothing is news
    seen = placing.public_events
    answer(placing, row, now)
    for _ in range(2):
        settle(now)
        (other,) = open_rows(placing)
        answer(placing, other, now)
    assert soup_of(reader.get(path(placing))).body["data-play"] == str(seen), "that is played, from what he has seen"
    assert "data-play" not in soup_of(reader.get(path(placing))).body.attrs
    assert len(soup_of(reader.get(path(placing))).select(".log li.new")) == 3


@pytest.mark.slow
def test_what_is_new_stays_new_for_a_visit_and_not_for_the_next(placing, now):
    (row,) = open_rows(placing)
    other = placing.seats.exclude(pk=row.seat.pk).first()
    reader = member(other.user)
    reader.get(path(placing))
    answer(placing, row, now)
    for _ in range(2):
        assert soup_of(reader.get(path(placing))).select(".log li.new")
    look = Look.objects.get(user=other.user)
    look.looked_at = look.looked_at.replace(year=look.looked_at.year - 1)
    look.save()
    assert not soup_of(reader.get(path(placing))).select(".log li.new")


@pytest.mark.slow
def test_what_an_answer_did_is_told_of_ones_own_seat_though_it_opened_those_of_all(game, now):
    rows = open_rows(game)
    *others, mine = rows
    for row in others:
        answer(game, row, now)
    move = answer(game, mine, now, idempotency_key="c" * 40)
    with present.going_by(lambda: now):
        page = member(mine.seat.user).get(f"{path(game)}?done={move.idempotency_key}")
    told = soup_of(page).select_one("#asked .did")
    assert told.text.startswith("You ")


def test_what_was_there_before_ones_own_answer_is_no_news_behind_it(placing, now):
    (first,) = open_rows(placing)
    (second_seat,) = [seat for seat in placing.seats.all() if seat.number == (first.seat.number + 1) % 3]
    reader = member(second_seat.user)
    with present.going_by(lambda: now):
        reader.get(path(placing))
        answer(placing, first, now)
        assert soup_of(reader.get(path(placing))).select(".log li.new")
        move = answer(placing, open_rows(placing)[0], now, idempotency_key="b" * 40)
        for query in (f"?done={move.idempotency_key}", ""):
            lines = soup_of(reader.get(path(placing) + query)).select(".log li.new")
            assert all(line.text.startswith("You ") for line in lines)
        answer(placing, open_rows(placing)[0], now)
        assert len(soup_of(reader.get(path(placing))).select(".log li.new")) > len(lines)


def test_a_page_that_asks_by_itself_has_looked_at_nothing(placing, anna):
    member(anna).get(path(placing), headers=LIVE)
    assert not Look.objects.exists()


def untimed(line) -> str:
    """A line of the log; its time stands only where it is another than in the line above."""
    for when in line.select("span.muted"):
        when.extract()
    return " ".join(line.text.split())


@pytest.mark.slow
def test_the_whole_log_is_filtered_by_player_and_by_words(placing, now):
    for dice in range(30):
        settle(now)
        row = open_rows(placing)[0]
        answer(placing, row, now, some_answer(fresh(placing), row, dice))
    reader = member(row.seat.user)

    def lines(query: str) -> list[str]:
        page = soup_of(reader.get(f"{path(placing)}?log=all&{query}"))
        return [untimed(line) for line in page.select(".log li")]

    everything, of_one = lines(""), lines(f"who={row.seat.number}")
    assert 0 < len(of_one) < len(everything)
    assert all(re.search(r"\b[Yy]ou", line) for line in of_one)
    found = lines("words=PLACES+token")
    assert found == [line for line in everything if "places" in line.casefold() and "token" in line.casefold()]
    assert lines("who=77&words=" + "x" * 500) == []
    assert lines("who=-1") == everything


@pytest.mark.slow
def test_a_first_visit_is_small_with_all_it_loads(placing, anna):
    """As it travels: the page, its scripts and styles, the type, and the drawings of its board."""
    response = member(anna).get(path(placing))
    soup = soup_of(response)
    loaded = [tag.get("src") or tag["href"] for tag in soup.select("script[src], link[rel~=stylesheet], link[as=font]")]
    loaded += {use["href"].split("#")[0] for use in soup.select("use[href*='.svg#']")}
    files = [finders.find(unquote(address).removeprefix("/static/").split("?")[0]) for address in loaded]
    assert all(files) and len(files) >= 10
    assert (
        len(gzip.compress(response.content)) + sum(len(gzip.compress(Path(one).read_bytes())) for one in files)
        <= 200_000
    )


@pytest.mark.slow
@pytest.mark.parametrize("zipped", [True, False])
def test_a_page_and_a_move_are_small(placing, anna, zipped):
    """What travels: of a first visit the scripts and styles besides."""
    response = member(anna).get(path(placing), headers={"Accept-Encoding": "gzip"} if zipped else {})
    content = response.content
    if zipped:
        assert response.headers["Content-Encoding"] == "gzip"
        assert b"<!DOCTYPE" in gzip.decompress(content)
    assert len(content) <= (20_000 if zipped else 120_000)


# Before the game


@pytest.mark.slow
def test_an_open_waiting_room_follows_who_comes_and_what_is_said(table, anna, ben, now):
    client = member(anna)
    page = client.get(path(table))
    assert soup_of(page).select_one("#table")["data-hx-get"] == f"{path(table)}?room=1"
    asked = {**LIVE, "If-None-Match": page.headers["ETag"]}
    assert client.get(f"{path(table)}?room=1", headers=asked).status_code == 304
    lifecycle.join(game_id=table.pk, user=ben, now=now)
    first = client.get(f"{path(table)}?room=1", headers=asked)
    assert set(parts(first)) == {"room", "talk-said"}
    assert "Ben" in soup_of(first).text and "html" not in {tag.name for tag in soup_of(first).find_all()}
    lifecycle.add_bot(game_id=table.pk, host=anna, bot="greedy", now=now)
    second = client.get(f"{path(table)}?room=1", headers={**LIVE, "If-None-Match": first.headers["ETag"]})
    assert "Everyone is here" in soup_of(second).text
    member(ben).post(f"{path(table)}say/", {"text": "Here I am"})
    third = client.get(f"{path(table)}?room=1", headers={**LIVE, "If-None-Match": second.headers["ETag"]})
    assert "Here I am" in soup_of(third).text
    assert parts(third)["room"] == parts(second)["room"]


@pytest.mark.slow
def test_a_waiting_room_that_is_open_when_the_game_begins_leads_to_the_table(table, anna, ben, now):
    client = member(ben)
    lifecycle.join(game_id=table.pk, user=ben, now=now)
    seen = client.get(path(table)).headers["ETag"]
    lifecycle.add_bot(game_id=table.pk, host=anna, bot="greedy", now=now)
    lifecycle.start(game_id=table.pk, host=anna, now=now)
    begun = client.get(f"{path(table)}?room=1", headers={**LIVE, "If-None-Match": seen})
    assert soup_of(begun).select_one(f"#room a[href='{path(table)}']")


@pytest.mark.slow
def test_who_may_not_speak_in_a_waiting_room_is_given_no_form_and_too_long_words_come_back(table, anna, david):
    Game.objects.filter(pk=table.pk).update(is_listed=True)
    assert not soup_of(member(david).get(path(table))).select("#say")
    refused = member(anna).post(f"{path(table)}say/", {"text": "x" * 1001})
    assert refused.status_code == 422
    assert "x" * 1001 in refused.content.decode()
