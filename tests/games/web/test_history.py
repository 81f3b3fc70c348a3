"""Stepping through a game: every step shows what its reader could see then, and nothing hidden leaves a trace."""

import io

import pytest
from django.test import Client
from PIL import Image

from games.models import Game, Snapshot
from games.play import history, pictures, queries
from games.web.play import history as pages
from tests.conftest import NOON
from tests.games.conftest import Keep, answer, fresh, open_rows, running, settle, some_answer
from tests.games.kept import Stage
from tests.games.letters.conftest import end_soon
from tests.games.web.filling import soup_of

pytestmark = pytest.mark.slow


def sixty_answers(game: Game) -> Game:
    for dice in range(60):
        settle(NOON)
        row = open_rows(game)[0]
        answer(game, row, NOON, some_answer(fresh(game), row, dice))
    return fresh(game)


@pytest.fixture(scope="session")
def kept_sixty(kept_here: Keep, kept_three: list[Stage], kept_game: Stage, kept_placing: Stage) -> Stage:
    """What sixty answers change."""
    return kept_here(lambda: sixty_answers(Game.objects.get()), *kept_three, kept_game, kept_placing)


@pytest.fixture
def played(placing: Game, kept_sixty: Stage) -> Game:
    """Sixty answers into the game."""
    return kept_sixty.bring()


def member(user) -> Client:
    client = Client()
    client.force_login(user)
    return client


def access(game: Game, user=None) -> queries.Access:
    return queries.Access(game, game.seats.get(user=user) if user else None)


def test_the_last_step_is_the_game_as_it_stands(played, anna):
    own = access(played, anna)
    assert history.step_of(own, None).view == queries.view_of(own)


def test_steps_of_all_viewers_are_the_same_and_together_tell_the_whole_log(played, anna, ben):
    for user in (anna, ben, None):
        own = access(played, user)
        count = history.step_of(own, None).count
        told = [line for number in range(1, count + 1) for line in history.step_of(own, number).lines]
        log = history.log_lines(own)
        assert [line for line in told if line.number] == [line for line in log if line.number]
        assert count == history.step_of(access(played), None).count


def test_a_sealed_answer_makes_no_step_and_changes_none(game, now):
    row, other, _last = open_rows(game)
    theirs = queries.Access(game, other.seat)
    before = history.step_of(theirs, None)
    answer(game, row, now)
    after = history.step_of(queries.Access(fresh(game), other.seat), None)
    assert (after.count, after.view, after.lines) == (before.count, before.view, before.lines)


def test_every_step_is_the_view_of_that_time(game, anna, now):
    seen = {}
    for dice in range(30):
        settle(now)
        current = fresh(game)
        own = access(current, anna)
        seen[history.step_of(own, None).number] = queries.view_of(own)
        row = open_rows(game)[0]
        answer(game, row, now, some_answer(current, row, dice))
    own = access(fresh(game), anna)
    # A sealed answer of one's own comes after the step it was given in: what it changed is shown with the next.
    same = [number for number, view in seen.items() if history.step_of(own, number).view == view]
    assert len(same) >= len(seen) - 1


def test_a_far_step_costs_no_more_than_a_near_one_once_there_are_snapshots(played, anna, monkeypatch):
    monkeypatch.setattr(history, "SNAPSHOT_EVERY", 8)
    last = history.state_after(played, played.seq)
    assert Snapshot.objects.filter(game=played).count() == played.seq // 8
    replayed = []
    step = history.replay.step
    monkeypatch.setattr(history.replay, "step", lambda *of: replayed.append(of) or step(*of))
    assert history.state_after(played, played.seq) == last
    assert len(replayed) < 8


def test_the_page_steps_back_and_on_and_takes_any_number(played, anna):
    page = f"/table/{played.ref}/history/"
    client = member(anna)
    last = soup_of(client.get(page))
    count = int(last.select_one("#step")["max"])
    assert last.select_one("#history")["data-step"] == str(count)
    assert last.select_one("[rel=next]") is None
    before = soup_of(client.get(last.select_one("[rel=prev]")["href"]))
    assert before.select_one("#history")["data-step"] == str(count - 1)
    for given, shown in (("0", 1), ("-4", count), ("x", count), ("999999", count), ("9" * 50, count), ("", count)):
        response = client.get(page, {"step": given})
        assert response.status_code == 200
        assert soup_of(response).select_one("#history")["data-step"] == str(shown), given


def begin_of(own: queries.Access) -> int:
    """Where the latest tally begins."""
    return history.tally_begins(own.game, history.events_of(own, own.game.moves.order_by("seq")))


def tally_of(own: queries.Access) -> history.Scene:
    """Its first scene."""
    return history.scene_of(own, *history.find_scene(own, begin_of(own)))


def test_scenes_are_the_same_for_everybody_and_together_tell_the_log(played, anna):
    counts = set()
    for user in (anna, None):
        own = access(played, user)
        begin = begin_of(own)
        shown = [tally_of(own)]
        while not shown[-1].is_last:
            last = shown[-1]
            on = (last.step, last.number + 1) if last.number < last.count else (last.step + 1, 1)
            shown.append(history.scene_of(own, *on))
        counts.add(len(shown))
        log = [line for line in history.log_lines(own) if line.number and line.number >= begin]
        told = [line for scene in shown for line in scene.lines]
        assert [line.number for line in told if line.number] == [line.number for line in log]
        assert shown[-1].view == queries.view_of(own)
        assert all(history.find_scene(own, scene.lines[-1].number) == (scene.step, scene.number) for scene in shown)
    assert len(counts) == 1


def test_a_tally_is_played_space_after_space(played, anna):
    own = access(played, anna)
    first = tally_of(own)
    assert first.count > 2
    shown = [history.scene_of(own, first.step, number) for number in range(1, first.count + 1)]
    tallied = [len(scene.view.tallied) for scene in shown]
    assert tallied == sorted(tallied) and tallied[0] <= 1 < tallied[-1]
    hidden = [token for row in first.view.spaces.values() for token in row if token.value is None]
    assert hidden, "what is tallied later lies face down"


def test_the_page_leads_through_every_scene_back_and_on(played, anna):
    client, page = member(anna), f"/table/{played.ref}/history/"
    first = tally_of(access(played, anna))
    tally = soup_of(client.get(f"/table/{played.ref}/tally/"))
    soup = soup_of(client.get(page + tally.select_one("section .button")["href"].partition("history/")[2]))
    assert f"1/{first.count}" in soup.select_one("#step-heading").text
    boards, told, marked = set(), [], []
    for _scene in range(first.count):
        boards.add(str(soup.select_one("figure.board")))
        told.append(soup.select_one("#history li").text)
        marked.append(soup.select_one("#history li").get("data-at"))
        soup = soup_of(client.get(page + soup.select_one("[rel=next]")["href"].partition("history/")[2]))
    assert len(boards) == first.count, "each shows the board anew"
    assert len(set(told)) == first.count
    assert all(marked[:2]), "where something is turned over, and where it is given, is marked"
    assert soup.select_one("#history")["data-step"] == str(first.step + 1)
    back = soup_of(client.get(page + soup.select_one("[rel=prev]")["href"].partition("history/")[2]))
    assert f"{first.count}/{first.count}" in back.select_one("#step-heading").text
    for wrong in ({"scene": "x"}, {"scene": "99999"}, {"scene": "-1"}, {"since": "x"}, {"since": "999999"}):
        assert client.get(page, {"step": first.step, **wrong}).status_code == 200, wrong


def test_an_outsider_steps_through_nothing_and_a_spectator_sits_nowhere(anna, ben, carla, david, now):
    hidden, listed = running(anna, [ben, carla], now), running(anna, [ben, carla], now, is_listed=True)
    assert member(david).get(f"/table/{hidden.ref}/history/").status_code == 404
    page = member(david).get(f"/table/{listed.ref}/history/")
    assert page.status_code == 200
    assert not soup_of(page).select(".seat.is-you")
    assert soup_of(member(anna).get(f"/table/{listed.ref}/history/")).select(".seat.is-you")


def test_before_the_game_there_is_no_history(table, anna):
    assert member(anna).get(f"/table/{table.ref}/history/").status_code == 302


def test_the_number_of_queries_does_not_grow(played, anna, django_assert_max_num_queries):
    client = member(anna)
    client.get(f"/table/{played.ref}/history/")
    with django_assert_max_num_queries(12):
        client.get(f"/table/{played.ref}/history/", {"step": "40"})


# What has happened, for an open page, which plays it


def scenes_of(client, game, since: int):
    response = client.get(f"/table/{game.ref}/scenes/", {"since": since})
    assert response.status_code == 200
    return soup_of(response).select_one("#scenes")


def test_one_request_gives_the_board_one_knew_and_every_scene_since_as_the_replay_shows_them(played, anna):
    own = access(played, anna)
    begin = begin_of(own)
    got = scenes_of(member(anna), played, begin - 1)
    assert (got["data-since"], got["data-until"]) == (str(begin - 1), str(played.public_events))
    boards = got.select("figure.board")
    scenes = got.select("article.scene")
    assert len(boards) == len(scenes) + 1
    shown = history.play_since(own, begin - 1)
    *at, (step, number) = [history.find_scene(own, frame.event) for frame in shown.frames]
    assert (step, number) == (history.scene_of(own).step, history.scene_of(own).number)
    for frame, (step, number) in zip(shown.frames, at, strict=False):
        scene = history.scene_of(own, step, number)
        assert (frame.view, frame.caption) == (scene.view, scene.caption)
    before = history.scene_of(own, *history.find_scene(own, begin - 1))
    assert shown.before == before.view, "the first board has nothing that was not seen by then"
    assert shown.frames[-1].view == queries.view_of(own)
    assert any(article.get("data-at") for article in scenes)


def test_captions_speak_to_their_reader_and_are_short(played, anna, ben):
    texts = {}
    for user in (anna, ben):
        scenes = scenes_of(member(user), played, 0).select("article.scene > p")
        texts[user.name] = " ".join(text.text for text in scenes)
    assert "Anna" not in texts["Anna"] and "You place" in texts["Anna"] and "Ben places" in texts["Anna"]
    assert "Ben " not in texts["Ben"] and "Anna places" in texts["Ben"]


def test_many_scenes_are_cut_to_the_newest_and_a_foreign_number_is_taken(played, anna):
    own = access(played, anna)
    few = history.play_since(own, 0, most=5)
    every = history.play_since(own, 0, most=1000)
    assert 1 < len(few.frames) <= 5 < len(every.frames)
    assert few.frames == every.frames[-len(few.frames) :]
    assert few.before == every.frames[-len(few.frames) - 1].view
    assert (few.since, few.until) == (every.frames[-len(few.frames) - 1].event, played.public_events)
    replayed, since = [], 0
    while since < played.public_events:
        following = history.play_since(own, since, most=7, is_replay=True)
        assert following.since == since
        replayed, since = replayed + following.frames, following.until
    assert replayed == every.frames, "a replay goes on where it was cut"
    for wrong in ("x", "", "-3", "999999", "9" * 40):
        assert member(anna).get(f"/table/{played.ref}/scenes/?since={wrong}").status_code == 200
    assert not scenes_of(member(anna), played, 999999).select("article")


def test_a_scene_of_one_s_own_answer_is_marked(placing, anna, now):
    row = next(row for row in open_rows(placing))
    client, since = member(row.seat.user), placing.public_events
    answer(placing, row, now, {"type": "place", "token": 9, "space": "market"})
    (scene,) = scenes_of(client, placing, since).select("article.scene")
    assert scene.p.text == "You place the 9 at the market."
    assert (scene["data-at"], scene["data-own"]) == ("market", "yes")


def test_scenes_are_private_and_told_unchanged(played, anna, david):
    page = f"/table/{played.ref}/scenes/?since=3"
    client = member(anna)
    etag = client.get(page).headers["ETag"]
    assert client.get(page, headers={"if-none-match": etag}).status_code == 304
    assert client.get(f"/table/{played.ref}/scenes/?since=4", headers={"if-none-match": etag}).status_code == 200
    assert member(david).get(page).status_code == 404
    assert Client().get(page).status_code == 404


def test_a_game_that_is_over_can_be_saved_as_a_film_by_whoever_may_look_at_it(played, anna, david, monkeypatch):
    monkeypatch.setattr(pictures, "FILM_FRAMES", 3)
    page, client = f"/table/{played.ref}/film.webp", member(anna)
    assert client.post(page).status_code == 404, "it is still played"
    end_soon(played, anna, NOON)
    for step in ("", "3", "999999", "nonsense"):
        answer = client.post(page, {"step": step})
        with Image.open(io.BytesIO(answer.content)) as film:
            assert (answer.status_code, film.format, film.width) == (200, "WEBP", 400)
            assert film.n_frames == 3 or step == "999999"
    with pages.filming:
        assert client.post(page).status_code == 429
    assert client.get(page).status_code == 302, "nothing is made by looking"
    assert member(david).post(page).status_code == 404
    assert Client().post(page).status_code == 302, "to sign in"
    assert [client.post(page, {"step": "3"}).status_code for _once in range(6)][-1] == 429, "ten an hour"
