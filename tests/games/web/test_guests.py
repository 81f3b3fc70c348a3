"""Playing without an account: what a guest has, what becomes of his games, and where the bounds are."""

import datetime as dt
import re

import pytest
import time_machine
from django.core import mail
from django.core.cache import cache
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from engine.registry import newest
from games import ticks
from games.lobby import guests, practice
from games.models import ApiToken, BeatenBot, Game, Invitation, Move, Seat, Session, User
from games.moderation import people
from games.people import staff
from games.people.sign_in import sign_in_link
from games.play import queries
from games.privacy import retention
from games.web.play import answering
from games.web.reader import PAGES
from notifications.clock import present
from notifications.models import Endpoint, Notice, Recipient
from tests.games.conftest import answer, deliveries, fresh, new_table, open_rows, settle, some_answer
from tests.games.web.filling import answer_form, filled, pressed, soup_of, words

pytestmark = pytest.mark.slow
DRAGONS = "aladdins-dragons"
MINUTE, HOUR, DAY, WEEK = (dt.timedelta(**{unit: 1}) for unit in ("minutes", "hours", "days", "weeks"))


@pytest.fixture(autouse=True)
def nobody_has_come_yet(db: None) -> None:
    cache.clear()


def play_now(client: Client, name: str = DRAGONS) -> HttpResponse:
    return client.post(reverse("play_now", args=[name]))


def guest_game(client: Client, now: dt.datetime) -> Game:
    """A guest's game that waits for his first answer."""
    play_now(client)
    settle(now)
    return Game.objects.get()


def answer_once(client: Client, game: Game) -> HttpResponse:
    """Fills in the form of what is asked, and sends it."""
    row = next(row for row in open_rows(game) if row.seat.user)
    form = answer_form(client.get(reverse("table", args=[game.ref])))
    return client.post(reverse("table_act", args=[game.ref]), filled(form, some_answer(fresh(game), row)))


def board_of(client: Client, game: Game) -> list[str]:
    """All numbers on the board that the table's page shows."""
    picture = soup_of(client.get(reverse("table", args=[game.ref]))).select_one("figure.board .map")
    assert picture is not None
    return re.findall(r"\d+", picture.text)


def sign_in(client: Client, user: User) -> HttpResponse:
    """Signs in by the link of a mail, in the browser of this client."""
    link = sign_in_link(User.objects.get(pk=user.pk))
    return client.post(link, pressed(), follow=True)


@pytest.mark.parametrize("rules", newest(), ids=lambda rules: rules.name)
def test_one_tap_opens_a_game_against_bots_without_an_address(client: Client, rules: object) -> None:
    name = rules.name  # type: ignore[attr-defined]
    page = client.get(play_now(client, name).headers["Location"])
    game, guest = Game.objects.get(), User.objects.get()
    assert (game.rules_name, game.status, game.is_practice, game.is_for_ratings) == (name, "running", True, False)
    assert (guest.is_guest, guest.address, guest.recipient.address) == (True, None, "")
    assert re.fullmatch(r"Guest \w+", guest.name) and guest.name in words(page)
    assert "Step 1 of" not in words(page) and "You're playing as a guest" in words(page)
    assert {row.kind for row in open_rows(game) if row.seat.user == guest} <= {
        "place",
        "move",
    }  # nothing before the first turn
    assert play_now(client, name).headers["Location"] == page.request["PATH_INFO"]  # one goes on where one was
    assert Game.objects.count() == User.objects.count() == 1


def test_a_guest_answers_and_nobody_is_written_to(client: Client, now: dt.datetime) -> None:
    game = guest_game(client, now)
    address = reverse("table", args=[game.ref])
    answered = answer_once(client, game)
    assert answered.status_code == 303 and Move.objects.filter(actor__is_guest=True).exists()
    assert not Notice.objects.exists() and not deliveries().exists() and not mail.outbox
    home = soup_of(client.get(reverse("home")))
    assert home.select_one(f"main a[href='{address}']")
    assert {link["href"] for link in home.select("nav a")} == {"/", "/learn/", "/accounts/login/code/"}


def test_everywhere_else_he_is_nobody(client: Client, anna: User, now: dt.datetime) -> None:
    game, listed = guest_game(client, now), new_table(anna, now, is_listed=True)
    asked = {
        "say": [game.ref], "invite": [game.ref], "table_webhooks": [game.ref], "settings": [], "new_table": [],
        "tokens": [], "bots": [], "webhooks": [], "import_game": [], "own_data": [], "my_games": [],
        "steward": [game.ref], "join": [listed.ref, "x"], "take_seat": [listed.ref, 1],
    }  # fmt: skip
    assert not PAGES & asked.keys()
    for name, arguments in asked.items():
        answer = client.post(
            reverse(name, args=arguments), {"text": "hello", "address": "ben@example.org", "name": "x"}
        )
        assert answer.status_code in (302, 404) and "/accounts/" in answer.headers.get("Location", "/accounts/"), name
    assert client.get(reverse("api_read_me")).status_code == 401
    assert not Invitation.objects.exists() and not ApiToken.objects.exists() and not Endpoint.objects.exists()
    assert (
        not game.comments.exists()
        and listed.seats.count() == 1
        and not Game.objects.filter(host__is_guest=True, is_listed=True)
    )
    assert "come with you" in words(client.get(reverse("account_signup")))


def test_what_a_guest_began_is_his_when_he_signs_in_in_the_same_browser(
    client: Client, anna: User, now: dt.datetime
) -> None:
    game = guest_game(client, now)
    answer_once(client, game)
    client.post(reverse("note", args=[game.ref]), {"text": "watch the genie"})
    board = board_of(client, game)
    moves = list(Move.objects.filter(game=game).values_list("chain", flat=True))
    assert "yours now" in words(sign_in(client, anna))
    page = client.get(reverse("table", args=[game.ref]))
    seat = Seat.objects.get(game=game, user=anna)
    assert (fresh(game).host, seat.name) == (anna, "Anna")
    assert "watch the genie" in words(page) and not Move.objects.filter(actor__is_guest=True).exists()
    assert board_of(client, game) == board
    assert list(Move.objects.filter(game=game).values_list("chain", flat=True)) == moves
    assert guests.adopt(key=User.objects.get(is_guest=True).pk, user=anna) == 0  # once is enough
    settle(present.now())
    assert [row.seat.user for row in open_rows(game) if row.seat.user] == [anna]


def test_play_now_asks_one_thing_and_against_bots_a_proposal_is_a_hint(client: Client, now: dt.datetime) -> None:
    page = client.get(reverse("choose_game"))
    assert [title.text for title in soup_of(page).select("main h2")] == [
        "Aladdin and the Cave of Wonders",
        "Aladdin's Dragons",
    ]
    assert soup_of(page).select_one(f"main > p a[href='{reverse('learn')}']") and "8 minutes" in words(page)
    game = guest_game(client, now)
    assert sorted(seat.display_name for seat in game.seats.all() if seat.bot) == ["Laila", "Nur", "Tariq"]
    table = client.get(reverse("table", args=[game.ref]))
    form = soup_of(table).select_one("form.answer")
    assert form is not None and "Our idea" not in form.select_one(".ask-words").text
    assert form.select_one(".lamp button[name=proposal]")


def test_the_game_that_runs_stands_first_on_play_now_and_one_button_is_the_main_one(
    client: Client, now: dt.datetime
) -> None:
    def main_buttons() -> list[str]:
        buttons = soup_of(client.get(page)).select("main li.card .button.wide, main li.card button.wide")
        return [button.text for button in buttons if "quiet" not in button["class"]]

    page = reverse("choose_game")
    assert main_buttons() == ["Play: Aladdin and the Cave of Wonders"]
    guest_game(client, now)
    assert main_buttons() == ["Go on where you were"]
    play_now(client, "cave-of-wonders")
    assert main_buttons() == ["Go on where you were"]
    for lesson in newest():
        client.post(reverse("begin_lesson", args=[lesson.name]))
    page = reverse("learn")
    assert main_buttons() == ["Go on where you were"]


@pytest.mark.parametrize(("language", "play"), [("de", "Spielen"), ("es", "Jugar")])
def test_a_game_is_not_played_back_like_a_film(client: Client, language: str, play: str) -> None:
    page = soup_of(client.get(reverse("choose_game"), headers={"accept-language": language}))
    assert [button.find(string=True) for button in page.select("main li.card button.wide")] == [play, play]


def test_who_has_games_finds_the_bots(client: Client, anna: User, now: dt.datetime) -> None:
    way = f"main a[href='{reverse('choose_game')}']"
    for name in (DRAGONS, "cave-of-wonders"):
        play_now(client, name)
        client.post(reverse("begin_lesson", args=[name]))
    home = soup_of(client.get(reverse("home")))
    cards = home.select(".grid.two > section.card")
    assert home.select_one(way) and len(cards) == 4
    assert [len(card.select("a.button:not(.quiet)")) for card in cards] == [1, 0, 0, 0]
    assert [len(card.select("img")) for card in cards] == [1, 1, 0, 0]
    sign_in(client, anna)
    assert soup_of(client.get(reverse("home"))).select_one(way)
    Game.objects.update(status=Game.Status.CLOSED)
    assert soup_of(client.get(reverse("home"))).select_one(way)


def test_who_has_learned_or_finds_no_table_is_led_to_the_bots(client: Client) -> None:
    solved = soup_of(client.get(reverse("puzzle", args=[DRAGONS]), {"answer": "caravanserai"}))
    assert [way["href"] for way in solved.select("#asked a.button")] == [reverse("choose_game"), reverse("lobby")]
    assert soup_of(client.get(reverse("lobby"))).select_one(f"main a.quiet[href='{reverse('choose_game')}']")


def test_what_is_said_after_a_turn_of_four_tokens_counts_them_all(client: Client, now: dt.datetime) -> None:
    game = guest_game(client, now)
    said = []
    for token, space in ((9, "guard"), (8, "market"), (7, "caravanserai"), (6, "room-1")):
        row = next(row for row in open_rows(game) if row.seat.user)
        move = answer(game, row, now, {"type": "place", "token": token, "space": space})
        said.append(answering.result_lines(queries.access_seat(row.seat.user, game.ref), move))
    assert said == [[], [], [], ["You place the 9 at the palace guard.", "And 3 more."]]


def test_whoever_is_beaten_makes_room_for_the_next_and_the_ladder_comes_along_to_an_account(
    client: Client, anna: User, now: dt.datetime
) -> None:
    game = guest_game(client, now)
    seat = game.seats.get(user__is_guest=True)
    others = [number for number in range(4) if number != seat.number]
    outcome = {
        "ending": "sold_out", "winners": [seat.number], "ranking": [seat.number, *others], "scores": [0, 1, 2, 3],
        "reason": {"code": "yes", "params": {}},
    }  # fmt: skip
    practice.settle(game.pk, now)
    assert not BeatenBot.objects.exists()
    Game.objects.filter(pk=game.pk).update(status=Game.Status.FINISHED, outcome=outcome)
    game.decisions.all().delete()
    for _twice in range(2):
        practice.settle(game.pk, now)
    assert [(row.user, row.bot) for row in BeatenBot.objects.all()] == [(seat.user, "greedy")]
    end = soup_of(client.get(reverse("table", args=[game.ref])))
    ways = [way.text for way in end.select(".finale-ways button, .finale-ways a")]
    assert ways[:4] == ["Play again", "A stronger opponentFarid", "With friends", "Keep my games"]
    portraits = [face["src"].split("#")[1] for face in end.select(".podium img.face, figure.board .seats img.face")]
    assert sorted(portraits) == sorted([f"{name}-view" for name in ("laila", "nur", "tariq")] * 2)
    Seat.objects.filter(game=game, bot="greedy").update(bot="sultan")
    assert "A stronger opponent" not in words(client.get(reverse("table", args=[game.ref])))
    Seat.objects.filter(game=game, bot="sultan").update(bot="greedy")
    rungs = soup_of(client.get(reverse("choose_game"))).select("li.card:last-of-type .rungs li")
    assert [("beaten" in rung.text, "your next" in rung.text) for rung in rungs][2:4] == [(True, False), (False, True)]
    sign_in(client, anna)
    assert BeatenBot.objects.get().user == anna
    client.post(reverse("play_now", args=[DRAGONS]))
    assert Game.objects.latest("pk").seats.filter(bot="planner").exists()


def test_bots_say_a_word_until_they_are_told_not_to(client: Client, now: dt.datetime) -> None:
    game = guest_game(client, now)
    table, hear = reverse("table", args=[game.ref]), reverse("hear_bots", args=[game.ref])
    word = soup_of(client.get(table)).select_one(".bots-word span")
    assert word is not None and word["data-code"] == "begin"
    client.post(hear, {"hears": "no"})
    assert soup_of(client.get(table)).select_one(".bots-word") is None
    client.post(hear, {"hears": "yes"})
    assert soup_of(client.get(table)).select_one(".bots-word span") == word


def test_a_bot_gives_its_win_away_only_to_whoever_has_won(client: Client, anna: User, now: dt.datetime) -> None:
    game = guest_game(client, now)
    own = game.seats.get(user__is_guest=True).number
    game.seats.filter(bot="random").update(bot="", user=anna)
    others = [seat.number for seat in game.seats.exclude(number=own)]
    friend = game.seats.get(user=anna).number
    said = []
    for winner in (own, friend):
        outcome = {
            "ending": "sold_out", "winners": [winner], "ranking": [own, *others], "scores": [1, 0, 0, 0],
            "reason": {"code": "yes", "params": {}},
        }  # fmt: skip
        Game.objects.filter(pk=game.pk).update(status=Game.Status.FINISHED, outcome=outcome)
        game.decisions.all().delete()
        word = soup_of(client.get(reverse("table", args=[game.ref]))).select_one(".bots-word span")
        said.append(word and word["data-code"])
    assert said == ["lost", None]


def test_a_new_account_takes_them_over_with_its_code(client: Client, now: dt.datetime) -> None:
    game = guest_game(client, now)
    client.post(reverse("account_signup"), {"email": "zoe@example.org", "name": "Zoe"})
    code = re.search(r"^\s*([A-Z0-9-]{6,12})\s*$", str(mail.outbox[-1].body), re.MULTILINE)
    assert code is not None
    client.post(reverse("account_email_verification_sent"), {"code": code[1]})
    zoe = User.objects.get(email="zoe@example.org")
    assert fresh(game).host == zoe and client.get(reverse("my_games")).status_code == 200


def test_on_another_device_he_finds_his_account_and_here_the_guest_stays(
    client: Client, anna: User, now: dt.datetime
) -> None:
    game, elsewhere = guest_game(client, now), Client()
    sign_in(elsewhere, anna)
    assert elsewhere.get(reverse("table", args=[game.ref])).status_code == 404
    assert client.get(reverse("table", args=[game.ref])).status_code == 200
    sign_in(client, anna)
    assert elsewhere.get(reverse("table", args=[game.ref])).status_code == 200


def test_who_has_a_lesson_of_his_own_keeps_both_and_a_table_where_he_sits_is_left(
    client: Client, anna: User, now: dt.datetime
) -> None:
    own = practice.begin_lesson(user=anna, rules_name=DRAGONS, now=now)
    client.post(reverse("begin_lesson", args=[DRAGONS]))
    play_now(client)
    guest = User.objects.get(is_guest=True)
    lesson, game = Game.objects.filter(host=guest).order_by("pk")
    game.seats.filter(user=None).first().delete()
    Seat.objects.create(game=game, number=9, user=anna, name="Anna", joined_at=now)
    sign_in(client, anna)
    assert {fresh(own).host, fresh(lesson).host} == {anna} and fresh(game).host == guest


def test_after_a_week_without_a_visit_he_is_removed_and_told_so_when_he_comes_back(
    client: Client, anna: User, now: dt.datetime
) -> None:
    with time_machine.travel(now, tick=False) as clock:
        game, kept = guest_game(client, now), new_table(anna, now)
        clock.shift(MINUTE)
        answer_once(client, game)
        clock.shift(WEEK - dt.timedelta(hours=1))
        client.get(reverse("home"))  # a visit
        clock.shift(WEEK - dt.timedelta(hours=1))
        retention.clear_some(dt.datetime.now(dt.UTC))
        assert client.get(reverse("table", args=[game.ref])).status_code == 200
        clock.shift(WEEK + dt.timedelta(days=1))
        while retention.clear_some(dt.datetime.now(dt.UTC)):
            pass
        assert list(Game.objects.all()) == [kept] and list(User.objects.all()) == [anna]
        assert list(Recipient.objects.all()) == [anna.recipient]
        assert "Your guest games were removed" in words(client.get(reverse("table", args=[game.ref]), follow=True))
        assert "Your guest games were removed" not in words(client.get(reverse("home")))
        assert play_now(client).status_code == 302 and Game.objects.count() == 2


def test_who_never_moved_goes_after_an_hour_without_a_visit_and_whoever_moved_stays(
    now: dt.datetime,
) -> None:
    with time_machine.travel(now, tick=False) as clock:
        idle, looking, moving = Client(), Client(), Client()
        for client in (idle, looking):
            play_now(client)
        game = guest_game_of(moving, now)
        clock.shift(MINUTE)
        answer_once(moving, game)
        clock.shift(50 * MINUTE)
        looking.get(reverse("home"))
        clock.shift(20 * MINUTE)
        ticks.tick()
        assert User.objects.count() == Game.objects.count() == 2
        assert "Your guest games were removed" in words(idle.get(reverse("home")))
        assert looking.get(reverse("home")).context["request"].guest
        clock.shift(2 * HOUR)
        ticks.tick()
        while retention.clear_some(dt.datetime.now(dt.UTC) + DAY):
            pass
        assert Game.objects.get() == game


def guest_game_of(client: Client, now: dt.datetime) -> Game:
    play_now(client)
    settle(now)
    return Game.objects.latest("pk")


def test_where_all_places_are_taken_the_idlest_guest_goes_and_who_never_moved_before_who_did(
    settings: object, now: dt.datetime
) -> None:
    settings.GUESTS_AT_ONCE = 3  # type: ignore[attr-defined]
    with time_machine.travel(now, tick=False) as clock:
        first = guest_game_of(Client(), now)
        moving = Client()
        played = guest_game_of(moving, now)
        clock.shift(MINUTE)
        answer_once(moving, played)
        clock.shift(11 * MINUTE)
        second = guest_game_of(Client(), now)
        for _number in range(3):
            clock.shift(11 * MINUTE)
            assert play_now(Client()).status_code == 302
            assert User.objects.filter(is_guest=True).count() == 3
        left = set(Game.objects.values_list("pk", flat=True))
        assert played.pk in left and not {first.pk, second.pk} & left


def test_guests_in_masses_are_refused_in_words(settings: object, anna: User) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"guest": "3/h/ip"}  # type: ignore[attr-defined]
    for _number in range(3):
        assert play_now(Client()).status_code == 302
    refused = play_now(Client())
    assert refused.status_code == 429 and "Create an account" in words(refused)
    assert play_now(Client(REMOTE_ADDR="192.0.2.7")).status_code == 302
    settings.GUESTS_AT_ONCE = 4  # type: ignore[attr-defined]
    full = play_now(Client(REMOTE_ADDR="192.0.2.8"))
    assert full.status_code == 429 and "Too many guests" in words(full)
    assert User.objects.filter(is_guest=True).count() == Game.objects.count() == 4
    member = Client()
    member.force_login(anna)
    assert play_now(member).status_code == 302  # who has an account is no guest


def test_a_guest_begins_only_so_many_games_a_day(client: Client, now: dt.datetime) -> None:
    for _number in range(practice.GUEST_GAMES_A_DAY):
        play_now(client)
        Game.objects.update(status=Game.Status.CLOSED)
    refused = play_now(client)
    assert refused.status_code == 429 and "many games today" in words(refused)


def test_an_unknown_game_is_a_page_that_is_not_there_and_makes_no_guest(client: Client) -> None:
    assert play_now(client, "chess").status_code == 404
    assert not User.objects.exists() and not Session.objects.exclude(user=None).exists()


def test_a_guest_whose_games_have_no_clock_is_not_asked_for_a_time_zone(client: Client, now: dt.datetime) -> None:
    game = guest_game(client, now)
    assert not soup_of(client.get(reverse("table", args=[game.ref]))).select("#zone-question")


def test_a_guest_whom_a_moderator_has_closed_out_begins_no_other_for_a_day(client: Client, now: dt.datetime) -> None:
    game = guest_game(client, now)
    moderator = staff.make_moderator("eva@example.org")
    guest = User.objects.get(is_guest=True)
    people.suspend(user=guest, by=moderator, reason="Rude names.", now=now)
    with present.going_by(lambda: now + dt.timedelta(hours=23)):
        refused = play_now(client)
        assert refused.status_code == 429 and "A moderator has closed your guest games." in words(refused)
        assert client.get(reverse("home")).status_code == 200, "the pages for everybody stay open"
        assert play_now(Client()).status_code == 302, "another browser is another guest"
    with present.going_by(lambda: now + dt.timedelta(hours=25)):
        client.get(reverse("home"))
        assert play_now(client).status_code == 302
    assert fresh(game).host == guest


def test_a_guest_whom_a_moderator_has_warned_stays_and_holds_no_clearing_up(client: Client, now: dt.datetime) -> None:
    """What moderators do is kept, and with it the people whom it is about."""
    with time_machine.travel(now, tick=False) as clock:
        guest_game(client, now)
        guest = User.objects.get(is_guest=True)
        people.warn(user=guest, by=staff.make_moderator("eva@example.org"), reason="The name.", now=now)
        clock.shift(WEEK + dt.timedelta(days=1))
        while retention.clear_some(dt.datetime.now(dt.UTC)):
            pass
        assert User.objects.filter(pk=guest.pk).exists()
