"""First steps: a beginner's table against bots, with words beside the board; no clock, no mail."""

import datetime as dt

import pytest
from django.test import Client
from django.urls import reverse

from engine.core.lessons import OpenSteps
from engine.registry import AnyRules, newest
from games.errors import NotFound, Quarantined
from games.lobby import practice
from games.models import Decision, Game, User
from games.play import deadlines, locking, pauses
from notifications.models import Notice
from tests.games.conftest import answer, fresh, new_table, open_rows, settle, some_answer
from tests.games.web.filling import soup_of

GAMES = pytest.mark.parametrize("rules", newest(), ids=lambda rules: rules.name)


def learn(rules: AnyRules, user: User, now: dt.datetime) -> Game:
    """A lesson that waits for its pupil's first answer."""
    game = practice.begin_lesson(user=user, rules_name=rules.name, now=now)
    settle(now)
    return fresh(game)


def answer_once(game: Game, user: User, now: dt.datetime) -> Decision:
    row = next(row for row in open_rows(game) if row.seat.user == user)
    answer(game, row, now, some_answer(fresh(game), row))
    settle(now)
    return row


@GAMES
def test_one_click_begins_and_a_second_one_goes_on_there(client: Client, anna: User, rules: AnyRules) -> None:
    client.force_login(anna)
    begin = reverse("begin_lesson", args=[rules.name])
    game = Game.objects.get(ref=client.post(begin).headers["Location"].split("/")[2])
    assert (game.status, game.is_lesson, game.is_listed) == (Game.Status.RUNNING, True, False)
    client.post(begin)
    assert Game.objects.count() == 1
    page = soup_of(client.get(reverse("learn")))
    assert page.select_one(f"a[href='{reverse('table', args=[game.ref])}']")
    assert client.get(begin).headers["Location"] == f"{reverse('learn')}#again"


def test_a_stranger_is_shown_what_there_is_and_begins_as_a_guest(client: Client, db: None) -> None:
    page = soup_of(client.get(reverse("learn")))
    assert [title.text for title in page.select("main h2")] == ["Aladdin's Dragons", "Aladdin and the Cave of Wonders"]
    assert len(page.select(".cards form button")) == 2
    client.post(reverse("begin_lesson", args=["aladdins-dragons"]))
    game = Game.objects.get()
    assert (game.is_lesson, game.is_guided, game.host.is_guest) == (True, True, True)
    assert soup_of(client.get(reverse("learn"))).select_one(f"a[href='{reverse('table', args=[game.ref])}']")


def test_there_is_no_lesson_in_an_unknown_game(anna: User, now: dt.datetime) -> None:
    with pytest.raises(NotFound):
        practice.begin_lesson(user=anna, rules_name="chess", now=now)


@pytest.mark.slow
@GAMES
def test_a_lesson_goes_step_by_step_to_its_puzzle_and_is_taken_up_where_it_was_left(
    client: Client, anna: User, now: dt.datetime, rules: AnyRules
) -> None:
    client.force_login(anna)
    begin = reverse("begin_lesson", args=[rules.name])
    table = client.post(begin).headers["Location"]
    game, steps, path = Game.objects.get(), [], table
    end = f".lesson a.button[href='{reverse('puzzle', args=[rules.name])}']"
    while not (page := soup_of(client.get(path))).select_one(end):
        steps.append(int(page.select_one(".lesson .muted").text.split()[1]))
        path = table
        if onward := page.select_one(".lesson a.button"):
            path = onward["href"]
            assert not page.select("form.answer")  # first what has happened
        elif reading := page.select_one(".lesson form"):
            for _click in range(2):  # the second one changes nothing
                client.post(reading["action"], {"read": reading.select_one("[name=read]")["value"]})
        else:
            assert page.select(".map .lit, [data-suggested]") and "paused" not in page.text
            row = next(row for row in open_rows(game) if row.seat.user == anna)
            answer(game, row, now, some_answer(fresh(game), row))
            practice.settle(game.pk, now)
    assert steps[0] == 1 and steps == sorted(steps) and set(steps) == set(range(1, rules.lesson.steps))
    card = soup_of(client.get(reverse("learn"))).select_one(f".card:has(form[action='{begin}'])")
    assert card.select_one(f"a[href='{reverse('puzzle', args=[rules.name])}']") and table not in str(card)
    client.post(begin, {"again": "yes"})
    assert fresh(game).status == Game.Status.CLOSED and Game.objects.filter(status=Game.Status.RUNNING).count() == 1


def test_a_refused_answer_is_said_at_its_form_whatever_has_been_read(
    client: Client, anna: User, now: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = learn(newest()[0], anna, now)
    monkeypatch.setattr(type(game.rules.lesson), "span", lambda *_seen: OpenSteps(1, 2))
    client.force_login(anna)
    assert not soup_of(client.get(reverse("table", args=[game.ref]))).select("form.answer")  # first what has happened
    row = next(row for row in open_rows(game) if row.seat.user == anna)
    page = soup_of(client.post(reverse("table_act", args=[game.ref]), {"decision": row.code, "place-token": "8"}))
    assert page.select("form.answer .notice.error") and page.select("input[name=place-token][value='8'][checked]")
    assert page.select_one(".lesson .muted").text == f"Step 2 of {game.rules.lesson.steps}"


def test_a_turn_is_read_before_the_game_goes_on_whatever_the_workers_do(anna: User, now: dt.datetime) -> None:
    game = learn(newest()[1], anna, now)
    answer_once(game, anna, now)
    stands = fresh(game)
    assert stands.rules.is_advance_pending(stands.load_state()) and not open_rows(game)
    practice.begin_lesson(user=anna, rules_name=game.rules_name, now=now, read=stands.public_events - 1)
    assert fresh(game).seq == stands.seq
    practice.begin_lesson(user=anna, rules_name=game.rules_name, now=now)
    assert fresh(game).seq > stands.seq


@GAMES
def test_anybody_may_try_the_puzzle_and_is_invited_once_it_is_solved(client: Client, rules: AnyRules, db: None) -> None:
    path, choices = reverse("puzzle", args=[rules.name]), rules.lesson.puzzle()[1]
    assert len(soup_of(client.get(path)).select("button[name=answer]")) == len(choices)
    for choice, _label in choices:
        page = soup_of(client.get(path, {"answer": choice}))
        is_invited = page.select_one(f"a.button[href='{reverse('lobby')}']") is not None
        assert is_invited == rules.lesson.solve(choice).is_right and page.select(".told li")
    assert not soup_of(client.get(path, {"answer": "nowhere"})).select(".told")
    assert client.get(reverse("puzzle", args=["chess"])).status_code == 404


def test_a_lesson_waits_for_ever_and_writes_no_mail(anna: User, now: dt.datetime) -> None:
    game = learn(newest()[0], anna, now)
    answer_once(game, anna, now)
    later = now + dt.timedelta(days=400)
    assert not (deadlines.expire_one(later) or deadlines.remind_one(later) or pauses.end_one(later))
    assert not Notice.objects.exists()
    for is_wanted in (True, False):
        pauses.set_wish(game_id=game.pk, seat=game.seats.get(user=anna).number, is_wanted=is_wanted, now=later)
    assert fresh(game).paused_at == now


@GAMES
def test_a_lesson_is_removed_long_after_it_was_played_last(anna: User, rules: AnyRules, now: dt.datetime) -> None:
    game, real = learn(rules, anna, now), new_table(anna, now)
    later = now + practice.LESSON_KEPT - dt.timedelta(days=1)
    answer_once(game, anna, later)
    last = game.moves.latest("pk").received_at
    Game.objects.filter(pk=game.pk).update(expires_at=now)
    assert practice.remove_one(last + practice.LESSON_KEPT / 2)  # it is looked at, and kept
    assert not practice.remove_one(last + practice.LESSON_KEPT / 2)
    assert practice.remove_one(last + practice.LESSON_KEPT)
    assert list(Game.objects.all()) == [real]
    assert practice.begin_lesson(user=anna, rules_name=rules.name, now=last).pk != game.pk


@pytest.mark.slow
def test_rules_that_fail_on_the_next_step_quarantine_the_lesson(
    anna: User, now: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = learn(newest()[1], anna, now)
    while not game.rules.lesson.is_held(game.rules.view(game.load_state(), None)):
        answer_once(game, anna, now)
        game = fresh(game)

    def fail(*_args: object) -> None:
        raise locking.EngineFailure("broken")

    monkeypatch.setattr(practice.game_moves, "advance", lambda **_facts: fail())
    with pytest.raises(Quarantined):
        practice.begin_lesson(user=anna, rules_name=game.rules_name, now=now)
    assert fresh(game).quarantined_at is not None
