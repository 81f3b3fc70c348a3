"""A host who has entered his own tournament changes no result of it: each try of one who is losing."""

import datetime as dt

import pytest
from django.test import Client
from django.urls import reverse

from games.errors import Conflict
from games.models import Tournament, TournamentSeat, User
from games.moderation import entries, tables
from games.play import absences
from games.tournaments import tournaments
from tests.games.tournaments.conftest import DAY, Open, again, create_bot, enter_many, work
from tests.games.tournaments.conftest import tables as tables_of

pytestmark = pytest.mark.slow


@pytest.fixture
def playing(open_cup: Open, anna: User, now: dt.datetime) -> Tournament:
    """Anna's cup, in which she plays the first round with five others."""
    cup = open_cup()
    tournaments.enter(tournament_id=cup.pk, user=anna, now=now)
    enter_many(cup, 5, now)
    work(now + DAY)
    return again(cup)


def rival(cup: Tournament, anna: User) -> str:
    row = cup.entrants.exclude(user=anna).exclude(user__owner=anna).first()
    assert row is not None
    return row.ref


def test_he_ends_no_round_he_is_losing(playing: Tournament, anna: User, now: dt.datetime) -> None:
    with pytest.raises(Conflict):
        tournaments.end_round(tournament_id=playing.pk, by=anna, number=1, now=now + 2 * DAY)
    assert not TournamentSeat.objects.exclude(place=None).exists()


def test_he_removes_no_rival_and_does_not_call_it_off(playing: Tournament, anna: User, now: dt.datetime) -> None:
    with pytest.raises(Conflict):
        tournaments.remove_entrant(
            tournament_id=playing.pk, by=anna, entrant=rival(playing, anna), reason="rude", now=now
        )
    with pytest.raises(Conflict):
        tournaments.call_off(tournament_id=playing.pk, by=anna, reason="I lose.", now=now)
    assert again(playing).status == Tournament.Status.RUNNING


def test_who_has_left_or_plays_by_his_bot_takes_part_as_well(open_cup: Open, anna: User, now: dt.datetime) -> None:
    cup = open_cup(allows_bots=True)
    create_bot(owner=anna, name="Robo", is_for_all=False, now=now)
    tournaments.enter_bot(tournament_id=cup.pk, host=anna, name="Robo", now=now)
    enter_many(cup, 3, now)
    with pytest.raises(Conflict):
        tournaments.remove_entrant(tournament_id=cup.pk, by=anna, entrant=rival(cup, anna), reason="rude", now=now)
    tournaments.leave(tournament_id=cup.pk, user=anna.bots.get(), now=now)
    with pytest.raises(Conflict):
        tournaments.remove_entrant(tournament_id=cup.pk, by=anna, entrant=rival(cup, anna), reason="rude", now=now)


def test_who_has_removed_somebody_does_not_enter_afterwards(
    open_cup: Open, anna: User, ben: User, now: dt.datetime
) -> None:
    cup = open_cup(allows_bots=True)
    create_bot(owner=anna, name="Robo", is_for_all=False, now=now)
    tournaments.enter(tournament_id=cup.pk, user=ben, now=now)
    tournaments.remove_entrant(tournament_id=cup.pk, by=anna, entrant=rival(cup, anna), reason="rude", now=now)
    with pytest.raises(Conflict):
        tournaments.enter(tournament_id=cup.pk, user=anna, now=now)
    with pytest.raises(Conflict):
        tournaments.enter_bot(tournament_id=cup.pk, host=anna, name="Robo", now=now)


def test_whom_a_moderator_removed_keeps_no_host_from_entering(
    open_cup: Open, anna: User, ben: User, now: dt.datetime
) -> None:
    cup = open_cup()
    tournaments.enter(tournament_id=cup.pk, user=ben, now=now)
    eva = User.objects.create_superuser("eva@example.org", name="Eva")
    tournaments.remove_entrant(tournament_id=cup.pk, by=eva, entrant=rival(cup, anna), reason="rude", now=now)
    assert tournaments.enter(tournament_id=cup.pk, user=anna, now=now).is_in


def test_at_no_table_of_it_he_gives_time_or_a_seat_away(playing: Tournament, anna: User, now: dt.datetime) -> None:
    for table in tables_of(playing, 1):
        game = table.game
        assert game is not None and game.host == anna
        with pytest.raises(Conflict):
            tables.extend(game=game, by=anna, hours=1, reason="late", now=now + DAY)
        seat = game.seats.exclude(user=anna).first()
        assert seat is not None
        absences.leave(absences.locked_seat(seat.pk), now + DAY)
        seat.refresh_from_db()
        with pytest.raises(Conflict):
            tables.offer_seat(seat=seat, address="pal@example.org", by=anna, reason="gone", now=now + DAY)


def test_a_moderator_who_has_entered_judges_no_table_of_it(playing: Tournament, now: dt.datetime) -> None:
    user = playing.entrants.get(user__name="Player0").user
    User.objects.filter(pk=user.pk).update(is_superuser=True, is_staff=True)
    user = User.objects.get(pk=user.pk)
    other = next(
        table.game for table in tables_of(playing, 1) if table.game and not table.game.seats.filter(user=user).exists()
    )
    assert "another moderator" in entries.why_barred(user, other)


def test_a_host_who_does_not_play_has_all_his_tools(open_cup: Open, anna: User, now: dt.datetime) -> None:
    cup = open_cup()
    enter_many(cup, 4, now)
    work(now + DAY)
    tournaments.remove_entrant(tournament_id=cup.pk, by=anna, entrant=rival(cup, anna), reason="rude", now=now + DAY)
    tournaments.end_round(tournament_id=cup.pk, by=anna, number=1, now=now + DAY)
    tournaments.call_off(tournament_id=cup.pk, by=anna, reason="I cannot go on.", now=now + DAY)
    assert again(cup).status == Tournament.Status.CALLED_OFF


def test_before_it_starts_a_host_who_has_entered_calls_it_off(open_cup: Open, anna: User, now: dt.datetime) -> None:
    cup = open_cup()
    tournaments.enter(tournament_id=cup.pk, user=anna, now=now)
    tournaments.call_off(tournament_id=cup.pk, by=anna, reason="I am ill.", now=now)
    assert again(cup).status == Tournament.Status.CALLED_OFF


def test_his_page_offers_him_none_of_it_and_says_why(playing: Tournament, anna: User, client: Client) -> None:
    client.force_login(anna)
    shown = client.get(reverse("tournament", args=[playing.ref])).content.decode()
    assert "A moderator can help" in shown
    assert "End the round" not in shown and "Remove the player" not in shown and "Call it off" not in shown
    client.post(reverse("end_round", args=[playing.ref]), {"round": "1"})
    assert not TournamentSeat.objects.exclude(place=None).exists()
