"""The figures of a player's profile: how the ratings changed, how reliably and when he answers, and his duels.

Nothing is taken from a game that runs: whether somebody has answered a sealed question there is nobody's to see.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from django.db.models import Count, F, Window
from django.db.models.functions import RowNumber
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.archive.models import Rating
from games.clubs import clubs
from games.people.models import User
from games.play import stored_moves
from games.play.lists import place_of
from games.play.models import Decision, Move
from games.tables.models import PRACTICE, Game
from games.tables.seats import Seat, SeatTenure

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

MOST_POINTS = 200  # of a curve
LATELY = timedelta(days=365)
GAMES_LOOKED_AT = 40  # the latest
FEWEST_QUESTIONS = 20  # below that a share says nothing
FEWEST_ANSWERS = 20
OFTEN, SOMETIMES = 0.3, 0.1  # of all answers, for a part of the day
MOST_DUELS = 5


@dataclass(frozen=True)
class CurvePoint:
    """A rating after a game."""

    points: int
    at: datetime
    game: Game

    @property
    def tournament(self) -> Any:
        """The tournament that the game was played in, if it was."""
        table = getattr(self.game, "tournament_table", None)
        return table.round.tournament if table else None


def curve(person: User, rules_name: str) -> list[CurvePoint]:
    """How a player's rating in a game has changed, oldest first; the latest changes alone. Its games are public."""
    rows = person.rating_changes.filter(rules_name=rules_name).defer("game__state")
    rows = rows.select_related("game__tournament_table__round__tournament")
    latest = rows.order_by("-rated_at", "-pk")[:MOST_POINTS]
    return [CurvePoint(row.points, row.rated_at, row.game) for row in reversed(latest)]


def shown_curve(rating: Rating, viewer: User) -> list[CurvePoint]:
    """The curve of a rating, where it is the viewer's to see."""
    is_shown = clubs.may_see(viewer, rating.user, rating.user.curve_shown)
    return curve(rating.user, rating.rules_name) if is_shown else []


@dataclass(frozen=True)
class Reliability:
    """How many questions with a deadline somebody was asked in finished games, and how many he answered in time."""

    asked: int
    in_time: int

    @property
    def percent(self) -> int:
        """The share answered in time; 100 only if it was all of them."""
        return 100 * self.in_time // self.asked


def reliability(person: User, now: datetime) -> Reliability | None:
    """A player's reliability in his latest finished games of a year; None if too few questions were asked there."""
    return reliabilities([person.pk], now).get(person.pk)


def reliabilities(people: Sequence[int], now: datetime) -> dict[int, Reliability]:
    """The reliability of several players at once, by the key of the player, as `reliability` says.

    What a steward or an order answered counts as answered in time. A missed deadline is one at which the default or
    the proposal was played.
    """
    seats = _lately(people, now)
    logs = stored_moves.packed_among([seat.game_id for seat in seats])
    answered = Decision.objects.filter(
        seat__in=[seat.pk for seat in seats],
        status=Decision.Status.ANSWERED,
        is_automatic=False,
        due_at__isnull=False,
    )
    asked = Counter(dict(answered.order_by().values_list("seat").annotate(Count("pk"))))
    by_deadline = Move.objects.filter(game__in={seat.game_id for seat in seats}, source=Move.Source.DEADLINE)
    missed = Counter(by_deadline.values_list("game", "seat"))
    questions, misses = Counter[int](), Counter[int]()
    for seat in seats:
        assert seat.user_id is not None
        questions[seat.user_id] += asked[seat.pk]
        misses[seat.user_id] += missed[seat.game_id, seat.number]
        if log := logs.get(seat.game_id):
            questions[seat.user_id] += log.count_questions(seat)
            misses[seat.user_id] += len(log.places({"seat": seat.number, "source": Move.Source.DEADLINE}))
    return {
        key: Reliability(count, max(0, count - misses[key]))
        for key, count in questions.items()
        if count >= FEWEST_QUESTIONS
    }


def share_in_time(person: User, now: datetime) -> int | None:
    """Returns the percentage of answers in time; None if too few questions were asked."""
    figure = reliability(person, now)
    return figure.percent if figure is not None else None


def _lately(people: Sequence[int], now: datetime) -> Sequence[Seat]:
    """The seats that these players have played from the beginning in the latest finished games of each."""
    whole = SeatTenure.objects.filter(user__in=people, since_seq=0, ended_at=None).values("seat")
    lately = {"game__status": Game.Status.FINISHED, "game__recorded_as": "", "game__finished_at__gt": now - LATELY}
    rows = Seat.objects.filter(pk__in=whole, user__in=people, **lately, game__is_lesson=False, game__sandbox_of=None)
    rank = Window(RowNumber(), partition_by="user", order_by="-game__finished_at")
    ranked = rows.only("pk", "number", "game_id", "user_id").annotate(rank=rank)
    return list(ranked.filter(rank__lte=GAMES_LOOKED_AT).order_by("-game__finished_at"))


class Often(StrEnum):
    """How much of what somebody answers falls into a part of the day."""

    OFTEN = "often"
    SOMETIMES = "sometimes"
    SELDOM = "seldom"


WORDS = {Often.OFTEN: _("often"), Often.SOMETIMES: _("sometimes"), Often.SELDOM: _("seldom")}


@dataclass(frozen=True)
class PartOfDay:
    """A quarter of the day, from one hour to another, and how often somebody answers in it."""

    name: "StrPromise"
    begin: int
    end: int
    often: Often

    @property
    def words(self) -> "StrPromise":
        """How often, in words."""
        return WORDS[self.often]


PARTS = ((_("at night"), 0), (_("in the morning"), 6), (_("in the afternoon"), 12), (_("in the evening"), 18))
QUARTER = 24 // len(PARTS)


def hours(person: User, zone: tzinfo, now: datetime) -> list[PartOfDay]:
    """When somebody usually answers, by the clock of a zone (the reader's), from his latest finished games.

    In quarters of the day and three words, so that it tells when to expect an answer and not when he sleeps. [] if
    there are too few answers.
    """
    games = [seat.game_id for seat in _lately([person.pk], now)]
    moves = Move.objects.filter(actor=person, game__in=games, kind=Move.Kind.ANSWER, source__in=Move.PEOPLE)
    times = list(moves.order_by().values_list("received_at", flat=True))
    own = {"actor_id": person.pk, "kind": Move.Kind.ANSWER, "source__in": Move.PEOPLE}
    for log in stored_moves.packed_among(games).values():
        times += [at for (at,) in log.values(["received_at"], own)]
    if len(times) < FEWEST_ANSWERS:
        return []
    counted = Counter(timezone.localtime(at, zone).hour // QUARTER for at in times)
    return [
        PartOfDay(name, begin, begin + QUARTER, _often(counted[begin // QUARTER] / len(times))) for name, begin in PARTS
    ]


def _often(share: float) -> Often:
    if share >= OFTEN:
        return Often.OFTEN
    return Often.SOMETIMES if share >= SOMETIMES else Often.SELDOM


@dataclass(frozen=True)
class Duel:
    """A finished game of two people: who came out better; None for neither."""

    game: Game
    own_place: int
    other_place: int

    @property
    def is_ahead(self) -> bool:
        """True if the reader came out better."""
        return self.own_place < self.other_place

    @property
    def is_behind(self) -> bool:
        """True if the other one did."""
        return self.own_place > self.other_place


@dataclass(frozen=True)
class HeadToHead:
    """How two people have done against each other in finished games; `duels` are the latest."""

    games: int
    ahead: int
    behind: int
    duels: Sequence[Duel]

    @property
    def even(self) -> int:
        """In how many they shared a place."""
        return self.games - self.ahead - self.behind


def head_to_head(user: User, other: User) -> HeadToHead | None:
    """The finished games in which both have sat from beginning to end; None if there are none."""
    games = Game.objects.exclude(PRACTICE).filter(status=Game.Status.FINISHED, recorded_as="")
    theirs, own = (
        {f"{path}tenures__user": player, f"{path}tenures__since_seq": 0, f"{path}tenures__ended_at": None}
        for path, player in (("game__seats__", other), ("", user))
    )
    rows = Seat.objects.filter(**theirs, **own, game__in=games, game__outcome__isnull=False)
    rows = rows.annotate(other_number=F("game__seats__number")).select_related("game").defer("game__state")
    duels = [
        Duel(seat.game, place_of(seat.game, seat.number), place_of(seat.game, seat.other_number))
        for seat in rows.order_by("-game__finished_at", "-game__pk")
    ]
    if not duels:
        return None
    ahead, behind = sum(duel.is_ahead for duel in duels), sum(duel.is_behind for duel in duels)
    return HeadToHead(len(duels), ahead, behind, duels[:MOST_DUELS])
