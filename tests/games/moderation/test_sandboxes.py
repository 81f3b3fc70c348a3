"""A moderator's copy of a position: it tells nothing of the game, nobody hears of it, and it counts for nothing."""

import datetime as dt

import pytest

from games.errors import Conflict, NotFound, ServiceError
from games.lobby import practice
from games.models import Game, ModerationEntry, User
from games.moderation import repair, tables
from games.people import staff
from games.play import history, lists, queries
from games.play import replay as fairness
from games.play.replay import replay
from notifications.models import Notice
from tests.conftest import NOON
from tests.games.conftest import Keep, answer, fresh, of_three, open_rows, running, settle, some_answer
from tests.games.kept import Stage


@pytest.fixture
def moderator(db: None) -> User:
    return staff.make_moderator("eva@example.org")


def a_dozen_answers(now: dt.datetime) -> Game:
    game = of_three(now, options={"open_hoards": "off"})
    for dice in range(12):
        settle(now)
        answer(game, open_rows(game)[0], now, some_answer(fresh(game), open_rows(game)[0], dice))
    settle(now)
    return fresh(game)


@pytest.fixture(scope="session")
def kept_hidden(kept_here: Keep, kept_three: list[Stage]) -> Stage:
    """The game of `played`."""
    return kept_here(lambda: a_dozen_answers(NOON), *kept_three)


@pytest.fixture
def played(anna: User, ben: User, carla: User, kept_hidden: Stage) -> Game:
    """Tokens lie face down, hoards are closed, cards are in the decks."""
    return kept_hidden.bring()


def copied(game: Game, by: User, now: dt.datetime, step: int | None = None, seat: int = 0) -> Game:
    step = history.count_steps(game) if step is None else step
    return repair.copy_to_sandbox(game=game, step=step, seat=seat, by=by, reason="To see what happened", now=now)


def play_to_the_end(game: Game, now: dt.datetime) -> Game:
    for dice in range(3000):
        settle(now)
        rows = open_rows(game)
        if not rows:
            break
        answer(game, rows[0], now, some_answer(fresh(game), rows[0], dice))
    return fresh(game)


def test_a_spectator_of_it_sees_what_he_saw_and_nothing_hidden_is_in_it(
    played: Game, moderator: User, now: dt.datetime
) -> None:
    made = copied(played, moderator, now)
    access, of_game = queries.Access(made, None), queries.Access(played, None)
    assert queries.describe(access, queries.view_of(access)) == queries.describe(of_game, queries.view_of(of_game))
    before, after = played.load_state(), made.load_state()
    assert (before.rng, before.deck) != (after.rng, after.deck)
    assert made.server_seed != played.server_seed


def test_the_moderator_plays_it_with_bots_without_clock_or_mail_and_it_replays(
    anna: User, ben: User, moderator: User, now: dt.datetime
) -> None:
    game = running(anna, [ben], now, rules_name="cave-of-wonders", seat_count=2, options={})
    for dice in range(4):
        settle(now)
        answer(game, open_rows(game)[0], now, some_answer(fresh(game), open_rows(game)[0], dice))
    settle(now)
    told = Notice.objects.count()
    made = copied(fresh(game), moderator, now, step=5, seat=1)
    assert [(seat.name, seat.user, seat.bot != "") for seat in made.seats.order_by("number")] == [
        (seat.name, moderator if seat.number == 1 else None, seat.number != 1) for seat in game.seats.order_by("number")
    ]
    over = play_to_the_end(made, now)
    assert over.status == Game.Status.FINISHED
    assert fairness.check_fairness(over).fault == ""
    assert Notice.objects.count() == told
    assert not over.decisions.exclude(due_at=None).exists()
    assert lists.finished_games(moderator, moderator) == []
    assert fresh(game).seq == game.moves.count()
    assert [entry.action for entry in ModerationEntry.objects.all()] == ["sandbox"]


def test_its_history_begins_with_the_copy(played: Game, moderator: User, now: dt.datetime) -> None:
    made = copied(played, moderator, now, step=3)
    settle(now)
    step = history.step_of(queries.Access(fresh(made), None), 1)
    assert "after its step 3" in step.lines[0].text
    assert replay(fresh(made)).moves == fresh(made).seq


def test_who_plays_there_copies_nothing_and_a_sandbox_needs_no_moderator(
    played: Game, ben: User, moderator: User, now: dt.datetime
) -> None:
    staff.make_moderator(ben.email)
    with pytest.raises(Conflict):
        copied(played, User.objects.get(pk=ben.pk), now)
    made = copied(played, moderator, now)
    with pytest.raises(ServiceError):
        copied(made, moderator, now)
    with pytest.raises(Conflict):
        tables.cancel(game=made, by=staff.make_moderator("frida@example.org"), reason="x", now=now)


@pytest.mark.parametrize(("step", "seat", "error"), [(0, 0, Conflict), (999, 0, Conflict), (2, 3, NotFound)])
def test_what_is_not_there_is_not_copied(
    played: Game, moderator: User, now: dt.datetime, step: int, seat: int, error: type[ServiceError]
) -> None:
    with pytest.raises(error):
        copied(played, moderator, now, step, seat)
    assert Game.objects.count() == 1


def test_it_is_removed_when_its_time_is_over_and_the_game_stays(
    played: Game, moderator: User, now: dt.datetime
) -> None:
    made = copied(played, moderator, now)
    settle(now)
    assert not practice.remove_one(now)
    assert practice.remove_one(now + practice.COPY_KEPT)
    assert not practice.remove_one(now + practice.COPY_KEPT)
    assert not Game.objects.filter(pk=made.pk).exists()
    assert replay(played).moves == played.seq
