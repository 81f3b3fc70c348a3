"""A tournament for the sample letters: entered, drawn, called off or played to its end by the sample game's people."""

from datetime import timedelta
from functools import partial

from games.letters.samples.game import LEFT, Sample, SampleGame
from games.tournaments import rounds, tournaments
from games.tournaments.models import Tournament, TournamentTable
from games.tournaments.notify import subject_of
from games.tournaments.tournaments import TournamentPlan
from notifications.models import Notice


def _in_which(kind: str, made: SampleGame) -> Tournament:
    """Returns a tournament in which that has happened of which the letter of this kind tells Ben."""
    host, now = made.users[0], made.now
    plan = TournamentPlan(
        title="Cup",
        rules_name="cave-of-wonders",
        table_size=3,
        rounds=1,
        fewest=3,
        closes_at=now + timedelta(days=7),
    )
    row = tournaments.open_tournament(host=host, plan=plan, now=now)
    players = made.users[1:] if kind == "tournament_removed" else made.users  # a host who plays can remove nobody
    entrants = [tournaments.enter(tournament_id=row.pk, user=user, now=now) for user in players]
    if kind == "tournament_removed":
        tournaments.remove_entrant(tournament_id=row.pk, by=host, entrant=entrants[0].ref, reason=LEFT, now=now)
    elif kind == "tournament_off":
        tournaments.call_off(tournament_id=row.pk, by=host, reason=LEFT, now=now)
    elif kind != "tournament_entered":
        tournaments.start_now(tournament_id=row.pk, by=host, now=now)
    if kind == "tournament_over":
        table = TournamentTable.objects.get(round__tournament=row)
        places = {entrant.pk: place for place, entrant in enumerate(entrants, start=1)}
        rounds.set_places(table, places, TournamentTable.State.DONE)
        rounds.step_one(now)
    return row


def _tournament(kind: str, made: SampleGame) -> list[Notice]:
    return [made.notice(kind, subject_of(_in_which(kind, made)), {"round": 1})]


SAMPLES: dict[str, Sample] = {
    kind: partial(_tournament, kind)
    for kind in ("tournament_entered", "tournament_bye", "tournament_removed", "tournament_off", "tournament_over")
}
