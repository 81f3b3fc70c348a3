"""Puzzles of people's games: with the leave of all of them, nameless, and gone once one of them takes it back."""

import datetime as dt
import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.test import Client

from engine.puzzles import OpenPuzzle, PuzzleSearch
from engine.records import model
from engine.registry import get_rules
from engine.reviews.playouts import course_of
from engine.reviews.reviewing import review
from games.archive import records, reviews
from games.archive.review_bounds import MadeReview, find_puzzles
from games.errors import Conflict, NotFound
from games.lobby import bot_accounts, puzzles
from games.models import Game, GameReview, LentPuzzle, PuzzleAttempt, PuzzleRating, SeatTenure, User
from games.moderation import repair
from games.privacy import erasure, personal_data
from notifications.clock import present
from tests.conftest import NOON
from tests.engine.records.making import played
from tests.games.api.conftest import Program
from tests.games.archive.test_reviews import email_of, end
from tests.games.conftest import cave_of_three
from tests.games.lobby.lending import all_lend, found, lend_one

PATIENCE = 60.0  # seconds
# As the process that reviews: it writes the review, then the puzzle if it is to search; or it searches without an end.
WRITES = """
import pathlib, sys, time
review, puzzle, mark = (pathlib.Path(name) for name in sys.argv[1:4])
sys.stdout.buffer.write(review.read_bytes() + b"\\n")
sys.stdout.flush()
if sys.argv[5] != "0":
    while mark.exists():
        time.sleep(0.01)
    sys.stdout.buffer.write(puzzle.read_bytes() + b"\\n")
"""


@pytest.fixture
def over(anna: User, ben: User, carla: User, now: dt.datetime, settings: Any) -> Iterator[Game]:
    """A game of three people that has ended, and whose review waits."""
    settings.REVIEW_SECONDS = 1
    yield end(cave_of_three(now), anna, now)
    while reviews._now_making:
        reviews._forget()


class Worker:
    """Looks after a process that writes what is prepared, and finds no puzzle as long as `mark` is there."""

    def __init__(self, game: Game, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.mark = folder / "mark"
        record = records.record_of(game)
        made = MadeReview(1.0, review(get_rules(record.rules, record.rules_version), record, lambda: 1.0))
        for name, result in (("review", made), ("puzzle", found())):
            (folder / name).write_bytes(msgspec.json.encode(result))
        names = [str(folder / name) for name in ("review", "puzzle", "mark")]
        monkeypatch.setattr(reviews, "COMMAND", (sys.executable, "-c", WRITES, *names))

    def until(self, is_so: Any) -> None:
        stop = time.monotonic() + PATIENCE
        while not is_so():
            assert time.monotonic() < stop, "it takes too long"
            reviews.make_next_review(NOON)
            time.sleep(0.01)

    def finish(self) -> None:
        self.until(lambda: not GameReview.objects.exclude(state="done").exists() and not reviews._now_making)


@pytest.fixture
def worker(over: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Worker:
    return Worker(over, tmp_path, monkeypatch)


@pytest.fixture
def annas(anna: User) -> Program:
    return Program.with_scopes(anna, "account", "play")


def right_of(ref: str) -> str:
    puzzle = puzzles.opened(puzzles.find(ref))
    return puzzle.choices()[puzzle.puzzle.solution][0]


# Leave


def test_a_game_in_which_one_player_lends_nothing_makes_no_puzzle(worker: Worker, anna: User, ben: User) -> None:
    all_lend(anna, ben)
    worker.mark.touch()  # who searches, does so without an end
    worker.finish()
    assert not LentPuzzle.objects.exists()


def test_a_puzzle_that_all_lend_is_in_the_archive_and_a_stranger_answers_it(
    worker: Worker, over: Game, anna: User, ben: User, carla: User, client: Client
) -> None:
    before = client.get("/puzzles/").content.decode()
    all_lend(anna, ben, carla)
    worker.finish()
    (row,) = LentPuzzle.objects.all()
    assert set(row.lenders.all()) == {anna, ben, carla}
    assert row.ref in {packed.ref for packed in puzzles.open_now(present.now())}
    after = client.get("/puzzles/").content.decode()
    count = sum(packed.rules == row.rules and packed.grade == row.grade for packed in puzzles.open_now(present.now()))
    assert f"0 of {count} tried" in after and after != before
    page = client.get(f"/puzzle/{row.ref}/").content.decode()
    assert not any(secret in page for secret in (over.ref, over.title, anna.ref))
    client.post(f"/puzzle/{row.ref}/", {"answer": right_of(row.ref)})
    assert "Right!" in client.get(f"/puzzle/{row.ref}/").content.decode()
    assert PuzzleRating.objects.get(puzzle=row.ref).tried == 1


def test_who_has_left_the_seat_since_is_asked_too(
    over: Game, anna: User, ben: User, carla: User, david: User, now: dt.datetime
) -> None:
    seat = over.seats.get(user=ben)
    seat.tenures.update(ended_at=now)
    SeatTenure.objects.create(seat=seat, user=david, began_at=now)
    over.seats.filter(pk=seat.pk).update(user=david)
    all_lend(anna, carla, david)
    assert puzzles.lock_lenders(over) == []
    all_lend(ben)
    assert puzzles.lock_lenders(over) == [anna, ben, carla, david]


def test_the_owner_of_a_bot_lends_for_it_and_the_services_own_bots_need_not(
    over: Game, anna: User, ben: User, carla: User, david: User, now: dt.datetime
) -> None:
    robo = bot_accounts.create(owner=david, name="Robo", is_for_all=True, now=now)
    ours = bot_accounts.create(owner=bot_accounts.house(), name="Farid", is_for_all=True, now=now)
    for user, bot in ((ben, robo), (carla, ours)):
        SeatTenure.objects.filter(user=user, seat__game=over).update(user=bot)
    all_lend(anna, robo)
    assert puzzles.lock_lenders(over) == []
    all_lend(david)
    assert puzzles.lock_lenders(over) == [anna, david]


def test_a_guest_cannot_lend_and_a_game_that_was_imported_or_of_bots_has_no_lenders(
    over: Game, anna: User, ben: User, carla: User, client: Client, now: dt.datetime
) -> None:
    ref = puzzles.of_day(puzzles.today(now)).ref
    client.post(f"/puzzle/{ref}/", {"answer": right_of(ref)})
    guest = User.objects.get(is_guest=True)
    client.post("/settings/", {"name": "x", "language": "en", "zone": "UTC", "lends_positions": "on"})
    SeatTenure.objects.filter(user=ben, seat__game=over).update(user=guest)
    all_lend(anna, ben, carla)
    assert puzzles.lock_lenders(over) == []
    imported, _is_new = records.take_in(data=model.dump(records.record_of(over)), by=anna, now=now)
    puzzles.lend(found(), imported)
    assert not LentPuzzle.objects.exists()


# Taking it back


def test_a_puzzle_that_one_takes_back_is_gone_everywhere_and_says_so(
    over: Game, ben: User, annas: Program, client: Client
) -> None:
    ref = lend_one(over)
    right = right_of(ref)
    client.post(f"/puzzle/{ref}/", {"answer": right})
    assert annas.get(f"puzzles/{ref}/")["ref"] == ref and PuzzleRating.objects.exists()
    Program.with_scopes(ben, "account").patch("me/", {"lends_positions": False})
    assert not LentPuzzle.objects.exists() and not PuzzleRating.objects.exists()
    assert ref not in {packed.ref for packed in puzzles.open_now(present.now())}
    for response in (client.get(f"/puzzle/{ref}/"), client.post(f"/puzzle/{ref}/", {"answer": right})):
        assert response.status_code == 404 and "taken back" in response.content.decode()
    problem = annas.get(f"puzzles/{ref}/", 404)
    assert "taken back" in problem["detail"]
    assert "taken back" in annas.post(f"puzzles/{ref}/", {"answer": right}, 404)["detail"]
    assert PuzzleAttempt.objects.get().puzzle == ref  # its solver's figures stay


def test_an_answer_that_comes_with_the_withdrawal_counts_for_nothing(over: Game, ben: User, now: dt.datetime) -> None:
    packed = puzzles.find(lend_one(over))
    right = right_of(packed.ref)
    puzzles.withdraw(user=ben)
    with pytest.raises(NotFound):
        puzzles.answer(recipient=ben.recipient, packed=packed, value=right, now=now)
    assert not PuzzleRating.objects.exists() and not PuzzleAttempt.objects.exists()


def test_a_leave_that_is_taken_back_while_the_puzzle_is_searched_counts(
    worker: Worker, over: Game, anna: User, ben: User, carla: User, client: Client
) -> None:
    all_lend(anna, ben, carla)
    worker.mark.touch()
    worker.until(lambda: reviews._now_making)
    client.force_login(ben)
    client.post("/settings/", {"name": "Ben", "language": "en", "zone": "UTC", "curve_shown": "all"})
    worker.mark.unlink()
    worker.finish()
    assert not User.objects.get(pk=ben.pk).lends_positions and not LentPuzzle.objects.exists()


def test_the_settings_say_it_and_another_change_leaves_it(
    over: Game, ben: User, client: Client, annas: Program, anna: User
) -> None:
    client.force_login(ben)
    posted = {"name": "Ben", "language": "en", "zone": "UTC", "lends_positions": "on"}
    assert 'name="lends_positions"' in client.get("/settings/").content.decode()
    client.post("/settings/", posted)
    assert User.objects.get(pk=ben.pk).lends_positions
    assert annas.patch("me/", {"lends_positions": True})["lends_positions"] is True
    lend_one(over)
    assert annas.patch("me/", {"name": "Ann"})["lends_positions"] is True and LentPuzzle.objects.exists()


def test_what_is_erased_takes_its_puzzles_along_and_the_copy_names_them(
    over: Game, ben: User, now: dt.datetime
) -> None:
    ref = lend_one(over)
    copied = msgspec.json.decode(personal_data.as_text(ben, now))
    assert [row["ref"] for row in copied["puzzles_lent"]] == [ref]
    assert copied["account"][0]["lends_positions"] is True
    PuzzleRating.objects.create(puzzle=ref, mu=25, sigma=8)
    assert erasure.erase(ben, takes_words=False, now=now)
    assert not LentPuzzle.objects.exists() and not PuzzleRating.objects.exists()
    assert not User.objects.get(pk=ben.pk).lends_positions


def test_a_game_that_is_over_is_not_taken_back_so_that_no_puzzle_tells_of_a_running_one(
    over: Game, now: dt.datetime
) -> None:
    moderator = User.objects.create_superuser("eve@example.org", name="Eve")
    lend_one(over)
    with pytest.raises(Conflict):
        repair.roll_back(game=over, step=1, by=moderator, reason="why", now=now)


# The search


@pytest.mark.slow
def test_what_is_found_looks_to_the_solver_like_the_game_and_is_another_deal_without_its_names() -> None:
    record = played("cave-of-wonders", 3, 3, 60)
    rules = get_rules(record.rules, record.rules_version)
    puzzle = next(find_puzzles(rules, record, PATIENCE, 1))
    states = [turn.before for turn in course_of(rules, record) if turn.asked == puzzle.kind]
    assert OpenPuzzle(puzzle).view in [rules.view(rules.load(state), puzzle.seat) for state in states]
    assert puzzle.state not in states
    assert rules.load(puzzle.state).rng.seed not in {rules.load(state).rng.seed for state in states}
    packed = msgspec.msgpack.encode(puzzle)
    secrets = [record.ref, record.server_seed, *(seat.name for seat in record.seats)]
    assert not any(secret.encode() in packed for secret in secrets)


def test_each_puzzle_of_a_search_is_clearer_than_the_one_before_and_none_comes_late(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    record = played("cave-of-wonders", 3, 3, 60)
    rules = get_rules(record.rules, record.rules_version)
    in_turn = [msgspec.structs.replace(found(str(lead)), lead=lead) for lead in (20, 90, 30)]
    monkeypatch.setattr(PuzzleSearch, "find", lambda _search, positions: islice(in_turn, sum(1 for _at in positions)))
    assert [puzzle.lead for puzzle in find_puzzles(rules, record, PATIENCE, 1)] == [20, 90]
    assert list(find_puzzles(rules, record, 0, 1)) == []


def test_a_game_with_rules_of_which_a_puzzle_tells_nothing_makes_none() -> None:
    record = played("cave-of-wonders", 3, 3, 60)
    search = PuzzleSearch(get_rules(record.rules, record.rules_version), 1)
    assert next(search.recorded(record), None) is not None
    assert list(search.recorded(msgspec.structs.replace(record, options={"equal_turns": "on"}))) == []


def test_nobody_waits_for_the_search_and_a_review_that_waits_ends_it(
    worker: Worker, over: Game, anna: User, ben: User, carla: User, now: dt.datetime
) -> None:
    all_lend(anna, ben, carla)
    worker.mark.touch()
    assert email_of(ben).attempt_after == now + reviews.HOLD
    worker.until(lambda: reviews.review_of(over).review is not None)
    assert email_of(ben).attempt_after == now
    (search,) = reviews._now_making
    reviews.make_next_review(now)
    assert reviews._now_making == [search]
    other = end(cave_of_three(now), anna, now)
    reviews.make_next_review(now)
    assert search._process.returncode is not None and not reviews._now_making
    worker.mark.unlink()
    worker.finish()
    assert reviews.review_of(other).review is not None


# What is kept, and how it is asked


def test_the_oldest_make_room(over: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(puzzles, "MOST_LENT", 2)
    for number in range(3):
        lend_one(over, f"lent-{number}")
    lend_one(over, "lent-2")
    assert set(LentPuzzle.objects.values_list("ref", flat=True)) == {"lent-1", "lent-2"}


def test_a_lent_puzzle_is_graded_among_the_shipped_ones(over: Game, anna: User, ben: User, carla: User) -> None:
    all_lend(anna, ben, carla)
    for ref, share in (("easy", 0), ("hard", 100)):
        puzzles.lend(msgspec.structs.replace(found(ref), misses={"greedy": share}, lead=1 if share else 1000), over)
    grades = dict(LentPuzzle.objects.values_list("ref", "grade"))
    assert grades == {"easy": 1, "hard": 5}


def test_the_puzzle_of_the_day_is_a_shipped_one_and_a_lent_one_comes_next_where_it_fits(over: Game, anna: User) -> None:
    day = puzzles.today(present.now())
    before = [puzzles.of_day(day + number * puzzles.DAY) for number in range(30)]
    ref = lend_one(over)
    assert [puzzles.of_day(day + number * puzzles.DAY) for number in range(30)] == before
    now = present.now()
    solver = puzzles.solver_of(anna.recipient)
    for packed in puzzles.open_now(now):
        if packed.ref != ref:
            solver.attempts.create(puzzle=packed.ref, answer=0, is_right=False, made_at=now)
    following = puzzles.next_for(anna.recipient, now)
    assert following is not None and following.ref == ref and not following.data
    assert puzzles.opened(following).puzzle.ref == ref


def test_a_lent_puzzle_whose_rules_are_gone_says_so(over: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    packed, now = puzzles.find(lend_one(over)), present.now()
    assert packed.ref in {other.ref for other in puzzles.open_now(now)}
    monkeypatch.setattr("engine.puzzles.RULES", {})
    monkeypatch.setattr(puzzles, "RULES", {})
    with pytest.raises(Conflict, match="have changed"):
        puzzles.opened(packed)
    assert puzzles.open_now(now) == []


def test_pages_of_puzzles_read_little(over: Game, client: Client, django_assert_max_num_queries: Any) -> None:
    ref = lend_one(over)
    client.get("/puzzles/")
    with django_assert_max_num_queries(1):
        client.get("/puzzles/")
    with django_assert_max_num_queries(2):  # the second one is for the preview of a link to it
        client.get(f"/puzzle/{ref}/")
