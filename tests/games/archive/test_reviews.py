"""Reviews of finished games: made one at a time by a process that is bound, and shown to whoever may see the game."""

import datetime as dt
import sys
import time
from collections.abc import Iterator
from typing import Any
from unittest.mock import Mock

import msgspec
import pytest
from django.test import Client
from django.utils import translation

from engine.records import model
from engine.registry import RULES
from games import ticks
from games.archive import records, reviews
from games.archive.review_bounds import SPARE
from games.archive.review_sentences import ReviewSentences, per_cent
from games.errors import Conflict, TooMany
from games.models import Game, GameReview, Move, User
from games.play import game_moves
from games.play.queries import Access
from notifications.models import Delivery
from tests.conftest import NOON
from tests.engine.records.making import played
from tests.games.archive.storing import found_in, store
from tests.games.conftest import Keep, answer, cave_of_three, deliveries, fresh, open_rows, seat_of, settle
from tests.games.kept import Stage
from tests.games.letters.conftest import mail

PATIENCE = 120.0  # seconds
SECOND, MINUTE = dt.timedelta(seconds=1), dt.timedelta(minutes=1)
LONG_TICK = 3 * MINUTE  # of a worker that has to make up for an outage
DIE = "raise SystemExit(3)"


@pytest.fixture(autouse=True)
def reviews_are_on(settings: Any) -> Iterator[None]:
    settings.REVIEW_SECONDS = 1
    yield
    while reviews._now_making:
        reviews._forget()


@pytest.fixture
def imported(anna: User, now: dt.datetime) -> Game:
    """A finished game of Anna's, which was played elsewhere and taken back twice."""
    return records.take_in(data=model.dump(played("cave-of-wonders", 3, 7, 60)), by=anna, now=now)[0]


def begun() -> Game:
    game = cave_of_three(NOON)
    for _ in range(12):
        settle(NOON)
        answer(game, open_rows(game)[0], NOON)
    return fresh(game)


@pytest.fixture(scope="session")
def kept_begun(kept_here: Keep, kept_three: list[Stage]) -> Stage:
    return kept_here(begun, *kept_three)


@pytest.fixture
def playing(anna: User, ben: User, carla: User, kept_begun: Stage) -> Game:
    """A game in which some answers were given."""
    return kept_begun.bring()


def end(game: Game, anna: User, now: dt.datetime) -> Game:
    """The others resign, and Anna ends the game."""
    for seat in game.seats.exclude(user=anna):
        game_moves.resign(game_id=game.pk, seat=seat.number, actor=seat.user, source=Move.Source.WEB, now=now)
    game_moves.end_by_wish(
        game_id=game.pk, seat=seat_of(game, anna).number, actor=anna, source=Move.Source.WEB, now=now
    )
    return fresh(game)


def make_all(now: dt.datetime) -> None:
    """What a worker's ticker does until no review waits."""
    stop = time.monotonic() + PATIENCE
    while GameReview.objects.filter(state__in=("waiting", "running")).exists():
        assert time.monotonic() < stop, "a review is not made"
        ticks.look_at_processes()
        time.sleep(0.02)


def email_of(user: User) -> Delivery:
    return deliveries().get(recipient=user.recipient, notice__kind="game_over", channel="mail")


@pytest.mark.slow
def test_a_review_that_is_asked_for_is_made_by_a_process_stored_small_and_read(
    imported: Game, anna: User, now: dt.datetime
) -> None:
    assert reviews.review_of(imported).may_be_asked
    row = reviews.request_review(imported, anna, now)
    assert reviews.request_review(imported, anna, now) == row
    assert reviews.review_of(imported).is_coming
    make_all(now)
    found = reviews.review_of(imported)
    assert found.review is not None and found.row is not None
    assert found.review.points[-1].seq == imported.seq and found.review.taken_back
    assert len(bytes(found.row.data)) < 20_000 and 0 < found.row.seconds < 1 + SPARE


def test_the_email_about_the_end_waits_some_minutes_for_the_review_and_has_its_chart_and_sentence(
    playing: Game, anna: User, ben: User, now: dt.datetime
) -> None:
    game = end(playing, anna, now)
    assert email_of(ben).attempt_after == now + reviews.HOLD
    assert "is being made" in mail("game_over", ben).text
    row = GameReview.objects.get(game=game)
    assert (row.state, row.is_asked) == ("waiting", False)
    store(game, seat_of(game, ben).number, now)
    reviews.notify.release_game_over(game, now + SECOND)
    assert email_of(ben).attempt_after == now + SECOND
    letter = mail("game_over", ben)
    assert "What cost you most" in letter.text and "(13 %)" in letter.text
    assert f"/table/{game.ref}/review/" in letter.text and f"/table/{game.ref}/review/" in letter.html
    assert len(letter.pictures) == 2 and f"cid:{letter.pictures[1].cid}" in letter.html
    assert "What cost you most" not in mail("game_over", anna).text


def test_no_email_waits_while_the_review_of_another_game_is_made(
    playing: Game, imported: Game, anna: User, ben: User, now: dt.datetime
) -> None:
    GameReview.objects.create(game=imported)
    end(playing, anna, now)
    assert email_of(ben).attempt_after == now
    assert GameReview.objects.filter(state="waiting").count() == 2


def test_while_too_many_reviews_wait_a_game_that_ends_gets_none_by_itself_but_may_be_asked_for_one(
    playing: Game, imported: Game, anna: User, ben: User, monkeypatch: pytest.MonkeyPatch, now: dt.datetime
) -> None:
    monkeypatch.setattr(reviews, "MOST_EXPECTED", 1)
    GameReview.objects.create(game=imported)
    game = end(playing, anna, now)
    assert email_of(ben).attempt_after == now
    assert not GameReview.objects.filter(game=game).exists() and reviews.review_of(game).may_be_asked
    assert reviews.request_review(game, anna, now).is_asked


def test_nothing_is_told_before_the_end_nor_of_an_end_that_was_taken_back(
    playing: Game, anna: User, ben: User, client: Client, now: dt.datetime
) -> None:
    client.force_login(ben)
    page = f"/table/{playing.ref}/review/"
    assert client.get(page).status_code == 302
    with pytest.raises(Conflict):
        reviews.request_review(playing, anna, now)
    game = end(playing, anna, now)
    store(game, 0, now)
    assert reviews.review_of(game).review is not None
    GameReview.objects.filter(game=game).update(chain="0" * 64)  # of another end
    assert reviews.review_of(game).review is None
    store(game, 0, now)
    Game.objects.filter(pk=game.pk).update(status="running")
    assert reviews.review_of(fresh(game)).review is None
    assert client.get(page).status_code == 302
    assert client.get(f"/api/v1/games/{game.ref}/review/").status_code == 409


def test_the_page_shows_turning_points_chart_table_and_decisions_to_whoever_may_see_the_game(
    playing: Game, anna: User, ben: User, david: User, client: Client, now: dt.datetime
) -> None:
    game = end(playing, anna, now)
    seat = seat_of(game, ben).number
    store(game, seat, now)
    client.force_login(ben)
    page = client.get(f"/table/{game.ref}/review/").content.decode()
    assert "That cost 13 %; better:" in page
    assert '<polyline class="seat-0"' in page and page.count("<tbody>") == 2
    assert (
        "Your decisions" in page and "big mistake" in page and "can&#x27;t know" in page.replace("can't", "can&#x27;t")
    )
    other = client.get(f"/table/{game.ref}/review/?seat={(seat + 1) % 3}").content.decode()
    assert "Your decisions" not in other and "No decision of this player was graded" in other
    assert client.get(f"/table/{game.ref}/review/?seat=77").status_code == 200
    assert f"/table/{game.ref}/review/" in client.get(f"/table/{game.ref}/").content.decode()
    found = client.get(f"/api/v1/games/{game.ref}/review/").json()
    assert found["decisions"][0]["grade"] == "blunder" and found["decisions"][0]["loss"] == 13.0
    assert [one["seat"] for one in found["seats"]] == [0, 1, 2]
    assert found["turning_points"][0]["step"] <= found["turning_points"][-1]["step"]
    whole = found_in(model.dump(records.record_of(game)), seat)
    told = ReviewSentences(Access(game, None), whole)
    ours = msgspec.structs.replace(whole.decisions[0], proposed=True)
    (point,) = told.turning_points([told.judged(ours)])[:1]
    assert "our own idea. Looking deeper found better" in point.text and "cost" not in point.text
    assert told.judged(ours).grade_text == "our own idea; looking deeper found better"
    client.force_login(david)
    assert client.get(f"/table/{game.ref}/review/").status_code == 404
    assert client.get(f"/api/v1/games/{game.ref}/review/").status_code == 404


def test_whoever_is_signed_in_may_ask_for_a_review_by_page_or_api(
    imported: Game, anna: User, client: Client, now: dt.datetime
) -> None:
    Game.objects.filter(pk=imported.pk).update(is_watchable=True)
    page = f"/table/{imported.ref}/review/"
    assert "Sign in to ask for a review." in client.post(page, follow=True).content.decode()
    assert not GameReview.objects.exists()
    client.force_login(anna)
    assert "Review this game" in client.get(page).content.decode()
    assert "is being made" in client.post(page, follow=True).content.decode()
    answered = client.post(f"/api/v1/games/{imported.ref}/review/", {}, "application/json")
    assert (answered.status_code, answered.json()) == (202, {"state": "waiting"})
    assert "is being made" in client.get(f"/api/v1/games/{imported.ref}/review/").json()["detail"]


def test_what_cannot_be_reviewed_says_why(
    playing: Game, imported: Game, client: Client, anna: User, monkeypatch: pytest.MonkeyPatch, now: dt.datetime
) -> None:
    game_moves.close_game(Game.objects.select_for_update().get(pk=playing.pk), now)
    client.force_login(anna)
    assert "called off without a result" in client.get(f"/table/{playing.ref}/review/").content.decode()
    monkeypatch.delitem(RULES, (imported.rules_name, imported.rules_version))
    assert "installed here any more" in reviews.why_none(imported)


def test_one_review_is_made_at_a_time_and_what_a_dead_worker_has_left_is_begun_again(
    playing: Game, imported: Game, anna: User, now: dt.datetime
) -> None:
    reviews.request_review(imported, anna, now - MINUTE)
    end(playing, anna, now)
    first = reviews._claim(now)
    assert first is not None and first.game_id == playing.pk  # of a game that has just ended, before what was asked for
    assert reviews._claim(now) is None
    assert reviews._claim(now + LONG_TICK) is None, "its worker is only busy"
    again = reviews._claim(now + reviews.LEASE + SECOND)
    assert again is not None and (again.pk, again.tries) == (first.pk, 2)


def test_a_review_that_cannot_be_begun_holds_no_lease(
    imported: Game, anna: User, monkeypatch: pytest.MonkeyPatch, now: dt.datetime
) -> None:
    reviews.request_review(imported, anna, now)
    with monkeypatch.context() as broken:
        broken.setattr(reviews, "Making", Mock(side_effect=OSError("no memory")))
        with pytest.raises(OSError):
            reviews.make_next_review(now)
    assert reviews._claim(now) is not None


def test_a_review_whose_process_dies_again_and_again_is_given_up_and_said_so(
    imported: Game, anna: User, monkeypatch: pytest.MonkeyPatch, now: dt.datetime
) -> None:
    monkeypatch.setattr(reviews, "COMMAND", (sys.executable, "-c", DIE))
    reviews.request_review(imported, anna, now)
    make_all(now)
    found = reviews.review_of(imported)
    assert found.row is not None and found.row.tries == reviews.MOST_TRIES
    assert found.may_be_asked and "couldn't be reviewed" in found.message


def test_of_a_game_of_guests_and_bots_a_review_is_made_only_if_somebody_asks(
    playing: Game, imported: Game, anna: User, now: dt.datetime
) -> None:
    User.objects.filter(seats__game=playing).update(is_guest=True)
    game = end(playing, anna, now)
    assert not GameReview.objects.exists()
    assert reviews.request_review(game, anna, now).is_asked
    User.objects.filter(pk=anna.pk).update(is_guest=False)
    assert reviews.expect_review(game, now) is not None


def test_one_person_waits_for_some_reviews_and_the_others_still_get_theirs(
    playing: Game, imported: Game, anna: User, ben: User, monkeypatch: pytest.MonkeyPatch, now: dt.datetime
) -> None:
    game = end(playing, anna, now)
    GameReview.objects.all().delete()
    monkeypatch.setattr(reviews, "MOST_OF_ONE", 1)
    row = reviews.request_review(imported, anna, now)
    with pytest.raises(TooMany, match="already waiting"):
        reviews.request_review(game, anna, now)
    reviews.request_review(game, ben, now)
    monkeypatch.setattr(reviews, "MOST_OF_ONE", 9)
    monkeypatch.setattr(reviews, "ASKED_A_DAY", 1)
    GameReview.objects.filter(game=game).delete()
    with pytest.raises(TooMany, match="today"):
        reviews.request_review(game, anna, now)
    GameReview.objects.filter(pk=row.pk).update(state="failed")
    with pytest.raises(TooMany, match="tomorrow"):
        reviews.request_review(imported, ben, now)
    assert reviews.request_review(imported, ben, now + reviews.DAY).asked_by == ben


def test_guests_leave_places_in_the_queue(
    imported: Game, anna: User, ben: User, monkeypatch: pytest.MonkeyPatch, now: dt.datetime
) -> None:
    ben.is_guest = True
    monkeypatch.setattr(reviews, "MOST_OF_GUESTS", 0)
    with pytest.raises(TooMany):
        reviews.request_review(imported, ben, now)
    reviews.request_review(imported, anna, now)


@pytest.mark.parametrize(("language", "said"), [("en", "9.8"), ("de", "9,8"), ("es", "9,8")])
def test_a_share_is_written_as_its_reader_writes_numbers(language: str, said: str) -> None:
    with translation.override(language):
        assert [per_cent(value) for value in (9.81, 7.0, 13.2)] == [said, "7", "13"]


def test_a_review_goes_with_its_game(imported: Game, anna: User, now: dt.datetime) -> None:
    reviews.request_review(imported, anna, now)
    records.remove_import(game=imported, by=anna)
    assert not GameReview.objects.exists()
