"""Rates players by the public games they have played, and ranks the members of a club by its tables.

People are rated against people, and bot accounts against bot accounts: neither list moves the other.

Everybody can work ratings out again from the archive, and `rate_all` does. See docs/ratings.md for what counts, and
why."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q, QuerySet
from openskill.models import PlackettLuce

from engine.core import Ending
from games.archive.finished_games import COUNTED
from games.archive.models import Rating, RatingChange
from games.clubs.clubs import memberships_of
from games.clubs.models import Club
from games.lobby import bot_accounts, lifecycle
from games.lobby.models import BotTerms
from games.people.models import HOUSE, User
from games.tables.models import Game
from games.tables.seats import Seat, SeatTenure
from notifications.database.compiled_query import compiled_exists

MODEL = PlackettLuce()
SETTLED = timedelta(minutes=1)  # after its end a game is rated: by then none that ended before it is still being stored
COUNTING = (Ending.COMPLETE, Ending.ABANDONED)
FEWEST = 2  # people whose places can be compared
BEGINNING, SCALE, SURE = 1000, 40, 3
UNRATED = Q(rated_at__isnull=True)


def points_of(mu: float, sigma: float) -> int:
    """Returns the points a rating is shown as: a bound that somebody almost certainly exceeds; a newcomer has 1000."""
    return round(BEGINNING + SCALE * (mu - SURE * sigma))


def rate_one(now: datetime) -> bool:
    """Rates the public game that was over first and is not rated yet. Returns whether there was one.

    A rating is made of the one before: whoever comes second waits for the game, and then for its people.
    """
    if not _is_any_due(now - SETTLED):
        return False
    with transaction.atomic():
        game = _due(now - SETTLED).select_for_update().defer("state").first()
        if game is None:
            return False
        people = SeatTenure.objects.filter(seat__game=game).values("user")
        locked = User.objects.select_for_update(of=("self",), no_key=True).filter(pk__in=people)
        list(locked.order_by("pk").values_list("pk"))
        ratings = {row.user_id: row for row in Rating.objects.filter(user__in=people, rules_name=game.rules_name)}
        rows = _rate(game, game.seats.prefetch_related("tenures__user"), ratings)
        for row in rows:
            row.save()
        RatingChange.objects.bulk_create([_change(row, game) for row in rows], ignore_conflicts=True)
        Game.objects.filter(pk=game.pk).update(rated_at=now)
        return True


def _due(before: datetime) -> QuerySet[Game]:
    return Game.objects.filter(COUNTED & UNRATED, finished_at__lte=before).order_by("finished_at", "pk")


_is_any_due = compiled_exists(_due)


@transaction.atomic
def rate_all(now: datetime) -> int:
    """Forgets all ratings and makes them again from the games, in the order in which these were over.

    Returns how many games have counted.
    """
    list(Game.objects.select_for_update().filter(COUNTED).order_by("pk").values_list("pk"))  # nobody rates meanwhile
    Rating.objects.all().delete()
    RatingChange.objects.all().delete()
    games = Game.objects.filter(COUNTED, finished_at__lte=now - SETTLED).defer("state")
    games = games.prefetch_related("seats__tenures__user")
    ratings: dict[str, dict[int, Rating]] = {}
    counted = 0
    changes: list[RatingChange] = []
    for game in games.order_by("finished_at", "pk"):
        rows = _rate(game, game.seated(), ratings.setdefault(game.rules_name, {}))
        changes += [_change(row, game) for row in rows]
        counted += bool(rows)
    Rating.objects.bulk_create([row for rows in ratings.values() for row in rows.values()])
    RatingChange.objects.bulk_create(changes, batch_size=1000)
    games.update(rated_at=now)
    return counted


def _change(row: Rating, game: Game) -> RatingChange:
    """Computes a rating after a game that counted for it."""
    facts = {"user_id": row.user_id, "rules_name": row.rules_name, "points": row.points, "rated_at": row.rated_at}
    return RatingChange(game=game, **facts)


def _rate(game: Game, seats: Iterable[Seat], ratings: dict[int, Rating]) -> list[Rating]:
    """The new ratings of those who played a game, not stored; none if it does not count. Adds newcomers to `ratings`.

    Its people are compared with each other, and so are its bot accounts.
    """
    seats = list(seats)
    groups = (places_of(game, seats, of_bots=of_bots) for of_bots in (False, True))
    return [row for places in groups if len(places) >= FEWEST for row in _compare(game, places, ratings)]


def _compare(game: Game, places: dict[int, int], ratings: dict[int, Rating]) -> list[Rating]:
    rows = [ratings.setdefault(user, _newcomer(user, game.rules_name)) for user in places]
    before = [[MODEL.rating(mu=row.mu, sigma=row.sigma)] for row in rows]
    after = MODEL.rate(before, ranks=[float(place) for place in places.values()])
    for row, (rating,) in zip(rows, after, strict=True):
        row.mu, row.sigma = rating.mu, rating.sigma
        row.points = points_of(rating.mu, rating.sigma)
        row.games += 1
        row.wins += places[row.user_id] == 1
        assert game.finished_at is not None
        row.rated_at = game.finished_at
    return rows


def _newcomer(user: int, rules_name: str) -> Rating:
    new = MODEL.rating()
    return Rating(user_id=user, rules_name=rules_name, mu=new.mu, sigma=new.sigma)


def places_of(game: Game, seats: Iterable[Seat], *, of_bots: bool = False) -> dict[int, int]:
    """The place of each person whose result counts, by his account; equal places are ties.

    Arguments:
        of_bots: of each bot account instead.

    Who won together shares the first place; who resigned, or lost his seat by absence, shares the last one. Who came
    later does not count, nor whom a moderator has replaced, nor a bot of the rules. {} for a game that does not count,
    such as one at a table where a player and that player's bot may both play.
    """
    outcome = game.outcome or {}
    if game.allows_own_bots or outcome.get("ending") not in COUNTING:
        return {}
    last = len(outcome["ranking"])
    places = {}
    for seat in seats:
        for tenure in seat.tenures.all():
            if tenure.since_seq or tenure.user.is_bot != of_bots or tenure.user.erased_at:
                continue
            if tenure.ended_at is None and seat.status != Seat.Status.RESIGNED:
                is_first = seat.number in outcome["winners"]
                places[tenure.user_id] = 1 if is_first else outcome["ranking"].index(seat.number) + 1
            elif tenure.ended_at is None or tenure.is_by_absence:
                places[tenure.user_id] = last
    return dict(sorted(places.items(), key=lambda pair: (pair[1], pair[0])))


RANKED = 1_000  # players of a leaderboard: further down they are neither counted nor listed


def ranking(rules_name: str) -> "QuerySet[Rating]":
    """Returns the leaderboard of a game: the best thousand of those who share their ratings, the best first."""
    rows = Rating.objects.filter(rules_name=rules_name, user__is_ranked=True, user__is_active=True, user__owner=None)
    return rows.select_related("user").order_by("-points", "rated_at", "pk")[:RANKED]


def of_house(rules_name: str) -> "QuerySet[Rating]":
    """Returns the ratings of the house's bots at a game, which have played each other, the best first."""
    rows = Rating.objects.filter(rules_name=rules_name, user__owner__email=HOUSE)
    return rows.select_related("user").order_by("-points", "pk")


@dataclass(frozen=True)
class ListedBot:
    """A bot account of the public directory, with its ratings by the names of games."""

    bot: User
    terms: BotTerms
    ratings: list[Rating]

    def points(self, rules_name: str) -> int:
        """Returns its points at a game; those of a newcomer for one that was never rated."""
        return next((row.points for row in self.ratings if row.rules_name == rules_name), BEGINNING)


def listed_bots(rules_name: str = "") -> list[ListedBot]:
    """The bots that every host may seat, by name; with a game those that play it, the best first."""
    rows = bot_accounts.listed().prefetch_related("ratings")
    bots = [
        ListedBot(bot, lifecycle.terms_of(bot), sorted(bot.ratings.all(), key=lambda row: row.rules_name))
        for bot in rows
    ]
    if not rules_name:
        return bots
    bots = [bot for bot in bots if not bot.terms.takes_rules or rules_name in bot.terms.takes_rules]
    return sorted(bots, key=lambda bot: (-bot.points(rules_name), bot.bot.name))


# Clubs

MOST_CLUB_GAMES = 500  # the latest


@dataclass(frozen=True)
class Standing:
    """A player's results at the tables of a club, or a bot's in a match.

    Arguments:
        beaten: how many ranked below in these games.
        met: how many others there were beside, and so the most that could be beaten.
    """

    user: User
    games: int
    wins: int
    beaten: int
    met: int

    @property
    def percent(self) -> int:
        """The share of the others that was beaten."""
        return round(100 * self.beaten / self.met) if self.met else 0


def club_standings(club: Club) -> list[Standing]:
    """The members who have played at the club's tables, the best first: by the share of people they have beaten.

    As with ratings, a game counts for people who have played it from beginning to end, two of them at least.
    """
    games = club.games.filter(status=Game.Status.FINISHED).defer("state").prefetch_related("seats__tenures__user")
    places: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
    for game in games.order_by("-finished_at", "-pk")[:MOST_CLUB_GAMES]:
        ranked = places_of(game, game.seated())
        for user, place in ranked.items() if len(ranked) > 1 else ():
            below = sum(other > place for other in ranked.values())
            places[user].append((place, below, len(ranked) - 1))
    standings = [_standing(row.user, places[row.user_id]) for row in memberships_of(club) if row.user_id in places]
    return sorted(
        standings,
        key=lambda standing: (-standing.percent, -standing.games, standing.user.name.casefold(), standing.user.pk),
    )


def _standing(user: User, played: list[tuple[int, int, int]]) -> Standing:
    wins = sum(place == 1 for place, _below, _others in played)
    beaten, met = sum(below for _place, below, _others in played), sum(others for _place, _below, others in played)
    return Standing(user, len(played), wins, beaten, met)
