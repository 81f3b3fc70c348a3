"""Friends, clubs and profiles in states worth looking at."""

from datetime import datetime, timedelta

from django.utils import timezone

from games.archive import ratings
from games.clubs import clubs
from games.lobby import lifecycle
from games.models import Club, Decision, Game, Move, RatingChange, Seat, User
from games.people import friends
from games.tables.settings import TablePlan

RULES = "cave-of-wonders"
COURSE = (1000, 1032, 1018, 1066, 1105, 1081, 1124)  # points of a rating after each game


def finished(title: str, order: list[User], at: datetime, club: Club | None = None) -> Game:
    """A finished public game, or one of a club; `order` is who came in first, second ..."""
    places = list(range(len(order)))
    outcome = {"ending": "complete", "winners": [0], "ranking": places, "scores": [9] * len(order)}
    outcome["reason"] = {"code": "abandoned", "params": {"winner": {"seat": 0}}}
    game = Game.objects.create(
        title=title, host=order[0], rules_name=RULES, rules_version=1, seat_count=len(order), pace="daily",
        commitment="0" * 64, server_seed="0" * 64, expires_at=at, started_at=at - timedelta(days=9), finished_at=at,
        outcome=outcome, status="finished", is_listed=club is None, club=club,
    )  # fmt: skip
    for place, user in enumerate(order):
        Seat.objects.create(game=game, number=place, user=user, name=user.name)
    return game


def answers(game: Game, user: User, at: datetime, count: int) -> None:
    """So many answers in time in a finished game, around a time of the day."""
    seat = game.seats.get(user=user)
    for number in range(1, count + 1):
        opened = at - timedelta(days=number, hours=number % 7)
        facts = {"game": game, "seat": seat, "code": f"{seat.number}-{number}", "kind": "x", "status": "answered"}
        Decision.objects.create(**facts, opened_at=opened, due_at=opened + timedelta(days=1), closed_at=opened)
        made = {"game": game, "seq": number, "kind": "answer", "seat": seat.number, "source": "web", "actor": user}
        Move.objects.create(**made, first_public=number, received_at=opened, chain="0" * 64)


def well_known(anna: User, ben: User, carla: User) -> None:
    """Anna has played a lot, and shows everybody her curve and her hours."""
    now = timezone.now()
    for number, points in enumerate(COURSE):
        at = now - timedelta(days=60 - 8 * number)
        order = [anna, ben, carla] if number % 3 else [ben, anna, carla]
        game = finished(f"Round {number + 1}", order, at)
        answers(game, anna, at, 8)
        RatingChange.objects.create(user=anna, rules_name=RULES, game=game, points=points, rated_at=at)
    while ratings.rate_one(now):
        pass
    RatingChange.objects.filter(user=anna).exclude(points__in=COURSE).delete()
    User.objects.filter(pk=anna.pk).update(is_ranked=True, hours_shown="all")
    anna.refresh_from_db()


def club_of(anna: User, ben: User, carla: User) -> Club:
    """Anna's club, with an open table, games that are over, and standings."""
    now = timezone.now()
    club = clubs.found(user=anna, name="Lamp & Genie, since the days of old", about="We play on Thursdays.", now=now)
    for member in (ben, carla):
        clubs.join(club=club, user=member, now=now)
    finished("Club evening", [carla, anna, ben], now - timedelta(days=9), club)
    finished("Club evening II", [anna, carla, ben], now - timedelta(days=2), club)
    plan = TablePlan(title="Thursday", rules_name=RULES, seat_count=3, club=club.ref)
    lifecycle.open_table(host=anna, plan=plan, now=now)
    return club


def befriend(user: User, other: User) -> None:
    """Two become friends."""
    row = friends.ask(user=user, other=other, now=timezone.now())
    friends.accept(user=other, ref=row.ref, now=timezone.now())
