"""The other kinds of letters, one by one."""

import datetime as dt
import hashlib
import html

import pytest
from django.test import Client
from django.urls import reverse

from engine.aladdins_dragons.events import TokenPlaced
from games.lobby import invitations, lifecycle
from games.models import Decision, Game, Invitation, Seat, User
from games.play import absences, decision_links, game_moves, history, notify, pauses, queries
from games.play.asking_letters import TOLD_LATER
from games.tables import pace, table_links
from notifications.clock import present
from notifications.composers import composer_for
from tests.games.conftest import answer, fresh, new_table, open_rows, play_to_the_end, running, seat_of, settle
from tests.games.letters.conftest import end_soon, let_pass, mail, newest, stale


def invite_eva(game: Game, host: User, now: dt.datetime) -> Invitation:
    return invitations.invite(game_id=game.pk, host=host, address="eva@example.net", now=now)


def test_an_invitation_says_who_what_and_how_to_be_left_alone(table: Game, anna: User, now: dt.datetime) -> None:
    invitation = invite_eva(table, anna, now)
    letter = mail("invited", invitation.recipient)
    assert letter.subject == "Anna saved you a seat at Aladdin's Dragons"
    for part in (letter.text, letter.html):
        assert table_links.invitation_url(invitation) in part
        assert "Version: Basic" not in part, "settings stand behind the link"
        assert letter.unsubscribe_url in part
        assert html.escape(queries.say(table, table.rules.lesson.about)) in html.escape(html.unescape(part))
        assert ("A game by email takes " in part) == (pace.days(table) is not None)
    assert letter.html.count('src="cid:') == len(letter.pictures) == 1
    assert "Players so far: Anna" in letter.text
    assert "/never-write/" in letter.unsubscribe_url


def test_an_invitation_brings_a_line_of_the_hosts_own_as_plain_text(table: Game, anna: User, client: Client) -> None:
    client.force_login(anna)
    line = "Come & play <b>with us at evil.example.com"
    client.post(reverse("invite", args=[table.ref]), {"addresses": "eva@example.net", "words": line})
    row = Invitation.objects.get()
    assert row.words == line
    letter, page = mail("invited", row.recipient), client.get(table_links.invitation_url(row)).content.decode()
    assert "Come & play <b>with us" in letter.text and "evil.example" not in letter.text + letter.html
    assert "Come &amp; play &lt;b&gt;with us" in letter.html and "Come &amp; play &lt;b&gt;with us" in page
    User.objects.filter(pk=anna.pk).update(silent_until=present.now() + dt.timedelta(days=1))
    client.post(reverse("invite", args=[table.ref]), {"addresses": "dora@example.net", "words": line})
    assert Invitation.objects.count() == 1, "who is muted writes no line"


def test_an_invitation_shows_a_stranger_nothing_behind_a_sign_in(table: Game, anna: User, now: dt.datetime) -> None:
    letter = mail("invited", invite_eva(table, anna, now).recipient)
    for part in (letter.text, letter.html):
        assert table_links.game_url(table) not in part
        assert "/settings/" not in part
        assert anna.email not in part


def test_names_in_an_invitation_become_no_links(anna: User, now: dt.datetime) -> None:
    anna.name = "http://casino.example"
    anna.save()
    game = new_table(anna, now, title="win@casino.example www.casino.example")
    letter = mail("invited", invite_eva(game, anna, now).recipient)
    for part in (letter.subject, letter.text, letter.html):
        assert "casino.example" not in part
        assert "@casino" not in part


def test_the_start_tells_seats_opening_and_commitment(game: Game, ben: User) -> None:
    letter = mail("started", ben)
    seats = [f"{n}. {name}{' (you)' if name == 'Ben' else ''}" for n, name in enumerate(game.seat_names(), start=1)]
    assert "\n".join(seats) in letter.text
    assert "The game begins." in letter.text
    for part in (letter.text, letter.html):
        assert game.commitment in part
        assert game.server_seed not in part
        assert table_links.game_url(game) in part


def test_a_passed_move_is_told_as_everybody_saw_it(turn: Decision, ben: User, now: dt.datetime) -> None:
    let_pass(turn, now)
    letter = mail("passed", ben)
    assert "- You ran out of time. One token stays in hand." in letter.text
    assert "If you miss 3 deadlines more in a row" in letter.text


def test_the_last_miss_before_absence_is_counted_in_the_singular(turn: Decision, ben: User, now: dt.datetime) -> None:
    seat = turn.seat
    seat.misses = 2
    seat.save()
    let_pass(turn, now)
    assert "If you miss 1 deadline more in a row" in mail("passed", ben).text


def test_what_was_passed_in_secret_is_not_told_before_all_have_answered(
    game: Game, ben: User, now: dt.datetime
) -> None:
    row = next(row for row in open_rows(game) if row.seat.user == ben)
    let_pass(row, now)
    letter = mail("passed", ben)
    assert "The answer stays hidden until everyone has answered." in letter.text
    assert "starts with" not in letter.text


@pytest.mark.slow
def test_a_miss_is_told_by_the_email_that_asks_next_and_by_no_other(
    turn: Decision, ben: User, now: dt.datetime
) -> None:
    Seat.objects.filter(pk=turn.seat.pk).update(misses=1)
    let_pass(turn, now)
    assert stale("passed", ben) == ""
    while not (mine := [row for row in open_rows(turn.game) if row.seat.user == ben]):
        answer(fresh(turn.game), open_rows(turn.game)[0], now)
        settle(now)
    assert mine[0].pk != turn.pk
    assert stale("passed", ben) == TOLD_LATER
    text = " ".join(mail("due", ben).text.split())
    assert "You missed the last deadline, so your move was made for you." in text
    assert "If you miss 2 more in a row, the game goes on without waiting for you." in text
    assert composer_for("passed").is_current_for_all(newest("passed", ben)) == ""


def test_who_is_absent_gets_a_way_back_and_what_the_table_does(
    anna: User, ben: User, carla: User, now: dt.datetime
) -> None:
    game = running(anna, [ben, carla], now, absent_seats="takeover")
    seat = seat_of(game, ben)
    absences.make_absent(seat, open_rows(game)[0], now)
    letter = mail("absent", ben)
    assert table_links.seat_url("back", seat) in letter.text
    assert table_links.seat_url("back", seat) in letter.html
    assert "Anyone with the table's link may take over your seat meanwhile." in letter.text
    Game.objects.update(is_listed=True)
    assert "Others may take over your seat meanwhile." in mail("absent", ben).text


def test_the_former_player_is_told_who_plays_on(
    anna: User, ben: User, carla: User, david: User, now: dt.datetime
) -> None:
    game = running(anna, [ben, carla], now, absent_seats="takeover")
    seat = seat_of(game, ben)
    absences.make_absent(seat, open_rows(game)[0], now)
    absences.take_over(seat_id=seat.pk, user=david, now=now)
    letter = mail("taken_over", ben)
    assert "David has taken over your seat" in letter.text
    assert "/act/" not in letter.text


def test_a_pause_is_told_and_then_the_new_deadline(turn: Decision, anna: User, ben: User, now: dt.datetime) -> None:
    for user in (anna, ben):
        pauses.set_wish(game_id=turn.game_id, seat=seat_of(turn.game, user).number, is_wanted=True, now=now)
    letter = mail("paused", ben)
    assert letter.subject == "Thursday is paused"
    for part in (letter.text, letter.html):
        assert "More than half of the players" in part and "Friday 3 April 2026" in part
    later = now + dt.timedelta(days=2)
    pauses.set_wish(game_id=turn.game_id, seat=seat_of(turn.game, anna).number, is_wanted=False, now=later)
    assert stale("paused", ben)
    asked, other = mail("resumed", ben), mail("resumed", anna)
    for part in (asked.text, asked.html):
        assert "Saturday 7 March 2026" in part and decision_links.act_url(turn) in part
    assert "The game waits for others until" in other.text and "/act/" not in other.text


def test_a_pause_by_a_moderator_says_so(turn: Decision, ben: User, now: dt.datetime) -> None:
    pauses.pause_by_moderator(game_id=turn.game_id, now=now)
    letter = mail("paused", ben)
    assert "A moderator has paused the game" in letter.text
    assert "by itself" not in letter.text


def test_a_closed_table_is_told_to_guests_and_to_the_invited(
    table: Game, anna: User, ben: User, now: dt.datetime
) -> None:
    lifecycle.join(game_id=table.pk, user=ben, now=now)
    invitation = invite_eva(table, anna, now)
    lifecycle.close(game_id=table.pk, host=anna, now=now)
    for reader in (ben, invitation.recipient):
        letter = mail("closed", reader)
        assert letter.subject == "The table Thursday was closed"
        assert "The host has closed the table Thursday." in letter.text


def test_a_game_that_ends_by_agreement_says_so_and_before_it_how_many_want_so(turn: Decision, ben: User) -> None:
    game = turn.game
    seats = sorted(game.seats.all(), key=lambda seat: seat.user == turn.seat.user)
    for seat in seats:
        if seat == seats[-1]:
            letter = mail("due", turn.seat.user)
            for part in (letter.text, letter.html):
                assert "2 of 3 players want to end the game without a result" in part
        game_moves.set_end_wish(game_id=game.pk, seat=seat.number, is_wanted=True, now=turn.opened_at)
    letter = mail("closed", ben)
    assert letter.subject == "Thursday was ended without a result"
    assert "agreed to end the game without a result" in letter.text and "moderator" not in letter.text


def test_a_table_that_never_began_says_so(table: Game, anna: User) -> None:
    lifecycle.expire_one(table.expires_at)
    assert "because the game didn't start in time" in mail("closed", anna).text


@pytest.mark.slow
def test_the_end_names_winner_ranking_own_place_and_the_seed(game: Game, ben: User, now: dt.datetime) -> None:
    game = play_to_the_end(game, now)
    assert game.outcome is not None
    assert sum(game.outcome["scores"]) == 18  # all artifacts of three rooms (A94)
    letter = mail("game_over", ben)
    winner = game.seats.get(number=game.outcome["winners"][0])
    assert letter.subject == "Thursday is over"
    assert f"{winner.name} wins" in letter.text
    for place, number in enumerate(game.outcome["ranking"], start=1):
        seat = game.seats.get(number=number)
        assert f"{place}. {seat.name}" in letter.text
    for line in history.story(game):
        assert f"- {line}" in letter.text and line in html.unescape(letter.html)
    assert any(line.startswith("After round") for line in history.story(game))
    assert table_links.history_url(game) in letter.text and table_links.history_url(game) in letter.html
    own = "You have won" if winner.user == ben else "You came "
    for part in (letter.text, letter.html):
        assert own in part
        assert game.server_seed in part
        assert game.commitment in part
    assert hashlib.sha256(bytes.fromhex(game.server_seed)).hexdigest() == game.commitment


def test_the_story_is_made_of_what_everybody_was_shown(
    turn: Decision, ben: User, now: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, heard = end_soon(turn.game, ben, now), []
    monkeypatch.setattr(type(game.rules), "story", lambda rules, events: heard.extend(events) or [], raising=False)
    assert history.story(game) == []
    assert heard and all(event == game.rules.redact(event, None) for event in heard)
    assert any(isinstance(event, TokenPlaced) and event.value is None for event in heard)


def test_the_seed_is_in_no_letter_before_the_end(turn: Decision, ben: User, now: dt.datetime) -> None:
    seed = turn.game.server_seed
    notify.about_decision("reminder", turn, now)
    for kind in ("started", "due", "reminder"):
        letter = mail(kind, ben)
        assert seed not in letter.text + letter.html
