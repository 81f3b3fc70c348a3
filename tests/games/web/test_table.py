"""The table of a running or finished game, for who sits there and who looks on."""

from random import Random

import pytest
from django.urls import reverse

from games.models import Decision, Game, Move, Seat, User
from games.play import absences, game_moves
from tests.games.conftest import (
    answer,
    cave_of_three,
    fresh,
    make_user,
    open_rows,
    play_to_the_end,
    running,
    seat_of,
    some_answer,
)
from tests.games.play.test_growth import lengthen
from tests.games.web.filling import answer_form, filled, soup_of, steady, untouched, watch, words


def url(name: str, game: Game, *more: object) -> str:
    return reverse(name, args=[game.ref, *more])


@pytest.fixture
def turn(placing, client) -> Decision:
    """The first placement; its player is signed in."""
    row = open_rows(placing)[0]
    client.force_login(row.seat.user)
    return row


# Who sees it


def test_a_player_sees_board_question_players_and_log(client, turn):
    page = words(client.get(url("table", turn.game)))
    for shown in ("Thursday", "Round 1: place a token", "Your hand", "Your turn", "until", "Log", "Resign"):
        assert shown in page


@pytest.mark.slow
def test_who_is_not_asked_sees_no_form(client, placing):
    other = next(seat.user for seat in placing.seats.all() if seat != open_rows(placing)[0].seat)
    client.force_login(other)
    assert not soup_of(client.get(url("table", placing))).select("form.answer")


def test_an_outsider_gets_the_same_404_as_for_no_game(client, placing, david):
    client.force_login(david)
    theirs, none = client.get(url("table", placing)), client.get("/table/nothing12345/")
    assert (theirs.status_code, none.status_code) == (404, 404)
    assert words(theirs) == words(none)


def test_a_stranger_is_asked_to_sign_in_whether_or_not_there_is_a_game(client, placing):
    for path in (url("table", placing), "/table/nothing12345/"):
        response = client.get(path)
        assert response.status_code == 302
        assert response.headers["Location"].endswith(f"?next={path}")


@pytest.mark.slow
def test_anybody_may_look_at_a_listed_game_but_sees_no_hand(client, anna, ben, carla, david, now):
    game = running(anna, [ben, carla], now, is_listed=True)
    for user in (None, david):
        if user:
            client.force_login(user)
        page = words(client.get(url("table", game)))
        assert "Your hand" not in page
        assert "Resign" not in page


@pytest.mark.slow
def test_the_page_is_not_kept_by_caches(client, turn):
    assert "no-store" in client.get(url("table", turn.game)).headers["Cache-Control"]


def test_before_the_game_the_waiting_room_is_shown(client, table, anna):
    client.force_login(anna)
    response = client.get(url("table", table))
    assert response.status_code == 200
    assert "games/tables/waiting_room.html" in [template.name for template in response.templates]


# Acting


def test_an_answer_is_taken_and_leads_back_to_the_table(client, turn):
    game = turn.game
    form = answer_form(client.get(url("table", game)))
    data = filled(form, {"type": "place", "token": 9, "space": "market"})
    response = client.post(form["action"], data, follow=True)
    move = Move.objects.get(game=game, decision=turn.code)
    assert response.redirect_chain == [(f"{url('table', game)}?done={move.idempotency_key}", 303)]
    assert "You place the 9 at the market." in words(response)
    assert (move.source, move.actor) == (Move.Source.WEB, turn.seat.user)


@pytest.mark.slow
def test_an_untouched_form_answers_nothing(client, turn):
    form = answer_form(client.get(url("table", turn.game)))
    before = fresh(turn.game).seq
    assert client.post(form["action"], untouched(form)).status_code == 422
    assert fresh(turn.game).seq == before


@pytest.mark.slow
def test_a_refusal_is_said_at_the_form_and_keeps_what_was_typed(client, turn):
    form = answer_form(client.get(url("table", turn.game)))
    data = filled(form, {"type": "place", "token": 9, "space": "tent"})
    response = client.post(form["action"], data)
    assert response.status_code == 422
    form = answer_form(response)
    assert "can't be chosen now" in form.select_one("[role=alert]").text
    assert len(soup_of(response).select("#asked [role=alert]")) == 1
    assert [field["value"] for field in form.select("input[checked]")] == ["9"]


@pytest.mark.slow
def test_the_second_of_two_tabs_is_told_what_the_first_answered(client, turn, now):
    form = answer_form(client.get(url("table", turn.game)))
    answer(turn.game, turn, now, {"type": "place", "token": 9, "space": "market"})
    before = fresh(turn.game).seq
    response = client.post(form["action"], filled(form, {"type": "place", "token": 1, "space": "guard"}))
    assert response.status_code == 409
    assert "already been answered" in words(response)
    assert "You place a token at the market." in words(response)
    assert fresh(turn.game).seq == before


@pytest.mark.slow
def test_a_stale_form_keeps_what_was_typed_if_a_new_question_takes_it(client, turn, now):
    game = turn.game
    form = answer_form(client.get(url("table", game)))
    for _ in range(3):
        row = open_rows(game)[0]
        answer(game, row, now, {"type": "place", "token": 9, "space": "market"})
    response = client.post(form["action"], filled(form, {"type": "place", "token": 1, "space": "guard"}))
    assert response.status_code == 409
    assert [field["value"] for field in answer_form(response).select("input[checked], [data-chosen]")] == ["1", "guard"]


@pytest.mark.slow
def test_a_double_click_is_one_move(client, turn):
    form = answer_form(client.get(url("table", turn.game)))
    data = filled(form, some_answer(turn.game, turn))
    assert client.post(form["action"], data).status_code == 303
    assert client.post(form["action"], data).status_code == 303
    assert turn.game.moves.filter(decision=turn.code).count() == 1


def test_nobody_answers_for_another_seat(client, turn):
    form = answer_form(client.get(url("table", turn.game)))
    data = filled(form, some_answer(turn.game, turn))
    before = fresh(turn.game).seq
    other = next(seat.user for seat in turn.game.seats.all() if seat != turn.seat)
    client.force_login(other)
    response = client.post(form["action"], data)
    assert response.status_code == 409
    assert fresh(turn.game).seq == before


def test_an_outsider_acts_nowhere(client, turn, david):
    client.force_login(david)
    for name in ("table_act", "resign", "end", "come_back"):
        assert client.post(url(name, turn.game)).status_code == 404
    assert fresh(turn.game).seats.exclude(status=Seat.Status.ACTIVE).count() == 0


@pytest.mark.parametrize("name", ["table_act", "resign", "end", "come_back"])
def test_a_stranger_is_asked_to_sign_in_before_acting(client, placing, name):
    response = client.post(url(name, placing))
    assert response.status_code == 302
    assert "next=" in response.headers["Location"]


@pytest.mark.parametrize("name", ["table_act", "resign", "end", "come_back"])
def test_what_acts_is_not_done_by_a_get(client, turn, name):
    assert client.get(url(name, turn.game)).status_code == 302
    turn.refresh_from_db()
    assert turn.is_open


def test_a_post_without_its_token_from_another_site_is_refused(turn):
    from django.test import Client

    client = Client(enforce_csrf_checks=True)
    client.force_login(turn.seat.user)
    assert client.post(url("table_act", turn.game), {"decision": turn.code}).status_code == 403


@pytest.mark.slow
def test_a_sealed_answer_can_be_changed_on_the_table(client, game):
    row = open_rows(game)[0]
    client.force_login(row.seat.user)
    for kind in ("crown", "gold"):
        form = answer_form(client.get(url("table", game)))
        client.post(form["action"], filled(form, {"type": "take_treasures", "amounts": {kind: 3}}))
    page = words(client.get(url("table", game)))
    assert "You've chosen 3 gold bars" in page
    assert "Change my answer" in page


@pytest.mark.slow
def test_a_reader_is_told_of_himself_in_the_second_person_and_only_until_he_has_answered(client, game, now):
    row, *others = open_rows(game)
    own, names = row.seat.display_name, [one.seat.display_name for one in others]
    client.force_login(row.seat.user)

    def told():
        page = soup_of(client.get(url("table", game)))
        badges = {item.a.text: [badge.text for badge in item.select(".badge")] for item in page.select(".players li")}
        waiting = page.select_one("#asked .waiting h2")
        about = waiting.text.strip() if waiting else ""
        board = page.select_one("#text-board pre").text
        return badges, about, next(line for line in board.splitlines() if line.startswith("To answer now"))

    badges, about, board = told()
    assert badges[own] == ["Your turn"] and [badges[name] for name in names] == [["to answer"]] * 2
    assert not about and own in board
    answer(game, row, now)
    badges, about, board = told()
    assert badges[own] == ["You"] and [badges[name] for name in names] == [["to answer"]] * 2
    assert about.startswith("Waiting for") and own not in about and own not in board
    listed = words(client.get(reverse("my_games")))
    assert "Waiting for " + ", ".join(sorted(names, key=listed.index)) in listed
    client.force_login(others[0].seat.user)
    badges, about, board = told()
    assert badges[own] == ["to answer"] and own in board, "others can't tell that he has answered"


def test_numbers_of_the_log_have_the_room_they_need(client, placing):
    client.force_login(placing.host)
    page = soup_of(client.get(url("table", placing)))
    most = max(int(item["value"]) for item in page.select(".log li[value]"))
    assert f"digits-{len(str(most))}" in page.select_one(".log")["class"]


@pytest.mark.slow
@pytest.mark.parametrize("rubbish", ["\0", "x" * 5000, "\ud7ff\u202e", "[]"])
def test_rubbish_is_refused_in_words(client, turn, rubbish):
    for data in ({"decision": rubbish}, {"decision": turn.code, "place-token": rubbish, "place-space": rubbish}):
        assert client.post(url("table_act", turn.game), data).status_code in (409, 422)
        assert client.get(url("table", turn.game), data | {"seen": rubbish, "log": rubbish}).status_code == 200


# Resigning, ending, coming back, taking over


@pytest.mark.slow
@pytest.mark.parametrize("more", [{}, {"rows": "1"}, {"rows": "1", "row.token-1": "5"}])
@pytest.mark.parametrize("status", ["open", "closed"])
def test_before_the_game_nothing_can_be_answered_whatever_is_posted(client, table, anna, status, more):
    Game.objects.filter(pk=table.pk).update(status=status)
    client.force_login(anna)
    response = client.post(url("table_act", table), {"decision": "r1-place-0-1", **more})
    assert response.status_code == 409


def test_who_resigns_is_asked_no_more(client, turn):
    page = client.post(url("resign", turn.game), follow=True)
    assert Seat.objects.get(pk=turn.seat.pk).status == Seat.Status.RESIGNED
    assert "You've resigned." in words(page)
    assert not soup_of(page).select("form.answer")


@pytest.mark.slow
def test_the_last_person_may_end_the_game_and_wins(client, turn, now):
    game = turn.game
    assert "End the game and win" not in words(client.get(url("table", game)))
    client.post(url("end", game))
    assert fresh(game).status == Game.Status.RUNNING
    for seat in game.seats.exclude(pk=turn.seat.pk):
        game_moves.resign(game_id=game.pk, seat=seat.number, actor=seat.user, source=Move.Source.WEB, now=now)
    assert "End the game and win" in words(client.get(url("table", game)))
    page = words(client.post(url("end", game), follow=True))
    assert fresh(game).status == Game.Status.FINISHED
    assert f"{turn.seat.name} ends the game and wins." in page


@pytest.mark.slow
def test_an_absent_player_comes_back_with_one_click(client, turn, now):
    absences.make_absent(turn.seat, turn, now)
    page = client.get(url("table", turn.game))
    assert not soup_of(page).select("form.answer")
    assert "I am back" in words(page)
    page = client.post(url("come_back", turn.game), follow=True)
    assert answer_form(page)


@pytest.mark.slow
def test_a_seat_that_is_offered_can_be_taken(client, anna, ben, carla, david, now):
    game = running(anna, [ben, carla], now, is_listed=True, absent_seats=Game.AbsentSeats.TAKEOVER)
    row = open_rows(game)[0]
    client.force_login(david)
    assert "Take this seat" not in words(client.get(url("table", game)))
    absences.make_absent(row.seat, row, now)
    assert "Take this seat" in words(client.get(url("table", game)))
    page = client.post(url("take_seat", game, row.seat.number), follow=True)
    assert seat_of(game, david).number == row.seat.number
    assert answer_form(page)
    assert client.post(url("take_seat", game, 9)).status_code == 404


@pytest.mark.slow
def test_a_seat_at_a_table_that_is_not_listed_can_be_taken_by_its_link(client, anna, ben, carla, david, now):
    game = running(anna, [ben, carla], now, absent_seats=Game.AbsentSeats.TAKEOVER)
    row, other, _last = open_rows(game)
    client.force_login(other.seat.user)
    assert "/join/" not in words(client.get(url("table", game)))
    absences.make_absent(row.seat, row, now)
    link = soup_of(client.get(url("table", game))).select_one("code.secret").text
    assert not soup_of(client.get(link)).select("main form")
    client.logout()
    assert "sign in" in words(client.get(link))
    client.force_login(david)
    form = soup_of(client.get(link)).select_one("main form")
    seat = form.select_one("[name=seat]")["value"]
    assert answer_form(client.post(link, {"seat": seat}, follow=True))
    assert seat_of(game, david).number == row.seat.number
    client.force_login(make_user("Eva"))
    assert client.post(link, {"seat": seat}).status_code == 409
    assert not soup_of(client.get(link)).select("main form")


# Reading


@pytest.mark.slow
def test_the_page_reads_little_however_long_the_game_is(client, reach, django_assert_max_num_queries):
    row = reach("bribe")
    client.force_login(row.seat.user)
    with django_assert_max_num_queries(17):  # the first time it is noted that he looks
        client.get(url("table", row.game))
    with django_assert_max_num_queries(15):
        client.get(url("table", row.game))


@pytest.mark.slow
def test_the_log_shows_the_newest_first_and_the_whole_on_demand(client, placing, now):
    row = open_rows(placing)[0]
    answer(placing, row, now)
    lengthen(placing, 60)
    client.force_login(row.seat.user)
    recent = soup_of(client.get(url("table", placing))).select(".log li")
    whole = soup_of(client.get(url("table", placing) + "?log=all")).select(".log li")
    assert len(recent) == 50 < len(whole)
    assert [line.text for line in recent] == [line.text for line in whole[:50]]
    assert "The game begins." in whole[-1].text


@pytest.mark.slow
def test_whoever_waits_is_told_nothing_until_something_public_happens(client, game, now):
    row, other, last = open_rows(game)
    answer(game, last, now)
    client.force_login(last.seat.user)
    seen = watch(client, game)
    assert seen() == 304
    answer(game, row, now)  # sealed: nobody is to notice
    assert seen() == 304
    answer(game, other, now)
    assert seen() == 200


def test_sealed_answers_leave_no_trace_on_the_page_of_others(client, game, now):
    row, other, _last = open_rows(game)
    client.force_login(other.seat.user)
    before = steady(client.get(url("table", game)).content)
    answer(game, row, now, {"type": "take_treasures", "amounts": {"trophy": 3}})
    assert steady(client.get(url("table", game)).content) == before


@pytest.mark.slow
def test_why_a_deadline_moved_is_said(client, turn, now):
    turn.extensions.create(reason="outage", old_due_at=now, new_due_at=now)
    assert "the service gave more time" in words(client.get(url("table", turn.game)))


@pytest.mark.slow
def test_a_page_depends_on_nothing_its_reader_cannot_see(client, reach):
    """Two states that look alike to a seat make the same page, to the byte."""
    row = reach("market")
    game = fresh(row.game)
    for seat in game.seats.select_related("user"):
        client.force_login(seat.user)
        page = steady(client.get(url("table", game)).content)
        for dice in range(3):
            view = game.rules.view(game.load_state(), seat.number)
            other = game.rules.dump(game.rules.determinise(view, Random(dice))).decode()
            Game.objects.filter(pk=game.pk).update(state=other)
            assert steady(client.get(url("table", game)).content) == page
            Game.objects.filter(pk=game.pk).update(state=game.state)


@pytest.mark.slow
def test_the_seed_is_shown_only_when_the_game_is_over(client, anna, ben, carla, now):
    client.force_login(anna)
    game = cave_of_three(now)
    assert game.server_seed not in client.get(url("table", game)).content.decode()
    over = play_to_the_end(game, now)
    page = words(client.get(url("table", over)))
    winner = over.seats.get(number=over.outcome["winners"][0])
    assert over.server_seed in page and over.commitment in page
    assert f"{winner.name} wins" in page
    response = client.post(url("table_act", over), {"decision": "t1-move"})
    assert response.status_code == 409
    assert "This game is over." in words(response)


def test_names_are_shown_as_text(client, anna, ben, carla, now):
    User.objects.filter(pk=ben.pk).update(name='<script>alert("1")</script>')
    ben.refresh_from_db()
    game = running(anna, [ben, carla], now, title="<b>bold</b>")
    client.force_login(anna)
    pages = ("table", "history", "orders", "last_tally", "care", "table_mail", "table_webhooks", "verify", "my_games")
    for name in pages:
        page = client.get(reverse(name) if name == "my_games" else url(name, game)).content.decode()
        assert "&lt;b&gt;bold" in page or name == "last_tally", name
        assert "<script>alert" not in page and "<b>bold" not in page, name


@pytest.mark.slow
def test_a_seat_changes_hands_in_order_by_buttons_and_the_table_votes_on_absent_seats(
    client, game, anna, ben, carla, david
):
    Game.objects.update(is_listed=True)
    seats = {seat.user_id: seat for seat in game.seats.all()}
    client.force_login(ben)
    page = client.post(url("seek_successor", game), {"wish": "seek"}, follow=True).content.decode()
    assert "looks for a successor" in page and "I stay" in page and "/join/" in page
    for user in (ben, carla):
        client.force_login(user)
        page = client.post(url("wish_for_absent", game), {"wish": "bot"}, follow=True).content.decode()
    assert "Now: played by a bot." in page and Game.objects.get().absent_seats == "bot"
    assert (
        "is not one of the choices"
        in client.post(url("wish_for_absent", game), {"wish": "x\0"}, follow=True).content.decode()
    )
    client.force_login(david)
    assert "Ben's seat" in soup_of(client.get(reverse("lobby"))).text.replace("\u2068", "").replace("\u2069", "")
    assert client.post(url("seek_successor", game), {"wish": "seek"}).status_code == 404
    page = client.post(url("take_seat", game, seats[ben.pk].number), follow=True).content.decode()
    assert (
        "You&#x27;ve joined this table." in page or "You've joined this table." in page or "joined this table" in page
    )
    assert game.seats.get(user=david).status == "active" and not game.seats.filter(seeks_successor=True).exists()
