"""A game is taken back, by a moderator or by who plays alone against bots: a branch, and nothing is forgotten."""

import datetime as dt

import pytest

from games.errors import Conflict, Forbidden
from games.lobby import practice
from games.models import Game, ModerationEntry, Move, OrderDate, Seat, User
from games.moderation import repair
from games.people import staff
from games.play import decision_links, game_moves, history, queries, roll_backs, standing_orders
from games.play import replay as fairness
from games.play import replay as lines
from games.play.replay import replay
from notifications.composers import composer_for
from notifications.models import Notice
from tests.conftest import NOON
from tests.games.conftest import Keep, answer, cave_of_three, fresh, open_rows, running, seat_of, settle, some_answer
from tests.games.kept import Stage


@pytest.fixture
def moderator(db: None) -> User:
    return staff.make_moderator("eva@example.org")


@pytest.fixture(scope="session")
def kept_turns(kept_here: Keep, kept_three: list[Stage]) -> Stage:
    """The game of `played`."""
    return kept_here(lambda: advance(cave_of_three(NOON), 8, NOON), *kept_three)


@pytest.fixture
def played(anna: User, ben: User, carla: User, kept_turns: Stage) -> Game:
    """A cave game of three some turns old."""
    return kept_turns.bring()


def advance(game: Game, answers: int, now: dt.datetime) -> Game:
    for dice in range(answers):
        settle(now)
        row = open_rows(game)[0]
        answer(game, row, now, some_answer(fresh(game), row, dice))
    settle(now)
    return fresh(game)


def back(game: Game, step: int, by: User, now: dt.datetime) -> Game:
    repair.roll_back(game=game, step=step, by=by, reason="A wrong card", now=now)
    return fresh(game)


def spectator(game: Game) -> queries.Access:
    return queries.Access(game, None)


def test_the_board_stands_as_it_stood_and_the_game_goes_on_and_replays(
    played: Game, moderator: User, now: dt.datetime
) -> None:
    then = history.step_of(spectator(played), 4)
    count = then.count
    after = back(played, 4, moderator, now)
    assert queries.describe(spectator(after), queries.view_of(spectator(after))) == queries.describe(
        spectator(after), then.view
    )
    assert history.step_of(spectator(after), None).number == count + 1
    assert after.load_state().rng != history.state_after(after, history.moves_of_step(after, 4)[-1].seq).rng
    assert {row.code for row in open_rows(after)} == {one.id for one in after.rules.decisions(after.load_state())}
    again = back(advance(after, 6, now), count + 2, moderator, now)
    assert again.branch == 2
    assert replay(advance(again, 3, now)).moves == fresh(again).seq


def test_what_was_taken_back_stays_in_the_log_and_is_marked(played: Game, moderator: User, now: dt.datetime) -> None:
    before = history.log_lines(spectator(played))
    last = history.moves_of_step(played, 4)[-1].seq
    after = history.log_lines(spectator(back(played, 4, moderator, now)))
    assert [line.text for line in after[:-1]] == [line.text for line in before]
    assert "back to step 4" in after[-1].text
    kept = [line.text for line in after if not line.is_taken_back]
    assert kept == [*(x.text for x in history.log_lines(spectator(played), until=last)), after[-1].text]
    assert [entry.reason for entry in queries.moderation(spectator(played))] == ["A wrong card"]


def test_a_branch_that_was_left_can_be_gone_back_to(played: Game, moderator: User, now: dt.datetime) -> None:
    count = history.count_steps(played)
    after = back(back(played, 2, moderator, now), count, moderator, now)
    gone = [line for line in history.log_lines(spectator(after)) if line.is_taken_back]
    assert ["back to step 2" in line.text for line in gone] == [True]
    assert len(lines.standing_moves(after)) == after.seq - 1


def test_what_was_asked_before_is_void_wherever_it_was_asked(played: Game, moderator: User, now: dt.datetime) -> None:
    step = history.count_steps(played)
    (old,) = open_rows(played)
    given = some_answer(played, old)
    answer(played, old, now, given)
    settle(now)
    after = back(fresh(played), step, moderator, now)
    (new,) = open_rows(after)
    assert (new.seat, new.kind, new.pk) == (old.seat, old.kind, open_rows(after)[0].pk)
    with pytest.raises(Conflict):
        answer(after, old, now, given)
    assert decision_links.act_url(new) != decision_links.act_url(old)
    assert answer(after, new, now, given).decision == new.code


def test_everybody_is_told_and_whoever_is_asked_is_asked_anew(played: Game, moderator: User, now: dt.datetime) -> None:
    Notice.objects.all().delete()
    back(played, 4, moderator, now)
    told = Notice.objects.filter(kind="rolled_back")
    assert sorted(notice.recipient.name for notice in told) == ["Anna", "Ben", "Carla"]
    assert [composer_for("rolled_back").is_current(notice) for notice in told] == [""] * 3
    settle(now)
    (row,) = open_rows(played)
    assert [notice.subject for notice in Notice.objects.filter(kind="due")] == [row.subject]
    assert row.due_at is not None and row.due_at > now


def test_orders_end_and_who_has_resigned_stays_so(
    played: Game, moderator: User, ben: User, carla: User, now: dt.datetime
) -> None:
    seat = seat_of(played, ben)
    order = {"kind": "genie", "answers": [], "until": "date"}
    dates = [now + dt.timedelta(days=3)]
    standing_orders.give(
        game_id=played.pk, seat=seat.number, raw={"orders": [order]}, source="web", now=now, dates=dates
    )
    step = history.count_steps(played)
    game_moves.resign(game_id=played.pk, seat=seat_of(played, carla).number, actor=carla, source="web", now=now)
    after = back(fresh(played), step, moderator, now)
    assert not queries.orders_of(queries.Access(after, seat_of(after, ben))).orders
    assert not OrderDate.objects.exists()
    assert seat_of(after, carla).status == Seat.Status.RESIGNED
    assert after.load_state().resigned == [seat_of(after, carla).number]
    assert replay(after).moves == after.seq


def test_a_game_in_quarantine_is_set_going(played: Game, moderator: User, now: dt.datetime) -> None:
    Game.objects.filter(pk=played.pk).update(quarantined_at=now, state="{}")
    after = back(fresh(played), 4, moderator, now)
    assert after.quarantined_at is None
    assert replay(after).moves == after.seq


@pytest.mark.parametrize("step", [0, -1, 10_000])
def test_a_step_that_is_not_behind_the_game_is_refused(
    played: Game, moderator: User, now: dt.datetime, step: int
) -> None:
    for number in (step, history.count_steps(played)):
        with pytest.raises(Conflict):
            back(played, number, moderator, now)
    assert fresh(played).seq == played.seq
    assert not ModerationEntry.objects.exists()


def test_only_a_moderator_who_never_played_there_takes_a_game_back(
    played: Game, ben: User, david: User, now: dt.datetime
) -> None:
    with pytest.raises(Forbidden):
        back(played, 2, david, now)
    staff.make_moderator(ben.email)
    with pytest.raises(Conflict):
        back(played, 2, User.objects.get(pk=ben.pk), now)
    Move.objects.filter(game=played).update(actor=None)
    row = next(row for row in open_rows(advance(played, 2, now)))
    answer(played, row, now, actor=ben)
    Seat.objects.filter(user=ben).update(user=david)  # somebody else sits there now, and Ben knows what he saw
    with pytest.raises(Conflict):
        back(played, 2, User.objects.get(pk=ben.pk), now)
    assert not Move.objects.filter(kind=Move.Kind.BRANCH).exists()


def test_what_was_learned_since_is_shown_as_everybody_read_it(
    anna: User, ben: User, carla: User, moderator: User, now: dt.datetime
) -> None:
    game = advance(running(anna, [ben, carla], now), 5, now)
    found = repair.learned(game, 2)
    public = history.log_lines(spectator(game), since=history.moves_of_step(game, 3)[0].seq)
    assert [line.text for line in found.lines] == [line.text for line in public]
    assert [seat.name for seat in found.told] == [seat.name for seat in game.seats.order_by("number")]
    assert found.by_seat, "tokens lie face down: their owners know more"
    for _seat, shown in found.by_seat:
        assert {line.text for line in shown} <= {line.text for line in found.lines}
    assert [step.number for step in repair.steps(game)] == list(range(history.count_steps(game) - 1, 0, -1))


@pytest.mark.slow
def test_figures_and_story_leave_out_what_was_taken_back(played: Game, moderator: User, now: dt.datetime) -> None:
    game = back(played, 4, moderator, now)
    while fresh(game).status == Game.Status.RUNNING:
        advance(game, 1, now) if open_rows(game) else settle(now)
    over = fresh(game)
    assert fairness.check_fairness(over).fault == ""
    shown = [line.event for line in history.events_of(spectator(over), lines.standing_moves(over))]
    course = over.rules.figures(shown, over.seat_count)[0].lines
    turns = [event.turn for event in shown if hasattr(event, "turn")]
    assert turns == sorted(turns)
    assert len(course) == -(-max(turns) // over.seat_count)
    assert history.story(over) == [queries.say(over, text) for text in over.rules.story(shown)]


@pytest.fixture
def alone(anna: User, now: dt.datetime) -> Game:
    """A game of Anna against bots, at her first placement."""
    return practice.begin_against_bots(user=anna, rules_name="aladdins-dragons", now=now)


def place(game: Game, token: int, space: str, now: dt.datetime) -> Move:
    (row,) = [row for row in open_rows(fresh(game)) if row.kind == "place"]
    move = answer(game, row, now, {"type": "place", "token": token, "space": space})
    practice.settle(game.pk, now)
    return move


def take_back(game: Game, seat: Seat, event: int, now: dt.datetime) -> Move:
    return roll_backs.take_back(
        game_id=game.pk, seat=seat.number, event=event, actor=seat.user, source=Move.Source.WEB, now=now
    )


def test_a_placement_is_taken_back_with_what_bots_placed_since_and_nothing_more(
    alone: Game, anna: User, now: dt.datetime
) -> None:
    seat = seat_of(alone, anna)
    access = queries.Access(fresh(alone), seat)
    before = queries.describe(access, queries.view_of(access))
    (old,) = [row for row in open_rows(fresh(alone)) if row.kind == "place"]
    move = place(alone, 9, "caravanserai", now)
    assert roll_backs.find_retractable(fresh(alone), seat) == move
    made = take_back(alone, seat, move.first_public, now)
    access = queries.Access(fresh(alone), seat)
    assert queries.describe(access, queries.view_of(access)) == before
    assert history.log_lines(access)[-1].text == "The last move has been taken back."
    assert (made.source, made.actor, fresh(alone).branch) == (Move.Source.WEB, anna, 1)
    with pytest.raises(Conflict):  # a double tap
        take_back(alone, seat, move.first_public, now)
    with pytest.raises(Conflict):  # a second tab
        answer(alone, old, now, {"type": "place", "token": 1, "space": "caravanserai"})
    second = place(alone, 8, "market", now)
    third = place(alone, 7, "market", now)
    for taken in (third, second):
        take_back(alone, seat, taken.first_public, now)
    assert replay(fresh(alone)).moves == fresh(alone).seq
