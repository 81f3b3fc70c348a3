"""Plans and waves at the service: who waits, who is told, and what a deadline does."""

import datetime as dt
import re

import pytest
from django.conf import settings
from django.test import Client

from engine.orders.model import Sheet
from games.errors import Illegal
from games.models import Decision, Game, Seat, User
from games.play import absences, deadlines, decision_links, game_moves, history, queries, standing_orders
from games.play.replay import replay
from games.web.play import page_etag
from notifications.models import Notice
from tests.conftest import NOON
from tests.games.conftest import (
    Keep,
    answer,
    deliveries,
    fresh,
    of_three,
    open_rows,
    running,
    seat_of,
    settle,
    some_answer,
    to_placing,
)
from tests.games.kept import Stage
from tests.games.letters.conftest import mail

READY = {"type": "plan", "windows": "quiet"}
EMPTY = {"type": "sheet", "windows": "quiet", "tally": "later"}


@pytest.fixture(scope="session")
def kept_planned(kept_here: Keep, kept_three: list[Stage]) -> Stage:
    """The game up to its plans."""
    return kept_here(lambda: plan(NOON), *kept_three)


@pytest.fixture
def planned(anna: User, ben: User, carla: User, kept_planned: Stage) -> Game:
    """A magic table with waves of eight that tallies by plan; everybody has placed, and the plans are asked."""
    return kept_planned.bring()


def plan(now: dt.datetime) -> Game:
    options = {"version": "magic", "tally": "plan", "placing": "waves", "tokens_per_turn": "8"}
    game = to_placing(of_three(now, options=options), now)
    while rows := [row for row in open_rows(fresh(game)) if row.kind == "sheet"]:
        answer(game, rows[0], now, EMPTY)
    settle(now)
    while rows := [row for row in open_rows(fresh(game)) if row.kind == "place"]:
        answer(game, rows[0], now, {"type": "place", "token": _token(game, rows[0]), "space": "guard"})
    settle(now)
    return fresh(game)


def _token(game: Game, row: Decision) -> int:
    return int(min(queries.view_of(queries.Access(fresh(game), row.seat)).hand))


def test_everybody_is_asked_for_a_plan_at_once_and_mailed_once(planned: Game) -> None:
    rows = open_rows(planned)
    assert {row.kind for row in rows} == {"plan"}
    assert len({row.code for row in rows}) == 1
    assert len(rows) == 3
    assert planned.advance_at is None
    for row in rows:
        assert Notice.objects.filter(kind="due", subject=row.subject).count() == 1


def test_a_whole_wave_is_one_question_and_one_mail(planned: Game) -> None:
    """Start treasures, the round's sheet, one wave of eight tokens, the plan: four questions for each."""
    kinds = list(planned.decisions.filter(seat__number=0).order_by("pk").values_list("kind", flat=True))
    assert kinds == ["take_treasures", "sheet", "place", "plan"]


def test_what_was_chosen_in_a_wave_can_be_taken_back_until_all_have_chosen(
    anna: User, ben: User, carla: User, now: dt.datetime
) -> None:
    """It is asked again under the same links and with the same deadline, and nobody else can tell."""
    game = to_placing(of_three(now, options={"version": "basic", "placing": "waves", "tokens_per_turn": "2"}), now)
    row, other, last = open_rows(game)

    def choose(asked: Decision, at: dt.datetime) -> None:
        for token in queries.view_of(queries.Access(fresh(game), asked.seat)).hand[:2]:
            answer(game, asked, at, {"type": "place", "token": token, "space": "guard"})

    choose(row, now)
    row.refresh_from_db()
    seen = page_etag.compute_page_etag(other.seat.user, game.ref)
    assert row.status == Decision.Status.ANSWERED
    later = now + dt.timedelta(hours=3)
    answer(game, row, later, {"type": "start_over"})
    due = row.due_at
    row.refresh_from_db()
    assert (row.status, row.closed_at, row.due_at) == (Decision.Status.OPEN, None, due)
    assert row.remind_at is not None
    assert page_etag.compute_page_etag(other.seat.user, game.ref) == seen
    for asked in (row, other, last):
        choose(asked, later)
    assert row.code not in {found.code for found in open_rows(fresh(game))}
    replay(fresh(game))


def test_who_has_planned_cannot_be_told(planned: Game, ben: User, now: dt.datetime) -> None:
    def seen() -> object:
        game = fresh(planned)
        others = [queries.Access(game, None), *(queries.Access(game, seat) for seat in game.seats.exclude(user=ben))]
        return [
            [(row.code, row.seat.number) for row in queries.asked_rows(game).order_by("pk")],
            [seat.number for seat in queries.waiting(game, None)[0]],
            [[line.text for line in history.log_lines(access)] for access in others],
            [queries.describe(access, queries.view_of(access)) for access in others],
            game.public_events,
        ]

    before = seen()
    row = next(row for row in open_rows(planned) if row.seat.user == ben)
    answer(planned, row, now, READY)
    assert seen() == before


def test_the_text_board_tells_the_plan_and_its_ways(planned: Game, ben: User) -> None:
    access = queries.Access(planned, seat_of(planned, ben))
    for language, said in (
        ("en", "Send my plan for the tally"),
        ("es", "Enviar mi plan para el recuento"),
        ("de", "Meinen Plan für die Auswertung abschicken"),
    ):
        board = queries.describe(access, queries.view_of(access), language)
        assert said in board
        assert max(map(len, board.splitlines())) <= 78


def test_orders_that_are_given_at_a_boundary_move_nothing_that_others_see(
    planned: Game, anna: User, ben: User, now: dt.datetime
) -> None:
    for row in open_rows(planned):
        answer(planned, row, now, {"type": "plan", "windows": "never"})
    Game.objects.filter(pk=planned.pk).update(failures=1)
    before, due = page_etag.compute_page_etag(anna, planned.ref), fresh(planned).advance_at
    assert due == now
    order = {"orders": [{"kind": "market", "answers": [{"type": "keep"}]}]}
    later, number = now + dt.timedelta(seconds=1), seat_of(planned, ben).number
    standing_orders.give(game_id=planned.pk, seat=number, raw=order, source="web", now=later)
    assert page_etag.compute_page_etag(anna, planned.ref) == before
    assert (fresh(planned).advance_at, fresh(planned).failures) == (due, 1)


def test_when_all_have_planned_the_tally_runs_to_the_next_stop(planned: Game, now: dt.datetime) -> None:
    for row in open_rows(planned):
        answer(planned, row, now, READY)
    assert fresh(planned).advance_at is not None
    settle(now)
    assert "window" not in {row.kind for row in open_rows(fresh(planned))}
    replay(fresh(planned))


def test_a_missed_plan_is_one_miss_and_nothing_more_is_asked(planned: Game, ben: User, now: dt.datetime) -> None:
    """The defaults for the rest of this tally; the others go on as they planned."""
    mine = next(row for row in open_rows(planned) if row.seat.user == ben)
    for row in open_rows(planned):
        if row.seat.user != ben:
            answer(planned, row, now, READY)
    Seat.objects.filter(pk=mine.seat.pk).update(is_excused=True)
    Decision.objects.filter(pk=mine.pk).update(due_at=now)
    deliveries().update(state="failed", attempt_after=None)
    for _ in range(6):  # mail that was refused moves a deadline first
        Decision.objects.filter(pk=mine.pk).update(due_at=now)
        deadlines.expire_one(now)
    settle(now)
    assert seat_of(planned, ben).misses == 1
    asked_later = planned.decisions.filter(seat__user=ben, pk__gt=mine.pk)
    assert not asked_later.exclude(code="r2-sheet").exists()
    replay(fresh(planned))


@pytest.mark.slow
def test_a_game_of_waves_and_plans_comes_to_its_next_rounds_and_replays(planned: Game, now: dt.datetime) -> None:
    game = planned
    for step in range(60):
        settle(now)
        rows = open_rows(fresh(game))
        if not rows:
            break
        answer(game, rows[0], now, some_answer(fresh(game), rows[0], step))
    assert fresh(game).load_state().round >= 2
    replay(fresh(game))


def test_a_plan_with_an_order_answers_without_asking(planned: Game, anna: User, now: dt.datetime) -> None:
    stay = {"kind": "bribe", "answers": [{"type": "stay_out"}], "stays": True}
    for seat in planned.seats.all():
        standing_orders.give(game_id=planned.pk, seat=seat.number, raw={"orders": [stay]}, source="web", now=now)
    for row in open_rows(planned):
        answer(planned, row, now, READY)
    settle(now)
    asked = planned.decisions.filter(code__startswith="r1-guard")
    assert not asked.exists()


def test_the_page_and_the_link_of_a_plan_can_be_opened_and_answered(planned: Game, ben: User) -> None:
    client = Client()
    client.force_login(ben)
    page = client.get(f"/table/{planned.ref}/").content.decode()
    assert "Send my plan for the tally" in page
    assert "My orders: answer in advance" in page
    row = next(row for row in open_rows(planned) if row.seat.user == ben)
    link = decision_links.act_url(row).replace(settings.SITE_URL, "")
    assert "Send my plan for the tally" in Client().get(link).content.decode()
    done = Client().post(link, {"do": "plan", "plan-windows": "quiet", "key": "x"}, follow=True)
    assert done.status_code == 200
    assert "Your plan is saved" in done.content.decode()
    assert ben not in {row.seat.user for row in open_rows(planned)}


def test_orders_may_come_with_a_plan_in_one_answer(planned: Game, ben: User, now: dt.datetime) -> None:
    """One move, as sealed as the plan; what it carries is all of the seat's orders."""
    stay = {"kind": "bribe", "answers": [{"type": "stay_out"}], "until": "round"}
    row = next(row for row in open_rows(planned) if row.seat.user == ben)
    before = planned.moves.count()
    answer(planned, row, now, {**READY, "orders": [stay]})
    assert planned.moves.count() == before + 1
    access = queries.Access(fresh(planned), seat_of(planned, ben))
    assert [order.kind for order in queries.orders_of(access).orders] == ["bribe"]
    replay(fresh(planned))


def test_an_order_that_comes_with_a_plan_cannot_end_on_a_date_nobody_gave(
    planned: Game, ben: User, now: dt.datetime
) -> None:
    stay = {"kind": "bribe", "answers": [{"type": "stay_out"}], "until": "date"}
    row = next(row for row in open_rows(planned) if row.seat.user == ben)
    with pytest.raises(Illegal, match="Order 1: choose the date it ends"):
        answer(planned, row, now, {**READY, "orders": [stay]})
    assert ben in {row.seat.user for row in open_rows(planned)}


def test_orders_with_an_answer_are_refused_where_they_are_typed(planned: Game, ben: User, now: dt.datetime) -> None:
    wrong = {"kind": "bribe", "answers": [{"type": "bribe_up_to", "limit": 500, "spare": "none"}]}
    row = next(row for row in open_rows(planned) if row.seat.user == ben)
    with pytest.raises(Illegal, match="Order 1: "):
        answer(planned, row, now, {**READY, "orders": [wrong]})
    assert fresh(planned).seq == planned.seq


def missed(game: Game, user: User, kind: str, now: dt.datetime) -> None:
    """His time is over, and the first miss has been excused before."""
    mine = next(row for row in open_rows(fresh(game)) if row.seat.user == user and row.kind == kind)
    Seat.objects.filter(pk=mine.seat.pk).update(is_excused=True)
    deliveries().update(state="failed", attempt_after=None)
    for _ in range(6):  # mail that was refused moves a deadline first
        Decision.objects.filter(pk=mine.pk).update(due_at=now)
        deadlines.expire_one(now)


def test_whoever_misses_his_plan_reads_what_stands_in_for_it(planned: Game, ben: User, now: dt.datetime) -> None:
    missed(planned, ben, "plan", now)
    assert "We won't ask you again in this tally: you pass and buy nothing." in mail("passed", ben).text


def test_a_missed_sheet_is_an_empty_one_and_its_player_reads_so(
    anna: User, ben: User, carla: User, now: dt.datetime
) -> None:
    """He is asked for each token then, but for those that orders of his place which he gave before."""
    game = to_placing(running(anna, [ben, carla], now, options={"version": "magic", "tally": "plan"}), now)
    stays = {"kind": "place", "answers": [{"type": "place_high", "space": "guard"}]}
    standing_orders.give(
        game_id=game.pk, seat=seat_of(game, ben).number, raw={"orders": [stays]}, source="web", now=now
    )
    missed(game, ben, "sheet", now)
    told = mail("passed", ben)
    assert "Your round plan stays empty: you'll be asked about each of your tokens." in told.text
    assert "stays empty" in told.html
    assert "stays hidden until" not in told.text
    for row in open_rows(fresh(game)):
        answer(game, row, now, EMPTY)
    settle(now)
    while (row := open_rows(fresh(game))[0]).seat.user != ben:
        answer(game, row, now)
    number = seat_of(game, ben).number
    assert [token.seat for token in fresh(game).load_state().spaces["guard"]] == [number]
    replay(fresh(game))


# Hands that change while plans are open


BRIBE = {"kind": "bribe", "answers": [{"type": "bribe_up_to", "limit": 4, "spare": "gem"}], "until": "round"}


def own(game: Game, user: User) -> Sheet:
    return queries.orders_of(queries.Access(fresh(game), seat_of(game, user)))


def plans(game: Game, user: User, now: dt.datetime) -> None:
    """He plans, with an order, and wants to be asked nothing where cards are played."""
    row = next(row for row in open_rows(fresh(game)) if row.seat.user == user)
    answer(game, row, now, {"type": "plan", "windows": "never", "orders": [BRIBE]})


def test_whoever_takes_a_seat_over_inherits_nothing_of_a_plan_that_is_sealed(
    planned: Game, ben: User, david: User, now: dt.datetime
) -> None:
    """Neither what it orders nor what it does where no order speaks; he may give one of his own until all have."""
    plans(planned, ben, now)
    seat = seat_of(planned, ben)
    Seat.objects.filter(pk=seat.pk).update(status=Seat.Status.ABSENT)
    Game.objects.filter(pk=planned.pk).update(absent_seats=Game.AbsentSeats.TAKEOVER)
    absences.take_over(seat_id=seat.pk, user=david, now=now)
    heirs = own(planned, david)
    assert (heirs.orders, heirs.quiet, heirs.given, heirs.planned) == ([], "", [], [])
    client = Client()
    client.force_login(david)
    page = client.get(f"/table/{planned.ref}/").content.decode()
    rows = page.partition('class="rows"')[2].partition("</form>")[0]
    assert rows
    assert "selected" not in rows
    assert "answered before you took over the seat" in page
    game_moves.submit(
        game_id=planned.pk,
        seat=seat.number,
        decision="r1-plan",
        action=READY,
        source="web",
        received_at=now,
        actor=david,
    )
    assert own(planned, david).quiet == "quiet"
    replay(fresh(planned))


def test_who_comes_back_has_his_own_plan(planned: Game, ben: User, now: dt.datetime) -> None:
    plans(planned, ben, now)
    seat = seat_of(planned, ben)
    absences.make_absent(seat, seat.decisions.latest("pk"), now)
    before = own(planned, ben)
    absences.come_back(seat_id=seat.pk, now=now)
    assert own(planned, ben) == before
    assert [order.kind for order in before.orders] == ["bribe"]
    assert ben not in {row.seat.user for row in open_rows(fresh(planned))}, "he is not asked again"
    replay(fresh(planned))


# What others are sent


@pytest.mark.slow
def test_mails_pages_and_etags_are_the_same_whoever_has_planned_and_however_much(
    planned: Game, anna: User, ben: User, carla: User, now: dt.datetime
) -> None:
    """To the last byte: a size tells as much as a word."""
    client = Client()
    client.force_login(anna)
    nonce = re.compile(r'(name="key" value=|csrfmiddlewaretoken" value=|nonce=)"[^"]*"')

    def seen() -> list[object]:
        letter = mail("due", anna)
        api = client.get(f"/api/v1/games/{planned.ref}/")
        page = client.get(f"/table/{planned.ref}/")
        looks = page_etag.compute_page_etag(anna, planned.ref)
        text = nonce.sub("", page.content.decode())
        return [letter.text, letter.html, letter.pictures, api.content, page.headers.get("ETag"), text, looks]

    before = seen()
    plans(planned, ben, now)
    assert seen() == before
    row = next(row for row in open_rows(fresh(planned)) if row.seat.user == carla)
    answer(planned, row, now, {"type": "plan_nothing"})
    assert seen() == before
