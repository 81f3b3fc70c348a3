"""A tournament from its opening to the final standings."""

import datetime as dt
from collections import Counter

import pytest
from django.db import transaction
from django.test import override_settings

from games.errors import BotDeclines, Conflict, Forbidden, Illegal, LimitReached, NotFound, SameOwner, ServiceError
from games.lobby import bot_accounts, guests, lifecycle
from games.models import Entrant, Game, ModerationEntry, Seat, Tournament, TournamentSeat, TournamentTable, User
from games.play import game_moves
from games.privacy import erasure
from games.tournaments import pairing, rounds, tournaments
from notifications.models import Notice
from tests.games.tournaments.conftest import (
    DAY,
    Open,
    again,
    create_bot,
    enter_many,
    let_all_end,
    let_end,
    tables,
    work,
)

pytestmark = [pytest.mark.slow, pytest.mark.both]
State = TournamentTable.State


def told(kind: str) -> Counter[str]:
    """Who was told it, and how often."""
    return Counter(Notice.objects.filter(kind=kind).values_list("recipient__name", flat=True))


def close(game: Game | None, now: dt.datetime) -> None:
    """All agree to end a game without a result."""
    assert game is not None
    with transaction.atomic():
        game_moves.close_game(game_moves.lock_running(game.pk), now)


def test_when_entries_close_everybody_is_seated_and_every_game_runs(open_cup: Open, now: dt.datetime) -> None:
    cup = open_cup()
    people = enter_many(cup, 7, now)
    assert work(now) == 0, "nothing is due before"
    work(now + DAY)
    drawn = tables(cup, 1)
    assert [table.seats.count() for table in drawn] == [3, 2, 2]
    seated = [user for table in drawn for user in table.game.seats.values_list("user", flat=True) if table.game]
    assert sorted(seated) == sorted(person.pk for person in people)
    assert {table.game.status for table in drawn if table.game} == {Game.Status.RUNNING}
    assert again(cup).status == Tournament.Status.RUNNING
    assert told("started") == {person.name: 1 for person in people}


def test_places_make_the_standings_and_the_leaders_meet(open_cup: Open, now: dt.datetime) -> None:
    cup = open_cup()
    enter_many(cup, 9, now)
    work(now + DAY)
    winners = set()
    for table in tables(cup, 1):
        users = [seat.user for seat in table.game.seats.order_by("number") if seat.user] if table.game else []
        let_end(table, users)
        winners.add(users[0])
    work(now + 2 * DAY)
    top, *_others = tables(cup, 2)
    assert {seat.entrant.user for seat in top.seats.all()} == winners
    assert {row.entrant.user for row in tournaments.standings(cup) if row.place == 1} == winners


def test_after_the_last_round_everybody_is_ranked_and_told(open_cup: Open, now: dt.datetime, anna: User) -> None:
    cup = open_cup()
    people = enter_many(cup, 6, now)
    work(now + DAY)
    for number in (1, 2):
        let_all_end(cup, number)
        work(now + 2 * DAY)
    assert again(cup).status == Tournament.Status.FINISHED
    assert len(tournaments.standings(cup)) == 6
    assert told("tournament_over") == {person.name: 1 for person in [*people, anna]}
    assert work(now + 900 * DAY) == 0


def test_with_too_few_it_is_called_off_and_everybody_is_told(open_cup: Open, now: dt.datetime, anna: User) -> None:
    cup = open_cup(fewest=4)
    people = enter_many(cup, 3, now)
    work(now + DAY)
    assert again(cup).status == Tournament.Status.CALLED_OFF
    assert again(cup).called_off_by == Tournament.Why.TOO_FEW
    assert told("tournament_off") == {person.name: 1 for person in [*people, anna]}
    assert not Game.objects.exists()


def test_where_nobody_comes_it_is_called_off(open_cup: Open, now: dt.datetime, anna: User) -> None:
    cup = open_cup()
    work(now + DAY)
    assert again(cup).status == Tournament.Status.CALLED_OFF
    assert told("tournament_off") == {"Anna": 1}


def test_a_step_that_is_repeated_or_cut_off_changes_nothing_more(
    open_cup: Open, now: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = open_cup()
    enter_many(cup, 6, now)
    start, calls = lifecycle.start_seated, []

    def dies_once(**facts: object) -> Game:
        game = start(**facts)  # type: ignore[arg-type]
        calls.append(game)
        if len(calls) == 1:
            raise RuntimeError("killed")
        return game

    monkeypatch.setattr(lifecycle, "start_seated", dies_once)
    work(now + DAY)
    assert not Game.objects.exists(), "the step was undone"
    assert again(cup).retry_at is not None
    work(now + DAY + rounds.AGAIN_AFTER)
    assert Game.objects.count() == 2
    assert work(now + DAY + rounds.AGAIN_AFTER) == 0
    assert Seat.objects.count() == 6


def test_who_leaves_is_seated_no_more_and_his_game_goes_on(open_cup: Open, now: dt.datetime) -> None:
    cup = open_cup()
    people = enter_many(cup, 6, now)
    work(now + DAY)
    tournaments.leave(tournament_id=cup.pk, user=people[0], now=now)
    tournaments.leave(tournament_id=cup.pk, user=people[0], now=now)
    assert Seat.objects.get(user=people[0]).status == Seat.Status.ACTIVE
    let_all_end(cup, 1)
    work(now + 2 * DAY)
    second = [seat.entrant.user for table in tables(cup, 2) for seat in table.seats.all()]
    assert sorted(user.name for user in second) == sorted(person.name for person in people[1:])
    assert people[0] in [row.entrant.user for row in tournaments.standings(cup)], "his points stand"


def test_who_leaves_between_draw_and_start_is_not_seated(open_cup: Open, now: dt.datetime) -> None:
    cup = open_cup()
    enter_many(cup, 6, now)
    rounds.step_one(now + DAY)  # draws
    first, second = tables(cup, 1)
    leaver = first.seats.first()
    assert leaver is not None
    tournaments.leave(tournament_id=cup.pk, user=leaver.entrant.user, now=now)
    for seat in list(second.seats.all())[1:]:
        tournaments.leave(tournament_id=cup.pk, user=seat.entrant.user, now=now)
    work(now + DAY)
    assert Game.objects.get().seats.count() == 2, "the first table plays with two"
    second.refresh_from_db()
    assert second.state == State.BYE, "one is left, and sits out"
    assert TournamentSeat.objects.filter(table=second).get().place == 1
    assert sum(told("tournament_bye").values()) == 1


def test_a_round_that_cannot_be_filled_ends_the_tournament(open_cup: Open, now: dt.datetime) -> None:
    cup = open_cup(rounds=3)
    people = enter_many(cup, 3, now)
    work(now + DAY)
    let_all_end(cup, 1)
    for person in people[:2]:
        tournaments.leave(tournament_id=cup.pk, user=person, now=now)
    work(now + 2 * DAY)
    assert again(cup).status == Tournament.Status.FINISHED
    assert cup.rounds.count() == 1
    assert [row.place for row in tournaments.standings(cup)] == [1, 2, 3]


def test_a_game_ended_without_a_result_is_a_tie_of_those_who_stayed(open_cup: Open, now: dt.datetime) -> None:
    cup = open_cup()
    people = enter_many(cup, 3, now)
    work(now + DAY)
    [table] = tables(cup, 1)
    Seat.objects.filter(user=people[0]).update(status=Seat.Status.RESIGNED)
    close(table.game, now)
    work(now + DAY)
    table.refresh_from_db()
    assert table.state == State.UNDECIDED
    assert sorted((s.entrant.name, s.place) for s in table.seats.all()) == [
        ("Player0", 3),
        ("Player1", 1),
        ("Player2", 1),
    ]


def test_at_the_end_of_its_time_a_round_ends_and_its_games_go_on(open_cup: Open, now: dt.datetime) -> None:
    cup = open_cup(round_days=5)
    enter_many(cup, 6, now)
    work(now + DAY)
    first, second = tables(cup, 1)
    let_end(first)
    Game.objects.filter(pk=second.game_id).update(quarantined_at=now)  # its rules broke: nobody can play on
    work(now + 5 * DAY)
    assert cup.rounds.count() == 1
    work(now + 6 * DAY)
    second.refresh_from_db()
    assert second.state == State.UNDECIDED
    assert second.game is not None and second.game.status == Game.Status.RUNNING
    assert cup.rounds.count() == 2


def test_a_result_that_a_moderator_takes_back_is_waited_for_again(open_cup: Open, now: dt.datetime) -> None:
    cup = open_cup()
    enter_many(cup, 6, now)
    work(now + DAY)
    first, _second = tables(cup, 1)
    let_end(first)
    work(now + DAY)
    first.refresh_from_db()
    assert first.state == State.DONE
    Game.objects.filter(pk=first.game_id).update(status=Game.Status.RUNNING, outcome=None)
    work(now + DAY)
    first.refresh_from_db()
    assert first.state == State.PLAYING
    assert set(first.seats.values_list("place", flat=True)) == {None}


def test_who_sits_out_has_a_point_and_is_told(
    open_cup: Open, now: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = open_cup(rounds=1)
    people = enter_many(cup, 5, now)
    monkeypatch.setattr(pairing, "sizes", lambda *_facts: [2, 2])  # as of a game that only two can play
    work(now + DAY)
    [out] = cup.entrants.filter(seats__table__state=State.BYE)
    assert told("tournament_bye") == {out.name: 1}
    let_all_end(cup, 1)
    work(now + 2 * DAY)
    assert [row.wins for row in tournaments.standings(cup) if row.entrant == out] == [0]
    assert sorted(row.points for row in tournaments.standings(cup)) == [0, 0, 1, 1, 1]
    assert out.user in people


@pytest.mark.parametrize(
    "change",
    [
        {"rounds": 0}, {"rounds": 99}, {"table_size": 9}, {"rules_name": "chess"}, {"pace": "never"},
        {"options": {"colour": "red"}}, {"fewest": 9, "most": 8}, {"most": 2}, {"most": 1000}, {"round_days": 0},
        {"closes_at": dt.datetime(2020, 1, 1, tzinfo=dt.UTC)}, {"closes_at": dt.datetime(2030, 1, 1, tzinfo=dt.UTC)},
    ],
)  # fmt: skip
def test_a_plan_that_cannot_be_is_refused_in_words(open_cup: Open, change: dict[str, object]) -> None:
    with pytest.raises(ServiceError) as error:
        open_cup(**change)
    assert error.value.message
    assert not Tournament.objects.exists()


@override_settings(TOURNAMENTS_PER_HOST=1)
def test_one_host_has_so_many_tournaments_at_once(open_cup: Open) -> None:
    open_cup()
    with pytest.raises(LimitReached):
        open_cup()


def test_entering_twice_is_entering_once_and_the_full_cup_takes_nobody(
    open_cup: Open, now: dt.datetime, ben: User
) -> None:
    cup = open_cup(most=3)
    people = enter_many(cup, 3, now)
    assert tournaments.enter(tournament_id=cup.pk, user=people[0], now=now).user == people[0]
    assert told("tournament_entered")["Player0"] == 1
    with pytest.raises(Conflict, match="full"):
        tournaments.enter(tournament_id=cup.pk, user=ben, now=now)
    tournaments.leave(tournament_id=cup.pk, user=people[0], now=now)
    assert tournaments.enter(tournament_id=cup.pk, user=ben, now=now).is_in


def test_nobody_enters_once_it_has_started(open_cup: Open, now: dt.datetime, ben: User) -> None:
    cup = open_cup()
    enter_many(cup, 3, now)
    work(now + DAY)
    with pytest.raises(Conflict, match="started"):
        tournaments.enter(tournament_id=cup.pk, user=ben, now=now)
    with pytest.raises(NotFound):
        tournaments.leave(tournament_id=cup.pk, user=ben, now=now)


def test_guests_and_bots_do_not_enter_by_themselves(open_cup: Open, now: dt.datetime, ben: User) -> None:
    cup = open_cup()
    robo = create_bot(owner=ben, name="Robo", is_for_all=True, now=now)
    for user in (guests.create(language="en", now=now), robo):
        with pytest.raises(Forbidden):
            tournaments.enter(tournament_id=cup.pk, user=user, now=now)
    with pytest.raises(Forbidden, match="people only"):
        tournaments.enter_bot(tournament_id=cup.pk, host=cup.host, name="Robo", now=now)


def test_where_bots_are_allowed_its_host_enters_them_but_never_beside_their_owner(
    open_cup: Open, now: dt.datetime, ben: User
) -> None:
    cup = open_cup(allows_bots=True)
    bot_accounts.create(owner=ben, name="Robo", is_for_all=True, now=now)
    with pytest.raises(BotDeclines, match="no token"):
        tournaments.enter_bot(tournament_id=cup.pk, host=cup.host, name="robo", now=now)
    bot_accounts.renew_token(bot=ben.bots.get(), now=now)
    assert tournaments.enter_bot(tournament_id=cup.pk, host=cup.host, name="robo", now=now).is_bot
    with pytest.raises(SameOwner):
        tournaments.enter(tournament_id=cup.pk, user=ben, now=now)
    with pytest.raises(NotFound):
        tournaments.enter_bot(tournament_id=cup.pk, host=ben, name="Robo", now=now)
    with pytest.raises(ServiceError, match="no bot"):
        tournaments.enter_bot(tournament_id=cup.pk, host=cup.host, name="Nobody", now=now)


def test_who_is_removed_is_told_why_and_stays_out(open_cup: Open, now: dt.datetime, anna: User) -> None:
    cup = open_cup()
    people = enter_many(cup, 4, now)
    row = cup.entrants.get(user=people[0])
    with pytest.raises(Illegal):
        tournaments.remove_entrant(tournament_id=cup.pk, by=anna, entrant=row.ref, reason=" ", now=now)
    with pytest.raises(Forbidden):
        tournaments.remove_entrant(tournament_id=cup.pk, by=people[1], entrant=row.ref, reason="rude", now=now)
    tournaments.remove_entrant(tournament_id=cup.pk, by=anna, entrant=row.ref, reason="rude", now=now)
    assert told("tournament_removed") == {"Player0": 1}
    with pytest.raises(Conflict):
        tournaments.enter(tournament_id=cup.pk, user=people[0], now=now)
    assert not ModerationEntry.objects.exists()


def test_a_moderator_may_call_it_off_and_that_is_written_down(open_cup: Open, now: dt.datetime) -> None:
    cup = open_cup()
    eva = User.objects.create_superuser("eva@example.org", name="Eva")
    tournaments.call_off(tournament_id=cup.pk, by=eva, reason="It was opened to insult.", now=now)
    assert again(cup).called_off_by == Tournament.Why.MODERATOR
    assert ModerationEntry.objects.get().reason == "Spring Cup: It was opened to insult."
    with pytest.raises(Conflict, match="called off"):
        tournaments.call_off(tournament_id=cup.pk, by=eva, reason="Again.", now=now)


def test_its_host_starts_it_before_its_time_and_ends_a_round(open_cup: Open, now: dt.datetime, anna: User) -> None:
    cup = open_cup(rounds=1)
    with pytest.raises(Conflict, match="Too few"):
        tournaments.start_now(tournament_id=cup.pk, by=anna, now=now)
    enter_many(cup, 3, now)
    tournaments.start_now(tournament_id=cup.pk, by=anna, now=now)
    work(now)
    tournaments.end_round(tournament_id=cup.pk, by=anna, number=1, now=now)
    assert again(cup).status == Tournament.Status.FINISHED
    assert [row.place for row in tournaments.standings(cup)] == [1, 1, 1]


def test_called_off_in_its_course_it_draws_no_further_round(open_cup: Open, now: dt.datetime, anna: User) -> None:
    cup = open_cup()
    enter_many(cup, 3, now)
    work(now + DAY)
    tournaments.call_off(tournament_id=cup.pk, by=anna, reason="I cannot go on.", now=now)
    let_all_end(cup, 1)
    assert work(now + 99 * DAY) == 0
    assert cup.rounds.count() == 1


def test_a_closed_account_is_not_seated(open_cup: Open, now: dt.datetime) -> None:
    cup = open_cup()
    people = enter_many(cup, 4, now)
    User.objects.filter(pk=people[0].pk).update(is_active=False)
    work(now + DAY)
    assert cup.entrants.get(user=people[0]).status == Entrant.Status.LEFT
    assert Seat.objects.filter(user=people[0]).count() == 0


def test_when_its_host_deletes_the_account_what_is_open_is_called_off(
    open_cup: Open, now: dt.datetime, anna: User, ben: User
) -> None:
    cup = open_cup(title="Anna's cup")
    tournaments.enter(tournament_id=cup.pk, user=ben, now=now)
    tournaments.enter(tournament_id=cup.pk, user=anna, now=now)
    assert erasure.erase(anna, takes_words=False, now=now)
    work(now)
    assert again(cup).called_off_by == Tournament.Why.GONE
    assert "Anna" not in again(cup).title
    assert told("tournament_off") == {"Ben": 1, "": 1}
    assert {(row.name, row.status) for row in cup.entrants.all()} == {("Ben", "entered"), ("", "left")}


def test_a_week_in_which_nobody_enters_the_houses_tournament_costs_nothing_and_the_other_game_is_next(
    db: None, now: dt.datetime
) -> None:
    rounds.open_weekly(now)
    rounds.open_weekly(now)
    cup = Tournament.objects.get()
    assert work(cup.closes_at) == 1
    later = again(cup)
    assert later.is_open and later.closes_at == cup.closes_at + 7 * DAY and later.rules_name != cup.rules_name
    assert not Game.objects.exists() and not later.entrants.exists()


def test_who_enters_the_houses_tournament_alone_plays_bots_and_the_next_one_opens(anna: User, now: dt.datetime) -> None:
    rounds.open_weekly(now)
    cup = Tournament.objects.get()
    tournaments.enter(tournament_id=cup.pk, user=anna, now=now)
    work(cup.closes_at)
    assert Tournament.objects.filter(status=Tournament.Status.OPEN).count() == 1
    for number in (1, 2, 3):
        own = [table for table in tables(cup, number) if table.game and table.game.seats.filter(user=anna).exists()]
        assert len(own) == 1 and own[0].game is not None
        assert [seat.is_bot for seat in own[0].game.seated()].count(False) == 1
        day = again(cup).closes_at.date()  # a title that is stored has no word of any language
        assert own[0].game.title == f"Caravanserai {day} {number}–{own[0].number}"
        let_all_end(cup, number)
        work(cup.closes_at + number * DAY)
    assert again(cup).status == Tournament.Status.FINISHED
    assert all(not game.is_between_bots or not game.seats.filter(user=anna).exists() for game in Game.objects.all())
