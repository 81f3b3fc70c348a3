"""After an answer: the address that its form leads on to, and for how long it tells what the move did."""

import datetime as dt
from typing import Any

import pytest
from django.db import transaction
from django.db.models import F
from django.test import Client
from django.urls import reverse

from games.models import Decision, Game, Move, Session, User
from games.web.play.answering import NEWS_FOR
from tests.games.conftest import open_rows
from tests.games.web.acting import act_path
from tests.games.web.filling import answer_form, filled

NINE = {"type": "place", "token": 9, "space": "market"}


def after_answer(client: Client, page: str) -> str:
    """Sends the nine to the market from a page; gives the address that the answer leads on to."""
    form = answer_form(client.get(page))
    response = client.post(str(form["action"]), filled(form, NINE))
    assert response.status_code == 303
    return str(response["Location"])


def words(client: Client, address: str) -> str:
    """A page."""
    response = client.get(address)
    assert response.status_code == 200
    return str(response.content.decode())


def grow_old(game: Game) -> None:
    """Lets the moves be as old as is no news any more."""
    for move in game.moves.all():
        Move.objects.filter(pk=move.pk).update(made_at=move.made_at - NEWS_FOR - dt.timedelta(minutes=1))


def said_by(row: Decision, client: Client, address: str) -> bool:
    """Whether the page tells what only the player himself knows of his move."""
    return "You place the 9 at the market." in words(client, address)


def test_a_link_leads_on_to_what_the_answer_did_and_loading_that_again_answers_nothing(
    client: Client, placing: Game
) -> None:
    row = open_rows(placing)[0]
    address = after_answer(client, act_path(row))
    moves = placing.moves.count()
    assert said_by(row, client, address) and said_by(row, client, address)
    assert placing.moves.count() == moves
    grow_old(placing)
    assert words(client, address) == words(client, act_path(row)), "later it says what the link says to anybody"
    assert not said_by(row, client, address)


@pytest.mark.slow
def test_no_other_name_of_a_move_tells_anything_behind_a_link(client: Client, placing: Game) -> None:
    row = open_rows(placing)[0]
    after_answer(client, act_path(row))
    move, spent = placing.moves.get(decision=row.code), words(client, act_path(row))
    assert said_by(row, client, f"{act_path(row)}?done={move.idempotency_key}"), "this one does"
    other = open_rows(placing)[0]
    assert not said_by(row, client, f"{act_path(other)}?done={move.idempotency_key}"), "the next player's link"
    for name in (str(move.seq), move.idempotency_key[:-1], "0" * 40, "%00", "-", "x-y", "٣"):
        assert words(client, f"{act_path(row)}?done={name}") == spent, name


def test_the_address_after_an_answer_is_the_same_however_many_sealed_moves_others_have_made(
    client: Client, placing: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    (row,) = open_rows(placing)
    monkeypatch.setattr("secrets.token_urlsafe", lambda *_: "k" * 16)
    addresses, page = set(), act_path(row)
    for sealed in (0, 3):
        with transaction.atomic():
            Game.objects.filter(pk=placing.pk).update(seq=F("seq") + sealed)
            addresses.add(after_answer(client, page))
            assert Move.objects.get(decision=row.code).seq == placing.seq + sealed + 1
            transaction.set_rollback(True)
    assert len(addresses) == 1


def test_the_table_says_it_once_for_its_player_alone_and_writes_no_session(
    client: Client, placing: Game, ben: User
) -> None:
    row = open_rows(placing)[0]
    client.force_login(row.seat.user)
    sessions = list(Session.objects.values_list("session_data", flat=True))
    address = after_answer(client, reverse("table", args=[placing.ref]))
    assert said_by(row, client, address)
    assert list(Session.objects.values_list("session_data", flat=True)) == sessions
    for other in placing.seats.exclude(user=row.seat.user):
        somebody = Client()
        somebody.force_login(other.user)
        assert not said_by(row, somebody, address)
    grow_old(placing)
    status = 'class="messages"'
    assert status not in words(client, address)
    for number in ("0", "1", "99999999999999999999", "x", "٣", ""):
        assert status not in words(client, f"{reverse('table', args=[placing.ref])}?done={number}")


def test_a_link_and_what_is_shown_after_its_answer_are_read_by_few_statements(
    client: Client, placing: Game, django_assert_max_num_queries: Any
) -> None:
    (row,) = open_rows(placing)
    page = act_path(row)
    with django_assert_max_num_queries(6):
        client.get(page)
    told = after_answer(client, page)
    with django_assert_max_num_queries(5):
        client.get(told)
