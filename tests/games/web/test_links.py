"""Signed links are good for one thing, and for nothing after it."""

import datetime as dt

import pytest
from django.test import Client

from games.lobby import invitations
from games.models import Game, Seat, User
from games.play import decision_links, game_moves
from games.tables import table_links
from tests.games.conftest import open_rows, seat_of


def parts(url: str) -> list[str]:
    return url.rstrip("/").split("/")


def test_an_act_link_finds_its_decision_and_nothing_else(game: Game) -> None:
    first, second, _third = open_rows(game)
    ref, token = parts(decision_links.act_url(first))[-2:]
    assert decision_links.find_decision(ref, token) == first
    assert len(token) == 26
    assert decision_links.find_decision(second.ref, token) is None
    assert decision_links.find_decision("nothing", token) is None
    for position in range(26):
        flipped = "a" if token[position] != "a" else "b"
        assert decision_links.find_decision(ref, token[:position] + flipped + token[position + 1 :]) is None
    assert decision_links.find_decision(ref, token[:-1]) is None
    assert decision_links.find_decision(ref, "") is None


def test_a_link_dies_when_the_seat_changes_hands_or_its_links_are_made_void(game: Game, david: User) -> None:
    first, second, _third = open_rows(game)
    ref, token = parts(decision_links.act_url(first))[-2:]
    Seat.objects.filter(pk=first.seat.pk).update(user=david)
    assert decision_links.find_decision(ref, token) is None
    ref, token = parts(decision_links.act_url(second))[-2:]
    Seat.objects.filter(pk=second.seat.pk).update(link_generation=1)
    assert decision_links.find_decision(ref, token) is None


def test_a_link_of_one_purpose_is_no_link_of_another(game: Game, anna: User) -> None:
    seat = seat_of(game, anna)
    ref, number, token = parts(table_links.seat_url("back", seat))[-3:]
    assert table_links.find_seat("back", ref, int(number), token) == seat
    assert table_links.find_seat("act", ref, int(number), token) is None
    assert table_links.find_seat("back", ref, (seat.number + 1) % 3, token) is None


def test_invitation_and_table_links(table: Game, anna: User, now: dt.datetime) -> None:
    invitation = invitations.invite(game_id=table.pk, host=anna, address="eva@example.org", now=now)
    ref, token = parts(table_links.invitation_url(invitation))[-2:]
    assert table_links.find_invitation(ref, token) == invitation
    assert table_links.find_invitation(ref, token[::-1]) is None
    ref, _join, token = parts(table_links.join_url(table))[-3:]
    assert table_links.find_table(ref, token) == table
    assert table_links.find_table(invitation.ref, token) is None


def test_a_resigned_players_links_are_void(game: Game, anna: User, now: dt.datetime) -> None:
    row = next(row for row in open_rows(game) if row.seat.user == anna)
    ref, token = parts(decision_links.act_url(row))[-2:]
    game_moves.resign(game_id=game.pk, seat=row.seat.number, actor=anna, source="web", now=now)
    assert decision_links.find_decision(ref, token) is None


@pytest.mark.parametrize("behind", [".", ">", ")", ",", ").", "%3E", "&gt;", "*", "'", "/.", "%E2%80%9D", "!"])
def test_a_link_opens_with_what_stood_behind_it_in_the_text(game: Game, client: Client, behind: str) -> None:
    path = decision_links.act_url(open_rows(game)[0]).removeprefix("http://testserver")
    path = path[path.index("/act/") :]
    for written in (f"{path}{behind}", f"{path.rstrip('/')}{behind}", f"{path}{behind}/"):
        response = client.get(written, follow=True)
        assert response.status_code == 200, written
        assert response.redirect_chain == [(path, 307)], written
    assert client.get(f"{path}{behind}?choice=1")["Location"] == f"{path}?choice=1"


def test_what_is_no_link_without_it_either_is_not_found(client: Client) -> None:
    for path in (
        "/act/a/b/c.",
        "/nothing).",
        "/act/nothing.,",
        "/api/games/.",
        "/x" + ">" * 2000,
    ):
        assert client.get(path, follow=True).status_code == 404, path
