"""What moderators and hosts may do: each act through a service, written down, and alike for everybody at the table."""

import datetime as dt

import pytest

from games.errors import Conflict, Forbidden, Illegal, NotFound, TooMany
from games.models import Decision, Extension, Game, ModerationEntry, Move, Report, Seat, User
from games.moderation import people, reports, tables
from games.people import staff
from games.play import absences, automatic_answers
from games.ticks import tick
from notifications.models import Notice
from tests.games.conftest import answer, fresh, make_user, open_rows, seat_of

DAY = dt.timedelta(days=1)
WHY = "Because of the storm."


@pytest.fixture
def eva(db: None) -> User:
    """A moderator who sits at no table."""
    return staff.make_moderator("eva@example.org")


@pytest.fixture
def seat(game: Game, ben: User) -> Seat:
    """Ben's."""
    return seat_of(game, ben)


def told(kind: str) -> set[str]:
    return set(Notice.objects.filter(kind=kind).values_list("recipient__name", flat=True))


def book() -> list[tuple[str, str, str]]:
    return [(row.action, row.actor.name, row.reason) for row in ModerationEntry.objects.order_by("pk")]


# Who may


ACTS = {
    "pause": lambda game, by, now: tables.pause(game=game, by=by, reason=WHY, now=now),
    "extend": lambda game, by, now: tables.extend(game=game, by=by, hours=24, reason=WHY, now=now),
    "nudge": lambda game, by, now: tables.nudge(game=game, by=by, reason=WHY, now=now),
    "force": lambda game, by, now: tables.force(game=game, by=by, reason=WHY, now=now),
    "cancel": lambda game, by, now: tables.cancel(game=game, by=by, reason=WHY, now=now),
    "to_bot": lambda game, by, now: tables.hand_to_bot(
        seat=game.seats.first(), bot="greedy", by=by, reason=WHY, now=now
    ),
    "replace": lambda game, by, now: tables.replace_player(
        seat=game.seats.first(), address="david@example.org", by=by, reason=WHY, now=now
    ),
}  # fmt: skip


@pytest.mark.parametrize("act", ACTS)
def test_who_is_no_moderator_may_not(game: Game, ben: User, david: User, now: dt.datetime, act: str) -> None:
    before = fresh(game).seq
    for nobody in (ben, david):
        with pytest.raises(Forbidden):
            ACTS[act](game, nobody, now)
    assert (fresh(game).seq, book()) == (before, [])


@pytest.mark.parametrize("act", ACTS)
def test_a_moderator_does_not_moderate_the_game_he_plays(game: Game, now: dt.datetime, act: str) -> None:
    staff.make_moderator("ben@example.org")
    with pytest.raises(Conflict):
        ACTS[act](game, User.objects.get(email="ben@example.org"), now)
    assert book() == []


@pytest.mark.parametrize("act", ACTS)
def test_every_act_is_written_down_with_who_and_why(
    game: Game, eva: User, david: User, now: dt.datetime, act: str
) -> None:
    ACTS[act](game, eva, now)
    assert book() == [(act, "eva", WHY)]


@pytest.mark.parametrize("act", ["pause", "extend", "nudge", "cancel", "to_bot"])
def test_without_a_reason_nothing_is_done(
    game: Game, eva: User, now: dt.datetime, act: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.games.moderation.test_moderation.WHY", "  ")
    before = list(Decision.objects.order_by("pk").values())
    with pytest.raises(Illegal):
        ACTS[act](game, eva, now)
    assert list(Decision.objects.order_by("pk").values()) == before
    assert (fresh(game).status, fresh(game).paused_at, book()) == (Game.Status.RUNNING, None, [])


def test_an_entry_is_final(game: Game, eva: User, now: dt.datetime) -> None:
    tables.nudge(game=game, by=eva, reason=WHY, now=now)
    entry = ModerationEntry.objects.get()
    entry.reason = "another"
    with pytest.raises(ValueError, match="final"):
        entry.save()
    with pytest.raises(ValueError, match="final"):
        entry.delete()


# Time


@pytest.mark.parametrize(("who", "reason"), [("eva", Extension.Reason.MODERATOR), ("anna", Extension.Reason.HOST)])
def test_more_time_is_given_to_everybody_alike(game: Game, eva: User, now: dt.datetime, who: str, reason: str) -> None:
    """Of a sealed question also to who has answered: a deadline that stayed would tell who that is."""
    before = {row.pk: row.due_at for row in open_rows(game)}
    answer(game, open_rows(game)[0], now)
    tables.extend(game=game, by=User.objects.get(email=f"{who}@example.org"), hours=24, reason=WHY, now=now)
    after = dict(Decision.objects.filter(pk__in=before).values_list("pk", "due_at"))
    assert after == {pk: due + DAY for pk, due in before.items() if due}
    assert set(Extension.objects.values_list("reason", flat=True)) == {reason}


def test_in_a_pause_more_time_is_left_when_it_ends(game: Game, eva: User, now: dt.datetime) -> None:
    tables.pause(game=game, by=eva, reason=WHY, now=now)
    left = open_rows(game)[0].left
    assert tables.extend(game=game, by=eva, hours=24, reason=WHY, now=now) is None
    assert left is not None
    assert open_rows(game)[0].left == left + DAY
    tables.resume(game=game, by=eva, reason=WHY, now=now)
    assert open_rows(game)[0].due_at == now + left + DAY


@pytest.mark.parametrize(("who", "hours"), [("anna", 73), ("anna", 0), ("eva", 14 * 24 + 1), ("eva", -1)])
def test_nobody_gives_time_without_end(game: Game, eva: User, now: dt.datetime, who: str, hours: int) -> None:
    with pytest.raises(Illegal):
        tables.extend(game=game, by=User.objects.get(email=f"{who}@example.org"), hours=hours, reason=WHY, now=now)


def test_a_nudge_goes_to_who_has_not_answered_and_once_for_each_question(
    game: Game, anna: User, ben: User, now: dt.datetime
) -> None:
    row = next(row for row in open_rows(game) if row.seat.user == ben)
    answer(game, row, now)
    tables.nudge(game=game, by=anna, reason=WHY, now=now)
    assert told("reminder") == {"Anna", "Carla"}
    with pytest.raises(Conflict):
        tables.nudge(game=game, by=anna, reason=WHY, now=now + DAY)


# The game


def test_what_is_open_is_answered_by_default_and_nobody_has_missed_anything(
    game: Game, eva: User, now: dt.datetime
) -> None:
    codes = {row.code for row in open_rows(game)}
    tables.force(game=game, by=eva, reason=WHY, now=now)
    assert not game.decisions.filter(code__in=codes, status=Decision.Status.OPEN).exists()
    assert set(game.moves.filter(kind=Move.Kind.ANSWER).values_list("source", "actor")) == {("moderator", eva.pk)}
    assert set(game.seats.values_list("misses", flat=True)) == {0}


def test_a_game_that_is_ended_by_a_moderator_has_no_result_and_everybody_is_told(
    game: Game, eva: User, now: dt.datetime
) -> None:
    tables.cancel(game=game, by=eva, reason=WHY, now=now)
    game = fresh(game)
    assert (game.status, game.outcome, game.finished_at) == (Game.Status.CLOSED, None, now)
    assert not open_rows(game)
    assert told("closed") == {"Anna", "Ben", "Carla"}
    with pytest.raises(Conflict):
        tables.cancel(game=game, by=eva, reason=WHY, now=now)
    tick()
    assert fresh(game).seq == game.seq


# Seats


def test_a_bot_plays_a_seat_until_its_player_comes_back(game: Game, seat: Seat, eva: User, now: dt.datetime) -> None:
    tables.hand_to_bot(seat=seat, bot="random", by=eva, reason=WHY, now=now)
    seat.refresh_from_db()
    assert (seat.status, automatic_answers.driver(seat, game)) == (Seat.Status.ABSENT, "random")
    assert told("absent") == {"Ben"}
    while automatic_answers.answer_one(now):
        pass
    assert game.moves.filter(seat=seat.number, source=Move.Source.BOT).exists()
    absences.come_back(seat_id=seat.pk, now=now)
    seat.refresh_from_db()
    assert (seat.status, seat.stand_in) == (Seat.Status.ACTIVE, "")


def test_a_moderator_gives_a_seat_back(game: Game, seat: Seat, eva: User, now: dt.datetime) -> None:
    with pytest.raises(Conflict):
        tables.give_back(seat=seat, by=eva, reason=WHY, now=now)
    tables.hand_to_bot(seat=seat, bot="greedy", by=eva, reason=WHY, now=now)
    tables.give_back(seat=seat, by=eva, reason=WHY, now=now)
    seat.refresh_from_db()
    assert (seat.status, seat.stand_in) == (Seat.Status.ACTIVE, "")


def test_somebody_else_sits_down_and_the_former_links_are_void(
    game: Game, seat: Seat, eva: User, david: User, now: dt.datetime
) -> None:
    generation = seat.link_generation
    tables.replace_player(seat=seat, address="David@example.org ", by=eva, reason=WHY, now=now)
    seat.refresh_from_db()
    assert (seat.user, seat.name, seat.link_generation) == (david, "David", generation + 1)
    assert told("taken_over") == {"Ben"}
    assert "David" in told("due")


def test_only_who_has_an_open_account_and_no_seat_yet_sits_down(
    seat: Seat, carla: User, eva: User, now: dt.datetime
) -> None:
    with pytest.raises(Conflict):
        tables.replace_player(seat=seat, address="carla@example.org", by=eva, reason=WHY, now=now)
    User.objects.filter(pk=carla.pk).update(is_active=False)
    with pytest.raises(NotFound):
        tables.replace_player(seat=seat, address="carla@example.org", by=eva, reason=WHY, now=now)


def test_an_address_without_an_account_is_invited_to_the_seat_and_sits_down(
    seat: Seat, eva: User, now: dt.datetime
) -> None:
    invitation = tables.replace_player(seat=seat, address="Fay@example.org", by=eva, reason=WHY, now=now)
    assert invitation is not None
    seat.refresh_from_db()
    assert (seat.status, invitation.seat, invitation.address) == (Seat.Status.ABSENT, seat, "fay@example.org")
    assert len(told("invited")) == 1
    tables.accept_seat(invitation=invitation, name="Fay", now=now + dt.timedelta(hours=1))
    seat.refresh_from_db()
    assert (seat.status, seat.display_name) == (Seat.Status.ACTIVE, "Fay")
    assert list(ModerationEntry.objects.order_by("pk").values_list("action", "reason")) == [
        ("offer", WHY),
        ("replace", WHY),
    ]


def test_there_is_no_bot_of_any_name(seat: Seat, eva: User, now: dt.datetime) -> None:
    with pytest.raises(Illegal):
        tables.hand_to_bot(seat=seat, bot="hal", by=eva, reason=WHY, now=now)


# People


def test_a_warning_is_told_to_whom_it_concerns(eva: User, ben: User, now: dt.datetime) -> None:
    people.warn(user=ben, by=eva, reason="Be kind.", now=now)
    assert (told("moderated"), book()) == ({"Ben"}, [("warn", "eva", "Be kind.")])


def test_a_closed_account_is_out_everywhere_and_no_table_waits_for_it(
    game: Game, seat: Seat, eva: User, ben: User, now: dt.datetime, client: object
) -> None:
    client.force_login(ben)  # type: ignore[attr-defined]
    people.suspend(user=ben, by=eva, reason=WHY, until=now + DAY, now=now)
    seat.refresh_from_db()
    assert seat.status == Seat.Status.ABSENT
    assert client.get("/my-games/").status_code == 302  # type: ignore[attr-defined]
    with pytest.raises(Conflict):
        people.suspend(user=ben, by=eva, reason=WHY, now=now)


def test_it_opens_again_when_its_time_has_come(eva: User, ben: User, now: dt.datetime) -> None:
    people.suspend(user=ben, by=eva, reason=WHY, until=now + DAY, now=now)
    assert not people.open_one(now + DAY / 2)
    assert people.open_one(now + DAY)
    ben.refresh_from_db()
    assert (ben.is_active, ben.closed_until) == (True, None)


def test_without_an_end_it_opens_when_a_moderator_says_so(eva: User, ben: User, now: dt.datetime) -> None:
    people.suspend(user=ben, by=eva, reason=WHY, now=now)
    assert not people.open_one(now + 900 * DAY)
    people.lift_suspension(user=ben, by=eva, reason="Forgiven.", now=now)
    ben.refresh_from_db()
    assert ben.is_active
    with pytest.raises(Conflict):
        people.lift_suspension(user=ben, by=eva, reason="Forgiven.", now=now)


def test_moderators_do_not_close_each_other_nor_themselves(eva: User, david: User, now: dt.datetime) -> None:
    staff.make_moderator(david.email)
    with pytest.raises(Forbidden):
        people.suspend(user=User.objects.get(pk=david.pk), by=eva, reason=WHY, now=now)
    with pytest.raises(Conflict):
        people.warn(user=eva, by=eva, reason=WHY, now=now)
    with pytest.raises(Illegal):
        people.suspend(user=make_user("Frank"), by=eva, reason=WHY, until=now, now=now)


# Reports


def test_a_report_reaches_the_moderators_and_nobody_else(game: Game, eva: User, ben: User, now: dt.datetime) -> None:
    made = reports.file_report(game=game, by=ben, seat=None, text="Anna is rude.", now=now)
    assert told("reported") == {"eva"}
    reports.settle_report(report=made, by=eva, outcome="acted", reason="I wrote to her.", now=now)
    assert Report.objects.get().settled_at == now
    with pytest.raises(Conflict):
        reports.settle_report(report=made, by=eva, outcome="acted", reason="again", now=now)


def test_only_players_report_and_not_without_end(game: Game, ben: User, david: User, now: dt.datetime) -> None:
    with pytest.raises(NotFound):
        reports.file_report(game=game, by=david, text="x", now=now)
    with pytest.raises(NotFound):
        reports.file_report(game=game, by=ben, seat=seat_of(game, ben).number, text="x", now=now)
    for text in ("", " ", "x" * 1001):
        with pytest.raises(Illegal):
            reports.file_report(game=game, by=ben, text=text, now=now)
    for _ in range(reports.REPORTS_A_DAY):
        reports.file_report(game=game, by=ben, text="x", now=now)
    with pytest.raises(TooMany):
        reports.file_report(game=game, by=ben, text="x", now=now)
    reports.file_report(game=game, by=ben, text="x", now=now + 2 * DAY)


def test_a_report_about_a_moderators_own_table_is_for_the_others(
    game: Game, eva: User, ben: User, carla: User, now: dt.datetime
) -> None:
    staff.make_moderator(ben.email)
    reports.file_report(game=game, by=carla, text="Ben is rude.", now=now)
    assert told("reported") == {"eva"}
    assert reports.open_reports(eva) != [] and reports.open_reports(User.objects.get(pk=ben.pk)) == []
