"""People who answer, sleep, go on vacation, pause and miss at random, and a service that fails now and then."""

import datetime as dt
from contextlib import suppress
from random import Random

import pytest

from games.errors import ServiceError
from games.models import Decision, Game, Heartbeat, Move, Seat, User
from games.play import absences, deadlines, pauses, queries
from tests.games.conftest import answer, beat, deliveries, fresh, running, settle

pytestmark = pytest.mark.slow

ZONES = ("Asia/Tokyo", "America/New_York", "Australia/Lord_Howe")
STEPS = 60


class Club:
    """A game and its people over some months, driven by dice."""

    def __init__(self, people: list[User], now: dt.datetime, seed: int) -> None:
        self.dice, self.now, self.people = Random(seed), now, people
        for user, zone in zip(people, ZONES, strict=True):
            user.recipient.zone = zone
            user.recipient.quiet_from, user.recipient.quiet_until = dt.time(23), dt.time(self.dice.choice((6, 9)))
            user.recipient.save()
        pace = self.dice.choice(("daily", "brisk"))
        self.game = running(people[0], people[1:], now, pace=pace, stops_on_weekends=self.dice.random() < 0.5)
        beat(now)

    def step(self) -> None:
        """Some hours later somebody does something; what is refused changes nothing."""
        self.now += dt.timedelta(minutes=self.dice.randrange(5, 60 * 14))
        if self.dice.random() < 0.9:  # else the workers were down all the time
            Heartbeat.objects.update(beat_at=self.now)
            waiting = deliveries().filter(state="waiting")
            waiting.update(state="accepted", accepted_at=self.now - dt.timedelta(hours=8), attempt_after=None)
        beat(self.now)
        while deadlines.expire_one(self.now) or deadlines.remind_one(self.now) or pauses.end_one(self.now):
            self.check()
        settle(self.now)
        deed = self.dice.choice((*[self.answer] * 3, self.wish, self.leave, self.return_, self.moderate))
        with suppress(ServiceError):
            deed()
        settle(self.now)
        self.check()

    def rows(self) -> list[Decision]:
        found = Decision.objects.filter(game=self.game, status="open", is_automatic=False)
        return list(found.select_related("seat__user", "game").order_by("pk"))

    def answer(self) -> None:
        if rows := self.rows():
            answer(fresh(self.game), self.dice.choice(rows), self.now)

    def seat(self) -> Seat:
        return self.game.seats.get(user=self.dice.choice(self.people))

    def wish(self) -> None:
        seat = self.seat()
        pauses.set_wish(game_id=self.game.pk, seat=seat.number, is_wanted=self.dice.random() < 0.4, now=self.now)

    def moderate(self) -> None:
        if fresh(self.game).paused_at:
            pauses.resume_by_moderator(game_id=self.game.pk, now=self.now)
        elif self.dice.random() < 0.2:
            pauses.pause_by_moderator(game_id=self.game.pk, now=self.now)

    def leave(self) -> None:
        first = self.now.date() + dt.timedelta(days=self.dice.randrange(0, 3))
        last = first + dt.timedelta(days=self.dice.randrange(0, 4))
        absences.plan(user=self.dice.choice(self.people), first_day=first, last_day=last, now=self.now)

    def return_(self) -> None:
        for seat in self.game.seats.filter(status="absent"):
            absences.come_back(seat_id=seat.pk, now=self.now)
        user = self.dice.choice(self.people)
        for vacation in absences.upcoming(user, self.now):
            absences.end(user=user, ref=vacation.ref, now=self.now)

    def check(self) -> None:
        """What holds whatever happens."""
        game = fresh(self.game)
        if game.status != Game.Status.RUNNING:
            return
        for row in self.rows():
            assert (row.due_at is None) == bool(game.paused_at), (row, game.paused_at)
            assert (row.left is not None) == bool(game.paused_at)
            assert row.remind_at is None or (row.due_at is not None and row.remind_at < row.due_at)
            if row.due_at is not None and row.allowed_until is not None:
                assert row.opened_at <= row.allowed_until
                assert row.is_sealed or row.allowed_until <= row.due_at
        wanted, people = pauses.count_wishes(game)
        assert game.paused_by == Game.PausedBy.MODERATOR or bool(game.paused_at) == (2 * wanted > people)
        assert all(seat.bank is None or seat.bank >= dt.timedelta(0) for seat in game.seats.all())
        assert not queries.is_asleep(game) or not queries.waiting(game, None)[0]

    def check_moves(self) -> None:
        """Nobody was passed in less than the absolute time he was promised, nor untold."""
        passed = Move.objects.filter(game=self.game, source=Move.Source.DEADLINE)
        shortest = dt.timedelta(hours=12 if self.game.pace == "brisk" else 14)
        for move in passed:
            row = Decision.objects.get(game=self.game, code=move.decision, seat__number=move.seat)
            assert move.received_at - row.opened_at >= shortest
            assert deliveries().filter(notice__dedupe_key=row.due_key, accepted_at__isnull=False).exists()


@pytest.mark.parametrize("seed", [2, 3])  # both see misses, excuses, pauses or vacations, and outages
def test_whatever_people_do_every_clock_runs_or_stands_still_as_it_should(
    anna: User, ben: User, carla: User, now: dt.datetime, seed: int
) -> None:
    club = Club([anna, ben, carla], now, seed)
    for _step in range(STEPS):
        club.step()
    club.check_moves()
    assert fresh(club.game).moves.filter(source=Move.Source.DEADLINE).exists()
