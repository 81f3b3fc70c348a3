"""The page behind a link in a mail: what it shows, takes and refuses, and what it never does by itself."""

import datetime as dt
from random import Random

import pytest
from django.test import Client

from games import links, queries
from games.models import Decision, Game, Move, Seat
from games.services import absences, locking, play
from tests.games.conftest import answer, fresh, open_rows, settle, some_answer
from tests.games.pages.filling import answer_form, filled, soup_of, steady, untouched


def path_of(url: str) -> str:
    return "/" + url.split("/", 3)[3]


def act_path(row: Decision) -> str:
    return path_of(links.act_url(row))


def post_some_answer(client: Client, row: Decision, dice: int = 0):
    form = answer_form(client.get(act_path(row)))
    return client.post(act_path(row), filled(form, some_answer(fresh(row.game), row, dice)))


def seq_of(game: Game) -> int:
    return fresh(game).seq


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


def test_a_link_makes_no_session_and_needs_no_cookie(placing):
    client = Client(enforce_csrf_checks=True)
    row = open_rows(placing)[0]
    response = post_some_answer(client, row)
    assert response.status_code == 200
    assert not client.cookies


def test_the_page_speaks_the_language_of_its_player(client, placing):
    row = open_rows(placing)[0]
    recipient = row.seat.user.recipient
    recipient.language = "es"
    recipient.zone = "America/Lima"
    recipient.save()
    response = client.get(act_path(row), headers={"accept-language": "en"})
    assert soup_of(response).html["lang"] == "es"
    assert "UTC-5" in response.content.decode()


def test_a_query_only_moves_an_option_to_the_front(client, placing):
    row = open_rows(placing)[0]
    form = answer_form(client.get(act_path(row) + "?token=7&space=market"))
    assert form.select("input[name=place-token]")[0]["value"] == "7"
    assert form.select("input[name=place-space]")[0]["value"] == "market"
    assert not form.select("input[checked]")


# Who opens it without a choice changes nothing


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["place", "market", "camel", "bribe", "buy"])
def test_a_scanner_that_opens_and_presses_everything_moves_nothing(client, reach, kind):
    row = reach(kind)
    before = seq_of(row.game)
    for method in ("get", "head", "options"):
        assert getattr(client, method)(act_path(row)).status_code == 200
    form = answer_form(client.get(act_path(row)))
    assert client.post(act_path(row), untouched(form)).status_code == 422
    assert client.post(act_path(row), {}).status_code == 422
    assert seq_of(row.game) == before


def test_the_first_question_too_is_not_answered_by_pressing_its_button(client, game):
    row = open_rows(game)[0]
    form = answer_form(client.get(act_path(row)))
    assert client.post(act_path(row), untouched(form)).status_code == 422
    assert seq_of(game) == 1


# Answering


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["place", "market", "camel", "bribe", "buy"])
def test_every_kind_of_question_can_be_answered(client, reach, kind):
    row = reach(kind)
    response = post_some_answer(client, row)
    assert response.status_code == 200
    assert soup_of(response).h1.text == "Done"
    move = Move.objects.get(game=row.game, decision=row.code)
    assert (move.source, move.actor) == (Move.Source.LINK, row.seat.user)


def test_the_player_reads_what_he_has_done(client, placing):
    row = open_rows(placing)[0]
    form = answer_form(client.get(act_path(row)))
    page = client.post(act_path(row), filled(form, {"type": "place", "token": 9, "space": "market"}))
    assert f"{row.seat.name} places the 9 at the market." in page.content.decode()


def test_after_an_answer_the_next_question_of_the_same_seat_is_one_click_away(client, reach):
    for _ in range(200):
        row = reach("buy")
        page = post_some_answer(client, row)
        following = row.seat.decisions.filter(status=Decision.Status.OPEN, is_automatic=False).first()
        button = soup_of(page).select_one("a.button.big")
        assert (button is None) == (following is None)
        if button:
            assert client.get(path_of(str(button["href"]))).status_code == 200
            return
    raise AssertionError("nobody was asked twice in a row")


def test_a_double_click_is_one_move_and_both_are_told_it_is_done(client, placing):
    row = open_rows(placing)[0]
    data = filled(answer_form(client.get(act_path(row))), some_answer(placing, row))
    first, second = client.post(act_path(row), data), client.post(act_path(row), data)
    assert (first.status_code, second.status_code) == (200, 200)
    assert steady(first.content) == steady(second.content)
    assert placing.moves.filter(decision=row.code).count() == 1


def test_link_and_page_at_once_count_once_and_the_second_is_told_the_first_answer(client, placing, now):
    row = open_rows(placing)[0]
    data = filled(answer_form(client.get(act_path(row))), {"type": "place", "token": 1, "space": "guard"})
    answer(placing, row, now, {"type": "place", "token": 9, "space": "market"})
    before = seq_of(placing)
    response = client.post(act_path(row), data)
    page = response.content.decode()
    assert response.status_code == 409
    assert f"{row.seat.name} places a token at the market." in page
    assert "places the 9" not in page  # a spent link tells public facts only
    assert seq_of(placing) == before


# Sealed answers (A6)


def test_a_sealed_answer_may_be_replaced_until_all_have_answered(client, game, now):
    row, *others = open_rows(game)
    crowns = {"type": "take_treasures", "amounts": {"crown": 3}}
    golds = {"type": "take_treasures", "amounts": {"gold": 3}}
    done = client.post(act_path(row), filled(answer_form(client.get(act_path(row))), crowns))
    assert "You have chosen 3 crowns" in done.content.decode()
    again = client.get(act_path(row))
    assert "You have chosen 3 crowns" in again.content.decode()
    client.post(act_path(row), filled(answer_form(again), golds))
    for other in others:
        answer(game, other, now)
    spent = client.get(act_path(row)).content.decode()
    assert f"{row.seat.name} starts with 3 gold bars." in spent


def test_a_link_of_another_seat_shows_nothing_of_a_sealed_answer(client, game, now):
    row, other, _last = open_rows(game)
    before = steady(client.get(act_path(other)).content)
    answer(game, row, now, {"type": "take_treasures", "amounts": {"trophy": 3}})
    assert steady(client.get(act_path(other)).content) == before


# Bad links


def test_foreign_truncated_and_tampered_links_are_all_the_same_404(client, placing):
    row = open_rows(placing)[0]
    _, _, ref, token, _ = act_path(row).split("/")
    foreign = Decision.objects.exclude(seat=row.seat).first()
    assert foreign is not None
    paths = [
        f"/act/{ref}/{token[:-1]}/",
        f"/act/{ref}/{'a' * len(token)}/",
        f"/act/{ref}/{token.upper()}x/",
        f"/act/{foreign.ref}/{token}/",
        f"/act/nothing12345/{token}/",
        f"/act/{ref}/{token}-{token}/",
    ]
    pages = [client.get(path) for path in paths]
    assert {page.status_code for page in pages} == {404}
    assert len({page.content for page in pages}) == 1
    assert {page.headers["Referrer-Policy"] for page in pages} == {"no-referrer"}
    assert client.post(paths[3], {"place-token": "9", "place-space": "market"}).status_code == 404


def test_a_link_of_a_closed_account_is_not_good(client, placing):
    row = open_rows(placing)[0]
    row.seat.user.is_active = False
    row.seat.user.save()
    assert client.get(act_path(row)).status_code == 404
    assert client.get(back_path(row.seat)).status_code == 404


@pytest.mark.parametrize("rubbish", ["\0", "x" * 5000, "'; drop table games_move; --", "\ud7ff\u202e", "[]"])
def test_rubbish_is_refused_in_words(client, placing, rubbish):
    row = open_rows(placing)[0]
    before = seq_of(placing)
    for data in (
        {"decision": rubbish},
        {"place-token": rubbish, "place-space": rubbish},
        {"place-token": "9", "place-space": rubbish, "key": rubbish, "do": rubbish},
    ):
        response = client.post(act_path(row), data)
        assert response.status_code in (409, 422)
        assert soup_of(response).select_one("[role=alert]")
    assert seq_of(placing) == before


def test_a_link_dies_when_the_seat_resigns(client, placing, now):
    row = open_rows(placing)[0]
    path = act_path(row)
    play.resign(game_id=placing.pk, seat=row.seat.number, actor=row.seat.user, source=Move.Source.WEB, now=now)
    assert client.get(path).status_code == 404


def test_a_spent_link_says_what_happened_with_200(client, placing, now):
    row = open_rows(placing)[0]
    answer(placing, row, now, {"type": "place", "token": 9, "space": "market"})
    response = client.get(act_path(row))
    page = response.content.decode()
    assert response.status_code == 200
    assert f"{row.seat.name} places a token at the market." in page
    assert "<form" not in page
    assert "/act/" not in page  # a spent link leads to no fresh one


def test_the_form_of_another_question_is_refused_and_the_right_one_shown(client, placing):
    row = open_rows(placing)[0]
    form = answer_form(client.get(act_path(row)))
    data = filled(form, some_answer(placing, row)) | {"decision": "r1-market"}
    response = client.post(act_path(row), data)
    assert response.status_code == 409
    assert "another question" in response.content.decode()
    assert answer_form(response).select("input[checked]")  # nothing that was typed is lost


# What the rules forbid


def refused(client: Client, row: Decision, action: dict) -> str:
    before = seq_of(row.game)
    response = client.post(act_path(row), filled(answer_form(client.get(act_path(row))), action))
    assert response.status_code == 422
    assert seq_of(row.game) == before
    alert = soup_of(response).select_one("[role=alert]")
    assert alert is not None
    return " ".join(alert.text.split())


def test_tokens_go_to_no_closed_space_and_only_from_the_hand(client, placing, now):
    """A25: no empty cave. A26: no tent. A20: a token placed is not in the hand. A10: no room 4 for three players."""
    for _ in range(3):  # until the first player is asked again
        row = open_rows(placing)[0]
        answer(placing, row, now, {"type": "place", "token": 9, "space": "guard"})
    row = open_rows(placing)[0]
    view = placing.rules.view(fresh(placing).load_state(), row.seat.number)
    empty = [f"cave-{kind}" for kind, shelves in view.caves.items() if not shelves]
    for space in [*empty, "tent", "djinn", "room-4", "attic"]:
        assert "Not possible now" in refused(client, row, {"type": "place", "token": 1, "space": space})
    for token in (9, 3, 77):
        assert "Not possible now" in refused(client, row, {"type": "place", "token": token, "space": "guard"})


def test_the_sixth_token_in_a_room_is_refused(client, placing, now):
    """A23: five tokens of a player in a room, not more."""
    for token in (1, 2, 4, 5, 6):
        for space in ("room-1", "guard", "guard"):  # the first player's token, then the others'
            answer(placing, open_rows(placing)[0], now, {"type": "place", "token": token, "space": space})
    row = open_rows(placing)[0]
    assert "Not possible now" in refused(client, row, {"type": "place", "token": 9, "space": "room-1"})


def test_treasures_must_make_the_total(client, game):
    row = open_rows(game)[0]
    for amounts in ({"crown": 2}, {"crown": 2, "gold": 2}, {"crown": 4}):
        assert refused(client, row, {"type": "take_treasures", "amounts": amounts})


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["market", "camel", "bribe"])
def test_what_is_not_offered_is_refused(client, reach, kind):
    row = reach(kind)
    wrong = {
        "market": {"type": "exchange", "give": "ruby", "take": {"gold": 3}},
        "camel": {"type": "give_camel", "seat": 9},
        "bribe": {"type": "bribe", "pay": {"gold": 29}},
    }
    assert refused(client, row, wrong[kind])


def test_two_tokens_are_not_paid_with_one_kind(client, placing, now):
    """A69: as many kinds as tokens."""
    row = _buying_with_two_tokens(placing, now)
    access = queries.Access(fresh(placing), row.seat)
    question = next(q for q in access.game.rules.questions(queries.view_of(access)) if q.decision.id == row.code)
    form = next(form for form in question.actions if form.type == "buy")
    kinds = [{option.value for option in field.options} for field in form.fields]
    same = next(iter(kinds[0] & kinds[1]))
    assert "different kind" in refused(client, row, {"type": "buy"} | {field.name: same for field in form.fields})


def _buying_with_two_tokens(game: Game, now: dt.datetime) -> Decision:
    for dice in range(4000):
        settle(now)
        row = open_rows(game)[0]
        if row.kind == "buy":
            access = queries.Access(fresh(game), row.seat)
            forms = game.rules.questions(queries.view_of(access))[0].actions
            for form in forms:
                options = [{option.value for option in field.options} for field in form.fields]
                if len(options) == 2 and options[0] & options[1]:
                    return row
        answer(game, row, now, some_answer(fresh(game), row, dice))
    raise AssertionError("nobody can buy with two tokens")


def test_what_was_typed_is_shown_again_after_a_refusal(client, placing):
    row = open_rows(placing)[0]
    form = answer_form(client.get(act_path(row)))
    response = client.post(act_path(row), untouched(form) | {"place-token": "7"})
    checked = answer_form(response).select("input[checked]")
    assert [(field["name"], field["value"]) for field in checked] == [("place-token", "7")]
    assert "Space: please choose one." in response.content.decode()


# Absent players


def back_path(seat: Seat) -> str:
    return path_of(links.seat_url("back", seat))


@pytest.fixture
def absent(placing, now) -> Decision:
    row = open_rows(placing)[0]
    absences.make_absent(row.seat, row, now)
    return row


def test_the_link_of_an_absent_player_offers_to_come_back(client, absent):
    page = soup_of(client.get(act_path(absent)))
    assert page.select_one("a.button.big")["href"].endswith(back_path(absent.seat))


def test_opening_the_way_back_or_pressing_its_button_changes_nothing_and_a_tick_does(client, absent):
    path = back_path(absent.seat)
    for method in ("get", "head", "options"):
        getattr(client, method)(path)
    untouched = client.post(path)
    assert untouched.status_code == 422 and "Please tick that it is you." in untouched.content.decode()
    assert Seat.objects.get(pk=absent.seat.pk).status == Seat.Status.ABSENT
    page = client.post(path, {"sure": "yes"})
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


# Secrecy and the end


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


def test_a_game_that_is_repaired_says_so_and_keeps_what_was_typed(client, placing, now):
    row = open_rows(placing)[0]
    data = filled(answer_form(client.get(act_path(row))), some_answer(placing, row))
    locking.quarantine(placing.pk, now)
    response = client.post(act_path(row), data)
    assert response.status_code == 503
    assert "being repaired" in response.content.decode()
    assert answer_form(response).select("input[checked]")


def test_a_link_into_a_game_that_is_over_says_so(client, placing, now):
    row = open_rows(placing)[0]
    data = filled(answer_form(client.get(act_path(row))), some_answer(placing, row))
    for seat in placing.seats.exclude(pk=row.seat.pk):
        play.resign(game_id=placing.pk, seat=seat.number, actor=seat.user, source=Move.Source.WEB, now=now)
    play.end(game_id=placing.pk, seat=row.seat.number, actor=row.seat.user, source=Move.Source.WEB, now=now)
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
