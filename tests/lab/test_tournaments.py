"""A small tournament in virtual time, with crashes at its steps and people who leave, give up or stay away."""

import pytest

from games.models import Tournament, TournamentSeat
from tests.lab import tournaments
from tests.lab.timeline import InvariantBroken
from tests.lab.tournaments import TournamentScenario, play_tournament

pytestmark = pytest.mark.slow
SMALL = TournamentScenario(entrants=4, size=2, rounds=2, leaves=0.3, removes=1.0)


def test_every_table_is_seated_and_ranked_though_people_leave(db: None) -> None:
    figures = play_tournament(SMALL, seed=1)
    assert figures.tables == figures.seated == figures.ranked > 1
    assert figures.left + figures.removed > 0
    cup = Tournament.objects.get()
    seat = TournamentSeat.objects.filter(table__round__tournament=cup).latest("pk")
    TournamentSeat.objects.filter(pk=seat.pk).update(place=None)
    with pytest.raises(InvariantBroken, match="has no places"):
        tournaments.check(cup)
