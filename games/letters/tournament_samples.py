"""A tournament for the sample letters: entered, drawn, called off or played to its end by the sample game's people."""

from datetime import timedelta

from games.letters.sample_game import SampleGame
from games.models import Tournament, TournamentTable
from games.tournaments import entering, hosting, opening, progress, rounds
from games.tournaments.opening import TournamentPlan

TITLE = "Cup"
KINDS = ("tournament_entered", "tournament_bye", "tournament_removed", "tournament_off", "tournament_over")


def sample_tournament(kind: str, made: SampleGame, reason: str) -> Tournament:
    """Returns a tournament in which that has happened of which the letter of this kind tells Ben.

    Arguments:
        reason: in the host's words.
    """
    host, now = made.users[0], made.now
    plan = TournamentPlan(
        title=TITLE,
        rules_name="cave-of-wonders",
        table_size=3,
        rounds=1,
        fewest=3,
        closes_at=now + timedelta(days=7),
    )
    row = opening.open_tournament(host=host, plan=plan, now=now)
    entrants = [entering.enter(tournament_id=row.pk, user=user, now=now) for user in made.users]
    if kind == "tournament_removed":
        hosting.remove(tournament_id=row.pk, by=host, entrant=entrants[1].ref, reason=reason, now=now)
    elif kind == "tournament_off":
        hosting.call_off(tournament_id=row.pk, by=host, reason=reason, now=now)
    elif kind != "tournament_entered":
        hosting.start_now(tournament_id=row.pk, by=host, now=now)
    if kind == "tournament_over":
        table = TournamentTable.objects.get(round__tournament=row)
        places = {entrant.pk: place for place, entrant in enumerate(entrants, start=1)}
        rounds.set_places(table, places, TournamentTable.State.DONE)
        progress.step_one(now)
    return row
