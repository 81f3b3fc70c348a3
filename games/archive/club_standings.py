"""How the members of a club have played at its tables."""

from collections import defaultdict
from dataclasses import dataclass

from games.archive.ratings import places_of
from games.clubs.clubs import memberships_of
from games.clubs.models import Club
from games.people.models import User
from games.tables.models import Game

MOST_GAMES = 500  # the latest


@dataclass(frozen=True)
class Standing:
    """A member's results at the tables of a club.

    Arguments:
        beaten: how many people ranked below in these games.
        met: how many people there were beside, and so the most that could be beaten.
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


def standings(club: Club) -> list[Standing]:
    """The members who have played at the club's tables, the best first: by the share of people they have beaten.

    As with ratings, a game counts for people who have played it from beginning to end, two of them at least.
    """
    games = club.games.filter(status=Game.Status.FINISHED).defer("state").prefetch_related("seats__tenures__user")
    places: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
    for game in games.order_by("-finished_at", "-pk")[:MOST_GAMES]:
        ranked = places_of(game, game.seated())
        for user, place in ranked.items() if len(ranked) > 1 else ():
            below = sum(other > place for other in ranked.values())
            places[user].append((place, below, len(ranked) - 1))
    found = [_standing(row.user, places[row.user_id]) for row in memberships_of(club) if row.user_id in places]
    return sorted(found, key=lambda one: (-one.percent, -one.games, one.user.name.casefold(), one.user.pk))


def _standing(user: User, played: list[tuple[int, int, int]]) -> Standing:
    wins = sum(place == 1 for place, _below, _others in played)
    beaten, met = sum(below for _place, below, _others in played), sum(others for _place, _below, others in played)
    return Standing(user, len(played), wins, beaten, met)
