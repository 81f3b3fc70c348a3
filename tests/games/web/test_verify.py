"""The page that says whether a game was shuffled fairly: nothing before the end, and a check that can fail."""

import datetime as dt

import pytest
from django.test import Client
from django.urls import reverse

from engine.core.rng import game_seed
from games.models import Game, User
from games.moderation import tables
from games.people import staff
from games.play import replay
from tests.games.conftest import answer, fresh, open_rows
from tests.games.letters.conftest import end_soon
from tests.games.web.filling import words


def page_of(game: Game) -> str:
    return reverse("verify", args=[game.ref])


@pytest.fixture
def member(anna: User) -> Client:
    client = Client()
    client.force_login(anna)
    return client


@pytest.fixture
def over(game: Game, anna: User, now: dt.datetime) -> Game:
    answer(game, open_rows(game)[0], now)
    return end_soon(game, anna, now)


def test_before_the_end_there_is_the_commitment_and_no_seed(game: Game, member: Client) -> None:
    page = member.get(page_of(game)).content.decode()
    assert game.commitment in page and game.server_seed not in page and game.chain not in page
    refused = member.post(page_of(game))
    assert refused.status_code == 409 and "when the game is over" in words(refused)


@pytest.mark.slow
def test_at_the_end_everything_is_shown_and_the_check_fits(over: Game, member: Client) -> None:
    page = member.get(page_of(over)).content.decode()
    entropies = list(over.seats.order_by("number").values_list("entropy", flat=True))
    seed = game_seed(bytes.fromhex(over.server_seed), entropies)
    for fact in (over.commitment, over.server_seed, over.chain, seed):
        assert fact in page
    said = words(member.post(page_of(over)))
    assert f"All fits: {over.seq} moves" in said
    assert page_of(over) in member.get(reverse("table", args=[over.ref])).content.decode()


@pytest.mark.slow
def test_a_second_look_plays_nothing_again(over: Game, member: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "All fits" in words(member.post(page_of(over)))
    monkeypatch.setattr(replay, "replay", None)
    assert "All fits" in words(member.post(page_of(over)))


def test_what_does_not_fit_is_said_and_told_to_those_who_run_the_service(
    over: Game, member: Client, caplog: pytest.LogCaptureFixture
) -> None:
    over.moves.filter(seq=2).update(chain="0" * 64)
    said = words(member.post(page_of(over)))
    assert "It doesn't match. The hash of move 2 is wrong." in said and "All fits" not in said
    assert over.ref in caplog.text


def test_the_seed_of_a_game_without_a_result_stays_unpublished(game: Game, member: Client, now: dt.datetime) -> None:
    tables.cancel(game=game, by=staff.make_moderator("eva@example.org"), reason="They left", now=now)
    said = words(member.get(page_of(game)))
    assert "so its seed stays unpublished." in said and game.server_seed not in said
    assert member.post(page_of(game)).status_code == 409


def test_who_may_not_see_the_game_sees_nothing_and_who_is_not_signed_in_only_looks(over: Game, member: Client) -> None:
    stranger = Client()
    assert stranger.get(page_of(over)).status_code == 404
    Game.objects.filter(pk=over.pk).update(is_listed=True)
    assert over.server_seed in stranger.get(page_of(fresh(over))).content.decode()
    assert "Sign in" in words(stranger.post(page_of(over)))
