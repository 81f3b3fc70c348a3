"""The page behind a link in a mail: what it shows and takes, and what it never does by itself."""

import datetime as dt
from random import Random

import pytest
from django.test import Client

from games.models import Decision, Game, Move, Seat
from games.play import absences, game_moves, locking, pauses
from games.tables import table_links
from notifications.clock import present
from tests.games.conftest import answer, fresh, open_rows, running, seat_of, settle, some_answer
from tests.games.letters.conftest import mail
from tests.games.web.acting import act_path, back_path, path_of, post_some_answer, seq_of
from tests.games.web.filling import answer_form, choose_me, filled, soup_of, steady, untouched

# What it shows


def test_the_page_shows_board_question_deadline_and_what_silence_does(client, placing):
    row = open_rows(placing)[0]
    page = client.get(act_path(row)).content.decode()
    for shown in ("<svg", "Round 1: place a token", "Please answer by", "One of your tokens stays in your hand"):
        assert shown in page


def test_the_page_is_kept_from_caches_search_engines_and_other_sites(client, placing):
    headers = client.get(act_path(open_rows(placing)[0])).headers
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cache-Control"] == "no-store"
    assert headers["X-Robots-Tag"] == "noindex"


@pytest.mark.slow
def test_a_link_makes_no_session_and_needs_no_cookie(placing):
    client = Client(enforce_csrf_checks=True)
    row = open_rows(placing)[0]
    response = post_some_answer(client, row)
    assert response.status_code == 200
    assert not client.cookies


@pytest.mark.slow
def test_the_page_speaks_the_language_of_its_player(client, placing):
    row = open_rows(placing)[0]
    recipient = row.seat.user.recipient
    recipient.language = "es"
    recipient.zone = "America/Lima"
    recipient.save()
    response = client.get(act_path(row), headers={"accept-language": "en"})
    assert soup_of(response).html["lang"] == "es"
    assert "UTC-5" in response.content.decode()


@pytest.mark.slow
def test_a_query_only_moves_an_option_to_the_front(client, placing):
    row = open_rows(placing)[0]
    form = answer_form(client.get(act_path(row) + "?token=7&space=market"))
    assert form.select("input[name=place-token]")[0]["value"] == "7"
    assert form.select("button[name=place-space]")[0]["value"] == "market"
    assert not form.select("input[checked], [data-chosen]")


# Who opens it without a choice changes nothing


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["place", "market", "camel", "bribe", "buy"])
def test_a_scanner_that_opens_and_presses_everything_moves_nothing(client, reach, kind):
    row = reach(kind)
    before = seq_of(row.game)
    for method in ("get", "head", "options"):
        assert getattr(client, method)(act_path(row)).status_code == 200
    form = answer_form(client.get(act_path(row)))
    for posted in (untouched(form), {}, untouched(form) | {"person": "other"}):
        assert client.post(act_path(row), posted).status_code == 200
    assert client.post(act_path(row), untouched(form) | {"person": "me"}).status_code == 422
    assert seq_of(row.game) == before


def test_the_first_question_too_is_not_answered_by_pressing_its_button(client, game):
    row = open_rows(game)[0]
    form = answer_form(client.get(act_path(row)))
    assert client.post(act_path(row), untouched(form) | {"person": "me"}).status_code == 422
    assert seq_of(game) == 1


# Answering


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["place", "market", "camel", "bribe", "buy"])
def test_every_kind_of_question_can_be_answered(client, reach, kind):
    row = reach(kind)
    response = post_some_answer(client, row)
    assert response.status_code == 200
    assert soup_of(response).select_one("#done :is(h2, .did)").text.strip()
    move = Move.objects.get(game=row.game, decision=row.code)
    assert (move.source, move.actor) == (Move.Source.LINK, row.seat.user)


def test_the_player_reads_what_he_has_done(client, placing):
    row = open_rows(placing)[0]
    form = answer_form(client.get(act_path(row)))
    page = client.post(act_path(row), filled(form, {"type": "place", "token": 9, "space": "market"}), follow=True)
    assert "You place the 9 at the market." in page.content.decode()


def test_after_an_answer_the_next_question_of_the_same_seat_stands_on_the_same_page(client, anna, now):
    """The bot's turn is played by a worker; the page looks for what comes after it."""
    game = running(anna, [], now, rules_name="cave-of-wonders", seat_count=2, bots=("greedy",), options={})
    settle(now)
    (row,) = open_rows(game)
    path = act_path(row)
    with present.going_by(lambda: now):
        result = client.post(path, filled(answer_form(client.get(path)), some_answer(fresh(game), row)))["Location"]
        while form := soup_of(client.get(result)).select_one("form.answer"):  # the turn goes on where a genie was found
            (row,) = open_rows(game)
            path = path_of(str(form["action"]))
            result = client.post(path, filled(form, some_answer(fresh(game), row)))["Location"]
        settle(now)
        form = soup_of(client.get(result)).select_one("form.answer")
        (following,) = open_rows(game)
        posted = filled(form, some_answer(fresh(game), following))
        assert client.post(path_of(str(form["action"])), posted).status_code == 303
    following.refresh_from_db()
    assert not following.is_open


def test_a_double_click_is_one_move_and_both_are_told_it_is_done(client, placing):
    row = open_rows(placing)[0]
    data = filled(answer_form(client.get(act_path(row))), some_answer(placing, row))
    first, second = (client.post(act_path(row), data, follow=True) for _ in range(2))
    assert (first.status_code, second.status_code) == (200, 200)
    assert steady(first.content) == steady(second.content)
    assert placing.moves.filter(decision=row.code).count() == 1


def test_what_is_left_empty_makes_no_other_answer_of_a_form(client, placing):
    """With scripts it is not even sent."""
    row = open_rows(placing)[0]
    data = filled(answer_form(client.get(act_path(row))), some_answer(placing, row)) | {"row.place-1-token": ""}
    sent = {name: value for name, value in data.items() if value}
    assert sent != data
    assert [client.post(act_path(row), form).status_code for form in (data, sent)] == [303, 303]


def test_a_double_click_that_ended_the_game_is_told_it_is_done_as_well(client, placing):
    row = open_rows(placing)[0]
    data = filled(answer_form(client.get(act_path(row))), some_answer(placing, row))
    first = client.post(act_path(row), data)
    Game.objects.filter(pk=placing.pk).update(status=Game.Status.FINISHED)
    second = client.post(act_path(row), data)
    assert (first.status_code, second.status_code) == (303, 303)
    assert first.headers["Location"] == second.headers["Location"]


def test_a_double_click_that_broke_the_game_is_told_it_is_done_as_well(client, placing, caplog):
    row = open_rows(placing)[0]
    data = filled(answer_form(client.get(act_path(row))), some_answer(placing, row))
    assert client.post(act_path(row), data).status_code == 303
    Game.objects.filter(pk=placing.pk).update(state='{"broken":')
    assert client.post(act_path(row), data).status_code == 303
    assert [(one.levelname, one.args) for one in caplog.records if one.exc_info] == [("ERROR", (placing.ref,))]
    with pytest.raises(ValueError, match="truncated"):
        client.post(act_path(row), data | {"key": "another"})


def test_whether_it_is_a_double_click_is_asked_only_where_an_answer_cannot_be_taken(client, placing, monkeypatch):
    row = open_rows(placing)[0]
    data = filled(answer_form(client.get(act_path(row))), some_answer(placing, row))
    with monkeypatch.context() as patched:
        patched.setattr(game_moves, "find_by_key", None)
        assert client.post(act_path(row), data).status_code == 303
    assert client.post(act_path(row), data).status_code == 303
    assert client.post(act_path(row), data | {"key": "another"}).status_code == 409


@pytest.mark.slow
def test_link_and_page_at_once_count_once_and_the_second_is_told_the_first_answer(client, placing, now):
    row = open_rows(placing)[0]
    data = filled(answer_form(client.get(act_path(row))), {"type": "place", "token": 1, "space": "guard"})
    answer(placing, row, now, {"type": "place", "token": 9, "space": "market"})
    before = seq_of(placing)
    response = client.post(act_path(row), data)
    page = response.content.decode()
    assert response.status_code == 409
    assert "You place a token at the market." in page
    assert "place the 9" not in page  # a spent link tells public facts only
    assert seq_of(placing) == before


# Sealed answers (A6)


@pytest.mark.slow
def test_a_sealed_answer_may_be_replaced_until_all_have_answered(client, game, now):
    row, *others = open_rows(game)
    crowns = {"type": "take_treasures", "amounts": {"crown": 3}}
    golds = {"type": "take_treasures", "amounts": {"gold": 3}}
    done = client.post(act_path(row), filled(answer_form(client.get(act_path(row))), crowns), follow=True)
    assert "ve chosen 3 crowns" in done.content.decode()
    again = client.get(act_path(row))
    assert "ve chosen 3 crowns" in again.content.decode()
    client.post(act_path(row), filled(answer_form(again), golds))
    for other in others:
        answer(game, other, now)
    spent = client.get(act_path(row)).content.decode()
    assert "You start with 3 gold bars." in spent


def test_a_link_of_another_seat_shows_nothing_of_a_sealed_answer(client, game, now):
    row, other, _last = open_rows(game)
    before = steady(client.get(act_path(other)).content)
    answer(game, row, now, {"type": "take_treasures", "amounts": {"trophy": 3}})
    assert steady(client.get(act_path(other)).content) == before


# Absent players


@pytest.fixture
def absent(placing, now) -> Decision:
    row = open_rows(placing)[0]
    absences.make_absent(row.seat, row, now)
    return row


def test_the_link_of_an_absent_player_offers_to_come_back(client, absent):
    page = soup_of(client.get(act_path(absent)))
    assert page.select_one("a.button.big")["href"].endswith(back_path(absent.seat))


@pytest.mark.slow
def test_opening_the_way_back_or_pressing_its_button_changes_nothing_and_a_person_does(client, absent):
    path = back_path(absent.seat)
    for method in ("get", "head", "options"):
        getattr(client, method)(path)
    asked_who = client.post(path)
    assert Seat.objects.get(pk=absent.seat.pk).status == Seat.Status.ABSENT
    page = choose_me(client, asked_who, path)
    assert "Welcome back" in page.content.decode()
    assert Seat.objects.get(pk=absent.seat.pk).status == Seat.Status.ACTIVE
    button = soup_of(page).select_one("a.button.big")
    assert answer_form(client.get(path_of(str(button["href"]))))


def test_the_way_back_of_another_seat_is_a_404(client, absent):
    _, _, ref, number, token, _ = back_path(absent.seat).split("/")
    assert client.get(f"/back/{ref}/{(int(number) + 1) % 3}/{token}/").status_code == 404
    assert client.post(f"/back/{ref}/9/{token}/").status_code == 404


def test_who_has_come_back_already_is_told_so_without_an_error(client, absent, now):
    absences.come_back(seat_id=absent.seat.pk, now=now)
    assert client.get(back_path(absent.seat)).status_code == 200
    assert client.post(back_path(absent.seat)).status_code == 200


def test_the_link_of_the_email_agrees_to_an_hour_together_once_a_person_presses(client, placing, anna, ben, carla, now):
    at = now.replace(second=0, microsecond=0) + dt.timedelta(hours=4)
    pauses.agree_on_hour(game_id=placing.pk, seat=seat_of(placing, anna).number, starts_at=at, now=now)
    links = {user: path_of(table_links.seat_url("agree_to_hour", seat_of(placing, user))) for user in (ben, carla)}
    assert links[ben] in mail("hour", ben).text
    asked_who = client.post(links[ben], {"wish": "agree", "at": at.isoformat()})
    assert not seat_of(placing, ben).agrees_to_hour
    page = choose_me(client, asked_who, links[ben])
    assert "The others are asked" in page.content.decode() and seat_of(placing, ben).agrees_to_hour
    choose_me(client, client.post(links[carla], {"wish": "decline"}), links[carla])
    assert fresh(placing).hour_at is None
    assert "no longer proposed" in client.get(links[ben]).content.decode()


# Secrecy and the end


@pytest.mark.slow
def test_a_page_depends_on_nothing_its_player_cannot_see(client, reach):
    """Two states that look alike to a seat make the same page, to the byte."""
    for kind in ("place", "market", "bribe"):
        row = reach(kind)
        game = fresh(row.game)
        rules, page = game.rules, steady(client.get(act_path(row)).content)
        for dice in range(3):
            view = rules.view(fresh(game).load_state(), row.seat.number)
            other = rules.dump(rules.determinise(view, Random(dice))).decode()
            Game.objects.filter(pk=game.pk).update(state=other)
            assert steady(client.get(act_path(row)).content) == page
        Game.objects.filter(pk=game.pk).update(state=game.state)


@pytest.mark.slow
def test_a_game_that_is_repaired_says_so_and_keeps_what_was_typed(client, placing, now):
    row = open_rows(placing)[0]
    data = filled(answer_form(client.get(act_path(row))), some_answer(placing, row))
    locking.quarantine(placing.pk, now)
    response = client.post(act_path(row), data)
    assert response.status_code == 503
    assert "repairing this game" in response.content.decode()
    assert answer_form(response).select("input[checked]")


@pytest.mark.slow
def test_a_link_into_a_game_that_is_over_says_so(client, placing, now):
    row = open_rows(placing)[0]
    data = filled(answer_form(client.get(act_path(row))), some_answer(placing, row))
    for seat in placing.seats.exclude(pk=row.seat.pk):
        game_moves.resign(game_id=placing.pk, seat=seat.number, actor=seat.user, source=Move.Source.WEB, now=now)
    game_moves.end_by_wish(
        game_id=placing.pk, seat=row.seat.number, actor=row.seat.user, source=Move.Source.WEB, now=now
    )
    assert client.get(act_path(row)).status_code == 200
    response = client.post(act_path(row), data)
    assert response.status_code == 409
    assert "This game is over." in response.content.decode()


def test_a_link_acts_for_its_own_seat_whoever_is_signed_in(client, placing):
    row = open_rows(placing)[0]
    other = next(seat.user for seat in placing.seats.all() if seat.user != row.seat.user)
    client.force_login(other)
    post_some_answer(client, row)
    assert Move.objects.get(game=placing, decision=row.code).seat == row.seat.number
